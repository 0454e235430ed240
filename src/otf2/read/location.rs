//! Readers of the events or snapshots of one location: a window moves along the file.
//!
//! Invariant: every record before a fault of the file is delivered, then one error, then nothing
//! more.

use super::block::{Block, Kind, Slot};
use super::events::{TimedFrame, TimedFramer, TimedRecord};
pub use super::family::{Events, Family, Snapshots};
pub(super) use super::globals::Globals;
use super::seek;
use super::selection::Selection;
use super::stream::Stop;
use super::window::Window;
use crate::archive::FileName;
use crate::byte_order::{BigEndian, ByteOrder, LittleEndian};
use crate::error::{Error, Result};
use crate::records::Decode;
use crate::records::attributes::Attributes;
use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;

/// A visitor that is called through a pointer, for rare cases, to keep loops short.
type Visit<'v, F, E> = &'v mut dyn FnMut(&TimedRecord<'_, <F as Family>::Record<'_>>) -> Result<(), E>;

/// A record that was reached, with corrected times.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Reached {
    pub(super) frame: TimedFrame,
    /// The second time of the record, if it has one.
    second_time: Option<u64>,
}

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
    pub(super) window: Window,
    pub(super) framer: TimedFramer,
    pub(super) chunk_size: u64,
    pub(super) globals: Globals,
    is_mapped: bool,
    /// Whether ids and times stay unchanged.
    is_raw: bool,
    selection: Selection,
    is_selected: bool,
    /// The record that was reached last, if `has_reached`.
    reached: Reached,
    has_reached: bool,
    /// Whether that record was reached by seeking and has not been delivered.
    is_ahead: bool,
    done: Cell<bool>,
    /// The bytes from the next record up to this offset are in the window and in one chunk, and
    /// records may be read from them without further checks. 0 if that is not known.
    ready: Cell<u64>,
    family: PhantomData<fn() -> F>,
}

impl From<TimedFrame> for Reached {
    fn from(frame: TimedFrame) -> Self {
        Reached { frame, second_time: None }
    }
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
            window,
            framer: TimedFramer::new(chunk_size).map_err(|error| error.in_file(file))?,
            chunk_size,
            is_mapped: !globals.mappings.is_empty(),
            is_raw: globals.is_empty(),
            globals,
            selection: Selection::default(),
            is_selected: false,
            reached: Reached::default(),
            has_reached: false,
            is_ahead: false,
            done: Cell::new(false),
            ready: Cell::new(0),
            family: PhantomData,
        };
        reader.begin().map_err(|error| error.in_file(file))?;
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
        self.framer.framer().position()
    }

    /// Returns the chunk of the last record.
    pub fn chunk(&self) -> super::Chunk {
        self.framer.framer().chunk()
    }

    /// Returns the next record; `None` at the end of the file and after an error.
    #[allow(clippy::should_implement_trait)]
    #[inline(always)]
    pub fn next(&mut self) -> Result<Option<TimedRecord<'_, F::Record<'_>>>> {
        match self.next_short() {
            Some(short) => Ok(Some(short.usual::<F>())),
            None => self.next_of_any(),
        }
    }

    /// Returns the next record if it is a short integer and known to be in the window.
    #[inline(always)]
    pub(super) fn next_short<'a>(&mut self) -> Option<TimedRecord<'a, (u8, u32)>> {
        let (offset, end) = (self.position(), self.ready.get());
        let mut run = self.framer.run_of::<LittleEndian>(self.window.bytes(offset, end)?, end);
        let short = run.take_short::<F>()?;
        self.framer.pass(&run);
        let (integer, time) = match self.is_raw {
            true => (short.integer, run.time),
            false => self.globals.of_usual::<F>(short.integer, run.time),
        };
        Some(TimedRecord { offset, number: run.number, time, ..TimedRecord::of((short.id, integer)) })
    }

    /// Returns the next record, of any kind.
    #[inline(never)]
    pub(super) fn next_of_any(&mut self) -> Result<Option<TimedRecord<'_, F::Record<'_>>>> {
        match self.take_sized() {
            Some(frame) => {
                self.hand_over(&frame, |record| Ok(Some(record)), || self.record_of(&frame).map(Some))
            }
            None => self.next_plainly(),
        }
    }

    /// Takes the next record if it has a length and is known to be in the window.
    #[inline(always)]
    fn take_sized(&mut self) -> Option<TimedFrame> {
        let (offset, end) = (self.position(), self.ready.get());
        let mut run = self.framer.run_of::<LittleEndian>(self.window.bytes(offset, end)?, end);
        let sized = run.peek_sized::<F>()?;
        run.take_sized(sized);
        self.framer.pass(&run);
        let time = self.globals.clock.correct(run.time);
        Some(TimedFrame::new(offset, run.number, time, sized.frame(offset)))
    }

    /// Decodes the record of a frame without attributes on the fast path and passes it to `found`.
    /// Calls `otherwise` if the fast path cannot decode it.
    #[inline(always)]
    pub(super) fn hand_over<'a, T>(
        &'a self,
        frame: &TimedFrame,
        found: impl FnOnce(TimedRecord<'a, F::Record<'a>>) -> T,
        otherwise: impl FnOnce() -> T,
    ) -> T {
        let Some(bytes) = self.window.view().ample(frame.frame).filter(|_| !self.is_big_endian()) else {
            return otherwise();
        };
        let TimedFrame { offset, number, time, .. } = *frame;
        let found = |record| found(TimedRecord { offset, number, time, ..TimedRecord::of(record) });
        let mappings = self.is_mapped.then_some(&self.globals.mappings);
        F::Record::take_then::<LittleEndian, T>(frame.frame.id, bytes, mappings, found, otherwise)
    }

    /// Returns the next record if nothing is known to be in the window.
    #[inline(never)]
    fn next_plainly(&mut self) -> Result<Option<TimedRecord<'_, F::Record<'_>>>> {
        self.ready.set(0);
        if self.is_free()
            && let Some(mut frame) = self.framer.usual::<F>(self.window.view())
        {
            self.get_ready();
            frame.time = self.globals.clock.correct(frame.time);
            return self.record_of(&frame).map(Some);
        }
        if self.advance()?.is_none() {
            return Ok(None);
        }
        self.get_ready();
        self.record(&self.reached).map(Some)
    }

    /// Lets [`next`](Self::next) take the short records that follow in the window without further
    /// checks.
    fn get_ready(&self) {
        if self.is_free() && !self.is_big_endian() {
            self.ready.set(self.framer.end_of_run(self.window.view()));
        }
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
        mut visit: impl FnMut(&TimedRecord<'_, F::Record<'_>>) -> Result<(), E>,
    ) -> Result<(), E> {
        loop {
            if self.is_free() && !self.is_big_endian() {
                self.each_usual::<LittleEndian, E>(&mut visit)?;
            }
            // Rare cases call the visitor through a pointer, so that it is inlined into few loops.
            let mut visit: Visit<'_, F, E> = &mut visit;
            if self.is_free() && self.is_big_endian() {
                self.each_usual::<BigEndian, E>(&mut visit)?;
            }
            match self.next_of_any()? {
                Some(record) => visit(&record)?,
                None => return Ok(()),
            }
        }
    }

    /// Visits the usual records that follow in the window.
    #[inline(always)]
    fn each_usual<O: ByteOrder, E>(
        &mut self,
        visit: &mut impl FnMut(&TimedRecord<'_, F::Record<'_>>) -> Result<(), E>,
    ) -> Result<(), E> {
        let Globals { mappings, clock, .. } = &mut self.globals;
        let (mappings, ids, is_raw) = (&*mappings, mappings.lookup(F::USUAL), self.is_raw);
        let mut run = self.framer.run::<O>(self.window.view());
        // The parts that do not vary are written once; records other than short integers are
        // decoded in place.
        let (mut short_one, mut sized_one) = (TimedRecord::of(F::blank()), TimedRecord::of(F::blank()));
        let mut visit_all = || loop {
            match is_raw {
                true => {
                    run.each_short::<F, E>(&mut short_one, |integer, time| (integer, time), &mut *visit)?
                }
                false => {
                    let global =
                        |integer: u32, time| (ids.global(integer.into()) as u32, clock.correct(time));
                    run.each_short::<F, E>(&mut short_one, global, &mut *visit)?;
                }
            }
            let offset = run.position();
            let Some(sized) = run.peek_sized::<F>() else { return Ok(()) };
            if !run.refill(sized, &mut sized_one.record) {
                return Ok(());
            }
            run.take_sized(sized);
            (sized_one.offset, sized_one.number, sized_one.time) = (offset, run.number, run.time);
            if !is_raw {
                sized_one.record.map(mappings);
                sized_one.time = clock.correct(run.time);
            }
            visit(&sized_one)?;
        };
        let visited = visit_all();
        self.framer.pass(&run);
        visited
    }

    /// Returns whether the next record to deliver is the next one in the file, of any kind.
    #[inline(always)]
    fn is_free(&self) -> bool {
        !(self.is_selected || self.is_ahead || self.done.get())
    }

    /// Selects the records to deliver from now on, and goes to the first of them.
    pub fn select(&mut self, selection: Selection) -> Result<()> {
        let start = *selection.time.start();
        (self.selection, self.is_selected) = (selection, true);
        self.ready.set(0);
        let is_fresh = self.framer.number() == 0 && !self.done.get();
        if start == 0 && is_fresh { Ok(()) } else { self.seek_time(start) }
    }

    /// Goes to the record of this number, counted from 1 in the file; [`next`](Self::next) delivers
    /// it. Fails if there is no such record.
    pub fn seek(&mut self, number: u64) -> Result<()> {
        seek::to_number(self, number).map_err(|error| error.in_file(self.file))
    }

    /// Goes to the first record at or after a time, in ticks, corrected if the reader corrects
    /// times.
    pub fn seek_time(&mut self, time: u64) -> Result<()> {
        seek::to_time(self, time).map_err(|error| error.in_file(self.file))
    }

    /// Continues with the chunk of this number, counted from 0. Its first record has the number
    /// `first_record`.
    pub(super) fn go_to_chunk(&mut self, chunk: u64, first_record: u64) {
        self.framer.go_to_chunk(chunk, first_record);
        self.window.go_to(self.framer.keep());
        self.globals.clock.reset();
        self.ready.set(0);
        (self.has_reached, self.is_ahead) = (false, false);
        self.done.set(false);
    }

    /// Lets the current record be delivered next.
    pub(super) fn stay(&mut self) {
        self.is_ahead = self.has_reached;
    }

    /// Returns the number and the time of the record that was reached last.
    pub(super) fn reached(&self) -> Option<(u64, u64)> {
        self.has_reached.then_some((self.reached.frame.number, self.reached.frame.time))
    }

    /// Goes to the next selected record and returns its time.
    #[inline(always)]
    pub(super) fn advance(&mut self) -> Result<Option<u64>> {
        loop {
            if !std::mem::take(&mut self.is_ahead) {
                self.step()?;
            }
            let time = self.reached.frame.time;
            if !self.has_reached {
                return Ok(None);
            }
            if !self.is_selected || self.wants(time) {
                return Ok(Some(time));
            }
        }
    }

    /// Returns whether the record that was reached is selected. After the end of the span of time,
    /// reading ends.
    fn wants(&mut self, time: u64) -> bool {
        if time > *self.selection.time.end() {
            self.has_reached = false;
            self.done.set(true);
            return false;
        }
        time >= *self.selection.time.start() && self.selection.kinds.contains(self.reached.frame.frame.id)
    }

    /// Goes to the next record.
    #[inline(always)]
    pub(super) fn step(&mut self) -> Result<()> {
        self.has_reached = false;
        if self.done.get() {
            return Ok(());
        }
        if let Some(frame) = self.framer.usual::<F>(self.window.view()) {
            self.reach(frame);
            return Ok(());
        }
        match self.frame() {
            Ok(Some(frame)) => self.reach(frame),
            Ok(None) => self.done.set(true),
            Err(error) => return Err(self.fault(error)),
        }
        Ok(())
    }

    fn frame(&mut self) -> Result<Option<TimedFrame>> {
        loop {
            match self.framer.next::<F::Record<'_>>(self.window.view()) {
                Ok(frame) => return Ok(frame),
                Err(Stop::Bad(error)) => return Err(error),
                Err(Stop::More) => self.window.advance(self.framer.keep())?,
            }
        }
    }

    fn reach(&mut self, frame: TimedFrame) {
        self.reached = self.corrected(frame);
        self.has_reached = true;
    }

    /// Corrects times in the order of the file: the second time of a record advances the clock for
    /// the records that follow.
    fn corrected(&mut self, mut frame: TimedFrame) -> Reached {
        frame.time = self.globals.clock.correct(frame.time);
        let mut second_time = None;
        if F::WITH_TIME == Some(frame.frame.id) {
            let (view, big) = (self.window.view(), self.is_big_endian());
            second_time = view.take(frame.frame, big, None, |cursor| cursor.u64()).ok();
            second_time = second_time.map(|time| self.globals.clock.correct(time));
        }
        Reached { frame, second_time }
    }

    /// Fills the slots of a block with the records that follow, and moves the window on as far as
    /// the block allows. Fills all slots if more than one window of records is left, and at least
    /// one unless the file ends.
    pub(super) fn fill(&mut self, block: &mut Block, slots: &mut [Slot]) {
        block.is_last |= self.done.get();
        while !block.is_last && block.filled < slots.len() {
            match self.is_big_endian() {
                false => self.fill_usual::<LittleEndian>(block, slots),
                true => self.fill_usual::<BigEndian>(block, slots),
            }
            if block.filled == slots.len() {
                break;
            }
            match self.framer.next::<F::Record<'_>>(self.window.view()) {
                Ok(Some(frame)) => {
                    let reached = self.corrected(frame);
                    if let Err(error) = block.add(slots, reached) {
                        block.end(slots, self.fault(error));
                    }
                }
                Ok(None) => block.is_last = true,
                Err(Stop::Bad(error)) => block.end(slots, self.fault(error)),
                Err(Stop::More) => match self.make_room(block) {
                    Ok(true) => {}
                    Ok(false) => break,
                    Err(error) => block.end(slots, self.fault(error)),
                },
            }
        }
    }

    /// Fills slots with the usual records that follow, as far as slots can represent their
    /// positions.
    fn fill_usual<O: ByteOrder>(&mut self, block: &mut Block, slots: &mut [Slot]) {
        let Globals { mappings, clock, .. } = &mut self.globals;
        let mut run = self.framer.run::<O>(self.window.view());
        if block.filled == 0 {
            block.begin(run.position(), run.number.saturating_add(1));
        }
        let (ids, base, mut filled) = (mappings.lookup(F::USUAL), block.base, block.filled);
        if run.end() - base > u32::MAX.into() {
            return;
        }
        loop {
            let free = slots.get_mut(filled..).unwrap_or_default();
            filled += match self.is_raw {
                true => run.fill_short::<F>(free, base, |integer, time| (integer, time)),
                false => {
                    let global =
                        |integer: u32, time| (ids.global(integer.into()) as u32, clock.correct(time));
                    run.fill_short::<F>(free, base, global)
                }
            };
            let at = (run.position() - base) as u32;
            let (Some(slot), Some(sized)) = (slots.get_mut(filled), run.peek_sized::<F>()) else { break };
            run.take_sized(sized);
            let (time, data, end) = (clock.correct(run.time), sized.data as u16, sized.end as u16);
            *slot = Slot { time, at, value: 0, data, end, id: sized.id, kind: Kind::Data };
            filled += 1;
        }
        block.filled = filled;
        self.framer.pass(&run);
    }

    /// Moves the window on; returns false if too much of it is still in use.
    fn make_room(&mut self, block: &Block) -> Result<bool> {
        let keep = self.framer.keep();
        if block.filled == 0 {
            self.window.advance(keep)?;
            return Ok(true);
        }
        let keep = keep.min(block.base);
        let is_worth_it = self.window.is_mostly_before(keep);
        if is_worth_it {
            self.window.advance(keep)?;
        }
        Ok(is_worth_it)
    }

    /// Decodes the record of a slot in place of another record.
    #[inline(never)]
    pub(super) fn refill<'a>(
        &'a self,
        timed: &mut TimedRecord<'a, F::Record<'a>>,
        block: &Block,
        index: usize,
        slot: &Slot,
    ) -> Result<()> {
        let frame = block.frame(index, slot);
        let view = self.window.view();
        if slot.kind == Kind::Data && view.refill(frame.frame, self.is_big_endian(), &mut timed.record) {
            if self.is_mapped {
                timed.record.map(&self.globals.mappings);
            }
            (timed.offset, timed.number, timed.time) = (frame.offset, frame.number, frame.time);
            timed.attributes = Attributes::new(&[], false);
            return Ok(());
        }
        let record = match block.reached(slot) {
            Some(reached) => self.record(reached),
            None => self.record_of(&frame),
        };
        *timed = record.inspect_err(|_| block.is_bad.set(true))?;
        Ok(())
    }

    /// Decodes a record that was reached and is in the window.
    fn record(&self, reached: &Reached) -> Result<TimedRecord<'_, F::Record<'_>>> {
        let mut timed = self.record_of(&reached.frame)?;
        if let Some(time) = reached.second_time {
            F::set_time(&mut timed.record, time);
        }
        Ok(timed)
    }

    /// Decodes the record of a frame, without setting a second time.
    #[inline(always)]
    fn record_of(&self, frame: &TimedFrame) -> Result<TimedRecord<'_, F::Record<'_>>> {
        let (view, big) = (self.window.view(), self.is_big_endian());
        match frame.refilled(view, big, F::blank()).map_or_else(|| frame.record(view, big), Ok) {
            Ok(timed) if self.is_mapped => Ok(self.global(timed)),
            Ok(timed) => Ok(timed),
            Err(error) => Err(self.fault(error)),
        }
    }

    /// Maps the ids of a record to global ids.
    fn global<'a>(&'a self, mut timed: TimedRecord<'a, F::Record<'a>>) -> TimedRecord<'a, F::Record<'a>> {
        timed.record.map(&self.globals.mappings);
        TimedRecord { attributes: timed.attributes.mapped(&self.globals.mappings), ..timed }
    }

    /// Ends reading with an error.
    #[cold]
    fn fault(&self, error: Error) -> Error {
        self.done.set(true);
        self.ready.set(0);
        self.framer.framer().explain(error, true).in_file(self.file)
    }
}

impl<F> fmt::Debug for LocationReader<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LocationReader").field("file", &self.file).finish_non_exhaustive()
    }
}
