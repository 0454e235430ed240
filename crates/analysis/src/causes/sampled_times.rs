//! The time that samples give to calls which only they have seen.
//!
//! Between two samples it is not known in which of the functions that samples see a location is:
//! that time is in the entered call around them, or in no call. When a sample comes, it says for
//! how long the location has run since the last one, and a profile gives that time to the calls
//! that the sample has seen. Here the intervals are over then, so that sums are corrected
//! afterwards: each entered call gives to those inside it the differences from their times in
//! a profile, of each of its sums the same part.

use super::place_times::PlaceTimes;
use crate::calls::Sampled;
use crate::contexts::ContextId;
use std::collections::BTreeMap;

/// The time that samples give to each context, in nanoseconds.
#[derive(Debug, Default)]
pub(super) struct SampledTimes {
    /// With the entered call around it, or the root.
    by_context: BTreeMap<ContextId, (ContextId, u64)>,
}

impl SampledTimes {
    pub(super) fn add(&mut self, sampled: &Sampled) {
        if sampled.exclusive > 0 {
            let own = self.by_context.entry(sampled.context).or_insert((sampled.entered, 0));
            own.1 += sampled.exclusive;
        }
    }

    pub(super) fn rename(&mut self, ids: &[ContextId]) {
        let new = |id: ContextId| ids[id.index()];
        let all = std::mem::take(&mut self.by_context).into_iter();
        self.by_context = all.map(|(id, (entered, time))| (new(id), (new(entered), time))).collect();
    }

    /// Corrects the sums by context, which are those of the intervals. Returns the part of the time
    /// in no call that was given to calls.
    pub(super) fn correct(self, times: &mut Vec<PlaceTimes>) -> f64 {
        let outside = times.first().map_or(0, PlaceTimes::all);
        let last = self.by_context.keys().next_back().map_or(0, |id| id.index() + 1);
        times.resize(times.len().max(last), PlaceTimes::default());
        let mut inside: BTreeMap<ContextId, Vec<(ContextId, u128)>> = BTreeMap::new();
        let mut surplus: BTreeMap<ContextId, u128> = BTreeMap::new();
        for (id, (entered, time)) in self.by_context {
            let (time, known) = (u128::from(time), times[id.index()].all());
            match time.checked_sub(known) {
                Some(missing) => inside.entry(entered).or_default().push((id, missing)),
                None => *surplus.entry(entered).or_default() += known - time,
            }
        }
        for (entered, mut missing) in inside {
            // The time that the intervals gave to others was in no call either.
            let all: u128 = missing.iter().map(|it| it.1).sum();
            let known = surplus.get(&entered).copied().unwrap_or(0);
            missing.iter_mut().for_each(|it| it.1 = part(it.1, all.saturating_sub(known), all));
            give(times, entered, &missing);
        }
        let rest = times.first().map_or(0, PlaceTimes::all);
        if outside > 0 { 1.0 - rest as f64 / outside as f64 } else { 0.0 }
    }
}

/// Moves times from an entered call to calls inside it, of each sum the same part.
fn give(times: &mut [PlaceTimes], entered: ContextId, missing: &[(ContextId, u128)]) {
    let Some(own) = times.get(entered.index()).copied() else { return };
    // More than there is cannot be given.
    let whole = own.all().max(missing.iter().map(|it| it.1).sum());
    for (id, missing) in missing {
        let given = PlaceTimes {
            working: part(own.working, *missing, whole),
            waiting: part(own.waiting, *missing, whole),
            blame: part(own.blame, *missing, whole),
            serial: part(own.serial, *missing, whole),
            critical: part(own.critical, *missing, whole),
        };
        times[entered.index()] -= given;
        times[id.index()] += given;
    }
}

/// Returns a part of an amount, rounded down.
fn part(amount: u128, numerator: u128, denominator: u128) -> u128 {
    amount.checked_mul(numerator).and_then(|it| it.checked_div(denominator)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sampled(context: u32, exclusive: u64) -> Sampled {
        Sampled { context: ContextId(context), entered: ContextId::ROOT, samples: 1, inclusive: 0, exclusive }
    }

    fn times(working: u128, critical: u128) -> PlaceTimes {
        PlaceTimes { working, critical, ..PlaceTimes::default() }
    }

    #[test]
    fn calls_receive_what_they_lack_in_equal_parts_of_all_sums() {
        let mut samples = SampledTimes::default();
        [sampled(1, 300), sampled(2, 100), sampled(1, 100)].iter().for_each(|it| samples.add(it));
        let mut all = vec![times(800, 80), times(100, 100)];
        assert_eq!(samples.correct(&mut all), 0.5);
        assert_eq!(all, [times(400, 40), times(400, 130), times(100, 10)]);
    }

    #[test]
    fn what_others_have_too_much_is_not_given() {
        let mut samples = SampledTimes::default();
        [sampled(1, 100), sampled(2, 200)].iter().for_each(|it| samples.add(it));
        let mut all = vec![times(500, 0), times(150, 0), times(0, 0)];
        samples.correct(&mut all);
        assert_eq!(all, [times(350, 0), times(150, 0), times(150, 0)]);
    }

    #[test]
    fn no_more_is_given_than_there_is() {
        let mut samples = SampledTimes::default();
        samples.add(&sampled(1, 700));
        let mut all = vec![times(500, 500)];
        samples.correct(&mut all);
        assert_eq!(all, [times(0, 0), times(500, 500)]);
    }
}
