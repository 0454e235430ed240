//! The recording of one location's events.
//!
//! A track is written by one thread at a time, because the host serialises its events. But a
//! signal handler may interrupt that thread inside the recorder, and another thread may end the
//! measurement during a recording. Two bytes resolve this without an atomic exchange on the event
//! path. The recording thread sets `busy` and then reads `gate`. The closing thread shuts `gate`,
//! makes the kernel execute a memory barrier in every running thread (`membarrier`), and then waits
//! for `busy`. Either the former sees the gate shut, or the latter sees the track busy.

mod amend;
mod buffer;
mod entry;
mod gap;
mod rewind;
mod shared;
mod writer;

use core::{
    cell::UnsafeCell,
    sync::atomic::{
        AtomicBool, AtomicU8, AtomicU64,
        Ordering::{Acquire, Relaxed, Release, SeqCst},
        compiler_fence, fence,
    },
    time::Duration,
};
use std::time::Instant;

use rustix::thread::{MembarrierCommand, membarrier};

use kymo_otf2::records::EventRecord;

pub use self::{
    buffer::TrackFile,
    entry::{FewAttributes, RegionEntry},
    shared::{Shared, WhenFull},
    writer::{Closed, TrackWriter},
};
use crate::{memory::Budget, scratch::layout::LocationSlot, tables::Addressed};

/// The access that an event has to the track.
mod gate {
    /// Nothing may be written. Zeroed memory has this value.
    pub(super) const SHUT: u8 = 0;
    pub(super) const OPEN: u8 = 1;
    /// The next event must write something first: a flush of the host that waits for that event's
    /// time, or a mark that events are missing before it.
    pub(super) const HOLDING: u8 = 2;
}

/// A track: its writer and the state that guards it. Its address is fixed for the life of the
/// process.
#[repr(align(64))]
pub struct Track {
    /// The address of the host's object.
    address: usize,
    /// Whether a record is being written.
    busy: AtomicBool,
    gate: AtomicU8,
    file: TrackFile,
    number: u32,
    /// The number of events that arrived after the end.
    refused: AtomicU64,
    /// The number of events from signal handlers that interrupted the recording of another event.
    missed: AtomicU64,
    /// Whether the gate is shut, no thread is inside, and the file is not complete yet.
    is_quiet: AtomicBool,
    writer: UnsafeCell<TrackWriter>,
}

// SAFETY: `writer` is accessed only through `enter` and `close`. `enter` lends it to one user at a
// time: the host delivers the events of a location in sequence, and a signal handler on the same
// thread finds `busy` set. `close` has ensured that no thread is inside and that none will enter.
unsafe impl Sync for Track {}

impl Addressed for Track {
    #[inline(always)]
    fn address(&self) -> usize {
        self.address
    }
}

impl Track {
    /// Creates a track that is ready to record. Returns `None` if there is no memory for its
    /// first piece.
    pub(crate) fn new(
        address: usize,
        number: u32,
        slot: &'static LocationSlot,
        shared: &'static Shared,
        budget: &'static Budget,
    ) -> Option<Self> {
        let writer = TrackWriter::new(number, slot, shared, budget)?;
        Some(Self {
            address,
            busy: AtomicBool::new(false),
            gate: AtomicU8::new(gate::OPEN),
            file: TrackFile::new(slot),
            number,
            refused: AtomicU64::new(0),
            missed: AtomicU64::new(0),
            is_quiet: AtomicBool::new(false),
            writer: UnsafeCell::new(writer),
        })
    }

    /// Returns its file in the archive.
    pub fn file(&self) -> TrackFile {
        self.file
    }

    /// Returns the number of its slot.
    pub fn slot(&self) -> u32 {
        self.number
    }

    /// Releases the memory of the track for a while, because its thread has ended or is idle.
    pub fn pause(&self) {
        self.enter(|gate, writer| {
            if gate == gate::OPEN {
                writer.pause();
            }
        });
    }

    /// Returns the number of events lost because they arrived after the end.
    pub fn refused(&self) -> u64 {
        self.refused.load(Relaxed)
    }

    /// Returns the number of events lost because they arrived while another event was being
    /// recorded. [`close`](Self::close) counts them among the track's losses.
    pub fn missed(&self) -> u64 {
        self.missed.load(Relaxed)
    }

    /// Writes a record in the common case: the track is open, `time` (in ticks) is later than
    /// the last one, and there is room. Otherwise does nothing and returns `false`; the caller must
    /// then use [`record_at`](Self::record_at). Makes no function calls.
    #[inline(always)]
    pub fn record_if_ready<R: EventRecord>(&self, time: u64, record: &R) -> bool {
        let mut done = false;
        self.enter(|gate, writer| done = gate == gate::OPEN && writer.events.record_in_piece(time, record));
        done
    }

    /// Writes the records of one event at `time` (in ticks). If none may be written now, counts the
    /// event instead.
    pub fn record_at(&self, time: u64, write: impl FnOnce(&mut TrackWriter)) {
        let mut refused = true;
        self.enter(|gate, writer| {
            if gate == gate::SHUT {
                return;
            }
            refused = false;
            self.release(gate, time, writer);
            write(writer);
        });
        if refused {
            self.refuse();
        }
    }

    /// Counts an event that is not recorded. After the end, that is all. Before the end, the event
    /// came from a signal handler that interrupted the recorder, and the next event marks the gap.
    #[cold]
    fn refuse(&self) {
        if self.gate.load(Relaxed) == gate::SHUT {
            self.refused.fetch_add(1, Relaxed);
        } else {
            self.missed.fetch_add(1, Relaxed);
            let _ = self.gate.compare_exchange(gate::OPEN, gate::HOLDING, Relaxed, Relaxed);
        }
    }

    /// Keeps the flush that [`begin_flush`](TrackWriter::begin_flush) started and that ends at
    /// `time` (in ticks) until the track's next event is known.
    pub fn hold_flush(&self, time: u64) {
        self.record_at(time, |writer| {
            if writer.end_flush(time) {
                let _ = self.gate.compare_exchange(gate::OPEN, gate::HOLDING, Relaxed, Relaxed);
            }
        });
    }

    /// Writes whatever is waiting for the event at `time`.
    fn release(&self, gate: u8, time: u64, writer: &mut TrackWriter) {
        if gate == gate::HOLDING {
            // A handler that interrupts the following calls sets the gate to `HOLDING` for the next
            // event.
            let _ = self.gate.compare_exchange(gate::HOLDING, gate::OPEN, Relaxed, Relaxed);
            writer.write_held_flush(time);
            writer.miss(self.missed.load(Relaxed));
        }
    }

    /// Lends the writer, with the state of the gate, unless it is in use. If `write` panics, the
    /// track stays busy, so nothing is appended to a half-written record.
    #[inline(always)]
    fn enter(&self, write: impl FnOnce(u8, &mut TrackWriter)) {
        if self.busy.load(Relaxed) {
            return;
        }
        self.busy.store(true, Relaxed);
        // Pairs with the barrier in `shut_all`: the gate is read after `busy` is set, by the
        // compiler as well.
        order();
        let gate = self.gate.load(Relaxed);
        if gate != gate::SHUT {
            // SAFETY: see `Sync`; no other user was inside. Once the gate is shut, the writer
            // belongs to `close`.
            write(gate, unsafe { &mut *self.writer.get() });
        }
        self.busy.store(false, Release);
    }

    /// Ends tracks: no event enters from now on. When this returns, none is inside any of them,
    /// except for those that [`close`](Self::close) then finds busy. They are processed in the
    /// order of `tracks`.
    pub fn shut_all<'a>(tracks: impl Iterator<Item = &'a Track> + Clone) {
        Self::shut_all_within(tracks, LONGEST_EVENT);
    }

    /// Like [`shut_all`](Self::shut_all), for events that last this long at most.
    pub fn shut_all_within<'a>(tracks: impl Iterator<Item = &'a Track> + Clone, longest_event: Duration) {
        for track in tracks.clone() {
            track.gate.store(gate::SHUT, SeqCst);
        }
        barrier();
        let deadline = Instant::now() + longest_event;
        for track in tracks {
            track.is_quiet.store(track.is_left(deadline), Relaxed);
        }
    }

    /// Waits until no thread is inside, at most until `deadline`. Returns whether that happened.
    /// Seeing the track free once is enough: a later thread finds the gate shut and does not
    /// touch the writer. Since such a thread is briefly busy as well, a single look might always
    /// find one. This requires many looks without a pause, so the `Backoff` of crossbeam-utils,
    /// whose pauses double from look to look, does not fit.
    fn is_left(&self, deadline: Instant) -> bool {
        let is_left = |_| {
            std::hint::spin_loop();
            !self.busy.load(Acquire)
        };
        while !(0..LOOKS).any(is_left) {
            if Instant::now() > deadline {
                return false;
            }
            std::thread::yield_now();
        }
        true
    }

    /// Writes the flush that is held back and completes the file; all later events are refused.
    /// Returns `None` if the track is already closed, or if an event did not end in the time that
    /// [`shut_all`](Self::shut_all) allows. In that case, the file is not complete.
    pub fn close(&self) -> Option<Closed> {
        if self.gate.load(Relaxed) != gate::SHUT {
            Self::shut_all(core::iter::once(self));
        }
        if !self.is_quiet.swap(false, Acquire) {
            return None;
        }
        // SAFETY: see `Sync`; the gate is shut, no thread has been inside since, and only this call
        // gets here.
        let writer = unsafe { &mut *self.writer.get() };
        writer.write_held_flush(u64::MAX);
        writer.miss(self.missed.load(Relaxed));
        Some(writer.close())
    }
}

/// How often to look before yielding the processor.
const LOOKS: u32 = if cfg!(miri) { 10 } else { 1000 };

/// How long the end of the measurement waits for events that are being recorded.
const LONGEST_EVENT: Duration = Duration::from_secs(1);

/// The other half of [`barrier`]: prevents reordering by the compiler, which a barrier in another
/// thread cannot do. Miri also simulates a processor that reorders, and does not support
/// `membarrier`, so under Miri both halves are fences.
#[inline(always)]
fn order() {
    match cfg!(miri) {
        true => fence(SeqCst),
        false => compiler_fence(SeqCst),
    }
}

/// Registers the process for [`barrier`]. This is quick while the process has only one thread, as
/// during `init`. Without it, a barrier takes the kernel ten milliseconds or more.
pub(crate) fn register_barrier() {
    if !cfg!(miri) {
        let _ = membarrier(MembarrierCommand::RegisterPrivateExpedited);
    }
}

/// Executes a memory barrier in every running thread of the process. If the kernel does not support
/// that, waits instead: a processor does not keep a store to itself for a millisecond.
fn barrier() {
    if cfg!(miri) {
        return fence(SeqCst);
    }
    let done = membarrier(MembarrierCommand::PrivateExpedited);
    if done.or_else(|_| membarrier(MembarrierCommand::Global)).is_err() {
        std::thread::sleep(Duration::from_millis(1));
    }
}

impl core::fmt::Debug for Track {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Track").field("file", &self.file).field("gate", &self.gate).finish_non_exhaustive()
    }
}
