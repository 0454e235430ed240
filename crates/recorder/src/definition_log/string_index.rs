//! Finds the id of a string by its text.
//!
//! Open addressing over entries that point into the definition log; at most half of the slots are
//! in use.

use core::hash::Hasher;
use std::hash::DefaultHasher;

use crate::memory::{Budget, PageVec};

/// A string in the log. `at` is 0 in free slots: no text starts at the beginning of the log,
/// because a record does.
#[derive(Debug, Clone, Copy)]
struct Entry {
    hash: u64,
    at: usize,
    len: u32,
    id: u32,
}

const FREE: Entry = Entry { hash: 0, at: 0, len: 0, id: 0 };

#[derive(Debug)]
pub(super) struct StringIndex {
    budget: &'static Budget,
    slots: PageVec<Entry>,
    entries: usize,
}

impl StringIndex {
    const FIRST: usize = 512;

    pub(super) fn new(budget: &'static Budget) -> Self {
        Self { budget, slots: PageVec::new(budget), entries: 0 }
    }

    /// Returns the number of strings, which is also the id of the next one.
    pub(super) fn len(&self) -> u32 {
        self.entries as u32
    }

    pub(super) fn find(&self, text: &[u8], log: &[u8]) -> Option<u32> {
        let hash = hash(text);
        self.probe(hash)
            .take_while(|slot| slot.at != 0)
            .find(|slot| slot.is(hash, text, log))
            .map(|slot| slot.id)
    }

    /// Adds the string of `len` bytes at offset `at` of the log under the next id. Returns `None`
    /// if there is no room for it.
    pub(super) fn add(&mut self, at: usize, len: usize, log: &[u8]) -> Option<u32> {
        if (self.entries + 1) * 2 > self.slots.len() {
            self.grow()?;
        }
        let id = self.len();
        let entry = Entry { hash: hash(&log[at..at + len]), at, len: u32::try_from(len).ok()?, id };
        self.insert(entry);
        self.entries += 1;
        Some(id)
    }

    fn grow(&mut self) -> Option<()> {
        let len = (self.slots.len() * 2).max(Self::FIRST);
        let mut slots = PageVec::new(self.budget);
        slots.resize(len, FREE)?;
        let old = core::mem::replace(&mut self.slots, slots);
        for &slot in old.iter().filter(|slot| slot.at != 0) {
            self.insert(slot);
        }
        Some(())
    }

    fn insert(&mut self, entry: Entry) {
        let mask = self.slots.len() - 1;
        let mut at = entry.hash as usize & mask;
        while self.slots[at].at != 0 {
            at = (at + 1) & mask;
        }
        self.slots[at] = entry;
    }

    fn probe(&self, hash: u64) -> impl Iterator<Item = &Entry> {
        let first = hash as usize & self.slots.len().saturating_sub(1);
        self.slots[first..].iter().chain(&self.slots[..first])
    }
}

impl Entry {
    fn is(&self, hash: u64, text: &[u8], log: &[u8]) -> bool {
        self.hash == hash && log.get(self.at..self.at + self.len as usize) == Some(text)
    }
}

fn hash(text: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(text);
    hasher.finish()
}
