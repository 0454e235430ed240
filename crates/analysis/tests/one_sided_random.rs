//! Random events of one-sided communication, which may contradict each other.

use crate::waits::{call, waits_in};
use kymo_analysis::Selection;
use kymo_analysis::causes::{self, Kept};
use kymo_analysis_testing::*;
use kymo_otf2::enums::LockType;
use kymo_otf2::events::*;
use kymo_otf2::flags::RmaSyncLevel;
use kymo_otf2::references::GroupRef;
use kymo_testdata::random_cases;
use std::collections::BTreeMap;

/// Returns a number below a limit, from a fixed seed.
fn random_numbers() -> impl FnMut(u64) -> u64 {
    let mut random = 0x2545_F491_4F6C_DD1D_u64;
    move |below| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random % below
    }
}

/// Calls with events that `event` returns, for the name of their function.
fn random_locations(
    next: &mut impl FnMut(u64) -> u64,
    mut event: impl FnMut(&mut dyn FnMut(u64) -> u64, &str) -> Event<'static>,
) -> Vec<Vec<Timed>> {
    let names = &FUNCTIONS[6..];
    let mut locations = vec![Vec::new(); 4];
    for events in &mut locations {
        let mut time = 0;
        for _ in 0..next(30) {
            let name = names[next(names.len() as u64) as usize];
            let [begin, length] = [time + next(4), next(9)];
            time = begin + length;
            let event = (begin + next(length + 1), event(next, name));
            events.extend(call(function(name), begin, &[event], time));
        }
    }
    locations
}

/// Calls of all functions in any order.
#[test]
fn contradictory_calls_have_at_most_one_wait_state() {
    let (mut next, mut kinds) = (random_numbers(), BTreeMap::new());
    for _ in 0..1000 {
        let locations = random_locations(&mut next, |next, name| event_of(next, name));
        let found = waits_in(&trace(&locations, clock(500)), &Selection::default());
        for pair in found.windows(2).filter(|it| it[0].location == it[1].location) {
            assert!(pair[0].end <= pair[1].start, "{pair:?}");
        }
        assert!(found.iter().all(|it| it.start < it.end && it.part <= it.time()));
        found.iter().for_each(|it| *kinds.entry(it.kind).or_insert(0) += 1);
    }
    assert!(kinds.len() == 3 && kinds.values().all(|count| *count > 10), "{kinds:?}");
}

/// Events in calls of functions that do not record them.
#[test]
fn any_events_have_answers() {
    let mut next = random_numbers();
    for _ in 0..random_cases(50) {
        let mut locations = random_locations(&mut next, |next, _| any_one_sided(next));
        let others = random_locations(&mut next, |next, _| any_one_sided(next));
        // Several events in a call.
        for (events, others) in locations.iter_mut().zip(others) {
            events.extend(
                others.into_iter().filter(|(_, it)| !matches!(it, Event::Enter(_) | Event::Leave(_))),
            );
            events.sort_by_key(|it| it.0);
        }
        let trace = trace(&locations, clock(500));
        causes::of(&trace, &Selection::default(), Kept { most: 9 }).expect("causes");
    }
}

/// Returns an event that a function records.
fn event_of(mut next: &mut dyn FnMut(u64) -> u64, name: &str) -> Event<'static> {
    loop {
        let event = any_one_sided(&mut next);
        let is_it = match event {
            Event::RmaPut(_) => name == "MPI_Put",
            Event::RmaOpCompleteRemote(_) | Event::RmaOpCompleteNonBlocking(_) => name == "MPI_Win_flush",
            Event::RmaRequestLock(_) | Event::RmaAcquireLock(_) => name == "MPI_Win_lock",
            Event::RmaReleaseLock(_) => name == "MPI_Win_unlock",
            _ => ["MPI_Win_post", "MPI_Win_start", "MPI_Win_complete", "MPI_Win_wait", "MPI_Win_test"]
                .contains(&name),
        };
        if is_it {
            return event;
        }
    }
}

fn any_one_sided(next: &mut dyn FnMut(u64) -> u64) -> Event<'static> {
    let remote = [0, 1, 2, 3, 4, u32::MAX][next(6) as usize];
    let (matching_id, lock_id, win) = (next(3), 0, WINDOW);
    let lock_type = if next(3) == 0 { LockType::SHARED } else { LockType::EXCLUSIVE };
    let sync_level = [RmaSyncLevel::empty(), RmaSyncLevel::PROCESS][usize::from(next(4) > 0)];
    let group = GroupRef(next(20) as u32);
    match next(9) {
        0 => Event::RmaPut(RmaPut { win, remote, bytes: 1, matching_id }),
        1 => Event::RmaOpCompleteRemote(RmaOpCompleteRemote { win, matching_id }),
        2 => Event::RmaOpCompleteNonBlocking(RmaOpCompleteNonBlocking { win, matching_id }),
        3 => Event::RmaRequestLock(RmaRequestLock { win, remote, lock_id, lock_type }),
        4 => Event::RmaAcquireLock(RmaAcquireLock { win, remote, lock_id, lock_type }),
        5 => Event::RmaReleaseLock(RmaReleaseLock { win, remote, lock_id }),
        _ => Event::RmaGroupSync(RmaGroupSync { sync_level, win, group }),
    }
}
