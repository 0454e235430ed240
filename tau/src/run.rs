//! Runs: records one after the other in which nothing is new, each of which means one thing. Nearly all records are in runs.
//!
//! A block of records is looked over first: whether each event is in the table and of a single kind, and each thread known. That takes
//! two loads for each and no branch that the processor could not foretell; with empty callbacks it is all there is to do. Then what
//! the records of the block, now in the processor's first cache, mean is called. Callbacks cannot reach the definitions, so that what
//! was looked up stays true. Invariant: what is called is what the reader calls record by record (a test compares them).

use crate::callbacks::Callbacks;
use crate::definitions::Definitions;
use crate::kind::Kind;
use crate::message::Message;
use crate::record::{Record, decode};

/// Records that are looked over before they are told: a fraction of the first cache, in every layout.
const BLOCK: usize = 256;

/// Calls what the records mean up to the first that is not usual; how many were.
#[inline]
pub(crate) fn deliver<const SIZE: usize, const BIG: bool, C: Callbacks + ?Sized>(
    records: &[[u8; SIZE]],
    definitions: &Definitions,
    callbacks: &mut C,
) -> usize {
    let mut done = 0;
    for block in records.chunks(BLOCK) {
        let usual = usual::<SIZE, BIG>(block, definitions);
        for bytes in block.get(..usual).unwrap_or_default() {
            tell::<SIZE, BIG, C>(bytes, definitions, callbacks);
        }
        done += usual;
        if usual < block.len() {
            break;
        }
    }
    done
}

/// How many records from the first on are usual.
#[inline(always)]
fn usual<const SIZE: usize, const BIG: bool>(records: &[[u8; SIZE]], definitions: &Definitions) -> usize {
    let is_usual = |bytes: &[u8; SIZE]| definitions.is_usual(&decode::<SIZE, BIG>(bytes));
    // Four at a time, which the compiler does not do by itself with a loop that may end at any of them.
    let fours = records.as_chunks::<4>().0.iter().take_while(|four| four.iter().all(is_usual)).count();
    let rest = records.get(4 * fours..).unwrap_or_default();
    4 * fours + rest.iter().take_while(|bytes| is_usual(bytes)).count()
}

/// Calls what a usual record means. Most are of states.
#[inline(always)]
fn tell<const SIZE: usize, const BIG: bool, C: Callbacks + ?Sized>(
    bytes: &[u8; SIZE],
    definitions: &Definitions,
    callbacks: &mut C,
) {
    let record = decode::<SIZE, BIG>(bytes);
    callbacks.record(&record);
    let Record { event, thread, parameter, time } = record;
    let kind = definitions.kinds.in_table(event);
    if kind != Kind::STATE {
        tell_other::<SIZE, BIG, C>(bytes, kind, callbacks);
    } else if parameter.unsigned_abs() == 1 {
        // Enter and leave come in no order: nothing here is a branch that tells them apart.
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
