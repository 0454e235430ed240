//! Handles signals that end this process while it writes: unfinished results are removed, then the
//! signal takes its default action.
//!
//! Everything that changes files while a result is being written does so under [`step`]. Invariant:
//! once a signal has arrived, no further step begins, so nothing is created after the cleanup.
//! Ignored signals stay ignored.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, Once, PoisonError, RwLock, RwLockReadGuard};
use std::thread;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

use crate::tree;

static STEPS: RwLock<()> = RwLock::new(());
/// The results to remove, last one first.
static UNFINISHED: Mutex<Vec<Unfinished>> = Mutex::new(Vec::new());

/// The unfinished files of a result.
#[derive(Debug, Clone, Default)]
pub(crate) struct Unfinished {
    /// A file, or a folder with all its contents.
    pub(crate) stage: PathBuf,
    /// Folders that were created for it, each inside the previous one.
    pub(crate) folders: Vec<PathBuf>,
}

impl Unfinished {
    /// Removes the stage and the folders.
    pub(crate) fn remove(&self) {
        // A stage that cannot be removed now is found by the next run.
        if !self.stage.as_os_str().is_empty() {
            let _ = tree::remove(&self.stage);
        }
        for folder in self.folders.iter().rev() {
            let _ = std::fs::remove_dir(folder);
        }
    }
}

/// Begins a step that changes files. Signals wait until the returned guard is dropped.
pub(crate) fn step() -> RwLockReadGuard<'static, ()> {
    STEPS.read().unwrap_or_else(PoisonError::into_inner)
}

/// Registers a result that is removed if a signal ends the process.
pub(crate) fn watch(unfinished: Unfinished) {
    start();
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).push(unfinished);
}

/// Starts to handle signals; from now on they wait for the end of a step.
pub(crate) fn start() {
    static STARTED: Once = Once::new();
    STARTED.call_once(start_thread);
}

/// Unregisters the result with this stage.
pub(crate) fn forget(stage: &Path) {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).retain(|it| it.stage != stage);
}

/// Starts the thread that waits for signals. Without it, signals end the process as usual, and the
/// next run removes the remaining files.
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

/// Returns the set of ignored signals as a bit mask.
pub(crate) fn ignored() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let set = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
    u64::from_str_radix(set.trim(), 16).ok()
}
