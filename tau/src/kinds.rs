//! What the records of each event are: one byte by id, so that a record is looked up with one load.
//!
//! Invariant: an id takes a place in the table only if ids are mostly small or most of the table is used. Memory is proportional to
//! the number of events.

use std::collections::HashMap;

use crate::event_file::{EventLine, Parameter};

/// What the records of an event are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kind(u8);

impl Kind {
    pub(crate) const UNKNOWN: Kind = Kind(0);
    /// A record of the tracer that nobody is told of.
    pub(crate) const NOTHING: Kind = Kind(1);
    pub(crate) const STATE: Kind = Kind(1 << 1);
    pub(crate) const TRIGGER: Kind = Kind(1 << 2);
    pub(crate) const SEND: Kind = Kind(1 << 3);
    pub(crate) const RECEIVE: Kind = Kind(1 << 4);
    /// With parameter 0, the thread is about to end.
    pub(crate) const CLOSE: Kind = Kind(1 << 5);
    /// Unless the parameter is 1 or -1, a thread that was about to end has ended.
    pub(crate) const CLOCK: Kind = Kind(1 << 6);

    /// Whether it is (also) of another kind.
    #[inline(always)]
    pub(crate) fn is(self, other: Kind) -> bool {
        self.0 & other.0 != 0
    }

    fn or(self, other: Kind) -> Kind {
        Kind(self.0 | other.0)
    }

    /// What the event file says. Records of a state are nothing else, whatever their tag is; the tracer's own are told by name.
    pub(crate) fn of(line: &EventLine<'_>) -> Kind {
        let message = match line.tag {
            -7 => Kind::SEND,
            -8 => Kind::RECEIVE,
            _ => Kind::NOTHING,
        };
        let kind = match line.parameter {
            Parameter::EntryExit => Kind::STATE,
            Parameter::TriggerValue => message.or(Kind::TRIGGER),
            Parameter::Other => message,
        };
        match line.name {
            b"FLUSH_CLOSE" => kind.or(Kind::CLOSE),
            b"WALL_CLOCK" => kind.or(Kind::CLOCK),
            _ => kind,
        }
    }
}

/// Kinds by id.
#[derive(Debug, Default)]
pub(crate) struct Kinds {
    table: Vec<Kind>,
    others: HashMap<i32, Kind>,
    count: usize,
}

/// Ids that the table may have in any case. TAU's own go up to 70 006.
const SMALL: usize = 1 << 17;
/// The table may be this many times longer than there are events.
const SPREAD: usize = 4;

impl Kinds {
    /// The kind of an event.
    #[inline(always)]
    pub(crate) fn get(&self, event: i32) -> Kind {
        match self.table.get(event as u32 as usize) {
            Some(&kind) if kind != Kind::UNKNOWN => kind,
            _ => self.other(event),
        }
    }

    #[cold]
    #[inline(never)]
    fn other(&self, event: i32) -> Kind {
        self.others.get(&event).copied().unwrap_or(Kind::UNKNOWN)
    }

    /// Adds an event that was not known.
    pub(crate) fn insert(&mut self, event: i32, kind: Kind) {
        self.count += 1;
        let (place, limit) = (event as u32 as usize, SMALL.max(SPREAD.saturating_mul(self.count)));
        if place >= limit {
            self.others.insert(event, kind);
            return;
        }
        if self.table.len() <= place {
            self.table.resize(place + 1, Kind::UNKNOWN);
        }
        if let Some(entry) = self.table.get_mut(place) {
            *entry = kind;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_id_has_its_kind() {
        let mut kinds = Kinds::default();
        let ids = [0, 1, 60_000, 131_071, 131_072, i32::MAX, -1, i32::MIN];
        for id in ids {
            assert_eq!(kinds.get(id), Kind::UNKNOWN, "{id}");
            kinds.insert(id, Kind::STATE);
            assert_eq!(kinds.get(id), Kind::STATE, "{id}");
        }
        assert_eq!(kinds.get(2), Kind::UNKNOWN);
        assert!(kinds.table.len() <= SMALL);
    }

    #[test]
    fn ids_stay_known_while_the_table_grows() {
        let mut kinds = Kinds::default();
        kinds.insert(200_000, Kind::SEND);
        (0..150_000).for_each(|id| kinds.insert(id, Kind::STATE));
        kinds.insert(200_001, Kind::RECEIVE);
        assert_eq!((kinds.get(200_000), kinds.get(200_001)), (Kind::SEND, Kind::RECEIVE));
        assert_eq!(kinds.get(149_999), Kind::STATE);
    }
}
