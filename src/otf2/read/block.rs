//! Records of a location that are found ahead of their delivery, so that they can be sorted with
//! the records of other locations.
//!
//! A [`Slot`] is a compact description of where a record is; the record is decoded when it is
//! delivered. Invariant: the bytes that the slots of a block refer to stay in the window.

use super::TimedRecord;
use super::budget::Lease;
use super::events::TimedFrame;
use super::location::Reached;
use super::stream::Frame;
use crate::error::{Error, Result};
use crate::records::attributes::Attributes;
use std::cell::Cell;

/// A record that was found but not delivered.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Slot {
    /// The corrected time.
    pub(super) time: u64,
    /// The offset of the record, relative to the base of the block.
    pub(super) at: u32,
    /// The global integer that the record consists of, or the index of the record in the list
    /// `reached` of the block.
    pub(super) value: u32,
    /// The start and the end of the data, relative to the start of the record.
    pub(super) data: u16,
    pub(super) end: u16,
    pub(super) id: u8,
    pub(super) kind: Kind,
}

/// How a record is decoded.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Kind {
    /// The record is one integer, which is in the slot.
    #[default]
    Integer,
    /// The data must be decoded.
    Data,
    /// The record does not fit in a slot; the list `reached` of the block contains it.
    Reached,
    /// There is no record: the location ends with an error.
    Fault,
}

/// The state of the slots of a location; those from `first` to `filled` are still to be sorted.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) location: u64,
    /// The offset in the file that slots are relative to.
    pub(super) base: u64,
    /// The number of the record in the first slot.
    number: u64,
    pub(super) first: usize,
    pub(super) filled: usize,
    /// The records of the slots of [`Kind::Reached`].
    reached: Vec<Reached>,
    lease: Lease,
    /// Whether no further slots follow.
    pub(super) is_last: bool,
    fault: Option<Error>,
    /// Whether a record was invalid, after which nothing more is delivered.
    pub(super) is_bad: Cell<bool>,
}

impl Block {
    pub(super) fn new(location: u64, lease: Lease) -> Self {
        Block {
            location,
            base: 0,
            number: 0,
            first: 0,
            filled: 0,
            reached: Vec::new(),
            lease,
            is_last: false,
            fault: None,
            is_bad: Cell::new(false),
        }
    }

    pub(super) fn left(&self) -> usize {
        self.filled - self.first
    }

    /// Sets the offset and the number of the first record.
    pub(super) fn begin(&mut self, offset: u64, number: u64) {
        (self.base, self.number) = (offset, number);
    }

    /// Appends a record that does not fit in a slot.
    pub(super) fn add(&mut self, slots: &mut [Slot], reached: Reached) -> Result<()> {
        let frame = &reached.frame;
        if self.filled == 0 {
            self.begin(frame.first_byte(), frame.number);
        }
        let slot = Slot {
            time: frame.time,
            at: self.relative(frame.first_byte()),
            value: self.reached.len() as u32,
            kind: Kind::Reached,
            ..Slot::default()
        };
        self.lease.push(&mut self.reached, reached)?;
        self.push(slots, slot);
        Ok(())
    }

    /// Ends the location with an error.
    pub(super) fn end(&mut self, slots: &mut [Slot], fault: Error) {
        let last = slots[..self.filled].last().copied().unwrap_or_default();
        self.push(slots, Slot { kind: Kind::Fault, ..last });
        self.fault = Some(fault);
        self.is_last = true;
    }

    fn push(&mut self, slots: &mut [Slot], slot: Slot) {
        if let Some(free) = slots.get_mut(self.filled) {
            *free = slot;
            self.filled += 1;
        }
    }

    /// Returns an offset relative to the base. Offsets too large for a slot are clamped, which only
    /// keeps more in the window.
    fn relative(&self, offset: u64) -> u32 {
        u32::try_from(offset.saturating_sub(self.base)).unwrap_or(u32::MAX)
    }

    /// Moves the remaining slots to the start of `slots`.
    pub(super) fn shift(&mut self, slots: &mut [Slot]) {
        slots.copy_within(self.first..self.filled, 0);
        self.number = self.number.saturating_add(self.first as u64);
        (self.filled, self.first) = (self.left(), 0);
        let slots = &mut slots[..self.filled];
        let base = slots.first().map_or(0, |slot| slot.at);
        let passed = slots.iter().find(|slot| slot.kind == Kind::Reached).map(|slot| slot.value);
        self.reached.drain(..passed.map_or(self.reached.len(), |passed| passed as usize));
        self.base += u64::from(base);
        for slot in slots {
            slot.at -= base;
            if slot.kind == Kind::Reached {
                slot.value -= passed.unwrap_or(0);
            }
        }
    }

    /// Returns the next slot to sort.
    pub(super) fn next<'s>(&self, slots: &'s [Slot]) -> Option<&'s Slot> {
        slots[..self.filled].get(self.first)
    }

    /// Discards all slots; the location has ended.
    pub(super) fn close(&mut self) {
        (self.first, self.filled, self.is_last) = (0, 0, true);
    }

    /// Returns the error that ends the location; later calls return `None`.
    pub(super) fn take_fault(&mut self) -> Option<Error> {
        self.fault.take()
    }

    pub(super) fn reached(&self, slot: &Slot) -> Option<&Reached> {
        self.reached.get(slot.value as usize).filter(|_| slot.kind == Kind::Reached)
    }

    /// Adds the time and the position of a slot to a record without attributes.
    #[inline(always)]
    pub(super) fn timed<'a, R>(&self, index: usize, slot: &Slot, record: R) -> TimedRecord<'a, R> {
        TimedRecord {
            offset: self.base + u64::from(slot.at),
            number: self.number.saturating_add(index as u64),
            time: slot.time,
            attributes: Attributes::new(&[], false),
            record,
        }
    }

    /// Returns the position of the record of a slot.
    pub(super) fn frame(&self, index: usize, slot: &Slot) -> TimedFrame {
        let TimedRecord { offset, number, time, .. } = self.timed(index, slot, ());
        let (data, end) = (offset + u64::from(slot.data), offset + u64::from(slot.end));
        TimedFrame::new(offset, number, time, Frame { id: slot.id, data, end })
    }
}
