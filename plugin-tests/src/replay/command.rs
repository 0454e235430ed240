//! The command line of `kymo-replay` and `kymo-replay-static`.

use crate::replay::Error;
use crate::replay::conversion;
use crate::replay::experiment::Experiment;
use crate::replay::host::{Host, become_member, report};
use crate::replay::ipc::{Ipc, Links};
use crate::replay::player::Player;
use crate::replay::plugin;
use crate::replay::program::{self, Program};
use crate::replay::progress::Progress;
use crate::replay::recording::Recording;
use crate::replay::release::{Garbage, HostRelease};
use crate::replay::script::{self, Script};
use crate::replay::signals;
use crate::replay::watch::Watch;
use clap::Parser;
use std::env;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::OnceLock;
use std::time::Duration;

/// Plays a recorded Score-P run to substrate plugins.
///
/// SCOREP_SUBSTRATE_PLUGINS names the plugins (default: kymo), separated by any character of
/// SCOREP_SUBSTRATE_PLUGINS_SEP (default: a comma). They are searched for in LD_LIBRARY_PATH, then
/// in the directory of this program. If the recording has several ranks, each is played by a
/// process of its own. The exit status is 0 if every call was played.
#[derive(Debug, Parser)]
#[command(name = "kymo-replay", version)]
struct Arguments {
    /// Folder with rank0.jsonl.gz and its two arena files, and those of any further ranks
    recording: PathBuf,
    /// Experiment directory, absent or empty; created if a plugin requires it
    out: PathBuf,
    /// Play everything inside the first enter of the main location N times, each time with later
    /// timestamps
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    repeat: u64,
    /// Act as this release of Score-P; by default, as the recorded one (7.1 or 8.4)
    #[arg(long, value_name = "RELEASE")]
    host: Option<HostRelease>,
    /// Seed of the garbage passed in place of arguments that 6.0 does not pass
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
    /// Store strings at addresses that do not follow from their handles, so that definitions cannot
    /// be read from memory
    #[arg(long)]
    no_arena: bool,
    /// File for the number of enters and exits that have returned: 8 bytes, little endian; with
    /// several ranks, FILE.RANK
    #[arg(long, value_name = "FILE")]
    progress: Option<PathBuf>,
    /// Deliver samples, and the definitions announced right before them, inside a signal handler
    #[arg(long)]
    samples_in_signals: bool,
    /// Act as a statically linked host, which exports no symbols
    #[arg(long = "static")]
    static_host: bool,
    /// Play only this rank; the plugin sees the number of the other ranks but cannot communicate
    /// with them
    #[arg(long, value_name = "RANK")]
    rank: Option<u32>,
    /// Seconds that a rank waits for another in a call before it gives up
    #[arg(long, value_name = "SECONDS", default_value_t = 300)]
    patience: u64,
    /// Create the experiment directory on rank 0 after this delay, and let the other ranks see it
    /// after twice the delay
    #[arg(long, value_name = "MILLISECONDS")]
    late_directory: Option<u64>,
    /// Play this rank of the named program, with the socket to which other ranks connect as
    /// standard input
    #[arg(long, hide = true, value_name = "RANK", requires = "program")]
    member: Option<u32>,
    #[arg(long, hide = true, value_name = "NAME")]
    program: Option<String>,
}

/// Runs the command.
pub fn run() -> ExitCode {
    let arguments = Arguments::parse();
    match replay(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            report(&error.to_string());
            ExitCode::FAILURE
        }
    }
}

fn replay(arguments: &Arguments) -> Result<(), Error> {
    if arguments.static_host && exports_timer() {
        return Err(become_static());
    }
    let names = plugin::names()?;
    let ranks = ranks_of(&arguments.recording)?;
    // As with a real Score-P, plugins can see the requested directory before it exists.
    // SAFETY: no thread has been started yet.
    unsafe { std::env::set_var("SCOREP_EXPERIMENT_DIRECTORY", &arguments.out) };
    match (arguments.member, arguments.rank) {
        (Some(rank), _) => play_member(rank, &ranks, names, arguments),
        (None, Some(rank)) if !ranks.contains(&rank) => {
            Err(Error::recording(&arguments.recording, format!("it has no rank {rank}, only {ranks:?}")))
        }
        (None, None) if ranks.len() > 1 => {
            Experiment::check(&arguments.out)?;
            Program::start(&ranks)?.wait()
        }
        (None, rank) => play_single_rank(rank.unwrap_or(0), names, arguments),
    }
}

/// Plays one rank, whether or not the program had others.
fn play_single_rank(rank: u32, names: Vec<String>, arguments: &Arguments) -> Result<(), Error> {
    let recording = Recording::read(&arguments.recording, rank)?;
    let ipc = if recording.size() == 1 { Ipc::new(Links::single_rank()) } else { Ipc::missing() };
    player(recording, ipc, Experiment::new(&arguments.out)?, names, arguments)?.play();
    Ok(())
}

/// Plays one rank of a program with several, connected to the others.
fn play_member(rank: u32, ranks: &[u32], names: Vec<String>, arguments: &Arguments) -> Result<(), Error> {
    become_member(rank);
    let program = arguments.program.clone().unwrap_or_default();
    let patience = Duration::from_secs(arguments.patience);
    let links = program::links(program, rank, ranks.len() as u32, patience)?;
    let recording = Recording::read(&arguments.recording, rank)?;
    let experiment = match arguments.late_directory {
        Some(delay) => Experiment::late(&arguments.out, rank, Duration::from_millis(delay))?,
        None => Experiment::shared(&arguments.out)?,
    };
    player(recording, Ipc::new(links), experiment, names, arguments)?.play();
    Ok(())
}

fn player(
    mut recording: Recording,
    ipc: Ipc,
    experiment: Experiment,
    names: Vec<String>,
    arguments: &Arguments,
) -> Result<Player, Error> {
    if let Some(host) = arguments.host {
        conversion::convert(&mut recording, host)?;
    }
    let locations = script::locations_of(&recording)?;
    let arena = script::arena_for(&recording, arguments.no_arena)?;
    let progress = progress_file(arguments).as_deref().map(Progress::new).transpose()?;
    let Recording { rank, release, clock_resolution, .. } = recording;
    let pre_unify = std::mem::take(&mut recording.pre_unify);
    let write_data = std::mem::take(&mut recording.write_data);
    let script = Script::new(recording, &locations, arguments.repeat)?;
    let host = Host::new(arena, locations, experiment, rank, ipc).install(clock_resolution);
    let (plugins, tables) = (OnceLock::new(), [OnceLock::new(), OnceLock::new()]);
    let garbage = Garbage::new(arguments.seed);
    if arguments.samples_in_signals {
        signals::install();
    }
    Ok(Player {
        host,
        script,
        release,
        garbage,
        progress,
        watch: Watch::find(),
        samples_in_signals: arguments.samples_in_signals,
        pre_unify,
        write_data,
        names,
        plugins,
        tables,
    })
}

/// Returns the ranks of a recording, which must be all from 0 on.
fn ranks_of(folder: &Path) -> Result<Vec<u32>, Error> {
    let ranks = Recording::ranks(folder)?;
    match ranks.last() {
        None => Err(Error::recording(folder, "expected a file rank0.jsonl.gz")),
        Some(&last) if last as usize + 1 == ranks.len() => Ok(ranks),
        Some(_) => {
            Err(Error::recording(folder, format!("expected all ranks from 0 on, but it has {ranks:?}")))
        }
    }
}

/// Returns the file in which enters and exits are counted.
fn progress_file(arguments: &Arguments) -> Option<PathBuf> {
    let mut path = arguments.progress.clone()?.into_os_string();
    if let Some(rank) = arguments.member {
        path.push(format!(".{rank}"));
    }
    Some(path.into())
}

/// Returns whether plugins find the timer function in this program.
fn exports_timer() -> bool {
    // SAFETY: only looks up a name.
    let symbol = unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"SCOREP_Timer_GetClockResolution".as_ptr()) };
    !symbol.is_null()
}

/// Replaces this program by `kymo-replay-static` in the same directory; returns only if that fails.
fn become_static() -> Error {
    let program = match env::current_exe() {
        Ok(program) => program,
        Err(error) => return Error::Usage(format!("--static: the path of this program is unknown: {error}")),
    };
    let sibling = program.with_file_name("kymo-replay-static");
    if sibling == program {
        return Error::Usage("--static: something loaded before this program exports the timer".to_owned());
    }
    let error = Command::new(&sibling).args(env::args_os().skip(1)).exec();
    Error::io(&sibling, error)
}
