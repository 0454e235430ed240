//! Tables of the requests and the operations on windows that a thread has started and not
//! completed.
//!
//! Each thread has tables of its own, so that no lock is needed; another thread that completes a
//! request finds it in the table of the thread that started it. A key can have several entries,
//! since libraries return the same handle for several sends that are complete; they are found in
//! the order in which they were inserted. Invariants: only the owner of a table links and unlinks
//! entries; an entry belongs to the thread that has exchanged its key for [`CLAIMED`]; memory is
//! never freed.

use core::ptr;
use core::sync::atomic::{
    AtomicPtr, AtomicU64, AtomicUsize,
    Ordering::{AcqRel, Acquire, Relaxed, Release},
};

use crate::mapped::{Zeroed, zeroed};
use crate::slots::{Key, SharedSlots};

/// The number of fields of an entry.
pub(super) const FIELDS: usize = 6;
/// The values of an entry.
pub(super) type Fields = [u64; FIELDS];

/// The key of an entry that is not in use.
const FREE: usize = 0;
/// The key of an entry that another thread has removed; its owner unlinks it.
const DEAD: usize = usize::MAX;
/// The key of an entry that belongs to a thread.
const CLAIMED: usize = usize::MAX - 1;

const BUCKETS: usize = 256;
/// The number of entries that are allocated together.
const CHUNK: usize = 1024;
/// The number of removed entries that a table keeps until its owner unlinks them.
const MOST_DEAD: usize = 64;

/// An entry.
#[derive(Debug)]
pub(super) struct TableEntry {
    next: AtomicPtr<TableEntry>,
    key: AtomicUsize,
    fields: [AtomicU64; FIELDS],
}

// SAFETY: atomics are integers and pointers that may be null.
unsafe impl Zeroed for TableEntry {}

impl TableEntry {
    pub(super) fn fields(&self) -> Fields {
        core::array::from_fn(|place| self.fields[place].load(Relaxed))
    }

    pub(super) fn set_fields(&self, fields: Fields) {
        self.fields.iter().zip(fields).for_each(|(field, value)| field.store(value, Relaxed));
    }

    /// Whether the entry is in use with this key and belongs to no thread.
    pub(super) fn has_key(&self, key: usize) -> bool {
        self.key.load(Relaxed) == key
    }

    fn claim(&self, key: usize) -> bool {
        self.has_key(key) && self.key.compare_exchange(key, CLAIMED, AcqRel, Relaxed).is_ok()
    }

    /// Gives up a claimed entry, which stays in its table.
    pub(super) fn release(&self, key: usize) {
        self.key.store(key, Release);
    }
}

/// A table of one thread.
#[derive(Debug)]
pub(super) struct EntryTable {
    heads: [AtomicPtr<TableEntry>; BUCKETS],
    tails: [AtomicPtr<TableEntry>; BUCKETS],
    free: AtomicPtr<TableEntry>,
    /// The number of entries that other threads have removed.
    dead: AtomicUsize,
    /// Changes whenever an entry is unlinked.
    version: AtomicUsize,
}

fn bucket(key: usize) -> usize {
    ((key as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56) as usize
}

/// Follows a link.
fn follow(link: &AtomicPtr<TableEntry>) -> Option<&'static TableEntry> {
    // SAFETY: null, or an entry of a chunk, which is never freed.
    unsafe { link.load(Acquire).as_ref() }
}

fn chain(head: &AtomicPtr<TableEntry>) -> impl Iterator<Item = &'static TableEntry> {
    core::iter::successors(follow(head), |entry| follow(&entry.next))
}

fn address(entry: &'static TableEntry) -> *mut TableEntry {
    ptr::from_ref(entry).cast_mut()
}

impl EntryTable {
    /// Inserts an entry at the end of its chain. Returns false if memory is refused. Only for the
    /// owner.
    pub(super) fn insert(&self, key: usize, fields: Fields) -> bool {
        let Some(entry) = self.take_free() else { return false };
        entry.set_fields(fields);
        entry.next.store(ptr::null_mut(), Relaxed);
        entry.key.store(key, Relaxed);
        let number = bucket(key);
        let before = follow(&self.tails[number]).map_or(&self.heads[number], |last| &last.next);
        before.store(address(entry), Release);
        self.tails[number].store(address(entry), Relaxed);
        true
    }

    fn take_free(&self) -> Option<&'static TableEntry> {
        if self.dead.load(Relaxed) >= MOST_DEAD {
            self.sweep();
        }
        if self.free.load(Relaxed).is_null() {
            zeroed::<TableEntry>(CHUNK)?.iter().for_each(|entry| self.put_free(entry));
        }
        let entry = follow(&self.free)?;
        self.free.store(entry.next.load(Relaxed), Relaxed);
        Some(entry)
    }

    fn put_free(&self, entry: &'static TableEntry) {
        entry.key.store(FREE, Relaxed);
        entry.next.store(self.free.load(Relaxed), Relaxed);
        self.free.store(address(entry), Relaxed);
    }

    /// Claims the first entry of a key for which `is_it` is true.
    pub(super) fn claim(&self, key: usize, is_it: impl Fn(&Fields) -> bool) -> Option<&'static TableEntry> {
        if key == FREE || key >= CLAIMED {
            return None;
        }
        loop {
            let version = self.version.load(Acquire);
            for entry in chain(&self.heads[bucket(key)]) {
                if entry.claim(key) {
                    if is_it(&entry.fields()) {
                        return Some(entry);
                    }
                    entry.release(key);
                }
            }
            // An entry that was unlinked meanwhile may have led to another chain.
            if self.version.load(Acquire) == version {
                return None;
            }
        }
    }

    /// Claims every entry for which `is_it` is true, and passes it and its key on.
    pub(super) fn claim_all(
        &self,
        is_it: impl Fn(&Fields) -> bool,
        mut take: impl FnMut(&'static TableEntry, usize),
    ) {
        for head in &self.heads {
            for entry in chain(head) {
                let key = entry.key.load(Relaxed);
                if key == FREE || key >= CLAIMED || !entry.claim(key) {
                    continue;
                }
                match is_it(&entry.fields()) {
                    true => take(entry, key),
                    false => entry.release(key),
                }
            }
        }
    }

    /// Removes a claimed entry of this table, with its key. `is_own` is true on the owner's thread.
    pub(super) fn remove(&self, entry: &'static TableEntry, key: usize, is_own: bool) {
        match is_own {
            true => self.unlink(entry, bucket(key)),
            false => {
                self.dead.fetch_add(1, Relaxed);
                entry.key.store(DEAD, Release);
            }
        }
    }

    fn unlink(&self, entry: &'static TableEntry, number: usize) {
        let mut before: Option<&'static TableEntry> = None;
        for other in chain(&self.heads[number]) {
            if ptr::eq(other, entry) {
                let next = entry.next.load(Relaxed);
                before.map_or(&self.heads[number], |before| &before.next).store(next, Release);
                if next.is_null() {
                    self.tails[number].store(before.map_or(ptr::null_mut(), address), Relaxed);
                }
                self.version.fetch_add(1, Release);
                return self.put_free(entry);
            }
            before = Some(other);
        }
    }

    /// Unlinks entries that other threads have removed.
    #[cold]
    fn sweep(&self) {
        self.dead.store(0, Relaxed);
        for (head, tail) in self.heads.iter().zip(&self.tails) {
            let (mut before, mut next): (Option<&'static TableEntry>, _) = (None, follow(head));
            while let Some(entry) = next {
                next = follow(&entry.next);
                if entry.key.load(Acquire) != DEAD {
                    before = Some(entry);
                    continue;
                }
                let link = before.map_or(head, |before| &before.next);
                link.store(next.map_or(ptr::null_mut(), address), Release);
                self.version.fetch_add(1, Release);
                self.put_free(entry);
            }
            tail.store(before.map_or(ptr::null_mut(), address), Relaxed);
        }
    }
}

/// The tables of a thread, and its memory for statuses.
#[derive(Debug)]
pub(crate) struct Tables {
    pub(super) requests: EntryTable,
    /// Operations on windows.
    pub(super) pending: EntryTable,
    /// The tables of another thread.
    next: AtomicPtr<Tables>,
    scratch: AtomicPtr<u64>,
    scratch_words: AtomicUsize,
}

// SAFETY: atomics are integers and pointers that may be null.
unsafe impl Zeroed for Tables {}

/// The tables of the thread that has a location.
static OF_LOCATION: Key<Tables> = Key::new();
/// The tables of all threads.
static ALL: AtomicPtr<Tables> = AtomicPtr::new(ptr::null_mut());

impl Tables {
    /// Returns the tables in the slots of a location, which are created at the first use; `None` if
    /// memory is refused. Only for the thread that has the location.
    pub(super) fn of(slots: &SharedSlots) -> Option<&'static Self> {
        slots.get(&OF_LOCATION).or_else(|| Self::make(slots))
    }

    #[cold]
    fn make(slots: &SharedSlots) -> Option<&'static Self> {
        let [tables] = zeroed::<Self>(1)? else { return None };
        let tables: &'static Self = tables;
        let new = ptr::from_ref(tables).cast_mut();
        slots.set(&OF_LOCATION, Some(tables));
        let mut first = ALL.load(Relaxed);
        loop {
            tables.next.store(first, Relaxed);
            match ALL.compare_exchange_weak(first, new, Release, Relaxed) {
                Ok(_) => return Some(tables),
                Err(other) => first = other,
            }
        }
    }

    /// Returns the tables of all threads.
    pub(super) fn all() -> impl Iterator<Item = &'static Self> {
        // SAFETY: null, or tables that are never freed.
        let follow = |link: &AtomicPtr<Self>| unsafe { link.load(Acquire).as_ref() };
        core::iter::successors(follow(&ALL), move |tables: &&'static Self| follow(&tables.next))
    }

    /// Returns memory for the claims and statuses of `count` requests; `None` if memory is refused.
    ///
    /// # Safety
    ///
    /// Only for the owner, which must not use the memory any more when it calls this again.
    pub(super) unsafe fn scratch(&self, count: usize, status_bytes: usize) -> Option<Scratch> {
        let words = count * CLAIM_WORDS;
        let all = words + (count * status_bytes).div_ceil(8);
        if self.scratch_words.load(Relaxed) < all {
            let all = all.checked_next_power_of_two()?.max(1024);
            let memory = zeroed::<Word>(all)?;
            self.scratch.store(memory.as_mut_ptr().cast(), Relaxed);
            self.scratch_words.store(all, Relaxed);
        }
        let memory = self.scratch.load(Relaxed);
        // SAFETY: the memory has room for that many claims, is aligned for words, and belongs to
        // the caller. Its bytes are valid, as they are overwritten first.
        let claims = unsafe {
            for place in 0..count {
                memory.cast::<Option<Claim>>().add(place).write(None);
            }
            core::slice::from_raw_parts_mut(memory.cast::<Option<Claim>>(), count)
        };
        // SAFETY: inside the memory.
        let statuses = unsafe { memory.add(words) };
        Some(Scratch { claims, statuses: statuses.expose_provenance() })
    }

    /// Claims the first entry of a request's handle, in the table of this thread or of another one.
    pub(super) fn claim(&'static self, key: usize) -> Option<Claim> {
        let own = self.requests.claim(key, |_| true).map(|entry| Claim { tables: self, entry, key });
        own.or_else(|| {
            let others = Self::all().filter(|other| !ptr::eq(*other, self));
            others.into_iter().find_map(|tables| {
                let entry = tables.requests.claim(key, |_| true)?;
                Some(Claim { tables, entry, key })
            })
        })
    }

    /// Claims operations on windows for which `is_it` is true, of all threads, up to the length of
    /// `claims`. Returns their number.
    pub(super) fn claim_pending(claims: &mut [Option<Claim>], is_it: impl Fn(&Fields) -> bool) -> usize {
        let mut count = 0;
        for tables in Self::all() {
            tables.pending.claim_all(&is_it, |entry, key| match claims.get_mut(count) {
                Some(place) => {
                    *place = Some(Claim { tables, entry, key });
                    count += 1;
                }
                None => entry.release(key),
            });
        }
        count
    }

    /// Claims the first operation with this key for which `is_it` is true, of any thread.
    pub(super) fn claim_operation(
        &'static self,
        key: usize,
        is_it: impl Fn(&Fields) -> bool,
    ) -> Option<Claim> {
        let others = Self::all().filter(|other| !ptr::eq(*other, self));
        core::iter::once(self).chain(others).find_map(|tables| {
            let entry = tables.pending.claim(key, &is_it)?;
            Some(Claim { tables, entry, key })
        })
    }

    /// Removes a claimed operation, on the thread that owns `self`.
    pub(super) fn remove_operation(&self, claim: &Claim) {
        claim.tables.pending.remove(claim.entry, claim.key, ptr::eq(self, claim.tables));
    }

    /// Removes a claimed request, on the thread that owns `self`.
    pub(super) fn remove(&self, claim: &Claim) {
        claim.tables.requests.remove(claim.entry, claim.key, ptr::eq(self, claim.tables));
    }
}

/// A request that belongs to this thread for the moment.
#[derive(Debug, Clone, Copy)]
pub(super) struct Claim {
    tables: &'static Tables,
    pub(super) entry: &'static TableEntry,
    key: usize,
}

const CLAIM_WORDS: usize = size_of::<Option<Claim>>() / 8;

impl Claim {
    /// Gives the request up, which stays in its table.
    pub(super) fn release(&self) {
        self.entry.release(self.key);
    }

    /// Whether the request has this handle.
    pub(super) fn is_of(&self, handle: usize) -> bool {
        self.key == handle
    }
}

/// Memory for a call.
#[derive(Debug)]
pub(super) struct Scratch {
    pub(super) claims: &'static mut [Option<Claim>],
    /// The address of the statuses.
    pub(super) statuses: usize,
}

/// A word of memory.
struct Word(#[allow(dead_code, reason = "only its memory is used")] u64);

// SAFETY: an integer.
unsafe impl Zeroed for Word {}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> &'static EntryTable {
        &Tables::of(&SharedSlots::default()).unwrap().requests
    }

    fn first(table: &EntryTable, key: usize) -> Option<u64> {
        let entry = table.claim(key, |_| true)?;
        let value = entry.fields()[0];
        table.remove(entry, key, true);
        Some(value)
    }

    /// Libraries return one handle for all sends that are complete when they are started.
    #[test]
    fn entries_with_equal_keys_are_found_in_their_order() {
        let table = table();
        (0..5000).for_each(|value| assert!(table.insert(64, [value, 0, 0, 0, 0, 0])));
        assert!(table.insert(72, [7; FIELDS]));
        (0..5000).for_each(|value| assert_eq!(first(table, 64), Some(value)));
        assert_eq!([first(table, 64), first(table, 72), first(table, 72)], [None, Some(7), None]);
    }

    #[test]
    fn a_claimed_entry_is_not_found_again_until_it_is_released() {
        let table = table();
        assert!([1, 2].into_iter().all(|value| table.insert(8, [value; FIELDS])));
        let one = table.claim(8, |_| true).unwrap();
        assert_eq!(first(table, 8), Some(2));
        assert_eq!(first(table, 8), None);
        one.release(8);
        assert_eq!(first(table, 8), Some(1));
    }

    #[test]
    fn other_threads_complete_what_a_thread_starts() {
        const COUNT: u64 = 4_000;
        let table = table();
        let sum = AtomicU64::new(0);
        std::thread::scope(|scope| {
            for number in 0..3 {
                let sum = &sum;
                scope.spawn(move || {
                    let mut left = COUNT / 4;
                    while left > 0 {
                        if let Some(entry) = table.claim(16, |_| true) {
                            sum.fetch_add(entry.fields()[0], Relaxed);
                            table.remove(entry, 16, false);
                            left -= 1;
                        } else if number == 0 {
                            std::thread::yield_now();
                        }
                    }
                });
            }
            (0..COUNT).for_each(|value| assert!(table.insert(16, [value; FIELDS])));
        });
        while let Some(value) = first(table, 16) {
            sum.fetch_add(value, Relaxed);
        }
        assert_eq!(sum.into_inner(), COUNT * (COUNT - 1) / 2);
    }
}
