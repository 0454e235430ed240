//! The threads of a trace that count, and those that can be compared.

use crate::trace::Trace;
use kymo_otf2::enums::LocationType;
use kymo_otf2::references::LocationRef;
use std::collections::{BTreeMap, HashMap, HashSet};

/// Returns whether a location is a thread.
pub(super) fn is_thread(trace: &Trace, id: LocationRef) -> bool {
    trace.location(id).is_some_and(|it| it.location_type == LocationType::CPU_THREAD)
}

/// Returns the first thread with events of each process, or all threads of a single one.
pub(super) fn comparable(trace: &Trace, spans: &BTreeMap<LocationRef, (u64, u64)>) -> HashSet<LocationRef> {
    let first = first_threads(trace, spans);
    match first.len() {
        1 => spans.keys().copied().filter(|id| is_thread(trace, *id)).collect(),
        _ => first,
    }
}

/// Returns the first thread with events of each process.
pub(super) fn first_threads(
    trace: &Trace,
    spans: &BTreeMap<LocationRef, (u64, u64)>,
) -> HashSet<LocationRef> {
    let mut first = HashMap::new();
    for location in spans.keys().filter(|id| is_thread(trace, **id)).filter_map(|id| trace.location(*id)) {
        first.entry(location.group).or_insert(location.id);
    }
    first.into_values().collect()
}
