//! The events of collective operations of a location.
//!
//! Operations that block follow each other; those at the same time as others do not block.

use kymo_otf2::enums::CollectiveOp;

use super::event_order::{EventPlace, TimedEvent, WrittenEvent};

/// The part of a location in a collective operation.
#[derive(Debug, Clone, Copy)]
pub(super) struct CollectiveRow {
    pub(super) start: u64,
    pub(super) end: u64,
    pub(super) operation: CollectiveOp,
    pub(super) communicator: u32,
    pub(super) root: u32,
    pub(super) sent: u64,
    pub(super) received: u64,
}

/// Returns the begins and ends of operations of a location.
pub(super) fn events_of_collectives(mut rows: Vec<CollectiveRow>) -> Vec<TimedEvent> {
    rows.sort_by_key(|row| (row.start, row.end));
    let is_blocking = are_blocking(&rows);
    let mut events = Vec::with_capacity(2 * rows.len());
    for (number, (row, is_blocking)) in (0..).zip(rows.into_iter().zip(is_blocking)) {
        let CollectiveRow { start, end, operation, communicator, root, sent, received } = row;
        let request = (!is_blocking).then_some(number);
        let begin = WrittenEvent::Begin { request };
        events.push(TimedEvent { time: start, place: EventPlace::AtStart, event: begin });
        // One that takes no time begins before it ends.
        let place = if start == end { EventPlace::AtStart } else { EventPlace::AtEnd };
        let event = WrittenEvent::End { operation, communicator, root, sent, received, request };
        events.push(TimedEvent { time: end, place, event });
    }
    events
}

/// Returns for each operation whether no other one is under way at the same time. They are in the
/// order of their starts.
fn are_blocking(rows: &[CollectiveRow]) -> Vec<bool> {
    let mut are_blocking = vec![true; rows.len()];
    // The operation before that ends last.
    let mut last = 0;
    for (place, row) in rows.iter().enumerate().skip(1) {
        if row.start < rows[last].end {
            are_blocking[last] = false;
            are_blocking[place] = false;
        }
        if row.end > rows[last].end {
            last = place;
        }
    }
    are_blocking
}
