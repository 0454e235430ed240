//! Stage `mpi`: the time that recording adds to calls of MPI functions, with the installed
//! libraries.
//!
//! One process calls itself, so that neither a network nor a scheduler is measured. Goals: at most
//! 60 ns for a send and its receive.

use crate::measure::{Sample, Spread};
use crate::recorded::Runtime;
use crate::run::{Run, instructions, interleaved};
use crate::table::{Table, figure};
use crate::{Bench, Result, libotf2};
use std::path::Path;

/// The libraries: name, and the compiler that Debian installs for it.
const LIBRARIES: [(&str, &str); 2] = [("Open MPI", "mpicc.openmpi"), ("MPICH", "mpicc.mpich")];

/// Calls: title, argument of the program, calls in a measurement, the goal in nanoseconds, and the
/// libraries that can do it.
type MpiCall = (&'static str, &'static str, u64, Option<f64>, &'static [&'static str]);

const CALLS: [MpiCall; 3] = [
    ("`MPI_Comm_rank`", "rank", 5_000_000, None, &["Open MPI", "MPICH"]),
    ("`MPI_Send`, `MPI_Recv`", "pair", 2_000_000, Some(60.0), &["Open MPI"]),
    ("`MPI_Irecv`, `MPI_Send`, `MPI_Wait`", "started", 1_000_000, None, &["Open MPI", "MPICH"]),
];

/// The sizes of runs whose instructions are compared.
const SIZES: (u64, u64) = (20_000, 120_000);

/// A program that is run in three ways: without the runtime, recorded, and with its functions left
/// out.
struct MpiProgram<'a> {
    runtime: &'a Runtime,
    program: &'a Path,
    what: &'a str,
}

impl MpiProgram<'_> {
    fn runs(&self, number: u64) -> [Run; 3] {
        let run = Run::new(self.program, &format!("{} {number}", self.what)).in_folder();
        let run = run.with("OMPI_ALLOW_RUN_AS_ROOT", "1").with("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
        // hwloc advises this when it finds valgrind.
        let run = run.with("HWLOC_COMPONENTS", "-x86");
        let record =
            |groups: &str| self.runtime.record(run.clone(), "mpi").with("SCOREP_MPI_ENABLE_GROUPS", groups);
        let [recorded, left_out] = ["all", "io"].map(record);
        [run, recorded, left_out]
    }

    /// Returns the instructions of one call of the program in each of the three ways.
    fn instructions(&self, bench: &Bench) -> Result<[Option<f64>; 3]> {
        let count = |way: usize| instructions(bench, SIZES, |number| self.runs(number)[way].clone());
        Ok([count(0)?, count(1)?, count(2)?])
    }
}

/// Prints the table of this stage.
pub(crate) fn report(bench: &Bench) -> Result<()> {
    println!("## MPI\n\n{ABOUT}\n");
    let runtime = Runtime::build(bench)?;
    let mut table = Table::new(&[
        "calls",
        "library",
        "without `kymo record`",
        "recorded",
        "added",
        "group left out, added",
        "instructions without",
        "recorded, added",
        "group left out, added",
    ]);
    let mut missing = Vec::new();
    for (library, compiler) in LIBRARIES {
        let Some(program) = libotf2::compile_by(compiler, bench.scratch.path(), "mpi_calls", library) else {
            missing.push(library);
            continue;
        };
        for (title, what, number, goal, _) in CALLS.iter().filter(|it| it.4.contains(&library)) {
            let calls = MpiProgram { runtime: &runtime, program: &program, what };
            let number = if bench.quick { number / 100 } else { *number };
            table.row(row(bench, [title, library], &calls, number, *goal)?);
        }
    }
    println!("{table}");
    if !missing.is_empty() {
        println!("Not measured, because it is not installed: {}.\n", missing.join(", "));
    }
    Ok(())
}

fn row(
    bench: &Bench,
    titles: [&str; 2],
    calls: &MpiProgram<'_>,
    number: u64,
    goal: Option<f64>,
) -> Result<Vec<String>> {
    let samples = interleaved(bench, &calls.runs(number))?;
    let results: Vec<u64> = samples.iter().flatten().map(|sample| sample.bytes).collect();
    if results.iter().any(|result| Some(result) != results.first()) {
        return Err(format!("{titles:?}: the results of the calls differ: {results:?}").into());
    }
    let per_call = |sample: &Sample| sample.recorded as f64 / number as f64;
    let spreads: Vec<Spread> =
        samples.iter().map(|of| Spread::of(of.iter().map(per_call).collect())).collect();
    // Of each round, because a slow minute affects the whole round.
    let added = |way: usize| {
        Spread::of(samples[0].iter().zip(&samples[way]).map(|(a, b)| per_call(b) - per_call(a)).collect())
    };
    let counts = calls.instructions(bench)?;
    let more = |way: usize| figure(counts[way].zip(counts[0]).map(|(with, without)| with - without), 1);
    let goal = goal.map_or(String::new(), |goal| format!(" (goal {goal})"));
    let times =
        [spreads[0].to_string(), spreads[1].to_string(), format!("{}{goal}", added(1)), added(2).to_string()];
    let counts = [figure(counts[0], 1), more(1), more(2)];
    Ok(titles.map(str::to_owned).into_iter().chain(times).chain(counts).collect())
}

const ABOUT: &str = "\
Nanoseconds of CPU per call or group of calls, of one process that sends 8 bytes to itself, medians
(least–most); *added* is the difference within a round. Instructions are those of all threads, with the
writer's. All groups of functions are enabled, or, left out, only that of files: such a call costs a
look at the table of functions. MPICH does not buffer a blocking send of a process to itself.";
