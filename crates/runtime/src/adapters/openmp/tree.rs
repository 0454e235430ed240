//! The places in teams, as a tree: the children of a place are the members of the teams that the
//! thread in that place forks.
//!
//! A place keeps its location and its communicators, whichever thread takes it in the next team.
//! Number 0 of a team has the location of the thread that forked it. A thread forks one team at a
//! time, so a place contains the team that is forked there and the member that is there.
//! Invariants: places are never freed; fields that are not atomic belong to the thread that has the
//! location, or to the one that has seized it.

use std::cell::Cell;
use std::fmt::Write as _;
use std::ptr;
use std::sync::PoisonError;
use std::sync::atomic::{
    AtomicBool, AtomicPtr, AtomicU32, AtomicU64,
    Ordering::{AcqRel, Acquire, Relaxed, Release},
};

use super::OpenMpProcess;
use super::communicators::Team;
use super::sites::Site;
use super::tasks::Task;
use crate::host::Host;
use crate::life::threads;
use crate::locations::Location;
use crate::mapped::{Zeroed, zeroed};
use crate::measurement;

/// The largest number of a thread that is recorded.
const MOST: u32 = 1 << 16;
/// The number of children that are allocated together.
const CHUNK: usize = 64;

/// A place in a team, or that of a thread outside of any.
pub(super) struct TeamPlace {
    /// The measurement in this line of processes.
    generation: Cell<u32>,
    /// Null for a thread outside of any team.
    pub(super) parent: Cell<*const TeamPlace>,
    pub(super) number: Cell<u32>,
    pub(super) location: AtomicPtr<Location>,
    /// The definition of the location, which is made for all members when the first of them comes.
    handle: AtomicU32,
    children: AtomicPtr<Children>,
    /// The number of children whose locations are defined.
    prepared: AtomicU32,
    /// The communicators of the teams that had a member here.
    pub(super) teams: AtomicPtr<Team>,
    pub(super) fork: Fork,
    pub(super) member: Member,
}

/// The team that the thread in a place has forked.
pub(super) struct Fork {
    pub(super) is_open: Cell<bool>,
    pub(super) site: AtomicPtr<Site>,
    /// The region that the members enter.
    pub(super) region: AtomicU32,
    /// The number of the fork in the process.
    pub(super) sequence: AtomicU32,
    pub(super) size: AtomicU32,
    /// When the first member left the barrier at the end; 0 before.
    pub(super) barrier_end: AtomicU64,
    /// Whether the thread was inside the OpenMP runtime when it forked.
    pub(super) was_inside: Cell<bool>,
}

/// The implicit task in a place.
pub(super) struct Member {
    pub(super) is_open: AtomicBool,
    /// The communicator; null outside of any team.
    pub(super) team: Cell<*const Team>,
    pub(super) size: Cell<u32>,
    /// The number of regions that were open when it began, and the floor at that time.
    pub(super) base: Cell<usize>,
    pub(super) outer_floor: Cell<usize>,
    /// The explicit task that forked the team.
    pub(super) outer_task: Cell<*const Task>,
    /// The region of the barrier that the member is in.
    pub(super) barrier: Cell<u32>,
    /// The regions of the constructs that end without a call.
    pub(super) open: Cell<Open>,
    /// Where the sections are that the member executes.
    pub(super) sections: Cell<*const Site>,
}

/// Constructs whose end is known only by the events that follow.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Open {
    pub(super) single: u32,
    pub(super) section: u32,
}

struct Children {
    places: [AtomicPtr<TeamPlace>; CHUNK],
    next: AtomicPtr<Self>,
}

// SAFETY: pointers, integers and booleans, for all of which zero is a value.
unsafe impl Zeroed for TeamPlace {}
// SAFETY: as above.
unsafe impl Zeroed for Children {}

impl TeamPlace {
    fn new(parent: *const Self, number: u32) -> Option<&'static Self> {
        let [place] = zeroed::<Self>(1)? else { return None };
        place.generation.set(measurement::generation());
        place.parent.set(parent);
        place.number.set(number);
        Some(place)
    }

    /// Creates the place of a thread outside of any team.
    pub(super) fn root(location: &'static Location) -> Option<&'static Self> {
        let place = Self::new(ptr::null(), 0)?;
        place.set_location(location);
        Some(place)
    }

    /// Returns the place at an address that an OpenMP runtime kept; `None` if it is from the parent
    /// of a forked child.
    ///
    /// # Safety
    ///
    /// The address must be null or that of a place.
    pub(super) unsafe fn at(address: *const Self) -> Option<&'static Self> {
        // SAFETY: the address is null or that of a place, and places are never freed.
        let place = unsafe { address.as_ref() }?;
        (place.generation.get() == measurement::generation()).then_some(place)
    }

    pub(super) fn parent(&self) -> Option<&'static Self> {
        // SAFETY: null or a place.
        unsafe { Self::at(self.parent.get()) }
    }

    pub(super) fn location(&self) -> Option<&'static Location> {
        // SAFETY: null or a location, which is never freed.
        unsafe { self.location.load(Acquire).as_ref() }
    }

    pub(super) fn set_location(&self, location: &'static Location) {
        self.location.store(ptr::from_ref(location).cast_mut(), Release);
    }

    pub(super) fn site(&self) -> Option<&'static Site> {
        // SAFETY: null or a site, which is never freed.
        unsafe { self.fork.site.load(Relaxed).as_ref() }
    }

    /// Returns whether the team that is forked here has one member.
    pub(super) fn is_alone(&self) -> bool {
        self.fork.size.load(Relaxed) <= 1
    }

    /// Returns the member with this number of the teams that are forked here, if there was one.
    pub(super) fn child(&self, number: u32) -> Option<&'static Self> {
        // SAFETY: null or a place.
        unsafe { self.slot(number, false)?.load(Acquire).as_ref() }
    }

    fn slot(&self, number: u32, may_add: bool) -> Option<&AtomicPtr<Self>> {
        let mut place = &self.children;
        for _ in 0..number as usize / CHUNK {
            place = &children(place, may_add)?.next;
        }
        children(place, may_add)?.places.get(number as usize % CHUNK)
    }

    /// Makes the places of all members of a team of this size, and defines their locations, so that
    /// these are numbered as the threads are.
    pub(super) fn prepare(&self, host: &Host, size: u32) {
        if self.prepared.load(Acquire) >= size || size > MOST {
            return;
        }
        let _one_at_a_time = OpenMpProcess::of(host).tree.lock().unwrap_or_else(PoisonError::into_inner);
        for number in self.prepared.load(Acquire)..size {
            let (Some(slot), Some(child)) = (self.slot(number, true), Self::new(self, number)) else {
                return;
            };
            match (number, self.location()) {
                (0, Some(location)) => child.set_location(location),
                (0, None) => return,
                _ => child.handle.store(threads::define(host, child.name().as_bytes()), Relaxed),
            }
            slot.store(ptr::from_ref(child).cast_mut(), Release);
            self.prepared.store(number + 1, Release);
        }
    }

    /// Returns the name of the location, as in Score-P: the numbers on the path to the place.
    fn name(&self) -> String {
        let mut numbers = vec![self.number.get()];
        let mut above = self.parent();
        while let Some(place) = above.filter(|place| !place.parent.get().is_null()) {
            numbers.push(place.number.get());
            above = place.parent();
        }
        let mut name = String::from("OMP thread ");
        for (place, number) in numbers.iter().rev().enumerate() {
            let separator = if place > 0 { ":" } else { "" };
            // Writing to a string cannot fail.
            let _ = write!(name, "{separator}{number}");
        }
        name
    }

    /// Creates the location of a member that is here for the first time. The calling thread is
    /// inside the runtime afterwards.
    pub(super) fn create_location(&self, host: &Host) -> Option<&'static Location> {
        let handle = self.handle.load(Relaxed);
        let parent = self.parent().and_then(Self::location)?;
        if handle == 0 {
            return None;
        }
        let sequence = self.parent()?.fork.sequence.load(Relaxed);
        let location = threads::create_shared(host, handle, parent, sequence);
        self.set_location(location);
        Some(location)
    }
}

fn children(place: &AtomicPtr<Children>, may_add: bool) -> Option<&'static Children> {
    // SAFETY: null or children, which are never freed.
    let known = unsafe { place.load(Acquire).as_ref() };
    if known.is_some() || !may_add {
        return known;
    }
    let [new] = zeroed::<Children>(1)? else { return None };
    // Children are added under a lock, so no other thread adds them here.
    let _ = place.compare_exchange(ptr::null_mut(), new, AcqRel, Acquire);
    // SAFETY: as above.
    unsafe { place.load(Acquire).as_ref() }
}
