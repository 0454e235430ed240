//! The times at which calling contexts were on stacks, and these times on the clocks of files.
//!
//! Invariants: a context was on a stack at the time of each event in it and in its callees; a span
//! in the time of a file is at least as long as it was.

use std::collections::{BTreeMap, HashMap};

use kymo_otf2::events::Event;
use kymo_otf2::read::{Archive, Options};
use kymo_otf2::{Error, FileName};
use kymo_symbols::code_generator::ClockPair;

use super::history::SampledSpan;
use crate::problem::Problem;

const SECOND: u64 = 1_000_000_000;
/// How far the two clocks can be from each other: always, in nanoseconds, and in a million
/// nanoseconds since they were read. The system adjusts its clock by up to 500 of them.
const ALWAYS: u64 = 1_000_000;
const IN_A_MILLION: u64 = 600;

/// The spans of all contexts, in the ticks of the event files.
#[derive(Debug, Default)]
pub(super) struct ContextSpans {
    spans: HashMap<u32, SampledSpan>,
    /// The last events of processes.
    ends: HashMap<usize, u64>,
}

impl ContextSpans {
    /// Reads them from the events. `parents` are the callers of contexts, `owners` the numbers of
    /// the processes that they belong to, if they are in generated code or called from there.
    pub(super) fn read(
        archive: &Archive,
        parents: &BTreeMap<u32, u32>,
        owners: &HashMap<u32, usize>,
    ) -> Result<Self, Problem> {
        let cannot_read = |error: Error| Problem::of_archive(archive, &error);
        let options = Options { clock_correction: false, ..Options::default() };
        let uncorrected = Archive::open_with(archive.path(FileName::Anchor), options).map_err(cannot_read)?;
        let mut this = Self::default();
        for location in uncorrected.locations().map_err(cannot_read)? {
            let mut reader = match uncorrected.events(location) {
                // A location without events may have no file.
                Err(Error::Io { source, .. }) if source.kind() == std::io::ErrorKind::NotFound => continue,
                reader => reader.map_err(cannot_read)?,
            };
            let (mut owner, mut last) = (None, 0);
            while let Some(event) = reader.next().map_err(cannot_read)? {
                last = event.time;
                let context = match event.record {
                    Event::CallingContextSample(it) => it.calling_context,
                    Event::CallingContextEnter(it) => it.calling_context,
                    Event::CallingContextLeave(it) => it.calling_context,
                    _ => continue,
                };
                owner = owner.or_else(|| owners.get(&context.0));
                this.add(context.0, event.time..=event.time);
            }
            if let Some(&owner) = owner {
                let end = this.ends.entry(owner).or_default();
                *end = last.max(*end);
            }
        }
        this.extend(parents);
        Ok(this)
    }

    fn add(&mut self, context: u32, span: SampledSpan) {
        let known = self.spans.entry(context).or_insert_with(|| span.clone());
        *known = *known.start().min(span.start())..=*known.end().max(span.end());
    }

    /// Adds the spans of callees to those of their callers, which have smaller ids.
    fn extend(&mut self, parents: &BTreeMap<u32, u32>) {
        for (context, &parent) in parents.iter().rev() {
            if let Some(span) = self.spans.get(context).cloned() {
                self.add(parent, span);
            }
        }
    }

    pub(super) fn of(&self, context: u32) -> Option<&SampledSpan> {
        self.spans.get(&context)
    }

    /// Returns the time of the last event of a process.
    pub(super) fn end_of(&self, process: usize) -> Option<u64> {
        self.ends.get(&process).copied()
    }
}

/// Returns a span of ticks on the monotonic clock, with as much more as the clocks can differ.
pub(super) fn monotonic(ticks: &SampledSpan, clock: &ClockPair) -> Option<SampledSpan> {
    let (start, end) = (time(*ticks.start(), clock)?, time(*ticks.end(), clock)?);
    let width = |time: u64| ALWAYS + time.abs_diff(clock.monotonic) / 1_000_000 * IN_A_MILLION;
    Some(start.saturating_sub(width(start))..=end.saturating_add(width(end)))
}

/// Returns the time of a tick on a clock that had `clock.monotonic` at `clock.ticks`.
fn time(ticks: u64, clock: &ClockPair) -> Option<u64> {
    let passed = i128::from(ticks) - i128::from(clock.ticks);
    let nanoseconds = (passed * i128::from(SECOND)).checked_div(clock.rate.into())?;
    u64::try_from(i128::from(clock.monotonic) + nanoseconds).ok()
}

/// Returns the time since the clocks were read, in nanoseconds; 0 for earlier times.
pub(super) fn since(ticks: u64, clock: &ClockPair) -> Option<u64> {
    Some(time(ticks, clock)?.saturating_sub(clock.monotonic))
}

/// Returns the ticks at a time of the monotonic clock.
pub(super) fn ticks(monotonic: u64, clock: &ClockPair) -> Option<u64> {
    let passed = i128::from(monotonic) - i128::from(clock.monotonic);
    let ticks = passed.checked_mul(i128::from(clock.rate))? / i128::from(SECOND);
    u64::try_from(i128::from(clock.ticks) + ticks).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLOCK: ClockPair = ClockPair { ticks: 5000, monotonic: 10 * SECOND, rate: 2000, is_counter: true };

    #[test]
    fn ticks_and_times_are_converted() {
        assert_eq!((time(7000, &CLOCK), time(4000, &CLOCK)), (Some(11 * SECOND), Some(9_500_000_000)));
        assert_eq!((ticks(11 * SECOND, &CLOCK), ticks(9_500_000_000, &CLOCK)), (Some(7000), Some(4000)));
        assert_eq!((since(7000, &CLOCK), since(1, &CLOCK)), (Some(SECOND), Some(0)));
        assert_eq!(time(u64::MAX, &ClockPair { rate: 1, ..CLOCK }), None);
        assert_eq!(time(5, &ClockPair { rate: 0, ..CLOCK }), None);
    }

    #[test]
    fn a_span_is_longer_the_longer_ago_the_clocks_were_read() {
        let span = monotonic(&(5000..=7000), &CLOCK).expect("a span");
        assert_eq!(span, 10 * SECOND - ALWAYS..=11 * SECOND + ALWAYS + 600_000);
    }

    #[test]
    fn a_caller_was_there_while_what_it_calls_was() {
        let mut spans = ContextSpans::default();
        [(3, 30), (3, 10), (2, 50), (4, 20)].iter().for_each(|&(id, time)| spans.add(id, time..=time));
        spans.extend(&BTreeMap::from([(1, u32::MAX), (2, 1), (3, 2), (4, 1), (5, 4)]));
        let found = [1, 2, 3, 4, 5].map(|id| spans.of(id).cloned());
        assert_eq!(found, [Some(10..=50), Some(10..=50), Some(10..=30), Some(20..=20), None]);
    }
}
