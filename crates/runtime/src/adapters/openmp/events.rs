//! The events of teams, tasks and locks of OpenMP.
//!
//! Each takes its time, which is not before that of the location's last event.

use std::sync::atomic::Ordering::Relaxed;

use kymo_substrate::bindings::*;

use super::communicators::Team;
use super::sites::Construct;
use super::tasks::Task;
use crate::events::call;
use crate::host::Host;
use crate::locations::Location;
use crate::measurement::regions::leave_top;
use crate::measurement::{Caller, Here, Region};
use crate::thread;

const PARADIGM: u32 = SCOREP_PARADIGM_OPENMP;
/// The offset of the type in the definition of a region.
const REGION_TYPE: usize = 32;

/// Returns a time that is not before the last event of a location, which it becomes.
#[inline]
pub(super) fn settled(location: &Location, time: u64) -> u64 {
    let time = time.max(location.last_time.load(Relaxed));
    location.last_time.store(time, Relaxed);
    time
}

impl Here {
    /// Enters the region of a construct.
    pub(super) fn enter_construct(&self, region: Region) {
        self.enter_from(Caller::Library, region, self.now());
    }

    /// Enters a region at a time that may be in the past.
    #[inline]
    pub(super) fn enter_then(&self, region: Region, time: u64) {
        let (_, location) = self.parts();
        self.enter_from(Caller::Library, region, settled(location, time));
    }

    /// Leaves a region at a time that may be in the past.
    #[inline]
    pub(super) fn leave_then(&self, region: Region, time: u64) {
        let (_, location) = self.parts();
        self.leave_at(region, settled(location, time));
    }

    /// Leaves the innermost region of a construct. The place where a construct ends is another one
    /// than that where it begins, so its region is found by its type.
    pub(super) fn leave_construct(&self, construct: Construct) {
        let (host, location) = self.parts();
        let arena = host.definitions.arena;
        let kind = construct.kind();
        if let Some(region) = location.regions.find(|region| arena.word(region, REGION_TYPE) == kind) {
            self.leave(Region(region));
        }
    }

    pub(super) fn fork_team(&self, requested: u32, sequence: u32, time: u64) {
        let (host, location) = self.parts();
        let time = settled(location, time);
        call!(
            host.table(),
            SCOREP_EVENT_THREAD_FORK_JOIN_FORK: SCOREP_Substrates_ThreadForkJoinForkCb,
            location.address(), time, PARADIGM, requested, sequence
        );
    }

    pub(super) fn create_task(&self, team: &Team, creator: u32, generation: u32, time: u64) {
        let (host, location) = self.parts();
        call!(
            host.table(),
            SCOREP_EVENT_THREAD_FORK_JOIN_TASK_CREATE: SCOREP_Substrates_ThreadForkJoinTaskCreateCb,
            location.address(), time, PARADIGM, team.communicator.get(), creator, generation
        );
    }

    /// Begins a task, whose region is entered.
    pub(super) fn begin_task(&self, task: &Task, time: u64) {
        let (host, location) = self.parts();
        let (region, handle) = (task.region.get(), task.handle());
        let (team, creator, generation) = task.identity();
        host.plugins.create_task(location, handle);
        location.regions.push(region, time);
        self.read_metrics();
        call!(
            host.table(),
            SCOREP_EVENT_THREAD_FORK_JOIN_TASK_BEGIN: SCOREP_Substrates_ThreadForkJoinTaskBeginCb,
            location.address(), time, region, location.values(), PARADIGM, team, creator, generation, handle
        );
    }

    /// Switches to a task that has begun.
    pub(super) fn switch_to_task(&self, task: &Task, time: u64) {
        let (host, location) = self.parts();
        switch(host, location, task.identity(), task.handle(), time);
    }

    /// Switches to the implicit task of a member.
    pub(super) fn switch_to_member(&self, team: &Team, number: u32, time: u64) {
        let (host, location) = self.parts();
        switch(host, location, (team.communicator.get(), number, 0), location.task(), time);
    }

    pub(super) fn acquire_lock(&self, lock: u32, order: u32, time: u64) {
        let (host, location) = self.parts();
        let time = settled(location, time);
        call!(
            host.table(),
            SCOREP_EVENT_THREAD_ACQUIRE_LOCK: SCOREP_Substrates_ThreadAcquireLockCb,
            location.address(), time, PARADIGM, lock, order
        );
    }

    pub(super) fn release_lock(&self, lock: u32, order: u32, time: u64) {
        let (host, location) = self.parts();
        let time = settled(location, time);
        call!(
            host.table(),
            SCOREP_EVENT_THREAD_RELEASE_LOCK: SCOREP_Substrates_ThreadReleaseLockCb,
            location.address(), time, PARADIGM, lock, order
        );
    }
}

fn switch(
    host: &Host,
    location: &Location,
    (team, creator, generation): (u32, u32, u32),
    handle: *mut SCOREP_Task,
    time: u64,
) {
    call!(
        host.table(),
        SCOREP_EVENT_THREAD_FORK_JOIN_TASK_SWITCH: SCOREP_Substrates_ThreadForkJoinTaskSwitchCb,
        location.address(), time, location.values(), PARADIGM, team, creator, generation, handle
    );
}

/// Begins the membership of the calling thread in a team.
pub(super) fn begin_team(host: &Host, location: &Location, team: &Team, time: u64) {
    let (time, thread) = (settled(location, time), thread::id());
    call!(
        host.table(),
        SCOREP_EVENT_THREAD_FORK_JOIN_TEAM_BEGIN: SCOREP_Substrates_ThreadForkJoinTeamBeginCb,
        location.address(), time, PARADIGM, team.communicator.get(), thread
    );
}

pub(super) fn end_team(host: &Host, location: &Location, team: &Team, time: u64) {
    let time = settled(location, time);
    call!(
        host.table(),
        SCOREP_EVENT_THREAD_FORK_JOIN_TEAM_END: SCOREP_Substrates_ThreadForkJoinTeamEndCb,
        location.address(), time, PARADIGM, team.communicator.get()
    );
}

pub(super) fn join_team(host: &Host, location: &Location, time: u64) {
    let time = settled(location, time);
    call!(
        host.table(),
        SCOREP_EVENT_THREAD_FORK_JOIN_JOIN: SCOREP_Substrates_ThreadForkJoinJoinCb,
        location.address(), time, PARADIGM
    );
}

/// Ends a task, whose region is left. The metrics are those of the location's last event if another
/// thread calls this.
pub(super) fn end_task(host: &Host, location: &Location, task: &Task, time: u64) {
    let (region, handle) = (task.region.get(), task.handle());
    let (team, creator, generation) = task.identity();
    call!(
        host.table(),
        SCOREP_EVENT_THREAD_FORK_JOIN_TASK_END: SCOREP_Substrates_ThreadForkJoinTaskEndCb,
        location.address(), time, region, location.values(), PARADIGM, team, creator, generation, handle
    );
    host.plugins.complete_task(location, handle);
}

/// Leaves the regions above a depth, without reading metrics.
pub(super) fn leave_down_to(host: &Host, location: &Location, depth: usize, time: u64) {
    while location.regions.depth() > depth {
        leave_top(host, location, settled(location, time));
    }
}
