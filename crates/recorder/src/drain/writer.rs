//! The writer: the memory that it empties, where it writes to, and how far it is.

use std::{
    sync::{Mutex, MutexGuard, PoisonError, TryLockError},
    time::Duration,
};

use super::{buffers::Buffers, work::Work};
use crate::output::Output;

/// A process's settings for its storage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DrainSettings {
    /// How often committed data is written to the files.
    pub interval: Duration,
    /// How often the files are synced, so that they survive a loss of power, if at all.
    pub sync: Option<Duration>,
}

impl Default for DrainSettings {
    fn default() -> Self {
        Self { interval: Duration::from_secs(1), sync: None }
    }
}

/// The writer of a process. One thread at a time does its work.
#[derive(Debug)]
pub(super) struct Writer {
    pub(super) buffers: Buffers,
    pub(super) output: Output,
    pub(super) settings: DrainSettings,
    work: Mutex<Work>,
}

impl Writer {
    pub(super) fn new(buffers: Buffers, settings: DrainSettings) -> Self {
        Self { buffers, output: Output::new(), settings, work: Mutex::new(Work::default()) }
    }

    /// Writes the pieces that were handed over, unless another thread is writing. Until the archive
    /// is open, it only joins small pieces.
    pub(super) fn turn(&self) {
        let mut work = match self.work.try_lock() {
            Ok(work) => work,
            Err(TryLockError::Poisoned(work)) => work.into_inner(),
            Err(TryLockError::WouldBlock) => return,
        };
        match self.output.storage() {
            Ok(storage) => work.turn(&self.buffers, storage),
            Err(_) => work.take_in(&self.buffers),
        }
    }

    /// Writes handed over pieces and committed records, once per interval.
    pub(super) fn tick(&self, sync: bool) {
        if let Ok(storage) = self.output.storage() {
            self.work().tick(&self.buffers, storage, sync);
        }
    }

    /// Returns whether a thread is writing.
    pub(super) fn is_writing(&self) -> bool {
        matches!(self.work.try_lock(), Err(TryLockError::WouldBlock))
    }

    pub(super) fn work(&self) -> MutexGuard<'_, Work> {
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
