//! Enter and exit of regions (events 4 and 5): the hot path of most programs.

use kymo_otf2::events::{Enter, Leave};
use kymo_substrate::{Location, Metrics, RegionHandle, Timestamp};

use crate::Kymo;

impl Kymo {
    #[inline]
    pub(crate) fn enter_region(&self, at: Location, time: Timestamp, region: RegionHandle, metrics: Metrics) {
        self.record_metrics(at, time, metrics);
        self.record(at, time, &Enter { region: self.region(region) });
    }

    #[inline]
    pub(crate) fn exit_region(&self, at: Location, time: Timestamp, region: RegionHandle, metrics: Metrics) {
        self.record_metrics(at, time, metrics);
        self.record(at, time, &Leave { region: self.region(region) });
    }
}
