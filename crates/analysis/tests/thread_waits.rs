//! Wait states of threads, by rule. Locations are threads of one process; times are written as they
//! are meant.

use crate::waits::{call, line, waits_of_threads};
use kymo_analysis::Selection;
use kymo_analysis::causes::{self, Kept};
use kymo_analysis::statistics;
use kymo_analysis_testing::*;
use kymo_otf2::enums::Paradigm;
use kymo_otf2::events::*;
use kymo_otf2::references::CommRef;

const NONE: [&str; 0] = [];
const TEAM: CommRef = CommRef(3);

fn listed(locations: &[Vec<Timed>]) -> Vec<String> {
    waits_of_threads(locations).iter().map(line).collect()
}

/// The wait states of a part of a trace.
fn waits_in(trace: &kymo_analysis::Trace, selection: &Selection) -> Vec<String> {
    let found = causes::of(trace, selection, Kept { most: 99 }).expect("causes");
    let mut lines: Vec<_> = found.waits.iter().map(|placed| line(&placed.wait)).collect();
    lines.sort();
    lines
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

#[test]
fn writers_wait_for_the_writer_before() {
    let write = |start, order, end| ending("pthread_rwlock_wrlock", start, acquire(order), end);
    let one = [write(10, 1, 12), unlock(50, 1)].concat();
    let two = [write(20, 2, 55), unlock(60, 2)].concat();
    assert_eq!(listed(&[one, two]), ["pthread_rwlock 1: 20-50 0"]);
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

pub(crate) fn fork(time: u64) -> Timed {
    let model = Paradigm::OPENMP;
    (time, Event::ThreadFork(ThreadFork { model, number_of_requested_threads: 3 }))
}

pub(crate) fn team_join(time: u64) -> Timed {
    (time, Event::ThreadJoin(ThreadJoin { model: Paradigm::OPENMP }))
}

/// A member of a team that is in barriers at these times.
pub(crate) fn member(begin: u64, barriers: &[[u64; 2]], end: u64) -> Vec<Timed> {
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

fn task(generation_number: u32) -> [Event<'static>; 3] {
    let (thread_team, creating_thread) = (TEAM, 0);
    [
        Event::ThreadTaskCreate(ThreadTaskCreate { thread_team, creating_thread, generation_number }),
        Event::ThreadTaskSwitch(ThreadTaskSwitch { thread_team, creating_thread, generation_number }),
        Event::ThreadTaskComplete(ThreadTaskComplete { thread_team, creating_thread, generation_number }),
    ]
}

/// The creation of tasks at these times.
fn creations(tasks: &[(u32, u64)]) -> Vec<Timed> {
    tasks.iter().map(|(number, time)| (*time, task(*number)[0])).collect()
}

/// The execution of a task, and the return to the implicit one.
fn executed(number: u32, start: u64, end: u64) -> Vec<Timed> {
    let [_, switch, complete] = task(number);
    let implicit = task(0)[1];
    vec![(start, switch), (end, complete), (end, implicit)]
}

/// A call with events inside, of members of a team that begins at 2.
fn around(name: &str, start: u64, inside: Vec<Timed>, end: u64) -> Vec<Timed> {
    call(function(name), start, &inside, end)
}

fn team_begin(time: u64) -> Vec<Timed> {
    vec![(time, Event::ThreadTeamBegin(ThreadTeamBegin { thread_team: TEAM }))]
}

fn team_end(time: u64) -> Vec<Timed> {
    vec![(time, Event::ThreadTeamEnd(ThreadTeamEnd { thread_team: TEAM }))]
}

/// A team of which the first member has created tasks 1 and 2, and all are in a barrier.
fn team_with_tasks(first: Vec<Timed>, second: Vec<Timed>) -> Vec<String> {
    let created = creations(&[(1, 5), (2, 6)]);
    let first = [vec![fork(1)], team_begin(2), created, first, team_end(91), vec![team_join(95)]].concat();
    listed(&[first, [team_begin(3), second, team_end(92)].concat()])
}

/// The first one waits until the other one has executed the last task.
#[test]
fn members_of_a_barrier_wait_for_the_last_task() {
    let first = around("!$omp barrier", 20, executed(1, 30, 45), 90);
    let second = around("!$omp barrier", 40, executed(2, 50, 80), 90);
    // The thread that executes the last task could have begun it earlier.
    let expected = ["omp_barrier 0: 20-30 1", "omp_barrier 0: 45-80 1", "omp_barrier 1: 40-50 1"];
    assert_eq!(team_with_tasks(first, second), expected);
}

#[test]
fn tasks_that_are_complete_before_the_last_member_enters_are_not_awaited() {
    let first = around("!$omp barrier", 20, [executed(1, 30, 45), executed(2, 45, 50)].concat(), 90);
    let second = around("!$omp barrier", 70, Vec::new(), 90);
    let expected = ["omp_barrier 0: 20-30 1", "omp_barrier 0: 50-70 1"];
    assert_eq!(team_with_tasks(first, second), expected);
}

/// The first task is executed by the thread that waits, the second one by another thread.
#[test]
fn a_task_waits_for_those_that_it_has_created() {
    let first = around("!$omp taskwait", 10, executed(1, 20, 30), 60);
    let second = executed(2, 15, 50);
    assert_eq!(team_with_tasks(first, second), ["task_wait 0: 10-20 1", "task_wait 0: 30-50 1"]);
}

#[test]
fn a_task_does_not_wait_for_tasks_of_others_or_those_it_executes_itself() {
    let own = around("!$omp taskwait", 10, [executed(1, 20, 30), executed(2, 30, 50)].concat(), 60);
    assert_eq!(team_with_tasks(own, Vec::new()), NONE);
    // Task 1 creates task 3, which is complete after task 2.
    let first = around("!$omp taskwait", 10, Vec::new(), 60);
    let [create, ..] = task(3);
    let mut second = executed(1, 11, 20);
    second.insert(1, (15, create));
    second.extend([executed(2, 20, 30), executed(3, 30, 50)].concat());
    assert_eq!(team_with_tasks(first, second), ["task_wait 0: 10-30 1"]);
}

/// Tasks of tasks belong to the group; the thread waits once it has created the last one.
#[test]
fn a_group_waits_for_all_tasks_created_in_it() {
    let create = |number| task(number)[0];
    let first = around("!$omp taskgroup", 8, vec![(9, create(3)), (12, create(4))], 60);
    let mut second = executed(3, 13, 20);
    second.insert(1, (15, create(5)));
    // Tasks 1 and 2 were created before the group.
    second.extend([executed(4, 20, 30), executed(5, 30, 40), executed(1, 40, 50)].concat());
    assert_eq!(team_with_tasks(first, second), ["taskgroup 0: 12-40 1"]);
}

/// Its task does not wait before it has ended to work and to wait for something else in it.
#[test]
fn a_group_waits_after_the_last_call_in_it() {
    let inside =
        [vec![(9, task(3)[0])], call(region(b'b'), 11, &[], 30), lock(32, 2, 40), vec![(41, release(2))]];
    let first = around("!$omp taskgroup", 8, inside.concat(), 60);
    let second = [lock(10, 1, 11), vec![(39, release(1))], executed(3, 42, 55)].concat();
    assert_eq!(team_with_tasks(first, second), ["pthread_mutex 0: 32-39 1", "taskgroup 0: 40-55 1"]);
}

/// OpenMP does not wait for tasks that were created before the group.
#[test]
fn a_group_without_tasks_does_not_wait() {
    let first = around("!$omp taskgroup", 10, call(region(b'b'), 11, &[], 59), 60);
    assert_eq!(team_with_tasks(first, executed(1, 12, 50)), NONE);
}

/// The task runs when the selected time ends.
#[test]
fn a_thread_that_executes_a_task_in_the_end_does_not_wait() {
    let inside = around("!$omp barrier", 20, executed(1, 30, 700), 900);
    let begin = [vec![fork(1)], team_begin(2), creations(&[(1, 5)])].concat();
    let first = [begin, inside, team_end(901), vec![team_join(902)]].concat();
    let second = [team_begin(3), around("!$omp barrier", 400, Vec::new(), 900), team_end(901)].concat();
    let trace = trace_of_processes(&[first, second], &[0, 0], true, clock(902));
    let selection = Selection { to: 600, ..Selection::default() };
    assert_eq!(waits_in(&trace, &selection), ["omp_barrier 0: 20-30 1"]);
}

/// Calls that are open when the selected time begins wait from then on, for tasks that were created
/// before.
#[test]
fn waits_that_began_before_the_selected_time_last_from_its_begin() {
    let created = vec![(4, task(1)[0])];
    let waiting = [created, around("!$omp taskwait", 5, Vec::new(), 60)].concat();
    let semaphore = call(function("sem_wait"), 7, &[], 65);
    let other = [executed(1, 6, 50), call(function("sem_post"), 64, &[], 65)].concat();
    let trace = trace_of_processes(&[waiting, semaphore, other], &[0, 0, 0], true, clock(70));
    let selection = Selection { from: 20, ..Selection::default() };
    assert_eq!(waits_in(&trace, &selection), ["semaphore 1: 20-64 2", "task_wait 0: 20-50 2"]);
}

/// The queue of operations has 65,536 places; the barrier is the first one of more.
#[test]
fn many_tasks_in_a_barrier_are_awaited() {
    let tasks: Vec<_> = (1..=30_000).map(|number| (number, 5)).collect();
    let run = |number: u32| executed(number, u64::from(number) * 10, u64::from(number) * 10 + 9);
    let inside: Vec<_> = (1..=30_000).flat_map(run).collect();
    let first = [
        vec![fork(1)],
        team_begin(2),
        creations(&tasks),
        around("!$omp barrier", 6, inside, 300_100),
        team_end(300_101),
        vec![team_join(300_102)],
    ];
    let second = [team_begin(3), around("!$omp barrier", 8, Vec::new(), 300_100), team_end(300_101)];
    let waits = waits_of_threads(&[first.concat(), second.concat()]);
    let of_second: Vec<_> = waits.iter().filter(|wait| wait.location.0 == 1).map(line).collect();
    assert_eq!(of_second, ["omp_barrier 1: 8-300009 0"]);
    let of_first: u64 = waits.iter().filter(|wait| wait.location.0 == 0).map(|wait| wait.time()).sum();
    assert!((4..=30_003).contains(&of_first), "{of_first}");
}

#[test]
fn an_ordered_part_waits_for_the_iteration_before() {
    let part = |start, order, acquired, end| {
        let [acquire, release] = [acquire(order), release(order)];
        call(function("!$omp ordered"), start, &[(acquired, acquire), (end - 1, release)], end)
    };
    let found = listed(&[part(10, 1, 11, 41), part(20, 2, 42, 50)]);
    assert_eq!(found, ["omp_ordered 1: 20-40 0"]);
}

#[test]
fn threads_in_a_barrier_of_posix_wait_for_the_last_one() {
    let inside = |start, end| call(function("pthread_barrier_wait"), start, &[], end);
    let one = [inside(10, 52), inside(53, 71)].concat();
    let two = [inside(20, 51), inside(60, 70)].concat();
    let three = [inside(50, 53), inside(65, 72)].concat();
    let expected = [
        "pthread_barrier 0: 10-50 2",
        "pthread_barrier 0: 53-65 2",
        "pthread_barrier 1: 20-50 2",
        "pthread_barrier 1: 60-65 2",
    ];
    assert_eq!(listed(&[one, two, three]), expected);
}

/// A coarse clock gives the end of a call and the begin of the next one the same time.
#[test]
fn a_thread_is_in_one_barrier_of_posix_at_a_time() {
    let inside = |start, end| call(function("pthread_barrier_wait"), start, &[], end);
    let one = [inside(10, 50), inside(50, 91)].concat();
    let two = [inside(40, 51), inside(90, 91)].concat();
    assert_eq!(listed(&[one, two]), ["pthread_barrier 0: 10-40 1", "pthread_barrier 0: 50-90 1"]);
}

/// `kymo record` leaves out the short call of the last one.
#[test]
fn the_last_thread_in_a_barrier_is_not_one_that_waits_long() {
    let inside = |start, end| call(function("pthread_barrier_wait"), start, &[], end);
    let found = listed(&[inside(10, 100_000), inside(20, 100_001)]);
    let nobody = u64::MAX;
    let expected =
        [format!("pthread_barrier 0: 10-100000 {nobody}"), format!("pthread_barrier 1: 20-100001 {nobody}")];
    assert_eq!(found, expected);
}

#[test]
fn a_semaphore_waits_for_the_last_increment_by_another_thread() {
    let post = |time| call(function("sem_post"), time, &[], time + 1);
    let waiting = call(function("sem_wait"), 10, &[], 50);
    let found = listed(&[waiting.clone(), [post(20), post(40), post(60)].concat()]);
    assert_eq!(found, ["semaphore 0: 10-40 1"]);
    assert_eq!(listed(&[waiting, Vec::new()]), [format!("semaphore 0: 10-50 {}", u64::MAX)]);
}

/// From the fork to the join, whatever the thread does in between, it is in the team.
#[test]
fn threads_are_idle_between_their_teams() {
    let first = [
        vec![fork(10)],
        member(11, &[], 20),
        vec![team_join(25), fork(50), team_join(60)],
        call(region(b'a'), 90, &[], 100),
    ];
    let second = member(12, &[], 19);
    let trace = trace_of_processes(&[first.concat(), second], &[0, 0], true, clock(100));
    let found = statistics::of(&trace, &Selection::default()).expect("statistics");
    let idle: Vec<_> = found.idle.iter().map(|(id, it)| (id.0, it.idle, it.limited)).collect();
    // The process lasts from 10 to 100; the second team has one member.
    assert_eq!(idle, [(1, 75, 10)]);
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
