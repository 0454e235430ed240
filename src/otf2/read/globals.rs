//! From the ids and times of a location to those of the whole archive.

use super::budget::Lease;
use super::clock::Clock;
use super::family::Family;
use crate::records::mappings::Mappings;

/// What turns the records of a location into those of the whole archive.
#[derive(Debug, Default)]
pub(super) struct Globals {
    pub(super) mappings: Mappings,
    pub(super) clock: Clock,
    /// The memory of these.
    pub(super) lease: Option<Lease>,
}

impl Globals {
    /// Whether ids and times stay as they are.
    pub(super) fn is_empty(&self) -> bool {
        self.mappings.is_empty() && self.clock.is_empty()
    }

    /// The integer of a usual record and a time.
    #[inline(always)]
    pub(super) fn of_usual<F: Family>(&mut self, integer: u32, time: u64) -> (u32, u64) {
        (self.mappings.global(F::USUAL, integer.into()) as u32, self.clock.correct(time))
    }
}
