//! Enter and exit of regions (events 4 and 5), the hot path of most programs.
//!
//! In the common case (no metrics, not an allocation function, the location is ready, the time is
//! later, and the piece has room) both consist of look-ups, comparisons and stores without a
//! function call.

use kymo_otf2::{
    events::{Enter, Leave},
    records::EventRecord,
    references::RegionRef,
};
use kymo_recorder::RegionEntry;
use kymo_substrate::{Location, Metrics, RegionHandle, Timestamp};

use crate::events::Sink;

impl Sink {
    #[inline(always)]
    pub(super) fn enter_region(&self, at: Location, time: Timestamp, region: RegionHandle, metrics: Metrics) {
        if !self.record_plain_region(at, time, region, metrics, |region| Enter { region }) {
            self.enter_any_region(at, time, region, metrics);
        }
    }

    #[inline(always)]
    pub(super) fn exit_region(&self, at: Location, time: Timestamp, region: RegionHandle, metrics: Metrics) {
        if !self.record_plain_region(at, time, region, metrics, |region| Leave { region }) {
            self.exit_any_region(at, time, region, metrics);
        }
    }

    /// Records the event in the common case. Returns `false` in any other case, without recording
    /// it.
    #[inline(always)]
    fn record_plain_region<R: EventRecord>(
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
        let Some(track) = self.recorder.cached_track(at.address()) else { return false };
        let Some(id) = self.definitions.plain_region(region) else { return false };
        track.record_if_ready(time, &record(id))
    }

    #[inline(never)]
    pub(super) fn enter_any_region(
        &self,
        at: Location,
        time: Timestamp,
        handle: RegionHandle,
        metrics: Metrics,
    ) {
        self.record_metrics(at, time, metrics);
        let region = self.region(handle);
        match self.definitions.memory_region(handle.raw()) {
            Some(memory) => self.enter_memory(at, time, RegionEntry::Region(region), memory),
            None => self.record(at, time, &Enter { region }),
        }
    }

    #[inline(never)]
    pub(super) fn exit_any_region(
        &self,
        at: Location,
        time: Timestamp,
        handle: RegionHandle,
        metrics: Metrics,
    ) {
        self.record_metrics(at, time, metrics);
        let region = self.region(handle);
        match self.definitions.memory_region(handle.raw()) {
            Some(memory) => self.leave_memory(at, time, RegionEntry::Region(region), memory),
            None => self.record(at, time, &Leave { region }),
        }
    }
}
