//! `kymo record` with real programs and the real runtime: the archive contains every event of the
//! program exactly once, `kymo check` and otf2-print read it, and output and exit status are those
//! of the program without kymo.

use std::fs;
use std::process::Stdio;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::record_common::{Recording, TestFolder, WITHOUT_SAMPLES, source};

#[test]
fn a_c_program_with_functions_and_user_regions() {
    let place = TestFolder::new();
    let program = place.compile("cc", &["-g", "-O1", "-finstrument-functions"], "measured.c");
    let recording = place.record(&[], &[&program, "20"], 3);
    assert_eq!(recording.stdout, "20 steps\n");
    // 15 calls of flux in each step; one further step ran with recording off.
    for (region, times) in [("main", 1), ("step", 20), ("flux", 300), ("warm up", 1), ("iteration", 20)] {
        recording.has_region(region, times);
    }
    assert_eq!(recording.count("ParameterInt"), 1);
    assert_eq!(recording.count("Metric"), 20);
    assert_eq!((recording.processes, recording.threads), (1, 1));
    assert_eq!(recording.place_of("step"), (source("measured.c"), 13));
}

#[test]
fn kinds_of_events_can_be_selected() {
    let place = TestFolder::new();
    let program = place.compile("cc", &["-g", "-O1", "-finstrument-functions"], "measured.c");
    let user = place.record(&["--with", "user"], &[&program, "20"], 3);
    assert_eq!((user.enters("iteration"), user.enters("flux")), (20, 0));
    let functions = place.record(&["--with", "functions"], &[&program, "20"], 3);
    assert_eq!((functions.enters("iteration"), functions.enters("flux")), (0, 315));
}

#[test]
fn filters_apply() {
    let place = TestFolder::new();
    let program = place.compile("cc", &["-g", "-O1", "-finstrument-functions"], "measured.c");
    let filter = place.path("filter");
    fs::write(
        &filter,
        "SCOREP_REGION_NAMES_BEGIN\n EXCLUDE *\n INCLUDE main st?p\nSCOREP_REGION_NAMES_END\n",
    )
    .expect("a file");
    let options = ["--filter", filter.to_str().expect("a path")];
    let recording = place.record(&options, &[&program, "20"], 3);
    assert_eq!(["main", "step", "flux"].map(|name| recording.enters(name)), [1, 20, 0]);
}

/// A rule without a match was not reported, whether it was misspelt or meant functions to which no
/// filter applies.
#[test]
fn filter_rules_without_a_match_are_reported() {
    let place = TestFolder::new();
    let program = place.compile("c++", &["-g", "-O0", "-pthread", "-finstrument-functions"], "threads.cpp");
    let rules = "SCOREP_REGION_NAMES_BEGIN\n EXCLUDE pthread_mutx* pthread_mutex*\n INCLUDE main\nSCOREP_REGION_NAMES_END\n";
    fs::write(place.path("f"), rules).expect("a file");
    // The rules also match in a child.
    let command = ["sh", "-c", &format!("{program}; true")];
    let options = ["--filter", "f", "--with", "functions,locks", "-o", "o"];
    let ended = place.run(&options, &command);
    let message = "kymo: the filter f: EXCLUDE pthread_mutx* (line 2) matches no region of this run\n";
    assert!(ended.stderr.ends_with(message), "{ended:?}");
    let left: Vec<_> =
        fs::read_dir(place.path("o")).expect("a folder").flatten().map(|it| it.file_name()).collect();
    assert!(!left.iter().any(|name| name == "filter-rules"), "{left:?}");
    let recording = place.record(&["--filter", "f", "--with", "functions,locks", "-o", "p"], &command, 0);
    // The waits release and reacquire the lock that was acquired without an event.
    let waits = recording.enters("pthread_cond_wait");
    assert_eq!((recording.enters("pthread_mutex_lock"), recording.count("ThreadAcquireLock")), (0, waits));
    assert_eq!((recording.enters("main"), recording.enters("pthread_create")), (1, 4));
}

#[test]
fn a_cpp_program_with_threads_and_exceptions() {
    let place = TestFolder::new();
    let program = place.compile("c++", &["-g", "-O0", "-pthread", "-finstrument-functions"], "threads.cpp");
    let recording = place.record(&["--with", "functions,locks"], &[&program], 0);
    assert_eq!(recording.stdout, "20 caught\n");
    for (region, times) in
        [("main", 1), ("work::run()", 4), ("work::attempt(int)", 40), ("work::risky(int)", 40)]
    {
        recording.has_region(region, times);
    }
    assert_eq!((recording.processes, recording.threads), (1, 5));
    assert_eq!(
        ["ThreadCreate", "ThreadBegin", "ThreadEnd", "ThreadWait"].map(|kind| recording.count(kind)),
        [4; 4]
    );
    let locks = recording.count("ThreadAcquireLock");
    assert_eq!(locks, recording.count("ThreadReleaseLock"));
    // 20 exceptions, 4 ending threads, `main` itself; each return from its wait acquires the lock
    // again.
    assert!(locks >= 25, "{locks}");
}

#[test]
fn a_fortran_program() {
    let place = TestFolder::new();
    let program = place.compile("gfortran", &["-g", "-O0", "-finstrument-functions"], "heat.f90");
    let recording = place.record(&[], &[&program], 4);
    for (region, times) in [("heat::step", 7), ("report", 1)] {
        recording.has_region(region, times);
    }
    assert_eq!(recording.place_of("heat::step"), (source("heat.f90"), 6));
}

#[test]
fn a_rust_program_with_threads() {
    let place = TestFolder::new();
    let program = place.compile("rustc", &["-g"], "threads.rs");
    let recording = place.record(&[], &[&program], 0);
    assert_eq!(recording.stdout, "counted 300\n");
    assert_eq!((recording.processes, recording.threads), (1, 4));
    assert_eq!(["ThreadCreate", "ThreadBegin", "ThreadEnd"].map(|kind| recording.count(kind)), [3; 3]);
}

/// Rust locks call the kernel directly, and their absence looked as if no thread waited.
#[test]
fn missing_locks_of_rust_programs_are_reported() {
    let place = TestFolder::new();
    let program = place.compile("rustc", &["-g"], "threads.rs");
    let what =
        format!("{program} is written in Rust: its threads are recorded, but locks of std::sync are not, ");
    let count = |text: &str| text.matches(&what).count();
    assert_eq!(count(&place.run(&["-o", "o", "--with", "threads"], &[&program]).stderr), 1);
    // The waiting for them is recorded.
    assert_eq!(count(&place.run(&["-o", "r"], &[&program]).stderr), 0);
    assert_eq!(count(&place.run(&["-o", "p", "--with", "functions"], &[&program]).stderr), 0);
    assert_eq!(count(&place.run(&["--dry-run", "--with", "threads"], &[&program]).stdout), 1);
    let program = place.compile("cc", &["-pthread"], "threads.c");
    assert!(!place.run(&["-o", "q"], &[&program]).stderr.contains("is written in"));
}

/// Such as the names of every `std::swap` and `std::fill` of the gcc library. They stayed mangled.
#[test]
fn names_that_only_the_cpp_library_can_demangle_are_demangled() {
    let place = TestFolder::new();
    let program = place.compile("c++", &["-g", "-O0", "-finstrument-functions"], "names.cpp");
    let recording = place.record(&[], &[&program], 0);
    let mangled: Vec<_> = recording.names().filter(|name| name.starts_with("_Z")).collect();
    assert_eq!(mangled, [""; 0]);
    recording.has_region("decltype ({parm#1}+traits::one<int>::value) add<int>(int)", 1);
    assert!(recording.names().any(|name| name.ends_with(" std::swap<int>(int&, int&)")), "{recording:?}");
}

#[test]
fn git_with_a_child() {
    let place = TestFolder::new();
    let git = |arguments: &[&str]| {
        let status = kymo_testdata::program("git")
            .args(arguments)
            .current_dir(place.path("repository"))
            .stdout(Stdio::null())
            .status();
        assert!(status.expect("git").success(), "{arguments:?}");
    };
    fs::create_dir(place.path("repository")).expect("a folder");
    fs::write(place.path("repository/file"), "content\n").expect("a file");
    git(&["init", "-q"]);
    git(&["add", "file"]);
    git(&["-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "-q", "-m", "first"]);
    let repository = place.path("repository").display().to_string();
    let log = place.record(&WITHOUT_SAMPLES, &["git", "-C", &repository, "log", "--format=%s"], 0);
    assert_eq!((log.stdout.as_str(), log.processes), ("first\n", 1));
    let alias = "alias.greet=!echo hello; git rev-parse --is-bare-repository";
    let child = place.record(&WITHOUT_SAMPLES, &["git", "-C", &repository, "-c", alias, "greet"], 0);
    assert_eq!(child.stdout, "hello\nfalse\n");
    // The shell and the git below it have neither functions nor threads.
    assert_eq!(child.programs, ["git"]);
}

#[test]
fn a_shell_script_with_children() {
    let place = TestFolder::new();
    let program = place.compile("cc", &["-g", "-finstrument-functions", "-pthread"], "ends.c");
    let script =
        format!("{program} return; {program} exit; echo $?; for i in 1 2; do {program} _exit; done; exit 9");
    let recording = place.record(&WITHOUT_SAMPLES, &["sh", "-c", &script], 9);
    // The shell only starts them.
    assert_eq!((recording.stdout.as_str(), recording.processes), ("5\n", 4));
    recording.has_region("work", 40);
    let only =
        place.record(&[&WITHOUT_SAMPLES[..], &["--children", "no"]].concat(), &["sh", "-c", &script], 9);
    assert_eq!((only.processes, only.enters("work")), (1, 0));
}

/// Bash defines its own `setenv`, which did not set the variable that marks the first process.
#[test]
fn bash_without_children_is_recorded() {
    let place = TestFolder::new();
    let program = place.compile("cc", &["-g", "-finstrument-functions", "-pthread"], "ends.c");
    let options = [&WITHOUT_SAMPLES[..], &["--children", "no"]].concat();
    let only = place.record(&options, &["bash", "-c", &format!("{program} return; :")], 0);
    assert_eq!((only.processes, only.enters("work"), only.programs.join(" ")), (1, 0, "bash".to_owned()));
    // A program that replaces it by `exec` is recorded too, but not the children of that program.
    let both = place.record(&options, &["bash", "-c", &format!("exec {program} spawn")], 0);
    assert_eq!((both.processes, both.enters("work"), both.programs.join(" ")), (1, 10, "ends-c".to_owned()));
}

/// A directory can be searched, which was taken for a program that can be executed.
#[test]
fn a_program_that_fails_to_execute_another_is_recorded_further() {
    let place = TestFolder::new();
    let program = place.compile("cc", &["-g"], "fails_to_execute.c");
    let recording = place.record(&["--min-wait", "1us"], &[&program], 7);
    assert_eq!((recording.processes, recording.enters("usleep")), (1, 1));
}

/// Records a program that ends in this way or becomes another, and checks the exit status, the
/// number of processes, and the calls of `work`.
#[track_caller]
fn ends(how: &str, status: i32, processes: usize, calls: u64) -> Recording {
    let place = TestFolder::new();
    let program = place.compile("cc", &["-g", "-finstrument-functions", "-pthread"], "ends.c");
    let recording = place.record(&[], &[&program, how], status);
    assert_eq!(
        (recording.processes, recording.enters("work"), recording.leaves("work")),
        (processes, calls, calls)
    );
    recording
}

#[test]
fn ended_by_exit() {
    ends("exit", 5, 1, 10);
    ends("_exit", 7, 1, 10);
}

#[test]
fn ended_from_a_thread() {
    assert_eq!(ends("thread", 6, 1, 15).threads, 2);
    assert_eq!(ends("pthread_exit", 0, 1, 15).threads, 2);
}

#[test]
fn forked_and_executed() {
    // The parent, and the child since the fork.
    ends("fork", 0, 2, 12 + 3);
    ends("spawn", 0, 2, 20);
}

#[test]
fn with_a_signal_handler() {
    ends("handler", 0, 1, 12);
}

/// Asserts the status of a program killed by a signal, that its events up to then are in the
/// archive, and that the report mentions the signal.
#[track_caller]
fn is_cut_off(how: &str, status: i32) {
    let place = TestFolder::new();
    let program = place.compile("cc", &["-g", "-finstrument-functions", "-pthread"], "ends.c");
    let (ended, recording) = place.record_cut_off(&[&program, how]);
    assert_eq!(ended.status, Some(status), "{ended:?}");
    let signal = status - 128;
    let what = format!(
        "; 1 process was cut off before its end (signal {signal} ended the program), 1 open region closed\n"
    );
    assert!(ended.stderr.contains(&what), "{ended:?}");
    assert_eq!((recording.enters("work"), recording.leaves("work")), (10, 10));
    assert_eq!((recording.enters("main"), recording.leaves("main")), (1, 1));
}

/// A user had to run `kymo recover`.
#[test]
fn a_program_killed_by_a_signal_is_recovered() {
    is_cut_off("kill", 137);
    is_cut_off("terminate", 143);
    is_cut_off("abort", 134);
    is_cut_off("interrupt", 130);
}

/// All Python pools kill their workers. Each worker left a folder and a command to run by hand.
#[test]
fn killed_workers_are_in_the_archive() {
    let place = TestFolder::new();
    let program = place.compile("cc", &["-g", "-finstrument-functions", "-pthread"], "ends.c");
    let (ended, recording) = place.record_cut_off(&[&program, "pool"]);
    assert_eq!(ended.status, Some(0), "{ended:?}");
    assert!(ended.stderr.contains("; 3 processes were cut off before their end\n"), "{ended:?}");
    assert_eq!((recording.processes, recording.enters("work"), recording.leaves("work")), (4, 22, 22));
}

#[test]
fn a_run_with_little_to_record_is_reported() {
    let place = TestFolder::new();
    let ended = place.run(&WITHOUT_SAMPLES, &["true"]);
    assert_eq!(ended.status, Some(0));
    assert!(
        ended.stderr.contains("kymo: there is little to see: the program has no instrumented functions"),
        "{ended:?}"
    );
    assert!(ended.stderr.contains("kymo:   where its time goes: kymo record --with sampling"), "{ended:?}");
    // By default, it depends on the machine whether a sample is taken.
    let recording = place.record(&[], &["true"], 0);
    assert_eq!((recording.processes, recording.threads), (1, 1));
}

/// The advice was to instrument the program, which was already instrumented, and to start threads.
#[test]
fn rusage_without_regions_gets_fitting_advice() {
    let place = TestFolder::new();
    let program = place.compile("cc", &["-g", "-finstrument-functions"], "measured.c");
    let ended = place.run(&["-o", "o", "--with", "rusage"], &[&program]);
    let advice: Vec<&str> = ended.stderr.lines().skip_while(|line| !line.contains("little to see")).collect();
    let expected = "kymo: there is little to see: resource usage is read when a region is entered or left, and --with rusage \
                    on its own records no regions. To get more: --with functions,user,threads,rusage";
    assert_eq!(advice, [expected], "{ended:?}");
    let ended = place.run(&["--dry-run", "--with", "rusage"], &[&program]);
    assert!(
        ended
            .stdout
            .ends_with("on its own records no regions. To get more: --with functions,user,threads,rusage\n")
    );
}

#[test]
fn missing_names_are_reported() {
    let place = TestFolder::new();
    let program = place.compile("cc", &["-s", "-finstrument-functions"], "measured.c");
    let ended = place.run(&[], &[&program]);
    assert_eq!(ended.status, Some(3));
    assert!(ended.stderr.contains("kymo: functions without names: the program was stripped"), "{ended:?}");
}

/// The advice was `kymo recover`, which found nothing.
#[test]
fn recovery_is_not_suggested_when_a_full_disk_kept_nothing() {
    let place = TestFolder::new();
    let program = place.compile("cc", &["-g", "-finstrument-functions"], "measured.c");
    for size in ["8k", "20k"] {
        let folder = place.path(size);
        std::fs::create_dir(&folder).unwrap();
        let small = format!("mount -t tmpfs -o size={size} none {0} && cd {0}", folder.display());
        let Some((ended, advice)) = place.run_in(&small, &[&program]) else { return };
        assert_eq!(ended.status, Some(3), "{ended:?}");
        match size {
            "8k" => {
                assert!(ended.stderr.contains("kymo: nothing was recorded"), "{ended:?}");
                assert!(!ended.stderr.contains("kymo recover"), "{ended:?}");
            }
            _ => assert_eq!(advice, [0], "{ended:?}"),
        }
    }
}

/// Five lines of jargon said it, from the process and from `kymo record`.
#[test]
fn a_full_disk_is_reported_in_one_line_with_what_is_kept() {
    let place = TestFolder::new();
    let program = place.compile("cc", &["-g", "-finstrument-functions"], "measured.c");
    let folder = place.path("full");
    std::fs::create_dir(&folder).unwrap();
    let small = format!("mount -t tmpfs -o size=20k none {0} && cd {0}", folder.display());
    let Some((ended, _)) = place.run_in(&small, &[&program]) else { return };
    let expected = "kymo: the disk is full: what was recorded is kept, but there is no archive; make room, then \
                    run: kymo recover o\n";
    let own = ended.stderr.split_inclusive('\n').filter(|line| line.starts_with("kymo:"));
    assert_eq!((ended.status, own.collect::<String>().as_str()), (Some(3), expected), "{ended:?}");
}

/// The exit status of a process and the wall-clock time were unknown in the archive.
#[test]
fn exit_status_and_time_of_a_process_are_in_the_archive() {
    let place = TestFolder::new();
    let program = place.compile("cc", &["-g", "-O1", "-finstrument-functions"], "measured.c");
    let now = || SystemTime::now().duration_since(UNIX_EPOCH).expect("a clock").as_nanos() as u64;
    let before = now();
    let recording = place.record(&[], &[&program, "20"], 3);
    assert!((before..=now()).contains(&recording.realtime), "{before} {}", recording.realtime);
    assert_eq!(recording.values("exit status"), ["3"]);
    let ends = place.compile("cc", &["-g", "-finstrument-functions", "-pthread"], "ends.c");
    for (how, status) in [("return", "0"), ("exit", "5"), ("_exit", "7")] {
        let code = status.parse().expect("a number");
        assert_eq!(place.record(&[], &[&ends, how], code).values("exit status"), [status], "{how}");
    }
    let before = now();
    let (_, killed) = TestFolder::new().record_cut_off(&[&ends, "kill"]);
    assert_eq!((killed.values("signal"), killed.programs.join(" ")), (vec!["9"], "ends-c".to_owned()));
    assert!((before..=now()).contains(&killed.realtime), "{before} {}", killed.realtime);
}

/// No process had a parent in the archive.
#[test]
fn a_child_has_its_parent_in_the_archive() {
    let place = TestFolder::new();
    let program = place.compile("cc", &["-g", "-finstrument-functions", "-pthread"], "ends.c");
    // A forked child, an executed child, and a program that replaces itself by exec; then a child
    // of a shell that records nothing.
    let script = format!("{program} return; true");
    for command in
        [vec![program.as_str(), "fork"], vec![program.as_str(), "spawn"], vec![program.as_str(), "become"]]
    {
        let recording = place.record(&[], &command, 0);
        assert_eq!(recording.creators, [None, Some(0)], "{command:?}");
    }
    let recording = place.record(&WITHOUT_SAMPLES, &["sh", "-c", &script], 0);
    assert_eq!((recording.creators, recording.processes), (vec![None], 1));
}

/// The archive had a process for each command of a wrapper.
#[test]
fn commands_of_a_wrapper_are_no_processes() {
    let place = TestFolder::new();
    let program = place.compile("cc", &["-g", "-finstrument-functions", "-pthread"], "ends.c");
    let script = format!("i=0; while [ $i -lt 40 ]; do env true; i=$((i+1)); done; exec {program} return");
    let recording = place.record(&WITHOUT_SAMPLES, &["sh", "-c", &script], 0);
    assert_eq!(recording.programs, ["ends-c"]);
    recording.has_region("work", 10);
    // If nothing else was recorded, one process represents all.
    assert_eq!(place.record(&WITHOUT_SAMPLES, &["sh", "-c", "true; env true; exit 3"], 3).programs, ["dash"]);
}

/// A child starts its measurement with its first region or thread.
#[test]
fn a_child_is_recorded_from_its_first_region_or_thread_on() {
    let place = TestFolder::new();
    let program = place.compile("c++", &["-g", "-O0", "-pthread"], "threads.cpp");
    let recording = place.record(&WITHOUT_SAMPLES, &["sh", "-c", &format!("{program}; :")], 0);
    assert_eq!((recording.processes, recording.threads), (1, 5));
    assert_eq!(
        ["ThreadCreate", "ThreadBegin", "ThreadEnd", "ThreadWait"].map(|kind| recording.count(kind)),
        [4; 4]
    );
    // Functions only, without events of threads.
    let measured = place.compile("c++", &["-g", "-O0", "-pthread", "-finstrument-functions"], "threads.cpp");
    let recording = place.record(&["--with", "functions"], &["sh", "-c", &format!("{measured}; :")], 0);
    assert_eq!((recording.processes, recording.enters("main"), recording.enters("work::run()")), (1, 1, 4));
}

/// The allocator of bash 4.3 aligns blocks to words, and ends programs that free memory from
/// `posix_memalign`: programs with such an allocator crashed. That of jemalloc locks a mutex:
/// programs waited forever, because the function that unlocks it allocated memory.
#[test]
fn programs_whose_allocator_does_less_than_that_of_the_c_library_are_recorded() {
    let place = TestFolder::new();
    let program = place.compile("cc", &["-g", "-O1", "-pthread"], "own_malloc.c");
    for what in
        ["threads,sampling", "functions,user,threads,locks,io,memory,rusage,counters,mpi,openmp,sampling"]
    {
        let recording = place.record(&["--with", what], &[&program], 3);
        assert!(recording.stdout.starts_with("words "), "{}", recording.stdout);
        assert!(recording.samples_in("work") > 0);
    }
}
