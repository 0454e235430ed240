//! Readers of the events or snapshots of one location: a window moves along the file.
//!
//! `LocationReader::each` passes records from the scanner to the visitor. All other ways to read go
//! through a batch: `find` fills it, by the scanner as far as that goes and by the plain path for
//! the records in between, and `decode` decodes its slots.
//!
//! Invariant: every record before a fault of the file is delivered, then one error, then nothing
//! more.

mod decode;
mod find;

use super::batch::{Batch, BatchSlot, SlotKind};
use super::clock::Clock;
use super::events::{TimedFramer, TimedRecord};
use super::family::Family;
use super::globals::Globals;
use super::place::RecordPlace;
use super::seek::{Chunks, Start};
use super::selection::Selection;
use super::stream::{Chunk, Stop};
use super::visit::{OfLocation, Receive, Receiver, Visitor};
use super::window::Window;
use crate::archive::FileName;
use crate::byte_order::{BigEndian, ByteOrder, LittleEndian};
use crate::error::{Error, Result, Usage};
use crate::records::RecordEnum;
use crate::records::mappings::Mappings;
use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;

/// The number of records that are found ahead if they are delivered one by one.
const AHEAD: usize = 512;

/// Reads the records of one location, in the order of its file.
///
/// A record borrows from the reader, so the reader is not an iterator:
///
/// ```
/// # fn main() -> kymo_otf2::Result<()> {
/// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/every-record/traces.otf2");
/// # let archive = kymo_otf2::read::Archive::open(path)?;
/// use kymo_otf2::events::Event;
///
/// let mut events = archive.events(0)?;
/// let (mut depth, mut deepest) = (0, 0);
/// while let Some(event) = events.next()? {
///     match event.record {
///         Event::Enter(_) => depth += 1,
///         Event::Leave(_) => depth -= 1,
///         _ => {}
///     }
///     deepest = deepest.max(depth);
///     for entry in event.attributes {
///         println!("{}: attribute {} is {:?}", event.time, entry.attribute.0, entry.value);
///     }
/// }
/// assert_eq!(deepest, 1);
///
/// // Once more from the tenth event on.
/// events.seek(10)?;
/// assert_eq!(events.next()?.map(|event| event.number), Some(10));
/// # Ok(())
/// # }
/// ```
pub struct LocationReader<F> {
    location: u64,
    file: FileName,
    window: Window,
    framer: TimedFramer,
    chunk_size: u64,
    globals: Globals,
    is_mapped: bool,
    /// Whether the file is little endian, and its ids and times stay unchanged.
    is_raw: bool,
    selection: Option<Selection>,
    batch: Batch,
    end: Cell<End>,
    family: PhantomData<fn() -> F>,
}

/// How far finding records has come.
#[derive(Debug, Clone, Copy, Default)]
enum End {
    /// More records may follow.
    #[default]
    Open,
    /// The end of the file or a fault of it was found.
    Found,
    /// The fields of the record of this number are bad. Nothing more is delivered.
    BadFields(u64),
}

impl<F: Family> LocationReader<F> {
    pub(super) fn new(
        location: u64,
        file: FileName,
        window: Window,
        chunk_size: u64,
        globals: Globals,
    ) -> Result<Self> {
        let mut reader = LocationReader {
            location,
            file,
            batch: Batch::new(window.another_lease()),
            window,
            framer: TimedFramer::new(chunk_size).map_err(|error| error.in_file(file))?,
            chunk_size,
            is_mapped: !globals.mappings.is_empty(),
            is_raw: globals.is_empty(),
            globals,
            selection: None,
            end: Cell::default(),
            family: PhantomData,
        };
        reader.begin().map_err(|error| error.in_file(file))?;
        reader.is_raw &= !reader.is_big_endian();
        Ok(reader)
    }

    /// Reads the header of the first chunk.
    fn begin(&mut self) -> Result<()> {
        loop {
            match self.framer.begin(self.window.view()) {
                Ok(()) => return Ok(()),
                Err(Stop::Bad(error)) => return Err(error),
                Err(Stop::More) => self.window.advance(self.framer.keep())?,
            }
        }
    }

    /// Returns the id of the location.
    pub fn location(&self) -> u64 {
        self.location
    }

    /// Returns whether the file is big endian.
    pub fn is_big_endian(&self) -> bool {
        self.framer.framer().is_big()
    }

    /// Returns the offset of the end of the last record; at the end of the file, the offset of its
    /// end mark.
    pub fn position(&self) -> u64 {
        match self.batch.peek() {
            // The slots of a batch are in one chunk, so they follow each other without a gap.
            Some(slot) if slot.kind != SlotKind::Fault => self.batch.place(self.batch.next(), slot).offset,
            _ => self.framer.position(),
        }
    }

    /// Returns the number of the record with the bad fields that ended reading, if one did.
    pub fn faulty(&self) -> Option<u64> {
        match self.end.get() {
            End::BadFields(number) => Some(number),
            End::Open | End::Found => None,
        }
    }

    /// Returns the chunk of the last record.
    pub fn chunk(&self) -> Chunk {
        self.framer.framer().chunk()
    }

    /// Returns the next record; `None` at the end of the file and after an error.
    #[allow(clippy::should_implement_trait)]
    #[inline(always)]
    pub fn next(&mut self) -> Result<Option<TimedRecord<'_, F::Record<'_>>>> {
        if let Some((index, slot)) = self.batch.take(|kind| kind == SlotKind::Short) {
            return Ok(Some(self.batch.short::<F>(index, slot)));
        }
        match self.batch.take(|kind| kind <= SlotKind::Rare) {
            Some((index, slot)) => self.record(index, slot),
            None => self.next_found(AHEAD),
        }
    }

    /// Returns the next record, of any kind. If none has been found, finds up to `count` records.
    #[inline(never)]
    pub(super) fn next_found(&mut self, count: usize) -> Result<Option<TimedRecord<'_, F::Record<'_>>>> {
        match self.reach(count)?.then(|| self.batch.take(|kind| kind <= SlotKind::Rare)).flatten() {
            Some((index, slot)) => self.record(index, slot),
            None => Ok(None),
        }
    }

    /// Returns the record of a slot.
    #[inline(always)]
    fn record(&self, index: usize, slot: &BatchSlot) -> Result<Option<TimedRecord<'_, F::Record<'_>>>> {
        let mut timed = TimedRecord::of(F::Record::blank());
        self.decode(index, slot, &mut timed)?;
        Ok(Some(timed))
    }

    /// Goes to the next slot with a record, and finds up to `count` records if there is none.
    /// Returns false after the last one.
    fn reach(&mut self, count: usize) -> Result<bool> {
        while !self.batch.is_bad() {
            if self.batch.left() == 0 && !self.batch.is_last {
                self.find(count);
            }
            match self.batch.peek().map(|slot| slot.kind) {
                None => return Ok(false),
                Some(SlotKind::Fault) => {
                    let fault = self.batch.take_fault();
                    self.batch.end();
                    return fault.map_or(Ok(false), Err);
                }
                Some(SlotKind::Skipped) => self.batch.pass(1),
                Some(_) => return Ok(true),
            }
        }
        Ok(false)
    }

    /// Calls `visit` with each record up to the end of the file. This is the fastest way to read.
    /// Stops at the first error; after an error of `visit`, the next call continues with the next
    /// record.
    ///
    /// ```
    /// # fn main() -> kymo_otf2::Result<()> {
    /// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/every-record/traces.otf2");
    /// # let archive = kymo_otf2::read::Archive::open(path)?;
    /// use kymo_otf2::events::Event;
    ///
    /// let mut enters = 0;
    /// archive.events(0)?.each(|event| {
    ///     enters += u32::from(matches!(event.record, Event::Enter(_)));
    ///     Ok::<_, kymo_otf2::Error>(())
    /// })?;
    /// assert_eq!(enters, 1);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn each<E: From<Error>>(
        &mut self,
        visit: impl FnMut(&TimedRecord<'_, F::Record<'_>>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.pass_each::<E, false>(&mut OfLocation(visit))
    }

    /// Like [`each`](Self::each), but the reader has passed a record before it is received. Even if
    /// the receiver never returns, the next call continues with the next record.
    ///
    /// ```
    /// # fn main() -> kymo_otf2::Result<()> {
    /// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/every-record/traces.otf2");
    /// # let archive = kymo_otf2::read::Archive::open(path)?;
    /// use kymo_otf2::events::Event;
    /// use kymo_otf2::read::{Events, Receive, TimedRecord};
    /// use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
    ///
    /// struct Unwind;
    ///
    /// impl Receive<Events, kymo_otf2::Error> for Unwind {
    ///     fn receive(&mut self, _: u64, event: &TimedRecord<'_, Event<'_>>) -> kymo_otf2::Result<()> {
    ///         resume_unwind(Box::new(event.number))
    ///     }
    /// }
    ///
    /// let mut events = archive.events(0)?;
    /// assert!(catch_unwind(AssertUnwindSafe(|| events.pass_to(&mut Unwind))).is_err());
    /// assert_eq!(events.next()?.map(|event| event.number), Some(2));
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn pass_to<E: From<Error>>(&mut self, receiver: &mut impl Receive<F, E>) -> Result<(), E> {
        self.pass_each::<E, true>(receiver)
    }

    #[inline(always)]
    pub(super) fn pass_each<E: From<Error>, const PASSED: bool>(
        &mut self,
        receiver: &mut impl Receive<F, E>,
    ) -> Result<(), E> {
        loop {
            let is_free = self.is_free();
            if is_free && !self.is_big_endian() {
                self.scan::<LittleEndian, E, PASSED>(receiver)?;
            }
            // Rare cases call the receiver through a pointer, so that it is inlined into few loops.
            let mut receiver: Receiver<'_, F, E> = &mut *receiver;
            if is_free && self.is_big_endian() {
                self.scan::<BigEndian, E, PASSED>(&mut receiver)?;
            }
            if !self.pass_found(if is_free { 1 } else { AHEAD }, receiver)? {
                return Ok(());
            }
        }
    }

    /// Passes on the next record, of any kind. If none has been found, finds up to `count` records.
    /// Returns false after the last one.
    #[inline(never)]
    fn pass_found<E: From<Error>>(
        &mut self,
        count: usize,
        mut receiver: Receiver<'_, F, E>,
    ) -> Result<bool, E> {
        match self.reach(count)?.then(|| self.batch.take(|kind| kind <= SlotKind::Rare)).flatten() {
            Some((index, slot)) => {
                let mut other = TimedRecord::of(F::Record::blank());
                self.deliver(index, slot, &mut other, &mut receiver).map(|()| true)
            }
            None => Ok(false),
        }
    }

    /// Returns whether the next record to deliver is the next one in the file, of any kind.
    fn is_free(&self) -> bool {
        self.batch.left() == 0 && self.selection.is_none() && !self.has_found_end() && !self.batch.is_bad()
    }

    /// Visits the records that the scanner finds in the window.
    #[inline(always)]
    fn scan<O: ByteOrder, E, const PASSED: bool>(
        &mut self,
        receiver: &mut impl Receive<F, E>,
    ) -> Result<(), E> {
        let LocationReader { location, globals: Globals { mappings, clock, .. }, framer, .. } = self;
        let mut scanner = framer.scanner::<O>(self.window.view());
        let mut other = TimedRecord::of(F::Record::blank());
        let other = &mut other;
        let scanned = match self.is_raw {
            true => {
                let mut sink = Visitor::<F, O, _, E, true, PASSED>::new(
                    *location, mappings, clock, framer, other, receiver,
                );
                scanner.scan::<F, _>(&mut sink)
            }
            false => {
                let mut sink = Visitor::<F, O, _, E, false, PASSED>::new(
                    *location, mappings, clock, framer, other, receiver,
                );
                scanner.scan::<F, _>(&mut sink)
            }
        };
        if !PASSED {
            self.framer.pass_scanned(&scanner);
        }
        scanned
    }

    /// Selects the records to deliver from now on, and goes to the first of them.
    pub fn select(&mut self, selection: Selection) -> Result<()> {
        let start = *selection.time.start();
        self.selection = Some(selection);
        let is_fresh = self.framer.number() == 0 && !self.has_found_end();
        if start == 0 && is_fresh { Ok(()) } else { self.seek_time(start) }
    }

    /// Goes to the record of this number, counted from 1 in the file; [`next`](Self::next) delivers
    /// it. Fails if there is no such record.
    pub fn seek(&mut self, number: u64) -> Result<()> {
        let missing = Usage::Position(number);
        if number == 0 {
            return Err(Error::from(missing).in_file(self.file));
        }
        let start = self.chunks().of_number(number);
        let is_there = self.go_to(start, AHEAD, |found| found.number >= number)?;
        if is_there { Ok(()) } else { Err(Error::from(missing).in_file(self.file)) }
    }

    /// Goes to the first record at or after a time, in ticks, corrected if the reader corrects
    /// times.
    pub fn seek_time(&mut self, time: u64) -> Result<()> {
        let start = self.chunks().of_time(time);
        self.go_to(start, AHEAD, |found| found.time >= time).map(|_| ())
    }

    /// Returns the number of the last chunk that begins at or before a time, counted from 0.
    pub(super) fn chunk_at(&self, time: u64) -> Result<u64> {
        self.chunks().at_time(time).map(|start| start.chunk).map_err(|error| error.in_file(self.file))
    }

    /// Goes to the first record of a chunk.
    pub(super) fn seek_chunk(&mut self, chunk: u64) -> Result<()> {
        let start = self.chunks().start(chunk);
        self.go_to(start, AHEAD, |_| true).map(|_| ())
    }

    /// Returns whether there is a next record, or an error before it.
    pub fn has_next(&mut self) -> bool {
        while !self.batch.is_bad() {
            if self.batch.left() == 0 && !self.batch.is_last {
                self.find(AHEAD);
            }
            match self.batch.peek().map(|slot| slot.kind) {
                None => return false,
                Some(SlotKind::Skipped) => self.batch.pass(1),
                Some(_) => return true,
            }
        }
        false
    }

    /// Converts ids and times of the records that follow by these tables and this clock, instead
    /// of those of the local definitions.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/every-record/traces.otf2");
    /// # let archive = kymo_otf2::read::Archive::open(path)?;
    /// use kymo_otf2::definitions::ClockOffset;
    /// use kymo_otf2::mappings::Mappings;
    /// use kymo_otf2::read::Clock;
    /// use kymo_otf2::value::Timestamp;
    ///
    /// let mut events = archive.events(0)?;
    /// let uncorrected = events.next()?.map(|event| event.time).unwrap_or_default();
    /// let mut later = Clock::default();
    /// for time in [0, u64::MAX] {
    ///     later.add(&ClockOffset { time: Timestamp(time), offset: 100, standard_deviation: 0.0 })?;
    /// }
    /// events.seek(1)?;
    /// events.convert(Mappings::new(), later)?;
    /// assert_eq!(events.next()?.map(|event| event.time), Some(uncorrected + 100));
    /// # Ok(())
    /// # }
    /// ```
    pub fn convert(&mut self, mappings: Mappings, clock: Clock) -> Result<()> {
        self.globals = Globals { mappings, clock, lease: None };
        self.is_mapped = !self.globals.mappings.is_empty();
        self.is_raw = self.globals.is_empty() && !self.is_big_endian();
        self.find_again(AHEAD)
    }

    /// Finds the records anew that were found ahead; `count` of them at most.
    pub(super) fn find_again(&mut self, count: usize) -> Result<()> {
        let next = self.batch.peek().filter(|slot| slot.kind != SlotKind::Fault);
        let Some(offset) = next.map(|slot| self.batch.place(self.batch.next(), slot).offset) else {
            return Ok(());
        };
        let start = self.chunks().of_offset(offset);
        self.go_to(start, count, |found| found.offset >= offset).map(|_| ())
    }

    fn chunks(&self) -> Chunks<'_> {
        Chunks { window: &self.window, size: self.chunk_size, clock: &self.globals.clock }
    }

    /// Goes to the first record from `start` on for which `is_there` returns true. Returns whether
    /// there is one. Finds up to `count` records ahead.
    fn go_to(
        &mut self,
        start: Result<Start>,
        count: usize,
        is_there: impl Fn(&RecordPlace) -> bool,
    ) -> Result<bool> {
        let Start { chunk, first_record } = start.map_err(|error| error.in_file(self.file))?;
        self.framer.go_to_chunk(chunk, first_record);
        self.window.go_to(self.framer.keep());
        self.globals.clock.reset();
        self.batch.clear();
        self.end.set(End::Open);
        let selection = self.selection.take();
        let found = self.pass_until(count, is_there);
        self.selection = selection;
        self.skip_unselected();
        found
    }

    fn pass_until(&mut self, count: usize, is_there: impl Fn(&RecordPlace) -> bool) -> Result<bool> {
        while self.reach(count)? {
            let found = self.batch.peek().map(|slot| self.batch.place(self.batch.next(), slot));
            if found.is_some_and(|found| is_there(&found)) {
                return Ok(true);
            }
            self.batch.pass(1);
        }
        Ok(false)
    }

    /// Returns the records that were found ahead.
    #[inline(always)]
    pub(super) fn batch(&self) -> &Batch {
        &self.batch
    }

    /// Returns the records that were found ahead, to take them.
    pub(super) fn batch_mut(&mut self) -> &mut Batch {
        &mut self.batch
    }

    /// Returns whether no records are left.
    pub(super) fn has_ended(&self) -> bool {
        self.batch.is_bad() || self.batch.is_last && self.batch.left() == 0
    }

    fn has_found_end(&self) -> bool {
        !matches!(self.end.get(), End::Open)
    }

    /// Takes note that nothing more is found.
    fn note_end(&self) {
        if !self.has_found_end() {
            self.end.set(End::Found);
        }
    }

    /// Ends reading with an error.
    #[cold]
    fn fault(&self, error: Error) -> Error {
        self.note_end();
        self.framer.framer().explain(error, true).in_file(self.file)
    }
}

impl<F> fmt::Debug for LocationReader<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LocationReader").field("file", &self.file).finish_non_exhaustive()
    }
}
