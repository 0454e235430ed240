//! Messages: the sends and receives of all locations, joined.

use crate::dataset::{self, Value};
use crate::error::Error;
use crate::export::Waiting;
use crate::names::Names;
use crate::sink::Rows;
use kymo_analysis::Trace;
use kymo_analysis::communication::{Matched, Matcher, Member, MessageEnd, Operation, Pair};
use kymo_analysis::spill::Spill;
use kymo_otf2::references::LocationRef;

/// The row of the call plus 1; 0 outside all calls.
type Call = u64;

pub(crate) fn write(
    trace: &Trace,
    names: &Names,
    spill: &Spill,
    waiting: Vec<Waiting>,
    rows: &mut Rows<'_>,
) -> Result<(), Error> {
    let mut matcher: Matcher<'_, Call> = Matcher::new(trace);
    let mut failure = None;
    let (places, streams): (Vec<_>, Vec<_>) = waiting.into_iter().map(|it| (it.places, it.rows)).unzip();
    spill.merge(streams, |stream, row| {
        let [time, location, call] = [(); 3].map(|()| row.number());
        let call = call.checked_sub(1).map_or(0, |call| places[stream].of(call) + 1);
        let operation = Operation::from_row(row);
        if let Some(Matched::Message(pair)) = matcher.add(LocationRef(location), time, operation, call)
            && failure.is_none()
        {
            failure = message(trace, names, &pair, rows).err();
        }
        Ok(())
    })?;
    if let Some(failure) = failure {
        return Err(failure);
    }
    for matched in matcher.finish() {
        if let Matched::Message(pair) = matched {
            message(trace, names, &pair, rows)?;
        }
    }
    Ok(())
}

fn message(trace: &Trace, names: &Names, pair: &Pair<Call>, rows: &mut Rows<'_>) -> Result<(), Error> {
    let channel = &pair.channel;
    let communicator = trace.communicators().get(channel.communicator);
    let length = pair.send.or(pair.receive).map_or(0, |it| it.part.length);
    let location = |side: Option<Member<MessageEnd, Call>>, rank| {
        // Where a side is missing, its rank still states the location.
        let of_rank = || communicator.and_then(|it| it.location(rank));
        side.map(|it| it.location).or_else(of_rank).map(|it| it.0)
    };
    let call = |side: Option<Member<MessageEnd, Call>>| side.and_then(|it| it.known.checked_sub(1));
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
