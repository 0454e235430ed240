//! The handles of one kind that an archive has given out.

use crate::error::Failure;
use crate::types::UNDEFINED_LOCATION;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// Handles by their address, and those of locations by these. They are freed with the archive.
#[derive(Debug)]
pub(crate) struct Handles<T> {
    /// In the order in which they were made; closed ones are null.
    all: Vec<*mut T>,
    /// Places in `all`.
    places: HashMap<*mut T, (usize, Option<u64>)>,
    by_location: HashMap<u64, *mut T>,
}

impl<T> Default for Handles<T> {
    fn default() -> Self {
        Handles { all: Vec::new(), places: HashMap::new(), by_location: HashMap::new() }
    }
}

impl<T> Handles<T> {
    /// Returns the handle of a location.
    pub(crate) fn of(&self, location: u64) -> Option<*mut T> {
        self.by_location.get(&location).copied()
    }

    /// Returns the handle of a kind of which there is at most one.
    pub(crate) fn only(&self) -> Option<*mut T> {
        self.places.keys().next().copied()
    }

    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }

    /// Calls a function with everything that is left.
    pub(crate) fn each(&mut self, mut visit: impl FnMut(&mut T)) {
        for &handle in self.all.iter().filter(|handle| !handle.is_null()) {
            // SAFETY: made by `add`, and not taken.
            visit(unsafe { &mut *handle });
        }
    }

    /// Frees the remaining handles for which a function returns false.
    pub(crate) fn retain(&mut self, is_kept: impl Fn(&T) -> bool) {
        for handle in self.all.clone() {
            // SAFETY: null, or made by `add` and not taken.
            if unsafe { handle.as_ref() }.is_some_and(|of| !is_kept(of)) {
                self.take(handle);
            }
        }
    }

    /// Takes a writer or reader, and returns its handle.
    pub(crate) fn add(&mut self, location: Option<u64>, made: Box<T>) -> *mut T {
        let handle = Box::into_raw(made);
        self.places.insert(handle, (self.all.len(), location));
        self.all.push(handle);
        if let Some(location) = location {
            self.by_location.insert(location, handle);
        }
        handle
    }

    /// Sets the location of a handle that had none, unless another has it.
    pub(crate) fn name(&mut self, handle: *mut T, location: u64) {
        if location == UNDEFINED_LOCATION {
            return;
        }
        if let (Some(place), Entry::Vacant(entry)) =
            (self.places.get_mut(&handle), self.by_location.entry(location))
        {
            place.1 = Some(location);
            entry.insert(handle);
        }
    }

    /// Returns the writer or reader of a handle, if it is one of these.
    pub(crate) fn take(&mut self, handle: *mut T) -> Option<Box<T>> {
        let (at, location) = self.places.remove(&handle)?;
        self.all[at] = std::ptr::null_mut();
        if let Some(location) = location {
            self.by_location.remove(&location);
        }
        if self.places.is_empty() {
            self.all.clear();
        }
        // SAFETY: made by `add`, and taken once.
        Some(unsafe { Box::from_raw(handle) })
    }

    /// Returns the last handle that is left.
    fn last(&mut self) -> Option<*mut T> {
        while self.all.pop_if(|handle| handle.is_null()).is_some() {}
        self.all.last().copied()
    }

    /// Takes the last handle that is left.
    pub(crate) fn pop(&mut self) -> Option<Box<T>> {
        let last = self.last()?;
        self.take(last)
    }

    /// Closes the writer of a handle, and frees it; `None` if it is not one of these. If a
    /// function of the program unwinds, the handle stays and can be closed again.
    pub(crate) fn close(
        &mut self,
        handle: *mut T,
        close: impl FnOnce(&mut T) -> Result<(), Failure>,
    ) -> Option<Result<(), Failure>> {
        self.places.get(&handle)?;
        // SAFETY: made by `add`, and not taken.
        let result = close(unsafe { &mut *handle });
        self.take(handle);
        Some(result)
    }

    /// Closes and frees the remaining ones, beginning with the last; failures go to the error
    /// handler.
    pub(crate) fn close_all(&mut self, close: impl Fn(&mut T) -> Result<(), Failure>) {
        while let Some(last) = self.last() {
            if let Some(Err(failure)) = self.close(last, &close) {
                failure.report();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handles_are_found_until_they_are_taken() {
        let mut handles = Handles::default();
        let (first, second) = (handles.add(Some(7), Box::new(1)), handles.add(None, Box::new(2)));
        assert_eq!((handles.of(7), handles.len()), (Some(first), 2));
        handles.name(second, 9);
        assert_eq!(handles.of(9), Some(second));
        assert_eq!(handles.take(first).as_deref(), Some(&1));
        assert_eq!((handles.of(7), handles.take(first)), (None, None));
        assert_eq!(handles.pop().as_deref(), Some(&2));
        assert_eq!((handles.pop(), handles.len(), handles.of(9)), (None, 0, None));
    }
}
