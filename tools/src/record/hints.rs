//! What of a program, and of the libraries that come with it, can be recorded: read from the files, which are not run.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use kymo_symbols::{ENTER, Program as Image};

use super::program::Program;
use super::refusal::Refusal;

/// The program, then the libraries that its loader would load.
pub(super) fn images(program: &Program) -> Vec<(PathBuf, Image)> {
    let paths = std::iter::once(&program.image).chain(libraries(program));
    paths.filter_map(|path| Image::read(path).ok().map(|image| (path.clone(), image))).collect()
}

/// A program that Score-P was linked into has its measurement already.
pub(super) fn refuse_scorep(program: &Program) -> Result<(), Refusal> {
    let is_scorep = |path: &PathBuf| path.to_string_lossy().contains("/libscorep_measurement.so");
    match libraries(program).iter().any(is_scorep) {
        true => Err(Refusal::unfit(program.path(), "is measured by Score-P, which it is linked with")
            .hint("run it without kymo record, with SCOREP_SUBSTRATE_PLUGINS=kymo and the plugin in LD_LIBRARY_PATH")),
        false => Ok(()),
    }
}

/// Paths of libraries that the loader would load.
pub(super) fn libraries(program: &Program) -> &[PathBuf] {
    program.libraries.get_or_init(|| list(program))
}

/// Has the loader list them instead of running the program.
fn list(program: &Program) -> Vec<PathBuf> {
    let output =
        Command::new(&program.loader).arg("--list").arg(&program.image).stderr(Stdio::null()).output();
    let Ok(output) = output else { return Vec::new() };
    let list = String::from_utf8_lossy(&output.stdout).into_owned();
    list.lines().filter_map(|line| library(line, &program.loader)).collect()
}

/// The path in `libm.so.6 => /lib/x86_64-linux-gnu/libm.so.6 (0x00007f…)`.
fn library(line: &str, loader: &Path) -> Option<PathBuf> {
    let (_, path) = line.split_once("=> ")?;
    let (path, _) = path.rsplit_once(" (0x")?;
    let path = PathBuf::from(path);
    (path.is_absolute() && path != loader && path.file_name() != Some(OsStr::new("libc.so.6")))
        .then_some(path)
}

/// What files say about events that there may be.
#[derive(Debug, Default)]
pub(super) struct Abilities {
    /// Some function calls the hook of instrumented functions.
    pub(super) has_functions: bool,
    /// It has a hook of its own, which the runtime does not replace.
    pub(super) has_own_hook: bool,
    /// It calls functions of the user interface.
    pub(super) has_user_regions: bool,
    /// It starts threads.
    pub(super) has_threads: bool,
    /// It has locks.
    pub(super) has_locks: bool,
    /// Instrumented functions have no names.
    pub(super) lacks_names: bool,
    /// Instrumented functions have no source lines.
    pub(super) lacks_lines: bool,
}

impl Abilities {
    /// Those of a program and its libraries.
    pub(super) fn of(images: &[(PathBuf, Image)]) -> Self {
        let mut all = Self::default();
        images.iter().for_each(|(_, image)| all.add(image));
        all
    }

    fn add(&mut self, image: &Image) {
        let imports = image.imports();
        let is_instrumented = imports.contains(ENTER);
        self.has_functions |= is_instrumented;
        self.has_own_hook |= image.defines(ENTER);
        self.lacks_names |= is_instrumented && !image.has_names();
        self.lacks_lines |= is_instrumented && !image.has_debug_information();
        self.has_user_regions |= imports.iter().any(|name| name.starts_with("kymo_user_"));
        self.has_threads |= starts_threads(&imports);
        self.has_locks |= locks(&imports);
    }

    /// Nothing but begin and end of the program can come of it.
    pub(super) fn are_none(&self) -> bool {
        !(self.has_functions || self.has_user_regions || self.has_threads)
    }
}

fn starts_threads(imports: &BTreeSet<String>) -> bool {
    ["pthread_create", "thrd_create"].iter().any(|&name| imports.contains(name))
}

fn locks(imports: &BTreeSet<String>) -> bool {
    let locks = ["pthread_mutex_lock", "pthread_rwlock_rdlock", "pthread_rwlock_wrlock", "mtx_lock"];
    locks.iter().any(|&name| imports.contains(name))
}

/// What is to be said of locks that no library has a function for.
pub(super) fn unseen_locks(program: &Program) -> Option<String> {
    let language = Image::read(&program.image).ok()?.language_with_own_locks()?;
    let locks = if language == "Rust" { "std::sync" } else { "sync" };
    Some(format!(
        "{} is written in {language}: its threads are recorded, locks of {locks} are not, as they ask the kernel to wait (futex) and \
         call no function of POSIX threads",
        program.path().display()
    ))
}

/// How a program comes by events.
pub(super) const HOW: [&str; 3] = [
    "functions: compile and link with -g -finstrument-functions (gcc, g++, gfortran, clang)",
    "regions of your own: #include <kymo/user.h>, KYMO_REGION(\"name\")",
    "threads: recorded in any program that starts some",
];

/// What `--with rusage` alone comes to.
pub(super) const NO_REGIONS: &str = "there is little to see: resource usage is taken when a region is entered or left, and --with rusage \
                                     alone records no regions. To get more: --with functions,user,threads,rusage";
