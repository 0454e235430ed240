//! The conversion of ids and times of a location to those of the whole archive.

use super::budget::Lease;
use super::clock::Clock;
use super::family::Family;
use crate::records::mappings::Mappings;

/// The mapping tables and the clock that convert the records of a location.
#[derive(Debug, Default)]
pub(super) struct Globals {
    pub(super) mappings: Mappings,
    pub(super) clock: Clock,
    /// The memory of the mappings and the clock.
    pub(super) lease: Option<Lease>,
}

impl Globals {
    /// Returns whether ids and times stay unchanged.
    pub(super) fn is_empty(&self) -> bool {
        self.mappings.is_empty() && self.clock.is_empty()
    }

    /// Converts the integer of a usual record and a time.
    #[inline(always)]
    pub(super) fn of_usual<F: Family>(&mut self, integer: u32, time: u64) -> (u32, u64) {
        (self.mappings.global(F::USUAL, integer.into()) as u32, self.clock.correct(time))
    }
}
