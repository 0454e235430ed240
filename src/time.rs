//! The time range of the program and the resolution of the host's clock.

use core::sync::atomic::{
    AtomicU64,
    Ordering::{Acquire, Release},
};
use std::sync::OnceLock;

use kymo_otf2::definitions::ClockProperties;
use kymo_recorder::clock::{Clock, Reading};
use kymo_substrate::{Host, report};

use crate::NAME;

/// What is written where no clock of the machine fits and the host does not tell: readers divide by it.
const UNKNOWN_RESOLUTION: u64 = 1_000_000_000;

/// What the plugin knows of time; all times in ticks of the host's clock.
#[derive(Debug)]
pub(crate) struct Time {
    start: Reading,
    begin: AtomicU64,
    end: AtomicU64,
    /// The clock behind the timestamps, looked for when the first one arrives; `None` if it is none of this machine.
    clock: OnceLock<Option<Clock>>,
}

impl Time {
    pub(crate) fn new() -> Self {
        Self {
            start: Reading::now(),
            begin: AtomicU64::new(u64::MAX),
            end: AtomicU64::new(0),
            clock: OnceLock::new(),
        }
    }

    /// The program begins.
    pub(crate) fn begin(&self, time: u64) {
        self.begin.store(time, Release);
        let _ = self.clock.set(Reading::now().identify(time));
    }

    /// The program ends.
    pub(crate) fn end(&self, time: u64) {
        self.end.fetch_max(time, Release);
    }

    /// Begin and end of the program; where the host did not tell, 0 and the time of the last event.
    pub(crate) fn range(&self, last_event: u64) -> (u64, u64) {
        let begin = match self.begin.load(Acquire) {
            u64::MAX => 0,
            begin => begin,
        };
        let end = match self.end.load(Acquire) {
            0 => last_event,
            end => end,
        };
        (begin, end.max(begin))
    }

    /// The clock definition of a trace whose events lie between `begin` and `end`.
    pub(crate) fn properties(&self, host: &Host, (begin, end): (u64, u64)) -> ClockProperties {
        ClockProperties {
            timer_resolution: self.resolution(host),
            global_offset: begin,
            trace_length: end - begin,
            realtime_timestamp: u64::MAX,
        }
    }

    /// Ticks per second: what the host says, else what the clock is known or measured to have.
    fn resolution(&self, host: &Host) -> u64 {
        let measured = || Reading::now().ticks_per_second(&self.start, (*self.clock.get()?)?);
        host.clock_resolution().or_else(measured).unwrap_or_else(|| {
            report(NAME, format_args!("the timestamps fit no clock of this machine: {UNKNOWN_RESOLUTION} ticks per second assumed"));
            UNKNOWN_RESOLUTION
        })
    }
}
