//! `kymo record`: runs a program with the measurement runtime loaded into it, and makes one archive
//! of the recordings of its processes.
//!
//! [`program`] determines whether the program can be measured, [`environment`] its libraries and
//! variables, [`tree`] runs it and all of its descendants, [`experiment`] is the folder of the
//! measurement, [`report`] the final lines. Invariants: input, output and exit status of the
//! program are its own; recorded data is removed only once it is in the archive.

mod clock;
mod content;
mod dry_run;
mod duration;
mod elf;
#[cfg(not(kymo_workspace))]
mod embedded;
mod environment;
mod error;
mod experiment;
mod hints;
mod job;
mod openmp;
mod paradigms;
#[expect(unsafe_code, reason = "perf events have no safe interface")]
mod perf_event;
mod process_archive;
mod profile;
mod program;
mod rendezvous;
mod report;
mod rules;
mod threads;
mod tiny;
mod tool_variables;
mod tree;
mod unrecorded;
mod unsupported;
mod waiting;
mod with;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, ValueEnum};

use self::environment::Libraries;
pub(crate) use self::error::FAILED;
use self::experiment::{Experiment, Facts, Folder, Outcome};
use self::perf_event::HeldPerfEvent;
use self::program::Program;

/// Returns the folder of the runtime and the plugin.
///
/// # Errors
///
/// Why programs cannot be recorded.
pub(crate) fn libraries() -> Result<PathBuf, String> {
    Libraries::find(None).map(|found| found.folder().to_owned()).map_err(RecordError::into_what)
}
use self::error::RecordError;
use self::report::{ExitSummary, Measured};
use self::rules::Rules;
use self::tree::End;
use self::with::With;
use crate::output::{complain, inform, print};
use crate::recover::Leftovers;
use crate::view;

/// Run a program and record what it does
///
/// The program is started with the measurement runtime loaded into it, which records functions of
/// programs compiled with -finstrument-functions, user regions, threads, OpenMP, MPI and resource
/// usage, and takes samples of all other programs, which show where their time goes. Processes that
/// it starts are recorded as well. The result is one archive, whose path is printed on standard
/// error.
#[derive(Debug, Args)]
#[command(
    after_help = "Exit status: that of the program; 128+N if signal N ended it; 127 if it was not found, \
                  126 if it cannot be measured, 125 if it could not be started for another reason. Score-P \
                  variables apply where they have the same meaning, such as SCOREP_FILTERING_FILE, \
                  SCOREP_TOTAL_MEMORY, SCOREP_METRIC_RUSAGE, SCOREP_VERBOSE; others that request something \
                  are reported as unsupported"
)]
pub(crate) struct Arguments {
    /// What to record; by default, everything that applies except locks, io and memory, sampling
    /// only in programs without instrumented functions, and contended locks only as in waiting
    #[arg(long, value_parser = with::Parser, value_delimiter = ',', value_name = "WHAT")]
    with: Vec<With>,
    /// Whether to record the processes that the program starts
    #[arg(long, value_enum, default_value_t = Children::Yes, value_name = "yes|no", hide_possible_values = true)]
    children: Children,
    /// Folder of the measurement, which must be empty or not exist; by default
    /// SCOREP_EXPERIMENT_DIRECTORY, else kymo-PROGRAM-NUMBER
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Leave out what this file excludes, in the format of Score-P filters; by default
    /// SCOREP_FILTERING_FILE
    #[arg(long, value_name = "FILE")]
    filter: Option<PathBuf>,
    /// Leave out functions whose calls take less than this on average, such as 1us; decided after
    /// every 1000 calls
    #[arg(long, value_name = "TIME", value_parser = duration::parse)]
    min_duration: Option<Duration>,
    /// Leave out calls that wait, and locks, if they take less than this; by default 50us. Those
    /// that threads or io names are recorded whatever they take
    #[arg(long, value_name = "TIME", value_parser = duration::parse)]
    min_wait: Option<Duration>,
    /// Which callers the call paths of events have where stacks are sampled: all, or only the
    /// function that makes the call, which costs less
    #[arg(long, value_enum, default_value_t = RecordedCallers::All, value_name = "all|direct", hide_possible_values = true)]
    callers: RecordedCallers,
    /// Show the recording in a browser when the program has ended, until Ctrl-C
    #[arg(long, conflicts_with = "dry_run")]
    view: bool,
    /// Report what would be recorded, without running the program
    #[arg(long)]
    dry_run: bool,
    /// The program and its arguments
    #[arg(value_name = "PROGRAM", required = true, trailing_var_arg = true)]
    command: Vec<OsString>,
}

/// The callers in the call paths of events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum RecordedCallers {
    All,
    Direct,
}

/// A kind of events to record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum RecordModule {
    /// Functions of programs compiled with -finstrument-functions
    Functions,
    /// Events that the program records with the macros of kymo/user.h or scorep/SCOREP_User.h
    User,
    /// POSIX and C11 threads, condition variables, and contended locks; by default only those that
    /// take long, as in waiting
    Threads,
    /// Like threads, but with all locks, including uncontended ones
    Locks,
    /// Input and output of POSIX and ISO C, with the files and the bytes that are moved
    Io,
    /// Memory that is allocated and freed on the heap, in C and C++, with its sizes
    Memory,
    /// Resource usage at enter and leave
    Rusage,
    /// Counters of the kernel and the processor at enter, leave and samples (SCOREP_METRIC_PERF)
    Counters,
    /// Functions of MPI, with messages, collective operations, windows and files
    Mpi,
    /// Parallel regions, loops, barriers, locks and tasks of OpenMP; openmp=libomp replaces gcc's
    /// runtime by LLVM's, which tells more
    Openmp,
    /// Constructs, data operations and launches of OpenACC
    Openacc,
    /// Functions of OpenCL, and the kernels and transfers of its devices
    Opencl,
    /// Ranges and marks of NVTX, with their payloads and categories
    Nvtx,
    /// Tasks, frames, counters and metadata of ITT
    Itt,
    /// Kernels, regions, copies and allocations of Kokkos
    Kokkos,
    /// Timers and counters of perfstubs
    Perfstubs,
    /// Where threads spend their CPU time; sampling=FREQUENCY takes that many samples per second
    /// instead of 1000
    Sampling,
    /// Calls that wait: for time, events, other threads and processes, files, pipes and sockets, if
    /// they take longer than --min-wait
    Waiting,
}

impl RecordModule {
    const ALL: [Self; 18] = [
        Self::Functions,
        Self::User,
        Self::Threads,
        Self::Locks,
        Self::Io,
        Self::Memory,
        Self::Rusage,
        Self::Counters,
        Self::Mpi,
        Self::Openmp,
        Self::Openacc,
        Self::Opencl,
        Self::Nvtx,
        Self::Itt,
        Self::Kokkos,
        Self::Perfstubs,
        Self::Sampling,
        Self::Waiting,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Functions => "functions",
            Self::User => "user",
            Self::Threads => "threads",
            Self::Locks => "locks",
            Self::Io => "io",
            Self::Memory => "memory",
            Self::Rusage => "rusage",
            Self::Counters => "counters",
            Self::Mpi => "mpi",
            Self::Openmp => "openmp",
            Self::Openacc => "openacc",
            Self::Opencl => "opencl",
            Self::Nvtx => "nvtx",
            Self::Itt => "itt",
            Self::Kokkos => "kokkos",
            Self::Perfstubs => "perfstubs",
            Self::Sampling => "sampling",
            Self::Waiting => "waiting",
        }
    }
}

/// Whether child processes are recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Children {
    Yes,
    No,
}

impl Arguments {
    /// Runs and records the program.
    pub(crate) fn run(self) -> ExitCode {
        match self.measure() {
            Ok(status) => status,
            Err(error) => error.report(),
        }
    }

    fn measure(&self) -> Result<ExitCode, RecordError> {
        let start = clock::Start::now();
        let (name, arguments) = self.command.split_first().ok_or_else(RecordError::no_program)?;
        let program = Program::find(name)?;
        hints::refuse_scorep(&program)?;
        let filter = environment::filter(self.filter.as_deref())?;
        unsupported::report(self.records(RecordModule::Io), self.records(RecordModule::Memory));
        if self.dry_run {
            return Ok(print(dry_run::text(self, &program, filter.as_ref())).into());
        }
        let _perf_event = self.records(RecordModule::Sampling).then(HeldPerfEvent::begin);
        let libraries = Libraries::find(self.replaces_openmp().then(|| openmp::find(&program)).transpose()?)?;
        let experiment = Experiment::create(self.output.as_deref(), &program)?;
        let _held = experiment.hold();
        if experiment.speaks()
            && let Some(line) = Leftovers::take().line()
        {
            complain(&line);
        }
        let mut command = program.command(arguments);
        let rate = start.ticks_per_second();
        let resolution = rate.map(|rate| experiment.job.as_ref().map_or(rate, |job| job.agree(rate)));
        environment::set(&mut command, self, &libraries, &experiment, resolution)?;
        tool_variables::set(&mut command, self, &program, &libraries.runtime());
        environment::suit_sanitizer(&mut command, &program);
        let rules = Rules::begin(self.filter.as_deref(), filter.as_ref(), &experiment);
        let end = tree::run(&mut command, &program, self.children == Children::Yes);
        let unmatched = rules.and_then(Rules::end);
        let unrecorded = unrecorded::take(&experiment);
        let recovers = environment::has_kymo();
        let end = match end {
            Ok(end) => end,
            Err(error) => {
                self.close(&experiment, &program, &Facts { recovers, resolution, ..Facts::default() }, None);
                return Err(error);
            }
        };
        let signals = end.signals.clone();
        let facts = Facts { first: end.first, signals, recovers, resolution };
        let archive = self.close(&experiment, &program, &facts, Some(&end));
        unrecorded.iter().for_each(|line| complain(line));
        if let Some(archive) = archive {
            unmatched.iter().for_each(|line| inform(line));
            if self.view {
                view::show(archive);
            }
        }
        Ok(end.exit_code())
    }

    /// Makes the archive and reports the result; in a job, the rank that ends last does so for all.
    /// Returns the archive, if there is one now.
    fn close(
        &self,
        experiment: &Experiment,
        program: &Program,
        facts: &Facts,
        end: Option<&End>,
    ) -> Option<PathBuf> {
        let Some(job) = &experiment.job else {
            let Some(end) = end else {
                experiment.discard();
                return None;
            };
            let outcome = experiment.collect(facts);
            let measured = Measured { program, arguments: self, speaks: true };
            let folder = Folder { path: experiment.folder(), shown: experiment.shown() };
            if !self.report(&folder, &outcome, &end.summary(), &measured) {
                experiment.discard();
            }
            return outcome.archive;
        };
        let outcome = end.map(|_| experiment.collect(facts)).unwrap_or_default();
        let exit = end.map(End::summary).unwrap_or_default();
        let others = Facts { recovers: facts.recovers, resolution: facts.resolution, ..Facts::default() };
        let joined = job.end(&outcome, &exit, &|experiment| experiment.collect(&others))?;
        let measured = Measured { program, arguments: self, speaks: joined.has_first };
        let folder = Folder { path: job.folder(), shown: job.shown() };
        if !self.report(&folder, &joined.outcome, &joined.exit, &measured) {
            job.discard();
        }
        joined.outcome.archive
    }

    /// Reports the result. Returns whether anything was recorded.
    fn report(
        &self,
        folder: &Folder<'_>,
        outcome: &Outcome,
        exit: &ExitSummary,
        measured: &Measured<'_>,
    ) -> bool {
        let is_something = report::report_result(folder.shown, outcome, exit, measured);
        let with: Vec<String> = self.with.iter().map(|it| it.typed()).collect();
        let with = if with.is_empty() { String::new() } else { format!("--with {} ", with.join(",")) };
        let request = tiny::UserRequest { with, filter: self.filter.as_deref(), limit: self.min_duration };
        tiny::report(folder, outcome, &request);
        is_something
    }

    /// Describes the OpenMP runtime that the program, or the one that it launches, is linked with.
    fn openmp(&self, program: &Program) -> Option<String> {
        paradigms::openmp(program, self.command.get(1..).unwrap_or_default(), self.replaces_openmp())
    }

    /// Whether gcc's OpenMP runtime is replaced by LLVM's.
    fn replaces_openmp(&self) -> bool {
        self.with.iter().any(|with| with.replaces_openmp)
    }

    /// Describes the MPI that the program, or the one that it launches, is linked with.
    fn mpi(&self, program: &Program) -> Option<String> {
        paradigms::mpi(program, self.command.get(1..).unwrap_or_default())
    }

    /// Whether the program is linked with MPI or OpenMP.
    fn has_paradigm(&self, program: &Program) -> bool {
        self.mpi(program).is_some() || self.openmp(program).is_some()
    }

    /// Whether only data that accompanies other events is recorded.
    fn records_no_regions(&self) -> bool {
        !self.with.is_empty()
            && self.with.iter().all(|with| matches!(with.what, RecordModule::Rusage | RecordModule::Counters))
    }

    /// Whether this kind is recorded if the program has such events.
    fn records(&self, what: RecordModule) -> bool {
        match what {
            RecordModule::Locks | RecordModule::Io | RecordModule::Memory => self.names(what),
            RecordModule::Threads if self.names(RecordModule::Locks) => true,
            _ => self.with.is_empty() || self.names(what),
        }
    }

    /// Whether something is recorded that any program has, even one without instrumented functions.
    fn needs_nothing(&self) -> bool {
        self.records(RecordModule::Io)
            || self.records(RecordModule::Memory)
            || self.records(RecordModule::Sampling)
    }

    /// Whether nothing in particular is to be recorded. Programs without instrumented functions are
    /// then sampled.
    fn is_default(&self) -> bool {
        self.with.is_empty()
    }

    /// Whether `--with` names this kind.
    fn names(&self, what: RecordModule) -> bool {
        self.with.iter().any(|with| with.what == what)
    }
}
