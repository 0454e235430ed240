//! The experiment directory. Its name is known from the start; it is created with the manifest, and
//! only if a plugin requires it.
//!
//! A process never touches the directory of another running process: the file `running` in it
//! contains the id of the process that writes. Under `kymo record`, where every process has a
//! directory of its own, only the first process writes this file.

use crate::processes::tree::is_first;
use crate::program;
use crate::settings::Settings;
use core::ffi::{CStr, c_char};
use core::ptr;
use core::sync::atomic::{
    AtomicBool,
    Ordering::{Acquire, Release},
};
use kymo_substrate::bindings::FILE;
use std::ffi::{CString, OsStr};
use std::fmt::Write as _;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::{fs, io};

/// The file that names the process that writes into the directory.
const RUNNING: &str = "running";
/// The file with the settings.
const CONFIGURATION: &str = "scorep.cfg";
/// The file with the list of contents.
const MANIFEST_NAME: &str = "MANIFEST.md";

/// The directory that plugins write into.
#[derive(Debug)]
pub(crate) struct Experiment {
    path: PathBuf,
    name: CString,
    /// The directory of another process, into which this one writes as well.
    adopted: OnceLock<(PathBuf, CString)>,
    working: CString,
    /// The directory exists because a plugin requires it.
    exists: AtomicBool,
    /// `init_mpp` has been reached: whether the directory exists is decided.
    settled: AtomicBool,
}

impl Experiment {
    /// Chooses a directory; `ticks` distinguishes it from others with the same name.
    pub(crate) fn new(settings: &Settings, is_child: bool, ticks: u64) -> io::Result<Self> {
        let working = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("/"));
        let path = working.join(name(settings, is_child, ticks));
        let text = |path: &Path| CString::new(path.as_os_str().as_bytes()).map_err(io::Error::other);
        let (name, working) = (text(&path)?, text(&working)?);
        let (exists, settled) = (AtomicBool::new(false), AtomicBool::new(false));
        Ok(Self { path, name, adopted: OnceLock::new(), working, exists, settled })
    }

    /// Returns the directory's name; null once it is decided that no plugin requires the directory.
    pub(crate) fn name(&self) -> *const c_char {
        if self.settled.load(Acquire) && !self.exists.load(Acquire) {
            ptr::null()
        } else {
            self.adopted.get().map_or(&self.name, |(_, name)| name).as_ptr()
        }
    }

    pub(crate) fn path(&self) -> &Path {
        self.adopted.get().map_or(&self.path, |(path, _)| path)
    }

    /// Uses the directory that another process of the job has created. On a node that does not
    /// share its file system the directory is created.
    pub(crate) fn adopt(&self, path: &[u8]) -> io::Result<()> {
        let name = CString::new(path).map_err(io::Error::other)?;
        let path = PathBuf::from(OsStr::from_bytes(path));
        fs::create_dir_all(&path)?;
        self.adopted.get_or_init(|| (path, name));
        self.exists.store(true, Release);
        self.settled.store(true, Release);
        Ok(())
    }

    /// Decides that the directory does not exist: no plugin requires it, or creating it failed.
    pub(crate) fn settle_without(&self) {
        self.settled.store(true, Release);
    }

    /// Creates the directory with `scorep.cfg` and the manifest. `dump` adds to the manifest; its
    /// arguments are the stream, the working directory, and the experiment directory.
    pub(crate) fn create(
        &self,
        settings: &Settings,
        process_name: &str,
        dump: impl FnOnce(*mut FILE, &CStr, &CStr),
    ) -> io::Result<()> {
        self.make_room()?;
        // A directory without an experiment would count as that of a process that was killed.
        self.fill(settings, process_name, dump).inspect_err(|_| self.undo())?;
        self.exists.store(true, Release);
        self.settled.store(true, Release);
        Ok(())
    }

    fn fill(
        &self,
        settings: &Settings,
        process_name: &str,
        dump: impl FnOnce(*mut FILE, &CStr, &CStr),
    ) -> io::Result<()> {
        fs::create_dir_all(&self.path)?;
        // Of the processes of `kymo record` the first represents all, and the directories of the
        // others are removed. Creating files costs more than everything else here.
        let stays = settings.record_directory.is_none() || is_first();
        if stays {
            fs::write(self.path.join(RUNNING), std::process::id().to_string())?;
        }
        fs::write(self.path.join(CONFIGURATION), configuration(settings, process_name))?;
        if stays { self.write_manifest(dump) } else { Ok(()) }
    }

    /// Removes the directory and its files. Errors are ignored, as nothing can be done about them.
    fn undo(&self) {
        for name in [RUNNING, CONFIGURATION, MANIFEST_NAME] {
            let _ = fs::remove_file(self.path.join(name));
        }
        let _ = fs::remove_dir(&self.path);
    }

    /// Renames a directory that an earlier run left.
    fn make_room(&self) -> io::Result<()> {
        match fs::symlink_metadata(&self.path) {
            Ok(_) if is_empty(&self.path) => Ok(()),
            Ok(_) => fs::rename(&self.path, free_name(&self.path)),
            Err(_) => Ok(()),
        }
    }

    fn write_manifest(&self, dump: impl FnOnce(*mut FILE, &CStr, &CStr)) -> io::Result<()> {
        let path =
            CString::new(self.path.join(MANIFEST_NAME).as_os_str().as_bytes()).map_err(io::Error::other)?;
        // SAFETY: both are C strings.
        let stream = unsafe { libc::fopen(path.as_ptr(), c"we".as_ptr()) };
        if stream.is_null() {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: an open stream.
        unsafe { libc::fputs(MANIFEST.as_ptr(), stream) };
        dump(stream.cast(), &self.working, &self.name);
        // SAFETY: an open stream, not used after this.
        if unsafe { libc::fclose(stream) } == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
    }

    /// Marks the directory as complete: no process writes into it any more.
    pub(crate) fn close(&self) {
        if self.exists.load(Acquire) && self.adopted.get().is_none() {
            // If the file remains, the directory counts as that of a process that died.
            let _ = fs::remove_file(self.path.join(RUNNING));
        }
    }
}

const MANIFEST: &CStr = c"# Experiment directory

## Measurement

* `scorep.cfg`: settings of the measurement
* `MANIFEST.md`: this list
";

/// Returns the text of `scorep.cfg`. Its first line is the name of the process in its archive:
/// `kymo record` reads it if the process wrote no archive.
fn configuration(settings: &Settings, process_name: &str) -> String {
    let mut text = format!("# {process_name}\n");
    text += "# Settings of the measurement, as environment variables.\n";
    for (name, value) in settings.listed() {
        let _ = writeln!(text, "{name}={value:?}");
    }
    text
}

/// Returns the directory's name, which may be relative to the working directory.
fn name(settings: &Settings, is_child: bool, ticks: u64) -> PathBuf {
    let id = std::process::id();
    if let Some(folder) = &settings.record_directory {
        let rank = program::launch_rank().map(|rank| format!("-rank-{rank}")).unwrap_or_default();
        return folder.join(format!("process-{id}-{ticks}{rank}"));
    }
    match &settings.experiment_directory {
        Some(given) if is_child || is_in_use(given) => {
            let mut name = given.clone().into_os_string();
            name.push(format!("-process-{id}-{ticks}"));
            name.into()
        }
        Some(given) => given.clone(),
        None => PathBuf::from(format!("scorep-{}_{ticks}", date())),
    }
}

/// Returns whether another live process writes into the directory.
fn is_in_use(directory: &Path) -> bool {
    let owner = fs::read_to_string(directory.join(RUNNING))
        .ok()
        .and_then(|text| text.trim().parse::<libc::pid_t>().ok());
    let Some(owner) = owner.filter(|&owner| owner > 0 && owner.cast_unsigned() != std::process::id()) else {
        return false;
    };
    // SAFETY: no signal is sent.
    let result = unsafe { libc::kill(owner, 0) };
    result == 0 || io::Error::last_os_error().raw_os_error() == Some(libc::EPERM)
}

/// Returns whether this is a readable directory without entries. `std::fs::ReadDir` is not used
/// because it panics on drop if the directory cannot be closed.
fn is_empty(directory: &Path) -> bool {
    let Ok(path) = CString::new(directory.as_os_str().as_bytes()) else { return false };
    // SAFETY: a C string.
    let entries = unsafe { libc::opendir(path.as_ptr()) };
    if entries.is_null() {
        return false;
    }
    // A directory with more than `.` and `..` is not empty. SAFETY: an open directory.
    let count = (0..3).take_while(|_| !unsafe { libc::readdir(entries) }.is_null()).count();
    // SAFETY: as above; the directory is not used again.
    unsafe { libc::closedir(entries) };
    count < 3
}

/// Returns `name-YYYYMMDD_HHMM`, followed by a number if that name is taken.
fn free_name(path: &Path) -> PathBuf {
    let mut base = path.as_os_str().to_owned();
    base.push(format!("-{}", date()));
    let numbered = |number: u32| {
        let mut name = base.clone();
        if number > 0 {
            name.push(format!("_{number}"));
        }
        PathBuf::from(name)
    };
    (0..u32::MAX).map(numbered).find(|name| !name.exists()).unwrap_or_else(|| numbered(0))
}

/// Returns the local time as `YYYYMMDD_HHMM`.
fn date() -> String {
    // SAFETY: a structure of numbers and a pointer, for which zero is a valid value.
    let mut parts: libc::tm = unsafe { core::mem::zeroed() };
    // SAFETY: both are local variables.
    unsafe {
        let now = libc::time(ptr::null_mut());
        libc::localtime_r(&raw const now, &raw mut parts);
    }
    let (year, month) = (parts.tm_year + 1900, parts.tm_mon + 1);
    format!("{year:04}{month:02}{:02}_{:02}{:02}", parts.tm_mday, parts.tm_hour, parts.tm_min)
}
