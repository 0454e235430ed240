//! The rewind marks of one location (Score-P's rewind regions).
//!
//! The marks form a stack, with nested marks on top. They are stored in pages, so the depth is
//! limited only by memory.

use kymo_otf2::write::Mark;

use super::gap::Gap;
use crate::{
    completeness::EventCounts,
    memory::{Budget, PageVec},
};

/// The place a track rewinds to, and its counts by then.
#[derive(Debug, Clone, Copy)]
pub(super) struct RewindMark {
    pub(super) region: u32,
    /// The time of the call that set the mark, in ticks.
    pub(super) time: u64,
    pub(super) place: Mark,
    pub(super) counts: EventCounts,
    /// The records that are missing before the mark and are not reported in the file yet.
    pub(super) gap: Option<Gap>,
    /// The number of records lost up to the mark.
    pub(super) lost: u64,
}

/// The number of marks that need no memory of their own.
const FEW: usize = 2;

#[derive(Debug)]
pub(super) struct RewindMarks {
    few: [Option<RewindMark>; FEW],
    /// The marks above `few`.
    more: PageVec<RewindMark>,
}

impl RewindMarks {
    /// Creates an empty stack.
    pub(super) fn new(budget: &'static Budget) -> Self {
        Self { few: [None; FEW], more: PageVec::new(budget) }
    }

    /// Pushes a mark and removes an older mark for the same region. Returns `None` if there is no
    /// memory.
    pub(super) fn set(&mut self, mark: RewindMark) -> Option<()> {
        if let Some(old) = self.find(mark.region) {
            self.remove(old);
        }
        match self.few.iter_mut().find(|place| place.is_none()) {
            Some(place) => {
                *place = Some(mark);
                Some(())
            }
            None => self.more.push(mark),
        }
    }

    /// Removes and returns the mark of `region`, and removes those set after it.
    pub(super) fn take(&mut self, region: u32) -> Option<RewindMark> {
        let at = self.find(region)?;
        let mark = self.get(at);
        for place in self.few.iter_mut().skip(at) {
            *place = None;
        }
        self.more.truncate(at.saturating_sub(FEW));
        mark
    }

    fn get(&self, at: usize) -> Option<RewindMark> {
        match at.checked_sub(FEW) {
            None => self.few[at],
            Some(at) => self.more.get(at).copied(),
        }
    }

    fn find(&self, region: u32) -> Option<usize> {
        let all = 0..FEW + self.more.len();
        all.rev().find(|&at| self.get(at).is_some_and(|mark| mark.region == region))
    }

    /// Removes one mark and moves those above it down.
    fn remove(&mut self, at: usize) {
        if at < FEW {
            self.few[at..].rotate_left(1);
            self.few[FEW - 1] = self.more.first().copied();
        }
        let from = at.saturating_sub(FEW);
        if from < self.more.len() {
            self.more.copy_within(from + 1.., from);
            self.more.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_a_stack_with_at_most_one_mark_per_region() {
        static BUDGET: Budget = Budget::new(usize::MAX);
        let mut marks = RewindMarks::new(&BUDGET);
        let place = Mark::from_parts(0, 0, 0, 0);
        let mut model: Vec<(u32, u64)> = Vec::new();
        for time in 0..2_000_u64 {
            let region = (time * 7 % 11 % 6) as u32;
            if time % 5 == 4 {
                let at = model.iter().position(|mark| mark.0 == region);
                let expected = at.map(|at| model.drain(at..).next().unwrap().1);
                assert_eq!(marks.take(region).map(|mark| mark.time), expected, "step {time}");
            } else {
                let counts = EventCounts::default();
                marks.set(RewindMark { region, time, place, counts, gap: None, lost: 0 }).unwrap();
                model.retain(|mark| mark.0 != region);
                model.push((region, time));
            }
        }
    }
}
