//! The times that the strip of the whole trace shows, where samples are.
//!
//! The time of a sample belongs to the slice in which the sample was taken, so that sums are those
//! of profiles. Where slices are shorter than the time between samples, a picture of them would be
//! stripes. The strip spreads that time until the next sample. Invariant: it has the same sums.

use std::collections::{BTreeMap, HashMap, HashSet};

use kymo_analysis::ContextId;
use kymo_analysis::overview::Overview;
use kymo_otf2::references::RegionRef;

use super::slices::Slices;

/// Exclusive times by slice and region, which a calling context stands for.
pub(super) type Strip = BTreeMap<(u32, ContextId), f64>;

/// Returns the times of the strip if they differ from those of the slices.
pub(super) fn of(overview: &Overview, slices: &Slices) -> Option<Strip> {
    let mut unsampled = HashSet::new();
    unsampled.extend(slices.entries.iter().filter(|it| it.visits > 0).map(|it| it.context));
    let is_sampled = |context| !unsampled.contains(&context);
    if !slices.entries.iter().any(|it| is_sampled(it.context)) {
        return None;
    }
    let mut contexts = HashMap::<RegionRef, ContextId>::new();
    let mut of_region = |it| *contexts.entry(overview.contexts.region(it)).or_insert(it);
    let mut strip = Strip::new();
    // Of each group: its latest slice with samples, and the times in there.
    let mut latest = vec![(0_u32, Vec::<(ContextId, u64)>::new()); slices.groups.len()];
    let mut spread = |from: u32, to: u32, times: &mut Vec<(ContextId, u64)>| {
        for (context, time) in times.drain(..) {
            for slice in from..to {
                *strip.entry((slice, context)).or_default() += time as f64 / f64::from(to - from);
            }
        }
    };
    for entry in &slices.entries {
        let context = of_region(entry.context);
        if is_sampled(entry.context) {
            let (slice, times) = &mut latest[entry.group as usize];
            if *slice != entry.slice {
                spread(*slice, entry.slice, times);
                *slice = entry.slice;
            }
            times.push((context, entry.exclusive));
        } else {
            spread(entry.slice, entry.slice + 1, &mut vec![(context, entry.exclusive)]);
        }
    }
    for (slice, times) in &mut latest {
        spread(*slice, slices.count as u32, times);
    }
    Some(strip)
}
