//! Stage `checking`: `kymo check` and `kymo explain`, compared with `kymo stats` on one archive.
//!
//! The unit is instructions: those of runs on a short and a long trace, divided by the difference
//! of their events, so that start and definitions do not count.

use crate::archive::{self, Local, MPI_RECV, MPI_SEND, SET_LOCK, UNSET_LOCK};
use crate::run::whole;
use crate::stream::{Case, MESSAGE, step};
use crate::table::{Table, figure};
use crate::{Bench, Result};
use kymo_otf2::FileName;
use kymo_otf2::archive::DEFAULT_NAME;
use kymo_otf2::enums::Paradigm;
use kymo_otf2::events::{Enter, Event, Leave, MpiRecv, MpiSend, ThreadAcquireLock, ThreadReleaseLock};
use kymo_otf2::references::CommRef;
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

const TRACES: [(&str, Writer); 3] =
    [("calls", calls), ("locks of threads, each in a call", locks), ("messages, each in a call", messages)];

fn calls(folder: &Path, events: u64) -> Result<PathBuf> {
    archive::write(folder, Case::EnterLeave, Local::Empty, LOCATIONS, events / 2)
}

/// Writes the events of a program that uses locks again and again: a third of them are those of
/// locks.
fn locks(folder: &Path, events: u64) -> Result<PathBuf> {
    rounds(folder, events, |_, round| {
        let (model, lock_id, acquisition_order) = (Paradigm::OPENMP, round % LOCKS, round);
        [
            Event::Enter(Enter { region: SET_LOCK }),
            Event::ThreadAcquireLock(ThreadAcquireLock { model, lock_id, acquisition_order }),
            Event::Leave(Leave { region: SET_LOCK }),
            Event::Enter(Enter { region: UNSET_LOCK }),
            Event::ThreadReleaseLock(ThreadReleaseLock { model, lock_id, acquisition_order }),
            Event::Leave(Leave { region: UNSET_LOCK }),
        ]
    })
}

/// Writes the events of a program that sends messages around in a ring: a third of them are sends
/// and receives.
fn messages(folder: &Path, events: u64) -> Result<PathBuf> {
    rounds(folder, events, |location, _| {
        let neighbour = |steps: u64| ((location + steps) % LOCATIONS) as u32;
        let (communicator, (_, msg_tag, msg_length)) = (CommRef(0), MESSAGE);
        let (receiver, sender) = (neighbour(1), neighbour(LOCATIONS - 1));
        [
            Event::Enter(Enter { region: MPI_SEND }),
            Event::MpiSend(MpiSend { receiver, communicator, msg_tag, msg_length }),
            Event::Leave(Leave { region: MPI_SEND }),
            Event::Enter(Enter { region: MPI_RECV }),
            Event::MpiRecv(MpiRecv { sender, communicator, msg_tag, msg_length }),
            Event::Leave(Leave { region: MPI_RECV }),
        ]
    })
}

/// Writes rounds of six events, which `round` returns for a location and a number.
fn rounds(folder: &Path, events: u64, round: impl Fn(u64, u32) -> [Event<'static>; 6]) -> Result<PathBuf> {
    let anchor = archive::write(folder, Case::EnterLeave, Local::Empty, LOCATIONS, events / 2)?;
    let storage = Directory::make(folder, DEFAULT_NAME)?;
    for location in 0..LOCATIONS {
        let file = FileName::Events(location);
        let mut writer = EventWriter::new(StoragePieces::new(&storage, file, 64 << 10), CHUNK)?;
        let mut time = 3 * location;
        for number in 0..events as u32 / 6 {
            for event in round(location, number) {
                time += step(time);
                writer.record(time, &event)?;
            }
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
    let columns = ["trace", "`kymo stats --no-check`", "`kymo check`", "ratio", "`kymo explain`", "ratio"];
    let mut table = Table::new(&columns);
    for (name, write) in TRACES {
        let folders = [bench.folder()?, bench.folder()?];
        let [short, long] = [write(folders[0].path(), EVENTS[0])?, write(folders[1].path(), EVENTS[1])?];
        let per_event = |verb: &str| -> Result<f64> {
            let count = |anchor: &Path| whole(bench, &kymo, verb, anchor);
            let events = (EVENTS[1] - EVENTS[0]) * LOCATIONS;
            Ok((count(&long)? as f64 - count(&short)? as f64) / events as f64)
        };
        let stats = per_event("stats -q -j 1 --no-check")?;
        let row = ["check", "explain -q -j 1"].map(|verb| -> Result<_> {
            let count = per_event(verb)?;
            Ok([figure(Some(count), 0), figure(Some(count / stats), 2)])
        });
        let [check, explain] = row;
        let row = [figure(Some(stats), 0)].into_iter().chain(check?).chain(explain?);
        table.row([name.to_owned()].into_iter().chain(row).collect());
    }
    println!("{table}");
    Ok(())
}

const ABOUT: &str = "\
Instructions in user mode per event, all threads, counted by callgrind: the difference between 5,000
and 100,000 events of 8 locations.";
