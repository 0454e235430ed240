//! The experiment directory: its name is known from the start, it exists from the manifest on, and only if a plugin requires
//! it.
//!
//! A process never touches the directory of another that still runs: the file `running` in it names the process that writes. Below
//! `kymo record` nobody has to be told, as every process has a directory of its own.

use crate::processes::is_first;
use crate::program;
use crate::settings::Settings;
use core::ffi::{CStr, c_char};
use core::ptr;
use core::sync::atomic::{
    AtomicBool,
    Ordering::{Acquire, Release},
};
use kymo_substrate::bindings::FILE;
use std::ffi::CString;
use std::fmt::Write as _;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// Names the process that writes into the directory.
const RUNNING: &str = "running";
/// The settings.
const CONFIGURATION: &str = "scorep.cfg";
/// What is in it.
const MANIFEST_NAME: &str = "MANIFEST.md";

/// Where plugins write.
#[derive(Debug)]
pub(crate) struct Experiment {
    path: PathBuf,
    name: CString,
    working: CString,
    /// Somebody requires it.
    exists: AtomicBool,
    /// `init_mpp` has been reached: whether it exists is settled.
    settled: AtomicBool,
}

impl Experiment {
    /// `ticks` tells it from others of the same name.
    pub(crate) fn new(settings: &Settings, is_child: bool, ticks: u64) -> io::Result<Self> {
        let working = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("/"));
        let path = working.join(name(settings, is_child, ticks));
        let text = |path: &Path| CString::new(path.as_os_str().as_bytes()).map_err(io::Error::other);
        let (name, working) = (text(&path)?, text(&working)?);
        Ok(Self { path, name, working, exists: AtomicBool::new(false), settled: AtomicBool::new(false) })
    }

    /// Its name; null once it is settled that nobody requires it.
    pub(crate) fn name(&self) -> *const c_char {
        if self.settled.load(Acquire) && !self.exists.load(Acquire) {
            ptr::null()
        } else {
            self.name.as_ptr()
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Nobody requires it, or it could not be made.
    pub(crate) fn settle_without(&self) {
        self.settled.store(true, Release);
    }

    /// Makes the directory with `scorep.cfg` and the manifest, which `dump` adds to (stream, working directory, directory).
    pub(crate) fn create(
        &self,
        settings: &Settings,
        dump: impl FnOnce(*mut FILE, &CStr, &CStr),
    ) -> io::Result<()> {
        self.make_room()?;
        // A directory without an experiment would count as that of a process that was cut off.
        self.fill(settings, dump).inspect_err(|_| self.undo())?;
        self.exists.store(true, Release);
        self.settled.store(true, Release);
        Ok(())
    }

    fn fill(&self, settings: &Settings, dump: impl FnOnce(*mut FILE, &CStr, &CStr)) -> io::Result<()> {
        fs::create_dir_all(&self.path)?;
        // Of the processes of `kymo record` the first stands for all, and the folders of the others go: files cost more than all else.
        let stays = settings.record_directory.is_none() || is_first();
        if stays {
            fs::write(self.path.join(RUNNING), std::process::id().to_string())?;
        }
        fs::write(self.path.join(CONFIGURATION), configuration(settings))?;
        if stays { self.write_manifest(dump) } else { Ok(()) }
    }

    /// Takes away what has been made of it. What stays of it nobody can help.
    fn undo(&self) {
        for name in [RUNNING, CONFIGURATION, MANIFEST_NAME] {
            let _ = fs::remove_file(self.path.join(name));
        }
        let _ = fs::remove_dir(&self.path);
    }

    /// Renames a directory that is left from an earlier run.
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
        // SAFETY: both are strings.
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

    /// Nobody writes into it any more.
    pub(crate) fn close(&self) {
        if self.exists.load(Acquire) {
            // If it stays, the directory counts as that of a process that died.
            let _ = fs::remove_file(self.path.join(RUNNING));
        }
    }
}

const MANIFEST: &CStr = c"# Experiment directory

## Measurement

* `scorep.cfg`: settings of the measurement
* `MANIFEST.md`: this list
";

/// The first line tells what the process is called in its archive: `kymo record` asks if it does not come to write one.
fn configuration(settings: &Settings) -> String {
    let mut text = format!("# {}\n", program::title());
    text += "# Settings of the measurement, as variables of the environment.\n";
    for (name, value) in settings.listed() {
        let _ = writeln!(text, "{name}={value:?}");
    }
    text
}

/// The directory's name; may be relative to the working directory.
fn name(settings: &Settings, is_child: bool, ticks: u64) -> PathBuf {
    let id = std::process::id();
    if let Some(folder) = &settings.record_directory {
        let rank = program::rank().map(|rank| format!("-rank-{rank}")).unwrap_or_default();
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

/// Whether another process that is alive writes into it.
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

/// Whether it is a directory that can be read and has no entries. Dropping one of the standard library panics if it cannot be closed.
fn is_empty(directory: &Path) -> bool {
    let Ok(path) = CString::new(directory.as_os_str().as_bytes()) else { return false };
    // SAFETY: a string.
    let entries = unsafe { libc::opendir(path.as_ptr()) };
    if entries.is_null() {
        return false;
    }
    // Above what it holds are `.` and `..`. SAFETY: an open directory.
    let count = (0..3).take_while(|_| !unsafe { libc::readdir(entries) }.is_null()).count();
    // SAFETY: as above; it is not used again.
    unsafe { libc::closedir(entries) };
    count < 3
}

/// `name-YYYYMMDD_HHMM`, with a number behind if that is taken.
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

/// `YYYYMMDD_HHMM` where the process is.
fn date() -> String {
    // SAFETY: a structure of numbers and a pointer, for which zero is a value.
    let mut parts: libc::tm = unsafe { core::mem::zeroed() };
    // SAFETY: both are this function's.
    unsafe {
        let now = libc::time(ptr::null_mut());
        libc::localtime_r(&raw const now, &raw mut parts);
    }
    let (year, month) = (parts.tm_year + 1900, parts.tm_mon + 1);
    format!("{year:04}{month:02}{:02}_{:02}{:02}", parts.tm_mday, parts.tm_hour, parts.tm_min)
}
