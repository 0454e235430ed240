//! A growable array in [`Pages`].
//!
//! Invariant: the first `len` elements of the block are initialised. A block starts at a page
//! boundary, so any element is aligned.

use core::{marker::PhantomData, mem::size_of, slice};

use super::{Budget, Pages};

/// A `Vec` without the allocator: it grows by whole mappings, and growing can be refused.
///
/// Takes no memory until the first element is pushed. Elements are `Copy`, so dropping only unmaps
/// them.
#[derive(Debug)]
pub struct PageVec<T: Copy> {
    budget: &'static Budget,
    pages: Option<Pages>,
    len: usize,
    elements: PhantomData<T>,
}

impl<T: Copy> PageVec<T> {
    /// Creates an empty array that takes its memory from `budget`.
    pub const fn new(budget: &'static Budget) -> Self {
        const { assert!(size_of::<T>() > 0 && align_of::<T>() <= 4096) };
        Self { budget, pages: None, len: 0, elements: PhantomData }
    }

    /// Returns the budget that its memory is taken from.
    pub fn budget(&self) -> &'static Budget {
        self.budget
    }

    /// Makes room for `count` elements in total. Returns `None` if there is no memory for them.
    #[must_use]
    pub fn reserve(&mut self, count: usize) -> Option<()> {
        self.make_room(count.checked_mul(size_of::<T>())?)
    }

    /// Appends `value`. Returns `None` if there is no memory for it.
    #[must_use]
    pub fn push(&mut self, value: T) -> Option<()> {
        self.extend_from_slice(slice::from_ref(&value))
    }

    /// Appends all `values`. If there is no memory for them, appends nothing and returns `None`.
    #[must_use]
    pub fn extend_from_slice(&mut self, values: &[T]) -> Option<()> {
        let len = self.len.checked_add(values.len())?;
        self.make_room(len.checked_mul(size_of::<T>())?)?;
        // SAFETY: `make_room` made the block long enough for `len` elements, and `values` cannot
        // overlap it, because `self` is borrowed uniquely.
        unsafe { self.start().add(self.len).copy_from_nonoverlapping(values.as_ptr(), values.len()) };
        self.len = len;
        Some(())
    }

    /// Extends the array to `len` elements with copies of `value`. Returns `None` if there is no
    /// memory for them.
    #[must_use]
    pub fn resize(&mut self, len: usize, value: T) -> Option<()> {
        self.make_room(len.checked_mul(size_of::<T>())?)?;
        let (start, from) = (self.start(), self.len.min(len));
        for at in from..len {
            // SAFETY: `make_room` made the block long enough for `len` elements.
            unsafe { start.add(at).write(value) };
        }
        self.len = self.len.max(len);
        Some(())
    }

    /// Removes and returns the last element.
    pub fn pop(&mut self) -> Option<T> {
        let last = self.last().copied()?;
        self.len -= 1;
        Some(last)
    }

    /// Shortens the array to `len` elements. Does nothing if it is not longer than that.
    pub fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    fn make_room(&mut self, bytes: usize) -> Option<()> {
        match &mut self.pages {
            Some(pages) if bytes <= pages.len() => Some(()),
            Some(pages) => pages.grow(bytes.max(pages.len().saturating_mul(2))).or_else(|| pages.grow(bytes)),
            none => {
                *none = Some(self.budget.take(bytes)?);
                Some(())
            }
        }
    }

    fn start(&mut self) -> *mut T {
        self.pages.as_mut().map_or(core::ptr::dangling_mut(), |pages| pages.as_mut_ptr().cast())
    }
}

impl<T: Copy> core::ops::Deref for PageVec<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        let start = self.pages.as_ref().map_or(core::ptr::dangling(), |pages| pages.as_ptr().cast());
        // SAFETY: by the module's invariant; without a block `len` is 0.
        unsafe { slice::from_raw_parts(start, self.len) }
    }
}

impl<T: Copy> core::ops::DerefMut for PageVec<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        let (start, len) = (self.start(), self.len);
        // SAFETY: as in `deref`, and `&mut self` is unique.
        unsafe { slice::from_raw_parts_mut(start, len) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static BUDGET: Budget = Budget::new(usize::MAX);

    #[test]
    fn behaves_like_a_vec() {
        const MANY: u64 = if cfg!(miri) { 2_000 } else { 20_000 };
        let mut array = PageVec::new(&BUDGET);
        let numbers: Vec<u64> = (0..MANY).collect();
        for chunk in numbers.chunks(7) {
            array.extend_from_slice(chunk).unwrap();
        }
        assert_eq!(*array, *numbers);
        assert_eq!(array.pop(), Some(MANY - 1));
        array.truncate(3);
        array.push(9).unwrap();
        assert_eq!(*array, [0, 1, 2, 9]);
    }

    #[test]
    fn a_refused_push_keeps_the_existing_elements() {
        static SMALL: Budget = Budget::new(Pages::GRANULE);
        let mut array = PageVec::new(&SMALL);
        let most = Pages::GRANULE / size_of::<u32>();
        for number in 0..most as u32 {
            array.push(number).unwrap();
        }
        assert_eq!(array.push(0), None);
        assert_eq!(array.extend_from_slice(&[1, 2]), None);
        assert_eq!((array.len(), array[most - 1]), (most, most as u32 - 1));
    }

    #[test]
    fn an_empty_array_takes_no_memory() {
        static UNUSED: Budget = Budget::new(usize::MAX);
        let mut array = PageVec::<u16>::new(&UNUSED);
        assert_eq!((array.len(), array.pop(), UNUSED.taken()), (0, None, 0));
        assert!(array.is_empty() && array.iter_mut().next().is_none());
    }
}
