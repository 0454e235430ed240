//! Stage `c-library`: the same C programs with libotf2 and with our library in its place.
//!
//! The programs are those of the other stages, `c/libotf2.c` and `c/libotf2_read.c`. They find the
//! library by `LD_LIBRARY_PATH`.

use crate::archive::{self, Local};
use crate::format_writer::per;
use crate::measure::{Sample, Spread};
use crate::reading_tables::with_speedup;
use crate::run::{Run, instructions, interleaved};
use crate::stream::Case;
use crate::table::{Table, figure};
use crate::{Bench, Result};
use std::os::unix::fs::symlink;
use std::path::Path;

/// The name by which the programs ask for the library.
const NAME: &str = "libopen-trace-format2.so.10";

/// What is written: title, arguments, records per pair, and the goal.
const WRITING: [(&str, &str, Case, Option<f64>); 4] = [
    ("Enter, Leave; default buffers", "events enter-leave default", Case::EnterLeave, Some(3.5)),
    ("Enter, Leave; a reused pool", "events enter-leave pool", Case::EnterLeave, Some(2.5)),
    ("each with a Metric of 1 value; a reused pool", "events metric pool", Case::Metric, None),
    ("MpiSend, MpiRecv; a reused pool", "events messages pool", Case::Messages, None),
];

/// What is read: title, order, case, locations, and the goal.
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

/// The two runs of a program: with libotf2, and with our library.
struct Pair([Run; 2]);

impl Pair {
    fn new(program: &Path, arguments: &str, library: &Path) -> Self {
        let run = Run::new(program, arguments);
        Pair([run.clone(), run.with("LD_LIBRARY_PATH", library)])
    }

    /// Returns the samples of both, whose results must be equal.
    fn samples(&self, bench: &Bench) -> Result<[Vec<Sample>; 2]> {
        let samples = interleaved(bench, &self.0)?;
        let mut results = samples.iter().flatten().map(|sample| sample.bytes);
        let first = results.next();
        if results.any(|result| Some(result) != first) {
            return Err(format!("{:?}: the libraries disagree", self.0[0]).into());
        }
        samples.try_into().map_err(|_| "two runs".into())
    }
}

/// Returns both instruction counts per unit.
fn counts(bench: &Bench, per_size: u64, pair: impl Fn(u64) -> Pair) -> Result<[Option<f64>; 2]> {
    let count = |which: usize| -> Result<Option<f64>> {
        let counted = instructions(bench, SIZES, |size| pair(size).0[which].clone())?;
        Ok(counted.map(|count| count / per_size as f64))
    };
    Ok([count(0)?, count(1)?])
}

fn row(title: &str, spreads: [Spread; 2], goal: Option<f64>, counts: [Option<f64>; 2]) -> Vec<String> {
    let [theirs, ours] = spreads;
    let times = [theirs.to_string(), with_speedup(ours, Some(theirs), goal)];
    [title.to_owned()].into_iter().chain(times).chain(counts.map(|count| figure(count, 1))).collect()
}

/// Prints the tables of this stage.
pub(crate) fn report(bench: &Bench) -> Result<()> {
    println!("## C library\n\n{ABOUT}\n");
    let (Some(writer), Some(reader)) = (&bench.libotf2, &bench.libotf2_read) else {
        println!("Not measured: libotf2 is missing.\n");
        return Ok(());
    };
    let library = bench.build("kymo-otf2-c", "libkymo_otf2_c.so")?;
    let folder = bench.folder()?;
    symlink(library, folder.path().join(NAME))?;
    println!("{}", writing(bench, writer, folder.path())?);
    println!("{}", reading(bench, reader, folder.path())?);
    Ok(())
}

const HEADER: [&str; 4] = ["libotf2", "our library", "instructions, libotf2", "ours"];

fn header(first: &'static str) -> Vec<&'static str> {
    [first].into_iter().chain(HEADER).collect()
}

fn writing(bench: &Bench, program: &Path, library: &Path) -> Result<Table> {
    let mut table = Table::new(&header("writing"));
    for (title, arguments, case, goal) in WRITING {
        let pair = |pairs: u64| Pair::new(program, &format!("{arguments} {pairs}"), library);
        let pairs = bench.pairs(case);
        let samples = pair(pairs).samples(bench)?;
        let spreads = samples.map(|of| per(&of, case.records() * pairs, |sample| sample.recorded));
        table.row(row(title, spreads, goal, counts(bench, case.records(), pair)?));
    }
    let regions = if bench.quick { REGIONS / 100 } else { REGIONS };
    let pair = |regions: u64| Pair::new(program, &format!("definitions {regions}"), library);
    let spreads = pair(regions).samples(bench)?.map(|of| per(&of, 2 * regions, |sample| sample.recorded));
    table.row(row("definitions", spreads, None, counts(bench, 2, pair)?));
    Ok(table)
}

fn reading(bench: &Bench, program: &Path, library: &Path) -> Result<Table> {
    let mut table = Table::new(&[header("reading"), vec!["MiB, libotf2", "ours"]].concat());
    for (title, order, case, locations, goal) in READING {
        let pairs = 2 * bench.pairs(case) / locations;
        let folder = bench.folder()?;
        let anchor = archive::write(folder.path(), case, Local::Empty, locations, pairs)?;
        let samples = Pair::new(program, &format!("{order} {}", anchor.display()), library).samples(bench)?;
        let records = case.records() * pairs * locations;
        let memory = |of: &Vec<Sample>| per(of, 1 << 10, |sample| sample.memory).median;
        let mebibytes = samples.each_ref().map(|of| figure(Some(memory(of)), 1));
        let spreads = samples.map(|of| per(&of, records, |sample| sample.recorded));
        let counts = counted(bench, program, library, order, case, locations)?;
        table.row(row(title, spreads, goal, counts).into_iter().chain(mebibytes).collect());
    }
    let (folder, regions) = (bench.folder()?, if bench.quick { REGIONS / 100 } else { REGIONS });
    Run::new(program_of(bench)?, &format!("definitions {regions}")).sample_in(folder.path())?;
    let anchor = folder.path().join("traces.otf2");
    let samples = Pair::new(program, &format!("definitions {}", anchor.display()), library).samples(bench)?;
    let spreads = samples.map(|of| per(&of, 2 * regions, |sample| sample.recorded));
    let missing = ["–".to_owned(), "–".to_owned()];
    table.row(row("definitions", spreads, Some(3.0), [None, None]).into_iter().chain(missing).collect());
    Ok(table)
}

fn program_of(bench: &Bench) -> Result<&Path> {
    bench.libotf2.as_deref().ok_or_else(|| "libotf2 is missing".into())
}

/// Returns the instructions per record of reading archives of two sizes.
fn counted(
    bench: &Bench,
    program: &Path,
    library: &Path,
    order: &str,
    case: Case,
    locations: u64,
) -> Result<[Option<f64>; 2]> {
    let (small, large) = (bench.folder()?, bench.folder()?);
    let write =
        |folder: &Path, pairs: u64| archive::write(folder, case, Local::Empty, locations, pairs / locations);
    let anchors = (write(small.path(), SIZES.0)?, write(large.path(), SIZES.1)?);
    counts(bench, case.records(), |size| {
        let anchor = if size == SIZES.0 { &anchors.0 } else { &anchors.1 };
        Pair::new(program, &format!("{order} {}", anchor.display()), library)
    })
}

const ABOUT: &str = "\
Nanoseconds of CPU per record, medians (least–most), of the same C programs with libotf2 and with the
C interface of this project in its place; what they write and read is compared. Instructions include
those of the program, about 12 per record. Memory is the peak resident size. The files are in memory.";
