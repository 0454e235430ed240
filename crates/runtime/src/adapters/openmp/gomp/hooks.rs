//! Hooks that the C functions call: each passes the event on to the event layer.

use std::ffi::c_void;
use std::ptr;

use super::find::records;
use crate::adapters::openmp::locks::{self, Function, LockKind};
use crate::adapters::openmp::sites::{Construct, Site, site_at};
use crate::adapters::openmp::target::{self, TargetKind};
use crate::adapters::openmp::tasks::{self, Task};
use crate::adapters::openmp::team;
use crate::adapters::openmp::tree::TeamPlace;
use crate::adapters::openmp::work::{self, Schedule};
use crate::measurement::{self, Here};
use crate::next::keeping_errno;

/// Executes an action with the location of the calling thread.
#[inline]
fn here(action: impl FnOnce(&Here)) {
    if records() {
        keeping_errno(|| {
            if let Some(here) = measurement::here() {
                action(&here);
            }
        });
    }
}

fn site(caller: *const c_void) -> &'static Site {
    site_at(caller.addr())
}

/// Returns the place in which a team was forked.
fn place(address: *const c_void) -> Option<&'static TeamPlace> {
    // SAFETY: null, or the result of `kymo_gomp_fork`, which the C functions keep.
    unsafe { TeamPlace::at(address.cast()) }
}

fn schedule(number: u32) -> Schedule {
    match number {
        0 => Schedule::Static,
        1 => Schedule::Dynamic,
        2 => Schedule::Guided,
        _ => Schedule::Other,
    }
}

/// Forks a team; returns null if it is not recorded.
#[unsafe(no_mangle)]
extern "C" fn kymo_gomp_fork(caller: *const c_void, requested: u32) -> *const TeamPlace {
    let mut place = ptr::null();
    if records() {
        keeping_errno(|| {
            let here = measurement::here_or_orphan();
            let forked =
                here.and_then(|here| team::fork(&here, site(caller), Construct::Parallel, requested));
            place = forked.map_or(ptr::null(), ptr::from_ref);
        });
    }
    place
}

/// Joins a team. All members have ended their functions.
#[unsafe(no_mangle)]
extern "C" fn kymo_gomp_join(address: *const c_void) {
    here(|here| {
        let Some(place) = place(address) else { return };
        if team::is_member(here, place) {
            work::end_barrier(here);
            team::end(here);
        }
        team::join(here, place);
    });
}

/// Begins a member, with the construct that the region is combined with: 0 for none, the schedule +
/// 1 of a loop, or 16 for sections.
#[unsafe(no_mangle)]
extern "C" fn kymo_gomp_begin(address: *const c_void, number: u32, size: u32, work: u32) {
    const SECTIONS: u32 = 16;
    let Some(place) = place(address).filter(|_| records()) else { return };
    keeping_errno(|| team::begin(place, number, size));
    let Some(site) = place.site().filter(|_| work > 0) else { return };
    here(|here| match work {
        SECTIONS => work::begin_sections(here, site),
        _ => work::begin_loop(here, site, schedule(work - 1)),
    });
}

/// Ends the function of a member, which now waits for the others.
#[unsafe(no_mangle)]
extern "C" fn kymo_gomp_end(address: *const c_void) {
    let is_alone = place(address).is_none_or(TeamPlace::is_alone);
    here(|here| {
        work::settle(here);
        if !is_alone {
            work::begin_barrier(here, Construct::ImplicitBarrier, None);
        }
    });
}

#[unsafe(no_mangle)]
extern "C" fn kymo_gomp_loop(caller: *const c_void, number: u32) {
    here(|here| {
        work::settle(here);
        work::begin_loop(here, site(caller), schedule(number));
    });
}

#[unsafe(no_mangle)]
extern "C" fn kymo_gomp_loop_end() {
    here(|here| here.leave_construct(Construct::Loop));
}

#[unsafe(no_mangle)]
extern "C" fn kymo_gomp_barrier(caller: *const c_void, is_implicit: bool) {
    let construct = if is_implicit { Construct::ImplicitBarrier } else { Construct::Barrier };
    here(|here| {
        work::settle(here);
        work::begin_barrier(here, construct, Some(site(caller)));
    });
}

#[unsafe(no_mangle)]
extern "C" fn kymo_gomp_barrier_end() {
    here(work::end_barrier);
}

/// Begins to wait for tasks; those of a group are waited for in its region.
#[unsafe(no_mangle)]
extern "C" fn kymo_gomp_wait(caller: *const c_void, is_group: bool) {
    here(|here| match is_group {
        true => work::wait_inside(),
        false => work::begin_wait(here, Construct::Taskwait, site(caller)),
    });
}

#[unsafe(no_mangle)]
extern "C" fn kymo_gomp_wait_end(is_group: bool) {
    here(|here| work::end_wait(here, if is_group { Construct::Taskgroup } else { Construct::Taskwait }));
}

#[unsafe(no_mangle)]
extern "C" fn kymo_gomp_group(caller: *const c_void) {
    here(|here| here.enter_construct(site(caller).region(Construct::Taskgroup)));
}

/// Returns the time; 0 if nothing is recorded.
#[unsafe(no_mangle)]
extern "C" fn kymo_gomp_now() -> u64 {
    let mut now = 0;
    here(|here| now = here.now());
    now
}

/// Returns the kind and the address of the lock of a critical section or of the ordered blocks of a
/// team.
fn lock_of(here: &Here, is_ordered: bool, lock: usize) -> (LockKind, usize) {
    match is_ordered {
        true => (LockKind::Ordered, work::team_address(here)),
        false => (LockKind::Critical, lock),
    }
}

#[unsafe(no_mangle)]
extern "C" fn kymo_gomp_enter(caller: *const c_void, is_ordered: bool, lock: usize, since: u64) {
    here(|here| {
        let (kind, lock) = lock_of(here, is_ordered, lock);
        locks::enter_block(here, kind, lock, site(caller), since);
    });
}

#[unsafe(no_mangle)]
extern "C" fn kymo_gomp_leave(is_ordered: bool, lock: usize) {
    here(|here| {
        let (kind, lock) = lock_of(here, is_ordered, lock);
        locks::leave_block(here, kind, lock);
    });
}

#[unsafe(no_mangle)]
extern "C" fn kymo_gomp_single(caller: *const c_void, executes: bool, since: u64) {
    here(|here| {
        work::settle(here);
        work::begin_single(here, site(caller), executes, since);
        if !executes {
            work::end_single(here);
        }
    });
}

#[unsafe(no_mangle)]
extern "C" fn kymo_gomp_single_end() {
    here(work::end_single);
}

#[unsafe(no_mangle)]
extern "C" fn kymo_gomp_sections(caller: *const c_void) {
    here(|here| {
        work::settle(here);
        work::begin_sections(here, site(caller));
    });
}

/// Begins the section with this number, or none with 0.
#[unsafe(no_mangle)]
extern "C" fn kymo_gomp_section(number: u32) {
    here(|here| match number {
        0 => work::end_section(here),
        _ => work::begin_section(here, None),
    });
}

#[unsafe(no_mangle)]
extern "C" fn kymo_gomp_sections_end() {
    here(work::end_sections);
}

/// Creates a task; returns null if it is not recorded.
#[unsafe(no_mangle)]
extern "C" fn kymo_gomp_task(caller: *const c_void, flags: u32) -> *const Task {
    const UNTIED: u32 = 1;
    let mut task = ptr::null();
    here(|here| {
        let created = tasks::create(here, site(caller), flags & UNTIED != 0);
        task = created.map_or(ptr::null(), ptr::from_ref);
    });
    task
}

#[unsafe(no_mangle)]
extern "C" fn kymo_gomp_task_begin(address: *const Task) {
    // SAFETY: the result of `kymo_gomp_task`, which the C functions keep.
    let task = unsafe { Task::at(address) };
    here(|here| {
        if task.is_some() {
            tasks::schedule(here, false, task);
        }
    });
}

#[unsafe(no_mangle)]
extern "C" fn kymo_gomp_task_end(address: *const Task) {
    // SAFETY: as above.
    let task = unsafe { Task::at(address) };
    here(|here| {
        if let Some(task) = task {
            tasks::finish(here, task);
        }
    });
}

#[unsafe(no_mangle)]
extern "C" fn kymo_gomp_lock(lock: usize, is_nest: bool, function: u32, since: u64) {
    let Some(function) = Function::numbered(function) else { return };
    here(|here| match is_nest && locks::is_held(here, lock) {
        true => locks::acquired_again(here, lock, function, since),
        false => locks::acquired(here, kind(is_nest), lock, function, since),
    });
}

#[unsafe(no_mangle)]
extern "C" fn kymo_gomp_unlock(lock: usize, is_nest: bool) {
    let function = if is_nest { Function::UnsetNest } else { Function::Unset };
    here(|here| {
        let is_last = !is_nest || locks::is_held_once(here, lock);
        locks::released(here, kind(is_nest), lock, function, is_last);
    });
}

fn kind(is_nest: bool) -> LockKind {
    if is_nest { LockKind::Nest } else { LockKind::Simple }
}

#[unsafe(no_mangle)]
extern "C" fn kymo_gomp_lock_call(function: u32) {
    let Some(function) = Function::numbered(function) else { return };
    here(|here| locks::called(here, function));
}

/// Begins a construct for a device, which the calling thread executes or waits for.
#[unsafe(no_mangle)]
extern "C" fn kymo_gomp_target(caller: *const c_void, number: u32, is_deferred: bool) {
    let Some(kind) = TargetKind::numbered(number) else { return };
    here(|here| target::begin(here, site(caller), kind, is_deferred));
}

#[unsafe(no_mangle)]
extern "C" fn kymo_gomp_target_end() {
    here(target::end);
}
