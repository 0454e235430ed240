//! The order of the events of a location.
//!
//! Where times are equal, a message is sent, or an operation begins, in the call that starts then,
//! and it is received, or ends, in the call that ends then. Values of metrics come first.

use kymo_otf2::enums::CollectiveOp;
use kymo_otf2::value::MetricValue;

use super::call_order::CallStep;

/// An event that is no enter or leave.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum WrittenEvent {
    Send {
        receiver: u32,
        communicator: u32,
        tag: u32,
        bytes: u64,
    },
    Receive {
        sender: u32,
        communicator: u32,
        tag: u32,
        bytes: u64,
    },
    /// An operation begins. With a request, it does not block.
    Begin {
        request: Option<u64>,
    },
    End {
        operation: CollectiveOp,
        communicator: u32,
        root: u32,
        sent: u64,
        received: u64,
        request: Option<u64>,
    },
    Value {
        metric: u32,
        value: MetricValue,
    },
}

/// The place of an event among enters and leaves at the same time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EventPlace {
    /// Before all.
    First,
    /// In a call that ends then.
    AtEnd,
    /// In a call that starts then.
    AtStart,
}

/// An event with its time.
#[derive(Debug, Clone, Copy)]
pub(super) struct TimedEvent {
    pub(super) time: u64,
    pub(super) place: EventPlace,
    pub(super) event: WrittenEvent,
}

/// An event, or an enter or leave.
#[derive(Debug, Clone, Copy)]
pub(super) enum OrderedEvent {
    Step(CallStep),
    Other(TimedEvent),
}

/// Passes all events in their order. Steps are in their order, the others in that of time.
///
/// # Errors
///
/// The first error of `record`.
pub(super) fn each_event<E>(
    mut steps: &[CallStep],
    others: &[TimedEvent],
    mut record: impl FnMut(OrderedEvent) -> Result<(), E>,
) -> Result<(), E> {
    for others in others.chunk_by(|one, next| one.time == next.time) {
        let time = others[0].time;
        let (before, rest) = steps.split_at(steps.partition_point(|step| step.time < time));
        let (same, after) = rest.split_at(rest.iter().take_while(|step| step.time == time).count());
        before.iter().try_for_each(|step| record(OrderedEvent::Step(*step)))?;
        each_at_one_time(same, others, &mut record)?;
        steps = after;
    }
    steps.iter().try_for_each(|step| record(OrderedEvent::Step(*step)))
}

fn each_at_one_time<E>(
    steps: &[CallStep],
    others: &[TimedEvent],
    record: &mut impl FnMut(OrderedEvent) -> Result<(), E>,
) -> Result<(), E> {
    let first_leave = steps.iter().position(|step| !step.is_enter);
    let last_enter = steps.iter().rposition(|step| step.is_enter);
    let start = last_enter.map(|place| place + 1).or(first_leave).unwrap_or(0);
    let place = |other: &TimedEvent| match other.place {
        EventPlace::First => 0,
        EventPlace::AtEnd => first_leave.unwrap_or(steps.len()),
        EventPlace::AtStart => start,
    };
    for number in 0..=steps.len() {
        // Of those in one place, values are first.
        for is_first in [true, false] {
            let here = others.iter().filter(|it| place(it) == number);
            let mut here = here.filter(|it| (it.place == EventPlace::First) == is_first);
            here.try_for_each(|other| record(OrderedEvent::Other(*other)))?;
        }
        steps.get(number).into_iter().try_for_each(|step| record(OrderedEvent::Step(*step)))?;
    }
    Ok(())
}
