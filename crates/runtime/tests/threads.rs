//! POSIX threads: starts, ends and joins, however a thread ends; locks in the order of their
//! acquisition.

use std::collections::HashMap;

use crate::recorded::{Recording, TestFolder};

/// Settings that record everything, even uncontended locks.
const LOCKS: &[(&str, &str)] = &[("KYMO_RECORD_WITH", "functions,user,locks")];
/// Settings that record contended locks, whatever the calls take.
const THREADS: &[(&str, &str)] = &[("KYMO_RECORD_WITH", "functions,user,threads")];

fn recorded() -> Recording {
    let folder = TestFolder::new();
    let program = folder.compile("threads.c", &["-finstrument-functions"]);
    folder.record_one(LOCKS, &[&program])
}

#[test]
fn every_thread_begins_and_ends() {
    let recording = recorded();
    assert_eq!(recording.stdout, "40 104 1 1\n");
    let kinds = ["THREAD_CREATE", "THREAD_BEGIN", "THREAD_END", "THREAD_WAIT"];
    for kind in kinds {
        let mut counts: Vec<_> =
            recording.values(kind, "Sequence Count").into_iter().map(|(_, it)| it).collect();
        counts.sort();
        assert_eq!(counts, ["1", "2", "3", "4"], "{kind}");
    }
    assert_eq!(recording.count("LOCATION"), 5);
    assert_eq!(["pthread_create", "pthread_join"].map(|it| recording.calls(it)), [[4; 2]; 2]);
    assert!(recording.region("pthread_join").contains("Role: THREAD_WAIT, Paradigm: \"Pthread\""));
    // Regions that were open when a thread ended are left.
    assert_eq!(["leave", "exits", "is_cancelled"].map(|it| recording.calls(it)), [[1; 2]; 3]);
    assert_eq!(recording.calls("add"), [40; 2]);
    assert_eq!(["pthread_exit", "pthread_cancel"].map(|it| recording.calls(it)), [[1; 2]; 2]);
}

/// OTF2 has no shared locks: a reader has only a region.
#[test]
fn writers_acquire_a_read_write_lock_and_readers_do_not() {
    let folder = TestFolder::new();
    let recording = folder.record_one(LOCKS, &[&folder.compile("rwlocks.c", &[])]);
    assert_eq!(recording.stdout, "20 2 1\n");
    let calls = ["rdlock", "tryrdlock", "wrlock", "trywrlock", "unlock"]
        .map(|name| recording.calls(&format!("pthread_rwlock_{name}")));
    assert_eq!(calls, [5, 2, 21, 3, 28].map(|count| [count; 2]));
    let counts: Vec<_> = acquired(&recording).into_iter().map(|(lock, all)| (lock, all.len())).collect();
    // Twenty times in the threads, twice at the end. The first lock, which is only read, has no
    // number.
    assert_eq!(counts, [("0".to_owned(), 22)]);
}

/// The C library implements them with POSIX threads.
#[test]
fn c11_threads_are_recorded_once() {
    let folder = TestFolder::new();
    let recording = folder.record_one(LOCKS, &[&folder.compile("c11.c", &[])]);
    assert_eq!(recording.stdout, "30 559 1 1\n");
    let kinds = ["THREAD_CREATE", "THREAD_BEGIN", "THREAD_END", "THREAD_WAIT"];
    assert_eq!(kinds.map(|kind| recording.count(kind)), [4, 4, 4, 3]);
    let calls = ["thrd_create", "thrd_join", "thrd_exit", "thrd_detach", "cnd_signal", "cnd_broadcast"];
    assert_eq!(calls.map(|it| recording.calls(it)), [4, 3, 1, 1, 1, 1].map(|count| [count; 2]));
    let mut counts: Vec<_> = acquired(&recording).into_values().map(|all| all.len()).collect();
    counts.sort();
    // The recursive one by two threads and twice more, and perhaps after a wait.
    assert!(matches!(counts[..], [4..=5, 30]), "{counts:?}");
    for name in ["pthread_create", "pthread_join", "pthread_exit", "pthread_detach", "pthread_mutex_lock"] {
        assert_eq!(recording.calls(name), [0; 2], "{name}");
    }
}

/// No wait takes as long as the threshold.
#[test]
fn signals_are_recorded_if_a_thread_waits_for_them() {
    let folder = TestFolder::new();
    let program = folder.compile("signals-of-conditions.c", &["-pthread"]);
    let recording = folder.record_one(&[("KYMO_RECORD_MIN_WAIT", "3600000000000")], &[&program]);
    assert_eq!(recording.calls("pthread_cond_signal"), [3; 2]);
    assert_eq!(recording.calls("pthread_cond_broadcast"), [0; 2]);
}

/// Those of the threads that wait take longer than the threshold, those that wake them do not.
#[test]
fn calls_that_wake_threads_which_have_waited_long_are_recorded() {
    let folder = TestFolder::new();
    let program = folder.compile("wakers.c", &["-pthread"]);
    let recording = folder.record_one(&[("KYMO_RECORD_MIN_WAIT", "1000000")], &[&program]);
    assert_eq!(recording.calls("pthread_barrier_wait"), [3; 2]);
    assert_eq!(recording.calls("sem_wait"), [2; 2]);
    // Not the post that nobody waits for, nor the last one, unless it comes late.
    let posts = recording.calls("sem_post");
    assert!(matches!(posts, [1, 1] | [2, 2]), "{posts:?}");
}

/// Returns the order and location of the acquisitions of each lock. The orders must count from 1,
/// and each acquisition must be released.
#[track_caller]
fn acquired(recording: &Recording) -> HashMap<String, Vec<(u32, u64)>> {
    let locks = |kind| {
        let (locks, orders) = (recording.values(kind, "Lock"), recording.values(kind, "Acquisition Order"));
        let mut all: HashMap<String, Vec<(u32, u64)>> = HashMap::new();
        for ((location, lock), (_, order)) in locks.into_iter().zip(orders) {
            all.entry(lock).or_default().push((order.parse().expect("a number"), location));
        }
        all.values_mut().for_each(|orders| orders.sort());
        all
    };
    let (acquired, released) = (locks("THREAD_ACQUIRE_LOCK"), locks("THREAD_RELEASE_LOCK"));
    assert_eq!(acquired, released);
    for orders in acquired.values() {
        assert!(orders.iter().map(|it| it.0).eq(1..=orders.len() as u32), "{orders:?}");
    }
    acquired
}

#[test]
fn locks_are_acquired_in_order() {
    let recording = recorded();
    let acquired = acquired(&recording);
    let mut counts: Vec<_> = acquired.values().map(Vec::len).collect();
    counts.sort();
    // The recursive mutex once; the other one by two threads and two or three times around waits;
    // the first one 40 times.
    assert!(matches!(counts[..], [1, 4..=5, 40]), "{counts:?}");
}

/// Runs one part of the program of locks.
fn locks(part: &str, variables: &[(&str, &str)]) -> Recording {
    let folder = TestFolder::new();
    folder.record_one(variables, &[&folder.compile("locks.c", &[]), part])
}

/// Returns how often functions that lock or unlock are called, and how often locks are acquired and
/// released.
fn lock_events(recording: &Recording) -> ([usize; 2], [usize; 2]) {
    let calls =
        |names: &[&str]| names.iter().map(|name| recording.calls(&format!("pthread_{name}"))[1]).sum();
    let locks = calls(&["mutex_lock", "mutex_trylock", "rwlock_rdlock", "rwlock_wrlock"]);
    let unlocks = calls(&["mutex_unlock", "rwlock_unlock"]);
    let events = ["THREAD_ACQUIRE_LOCK", "THREAD_RELEASE_LOCK"].map(|kind| recording.count(kind));
    ([locks, unlocks], events)
}

/// Uncontended locks were recorded unasked.
#[test]
fn uncontended_locks_are_recorded_only_on_request() {
    assert_eq!(lock_events(&locks("alone", &[])), ([0, 0], [0, 0]));
    assert_eq!(lock_events(&locks("alone", LOCKS)), ([3003, 3002], [2002, 2002]));
}

#[test]
fn a_lock_that_is_waited_for_is_acquired_and_released() {
    let recording = locks("contended", &[]);
    // The second lock of the recursive mutex and locks of free mutexes are not recorded.
    assert_eq!(lock_events(&recording), ([1, 1], [1, 1]));
    let acquired = acquired(&recording);
    let thread = by_thread(&recording, "THREAD_BEGIN")[0].1;
    assert_eq!(acquired.into_values().collect::<Vec<_>>(), [[(1, thread)]]);
    let all = locks("contended", LOCKS);
    assert_eq!(lock_events(&all), ([5, 5], [4, 4]));
}

#[test]
fn a_read_write_lock_that_is_waited_for_is_acquired_and_released() {
    let recording = locks("shared", &[]);
    let calls =
        ["rdlock", "wrlock", "unlock"].map(|name| recording.calls(&format!("pthread_rwlock_{name}"))[1]);
    // The reader's unlock releases nothing.
    assert_eq!((calls, lock_events(&recording).1), ([1, 1, 1], [1, 1]));
}

#[test]
fn lock_functions_return_the_same_errors() {
    for variables in [&[], LOCKS] {
        let recording = locks("mistakes", variables);
        assert_eq!(recording.stdout, "1 35 35 130 130 131 0 110 22 22 22 22 0 35 35 77\n");
    }
}

#[test]
fn the_lock_of_a_wait_is_released_if_it_was_acquired() {
    let recording = locks("condition", THREADS);
    assert_eq!(
        (recording.calls("pthread_cond_timedwait"), lock_events(&recording)),
        ([1; 2], ([0, 1], [1, 1]))
    );
    assert_eq!(lock_events(&locks("condition", LOCKS)), ([1, 1], [2, 2]));
}

/// Records with a filter that has these rules for names.
fn filtered(rules: &str, part: &str, with: &[(&str, &str)]) -> Recording {
    let folder = TestFolder::new();
    let text = format!("SCOREP_REGION_NAMES_BEGIN\n{rules}\nSCOREP_REGION_NAMES_END\n");
    let filter = folder.write("filter", &text);
    let variables = [with, &[("SCOREP_FILTERING_FILE", filter.as_str())]].concat();
    folder.record_one(&variables, &[&folder.compile("locks.c", &[]), part])
}

/// Filters did not apply to functions of threads.
#[test]
fn filters_apply_to_thread_functions() {
    let recording = filtered("EXCLUDE pthread_mutex* pthread_create", "contended", LOCKS);
    assert_eq!(lock_events(&recording), ([0, 0], [0, 0]));
    assert_eq!((recording.calls("pthread_create"), recording.calls("pthread_join")), ([0; 2], [1; 2]));
    assert_eq!((recording.count("THREAD_CREATE"), recording.count("THREAD_WAIT")), (1, 1));
    let recording = filtered("EXCLUDE pthread_*lock", "condition", THREADS);
    assert_eq!(lock_events(&recording), ([0, 0], [1, 1]));
}

#[test]
fn an_acquired_lock_is_released_without_a_region() {
    let recording = filtered("EXCLUDE pthread_mutex_unlock", "contended", LOCKS);
    assert_eq!(lock_events(&recording), ([5, 0], [4, 4]));
    // The wait releases a lock that was not acquired, and is left out itself.
    let recording = filtered("EXCLUDE pthread_*", "condition", LOCKS);
    assert_eq!(lock_events(&recording), ([0, 0], [0, 0]));
    let recording = filtered("EXCLUDE pthread_cond_timedwait", "condition", LOCKS);
    assert_eq!(lock_events(&recording), ([1, 1], [2, 2]));
}

fn inits() -> Recording {
    let folder = TestFolder::new();
    let recording = folder.record_one(LOCKS, &[&folder.compile("inits.c", &[])]);
    assert_eq!(recording.stdout, "1 1\n");
    recording
}

/// Making and destroying a lock had no region.
#[test]
fn functions_that_make_and_destroy_locks_have_regions() {
    let recording = inits();
    assert_eq!(recording.calls("pthread_mutex_init"), [2; 2]);
    assert_eq!(recording.calls("pthread_mutex_destroy"), [1; 2]);
    for kind in ["pthread_cond", "pthread_rwlock", "mtx", "cnd"] {
        let calls = ["init", "destroy"].map(|what| recording.calls(&format!("{kind}_{what}")));
        assert_eq!(calls, [[1; 2]; 2], "{kind}");
    }
}

/// The second mutex, with the owner of the first, seemed to be locked twice and unlocked only once.
#[test]
fn a_new_mutex_does_not_have_the_owner_of_an_earlier_one() {
    let recording = inits();
    let orders = |kind| recording.values(kind, "Acquisition Order").into_iter().map(|(_, order)| order);
    // The events of the POSIX mutexes, with an additional one around the wait, are followed by
    // those of the C11 mutex, wherever it is in memory.
    let acquired: Vec<_> = orders("THREAD_ACQUIRE_LOCK").take(4).collect();
    let released: Vec<_> = orders("THREAD_RELEASE_LOCK").take(3).collect();
    assert_eq!(
        (acquired, released),
        (["1", "2", "3", "4"].map(Into::into).into(), ["2", "3", "4"].map(Into::into).into())
    );
}

/// Returns the location of an event for each thread, by the thread's number.
fn by_thread(recording: &Recording, kind: &str) -> Vec<(u32, u64)> {
    let values = recording.values(kind, "Sequence Count").into_iter();
    let mut all: Vec<_> =
        values.map(|(location, number)| (number.parse().expect("a number"), location)).collect();
    all.sort();
    all
}

#[test]
fn a_thread_with_the_id_of_a_joined_one_does_not_take_its_wait() {
    let folder = TestFolder::new();
    let library = folder.compile("reuse.c", &["-shared", "-fPIC", "-DLIBRARY"]);
    let named = folder.path("libreuse.so");
    std::fs::rename(library, &named).expect("a library");
    let program = folder.compile("reuse.c", &["-Wl,--no-as-needed", &named.display().to_string()]);
    let recording = folder.record_one(&[], &[&program]);
    assert_eq!(recording.stdout, "1\n", "the C library did not reuse the id: nothing is tested");
    assert_eq!(by_thread(&recording, "THREAD_WAIT"), by_thread(&recording, "THREAD_CREATE"));
    assert_eq!((recording.count("THREAD_WAIT"), recording.calls("pthread_join")), (2, [2; 2]));
}

#[test]
fn each_creating_thread_waits_for_its_own_threads() {
    let folder = TestFolder::new();
    let recording = folder.record_one(&[], &[&folder.compile("joins.c", &[]), "8", "200"]);
    let created = by_thread(&recording, "THREAD_CREATE");
    assert_eq!(created.len(), 8 + 8 * 200);
    assert_eq!(by_thread(&recording, "THREAD_WAIT"), created);
}

#[test]
fn other_kinds_do_not_record_threads() {
    let folder = TestFolder::new();
    let program = folder.compile("threads.c", &["-finstrument-functions"]);
    let recording = folder.record_one(&[("KYMO_RECORD_WITH", "functions")], &[&program]);
    assert_eq!((recording.calls("add"), recording.calls("pthread_create")), ([40; 2], [0; 2]));
    assert_eq!(recording.count("THREAD_ACQUIRE_LOCK"), 0);
}

#[test]
fn the_smallest_stack_is_large_enough() {
    let folder = TestFolder::new();
    let program = folder.compile("stack.c", &["-finstrument-functions"]);
    let recording = folder.record_one(&[], &[&program]);
    assert_eq!((recording.stdout.as_str(), recording.calls("work")), ("0 1\n", [1; 2]));
}

/// Returns the names of the locations, in their order.
fn names(arguments: &[&str]) -> Vec<String> {
    let folder = TestFolder::new();
    let program = folder.compile("names.c", &[]);
    let recording = folder.record_one(&[], &[&[program.as_str()], arguments].concat());
    let name = |line: &str| line.split_once("Name: \"")?.1.split('"').next().map(str::to_owned);
    recording.lines("LOCATION").filter_map(name).collect()
}

/// Locations had numbers instead of the names of threads.
#[test]
fn locations_have_the_names_of_threads() {
    let threads = ["Pthread thread 1", "last", "last", "fifteen letters", "other", "stays"];
    assert_eq!(names(&[]), [&["Master thread"][..], &threads].concat());
    assert_eq!(names(&["renamed"]), [&["main"][..], &threads, &["Pthread thread 7"]].concat());
}
