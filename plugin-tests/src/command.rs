//! The command line of `kymo-replay` and `kymo-replay-static`.

use crate::Error;
use crate::conversion;
use crate::experiment::Experiment;
use crate::host::Host;
use crate::player::Player;
use crate::plugin;
use crate::progress::Progress;
use crate::recording::Recording;
use crate::release::{Garbage, HostRelease};
use crate::script::{self, Script};
use crate::signals;
use crate::watch::Watch;
use clap::Parser;
use std::env;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::OnceLock;

/// Plays a recorded Score-P run at substrate plugins.
///
/// Plugins are named in SCOREP_SUBSTRATE_PLUGINS (default: kymo; separated by the characters of
/// SCOREP_SUBSTRATE_PLUGINS_SEP, default: a comma) and looked for in LD_LIBRARY_PATH and beside this program.
/// The exit status is 0 if every call was played.
#[derive(Debug, Parser)]
#[command(name = "kymo-replay", version)]
struct Arguments {
    /// Folder with rank0.jsonl.gz and the two arena files
    recording: PathBuf,
    /// Experiment directory, absent or empty; made if a plugin requires it
    out: PathBuf,
    /// Play everything inside the first enter of the main location N times, each time later
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    repeat: u64,
    /// Play it as this release of Score-P would; without it as the one that was recorded (7.1 or 8.4)
    #[arg(long, value_name = "RELEASE")]
    host: Option<HostRelease>,
    /// Seed of the garbage that stands in arguments which 6.0 does not pass
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
    /// Keep strings where no address follows from their handles, so that definitions cannot be read from memory
    #[arg(long)]
    no_arena: bool,
    /// File that holds the number of enters and exits that have returned: 8 bytes, little endian
    #[arg(long, value_name = "FILE")]
    progress: Option<PathBuf>,
    /// Deliver samples, and the definitions announced right before them, inside a signal handler
    #[arg(long)]
    samples_in_signals: bool,
    /// Like a statically linked host: no symbol of the host can be found
    #[arg(long = "static")]
    static_host: bool,
}

/// Runs the program.
pub fn run() -> ExitCode {
    let arguments = Arguments::parse();
    match replay(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("kymo-replay: {error}");
            ExitCode::FAILURE
        }
    }
}

fn replay(arguments: &Arguments) -> Result<(), Error> {
    if arguments.static_host && exports_timer() {
        return Err(become_static());
    }
    let names = plugin::names()?;
    let experiment = Experiment::new(&arguments.out)?;
    let recording = Recording::read(&arguments.recording, only_rank(&arguments.recording)?)?;
    player(recording, experiment, names, arguments)?.play();
    Ok(())
}

fn player(
    mut recording: Recording,
    experiment: Experiment,
    names: Vec<String>,
    arguments: &Arguments,
) -> Result<Player, Error> {
    if let Some(host) = arguments.host {
        conversion::convert(&mut recording, host)?;
    }
    let locations = script::locations_of(&recording)?;
    let arena = script::arena_for(&recording, arguments.no_arena)?;
    let progress = arguments.progress.as_deref().map(Progress::new).transpose()?;
    let Recording { rank, release, clock_resolution, .. } = recording;
    let pre_unify = std::mem::take(&mut recording.pre_unify);
    let write_data = std::mem::take(&mut recording.write_data);
    let script = Script::new(recording, &locations, arguments.repeat)?;
    let host = Host::new(arena, locations, experiment, rank).install(clock_resolution);
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

/// The rank of a recording that has one.
fn only_rank(folder: &Path) -> Result<u32, Error> {
    match Recording::ranks(folder)?.as_slice() {
        [] => Err(Error::recording(folder, "expected a file rank0.jsonl.gz")),
        [0] => Ok(0),
        ranks => Err(Error::recording(folder, format!("expected one rank, 0, but it has {ranks:?}"))),
    }
}

/// Whether plugins find the timer function in this program.
fn exports_timer() -> bool {
    // SAFETY: looks a name up.
    let symbol = unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"SCOREP_Timer_GetClockResolution".as_ptr()) };
    !symbol.is_null()
}

/// Replaces this program by the one without symbols beside it; returns only if that fails.
fn become_static() -> Error {
    let program = match env::current_exe() {
        Ok(program) => program,
        Err(error) => return Error::Usage(format!("--static: where this program lies is unknown: {error}")),
    };
    let sibling = program.with_file_name("kymo-replay-static");
    if sibling == program {
        return Error::Usage("--static: something loaded before this program exports the timer".to_owned());
    }
    let error = Command::new(&sibling).args(env::args_os().skip(1)).exec();
    Error::io(&sibling, error)
}
