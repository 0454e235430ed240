//! Stage `modules`: the time that modules of the runtime add to the calls that they record, and
//! their cost when they are not chosen.
//!
//! Goal: a module that is not chosen costs nothing; samples at 1 kHz cost at most 1 % of a program
//! that computes.

use crate::measure::{Sample, Spread};
use crate::run::{Run, interleaved};
use crate::table::Table;
use crate::{Bench, Result, libotf2};
use std::path::{Path, PathBuf};

/// Calls: title, argument of the program, calls in a measurement, and the module.
const CALLS: [(&str, &str, u64, &str); 6] = [
    ("OpenMP parallel region and barrier, 2 threads", "parallel", 100_000, "openmp"),
    ("`malloc` of 64 bytes, `free`", "memory", 5_000_000, "memory"),
    ("`pread` of 4 KiB", "read", 1_000_000, "io"),
    ("the same, too short to be recorded", "read", 1_000_000, "waiting"),
    ("computing for a microsecond, sampled at 1 kHz", "work", 2_000_000, "sampling=1000"),
    ("the same, interrupted at 1 kHz by a handler that does nothing", "work", 2_000_000, NO_MODULE),
];
/// The program interrupts itself: the least cost of samples on this machine.
const NO_MODULE: &str = "";
/// A module that records nothing of this program.
const OTHER: &str = "user";

/// Prints the table of this stage.
pub(crate) fn report(bench: &Bench) -> Result<()> {
    println!("## Modules\n\n{ABOUT}\n");
    bench.build("kymo-plugin", crate::plugin::LIBRARY)?;
    let runtime = bench.build("kymo-runtime", "libkymo_runtime.so")?;
    let program = libotf2::compile_with(bench.scratch.path(), "module_calls", &["-fopenmp".to_owned()]);
    let program = program.ok_or("the program needs a C compiler")?;
    let mut table = Table::new(&[
        "calls",
        "without `kymo record`",
        "not chosen, added",
        "recorded",
        "recorded, added",
        "added, %",
    ]);
    for (title, what, number, module) in CALLS {
        let number = if bench.quick { number / 100 } else { number };
        let calls = ModuleProgram { runtime: &runtime, program: &program, what };
        table.row(row(bench, title, &calls, number, module)?);
    }
    println!("{table}");
    Ok(())
}

/// A program that is run in three ways: without the runtime, with another module, and recorded (or
/// interrupted).
struct ModuleProgram<'a> {
    runtime: &'a PathBuf,
    program: &'a Path,
    what: &'a str,
}

impl ModuleProgram<'_> {
    fn runs(&self, number: u64, module: &str) -> [Run; 3] {
        let run = Run::new(self.program, &format!("{} {number}", self.what)).in_folder();
        let recorded = match module {
            NO_MODULE => Run::new(self.program, &format!("interrupted {number}")).in_folder(),
            module => self.record(run.clone(), module),
        };
        [run.clone(), self.record(run, OTHER), recorded]
    }

    fn record(&self, run: Run, module: &str) -> Run {
        run.with("LD_PRELOAD", self.runtime)
            .with("LD_LIBRARY_PATH", self.runtime.parent().unwrap_or(Path::new(".")))
            .with("SCOREP_SUBSTRATE_PLUGINS", "kymo")
            .with("KYMO_RECORD_WITH", module)
    }
}

fn row(
    bench: &Bench,
    title: &str,
    calls: &ModuleProgram<'_>,
    number: u64,
    module: &str,
) -> Result<Vec<String>> {
    let samples = interleaved(bench, &calls.runs(number, module))?;
    let results: Vec<u64> = samples.iter().flatten().map(|sample| sample.bytes).collect();
    if results.iter().any(|result| Some(result) != results.first()) {
        return Err(format!("{title}: the results of the calls differ: {results:?}").into());
    }
    let per_call = |sample: &Sample| sample.recorded as f64 / number as f64;
    let spread = |way: usize| Spread::of(samples[way].iter().map(per_call).collect());
    // Of each round, because a slow minute affects the whole round.
    let rounds = |way: usize| samples[0].iter().zip(&samples[way]);
    let added = |way| Spread::of(rounds(way).map(|(a, b)| per_call(b) - per_call(a)).collect());
    let part = Spread::of(rounds(2).map(|(a, b)| (per_call(b) / per_call(a) - 1.0) * 100.0).collect());
    let cells = [spread(0), added(1), spread(2), added(2), part];
    Ok(std::iter::once(title.to_owned()).chain(cells.iter().map(ToString::to_string)).collect())
}

const ABOUT: &str = "\
Nanoseconds of CPU per call of the calling thread, for OpenMP elapsed, medians (least–most); *added* is
the difference within a round. *Not chosen*: another module is, so that the runtime is loaded.";
