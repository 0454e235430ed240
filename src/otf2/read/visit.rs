//! Visiting records as they are scanned, without a batch: the fastest way to read one location.

use super::clock::Clock;
use super::events::{TimedFramer, TimedRecord};
use super::family::Family;
use super::place::RecordPlace;
use super::scan::Sink;
use crate::byte_order::ByteOrder;
use crate::records::attributes::Attributes;
use crate::records::mappings::{Lookup, Mappings};
use crate::records::{Decode, Found, RecordEnum, SIZED};
use crate::wire::AMPLE;
use std::marker::PhantomData;

/// Receives records with their locations. Unlike a closure, a method can be inlined into each loop
/// of the readers, however long it is.
pub trait Receive<F: Family, E> {
    /// Takes a record.
    fn receive(&mut self, location: u64, record: &TimedRecord<'_, F::Record<'_>>) -> Result<(), E>;

    /// Returns whether the fields of records with this id matter. Those of others are not decoded
    /// if the record has a length: such a record is passed to [`skip`](Self::skip), whatever its
    /// bytes, unless it is as fast to decode it.
    #[inline(always)]
    fn wants(&self, id: u8) -> bool {
        _ = id;
        true
    }

    /// Takes the number of a record that is not wanted.
    #[inline(always)]
    fn skip(&mut self, location: u64, number: u64) -> Result<(), E> {
        _ = (location, number);
        Ok(())
    }
}

/// Returns whether a record is skipped: its length is known without its fields, which do not
/// matter.
#[inline(always)]
pub(super) fn is_skipped<F: Family, E>(receiver: &(impl Receive<F, E> + ?Sized), id: u8) -> bool {
    <F::Record<'_> as Decode<'_>>::LAYOUTS[usize::from(id)] == SIZED && !receiver.wants(id)
}

/// A receiver that is called through a pointer, for rare cases, to keep loops short.
pub(super) type Receiver<'v, F, E> = &'v mut dyn Receive<F, E>;

impl<F: Family, E> Receive<F, E> for Receiver<'_, F, E> {
    fn receive(&mut self, location: u64, record: &TimedRecord<'_, F::Record<'_>>) -> Result<(), E> {
        (**self).receive(location, record)
    }
    fn wants(&self, id: u8) -> bool {
        (**self).wants(id)
    }
    fn skip(&mut self, location: u64, number: u64) -> Result<(), E> {
        (**self).skip(location, number)
    }
}

/// A function that receives the records of a location.
pub(super) struct OfLocation<V>(pub(super) V);

impl<F, E, V> Receive<F, E> for OfLocation<V>
where
    F: Family,
    V: FnMut(&TimedRecord<'_, F::Record<'_>>) -> Result<(), E>,
{
    #[inline(always)]
    fn receive(&mut self, _: u64, record: &TimedRecord<'_, F::Record<'_>>) -> Result<(), E> {
        (self.0)(record)
    }
}

/// A function that receives records with their locations.
pub(super) struct OfAll<V>(pub(super) V);

impl<F, E, V> Receive<F, E> for OfAll<V>
where
    F: Family,
    V: FnMut(u64, &TimedRecord<'_, F::Record<'_>>) -> Result<(), E>,
{
    #[inline(always)]
    fn receive(&mut self, location: u64, record: &TimedRecord<'_, F::Record<'_>>) -> Result<(), E> {
        (self.0)(location, record)
    }
}

/// Decodes the records that a scanner finds and passes them to a receiver. If `RAW`, ids and times
/// stay unchanged. If `PASSED`, the framer has passed a record before it is received.
pub(super) struct Visitor<'r, 'a, F: Family, O, V, E, const RAW: bool, const PASSED: bool> {
    location: u64,
    mappings: &'a Mappings,
    ids: Lookup<'a>,
    clock: &'r mut Clock,
    framer: &'r mut TimedFramer,
    /// The record in whose place records of rare kinds are decoded.
    other: &'r mut TimedRecord<'a, F::Record<'a>>,
    receiver: &'r mut V,
    order: PhantomData<(O, E)>,
}

impl<'r, 'a, F, O, V, E, const RAW: bool, const PASSED: bool> Visitor<'r, 'a, F, O, V, E, RAW, PASSED>
where
    F: Family,
{
    pub(super) fn new(
        location: u64,
        mappings: &'a Mappings,
        clock: &'r mut Clock,
        framer: &'r mut TimedFramer,
        other: &'r mut TimedRecord<'a, F::Record<'a>>,
        receiver: &'r mut V,
    ) -> Self {
        let ids = mappings.lookup(F::USUAL);
        Visitor { location, mappings, ids, clock, framer, other, receiver, order: PhantomData }
    }

    /// Returns the position of a record with the corrected time.
    #[inline(always)]
    fn timed(&mut self, place: &RecordPlace) -> TimedRecord<'a, ()> {
        let RecordPlace { offset, number, time, .. } = *place;
        let time = if RAW { time } else { self.clock.correct(time) };
        TimedRecord { offset, number, time, attributes: Attributes::new(&[], false), record: () }
    }

    /// Takes note that a record is about to be received.
    #[inline(always)]
    fn pass(framer: &mut TimedFramer, place: &RecordPlace) {
        if PASSED {
            framer.pass(place.bytes.end, place.time, place.number);
        }
    }
}

/// Maps a record of a frequent kind and passes it on.
struct Frequent<'f, 'a, V> {
    visitor: &'f mut V,
    place: RecordPlace,
    timed: TimedRecord<'a, ()>,
}

impl<'a, F, O, V, E, const RAW: bool, const PASSED: bool> Found<F::Record<'a>>
    for Frequent<'_, 'a, Visitor<'_, 'a, F, O, V, E, RAW, PASSED>>
where
    F: Family,
    V: Receive<F, E>,
{
    type Output = Result<(), E>;

    #[inline(always)]
    fn found(self, mut record: F::Record<'a>) -> Result<(), E> {
        let Frequent { visitor, place, timed } = self;
        if !RAW {
            record.map(visitor.mappings);
        }
        Visitor::<F, O, V, E, RAW, PASSED>::pass(visitor.framer, &place);
        visitor.receiver.receive(visitor.location, &timed.with(record))
    }
}

impl<'a, F, O, V, E, const RAW: bool, const PASSED: bool> Sink<'a>
    for Visitor<'_, 'a, F, O, V, E, RAW, PASSED>
where
    F: Family,
    O: ByteOrder,
    V: Receive<F, E>,
{
    type Failure = E;

    #[inline(always)]
    fn short(&mut self, place: RecordPlace, integer: u32) -> Result<(), E> {
        let integer = if RAW { integer } else { self.ids.global(integer.into()) as u32 };
        let timed = self.timed(&place);
        Self::pass(self.framer, &place);
        self.receiver.receive(self.location, &timed.with(F::usual(place.bytes.id, integer)))
    }

    #[inline(always)]
    fn sized(&mut self, place: RecordPlace, data: &'a [u8; AMPLE]) -> Result<bool, E> {
        let timed = self.timed(&place);
        let (id, length) = (place.bytes.id, place.bytes.length());
        let frequent = Frequent { visitor: &mut *self, place, timed };
        let received = match PASSED {
            true => F::Record::frequent::<O, _>(id, data, length, frequent),
            // Once for all kinds, so that loops with short visitors can be inlined themselves.
            false => F::Record::frequent::<O, _>(id, data, length, |record: F::Record<'a>| record)
                .map(|record| frequent.found(record)),
        };
        if let Some(received) = received {
            return received.map(|()| true);
        }
        if is_skipped::<F, E>(&*self.receiver, id) {
            Self::pass(self.framer, &place);
            return self.receiver.skip(self.location, place.number).map(|()| true);
        }
        if !F::Record::refill::<O>(data, length, &mut self.other.record, id) {
            return Ok(false);
        }
        if !RAW {
            self.other.record.map(self.mappings);
        }
        (self.other.offset, self.other.number, self.other.time) = (timed.offset, timed.number, timed.time);
        Self::pass(self.framer, &place);
        let receiver: Receiver<'_, F, E> = &mut *self.receiver;
        receiver.receive(self.location, self.other).map(|()| true)
    }
}
