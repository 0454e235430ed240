//! Critical sections, ordered blocks and locks: who holds them, and in which order.
//!
//! A lock is known by its address and kind. The number of an acquisition is counted while the lock
//! is held, and kept by the holder: a runtime reports a release when the next thread may already
//! have acquired the lock. Such a release gets the time of that acquisition at the latest, and that
//! of the last event of its location if the former is not known any more.

use std::cell::Cell;
use std::ptr;
use std::sync::MutexGuard;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed, Ordering::SeqCst};

use kymo_substrate::bindings::SCOREP_REGION_WRAPPER;

use super::sites::{Construct, FILE, Site, define_region};
use super::state::LocationState;
use crate::adapters::lazy_handle::LazyHandle;
use crate::address_table::{AddressTable, UNKNOWN};
use crate::mapped::{Zeroed, zeroed};
use crate::measurement::{Here, Region};

/// The number of acquisitions whose times are kept.
const TIMES: usize = 8;
/// How often a release looks for the time of an acquisition that has just happened.
const TIME_LOOKS: usize = 1000;

/// The kinds of locks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LockKind {
    Critical,
    Ordered,
    Simple,
    Nest,
}

/// A lock.
pub(super) struct OpenMpLock {
    number: AtomicU32,
    order: AtomicU32,
    times: [AtomicU64; TIMES],
}

// SAFETY: atomics are integers.
unsafe impl Zeroed for OpenMpLock {}

/// An acquisition.
#[derive(Clone, Copy)]
pub(super) struct Held {
    lock: *const OpenMpLock,
    order: u32,
    /// The regions to leave; 0 for locks.
    outer: u32,
    block: u32,
    time: u64,
    /// How often a nestable lock was acquired again.
    depth: u32,
}

const BLOCK: usize = 32;
static TABLES: [AddressTable; 4] = [const { AddressTable::new() }; 4];
/// The addresses of blocks of locks by number + 1, and the number of locks, which is changed under
/// the lock of `BLOCKS`.
static BLOCKS: AddressTable = AddressTable::new();
static COUNT: AtomicU32 = AtomicU32::new(0);

pub(super) type OpenMpLocksHold = [MutexGuard<'static, usize>; 4];

pub(super) fn hold() -> OpenMpLocksHold {
    [0, 1, 2, 3].map(|table| TABLES[table].hold())
}

fn lock_of(kind: LockKind, address: usize) -> Option<&'static OpenMpLock> {
    // SAFETY: null, or a lock made by `new_lock`, which is never freed.
    unsafe {
        (TABLES.get(kind as usize)?.get_or_insert(address.max(1), new_lock) as *const OpenMpLock).as_ref()
    }
}

fn new_lock() -> u64 {
    let number = COUNT.fetch_add(1, Relaxed);
    let (block, place) = (number as usize / BLOCK, number as usize % BLOCK);
    let block = BLOCKS.get_or_insert(block + 1, || {
        zeroed::<OpenMpLock>(BLOCK).map_or(UNKNOWN, |locks| locks.as_ptr().addr() as u64)
    });
    if block == UNKNOWN {
        return UNKNOWN;
    }
    // SAFETY: a block has that many locks and is never freed.
    let lock = unsafe { &*(block as *const OpenMpLock).add(place) };
    lock.number.store(number, Relaxed);
    ptr::from_ref(lock).addr() as u64
}

impl OpenMpLock {
    /// Counts an acquisition by the calling thread, and returns its number and time.
    fn acquire(&self, now: impl FnOnce() -> u64) -> (u32, u64) {
        let order = self.order.fetch_add(1, SeqCst).wrapping_add(1);
        let now = now();
        self.times[order as usize % TIMES].store(now, SeqCst);
        (order, now)
    }

    /// Returns the time of the release after an acquisition: now, or when the lock was acquired
    /// again, or that of the acquisition itself if many others have followed.
    fn release(&self, now: u64, held: &Held) -> u64 {
        if self.order.load(SeqCst) == held.order {
            return now;
        }
        let next = &self.times[held.order.wrapping_add(1) as usize % TIMES];
        let mut times = (0..TIME_LOOKS).map(|_| next.load(SeqCst));
        let time = times.find(|&time| time >= held.time).unwrap_or(held.time);
        let is_known = self.order.load(SeqCst).wrapping_sub(held.order) as usize <= TIMES;
        if is_known { time.min(now) } else { held.time }
    }
}

impl LocationState {
    fn push(&self, held: Held) {
        let count = self.held_count.get();
        if let Some(place) = self.held.get(count) {
            place.set(held);
        }
        self.held_count.set(count + 1);
    }

    /// Takes the last acquisition of a lock out of those that the thread holds.
    fn pull(&self, lock: &OpenMpLock) -> Option<Held> {
        let count = self.held_count.get().min(self.held.len());
        let all = self.held.get(..count)?;
        let place = all.iter().rposition(|held| ptr::eq(held.get().lock, lock))?;
        let held = all.get(place)?.get();
        all.windows(2).skip(place).for_each(|pair| pair[0].set(pair[1].get()));
        self.held_count.set(self.held_count.get() - 1);
        Some(held)
    }

    fn find(&self, lock: &OpenMpLock) -> Option<&Cell<Held>> {
        let count = self.held_count.get().min(self.held.len());
        self.held.get(..count)?.iter().rev().find(|held| ptr::eq(held.get().lock, lock))
    }
}

impl LocationState {
    /// Counts a release of a nestable lock that stays held.
    fn loosen(&self, lock: &OpenMpLock) -> Option<Held> {
        let held = self.find(lock)?;
        held.set(Held { depth: held.get().depth.saturating_sub(1), ..held.get() });
        Some(held.get())
    }
}

/// Returns whether the calling thread holds a nestable lock.
pub(super) fn is_held(here: &Here, address: usize) -> bool {
    parts(here, LockKind::Nest, address).is_some_and(|(state, lock)| state.find(lock).is_some())
}

/// Returns whether the next release of a nestable lock is the last one.
pub(super) fn is_held_once(here: &Here, address: usize) -> bool {
    let held = parts(here, LockKind::Nest, address).and_then(|(state, lock)| state.find(lock));
    held.is_none_or(|held| held.get().depth == 0)
}

/// The state of the calling thread, and a lock.
fn parts(
    here: &Here,
    kind: LockKind,
    address: usize,
) -> Option<(&'static LocationState, &'static OpenMpLock)> {
    let (_, location) = here.parts();
    Some((LocationState::of(location)?, lock_of(kind, address)?))
}

/// Keeps when the thread begins to wait for a lock, and how it asks for it.
pub(super) fn wait(here: &Here, how: u32, site: &'static Site) {
    let (_, location) = here.parts();
    if let Some(state) = LocationState::of(location) {
        state.waiting.set((here.now(), how));
        state.waiting_at.set(site);
    }
}

/// Returns the begin and the kind of the wait that [`wait`] kept.
pub(super) fn waited(here: &Here) -> (u64, u32) {
    let (_, location) = here.parts();
    LocationState::of(location).map_or((0, 0), |state| state.waiting.get())
}

/// Enters a critical section or an ordered block, for which the thread waited since a time.
pub(super) fn enter_block(here: &Here, kind: LockKind, address: usize, site: &'static Site, since: u64) {
    let Some((state, lock)) = parts(here, kind, address) else { return };
    let (outer, block) = match kind {
        LockKind::Ordered => (Construct::Ordered, Construct::OrderedBlock),
        _ => (Construct::Critical, Construct::CriticalBlock),
    };
    let (outer, block) = (site.region(outer), site.region(block));
    let (order, now) = lock.acquire(|| here.now());
    here.enter_then(outer, since);
    here.acquire_lock(lock.number.load(Relaxed), order, now);
    here.enter_then(block, now);
    state.push(Held { lock, order, outer: outer.0, block: block.0, time: now, depth: 0 });
}

/// Leaves a critical section or an ordered block. Returns whether it was entered.
pub(super) fn leave_block(here: &Here, kind: LockKind, address: usize) {
    let Some((state, lock)) = parts(here, kind, address) else { return };
    let Some(held) = state.pull(lock) else { return };
    let time = lock.release(here.now(), &held);
    here.leave_then(Region(held.block), time);
    here.release_lock(lock.number.load(Relaxed), held.order, time);
    here.leave_then(Region(held.outer), time);
}

/// Records the call that acquired a lock, which began at a time.
pub(super) fn acquired(here: &Here, kind: LockKind, address: usize, function: Function, since: u64) {
    let Some((state, lock)) = parts(here, kind, address) else { return };
    let (order, now) = lock.acquire(|| here.now());
    here.enter_then(function.region(), since);
    here.acquire_lock(lock.number.load(Relaxed), order, now);
    here.leave_then(function.region(), now);
    state.push(Held { lock, order, outer: 0, block: 0, time: now, depth: 0 });
}

/// Records the call that acquired a lock again that the thread holds.
pub(super) fn acquired_again(here: &Here, address: usize, function: Function, since: u64) {
    let Some((state, lock)) = parts(here, LockKind::Nest, address) else { return };
    let held = state.find(lock);
    let order = held.map_or_else(|| lock.order.load(Relaxed), |held| held.get().order);
    if let Some(held) = held {
        held.set(Held { depth: held.get().depth + 1, ..held.get() });
    }
    let now = here.now();
    here.enter_then(function.region(), since);
    here.acquire_lock(lock.number.load(Relaxed), order, now);
    here.leave_then(function.region(), now);
}

/// Records the call that releases a lock; `is_last` if the thread does not hold it afterwards.
pub(super) fn released(here: &Here, kind: LockKind, address: usize, function: Function, is_last: bool) {
    let Some((state, lock)) = parts(here, kind, address) else { return };
    let held = if is_last { state.pull(lock) } else { state.loosen(lock) };
    let time = held.filter(|_| is_last).map_or_else(|| here.now(), |held| lock.release(here.now(), &held));
    let order = held.map_or_else(|| lock.order.load(Relaxed), |held| held.order);
    here.enter_then(function.region(), time);
    here.release_lock(lock.number.load(Relaxed), order, time);
    here.leave_then(function.region(), time);
}

/// Records a call that neither acquires nor releases a lock.
pub(super) fn called(here: &Here, function: Function) {
    let now = here.now();
    here.enter_then(function.region(), now);
    here.leave_then(function.region(), now);
}

// The functions of locks: the variant, and the name.
macro_rules! functions {
    ($($function:ident $name:literal;)*) => {
        /// The functions of locks, which have regions.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(super) enum Function {
            $($function,)*
        }

        impl Function {
            const COUNT: usize = [$($name),*].len();

            /// Returns the function with this number.
            pub(super) fn numbered(number: u32) -> Option<Self> {
                [$(Self::$function),*].get(number as usize).copied()
            }

            fn name(self) -> &'static str {
                match self {
                    $(Self::$function => $name,)*
                }
            }
        }
    };
}

functions! {
    Init "omp_init_lock";
    InitHint "omp_init_lock_with_hint";
    Destroy "omp_destroy_lock";
    Set "omp_set_lock";
    Unset "omp_unset_lock";
    Test "omp_test_lock";
    InitNest "omp_init_nest_lock";
    InitNestHint "omp_init_nest_lock_with_hint";
    DestroyNest "omp_destroy_nest_lock";
    SetNest "omp_set_nest_lock";
    UnsetNest "omp_unset_nest_lock";
    TestNest "omp_test_nest_lock";
}

impl Function {
    fn region(self) -> Region {
        static REGIONS: [LazyHandle; Function::COUNT] = [const { LazyHandle::new() }; Function::COUNT];
        let define = || define_region(self.name().as_bytes(), FILE, 0, SCOREP_REGION_WRAPPER).0;
        Region(REGIONS.get(self as usize).map_or(0, |region| region.get(define)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A thread that was not running for a while after it had released a lock reported the release
    /// at a time at which others held it.
    #[test]
    fn a_late_release_is_not_after_acquisitions_of_others() {
        let [lock] = zeroed::<OpenMpLock>(1).expect("memory") else { panic!("one lock") };
        let (order, time) = lock.acquire(|| 100);
        let held = Held { lock, order, outer: 0, block: 0, time, depth: 0 };
        assert_eq!(lock.release(150, &held), 150);
        for next in 1..=8 {
            lock.acquire(|| 100 + 100 * next);
            assert_eq!(lock.release(5000, &held), 200);
        }
        for next in 9..40 {
            lock.acquire(|| 100 + 100 * next);
            assert_eq!(lock.release(5000, &held), 100);
        }
    }
}
