//! The recorder of a process: its tracks, its memory, and the promises of its trace.

use core::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use kymo_otf2::references::AttributeRef;

use crate::{
    clock::Clock,
    completeness::Completeness,
    drain::{Buffers, Drain, DrainSettings},
    journal::Journal,
    memory::{Budget, Bump},
    output::Output,
    scratch::{Pool, ScratchFile, Slots},
    tables::AddressTable,
    track::{self, Shared, Track, WhenFull},
};

/// The user's choices about the memory of a process.
#[derive(Debug, Clone, Copy)]
pub struct MemorySettings {
    /// The number of bytes for events and the journal. Every track may exceed it by one piece.
    pub limit: usize,
    /// The behaviour of tracks at the limit.
    pub when_full: WhenFull,
    /// How events are drained to storage.
    pub drain: DrainSettings,
    /// The attribute that records how many events are missing before an event. If it is undefined,
    /// that number is not recorded.
    pub lost_events: AttributeRef,
}

impl Default for MemorySettings {
    fn default() -> Self {
        Self {
            limit: 64 << 20,
            when_full: WhenFull::Wait,
            drain: DrainSettings::default(),
            lost_events: AttributeRef::UNDEFINED,
        }
    }
}

/// The recorder of a process. Its tracks are indexed by the address of the host's object.
#[derive(Debug)]
pub struct Recorder {
    budget: &'static Budget,
    /// Memory that children must not see: the cursors into memory that they share with the parent
    /// or do not have.
    unshared: Bump,
    shared: &'static Shared,
    tracks: AddressTable<Track>,
    untracked: AtomicU64,
    /// False in a child, where the scratch file is not mapped.
    is_ours: &'static AtomicBool,
}

impl Recorder {
    /// Creates a recorder without tracks, with its memory in `scratch` if one is given. Returns
    /// `None` if there is no memory for its tables.
    pub fn new(
        budget: &'static Budget,
        scratch: Option<ScratchFile>,
        settings: &MemorySettings,
    ) -> Option<Self> {
        track::register_barrier();
        let (unshared, is_ours, scratch) = guard(budget, scratch)?;
        let bump = Bump::new(budget);
        let pool = &*bump.place(Pool::new(budget, scratch, settings.limit)?)?;
        let journal = Journal::new(pool, budget, is_ours);
        let drain = Drain::new(Buffers { pool, slots: Slots::new(budget), journal }, settings.drain);
        let shared = bump.place(Shared::new(drain, settings.when_full, settings.lost_events))?;
        Some(Self {
            budget,
            unshared,
            shared,
            tracks: AddressTable::new(budget)?,
            untracked: AtomicU64::new(0),
            is_ours,
        })
    }

    /// Returns the track of the location that the host keeps at `address`.
    #[inline]
    pub fn track(&self, address: usize) -> Option<&'static Track> {
        self.tracks.get(address)
    }

    /// Like [`track`](Self::track), but makes no function call and misses a few tracks.
    #[inline(always)]
    pub fn cached_track(&self, address: usize) -> Option<&'static Track> {
        self.tracks.get_near(address)
    }

    /// Adds a track for the location at `address`. Returns `None` if there is no memory for it.
    pub fn add_track(&self, address: usize) -> Option<&'static Track> {
        let (number, slot) = self.shared.drain.add_slot()?;
        let track = Track::new(address, number, slot, self.shared, self.budget)?;
        let track: &'static Track = self.unshared.place(track)?;
        self.tracks.insert(track)?;
        Some(track)
    }

    /// Sets the clock that the events take their times from.
    pub fn set_clock(&self, clock: Clock) {
        self.shared.set_clock(clock);
    }

    /// Returns the drain, which receives the events.
    pub fn drain(&self) -> &'static Drain {
        &self.shared.drain
    }

    /// Returns the output, which the files are written to.
    pub fn output(&self) -> &'static Output {
        self.shared.drain.output()
    }

    /// Returns the promises that the trace makes.
    pub fn completeness(&self) -> &'static Completeness {
        &self.shared.completeness
    }

    /// Counts an event for a location that has no track.
    pub fn count_untracked(&self) {
        self.untracked.fetch_add(1, Relaxed);
        if self.is_ours.load(Relaxed)
            && let Some(file) = self.shared.drain.pool().file()
        {
            file.count_untracked();
        }
    }

    /// Returns the number of events for locations that have no track.
    pub fn untracked(&self) -> u64 {
        self.untracked.load(Relaxed)
    }
}

/// Returns the memory for tracks and the flag that is false in a child. A child must not find
/// tracks whose memory it shares with its parent. If the system cannot ensure that, the scratch
/// file is removed and the memory is not shared.
fn guard(
    budget: &'static Budget,
    scratch: Option<ScratchFile>,
) -> Option<(Bump, &'static AtomicBool, Option<ScratchFile>)> {
    let wiped = Bump::wiped_in_children(budget);
    if let Some(is_ours) = wiped.place(AtomicBool::new(true)) {
        return Some((wiped, is_ours, scratch));
    }
    if let Some(scratch) = scratch {
        let _ = scratch.remove();
    }
    let usual = Bump::new(budget);
    let is_ours = usual.place(AtomicBool::new(true))?;
    Some((usual, is_ours, None))
}
