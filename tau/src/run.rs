//! Runs: records one after the other in which nothing is new, each of which means one thing. Nearly all records are in runs.
//!
//! A record needs two loads to be known for one: of the kind of its event and of the bits of its thread. Of the branches the processor
//! foretells all but what the record is; enter and leave, which come in no order, are one branch. With empty callbacks the looking up is all
//! that is left. Invariant: what is called is what the reader calls record by record (a test compares them).

use crate::callbacks::Callbacks;
use crate::definitions::Definitions;
use crate::kind::Kind;
use crate::message::Message;
use crate::record::{Record, decode};

/// Calls what the records mean up to the first that is not usual; how many were.
#[inline]
pub(crate) fn deliver<const SIZE: usize, const BIG: bool, C: Callbacks + ?Sized>(
    records: &[[u8; SIZE]],
    definitions: &Definitions,
    callbacks: &mut C,
) -> usize {
    let mut deliver = |bytes: &&[u8; SIZE]| {
        let record = decode::<SIZE, BIG>(bytes);
        let kind = definitions.usual(&record);
        kind.is_some_and(|kind| {
            tell::<SIZE, BIG, C>(&record, bytes, kind, callbacks);
            true
        })
    };
    records.iter().take_while(&mut deliver).count()
}

/// Calls what a usual record means. Most are of states.
#[inline(always)]
fn tell<const SIZE: usize, const BIG: bool, C: Callbacks + ?Sized>(
    record: &Record,
    bytes: &[u8; SIZE],
    kind: Kind,
    callbacks: &mut C,
) {
    callbacks.record(record);
    let Record { event, thread, parameter, time } = *record;
    if kind != Kind::STATE {
        tell_other::<SIZE, BIG, C>(bytes, kind, callbacks);
    } else if parameter.unsigned_abs() == 1 {
        callbacks.enter_or_leave(parameter == 1, time, thread, event as u32);
    }
}

/// Beside the loop: in it the compiler would make a jump of all kinds together, and keep the record in memory.
#[inline(never)]
fn tell_other<const SIZE: usize, const BIG: bool, C: Callbacks + ?Sized>(
    bytes: &[u8; SIZE],
    kind: Kind,
    callbacks: &mut C,
) {
    let Record { event, thread, parameter, time } = decode::<SIZE, BIG>(bytes);
    match kind {
        Kind::TRIGGER => callbacks.trigger(time, thread, event as u32, parameter),
        Kind::SEND => callbacks.send(time, thread, Message::from_parameter(parameter)),
        Kind::RECEIVE => callbacks.receive(time, thread, Message::from_parameter(parameter)),
        _ => {}
    }
}
