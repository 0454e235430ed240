//! The kinds of events, which determine the meaning of their records.

use crate::event_file::{EventLine, Parameter};

/// The meaning of the records of an event.
/// By default an event is unknown. Kinds that can be combined with others have larger bits than
/// those that cannot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kind(u8);

impl Default for Kind {
    fn default() -> Self {
        Kind::UNKNOWN
    }
}

impl Kind {
    pub(crate) const UNKNOWN: Kind = Kind(1 << 7);
    /// A record of the tracer that is not reported.
    pub(crate) const NOTHING: Kind = Kind(1);
    pub(crate) const STATE: Kind = Kind(1 << 1);
    pub(crate) const SEND: Kind = Kind(1 << 2);
    pub(crate) const RECEIVE: Kind = Kind(1 << 3);
    /// Can also be a message.
    pub(crate) const TRIGGER: Kind = Kind(1 << 4);
    /// With parameter 0, the thread is about to end.
    pub(crate) const CLOSE: Kind = Kind(1 << 5);
    /// Unless the parameter is 1 or -1, a thread that was about to end has ended.
    pub(crate) const CLOCK: Kind = Kind(1 << 6);

    /// Returns whether this is exactly one of the kinds up to `TRIGGER`.
    #[inline(always)]
    pub(crate) fn is_single(self) -> bool {
        self.0 <= Kind::TRIGGER.0
    }

    /// Returns whether this includes another kind.
    #[inline(always)]
    pub(crate) fn is(self, other: Kind) -> bool {
        self.0 & other.0 != 0
    }

    fn or(self, other: Kind) -> Kind {
        Kind(self.0 | other.0)
    }

    /// Returns the kind of an event by its line in the event file. Records of a state are nothing
    /// else, whatever their tag. The records of the tracer itself are recognised by name.
    pub(crate) fn of(line: &EventLine<'_>) -> Kind {
        let kind = match (line.parameter, line.tag) {
            (Parameter::EntryExit, _) => Kind::STATE,
            (Parameter::TriggerValue, -7) => Kind::TRIGGER.or(Kind::SEND),
            (Parameter::TriggerValue, -8) => Kind::TRIGGER.or(Kind::RECEIVE),
            (Parameter::TriggerValue, _) => Kind::TRIGGER,
            (Parameter::Other, -7) => Kind::SEND,
            (Parameter::Other, -8) => Kind::RECEIVE,
            (Parameter::Other, _) => Kind::NOTHING,
        };
        match line.name {
            b"FLUSH_CLOSE" => kind.or(Kind::CLOSE),
            b"WALL_CLOCK" => kind.or(Kind::CLOCK),
            _ => kind,
        }
    }
}
