//! The recorder of a process: its locations, its output, its promises.

use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::{
    completeness::Completeness,
    location::{Location, LocationFile},
    memory::{Arena, Budget},
    output::Output,
    tables::AddressTable,
};

/// What all locations of a process share.
#[derive(Debug, Default)]
pub struct Shared {
    /// Where their files go.
    pub output: Output,
    /// What the trace promises about their events.
    pub completeness: Completeness,
}

/// All locations of a process, by the address of the host's object.
#[derive(Debug)]
pub struct Recorder {
    budget: &'static Budget,
    arena: Arena,
    shared: &'static Shared,
    locations: AddressTable<Location>,
    homeless: AtomicU64,
}

impl Recorder {
    /// A recorder without locations; `None` if there is no memory for its tables.
    pub fn new(budget: &'static Budget) -> Option<Self> {
        let arena = Arena::new(budget);
        let shared = arena.place(Shared::default())?;
        Some(Self {
            budget,
            arena,
            shared,
            locations: AddressTable::new(budget)?,
            homeless: AtomicU64::new(0),
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
        let file = self.arena.place(LocationFile::default())?;
        let location: &'static Location =
            self.arena.place(Location::new(address, file, self.shared, self.budget)?)?;
        self.locations.insert(location)?;
        Some(location)
    }

    /// Where the files go.
    pub fn output(&self) -> &'static Output {
        &self.shared.output
    }

    /// What the trace promises.
    pub fn completeness(&self) -> &'static Completeness {
        &self.shared.completeness
    }

    /// Counts an event of a location that was never added.
    pub fn count_homeless(&self) {
        self.homeless.fetch_add(1, Relaxed);
    }

    /// Events of locations that were never added.
    pub fn homeless(&self) -> u64 {
        self.homeless.load(Relaxed)
    }
}
