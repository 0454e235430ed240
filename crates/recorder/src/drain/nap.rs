//! The writer's sleep, without missed wake-ups.
//!
//! Invariant: a thread that changes the queue and then calls [`wake`](Nap::wake), and a writer that
//! finds the queue empty in [`sleep`](Nap::sleep), never miss each other: at least one of them sees
//! the change that the other made first.

use crate::scratch::sync::{
    AtomicBool,
    Ordering::{Relaxed, SeqCst},
    fence,
};

/// Whether the writer sleeps or is about to.
#[derive(Debug, Default)]
pub(crate) struct Nap(AtomicBool);

impl Nap {
    /// Wakes the writer if it sleeps. Must be called after the queue was changed.
    pub(crate) fn wake(&self, unpark: impl FnOnce()) {
        fence(SeqCst);
        if self.0.load(Relaxed) {
            unpark();
        }
    }

    /// Sleeps unless there is something to do.
    pub(crate) fn sleep(&self, has_nothing_to_do: impl FnOnce() -> bool, park: impl FnOnce()) {
        self.0.store(true, Relaxed);
        fence(SeqCst);
        if has_nothing_to_do() {
            park();
        }
        self.0.store(false, Relaxed);
    }
}
