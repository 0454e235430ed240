//! The calls that this library makes for a thread of the program, in regions of their own.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use crate::thread;

/// The calls that this library makes for a thread of the program, in regions of their own, the
/// innermost last.
#[derive(Debug, Default)]
pub(crate) struct InterposedCalls {
    /// Deeper calls than there is room for are only counted.
    count: AtomicUsize,
    calls: [Call; ROOM],
}

/// More than functions of the C library call each other.
const ROOM: usize = 16;

/// The place of a call on the stack, and the number of regions that were open before it.
#[derive(Debug, Default)]
struct Call {
    place: AtomicUsize,
    depth: AtomicUsize,
}

impl InterposedCalls {
    /// Begins a call; returns its number, for [`Self::end`].
    #[inline]
    pub(crate) fn begin(&self, depth: usize) -> usize {
        self.begin_at(thread::stack_pointer(), depth)
    }

    /// Begins a call that was made at a place on the stack; returns its number.
    #[inline]
    pub(crate) fn begin_at(&self, place: usize, depth: usize) -> usize {
        let number = self.count.load(Relaxed);
        if let Some(call) = self.calls.get(number) {
            call.place.store(place, Relaxed);
            call.depth.store(depth, Relaxed);
        }
        self.count.store(number + 1, Relaxed);
        number
    }

    /// Ends a call, and those inside of it.
    #[inline]
    pub(crate) fn end(&self, number: usize) {
        if number < self.count.load(Relaxed) {
            self.count.store(number, Relaxed);
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.count.load(Relaxed) == 0
    }

    /// Returns the first call in a part of the stack.
    pub(crate) fn first_in(&self, part: &std::ops::Range<usize>) -> Option<usize> {
        let calls = self.calls.iter().take(self.count.load(Relaxed));
        calls.map(|call| call.place.load(Relaxed)).position(|place| part.contains(&place))
    }

    /// Returns the number of regions that were open before a call.
    pub(crate) fn depth_of(&self, number: usize) -> Option<usize> {
        self.calls.get(number).map(|call| call.depth.load(Relaxed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_outermost_call_in_a_part_of_the_stack_is_found() {
        let calls = InterposedCalls::default();
        let numbers: Vec<_> = [3, 5, 7].map(|depth| calls.begin(depth)).to_vec();
        assert_eq!(numbers, [0, 1, 2]);
        for (call, place) in calls.calls.iter().zip([300, 200, 100]) {
            call.place.store(place, Relaxed);
        }
        assert_eq!(calls.first_in(&(50..250)), Some(1));
        assert_eq!(calls.depth_of(1), Some(5));
        calls.end(1);
        assert_eq!((calls.first_in(&(50..250)), calls.first_in(&(50..301))), (None, Some(0)));
        // The end of a call that a jump has skipped.
        calls.end(2);
        assert_eq!(calls.begin(9), 1);
    }

    #[test]
    fn calls_without_room_are_counted() {
        let calls = InterposedCalls::default();
        let last = (0..ROOM + 3).map(|depth| calls.begin(depth)).last();
        assert_eq!((last, calls.depth_of(ROOM + 1)), (Some(ROOM + 2), None));
        calls.end(ROOM);
        assert_eq!(calls.begin(0), ROOM);
    }
}
