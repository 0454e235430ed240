//! Single objects with addresses that stay valid for the life of the process.

use core::mem::{align_of, size_of};
use std::sync::{Mutex, PoisonError};

use super::{Budget, Pages};

/// A bump allocator: it cuts objects from blocks that are never freed.
#[derive(Debug)]
pub struct Bump {
    budget: &'static Budget,
    free: Mutex<&'static mut [u8]>,
    /// Whether a child made by `fork` finds zeros here.
    is_wiped: bool,
}

impl Bump {
    /// Creates a bump allocator without blocks.
    pub fn new(budget: &'static Budget) -> Self {
        Self { budget, free: Mutex::new(&mut []), is_wiped: false }
    }

    /// Creates one whose objects are zeroed in every child, however the child is created. If
    /// the system does not support that, [`place`](Self::place) always returns `None`.
    pub fn wiped_in_children(budget: &'static Budget) -> Self {
        Self { is_wiped: true, ..Self::new(budget) }
    }

    /// Moves `value` to an address of its own. Returns `None` if there is no memory. The value is
    /// never dropped.
    pub fn place<T: Send>(&self, value: T) -> Option<&'static mut T> {
        const { assert!(align_of::<T>() <= 4096 && size_of::<T>() <= Pages::GRANULE / 2) };
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let mut skip = free.as_ptr().align_offset(align_of::<T>());
        if skip.saturating_add(size_of::<T>()) > free.len() {
            let mut block = self.budget.take(Pages::GRANULE)?;
            if self.is_wiped {
                block.wipe_in_children()?;
            }
            *free = block.leak();
            skip = 0;
        }
        let (taken, rest) = core::mem::take(&mut *free).split_at_mut(skip + size_of::<T>());
        *free = rest;
        let place: *mut T = taken[skip..].as_mut_ptr().cast();
        // SAFETY: `taken` is a unique, never freed slice of the right size, and `skip` aligned its
        // start.
        unsafe {
            place.write(value);
            Some(&mut *place)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[repr(align(64))]
    struct Line(u8);

    #[test]
    fn places_are_aligned_and_distinct() {
        static BUDGET: Budget = Budget::new(usize::MAX);
        const PLACES: usize = if cfg!(miri) { 500 } else { 5_000 };
        let bump = Bump::new(&BUDGET);
        let mut last = 0;
        for n in 0..PLACES as u32 {
            let byte = bump.place(n as u8).unwrap();
            let line = bump.place(Line(n as u8)).unwrap();
            assert_eq!((*byte, line.0), (n as u8, n as u8));
            assert_eq!(core::ptr::from_ref(line).addr() % 64, 0);
            assert_ne!(
                core::mem::replace(&mut last, core::ptr::from_ref(byte).addr()),
                core::ptr::from_ref(byte).addr()
            );
        }
        assert!(BUDGET.taken() < PLACES * 256);
    }

    #[test]
    fn an_exhausted_bump_refuses() {
        static SMALL: Budget = Budget::new(Pages::GRANULE);
        let bump = Bump::new(&SMALL);
        assert!((0..Pages::GRANULE / 1024).all(|_| bump.place([0_u8; 1024]).is_some()));
        assert!(bump.place([0_u8; 1024]).is_none());
    }
}
