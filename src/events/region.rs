//! Enter and exit of regions (events 4 and 5): the hot path of most programs.
//!
//! In the common case (no metrics, nothing special about the location, a later time, room in the piece) both are look-ups,
//! comparisons and stores without a call; everything else takes the way of all other events.

use kymo_otf2::{
    events::{Enter, Leave},
    records::EventRecord,
    references::RegionRef,
};
use kymo_substrate::{Location, Metrics, RegionHandle, Timestamp};

use crate::Kymo;

impl Kymo {
    #[inline(always)]
    pub(crate) fn enter_region(&self, at: Location, time: Timestamp, region: RegionHandle, metrics: Metrics) {
        let enter = |region| Enter { region };
        if !self.try_record_region(at, time, region, metrics, enter) {
            self.record_region(at, time, region, metrics, enter);
        }
    }

    #[inline(always)]
    pub(crate) fn exit_region(&self, at: Location, time: Timestamp, region: RegionHandle, metrics: Metrics) {
        let leave = |region| Leave { region };
        if !self.try_record_region(at, time, region, metrics, leave) {
            self.record_region(at, time, region, metrics, leave);
        }
    }

    /// Whether it was the common case, which is recorded then.
    #[inline(always)]
    fn try_record_region<R: EventRecord>(
        &self,
        at: Location,
        time: Timestamp,
        region: RegionHandle,
        metrics: Metrics,
        record: impl FnOnce(RegionRef) -> R,
    ) -> bool {
        if !metrics.is_none() {
            return false;
        }
        let Some(location) = self.recorder.near_location(at.address()) else { return false };
        let Some(id) = self.definitions.near_id(region.raw()) else { return false };
        location.try_record(time, &record(RegionRef(id)))
    }

    #[inline(never)]
    fn record_region<R: EventRecord>(
        &self,
        at: Location,
        time: Timestamp,
        region: RegionHandle,
        metrics: Metrics,
        record: impl FnOnce(RegionRef) -> R,
    ) {
        self.record_metrics(at, time, metrics);
        self.record(at, time, &record(self.region(region)));
    }
}
