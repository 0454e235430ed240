//! Samples of regions: the ticks that all locations together spent in each region, its callees
//! excluded.

use kymo_otf2::events::Event;
use kymo_otf2::read::TimedRecord;

use super::intervals::Intervals;
use super::sampler::{Definitions, Sampler};
use kymo_analysis::index::Index;

/// The depth up to which the regions of a location are known. Deeper calls are only counted, so
/// that memory has a bound.
const DEEPEST: usize = 1 << 16;

/// Sums up times by region.
#[derive(Debug)]
pub(super) struct Regions<'d> {
    definitions: &'d Definitions,
    /// The place of the value of a region.
    places: Index<usize>,
    calls: Vec<OpenRegions>,
    /// The values of the current interval.
    ticks: Vec<u64>,
    start: u64,
    last: u64,
}

/// The open regions of a location.
#[derive(Debug, Clone, Default)]
struct OpenRegions {
    /// The places of their values, if they have any.
    open: Vec<Option<usize>>,
    /// The number of open regions beyond [`DEEPEST`].
    deeper: u64,
    /// The time up to which the innermost region is accounted for.
    since: u64,
}

impl<'d> Regions<'d> {
    pub(super) fn new(definitions: &'d Definitions, ids: &[u32], intervals: &Intervals) -> Self {
        let mut places = Index::default();
        for (&id, place) in ids.iter().zip(0..) {
            places.insert(id.into(), place);
        }
        let start = intervals.first();
        let calls = OpenRegions { since: start, ..OpenRegions::default() };
        Self {
            definitions,
            places,
            calls: vec![calls; definitions.locations.len()],
            ticks: vec![0; ids.len()],
            start,
            last: intervals.last(),
        }
    }

    fn enter(&mut self, location: usize, region: Option<u32>) {
        let place = region.and_then(|region| self.places.get(region.into()).copied());
        let Some(calls) = self.calls.get_mut(location) else { return };
        match calls.open.len() < DEEPEST {
            true => calls.open.push(place),
            false => calls.deeper += 1,
        }
    }

    fn leave(&mut self, location: usize) {
        let Some(calls) = self.calls.get_mut(location) else { return };
        match calls.deeper.checked_sub(1) {
            Some(deeper) => calls.deeper = deeper,
            None => _ = calls.open.pop(),
        }
    }
}

impl OpenRegions {
    /// Adds the time until `now` to the innermost region.
    fn account(&mut self, now: u64, ticks: &mut [u64]) {
        let place = self.open.last().copied().flatten();
        if let Some(sum) = place.and_then(|place| ticks.get_mut(place)) {
            *sum = sum.saturating_add(now.saturating_sub(self.since));
        }
        self.since = self.since.max(now);
    }
}

impl Sampler for Regions<'_> {
    fn event(&mut self, location: usize, event: &TimedRecord<'_, Event<'_>>) {
        let context = |context: u32| self.definitions.contexts.get(context.into()).copied();
        let entered = match &event.record {
            Event::Enter(it) => Some(Some(it.region.0)),
            Event::CallingContextEnter(it) => Some(context(it.calling_context.0)),
            Event::Leave(_) | Event::CallingContextLeave(_) => None,
            _ => return,
        };
        if let Some(calls) = self.calls.get_mut(location) {
            calls.account(event.time.min(self.last), &mut self.ticks);
        }
        match entered {
            Some(region) => self.enter(location, region),
            None => self.leave(location),
        }
    }

    fn sample(&mut self, end: u64, values: &mut Vec<u64>) -> u64 {
        self.calls.iter_mut().for_each(|calls| calls.account(end, &mut self.ticks));
        values.extend_from_slice(&self.ticks);
        self.ticks.fill(0);
        let length = end - std::mem::replace(&mut self.start, end);
        length.saturating_mul(self.calls.len() as u64)
    }
}
