//! Stage `checking`: `kymo check`, compared with `kymo stats` on the same archive.
//!
//! The unit is instructions: those of runs on a short and a long trace, divided by the difference
//! of their events, so that start and definitions do not count.

use crate::archive::{self, Local};
use crate::run::whole;
use crate::stream::{Case, step};
use crate::table::{Table, figure};
use crate::{Bench, Result};
use kymo_otf2::FileName;
use kymo_otf2::archive::DEFAULT_NAME;
use kymo_otf2::enums::Paradigm;
use kymo_otf2::events::{Enter, Leave, ThreadAcquireLock, ThreadReleaseLock};
use kymo_otf2::references::RegionRef;
use kymo_otf2::storage::{Directory, Storage};
use kymo_otf2::write::{EventWriter, StoragePieces};
use std::path::{Path, PathBuf};

const LOCATIONS: u64 = 8;
const CHUNK: u64 = 1 << 20;
/// The numbers of events of a location in the short and the long trace.
const EVENTS: [u64; 2] = [600, 12_600];
/// The number of locks that each location uses.
const LOCKS: u32 = 4;

/// Writes a trace into a folder, with this number of events of each location.
type Writer = fn(&Path, u64) -> Result<PathBuf>;

const TRACES: [(&str, Writer); 2] = [("calls", calls), ("locks of threads, each in a call", locks)];

fn calls(folder: &Path, events: u64) -> Result<PathBuf> {
    archive::write(folder, Case::EnterLeave, Local::Empty, LOCATIONS, events / 2)
}

/// Writes the events of a program that enters a critical section again and again: a third of them
/// are those of locks.
fn locks(folder: &Path, events: u64) -> Result<PathBuf> {
    let anchor = archive::write(folder, Case::EnterLeave, Local::Empty, LOCATIONS, events / 2)?;
    let storage = Directory::make(folder, DEFAULT_NAME)?;
    for location in 0..LOCATIONS {
        let file = FileName::Events(location);
        let mut writer = EventWriter::new(StoragePieces::new(&storage, file, 64 << 10), CHUNK)?;
        let (model, mut time) = (Paradigm::OPENMP, 3 * location);
        for round in 0..events as u32 / 6 {
            let (lock_id, acquisition_order) = (round % LOCKS, round);
            let mut next = || {
                time += step(time);
                time
            };
            writer.record(next(), &Enter { region: RegionRef(0) })?;
            writer.record(next(), &ThreadAcquireLock { model, lock_id, acquisition_order })?;
            writer.record(next(), &Leave { region: RegionRef(0) })?;
            writer.record(next(), &Enter { region: RegionRef(1) })?;
            writer.record(next(), &ThreadReleaseLock { model, lock_id, acquisition_order })?;
            writer.record(next(), &Leave { region: RegionRef(1) })?;
        }
        let length = writer.finish()?.length;
        storage.set_len(file, length)?;
    }
    Ok(anchor)
}

/// Prints the table of this stage.
pub(crate) fn report(bench: &Bench) -> Result<()> {
    println!("## Checking\n\n{ABOUT}\n");
    if !bench.valgrind {
        println!("Not counted: valgrind is missing, or not wanted.\n");
        return Ok(());
    }
    let kymo = bench.build("kymo", "kymo")?;
    let mut table = Table::new(&["trace", "`kymo stats --no-check`", "`kymo check`", "ratio"]);
    for (name, write) in TRACES {
        let folders = [bench.folder()?, bench.folder()?];
        let [short, long] = [write(folders[0].path(), EVENTS[0])?, write(folders[1].path(), EVENTS[1])?];
        let per_event = |verb: &str| -> Result<f64> {
            let count = |anchor: &Path| whole(bench, &kymo, verb, anchor);
            let events = (EVENTS[1] - EVENTS[0]) * LOCATIONS;
            Ok((count(&long)? as f64 - count(&short)? as f64) / events as f64)
        };
        let [stats, check] = [per_event("stats -q -j 1 --no-check")?, per_event("check")?];
        let row = [figure(Some(stats), 0), figure(Some(check), 0), figure(Some(check / stats), 2)];
        table.row([name.to_owned()].into_iter().chain(row).collect());
    }
    println!("{table}");
    Ok(())
}

const ABOUT: &str = "\
Instructions in user mode per event, all threads, counted by callgrind: the difference between 5,000
and 100,000 events of 8 locations.";
