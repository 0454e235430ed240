//! Everything that records the events of one location.
//!
//! A location is written by one thread at a time (the host serialises its events), but a signal handler may interrupt that
//! thread inside the recorder. One state word decides both questions of the event path with one comparison: may this call
//! record, and does something have to be written first?

mod buffer;
mod rewind;
mod writer;

use core::{
    cell::UnsafeCell,
    mem::ManuallyDrop,
    ops::{Deref, DerefMut},
    sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed},
};

pub use self::{
    buffer::LocationFile,
    writer::{Closed, LocationWriter},
};
use crate::{memory::Budget, recorder::Shared};

/// What an event may do with the location now.
mod state {
    /// Also what zeroed memory says: nothing may be written.
    pub(super) const CLOSED: u8 = 0;
    pub(super) const READY: u8 = 1;
    pub(super) const BUSY: u8 = 2;
    /// A flush of the host waits for the time of the next event.
    pub(super) const HOLDING: u8 = 3;
}

/// One location: its writer and what guards it. Lives at a fixed address for the life of the process.
#[repr(align(64))]
pub struct Location {
    state: AtomicU8,
    file: &'static LocationFile,
    /// Events that came while the location was busy or closed.
    refused: AtomicU64,
    writer: UnsafeCell<LocationWriter>,
}

// SAFETY: `writer` is reached through a `Recording` alone, and `state` admits one at a time. Two threads do not race for it:
// the host delivers the events of a location one after another, and a signal handler runs on the thread it interrupts.
unsafe impl Sync for Location {}

impl Location {
    /// A location that is ready to record; `None` if there is no memory for its first piece.
    pub(crate) fn new(file: &'static LocationFile, shared: &'static Shared, budget: &'static Budget) -> Option<Self> {
        let writer = LocationWriter::new(file, shared, budget)?;
        Some(Self { state: AtomicU8::new(state::READY), file, refused: AtomicU64::new(0), writer: UnsafeCell::new(writer) })
    }

    /// Its file in the archive.
    pub fn file(&self) -> &'static LocationFile {
        self.file
    }

    /// Events that were lost because the location was closed or had been interrupted inside the recorder.
    pub fn refused(&self) -> u64 {
        self.refused.load(Relaxed)
    }

    /// Access for the records of one event at `time` (ticks). `None` if none may be written now: the event is counted.
    #[inline]
    pub fn record_at(&self, time: u64) -> Option<Recording<'_>> {
        if self.state.load(Relaxed) != state::READY {
            return self.record_unready(time);
        }
        Some(self.take())
    }

    #[cold]
    #[inline(never)]
    fn record_unready(&self, time: u64) -> Option<Recording<'_>> {
        if self.state.load(Relaxed) != state::HOLDING {
            self.refused.fetch_add(1, Relaxed);
            return None;
        }
        let mut recording = self.take();
        recording.write_held_flush(time);
        Some(recording)
    }

    /// Only for a state that says that nobody else holds the writer.
    #[inline]
    fn take(&self) -> Recording<'_> {
        self.state.store(state::BUSY, Relaxed);
        // SAFETY: see `Sync`; the state was not BUSY, so no other `Recording` of this location exists.
        Recording { state: &self.state, writer: unsafe { &mut *self.writer.get() } }
    }

    /// Ends the location: writes what is held, completes its file and refuses all later events.
    ///
    /// `None` if it is closed already, or if it is closed from within one of its own events.
    pub fn close(&self) -> Option<Closed> {
        let mut recording = self.record_at(u64::MAX)?;
        let closed = recording.close();
        recording.leave(state::CLOSED);
        Some(closed)
    }
}

impl core::fmt::Debug for Location {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Location").field("file", &self.file).field("state", &self.state).finish_non_exhaustive()
    }
}

/// The right to write into a location, for the duration of one event.
#[derive(Debug)]
pub struct Recording<'a> {
    state: &'a AtomicU8,
    writer: &'a mut LocationWriter,
}

impl Recording<'_> {
    /// The flush that [`begin_flush`](LocationWriter::begin_flush) started ends at `time` (ticks). It is kept until the
    /// location's next event is known.
    pub fn hold_flush(self, time: u64) {
        self.writer.end_flush(time);
        self.leave(state::HOLDING);
    }

    fn leave(self, state: u8) {
        ManuallyDrop::new(self).state.store(state, Relaxed);
    }
}

impl Drop for Recording<'_> {
    #[inline]
    fn drop(&mut self) {
        self.state.store(state::READY, Relaxed);
    }
}

impl Deref for Recording<'_> {
    type Target = LocationWriter;

    #[inline]
    fn deref(&self) -> &LocationWriter {
        self.writer
    }
}

impl DerefMut for Recording<'_> {
    #[inline]
    fn deref_mut(&mut self) -> &mut LocationWriter {
        self.writer
    }
}
