//! The calling contexts of the process, by caller and callee.
//!
//! The table is searched and extended without a lock, in signal handlers, too. Invariants: the
//! content of an entry is complete before the entry is found, and never changes; an entry is never
//! removed.

use std::ptr;
use std::slice;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::*};

use super::code_file::CodePosition;

/// The number of contexts, at most.
const ENTRIES: usize = 1 << 20;
const BUCKETS: usize = 1 << 15;

/// The identity of a context.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ContextKey {
    /// The context of the caller; 0 without one.
    pub(super) caller: u32,
    /// The region that was entered, or the part of a frame.
    pub(super) callee: u32,
    pub(super) code: CodePosition,
}

impl ContextKey {
    fn bucket(self) -> usize {
        let mixed = (u64::from(self.caller) << 32 | u64::from(self.callee))
            .wrapping_mul(0x9E37_79B9_7F4A_7C15)
            ^ self.code.number().wrapping_mul(0xC2B2_AE3D_27D4_EB4F);
        (mixed ^ mixed >> 29).wrapping_mul(0x9E37_79B9_7F4A_7C15) as usize >> 16 & (BUCKETS - 1)
    }
}

#[derive(Debug)]
struct ContextEntry {
    caller: AtomicU32,
    callee: AtomicU32,
    code: AtomicU64,
    context: AtomicU32,
    /// The next entry of the bucket; 0 after the last one.
    next: AtomicU32,
}

impl ContextEntry {
    fn key(&self) -> ContextKey {
        ContextKey {
            caller: self.caller.load(Relaxed),
            callee: self.callee.load(Relaxed),
            code: CodePosition::from_number(self.code.load(Relaxed)),
        }
    }
}

static BUCKET_HEADS: [AtomicU32; BUCKETS] = [const { AtomicU32::new(0) }; BUCKETS];
static TABLE: OnceLock<Option<&'static [ContextEntry]>> = OnceLock::new();
/// The number of entries that were taken. The first one stays empty.
static TAKEN: AtomicU32 = AtomicU32::new(1);

/// Takes the memory of the table.
pub(super) fn prepare() {
    TABLE.get_or_init(|| {
        let size = ENTRIES * size_of::<ContextEntry>();
        let (access, kind) = (
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
        );
        // SAFETY: a new mapping at an address that the system chooses.
        let start = unsafe { libc::mmap(ptr::null_mut(), size, access, kind, -1, 0) };
        // SAFETY: zeroed, aligned and never unmapped; zeros are entries.
        (start != libc::MAP_FAILED).then(|| unsafe { slice::from_raw_parts(start.cast(), ENTRIES) })
    });
}

fn entries() -> &'static [ContextEntry] {
    TABLE.get().copied().flatten().unwrap_or_default()
}

/// Returns the context with this key.
pub(super) fn find(key: ContextKey) -> Option<u32> {
    find_from(BUCKET_HEADS[key.bucket()].load(Acquire), 0, key)
}

/// Searches a bucket from an entry up to another one.
fn find_from(first: u32, last: u32, key: ContextKey) -> Option<u32> {
    let entries = entries();
    let mut at = first;
    while at != last {
        let entry = entries.get(at as usize)?;
        if entry.key() == key {
            return Some(entry.context.load(Relaxed));
        }
        at = entry.next.load(Relaxed);
    }
    None
}

/// Adds a context. Returns that which another thread has added meanwhile, if there is one. Returns
/// `None` if there is no room.
pub(super) fn add(key: ContextKey, context: u32) -> Option<u32> {
    // A full table stays full, so this never overflows in practice.
    let number = TAKEN.fetch_add(1, Relaxed).min(ENTRIES as u32);
    let Some(entry) = entries().get(number as usize) else {
        TAKEN.store(ENTRIES as u32, Relaxed);
        return None;
    };
    entry.caller.store(key.caller, Relaxed);
    entry.callee.store(key.callee, Relaxed);
    entry.code.store(key.code.number(), Relaxed);
    entry.context.store(context, Relaxed);
    let bucket = &BUCKET_HEADS[key.bucket()];
    let (mut first, mut seen) = (bucket.load(Acquire), 0);
    loop {
        if let Some(known) = find_from(first, seen, key) {
            return Some(known);
        }
        entry.next.store(first, Relaxed);
        seen = first;
        match bucket.compare_exchange(first, number, Release, Acquire) {
            Ok(_) => return Some(context),
            Err(newer) => first = newer,
        }
    }
}

/// Returns the number of contexts that have room; 0 if the system refused the memory.
pub(super) fn capacity() -> usize {
    entries().len().saturating_sub(1)
}

/// Returns whether another context can be added.
pub(super) fn has_room() -> bool {
    (TAKEN.load(Relaxed) as usize) < entries().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_context_that_several_threads_add_is_one() {
        prepare();
        let key = |number: u64| ContextKey { caller: 7, callee: 1, code: CodePosition::from_number(number) };
        let add_all = |thread: u32| -> Vec<_> {
            (0..1000).map(|number| add(key(number), 1 + thread * 1000 + number as u32)).collect()
        };
        let all: Vec<_> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|thread| scope.spawn(move || add_all(thread))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        let found: Vec<_> = (0..1000).map(|number| find(key(number))).collect();
        assert!(found.iter().all(Option::is_some));
        assert!(all.iter().all(|of_thread| *of_thread == found));
        assert_eq!(find(ContextKey { caller: 8, ..key(0) }), None);
    }
}
