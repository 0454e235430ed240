//! The communicators of teams.
//!
//! Each place keeps its own, one for each team that had a member there. A team is identified by the
//! place that forked it, the communicator there, and its size; the communicators of its members
//! become one at the end of the measurement. A team of one below a team of one is the same team.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fmt;
use std::ptr;
use std::sync::PoisonError;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use super::OpenMpProcess;
use super::tree::TeamPlace;
use crate::host::Host;
use crate::job;
use crate::locations::Location;
use crate::mapped::{Zeroed, zeroed};

/// The communicator of a place in teams of one kind.
pub(super) struct Team {
    pub(super) communicator: Cell<u32>,
    parent: Cell<u32>,
    size: Cell<u32>,
    /// The number of tasks that the member has created in such teams.
    pub(super) generation: Cell<u32>,
    next: Cell<*const Team>,
}

// SAFETY: pointers and integers, for all of which zero is a value.
unsafe impl Zeroed for Team {}

/// A communicator of a member.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Formed {
    communicator: u32,
    parent: u32,
    size: u32,
    number: u32,
    /// The location that forked the team, and that of the member.
    primary: u32,
    location: u32,
}

impl fmt::Debug for Team {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Team").field("communicator", &self.communicator.get()).finish_non_exhaustive()
    }
}

impl Team {
    fn at(address: *const Self) -> Option<&'static Self> {
        // SAFETY: null or a team, which is never freed.
        unsafe { address.as_ref() }
    }

    /// Returns the team of the member in a place; `None` outside of any.
    #[inline]
    pub(super) fn of_member(place: &TeamPlace) -> Option<&'static Self> {
        Self::at(place.member.team.get())
    }

    /// Returns the team of the member that is about to begin in `place`, in a team of this size.
    pub(super) fn of(
        host: &Host,
        place: &TeamPlace,
        location: &Location,
        size: u32,
    ) -> Option<&'static Self> {
        let above = place.parent()?;
        let outer = Self::of_member(above);
        if let Some(outer) = outer.filter(|outer| size == 1 && outer.size.get() == 1) {
            return Some(outer);
        }
        let parent = outer.map_or(0, |outer| outer.communicator.get());
        let mut known = Self::at(place.teams.load(Acquire));
        while let Some(team) = known {
            if team.size.get() == size && team.parent.get() == parent {
                return Some(team);
            }
            known = Self::at(team.next.get());
        }
        Self::form(host, place, location, parent, size)
    }

    #[cold]
    fn form(
        host: &Host,
        place: &TeamPlace,
        location: &Location,
        parent: u32,
        size: u32,
    ) -> Option<&'static Self> {
        let primary = place.parent().and_then(TeamPlace::location)?.id;
        let number = place.number.get();
        define_paradigm(host);
        let mut all = OpenMpProcess::of(host).formed.lock().unwrap_or_else(PoisonError::into_inner);
        let singleton = all.iter().filter(|team| team.size == 1).count() as u32;
        let communicator = host.definitions.thread_team(parent, size, number, singleton);
        if communicator == 0 {
            return None;
        }
        all.push(Formed { communicator, parent, size, number, primary, location: location.id });
        drop(all);
        let [team] = zeroed::<Self>(1)? else { return None };
        team.communicator.set(communicator);
        team.parent.set(parent);
        team.size.set(size);
        team.next.set(place.teams.load(Relaxed));
        place.teams.store(ptr::from_mut(team), Release);
        Self::at(place.teams.load(Relaxed))
    }
}

/// Defines the paradigm, once.
pub(super) fn define_paradigm(host: &Host) {
    OpenMpProcess::of(host).paradigm.get_or_init(|| host.definitions.openmp_paradigm());
}

/// The members of a team by number, as communicators and locations.
type Members = BTreeMap<u32, (u32, u32)>;

/// Defines the final communicators, at the end of the measurement, if any process of the job has
/// teams.
pub(crate) fn unify(host: &Host) {
    let formed = OpenMpProcess::of(host).formed.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let locations = host.locations.all();
    let own: Vec<u64> =
        locations.iter().filter(|_| !formed.is_empty()).map(|location| location.global_id()).collect();
    let Some((all, before)) = job::gather_lists(&own).filter(|(all, _)| !all.is_empty()) else { return };
    host.definitions.openmp_locations(&all);
    let rank = |id: u32| {
        let place = locations.iter().position(|location| location.id == id)?;
        Some(before + place as u64)
    };
    // In the order of definition, so that a parent comes before its children.
    let mut order = Vec::new();
    let mut teams: BTreeMap<(u32, u32, u32), Members> = BTreeMap::new();
    for team in &formed {
        let key = (team.primary, team.parent, team.size);
        if !teams.contains_key(&key) {
            order.push(key);
        }
        teams.entry(key).or_default().insert(team.number, (team.communicator, team.location));
    }
    for key in order {
        let Some(members) = teams.get(&key) else { continue };
        let ranks: Vec<u64> = members.values().filter_map(|&(_, location)| rank(location)).collect();
        let communicators: Vec<u32> = members.values().map(|&(communicator, _)| communicator).collect();
        host.definitions.unify_team(key.1, &communicators, &ranks);
    }
}
