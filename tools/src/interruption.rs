//! Signals that end this process while it writes: what is not whole goes first, then the signal does what it does.
//!
//! All that changes files on the way to a result does so under [`step`]. Invariant: once a signal has come, no further step begins; so
//! nothing is made behind the back of the clean-up. Signals that are ignored stay so.

use std::path::PathBuf;
use std::sync::{Mutex, Once, PoisonError, RwLock, RwLockReadGuard};
use std::thread;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

use crate::tree;

static STEPS: RwLock<()> = RwLock::new(());
/// What is to be removed, in this order. Folders that are not empty then stay.
static UNFINISHED: Mutex<Option<Unfinished>> = Mutex::new(None);

/// What there is of a result that is not whole.
#[derive(Debug, Clone, Default)]
pub(crate) struct Unfinished {
    /// A file, or a folder with all that is in it.
    pub(crate) stage: PathBuf,
    /// Folders that were made for it, each in the one before.
    pub(crate) folders: Vec<PathBuf>,
}

impl Unfinished {
    /// Removes it.
    pub(crate) fn remove(&self) {
        // What cannot be removed is found by the next call.
        if !self.stage.as_os_str().is_empty() {
            let _ = tree::remove(&self.stage);
        }
        for folder in self.folders.iter().rev() {
            let _ = std::fs::remove_dir(folder);
        }
    }
}

/// Something that changes files, and that no signal comes into.
pub(crate) fn step() -> RwLockReadGuard<'static, ()> {
    STEPS.read().unwrap_or_else(PoisonError::into_inner)
}

/// From now on this is removed if a signal ends the process.
pub(crate) fn watch(unfinished: Unfinished) {
    static STARTED: Once = Once::new();
    *UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner) = Some(unfinished);
    STARTED.call_once(start);
}

/// There is nothing to be removed any more.
pub(crate) fn forget() {
    *UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner) = None;
}

/// Without the thread, signals end the process as they do anyway, and the next call removes what is left.
fn start() {
    let ignored = ignored().unwrap_or(0);
    let signals = [SIGHUP, SIGINT, SIGTERM].into_iter().filter(|signal| ignored & (1 << (signal - 1)) == 0);
    let Ok(mut signals) = Signals::new(signals) else { return };
    let handle = signals.handle();
    let wait = move || {
        if let Some(signal) = signals.forever().next() {
            let _steps = STEPS.write().unwrap_or_else(PoisonError::into_inner);
            let unfinished = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).take();
            unfinished.iter().for_each(Unfinished::remove);
            let _ = emulate_default_handler(signal);
        }
    };
    if thread::Builder::new().spawn(wait).is_err() {
        handle.close();
    }
}

/// The set of signals that are ignored.
pub(crate) fn ignored() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let set = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
    u64::from_str_radix(set.trim(), 16).ok()
}
