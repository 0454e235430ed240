//! The fast path: the most frequent records of event files, recognized by their first bytes.
//!
//! | bytes | record |
//! |---|---|
//! | `05` time `id` `01` integer | a short integer with its own time: most of Enter and Leave |
//! | `05` time `id` `02` integer | like the first, with 16 bits |
//! | `05` time `id` `00` | like the first, for 0 |
//! | `05` time `id` length data | any record in the tables with a short length |
//! | `id` … | each of these, at the time of the record before |
//!
//! A [`Run`] is the part of a window in which every complete record is also in its chunk, so only
//! the end of each record has to be checked. The data of records with a length are read as
//! [`Ample`](super::Ample) bytes. Invariant: a run delivers what the plain path of
//! [`events`](mod@super::events) would deliver, and stops before a record that it does not
//! recognize or that is invalid.

use super::TimedRecord;
use super::block::{Kind, Slot};
use super::family::Family;
use super::stream::Frame;
use crate::byte_order::ByteOrder;
use crate::control::{self, TIMESTAMP_LEN};
use crate::records::Decode;
use std::marker::PhantomData;

/// The usual records in sequence, up to anything else, in a file of this byte order.
#[derive(Debug, Clone, Copy)]
pub(super) struct Run<'a, E> {
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

/// The next record of a run.
#[derive(Debug, Clone, Copy)]
pub(super) enum Usual {
    Short(Short),
    Sized(Sized),
    /// The next record is not a usual one.
    None,
}

/// A record that consists of one integer.
#[derive(Debug, Clone, Copy)]
pub(super) struct Short {
    pub(super) id: u8,
    pub(super) integer: u32,
    /// The start and the end of the data, relative to the start of the record.
    pub(super) data: usize,
    pub(super) end: usize,
}

/// A record that has a length.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sized {
    pub(super) id: u8,
    time: u64,
    /// The start and the end of the data, relative to the start of the record.
    pub(super) data: usize,
    pub(super) end: usize,
}

impl Sized {
    /// Returns the position of the record in the file if it begins at this offset.
    #[inline(always)]
    pub(super) fn frame(self, offset: u64) -> Frame {
        Frame { id: self.id, data: offset + self.data as u64, end: offset + self.end as u64 }
    }
}

impl<'a, E: ByteOrder> Run<'a, E> {
    /// Creates a run. `number` must be small enough that adding the number of bytes in `rest` does
    /// not overflow.
    #[inline(always)]
    pub(super) fn new(rest: &'a [u8], end: u64, time: u64, number: u64) -> Self {
        Run { rest, end, time, number, order: PhantomData }
    }

    /// Returns the offset in the file of the end of the run.
    #[inline(always)]
    pub(super) fn end(&self) -> u64 {
        self.end
    }

    /// Returns the offset in the file of the next record.
    #[inline(always)]
    pub(super) fn position(&self) -> u64 {
        self.end - self.rest.len() as u64
    }

    /// Returns the next record; takes it only if it is a short integer. More frequent patterns are
    /// tried first, and each pattern has a fixed length, so that the processor can predict where
    /// the next record begins.
    #[inline(always)]
    pub(super) fn next<F: Family>(&mut self) -> Usual {
        match self.take_short::<F>() {
            Some(short) => Usual::Short(short),
            None => self.peek_sized::<F>().map_or(Usual::None, Usual::Sized),
        }
    }

    /// Takes the next record if it is a short integer.
    #[inline(always)]
    pub(super) fn take_short<F: Family>(&mut self) -> Option<Short> {
        let short = self.take_pattern::<F, 12>();
        if short.is_some() {
            return short;
        }
        match self.rest.first() {
            Some(&control::TIMESTAMP) => {
                self.take_pattern::<F, 13>().or_else(|| self.take_pattern::<F, 11>())
            }
            _ => {
                let short = self.take_pattern::<F, 3>().or_else(|| self.take_pattern::<F, 4>());
                short.or_else(|| self.take_pattern::<F, 2>())
            }
        }
    }

    /// Visits the short integers that follow. `global` converts each integer and its time, and
    /// `one` is the record that is reused for all of them. This is a separate loop so that its
    /// state stays in registers.
    #[inline(always)]
    pub(super) fn each_short<F: Family, Failure>(
        &mut self,
        one: &mut TimedRecord<'_, F::Record<'_>>,
        mut global: impl FnMut(u32, u64) -> (u32, u64),
        mut visit: impl FnMut(&TimedRecord<'_, F::Record<'_>>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let (mut run, mut visited) = (*self, Ok(()));
        while visited.is_ok() {
            let offset = run.position();
            let Some(short) = run.take_short::<F>() else { break };
            let (integer, time) = global(short.integer, run.time);
            *one =
                TimedRecord { offset, number: run.number, time, record: F::usual(short.id, integer), ..*one };
            visited = visit(one);
        }
        *self = run;
        visited
    }

    /// Fills slots with the short integers that follow and returns the number of slots filled.
    /// `global` converts each integer and its time. All records must be close enough to `base` for
    /// their slots.
    #[inline(always)]
    pub(super) fn fill_short<F: Family>(
        &mut self,
        slots: &mut [Slot],
        base: u64,
        mut global: impl FnMut(u32, u64) -> (u32, u64),
    ) -> usize {
        let mut run = *self;
        for slot in slots {
            let at = (run.position() - base) as u32;
            let Some(short) = run.take_short::<F>() else { break };
            let (value, time) = global(short.integer, run.time);
            *slot = Slot { time, at, value, data: 0, end: 0, id: short.id, kind: Kind::Integer };
        }
        let filled = (run.number - self.number) as usize;
        *self = run;
        filled
    }

    /// Takes the next record if it has `N` bytes: a time stamp if `N` is large enough, an id, a
    /// length, and an integer of up to two bytes.
    #[inline(always)]
    fn take_pattern<F: Family, const N: usize>(&mut self) -> Option<Short> {
        let (record, rest) = self.rest.split_first_chunk::<N>()?;
        let stamp = if N > TIMESTAMP_LEN { TIMESTAMP_LEN } else { 0 };
        let has_stamp = stamp == 0 || record[0] == control::TIMESTAMP;
        let is_long_enough = usize::from(record[stamp + 1]) == N - stamp - 2;
        if !(has_stamp && is_long_enough && F::is_usual(record[stamp])) {
            return None;
        }
        if stamp > 0 {
            self.time = self.number_at(record.get(1..));
        }
        let integer = match N - stamp - 2 {
            0 => 0,
            1 => u32::from(record[N - 1]),
            _ if E::BIG => u32::from(u16::from_be_bytes([record[N - 2], record[N - 1]])),
            _ => u32::from(u16::from_le_bytes([record[N - 2], record[N - 1]])),
        };
        self.rest = rest;
        self.number += 1;
        Some(Short { id: record[stamp], integer, data: stamp + 1, end: N })
    }

    #[inline(always)]
    fn number_at(&self, bytes: Option<&[u8]>) -> u64 {
        let bytes = bytes.and_then(|bytes| bytes.first_chunk()).copied().unwrap_or_default();
        if E::BIG { u64::from_be_bytes(bytes) } else { u64::from_le_bytes(bytes) }
    }

    /// Returns the next record, without taking it, if it has a length.
    #[inline(always)]
    pub(super) fn peek_sized<F: Family>(&self) -> Option<Sized> {
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

    /// Decodes the record in place of another. Returns false if it is invalid or not followed by
    /// ample bytes; the plain path handles both cases.
    #[inline(always)]
    pub(super) fn refill<R: Decode<'a>>(&self, sized: Sized, record: &mut R) -> bool {
        match self.rest.get(sized.data..).and_then(|data| data.first_chunk()) {
            Some(bytes) => record.refill::<E>(sized.id, bytes, sized.end - sized.data),
            None => false,
        }
    }

    /// Takes a record returned by [`peek_sized`](Self::peek_sized).
    #[inline(always)]
    pub(super) fn take_sized(&mut self, sized: Sized) {
        self.rest = self.rest.get(sized.end..).unwrap_or_default();
        self.time = sized.time;
        self.number += 1;
    }

    /// Takes the next record of any usual kind and returns its position.
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
