//! Waits of locations that use the same files, by rule. Locations are ranks; times are written as
//! they are meant.

use crate::waits::{call, line, waits_of, waits_of_threads};
use kymo_analysis::{Selection, statistics};
use kymo_analysis_testing::*;
use kymo_otf2::enums::{IoAccessMode, IoOperationMode, LockType};
use kymo_otf2::events::*;
use kymo_otf2::flags::{IoCreationFlag, IoOperationFlag, IoStatusFlag};
use kymo_otf2::references::IoHandleRef;

const NONE: [&str; 0] = [];
const EXCLUSIVE: LockType = LockType::EXCLUSIVE;
const SHARED: LockType = LockType::SHARED;

fn listed(locations: &[Vec<Timed>]) -> Vec<String> {
    let length = locations.iter().flatten().map(|it| it.0).max().unwrap_or(0);
    waits_of(&trace(locations, clock(length))).iter().map(line).collect()
}

/// A call that acquires a lock at its end.
fn lock(handle: IoHandleRef, lock_type: LockType, [start, end]: [u64; 2]) -> Vec<Timed> {
    call(function("flock"), start, &[(end, IoAcquireLock { handle, lock_type }.into())], end)
}

/// A call that releases a lock, with the time of the event.
fn unlock(handle: IoHandleRef, lock_type: LockType, [start, time, end]: [u64; 3]) -> Vec<Timed> {
    call(function("flock"), start, &[(time, IoReleaseLock { handle, lock_type }.into())], end)
}

/// The waits of rank 1 for a lock, which rank 0 has from 12 to 50.
fn waits_for(handle: IoHandleRef, lock_type: LockType, [start, end]: [u64; 2]) -> Vec<String> {
    let [file, ..] = HANDLES;
    let holder = [lock(file, SHARED, [10, 12]), unlock(file, SHARED, [50, 50, 52])].concat();
    listed(&[holder, lock(handle, lock_type, [start, end])])
}

#[test]
fn a_lock_of_a_file_is_waited_for_until_its_release() {
    let [file, same, other] = HANDLES;
    assert_eq!(waits_for(file, EXCLUSIVE, [20, 55]), ["io_lock 1: 20-50 0"]);
    assert_eq!(waits_for(same, EXCLUSIVE, [20, 55]), ["io_lock 1: 20-50 0"]);
    assert_eq!(waits_for(other, EXCLUSIVE, [20, 55]), NONE);
    assert_eq!(waits_for(file, SHARED, [20, 55]), NONE);
    assert_eq!(waits_for(file, EXCLUSIVE, [50, 55]), NONE);
    assert_eq!(waits_for(file, EXCLUSIVE, [20, 49]), NONE);
}

/// Of several releases, the last one counts.
#[test]
fn all_that_share_a_lock_release_it_before_another_one_has_it() {
    let [file, ..] = HANDLES;
    let holder =
        |end: u64| [lock(file, SHARED, [10, 12]), unlock(file, SHARED, [end, end, end + 1])].concat();
    let found = listed(&[holder(30), holder(40), lock(file, EXCLUSIVE, [20, 55]), holder(60)]);
    assert_eq!(found, ["io_lock 2: 20-40 1"]);
}

#[test]
fn the_event_of_a_release_may_be_later_than_the_release() {
    let [file, ..] = HANDLES;
    let holder = |begin| [lock(file, EXCLUSIVE, [10, 12]), unlock(file, EXCLUSIVE, [begin, 57, 58])].concat();
    assert_eq!(listed(&[holder(54), lock(file, EXCLUSIVE, [20, 55])]), ["io_lock 1: 20-55 0"]);
    assert_eq!(listed(&[holder(56), lock(file, EXCLUSIVE, [20, 55])]), NONE);
}

/// The object that is locked is not the file.
#[test]
fn streams_are_locked_for_the_threads_of_a_process() {
    let holder = [lock(STREAM, EXCLUSIVE, [10, 12]), unlock(STREAM, EXCLUSIVE, [50, 50, 52])].concat();
    let both = [holder, lock(STREAM, EXCLUSIVE, [20, 55])];
    assert_eq!(listed(&both), NONE);
    let of_threads: Vec<_> = waits_of_threads(&both).iter().map(line).collect();
    assert_eq!(of_threads, ["io_lock 1: 20-50 0"]);
}

fn begin(handle: IoHandleRef, operation_flags: IoOperationFlag) -> Event<'static> {
    let (mode, bytes_request, matching_id) = (IoOperationMode::WRITE, 8, 0);
    IoOperationBegin { handle, mode, operation_flags, bytes_request, matching_id }.into()
}

fn create(handle: IoHandleRef) -> Event<'static> {
    let (mode, creation_flags) = (IoAccessMode::WRITE_ONLY, IoCreationFlag::empty());
    IoCreateHandle { handle, mode, creation_flags, status_flags: IoStatusFlag::empty() }.into()
}

/// Three ranks in a call with an event at its begin.
fn together(event: Event<'static>, ends: [u64; 3]) -> Vec<Vec<Timed>> {
    let members = [10, 40, 20].into_iter().zip(ends);
    members.map(|(start, end)| call(function("MPI_File_write_all"), start, &[(start, event)], end)).collect()
}

#[test]
fn collective_operations_on_files_wait_for_the_last_member() {
    let expected = ["nxn 0: 10-40 1", "nxn 2: 20-40 1"];
    let of_all = |event: Event<'static>| listed(&together(event, [60, 61, 62]));
    let collective = IoOperationFlag::COLLECTIVE;
    assert_eq!(of_all(begin(SHARED_HANDLE, collective)), expected);
    assert_eq!(of_all(create(SHARED_HANDLE)), expected);
    assert_eq!(of_all(IoDestroyHandle { handle: SHARED_HANDLE }.into()), expected);
    assert_eq!(of_all(begin(SHARED_HANDLE, IoOperationFlag::empty())), NONE);
    assert_eq!(of_all(begin(SHARED_HANDLE, collective | IoOperationFlag::NON_BLOCKING)), NONE);
    // Files of one location each.
    assert_eq!(of_all(begin(HANDLES[0], collective)), NONE);
    assert_eq!(of_all(create(HANDLES[0])), NONE);
}

#[test]
fn members_that_were_not_in_an_operation_together_do_not_wait() {
    let event = begin(SHARED_HANDLE, IoOperationFlag::COLLECTIVE);
    assert_eq!(listed(&together(event, [39, 61, 62])), NONE);
    assert_eq!(listed(&together(event, [41, 61, 62])), ["nxn 0: 10-40 1", "nxn 2: 20-40 1"]);
}

/// The n-th operation of a member is the n-th of all.
#[test]
fn operations_with_missing_members_are_counted() {
    let event = || begin(SHARED_HANDLE, IoOperationFlag::COLLECTIVE);
    let mut locations = together(event(), [60, 61, 62]);
    locations[2].clear();
    locations[1].extend(call(function("MPI_File_write_all"), 70, &[(70, event())], 80));
    let found = statistics::of(&trace(&locations, clock(80)), &Selection::default()).expect("statistics");
    assert_eq!((found.waits.total(), found.waits.incomplete), (0, 2));
}
