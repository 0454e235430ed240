//! The local definitions of a location: mapping tables and clock offsets.
//! They take effect when the program reads them.

use kymo_otf2::definitions::{ClockOffset, MappingTable};
use kymo_otf2::error::Problem;
use kymo_otf2::mappings::Mappings;
use kymo_otf2::read::Clock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The local definitions of a location that were read.
#[derive(Debug, Default)]
pub(crate) struct Locals {
    state: Mutex<(Mappings, Clock)>,
    version: AtomicU64,
}

impl Locals {
    fn state(&self) -> MutexGuard<'_, (Mappings, Clock)> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a table. Returns whether it is the first of its kind; another one is ignored.
    pub(crate) fn add_table(&self, table: &MappingTable<'_>) -> bool {
        self.version.fetch_add(1, Relaxed);
        self.state().0.add(table.mapping_type, &table.id_map)
    }

    /// Adds a clock offset, whose time must be later than those before.
    pub(crate) fn add_offset(&self, offset: &ClockOffset) -> Result<(), Problem> {
        self.version.fetch_add(1, Relaxed);
        self.state().1.add(offset)
    }

    /// Returns a number that changes with each definition; 0 without any.
    #[inline]
    pub(crate) fn version(&self) -> u64 {
        self.version.load(Relaxed)
    }

    /// Returns all definitions so far.
    pub(crate) fn copy(&self) -> (Mappings, Clock) {
        self.state().clone()
    }
}
