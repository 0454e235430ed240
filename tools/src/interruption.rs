//! Signals that end this process while it writes: what is not whole goes first, then the signal does what it does.
//!
//! All that changes files on the way to a result does so under [`step`]. Invariant: once a signal has come, no further step begins; so
//! nothing is made behind the back of the clean-up. Signals that are ignored stay so.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, Once, PoisonError, RwLock, RwLockReadGuard};
use std::thread;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

use crate::tree;

static STEPS: RwLock<()> = RwLock::new(());
/// What is to be removed, the last first.
static UNFINISHED: Mutex<Vec<Unfinished>> = Mutex::new(Vec::new());

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
    start();
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).push(unfinished);
}

/// From now on signals wait for the end of a step.
pub(crate) fn start() {
    static STARTED: Once = Once::new();
    STARTED.call_once(start_thread);
}

/// There is nothing to be removed any more of what has this stage.
pub(crate) fn forget(stage: &Path) {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).retain(|it| it.stage != stage);
}

/// Without the thread, signals end the process as they do anyway, and the next call removes what is left.
fn start_thread() {
    let ignored = ignored().unwrap_or(0);
    let signals = [SIGHUP, SIGINT, SIGTERM].into_iter().filter(|signal| ignored & (1 << (signal - 1)) == 0);
    let Ok(mut signals) = Signals::new(signals) else { return };
    let handle = signals.handle();
    let wait = move || {
        if let Some(signal) = signals.forever().next() {
            let _steps = STEPS.write().unwrap_or_else(PoisonError::into_inner);
            let unfinished = std::mem::take(&mut *UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner));
            unfinished.iter().rev().for_each(Unfinished::remove);
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
