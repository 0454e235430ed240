//! Waits for locks of windows, by rule. Locations are ranks; times are written as they are meant.

use crate::one_sided::{listed, put, put_event};
use crate::waits::call;
use kymo_analysis_testing::*;
use kymo_otf2::enums::LockType;
use kymo_otf2::events::*;

const NONE: [&str; 0] = [];
/// The rank that stands for all targets.
const ALL: u32 = u32::MAX;

fn request(remote: u32, lock_type: LockType, [start, end]: [u64; 2]) -> Vec<Timed> {
    let request = RmaRequestLock { win: WINDOW, remote, lock_id: 0, lock_type };
    call(function("MPI_Win_lock"), start, &[(start, Event::RmaRequestLock(request))], end)
}

pub(crate) fn lock(times: [u64; 2]) -> Vec<Timed> {
    request(0, LockType::EXCLUSIVE, times)
}

fn unlock_of(remote: u32, start: u64, time: u64, end: u64) -> Vec<Timed> {
    let release = RmaReleaseLock { win: WINDOW, remote, lock_id: 0 };
    call(function("MPI_Win_unlock"), start, &[(time, Event::RmaReleaseLock(release))], end)
}

pub(crate) fn unlock(start: u64, time: u64, end: u64) -> Vec<Timed> {
    unlock_of(0, start, time, end)
}

/// The waits of an origin, rank 2, while rank 1 has a lock of rank 0 until 50.
fn waits_for_a_lock(remote: u32, lock_type: LockType, origin: &[Vec<Timed>]) -> Vec<String> {
    let holder = [request(remote, lock_type, [10, 12]), unlock_of(remote, 48, 50, 52)].concat();
    listed(&[vec![], holder, origin.concat()])
}

#[test]
fn an_origin_waits_for_a_lock_that_another_one_has() {
    let origin = [lock([20, 55]), unlock(60, 60, 61)];
    assert_eq!(waits_for_a_lock(0, LockType::EXCLUSIVE, &origin), ["rma_lock 2: 20-50 1"]);
    assert_eq!(waits_for_a_lock(0, LockType::SHARED, &origin), ["rma_lock 2: 20-50 1"]);
    assert_eq!(waits_for_a_lock(ALL, LockType::SHARED, &origin), ["rma_lock 2: 20-50 1"]);
    assert_eq!(waits_for_a_lock(1, LockType::EXCLUSIVE, &origin), NONE);
    let after = [lock([50, 55]), unlock(60, 60, 61)];
    assert_eq!(waits_for_a_lock(0, LockType::EXCLUSIVE, &after), NONE);
    let before = [lock([20, 48]), unlock(60, 60, 61)];
    assert_eq!(waits_for_a_lock(0, LockType::EXCLUSIVE, &before), NONE);
    // The event of the release is later than the release.
    let late = [lock([20, 49]), unlock(49, 51, 52)];
    assert_eq!(waits_for_a_lock(0, LockType::EXCLUSIVE, &late), ["rma_lock 2: 20-49 1"]);
}

#[test]
fn shared_locks_do_not_conflict() {
    let shared = [request(0, LockType::SHARED, [20, 55]), unlock(60, 60, 61)];
    assert_eq!(waits_for_a_lock(0, LockType::SHARED, &shared), NONE);
    assert_eq!(waits_for_a_lock(0, LockType::EXCLUSIVE, &shared), ["rma_lock 2: 20-50 1"]);
    let all = [request(ALL, LockType::SHARED, [20, 55]), unlock_of(ALL, 60, 60, 61)];
    assert_eq!(waits_for_a_lock(0, LockType::EXCLUSIVE, &all), ["rma_lock 2: 20-50 1"]);
    assert_eq!(waits_for_a_lock(0, LockType::SHARED, &all), NONE);
}

/// Rank 1 has released the lock, and rank 2 has acquired it, before the event of the release.
#[test]
fn late_events_of_releases_are_not_waited_for_after_the_lock_returned() {
    let holder = [lock([10, 12]), unlock(30, 60, 61)].concat();
    let origin = [lock([20, 40]), put(0, [41, 42]), unlock(43, 70, 71)].concat();
    let next = [lock([25, 80]), unlock(81, 81, 82)].concat();
    let found = listed(&[vec![], holder, origin, next]);
    assert_eq!(found, ["rma_lock 2: 20-40 1", "rma_lock 3: 25-70 2"]);
    // It is the last one, though its event comes before that of the first one.
    let holder = [lock([10, 12]), unlock(30, 72, 76)].concat();
    let origin = [lock([20, 40]), unlock(43, 70, 74)].concat();
    let next = [lock([25, 80]), unlock(81, 81, 82)].concat();
    let found = listed(&[vec![], holder, origin, next]);
    assert_eq!(found, ["rma_lock 2: 20-40 1", "rma_lock 3: 25-70 2"]);
}

fn flush([start, end]: [u64; 2]) -> Vec<Timed> {
    let done = Event::RmaOpCompleteRemote(RmaOpCompleteRemote { win: WINDOW, matching_id: 1 });
    call(function("MPI_Win_flush"), start, &[(end, done)], end)
}

/// MPI may grant it only when an operation needs it.
#[test]
fn the_first_call_in_which_the_lock_was_released_waits() {
    let waits = |origin: &[Vec<Timed>]| waits_for_a_lock(0, LockType::EXCLUSIVE, origin);
    let begin = || [lock([20, 21]), put(0, [22, 23])].concat();
    assert_eq!(waits(&[begin(), unlock(30, 54, 55)]), ["rma_lock 2: 30-50 1"]);
    assert_eq!(waits(&[begin(), flush([30, 55]), unlock(60, 60, 61)]), ["rma_lock 2: 30-50 1"]);
    // With a flush that completes operations at the target, the lock is acquired.
    assert_eq!(waits(&[begin(), flush([30, 40]), unlock(45, 54, 55)]), NONE);
    let done = Event::RmaOpCompleteNonBlocking(RmaOpCompleteNonBlocking { win: WINDOW, matching_id: 1 });
    let local = call(function("MPI_Win_flush"), 30, &[(40, done)], 40);
    assert_eq!(waits(&[begin(), local, unlock(45, 54, 55)]), ["rma_lock 2: 45-50 1"]);
    assert_eq!(waits(&[begin(), unlock(30, 31, 40)]), NONE);
    // A test does not wait, nor do calls of other functions.
    assert_eq!(waits(&[begin(), call(region(b'a'), 30, &[], 55), unlock(56, 56, 57)]), NONE);
}

#[test]
fn a_lock_that_is_acquired_is_not_waited_for_later() {
    let acquire = RmaAcquireLock { win: WINDOW, remote: 0, lock_id: 0, lock_type: LockType::EXCLUSIVE };
    let acquired =
        |start, end| call(function("MPI_Win_lock"), start, &[(end, Event::RmaAcquireLock(acquire))], end);
    let waits = |origin: &[Vec<Timed>]| waits_for_a_lock(0, LockType::EXCLUSIVE, origin);
    assert_eq!(waits(&[acquired(20, 55), unlock(60, 60, 61)]), ["rma_lock 2: 20-50 1"]);
    assert_eq!(waits(&[acquired(20, 21), unlock(30, 54, 55)]), NONE);
    let tested = call(function("MPI_Test"), 20, &[(55, Event::RmaAcquireLock(acquire))], 55);
    assert_eq!(waits(&[tested, unlock(60, 60, 61)]), NONE);
    let both = [lock([20, 21]), acquired(30, 55), unlock(60, 60, 61)];
    assert_eq!(waits(&both), ["rma_lock 2: 30-50 1"]);
}

/// Rank 1 and rank 3 have had it before.
#[test]
fn the_last_release_of_another_process_ends_the_wait() {
    let first = [lock([10, 12]), unlock(30, 30, 31)].concat();
    let second = [lock([15, 32]), unlock(50, 50, 51), lock([52, 56]), unlock(58, 58, 59)].concat();
    let last = [lock([20, 52]), unlock(54, 54, 55)].concat();
    let found = listed(&[vec![], first, last, second]);
    assert_eq!(found, ["rma_lock 2: 20-50 3", "rma_lock 3: 15-30 1", "rma_lock 3: 52-54 2"]);
    // The last one was shared.
    let shared = [request(0, LockType::SHARED, [15, 32]), unlock(50, 50, 51)].concat();
    let exclusive = [lock([10, 12]), unlock(30, 30, 31)].concat();
    let found = listed(&[vec![], exclusive, [lock([20, 52]), unlock(54, 54, 55)].concat(), shared]);
    assert_eq!(found, ["rma_lock 2: 20-50 3", "rma_lock 3: 15-30 1"]);
}

#[test]
fn locks_that_are_never_released_were_waited_for() {
    let holder = [lock([10, 12]), unlock(50, 50, 51)].concat();
    let found = listed(&[vec![], holder, lock([20, 55]), lock([30, 99])]);
    assert_eq!(found, ["rma_lock 2: 20-50 1", "rma_lock 3: 30-50 1"]);
}

/// The locks of two targets are granted in a call that completes all operations.
#[test]
fn a_call_that_completes_all_operations_waits_for_one_lock() {
    let release = |remote, time| unlock_of(remote, time, time, time + 1);
    let begin = |remote, time| request(remote, LockType::EXCLUSIVE, [time, time + 1]);
    let holder = [begin(0, 1), begin(1, 3), release(0, 50), release(1, 60)].concat();
    let done = |matching_id| Event::RmaOpCompleteRemote(RmaOpCompleteRemote { win: WINDOW, matching_id });
    let access =
        |remote, id, time| call(function("MPI_Put"), time, &[(time, put_event(remote, id))], time + 1);
    let completed = [(70, done(1)), (70, done(2))];
    let origin = [
        [begin(0, 10), access(0, 1, 12), begin(1, 14), access(1, 2, 16)].concat(),
        call(function("MPI_Win_flush"), 20, &completed, 70),
        [release(0, 80), release(1, 90)].concat(),
    ];
    let found = listed(&[vec![], holder, origin.concat()]);
    assert_eq!(found, ["rma_lock 2: 20-50 1"]);
}

/// Clocks that contradict each other let another process release the lock later.
#[test]
fn an_epoch_waits_for_its_lock_once() {
    let holders =
        [10, 62].map(|time| [lock([time, time + 1]), unlock(time + 30, time + 30, time + 31)].concat());
    let origin = [lock([20, 45]), flush([50, 55]), put(0, [56, 57]), unlock(60, 94, 95)].concat();
    assert_eq!(listed(&[vec![], holders.concat(), origin]), ["rma_lock 2: 20-40 1"]);
}
