//! Benchmarks: the cost of recording and reading, stage by stage, compared with libotf2 in the same
//! run.
//!
//! ```text
//! cargo run --release -p kymo-benches                  all stages, about a minute
//! cargo run --release -p kymo-benches -- event-path    one stage: event-path, stalls, memory,
//!                                                      closing, budget, format-writer,
//!                                                      definitions, reading,
//!                                                      reading-instructions, threads, scaling,
//!                                                      printing, definitions-reading,
//!                                                      unification, tau, traces, c-library,
//!                                                      analysis, checking, explaining,
//!                                                      pictures, mpi, accelerators, modules,
//!                                                      python
//! cargo run --release -p kymo-benches -- --quick       one repetition without instruction counts,
//!                                                      as a test that everything works
//! ```
//!
//! Prints Markdown; `RESULTS.md` contains the output of a run. The output of a stage is checked
//! before the stage is measured. Without libopen-trace-format2-dev there are no figures for
//! libotf2, without valgrind no instruction counts; both cases are reported.

mod accelerators;
mod analysis;
mod archive;
mod c_library;
mod checking;
mod definitions;
mod event_path;
mod explaining;
mod format_writer;
mod host;
mod libotf2;
mod machine;
mod measure;
mod modules;
mod mpi;
mod pictures;
mod plugin;
mod printing;
mod python;
mod reading;
mod reading_tables;
mod recorded;
mod run;
mod stalls;
mod steady;
mod stream;
mod table;
mod tau;
mod traces;
mod unification;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use stream::Case;
use tempfile::TempDir;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// A function that measures a stage and prints its tables.
type Stage = fn(&Bench) -> Result<()>;

const USAGE: &str = "usage: kymo-benches [--quick] \
    [event-path|stalls|memory|closing|budget|format-writer|definitions|reading|reading-instructions|threads|scaling|printing|definitions-reading|unification|tau|traces|c-library|analysis|checking|explaining|pictures|mpi|accelerators|modules|python]...";

/// The number of repetitions of every measurement.
const REPETITIONS: u32 = 9;

/// The environment that all stages share.
#[derive(Debug)]
struct Bench {
    /// The path of this program, which runs itself for every measurement.
    this: PathBuf,
    /// The reference program, if it could be compiled.
    libotf2: Option<PathBuf>,
    libotf2_read: Option<PathBuf>,
    valgrind: bool,
    quick: bool,
    repetitions: u32,
    scratch: TempDir,
}

impl Bench {
    fn new(quick: bool) -> Result<Self> {
        let memory = Path::new("/dev/shm");
        let scratch = if memory.is_dir() { TempDir::new_in(memory)? } else { TempDir::new()? };
        let valgrind = Command::new("valgrind").arg("--version").output().is_ok();
        if !valgrind {
            eprintln!("NO INSTRUCTION COUNTS: valgrind is missing");
        }
        Ok(Self {
            this: std::env::current_exe()?,
            libotf2: libotf2::compile(scratch.path(), "libotf2"),
            libotf2_read: libotf2::compile(scratch.path(), "libotf2_read"),
            valgrind: valgrind && !quick,
            quick,
            repetitions: if quick { 1 } else { REPETITIONS },
            scratch,
        })
    }

    /// Creates a new directory, which is removed when the value is dropped.
    fn folder(&self) -> Result<TempDir> {
        Ok(TempDir::new_in(self.scratch.path())?)
    }

    /// Returns the number of pairs in a measurement of `case`.
    fn pairs(&self, case: Case) -> u64 {
        case.pairs() / if self.quick { 10 } else { 1 }
    }

    /// Builds a package next to this program; returns the path of the file `name`.
    fn build(&self, package: &str, name: &str) -> Result<PathBuf> {
        let profile = self.this.parent().ok_or("this program has no parent folder")?;
        let target = profile.parent().ok_or("this program is not in a target folder of cargo")?;
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        // The profile of this program, whose folder has its name.
        cargo
            .args(["build", "--quiet", "--package", package, "--profile"])
            .arg(profile.file_name().unwrap_or_default());
        cargo.arg("--target-dir").arg(target);
        let status = cargo.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("..")).status()?;
        let built = profile.join(name);
        match status.success() && built.exists() {
            true => Ok(built),
            false => Err(format!("{cargo:?}: {status}, expected {name} next to this program").into()),
        }
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match arguments.as_slice() {
        ["child", rest @ ..] => child(rest),
        options => report(options),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("kymo-benches: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Executes one measurement, in a process of its own.
fn child(arguments: &[&str]) -> Result<()> {
    let case = |name: &str| Case::named(name).ok_or_else(|| format!("there is no case `{name}`"));
    let sample = match *arguments {
        ["event-path", name, implementation, threads, pairs, folder] => event_path::child(
            case(name)?,
            implementation,
            threads.parse()?,
            pairs.parse()?,
            Path::new(folder),
        ),
        ["steady", what, locations, pairs, gap, folder] => {
            steady::child(what, locations.parse()?, pairs.parse()?, gap.parse()?, Path::new(folder))
        }
        ["format-writer", name, implementation, pairs, folder] => {
            format_writer::child(case(name)?, implementation, pairs.parse()?, Path::new(folder))
        }
        ["definitions", implementation, regions, folder] => {
            definitions::child(implementation, regions.parse()?, Path::new(folder))
        }
        ["reading", way, anchor, _] => reading::child(way, Path::new(anchor)),
        ["reading-threads", threads, anchor, _] => reading::threads(threads.parse()?, Path::new(anchor)),
        ["definitions-read", way, anchor, _] => definitions::read(way, Path::new(anchor)),
        ["tau", folder, _] => tau::child(Path::new(folder)),
        ["tau-copy", folder, _] => tau::copy(Path::new(folder)),
        _ => Err(USAGE.into()),
    }?;
    println!("{sample}");
    Ok(())
}

/// Runs the stages in the arguments, or all stages if there are none.
fn report(arguments: &[&str]) -> Result<()> {
    const STAGES: [(&str, Stage); 25] = [
        ("event-path", event_path::report),
        ("stalls", stalls::report),
        ("memory", steady::memory),
        ("closing", steady::closing),
        ("budget", steady::budget),
        ("format-writer", format_writer::report),
        ("definitions", definitions::report),
        ("reading", reading_tables::report),
        ("reading-instructions", reading_tables::counts),
        ("threads", reading_tables::threads),
        ("scaling", reading_tables::scaling),
        ("printing", printing::report),
        ("definitions-reading", definitions::report_reading),
        ("unification", unification::report),
        ("tau", tau::report),
        ("traces", traces::report),
        ("c-library", c_library::report),
        ("analysis", analysis::report),
        ("checking", checking::report),
        ("explaining", explaining::report),
        ("pictures", pictures::report),
        ("mpi", mpi::report),
        ("accelerators", accelerators::report),
        ("modules", modules::report),
        ("python", python::report),
    ];
    let (options, names): (Vec<&str>, Vec<&str>) =
        arguments.iter().partition(|argument| argument.starts_with('-'));
    if options.iter().any(|&option| option != "--quick")
        || names.iter().any(|name| STAGES.iter().all(|(stage, _)| stage != name))
    {
        return Err(USAGE.into());
    }
    if cfg!(debug_assertions) {
        return Err("measures an optimised build only: cargo run --release -p kymo-benches".into());
    }
    let bench = Bench::new(!options.is_empty())?;
    bench.build("kymo-plugin", plugin::LIBRARY)?;
    println!(
        "{}- Repetitions: {}, interleaved\n",
        machine::description(bench.libotf2.as_deref()),
        bench.repetitions
    );
    for (_, stage) in STAGES.iter().filter(|(stage, _)| names.is_empty() || names.contains(stage)) {
        stage(&bench)?;
    }
    Ok(())
}
