//! The environment that the program is started with: the runtime, the plugin and their settings.

use std::env;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use kymo_filter::Filter;
use kymo_recorder::real_path;
use kymo_symbols::Executable;
use rustix::param::linux_execfn;

use super::clock;
use super::error::RecordError;
use super::experiment::Experiment;
use super::program::Program;
use super::{Arguments, Children, RecordedCallers};

pub(super) const RUNTIME: &str = "libkymo_runtime.so";
pub(super) const PLUGIN: &str = "libscorep_substrate_kymo.so";
const MIN_DURATION: &str = "KYMO_RECORD_MIN_DURATION";
const MIN_WAIT: &str = "KYMO_RECORD_MIN_WAIT";
const CALLERS: &str = "KYMO_RECORD_CALLERS";
const FILTER: &str = "SCOREP_FILTERING_FILE";

/// The folder of the runtime and the plugin, and the OpenMP runtime that takes the place of gcc's.
#[derive(Debug)]
pub(super) struct Libraries {
    folder: PathBuf,
    openmp: Option<PathBuf>,
}

impl Libraries {
    /// Finds the libraries next to this program, where a build leaves them, in `../lib`, where they
    /// are installed, or in this program.
    pub(super) fn find(openmp: Option<PathBuf>) -> Result<Self, RecordError> {
        // Without `/proc`, the path by which the system started this program.
        let started = || Path::new(OsStr::from_bytes(linux_execfn().to_bytes())).to_owned();
        let own = env::current_exe().unwrap_or_else(|_| started());
        let own_folder = own.parent().unwrap_or(Path::new("/"));
        let folders = [own_folder.to_owned(), own_folder.join("../lib")];
        let Some(found) = folders.iter().find(|folder| folder.join(RUNTIME).is_file()) else {
            return Self::embedded(&folders, openmp);
        };
        let folder = real_path(found).map_err(|error| RecordError::io(found, &error))?;
        match folder.join(PLUGIN).is_file() {
            true => Ok(Self { folder, openmp }),
            false => {
                Err(RecordError::failed(format_args!("{}: does not contain {PLUGIN}", folder.display()))
                    .hint("cargo xtask install --prefix DIR installs everything where kymo looks for it"))
            }
        }
    }

    #[cfg(not(kymo_workspace))]
    fn embedded(_: &[PathBuf], openmp: Option<PathBuf>) -> Result<Self, RecordError> {
        Ok(Self { folder: super::embedded::folder()?, openmp })
    }

    #[cfg(kymo_workspace)]
    fn embedded(folders: &[PathBuf], _: Option<PathBuf>) -> Result<Self, RecordError> {
        let places: Vec<_> = folders.iter().map(|folder| folder.display().to_string()).collect();
        Err(RecordError::failed(format_args!("{RUNTIME} is neither in {}", places.join(" nor in ")))
            .hint("cargo xtask install --prefix DIR installs everything where kymo looks for it"))
    }

    /// Returns the folder.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the path of the runtime, as in `LD_PRELOAD`: by another one it would be another
    /// copy.
    pub(super) fn runtime(&self) -> PathBuf {
        self.folder.join(RUNTIME)
    }

    /// Returns the value of `LD_PRELOAD`, which begins with the runtime.
    fn preload(&self) -> Result<OsString, RecordError> {
        let mut value = self.runtime().into_os_string();
        if value.as_bytes().iter().any(|byte| matches!(byte, b' ' | b':')) {
            let what = format!(
                "{}: contains a space or a colon, which LD_PRELOAD does not support",
                value.display()
            );
            return Err(RecordError::failed(what).hint("install kymo elsewhere"));
        }
        if let Some(openmp) = &self.openmp {
            value.push(":");
            value.push(openmp);
        }
        if let Some(other) = given("LD_PRELOAD") {
            value.push(":");
            value.push(other);
        }
        Ok(value)
    }
}

/// Returns the value of a variable unless it is empty.
pub(super) fn given(variable: &str) -> Option<OsString> {
    env::var_os(variable).filter(|value| !value.is_empty())
}

/// Reads the filter that applies. The runtime reads it again; reading it here rejects a faulty one
/// before the program starts.
pub(super) fn filter(option: Option<&Path>) -> Result<Option<Filter>, RecordError> {
    filter_path(option).map(|path| Filter::read(&path)).transpose().map_err(RecordError::failed)
}

/// Returns the path of the filter that applies.
pub(super) fn filter_path(option: Option<&Path>) -> Option<PathBuf> {
    option.map(Path::to_owned).or_else(|| given(FILTER).map(PathBuf::from))
}

/// Sets the environment variables of the program.
pub(super) fn set(
    command: &mut Command,
    arguments: &Arguments,
    libraries: &Libraries,
    experiment: &Experiment,
    resolution: Option<u64>,
) -> Result<(), RecordError> {
    command.env("LD_PRELOAD", libraries.preload()?);
    if given("SCOREP_SUBSTRATE_PLUGINS").is_none() {
        command.env("SCOREP_SUBSTRATE_PLUGINS", "kymo");
    }
    command.env("SCOREP_EXPERIMENT_DIRECTORY", experiment.folder());
    command.env("KYMO_RECORD_DIRECTORY", experiment.folder());
    command.env("KYMO_RECORD_CHILDREN", if arguments.children == Children::Yes { "yes" } else { "no" });
    // By this parent, the runtime recognises the first process.
    command.env("KYMO_RECORD_PARENT", std::process::id().to_string());
    match resolution {
        Some(rate) => command.env(clock::VARIABLE, rate.to_string()),
        None => command.env_remove(clock::VARIABLE),
    };
    match arguments.with.is_empty() {
        true => command.env_remove("KYMO_RECORD_WITH"),
        false => command
            .env("KYMO_RECORD_WITH", arguments.with.iter().map(|it| it.text()).collect::<Vec<_>>().join(",")),
    };
    match arguments.min_duration {
        None => command.env_remove(MIN_DURATION),
        Some(duration) => command.env(MIN_DURATION, duration.as_nanos().to_string()),
    };
    match arguments.min_wait {
        None => command.env_remove(MIN_WAIT),
        Some(duration) => command.env(MIN_WAIT, duration.as_nanos().to_string()),
    };
    match arguments.callers {
        RecordedCallers::All => command.env_remove(CALLERS),
        RecordedCallers::Direct => command.env(CALLERS, "direct"),
    };
    if let Some(filter) = &arguments.filter {
        // The program may change its working directory before the runtime of a child reads the
        // file.
        command.env(FILTER, std::path::absolute(filter).map_err(|error| RecordError::io(filter, &error))?);
    }
    Ok(())
}

/// AddressSanitizer refuses to start after a preloaded library unless an option permits it. The
/// runtime sets that option, except in programs that define `__asan_default_options` themselves;
/// for these it is set here.
pub(super) fn suit_sanitizer(command: &mut Command, program: &Program) {
    const OPTIONS: &str = "ASAN_OPTIONS";
    let has_own = Executable::read(&program.image).is_ok_and(|image| image.defines("__asan_default_options"));
    if has_own {
        let mut options = given(OPTIONS).map(|mut options| {
            options.push(":");
            options
        });
        let options = options.get_or_insert_default();
        options.push("verify_asan_link_order=0");
        command.env(OPTIONS, options);
    }
}

/// Whether the kymo plugin is used.
pub(super) fn has_kymo() -> bool {
    given("SCOREP_SUBSTRATE_PLUGINS").is_none_or(|plugins| {
        plugins
            .as_bytes()
            .split(|byte| matches!(byte, b',' | b':' | b' '))
            .any(|name| OsStr::from_bytes(name) == "kymo")
    })
}
