//! Locks, teams, threads and tasks.

use kymo_otf2::enums::Paradigm;
use kymo_otf2::events::*;

use super::{Case, case};
use crate::check_common::Trace;
use crate::check_common::world::*;

pub fn cases() -> Vec<Case> {
    [locks(), teams(), threads(), tasks()].into_iter().flatten().collect()
}

fn acquire(acquisition_order: u32) -> ThreadAcquireLock {
    ThreadAcquireLock { model: Paradigm::OPENMP, lock_id: 1, acquisition_order }
}

fn release(acquisition_order: u32) -> ThreadReleaseLock {
    ThreadReleaseLock { model: Paradigm::OPENMP, lock_id: 1, acquisition_order }
}

fn locks() -> Vec<Case> {
    vec![
        case("lock-not-held", |trace, faulty| {
            if !faulty {
                trace.event(0, 10, acquire(1));
            }
            trace.event(0, 20, release(1));
        }),
        case("lock-not-released", |trace, faulty| {
            trace.event(0, 10, OmpAcquireLock { lock_id: 1, acquisition_order: 1 });
            if !faulty {
                trace.event(0, 20, OmpReleaseLock { lock_id: 1, acquisition_order: 1 });
            }
        }),
        case("lock-order", |trace, faulty| {
            trace.event(0, 10, acquire(1));
            trace.event(0, 20, release(if faulty { 2 } else { 1 }));
        }),
        case("lock-order", |trace, faulty| {
            for (time, order) in [(10, 2), (30, if faulty { 1 } else { 3 })] {
                trace.event(0, time, acquire(order));
                trace.event(0, time + 10, release(order));
            }
        }),
        case("lock-order", a_nestable_lock_set_again_keeps_its_number),
        case("lock-held-twice", |trace, faulty| {
            trace.event(0, 10, acquire(1));
            trace.event(0, 20, release(1));
            trace.event(2, if faulty { 15 } else { 20 }, acquire(2));
            trace.event(2, 30, release(2));
        }),
    ]
}

/// A nestable lock that its holder sets again keeps its acquisition number; a new acquisition has a
/// new number.
fn a_nestable_lock_set_again_keeps_its_number(trace: &mut Trace, faulty: bool) {
    trace.event(0, 10, acquire(1));
    if faulty {
        trace.event(0, 15, release(1));
    }
    trace.event(0, 20, acquire(1));
    trace.event(0, 30, release(1));
    if !faulty {
        trace.event(0, 40, release(1));
    }
}

fn teams() -> Vec<Case> {
    vec![
        case("join-without-fork", |trace, faulty| {
            if !faulty {
                trace.event(0, 10, OmpFork { number_of_requested_threads: 2 });
            }
            trace.event(0, 20, OmpJoin {});
        }),
        case("team-end-without-begin", |trace, faulty| {
            if !faulty {
                trace.event(0, 10, ThreadTeamBegin { thread_team: TEAM });
            }
            trace.event(0, 20, ThreadTeamEnd { thread_team: TEAM });
        }),
        case("not-joined", |trace, faulty| {
            trace.event(0, 10, ThreadFork { model: Paradigm::OPENMP, number_of_requested_threads: 2 });
            if !faulty {
                trace.event(0, 20, ThreadJoin { model: Paradigm::OPENMP });
            }
        }),
    ]
}

/// Adds the life of a thread: creation, begin, end, wait. A step with time 0 is left out.
fn thread(trace: &mut Trace, sequence_count: u64, times: [u64; 4]) {
    let thread_contingent = TEAM;
    let [create, begin, end, wait] = times;
    if create > 0 {
        trace.event(0, create, ThreadCreate { thread_contingent, sequence_count });
    }
    if begin > 0 {
        trace.event(2, begin, ThreadBegin { thread_contingent, sequence_count });
    }
    if end > 0 {
        trace.event(2, end, ThreadEnd { thread_contingent, sequence_count });
    }
    if wait > 0 {
        trace.event(0, wait, ThreadWait { thread_contingent, sequence_count });
    }
}

fn threads() -> Vec<Case> {
    vec![
        case("thread-twice", |trace, faulty| {
            trace.event(
                0,
                1,
                ThreadCreate { thread_contingent: TEAM, sequence_count: if faulty { 1 } else { 2 } },
            );
            thread(trace, 1, [10, 20, 30, 40]);
            if !faulty {
                thread(trace, 2, [0, 50, 60, 0]);
            }
        }),
        case("thread-order", |trace, faulty| thread(trace, 1, [25, 20, if faulty { 30 } else { 29 }, 29])),
        case("thread-order", |trace, faulty| thread(trace, 1, [10, 20, 41, if faulty { 40 } else { 41 }])),
        case("thread-not-created", |trace, faulty| {
            thread(trace, 1, [if faulty { 0 } else { 10 }, 20, 30, 0])
        }),
        case("thread-not-begun", |trace, faulty| match faulty {
            true => thread(trace, 1, [10, 0, 0, 0]),
            false => thread(trace, 1, [10, 20, 30, 0]),
        }),
        case("thread-not-ended", |trace, faulty| thread(trace, 1, [10, 20, if faulty { 0 } else { 30 }, 0])),
    ]
}

fn create(generation_number: u32) -> ThreadTaskCreate {
    ThreadTaskCreate { thread_team: TEAM, creating_thread: 0, generation_number }
}

fn switch(generation_number: u32) -> ThreadTaskSwitch {
    ThreadTaskSwitch { thread_team: TEAM, creating_thread: 0, generation_number }
}

fn complete(generation_number: u32) -> ThreadTaskComplete {
    ThreadTaskComplete { thread_team: TEAM, creating_thread: 0, generation_number }
}

fn tasks() -> Vec<Case> {
    vec![
        case("task-not-alive", |trace, faulty| {
            if !faulty {
                trace.event(2, 10, create(1));
            }
            // At the time of the creation on another thread, which is later in the order of
            // locations.
            trace.event(0, 10, switch(1));
            trace.event(0, 20, switch(0));
            if !faulty {
                trace.event(0, 30, complete(1));
            }
        }),
        case("task-not-alive", |trace, faulty| {
            trace.event(0, 10, create(1));
            trace.event(0, 20, complete(1));
            trace.event(0, 30, switch(if faulty { 1 } else { 0 }));
        }),
        case("task-created-twice", |trace, faulty| {
            trace.event(0, 10, OmpTaskCreate { task_id: 1 });
            trace.event(0, 20, OmpTaskCreate { task_id: if faulty { 1 } else { 2 } });
            trace.event(0, 30, OmpTaskComplete { task_id: 1 });
            if !faulty {
                trace.event(0, 40, OmpTaskComplete { task_id: 2 });
            }
        }),
        case("task-not-complete", |trace, faulty| {
            trace.event(0, 10, create(1));
            if !faulty {
                trace.event(2, 20, complete(1));
            }
        }),
    ]
}
