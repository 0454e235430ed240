//! Runs on their way from locations to the writer.
//!
//! A stack that is emptied as a whole: putting on top is one exchange, and nothing is ever taken from the middle, so a run that comes
//! back in between does no harm. Invariant: of the runs that one location pushes, the later ones lie above the earlier.

use super::sync::{
    AtomicU32,
    Ordering::{Acquire, Relaxed, Release},
};

/// Number of no run.
const NONE: u32 = 0;

/// The runs that have been handed over, the newest on top.
#[derive(Debug, Default)]
pub(crate) struct Queue(AtomicU32);

impl Queue {
    /// Puts a run on top; `link` is its place for the number of the one below.
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

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.load(Relaxed) == NONE
    }

    /// Takes all of them: the top one, [`NONE`] if there is none; the links lead down.
    pub(crate) fn take_all(&self) -> u32 {
        self.0.swap(NONE, Acquire)
    }
}
