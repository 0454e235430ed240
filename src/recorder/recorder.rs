//! The recorder of a process: its locations, its memory, its promises.

use core::sync::atomic::{
    AtomicBool, AtomicU8, AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
};

use kymo_otf2::references::AttributeRef;

use crate::{
    clock::Clock,
    completeness::Completeness,
    drain::{Drain, DrainSettings},
    journal::Journal,
    location::{self, Location},
    memory::{Arena, Budget},
    output::Output,
    scratch::{Pool, ScratchFile, Slots},
    tables::AddressTable,
};

/// What a location does that finds no memory for its next events.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum WhenFull {
    /// It waits until the writer gives some back, and records how long.
    #[default]
    Wait,
    /// It drops the events and counts them.
    Drop,
}

/// What the user settles about the memory of a process.
#[derive(Debug, Clone, Copy)]
pub struct MemorySettings {
    /// Bytes for events and journal; every location may have one piece more.
    pub limit: usize,
    /// What happens at the limit.
    pub when_full: WhenFull,
    /// What happens with the storage.
    pub drain: DrainSettings,
    /// The attribute that says how many records are missing in front of one; undefined: not said there.
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

/// What all locations of a process share.
#[derive(Debug)]
pub struct Shared {
    /// Where their events go.
    pub drain: Drain,
    /// What the trace promises about their events.
    pub completeness: Completeness,
    pub(crate) when_full: WhenFull,
    pub(crate) lost_events: AttributeRef,
    /// Index of the clock + 1, 0 while it is unknown.
    clock: AtomicU8,
}

impl Shared {
    /// The clock that the events have their times from, if it is known.
    pub(crate) fn clock(&self) -> Option<Clock> {
        Clock::ALL.get(usize::from(self.clock.load(Acquire)).checked_sub(1)?).copied()
    }
}

/// All locations of a process, by the address of the host's object.
#[derive(Debug)]
pub struct Recorder {
    budget: &'static Budget,
    /// Of what children must not find: the cursors into memory that they share or do not have.
    arena: Arena,
    shared: &'static Shared,
    locations: AddressTable<Location>,
    homeless: AtomicU64,
    /// False in a child, which does not have the scratch file in its memory.
    is_ours: &'static AtomicBool,
}

impl Recorder {
    /// A recorder without locations, whose memory lies in `scratch` if that is given; `None` if there is no memory for its tables.
    pub fn new(
        budget: &'static Budget,
        scratch: Option<ScratchFile>,
        settings: &MemorySettings,
    ) -> Option<Self> {
        location::register_barrier();
        let (arena, is_ours, scratch) = guard(budget, scratch)?;
        let places = Arena::new(budget);
        let pool = &*places.place(Pool::new(budget, scratch, settings.limit)?)?;
        let drain = Drain::new(pool, Slots::new(budget), Journal::new(pool, budget, is_ours), settings.drain);
        let shared = places.place(Shared {
            drain,
            completeness: Completeness::default(),
            when_full: settings.when_full,
            lost_events: settings.lost_events,
            clock: AtomicU8::new(0),
        })?;
        Some(Self {
            budget,
            arena,
            shared,
            locations: AddressTable::new(budget)?,
            homeless: AtomicU64::new(0),
            is_ours,
        })
    }

    /// The location that the host keeps at `address`.
    #[inline]
    pub fn location(&self, address: usize) -> Option<&'static Location> {
        self.locations.get(address)
    }

    /// The same for most locations, without a call.
    #[inline(always)]
    pub fn near_location(&self, address: usize) -> Option<&'static Location> {
        self.locations.get_near(address)
    }

    /// Adds a location; `None` if there is no memory for it.
    pub fn add_location(&self, address: usize) -> Option<&'static Location> {
        let (number, slot) = self.shared.drain.slots.add(self.shared.drain.pool)?;
        let location = Location::new(address, number, slot, self.shared, self.budget)?;
        let location: &'static Location = self.arena.place(location)?;
        self.locations.insert(location)?;
        Some(location)
    }

    /// The clock that the events have their times from has become known.
    pub fn set_clock(&self, clock: Clock) {
        let index = Clock::ALL.iter().position(|&it| it == clock).map_or(0, |index| index as u8 + 1);
        self.shared.clock.store(index, Release);
    }

    /// Where events go.
    pub fn drain(&self) -> &'static Drain {
        &self.shared.drain
    }

    /// Where the files go.
    pub fn output(&self) -> &'static Output {
        self.shared.drain.output()
    }

    /// What the trace promises.
    pub fn completeness(&self) -> &'static Completeness {
        &self.shared.completeness
    }

    /// Counts an event of a location that was never added.
    pub fn count_homeless(&self) {
        self.homeless.fetch_add(1, Relaxed);
        if self.is_ours.load(Relaxed) {
            self.shared.drain.pool.file().inspect(|file| file.count_homeless());
        }
    }

    /// Events of locations that were never added.
    pub fn homeless(&self) -> u64 {
        self.homeless.load(Relaxed)
    }
}

/// Where locations lie, and what is false in a child. A child must not find locations whose memory it shares with its parent; where
/// that cannot be had, the memory is not shared.
fn guard(
    budget: &'static Budget,
    scratch: Option<ScratchFile>,
) -> Option<(Arena, &'static AtomicBool, Option<ScratchFile>)> {
    let wiped = Arena::wiped_in_children(budget);
    if let Some(is_ours) = wiped.place(AtomicBool::new(true)) {
        return Some((wiped, is_ours, scratch));
    }
    if let Some(scratch) = scratch {
        let _ = scratch.remove();
    }
    let usual = Arena::new(budget);
    let is_ours = usual.place(AtomicBool::new(true))?;
    Some((usual, is_ours, None))
}
