//! Rewind regions (events 9 and 10): the user takes back what a location recorded since a mark.

use kymo_substrate::{Location, RegionHandle, Timestamp};

use crate::Kymo;

impl Kymo {
    pub(crate) fn enter_rewind_region(&self, at: Location, time: Timestamp, region: RegionHandle) {
        if let Some(mut recording) = self.recording(at, time) {
            recording.set_mark(region.raw(), time);
        }
    }

    pub(crate) fn exit_rewind_region(&self, at: Location, time: Timestamp, region: RegionHandle, rewind: bool) {
        if let Some(mut recording) = self.recording(at, time) {
            recording.leave_mark(region.raw(), rewind);
        }
    }
}
