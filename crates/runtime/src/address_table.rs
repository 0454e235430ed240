//! A map from addresses to numbers that any thread and any signal handler can read without a lock.
//!
//! Open addressing over a power of two of slots, at most half of them taken. Invariants: a slot
//! that has an address keeps it; a slot's value is stored before its address; a table that has
//! become too small is replaced by a larger one and remains readable.
//!
//! The recorder has a table of its own (`crates/recorder/src/tables/address_table.rs`), whose
//! values store their addresses and most of which are in an array inside the table. With this table
//! as its second level, an event with three metrics costs 12 to 18 instructions more.

use std::sync::atomic::{AtomicPtr, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::mapped::{Zeroed, zeroed};

/// The value of an address that is not in the table.
pub(crate) const UNKNOWN: u64 = 0;

const FIRST_SLOTS: usize = 4096;

struct TableSlot {
    /// The address; 0 marks a free slot, as no function has that address.
    address: AtomicUsize,
    value: AtomicU64,
}

// SAFETY: atomics are integers.
unsafe impl Zeroed for TableSlot {}

struct Slots {
    /// 64 minus the base-2 logarithm of the number of slots.
    shift: u32,
    slots: &'static [TableSlot],
}

/// The place of a `Slots` in zeroed memory; `None` until it is filled in.
struct Header(Option<Slots>);

// SAFETY: an option of a structure that contains a reference is `None` if the reference is null.
unsafe impl Zeroed for Header {}

impl Slots {
    fn new(count: usize) -> Option<&'static Self> {
        let slots = zeroed::<TableSlot>(count)?;
        let [header] = zeroed::<Header>(1)? else { return None };
        Some(header.0.insert(Self { shift: u64::BITS - count.trailing_zeros(), slots }))
    }

    /// Returns the first slot to probe for an address.
    #[inline(always)]
    fn home(&self, address: usize) -> usize {
        // Fibonacci hashing: the upper bits depend on all bits of the address.
        ((address as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> self.shift) as usize
    }

    /// Returns the slot of an address, or the free slot where it would be inserted.
    fn find(&self, address: usize) -> Option<&TableSlot> {
        let (before, from) = self.slots.split_at_checked(self.home(address))?;
        from.iter().chain(before).find(|slot| {
            let it = slot.address.load(Ordering::Acquire);
            it == address || it == 0
        })
    }

    #[inline(never)]
    fn search(&self, address: usize) -> u64 {
        let slot = self.find(address).filter(|slot| slot.address.load(Ordering::Relaxed) == address);
        slot.map_or(UNKNOWN, |slot| slot.value.load(Ordering::Acquire))
    }

    fn insert(&self, address: usize, value: u64) {
        if let Some(slot) = self.find(address) {
            slot.value.store(value, Ordering::Release);
            slot.address.store(address, Ordering::Release);
        }
    }
}

/// A map from addresses to numbers.
pub(crate) struct AddressTable {
    current: AtomicPtr<Slots>,
    /// The number of slots taken. Every change of the table is made under this lock.
    taken: Mutex<usize>,
}

impl AddressTable {
    pub(crate) const fn new() -> Self {
        Self { current: AtomicPtr::new(std::ptr::null_mut()), taken: Mutex::new(0) }
    }

    /// Returns the value of an address, or [`UNKNOWN`].
    #[inline(always)]
    pub(crate) fn get(&self, address: usize) -> u64 {
        let Some(slots) = self.current() else { return UNKNOWN };
        match slots.slots.get(slots.home(address)) {
            Some(slot) if slot.address.load(Ordering::Acquire) == address => {
                slot.value.load(Ordering::Acquire)
            }
            _ => slots.search(address),
        }
    }

    #[inline(always)]
    fn current(&self) -> Option<&'static Slots> {
        // SAFETY: null, or a result of `Slots::new`, which is never freed.
        unsafe { self.current.load(Ordering::Acquire).as_ref() }
    }

    /// Returns the value of an address. If the address has none, `make` provides it, under the lock
    /// of the table.
    pub(crate) fn get_or_insert(&self, address: usize, make: impl FnOnce() -> u64) -> u64 {
        let mut taken = self.hold();
        let known = self.get(address);
        if known != UNKNOWN {
            return known;
        }
        let value = make();
        if let Some(slots) = self.with_room(*taken) {
            *taken +=
                usize::from(slots.find(address).is_some_and(|it| it.address.load(Ordering::Relaxed) == 0));
            slots.insert(address, value);
        }
        value
    }

    /// Sets the value of an address; [`UNKNOWN`] removes it. Returns the value before.
    pub(crate) fn set(&self, address: usize, value: u64) -> u64 {
        let mut taken = self.hold();
        let before = self.get(address);
        if let Some(slots) = self.with_room(*taken) {
            *taken +=
                usize::from(slots.find(address).is_some_and(|it| it.address.load(Ordering::Relaxed) == 0));
            slots.insert(address, value);
        }
        before
    }

    /// Resets all values to [`UNKNOWN`] after running `action`, both under the lock; addresses
    /// stay.
    pub(crate) fn forget(&self, action: impl FnOnce()) {
        let _taken = self.hold();
        action();
        let slots = self.current().map_or(&[][..], |slots| slots.slots);
        slots.iter().for_each(|slot| slot.value.store(UNKNOWN, Ordering::Release));
    }

    /// Passes every address that has a value to `action`, under the lock.
    pub(crate) fn each(&self, mut action: impl FnMut(usize, u64)) {
        let _taken = self.hold();
        for slot in self.current().map_or(&[][..], |slots| slots.slots) {
            let value = slot.value.load(Ordering::Relaxed);
            if value != UNKNOWN {
                action(slot.address.load(Ordering::Relaxed), value);
            }
        }
    }

    /// Locks the table against changes.
    pub(crate) fn hold(&self) -> MutexGuard<'_, usize> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns slots with at least one free, in a larger table if necessary; `None` if memory is
    /// refused.
    fn with_room(&self, taken: usize) -> Option<&'static Slots> {
        let old = self.current();
        let size = old.map_or(0, |slots| slots.slots.len());
        if taken < size / 2 {
            return old;
        }
        let new = Slots::new((2 * size).max(FIRST_SLOTS))?;
        for slot in old.map_or(&[][..], |slots| slots.slots) {
            match slot.address.load(Ordering::Relaxed) {
                0 => {}
                address => new.insert(address, slot.value.load(Ordering::Relaxed)),
            }
        }
        self.current.store(std::ptr::from_ref(new).cast_mut(), Ordering::Release);
        Some(new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_addresses_keep_their_values() {
        let table = AddressTable::new();
        let addresses = (1..20_000_usize).map(|number| number * 16);
        for address in addresses.clone() {
            assert_eq!(table.get(address), UNKNOWN);
            assert_eq!(table.get_or_insert(address, || address as u64 + 1), address as u64 + 1);
        }
        for address in addresses {
            assert_eq!(table.get(address), address as u64 + 1);
            assert_eq!(table.get_or_insert(address, || 0), address as u64 + 1);
        }
    }

    #[test]
    fn a_forgotten_value_is_made_again() {
        let table = AddressTable::new();
        table.forget(|| {});
        table.get_or_insert(64, || 1);
        table.forget(|| {});
        assert_eq!((table.get(64), table.get_or_insert(64, || 2), table.get(64)), (UNKNOWN, 2, 2));
    }

    #[test]
    fn a_value_can_be_changed_and_removed() {
        let table = AddressTable::new();
        assert_eq!((table.set(64, 5), table.set(64, 6), table.get(64)), (UNKNOWN, 5, 6));
        assert_eq!((table.set(64, UNKNOWN), table.get(64)), (6, UNKNOWN));
    }

    #[test]
    fn threads_agree() {
        let table = AddressTable::new();
        let made = AtomicUsize::new(0);
        let insert = |address| {
            table.get_or_insert(address, || {
                made.fetch_add(1, Ordering::Relaxed);
                address as u64
            })
        };
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (1..10_000).for_each(|it| assert_eq!(insert(it * 8), it as u64 * 8)));
            }
        });
        assert_eq!(made.into_inner(), 9_999);
    }
}
