//! The time of a marker: an instant, or a span.

use std::ffi::OsStr;

use kymo_otf2::definitions::ClockProperties;
use kymo_otf2::read::Archive;

use crate::instant::{Instant, clock};
use crate::problem::Problem;
use crate::time::Time;

/// A time as typed: `START`, `START+DURATION`, `START-END`.
#[derive(Debug)]
pub(super) struct When<'t> {
    text: &'t OsStr,
    start: Point,
    length: Length,
}

#[derive(Debug, Clone, Copy)]
enum Point {
    Start,
    End,
    At(Instant),
}

#[derive(Debug, Clone, Copy)]
enum Length {
    None,
    Of(Time),
    Until(Point),
}

impl<'t> When<'t> {
    pub(super) fn parse(text: &'t OsStr) -> Result<Self, Problem> {
        let parsed = text.to_str().ok_or_else(|| "expected text".to_owned()).and_then(parse);
        match parsed {
            Ok((start, length)) => Ok(Self { text, start, length }),
            Err(what) => Err(Problem::usage(format_args!("invalid time '{}': {what}", text.display()))),
        }
    }

    /// Returns the time and the duration in ticks, if both are in the trace.
    pub(super) fn ticks(&self, archive: &Archive) -> Result<(u64, u64), Problem> {
        let clock = clock(archive).map_err(|error| Problem::of_archive(archive, &error))?;
        let problem = |what| Problem::usage(format_args!("time '{}': {what}", self.text.display()));
        let Some(clock) = clock else {
            let ticks = self.plain_ticks();
            return ticks
                .ok_or_else(|| problem("the trace has no clock, so only ticks can be used".to_owned()));
        };
        let (first, last) = (clock.global_offset, clock.global_offset.saturating_add(clock.trace_length));
        let start = self.start.ticks(&clock);
        let end = match self.length {
            Length::None => Some(start),
            Length::Until(end) => Some(end.ticks(&clock)),
            Length::Of(length) => {
                let length = length.ticks(clock.timer_resolution).and_then(|it| u64::try_from(it).ok());
                length.and_then(|length| start.checked_add(length))
            }
        };
        match end {
            Some(end) if first <= start && end <= last && start <= end => Ok((start, end - start)),
            Some(end) if start > end => {
                Err(problem(format!("it ends at {end}, before its start at {start}")))
            }
            _ => Err(problem(format!("not in the trace, which is from {first} to {last}"))),
        }
    }

    /// Returns time and duration if both are given in ticks.
    fn plain_ticks(&self) -> Option<(u64, u64)> {
        let Point::At(Instant::Ticks(start)) = self.start else { return None };
        match self.length {
            Length::None => Some((start, 0)),
            Length::Of(time) if time.is_ticks() => Some((start, time.ticks(0)?.try_into().ok()?)),
            Length::Until(Point::At(Instant::Ticks(end))) => Some((start, end.checked_sub(start)?)),
            _ => None,
        }
    }
}

impl Point {
    fn ticks(self, clock: &ClockProperties) -> u64 {
        match self {
            Self::Start => clock.global_offset,
            Self::End => clock.global_offset.saturating_add(clock.trace_length),
            Self::At(instant) => instant.ticks(clock),
        }
    }
}

fn parse(text: &str) -> Result<(Point, Length), String> {
    if let Some((start, length)) = text.split_once('+') {
        let length: Time = length.parse().map_err(|what| format!("the duration: {what}"))?;
        return Ok((point(start)?, Length::Of(length)));
    }
    match text.split_once('-') {
        Some((start, end)) => Ok((point(start)?, Length::Until(point(end)?))),
        None => Ok((point(text)?, Length::None)),
    }
}

fn point(text: &str) -> Result<Point, String> {
    match text {
        "start" => Ok(Point::Start),
        "end" => Ok(Point::End),
        _ => text.parse().map(Point::At).map_err(|what| format!("'{text}': {what}, or 'start' or 'end'")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_and_spans() {
        let shape = |text: &str| parse(text).map(|it| format!("{it:?}")).map_err(drop);
        for text in ["0", "start", "end", "90%", "1.5s", "10+5", "start+20ms", "10-20", "start-end", "1s-50%"]
        {
            assert!(shape(text).is_ok(), "{text}");
        }
        for text in ["", "-5", "5-", "5+", "+5", "start-", "1-2-3", "1+2+3", "1.5", "now", "5+end", "5+10%"] {
            assert!(shape(text).is_err(), "{text}");
        }
    }
}
