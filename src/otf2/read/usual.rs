//! The fast path: the records that event files mostly consist of, known by their first bytes.
//!
//! | bytes | record |
//! |---|---|
//! | `05` time `id` `01` integer | one short integer, at a time of its own: most of Enter and Leave |
//! | `05` time `id` `02` integer | the same with 16 bits |
//! | `05` time `id` length data | anything that has a short length and is in the tables |
//! | `id` … | each of them at the time of the record before |
//!
//! A [`Run`] is cut from a window once: what lies in it as a whole lies in its chunk, so a record's own end is all that is left to be
//! looked at. Invariant: what a run gives is what the plain path of [`events`](mod@super::events) would give; what it does not know, be it
//! a fault, it leaves where it is.

use super::Cursor;
use super::location::Family;
use super::stream::Frame;
use crate::control::{self, TIMESTAMP_LEN};
use crate::records::Decode;

/// The usual records one behind the other, up to something else.
#[derive(Debug, Clone, Copy)]
pub(super) struct Run<'a> {
    /// From the next record on.
    rest: &'a [u8],
    /// Offset in the file behind these bytes.
    end: u64,
    /// Raw time of the last record.
    pub(super) time: u64,
    /// Number of the record before the run.
    before: u64,
    /// Records that were taken.
    taken: u64,
    pub(super) big: bool,
}

/// What comes next.
#[derive(Debug, Clone, Copy)]
pub(super) enum Usual {
    Short(Short),
    Sized(Sized),
    /// Nothing usual.
    None,
}

/// A record that consists of one integer.
#[derive(Debug, Clone, Copy)]
pub(super) struct Short {
    pub(super) id: u8,
    pub(super) integer: u32,
    /// Where its data begin and end, from its begin on.
    pub(super) data: usize,
    pub(super) end: usize,
}

/// A record that has a length.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sized {
    pub(super) id: u8,
    time: u64,
    /// Where its data begin and end, from its begin on.
    pub(super) data: usize,
    pub(super) end: usize,
}

impl<'a> Run<'a> {
    #[inline(always)]
    pub(super) fn new(rest: &'a [u8], end: u64, time: u64, before: u64, big: bool) -> Self {
        Run { rest, end, time, before, taken: 0, big }
    }

    /// Offset in the file of the next record.
    #[inline(always)]
    pub(super) fn position(&self) -> u64 {
        self.end - self.rest.len() as u64
    }

    /// Number of the last record.
    #[inline(always)]
    pub(super) fn number(&self) -> u64 {
        // A chunk header that a seek believed may say anything.
        self.before.saturating_add(self.taken)
    }

    /// The next record; a short integer is taken, what has a length is not. What is more frequent is tried first, and each pattern has a
    /// length of its own, so that the processor can guess where the next record begins.
    #[inline(always)]
    pub(super) fn next<F: Family>(&mut self) -> Usual {
        let short = match self.rest.first() {
            Some(&control::TIMESTAMP) => {
                self.take_pattern::<F, 12>().or_else(|| self.take_pattern::<F, 13>())
            }
            _ => self.take_pattern::<F, 3>().or_else(|| self.take_pattern::<F, 4>()),
        };
        match short {
            Some(short) => Usual::Short(short),
            None => self.peek_sized::<F>().map_or(Usual::None, Usual::Sized),
        }
    }

    /// Takes the next record if it has `N` bytes: a time stamp if that is long enough, an id, a length, and an integer of one or two
    /// bytes.
    #[inline(always)]
    fn take_pattern<F: Family, const N: usize>(&mut self) -> Option<Short> {
        let (record, rest) = self.rest.split_first_chunk::<N>()?;
        let stamp = if N > TIMESTAMP_LEN { TIMESTAMP_LEN } else { 0 };
        let has_stamp = stamp == 0 || record[0] == control::TIMESTAMP;
        let is_usual =
            has_stamp && usize::from(record[stamp + 1]) == N - stamp - 2 && F::is_usual(record[stamp]);
        if !is_usual {
            return None;
        }
        if stamp > 0 {
            self.time = self.number_at(record.get(1..));
        }
        let integer = match N - stamp - 2 {
            1 => u32::from(record[N - 1]),
            _ if self.big => u32::from(u16::from_be_bytes([record[N - 2], record[N - 1]])),
            _ => u32::from(u16::from_le_bytes([record[N - 2], record[N - 1]])),
        };
        self.rest = rest;
        self.taken += 1;
        Some(Short { id: record[stamp], integer, data: stamp + 1, end: N })
    }

    #[inline(always)]
    fn number_at(&self, bytes: Option<&[u8]>) -> u64 {
        let bytes = bytes.and_then(|bytes| bytes.first_chunk()).copied().unwrap_or_default();
        if self.big { u64::from_be_bytes(bytes) } else { u64::from_le_bytes(bytes) }
    }

    /// The next record if it has a length.
    #[inline(always)]
    fn peek_sized<F: Family>(&self) -> Option<Sized> {
        let head: &[u8; TIMESTAMP_LEN + 2] = self.rest.first_chunk()?;
        let (stamp, time) = match head[0] {
            control::TIMESTAMP => (TIMESTAMP_LEN, self.number_at(head.get(1..))),
            _ => (0, self.time),
        };
        let (id, length, data) = (head[stamp], head[stamp + 1], stamp + 2);
        let end = data + usize::from(length);
        let has_length = id > control::ATTRIBUTE_LIST && F::Record::SINGLETONS[usize::from(id)] == 0;
        let is_usual = has_length && length < 0xFF && end <= self.rest.len() && F::WITH_TIME != Some(id);
        is_usual.then_some(Sized { id, time, data, end })
    }

    /// Its content, unless that is bad; then the plain path says why.
    #[inline(always)]
    pub(super) fn decode<R: Decode<'a>>(&self, sized: Sized) -> Option<R> {
        decode(self.rest, sized, self.big)
    }

    /// Takes it.
    #[inline(always)]
    pub(super) fn take_sized(&mut self, sized: Sized) {
        self.rest = self.rest.get(sized.end..).unwrap_or_default();
        self.time = sized.time;
        self.taken += 1;
    }

    /// Takes any; where it lies.
    #[inline(always)]
    pub(super) fn take_any<F: Family>(&mut self) -> Option<Frame> {
        let offset = self.position();
        let (id, data, end) = match self.next::<F>() {
            Usual::Short(short) => (short.id, short.data, short.end),
            Usual::Sized(sized) => {
                self.take_sized(sized);
                (sized.id, sized.data, sized.end)
            }
            Usual::None => return None,
        };
        Some(Frame { id, data: offset + data as u64, end: offset + end as u64 })
    }
}

/// Not in line, as the kinds of records are many; not of a run, which would have to lie in memory then.
#[inline(never)]
fn decode<'a, R: Decode<'a>>(bytes: &'a [u8], sized: Sized, big: bool) -> Option<R> {
    R::decode(sized.id, &mut Cursor::within(bytes, sized.data, sized.end, big)).ok()
}
