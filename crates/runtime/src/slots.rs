//! Places for the objects that adapters keep for a measurement, a location or a thread.
//!
//! An adapter has a [`Key`] for each of its objects. The first object that is kept gives the key a
//! place, which is the same in all locations and threads. Invariant: an object is only found by the
//! key with which it was kept, and so has its type.

use core::cell::Cell;
use core::ffi::c_void;
use core::marker::PhantomData;
use core::num::NonZeroUsize;
use core::ptr;
use core::sync::atomic::{
    AtomicPtr, AtomicUsize,
    Ordering::{Acquire, Relaxed, Release},
};

use once_cell::race::OnceNonZeroUsize;

/// The number of places, the first of which stays empty.
const PLACES: usize = 24;

/// The number of the next place that no key has.
static NEXT: AtomicUsize = AtomicUsize::new(1);

/// The key of objects of a type.
#[derive(Debug)]
pub(crate) struct Key<T> {
    /// The place, from the first object that is kept on.
    place: OnceNonZeroUsize,
    objects: PhantomData<fn(T) -> T>,
}

impl<T> Key<T> {
    pub(crate) const fn new() -> Self {
        Self { place: OnceNonZeroUsize::new(), objects: PhantomData }
    }

    /// Returns the place, or the first one, which stays empty, before an object was kept.
    #[inline]
    fn known_place(&self) -> usize {
        self.place.get().map_or(0, NonZeroUsize::get)
    }

    /// Returns the place, a new one if there is none. If two threads take one at once, one of both
    /// stays empty.
    fn place(&self) -> usize {
        let take = || NonZeroUsize::new(NEXT.fetch_add(1, Relaxed)).unwrap_or(NonZeroUsize::MAX);
        let place = self.place.get_or_init(take).get();
        debug_assert!(place < PLACES, "as many places as there are keys");
        place
    }
}

/// The objects of a location or a measurement, which any thread may ask for.
#[derive(Debug, Default)]
pub(crate) struct SharedSlots([AtomicPtr<c_void>; PLACES]);

impl SharedSlots {
    #[inline]
    pub(crate) fn get<T: Sync>(&self, key: &Key<T>) -> Option<&'static T> {
        let object = self.0.get(key.known_place())?.load(Acquire);
        // SAFETY: null, or a reference to an object of this type that lives forever: only `set`
        // with this key stores at this place.
        unsafe { object.cast::<T>().as_ref() }
    }

    pub(crate) fn set<T: Sync>(&self, key: &Key<T>, object: Option<&'static T>) {
        if let Some(slot) = self.0.get(key.place()) {
            slot.store(address(object).cast_mut(), Release);
        }
    }
}

/// The objects of a thread, which only the thread asks for. All are `None` in zeroed memory.
#[derive(Debug, Default)]
#[repr(transparent)]
pub(crate) struct ThreadSlots([Cell<*const c_void>; PLACES]);

impl ThreadSlots {
    #[inline]
    pub(crate) fn get<T>(&self, key: &Key<T>) -> Option<&'static T> {
        let object = self.0.get(key.known_place())?.get();
        // SAFETY: as for locations.
        unsafe { object.cast::<T>().as_ref() }
    }

    pub(crate) fn set<T>(&self, key: &Key<T>, object: Option<&'static T>) {
        if let Some(slot) = self.0.get(key.place()) {
            slot.set(address(object));
        }
    }
}

/// The key of a number of a thread. Numbers have places of their own, which are known when the
/// runtime is compiled: some are read at calls that record nothing. Each number has another
/// `PLACE`.
#[derive(Debug)]
pub(crate) struct CountKey<const PLACE: usize>;

/// The numbers of a thread, 0 at first.
#[derive(Debug, Default)]
#[repr(transparent)]
pub(crate) struct ThreadCounts([Cell<usize>; COUNTS]);

/// The number of places for numbers.
const COUNTS: usize = 4;

impl ThreadCounts {
    #[inline]
    pub(crate) fn get<const PLACE: usize>(&self, _: &CountKey<PLACE>) -> &Cell<usize> {
        const { assert!(PLACE < COUNTS) };
        &self.0[PLACE]
    }
}

fn address<T>(object: Option<&'static T>) -> *const c_void {
    object.map_or(ptr::null(), ptr::from_ref).cast()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_is_found_by_its_key_only() {
        static NUMBER: Key<u32> = Key::new();
        static TEXT: Key<&str> = Key::new();
        let (one, other) = (SharedSlots::default(), SharedSlots::default());
        assert_eq!((one.get(&NUMBER), one.get(&TEXT)), (None, None));
        one.set(&NUMBER, Some(&7));
        assert_eq!((one.get(&NUMBER), one.get(&TEXT), other.get(&NUMBER)), (Some(&7), None, None));
        other.set(&TEXT, Some(&"seven"));
        assert_eq!((other.get(&NUMBER), other.get(&TEXT)), (None, Some(&"seven")));
        one.set(&NUMBER, None);
        assert_eq!(one.get(&NUMBER), None);
    }

    #[test]
    fn zeroed_slots_of_a_thread_are_empty() {
        static NUMBER: Key<u32> = Key::new();
        let slots = ThreadSlots::default();
        assert_eq!(slots.get(&NUMBER), None);
        slots.set(&NUMBER, Some(&8));
        assert_eq!(slots.get(&NUMBER), Some(&8));
    }

    #[test]
    fn numbers_have_places_of_their_own() {
        let counts = ThreadCounts::default();
        counts.get(&CountKey::<1>).set(3);
        assert_eq!((counts.get(&CountKey::<0>).get(), counts.get(&CountKey::<1>).get()), (0, 3));
    }
}
