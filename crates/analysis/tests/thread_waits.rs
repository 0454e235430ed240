//! Wait states of threads, by rule. Locations are threads of one process; times are written as they
//! are meant.

use crate::waits::{call, line, waits_of_threads};
use kymo_analysis::Selection;
use kymo_analysis::causes::{self, Kept};
use kymo_analysis_testing::*;
use kymo_otf2::enums::Paradigm;
use kymo_otf2::events::*;
use kymo_otf2::references::CommRef;

const NONE: [&str; 0] = [];
const TEAM: CommRef = CommRef(3);

fn listed(locations: &[Vec<Timed>]) -> Vec<String> {
    waits_of_threads(locations).iter().map(line).collect()
}

fn acquire(acquisition_order: u32) -> Event<'static> {
    Event::ThreadAcquireLock(ThreadAcquireLock { model: Paradigm::PTHREAD, lock_id: 5, acquisition_order })
}

fn release(acquisition_order: u32) -> Event<'static> {
    Event::ThreadReleaseLock(ThreadReleaseLock { model: Paradigm::PTHREAD, lock_id: 5, acquisition_order })
}

fn created(sequence_count: u64) -> Event<'static> {
    Event::ThreadCreate(ThreadCreate { thread_contingent: TEAM, sequence_count })
}

fn begun(sequence_count: u64) -> Event<'static> {
    Event::ThreadBegin(ThreadBegin { thread_contingent: TEAM, sequence_count })
}

fn ended(sequence_count: u64) -> Event<'static> {
    Event::ThreadEnd(ThreadEnd { thread_contingent: TEAM, sequence_count })
}

fn joined(sequence_count: u64) -> Event<'static> {
    Event::ThreadWait(ThreadWait { thread_contingent: TEAM, sequence_count })
}

/// A call of a function with an event at its end.
fn ending(name: &str, start: u64, event: Event<'static>, end: u64) -> Vec<Timed> {
    call(function(name), start, &[(end, event)], end)
}

pub(crate) fn lock(start: u64, order: u32, end: u64) -> Vec<Timed> {
    ending("pthread_mutex_lock", start, acquire(order), end)
}

pub(crate) fn unlock(time: u64, order: u32) -> Vec<Timed> {
    vec![(time, release(order))]
}

#[test]
fn threads_wait_for_a_mutex_until_the_release_before() {
    let one = [lock(10, 1, 12), unlock(50, 1)].concat();
    let two = [lock(20, 2, 55), unlock(60, 2)].concat();
    assert_eq!(listed(&[one, two]), ["pthread_mutex 1: 20-50 0"]);
}

/// Only contended locks are recorded by default, so that orders have gaps.
#[test]
fn the_release_with_the_greatest_lower_number_counts() {
    let one = [lock(10, 1, 12), unlock(20, 1), lock(21, 2, 22), unlock(50, 2)].concat();
    let two = [lock(15, 7, 55), unlock(60, 7)].concat();
    assert_eq!(listed(&[one, two]), ["pthread_mutex 1: 15-50 0"]);
}

#[test]
fn a_thread_does_not_wait_for_itself_or_for_a_free_lock() {
    let one = [lock(10, 1, 12), unlock(20, 1), lock(30, 2, 40), unlock(41, 2)].concat();
    let two = [lock(50, 3, 55), unlock(60, 3)].concat();
    assert_eq!(listed(&[one, two]), NONE);
}

/// The release can have the same time as the acquisition after it, and come later in a merge.
#[test]
fn a_release_at_the_time_of_the_acquisition_is_the_one_before_it() {
    let waiting = [lock(10, 2, 30), unlock(35, 2)].concat();
    let holding = [lock(1, 1, 2), unlock(30, 1)].concat();
    assert_eq!(listed(&[waiting, holding]), ["pthread_mutex 0: 10-30 1"]);
}

/// A coarse clock gives several acquisitions the same time.
#[test]
fn acquisitions_at_the_same_time_are_in_the_order_of_their_numbers() {
    let one = [lock(1, 1, 2), unlock(50, 1)].concat();
    let two = [lock(30, 3, 60), unlock(70, 3)].concat();
    let three = [lock(20, 2, 60), unlock(60, 2)].concat();
    assert_eq!(listed(&[one, two, three]), ["pthread_mutex 1: 30-60 2", "pthread_mutex 2: 20-50 0"]);
}

/// Its call is entered when it ends, at the time of the first event.
#[test]
fn a_signal_whose_start_is_missing_is_left_out() {
    let waiting = call(function("pthread_cond_wait"), 10, &[(60, acquire(3))], 60);
    let signalling = [
        vec![
            (0, Event::Enter(Enter { region: region(b'a') })),
            (1, Event::Leave(Leave { region: region(b'a') })),
        ],
        call(function("pthread_cond_signal"), 40, &[], 41),
        vec![(50, Event::Leave(Leave { region: function("pthread_cond_signal") }))],
    ];
    assert_eq!(listed(&[waiting, signalling.concat()]), ["pthread_cond 0: 10-40 1"]);
}

#[test]
fn attempts_to_lock_do_not_wait() {
    let one = [lock(10, 1, 12), unlock(50, 1)].concat();
    let two = [ending("pthread_mutex_trylock", 20, acquire(2), 55), unlock(60, 2)].concat();
    assert_eq!(listed(&[one, two]), NONE);
}

/// A thread in a condition is woken by the last signal before it has the mutex again, which it may
/// then wait for.
#[test]
fn a_condition_waits_for_the_last_signal_and_then_for_the_mutex() {
    let waiting = call(function("pthread_cond_wait"), 10, &[(11, release(1)), (60, acquire(3))], 60);
    let signalling = [
        lock(20, 2, 21),
        call(function("pthread_cond_signal"), 25, &[], 26),
        call(function("pthread_cond_signal"), 30, &[], 31),
        unlock(50, 2),
    ];
    let found = listed(&[waiting.clone(), signalling.concat()]);
    assert_eq!(found, ["pthread_cond 0: 10-30 1", "pthread_mutex 0: 30-50 1"]);
    let unknown = format!("pthread_cond 0: 10-60 {}", u64::MAX);
    assert_eq!(listed(&[waiting, Vec::new()]), [unknown]);
}

#[test]
fn a_join_waits_for_the_end_of_the_thread() {
    let joining = |time| ending("pthread_join", 20, joined(1), time);
    let first = [vec![(1, created(1))], joining(70)].concat();
    let second = vec![(5, begun(1)), (65, ended(1))];
    assert_eq!(listed(&[first.clone(), second]), ["pthread_join 0: 20-65 1"]);
    assert_eq!(listed(&[first, vec![(5, begun(1)), (15, ended(1))]]), NONE);
}

fn fork(time: u64) -> Timed {
    let model = Paradigm::OPENMP;
    (time, Event::ThreadFork(ThreadFork { model, number_of_requested_threads: 3 }))
}

fn team_join(time: u64) -> Timed {
    (time, Event::ThreadJoin(ThreadJoin { model: Paradigm::OPENMP }))
}

/// A member of a team that is in barriers at these times.
fn member(begin: u64, barriers: &[[u64; 2]], end: u64) -> Vec<Timed> {
    let mut events = vec![(begin, Event::ThreadTeamBegin(ThreadTeamBegin { thread_team: TEAM }))];
    for [start, end] in barriers {
        events.extend(call(function("!$omp barrier"), *start, &[], *end));
    }
    events.push((end, Event::ThreadTeamEnd(ThreadTeamEnd { thread_team: TEAM })));
    events
}

#[test]
fn members_of_a_team_wait_in_a_barrier_for_the_last_one() {
    let first = [vec![fork(1)], member(2, &[[10, 41], [50, 90]], 91), vec![team_join(95)]].concat();
    let others = [member(3, &[[20, 42], [70, 90]], 92), member(4, &[[40, 43], [60, 90]], 93)];
    let expected = [
        "omp_barrier 0: 10-40 2",
        "omp_barrier 0: 50-70 1",
        "omp_barrier 1: 20-40 2",
        "omp_barrier 2: 60-70 1",
    ];
    assert_eq!(listed(&[vec![first], others.to_vec()].concat()), expected);
}

/// The barriers of each team count from its fork on.
#[test]
fn teams_of_the_same_definition_follow_each_other() {
    let first = [
        vec![fork(1)],
        member(2, &[[10, 21]], 22),
        vec![team_join(25), fork(30)],
        member(31, &[[40, 61]], 62),
        vec![team_join(65)],
    ];
    let second = [member(3, &[[20, 21]], 22), member(32, &[[60, 61]], 62)];
    let expected = ["omp_barrier 0: 10-20 1", "omp_barrier 0: 40-60 1"];
    assert_eq!(listed(&[first.concat(), second.concat()]), expected);
}

/// A member of a team can begin after another one has forked a team of its own.
#[test]
fn nested_teams_are_apart() {
    const INNER: CommRef = CommRef(4);
    let inner = |begin, end| {
        let begins = Event::ThreadTeamBegin(ThreadTeamBegin { thread_team: INNER });
        let ends = Event::ThreadTeamEnd(ThreadTeamEnd { thread_team: INNER });
        vec![fork(begin), (begin, begins), (end, ends), team_join(end)]
    };
    let mut first = [vec![fork(1)], member(2, &[[20, 41]], 42), vec![team_join(45)]].concat();
    first.splice(2..2, inner(3, 5));
    let second = member(10, &[[40, 41]], 42);
    assert_eq!(listed(&[first, second]), ["omp_barrier 0: 20-40 1"]);
}

/// A member that executes tasks does not only wait, and the others may wait for its tasks.
#[test]
fn barriers_with_tasks_have_no_wait_states() {
    let task = Event::ThreadTaskSwitch(ThreadTaskSwitch {
        thread_team: TEAM,
        creating_thread: 0,
        generation_number: 1,
    });
    let mut first = [vec![fork(1)], member(2, &[[10, 41]], 42), vec![team_join(45)]].concat();
    first.insert(3, (15, task));
    assert_eq!(listed(&[first, member(3, &[[40, 41]], 42)]), NONE);
}

/// The path comes to the thread that is joined at its end, and to its creator at its begin.
#[test]
fn the_critical_path_goes_through_the_threads_that_are_joined() {
    let first = [
        vec![(0, Event::Enter(Enter { region: region(b'a') })), (10, created(1))],
        ending("pthread_join", 20, joined(1), 70),
        vec![(90, Event::Leave(Leave { region: region(b'a') }))],
    ];
    let mut second = call(region(b'b'), 15, &[], 60);
    second.insert(0, (15, begun(1)));
    second.push((65, ended(1)));
    let locations = [first.concat(), second];
    let trace = trace_of_processes(&locations, &[0, 0], true, clock(90));
    let found = causes::of(&trace, &Selection::default(), Kept { most: 9 }).expect("causes");
    let segments = found.path.longest.iter().map(|it| (it.location.0, it.start, it.end));
    assert_eq!(segments.collect::<Vec<_>>(), [(0, 0, 10), (1, 10, 65), (0, 65, 90)]);
    let on_path: u128 = found.places.values().map(|times| times.critical).sum();
    assert_eq!(on_path, 90);
}
