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
    let ends = CallEnds::of(steps);
    let place = |other: &TimedEvent| match other.place {
        EventPlace::First => 0,
        EventPlace::AtEnd => ends.end,
        EventPlace::AtStart => ends.start,
    };
    // Of those in one place, values are first.
    let mut placed: Vec<_> = others.iter().map(|other| (place(other), other)).collect();
    placed.sort_by_key(|(place, other)| (*place, other.place != EventPlace::First));
    let mut placed = placed.into_iter().peekable();
    for number in 0..=steps.len() {
        while let Some((_, other)) = placed.next_if(|(place, _)| *place == number) {
            record(OrderedEvent::Other(*other))?;
        }
        steps.get(number).into_iter().try_for_each(|step| record(OrderedEvent::Step(*step)))?;
    }
    Ok(())
}

/// Where the events of calls are among steps at one time.
struct CallEnds {
    /// The number of steps before events of a call that ends then.
    end: usize,
    /// The number of steps before events of a call that starts then.
    start: usize,
}

impl CallEnds {
    /// Calls that take no time count only if no other one ends, or starts.
    fn of(steps: &[CallStep]) -> Self {
        // The places of enters that are not left, and of leaves whose enters are earlier.
        let (mut entered, mut left) = (Vec::new(), Vec::new());
        for (place, step) in steps.iter().enumerate() {
            match step.is_enter {
                true => entered.push(place),
                false if entered.pop().is_none() => left.push(place),
                false => {}
            }
        }
        let any_leave = steps.iter().position(|step| !step.is_enter);
        let any_enter = steps.iter().rposition(|step| step.is_enter);
        let end = left.first().copied().or(any_leave);
        let start = entered.last().copied().or(any_enter).map(|place| place + 1);
        Self { end: end.unwrap_or(steps.len()), start: start.or(end).unwrap_or(0) }
    }
}
