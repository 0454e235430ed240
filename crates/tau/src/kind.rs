//! The kinds of events, which determine the meaning of their records.

use crate::event_file::{EventLine, Parameter};

/// The meaning of the records of an event.
/// By default an event is unknown. Kinds that can be combined with others have larger bits than
/// those that cannot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EventKind(u8);

impl Default for EventKind {
    fn default() -> Self {
        EventKind::UNKNOWN
    }
}

impl EventKind {
    pub(crate) const UNKNOWN: EventKind = EventKind(1 << 7);
    /// A record of the tracer that is not reported.
    pub(crate) const NOTHING: EventKind = EventKind(1);
    pub(crate) const STATE: EventKind = EventKind(1 << 1);
    pub(crate) const SEND: EventKind = EventKind(1 << 2);
    pub(crate) const RECEIVE: EventKind = EventKind(1 << 3);
    /// Can also be a message.
    pub(crate) const TRIGGER: EventKind = EventKind(1 << 4);
    /// With parameter 0, the thread is about to end.
    pub(crate) const CLOSE: EventKind = EventKind(1 << 5);
    /// Unless the parameter is 1 or -1, a thread that was about to end has ended.
    pub(crate) const CLOCK: EventKind = EventKind(1 << 6);

    /// Returns whether this is exactly one of the kinds up to `TRIGGER`.
    #[inline(always)]
    pub(crate) fn is_single(self) -> bool {
        self.0 <= EventKind::TRIGGER.0
    }

    /// Returns whether this includes another kind.
    #[inline(always)]
    pub(crate) fn is(self, other: EventKind) -> bool {
        self.0 & other.0 != 0
    }

    fn or(self, other: EventKind) -> EventKind {
        EventKind(self.0 | other.0)
    }

    /// Returns the kind of an event by its line in the event file. Records of a state are nothing
    /// else, whatever their tag. The records of the tracer itself are recognised by name.
    pub(crate) fn of(line: &EventLine<'_>) -> EventKind {
        let kind = match (line.parameter, line.tag) {
            (Parameter::EntryExit, _) => EventKind::STATE,
            (Parameter::TriggerValue, -7) => EventKind::TRIGGER.or(EventKind::SEND),
            (Parameter::TriggerValue, -8) => EventKind::TRIGGER.or(EventKind::RECEIVE),
            (Parameter::TriggerValue, _) => EventKind::TRIGGER,
            (Parameter::Other, -7) => EventKind::SEND,
            (Parameter::Other, -8) => EventKind::RECEIVE,
            (Parameter::Other, _) => EventKind::NOTHING,
        };
        match line.name {
            b"FLUSH_CLOSE" => kind.or(EventKind::CLOSE),
            b"WALL_CLOCK" => kind.or(EventKind::CLOCK),
            _ => kind,
        }
    }
}
