//! Decoding the records of slots, and passing them on.

use super::{End, LocationReader};
use crate::byte_order::{BigEndian, LittleEndian};
use crate::error::{Error, Result};
use crate::read::batch::{BatchSlot, SlotKind};
use crate::read::events::TimedRecord;
use crate::read::family::Family;
use crate::read::visit::{Receive, Receiver, is_skipped};
use crate::records::{Decode, Found, RecordEnum};
use std::marker::PhantomData;

impl<F: Family> LocationReader<F> {
    /// Passes the record of a slot to a receiver. Records of rare kinds are decoded in place of
    /// `other`.
    #[inline(always)]
    pub(in crate::read) fn deliver<'a, E: From<Error>>(
        &'a self,
        index: usize,
        slot: &BatchSlot,
        other: &mut TimedRecord<'a, F::Record<'a>>,
        receiver: &mut impl Receive<F, E>,
    ) -> Result<(), E> {
        let (at, length) = self.batch.data(slot);
        if slot.kind == SlotKind::Sized
            && self.is_raw
            && let Some(data) = self.window.ample(at)
            && let Some(received) = F::Record::frequent::<LittleEndian, _>(
                slot.id,
                data,
                length,
                Frequent { reader: self, index, slot, receiver: &mut *receiver, stop: PhantomData },
            )
        {
            return received;
        }
        if is_skipped::<F, E>(&*receiver, slot.id) {
            return receiver.skip(self.location, self.batch.place(index, slot).number);
        }
        self.decode(index, slot, other)?;
        let receiver: Receiver<'_, F, E> = receiver;
        receiver.receive(self.location, other)
    }

    /// Decodes the record of a slot in place of another record.
    #[inline(never)]
    pub(in crate::read) fn decode<'a>(
        &'a self,
        index: usize,
        slot: &BatchSlot,
        timed: &mut TimedRecord<'a, F::Record<'a>>,
    ) -> Result<()> {
        if slot.kind != SlotKind::Sized || !self.refill(slot, &mut timed.record) {
            return self.decode_plainly(index, slot, timed);
        }
        let TimedRecord { offset, number, time, attributes, .. } = self.batch.timed(index, slot, ());
        (timed.offset, timed.number) = (offset, number);
        (timed.time, timed.attributes) = (time, attributes);
        Ok(())
    }

    /// Decodes a record in place of another on the fast path; returns whether it could.
    #[inline(always)]
    fn refill<'a>(&'a self, slot: &BatchSlot, record: &mut F::Record<'a>) -> bool {
        let (at, length) = self.batch.data(slot);
        let Some(data) = self.window.ample(at) else { return false };
        let is_valid = match self.is_big_endian() {
            false => F::Record::refill::<LittleEndian>(data, length, record, slot.id),
            true => F::Record::refill::<BigEndian>(data, length, record, slot.id),
        };
        if is_valid && self.is_mapped {
            record.map(&self.globals.mappings);
        }
        is_valid
    }

    #[inline(never)]
    fn decode_plainly<'a>(
        &'a self,
        index: usize,
        slot: &BatchSlot,
        timed: &mut TimedRecord<'a, F::Record<'a>>,
    ) -> Result<()> {
        *timed = match slot.kind {
            SlotKind::Short => self.batch.short::<F>(index, slot),
            _ => self.plain_record(index, slot).inspect_err(|_| self.batch.spoil())?,
        };
        Ok(())
    }

    /// Decodes the record of a slot on the plain path.
    fn plain_record(&self, index: usize, slot: &BatchSlot) -> Result<TimedRecord<'_, F::Record<'_>>> {
        let (view, big) = (self.window.view(), self.is_big_endian());
        let place = self.batch.place(index, slot);
        let mut timed = place.record(view, big).map_err(|error| {
            let fault = self.fault(error);
            self.end.set(End::BadFields(place.number));
            fault
        })?;
        if self.is_mapped {
            timed = self.global(timed);
        }
        if let Some(time) = place.second_time {
            F::set_time(&mut timed.record, time);
        }
        Ok(timed)
    }

    /// Maps the ids of a record to global ids.
    fn global<'a>(&'a self, mut timed: TimedRecord<'a, F::Record<'a>>) -> TimedRecord<'a, F::Record<'a>> {
        timed.record.map(&self.globals.mappings);
        TimedRecord { attributes: timed.attributes.mapped(&self.globals.mappings), ..timed }
    }
}

/// Passes on a record of a frequent kind with the time and the position of its slot.
struct Frequent<'f, F, V, E> {
    reader: &'f LocationReader<F>,
    index: usize,
    slot: &'f BatchSlot,
    receiver: &'f mut V,
    stop: PhantomData<E>,
}

impl<'a, F: Family, E, V: Receive<F, E>> Found<F::Record<'a>> for Frequent<'_, F, V, E> {
    type Output = Result<(), E>;

    #[inline(always)]
    fn found(self, record: F::Record<'a>) -> Result<(), E> {
        let Frequent { reader, index, slot, receiver, .. } = self;
        receiver.receive(reader.location, &reader.batch.timed(index, slot, record))
    }
}
