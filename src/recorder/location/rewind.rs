//! Rewind marks of one location (Score-P's rewind regions).
//!
//! The marks form a stack: nested marks are the ones above. They lie in pages, so the depth is the user's business.

use kymo_otf2::write::Mark;

use crate::{
    completeness::EventCounts,
    memory::{Budget, PageVec},
};

/// Where a location goes back to, and what it had recorded by then.
#[derive(Debug, Clone, Copy)]
pub(super) struct RewindMark {
    region: u32,
    /// Time of the call that set the mark, in ticks.
    pub(super) time: u64,
    pub(super) place: Mark,
    pub(super) counts: EventCounts,
}

#[derive(Debug)]
pub(super) struct RewindMarks(PageVec<RewindMark>);

impl RewindMarks {
    /// No marks, and no memory for them: few locations ever have one.
    pub(super) fn new(budget: &'static Budget) -> Self {
        Self(PageVec::new(budget))
    }

    /// Puts a mark for `region` on top; an older one for the same region is gone. `None` if there is no memory.
    pub(super) fn set(&mut self, region: u32, time: u64, place: Mark, counts: EventCounts) -> Option<()> {
        if let Some(old) = self.find(region) {
            self.0.copy_within(old + 1.., old);
            self.0.pop();
        }
        self.0.push(RewindMark { region, time, place, counts })
    }

    /// Removes the mark of `region` and those set after it.
    pub(super) fn take(&mut self, region: u32) -> Option<RewindMark> {
        let at = self.find(region)?;
        let mark = self.0[at];
        self.0.truncate(at);
        Some(mark)
    }

    fn find(&self, region: u32) -> Option<usize> {
        self.0.iter().rposition(|mark| mark.region == region)
    }
}
