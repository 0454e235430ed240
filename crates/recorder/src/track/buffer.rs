//! The memory that a track encodes into.
//!
//! When a piece is full, it is handed over to the writer and another one is taken. Each byte of a
//! file is the one handed over last for its offset, so rewinding to a mark means writing again from
//! there. Invariant: a piece is published before its predecessor is handed over, so the published
//! pieces are the end of the file at every instant.

use core::{
    sync::atomic::Ordering::{Acquire, Relaxed, Release},
    time::Duration,
};
use std::io;

use kymo_otf2::{
    Error, FileName, Result,
    read::check_chunks,
    write::{Mark, Pieces, SLACK},
};

use super::shared::{Shared, WhenFull};
use crate::{
    EVENT_CHUNK_SIZE,
    clock::Reading,
    scratch::{
        Need, Patch, Run,
        layout::{BLOCK, KEPT, LocationSlot, kind},
    },
    unnoticed,
};

/// The event file of a location, named by the location's global id, which is known only after the
/// ranks have met.
///
/// One thread may set it while another one is recording.
#[derive(Debug, Clone, Copy)]
pub struct TrackFile(&'static LocationSlot);

impl TrackFile {
    const UNKNOWN: u64 = u64::MAX;

    pub(super) fn new(slot: &'static LocationSlot) -> Self {
        Self(slot)
    }

    /// Sets the track's file. The output must already be open.
    pub fn set(&self, location: u64) {
        self.0.file.store(location, Release);
    }

    /// Returns the file, if it is known.
    pub fn get(&self) -> Option<FileName> {
        match self.0.file.load(Acquire) {
            Self::UNKNOWN => None,
            location => Some(FileName::Events(location)),
        }
    }
}

#[derive(Debug)]
pub(super) struct TrackBuffer {
    run: Run,
    /// The offset of the run in the file.
    base: u64,
    /// The sequence number of the run.
    sequence: u64,
    slot: &'static LocationSlot,
    number: u32,
    shared: &'static Shared,
    /// The patch to hand over with the current piece.
    patch: Option<Patch>,
    /// The number of pieces handed over. `last_handed` is the sequence number of the last one.
    handed_over: u64,
    last_handed: u64,
    /// The offset of the last mark before the piece that was rewound to, and the sequence number of
    /// the piece that this created.
    rewound: (u64, u64),
    waited: Option<Wait>,
}

/// The time that the track had to wait for memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Wait {
    pub(super) ticks: u64,
}

/// How long to wait before asking for memory again.
const RETRY_INTERVAL: Duration = Duration::from_micros(20);

impl TrackBuffer {
    pub(super) fn new(number: u32, slot: &'static LocationSlot, shared: &'static Shared) -> Self {
        Self {
            run: Run::none(),
            base: 0,
            sequence: 0,
            slot,
            number,
            shared,
            patch: None,
            handed_over: 0,
            last_handed: 0,
            rewound: (0, 0),
            waited: None,
        }
    }

    pub(super) fn slot(&self) -> &'static LocationSlot {
        self.slot
    }

    /// Returns an error if the file never became known, or if the storage has permanently refused a
    /// piece.
    pub(super) fn check(&self) -> Result<()> {
        let file = TrackFile(self.slot).get();
        let kind = match file {
            None => io::ErrorKind::NotConnected,
            Some(_) if self.slot.refused.load(Acquire) != 0 => io::ErrorKind::WriteZero,
            Some(_) => return Ok(()),
        };
        let source = self.shared.drain.refusal().unwrap_or_else(|| kind.into());
        Err(Error::Io { file, source })
    }

    /// Truncates the file at its end: after a rewind, old bytes may follow it.
    pub(super) fn truncate(&self, length: u64) -> Result<()> {
        let Some(file) = TrackFile(self.slot).get() else { return Ok(()) };
        self.shared
            .drain
            .output()
            .set_len(file, length)
            .map_err(|source| Error::Io { file: Some(file), source })
    }

    /// Compares the framing of the complete file with the written length and number of events.
    pub(super) fn verify(&self, length: u64, events: u64) -> Result<()> {
        let Some(file) = TrackFile(self.slot).get() else { return Ok(()) };
        let opened = self.shared.drain.output().storage().and_then(|storage| storage.open(file));
        let content = opened.map_err(|source| Error::Io { file: Some(file), source })?;
        check_chunks(&*content, EVENT_CHUNK_SIZE, length, events).map_err(|error| error.in_file(file))
    }

    /// Returns the number of pieces handed over.
    pub(super) fn handed_over(&self) -> u64 {
        self.handed_over
    }

    /// Records where the file could end if the next piece is refused.
    pub(super) fn set_mark(&self, mark: &Mark) {
        let Some(descriptor) = self.run.descriptor() else { return };
        let Some(used) = mark.offset().checked_sub(self.base) else { return };
        descriptor.mark_events.store(mark.events(), Relaxed);
        descriptor.mark_time.store(mark.last_time(), Relaxed);
        descriptor.mark_chunk.store(mark.chunk_start(), Relaxed);
        descriptor.mark_used.store(used as u32, Relaxed);
    }

    /// Returns the last such place that is in the file.
    pub(super) fn written_mark(&self) -> Option<Mark> {
        let [offset, events, time, chunk] = self.slot.mark.each_ref().map(|number| number.load(Relaxed));
        let sequence = self.slot.mark_sequence.load(Acquire);
        let is_rewound = sequence < self.rewound.1 && offset > self.rewound.0;
        (sequence != 0 && !is_rewound).then(|| Mark::from_parts(offset, chunk, time, events))
    }

    /// Keeps the last record, which is between two marks, while it is written again: until then,
    /// recovery finds it in the slot. A record that began in an earlier piece is not kept.
    pub(super) fn keep(&self, begin: &Mark, end: &Mark) {
        let at = |mark: &Mark| Some(mark.offset().checked_sub(self.base)? as usize);
        let record = at(begin).zip(at(end)).and_then(|(begin, end)| self.run.get(begin..end));
        let Some(record) = record.filter(|record| record.len() <= KEPT) else { return };
        for (place, bytes) in self.slot.kept_bytes.iter().zip(record.chunks(8)) {
            let mut word = [0; 8];
            for (to, from) in word.iter_mut().zip(bytes) {
                *to = *from;
            }
            place.store(u64::from_ne_bytes(word), Relaxed);
        }
        self.slot.kept.store(begin.offset() << 8 | record.len() as u64, Release);
    }

    /// Forgets the record that [`keep`](Self::keep) kept.
    pub(super) fn forget(&self) {
        self.slot.kept.store(0, Release);
    }

    /// Returns how long the track had to wait since the last call.
    pub(super) fn take_wait(&mut self) -> Option<Wait> {
        self.waited.take()
    }

    /// Makes `run`, which begins at `base`, the current piece. Returns the previous one.
    fn publish(&mut self, run: Run, base: u64) -> Run {
        (self.base, self.sequence) = (base, self.sequence + 1);
        run.publish(kind::PIECE, |descriptor| {
            descriptor.location.store(self.number, Relaxed);
            descriptor.base.store(base, Relaxed);
            descriptor.sequence.store(self.sequence, Relaxed);
            descriptor.mark_used.store(0, Relaxed);
        });
        core::mem::replace(&mut self.run, run)
    }

    /// Takes memory for the next piece. Waits for it if the user chose to wait and waiting can
    /// succeed.
    fn take(&mut self, room: usize) -> Option<Run> {
        let len = (room + SLACK).max(BLOCK);
        self.try_take(len).or_else(|| {
            self.shared.drain.catch_up();
            self.try_take(len).or_else(|| self.wait(len))
        })
    }

    /// Takes a free run. A track that has no piece on its way to the file receives one beyond
    /// the limit, provided that no other track has one on its way either: in that case, none
    /// might ever be handed over.
    fn try_take(&self, len: usize) -> Option<Run> {
        let pool = self.shared.drain.pool();
        let has_nothing = || self.slot.written.load(Acquire) >= self.last_handed;
        pool.take(len, Need::Usual).or_else(|| {
            (has_nothing() && !self.shared.drain.has_backlog()).then(|| pool.take(len, Need::First))?
        })
    }

    #[cold]
    fn wait(&mut self, len: usize) -> Option<Run> {
        // The first piece of a track is always waited for: without it, all of the track's
        // events would be lost.
        let may_wait = self.shared.when_full == WhenFull::Wait || self.sequence == 0;
        let makes_sense = || may_wait && self.shared.drain.frees(self.slot);
        let begin = makes_sense().then(|| self.now())?;
        while makes_sense() {
            if let Some(run) = self.try_take(len) {
                self.waited =
                    begin.zip(self.now()).map(|(begin, end)| Wait { ticks: end.saturating_sub(begin) });
                return Some(run);
            }
            self.shared.drain.hurry();
            unnoticed::sleep(RETRY_INTERVAL);
        }
        // The writer's thread may have been paused meanwhile.
        self.shared.drain.catch_up();
        self.try_take(len)
    }

    /// Returns the time on the clock of the events, if that clock is known.
    fn now(&self) -> Option<u64> {
        self.shared.clock().map(|clock| Reading::now().of(clock))
    }

    /// After the end of recording, the track writes directly, reusing the same piece.
    fn write_now(&mut self, offset: u64, used: usize, room: usize) -> Result<()> {
        let file = TrackFile(self.slot).get();
        let error = |source| Error::Io { file, source };
        if used > 0 {
            let name = file.ok_or_else(|| error(io::ErrorKind::NotConnected.into()))?;
            self.shared.drain.write_now(&self.run, used, self.patch, name, offset).map_err(error)?;
            self.patch = None;
            self.handed_over += 1;
            self.slot.length.store(offset + used as u64, Release);
        }
        let next = match room {
            0 => Run::none(),
            _ if self.run.len() >= room + SLACK => core::mem::replace(&mut self.run, Run::none()),
            _ => self
                .shared
                .drain
                .pool()
                .take((room + SLACK).max(BLOCK), Need::First)
                .ok_or_else(out_of_memory)?,
        };
        let old = self.publish(next, offset + used as u64);
        self.shared.drain.pool().give_back(old);
        Ok(())
    }
}

impl Pieces for TrackBuffer {
    fn bytes(&mut self) -> &mut [u8] {
        &mut self.run
    }

    fn set_view(&mut self, length: usize) {
        self.run.set_view(length);
    }

    #[inline(always)]
    fn view(&mut self) -> &mut [u8] {
        self.run.view()
    }

    fn hand_over(&mut self, offset: u64, used: usize, room: usize) -> Result<()> {
        if self.shared.drain.is_ending() {
            return self.write_now(offset, used, room);
        }
        let next = match room {
            0 => Run::none(),
            room => self.take(room).ok_or_else(out_of_memory)?,
        };
        // No record committed a chunk's header or a chunk's filling.
        self.run.commit(used);
        let sequence = self.sequence;
        let full = self.publish(next, offset + used as u64);
        if used == 0 {
            self.shared.drain.pool().give_back(full);
            return Ok(());
        }
        (self.handed_over, self.last_handed) = (self.handed_over + 1, sequence);
        self.shared.drain.hand_over(full, self.patch.take());
        Ok(())
    }

    /// Called only to set the number of events in the header of a chunk that began in an earlier
    /// piece, and only when that chunk ends.
    fn patch(&mut self, offset: u64, bytes: &[u8]) -> Result<()> {
        self.patch = bytes.try_into().ok().map(|bytes| (offset, bytes));
        Ok(())
    }

    #[inline(always)]
    fn committed(&mut self, used: usize) {
        self.run.commit(used);
    }

    fn rewound(&mut self, base: u64, used: usize) {
        if base == self.base {
            return self.run.commit(used);
        }
        self.patch = None;
        let next = self.shared.drain.pool().take(BLOCK, Need::First).unwrap_or_else(|| {
            // Reuses the same memory, so for a moment the end of the file cannot be determined.
            core::mem::replace(&mut self.run, Run::none())
        });
        let old = self.publish(next, base);
        self.rewound = (base, self.sequence);
        self.shared.drain.pool().give_back(old);
    }
}

fn out_of_memory() -> Error {
    Error::Io { file: None, source: io::ErrorKind::OutOfMemory.into() }
}
