//! Stage `traces`: real traces, and one with all kinds of records, read and printed compared with
//! libotf2.
//!
//! The variable `KYMO_BENCH_TRACES` names real traces: `CoMD=/path/traces.otf2,LULESH=…`. The trace
//! with all kinds of records consists of repetitions of the sample `every-record`.

use crate::format_writer::per;
use crate::measure::Sample;
use crate::reading_tables::{cell, compared, with_speedup};
use crate::table::Table;
use crate::{Bench, Result, printing};
use kymo_otf2::attributes::Attribute;
use kymo_otf2::read::{Archive, Options};
use kymo_otf2::storage::Directory;
use kymo_otf2::write::{EventWriter, StoragePieces};
use kymo_otf2::{FileName, Storage, copy};
use std::env;
use std::path::{Path, PathBuf};

const PIECE: usize = 64 * 1024;

/// The number of repetitions of the events of `every-record`.
const ROUNDS: u64 = 5_000;

/// The time between the first events of two repetitions, in ticks.
const ROUND: u64 = 1 << 20;

/// Writes the trace with all kinds of records; returns its anchor file.
fn all_records(folder: &Path, rounds: u64) -> Result<PathBuf> {
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/../testing/data/otf2-samples/every-record/t.otf2");
    let sample = Archive::open_with(
        sample,
        Options { mapping: false, clock_correction: false, ..Options::default() },
    )?;
    let storage = Directory::make(folder, kymo_otf2::archive::DEFAULT_NAME)?;
    copy(&sample, &storage)?;
    for location in sample.locations()? {
        repeat(&sample, &storage, location, rounds)?;
    }
    Ok(folder.join("traces.otf2"))
}

/// Writes the events of a location several times, one after the other.
fn repeat(sample: &Archive, storage: &Directory, location: u64, rounds: u64) -> Result<()> {
    let file = FileName::Events(location);
    let mut writer: EventWriter<_> =
        EventWriter::new(StoragePieces::new(storage, file, PIECE), sample.anchor().event_chunk_size)?;
    let first = sample.events(location)?.next()?.map_or(0, |event| event.time);
    for round in 0..rounds {
        let mut events = sample.events(location)?;
        while let Some(event) = events.next()? {
            let attributes: Vec<Attribute> = event.attributes.iter().collect();
            writer.record_with(round * ROUND + event.time - first, &attributes, &event.record)?;
        }
    }
    Ok(storage.set_len(file, writer.finish()?.length)?)
}

/// Returns the number of events of an archive.
pub(crate) fn events(anchor: &Path) -> Result<u64> {
    let archive = Archive::open(anchor)?;
    let mut events = 0;
    for location in archive.locations()? {
        archive.events(location)?.each(|_| {
            events += 1;
            Ok::<_, kymo_otf2::Error>(())
        })?;
    }
    Ok(events)
}

/// Returns the names and anchor files of the real traces.
pub(crate) fn real() -> Result<Vec<(String, PathBuf)>> {
    let list = env::var("KYMO_BENCH_TRACES").unwrap_or_default();
    let entry = |entry: &str| {
        let (name, path) = entry.split_once('=').ok_or("KYMO_BENCH_TRACES: NAME=FILE expected")?;
        Ok((name.to_owned(), PathBuf::from(path)))
    };
    list.split(',').filter(|it| !it.is_empty()).map(entry).collect()
}

/// Prints the tables of this stage.
pub(crate) fn report(bench: &Bench) -> Result<()> {
    println!("## Traces\n\n{ABOUT}\n");
    let mut reading = Table::new(&[
        "trace",
        "events",
        "libotf2, by location",
        "`each`, a call per event",
        "`next`",
        "libotf2, in order",
        "`each`",
        "`next`",
    ]);
    let mut printing = Table::new(&["trace", "otf2-print", "`kymo print`"]);
    let programs = printing::programs(bench)?;
    let folder = bench.folder()?;
    let all = all_records(folder.path(), if bench.quick { ROUNDS / 100 } else { ROUNDS })?;
    for (name, anchor) in [("all records".to_owned(), all)].into_iter().chain(real()?) {
        let events = events(&anchor)?;
        let mut row = vec![name.clone(), events.to_string()];
        row.extend(read(bench, &["local-callback", "local-next"], "local", &anchor, events)?);
        row.extend(read(bench, &["global-callback", "global-next"], "global", &anchor, events)?);
        reading.row(row);
        let spread =
            |program: &str| printing::measure(bench.repetitions, &[program.to_owned()], &anchor, events);
        let ours = spread(&programs[0])?[0];
        let theirs = programs.get(1).map(|program| spread(program)).transpose()?.map(|spreads| spreads[0]);
        printing.row(vec![name, cell(theirs), with_speedup(ours, theirs, None)]);
    }
    println!("{reading}\n{printing}");
    Ok(())
}

/// Returns the cells of libotf2 and of our ways to read.
fn read(bench: &Bench, ways: &[&str], order: &str, anchor: &Path, events: u64) -> Result<Vec<String>> {
    let (samples, reference) = compared(bench, ways, order, anchor)?;
    let time = |samples: &Vec<Sample>| per(samples, events, |sample| sample.recorded);
    let theirs = reference.as_ref().map(time);
    let ours = samples.iter().map(|samples| with_speedup(time(samples), theirs, None));
    Ok([cell(theirs)].into_iter().chain(ours).collect())
}

const ABOUT: &str = "\
Nanoseconds of CPU per event, without opening; of printing, of the whole program. \"all records\" repeats
the events of the sample `every-record`, which has every kind of record of OTF2 3.0, with attributes.
The others are real programs under Score-P.";
