//! Records of a location that are found ahead of their delivery, so that they can be delivered one
//! by one or sorted with the records of other locations.
//!
//! A [`BatchSlot`] is a compact description of where a record is; the record is decoded when it is
//! delivered. Slots are rows and not columns, because a user of a slot needs most of it: in time
//! order each slot is in another cache line.
//!
//! Invariants: the bytes that the slots refer to stay in the window, and all slots of a batch are
//! in one chunk.

use super::budget::Lease;
use super::clock::Clock;
use super::events::TimedRecord;
use super::family::Family;
use super::globals::Globals;
use super::place::{RecordBytes, RecordPlace};
use super::scan::{Scanner, Sink};
use crate::byte_order::ByteOrder;
use crate::error::{Error, Result};
use crate::records::attributes::Attributes;
use crate::records::mappings::Lookup;
use crate::wire::AMPLE;
use std::cell::Cell;
use std::convert::Infallible;
use std::slice;

/// A record that was found but not delivered.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct BatchSlot {
    /// The corrected time.
    pub(super) time: u64,
    /// The offset of the record, relative to that of the batch.
    at: u32,
    /// The global integer that the record consists of, or the index of the record in the list
    /// `rare` of the batch.
    value: u32,
    /// The number of bytes before the data, and the length of the data.
    head: u8,
    length: u8,
    pub(super) id: u8,
    pub(super) kind: SlotKind,
}

/// How a record is decoded: the first ones are those of records to deliver.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum SlotKind {
    /// The record is one integer, which is in the slot.
    Short,
    /// The data must be decoded.
    Sized,
    /// The record does not fit in a slot; the list `rare` of the batch contains it.
    Rare,
    /// The record is not selected.
    Skipped,
    /// There is no record: the location ends with an error.
    Fault,
    /// There is no slot.
    #[default]
    Empty,
}

/// The index of the next slot to deliver or to sort. After an invalid record, there is none.
#[derive(Debug)]
struct NextSlot(Cell<usize>);

impl NextSlot {
    /// Larger than all indexes, so that no look-up finds a slot.
    const NONE: usize = usize::MAX;

    fn first() -> Self {
        NextSlot(Cell::new(0))
    }

    #[inline(always)]
    fn get(&self) -> usize {
        self.0.get()
    }

    #[inline(always)]
    fn set(&self, index: usize) {
        self.0.set(index);
    }

    /// Ends delivery.
    fn end(&self) {
        self.0.set(Self::NONE);
    }

    #[inline(always)]
    fn is_none(&self) -> bool {
        self.0.get() == Self::NONE
    }
}

/// The records of a location that were found ahead.
#[derive(Debug)]
pub(super) struct Batch {
    /// The slots, then a slot of [`SlotKind::Empty`], then room.
    slots: Vec<BatchSlot>,
    /// The number of slots.
    filled: usize,
    next: NextSlot,
    /// The offset that slots are relative to.
    base: u64,
    /// The number of the record in the first slot.
    number: u64,
    /// The records of the slots of [`SlotKind::Rare`], with corrected times.
    rare: Vec<RecordPlace>,
    lease: Lease,
    fault: Option<Error>,
    /// Whether no further slots follow.
    pub(super) is_last: bool,
}

impl Batch {
    pub(super) fn new(lease: Lease) -> Self {
        Batch {
            slots: Vec::new(),
            filled: 0,
            next: NextSlot::first(),
            base: 0,
            number: 0,
            rare: Vec::new(),
            lease,
            fault: None,
            is_last: false,
        }
    }

    /// Returns the slots.
    pub(super) fn slots(&self) -> &[BatchSlot] {
        self.slots.get(..self.filled).unwrap_or_default()
    }

    fn slots_mut(&mut self) -> &mut [BatchSlot] {
        self.slots.get_mut(..self.filled).unwrap_or_default()
    }

    /// Returns the number of slots to deliver or to sort.
    pub(super) fn left(&self) -> usize {
        self.filled.saturating_sub(self.next.get())
    }

    /// Returns the index of the next slot to deliver or to sort.
    pub(super) fn next(&self) -> usize {
        self.next.get()
    }

    /// Takes the next slot if it is of a wanted kind, and returns its index, too.
    #[inline(always)]
    pub(super) fn take(&self, is_wanted: impl Fn(SlotKind) -> bool) -> Option<(usize, &BatchSlot)> {
        let index = self.next.get();
        let slot = self.slots.get(index).filter(|slot| is_wanted(slot.kind))?;
        self.next.set(index + 1);
        Some((index, slot))
    }

    /// Takes slots.
    pub(super) fn pass(&self, count: usize) {
        self.next.set(self.next.get().saturating_add(count).min(self.filled));
    }

    /// Ends delivery after an invalid record.
    pub(super) fn spoil(&self) {
        self.next.end();
    }

    /// Returns whether a record was invalid.
    #[inline(always)]
    pub(super) fn is_bad(&self) -> bool {
        self.next.is_none()
    }

    /// Returns a slot, unless a record was invalid.
    #[inline(always)]
    pub(super) fn slot(&self, index: usize) -> Option<&BatchSlot> {
        self.slots.get(index).filter(|_| !self.is_bad())
    }

    /// Returns the next slot to deliver or to sort.
    pub(super) fn peek(&self) -> Option<&BatchSlot> {
        self.slots().get(self.next.get())
    }

    /// Removes the slots that were delivered, and makes room for `count` slots in all.
    pub(super) fn make_room(&mut self, count: usize) -> Result<()> {
        if self.slots.len() <= count {
            self.lease.reserve(&mut self.slots, count + 1)?;
            self.slots.resize(count + 1, BatchSlot::default());
        }
        let next = self.next.get().min(self.filled);
        self.next.set(0);
        self.slots.copy_within(next..self.filled, 0);
        self.number = self.number.saturating_add(next as u64);
        self.set_filled(self.filled - next);
        if !self.rare.is_empty() {
            self.remove_rare();
        }
        Ok(())
    }

    fn set_filled(&mut self, filled: usize) {
        self.filled = filled;
        if let Some(slot) = self.slots.get_mut(filled) {
            slot.kind = SlotKind::Empty;
        }
    }

    /// Removes the rare records that were delivered.
    fn remove_rare(&mut self) {
        let first = self.slots().iter().find(|slot| slot.kind == SlotKind::Rare).map(|slot| slot.value);
        let passed = first.unwrap_or(self.rare.len() as u32);
        self.rare.drain(..passed as usize);
        for slot in self.slots_mut().iter_mut().filter(|slot| slot.kind == SlotKind::Rare) {
            slot.value -= passed;
        }
    }

    /// Removes all slots and begins anew.
    pub(super) fn clear(&mut self) {
        self.rare.clear();
        self.set_filled(0);
        self.next.set(0);
        (self.fault, self.is_last) = (None, false);
    }

    /// Removes all slots; the location has ended.
    pub(super) fn end(&mut self) {
        self.clear();
        self.is_last = true;
    }

    /// Prepares for records from this offset and number on. Returns false if slots cannot express
    /// that they are so far from those of the batch.
    pub(super) fn begin(&mut self, offset: u64, number: u64, end: u64) -> bool {
        if self.filled == 0 {
            (self.base, self.number) = (offset, number);
        }
        end - self.base <= u32::MAX.into()
    }

    /// Appends the records that a scanner finds, up to `count` slots in all, with global ids and
    /// corrected times.
    pub(super) fn scan<F: Family, E: ByteOrder>(
        &mut self,
        scanner: &mut Scanner<'_, E>,
        count: usize,
        globals: &mut Globals,
    ) {
        let is_raw = globals.is_empty();
        let (ids, clock) = (globals.mappings.lookup(F::USUAL), &mut globals.clock);
        let slots = self.slots.get_mut(self.filled..count).unwrap_or_default();
        let (room, slots) = (slots.len(), slots.iter_mut());
        let mut relative = scanner.relative_to(self.base);
        let left = match is_raw {
            true => Filler::<true> { slots, ids, clock }.fill::<F, E>(&mut relative),
            false => Filler::<false> { slots, ids, clock }.fill::<F, E>(&mut relative),
        };
        *scanner = relative.relative_to(self.base.wrapping_neg());
        self.set_filled(self.filled + room - left);
    }

    fn push(&mut self, slot: BatchSlot) {
        match self.slots.get_mut(self.filled) {
            Some(free) => *free = slot,
            None => self.slots.push(slot),
        }
        self.set_filled(self.filled + 1);
    }

    /// Appends a record of any kind.
    pub(super) fn add(&mut self, place: RecordPlace) -> Result<()> {
        let RecordPlace { number, time, bytes: RecordBytes { id, .. }, .. } = place;
        let offset = place.first_byte();
        self.begin(offset, number, offset);
        // An offset too far for a slot is clamped, which only keeps more in the window.
        let at = u32::try_from(offset - self.base).unwrap_or(u32::MAX);
        let value = self.rare.len() as u32;
        self.lease.push(&mut self.rare, place)?;
        self.push(BatchSlot { time, at, value, id, kind: SlotKind::Rare, ..BatchSlot::default() });
        Ok(())
    }

    /// Appends an error, which ends the location.
    pub(super) fn fail(&mut self, fault: Error) {
        let last = self.slots().last().copied().unwrap_or_default();
        self.push(BatchSlot { kind: SlotKind::Fault, ..last });
        self.fault = Some(fault);
        self.is_last = true;
    }

    /// Returns the error that ends the location; later calls return `None`.
    pub(super) fn take_fault(&mut self) -> Option<Error> {
        self.fault.take()
    }

    /// Skips the records for which `is_selected` returns false. The first one after `end` ends the
    /// location; returns whether there is one.
    pub(super) fn select(&mut self, end: u64, is_selected: impl Fn(&BatchSlot) -> bool) -> bool {
        let is_after = |slot: &BatchSlot| slot.kind != SlotKind::Fault && slot.time > end;
        let after = self.slots().iter().position(is_after);
        if let Some(after) = after {
            self.set_filled(after);
            self.next.set(self.next.get().min(after));
            self.is_last = true;
        }
        for slot in self.slots_mut() {
            if slot.kind != SlotKind::Fault && !is_selected(slot) {
                slot.kind = SlotKind::Skipped;
            }
        }
        after.is_some()
    }

    /// Returns the offset from which the slots need the bytes of the file, if there are any.
    pub(super) fn first_byte(&self) -> Option<u64> {
        self.slots().first().map(|slot| self.base + u64::from(slot.at))
    }

    /// Returns the place of a record that does not fit in its slot.
    fn rare(&self, slot: &BatchSlot) -> Option<&RecordPlace> {
        self.rare.get(slot.value as usize).filter(|_| slot.kind == SlotKind::Rare)
    }

    /// Adds the time and the position of a slot to a record without attributes.
    #[inline(always)]
    pub(super) fn timed<'a, R>(&self, index: usize, slot: &BatchSlot, record: R) -> TimedRecord<'a, R> {
        TimedRecord {
            offset: self.base + u64::from(slot.at),
            number: self.number.saturating_add(index as u64),
            time: slot.time,
            attributes: Attributes::new(&[], false),
            record,
        }
    }

    /// Returns the record of a slot of [`SlotKind::Short`].
    #[inline(always)]
    pub(super) fn short<'a, F: Family>(
        &self,
        index: usize,
        slot: &BatchSlot,
    ) -> TimedRecord<'a, F::Record<'a>> {
        self.timed(index, slot, F::usual(slot.id, slot.value))
    }

    /// Returns the offset in the file of the data of a slot, and their length.
    #[inline(always)]
    pub(super) fn data(&self, slot: &BatchSlot) -> (u64, usize) {
        (self.base + u64::from(slot.at) + u64::from(slot.head), slot.length.into())
    }

    /// Returns the place of the record of a slot.
    pub(super) fn place(&self, index: usize, slot: &BatchSlot) -> RecordPlace {
        if let Some(place) = self.rare(slot) {
            return *place;
        }
        let TimedRecord { offset, number, time, .. } = self.timed(index, slot, ());
        let (data, length) = self.data(slot);
        RecordPlace::new(offset, number, time, RecordBytes { id: slot.id, data, end: data + length as u64 })
    }
}

/// Fills slots with the records that a scanner finds, whose offsets are relative to the batch. If
/// `RAW`, ids and times stay unchanged.
struct Filler<'b, const RAW: bool> {
    slots: slice::IterMut<'b, BatchSlot>,
    ids: Lookup<'b>,
    clock: &'b mut Clock,
}

impl<const RAW: bool> Filler<'_, RAW> {
    /// Returns the number of slots left.
    #[inline(always)]
    fn fill<F: Family, E: ByteOrder>(mut self, scanner: &mut Scanner<'_, E>) -> usize {
        let Ok(()) = scanner.scan::<F, _>(&mut self);
        self.slots.len()
    }

    #[inline(always)]
    fn push(&mut self, time: u64, slot: BatchSlot) {
        if let Some(free) = self.slots.next() {
            *free = BatchSlot { time: if RAW { time } else { self.clock.correct(time) }, ..slot };
        }
    }
}

impl<'a, const RAW: bool> Sink<'a> for Filler<'_, RAW> {
    type Failure = Infallible;

    #[inline(always)]
    fn is_full(&self) -> bool {
        self.slots.len() == 0
    }

    #[inline(always)]
    fn short(&mut self, place: RecordPlace, integer: u32) -> Result<(), Infallible> {
        let RecordPlace { offset, time, bytes: RecordBytes { id, .. }, .. } = place;
        let value = if RAW { integer } else { self.ids.global(integer.into()) as u32 };
        self.push(
            time,
            BatchSlot { at: offset as u32, value, id, kind: SlotKind::Short, ..BatchSlot::default() },
        );
        Ok(())
    }

    #[inline(always)]
    fn sized(&mut self, place: RecordPlace, _: &'a [u8; AMPLE]) -> Result<bool, Infallible> {
        let RecordPlace { offset, time, bytes, .. } = place;
        let (at, id) = (offset as u32, bytes.id);
        let (head, length) = ((bytes.data - offset) as u8, bytes.length() as u8);
        self.push(time, BatchSlot { at, head, length, id, kind: SlotKind::Sized, ..BatchSlot::default() });
        Ok(true)
    }
}
