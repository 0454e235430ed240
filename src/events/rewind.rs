//! Rewind regions (events 9 and 10), with which the user discards the events that a location
//! recorded since a mark.

use kymo_substrate::{Location, RegionHandle, Timestamp};

use crate::events::Sink;

impl Sink {
    pub(super) fn enter_rewind_region(&self, at: Location, time: Timestamp, region: RegionHandle) {
        self.at(at, time, |location| location.set_mark(region.raw(), time));
    }

    pub(super) fn exit_rewind_region(
        &self,
        at: Location,
        time: Timestamp,
        region: RegionHandle,
        rewind: bool,
    ) {
        self.at(at, time, |location| location.leave_mark(region.raw(), rewind));
    }
}
