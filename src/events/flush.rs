//! Flushes of the host's own trace buffers (events 2 and 3), which occur only if its tracing is on
//! as well.
//!
//! The event that caused the flush is delivered after both, but has an earlier time. The flush is
//! therefore held until the location's next event and is written before it as one BufferFlush
//! record, so that time does not run backwards (docs/spec/scorep-to-otf2.md, §4.6).

use kymo_substrate::{Location, Metrics, RegionHandle, Timestamp};

use crate::events::Sink;

impl Sink {
    pub(super) fn on_tracing_buffer_flush_begin(
        &self,
        at: Location,
        time: Timestamp,
        _region: RegionHandle,
        _metrics: Metrics,
    ) {
        self.at(at, time, |location| location.begin_flush(time));
    }

    pub(super) fn on_tracing_buffer_flush_end(
        &self,
        at: Location,
        time: Timestamp,
        _region: RegionHandle,
        _metrics: Metrics,
    ) {
        match self.recorder.track(at.address()) {
            Some(track) => track.hold_flush(time),
            None => self.recorder.count_untracked(),
        }
    }
}
