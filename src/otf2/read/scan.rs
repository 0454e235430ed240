//! The scanner: finds the records of event files by their first bytes, as fast as possible.
//!
//! | bytes | record |
//! |---|---|
//! | `05` time `id` `01` integer | a short integer with its own time: most of Enter and Leave |
//! | `05` time `id` `02` integer | like the first, with 16 bits |
//! | `05` time `id` `00` | like the first, for 0 |
//! | `05` time `id` length data | any record in the tables with a short length |
//! | `05` time `id` length integer | any record that consists of one integer |
//! | `id` … | each of these, at the time of the record before |
//!
//! A [`Scanner`] passes the records that it finds to a [`Sink`]: the visitor of a location, or a
//! batch. It only looks at records that are followed by [`REACH`] bytes of their chunk, so it
//! checks for the end once for each record. Invariant: it delivers the same records as the plain
//! path of [`events`](mod@super::events), and stops at a record that it does not recognize.

use super::family::Family;
use super::place::{RecordBytes, RecordPlace};
use crate::byte_order::ByteOrder;
use crate::control::{self, TIMESTAMP_LEN};
use crate::records::SIZED;
use crate::wire::AMPLE;
use std::marker::PhantomData;

/// The number of bytes from the start of a record that the scanner requires: a time stamp, an id
/// and a length, then ample bytes for the data.
pub(super) const REACH: usize = LONGEST_HEAD + 1 + AMPLE;
/// The largest offset of the data in a record, rounded up to a mask.
const LONGEST_HEAD: usize = 15;

/// The bytes of a window in which every complete record is also in its chunk.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scanner<'a, E> {
    /// The bytes from the next record on.
    rest: &'a [u8],
    /// The offset in the file of the end of these bytes.
    end: u64,
    /// The uncorrected time of the last record.
    pub(super) time: u64,
    /// The number of the last record.
    pub(super) number: u64,
    order: PhantomData<E>,
}

/// Takes the records that a scanner finds.
pub(super) trait Sink<'a> {
    type Failure;

    /// Returns whether the sink takes no further records.
    #[inline(always)]
    fn is_full(&self) -> bool {
        false
    }

    /// Takes a short record, which consists of one integer of up to two bytes.
    fn short(&mut self, place: RecordPlace, integer: u32) -> Result<(), Self::Failure>;

    /// Takes a record of another kind, with its data and the bytes that follow. Returns false if
    /// the data is bad: then the scanner stops before the record.
    fn sized(&mut self, place: RecordPlace, data: &'a [u8; AMPLE]) -> Result<bool, Self::Failure>;
}

impl<'a, E: ByteOrder> Scanner<'a, E> {
    /// Creates a scanner. `number` must be small enough that adding the number of bytes in `rest`
    /// does not overflow.
    #[inline(always)]
    pub(super) fn new(rest: &'a [u8], end: u64, time: u64, number: u64) -> Self {
        Scanner { rest, end, time, number, order: PhantomData }
    }

    /// Returns the same scanner with offsets relative to `base`.
    #[inline(always)]
    pub(super) fn relative_to(self, base: u64) -> Self {
        Scanner { end: self.end.wrapping_sub(base), ..self }
    }

    /// Returns the offset in the file of the next record.
    #[inline(always)]
    pub(super) fn position(&self) -> u64 {
        self.end - self.rest.len() as u64
    }

    /// Returns the offset in the file of the end of the bytes.
    pub(super) fn end(&self) -> u64 {
        self.end
    }

    /// Passes records to the sink until it is full or fails, or the scanner must stop. A record at
    /// which the sink fails has been taken.
    #[inline(always)]
    pub(super) fn scan<F: Family, S: Sink<'a>>(&mut self, sink: &mut S) -> Result<(), S::Failure> {
        loop {
            self.pass_short::<F, S>(sink)?;
            if sink.is_full() || !self.pass_sized::<F, S>(sink)? {
                return Ok(());
            }
        }
    }

    /// Passes the short integers that follow. This is a loop of its own so that its state stays in
    /// registers, and those with a time stamp and one byte are a loop within, because most are.
    #[inline(always)]
    fn pass_short<F: Family, S: Sink<'a>>(&mut self, sink: &mut S) -> Result<(), S::Failure> {
        let mut run = *self;
        let passed = loop {
            let mut passed = Ok(());
            while passed.is_ok()
                && !sink.is_full()
                && let Some(bytes) = run.rest.first_chunk::<REACH>()
                && bytes[0] == control::TIMESTAMP
                && bytes[TIMESTAMP_LEN..].first_chunk().is_some_and(|head| F::is_usual_byte(*head))
            {
                run.time = time::<E>(bytes);
                let place = run.take(bytes[TIMESTAMP_LEN], TIMESTAMP_LEN + 1, 2);
                passed = sink.short(place, bytes[TIMESTAMP_LEN + 2].into());
            }
            if passed.is_err() || sink.is_full() {
                break passed;
            }
            let Some((place, integer)) = run.take_short::<F>() else { break Ok(()) };
            passed = sink.short(place, integer);
            if passed.is_err() {
                break passed;
            }
        };
        *self = run;
        passed
    }

    /// Takes the next record if it is a short integer.
    #[inline(always)]
    fn take_short<F: Family>(&mut self) -> Option<(RecordPlace, u32)> {
        let bytes = self.rest.first_chunk()?;
        if bytes[0] == control::TIMESTAMP {
            let (integer, length) = short::<F, E, TIMESTAMP_LEN>(bytes)?;
            self.time = time::<E>(bytes);
            return Some((self.take(bytes[TIMESTAMP_LEN], TIMESTAMP_LEN + 1, length), integer));
        }
        let (integer, length) = short::<F, E, 0>(bytes)?;
        Some((self.take(bytes[0], 1, length), integer))
    }

    /// Takes the next record, at the current time.
    #[inline(always)]
    fn take(&mut self, id: u8, head: usize, length: usize) -> RecordPlace {
        let offset = self.position();
        self.advance(head + length);
        place(offset, self.number, self.time, id, head, length)
    }

    /// Passes the next record, of any other kind; returns false if it must be read plainly.
    #[inline(always)]
    fn pass_sized<F: Family, S: Sink<'a>>(&mut self, sink: &mut S) -> Result<bool, S::Failure> {
        let Some(bytes) = self.rest.first_chunk::<REACH>() else { return Ok(false) };
        let (before, time) = match bytes[0] == control::TIMESTAMP {
            true => (TIMESTAMP_LEN, time::<E>(bytes)),
            false => (0, self.time),
        };
        let (id, first) = (bytes[before], usize::from(bytes[before + 1]));
        // The data of a record that consists of an integer begin with the length of the integer.
        let (head, length) = match F::LAYOUTS[usize::from(id)] {
            SIZED if first < 0xFF => (before + 2, first),
            limit @ 1..=8 if first <= usize::from(limit) => (before + 1, 1 + first),
            _ => return Ok(false),
        };
        let Some(data) = bytes[head & LONGEST_HEAD..].first_chunk() else { return Ok(false) };
        let taken = sink.sized(place(self.position(), self.number + 1, time, id, head, length), data);
        if !matches!(taken, Ok(false)) {
            self.time = time;
            self.advance(head + length);
        }
        taken
    }

    #[inline(always)]
    fn advance(&mut self, length: usize) {
        self.rest = self.rest.get(length..).unwrap_or_default();
        self.number += 1;
    }
}

/// Returns the place of a record whose data follow `head` bytes and are `length` bytes long.
#[inline(always)]
fn place(offset: u64, number: u64, time: u64, id: u8, head: usize, length: usize) -> RecordPlace {
    let data = offset + head as u64;
    RecordPlace::new(offset, number, time, RecordBytes { id, data, end: data + length as u64 })
}

/// Returns the integer of the record whose id is at `AT`, if it is a short one, and its length.
/// Each length is a branch of its own, so that the processor predicts where the next record begins
/// instead of waiting for the length.
#[inline(always)]
fn short<F: Family, E: ByteOrder, const AT: usize>(bytes: &[u8; REACH]) -> Option<(u32, usize)> {
    if !F::is_usual(bytes[AT]) {
        return None;
    }
    let [length, low, high] = [bytes[AT + 1], bytes[AT + 2], bytes[AT + 3]];
    match length {
        1 => Some((low.into(), 2)),
        2 if E::BIG => Some((u16::from_be_bytes([low, high]).into(), 3)),
        2 => Some((u16::from_le_bytes([low, high]).into(), 3)),
        0 => Some((0, 1)),
        _ => None,
    }
}

#[inline(always)]
fn time<E: ByteOrder>(bytes: &[u8; REACH]) -> u64 {
    let [_, a, b, c, d, e, f, g, h, ..] = *bytes;
    let bytes = [a, b, c, d, e, f, g, h];
    if E::BIG { u64::from_be_bytes(bytes) } else { u64::from_le_bytes(bytes) }
}
