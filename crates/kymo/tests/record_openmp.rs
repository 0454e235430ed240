//! `kymo record` of programs with OpenMP, of gcc and of clang, whose events are known in advance.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use kymo_otf2::definitions::GlobalDefinition;
use kymo_otf2::enums::Paradigm;
use kymo_otf2::events::Event;
use kymo_otf2::read::Archive;
use kymo_otf2::records::AnyRecord;
use kymo_otf2::references::LocationRef;

use crate::record_common::{Recording, TestFolder};

/// Returns the compilers that are installed: each has an OpenMP runtime of its own.
fn compilers() -> Vec<&'static str> {
    let has_clang = std::env::var_os("CLANG").is_some() || kymo_testdata::is_installed("clang");
    if has_clang { vec!["cc", "clang"] } else { vec!["cc"] }
}

const FLAGS: [&str; 4] = ["-g", "-O1", "-fopenmp", "-pthread"];

/// A location of an archive.
#[derive(Debug, Default)]
struct Location {
    name: String,
    /// Names of events, with the region or the number of the lock, in order, with their times.
    events: Vec<(u64, String)>,
}

/// Reads the locations of the recording in a folder, in the order of their ids.
fn locations(folder: &Path) -> Vec<Location> {
    locations_of(&folder.join("kymo/traces.otf2"))
}

fn locations_of(anchor: &Path) -> Vec<Location> {
    let archive = Archive::open(anchor).expect("an archive");
    let (mut strings, mut regions, mut names) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
    let mut contexts = BTreeMap::new();
    for record in archive.global_definitions().expect("definitions").records().expect("records") {
        match record.expect("a record") {
            GlobalDefinition::String(it) => {
                strings.insert(it.id, String::from_utf8_lossy(it.string.as_bytes()).into_owned());
            }
            GlobalDefinition::Region(it) => {
                regions.insert(it.id, strings.get(&it.name).cloned().unwrap_or_default());
            }
            GlobalDefinition::CallingContext(it) => {
                contexts.insert(it.id, it.region);
            }
            GlobalDefinition::Location(it) => {
                names.insert(it.id, strings.get(&it.name).cloned().unwrap_or_default());
            }
            _ => {}
        }
    }
    let read = |(id, name): (LocationRef, String)| {
        let mut location = Location { name, ..Location::default() };
        let mut events = archive.events(id.0).expect("events");
        while let Some(event) = events.next().expect("an event") {
            let text = match &event.record {
                Event::Enter(it) => format!("+{}", regions[&it.region]),
                Event::Leave(it) => format!("-{}", regions[&it.region]),
                Event::CallingContextEnter(it) => format!("+{}", regions[&contexts[&it.calling_context]]),
                Event::CallingContextLeave(it) => format!("-{}", regions[&contexts[&it.calling_context]]),
                Event::ThreadAcquireLock(it) => format!("acquire {} {}", it.lock_id, it.acquisition_order),
                Event::ThreadReleaseLock(it) => format!("release {} {}", it.lock_id, it.acquisition_order),
                Event::ThreadTeamBegin(it) => format!("begin {}", it.thread_team.0),
                Event::ThreadTeamEnd(it) => format!("end {}", it.thread_team.0),
                other => other.name().to_owned(),
            };
            location.events.push((event.time, text));
        }
        location
    };
    names.into_iter().map(read).collect()
}

impl Location {
    fn count(&self, begin: &str) -> usize {
        self.events.iter().filter(|(_, event)| event.starts_with(begin)).count()
    }
}

fn count(locations: &[Location], begin: &str) -> usize {
    locations.iter().map(|location| location.count(begin)).sum()
}

/// Asserts the invariants of every program: times do not decrease, each begin of a member has its
/// end, a lock that is acquired is released before it is acquired elsewhere.
#[track_caller]
fn is_consistent(locations: &[Location]) {
    let mut locks: BTreeMap<String, Vec<(u64, u64)>> = BTreeMap::new();
    for location in locations {
        let times: Vec<u64> = location.events.iter().map(|&(time, _)| time).collect();
        assert!(times.is_sorted(), "{}", location.name);
        assert_eq!(location.count("begin "), location.count("end "), "{}", location.name);
        assert_eq!(location.count("ThreadFork"), location.count("ThreadJoin"), "{}", location.name);
        let mut held: BTreeMap<&str, u64> = BTreeMap::new();
        for (time, event) in &location.events {
            if let Some(lock) = event.strip_prefix("acquire ") {
                held.entry(lock).or_insert(*time);
            } else if let Some(lock) = event.strip_prefix("release ")
                && let Some(since) = held.get(lock)
            {
                locks
                    .entry(lock.split(' ').next().unwrap_or_default().to_owned())
                    .or_default()
                    .push((*since, *time));
            }
        }
    }
    for (lock, mut times) in locks {
        // A nestable lock is released several times after one acquisition.
        times.sort_unstable();
        let mut last = (0, 0);
        for (since, until) in times {
            assert!(since == last.0 || since >= last.1, "lock {lock}: {since} is before {}", last.1);
            last = (since, until);
        }
    }
}

/// Asserts that all members are in a barrier at the same time, each time it is executed.
#[track_caller]
fn overlap(locations: &[Location], barrier: &str) {
    let ends = |location: &Location, sign: char| -> Vec<u64> {
        let is_end = |event: &str| event.strip_prefix(sign).is_some_and(|name| name.starts_with(barrier));
        location.events.iter().filter(|(_, event)| is_end(event)).map(|&(time, _)| time).collect()
    };
    let all: Vec<_> = locations.iter().map(|it| (ends(it, '+'), ends(it, '-'))).collect();
    let members: Vec<_> = all.into_iter().filter(|(enters, _)| !enters.is_empty()).collect();
    assert!(members.len() > 1 && members.iter().all(|it| it.0.len() == members[0].0.len()), "{members:?}");
    for round in 0..members[0].0.len() {
        let last_enter = members.iter().map(|it| it.0[round]).max();
        let first_leave = members.iter().map(|it| it.1[round]).min();
        assert!(last_enter <= first_leave, "{barrier}, time {round}: {members:?}");
    }
}

/// Records a program of each compiler with these arguments, which must end with this status and
/// print the same as without.
#[track_caller]
fn of_each(arguments: &[&str], status: i32, check: impl Fn(&str, &Recording, &[Location])) {
    for compiler in compilers() {
        let folder = TestFolder::new();
        let program = folder.compile(compiler, &FLAGS, "openmp.c");
        let command = [&[program.as_str()], arguments].concat();
        let recording = folder.record(&["-o", "o"], &command, status);
        let locations = locations(&folder.path("o"));
        is_consistent(&locations);
        check(compiler, &recording, &locations);
    }
}

/// The enters of regions whose name begins with a text.
fn enters(locations: &[Location], region: &str) -> usize {
    count(locations, &format!("+{region}"))
}

#[test]
fn constructs_have_regions_and_locks_have_events() {
    of_each(&["constructs"], 3, |compiler, recording, all| {
        let names: Vec<&str> = all.iter().map(|location| location.name.as_str()).collect();
        assert_eq!(names, ["Master thread", "OMP thread 1", "OMP thread 2", "OMP thread 3"]);
        assert_eq!((count(all, "ThreadFork"), count(all, "begin "), count(all, "end ")), (3, 12, 12));
        assert!(recording.stdout.starts_with("14859 "), "{}", recording.stdout);
        let expected = [
            ("!$omp parallel @openmp.c:22", 12),
            ("!$omp for/do @openmp.c:2", 12),
            ("!$omp critical @openmp.c:2", 24),
            ("!$omp critical sblock @openmp.c:2", 24),
            ("!$omp single @openmp.c:", 12),
            ("!$omp single sblock @openmp.c:", 3),
            ("!$omp sections @openmp.c:", 12),
            ("!$omp ordered @openmp.c:", 24),
            // LLVM's runtime does not say that a lock was only tested, up to release 18.
            ("omp_set_lock", if compiler == "cc" { 12 } else { 13 }),
            ("omp_unset_lock", 13),
            ("omp_set_nest_lock", 24),
            ("omp_unset_nest_lock", 24),
            ("omp_init_lock", 1),
            ("omp_destroy_nest_lock", 1),
        ];
        for (region, times) in expected {
            assert_eq!(enters(all, region), times, "{compiler}: {region}");
        }
        // Two critical sections, the lock, the nestable lock twice, the ordered blocks, the test.
        assert_eq!(count(all, "acquire "), 12 + 12 + 12 + 24 + 24 + 1, "{compiler}");
        assert_eq!(count(all, "release "), count(all, "acquire "));
        overlap(all, "!$omp barrier @openmp.c:26");
        overlap(all, "!$omp implicit barrier @openmp.c:22");
    });
}

/// They were left only at the end of the program.
#[test]
fn barriers_and_singles_before_the_first_parallel_region_are_left_where_they_end() {
    of_each(&["outside"], 0, |compiler, _, all| {
        let events: Vec<&str> = all[0].events.iter().map(|(_, event)| event.as_str()).collect();
        let mut open = Vec::new();
        for event in events.iter().filter(|event| event.contains("!$omp")) {
            let (sign, region) = event.split_at(1);
            match sign {
                "+" => {
                    let is_barrier = |region: &str| region.contains(" barrier ");
                    assert!(!open.iter().copied().any(is_barrier), "{compiler}: {region} in {open:?}");
                    assert!(!is_barrier(region) || open.is_empty(), "{compiler}: {region} in {open:?}");
                    open.push(region);
                }
                _ => assert_eq!(open.pop(), Some(region), "{compiler}"),
            }
        }
        assert_eq!(open, [""; 0], "{compiler}");
        assert_eq!(enters(all, "!$omp single sblock @openmp.c:"), 1, "{compiler}");
    });
}

/// The archive had no definition of the paradigm.
#[test]
fn openmp_without_parallel_regions_is_defined() {
    for compiler in compilers() {
        let folder = TestFolder::new();
        let program = folder.compile(compiler, &FLAGS, "openmp.c");
        folder.record(&["-o", "o"], &[&program, "outside"], 0);
        let archive = Archive::open(folder.path("o/kymo/traces.otf2")).expect("an archive");
        let definitions = archive.global_definitions().expect("definitions");
        let records = definitions.records().expect("records").map(|record| record.expect("a record"));
        let openmp = records.filter(|record| match record {
            GlobalDefinition::Paradigm(it) => it.paradigm == Paradigm::OPENMP,
            _ => false,
        });
        assert_eq!(openmp.count(), 1, "{compiler}");
    }
}

#[test]
fn nested_teams_have_locations_by_their_place() {
    of_each(&["nested"], 0, |compiler, _, all| {
        let names: BTreeSet<&str> = all.iter().map(|location| location.name.as_str()).collect();
        let expected = [
            "Master thread",
            "OMP thread 0:1",
            "OMP thread 0:2",
            "OMP thread 1",
            "OMP thread 1:1",
            "OMP thread 1:2",
        ];
        assert_eq!(names, BTreeSet::from(expected), "{compiler}");
        // Each of three rounds has a team of two, whose members fork a team of three.
        assert_eq!((count(all, "ThreadFork"), count(all, "begin ")), (3 + 6, 6 + 18), "{compiler}");
        assert_eq!(enters(all, "!$omp barrier"), 18, "{compiler}");
        let teams: BTreeSet<&str> = all
            .iter()
            .flat_map(|location| &location.events)
            .filter_map(|(_, event)| event.strip_prefix("begin "))
            .collect();
        assert_eq!(teams.len(), 3, "{compiler}");
    });
}

/// `fib(9)` creates two tasks in each of its 54 calls with an argument above 1.
#[test]
fn tasks_are_created_begun_and_completed_once() {
    of_each(&["tasks"], 0, |compiler, recording, all| {
        let tasks = (count(all, "ThreadTaskCreate"), count(all, "ThreadTaskComplete"));
        let calls = 54;
        assert_eq!(tasks, (2 * calls + 2, 2 * calls + 2), "{compiler}");
        assert_eq!(enters(all, "!$omp create task"), tasks.0, "{compiler}");
        assert_eq!(enters(all, "!$omp task @"), tasks.0, "{compiler}");
        assert_eq!(enters(all, "!$omp task @openmp.c:86"), calls, "{compiler}");
        assert_eq!(enters(all, "!$omp taskwait"), calls + 1, "{compiler}");
        assert_eq!(enters(all, "!$omp taskgroup"), 1, "{compiler}");
        assert_eq!(recording.threads, 3);
    });
}

/// They continue on other threads, with the regions that are open in them.
#[test]
fn untied_tasks_are_completed_once() {
    of_each(&["untied"], 0, |compiler, _, all| {
        assert_eq!(count(all, "ThreadTaskCreate"), 2 * 54 + 1, "{compiler}");
        assert_eq!(count(all, "ThreadTaskComplete"), 2 * 54 + 1, "{compiler}");
        assert_eq!(enters(all, "!$omp task untied"), 2 * 54 + 1, "{compiler}");
    });
}

#[test]
fn a_detached_task_ends_when_its_code_does() {
    of_each(&["detach"], 0, |compiler, _, all| {
        assert_eq!(count(all, "ThreadTaskComplete"), 4, "{compiler}");
        let names = all.iter().filter(|location| location.name.starts_with("OMP thread"));
        assert_eq!(names.count(), 1, "{compiler}");
    });
}

#[test]
fn cancelled_constructs_end() {
    for (compiler, what) in [("cc", "cancel"), ("cc", "cancel-parallel"), ("clang", "cancel")] {
        if !compilers().contains(&compiler) {
            continue;
        }
        let folder = TestFolder::new();
        let program = folder.compile(compiler, &FLAGS, "openmp.c");
        let kymo = folder.kymo(&["-o", "o"], &[&program, what]);
        let ended = kymo.with(&[("OMP_CANCELLATION", "true")]).end();
        assert_eq!((ended.status, ended.stdout.as_str()), (Some(0), "done\n"), "{ended:?}");
        let all = locations(&folder.path("o"));
        is_consistent(&all);
        assert_eq!((count(&all, "ThreadFork"), count(&all, "begin ")), (1, 4), "{compiler}: {what}");
    }
}

/// LLVM's runtime crashed when a critical section ended after the thread that had used OpenMP
/// first.
#[test]
fn the_end_of_the_first_thread_that_used_openmp_does_not_end_the_program() {
    of_each(&["roots"], 0, |compiler, _, all| {
        assert_eq!((count(all, "ThreadFork"), count(all, "begin ")), (80, 240), "{compiler}");
        let members: Vec<_> = all.iter().filter(|location| location.name.starts_with("OMP thread")).collect();
        assert_eq!(members.len(), 8, "{compiler}");
        assert!(members.iter().all(|location| location.count("begin ") == 20), "{compiler}: {members:?}");
    });
}

#[test]
fn a_program_may_exit_in_a_parallel_region() {
    for number in ["0", "2"] {
        of_each(&["exit", number], 5, |compiler, _, all| {
            assert_eq!((count(all, "begin "), count(all, "end ")), (4, 4), "{compiler}");
            assert_eq!(count(all, "ThreadJoin"), 1, "{compiler}");
        });
        of_each(&["_exit", number], 7, |compiler, _, all| {
            assert_eq!((count(all, "begin "), count(all, "end ")), (4, 4), "{compiler}");
        });
    }
}

#[test]
fn a_forked_child_has_teams_of_its_own() {
    of_each(&["forks"], 0, |compiler, recording, all| {
        assert_eq!(recording.processes, 2);
        assert_eq!((count(all, "ThreadFork"), count(all, "begin ")), (40, 120), "{compiler}");
        assert_eq!(all.len(), 6, "{compiler}");
    });
}

#[test]
fn many_regions_have_the_same_locations_and_one_team() {
    of_each(&["many", "3000"], 0, |compiler, recording, all| {
        assert_eq!((count(all, "ThreadFork"), count(all, "begin ")), (3000, 6000), "{compiler}");
        assert_eq!(recording.threads, 2, "{compiler}");
        overlap(all, "!$omp implicit barrier");
        assert_eq!(
            recording.properties.iter().find(|it| it.0 == "OpenMP parallel regions").map(|it| it.1.as_str()),
            Some("3000")
        );
    });
}

/// Functions that members call are recorded on the locations of the members.
#[test]
fn functions_in_a_team_are_recorded_on_its_locations() {
    for compiler in compilers() {
        let folder = TestFolder::new();
        let flags = [&FLAGS[..], &["-finstrument-functions"]].concat();
        let program = folder.compile(compiler, &flags, "openmp.c");
        folder.record(&["-o", "o"], &[&program, "tasks"], 0);
        let all = locations(&folder.path("o"));
        is_consistent(&all);
        // `fib` is called 109 times, by any member; nothing else has a thread.
        let calls = |location: &Location, function: &str| {
            location.events.iter().filter(|(_, event)| event.strip_prefix('+') == Some(function)).count()
        };
        assert_eq!(all.iter().map(|location| calls(location, "fib")).sum::<usize>(), 109, "{compiler}");
        assert_eq!(all.iter().map(|location| calls(location, "main")).collect::<Vec<_>>(), [1, 0, 0]);
    }
}

/// A program that is not linked with OpenMP opens two libraries, each for itself.
#[test]
fn libraries_that_are_opened_later_have_teams() {
    for compiler in compilers() {
        let folder = TestFolder::new();
        let flags = ["-g", "-fopenmp", "-fPIC", "-shared", "-DLIBRARY"];
        let library = folder.compile(compiler, &flags, "openmp_library.c");
        std::fs::rename(&library, folder.path("libwork.so")).expect("a library");
        let program = folder.compile("cc", &["-g"], "openmp_library.c");
        let recording = folder.record(&["-o", "o"], &[&program, "./libwork.so"], 0);
        assert_eq!(recording.stdout, "6\n");
        let all = locations(&folder.path("o"));
        is_consistent(&all);
        assert_eq!((count(&all, "ThreadFork"), count(&all, "begin ")), (2, 6), "{compiler}");
        overlap(&all, "!$omp barrier @openmp_library.c:13");
    }
}

#[test]
fn a_tool_of_the_program_takes_precedence() {
    let folder = TestFolder::new();
    let flags = [&FLAGS[..], &["-rdynamic"]].concat();
    let program = folder.compile("clang", &flags, "openmp_tool.c");
    let ended = folder.run(&["-o", "o"], &[&program]);
    assert_eq!((ended.status, ended.stdout.as_str()), (Some(0), "the tool begins\n2\n"), "{ended:?}");
    assert!(ended.stderr.contains("; no parallel region was recorded"), "{ended:?}");
}

/// gcc's runtime does not report loops with a static schedule.
#[test]
fn llvms_runtime_takes_the_place_of_that_of_gcc() {
    let folder = TestFolder::new();
    let program = folder.compile("cc", &FLAGS, "openmp.c");
    let recording = folder.record(&["-o", "o", "--with", "openmp=libomp"], &[&program, "constructs"], 3);
    let all = locations(&folder.path("o"));
    is_consistent(&all);
    assert_eq!((count(&all, "ThreadFork"), count(&all, "begin ")), (3, 12));
    assert_eq!((enters(&all, "!$omp parallel @openmp.c:22"), recording.threads), (12, 4));
    // Not twice, as both the functions of gcc and the callbacks of LLVM's runtime tell of it.
    assert_eq!((enters(&all, "!$omp critical @openmp.c:27"), enters(&all, "omp_set_lock")), (12, 13));
}

#[test]
fn fortran_has_teams() {
    let folder = TestFolder::new();
    let program = folder.compile("gfortran", &["-g", "-fopenmp"], "openmp.f90");
    folder.record(&["-o", "o"], &[&program], 0);
    let all = locations(&folder.path("o"));
    is_consistent(&all);
    assert_eq!((count(&all, "ThreadFork"), count(&all, "begin ")), (1, 3));
    let regions =
        ["!$omp parallel @openmp.f90:", "!$omp for/do", "!$omp critical @openmp.f90:", "omp_set_lock"];
    assert_eq!(regions.map(|region| enters(&all, region)), [3; 4]);
}

/// The compiler had moved code of the subroutine's head in front of the call, with its line.
#[test]
fn a_team_is_at_the_line_of_its_construct() {
    let folder = TestFolder::new();
    for (name, options) in [("plain", &[][..]), ("instrumented", &["-finstrument-functions"])] {
        let options = [&["-g", "-O2", "-fopenmp"], options].concat();
        let program = folder.compile("gfortran", &options, "head.f90");
        folder.record(&["-o", name, "--with", "openmp"], &[&program], 0);
        let all = locations(&folder.path(name));
        let at_construct = enters(&all, "!$omp parallel @head.f90:6");
        assert!(at_construct > 0 && at_construct == enters(&all, "!$omp parallel @"), "{name}: {all:?}");
    }
}

#[test]
fn openmp_can_be_left_out() {
    for compiler in compilers() {
        let folder = TestFolder::new();
        let program = folder.compile(compiler, &FLAGS, "openmp.c");
        folder.record(&["-o", "o", "--with", "user"], &[&program, "constructs"], 3);
        let all = locations(&folder.path("o"));
        assert_eq!((all.len(), all[0].events.len()), (1, 2), "{compiler}");
    }
}

/// The names of regions and events in comparisons with Score-P: without source lines and numbers.
/// `None` for functions, and for events that depend on the order in which threads run.
fn without_run(event: &str, compiler: &str) -> Option<String> {
    let name = event.split(" @").next().unwrap_or(event).replace("for/do", "for");
    match name.split_once(' ') {
        // gcc compiles a barrier and the end of a loop into the same call.
        _ if compiler == "cc" && name.ends_with(" barrier") => Some(name.replace("implicit ", "")),
        _ if ["+!$omp", "-!$omp", "+omp_", "-omp_"].iter().any(|it| name.starts_with(it)) => Some(name),
        Some((kind @ ("acquire" | "release" | "begin" | "end"), _)) => Some(kind.to_owned()),
        None if name.starts_with("Thread") && name != "ThreadTaskSwitch" => Some(name),
        _ => None,
    }
}

/// Counts the events of all threads.
fn counts(locations: &[Location], compiler: &str) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    let events = locations.iter().flat_map(|location| &location.events);
    for name in events.filter_map(|(_, event)| without_run(event, compiler)) {
        *counts.entry(name).or_default() += 1;
    }
    counts
}

/// The constructs that every thread of a team enters, in their order. Score-P's source rewriter
/// puts the implicit barrier into the construct; the OpenMP runtimes report it after the end of the
/// construct.
fn constructs(locations: &[Location], compiler: &str) -> Vec<Vec<String>> {
    let is_of_all = |name: &String| {
        let kinds = ["parallel", "for", "barrier", "critical", "single"];
        name.starts_with('+') && kinds.iter().any(|kind| name.ends_with(&format!(" {kind}")))
    };
    let of = |location: &Location| {
        let names = location.events.iter().filter_map(|(_, event)| without_run(event, compiler));
        names.filter(is_of_all).collect()
    };
    locations.iter().map(of).collect()
}

#[test]
fn the_program_of_score_ps_recording_has_its_events() {
    let theirs = locations_of(&kymo_testdata::own("scorep-recordings/omp/traces.otf2"));
    for compiler in compilers() {
        let folder = TestFolder::new();
        let program = folder.compile(compiler, &FLAGS, "openmp.c");
        folder.record(&["-o", "o", "--with", "openmp"], &[&program, "recorded"], 0);
        let ours = locations(&folder.path("o"));
        let expected = counts(&theirs, compiler);
        assert_eq!((theirs.len(), expected["+!$omp taskwait"], expected["acquire"]), (3, 21, 45));
        assert_eq!(counts(&ours, compiler), expected, "{compiler}");
        assert_eq!(constructs(&ours, compiler), constructs(&theirs, compiler), "{compiler}");
    }
}
