//! The interaction of the threads of a process.

use super::creation::CreatedThreads;
use super::idle::TeamTimes;
use super::locks::Locks;
use super::pthread_barriers::PthreadBarriers;
use super::signals::Signals;
use super::states;
use super::tasks::{Tasks, WaitingTask};
use super::teams::Teams;
use crate::waits::{EnclosingCall, WaitState};
use kymo_otf2::references::LocationRef;

/// The threads of a process.
#[derive(Debug)]
pub(super) struct ProcessThreads {
    /// The thread with the lowest id.
    pub(super) first: LocationRef,
    /// Begin and end of the known time of all threads.
    pub(super) known_time: Option<[u64; 2]>,
    pub(super) locks: Locks,
    pub(super) signals: Signals,
    /// The increments of semaphores.
    pub(super) posts: Signals,
    /// The threads that wait for semaphores.
    pub(super) semaphore_waits: Vec<(LocationRef, EnclosingCall)>,
    pub(super) created: CreatedThreads,
    pub(super) teams: Teams,
    pub(super) team_times: TeamTimes,
    pub(super) tasks: Tasks,
    pub(super) barriers: PthreadBarriers,
}

impl ProcessThreads {
    pub(super) fn new(first: LocationRef) -> Self {
        Self {
            first,
            known_time: None,
            locks: Locks::default(),
            signals: Signals::default(),
            posts: Signals::default(),
            semaphore_waits: Vec::new(),
            created: CreatedThreads::default(),
            teams: Teams::default(),
            team_times: TeamTimes::default(),
            tasks: Tasks::default(),
            barriers: PthreadBarriers::default(),
        }
    }

    /// Returns the task that a thread executes.
    pub(super) fn task_of(&self, location: LocationRef) -> WaitingTask {
        self.tasks.task_of(location, self.teams.team(location))
    }

    /// Returns the wait state of a thread in a call that waits for a semaphore, when it has ended.
    pub(super) fn at_semaphore(&self, (location, call): &(LocationRef, EnclosingCall)) -> Option<WaitState> {
        states::of_semaphore(*location, call, self.posts.for_location(*location, call.start))
    }

    /// The end of a call is known only now.
    pub(super) fn leave(&mut self, location: LocationRef, call: &EnclosingCall) {
        self.teams.leave(location, call.call, call.end);
        let task = self.task_of(location);
        self.tasks.leave(task, call.call, call.end);
        self.barriers.leave(location, call.call, call.end);
        let of_call = self.semaphore_waits.iter_mut().filter(|it| it.0 == location && it.1.call == call.call);
        of_call.for_each(|it| it.1.end = call.end);
    }
}
