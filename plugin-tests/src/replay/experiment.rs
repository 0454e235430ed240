//! The experiment directory: its name is known from the start; it exists from the manifest on, and
//! only if a plugin requires it.
//!
//! On a slow cluster file system, rank 0 creates it late, and other nodes see it later still. To
//! simulate this, the other ranks use a name of their own: a link that appears some time after the
//! directory.

use crate::replay::Error;
use crate::replay::host::fail;
use libc::FILE;
use std::ffi::{CStr, CString, c_char};
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::ptr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{JoinHandle, sleep, spawn};
use std::time::Duration;

/// The directory in which plugins write.
#[derive(Debug)]
pub(crate) struct Experiment {
    path: PathBuf,
    name: CString,
    required: AtomicBool,
    /// Whether `init_mpp` was reached, after which it is settled whether the directory exists.
    settled: AtomicBool,
    delay: Duration,
    /// The real directory, for ranks that see it late through a link.
    real: Option<PathBuf>,
    linking: Mutex<Option<JoinHandle<io::Result<()>>>>,
}

impl Experiment {
    /// Uses the directory `path`, which must be absent or empty.
    pub(crate) fn new(path: &Path) -> Result<Self, Error> {
        Self::check(path)?;
        Self::shared(path)
    }

    /// Like [`new`](Self::new), but for a rank of a program whose directory has already been
    /// checked.
    pub(crate) fn shared(path: &Path) -> Result<Self, Error> {
        Self::named(path, None, Duration::ZERO)
    }

    /// Like [`shared`](Self::shared), but rank 0 creates the directory after `delay`, and other
    /// ranks see it after the same time again.
    pub(crate) fn late(path: &Path, rank: u32, delay: Duration) -> Result<Self, Error> {
        if rank == 0 {
            return Self::named(path, None, delay);
        }
        let mut link = path.as_os_str().to_owned();
        link.push(format!(".rank{rank}"));
        Self::check(Path::new(&link))?;
        Self::named(Path::new(&link), Some(path.to_owned()), delay)
    }

    fn named(path: &Path, real: Option<PathBuf>, delay: Duration) -> Result<Self, Error> {
        let path = std::path::absolute(path).map_err(|error| Error::io(path, error))?;
        let name = CString::new(path.as_os_str().as_bytes())
            .map_err(|_| Error::Usage(format!("{}: contains a zero byte", path.display())))?;
        let (required, settled) = (AtomicBool::new(false), AtomicBool::new(false));
        Ok(Self { path, name, required, settled, delay, real, linking: Mutex::new(None) })
    }

    /// Checks that `path` is absent or empty.
    pub(crate) fn check(path: &Path) -> Result<(), Error> {
        match fs::read_dir(path).map(|mut entries| entries.next().is_some()) {
            Ok(true) => Err(Error::Usage(format!("{}: exists and is not empty", path.display()))),
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(Error::io(path, error)),
            _ => Ok(()),
        }
    }

    /// Records that a plugin requires the directory.
    pub(crate) fn require(&self) {
        self.required.store(true, Ordering::Release);
    }

    /// Settles whether the directory is required; called right before `init_mpp`.
    pub(crate) fn settle(&self) {
        self.settled.store(true, Ordering::Release);
        let required = self.required.load(Ordering::Acquire);
        let Some(real) = self.real.clone().filter(|_| required) else { return };
        let (link, delay) = (self.path.clone(), self.delay);
        let work = spawn(move || {
            while !real.exists() {
                sleep(Duration::from_millis(1));
            }
            sleep(delay);
            std::os::unix::fs::symlink(real.canonicalize()?, link)
        });
        *self.linking() = Some(work);
    }

    /// Removes the link at the end of the program.
    pub(crate) fn leave(&self) {
        let Some(linking) = self.linking().take() else { return };
        match linking.join() {
            Ok(Ok(())) => fs::remove_file(&self.path).unwrap_or_else(|error| self.fail("remove", &error)),
            Ok(Err(error)) => self.fail("let the directory appear as", &error),
            Err(_) => fail("the thread that lets the directory appear has failed"),
        }
    }

    fn linking(&self) -> std::sync::MutexGuard<'_, Option<JoinHandle<io::Result<()>>>> {
        self.linking.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Returns the name of the directory; null once it is settled that no plugin requires it.
    pub(crate) fn name(&self) -> *const c_char {
        if self.settled.load(Ordering::Acquire) && !self.required.load(Ordering::Acquire) {
            return ptr::null();
        }
        self.name.as_ptr()
    }

    /// Creates the directory and its manifest, to which `dump` adds with (stream, working
    /// directory, directory). Does nothing if no plugin requires the directory.
    pub(crate) fn create(&self, dump: impl FnOnce(*mut FILE, &CStr, &CStr)) {
        if !self.required.load(Ordering::Acquire) {
            return;
        }
        sleep(self.delay);
        fs::create_dir_all(&self.path).unwrap_or_else(|error| self.fail("create", &error));
        let manifest =
            CString::new(self.path.join("MANIFEST.md").as_os_str().as_bytes()).expect("no zero byte");
        // SAFETY: both are C strings.
        let stream = unsafe { libc::fopen(manifest.as_ptr(), c"w".as_ptr()) };
        if stream.is_null() {
            self.fail("create the manifest in", &std::io::Error::last_os_error());
        }
        // SAFETY: an open stream.
        unsafe { libc::fputs(c"# Experiment directory\n".as_ptr(), stream) };
        let working = std::env::current_dir().unwrap_or_default();
        let working = CString::new(working.as_os_str().as_bytes()).expect("no zero byte");
        dump(stream, &working, &self.name);
        // SAFETY: an open stream, not used after this.
        if unsafe { libc::fclose(stream) } != 0 {
            self.fail("write the manifest in", &std::io::Error::last_os_error());
        }
    }

    fn fail(&self, what: &str, error: &std::io::Error) -> ! {
        fail(&format!("cannot {what} {}: {error}", self.path.display()))
    }
}
