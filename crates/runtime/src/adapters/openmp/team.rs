//! Teams: fork, the members' begins and ends, join.
//!
//! A runtime tells a worker about the end of a region only when it wakes the worker for another
//! one, or never. The thread that forked the team therefore closes all members at the end of its
//! own implicit task, when all of them wait in the last barrier; later reports of a worker find its
//! location closed.

use std::ptr;
use std::sync::atomic::Ordering::{Relaxed, SeqCst};
use std::sync::atomic::compiler_fence;

use super::OpenMpProcess;
use super::communicators::{Team, define_paradigm};
use super::events::{begin_team, end_team, join_team, leave_down_to};
use super::sites::{Construct, Site};
use super::state::LocationState;
use super::tasks;
use super::tree::{Open, TeamPlace};
use crate::host::{Host, Phase, host, is};
use crate::life::threads::{Coming, abandon, give};
use crate::locations::Location;
use crate::measurement::{self, Here, Region};
use crate::thread;

/// Forks a team on the calling thread. Returns the place, by which the members refer to the team.
pub(super) fn fork(
    here: &Here,
    site: &'static Site,
    construct: Construct,
    requested: u32,
) -> Option<&'static TeamPlace> {
    let (host, location) = here.parts();
    let state = LocationState::of(location)?;
    let place = state.place()?;
    define_paradigm(host);
    // One thread runs here: the regions are defined before the members need them.
    let region = site.region(construct);
    site.region(Construct::ImplicitBarrier);
    let sequence = OpenMpProcess::of(host).forks.fetch_add(1, Relaxed) + 1;
    let fork = &place.fork;
    fork.site.store(ptr::from_ref(site).cast_mut(), Relaxed);
    fork.region.store(region.0, Relaxed);
    fork.sequence.store(sequence, Relaxed);
    fork.size.store(0, Relaxed);
    fork.barrier_end.store(0, Relaxed);
    fork.is_open.set(true);
    fork.was_inside.set(thread::set_in_pool(true));
    here.fork_team(requested, sequence, here.now());
    Some(place)
}

/// Begins the membership of the calling thread in the team that was forked in `place`. Returns
/// false if it is not recorded.
pub(super) fn begin(place: &'static TeamPlace, number: u32, size: u32) -> bool {
    let Some(host) = host().filter(|_| is(Phase::On)) else { return false };
    place.fork.size.store(size, Relaxed);
    place.prepare(host, size);
    let Some(child) = place.child(number) else { return false };
    if number == 0 {
        return measurement::here().is_some_and(|here| begin_here(&here, place, child, size));
    }
    let Some(location) = take_over(host, child) else { return false };
    let state = LocationState::of(location);
    if let Some(state) = state {
        host.active.fetch_add(1, Relaxed);
        state.set_place(Some(child));
        enter(host, location, state, place, child, size);
    }
    location.leave_runtime();
    state.is_some()
}

/// Begins the member on the thread that forked the team.
fn begin_here(here: &Here, place: &'static TeamPlace, child: &'static TeamPlace, size: u32) -> bool {
    let (host, location) = here.parts();
    let state = LocationState::of(location).filter(|state| is_same(state.place(), place));
    if let Some(state) = state {
        state.set_place(Some(child));
        enter(host, location, state, place, child, size);
    }
    state.is_some()
}

fn is_same(one: Option<&TeamPlace>, other: &TeamPlace) -> bool {
    one.is_some_and(|one| ptr::eq(one, other))
}

/// Returns whether the calling thread is a member of the team that was forked in `place`.
pub(super) fn is_member(here: &Here, place: &TeamPlace) -> bool {
    let (_, location) = here.parts();
    let child = LocationState::known(location).and_then(LocationState::place);
    child.is_some_and(|child| is_same(child.parent(), place))
}

/// Gives the location of a place to the calling thread, which is inside the runtime afterwards.
fn take_over(host: &'static Host, child: &'static TeamPlace) -> Option<&'static Location> {
    let location = match child.location() {
        None => {
            let coming = Coming::begin()?;
            child.create_location(coming.host)?
        }
        Some(location) => {
            if !location.seize() {
                return None;
            }
            // As in `measurement::here`.
            compiler_fence(SeqCst);
            if !is(Phase::On) {
                location.leave_runtime();
                return None;
            }
            close_seized(host, child, location, host.clock.now());
            location.own();
            location
        }
    };
    give(host, location);
    Some(location)
}

/// Begins a member, whose thread is inside the runtime.
fn enter(
    host: &'static Host,
    location: &'static Location,
    state: &LocationState,
    place: &TeamPlace,
    child: &TeamPlace,
    size: u32,
) {
    let member = &child.member;
    let team = Team::of(host, child, location, size);
    member.team.set(team.map_or(ptr::null(), ptr::from_ref));
    member.size.set(size);
    member.base.set(location.regions.depth());
    member.outer_floor.set(location.regions.floor());
    member.outer_task.set(state.task.replace(ptr::null()));
    member.barrier.set(0);
    member.open.set(Open::default());
    member.sections.set(ptr::null());
    location.regions.set_floor(location.regions.depth());
    member.is_open.store(true, Relaxed);
    thread::set_in_pool(false);
    let now = host.clock.now();
    if let Some(team) = team {
        begin_team(host, location, team, now);
    }
    Here::of(host, location).enter_then(Region(place.fork.region.load(Relaxed)), now);
}

/// Ends the membership of the calling thread. If it forked the team, all other members end, too.
pub(super) fn end(here: &Here) {
    let (host, location) = here.parts();
    let Some(state) = LocationState::known(location) else { return };
    let Some(child) = state.place().filter(|child| child.member.is_open.load(Relaxed)) else { return };
    let now = here.now();
    if child.number.get() > 0 {
        close(host, location, state, child, now, now);
        thread::set_in_pool(true);
        abandon(host, location);
        return;
    }
    let Some(place) = child.parent() else { return };
    let left_barrier = place.fork.barrier_end.load(Relaxed);
    here.read_metrics();
    close(host, location, state, child, now, now);
    let left_barrier = if left_barrier == 0 { now } else { left_barrier };
    close_workers(host, place, left_barrier, now);
    thread::set_in_pool(true);
}

/// Closes the members of a team other than that of the calling thread.
fn close_workers(host: &'static Host, place: &TeamPlace, left_barrier: u64, now: u64) {
    for number in 1..place.fork.size.load(Relaxed) {
        let Some(child) = place.child(number) else { continue };
        let Some(location) = child.location() else { continue };
        if !location.seize() {
            continue;
        }
        close_seized_at(host, child, location, left_barrier, now);
        location.leave_runtime();
    }
}

fn close_seized(host: &'static Host, child: &'static TeamPlace, location: &'static Location, now: u64) {
    close_seized_at(host, child, location, now, now);
}

/// Closes a member whose location the calling thread has seized.
fn close_seized_at(
    host: &'static Host,
    child: &TeamPlace,
    location: &'static Location,
    left_barrier: u64,
    now: u64,
) {
    let Some(state) = LocationState::known(location) else { return };
    if !child.member.is_open.load(Relaxed) {
        return;
    }
    if location.has_waiting() {
        measurement::catch_up(host, location);
    }
    // A nested team that the member forked and that was not closed.
    while let Some(inner) = state.place().filter(|inner| !ptr::eq(*inner, child)) {
        if !close_innermost(host, location, state, inner, now) {
            break;
        }
    }
    close(host, location, state, child, left_barrier, now);
    abandon(host, location);
}

/// Leaves the regions of a member, and ends it. The calling thread is inside the location.
fn close(
    host: &'static Host,
    location: &'static Location,
    state: &LocationState,
    child: &TeamPlace,
    left_barrier: u64,
    now: u64,
) {
    let member = &child.member;
    tasks::end_all(host, location, state, now);
    let base = member.base.get();
    let barrier = member.barrier.replace(0);
    if barrier != 0 && location.regions.top() == Some(barrier) && location.regions.depth() > base {
        leave_down_to(host, location, location.regions.depth() - 1, left_barrier);
    }
    leave_down_to(host, location, base, now);
    if let Some(team) = Team::of_member(child) {
        end_team(host, location, team, now);
    }
    member.is_open.store(false, Relaxed);
    member.team.set(ptr::null());
    location.regions.set_floor(member.outer_floor.get());
    state.task.set(member.outer_task.replace(ptr::null()));
    state.set_place(if child.number.get() == 0 { child.parent() } else { None });
}

/// Joins the team that the calling thread forked.
pub(super) fn join(here: &Here, place: &TeamPlace) {
    let (host, location) = here.parts();
    if place.location().is_some_and(|own| own.id == location.id) && place.fork.is_open.replace(false) {
        thread::set_in_pool(place.fork.was_inside.get());
        join_team(host, location, here.now());
    }
}

/// Closes everything that is open in OpenMP on a location whose thread does not record any more.
pub(crate) fn close_all(host: &'static Host, location: &'static Location, now: u64) {
    let Some(state) = LocationState::known(location) else { return };
    while let Some(place) = state.place() {
        if !close_innermost(host, location, state, place, now) {
            break;
        }
    }
}

/// Closes the team that was forked in the innermost place, and the member there. Returns false if
/// nothing is open.
fn close_innermost(
    host: &'static Host,
    location: &'static Location,
    state: &LocationState,
    place: &TeamPlace,
    now: u64,
) -> bool {
    if place.fork.is_open.replace(false) {
        join_team(host, location, now);
    }
    let is_open = place.member.is_open.load(Relaxed);
    if is_open {
        close(host, location, state, place, now, now);
    }
    is_open
}
