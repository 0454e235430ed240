//! Stage `analysis`: `kymo profile`, compared with reading the same events by libotf2, which every
//! tool over it does first.
//!
//! The stencil trace has 16 locations. Its calls nest up to four deep and take 20 to 700 ns at
//! random; half of its events are enters.

use crate::archive::{self, Local};
use crate::format_writer::per;
use crate::measure::Spread;
use crate::reading_tables::{cell, compared, with_speedup};
use crate::stream::Case;
use crate::table::{Table, figure};
use crate::{Bench, Result, printing, traces};
use kymo_otf2::FileName;
use kymo_otf2::archive::DEFAULT_NAME;
use kymo_otf2::events::{Enter, Leave};
use kymo_otf2::references::RegionRef;
use kymo_otf2::storage::{Directory, Storage};
use kymo_otf2::write::{EventWriter, StoragePieces};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// The number of locations of the stencil trace, and of the events of each.
const LOCATIONS: u64 = 16;
const EVENTS: u64 = 387_000;
const CHUNK: u64 = 1 << 20;

/// Goal for a profile by calling context, in nanoseconds per event.
const GOAL: f64 = 12.0;

/// Writes a stencil trace with about `events` events of each location; returns its anchor file and
/// the number of all events.
pub(crate) fn stencil(folder: &Path, locations: u64, events: u64) -> Result<(PathBuf, u64)> {
    // Events are 20 to 700 ns apart.
    let length = 1000 + events * 360;
    let anchor = archive::write_lasting(folder, Case::EnterLeave, Local::Empty, locations, 1, length)?;
    let storage = Directory::make(folder, DEFAULT_NAME)?;
    let mut written = 0;
    for location in 0..locations {
        let file = FileName::Events(location);
        let writer = EventWriter::new(StoragePieces::new(&storage, file, 64 << 10), CHUNK)?;
        let mut calls = CallWriter { writer, time: 1000, random: location + 1, events: 0 };
        calls.program(events)?;
        written += calls.events;
        let length = calls.writer.finish()?.length;
        storage.set_len(file, length)?;
    }
    Ok((anchor, written))
}

/// Writes calls.
struct CallWriter<'s> {
    writer: EventWriter<StoragePieces<&'s Directory>>,
    time: u64,
    random: u64,
    events: u64,
}

impl CallWriter<'_> {
    /// Moves on by 20 to 700 ns.
    fn pass(&mut self) {
        // The generator of Knuth's MMIX.
        self.random =
            self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.time += 20 + (self.random >> 33) % 680;
        self.events += 1;
    }

    fn enter(&mut self, region: u32) -> Result<()> {
        self.pass();
        Ok(self.writer.record(self.time, &Enter { region: RegionRef(region) })?)
    }

    fn leave(&mut self, region: u32) -> Result<()> {
        self.pass();
        Ok(self.writer.record(self.time, &Leave { region: RegionRef(region) })?)
    }

    /// Writes `main`, which consists of steps: an exchange of halos, loops, and sometimes a norm.
    fn program(&mut self, events: u64) -> Result<()> {
        self.enter(0)?;
        for step in 0_u64.. {
            if self.events + 30 > events {
                break;
            }
            self.enter(1)?;
            self.exchange()?;
            for kernel in [6, 7, 8, 7] {
                self.enter(kernel)?;
                self.leave(kernel)?;
            }
            if step.is_multiple_of(8) {
                self.enter(9)?;
                self.leave(9)?;
            }
            self.leave(1)?;
        }
        self.leave(0)
    }

    fn exchange(&mut self) -> Result<()> {
        self.enter(2)?;
        for call in [3, 3, 4, 4, 5] {
            self.enter(call)?;
            self.leave(call)?;
        }
        self.leave(2)
    }
}

/// Prints the table of this stage.
pub(crate) fn report(bench: &Bench) -> Result<()> {
    println!("## Analysis\n\n{ABOUT}\n");
    let kymo = bench.build("kymo", "kymo")?;
    let mut table = Table::new(&[
        "trace",
        "events",
        "libotf2, reading by location",
        "`kymo profile -j 1`",
        "by region of a trace in JSON, with `--by location`",
        "speedup of `-j 2`",
    ]);
    let folder = bench.folder()?;
    let (anchor, events) =
        stencil(folder.path(), LOCATIONS, if bench.quick { EVENTS / 100 } else { EVENTS })?;
    let mut all = vec![("stencil".to_owned(), anchor, events)];
    for (name, anchor) in traces::real()? {
        let events = traces::events(&anchor)?;
        all.push((name, anchor, events));
    }
    for (number, (name, anchor, events)) in all.iter().enumerate() {
        let events = *events;
        let (_, reference) = compared(bench, &["local-callback"], "local", anchor)?;
        let theirs = reference.as_ref().map(|samples| per(samples, events, |sample| sample.recorded));
        let programs = ["-j 1", "-j 1 --by location --format json"]
            .map(|options| format!("{} profile {options}", kymo.display()));
        let spreads = printing::measure(bench.repetitions, &programs, anchor, events)?;
        let goal = (number == 0).then_some(GOAL);
        let ours = with_speedup(spreads[0], theirs, None)
            + &goal.map_or(String::new(), |it| format!(" (goal {it} ns)"));
        let speedup = figure(Some(speedup(bench, &kymo, anchor)?), 2);
        table.row(vec![
            name.clone(),
            events.to_string(),
            cell(theirs),
            ours,
            spreads[1].to_string(),
            speedup,
        ]);
    }
    println!("{table}");
    println!("## Exports\n\n{ABOUT_EXPORTS}\n");
    let names: Vec<_> = all.iter().map(|(name, ..)| name.as_str()).collect();
    let mut table = Table::new(&[&["program"], &names[..]].concat());
    for (program, goal) in EXPORTS {
        let mut row =
            vec![format!("`kymo {program}`{}", goal.map_or(String::new(), |it| format!(" (goal {it} ns)")))];
        for (_, anchor, events) in &all {
            let result = folder.path().join("result");
            let (times, bytes) = export(bench, &kymo, program, anchor, &result)?;
            let per_event = |number: f64| number / *events as f64;
            let times = Spread::of(times.into_iter().map(|seconds| per_event(seconds * 1e9)).collect());
            let bytes =
                bytes.map_or(String::new(), |it| format!("; {} B", figure(Some(per_event(it as f64)), 2)));
            row.push(format!("{times}{bytes}"));
        }
        table.row(row);
    }
    println!("{table}");
    Ok(())
}

/// The programs of the table of exports, and their goals in nanoseconds per event.
const EXPORTS: [(&str, Option<f64>); 9] = [
    ("stats --no-check", None),
    ("export --format parquet --tables calls", Some(35.0)),
    ("export --format parquet", Some(60.0)),
    ("export --format csv", Some(60.0)),
    ("export --format perfetto", Some(22.0)),
    ("export --format firefox", None),
    ("export --format chrome", Some(60.0)),
    ("export --format speedscope", None),
    ("export --format folded", None),
];

/// Returns the seconds of each run of a program with one thread, and the size of its result if it
/// exports.
fn export(
    bench: &Bench,
    kymo: &Path,
    program: &str,
    anchor: &Path,
    result: &Path,
) -> Result<(Vec<f64>, Option<u64>)> {
    let (mut times, mut bytes) = (Vec::new(), None);
    for _ in 0..bench.repetitions {
        let command =
            format!("{} {program} -q -j 1 -o {} {}", kymo.display(), result.display(), anchor.display());
        times.push(printing::cpu(&command)?);
        if program.starts_with("export") {
            bytes = Some(size(result)?);
        }
        match result.is_dir() {
            true => fs::remove_dir_all(result)?,
            false => fs::remove_file(result)?,
        }
    }
    Ok((times, bytes))
}

/// Returns the size of a file, or of all files below a folder.
pub(crate) fn size(path: &Path) -> Result<u64> {
    if path.is_file() {
        return Ok(path.metadata()?.len());
    }
    fs::read_dir(path)?.try_fold(0, |sum, entry| Ok(sum + size(&entry?.path())?))
}

const ABOUT_EXPORTS: &str = "\
Nanoseconds of CPU, and bytes of the result, per event; one thread, whole program.";

/// Returns by how much two threads are faster than one: the ratio of the medians of elapsed time.
fn speedup(bench: &Bench, kymo: &Path, anchor: &Path) -> Result<f64> {
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..bench.repetitions {
        for (threads, times) in ["1", "2"].into_iter().zip(&mut times) {
            let start = Instant::now();
            let output = Command::new(kymo).args(["profile", "-j", threads]).arg(anchor).output()?;
            if !output.status.success() {
                return Err(format!("{}: {output:?}", anchor.display()).into());
            }
            times.push(start.elapsed().as_secs_f64());
        }
    }
    let [one, two] = times.map(|times| Spread::of(times).median);
    Ok(one / two)
}

const ABOUT: &str = "\
Nanoseconds of CPU per event. libotf2: its callbacks only add numbers, and opening is not counted.
`kymo profile`: the whole program, with start, end and output.";
