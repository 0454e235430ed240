//! A location of a recovered archive.

use kymo_otf2::enums::LocationType;

use super::{repair::Repaired, report::LocationReport, stream::StreamLayout};

/// A location of the archive.
#[derive(Debug)]
pub(super) struct RecoveredLocation {
    pub(super) slot: u32,
    pub(super) id: u64,
    pub(super) group: u32,
    pub(super) location_type: LocationType,
    pub(super) name: Vec<u8>,
    pub(super) layout: StreamLayout,
    pub(super) file: Option<u64>,
    pub(super) dropped: u64,
}

impl RecoveredLocation {
    pub(super) fn report(&self, events: &Repaired) -> LocationReport {
        let name = String::from_utf8_lossy(&self.name).into_owned();
        LocationReport { id: self.id, name, dropped: self.dropped, events: events.clone() }
    }
}
