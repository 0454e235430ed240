//! Values by address. An event callback uses this to find the writer of its location.
//!
//! The table has two levels. Most addresses have their own slot in a small array inside the table:
//! finding them takes a multiplication, a load and a comparison. The others are in an
//! open-addressing table, which is replaced by one of twice the size when it is half full. Old
//! tables stay mapped, because a reader may still be in them (together they are smaller than the
//! current one). Look-ups take no lock; inserts are serialised. Invariant: a slot is null or points
//! to a value that is never freed and stores its own address.

use core::sync::atomic::{
    AtomicPtr,
    Ordering::{Acquire, Release},
};
use std::{
    ptr,
    sync::{Mutex, PoisonError},
};

use crate::memory::Budget;

/// The number of slots in the first level; few under Miri, to keep the tests short.
const FIRST: usize = if cfg!(miri) { 16 } else { 256 };

/// A value that an [`AddressTable`] can contain.
pub trait Addressed: Sync {
    /// Returns the address that it is found by, which is not 0 and never changes.
    fn address(&self) -> usize;
}

/// A map from addresses to `&'static T`. Entries can be replaced, but not removed.
#[derive(Debug)]
pub struct AddressTable<T: 'static> {
    first: [AddressSlot<T>; FIRST],
    others: AtomicPtr<Slots<T>>,
    /// The number of entries in `others`.
    entries: Mutex<usize>,
    budget: &'static Budget,
}

#[derive(Debug)]
struct AddressSlot<T>(AtomicPtr<T>);

/// One generation of the second level: a header and slots in one block.
#[derive(Debug)]
struct Slots<T: 'static> {
    slots: &'static [AddressSlot<T>],
}

impl<T: Addressed> AddressTable<T> {
    /// Creates an empty table. Returns `None` if there is no memory for it.
    pub fn new(budget: &'static Budget) -> Option<Self> {
        let others = AtomicPtr::new(Slots::new(2 * FIRST, budget)?);
        Some(Self { first: [const { AddressSlot::free() }; FIRST], others, entries: Mutex::new(0), budget })
    }

    /// Returns the value for `address`.
    pub fn get(&self, address: usize) -> Option<&'static T> {
        self.get_near(address).or_else(|| self.others().get(address))
    }

    /// Returns the value for `address` if it is in the first level, as most are.
    #[inline(always)]
    pub fn get_near(&self, address: usize) -> Option<&'static T> {
        self.first[near(address)].get().filter(|value| value.address() == address)
    }

    /// Adds a value, replacing an older one with the same address. Returns `None` if there is no
    /// memory to grow.
    #[must_use]
    pub fn insert(&self, value: &'static T) -> Option<()> {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        if self.first[near(value.address())].fill(value) {
            return Some(());
        }
        if (*entries + 1) * 2 > self.others().slots.len() {
            self.grow()?;
        }
        *entries += usize::from(self.others().insert(value));
        Some(())
    }

    fn grow(&self) -> Option<()> {
        let old = self.others();
        let new = Slots::new(old.slots.len() * 2, self.budget)?;
        // SAFETY: created above, not shared yet, and never unmapped.
        let slots = unsafe { &*new };
        for value in old.slots.iter().filter_map(AddressSlot::get) {
            let _ = slots.insert(value);
        }
        self.others.store(new, Release);
        Some(())
    }

    fn others(&self) -> &'static Slots<T> {
        // SAFETY: `new` and `grow` only store tables that are never unmapped.
        unsafe { &*self.others.load(Acquire) }
    }
}

/// Objects' addresses differ in their middle bits; a multiplication moves those to the top
/// (Fibonacci hashing).
#[inline(always)]
fn hash(address: usize) -> usize {
    address.wrapping_mul(0x9e37_79b9_7f4a_7c15_u64 as usize)
}

/// Returns the index of an address's slot in the first level.
#[inline(always)]
fn near(address: usize) -> usize {
    hash(address) >> (usize::BITS - FIRST.trailing_zeros())
}

impl<T: Addressed> AddressSlot<T> {
    const fn free() -> Self {
        Self(AtomicPtr::new(ptr::null_mut()))
    }

    #[inline(always)]
    fn get(&self) -> Option<&'static T> {
        // SAFETY: the pointer is null or was stored by `fill` from a `&'static T`.
        unsafe { self.0.load(Acquire).as_ref() }
    }

    /// Stores `value` in the slot, unless the slot belongs to another address. Returns whether it
    /// did.
    fn fill(&self, value: &'static T) -> bool {
        if self.get().is_some_and(|old| old.address() != value.address()) {
            return false;
        }
        self.0.store(ptr::from_ref(value).cast_mut(), Release);
        true
    }
}

impl<T: Addressed> Slots<T> {
    /// Creates an empty table of `len` slots, which must be a power of two.
    fn new(len: usize, budget: &'static Budget) -> Option<*mut Self> {
        let header = size_of::<Self>().next_multiple_of(align_of::<AddressSlot<T>>());
        let start = budget.take(header + len * size_of::<AddressSlot<T>>())?.leak().as_mut_ptr();
        // SAFETY: the block is long enough for header and slots, page-aligned, never freed, and
        // all-zero slots are free ones.
        unsafe {
            let slots = core::slice::from_raw_parts(start.add(header).cast(), len);
            start.cast::<Self>().write(Self { slots });
        }
        Some(start.cast())
    }

    fn get(&self, address: usize) -> Option<&'static T> {
        self.probe(address).map_while(AddressSlot::get).find(|value| value.address() == address)
    }

    /// Inserts a value and returns whether its address is new. At most half of the slots are in
    /// use, so a free one exists.
    fn insert(&self, value: &'static T) -> bool {
        let is_new = self.get(value.address()).is_none();
        self.probe(value.address()).any(|slot| slot.fill(value));
        is_new
    }

    /// Iterates over all slots, starting with the one where `address` belongs.
    fn probe(&self, address: usize) -> impl Iterator<Item = &AddressSlot<T>> {
        let (before, from) = self.slots.split_at((hash(address) >> (usize::BITS / 2)) % self.slots.len());
        from.iter().chain(before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static BUDGET: Budget = Budget::new(usize::MAX);

    /// The number of entries in a table that has grown several times.
    const MANY: usize = 20 * FIRST;

    #[derive(Debug, PartialEq)]
    struct Number {
        address: usize,
        number: usize,
    }

    impl Addressed for Number {
        fn address(&self) -> usize {
            self.address
        }
    }

    fn number(address: usize, number: usize) -> &'static Number {
        Box::leak(Box::new(Number { address, number }))
    }

    fn found(table: &AddressTable<Number>, address: usize) -> Option<usize> {
        table.get(address).map(|value| value.number)
    }

    #[test]
    fn keeps_every_entry_while_it_grows() {
        let table = AddressTable::new(&BUDGET).unwrap();
        for n in 1..MANY {
            table.insert(number(n * 64, n)).unwrap();
        }
        assert!((1..MANY).all(|n| found(&table, n * 64) == Some(n)));
        assert_eq!((found(&table, 0), found(&table, 65)), (None, None));
    }

    #[test]
    fn an_address_used_again_has_its_new_value() {
        let table = AddressTable::new(&BUDGET).unwrap();
        for round in 0..2 {
            for n in 1..4 * FIRST {
                table.insert(number(n * 64, n + round)).unwrap();
            }
        }
        assert!((1..4 * FIRST).all(|n| found(&table, n * 64) == Some(n + 1)));
        assert!(*table.entries.lock().unwrap() < 4 * FIRST);
    }

    #[test]
    fn readers_see_old_entries_while_the_table_grows() {
        let table = AddressTable::new(&BUDGET).unwrap();
        let few = FIRST + FIRST / 2;
        (1..=few).for_each(|n| table.insert(number(n * 8, n)).unwrap());
        std::thread::scope(|scope| {
            let reader =
                scope.spawn(|| (0..4 * MANY).all(|n| found(&table, (n % few + 1) * 8) == Some(n % few + 1)));
            (few + 1..MANY).for_each(|n| table.insert(number(n * 8, n)).unwrap());
            assert!(reader.join().unwrap());
        });
    }
}
