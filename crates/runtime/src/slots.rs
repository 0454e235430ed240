//! Places for what adapters keep about a measurement, a location or a thread.
//!
//! An adapter has a [`Key`] for each of its objects. The first object that is kept gives the key a
//! place, which is the same in all locations and threads. Invariant: an object is only found by the
//! key with which it was kept, and so has its type.

use core::cell::Cell;
use core::ffi::c_void;
use core::marker::PhantomData;
use core::ptr;
use core::sync::atomic::{
    AtomicPtr, AtomicUsize,
    Ordering::{Acquire, Relaxed, Release},
};

/// The number of places, the first of which stays empty.
const PLACES: usize = 16;

/// The number of places that have a key.
static TAKEN: AtomicUsize = AtomicUsize::new(0);

/// The key of objects of a type.
#[derive(Debug)]
pub(crate) struct Key<T> {
    /// The place; 0 before an object was kept.
    place: AtomicUsize,
    objects: PhantomData<fn(T) -> T>,
}

impl<T> Key<T> {
    pub(crate) const fn new() -> Self {
        Self { place: AtomicUsize::new(0), objects: PhantomData }
    }

    /// Returns the place, a new one if there is none.
    fn place(&self) -> usize {
        match self.place.load(Relaxed) {
            0 => self.take_place(),
            place => place,
        }
    }

    #[cold]
    fn take_place(&self) -> usize {
        let place = TAKEN.fetch_add(1, Relaxed) + 1;
        debug_assert!(place < PLACES, "as many places as there are keys");
        // Another thread may have taken one meanwhile; that of this thread stays empty.
        self.place.compare_exchange(0, place, Relaxed, Relaxed).map_or_else(|taken| taken, |_| place)
    }
}

/// The objects of a location or a measurement, which any thread may ask for.
#[derive(Debug, Default)]
pub(crate) struct SharedSlots([AtomicPtr<c_void>; PLACES]);

impl SharedSlots {
    #[inline]
    pub(crate) fn get<T: Sync>(&self, key: &Key<T>) -> Option<&'static T> {
        let object = self.0.get(key.place.load(Relaxed))?.load(Acquire);
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
        let object = self.0.get(key.place.load(Relaxed))?.get();
        // SAFETY: as for locations.
        unsafe { object.cast::<T>().as_ref() }
    }

    pub(crate) fn set<T>(&self, key: &Key<T>, object: Option<&'static T>) {
        if let Some(slot) = self.0.get(key.place()) {
            slot.set(address(object));
        }
    }
}

/// The key of a number.
#[derive(Debug)]
pub(crate) struct CountKey(Key<()>);

impl CountKey {
    pub(crate) const fn new() -> Self {
        Self(Key::new())
    }
}

impl ThreadSlots {
    #[inline]
    pub(crate) fn count(&self, key: &CountKey) -> usize {
        self.0.get(key.0.place.load(Relaxed)).map_or(0, |slot| slot.get().addr())
    }

    pub(crate) fn set_count(&self, key: &CountKey, count: usize) {
        if let Some(slot) = self.0.get(key.0.place()) {
            slot.set(ptr::without_provenance(count));
        }
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
        static HELD: CountKey = CountKey::new();
        assert_eq!(slots.count(&HELD), 0);
        slots.set_count(&HELD, 3);
        assert_eq!(slots.count(&HELD), 3);
    }
}
