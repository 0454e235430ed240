//! The ranges that a thread has begun and not ended, of all interfaces.
//!
//! Regions nest, ranges need not: one can end while ranges of other owners that began later are
//! open. Invariant: regions are left in the order in which they nest, so the region of such a range
//! is left when those of the later ones are.

use std::cell::RefCell;

use crate::measurement::Region;
use crate::next::keeping_errno;
use crate::processes::may_allocate;
use crate::slots::Key;
use crate::thread;

/// The owner of ranges, whose ends end only its own: a number of an interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) struct RangeOwner {
    pub(in super::super) interface: &'static str,
    pub(in super::super) number: u64,
}

/// How many ranges a thread has room for at first, and at most.
const FIRST_ROOM: usize = 64;
const MOST: usize = 1 << 16;

#[derive(Debug, Clone, Copy)]
struct OpenRange {
    owner: RangeOwner,
    region: Region,
    /// The program's tag for the range; 0 for none.
    tag: u64,
    /// How many ranges of the owner were open when it began.
    level: usize,
    /// It has ended; ranges that began later have not.
    is_ended: bool,
}

/// The open ranges of a thread, the innermost one last.
#[derive(Debug, Default)]
pub(super) struct OpenRanges(RefCell<Vec<OpenRange>>);

/// The end of a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct EndedRange {
    /// How many ranges of the owner are open.
    pub(super) level: usize,
    /// Ranges inside of it have not ended.
    pub(super) is_crossed: bool,
}

static OF_THREAD: Key<OpenRanges> = Key::new();

impl OpenRanges {
    /// Returns those of the calling thread; `None` without memory for them.
    #[inline]
    pub(super) fn here() -> Option<&'static Self> {
        match OF_THREAD.of_thread() {
            None => Self::add(),
            known => known,
        }
    }

    #[cold]
    fn add() -> Option<&'static Self> {
        if !may_allocate() {
            return None;
        }
        let new = || &*Box::leak(Box::new(Self(RefCell::new(Vec::with_capacity(FIRST_ROOM)))));
        let open = keeping_errno(|| thread::owning(new));
        OF_THREAD.set_of_thread(Some(open));
        Some(open)
    }

    /// Frees those of the calling thread, which ends.
    pub(super) fn end_thread() {
        if let Some(open) = OF_THREAD.of_thread() {
            OF_THREAD.set_of_thread(None);
            thread::owning(|| drop(open.0.take()));
        }
    }

    /// Keeps the open ranges of the calling thread without their regions, in a forked child: those
    /// are open in the parent alone.
    pub(super) fn forget_regions() {
        if let Some(Ok(mut ranges)) = OF_THREAD.of_thread().map(|open| open.0.try_borrow_mut()) {
            ranges.iter_mut().for_each(|range| range.region = Region::default());
        }
    }

    /// Begins a range. Returns how many of its owner were open; `None` without room for it.
    pub(super) fn begin(&self, owner: RangeOwner, region: Region, tag: u64) -> Option<usize> {
        // A handler that interrupts this finds no ranges.
        let mut ranges = self.0.try_borrow_mut().ok()?;
        if ranges.len() == ranges.capacity() {
            if ranges.len() >= MOST || !may_allocate() {
                return None;
            }
            let count = ranges.len();
            thread::owning(|| ranges.reserve(count));
        }
        let level = level(&ranges, owner);
        ranges.push(OpenRange { owner, region, tag, level, is_ended: false });
        Some(level)
    }

    /// Returns the tag of the owner's innermost range.
    pub(super) fn innermost_tag(&self, owner: RangeOwner) -> Option<u64> {
        let ranges = self.0.try_borrow().ok()?;
        ranges.iter().rev().find(|it| it.owner == owner && !it.is_ended).map(|it| it.tag)
    }

    /// Ends the innermost range whose owner is meant, and passes the regions to leave, the
    /// innermost first. Returns `None` if no such range is open.
    pub(super) fn end(
        &self,
        is_meant: impl Fn(RangeOwner) -> bool,
        mut leave: impl FnMut(Region),
    ) -> Option<EndedRange> {
        let mut ranges = self.0.try_borrow_mut().ok()?;
        let range = ranges.iter_mut().rev().find(|it| !it.is_ended && is_meant(it.owner))?;
        range.is_ended = true;
        let level = range.level;
        let is_crossed = ranges.last().is_some_and(|last| !last.is_ended);
        while let Some(ended) = ranges.pop_if(|last| last.is_ended) {
            leave(ended.region);
        }
        Some(EndedRange { level, is_crossed })
    }
}

/// Returns how many ranges of an owner are open.
fn level(ranges: &[OpenRange], owner: RangeOwner) -> usize {
    let innermost = ranges.iter().rev().find(|it| it.owner == owner && !it.is_ended);
    innermost.map_or(0, |range| range.level + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: RangeOwner = RangeOwner { interface: "", number: 1 };
    const B: RangeOwner = RangeOwner { interface: "", number: 2 };

    fn end(open: &OpenRanges, owner: RangeOwner) -> Option<(usize, bool, Vec<u32>)> {
        let mut left = Vec::new();
        let ended = open.end(|it| it == owner, |region| left.push(region.0))?;
        Some((ended.level, ended.is_crossed, left))
    }

    #[test]
    fn ranges_of_one_owner_end_in_reverse_order() {
        let open = OpenRanges::default();
        assert_eq!([1, 2, 3].map(|it| open.begin(A, Region(it), 0)), [Some(0), Some(1), Some(2)]);
        assert_eq!(end(&open, A), Some((2, false, vec![3])));
        assert_eq!(open.begin(A, Region(4), 0), Some(2));
        assert_eq!(end(&open, A), Some((2, false, vec![4])));
        assert_eq!(end(&open, A), Some((1, false, vec![2])));
        assert_eq!(end(&open, A), Some((0, false, vec![1])));
        assert_eq!(end(&open, A), None);
    }

    #[test]
    fn a_range_that_ends_early_is_left_after_those_inside_of_it() {
        let open = OpenRanges::default();
        assert_eq!(open.begin(A, Region(1), 0), Some(0));
        assert_eq!(open.begin(B, Region(2), 0), Some(0));
        assert_eq!(open.begin(A, Region(3), 0), Some(1));
        assert_eq!(end(&open, B), Some((0, true, vec![])));
        assert_eq!(end(&open, B), None);
        assert_eq!(end(&open, A), Some((1, false, vec![3, 2])));
        assert_eq!(end(&open, A), Some((0, false, vec![1])));
    }

    #[test]
    fn the_tag_is_that_of_the_innermost_range_of_the_owner() {
        let open = OpenRanges::default();
        assert_eq!(open.innermost_tag(A), None);
        for (owner, tag) in [(A, 7), (B, 8), (A, 9)] {
            open.begin(owner, Region(1), tag);
        }
        assert_eq!([A, B].map(|it| open.innermost_tag(it)), [Some(9), Some(8)]);
        end(&open, A);
        assert_eq!(open.innermost_tag(A), Some(7));
    }
}
