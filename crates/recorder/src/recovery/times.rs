//! Times of a process on the clock of rank 0.

use super::{facts::Facts, repair::Repaired};

/// Returns the first and the last time of all events.
pub(super) fn span<'a>(events: impl Iterator<Item = &'a Repaired>) -> Option<(u64, u64)> {
    let join = |(a, b): (u64, u64), (c, d): (u64, u64)| (a.min(c), b.max(d));
    events.filter_map(|events| events.times).reduce(join)
}

/// Returns how far the clock of rank 0 is ahead, or 0 if a time would overflow with that offset.
pub(super) fn ahead(facts: &Facts, span: Option<(u64, u64)>) -> i64 {
    let ahead = facts.ahead();
    let is_time = |time: u64| time.checked_add_signed(ahead).is_some();
    if span.is_none_or(|(first, last)| is_time(first) && is_time(last)) { ahead } else { 0 }
}

/// Returns the clock offsets of a process at its first and its last event.
pub(super) fn offsets(facts: &Facts, events: &[Repaired]) -> Vec<(u64, i64)> {
    let span = span(events.iter());
    let ahead = ahead(facts, span);
    match span {
        None => Vec::new(),
        Some((first, last)) if first == last => vec![(first, ahead)],
        Some((first, last)) => vec![(first, ahead), (last, ahead)],
    }
}
