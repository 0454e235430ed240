//! Stage `c-library`: the same C programs with libotf2 and with our library in its place.
//!
//! The programs are those of the other stages, `c/libotf2.c` and `c/libotf2_read.c`. They find the
//! library by `LD_LIBRARY_PATH`. If the variable `KYMO_NEWER_LIBOTF2` names the file of a newer
//! libotf2, it is a third one: the extension file of Python's package otf2 is such a library
//! (`pip download --no-deps otf2==3.2`, then unpack `_otf2/_otf2.*.so`).

use crate::archive::{self, Local};
use crate::format_writer::per;
use crate::measure::{Sample, Spread};
use crate::run::{Run, instructions, interleaved};
use crate::stream::Case;
use crate::table::{Table, figure};
use crate::{Bench, Result};
use std::os::unix::fs::symlink;
use std::path::Path;
use tempfile::TempDir;

/// The name by which the programs ask for the library.
const NAME: &str = "libopen-trace-format2.so.10";

/// The cases of writing: title, arguments, records per pair, and the goal against the newest
/// libotf2.
const WRITING: [(&str, &str, Case, Option<f64>); 4] = [
    ("Enter, Leave; default buffers", "events enter-leave default", Case::EnterLeave, Some(2.5)),
    ("Enter, Leave; a reused pool", "events enter-leave pool", Case::EnterLeave, Some(2.5)),
    ("each with a Metric of 1 value; a reused pool", "events metric pool", Case::Metric, None),
    ("MpiSend, MpiRecv; a reused pool", "events messages pool", Case::Messages, None),
];

/// The cases of reading: title, order, case, locations, and the goal.
const READING: [(&str, &str, Case, u64, Option<f64>); 6] = [
    ("location by location; 8 locations", "local", Case::EnterLeave, 8, Some(5.0)),
    ("each with a Metric of 1 value", "local", Case::Metric, 8, None),
    ("MpiSend, MpiRecv", "local", Case::Messages, 8, None),
    ("in the order of time; 8 locations", "global", Case::EnterLeave, 8, None),
    ("64 locations", "global", Case::EnterLeave, 64, Some(5.0)),
    ("512 locations", "global", Case::EnterLeave, 512, None),
];

/// The numbers of regions whose definitions are written and read.
const REGIONS: u64 = 100_000;

/// The sizes of runs whose instructions are compared.
const SIZES: (u64, u64) = (40_000, 120_000);

/// Where the programs find libraries other than the installed libotf2.
struct Libraries {
    /// A newer libotf2.
    newer: Option<TempDir>,
    ours: TempDir,
}

impl Libraries {
    fn new(bench: &Bench) -> Result<Self> {
        let ours = linked(bench, &bench.build("kymo-otf2-c", "libkymo_otf2_c.so")?)?;
        let newer = std::env::var_os("KYMO_NEWER_LIBOTF2").map(|file| linked(bench, Path::new(&file)));
        Ok(Self { newer: newer.transpose()?, ours })
    }
}

/// Makes a folder with a library under its usual name.
fn linked(bench: &Bench, library: &Path) -> Result<TempDir> {
    let folder = bench.folder()?;
    symlink(library.canonicalize()?, folder.path().join(NAME))?;
    Ok(folder)
}

/// The runs of a program with each library: libotf2, the newer one if there is one, and ours.
struct Runs(Vec<Run>);

impl Runs {
    fn new(program: &Path, arguments: &str, libraries: &Libraries) -> Self {
        let run = Run::new(program, arguments);
        let with = |folder: &TempDir| run.clone().with("LD_LIBRARY_PATH", folder.path());
        let newer = libraries.newer.as_ref().map(with);
        Runs([run.clone()].into_iter().chain(newer).chain([with(&libraries.ours)]).collect())
    }

    /// Returns the samples of each, whose results must be equal.
    fn samples(&self, bench: &Bench) -> Result<Vec<Vec<Sample>>> {
        let samples = interleaved(bench, &self.0)?;
        let mut results = samples.iter().flatten().map(|sample| sample.bytes);
        let first = results.next();
        if results.any(|result| Some(result) != first) {
            return Err(format!("{:?}: the libraries disagree", self.0[0]).into());
        }
        Ok(samples)
    }
}

/// Returns the instructions per unit of each library.
fn counts(
    bench: &Bench,
    libraries: &Libraries,
    per_size: u64,
    runs: impl Fn(u64) -> Runs,
) -> Result<Vec<Option<f64>>> {
    let count = |which: usize| -> Result<Option<f64>> {
        let counted = instructions(bench, SIZES, |size| runs(size).0[which].clone())?;
        Ok(counted.map(|count| count / per_size as f64))
    };
    (0..columns(libraries).len()).map(count).collect()
}

/// The names of the libraries.
fn columns(libraries: &Libraries) -> &'static [&'static str] {
    match libraries.newer {
        Some(_) => &["libotf2", "newer libotf2", "our library"],
        None => &["libotf2", "our library"],
    }
}

/// A row of times, each after the first with the ratio to ours, then of instructions. The goal is
/// one against the newest library.
fn row(title: &str, spreads: &[Spread], goal: Option<f64>, counts: &[Option<f64>]) -> Vec<String> {
    let (ours, others) = spreads.split_last().expect("at least our library");
    let ratio = |theirs: &Spread| format!("{theirs} = {:.1}×", theirs.median / ours.median);
    let goal = goal.map_or(String::new(), |goal| format!(" (goal {goal})"));
    let times = others.iter().map(ratio).chain([format!("{ours}{goal}")]);
    let counts = counts.iter().map(|&count| figure(count, 1));
    [title.to_owned()].into_iter().chain(times).chain(counts).collect()
}

/// Prints the tables of this stage.
pub(crate) fn report(bench: &Bench) -> Result<()> {
    println!("## C library\n\n{ABOUT}\n");
    let (Some(writer), Some(reader)) = (&bench.libotf2, &bench.libotf2_read) else {
        println!("Not measured: libotf2 is missing.\n");
        return Ok(());
    };
    let libraries = Libraries::new(bench)?;
    println!("{}", writing(bench, writer, &libraries)?);
    println!("{}", reading(bench, reader, &libraries)?);
    Ok(())
}

/// The titles of the columns: times, then instructions.
fn header(first: &str, libraries: &Libraries) -> Vec<String> {
    let columns = columns(libraries);
    let instructions = columns.iter().map(|library| format!("instructions, {library}"));
    let times = columns.iter().map(|&library| library.to_owned());
    [first.to_owned()].into_iter().chain(times).chain(instructions).collect()
}

/// Makes a table of owned titles.
fn table(header: &[String]) -> Table {
    Table::new(&header.iter().map(String::as_str).collect::<Vec<_>>())
}

fn writing(bench: &Bench, program: &Path, libraries: &Libraries) -> Result<Table> {
    let mut table = table(&header("writing", libraries));
    for (title, arguments, case, goal) in WRITING {
        let runs = |pairs: u64| Runs::new(program, &format!("{arguments} {pairs}"), libraries);
        let pairs = bench.pairs(case);
        let spreads = spreads(&runs(pairs).samples(bench)?, case.records() * pairs);
        table.row(row(title, &spreads, goal, &counts(bench, libraries, case.records(), runs)?));
    }
    let regions = if bench.quick { REGIONS / 100 } else { REGIONS };
    let runs = |regions: u64| Runs::new(program, &format!("definitions {regions}"), libraries);
    let spreads = spreads(&runs(regions).samples(bench)?, 2 * regions);
    table.row(row("definitions", &spreads, None, &counts(bench, libraries, 2, runs)?));
    Ok(table)
}

/// The time of recording or reading, per record.
fn spreads(samples: &[Vec<Sample>], records: u64) -> Vec<Spread> {
    samples.iter().map(|of| per(of, records, |sample| sample.recorded)).collect()
}

fn reading(bench: &Bench, program: &Path, libraries: &Libraries) -> Result<Table> {
    let memory = columns(libraries).iter().map(|library| format!("MiB, {library}"));
    let mut table = table(&header("reading", libraries).into_iter().chain(memory).collect::<Vec<_>>());
    for (title, order, case, locations, goal) in READING {
        let pairs = 2 * bench.pairs(case) / locations;
        let folder = bench.folder()?;
        let anchor = archive::write(folder.path(), case, Local::Empty, locations, pairs)?;
        let runs = Runs::new(program, &format!("{order} {}", anchor.display()), libraries);
        let samples = runs.samples(bench)?;
        let memory = samples.iter().map(|of| per(of, 1 << 10, |sample| sample.memory).median);
        let mebibytes = memory.map(|of| figure(Some(of), 1));
        let spreads = spreads(&samples, case.records() * pairs * locations);
        let counts = counted(bench, program, libraries, order, case, locations)?;
        table.row(row(title, &spreads, goal, &counts).into_iter().chain(mebibytes).collect());
    }
    let (folder, regions) = (bench.folder()?, if bench.quick { REGIONS / 100 } else { REGIONS });
    Run::new(program_of(bench)?, &format!("definitions {regions}")).sample_in(folder.path())?;
    let anchor = folder.path().join("traces.otf2");
    let runs = Runs::new(program, &format!("definitions {}", anchor.display()), libraries);
    let spreads = spreads(&runs.samples(bench)?, 2 * regions);
    let missing = vec![None; 2 * spreads.len()];
    table.row(row("definitions", &spreads, Some(3.0), &missing));
    Ok(table)
}

fn program_of(bench: &Bench) -> Result<&Path> {
    bench.libotf2.as_deref().ok_or_else(|| "libotf2 is missing".into())
}

/// Returns the instructions per record of reading archives of two sizes.
fn counted(
    bench: &Bench,
    program: &Path,
    libraries: &Libraries,
    order: &str,
    case: Case,
    locations: u64,
) -> Result<Vec<Option<f64>>> {
    let (small, large) = (bench.folder()?, bench.folder()?);
    let write =
        |folder: &Path, pairs: u64| archive::write(folder, case, Local::Empty, locations, pairs / locations);
    let anchors = (write(small.path(), SIZES.0)?, write(large.path(), SIZES.1)?);
    counts(bench, libraries, case.records(), |size| {
        let anchor = if size == SIZES.0 { &anchors.0 } else { &anchors.1 };
        Runs::new(program, &format!("{order} {}", anchor.display()), libraries)
    })
}

const ABOUT: &str = "\
Nanoseconds of CPU per record, medians (least–most), of the same C programs with libotf2 and with the
C interface of this project in its place; what they write and read is compared. Ratios are those to
the time of our library, goals those against the newest libotf2. Instructions include those of the
program, about 12 per record. Memory is the peak resident size. The files are in memory.";
