//! The conversion of the times of an archive to those of the result: by the rate of the clock, and
//! by a shift.

use clap::ValueEnum;
use kymo_otf2::definitions::ClockProperties;

use super::sources::Source;
use crate::problem::Problem;
use crate::status::Status;
use crate::time::Time;

/// How the times of the archives are aligned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Alignment {
    /// All archives begin when the first one does
    Start,
    /// Archives begin at the times of their wall clocks
    Realtime,
}

const NANOS_PER_SECOND: i128 = 1_000_000_000;

/// Converts times of an archive to `time * to / from + shift`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Line {
    from: u64,
    to: u64,
    pub(super) shift: i128,
}

impl Line {
    /// Creates the conversion from ticks of which `from` make up a second to those of which `to`
    /// do.
    fn new(from: u64, to: u64) -> Self {
        if from == to { Line { from: 1, to: 1, shift: 0 } } else { Line { from, to, shift: 0 } }
    }

    /// Whether times do not change.
    pub(super) fn is_identity(&self) -> bool {
        self.is_shift() && self.shift == 0
    }

    /// Whether all times move by the same amount.
    pub(super) fn is_shift(&self) -> bool {
        self.from == self.to
    }

    /// Returns the ticks of the result.
    pub(super) fn scaled(&self, ticks: u64) -> i128 {
        // Neither factor has more than 64 bits, and half a divisor is less than the space above a
        // product.
        let product = u128::from(ticks) * u128::from(self.to);
        let rounded = product.saturating_add(u128::from(self.from / 2)) / u128::from(self.from.max(1));
        i128::try_from(rounded).unwrap_or(i128::MAX)
    }

    /// Returns the time in the result, if there is one.
    pub(super) fn apply(&self, time: u64) -> Option<u64> {
        u64::try_from(self.scaled(time).checked_add(self.shift)?).ok()
    }
}

/// Returns the conversions for the archives.
pub(super) fn lines(
    sources: &[Source],
    shifts: &[Vec<Time>],
    align: Option<Alignment>,
) -> Result<Vec<Line>, Problem> {
    let Some(first) = sources.first() else { return Ok(Vec::new()) };
    let resolution = first.clock.timer_resolution;
    let mut lines = Vec::with_capacity(sources.len());
    for source in sources {
        let line = Line::new(source.clock.timer_resolution, resolution);
        if !line.is_shift() && (line.from == 0 || line.to == 0) {
            return Err(Problem::of(&source.path, "its clock has no resolution", Status::Faulty));
        }
        let shift = aligned(first, source, &line, align)?;
        lines.push(Line { shift, ..line });
    }
    if align.is_some() {
        move_after_zero(sources, &mut lines);
    }
    for ((source, line), shifts) in sources.iter().zip(&mut lines).zip(shifts) {
        let more = shifts.iter().try_fold(0_i128, |sum, shift| sum.checked_add(shift.ticks(resolution)?));
        let problem = || Problem::of(&source.path, "cannot be shifted that far", Status::Usage);
        line.shift = more.and_then(|more| line.shift.checked_add(more)).ok_or_else(problem)?;
    }
    Ok(lines)
}

/// Returns the shift that aligns an archive with the first one.
fn aligned(first: &Source, source: &Source, line: &Line, align: Option<Alignment>) -> Result<i128, Problem> {
    let begin = i128::from(first.clock.global_offset);
    Ok(match align {
        None => 0,
        Some(Alignment::Start) => begin - line.scaled(source.clock.global_offset),
        Some(Alignment::Realtime) => {
            let nanos = realtime(source)? - realtime(first)?;
            let ticks =
                nanos.saturating_mul(first.clock.timer_resolution.into()).div_euclid(NANOS_PER_SECOND);
            begin.saturating_add(ticks).saturating_sub(line.scaled(source.clock.global_offset))
        }
    })
}

fn realtime(source: &Source) -> Result<i128, Problem> {
    match source.clock.realtime_timestamp {
        u64::MAX => Err(Problem::of(
            &source.path,
            "has no wall clock time (realtimeTimestamp) to align it by",
            Status::Usage,
        )),
        time => Ok(time.into()),
    }
}

/// Moves all archives later if one would begin before time 0.
fn move_after_zero(sources: &[Source], lines: &mut [Line]) {
    let begins = sources
        .iter()
        .zip(&*lines)
        .map(|(source, line)| line.scaled(source.clock.global_offset).saturating_add(line.shift));
    let missing = begins.min().unwrap_or(0).min(0);
    for line in lines {
        line.shift = line.shift.saturating_sub(missing);
    }
}

/// Returns the clock of the result: from the first begin to the last end, in ticks of the first
/// archive.
pub(super) fn result_clock(sources: &[Source], lines: &[Line]) -> Result<ClockProperties, Problem> {
    let mut spans = Vec::with_capacity(sources.len());
    for (source, line) in sources.iter().zip(lines) {
        let clock = &source.clock;
        let outside =
            || Problem::of(&source.path, "would begin before time 0 or end too late", Status::Usage);
        let end = clock.global_offset.saturating_add(clock.trace_length);
        let span = line.apply(clock.global_offset).zip(line.apply(end)).ok_or_else(outside)?;
        spans.push((span, clock));
    }
    let first = spans.iter().min_by_key(|(span, _)| span.0);
    let (global_offset, realtime_timestamp) =
        first.map_or((0, u64::MAX), |((begin, _), clock)| (*begin, clock.realtime_timestamp));
    let end = spans.iter().map(|(span, _)| span.1).max().unwrap_or(global_offset);
    Ok(ClockProperties {
        timer_resolution: sources.first().map_or(0, |source| source.clock.timer_resolution),
        global_offset,
        trace_length: end.saturating_sub(global_offset),
        realtime_timestamp,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_scaled_to_the_nearest() {
        let line = Line { shift: -100, ..Line::new(1_000, 2_500) };
        assert_eq!([40, 41, 43].map(|time| line.apply(time)), [Some(0), Some(3), Some(8)]);
        assert_eq!(line.apply(39), None);
        assert_eq!(Line::new(0, 0).apply(u64::MAX), Some(u64::MAX));
        assert_eq!(Line::new(1, u64::MAX).apply(u64::MAX), None);
    }
}
