//! Flushes of the host's own trace buffers (events 2 and 3), which only occur when its tracing runs beside this plugin.
//!
//! The event that caused the flush comes after both with an earlier time. So the flush waits for the location's next event and
//! becomes one BufferFlush record that does not run ahead of it (`scorep-to-otf2`, §4.6).

use kymo_substrate::{Location, Metrics, RegionHandle, Timestamp};

use crate::Kymo;

impl Kymo {
    pub(crate) fn on_tracing_buffer_flush_begin(
        &self,
        at: Location,
        time: Timestamp,
        _region: RegionHandle,
        _metrics: Metrics,
    ) {
        self.at(at, time, |location| location.begin_flush(time));
    }

    pub(crate) fn on_tracing_buffer_flush_end(
        &self,
        at: Location,
        time: Timestamp,
        _region: RegionHandle,
        _metrics: Metrics,
    ) {
        match self.recorder.location(at.address()) {
            Some(location) => location.hold_flush(time),
            None => self.recorder.count_homeless(),
        }
    }
}
