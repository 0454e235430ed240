//! The sizes of the blocks of memory that the program holds, by address.
//!
//! The addresses are spread over shards, each of which has a lock that is held for one look-up.
//! Memory comes from the system, never from an allocator. Invariants: an address is in the table at
//! most once; a thread that is interrupted while it holds a lock does not wait for one in the
//! handler ([`try_take`]).

use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, AtomicUsize, Ordering::*};

use crate::mapped::{Zeroed, zeroed};
use crate::thread;

const SHARDS: usize = 64;
const FIRST_SLOTS: usize = 256;
/// The attempts to take a lock before the thread lets others run.
const ATTEMPTS: u32 = 100;

/// A block; a free slot has the address 0.
struct BlockSlot {
    address: AtomicUsize,
    size: AtomicUsize,
}

// SAFETY: atomics are integers.
unsafe impl Zeroed for BlockSlot {}

/// A part of the table: open addressing over a power of two of slots, at most half of them taken.
#[repr(align(64))]
struct Shard {
    is_locked: AtomicBool,
    slots: AtomicPtr<BlockSlot>,
    count: AtomicUsize,
    taken: AtomicUsize,
}

static TABLE: [Shard; SHARDS] = [const { Shard::new() }; SHARDS];
/// The thread that holds all locks, by the address of its state; 0 without one.
static HOLDER: AtomicUsize = AtomicUsize::new(0);
/// The number of blocks that could not be stored, for lack of memory.
static UNKNOWN: AtomicU64 = AtomicU64::new(0);

/// Stores a block. Returns the size of the block at this address that was never freed, as far as is
/// known.
pub(super) fn put(address: usize, size: usize) -> Option<usize> {
    let (shard, hash) = shard(address);
    let _lock = shard.lock();
    shard.put(address, hash, size)
}

/// Removes a block and returns its size.
pub(super) fn take(address: usize) -> Option<usize> {
    let (shard, hash) = shard(address);
    let _lock = shard.lock();
    shard.take(address, hash)
}

/// Like [`take`], but does nothing if that would have to wait.
pub(super) fn try_take(address: usize) -> Option<usize> {
    let (shard, hash) = shard(address);
    let _lock = shard.try_lock()?;
    shard.take(address, hash)
}

/// Returns the shard of an address, and a hash whose upper bits choose the slot.
fn shard(address: usize) -> (&'static Shard, u64) {
    // Fibonacci hashing. Blocks are aligned to 16 bytes.
    let hash = (address as u64 >> 4).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (&TABLE[(hash >> 58) as usize], hash << 6)
}

impl Shard {
    const fn new() -> Self {
        Self {
            is_locked: AtomicBool::new(false),
            slots: AtomicPtr::new(std::ptr::null_mut()),
            count: AtomicUsize::new(0),
            taken: AtomicUsize::new(0),
        }
    }

    fn try_lock(&self) -> Option<ShardLock<'_>> {
        if HOLDER.load(Relaxed) == thread::key() {
            return Some(ShardLock(None));
        }
        let is_mine = self.is_locked.compare_exchange(false, true, Acquire, Relaxed).is_ok();
        is_mine.then(|| ShardLock(Some(self)))
    }

    fn lock(&self) -> ShardLock<'_> {
        let mut attempts = 0;
        loop {
            if let Some(lock) = self.try_lock() {
                return lock;
            }
            attempts += 1;
            match attempts < ATTEMPTS {
                true => std::hint::spin_loop(),
                // SAFETY: takes nothing.
                false => unsafe {
                    libc::sched_yield();
                },
            }
        }
    }

    fn slots(&self) -> &[BlockSlot] {
        let (slots, count) = (self.slots.load(Relaxed), self.count.load(Relaxed));
        if slots.is_null() {
            return &[];
        }
        // SAFETY: memory of `grow`, which has that many slots and is never freed. The lock is held,
        // so both belong together.
        unsafe { std::slice::from_raw_parts(slots, count) }
    }

    fn put(&self, address: usize, hash: u64, size: usize) -> Option<usize> {
        if self.taken.load(Relaxed) * 2 >= self.count.load(Relaxed) && !self.grow() {
            UNKNOWN.fetch_add(1, Relaxed);
            return None;
        }
        let slots = self.slots();
        let slot = slots.get(find(slots, address, hash)?)?;
        let before = slot.address.swap(address, Relaxed);
        let size = slot.size.swap(size, Relaxed);
        match before {
            0 => {
                self.taken.fetch_add(1, Relaxed);
                None
            }
            _ => Some(size),
        }
    }

    fn take(&self, address: usize, hash: u64) -> Option<usize> {
        let slots = self.slots();
        let place = find(slots, address, hash)?;
        let slot = slots.get(place)?;
        if slot.address.load(Relaxed) == 0 {
            return None;
        }
        self.taken.fetch_sub(1, Relaxed);
        let size = slot.size.load(Relaxed);
        close_gap(slots, place);
        Some(size)
    }

    /// Doubles the number of slots; returns false if memory is refused.
    #[cold]
    fn grow(&self) -> bool {
        let old = self.slots();
        let count = (2 * old.len()).max(FIRST_SLOTS);
        let Some(new) = zeroed::<BlockSlot>(count) else { return false };
        for slot in old {
            let address = slot.address.load(Relaxed);
            if let Some(place) = find(new, address, shard(address).1).filter(|_| address != 0) {
                new[place].address.store(address, Relaxed);
                new[place].size.store(slot.size.load(Relaxed), Relaxed);
            }
        }
        self.count.store(count, Relaxed);
        self.slots.store(new.as_mut_ptr(), Relaxed);
        true
    }
}

/// Returns the first place to look for a hash.
fn home(slots: &[BlockSlot], hash: u64) -> usize {
    (hash >> (u64::BITS - slots.len().trailing_zeros())) as usize
}

/// Returns the place of an address, or the free one where it would be; `None` without slots.
fn find(slots: &[BlockSlot], address: usize, hash: u64) -> Option<usize> {
    let last = slots.len().checked_sub(1)?;
    let mut place = home(slots, hash);
    loop {
        let found = slots[place].address.load(Relaxed);
        if found == address || found == 0 {
            return Some(place);
        }
        place = (place + 1) & last;
    }
}

/// Frees a place. Moves the blocks after it that could not be found any more.
fn close_gap(slots: &[BlockSlot], mut gap: usize) {
    let last = slots.len() - 1;
    let mut place = gap;
    loop {
        place = (place + 1) & last;
        let address = slots[place].address.load(Relaxed);
        if address == 0 {
            break;
        }
        let home = home(slots, shard(address).1);
        // The block is found from its home on, so it may move if the gap is not before that.
        if place.wrapping_sub(home) & last >= place.wrapping_sub(gap) & last {
            slots[gap].address.store(address, Relaxed);
            slots[gap].size.store(slots[place].size.load(Relaxed), Relaxed);
            gap = place;
        }
    }
    slots[gap].address.store(0, Relaxed);
}

/// The lock of a shard; `None` if this thread holds all of them.
struct ShardLock<'a>(Option<&'a Shard>);

impl Drop for ShardLock<'_> {
    fn drop(&mut self) {
        if let Some(shard) = self.0 {
            shard.is_locked.store(false, Release);
        }
    }
}

/// All locks. Meanwhile, only the thread that holds them changes the table.
#[derive(Debug)]
pub(crate) struct HeldBlocks(());

/// Keeps other threads from changing the table while the process forks.
pub(crate) fn hold() -> HeldBlocks {
    TABLE.iter().for_each(|shard| std::mem::forget(shard.lock()));
    HOLDER.store(thread::key(), Relaxed);
    HeldBlocks(())
}

impl Drop for HeldBlocks {
    fn drop(&mut self) {
        HOLDER.store(0, Relaxed);
        TABLE.iter().for_each(|shard| shard.is_locked.store(false, Release));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Addresses that no other test uses.
    fn address(number: usize) -> usize {
        0x7000_0000_0000 + number * 16
    }

    #[test]
    fn blocks_are_found_until_they_are_taken() {
        const COUNT: usize = 100_000;
        assert!((0..COUNT).all(|number| put(address(number), number).is_none()));
        assert_eq!(put(address(7), 70), Some(7));
        assert!((0..COUNT).step_by(3).all(|number| take(address(number)).is_some()));
        assert!((0..COUNT).step_by(3).all(|number| take(address(number)).is_none()));
        let expected = |number| if number == 7 { 70 } else { number };
        let rest = (0..COUNT).filter(|number| number % 3 != 0);
        assert!(rest.into_iter().all(|number| take(address(number)) == Some(expected(number))));
    }

    #[test]
    fn threads_share_the_table() {
        let pass = |from: usize| {
            for number in from..from + 20_000 {
                assert_eq!(put(address(number), number), None);
            }
            (from..from + 20_000)
                .all(|number| try_take(address(number)).or_else(|| take(address(number))) == Some(number))
        };
        std::thread::scope(|scope| {
            let threads = [1, 2, 3].map(|number| scope.spawn(move || pass(number * 1_000_000)));
            assert!(threads.into_iter().all(|thread| thread.join().unwrap()));
        });
    }

    #[test]
    fn the_thread_that_holds_all_locks_can_change_the_table() {
        let hold = hold();
        assert_eq!((put(address(9_000_000), 5), take(address(9_000_000))), (None, Some(5)));
        let other = std::thread::spawn(|| try_take(address(9_000_001)));
        // It waits for a lock that it needs to be started, if at all.
        drop(hold);
        assert_eq!(other.join().unwrap(), None);
    }
}
