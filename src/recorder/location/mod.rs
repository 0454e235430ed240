//! Everything that records the events of one location.
//!
//! A location is written by one thread at a time (the host serialises its events), but a signal handler may interrupt that thread
//! inside the recorder, and the end of the measurement may come from another thread while it is still recording. Two bytes
//! settle this without an atomic exchange on the event path: who records sets `busy` and then looks at `gate`; who closes shuts
//! `gate`, has the kernel put a memory barrier into every running thread (`membarrier`), and then waits for `busy`. Either the
//! one sees the gate shut, or the other sees it busy.

mod amend;
mod buffer;
mod rewind;
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
    amend::{FewAttributes, RegionEntry},
    buffer::LocationFile,
    writer::{Closed, LocationWriter},
};
use crate::{memory::Budget, recorder::Shared, scratch::layout::Slot, tables::Addressed};

/// What an event may do with the location now.
mod gate {
    /// Also what zeroed memory says: nothing may be written.
    pub(super) const SHUT: u8 = 0;
    pub(super) const OPEN: u8 = 1;
    /// The next event has something to write first: a flush of the host, which waits for that
    /// event's time, or that events are missing before it.
    pub(super) const HOLDING: u8 = 2;
}

/// One location: its writer and what guards it. Lives at a fixed address for the life of the process.
#[repr(align(64))]
pub struct Location {
    /// Address of the host's object.
    address: usize,
    /// Whether a record is being written.
    busy: AtomicBool,
    gate: AtomicU8,
    file: LocationFile,
    number: u32,
    /// Events that came after the end.
    refused: AtomicU64,
    /// Events of signal handlers that interrupted the recording of another one.
    missed: AtomicU64,
    /// Whether the gate is shut, nobody is in, and the file is not complete yet.
    is_quiet: AtomicBool,
    writer: UnsafeCell<LocationWriter>,
}

// SAFETY: `writer` is reached through `enter` and `close` alone. `enter` gives it to one user at a time: the host delivers the events of
// a location one after another, and a signal handler on the same thread finds `busy` set. `close` has made sure that nobody is in
// and nobody will come.
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
        number: u32,
        slot: &'static Slot,
        shared: &'static Shared,
        budget: &'static Budget,
    ) -> Option<Self> {
        let writer = LocationWriter::new(number, slot, shared, budget)?;
        Some(Self {
            address,
            busy: AtomicBool::new(false),
            gate: AtomicU8::new(gate::OPEN),
            file: LocationFile::new(slot),
            number,
            refused: AtomicU64::new(0),
            missed: AtomicU64::new(0),
            is_quiet: AtomicBool::new(false),
            writer: UnsafeCell::new(writer),
        })
    }

    /// Its file in the archive.
    pub fn file(&self) -> LocationFile {
        self.file
    }

    /// The number of its slot.
    pub fn slot(&self) -> u32 {
        self.number
    }

    /// Gives the memory of the location back for a while: its thread has ended or rests.
    pub fn pause(&self) {
        self.enter(|gate, writer| {
            if gate == gate::OPEN {
                writer.pause();
            }
        });
    }

    /// Events that were lost because they came after the end.
    pub fn refused(&self) -> u64 {
        self.refused.load(Relaxed)
    }

    /// Events that were lost because they came while another one was being recorded. The end of the
    /// location counts them among its losses.
    pub fn missed(&self) -> u64 {
        self.missed.load(Relaxed)
    }

    /// Writes a record in the common case that nothing stands against it: the location is open, the time (ticks) later than
    /// the last, and there is room. Otherwise it does nothing and returns `false`; [`record_at`](Self::record_at) then does
    /// what is to be done. Calls nothing.
    #[inline(always)]
    pub fn try_record<R: EventRecord>(&self, time: u64, record: &R) -> bool {
        let mut done = false;
        self.enter(|gate, writer| done = gate == gate::OPEN && writer.try_record(time, record));
        done
    }

    /// Writes the records of one event at `time` (ticks), unless none may be written now: then the event is counted.
    pub fn record_at(&self, time: u64, write: impl FnOnce(&mut LocationWriter)) {
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

    /// Counts an event that is not recorded. After the end it is only counted; before it a signal
    /// handler interrupted the recorder, and the next event marks the place.
    #[cold]
    fn refuse(&self) {
        if self.gate.load(Relaxed) == gate::SHUT {
            self.refused.fetch_add(1, Relaxed);
        } else {
            self.missed.fetch_add(1, Relaxed);
            let _ = self.gate.compare_exchange(gate::OPEN, gate::HOLDING, Relaxed, Relaxed);
        }
    }

    /// Keeps the flush that [`begin_flush`](LocationWriter::begin_flush) started, and that ends at `time` (ticks), until the
    /// location's next event is known.
    pub fn hold_flush(&self, time: u64) {
        self.record_at(time, |writer| {
            if writer.end_flush(time) {
                let _ = self.gate.compare_exchange(gate::OPEN, gate::HOLDING, Relaxed, Relaxed);
            }
        });
    }

    /// Writes what waits for the event at `time`, if there is something.
    fn release(&self, gate: u8, time: u64, writer: &mut LocationWriter) {
        if gate == gate::HOLDING {
            // A handler that interrupts what follows holds the gate for the next event.
            let _ = self.gate.compare_exchange(gate::HOLDING, gate::OPEN, Relaxed, Relaxed);
            writer.write_held_flush(time);
            writer.miss(self.missed.load(Relaxed));
        }
    }

    /// Lends the writer with what the gate says, unless somebody has it. If `write` panics the location stays busy: whatever
    /// it left half done is not added to.
    #[inline(always)]
    fn enter(&self, write: impl FnOnce(u8, &mut LocationWriter)) {
        if self.busy.load(Relaxed) {
            return;
        }
        self.busy.store(true, Relaxed);
        // Pairs with the barrier of `shut_all`: the gate is looked at after `busy` was set, also by the compiler.
        order();
        let gate = self.gate.load(Relaxed);
        if gate != gate::SHUT {
            // SAFETY: see `Sync`; nobody was in. Behind a shut gate the writer belongs to `close`.
            write(gate, unsafe { &mut *self.writer.get() });
        }
        self.busy.store(false, Release);
    }

    /// Ends locations: no event gets in from now on, and when this returns none is in, but for those that [`close`](Self::close)
    /// then finds busy. Their order is that of `locations`.
    pub fn shut_all<'a>(locations: impl Iterator<Item = &'a Location> + Clone) {
        for location in locations.clone() {
            location.gate.store(gate::SHUT, SeqCst);
        }
        barrier();
        let deadline = Instant::now() + LONGEST_EVENT;
        for location in locations {
            location.is_quiet.store(location.is_left(deadline), Relaxed);
        }
    }

    /// Waits until nobody is in, but not beyond `deadline`; whether that is so. Once is enough: whoever comes later finds the gate shut and
    /// does not touch the writer. As that one is in for a moment, too, a single look may always find somebody.
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

    /// Writes what is held and completes the file; all later events are refused. `None` if the location is closed already, or
    /// if an event has not ended in the time that [`shut_all`](Self::shut_all) gives it, in which case its file is not complete.
    pub fn close(&self) -> Option<Closed> {
        if self.gate.load(Relaxed) != gate::SHUT {
            Self::shut_all(core::iter::once(self));
        }
        if !self.is_quiet.swap(false, Acquire) {
            return None;
        }
        // SAFETY: see `Sync`; the gate is shut, nobody was in since, and this is the only call that comes here.
        let writer = unsafe { &mut *self.writer.get() };
        writer.write_held_flush(u64::MAX);
        writer.miss(self.missed.load(Relaxed));
        Some(writer.close())
    }
}

/// How often to look before others get the processor.
const LOOKS: u32 = if cfg!(miri) { 10 } else { 1000 };

/// How long the end of the measurement waits for events that are being recorded.
const LONGEST_EVENT: Duration = Duration::from_secs(1);

/// The other half of [`barrier`]: keeps the compiler, which no other thread can reach, from changing the order. Miri also plays
/// a processor that changes it and knows no `membarrier`, so there both halves are fences.
#[inline(always)]
fn order() {
    match cfg!(miri) {
        true => fence(SeqCst),
        false => compiler_fence(SeqCst),
    }
}

/// Tells the kernel that [`barrier`] will come. Quick while the process has one thread, as at `init`; without it a barrier takes the
/// kernel ten milliseconds and more.
pub(crate) fn register_barrier() {
    if !cfg!(miri) {
        let _ = membarrier(MembarrierCommand::RegisterPrivateExpedited);
    }
}

/// A memory barrier in every running thread of the process. Where the kernel has none, the wait for what it would order: a
/// processor does not keep a store to itself for a millisecond.
fn barrier() {
    if cfg!(miri) {
        return fence(SeqCst);
    }
    let done = membarrier(MembarrierCommand::PrivateExpedited);
    if done.or_else(|_| membarrier(MembarrierCommand::Global)).is_err() {
        std::thread::sleep(Duration::from_millis(1));
    }
}

impl core::fmt::Debug for Location {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Location").field("file", &self.file).field("gate", &self.gate).finish_non_exhaustive()
    }
}
