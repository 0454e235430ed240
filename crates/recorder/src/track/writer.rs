//! The records of one location, in the order of its events.
//!
//! Invariant: times in the file never decrease. An event that the host delivers with an earlier
//! time than its predecessor receives the predecessor's time. Such events are counted, and so is
//! every record that finds no room.

use core::sync::atomic::Ordering::Relaxed;

use kymo_otf2::{
    Error, Result,
    attributes::Attribute,
    enums::MeasurementMode,
    events::{BufferFlush, MeasurementOnOff},
    records::EventRecord,
    value::Timestamp,
    write::{EventWriter, Mark, Pieces},
};

use super::{
    buffer::{TrackBuffer, Wait},
    entry::Amendable,
    gap::{Gap, OwnRecords},
    rewind::{RewindMark, RewindMarks},
    shared::Shared,
};
use crate::{
    EVENT_CHUNK_SIZE,
    completeness::{EventClass, EventCounts},
    memory::Budget,
    scratch::layout::LocationSlot,
};

/// The writer of one location's event file.
#[derive(Debug)]
pub struct TrackWriter {
    pub(super) events: EventWriter<TrackBuffer>,
    pub(super) amendable: Option<Amendable>,
    marks: RewindMarks,
    counts: EventCounts,
    shared: &'static Shared,
    /// The start of the host's current flush, in ticks.
    flush: Option<u64>,
    /// The start and end of a flush that waits for the next event.
    held: Option<(u64, u64)>,
    /// Whether a thread has begun on this track.
    has_thread: bool,
    raised: u64,
    lost: u64,
    /// The part of `lost` that arrived while another event was being recorded.
    missed: u64,
    error: Option<Error>,
    gap: Option<Gap>,
    own: OwnRecords,
    /// The place after the chunk's header and before the first record.
    start: Mark,
    /// The number of pieces handed over before the current one.
    handed_over: u64,
}

/// The outcome of closing a track.
#[derive(Debug, Default)]
pub struct Closed {
    /// The number of events in the file.
    pub events: u64,
    /// The time of the last event in ticks; 0 if there is none.
    pub last_time: u64,
    /// The number of events delivered with an earlier time than their predecessor.
    pub raised: u64,
    /// The number of records that found no room.
    pub lost: u64,
    /// The number of events recorded in an incomplete file: the storage did not accept all of them,
    /// or the file differs from the written bytes. `kymo recover` builds a complete file from the
    /// remaining data.
    pub kept: u64,
    /// The first error, if there was one.
    pub error: Option<Error>,
}

impl TrackWriter {
    pub(super) fn new(
        number: u32,
        slot: &'static LocationSlot,
        shared: &'static Shared,
        budget: &'static Budget,
    ) -> Option<Self> {
        let buffer = TrackBuffer::new(number, slot, shared);
        let events = EventWriter::new(buffer, EVENT_CHUNK_SIZE).ok()?;
        Some(Self {
            start: events.mark(),
            events,
            amendable: None,
            marks: RewindMarks::new(budget),
            counts: EventCounts::default(),
            shared,
            flush: None,
            held: None,
            has_thread: false,
            raised: 0,
            lost: 0,
            missed: 0,
            error: None,
            gap: None,
            own: OwnRecords::default(),
            handed_over: 0,
        })
    }

    /// Writes a record at `time` (in ticks).
    pub fn record<R: EventRecord>(&mut self, time: u64, record: &R) {
        self.record_with(time, &[], record);
    }

    /// Writes a record at `time` (in ticks) with attributes.
    pub fn record_with<R: EventRecord>(&mut self, time: u64, attributes: &[Attribute], record: &R) {
        if self.gap.is_some() && !self.end_gap(time) {
            return self.lose(out_of_room());
        }
        if let Err(error) = self.events.record_with(time, attributes, record) {
            self.record_again(time, attributes, record, error);
        }
        if self.events.pieces().handed_over() != self.handed_over {
            self.begin_piece();
        }
    }

    /// Writes an enter with room for attributes that are added later. Returns the places before and
    /// after it.
    pub(super) fn record_amendable<R: EventRecord>(&mut self, time: u64, record: &R) -> Option<(Mark, Mark)> {
        if self.gap.is_some() && !self.end_gap(time) {
            self.lose(out_of_room());
            return None;
        }
        let recorded = self.events.record_amendable(time, record);
        let range = recorded.map_err(|error| self.record_again(time, &[], record, error)).ok();
        if self.events.pieces().handed_over() != self.handed_over {
            self.begin_piece();
        }
        range
    }

    /// Called after the first record of a piece was written: the file could end after it. If the
    /// track had to wait for the piece, records that wait.
    #[cold]
    fn begin_piece(&mut self) {
        self.handed_over = self.events.pieces().handed_over();
        let mark = self.events.mark();
        self.events.pieces().set_mark(&mark);
        if let Some(Wait { ticks }) = self.events.pieces_mut().take_wait() {
            let time = self.events.last_time();
            self.record_own(time, &BufferFlush { stop_time: Timestamp(time.saturating_add(ticks)) });
        }
    }

    /// Marks the place where records are missing, before the record at `time` that follows them.
    /// Returns `false` if there is still no room.
    #[cold]
    fn end_gap(&mut self, time: u64) -> bool {
        let Some(Gap { since, lost }) = self.gap.take() else { return true };
        let before = self.events.mark();
        let (off, on) = (MeasurementMode::OFF, MeasurementMode::ON);
        let attributes = [Attribute::new(self.shared.lost_events, lost)];
        let mut put = |time: u64, attributes: &[Attribute], measurement_mode| {
            let time = time.max(self.events.last_time());
            self.events.record_with(time, attributes, &MeasurementOnOff { measurement_mode })
        };
        let marked = put(since, &[], off).and_then(|()| put(time, &attributes, on));
        if marked.is_err() {
            let _ = self.events.rewind(&before);
            self.gap = Some(Gap { since, lost });
        } else {
            [1, 2].into_iter().for_each(|at| self.own.add(before.events() + at));
        }
        marked.is_ok()
    }

    /// Records again after an error. A time that runs backwards is raised; any other error is
    /// final.
    #[cold]
    #[inline(never)]
    fn record_again<R: EventRecord>(
        &mut self,
        time: u64,
        attributes: &[Attribute],
        record: &R,
        error: Error,
    ) {
        let last = self.events.last_time();
        if time >= last {
            return self.lose(error);
        }
        self.raised += 1;
        if let Err(error) = self.events.record_with(last, attributes, record) {
            self.lose(error);
        }
    }

    fn lose(&mut self, error: Error) {
        self.error.get_or_insert(error);
        self.count_lost(1);
    }

    /// Records that the location has missed `missed` events since it began, because they arrived
    /// while another one was being recorded. The new ones among them are missing here.
    pub(super) fn miss(&mut self, missed: u64) {
        let new = missed - core::mem::replace(&mut self.missed, missed);
        if new > 0 {
            self.count_lost(new);
        }
    }

    fn count_lost(&mut self, count: u64) {
        self.lost += count;
        // Their classes are not known here, so no promise can be kept.
        for class in EventClass::ALL {
            self.shared.completeness.lose(class);
        }
        self.events.pieces().slot().dropped.store(self.lost, Relaxed);
        let since = self.events.last_time();
        self.gap.get_or_insert(Gap { since, lost: 0 }).lost += count;
        // A small record that would still fit must not precede the mark of the gap.
        self.events.pieces_mut().set_view(0);
    }

    /// Releases the memory because no events are expected for a while.
    pub(super) fn pause(&mut self) {
        if let Err(error) = self.events.pause() {
            self.error.get_or_insert(error);
        }
    }

    /// Counts an event that a completeness property depends on.
    #[inline]
    pub fn count(&mut self, class: EventClass) {
        self.counts.add(class);
    }

    /// Sets the mark of a rewind region at the current place.
    pub fn set_mark(&mut self, region: u32, time: u64) {
        // A mark after an enter that grows would point into it.
        self.amendable = None;
        let (place, counts, gap) = (self.events.mark(), self.counts, self.gap);
        let mark = RewindMark { region, time, place, counts, gap, lost: self.lost };
        if self.marks.set(mark).is_none() {
            self.lose(Error::Io { file: None, source: std::io::ErrorKind::OutOfMemory.into() });
        }
    }

    /// Removes the mark of a rewind region and those set after it. If `rewind` is true, takes back
    /// everything recorded since the mark was set. Does nothing if the region has no mark.
    pub fn leave_mark(&mut self, region: u32, rewind: bool) {
        let Some(mark) = self.marks.take(region).filter(|_| rewind) else { return };
        if let Err(error) = self.rewind(&mark) {
            self.lose(error);
        }
    }

    /// Rewinds to a mark and leaves a gap there that readers can see.
    fn rewind(&mut self, mark: &RewindMark) -> Result<()> {
        self.amendable = None;
        self.events.rewind(&mark.place)?;
        // The end of a gap that was open at the mark is rewound too, and so are the losses since
        // then.
        self.gap = mark.gap;
        self.lost = mark.lost;
        self.events.pieces().slot().dropped.store(self.lost, Relaxed);
        self.own.forget_after(mark.place.events());
        self.shared.completeness.lose_between(&mark.counts, &self.counts);
        for measurement_mode in [MeasurementMode::OFF, MeasurementMode::ON] {
            self.record_own(mark.time, &MeasurementOnOff { measurement_mode });
        }
        Ok(())
    }

    /// Writes a record that represents no event of the program.
    fn record_own<R: EventRecord>(&mut self, time: u64, record: &R) {
        let before = self.events.events();
        self.record(time, record);
        for number in before..self.events.events() {
            self.own.add(number + 1);
        }
    }

    /// Notes that the host starts to flush its own buffers.
    pub fn begin_flush(&mut self, time: u64) {
        self.flush = Some(time);
    }

    /// Ends the flush of the host. Returns whether it now waits for the next event; an end without
    /// a begin is ignored.
    pub(super) fn end_flush(&mut self, time: u64) -> bool {
        self.held = self.flush.take().map(|begin| (begin, time));
        self.held.is_some()
    }

    /// Notes that a POSIX thread begins here. If it is not the first one, it has taken over the
    /// location.
    pub fn begin_thread(&mut self) {
        if core::mem::replace(&mut self.has_thread, true) {
            self.shared.completeness.reuse_location();
        }
    }

    /// Writes the flush that was held back, if there is one, no later than the event at `time` that
    /// follows it.
    pub(super) fn write_held_flush(&mut self, time: u64) {
        let Some((begin, end)) = self.held.take() else { return };
        self.record(begin.min(time), &BufferFlush { stop_time: Timestamp(end) });
    }

    /// Completes the file. If the storage does not accept the rest, it stays in the scratch file.
    /// Without a scratch file, the event file ends at the last possible place, and the later
    /// records are lost.
    pub(super) fn close(&mut self) -> Closed {
        let last_time = self.events.last_time();
        if self.gap.is_some() {
            self.end_gap(last_time);
        }
        let recorded = self.events.events();
        let missing_in_all = recorded - self.own.after(0);
        let mut finished = self.events.pieces().check().and_then(|()| self.finish());
        let (lost, raised) = (self.lost, self.raised);
        if finished.is_err() && self.shared.drain.pool().survives() {
            return Closed { last_time, raised, lost, kept: recorded, error: finished.err(), events: 0 };
        }
        let missing = |end: &Mark| recorded - end.events() - self.own.after(end.events());
        let ends = [self.events.pieces().written_mark(), Some(self.start)];
        for (end, missing) in ends.map(|end| Some((end?, missing(&end?)))).into_iter().flatten() {
            if let Err(error) = finished {
                self.error.get_or_insert(error);
                finished = self.end_at(&end, missing);
            }
        }
        let lost = if finished.is_ok() { self.lost } else { lost + missing_in_all };
        if let Ok(length) = finished
            && let Err(error) = self.verify(length)
        {
            let kept = self.events.events();
            return Closed { last_time, raised, lost, kept, error: Some(error), events: 0 };
        }
        let events = match finished {
            Ok(_) => self.events.events(),
            Err(error) => {
                self.error.get_or_insert(error);
                0
            }
        };
        Closed { events, last_time, raised, lost, kept: 0, error: self.error.take() }
    }

    /// Ends the file at an earlier place, with a mark of the missing records there if it fits.
    fn end_at(&mut self, end: &Mark, missing: u64) -> Result<u64> {
        self.events.rewind(end)?;
        self.own.forget_after(end.events());
        self.lost += missing;
        self.gap = Some(Gap { since: end.last_time(), lost: missing });
        if self.end_gap(end.last_time())
            && let Ok(length) = self.finish()
        {
            return Ok(length);
        }
        self.events.rewind(end)?;
        let finished = self.finish();
        if finished.is_err() {
            self.lost -= missing;
        }
        finished
    }

    /// Ends the file and returns its length.
    fn finish(&mut self) -> Result<u64> {
        let closed = self.events.finish()?;
        // Bytes after the end of a complete file are no loss.
        if let Err(error) = self.events.pieces().truncate(closed.length) {
            self.error.get_or_insert(error);
        }
        Ok(closed.length)
    }

    /// Checks the file against the written bytes, without reading all of it.
    fn verify(&self, length: u64) -> Result<()> {
        let (pieces, events) = (self.events.pieces(), self.events.events());
        // A read that fails once may succeed the next time.
        pieces.verify(length, events).or_else(|error| match error {
            Error::Io { .. } => pieces.verify(length, events),
            other => Err(other),
        })?;
        pieces.slot().closed.store(1, Relaxed);
        Ok(())
    }
}

fn out_of_room() -> Error {
    Error::Io { file: None, source: std::io::ErrorKind::OutOfMemory.into() }
}
