//! Stage `accelerators`: the time that recording adds to calls of interfaces to accelerators, which
//! the host executes.
//!
//! Goals: at most 80 ns for a construct of OpenACC, 1 µs for a kernel of OpenCL.

use crate::measure::{Sample, Spread};
use crate::recorded::Runtime;
use crate::run::{Run, instructions, interleaved};
use crate::table::{Table, figure};
use crate::{Bench, Result, libotf2};
use std::path::Path;

/// Calls: title, argument of the program, the kind of events, calls in a measurement, and the goal
/// in nanoseconds.
type Call = (&'static str, &'static str, &'static str, u64, Option<f64>);

const CALLS: [Call; 3] = [
    ("compute construct of OpenACC (libgomp)", "acc", "openacc", 2_000_000, Some(80.0)),
    ("target construct of OpenMP (libgomp)", "target", "openmp", 2_000_000, None),
    ("kernel of OpenCL (pocl)", "kernel", "opencl", 200_000, Some(1000.0)),
];

/// The sizes of runs whose instructions are compared.
const SIZES: (u64, u64) = (2_000, 12_000);

/// Prints the table of this stage.
pub(crate) fn report(bench: &Bench) -> Result<()> {
    println!("## Accelerators\n\n{ABOUT}\n");
    let options = ["-fopenacc", "-fopenmp", "-foffload=disable", "-Wno-deprecated-declarations", "-lOpenCL"];
    let options = options.map(str::to_owned);
    let Some(program) = libotf2::compile_with(bench.scratch.path(), "accelerator_calls", &options) else {
        println!("Not measured: gcc and OpenCL are needed (Debian: ocl-icd-opencl-dev, pocl-opencl-icd).\n");
        return Ok(());
    };
    let runtime = Runtime::build(bench)?;
    let columns = ["calls", "without `kymo record`", "recorded", "added", "instructions without", "added"];
    let mut table = Table::new(&columns);
    for call in &CALLS {
        table.row(row(bench, &runtime, &program, call)?);
    }
    println!("{table}");
    Ok(())
}

fn row(bench: &Bench, runtime: &Runtime, program: &Path, call: &Call) -> Result<Vec<String>> {
    let (title, what, kind, number, goal) = *call;
    let number = if bench.quick { number / 100 } else { number };
    let runs = |number: u64| {
        let run = Run::new(program, &format!("{what} {number}")).in_folder();
        // hwloc advises this when it finds valgrind.
        let run = run.with("HWLOC_COMPONENTS", "-x86");
        [run.clone(), runtime.record(run, kind)]
    };
    let samples = interleaved(bench, &runs(number))?;
    let results: Vec<u64> = samples.iter().flatten().map(|sample| sample.bytes).collect();
    if results.iter().any(|result| Some(result) != results.first()) {
        return Err(format!("{title}: the results of the calls differ: {results:?}").into());
    }
    let per_call = |sample: &Sample| sample.recorded as f64 / number as f64;
    let spread = |way: usize| Spread::of(samples[way].iter().map(per_call).collect());
    // Of each round, because a slow minute affects the whole round.
    let pairs = samples[0].iter().zip(&samples[1]);
    let added = Spread::of(pairs.map(|(without, with)| per_call(with) - per_call(without)).collect());
    // pocl compiles the kernel, and its threads wait busily.
    let is_counted = what != "kernel";
    let count = |way: usize| match is_counted {
        true => instructions(bench, SIZES, |number| runs(number)[way].clone()),
        false => Ok(None),
    };
    let counts = [count(0)?, count(1)?];
    let more = counts[1].zip(counts[0]).map(|(with, without)| with - without);
    let goal = goal.map_or(String::new(), |goal| format!(" (goal {goal})"));
    Ok(vec![
        title.to_owned(),
        spread(0).to_string(),
        spread(1).to_string(),
        format!("{added}{goal}"),
        figure(counts[0], 1),
        figure(more, 1),
    ])
}

const ABOUT: &str = "\
Nanoseconds of CPU of the calling thread per construct or kernel, medians (least–most); *added* is the
difference within a round. A construct is executed by the host, and moves nothing. Of the kernels each
100th is waited for, and then the times of 100 are collected. Instructions are those of all threads, with
the writer's.";
