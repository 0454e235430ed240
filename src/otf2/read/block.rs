//! Records of a location that were found ahead, so that they can be put in order with those of others.
//!
//! A [`Slot`] says in few bytes where a record lies; what is in the file is looked at when the record is delivered. Invariant: what the
//! slots of a block refer to stays in the window.

use super::TimedRecord;
use super::budget::Lease;
use super::events::TimedFrame;
use super::location::Reached;
use super::stream::Frame;
use crate::error::{Error, Result};
use crate::records::attributes::Attributes;
use std::cell::Cell;

/// A record that was found.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Slot {
    /// Its corrected time.
    pub(super) time: u64,
    /// Where it begins, from the base of the block on.
    pub(super) at: u32,
    /// The global integer it consists of, or the place of what was reached.
    pub(super) value: u32,
    /// Where its data begin and end, from its begin on.
    pub(super) data: u16,
    pub(super) end: u16,
    pub(super) id: u8,
    pub(super) kind: Kind,
}

/// How a record is put together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Kind {
    /// It is one integer, which is in the slot.
    #[default]
    Integer,
    /// Its data have to be looked at.
    Data,
    /// It takes more than a slot can tell.
    Reached,
    /// There is none: the location ends with an error.
    Fault,
}

/// The slots of a location: those from `first` to `filled` are still to be sorted.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) location: u64,
    /// Offset in the file that slots count from.
    pub(super) base: u64,
    /// Number of the record in the first slot.
    number: u64,
    pub(super) first: usize,
    pub(super) filled: usize,
    /// What slots of the kind refer to.
    reached: Vec<Reached>,
    lease: Lease,
    /// Nothing follows the slots.
    pub(super) is_last: bool,
    fault: Option<Error>,
    /// A record was bad: nothing more is delivered.
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

    /// Begins with a record at this offset, of this number.
    pub(super) fn begin(&mut self, offset: u64, number: u64) {
        (self.base, self.number) = (offset, number);
    }

    /// Appends a record that takes more than a slot.
    pub(super) fn add(&mut self, slots: &mut [Slot], reached: Reached) -> Result<()> {
        let frame = &reached.frame;
        if self.filled == 0 {
            self.begin(frame.first_byte(), frame.number);
        }
        let slot = Slot {
            time: frame.time,
            at: self.behind_base(frame.first_byte()),
            value: self.reached.len() as u32,
            kind: Kind::Reached,
            ..Slot::default()
        };
        self.lease.push(&mut self.reached, reached)?;
        self.push(slots, slot);
        Ok(())
    }

    /// Ends with an error.
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

    /// An offset from the base on. Where that is too long for a slot it is said to be nearer, which keeps more in the window.
    fn behind_base(&self, offset: u64) -> u32 {
        u32::try_from(offset.saturating_sub(self.base)).unwrap_or(u32::MAX)
    }

    /// Moves what is left to the begin of the slots.
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

    /// The next slot to be sorted.
    pub(super) fn next<'s>(&self, slots: &'s [Slot]) -> Option<&'s Slot> {
        slots[..self.filled].get(self.first)
    }

    /// Has nothing any more.
    pub(super) fn close(&mut self) {
        (self.first, self.filled, self.is_last) = (0, 0, true);
    }

    /// Why the location ends, once.
    pub(super) fn take_fault(&mut self) -> Option<Error> {
        self.fault.take()
    }

    pub(super) fn reached(&self, slot: &Slot) -> Option<&Reached> {
        self.reached.get(slot.value as usize).filter(|_| slot.kind == Kind::Reached)
    }

    /// The record of a slot, which has no attributes.
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

    /// Where the data of a slot lie.
    pub(super) fn frame(&self, index: usize, slot: &Slot) -> TimedFrame {
        let TimedRecord { offset, number, time, .. } = self.timed(index, slot, ());
        let (data, end) = (offset + u64::from(slot.data), offset + u64::from(slot.end));
        TimedFrame::new(offset, number, time, Frame { id: slot.id, data, end })
    }
}
