//! Merges the records of several locations in time order, docs/spec/otf2-format.md, "Global event
//! order".
//!
//! The next record is the one with the smallest time among the next records of all locations; of
//! equal times, the one with the smallest location id. A location offers its next record only when
//! the one before has been delivered, so times that run backwards stay in the order of the file: a
//! record is sorted by the latest time up to it.
//!
//! Each location finds a block of records ahead. All records before the earliest end of a block are
//! sorted in one step, which costs the same for any number of locations. If only one location has
//! records left, there is nothing to sort, and its reader is called directly.

use super::block::{Block, Kind, Slot};
use super::budget::Lease;
use super::events::TimedRecord;
use super::family::Family;
use super::location::LocationReader;
use super::sort::sort;
use crate::error::{Error, Result};
use std::collections::VecDeque;
use std::fmt;

/// Reads the records of several locations in the order of time.
///
/// An error ends the location in which it occurs, not the others: [`next`](Self::next) may be
/// called again.
///
/// ```
/// # fn main() -> kymo_otf2::Result<()> {
/// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/every-record/traces.otf2");
/// # let archive = kymo_otf2::read::Archive::open(path)?;
/// // There is no location 99.
/// let mut events = archive.events_in_order(&[0, 4294967301, 99])?;
/// let (mut last, mut faults) = (0, Vec::new());
/// loop {
///     match events.next() {
///         Ok(Some((location, event))) => {
///             assert!(last <= event.time, "location {location}");
///             last = event.time;
///         }
///         Ok(None) => break,
///         Err(error) => faults.push(error.file()),
///     }
/// }
/// assert_eq!(faults, [Some(kymo_otf2::FileName::Events(99))]);
/// # Ok(())
/// # }
/// ```
pub struct InOrder<F> {
    readers: Vec<LocationReader<F>>,
    blocks: Vec<Block>,
    /// The slots of the blocks, `1 << shift` for each block.
    slots: Vec<Slot>,
    shift: u32,
    /// For each block: the times by which its next and its last slot are sorted.
    spans: Vec<Span>,
    /// The slots that can be delivered, in order. The upper half of an entry is a time relative to
    /// an earlier one, the lower half is the index of the slot. Entries before `next` have been
    /// delivered.
    sorted: Vec<u64>,
    next: usize,
    scratch: Vec<u64>,
    /// The index of the only location with records left, if none of them is in its block; otherwise
    /// past the end of `readers`.
    alone: usize,
    /// The errors of locations without a reader or without a single record.
    faults: VecDeque<Error>,
    has_begun: bool,
    _lease: Lease,
}

/// The number of slots of all blocks together, unless there are very many blocks.
const ALL_SLOTS: usize = 32 << 10;
const FEWEST_SLOTS: usize = 16;
const MOST_SLOTS: usize = 1 << 10;

/// Returns the number of slots of a block.
pub(super) fn slots(locations: usize) -> usize {
    1 << (ALL_SLOTS / locations.max(1)).clamp(FEWEST_SLOTS, MOST_SLOTS).ilog2()
}

/// The times by which slots of a block are sorted.
#[derive(Debug, Clone, Copy, Default)]
struct Span {
    /// The latest time of the slots that were sorted.
    latest: u64,
    /// The time of the next slot; the largest time if there is none.
    next: u64,
    /// The time of the last slot, which no later record precedes.
    end: u64,
}

/// A visitor that is called through a pointer, for rare cases, to keep loops short.
type Visit<'v, F, E> = &'v mut dyn FnMut(u64, &TimedRecord<'_, <F as Family>::Record<'_>>) -> Result<(), E>;

/// The limit up to which records can be sorted: a time, and the index of the last block that may
/// contribute records with that time.
type Horizon = (u64, usize);

impl<F: Family> InOrder<F> {
    /// Returns the memory for a location in bytes, except what its reader owns.
    pub(super) fn memory(locations: usize) -> usize {
        let slot = size_of::<Slot>() + 2 * size_of::<u64>();
        let block = size_of::<Block>() + size_of::<Span>() + slots(locations) * slot;
        size_of::<LocationReader<F>>() + block + 2 * size_of::<Error>()
    }

    pub(super) fn new(locations: usize, lease: Lease) -> Self {
        let slots = slots(locations);
        InOrder {
            readers: Vec::with_capacity(locations),
            blocks: Vec::with_capacity(locations),
            slots: Vec::with_capacity(locations * slots),
            shift: slots.ilog2(),
            spans: Vec::with_capacity(locations),
            sorted: Vec::with_capacity(locations * slots),
            next: 0,
            scratch: Vec::with_capacity(locations * slots),
            alone: usize::MAX,
            faults: VecDeque::new(),
            has_begun: false,
            _lease: lease,
        }
    }

    /// Adds a location. Its id must be larger than those of the locations before.
    pub(super) fn add(&mut self, reader: LocationReader<F>) {
        self.blocks.push(Block::new(reader.location(), reader.window.another_lease()));
        self.slots.resize(self.slots.len() + (1 << self.shift), Slot::default());
        self.spans.push(Span::default());
        self.readers.push(reader);
    }

    /// Adds the error that keeps the next location from having a reader.
    pub(super) fn add_fault(&mut self, fault: Error) {
        self.faults.push_back(fault);
    }

    /// Returns the next record and its location; `None` at the end of all files.
    #[allow(clippy::should_implement_trait)]
    #[inline(always)]
    pub fn next(&mut self) -> Result<Option<(u64, TimedRecord<'_, F::Record<'_>>)>> {
        let short = match self.readers.get_mut(self.alone) {
            Some(reader) => reader.next_short().map(|short| (reader.location(), short)),
            None => self.next_sorted(),
        };
        match short {
            Some((location, short)) => Ok(Some((location, short.usual::<F>()))),
            None => self.next_of_any(),
        }
    }

    /// Returns the next record if it is a short integer that has been sorted.
    #[inline(always)]
    fn next_sorted<'a>(&mut self) -> Option<(u64, TimedRecord<'a, (u8, u32)>)> {
        let entry = *self.sorted.get(self.next)? as u32 as usize;
        let (slot, block) = (self.slots.get(entry)?, self.blocks.get(entry >> self.shift)?);
        if slot.kind != Kind::Integer || block.is_bad.get() {
            return None;
        }
        self.next += 1;
        Some((block.location, block.timed(entry & ((1 << self.shift) - 1), slot, (slot.id, slot.value))))
    }

    /// Determines whether only one location has records left, none of which were found ahead.
    fn find_alone(&mut self) {
        let has_ended = |block: &Block| block.is_bad.get() || (block.is_last && block.left() == 0);
        let mut others = self.blocks.iter().enumerate().filter(|(_, block)| !has_ended(block));
        if let (Some((index, block)), None) = (others.next(), others.next())
            && block.left() == 0
            && self.next == self.sorted.len()
            && self.faults.is_empty()
        {
            self.alone = index;
        }
    }

    /// Returns the next record, of any kind.
    #[inline(never)]
    fn next_of_any(&mut self) -> Result<Option<(u64, TimedRecord<'_, F::Record<'_>>)>> {
        let Some((reader, index)) = self.next_slot()? else {
            let Some(reader) = self.readers.get_mut(self.alone) else { return Ok(None) };
            let location = reader.location();
            return Ok(reader.next_of_any()?.map(|record| (location, record)));
        };
        let (block, slot, index) =
            (&self.blocks[reader], &self.slots[index], index & ((1 << self.shift) - 1));
        let (location, reader) = (block.location, &self.readers[reader]);
        let refilled = || {
            let mut timed = TimedRecord::of(F::blank());
            reader.refill(&mut timed, block, index, slot)?;
            Ok(Some((location, timed)))
        };
        match slot.kind {
            Kind::Integer => Ok(Some((location, block.timed(index, slot, F::usual(slot.id, slot.value))))),
            Kind::Data => {
                let frame = block.frame(index, slot);
                reader.hand_over(&frame, |record| Ok(Some((location, record))), refilled)
            }
            _ => refilled(),
        }
    }

    /// Calls `visit` with the location and each record up to the end of all files. This is the
    /// fastest way to read. Stops at the first error, including an error of `visit`; after that,
    /// the next call continues with the next record.
    #[inline]
    pub fn each<E: From<Error>>(
        &mut self,
        mut visit: impl FnMut(u64, &TimedRecord<'_, F::Record<'_>>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.find_alone();
        loop {
            if let Some(reader) = self.readers.get_mut(self.alone) {
                let location = reader.location();
                return reader.each(|record| visit(location, record));
            }
            self.each_sorted(&mut visit)?;
            let visit: Visit<'_, F, E> = &mut visit;
            match self.next()? {
                Some((location, record)) => visit(location, &record)?,
                None => return Ok(()),
            }
        }
    }

    /// Visits the records that have been sorted, up to a fault.
    #[inline(always)]
    fn each_sorted<E: From<Error>>(
        &mut self,
        visit: &mut impl FnMut(u64, &TimedRecord<'_, F::Record<'_>>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut sorted = self.sorted.get(self.next..).unwrap_or_default().iter();
        let mut other = TimedRecord::of(F::blank());
        let visited = loop {
            let Some(&entry) = sorted.as_slice().first() else { break Ok(()) };
            let index = entry as u32 as usize;
            let reader = index >> self.shift;
            let (Some(slot), Some(block)) = (self.slots.get(index), self.blocks.get(reader)) else {
                break Ok(());
            };
            if slot.kind == Kind::Fault || block.is_bad.get() {
                break Ok(());
            }
            sorted.next();
            let index = index & ((1 << self.shift) - 1);
            let visited = match slot.kind {
                Kind::Integer => {
                    visit(block.location, &block.timed(index, slot, F::usual(slot.id, slot.value)))
                }
                _ => match self.readers[reader].refill(&mut other, block, index, slot) {
                    Ok(()) => (visit as Visit<'_, F, E>)(block.location, &other),
                    Err(error) => Err(error.into()),
                },
            };
            if let Err(error) = visited {
                break Err(error);
            }
        };
        self.next = self.sorted.len() - sorted.len();
        visited
    }

    /// Returns the indices of the next slot's reader and of the slot.
    #[inline]
    fn next_slot(&mut self) -> Result<Option<(usize, usize)>> {
        loop {
            let Some(&entry) = self.sorted.get(self.next) else {
                if self.gather()? { continue } else { return Ok(None) }
            };
            self.next += 1;
            let index = entry as u32 as usize;
            let reader = index >> self.shift;
            if self.blocks[reader].is_bad.get() {
                continue;
            }
            match self.slots[index].kind {
                Kind::Fault => self.blocks[reader].take_fault().map_or(Ok(()), Err)?,
                _ => return Ok(Some((reader, index))),
            }
        }
    }

    /// Sorts the records up to the horizon; returns false if no records are left, or only records
    /// of one location.
    #[inline(never)]
    fn gather(&mut self) -> Result<bool> {
        self.find_alone();
        if self.alone < self.readers.len() {
            return Ok(false);
        }
        self.fill();
        if !std::mem::replace(&mut self.has_begun, true) {
            self.take_first_faults();
        }
        if let Some(fault) = self.faults.pop_front() {
            return Err(fault);
        }
        self.next = 0;
        self.sorted.clear();
        let begin = self.spans.iter().map(|span| span.next).min().unwrap_or(u64::MAX);
        let horizon = self.horizon(begin);
        let mut blocks = 0;
        for block in 0..self.blocks.len() {
            if self.spans[block].next <= horizon.0 {
                blocks += usize::from(self.take(block, begin, horizon));
            }
        }
        if blocks > 1 {
            sort(&mut self.sorted, &mut self.scratch);
        }
        Ok(!self.sorted.is_empty())
    }

    /// Fills the blocks of which at most half is left.
    fn fill(&mut self) {
        let slots = self.slots.chunks_exact_mut(1 << self.shift);
        let blocks = self.blocks.iter_mut().zip(&mut self.spans);
        for ((reader, (block, span)), slots) in self.readers.iter_mut().zip(blocks).zip(slots) {
            if block.is_bad.get() {
                block.close();
            } else if !block.is_last && block.left() <= slots.len() / 2 {
                block.shift(slots);
                let filled = block.filled;
                reader.fill(block, slots);
                let times = slots[filled..block.filled].iter().map(|slot| slot.time);
                span.end = times.fold(span.end, u64::max);
            }
            span.next = block.next(slots).map_or(u64::MAX, |slot| slot.time.max(span.latest));
        }
    }

    /// Reports the errors of locations without a single valid record before the records of all
    /// others.
    fn take_first_faults(&mut self) {
        for (block, slots) in self.blocks.iter_mut().zip(self.slots.chunks_exact(1 << self.shift)) {
            if block.next(slots).is_some_and(|slot| slot.kind == Kind::Fault) {
                self.faults.extend(block.take_fault());
                block.close();
            }
        }
    }

    /// Returns the limit up to which no record is missing in the blocks. It is at most `u32::MAX`
    /// ticks after `begin`, because entries store times in 32 bits.
    fn horizon(&self, begin: u64) -> Horizon {
        let ends = self.blocks.iter().zip(&self.spans).enumerate().filter(|(_, (block, _))| !block.is_last);
        let end = ends.map(|(index, (_, span))| (span.end, index)).min().unwrap_or((u64::MAX, usize::MAX));
        end.min((begin.saturating_add(u32::MAX.into()), usize::MAX))
    }

    /// Takes the slots of a block up to the horizon; returns whether there are any.
    fn take(&mut self, index: usize, begin: u64, horizon: Horizon) -> bool {
        let (block, span) = (&mut self.blocks[index], &mut self.spans[index]);
        // A block after the last one of the horizon may contribute only records before its time.
        let Some(limit) = horizon.0.checked_sub(u64::from(index > horizon.1)) else { return false };
        let slots = index << self.shift;
        let (first, before) = (slots + block.first, self.sorted.len());
        let left = &self.slots[first..slots + block.filled];
        self.sorted.resize(before + left.len(), 0);
        let (mut latest, mut taken) = (span.latest, 0);
        for (entry, (slot, place)) in self.sorted[before..].iter_mut().zip(left.iter().zip(first as u64..)) {
            let time = slot.time.max(latest);
            if time > limit {
                break;
            }
            *entry = (time - begin) << 32 | place;
            (latest, taken) = (time, taken + 1);
        }
        self.sorted.truncate(before + taken);
        span.latest = latest;
        block.first += taken;
        taken > 0
    }
}

impl<F> fmt::Debug for InOrder<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InOrder").field("readers", &self.readers).finish_non_exhaustive()
    }
}
