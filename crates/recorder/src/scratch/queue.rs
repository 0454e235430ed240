//! Runs on their way from locations to the writer.
//!
//! A stack that is emptied as a whole. Pushing is one exchange, and nothing is ever taken from the
//! middle, so a run that is pushed again in between does no harm. Invariant: of the runs pushed by
//! one location, later ones are above earlier ones.

use super::sync::{
    AtomicU32,
    Ordering::{Acquire, Relaxed, Release},
};

/// The number that represents no run.
const NONE: u32 = 0;

/// The runs that have been handed over, newest on top.
#[derive(Debug, Default)]
pub(crate) struct Queue(AtomicU32);

impl Queue {
    /// Pushes a run. `link` receives the number of the run below it.
    pub(crate) fn push(&self, run: u32, link: &AtomicU32) {
        let mut top = self.0.load(Relaxed);
        loop {
            link.store(top, Relaxed);
            match self.0.compare_exchange_weak(top, run, Release, Relaxed) {
                Ok(_) => return,
                Err(changed) => top = changed,
            }
        }
    }

    /// Returns whether the queue is empty.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.load(Relaxed) == NONE
    }

    /// Takes all runs. Returns the top one, or [`NONE`] if there is none; the links lead to those
    /// below.
    pub(crate) fn take_all(&self) -> u32 {
        self.0.swap(NONE, Acquire)
    }
}
