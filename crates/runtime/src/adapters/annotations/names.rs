//! The names that a program makes up, with the handles of their definitions.
//!
//! Invariants: a name that was seen once is found without a lock and without memory; a program that
//! makes up a name for each step does not fill the definitions ([`MOST`]).

use std::panic::{self, AssertUnwindSafe};
use std::ptr;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::address_table::{AddressTable, UNKNOWN};
use crate::cancellation::uncancelled;
use crate::processes::may_allocate;

/// The largest number of names with a definition of their own.
pub(super) const MOST: usize = 10_000;
/// The name of all others.
const REST: &[u8] = "…".as_bytes();

/// The handle of the definition of a name in a space of names.
#[derive(Debug)]
struct NamedHandle {
    space: usize,
    name: Box<[u8]>,
    handle: u32,
    /// Another one whose name has the same hash.
    next: *const NamedHandle,
}

/// The names of one kind of definitions.
pub(super) struct NameTable {
    /// The addresses of handles by the hashes of their spaces and names.
    table: AddressTable,
    /// The number of names. Names are added under this lock.
    count: Mutex<usize>,
    /// The handle of the names beyond the limit; 0 before.
    rest: AtomicU32,
}

pub(in super::super) type NamesHold = MutexGuard<'static, usize>;

impl NameTable {
    pub(super) const fn new() -> Self {
        Self { table: AddressTable::new(), count: Mutex::new(0), rest: AtomicU32::new(0) }
    }

    /// Keeps names from being added, as while the process forks.
    pub(super) fn hold(&'static self) -> NamesHold {
        self.count.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the handle of a name if it is known.
    #[inline]
    pub(super) fn find(&self, space: usize, name: &[u8]) -> Option<u32> {
        let first = self.table.get(hash(space, name));
        let mut at = ptr::with_exposed_provenance::<NamedHandle>(first as usize);
        // SAFETY: null, or the address of an object that was complete when it was stored, and is
        // never freed nor changed.
        while let Some(named) = unsafe { at.as_ref() } {
            if named.space == space && *named.name == *name {
                return Some(named.handle);
            }
            at = named.next;
        }
        None
    }

    /// Makes the definition of a name; `None` if nothing can be defined now. The first name beyond
    /// the limit is reported. The thread must be inside the runtime: nothing that is called here
    /// may be recorded.
    #[cold]
    pub(super) fn define(
        &'static self,
        space: usize,
        name: &[u8],
        definition: impl Fn(&[u8]) -> u32,
        report_limit: impl FnOnce(),
    ) -> Option<u32> {
        match self.rest.load(Relaxed) {
            0 => {}
            rest => return Some(rest),
        }
        if !may_allocate() {
            return None;
        }
        let add = || uncancelled(|| self.add(space, name, definition, report_limit));
        panic::catch_unwind(AssertUnwindSafe(add)).ok()
    }

    fn add(
        &'static self,
        space: usize,
        name: &[u8],
        definition: impl Fn(&[u8]) -> u32,
        report_limit: impl FnOnce(),
    ) -> u32 {
        let mut count = self.hold();
        if let Some(known) = self.find(space, name) {
            return known;
        }
        if *count >= MOST {
            let rest = definition(REST);
            if self.rest.swap(rest, Relaxed) == 0 {
                report_limit();
            }
            return rest;
        }
        let handle = definition(name);
        let key = hash(space, name);
        let next = ptr::with_exposed_provenance(self.table.get(key) as usize);
        let named = Box::leak(Box::new(NamedHandle { space, name: name.into(), handle, next }));
        self.table.set(key, ptr::from_mut(named).expose_provenance() as u64);
        *count += 1;
        handle
    }
}

impl std::fmt::Debug for NameTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NameTable").finish_non_exhaustive()
    }
}

// SAFETY: the pointer leads to an object that lives forever, and that no thread changes.
unsafe impl Sync for NamedHandle {}

/// Returns a hash of a space and a name, which is not 0.
#[inline]
fn hash(space: usize, name: &[u8]) -> usize {
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    let mix = |hash: u64, word: u64| {
        let product = u128::from(hash ^ word) * u128::from(FACTOR);
        product as u64 ^ (product >> u64::BITS) as u64
    };
    let (words, rest) = name.as_chunks::<8>();
    let mut last = [0; 8];
    last.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
    let start = mix(space as u64, name.len() as u64 | 1 << 63);
    let hash = words.iter().chain([&last]).fold(start, |hash, word| mix(hash, u64::from_ne_bytes(*word)));
    (hash as usize).max((UNKNOWN + 1) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_spaces_have_hashes_of_their_own() {
        let names: [&[u8]; 7] = [b"", b"\0", b"a", b"a\0", b"12345678", b"123456789", b"12345678\0"];
        let hashes: std::collections::BTreeSet<_> =
            [8, 16].into_iter().flat_map(|space| names.map(|name| hash(space, name))).collect();
        assert_eq!(hashes.len(), 14);
    }
}
