//! Groups of locations that spend their time in the same way.

use crate::contexts::ContextId;
use kymo_otf2::references::LocationRef;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Locations are alike if their times differ by at most this part.
const MOST_DIFFERENCE: f64 = 0.1;
/// The largest number of contexts of a location that are compared, those with most time.
const MOST_CONTEXTS: usize = 1 << 12;
/// The largest number of groups.
const MOST_GROUPS: usize = 256;

/// Locations whose times by calling context are nearly the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AlikeLocations {
    /// The first location, with which all others were compared.
    pub leader: LocationRef,
    /// All of them, in the order of their ids.
    pub locations: Vec<LocationRef>,
    /// The time of the leader by context, in nanoseconds.
    times: Vec<(ContextId, u128)>,
}

/// Groups locations: each joins the first group whose leader is alike.
///
/// The difference between two locations is the sum of the differences of their times by context,
/// divided by the longer one of their times. Memory grows with groups: locations wait only for
/// those before them.
#[derive(Debug)]
pub(crate) struct AlikeGroups {
    /// The locations that are not grouped, in reverse order.
    expected: Vec<LocationRef>,
    waiting: BTreeMap<LocationRef, Vec<(ContextId, u128)>>,
    groups: Vec<AlikeLocations>,
    others: u64,
}

impl AlikeGroups {
    /// Starts without groups; these locations will be added, in any order.
    pub(crate) fn new(locations: impl Iterator<Item = LocationRef>) -> Self {
        let mut expected: Vec<_> = locations.collect();
        expected.sort_unstable_by(|one, other| other.cmp(one));
        Self { expected, waiting: BTreeMap::new(), groups: Vec::new(), others: 0 }
    }

    /// Adds a location with its exclusive times by context.
    pub(crate) fn add(&mut self, location: LocationRef, times: impl Iterator<Item = (ContextId, u128)>) {
        let mut of_contexts: BTreeMap<ContextId, u128> = BTreeMap::new();
        for (context, time) in times.filter(|(_, time)| *time > 0) {
            *of_contexts.entry(context).or_default() += time;
        }
        let mut times: Vec<_> = of_contexts.into_iter().collect();
        if times.len() > MOST_CONTEXTS {
            times.sort_unstable_by_key(|(context, time)| (Reverse(*time), *context));
            times.truncate(MOST_CONTEXTS);
            times.sort_unstable();
        }
        self.waiting.insert(location, times);
        while let Some(times) = self.expected.last().and_then(|next| self.waiting.remove(next)) {
            self.expected.pop().into_iter().for_each(|next| self.group(next, &times));
        }
    }

    fn group(&mut self, location: LocationRef, times: &[(ContextId, u128)]) {
        let is_alike = |group: &AlikeLocations| difference(&group.times, times) <= MOST_DIFFERENCE;
        match self.groups.iter().position(is_alike) {
            Some(place) => self.groups[place].locations.push(location),
            None if self.groups.len() < MOST_GROUPS => {
                let (locations, times) = (vec![location], times.to_vec());
                self.groups.push(AlikeLocations { leader: location, locations, times });
            }
            None => self.others += 1,
        }
    }

    /// Returns the groups, the one of the first location first, and the number of locations that
    /// are in none, since there are too many groups.
    pub(crate) fn finish(self) -> (Vec<AlikeLocations>, u64) {
        (self.groups, self.others)
    }
}

/// Returns by which part two lists of times differ, each in the order of contexts.
fn difference(one: &[(ContextId, u128)], other: &[(ContextId, u128)]) -> f64 {
    let sum = |times: &[(ContextId, u128)]| times.iter().map(|it| it.1).sum::<u128>();
    let longest = sum(one).max(sum(other));
    let (mut one, mut other) = (one.iter().peekable(), other.iter().peekable());
    let mut differences = 0;
    loop {
        differences += match (one.peek(), other.peek()) {
            (None, None) => break,
            (Some((a, time)), Some((b, other_time))) if a == b => {
                let difference = time.abs_diff(*other_time);
                one.next();
                other.next();
                difference
            }
            (Some((a, time)), Some((b, _))) if a < b => {
                one.next();
                *time
            }
            (Some((_, time)), None) => {
                one.next();
                *time
            }
            (_, Some((_, time))) => {
                other.next();
                *time
            }
        };
    }
    if longest == 0 { 0.0 } else { differences as f64 / longest as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups(locations: &[&[(u32, u128)]]) -> Vec<Vec<u64>> {
        let mut all = AlikeGroups::new((0..locations.len() as u64).map(LocationRef));
        // The last one is read first.
        for (id, times) in locations.iter().enumerate().rev() {
            all.add(LocationRef(id as u64), times.iter().map(|(id, time)| (ContextId(*id), *time)));
        }
        let (groups, others) = all.finish();
        assert_eq!(others, 0);
        groups.iter().map(|group| group.locations.iter().map(|it| it.0).collect()).collect()
    }

    #[test]
    fn locations_whose_times_differ_by_a_tenth_are_alike() {
        let ranks: [&[(u32, u128)]; 4] =
            [&[(1, 500), (2, 500)], &[(1, 550), (2, 450)], &[(1, 551), (2, 449)], &[(3, 1000)]];
        assert_eq!(groups(&ranks), [vec![0, 1], vec![2], vec![3]]);
    }

    /// Contexts with less than a hundredth of the time did not count, so that programs that share
    /// none of many functions were alike.
    #[test]
    fn many_contexts_with_little_time_count() {
        let functions = |first: u32| (first..first + 200).map(|id| (id, 5)).collect::<Vec<_>>();
        assert_eq!(groups(&[&functions(0), &functions(200), &functions(0)]), [vec![0, 2], vec![1]]);
    }

    #[test]
    fn locations_without_time_are_alike() {
        assert_eq!(groups(&[&[], &[], &[(1, 5)]]), [vec![0, 1], vec![2]]);
    }
}
