//! Everything that records the events of one location.
//!
//! A location is written by one thread at a time (the host serialises its events), but a signal handler may interrupt that
//! thread inside the recorder. One state word decides both questions of the event path with one comparison: may this call
//! record, and does something have to be written first?

mod amend;
mod buffer;
mod rewind;
mod writer;

use core::{
    cell::UnsafeCell,
    sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed},
};

use kymo_otf2::records::EventRecord;

pub use self::{
    amend::{FewAttributes, RegionEntry},
    buffer::LocationFile,
    writer::{Closed, LocationWriter},
};
use crate::{memory::Budget, recorder::Shared, tables::Addressed};

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
    /// Address of the host's object.
    address: usize,
    state: AtomicU8,
    file: &'static LocationFile,
    /// Events that came while the location was busy or closed.
    refused: AtomicU64,
    writer: UnsafeCell<LocationWriter>,
}

// SAFETY: `writer` is reached through `Location::take` alone, and `state` admits one user at a time. Two threads do not race for
// it: the host delivers the events of a location one after another, and a signal handler runs on the thread it interrupts.
unsafe impl Sync for Location {}

impl Addressed for Location {
    #[inline(always)]
    fn address(&self) -> usize {
        self.address
    }
}

impl Location {
    /// A location that is ready to record; `None` if there is no memory for its first piece.
    pub(crate) fn new(
        address: usize,
        file: &'static LocationFile,
        shared: &'static Shared,
        budget: &'static Budget,
    ) -> Option<Self> {
        let writer = LocationWriter::new(file, shared, budget)?;
        Some(Self {
            address,
            state: AtomicU8::new(state::READY),
            file,
            refused: AtomicU64::new(0),
            writer: UnsafeCell::new(writer),
        })
    }

    /// Its file in the archive.
    pub fn file(&self) -> &'static LocationFile {
        self.file
    }

    /// Events that were lost because the location was closed or had been interrupted inside the recorder.
    pub fn refused(&self) -> u64 {
        self.refused.load(Relaxed)
    }

    /// Writes a record in the common case that nothing stands against it: the location is ready, the time (ticks) later than
    /// the last, and there is room. Otherwise it does nothing and returns `false`; [`record_at`](Self::record_at) then does
    /// what is to be done. Calls nothing.
    #[inline(always)]
    pub fn try_record<R: EventRecord>(&self, time: u64, record: &R) -> bool {
        let mut done = false;
        if self.state.load(Relaxed) == state::READY {
            self.take(state::READY, |writer| done = writer.try_record(time, record));
        }
        done
    }

    /// Writes the records of one event at `time` (ticks), unless none may be written now: then the event is counted.
    #[inline(always)]
    pub fn record_at(&self, time: u64, write: impl FnOnce(&mut LocationWriter)) {
        if self.state.load(Relaxed) == state::READY || self.make_ready(time) {
            self.take(state::READY, write);
        }
    }

    /// Keeps the flush that [`begin_flush`](LocationWriter::begin_flush) started, and that ends at `time` (ticks), until the
    /// location's next event is known.
    pub fn hold_flush(&self, time: u64) {
        if self.state.load(Relaxed) == state::READY || self.make_ready(time) {
            self.take(state::HOLDING, |writer| writer.end_flush(time));
        }
    }

    /// Ends the location: writes what is held, completes its file and refuses all later events.
    ///
    /// `None` if it is closed already, or if it is closed from within one of its own events.
    pub fn close(&self) -> Option<Closed> {
        let mut closed = None;
        if self.state.load(Relaxed) == state::READY || self.make_ready(u64::MAX) {
            self.take(state::CLOSED, |writer| closed = Some(writer.close()));
        }
        closed
    }

    /// Writes the flush that waits for the event at `time`. Returns whether the location is ready now; if not, the event is
    /// counted as refused.
    #[cold]
    #[inline(never)]
    fn make_ready(&self, time: u64) -> bool {
        let holding = self.state.load(Relaxed) == state::HOLDING;
        match holding {
            true => self.take(state::READY, |writer| writer.write_held_flush(time)),
            false => _ = self.refused.fetch_add(1, Relaxed),
        }
        holding
    }

    /// Lends the writer and leaves the location in state `after`. Only for states that say that nobody has it. If `write` panics
    /// the location stays busy: whatever it left half done is not added to.
    #[inline(always)]
    fn take(&self, after: u8, write: impl FnOnce(&mut LocationWriter)) {
        self.state.store(state::BUSY, Relaxed);
        // SAFETY: see `Sync`; the state was not BUSY, so nobody else has the writer.
        write(unsafe { &mut *self.writer.get() });
        self.state.store(after, Relaxed);
    }
}

impl core::fmt::Debug for Location {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Location")
            .field("file", &self.file)
            .field("state", &self.state)
            .finish_non_exhaustive()
    }
}
