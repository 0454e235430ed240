//! Runs: consecutive records without new events or threads, each with a single meaning. Nearly all
//! records are in runs.
//!
//! Recognising such a record takes two loads: the kind of its event and the bits of its thread. The
//! processor predicts all branches except the one on the kind of record; enter and leave, whose
//! order has no pattern, share one branch. With empty callbacks only the lookup remains. Invariant:
//! the calls are those that the reader makes record by record (a test compares them).

use crate::callbacks::Callbacks;
use crate::definitions::TraceDefinitions;
use crate::kind::EventKind;
use crate::message::Message;
use crate::record::{Record, decode};

/// Delivers the records up to the first unusual one. Returns their number.
#[inline]
pub(crate) fn deliver<const SIZE: usize, const BIG: bool, C: Callbacks + ?Sized>(
    records: &[[u8; SIZE]],
    definitions: &TraceDefinitions,
    callbacks: &mut C,
) -> usize {
    let mut deliver = |bytes: &&[u8; SIZE]| {
        let record = decode::<SIZE, BIG>(bytes);
        let kind = definitions.usual(&record);
        kind.is_some_and(|kind| {
            deliver_usual::<SIZE, BIG, C>(&record, bytes, kind, callbacks);
            true
        })
    };
    records.iter().take_while(&mut deliver).count()
}

/// Calls the callbacks for a usual record. Most records belong to states.
#[inline(always)]
fn deliver_usual<const SIZE: usize, const BIG: bool, C: Callbacks + ?Sized>(
    record: &Record,
    bytes: &[u8; SIZE],
    kind: EventKind,
    callbacks: &mut C,
) {
    callbacks.record(record);
    let Record { event, thread, parameter, time } = *record;
    if kind != EventKind::STATE {
        deliver_unusual::<SIZE, BIG, C>(bytes, kind, callbacks);
    } else if parameter.unsigned_abs() == 1 {
        callbacks.enter_or_leave(parameter == 1, time, thread, event as u32);
    }
}

/// Not inlined: otherwise the compiler would merge all kinds into one jump and keep the record in
/// memory.
#[inline(never)]
fn deliver_unusual<const SIZE: usize, const BIG: bool, C: Callbacks + ?Sized>(
    bytes: &[u8; SIZE],
    kind: EventKind,
    callbacks: &mut C,
) {
    let Record { event, thread, parameter, time } = decode::<SIZE, BIG>(bytes);
    match kind {
        EventKind::TRIGGER => callbacks.trigger(time, thread, event as u32, parameter),
        EventKind::SEND => callbacks.send(time, thread, Message::from_parameter(parameter)),
        EventKind::RECEIVE => callbacks.receive(time, thread, Message::from_parameter(parameter)),
        _ => {}
    }
}
