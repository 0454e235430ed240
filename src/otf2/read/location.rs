//! Reading the events or snapshots of one location: a window moves along its file.
//!
//! Invariant: every record that lies before a fault of the file is delivered, then one error, then nothing more.

use super::budget::Lease;
use super::clock::Clock;
use super::events::{TimedFrame, TimedFramer, TimedRecord};
use super::seek;
use super::selection::Selection;
use super::stream::Stop;
use super::window::Window;
use crate::archive::FileName;
use crate::error::{Error, Result};
use crate::records::events::{BufferFlush, Enter, Event, Leave};
use crate::records::mappings::Mappings;
use crate::records::references::{RegionRef, Space};
use crate::records::snapshots::Snapshot;
use crate::records::value::Timestamp;
use crate::records::{AnyRecord, Decode, Record};
use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;

/// The records of a kind of file.
pub trait Family: sealed::Sealed {
    /// The record.
    type Record<'a>: Decode<'a> + AnyRecord + fmt::Debug;

    /// Id of the record that has a second time to correct.
    #[doc(hidden)]
    const WITH_TIME: Option<u8>;

    /// Puts in the corrected second time.
    #[doc(hidden)]
    fn set_time(record: &mut Self::Record<'_>, time: u64);

    /// The record of the usual kinds, which consist of one integer, with global ids.
    #[doc(hidden)]
    fn usual<'a>(id: u8, integer: u32, mappings: &Mappings) -> Option<Self::Record<'a>>;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Events {}
    impl Sealed for super::Snapshots {}
}

/// Events; ids and times in them become global ones.
#[derive(Debug)]
pub enum Events {}

/// Snapshots, which are as they were written: their ids are global already, their times are not corrected.
#[derive(Debug)]
pub enum Snapshots {}

impl Family for Events {
    type Record<'a> = Event<'a>;
    const WITH_TIME: Option<u8> = Some(BufferFlush::ID);
    fn set_time(record: &mut Event<'_>, time: u64) {
        if let Event::BufferFlush(flush) = record {
            flush.stop_time = Timestamp(time);
        }
    }
    #[inline(always)]
    fn usual<'a>(id: u8, integer: u32, mappings: &Mappings) -> Option<Event<'a>> {
        let region = || RegionRef(mappings.global(Space::Region, integer.into()) as u32);
        match id {
            Enter::ID => Some(Event::Enter(Enter { region: region() })),
            Leave::ID => Some(Event::Leave(Leave { region: region() })),
            _ => None,
        }
    }
}

impl Family for Snapshots {
    type Record<'a> = Snapshot<'a>;
    const WITH_TIME: Option<u8> = None;
    fn set_time(_: &mut Snapshot<'_>, _: u64) {}
    fn usual<'a>(_: u8, _: u32, _: &Mappings) -> Option<Snapshot<'a>> {
        None
    }
}

/// What turns the records of a location into those of the whole archive.
#[derive(Debug, Default)]
pub(super) struct Globals {
    pub(super) mappings: Mappings,
    pub(super) clock: Clock,
    /// The memory of these.
    pub(super) lease: Option<Lease>,
}

/// Reads the records of one location, in the order of its file.
///
/// A record borrows from the reader, so it is not an iterator:
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
    selection: Selection,
    is_selected: bool,
    /// The record that was reached, with its corrected time, if `has_reached`.
    reached: TimedFrame,
    has_reached: bool,
    /// The corrected second time of that record, if it has one.
    second_time: Option<u64>,
    /// That record was reached by seeking and has not been delivered.
    is_ahead: bool,
    done: Cell<bool>,
    family: PhantomData<fn() -> F>,
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
            globals,
            selection: Selection::default(),
            is_selected: false,
            reached: TimedFrame::default(),
            has_reached: false,
            second_time: None,
            is_ahead: false,
            done: Cell::new(false),
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

    /// The location.
    pub fn location(&self) -> u64 {
        self.location
    }

    /// Whether the file is big endian.
    pub fn is_big_endian(&self) -> bool {
        self.framer.framer().is_big()
    }

    /// Offset behind the last record; at the end of the file that of its end mark.
    pub fn position(&self) -> u64 {
        self.framer.framer().position()
    }

    /// Chunk of the last record.
    pub fn chunk(&self) -> super::Chunk {
        self.framer.framer().chunk()
    }

    /// The next record; none at the end of the file, and after an error.
    #[allow(clippy::should_implement_trait)]
    #[inline(always)]
    pub fn next(&mut self) -> Result<Option<TimedRecord<'_, F::Record<'_>>>> {
        match self.advance()? {
            Some(_) => self.record().map(Some),
            None => Ok(None),
        }
    }

    /// Wants only these records from now on, and goes to the first of them.
    pub fn select(&mut self, selection: Selection) -> Result<()> {
        let start = *selection.time.start();
        (self.selection, self.is_selected) = (selection, true);
        let is_fresh = !self.has_reached && !self.done.get();
        if start == 0 && is_fresh { Ok(()) } else { self.seek_time(start) }
    }

    /// Goes to the record of this number, counted from 1 over the file; [`next`](Self::next) delivers it. Fails if there is none.
    pub fn seek(&mut self, number: u64) -> Result<()> {
        seek::to_number(self, number).map_err(|error| error.in_file(self.file))
    }

    /// Goes to the first record at or behind a time, in ticks, corrected if the reader corrects times.
    pub fn seek_time(&mut self, time: u64) -> Result<()> {
        seek::to_time(self, time).map_err(|error| error.in_file(self.file))
    }

    /// Goes on with the chunk of this number, from 0, whose first record has this number.
    pub(super) fn go_to_chunk(&mut self, chunk: u64, first_record: u64) {
        self.framer.go_to_chunk(chunk, first_record);
        self.window.go_to(self.framer.keep());
        self.globals.clock.reset();
        (self.has_reached, self.is_ahead) = (false, false);
        self.done.set(false);
    }

    /// Lets the current record be delivered next.
    pub(super) fn stay(&mut self) {
        self.is_ahead = self.has_reached;
    }

    /// Number and time of the record that was reached last.
    pub(super) fn reached(&self) -> Option<(u64, u64)> {
        self.has_reached.then_some((self.reached.number, self.reached.time))
    }

    /// Goes to the next record that is wanted; its time.
    #[inline(always)]
    pub(super) fn advance(&mut self) -> Result<Option<u64>> {
        loop {
            if !std::mem::take(&mut self.is_ahead) {
                self.step()?;
            }
            let time = self.reached.time;
            if !self.has_reached {
                return Ok(None);
            }
            if !self.is_selected || self.wants(time) {
                return Ok(Some(time));
            }
        }
    }

    /// Whether the record that was reached is selected; behind the span of time nothing more is.
    fn wants(&mut self, time: u64) -> bool {
        if time > *self.selection.time.end() {
            self.has_reached = false;
            self.done.set(true);
            return false;
        }
        time >= *self.selection.time.start() && self.selection.kinds.contains(self.reached.frame.id)
    }

    /// Goes to the next record.
    #[inline(always)]
    pub(super) fn step(&mut self) -> Result<()> {
        if !self.done.get()
            && let Some(frame) = self.framer.usual::<F::Record<'_>>(self.window.view())
        {
            self.reach(frame);
            return Ok(());
        }
        self.step_to_any()
    }

    /// The same whatever comes next.
    #[inline(never)]
    fn step_to_any(&mut self) -> Result<()> {
        self.has_reached = false;
        if self.done.get() {
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

    /// Corrects times in the order of the file: the second time of a record moves the clock for the records behind it.
    #[inline(always)]
    fn reach(&mut self, frame: TimedFrame) {
        self.reached = frame;
        self.has_reached = true;
        self.reached.time = self.globals.clock.correct(frame.time);
        if F::WITH_TIME == Some(frame.frame.id) {
            self.correct_second_time();
        }
    }

    #[cold]
    fn correct_second_time(&mut self) {
        let (view, big) = (self.window.view(), self.is_big_endian());
        let time = view.take(self.reached.frame, big, None, |cursor| cursor.u64()).ok();
        self.second_time = time.map(|time| self.globals.clock.correct(time));
    }

    /// The record that was reached.
    #[inline(always)]
    pub(super) fn record(&self) -> Result<TimedRecord<'_, F::Record<'_>>> {
        let (big, id) = (self.is_big_endian(), self.reached.frame.id);
        let integer = self.reached.usual(self.window.view(), big);
        match integer.and_then(|integer| F::usual(id, integer, &self.globals.mappings)) {
            Some(record) => Ok(self.reached.with(record, big)),
            None => self.record_of_any(),
        }
    }

    /// The same whatever it is.
    #[inline(never)]
    fn record_of_any(&self) -> Result<TimedRecord<'_, F::Record<'_>>> {
        match self.reached.record::<F::Record<'_>>(self.window.view(), self.is_big_endian()) {
            Ok(timed) if self.is_mapped || F::WITH_TIME == Some(self.reached.frame.id) => {
                Ok(self.global(timed))
            }
            Ok(timed) => Ok(timed),
            Err(error) => Err(self.fault(error)),
        }
    }

    /// Ends reading with an error.
    #[cold]
    fn fault(&self, error: Error) -> Error {
        self.done.set(true);
        self.framer.framer().explain(error, true).in_file(self.file)
    }

    /// The record with global ids and times.
    fn global<'a>(&'a self, mut timed: TimedRecord<'a, F::Record<'a>>) -> TimedRecord<'a, F::Record<'a>> {
        if F::WITH_TIME == Some(self.reached.frame.id)
            && let Some(time) = self.second_time
        {
            F::set_time(&mut timed.record, time);
        }
        timed.record.map(&self.globals.mappings);
        TimedRecord { attributes: timed.attributes.mapped(&self.globals.mappings), ..timed }
    }
}

impl<F> fmt::Debug for LocationReader<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LocationReader").field("file", &self.file).finish_non_exhaustive()
    }
}
