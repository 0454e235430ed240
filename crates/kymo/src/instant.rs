//! Points in the time of a trace, as typed on the command line.

use std::str::FromStr;

use kymo_otf2::definitions::{ClockProperties, GlobalDefinition};
use kymo_otf2::read::Archive;

use crate::time::Time;

/// A point in the time of a trace.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Instant {
    /// Ticks, as in the trace.
    Ticks(u64),
    /// The time since the start of the trace.
    After(Time),
    /// A fraction of the length of the trace.
    Part(Time),
}

impl FromStr for Instant {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // Digits only: no sign, no blanks.
        if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
            return text.parse().map(Self::Ticks).map_err(|error: std::num::ParseIntError| error.to_string());
        }
        let after = text.parse().ok().filter(|time: &Time| !time.is_ticks());
        let part = || Time::per_cent(text).map(Self::Part);
        let what = "expected ticks, a time with a unit (s, ms, us, ns), or a percentage from 0% to 100%";
        after.map(Self::After).or_else(part).ok_or_else(|| what.to_owned())
    }
}

impl Instant {
    /// Converts to ticks of the trace.
    pub(crate) fn ticks(self, clock: &ClockProperties) -> u64 {
        let after = |time: Time, whole| {
            let ticks =
                time.ticks(whole).map_or(i128::MAX, |ticks| ticks.saturating_add(clock.global_offset.into()));
            u64::try_from(ticks.max(0)).unwrap_or(u64::MAX)
        };
        match self {
            Self::Ticks(ticks) => ticks,
            Self::After(time) => after(time, clock.timer_resolution),
            Self::Part(part) => after(part, clock.trace_length),
        }
    }
}

/// Returns the clock of a trace, if its global definitions define one.
pub(crate) fn clock(archive: &Archive) -> kymo_otf2::Result<Option<ClockProperties>> {
    for record in archive.global_definitions()?.records()? {
        if let GlobalDefinition::ClockProperties(clock) = record? {
            return Ok(Some(clock));
        }
    }
    Ok(None)
}
