//! The variables by which interfaces for tools find the runtime: those of annotations, and that of
//! OpenCL.
//!
//! Invariant: a variable that the user has set keeps its tool. That of NVTX is asked by the
//! runtime; the others can name one tool only, which is the user's.

use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::process::Command;

use super::environment::{RUNTIME, given};
use super::hints::libraries;
use super::paradigms::launched;
use super::program::Program;
use super::{Arguments, RecordModule};
use crate::output::complain;

const NVTX: &str = "NVTX_INJECTION64_PATH";
/// The library that the variable of NVTX named before.
const NEXT_NVTX: &str = "KYMO_NVTX_NEXT";
/// The value with which NVTX looks for no tool.
const NO_TOOL: &str = "./.";

const ITT: &str = "INTEL_LIBITTNOTIFY64";

const OPENCL: &str = "OPENCL_LAYERS";

const KOKKOS: &str = "KOKKOS_TOOLS_LIBS";
/// The variable before Kokkos 3.7. A newer Kokkos warns about it.
const OLD_KOKKOS: &str = "KOKKOS_PROFILE_LIBRARY";

/// Sets the variables of the program.
pub(super) fn set(command: &mut Command, arguments: &Arguments, program: &Program, runtime: &Path) {
    if arguments.records(RecordModule::Nvtx) {
        set_nvtx(command, runtime);
    }
    if arguments.records(RecordModule::Itt) && given(ITT).is_none_or(|tool| is_runtime(&tool)) {
        command.env(ITT, runtime);
    }
    if arguments.records(RecordModule::Opencl) && given(OPENCL).is_none_or(|layers| is_runtime(&layers)) {
        command.env(OPENCL, runtime);
    }
    if arguments.records(RecordModule::Kokkos) {
        set_kokkos(command, arguments, program, runtime);
    }
}

fn set_nvtx(command: &mut Command, runtime: &Path) {
    match given(NVTX) {
        Some(tool) if tool == NO_TOOL => return,
        Some(tool) if !is_runtime(&tool) => command.env(NEXT_NVTX, tool),
        // A runtime that another `kymo record` has set; it may have set the next tool, too.
        Some(_) => command,
        None => command.env_remove(NEXT_NVTX),
    };
    command.env(NVTX, runtime);
}

fn set_kokkos(command: &mut Command, arguments: &Arguments, program: &Program, runtime: &Path) {
    let release = KokkosRelease::of(arguments, program);
    let of_others = |variable: &&&str| given(variable).is_some_and(|tool| !is_runtime(&tool));
    if let Some(variable) = [KOKKOS, OLD_KOKKOS].iter().find(of_others) {
        if release.is_some() {
            complain(&format!("{variable} is set: its tool sees what Kokkos does, and kymo does not"));
        }
        return;
    }
    command.env(KOKKOS, runtime);
    match release {
        Some(KokkosRelease::Old) => command.env(OLD_KOKKOS, runtime),
        _ => command.env_remove(OLD_KOKKOS),
    };
}

/// Returns whether a variable names the runtime of a `kymo record`.
fn is_runtime(tool: &OsStr) -> bool {
    Path::new(tool).file_name() == Some(OsStr::new(RUNTIME))
}

/// The variables as they are in a file.
const NEW_TEXT: &[u8] = b"KOKKOS_TOOLS_LIBS\0";
const OLD_TEXT: &[u8] = b"KOKKOS_PROFILE_LIBRARY\0";
/// How much of a file is read at a time, in bytes.
const BLOCK: usize = 1 << 20;

/// The release of Kokkos that a program contains or is linked with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum KokkosRelease {
    /// Reads only the old variable.
    Old,
    New,
}

impl KokkosRelease {
    /// Looks into the program, or the one that it launches, and its libraries of Kokkos.
    fn of(arguments: &Arguments, program: &Program) -> Option<Self> {
        launched(program, arguments.command.get(1..).unwrap_or_default(), |program| {
            let libraries: Vec<_> = libraries(program).iter().map(|it| (it, lowercase_name(it))).collect();
            let is_cpp = |(_, name): &(_, String)| name.contains("c++") || name.contains("kokkos");
            if !libraries.iter().any(is_cpp) {
                return None;
            }
            let kokkos = libraries.iter().filter(|(_, name)| name.contains("kokkos"));
            let files = kokkos.map(|(path, _)| path.as_path()).chain([program.image.as_path()]);
            files.filter_map(Self::in_file).max()
        })
    }

    /// Returns the release whose variable is a text in a file.
    fn in_file(path: &Path) -> Option<Self> {
        let mut file = File::open(path).ok()?;
        let (mut found, mut kept, mut block) = (None, 0, vec![0; BLOCK]);
        loop {
            let read = file.read(block.get_mut(kept..)?).ok().filter(|&read| read > 0);
            let Some(read) = read else { return found };
            let text = block.get(..kept + read)?;
            let starts = text.iter().enumerate().filter(|(_, byte)| **byte == b'K').map(|(at, _)| at);
            for rest in starts.filter_map(|at| text.get(at..)) {
                if rest.starts_with(NEW_TEXT) {
                    return Some(Self::New);
                }
                if rest.starts_with(OLD_TEXT) {
                    found = Some(Self::Old);
                }
            }
            // A text can continue in the next block.
            let end = text.len();
            kept = end.min(OLD_TEXT.len() - 1);
            block.copy_within(end - kept..end, 0);
        }
    }
}

fn lowercase_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::KokkosRelease;

    #[test]
    fn the_release_of_kokkos_is_that_of_its_variables() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("program");
        let release = |content: &[u8]| {
            std::fs::write(&file, content).expect("a file");
            KokkosRelease::in_file(&file)
        };
        assert_eq!(release(b"abc\0KOKKOS_PROFILE_LIBRARYx\0"), None);
        assert_eq!(release(b"abc\0KOKKOS_PROFILE_LIBRARY\0"), Some(KokkosRelease::Old));
        assert_eq!(release(b"KOKKOS_PROFILE_LIBRARY\0 KOKKOS_TOOLS_LIBS\0"), Some(KokkosRelease::New));
        for before in 1..30 {
            let content = [&vec![b'K'; super::BLOCK - before][..], b"KOKKOS_PROFILE_LIBRARY\0"].concat();
            assert_eq!(release(&content), Some(KokkosRelease::Old), "{before}");
        }
    }
}
