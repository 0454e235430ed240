//! The names that a program gives threads, by the system's ids. Any thread may name any other one,
//! at any time.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::processes::may_allocate;

/// The most threads that have a name at a time.
const MOST: usize = 100_000;

type Names = BTreeMap<u64, String>;

/// The names that come through one interface.
#[derive(Debug)]
pub(in super::super) struct ThreadNames(Mutex<Names>);

pub(in super::super) type ThreadNamesHold = MutexGuard<'static, Names>;

impl ThreadNames {
    pub(in super::super) const fn new() -> Self {
        Self(Mutex::new(BTreeMap::new()))
    }

    pub(in super::super) fn hold(&self) -> MutexGuard<'_, Names> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives a thread a name, in place of the one that it has.
    pub(in super::super) fn name(&self, thread: u64, name: &str) {
        if may_allocate() {
            let mut names = self.hold();
            if names.len() < MOST {
                names.insert(thread, name.to_owned());
            }
        }
    }

    /// Returns the name of a thread that ends, if it was given one. A later one can have its id.
    pub(in super::super) fn take(&self, thread: u64) -> Option<String> {
        self.hold().remove(&thread)
    }

    /// Forgets the names, in a forked child, whose threads are others.
    pub(in super::super) fn forget(&self) {
        self.hold().clear();
    }
}
