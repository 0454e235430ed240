//! Wait states of one-sided communication, by rule. Locations are ranks; times are written as they
//! are meant.

use crate::waits::{call, fence, line, waits_in};
use kymo_analysis::{Selection, statistics};
use kymo_analysis_testing::*;
use kymo_otf2::enums::CollectiveOp;
use kymo_otf2::events::*;
use kymo_otf2::flags::RmaSyncLevel;
use kymo_otf2::references::{GroupRef, LocationRef};

const NONE: [&str; 0] = [];

pub(crate) fn listed(locations: &[Vec<Timed>]) -> Vec<String> {
    listed_in(locations, &Selection::default()).0
}

/// Returns the wait states as lines, and the number of epochs and operations in which members are
/// missing.
fn listed_in(locations: &[Vec<Timed>], selection: &Selection) -> (Vec<String>, u64) {
    let length = locations.iter().flatten().map(|it| it.0).max().unwrap_or(0);
    let trace = trace(locations, clock(length));
    let incomplete = statistics::of(&trace, selection).expect("statistics").waits.incomplete;
    (waits_in(&trace, selection).iter().map(line).collect(), incomplete)
}

/// A call that begins or ends an epoch with these ranks.
fn sync(name: &str, ranks: &[u64], [start, end]: [u64; 2]) -> Vec<Timed> {
    let sync_level = RmaSyncLevel::PROCESS;
    let sync = RmaGroupSync { sync_level, win: WINDOW, group: group_of(ranks) };
    call(function(name), start, &[(start, Event::RmaGroupSync(sync))], end)
}

fn post(ranks: &[u64], start: u64) -> Vec<Timed> {
    sync("MPI_Win_post", ranks, [start, start + 1])
}

fn start(ranks: &[u64], times: [u64; 2]) -> Vec<Timed> {
    sync("MPI_Win_start", ranks, times)
}

fn complete(ranks: &[u64], times: [u64; 2]) -> Vec<Timed> {
    sync("MPI_Win_complete", ranks, times)
}

fn wait(ranks: &[u64], times: [u64; 2]) -> Vec<Timed> {
    sync("MPI_Win_wait", ranks, times)
}

pub(crate) fn put_event(remote: u32, matching_id: u64) -> Event<'static> {
    Event::RmaPut(RmaPut { win: WINDOW, remote, bytes: 8, matching_id })
}

pub(crate) fn put(remote: u32, [start, end]: [u64; 2]) -> Vec<Timed> {
    call(function("MPI_Put"), start, &[(start, put_event(remote, 1))], end)
}

/// The waits of an origin, rank 1, whose only target posts at a time.
fn waits_for_a_post(posted: u64, origin: &[Vec<Timed>]) -> Vec<String> {
    listed(&[[post(&[1], posted), wait(&[1], [990, 991])].concat(), origin.concat()])
}

#[test]
fn an_origin_waits_for_a_late_post() {
    let origin = [start(&[0], [10, 70]), complete(&[0], [80, 90])];
    assert_eq!(waits_for_a_post(60, &origin), ["rma_late_post 1: 10-60 0"]);
    assert_eq!(waits_for_a_post(5, &origin), NONE);
    // Neither begins or ends a call at that time in it.
    assert_eq!(waits_for_a_post(10, &origin), NONE);
    assert_eq!(waits_for_a_post(70, &origin), NONE);
}

/// MPI may let an origin go on until it accesses the memory, or until it completes that.
#[test]
fn the_first_call_that_contains_the_last_post_waits() {
    let origin = [start(&[0], [10, 12]), put(0, [20, 40]), put(0, [41, 70]), complete(&[0], [80, 90])];
    assert_eq!(waits_for_a_post(60, &origin), ["rma_late_post 1: 41-60 0"]);
    assert_eq!(waits_for_a_post(85, &origin), ["rma_late_post 1: 80-85 0"]);
    assert_eq!(waits_for_a_post(15, &origin), NONE);
    assert_eq!(waits_for_a_post(95, &origin), NONE);
}

#[test]
fn an_origin_waits_for_the_last_of_its_targets() {
    let waits = |posted: [u64; 2]| {
        let target = |posted| [post(&[2], posted), wait(&[2], [98, 99])].concat();
        let origin = [start(&[0, 1], [10, 70]), complete(&[0, 1], [80, 90])].concat();
        listed(&[target(posted[0]), target(posted[1]), origin])
    };
    assert_eq!(waits([30, 60]), ["rma_late_post 2: 10-60 1"]);
    assert_eq!(waits([60, 30]), ["rma_late_post 2: 10-60 0"]);
    assert_eq!(waits([60, 60]), ["rma_late_post 2: 10-60 0"]);
}

/// The second epoch of the target with rank 2 is its third one.
#[test]
fn epochs_of_the_same_pair_belong_together_in_their_order() {
    let target = [
        [post(&[1, 2], 1), wait(&[1, 2], [30, 31])],
        [post(&[1], 40), wait(&[1], [50, 51])],
        [post(&[2], 60), wait(&[2], [90, 91])],
    ];
    let origin = |second: [u64; 2]| {
        [
            [start(&[0], [2, 3]), complete(&[0], [4, 5])],
            [start(&[0], second), complete(&[0], [second[1], second[1] + 1])],
        ]
        .concat()
        .concat()
    };
    let found = listed(&[target.concat().concat(), origin([35, 45]), origin([35, 70])]);
    assert_eq!(found, ["rma_late_post 1: 35-40 0", "rma_late_post 2: 35-60 0"]);
}

/// The waits of a target whose only origin is rank 1.
fn waits_for_a_completion(target: Vec<Timed>, origin: &[Vec<Timed>]) -> Vec<String> {
    let origin = [vec![start(&[0], [3, 4])], origin.to_vec()].concat().concat();
    listed(&[[post(&[1], 1), target].concat(), origin])
}

#[test]
fn a_target_waits_for_the_completion_of_its_origin() {
    let waiting = || wait(&[1], [20, 90]);
    let origin = |put_times| [put(0, put_times), complete(&[0], [60, 70])];
    let found = |origin: &[Vec<Timed>]| waits_for_a_completion(waiting(), origin);
    // All of it is late completion, or the part after the last access.
    assert_eq!(found(&origin([5, 8])), ["rma_early_wait 0: 20-60 1 part 40"]);
    assert_eq!(found(&origin([25, 35])), ["rma_early_wait 0: 20-60 1 part 25"]);
    assert_eq!(found(&origin([25, 60])), ["rma_early_wait 0: 20-60 1"]);
    assert_eq!(found(&[complete(&[0], [60, 70])]), ["rma_early_wait 0: 20-60 1 part 40"]);
    assert_eq!(found(&[complete(&[0], [15, 70])]), NONE);
    assert_eq!(found(&[complete(&[0], [95, 96])]), ["rma_early_wait 0: 20-90 1 clipped part 70"]);
}

/// A request-based access ends in the call that waits for its request.
#[test]
fn an_access_lasts_until_its_completion_before_the_end_of_the_epoch() {
    let done = Event::RmaOpCompleteNonBlocking(RmaOpCompleteNonBlocking { win: WINDOW, matching_id: 1 });
    let origin = [
        put(0, [25, 26]),
        call(function("MPI_Wait"), 30, &[(45, done)], 45),
        call(function("MPI_Win_complete"), 60, &[(62, done)], 62),
    ];
    let mut ended = complete(&[0], [60, 70]);
    ended.insert(1, (60, done));
    let origin = [origin[0].clone(), origin[1].clone(), ended];
    let found = waits_for_a_completion(wait(&[1], [20, 90]), &origin);
    assert_eq!(found, ["rma_early_wait 0: 20-60 1 part 15"]);
}

#[test]
fn a_test_of_an_exposure_does_not_wait() {
    let test = |sync_level, times: [u64; 2]| {
        let sync = RmaGroupSync { sync_level, win: WINDOW, group: group_of(&[1]) };
        call(function("MPI_Win_test"), times[0], &[(times[0], Event::RmaGroupSync(sync))], times[1])
    };
    let failed = test(RmaSyncLevel::empty(), [5, 6]);
    let origin = [complete(&[0], [60, 70])];
    let tested = [failed.clone(), test(RmaSyncLevel::PROCESS, [20, 90])].concat();
    assert_eq!(waits_for_a_completion(tested, &origin), NONE);
    // One that is not successful does not end the epoch.
    let waited = [failed, wait(&[1], [20, 90])].concat();
    assert_eq!(waits_for_a_completion(waited, &origin), ["rma_early_wait 0: 20-60 1 part 40"]);
}

#[test]
fn a_target_waits_for_the_last_of_its_origins() {
    let target = [post(&[1, 2], 1), wait(&[1, 2], [20, 90])].concat();
    let waits = |completed: [u64; 2]| {
        let origin = |time| [start(&[0], [3, 4]), complete(&[0], [time, time + 1])].concat();
        listed(&[target.clone(), origin(completed[0]), origin(completed[1])])
    };
    assert_eq!(waits([50, 60]), ["rma_early_wait 0: 20-60 2 part 40"]);
    assert_eq!(waits([60, 50]), ["rma_early_wait 0: 20-60 1 part 40"]);
    assert_eq!(waits([60, 60]), ["rma_early_wait 0: 20-60 1 part 40"]);
}

/// The exposure of rank 0 is to ranks 1 and 2, of which rank 1 accesses rank 3 as well.
#[test]
fn epochs_with_members_that_are_left_out_have_no_waits() {
    let locations = [
        [post(&[1, 2], 1), wait(&[1, 2], [20, 90])].concat(),
        [start(&[0, 3], [3, 40]), complete(&[0, 3], [50, 51])].concat(),
        [start(&[0], [3, 4]), complete(&[0], [60, 61])].concat(),
        [post(&[1], 30), wait(&[1], [70, 71])].concat(),
    ];
    let all = ["rma_early_wait 0: 20-60 2 part 40", "rma_late_post 1: 3-30 3"];
    assert_eq!(listed_in(&locations, &Selection::default()), (all.map(String::from).to_vec(), 0));
    let only_of = |locations: &[Vec<Timed>], ids: &[u64]| {
        let read = Some(ids.iter().map(|id| LocationRef(*id)).collect());
        listed_in(locations, &Selection { locations: read, ..Selection::default() })
    };
    let only = |ids: &[u64]| only_of(&locations, ids);
    assert_eq!(only(&[0, 1, 2]), (vec![all[0].to_string()], 1));
    assert_eq!(only(&[0, 1, 3]), (vec![all[1].to_string()], 1));
    assert_eq!(only(&[1]), (vec![], 1));
    // It may have waited longer for the one that is not known.
    let origin = [start(&[0, 3], [3, 70]), complete(&[0, 3], [80, 81])].concat();
    let target = [post(&[1], 60), wait(&[1], [90, 91])].concat();
    let missing = [target.clone(), origin.clone(), vec![], vec![]];
    assert_eq!(listed_in(&missing, &Selection::default()), (vec![], 1));
    let all = [target.clone(), origin, vec![], target];
    let found = vec!["rma_late_post 1: 3-60 0".to_string()];
    assert_eq!(listed_in(&all, &Selection::default()), (found, 0));
    assert_eq!(only_of(&all, &[0, 1]), (vec![], 1));
}

/// The numbers of epochs after one with a group that is not defined are not known.
#[test]
fn windows_with_unknown_groups_have_no_waits() {
    let unknown = RmaGroupSync { sync_level: RmaSyncLevel::PROCESS, win: WINDOW, group: GroupRef(99) };
    let epoch = call(function("MPI_Win_start"), 1, &[(1, Event::RmaGroupSync(unknown))], 2);
    let origin = [epoch, start(&[0], [10, 70]), complete(&[0], [80, 90])].concat();
    let target = [post(&[1], 60), wait(&[1], [91, 92])].concat();
    assert_eq!(listed_in(&[target, origin], &Selection::default()), (vec![], 3));
}

#[test]
fn epochs_without_partners_are_counted_and_forgotten() {
    let epoch = |time| [start(&[0], [time, time + 1]), complete(&[0], [time + 2, time + 3])].concat();
    let origin: Vec<_> = (0..200).flat_map(|number| epoch(10 * number)).collect();
    assert_eq!(listed_in(&[vec![], origin.clone()], &Selection::default()), (vec![], 200));
    // Numbers of epochs stay right.
    let target: Vec<_> =
        (2500..2700).flat_map(|time| [post(&[1], time), wait(&[1], [time + 1, time + 1])].concat()).collect();
    let (found, incomplete) = listed_in(&[target, origin], &Selection::default());
    assert_eq!((found, incomplete), (vec![], 2 * (200 - 64)));
}

#[test]
fn an_epoch_can_begin_before_the_selected_time() {
    let mut target = [post(&[1], 1), wait(&[1], [20, 90])].concat();
    // The call has its event at its end.
    target[4].0 = 90;
    let origin = [start(&[0], [3, 4]), complete(&[0], [60, 61])].concat();
    let selection = Selection { from: 30, ..Selection::default() };
    let found = listed_in(&[target, origin], &selection);
    assert_eq!(found, (vec!["rma_early_wait 0: 30-60 1 part 30".to_string()], 0));
}

/// Accesses of rank 1 to rank 0 in a fence that rank 0 enters at 10 and rank 1 at 60.
fn fence_after(accesses: &[Timed], closing: &[Timed]) -> Vec<String> {
    let begin = || fence(CollectiveOp::BARRIER, [1, 4]);
    let early = [begin(), fence(CollectiveOp::BARRIER, [10, 90])].concat();
    let mut last = fence(CollectiveOp::BARRIER, [60, 90]);
    last.splice(2..2, closing.iter().copied());
    let late = [begin(), call(function("MPI_Put"), 5, accesses, 50), last].concat();
    listed(&[early, late])
}

fn ended(matching_id: u64) -> Event<'static> {
    Event::RmaOpCompleteBlocking(RmaOpCompleteBlocking { win: WINDOW, matching_id })
}

fn ended_at_target(matching_id: u64) -> Event<'static> {
    Event::RmaOpCompleteRemote(RmaOpCompleteRemote { win: WINDOW, matching_id })
}

#[test]
fn a_fence_is_early_until_the_last_access_of_others_has_ended() {
    let [access, other] = [(5, put_event(0, 1)), (6, put_event(0, 2))];
    let local = Event::RmaOpCompleteNonBlocking(RmaOpCompleteNonBlocking { win: WINDOW, matching_id: 1 });
    let fenced = |accesses: &[Timed]| fence_after(accesses, &[]);
    assert_eq!(fenced(&[access, (40, ended(1))]), ["rma_fence 0: 10-60 1 part 30"]);
    assert_eq!(fenced(&[access, other, (40, ended(1)), (45, ended(2))]), ["rma_fence 0: 10-60 1 part 35"]);
    assert_eq!(fenced(&[access, (8, ended(1))]), ["rma_fence 0: 10-60 1"]);
    // Not known, of one of them or of all.
    assert_eq!(fenced(&[access, other, (40, ended(1))]), ["rma_fence 0: 10-60 1"]);
    assert_eq!(fenced(&[access, (40, local)]), ["rma_fence 0: 10-60 1"]);
    // The accesses of a target can share a number.
    let shared = [access, (6, put_event(0, 1)), (40, ended_at_target(1))];
    assert_eq!(fenced(&shared), ["rma_fence 0: 10-60 1 part 30"]);
    // Those to others do not count.
    assert_eq!(fenced(&[(5, put_event(1, 1)), (40, ended(1))]), ["rma_fence 0: 10-60 1"]);
    let own = call(function("MPI_Put"), 5, &[(5, put_event(0, 1)), (6, put_event(1, 2))], 7);
    let mut early = fence(CollectiveOp::BARRIER, [10, 90]);
    early.splice(2..2, [(40, ended_at_target(1)), (40, ended_at_target(2))]);
    let found = listed(&[[own, early].concat(), fence(CollectiveOp::BARRIER, [60, 90])]);
    assert_eq!(found, ["rma_fence 0: 10-60 1"]);
    let closing = fence_after(&[access], &[(80, ended_at_target(1))]);
    assert_eq!(closing, ["rma_fence 0: 10-60 1 part 50"]);
}

/// Rank 1 has left the first fence and accesses the memory while rank 0 is still in it.
#[test]
fn accesses_after_a_fence_belong_to_the_next_one() {
    let early = [fence(CollectiveOp::BARRIER, [10, 90]), fence(CollectiveOp::BARRIER, [92, 99])].concat();
    let accesses = [(81, put_event(0, 1)), (85, ended(1))];
    let late = [
        fence(CollectiveOp::BARRIER, [60, 80]),
        call(function("MPI_Put"), 81, &accesses, 86),
        fence(CollectiveOp::BARRIER, [95, 99]),
    ];
    assert_eq!(listed(&[early, late.concat()]), ["rma_fence 0: 10-60 1", "rma_fence 0: 92-95 1"]);
}
