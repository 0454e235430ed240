//! The names that a program gives threads, by the system's ids. Any thread may name any other one,
//! at any time.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::NVTX;
use crate::processes::may_allocate;

/// The most threads that have a name at a time.
const MOST: usize = 100_000;

type Names = BTreeMap<u64, String>;

static NAMES: Mutex<Names> = Mutex::new(BTreeMap::new());

pub(super) type Hold = MutexGuard<'static, Names>;

pub(super) fn hold() -> Hold {
    NAMES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Gives a thread a name, in place of the one that it has.
pub(super) fn name(thread: u32, name: &str) {
    NVTX.record(|_| {
        if may_allocate() {
            let mut names = hold();
            if names.len() < MOST {
                names.insert(thread.into(), name.to_owned());
            }
        }
    });
}

/// Returns the name of a thread that ends, if it was given one. A later one can have its id.
pub(super) fn take(thread: u64) -> Option<String> {
    hold().remove(&thread)
}

/// Forgets the names, in a forked child, whose threads are others.
pub(super) fn forget() {
    hold().clear();
}
