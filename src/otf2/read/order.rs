//! Merges the records of several locations in time order, docs/spec/otf2-format.md, "Global event
//! order".
//!
//! The next record is the one with the smallest time among the next records of all locations; of
//! equal times, the one with the smallest location id. A location offers its next record only when
//! the one before has been delivered, so times that run backwards stay in the order of the file: a
//! record is sorted by the latest time up to it.
//!
//! Each location finds a batch of records ahead. All records before the earliest end of a batch are
//! sorted in one step, which costs the same for any number of locations. If only one location has
//! records left, `each` passes them on without a batch.

use super::batch::{BatchSlot, SlotKind};
use super::budget::Lease;
use super::events::TimedRecord;
use super::family::Family;
use super::location::LocationReader;
use super::sort::sort;
use super::visit::{OfAll, Receive, Receiver};
use crate::error::{Error, Result};
use crate::records::RecordEnum;
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
    /// For each reader: the times by which its next and its last slot are sorted.
    spans: Vec<Span>,
    /// The number of records that a location finds ahead.
    slots: usize,
    /// The slots that can be delivered, in order, from `next` to `end`. The upper half of an entry
    /// is a time relative to an earlier one; the lower half is the index of the reader, then, in
    /// [`SLOT_BITS`], that of the slot.
    sorted: Vec<u64>,
    next: usize,
    end: usize,
    scratch: Vec<u64>,
    /// The errors of locations without a reader or without a single record.
    faults: VecDeque<Error>,
    has_begun: bool,
    _lease: Lease,
}

/// The number of slots of all locations together, unless there are very many locations.
const ALL_SLOTS: usize = 32 << 10;
const FEWEST_SLOTS: usize = 16;
const SLOT_BITS: u32 = 8;
/// The most locations whose indices fit in entries.
const MOST_LOCATIONS: usize = 1 << (u32::BITS - SLOT_BITS);

/// Returns the number of records that a location finds ahead.
fn slots(locations: usize) -> usize {
    (ALL_SLOTS / locations.max(1)).clamp(FEWEST_SLOTS, 1 << SLOT_BITS)
}

/// The times by which slots of a location are sorted.
#[derive(Debug, Clone, Copy, Default)]
struct Span {
    /// The latest time of the slots that were sorted.
    latest: u64,
    /// The time of the next slot; the largest time if there is none.
    next: u64,
    /// A time that no record after the slots precedes, and not all slots follow.
    end: u64,
}

/// The limit up to which records can be sorted: a time, and the index of the last location that may
/// contribute records with that time.
type Horizon = (u64, usize);

impl<F: Family> InOrder<F> {
    /// Returns the memory for a location in bytes, except that of its reader. No memory suffices
    /// for more locations than entries can express.
    pub(super) fn memory(locations: usize) -> usize {
        if locations > MOST_LOCATIONS {
            return usize::MAX;
        }
        let entries = 2 * slots(locations) * size_of::<u64>();
        size_of::<LocationReader<F>>() + size_of::<Span>() + entries + 2 * size_of::<Error>()
    }

    pub(super) fn new(locations: usize, lease: Lease) -> Self {
        let slots = slots(locations);
        InOrder {
            readers: Vec::with_capacity(locations),
            spans: Vec::with_capacity(locations),
            slots,
            sorted: vec![0; locations * slots],
            next: 0,
            end: 0,
            scratch: vec![0; locations * slots],
            faults: VecDeque::new(),
            has_begun: false,
            _lease: lease,
        }
    }

    /// Sorts the records that these readers have not delivered.
    pub(super) fn of(mut readers: Vec<LocationReader<F>>, lease: Lease) -> Result<Self> {
        readers.sort_by_key(LocationReader::location);
        let mut all = InOrder::new(readers.len(), lease);
        for mut reader in readers {
            reader.find_again(1)?;
            all.add(reader);
        }
        Ok(all)
    }

    /// Adds a location. Its id must be larger than those of the locations before.
    pub(super) fn add(&mut self, reader: LocationReader<F>) {
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
        if let Some(entry) = self.entry(self.next)
            && let Some((reader, index, slot)) = slot_of(&self.readers, entry)
            && slot.kind == SlotKind::Short
        {
            self.next += 1;
            return Ok(Some((reader.location(), reader.batch().short::<F>(index, slot))));
        }
        self.next_of_any()
    }

    /// Returns whether there is a next record, or an error before it.
    pub fn has_next(&mut self) -> bool {
        if self.entry(self.next).is_some() {
            return true;
        }
        match self.gather() {
            Ok(found) => found,
            Err(fault) => {
                self.faults.push_front(fault);
                true
            }
        }
    }

    /// Returns the number of the next record of a location, or of its last one if none is left;
    /// `None` if there is no such location, or before an error.
    pub fn next_number(&mut self, location: u64) -> Option<u64> {
        let at = self.readers.binary_search_by_key(&location, LocationReader::location).ok()?;
        let sorted = self.sorted.get(self.next..self.end).unwrap_or_default();
        if let Some(&entry) = sorted.iter().find(|&&entry| entry as u32 as usize >> SLOT_BITS == at) {
            let (reader, index, slot) = slot_of(&self.readers, entry)?;
            return Some(reader.batch().place(index, slot).number);
        }
        let reader = &mut self.readers[at];
        if let Some(faulty) = reader.faulty() {
            return Some(faulty);
        }
        if reader.batch().left() == 0 && !reader.batch().is_last {
            reader.find(self.slots);
        }
        match reader.batch().peek() {
            Some(slot) if slot.kind == SlotKind::Fault => None,
            Some(slot) => Some(reader.batch().place(reader.batch().next(), slot).number),
            None => Some(reader.chunk().last_event),
        }
    }

    #[inline(always)]
    fn entry(&self, index: usize) -> Option<u64> {
        self.sorted.get(index).copied().filter(|_| index < self.end)
    }

    /// Returns the next record, of any kind.
    #[inline(never)]
    fn next_of_any(&mut self) -> Result<Option<(u64, TimedRecord<'_, F::Record<'_>>)>> {
        let Some(entry) = self.next_entry()? else { return Ok(None) };
        let Some((reader, index, slot)) = slot_of(&self.readers, entry) else { return Ok(None) };
        let mut timed = TimedRecord::of(F::Record::blank());
        reader.decode(index, slot, &mut timed)?;
        Ok(Some((reader.location(), timed)))
    }

    /// Takes the next entry whose record can be delivered.
    #[inline]
    fn next_entry(&mut self) -> Result<Option<u64>> {
        loop {
            let Some(entry) = self.entry(self.next) else {
                if self.gather()? { continue } else { return Ok(None) }
            };
            self.next += 1;
            let index = entry as u32 as usize >> SLOT_BITS;
            match slot_of(&self.readers, entry) {
                Some((_, _, slot)) if slot.kind == SlotKind::Fault => {
                    self.readers[index].batch_mut().take_fault().map_or(Ok(()), Err)?;
                }
                Some(_) => return Ok(Some(entry)),
                None => {}
            }
        }
    }

    /// Calls `visit` with the location and each record up to the end of all files. This is the
    /// fastest way to read. Stops at the first error, including an error of `visit`; after that,
    /// the next call continues with the next record.
    #[inline]
    pub fn each<E: From<Error>>(
        &mut self,
        visit: impl FnMut(u64, &TimedRecord<'_, F::Record<'_>>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.pass_each::<E, false>(&mut OfAll(visit))
    }

    /// Like [`each`](Self::each), but the reader has passed a record before it is received. Even if
    /// the receiver never returns, the next call continues with the next record.
    #[inline]
    pub fn pass_to<E: From<Error>>(&mut self, receiver: &mut impl Receive<F, E>) -> Result<(), E> {
        self.pass_each::<E, true>(receiver)
    }

    #[inline(always)]
    fn pass_each<E: From<Error>, const PASSED: bool>(
        &mut self,
        receiver: &mut impl Receive<F, E>,
    ) -> Result<(), E> {
        loop {
            if let Some(alone) = self.find_alone()
                && let Some(reader) = self.readers.get_mut(alone)
            {
                return reader.pass_each::<E, PASSED>(receiver);
            }
            self.pass_sorted::<E, PASSED>(receiver)?;
            match self.next_entry()? {
                Some(entry) => self.pass_entry(entry, receiver)?,
                None => return Ok(()),
            }
        }
    }

    /// Passes on the record of an entry.
    #[inline(never)]
    fn pass_entry<E: From<Error>>(&self, entry: u64, mut receiver: Receiver<'_, F, E>) -> Result<(), E> {
        let Some((reader, index, slot)) = slot_of(&self.readers, entry) else { return Ok(()) };
        reader.deliver(index, slot, &mut TimedRecord::of(F::Record::blank()), &mut receiver)
    }

    /// Passes on the records that have been sorted, up to a fault.
    #[inline(always)]
    fn pass_sorted<E: From<Error>, const PASSED: bool>(
        &mut self,
        receiver: &mut impl Receive<F, E>,
    ) -> Result<(), E> {
        let InOrder { readers, sorted, next, end, .. } = self;
        let mut other = TimedRecord::of(F::Record::blank());
        let mut passed = *next;
        let mut entries = sorted.get(*next..*end).unwrap_or_default().iter();
        let received = loop {
            let place = entries.next().and_then(|&entry| slot_of(readers, entry));
            let Some((reader, index, slot)) = place.filter(|(_, _, slot)| slot.kind != SlotKind::Fault)
            else {
                break Ok(());
            };
            passed += 1;
            if PASSED {
                *next = passed;
            }
            let received = match slot.kind {
                SlotKind::Short => {
                    receiver.receive(reader.location(), &reader.batch().short::<F>(index, slot))
                }
                _ => reader.deliver(index, slot, &mut other, receiver),
            };
            if received.is_err() {
                break received;
            }
        };
        if !PASSED {
            *next = passed;
        }
        received
    }

    /// Returns the index of the only location with records left, if none of them were found ahead.
    fn find_alone(&self) -> Option<usize> {
        if self.next != self.end || !self.faults.is_empty() {
            return None;
        }
        let mut left = self.readers.iter().enumerate().filter(|(_, reader)| !reader.has_ended());
        let (Some((index, reader)), None) = (left.next(), left.next()) else { return None };
        (reader.batch().left() == 0).then_some(index)
    }

    /// Sorts the records up to the horizon; returns false if no records are left.
    #[inline(never)]
    fn gather(&mut self) -> Result<bool> {
        self.find();
        if !std::mem::replace(&mut self.has_begun, true) {
            self.take_first_faults();
        }
        if let Some(fault) = self.faults.pop_front() {
            return Err(fault);
        }
        (self.next, self.end) = (0, 0);
        let begin = self.spans.iter().map(|span| span.next).min().unwrap_or(u64::MAX);
        let horizon = self.horizon(begin);
        let mut locations = 0;
        for index in 0..self.readers.len() {
            if self.spans[index].next <= horizon.0 {
                locations += usize::from(self.take(index, begin, horizon));
            }
        }
        if locations > 1 {
            sort(&mut self.sorted, &mut self.scratch, self.end);
        }
        Ok(self.end > 0)
    }

    /// Lets the locations of which at most half a batch is left find more.
    fn find(&mut self) {
        let count = self.slots;
        for (reader, span) in self.readers.iter_mut().zip(&mut self.spans) {
            if reader.batch().left() <= count / 2 && !reader.batch().is_last {
                reader.find(count);
            }
            span.next = reader.batch().peek().map_or(u64::MAX, |slot| slot.time.max(span.latest));
            span.end = reader.batch().slots().last().map_or(0, |slot| slot.time).max(span.next);
        }
    }

    /// Reports the errors of locations without a single valid record before the records of all
    /// others.
    fn take_first_faults(&mut self) {
        for reader in &mut self.readers {
            if reader.batch().peek().is_some_and(|slot| slot.kind == SlotKind::Fault) {
                self.faults.extend(reader.batch_mut().take_fault());
                reader.batch_mut().end();
            }
        }
    }

    /// Returns the limit up to which no record is missing in the batches. It is at most `u32::MAX`
    /// ticks after `begin`, because entries store times in 32 bits.
    fn horizon(&self, begin: u64) -> Horizon {
        let ends = self.readers.iter().zip(&self.spans).enumerate();
        let ends = ends.filter(|(_, (reader, _))| !reader.batch().is_last && !reader.has_ended());
        let end = ends.map(|(index, (_, span))| (span.end, index)).min().unwrap_or((u64::MAX, usize::MAX));
        end.min((begin.saturating_add(u32::MAX.into()), usize::MAX))
    }

    /// Takes the slots of a location up to the horizon; returns whether there are any.
    fn take(&mut self, index: usize, begin: u64, horizon: Horizon) -> bool {
        // A location after the last one of the horizon may contribute only records before its time.
        let Some(limit) = horizon.0.checked_sub(u64::from(index > horizon.1)) else { return false };
        let (batch, span) = (self.readers[index].batch_mut(), &mut self.spans[index]);
        let first = (index << SLOT_BITS | batch.next()) as u64;
        let left = batch.slots().get(batch.next()..).unwrap_or_default();
        let entries = self.sorted.get_mut(self.end..).unwrap_or_default();
        let (mut latest, mut taken) = (span.latest, 0);
        for (entry, (slot, place)) in entries.iter_mut().zip(left.iter().zip(first..)) {
            let time = slot.time.max(latest);
            if time > limit {
                break;
            }
            *entry = (time - begin) << 32 | place;
            (latest, taken) = (time, taken + 1);
        }
        span.latest = latest;
        batch.pass(taken);
        self.end += taken;
        taken > 0
    }
}

/// A slot, with its reader and its index.
type SlotOf<'r, F> = (&'r LocationReader<F>, usize, &'r BatchSlot);

/// Returns the slot of an entry, unless a record of its location was invalid.
#[inline(always)]
fn slot_of<F: Family>(readers: &[LocationReader<F>], entry: u64) -> Option<SlotOf<'_, F>> {
    let place = entry as u32 as usize;
    let (reader, index) = (readers.get(place >> SLOT_BITS)?, place & ((1 << SLOT_BITS) - 1));
    Some((reader, index, reader.batch().slot(index)?))
}

impl<F> fmt::Debug for InOrder<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InOrder").field("readers", &self.readers).finish_non_exhaustive()
    }
}
