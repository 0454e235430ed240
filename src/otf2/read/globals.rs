//! The conversion of ids and times of a location to those of the whole archive.

use super::budget::Lease;
use super::clock::Clock;
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
}
