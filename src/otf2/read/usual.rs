//! The fast path: the records that event files mostly consist of, known by their first bytes.
//!
//! | bytes | record |
//! |---|---|
//! | `05` time `id` length integer | with a time of its own, one integer of up to 32 bits: Enter, Leave |
//! | `05` time `id` length data | any other with a short length |
//! | `id` … | the same at the time of the record before |
//!
//! A [`Run`] is cut from a window once: a record that lies in it as a whole lies in its chunk, so only its own end is to be looked at.
//! Invariant: what a run takes is what the plain path of [`events`](super::events) would take; what it does not know, be it a fault,
//! it leaves where it is.

use super::Cursor;
use super::location::Family;
use super::stream::Frame;
use crate::control;
use crate::records::Decode;

/// The usual records one behind the other, up to something else.
#[derive(Debug, Clone, Copy)]
pub(super) struct Run<'a> {
    /// From the next record on.
    rest: &'a [u8],
    /// Offset in the file behind these bytes.
    end: u64,
    /// Time and number of the last record.
    pub(super) time: u64,
    pub(super) number: u64,
    big: bool,
}

/// A usual record, which lies in `bytes` from the begin on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Usual<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) time: u64,
    pub(super) id: u8,
    /// Where its data begin and end; the length of an integer belongs to them.
    pub(super) data: usize,
    pub(super) end: usize,
    /// What it consists of, if that is one integer.
    pub(super) integer: Option<u32>,
}

/// Bytes that are looked at to know a record: a time stamp, an id, a length and an integer of four bytes at most.
const HEAD: usize = control::TIMESTAMP_LEN + 6;

impl<'a> Run<'a> {
    pub(super) fn new(rest: &'a [u8], end: u64, time: u64, number: u64, big: bool) -> Self {
        Run { rest, end, time, number, big }
    }

    /// Offset in the file of the next record.
    #[inline(always)]
    pub(super) fn position(&self) -> u64 {
        self.end - self.rest.len() as u64
    }

    pub(super) fn is_big(&self) -> bool {
        self.big
    }

    /// The next record, which is not taken.
    #[inline(always)]
    pub(super) fn peek<F: Family>(&self) -> Option<Usual<'a>> {
        let head: &[u8; HEAD] = self.rest.first_chunk()?;
        match *head {
            [control::TIMESTAMP, a, b, c, d, e, f, g, h, body @ ..] => {
                let time = [a, b, c, d, e, f, g, h];
                let time = if self.big { u64::from_be_bytes(time) } else { u64::from_le_bytes(time) };
                self.with_body::<F>(time, control::TIMESTAMP_LEN, body)
            }
            [a, b, c, d, e, f, ..] => self.with_body::<F>(self.time, 0, [a, b, c, d, e, f]),
        }
    }

    /// The record whose id lies `at` bytes behind the begin.
    #[inline(always)]
    fn with_body<F: Family>(&self, time: u64, at: usize, body: [u8; 6]) -> Option<Usual<'a>> {
        let [id, length, word @ ..] = body;
        let data = at + 2;
        if F::is_usual(id) {
            let (integer, length) = integer(length, word, self.big)?;
            return Some(self.usual(time, id, data - 1, data + length, Some(integer)));
        }
        let end = data + usize::from(length);
        let has_length = id > control::ATTRIBUTE_LIST && F::Record::SINGLETONS[usize::from(id)] == 0;
        let is_usual = has_length && length < 0xFF && end <= self.rest.len() && F::WITH_TIME != Some(id);
        is_usual.then(|| self.usual(time, id, data, end, None))
    }

    #[inline(always)]
    fn usual(&self, time: u64, id: u8, data: usize, end: usize, integer: Option<u32>) -> Usual<'a> {
        Usual { bytes: self.rest, time, id, data, end, integer }
    }

    /// Takes that record.
    #[inline(always)]
    pub(super) fn take(&mut self, usual: &Usual<'_>) {
        self.rest = self.rest.get(usual.end..).unwrap_or_default();
        self.time = usual.time;
        // A chunk header that a seek believed may say anything.
        self.number = self.number.saturating_add(1);
    }
}

impl<'a> Usual<'a> {
    /// The record, unless it is bad; then the plain path says why.
    #[inline(always)]
    pub(super) fn decode<R: Decode<'a>>(&self, big: bool) -> Option<R> {
        R::decode(self.id, &mut Cursor::within(self.bytes, self.data, self.end, big)).ok()
    }

    /// Where it lies in the file, given its offset.
    #[inline(always)]
    pub(super) fn frame(&self, offset: u64) -> Frame {
        Frame { id: self.id, data: offset + self.data as u64, end: offset + self.end as u64 }
    }
}

/// A compressed integer and the bytes behind its length. The branches let the processor guess where the next record begins, so that
/// it need not wait for the length.
#[inline(always)]
fn integer(length: u8, word: [u8; 4], big: bool) -> Option<(u32, usize)> {
    let [first, second, ..] = word;
    match length {
        1 => Some((u32::from(first), 1)),
        2 if big => Some((u32::from(u16::from_be_bytes([first, second])), 2)),
        2 => Some((u32::from(u16::from_le_bytes([first, second])), 2)),
        _ => unusual_integer(length, word, big),
    }
}

#[inline(never)]
fn unusual_integer(length: u8, word: [u8; 4], big: bool) -> Option<(u32, usize)> {
    match (length, big) {
        (0xFF, _) => Some((u32::MAX, 0)),
        (0, _) => Some((0, 0)),
        (3 | 4, false) => {
            Some((u32::from_le_bytes(word) & (u32::MAX >> (32 - 8 * length)), usize::from(length)))
        }
        (3 | 4, true) => Some((u32::from_be_bytes(word) >> (32 - 8 * length), usize::from(length))),
        _ => None,
    }
}
