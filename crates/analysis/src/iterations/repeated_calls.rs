//! The calls of a location that repeat: where its iterations are.

use crate::contexts::{ContextId, Contexts};
use crate::profile::Summing;
use crate::trace::Trace;
use kymo_otf2::enums::RegionRole;
use kymo_otf2::references::RegionRef;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;

/// The least number of iterations.
const LEAST: u64 = 3;
/// The largest number of iterations.
const MOST: u64 = 1 << 17;
/// A call that has nine tenths of the time of another one stands for it.
const MOST_OF_IT: [u128; 2] = [9, 10];
/// Calls with a smaller part of the time are not those that repeat, if functions that only samples
/// have seen have others.
const LEAST_PART: u128 = 100;
/// The largest number of calls down to the one with iterations.
const MOST_CALLS: usize = 64;

/// Contexts that are called equally often in one call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RepeatedCalls {
    /// The contexts, in the order of their first calls.
    pub(super) contexts: Vec<ContextId>,
    /// How often each of them is called.
    pub count: u64,
}

impl RepeatedCalls {
    /// Finds the calls that repeat in the sums of the calls of a location, which lasts for `length`
    /// nanoseconds.
    pub(crate) fn of(trace: &Trace, contexts: &Contexts, sums: &Summing, length: u64) -> Option<Self> {
        let is_task = |region| trace.region(region).is_some_and(|it| it.role == RegionRole::TASK);
        Self::find(contexts, length.into(), |context| sums.calls(context), is_task)
    }

    /// Finds the calls that have most time of those that are called equally often in the outermost
    /// call, or in the only call that has nine tenths of its time, and so on. If they have less
    /// than a hundredth, the search goes on in the function that only samples have seen and that
    /// has most time, of those with repeated calls: how often it was called is not known. `calls`
    /// returns the number of calls of a context, 0 if only samples have seen it, and their time;
    /// `length` is that of the location. Tasks, which `is_task` knows, are called by nobody and can
    /// be open at the same time.
    fn find(
        contexts: &Contexts,
        length: u128,
        calls: impl Fn(ContextId) -> (u64, u128),
        is_task: impl Fn(RegionRef) -> bool,
    ) -> Option<Self> {
        let is_repeated = |it| (LEAST..=MOST).contains(&calls(it).0) && !is_task(contexts.region(it));
        // Callers precede their callees.
        let mut has_repeated = vec![false; contexts.len() + 1];
        for context in contexts.iter().rev() {
            if is_repeated(context) || (calls(context).0 == 0 && has_repeated[context.index()]) {
                has_repeated[contexts.parent(context).index()] = true;
            }
        }
        let is_sampled = |it: &ContextId| calls(*it).0 == 0 && has_repeated[it.index()];
        let (mut parent, mut time) = (ContextId::ROOT, length);
        for _ in 0..MOST_CALLS {
            let is_most = |it: &ContextId| {
                let (visits, duration) = calls(*it);
                visits == 1 && duration * MOST_OF_IT[1] >= time * MOST_OF_IT[0]
            };
            if let Some(child) = children(contexts, parent).find(is_most) {
                (parent, time) = (child, calls(child).1);
                continue;
            }
            let repeated = children(contexts, parent).filter(|it| is_repeated(*it));
            let group = most_time(repeated, &calls);
            let sampled = children(contexts, parent).filter(is_sampled).rev();
            let sampled = sampled.max_by_key(|it| calls(*it).1);
            let is_small = group.as_ref().is_none_or(|(_, duration)| duration * LEAST_PART < time);
            match sampled.filter(|_| is_small) {
                Some(child) => (parent, time) = (child, calls(child).1),
                None => return group.map(|(group, _)| group),
            }
        }
        None
    }
}

/// Returns the contexts that are called equally often and have most time, with that; of equal ones,
/// those with fewer calls.
fn most_time(
    contexts: impl Iterator<Item = ContextId>,
    calls: impl Fn(ContextId) -> (u64, u128),
) -> Option<(RepeatedCalls, u128)> {
    let mut groups: Vec<(RepeatedCalls, u128)> = Vec::new();
    for context in contexts {
        let (count, duration) = calls(context);
        match groups.iter_mut().find(|(group, _)| group.count == count) {
            Some((group, time)) => {
                *time += duration;
                group.contexts.push(context);
            }
            None => groups.push((RepeatedCalls { contexts: vec![context], count }, duration)),
        }
    }
    groups.into_iter().max_by_key(|(group, time)| (*time, Reverse(group.count)))
}

/// Returns the contexts that a context calls itself.
fn children(contexts: &Contexts, parent: ContextId) -> impl DoubleEndedIterator<Item = ContextId> {
    contexts.iter().filter(move |context| contexts.parent(*context) == parent)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the number of the iterations and the regions that repeat, of a run of 1,000 ns. A
    /// context is given by the place of its caller, the number of its calls, 0 if only samples have
    /// seen it, and their time. Its region is its place.
    fn found(rows: &[(Option<usize>, u64, u128)]) -> Option<(u64, Vec<u32>)> {
        let mut contexts = Contexts::new();
        let mut ids: Vec<ContextId> = Vec::new();
        for (place, (caller, _, _)) in rows.iter().enumerate() {
            let parent = caller.map_or(ContextId::ROOT, |caller| ids[caller]);
            ids.push(contexts.child(parent, RegionRef(place as u32)).expect("a context"));
        }
        let calls = |context: ContextId| {
            let row = ids.iter().position(|it| *it == context).map(|place| rows[place]);
            row.map_or((0, 0), |(_, visits, time)| (visits, time))
        };
        let found = RepeatedCalls::find(&contexts, 1000, calls, |_| false)?;
        Some((found.count, found.contexts.iter().map(|it| contexts.region(*it).0).collect()))
    }

    /// A short run, in which starting MPI is more than a tenth, once had no iterations.
    #[test]
    fn iterations_are_in_the_sampled_function_with_most_time() {
        let rows = [
            (None, 0, 1000),
            (Some(0), 1, 300),
            (Some(0), 3, 2),
            (Some(0), 0, 690),
            (Some(3), 0, 600),
            (Some(3), 60, 40),
            (Some(3), 0, 20),
            (Some(6), 60, 20),
        ];
        assert_eq!(found(&rows), Some((60, vec![5])));
    }

    #[test]
    fn calls_of_a_hundredth_are_iterations_beside_sampled_functions() {
        let rows = [(None, 0, 1000), (Some(0), 20, 10), (Some(0), 0, 800), (Some(2), 500, 300)];
        assert_eq!(found(&rows), Some((20, vec![1])));
        let rows = [(None, 0, 1000), (Some(0), 20, 9), (Some(0), 0, 800), (Some(2), 500, 300)];
        assert_eq!(found(&rows), Some((500, vec![3])));
    }

    /// The functions with most time differ among ranks with different roles.
    #[test]
    fn a_sampled_function_with_most_time_does_not_hide_repeated_calls_beside_it() {
        let rows = [(None, 0, 1000), (Some(0), 0, 960), (Some(1), 60, 500), (Some(0), 60, 40)];
        assert_eq!(found(&rows), Some((60, vec![3])));
    }

    #[test]
    fn sampled_functions_without_repeated_calls_have_no_iterations() {
        let rows = [(None, 0, 1000), (Some(0), 0, 950), (Some(1), 0, 900), (Some(0), 30, 5)];
        assert_eq!(found(&rows), Some((30, vec![3])));
        assert_eq!(found(&rows[..3]), None);
    }
}
