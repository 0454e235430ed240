//! Messages and wait states: the operations of all locations, joined.

use crate::calls::Places;
use crate::dataset::{self, Value};
use crate::error::Error;
use crate::export::{Waiting, Work};
use crate::names::{Names, kind};
use crate::sink::Rows;
use kymo_analysis::Trace;
use kymo_analysis::communication::{Matched, Matcher, Member, MessageEnd, Pair};
use kymo_analysis::waits::{CommunicationFacts, EnclosingCall, WaitFinder, WaitState, WrongOrder, selected};

/// Writes the messages and the wait states, as far as they are wanted. The calls of operations are
/// numbers of rows plus 1; 0 is outside all calls.
pub(crate) fn write(work: &Work<'_>, waiting: Vec<Waiting>, rows: &mut Rows<'_>) -> Result<(), Error> {
    let Work { trace, names, .. } = *work;
    let id = |it: &Waiting| trace.locations().get(it.number).map(|location| location.id).unwrap_or_default();
    let ids: Vec<_> = waiting.iter().map(id).collect();
    let mut finder = WaitFinder::new(trace, work.functions, work.spill);
    let (mut streams, mut places) = (Vec::new(), Vec::new());
    for (location, it) in ids.iter().zip(waiting) {
        let row = |call: EnclosingCall| EnclosingCall { call: row_of(&it.places, call.call), ..call };
        let facts = CommunicationFacts { finalize: it.facts.finalize.map(row), ..it.facts };
        finder.location(*location, &facts);
        streams.push(it.rows);
        places.push(it.places);
    }
    let (mut matcher, mut failure) = (Matcher::new(trace), None);
    let mut add = |finder: &mut WaitFinder<'_, '_>, matched: &Matched<EnclosingCall>| {
        let Some(matched) = selected(matched) else { return };
        finder.matched(&matched);
        if let Matched::Message(pair) = &*matched
            && failure.is_none()
        {
            failure = message(trace, names, pair, rows).err();
        }
    };
    work.spill.merge(streams, |stream, row| {
        let (time, operation, call) = EnclosingCall::from_row(row);
        let call = EnclosingCall { call: row_of(&places[stream], call.call), ..call };
        if !finder.operation(ids[stream], time, &operation, call)
            && let Some(matched) = matcher.add(ids[stream], time, operation, call)
        {
            add(&mut finder, &matched);
        }
        Ok(())
    })?;
    matcher.finish().for_each(|matched| add(&mut finder, &matched));
    let mut waits = finder.finish()?;
    waits.each(trace, work.spill, |it| {
        if failure.is_none() {
            failure = wait(names, it, rows).err();
        }
    })?;
    failure.map_or(Ok(()), Err)
}

/// Returns the row of a call plus 1 where rows of calls are in the end.
fn row_of(places: &Places, call: u64) -> u64 {
    call.checked_sub(1).map_or(0, |row| places.of(row) + 1)
}

fn wait(names: &Names, it: &WaitState, rows: &mut Rows<'_>) -> Result<(), Error> {
    let row = [
        Value::Integer(it.location.0 as i64),
        Value::Integer(it.start as i64),
        Value::Integer(it.time() as i64),
        names.wait(it.kind),
        names.region(it.region),
        it.call.checked_sub(1).into(),
        it.cause.is_defined().then_some(it.cause.0 as i64).into(),
        Value::Integer(it.cause_time as i64),
        Value::Integer(it.is_doubtful.into()),
        match it.wrong_order {
            Some(WrongOrder::SameSender) => kind("same sender"),
            Some(WrongOrder::DifferentSender) => kind("different sender"),
            None => Value::None,
        },
        Value::Integer(it.part as i64),
    ];
    rows.push(&dataset::WAITS, row)
}

fn message(
    trace: &Trace,
    names: &Names,
    pair: &Pair<EnclosingCall>,
    rows: &mut Rows<'_>,
) -> Result<(), Error> {
    let channel = &pair.channel;
    let communicator = trace.communicators().get(channel.communicator);
    let length = pair.send.or(pair.receive).map_or(0, |it| it.part.length);
    let location = |side: Option<Member<MessageEnd, EnclosingCall>>, rank| {
        // Where a side is missing, its rank still states the location.
        let of_rank = || communicator.and_then(|it| it.location(rank));
        side.map(|it| it.location).or_else(of_rank).map(|it| it.0)
    };
    let call =
        |side: Option<Member<MessageEnd, EnclosingCall>>| side.and_then(|it| it.known.call.checked_sub(1));
    let row = [
        pair.send.map(|it| it.time).into(),
        pair.receive.map(|it| it.time).into(),
        location(pair.send, channel.sender).map(|it| it as i64).into(),
        location(pair.receive, channel.receiver).map(|it| it as i64).into(),
        channel.sender.rank.into(),
        channel.receiver.rank.into(),
        names.communicator(channel.communicator),
        channel.tag.into(),
        Value::Integer(length as i64),
        call(pair.send).into(),
        call(pair.receive).into(),
    ];
    rows.push(&dataset::MESSAGES, row)
}
