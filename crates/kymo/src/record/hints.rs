//! The recording that a program and its libraries allow, read from the files without running them.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use kymo_symbols::{ENTER, Executable};

use super::error::RecordError;
use super::program::Program;

/// Reads the program, then the libraries that its loader would load.
pub(super) fn images(program: &Program) -> Vec<(PathBuf, Executable)> {
    let paths = std::iter::once(&program.image).chain(libraries(program));
    paths.filter_map(|path| Executable::read(path).ok().map(|image| (path.clone(), image))).collect()
}

/// Refuses a program that is linked with Score-P, which measures it.
pub(super) fn refuse_scorep(program: &Program) -> Result<(), RecordError> {
    let is_scorep = |path: &PathBuf| path.to_string_lossy().contains("/libscorep_measurement.so");
    match libraries(program).iter().any(is_scorep) {
        true => Err(RecordError::unfit(program.path(), "is linked with Score-P, which measures it").hint(
            "run it without kymo record, with SCOREP_SUBSTRATE_PLUGINS=kymo and the plugin in \
             LD_LIBRARY_PATH",
        )),
        false => Ok(()),
    }
}

/// Returns the paths of the libraries that the loader would load.
pub(super) fn libraries(program: &Program) -> &[PathBuf] {
    program.libraries.get_or_init(|| list(program))
}

/// Asks the loader to list them, which does not run the program.
fn list(program: &Program) -> Vec<PathBuf> {
    let output =
        Command::new(&program.loader).arg("--list").arg(&program.image).stderr(Stdio::null()).output();
    let Ok(output) = output else { return Vec::new() };
    let list = String::from_utf8_lossy(&output.stdout).into_owned();
    list.lines().filter_map(|line| library(line, &program.loader)).collect()
}

/// Returns the path in `libm.so.6 => /lib/x86_64-linux-gnu/libm.so.6 (0x00007f…)`.
fn library(line: &str, loader: &Path) -> Option<PathBuf> {
    let (_, path) = line.split_once("=> ")?;
    let (path, _) = path.rsplit_once(" (0x")?;
    let path = PathBuf::from(path);
    (path.is_absolute() && path != loader && path.file_name() != Some(OsStr::new("libc.so.6")))
        .then_some(path)
}

/// The kinds of events that files can produce.
#[derive(Debug, Default)]
pub(super) struct Abilities {
    /// Functions call the hook of instrumented code.
    pub(super) has_functions: bool,
    /// The program defines that hook itself, and the runtime does not replace it.
    pub(super) has_own_hook: bool,
    /// The program calls functions of the user interface.
    pub(super) has_user_regions: bool,
    /// The program starts threads.
    pub(super) has_threads: bool,
    /// The program uses locks.
    pub(super) has_locks: bool,
    /// Instrumented functions have no names.
    pub(super) lacks_names: bool,
    /// Instrumented functions have no source lines.
    pub(super) lacks_lines: bool,
}

impl Abilities {
    /// Returns those of a program and its libraries.
    pub(super) fn of(images: &[(PathBuf, Executable)]) -> Self {
        let mut all = Self::default();
        images.iter().for_each(|(_, image)| all.add(image));
        all
    }

    fn add(&mut self, image: &Executable) {
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

    /// Whether nothing but the begin and the end of the program can be recorded.
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

/// Returns a remark about locks that call no function of POSIX threads, if the program may have
/// such. Those of Rust call `syscall`, so that their long waits are among the calls that wait.
pub(super) fn unseen_locks(program: &Program, has_waiting: bool) -> Option<String> {
    let language = Executable::read(&program.image).ok()?.language_with_own_locks()?;
    let locks = match language {
        "Rust" if has_waiting => return None,
        "Rust" => "std::sync",
        _ => "sync",
    };
    Some(format!(
        "{} is written in {language}: its threads are recorded, but locks of {locks} are not, because they \
         use futexes directly and call no POSIX thread function",
        program.path().display()
    ))
}

/// How to record more of a program.
pub(super) const HOW: [&str; 6] = [
    "where its time goes: kymo record --with sampling, for any program as it is",
    "functions: compile and link with -g -finstrument-functions (gcc, g++, gfortran, clang)",
    "regions of your own: #include <kymo/user.h>, KYMO_REGION(\"name\")",
    "threads: recorded in any program that starts some",
    "input and output of any program: kymo record --with io",
    "what any program allocates: kymo record --with memory",
];

/// The remark about `--with rusage` without any regions.
pub(super) const NO_REGIONS: &str = "there is little to see: resource usage is read when a region is \
                                     entered or left, and --with rusage on its own records no regions. To \
                                     get more: --with functions,user,threads,rusage";
