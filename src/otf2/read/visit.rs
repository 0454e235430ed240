//! Visiting records as they are scanned, without a batch: the fastest way to read one location.

use super::clock::Clock;
use super::events::TimedRecord;
use super::family::Family;
use super::scan::{Short, Sink, Spot};
use crate::byte_order::ByteOrder;
use crate::records::attributes::Attributes;
use crate::records::mappings::{Lookup, Mappings};
use crate::records::{Decode, RecordEnum};
use crate::wire::AMPLE;
use std::marker::PhantomData;

/// A visitor that is called through a pointer, for rare cases, to keep loops short.
pub(super) type Visit<'v, F, E> =
    &'v mut dyn FnMut(&TimedRecord<'_, <F as Family>::Record<'_>>) -> Result<(), E>;

/// Decodes the records that a scanner finds and passes them to `visit`. If `RAW`, ids and times
/// stay unchanged.
pub(super) struct Visitor<'r, 'a, F: Family, O, V, const RAW: bool> {
    mappings: &'a Mappings,
    ids: Lookup<'a>,
    clock: &'r mut Clock,
    /// The record in whose place records of rare kinds are decoded.
    other: &'r mut TimedRecord<'a, F::Record<'a>>,
    visit: &'r mut V,
    order: PhantomData<O>,
}

impl<'r, 'a, F: Family, O, V, const RAW: bool> Visitor<'r, 'a, F, O, V, RAW> {
    pub(super) fn new(
        mappings: &'a Mappings,
        clock: &'r mut Clock,
        other: &'r mut TimedRecord<'a, F::Record<'a>>,
        visit: &'r mut V,
    ) -> Self {
        Visitor { mappings, ids: mappings.lookup(F::USUAL), clock, other, visit, order: PhantomData }
    }

    /// Returns a position with the corrected time.
    #[inline(always)]
    fn timed(&mut self, offset: u64, number: u64, time: u64) -> TimedRecord<'a, ()> {
        let time = if RAW { time } else { self.clock.correct(time) };
        TimedRecord { offset, number, time, attributes: Attributes::new(&[], false), record: () }
    }
}

impl<'a, F, O, V, E, const RAW: bool> Sink<'a> for Visitor<'_, 'a, F, O, V, RAW>
where
    F: Family,
    O: ByteOrder,
    V: FnMut(&TimedRecord<'_, F::Record<'_>>) -> Result<(), E>,
{
    type Failure = E;

    #[inline(always)]
    fn short(&mut self, offset: u64, number: u64, time: u64, short: Short) -> Result<(), E> {
        let Short { id, integer } = short;
        let integer = if RAW { integer } else { self.ids.global(integer.into()) as u32 };
        let timed = self.timed(offset, number, time);
        (self.visit)(&timed.with(F::usual(id, integer)))
    }

    #[inline(always)]
    fn sized(&mut self, spot: Spot, data: &'a [u8; AMPLE]) -> Result<bool, E> {
        let timed = self.timed(spot.offset, spot.number, spot.time);
        if let Some(mut record) = F::Record::frequent::<O, _>(spot.id, data, spot.length, |it| it) {
            if !RAW {
                record.map(self.mappings);
            }
            return (self.visit)(&timed.with(record)).map(|()| true);
        }
        if !F::Record::refill::<O>(data, spot.length, &mut self.other.record, spot.id) {
            return Ok(false);
        }
        if !RAW {
            self.other.record.map(self.mappings);
        }
        (self.other.offset, self.other.number, self.other.time) = (timed.offset, timed.number, timed.time);
        let visit: Visit<'_, F, E> = &mut *self.visit;
        visit(self.other).map(|()| true)
    }
}
