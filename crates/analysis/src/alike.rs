//! Groups of locations that spend their time in the same way.

use crate::contexts::ContextId;
use kymo_otf2::references::LocationRef;
use std::collections::BTreeMap;

/// Locations are alike if their times differ by at most this part.
const MOST_DIFFERENCE: f64 = 0.1;
/// Contexts with less than this part of the time of a location do not count.
const LEAST_SHARE: u128 = 100;
/// The largest number of groups.
const MOST_GROUPS: usize = 256;

/// Locations whose times by calling context are nearly the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AlikeLocations {
    /// The first location, with which all others were compared.
    pub leader: LocationRef,
    /// All of them, in the order of their ids.
    pub locations: Vec<LocationRef>,
    /// The time of the leader, by context with at least a hundredth of it, in nanoseconds.
    times: Vec<(ContextId, u128)>,
}

/// Groups locations: each joins the first group whose leader is alike.
///
/// The difference between two locations is the sum of the differences of their times by context,
/// divided by the longer one of their times.
#[derive(Debug, Default)]
pub(crate) struct AlikeGroups {
    times: BTreeMap<LocationRef, Vec<(ContextId, u128)>>,
}

impl AlikeGroups {
    /// Adds a location with its exclusive times by context.
    pub(crate) fn add(
        &mut self,
        location: LocationRef,
        times: impl Iterator<Item = (ContextId, u128)> + Clone,
    ) {
        let all: u128 = times.clone().map(|it| it.1).sum();
        let mut of_contexts = BTreeMap::new();
        for (context, time) in times {
            *of_contexts.entry(context).or_insert(0) += time;
        }
        let counts = of_contexts.into_iter().filter(|(_, time)| *time * LEAST_SHARE >= all && *time > 0);
        self.times.insert(location, counts.collect());
    }

    /// Returns the groups, the one of the first location first, and the number of locations that
    /// are in none, since there are too many groups.
    pub(crate) fn finish(self) -> (Vec<AlikeLocations>, u64) {
        let (mut groups, mut others): (Vec<AlikeLocations>, _) = (Vec::new(), 0);
        for (location, times) in self.times {
            let is_alike = |group: &AlikeLocations| difference(&group.times, &times) <= MOST_DIFFERENCE;
            match groups.iter().position(is_alike) {
                Some(place) => groups[place].locations.push(location),
                None if groups.len() < MOST_GROUPS => {
                    groups.push(AlikeLocations { leader: location, locations: vec![location], times });
                }
                None => others += 1,
            }
        }
        (groups, others)
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
        let mut all = AlikeGroups::default();
        for (id, times) in (0..).zip(locations) {
            all.add(LocationRef(id), times.iter().map(|(id, time)| (ContextId(*id), *time)));
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

    #[test]
    fn contexts_below_a_hundredth_do_not_count() {
        let ranks: [&[(u32, u128)]; 2] = [&[(1, 1000), (2, 9), (3, 9)], &[(1, 900), (4, 9)]];
        assert_eq!(groups(&ranks), [vec![0, 1]]);
    }

    #[test]
    fn locations_without_time_are_alike() {
        assert_eq!(groups(&[&[], &[], &[(1, 5)]]), [vec![0, 1], vec![2]]);
    }
}
