//! `kymo record` without the runtime: which programs it refuses and why, the environment and the
//! end of the program, and the archives of its processes. A library takes the place of the runtime
//! and leaves a known archive for each process.

use std::fs;
use std::io::{Read, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};
use std::{env, iter};

use crate::record_fake::{Ended, TestFolder, cc, install_program, installed, source, write_program};

#[test]
fn input_output_and_status_are_those_of_the_program() {
    let place = TestFolder::new();
    let mut command =
        place.command(&["--", "sh", "-c", "cat; echo \"$0 $1\"; echo wrong >&2; exit 7", "a b", "--with"]);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("kymo");
    child.stdin.take().expect("stdin").write_all(b"in\n").expect("to write");
    let ended = Ended::of(&child.wait_with_output().expect("an end"));
    assert_eq!((ended.status, ended.stdout.as_str()), (Some(7), "in\na b --with\n"));
    assert!(ended.stderr.starts_with("wrong\nkymo: recorded kymo-sh-1/kymo/traces.otf2: "), "{ended:?}");
}

#[test]
fn the_archive_of_one_process_is_moved() {
    let place = TestFolder::new();
    let ended = place.run(&["-o", "out/new", "true"]);
    let expected = [
        "recorded out/new/kymo/traces.otf2: 2 processes, 3 threads, 6 events",
        "to see where the time goes, by samples: kymo profile out/new/kymo/traces.otf2",
        "to print it: kymo print out/new/kymo/traces.otf2 (or otf2-print); to view it: kymo view out/new/kymo/traces.otf2; to explain it: kymo explain out/new/kymo/traces.otf2",
    ];
    assert_eq!((ended.status, ended.messages()), (Some(0), expected.to_vec()));
    assert_eq!(place.names("out/new"), ["kymo"]);
    assert_eq!(place.content("out/new"), (2, 6));
}

#[test]
fn quiet_prints_only_problems() {
    let place = TestFolder::new();
    let ended = place.run(&["-q", "-o", "my run", "true"]);
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    assert_eq!(place.names("my run"), ["kymo"]);
    let ended = place.run(&["--quiet", "-o", "my run", "true"]);
    assert_eq!((ended.status, ended.messages()[0]), (Some(125), "my run: is not empty"), "{ended:?}");
    // After the program, the option is an argument of the program.
    let ended = place.run(&["-o", "other run", "echo", "-q"]);
    assert_eq!(ended.stdout, "-q\n");
    assert!(
        ended.messages()[2].starts_with("to print it: kymo print 'other run/kymo/traces.otf2' "),
        "{ended:?}"
    );
}

#[test]
fn processes_become_one_archive() {
    let place = TestFolder::new();
    let script = "for i in 1 2 3; do env true; done; (exit 0) & wait; exit 5";
    let ended = place.run(&["sh", "-c", script]);
    assert_eq!(ended.status, Some(5), "{ended:?}");
    assert_eq!(place.names("kymo-sh-1"), ["kymo"]);
    // The shell, three programs (env becomes true), and a forked copy of the shell.
    assert_eq!(place.content("kymo-sh-1"), (10, 30));
}

/// Starts a command. Returns it when it waits for a process of the program, which has ended.
fn start_until_it_waits(mut command: Command) -> Child {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("kymo");
    // Byte by byte, so that nothing of the following lines is taken.
    let (stderr, mut line) = (child.stderr.as_mut().expect("a pipe"), Vec::new());
    while line.last() != Some(&b'\n') {
        let mut byte = [0];
        stderr.read_exact(&mut byte).unwrap_or_else(|_| panic!("{:?}", String::from_utf8_lossy(&line)));
        line.extend(byte);
    }
    let waits = "kymo: the program has ended, but one of its processes is still running; waiting for it (Ctrl-C stops waiting)\n";
    assert_eq!(String::from_utf8_lossy(&line), waits);
    child
}

#[test]
fn background_processes_are_waited_for() {
    let place = TestFolder::new();
    let gate = place.path("gate");
    assert!(Command::new("mkfifo").arg(&gate).status().expect("mkfifo").success());
    let child = start_until_it_waits(place.command(&["sh", "-c", "(read line < gate; env true) & exit 3"]));
    fs::write(gate, "\n").expect("to open the gate");
    let ended = Ended::of(&child.wait_with_output().expect("an end"));
    assert_eq!(ended.status, Some(3));
    // The shell, and its copy, which becomes env and then true.
    assert_eq!(place.content("kymo-sh-1"), (4, 12));
}

/// The process counted as killed before it had recorded anything.
#[test]
fn the_folder_of_a_running_process_is_kept() {
    let place = TestFolder::new();
    let script = "(exec sleep 1000 > sleeps 2>&1) & echo $!; exit 3";
    let parts = || place.names("o").iter().filter(|name| name.starts_with("process-")).count();
    let child = start_until_it_waits(place.command(&["-o", "o", "sh", "-c", script]));
    // The process is recorded when its program has begun.
    wait_for("sleep", || parts() == 2);
    send(&child, "-INT");
    let ended = Ended::of(&child.wait_with_output().expect("an end"));
    assert_eq!(ended.status, Some(3), "{ended:?}");
    let killed = Command::new("kill").arg(ended.stdout.trim()).status().expect("kill");
    assert!(killed.success(), "{ended:?}");
    let parts = place.names("o").into_iter().filter(|name| name.starts_with("process-"));
    let begin = format!("process-{}-", ended.stdout.trim());
    assert!(parts.clone().count() == 1 && parts.clone().all(|name| name.starts_with(&begin)), "{ended:?}");
    assert!(!ended.stderr.contains("nothing was recorded"), "{ended:?}");
    assert_eq!(ended.messages().last(), Some(&"to add them after they have ended: kymo recover o"));
}

#[test]
fn a_fatal_signal_becomes_the_exit_status() {
    for (signal, status) in [("KILL", 137), ("TERM", 143), ("SEGV", 139), ("INT", 130), ("ABRT", 134)] {
        let place = TestFolder::new();
        let ended = place.run(&["sh", "-c", &format!("kill -{signal} $$")]);
        assert_eq!(ended.status, Some(status));
        let number = status - 128;
        let what = format!("1 process recorded nothing (signal {number} ended the program)");
        assert_eq!(ended.messages(), [what]);
        assert_eq!(place.names(""), [""; 0]);
    }
}

#[test]
fn processes_that_ended_are_merged_when_another_was_killed() {
    let place = TestFolder::new();
    let ended = place.run(&["sh", "-c", "sh -c 'kill -9 $$'; env true; exit 0"]);
    assert_eq!(ended.status, Some(0));
    assert_eq!(place.content("kymo-sh-1"), (4, 12));
    assert_eq!(place.names("kymo-sh-1"), ["kymo"]);
    assert_eq!(ended.messages().last(), Some(&"1 process recorded nothing"), "{ended:?}");
}

fn wait_for(what: &str, is_so: impl Fn() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < Duration::from_secs(120), "{what} takes too long");
        sleep(Duration::from_millis(5));
    }
}

fn send(child: &Child, signal: &str) {
    let status = Command::new("kill").args([signal, &child.id().to_string()]).status().expect("kill");
    assert!(status.success());
}

#[test]
fn signals_sent_only_to_kymo_reach_the_program() {
    for (signal, expected) in [("-TERM", "term\n"), ("-HUP", "hup\n")] {
        let place = TestFolder::new();
        let script = "trap 'echo term; exit 9' TERM; trap 'echo hup; exit 9' HUP; touch ready; while :; do sleep 0.02; done";
        let mut command = place.command(&["sh", "-c", script]);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("kymo");
        wait_for("the program", || place.path("ready").exists());
        send(&child, signal);
        let ended = Ended::of(&child.wait_with_output().expect("an end"));
        assert_eq!((ended.status, ended.stdout.as_str()), (Some(9), expected));
    }
}

/// Returns whether an interrupt was sent to a process that has not received it.
fn is_pending(child: &Child) -> bool {
    const INTERRUPT: u64 = 1 << 1;
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).expect("a process");
    let sets =
        status.lines().filter_map(|line| line.strip_prefix("ShdPnd:").or(line.strip_prefix("SigPnd:")));
    sets.map(|set| u64::from_str_radix(set.trim(), 16).expect("a set")).any(|set| set & INTERRUPT != 0)
}

#[test]
fn an_interrupt_from_the_terminal_is_left_to_the_program() {
    let place = TestFolder::new();
    let script = "trap 'echo caught; exit 4' INT; touch ready; while :; do sleep 0.02; done";
    let mut command = place.command(&["sh", "-c", script]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("kymo");
    wait_for("the program", || place.path("ready").exists());
    // A terminal sends the signal to all processes; here kymo receives it first, then the program.
    send(&child, "-INT");
    wait_for("kymo to receive the signal", || !is_pending(&child));
    let children = fs::read_to_string(format!("/proc/{0}/task/{0}/children", child.id())).expect("children");
    let status = Command::new("kill").args(["-INT", children.trim()]).status().expect("kill");
    assert!(status.success());
    let ended = Ended::of(&child.wait_with_output().expect("an end"));
    assert_eq!((ended.status, ended.stdout.as_str()), (Some(4), "caught\n"));
    assert!(place.path("kymo-sh-1/kymo/traces.otf2").exists());
}

#[test]
fn ignored_signals_stay_ignored() {
    let place = TestFolder::new();
    let kymo = installed().folder.join("bin/kymo");
    let script = format!("trap '' HUP INT; exec {} record grep SigIgn /proc/self/status", kymo.display());
    let mut command = Command::new("sh");
    command
        .args(["-c", &script])
        .current_dir(place.0.path())
        .env("KYMO_TEST_ARCHIVE", installed().archive.folder.path());
    let output = command.output().expect("a shell");
    assert_eq!(output.status.into_raw(), 0);
    let line = String::from_utf8_lossy(&output.stdout).into_owned();
    let set = u64::from_str_radix(line.trim_start_matches("SigIgn:").trim(), 16).expect("a set");
    assert_eq!(set & 0b11, 0b11, "{line}");
    assert_eq!(set & 1 << 14, 0, "{line}");
}

#[test]
fn the_status_is_known_even_if_sigchld_is_ignored() {
    let place = TestFolder::new();
    // `env` starts kymo with SIGCHLD ignored, so the system discards the exit statuses of children.
    let kymo = installed().folder.join("bin/kymo");
    let mut command = Command::new("env");
    command
        .arg("--ignore-signal=CHLD")
        .arg(kymo)
        .args(["record", "sh", "-c", "exit 6"])
        .current_dir(place.0.path());
    let output = command.env("KYMO_TEST_ARCHIVE", installed().archive.folder.path()).output().expect("env");
    assert_eq!(output.status.code(), Some(6), "{output:?}");
}

#[test]
fn the_environment_of_the_program() {
    let place = TestFolder::new();
    let filter = "SCOREP_REGION_NAMES_BEGIN EXCLUDE x SCOREP_REGION_NAMES_END";
    fs::write(place.path("some.filter"), filter).expect("a file");
    let show = |options: &[&str]| {
        let mut command = place.command(options);
        command.args(["env"]).env("LD_PRELOAD", "libm.so.6").env("SCOREP_SUBSTRATE_PLUGINS", "");
        command.env("KYMO_RECORD_WITH", "nonsense");
        let ended = Ended::of(&command.output().expect("kymo"));
        let is_ours =
            |line: &&str| ["LD_PRELOAD", "SCOREP_", "KYMO_RECORD"].iter().any(|name| line.starts_with(name));
        // The test itself names a folder for scratch files.
        let others =
            ["KYMO_RECORD_PARENT=", "KYMO_RECORD_TICKS_PER_SECOND=", "SCOREP_SUBSTRATE_KYMO_SCRATCH="];
        let is_other = |line: &&str| others.iter().any(|it| line.starts_with(it));
        let is_ours = |line: &&str| is_ours(line) && !is_other(line);
        let mut lines: Vec<String> = ended.stdout.lines().filter(is_ours).map(str::to_owned).collect();
        lines.sort();
        lines
    };
    let root = place.0.path().canonicalize().expect("a folder");
    let folder = |name: &str| root.join(name).display().to_string();
    let library = installed().folder.join("lib/libkymo_runtime.so");
    let preload = format!("LD_PRELOAD={}:libm.so.6", library.display());
    assert_eq!(
        show(&[]),
        [
            "KYMO_RECORD_CHILDREN=yes".to_owned(),
            format!("KYMO_RECORD_DIRECTORY={}", folder("kymo-env-1")),
            preload.clone(),
            format!("SCOREP_EXPERIMENT_DIRECTORY={}", folder("kymo-env-1")),
            "SCOREP_SUBSTRATE_PLUGINS=kymo".to_owned(),
        ]
    );
    let options =
        ["--with", "user,threads", "--with=rusage", "--children", "no", "-o", "o", "--filter", "some.filter"];
    assert_eq!(
        show(&options),
        [
            "KYMO_RECORD_CHILDREN=no".to_owned(),
            format!("KYMO_RECORD_DIRECTORY={}", folder("o")),
            "KYMO_RECORD_WITH=user,threads,rusage".to_owned(),
            preload,
            format!("SCOREP_EXPERIMENT_DIRECTORY={}", folder("o")),
            format!("SCOREP_FILTERING_FILE={}", folder("some.filter")),
            "SCOREP_SUBSTRATE_PLUGINS=kymo".to_owned(),
        ]
    );
}

/// The variables were silently ignored.
#[test]
fn ineffective_variables_of_scorep_are_reported() {
    let place = TestFolder::new();
    let variables = [
        ("SCOREP_CUDA_BUFFER", "1M"),
        ("SCOREP_ENABLE_PROFILING", "true"),
        ("SCOREP_MPI_MAX_WINDOWS", "100"),
        // These request the default behaviour or mean nothing to a run.
        ("SCOREP_ENABLE_TRACING", "Yes"),
        ("SCOREP_ENABLE_UNWINDING", "false"),
        ("SCOREP_MPI_ENABLE_GROUPS", "all"),
        ("SCOREP_CUDA_ENABLE", ""),
        ("SCOREP_TIMER", "tsc"),
        ("SCOREP_SUBSTRATE_KYMO_SEAL", "true"),
        ("SCOREP_ROOT", "/opt/scorep"),
    ];
    let mut command = place.command(&["-o", "o", "true"]);
    let ended = Ended::of(&command.envs(variables).output().expect("kymo"));
    let what = "SCOREP_CUDA_BUFFER, SCOREP_ENABLE_PROFILING, SCOREP_MPI_MAX_WINDOWS: kymo record does not support \
                these Score-P variables; they have no effect";
    assert_eq!(ended.messages()[0], what);
    assert!(ended.messages()[1].starts_with("recorded o/"), "{ended:?}");
    let mut command = place.command(&["-o", "p", "true"]);
    let ended = Ended::of(&command.env("SCOREP_ENABLE_TRACING", "0").output().expect("kymo"));
    let what = "SCOREP_ENABLE_TRACING: kymo record does not support this Score-P variable; it has no effect";
    assert_eq!(ended.messages()[0], what);
}

#[test]
fn the_output_of_other_plugins_is_kept() {
    let place = TestFolder::new();
    let mut command = place.command(&["-o", "o", "sh", "-c", "kill -9 $$"]);
    let ended = Ended::of(&command.env("SCOREP_SUBSTRATE_PLUGINS", "other").output().expect("kymo"));
    assert_eq!((ended.status, ended.messages()), (Some(137), vec!["the output of the plugins is in o"]));
    assert_eq!(place.names("o").len(), 1);
}

#[test]
fn every_run_has_a_new_folder() {
    let place = TestFolder::new();
    for expected in ["kymo-true-1", "kymo-true-2"] {
        let ended = place.run(&["true"]);
        assert!(ended.messages()[0].starts_with(&format!("recorded {expected}/")), "{ended:?}");
    }
    let ended = place.run(&["-o", "kymo-true-1", "true"]);
    let expected =
        ["kymo-true-1: is not empty", "every measurement needs its own folder: choose another one (-o DIR)"];
    assert_eq!((ended.status, ended.messages()), (Some(125), expected.to_vec()));
    let ended = place.run(&["-o", "/proc/nothing", "true"]);
    assert_eq!(ended.status, Some(125));
    assert_eq!(ended.messages()[1], "choose a writable folder (-o DIR)");
}

#[track_caller]
fn is_refused(place: &TestFolder, program: &str, status: i32, what: &[&str]) {
    let before = place.names("");
    let ended = place.run(&["--", program]);
    assert_eq!((ended.status, ended.messages()), (Some(status), what.to_vec()));
    assert!(ended.stdout.is_empty());
    assert_eq!(place.names(""), before, "a folder was left");
}

#[test]
fn missing_programs_are_refused() {
    let place = TestFolder::new();
    fs::write(place.path("data"), "").expect("a file");
    is_refused(&place, "./none", 127, &["./none: No such file or directory (os error 2)"]);
    is_refused(&place, "no-such-program", 127, &["no-such-program: no such program in PATH"]);
    let hint = "to run a program in this folder, write ./data";
    is_refused(&place, "data", 127, &["data: no such program in PATH", hint]);
    is_refused(&place, "/usr", 126, &["/usr: is a folder"]);
    is_refused(&place, "./data", 126, &["./data: is not a program that you may run", "chmod +x ./data"]);
}

#[test]
fn programs_that_cannot_load_the_runtime_are_refused() {
    let place = TestFolder::new();
    let main = place.path("main.c");
    fs::write(&main, "int main(void) { return 0; }\n").expect("a file");
    let main = main.to_str().expect("a path");
    let static_hint = "link it without -static (Rust: without +crt-static; Go: with cgo), and try again";
    for (flag, name) in [("-static", "./static"), ("-static-pie", "./static-pie")] {
        cc(&[flag, main], &place.path(name));
        let what = format!("{name}: is statically linked, so the runtime cannot be loaded into it");
        is_refused(&place, name, 126, &[&what, static_hint]);
    }
    write_program(&place.path("script"), format!("#!{}\n", place.path("static").display()).as_bytes());
    let what = format!(
        "{}: is statically linked, so the runtime cannot be loaded into it",
        place.path("static").display()
    );
    is_refused(&place, "./script", 126, &[&what, static_hint]);
    cc(&["-Wl,--dynamic-linker=/lib/ld-musl-x86_64.so.1", main], &place.path("musl"));
    let what = "./musl: is linked with the C library musl, but the runtime with glibc";
    let hint = "build the program for glibc (Rust: --target x86_64-unknown-linux-gnu), and try again";
    is_refused(&place, "./musl", 126, &[what, hint]);
    write_program(&place.path("text"), b"echo hello\n");
    let what = "./text: is neither an ELF program nor a script that begins with #! and its interpreter";
    is_refused(&place, "./text", 126, &[what, "if it is a shell script: kymo record -- sh ./text"]);
}

#[test]
fn programs_for_other_machines_are_refused() {
    let place = TestFolder::new();
    let mut bytes = fs::read(env!("CARGO_BIN_EXE_kymo")).expect("a program");
    // Machine 243 is RISC-V.
    bytes[18..20].copy_from_slice(&243_u16.to_le_bytes());
    write_program(&place.path("riscv"), &bytes);
    let what = format!("./riscv: is a program for riscv64, but this kymo is built for {}", env::consts::ARCH);
    is_refused(&place, "./riscv", 126, &[&what, "build the program and kymo for the same machine"]);
}

#[test]
fn programs_measured_by_scorep_are_refused() {
    let place = TestFolder::new();
    let (library, main) = (place.path("library.c"), place.path("main.c"));
    fs::write(&library, "int scorep(void) { return 0; }\n").expect("a file");
    fs::write(&main, "int scorep(void);\nint main(void) { return scorep(); }\n").expect("a file");
    let [library, main] = [&library, &main].map(|path| path.to_str().expect("a path"));
    let measurement = place.path("libscorep_measurement.so.0");
    cc(&["-shared", "-fPIC", "-Wl,-soname,libscorep_measurement.so.0", library], &measurement);
    cc(&["-Wl,-rpath,$ORIGIN", main, measurement.to_str().expect("a path")], &place.path("measured"));
    let what = "./measured: is linked with Score-P, which measures it";
    let hint =
        "run it without kymo record, with SCOREP_SUBSTRATE_PLUGINS=kymo and the plugin in LD_LIBRARY_PATH";
    is_refused(&place, "./measured", 126, &[what, hint]);
}

/// Returns a set-uid program: created if the test runs as root, otherwise found in the system.
fn privileged(place: &TestFolder) -> String {
    let own = fs::metadata(place.0.path()).expect("a folder").uid();
    if own != 0 {
        let known = ["/bin/su", "/usr/bin/su", "/usr/bin/passwd", "/usr/bin/sudo"];
        let found = known.into_iter().find(|path| fs::metadata(path).is_ok_and(|it| it.mode() & 0o4000 != 0));
        return found.expect("a set-uid program").to_owned();
    }
    let path = place.path("privileged");
    install_program(Path::new(env!("CARGO_BIN_EXE_kymo")), &path);
    chown(&path, Some(65534), None).expect("another owner");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o4755)).expect("a mode");
    "./privileged".to_owned()
}

#[test]
fn set_uid_programs_are_refused() {
    let place = TestFolder::new();
    let program = privileged(&place);
    let ended = place.run(&["--", &program]);
    let what = format!(
        "{program}: runs with the rights of its owner (set-uid), so the loader does not load the runtime into it"
    );
    let hint = format!("measure a copy, which has no such rights: cp {program} .");
    assert_eq!((ended.status, ended.messages()), (Some(126), vec![what.as_str(), hint.as_str()]));
}

#[test]
fn broken_filters_are_refused_before_the_program_starts() {
    let place = TestFolder::new();
    fs::write(place.path("f"), "SCOREP_REGION_NAMES_BEGIN\nfoo\n").expect("a file");
    let expected = "f:2: expected EXCLUDE, INCLUDE or SCOREP_REGION_NAMES_END, found 'foo'";
    let ended = place.run(&["--filter", "f", "echo", "ran"]);
    assert_eq!((ended.status, ended.stdout.as_str(), ended.messages()), (Some(125), "", vec![expected]));
    let mut command = place.command(&["echo", "ran"]);
    let ended = Ended::of(&command.env("SCOREP_FILTERING_FILE", "f").output().expect("kymo"));
    assert_eq!((ended.status, ended.messages()), (Some(125), vec![expected]));
}

#[test]
fn dry_run_prints_what_would_be_recorded_and_runs_nothing() {
    let place = TestFolder::new();
    let program = place.path("heat");
    let heat = source("heat.c");
    cc(&["-g", "-O0", "-finstrument-functions", &heat, "-pthread"], &program);
    fs::write(place.path("f"), "SCOREP_REGION_NAMES_BEGIN EXCLUDE flux SCOREP_REGION_NAMES_END")
        .expect("a file");
    let ended = place.run(&["--dry-run", "--filter", "f", "--with", "functions,user,threads", "./heat"]);
    let line = |name: &str| {
        let text = fs::read_to_string(&heat).expect("the source");
        let place = text.lines().position(|line| line.contains(&format!("{name}("))).expect("a function");
        format!("  {name} ({heat}:{})\n", place + 1)
    };
    let expected = iter::once(
        "program:       ./heat\nchildren:      recorded\nfunctions:     instrumented\nuser:          none found\n\
         threads:       none found\nlocks:         none found\nio:            not requested\n\
         memory:        not requested\n\
         rusage:        not requested\ncounters:      not requested\nmpi:           not requested\nopenmp:        not requested\nopenacc:       not requested\nopencl:        not requested\nnvtx:          not requested\nitt:           not requested\n\
         kokkos:        not requested\nperfstubs:     not requested\nsampling:      not requested\nwaiting:       not requested\n\
         ./heat: 3 functions\n"
            .to_owned(),
    );
    let functions = ["step", "solve", "main"].map(line);
    let rest = ["./heat: the filter leaves out 1\n".to_owned(), line("flux")];
    let expected: String = expected.chain(functions).chain(rest).collect();
    assert_eq!(
        (ended.status, ended.stdout.as_str(), ended.stderr.as_str()),
        (Some(0), expected.as_str(), "")
    );
    assert_eq!(place.names(""), ["f", "heat"]);
}

/// It listed threads that the filter excludes.
#[test]
fn dry_run_applies_the_filter_to_threads() {
    let place = TestFolder::new();
    let source = source("threads.c");
    cc(&[&source, "-pthread"], &place.path("threads"));
    let text = "SCOREP_REGION_NAMES_BEGIN EXCLUDE pthread_mutex* pthread_join pthread_cancel SCOREP_REGION_NAMES_END";
    fs::write(place.path("f"), text).expect("a file");
    let lines = |options: &[&str]| {
        let ended = place.run(&[&["--dry-run", "--filter", "f"], options, &["./threads"]].concat());
        ended
            .stdout
            .lines()
            .skip_while(|line| !line.starts_with("threads:"))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let [threads, io] = ["threads:       if it starts any", "io:            not requested"];
    let out = [
        "threads and locks: the filter leaves out 3",
        "  pthread_join",
        "  pthread_mutex_lock",
        "  pthread_mutex_unlock",
    ];
    let waited = "locks:         contended ones only";
    let rest = [
        "memory",
        "rusage",
        "counters",
        "mpi",
        "openmp",
        "openacc",
        "opencl",
        "nvtx",
        "itt",
        "kokkos",
        "perfstubs",
        "sampling",
        "waiting",
    ];
    let rest = rest.map(|name| format!("{:<14} not requested", format!("{name}:")));
    let rest: Vec<&str> = rest.iter().map(String::as_str).collect();
    let others = [&[io][..], &rest, &out].concat();
    assert_eq!(lines(&["--with", "threads"]), [&[threads, waited][..], &others].concat());
    let all = "locks:         all";
    assert_eq!(lines(&["--with", "locks"]), [&[threads, all][..], &others].concat());
    let none = ["threads:       not requested", "locks:         not requested", io];
    assert_eq!(lines(&["--with", "functions"])[..3], none);
    assert_eq!(lines(&["--with", "functions,io"])[2], "io:            yes");
}

#[test]
fn dry_run_prints_how_to_record_more() {
    let place = TestFolder::new();
    let main = place.path("main.c");
    fs::write(&main, "int main(void) { return 0; }\n").expect("a file");
    cc(&[main.to_str().expect("a path")], &place.path("plain"));
    let ended = place.run(&["--dry-run", "./plain"]);
    assert!(
        ended.stdout.ends_with("sampling:      stacks of all threads\nwaiting:       calls that take long\n"),
        "{ended:?}"
    );
    let ended = place.run(&["--dry-run", "--with", "functions", "./plain"]);
    assert!(
        ended.stdout.contains("functions:     none: not compiled with -finstrument-functions\n"),
        "{ended:?}"
    );
    assert!(ended.stdout.contains(
        "There is little to see. To get more:\n  where its time goes: kymo record --with sampling"
    ));
    cc(&["-finstrument-functions", main.to_str().expect("a path")], &place.path("instrumented"));
    let ended = place.run(&["--dry-run", "./instrumented"]);
    assert!(ended.stdout.contains("\nsampling:      not taken, since functions are recorded "), "{ended:?}");
    write_program(&place.path("script"), b"#!/bin/sh -e\n");
    let ended = place.run(&["--dry-run", "./script"]);
    assert!(ended.stdout.starts_with("program:       ./script, a script for /bin/sh\n"), "{ended:?}");
}
