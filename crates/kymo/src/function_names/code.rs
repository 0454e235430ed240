//! The functions at addresses in files.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Write;
use std::os::fd::AsRawFd;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;

use kymo_symbols::{FileSymbols, Function, FunctionFrame};
use rustix::fs::{MemfdFlags, memfd_create};

use super::cpp_library::CppLibrary;

/// The name of the code that the system adds to every program.
const SYSTEM_CODE: &str = "[vdso]";

/// The files in which functions were looked up.
#[derive(Debug, Default)]
pub(super) struct CodeFiles {
    files: BTreeMap<(String, Vec<u8>), Option<FileSymbols>>,
    /// The code of the system, as long as it is needed.
    system: Option<File>,
    cpp_library: CppLibrary,
}

impl CodeFiles {
    /// Returns the functions that contain an instruction, the outermost first. Those that mark
    /// regions are left out, unless there is no other one.
    pub(super) fn functions(&mut self, path: &str, build_id: &[u8], address: u64) -> Vec<FunctionFrame> {
        let mut frames = self.file(path, build_id).map_or_else(Vec::new, |file| file.frames(address));
        frames.reverse();
        for Function { name, .. } in frames.iter_mut().map(|frame| &mut frame.function) {
            if let Some(readable) = self.cpp_library.demangled(name) {
                *name = readable;
            }
        }
        if !frames.iter().all(|frame| frame.function.marks_region()) {
            frames.retain(|frame| !frame.function.marks_region());
        }
        frames
    }

    /// Whether a file with this content can be read.
    pub(super) fn has(&mut self, path: &str, build_id: &[u8]) -> bool {
        self.file(path, build_id).is_some()
    }

    fn file(&mut self, path: &str, build_id: &[u8]) -> Option<&FileSymbols> {
        let Self { files, system, .. } = self;
        let read = || FileSymbols::read(&readable(path, system), build_id);
        files.entry((path.to_owned(), build_id.to_owned())).or_insert_with(read).as_ref()
    }

    /// Returns the files that could not be read.
    pub(super) fn missing(&self) -> BTreeSet<String> {
        let missing = self.files.iter().filter(|(_, file)| file.is_none());
        missing.map(|((path, _), _)| path.clone()).collect()
    }
}

/// Returns the path at which a file can be read. This process has the system's code, too.
fn readable(path: &str, system: &mut Option<File>) -> PathBuf {
    if path != SYSTEM_CODE {
        return path.into();
    }
    if system.is_none() {
        *system = system_code();
    }
    system.as_ref().map_or(path.into(), |file| format!("/proc/self/fd/{}", file.as_raw_fd()).into())
}

/// Returns a file with the code that the system adds to every program.
fn system_code() -> Option<File> {
    let maps = std::fs::read_to_string("/proc/self/maps").ok()?;
    let line = maps.lines().find(|line| line.ends_with(SYSTEM_CODE))?;
    let (begin, end) = line.split_once(' ')?.0.split_once('-')?;
    let number = |text| u64::from_str_radix(text, 16).ok();
    let (begin, end) = (number(begin)?, number(end)?);
    let mut bytes = vec![0; usize::try_from(end.checked_sub(begin)?).ok()?];
    File::open("/proc/self/mem").ok()?.read_exact_at(&mut bytes, begin).ok()?;
    let mut file = File::from(memfd_create("vdso", MemfdFlags::CLOEXEC).ok()?);
    file.write_all(&bytes).ok()?;
    Some(file)
}
