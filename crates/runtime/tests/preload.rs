//! Programs that are not prepared for the runtime: it is preloaded and must not change their
//! behaviour.

use crate::common::Run;
use kymo_plugin_tests::testing::{build_plugin, compile_program};
use std::path::{Path, PathBuf};

/// Builds the runtime, with our plugin next to it; returns its path.
fn runtime() -> PathBuf {
    let plugin = build_plugin("kymo-plugin");
    let runtime = build_plugin("kymo-runtime");
    assert_eq!(plugin.parent(), runtime.parent());
    runtime
}

fn preloaded(test: &str, program: &Path) -> Run {
    Run::of(test, program).env("LD_PRELOAD", runtime())
}

const HELLO: &str = "#include <stdio.h>\nint main(void) { puts(\"hello\"); return 7; }\n";

const EXIT_IN_THREAD: &str = "#include <pthread.h>
#include <stdlib.h>
static void* work(void* nothing) { (void)nothing; exit(3); }
int main(void) { pthread_t thread; pthread_create(&thread, 0, work, 0); pthread_join(thread, 0); return 0; }
";

#[test]
fn output_and_status_are_those_of_the_program() {
    let mut run = preloaded("hello", &compile_program("hello", HELLO));
    let output = run.output();
    assert_eq!(
        (output.status.code(), &*output.stdout, &*output.stderr),
        (Some(7), &b"hello\n"[..], &b""[..])
    );
    let archive = run.archive(Path::new("measured"));
    assert_eq!((archive.count(0, "PROGRAM_BEGIN"), archive.count(0, "PROGRAM_END")), (1, 1));
    for file in ["MANIFEST.md", "scorep.cfg"] {
        assert!(run.folder.join("measured").join(file).exists(), "{file}");
    }
    assert!(!run.folder.join("measured/running").exists());
}

#[test]
fn a_thread_can_end_the_program() {
    let mut run = preloaded("exit-in-thread", &compile_program("exit-in-thread", EXIT_IN_THREAD));
    assert_eq!(run.output().status.code(), Some(3));
    assert_eq!(run.archive(Path::new("measured")).count(0, "PROGRAM_END"), 1);
}

#[test]
fn a_directory_that_cannot_be_created_does_not_stop_the_program() {
    let mut run = preloaded("no-place", &compile_program("no-place", HELLO))
        .env("SCOREP_EXPERIMENT_DIRECTORY", "/proc/none");
    let output = run.output();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), &*output.stdout), (Some(7), &b"hello\n"[..]));
    assert!(stderr.contains("/proc/none"), "{stderr}");
}

const OPENS_AND_CLOSES: &str = "#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    void* runtime = dlopen(getenv(\"RUNTIME\"), RTLD_NOW);
    if (!runtime) puts(dlerror());
    dlclose(runtime);
    puts(\"end\");
    return 5;
}
";

/// The exit called a function of the runtime, which was not there any more, and there was a
/// recording.
#[test]
fn a_program_may_open_and_close_the_runtime_and_is_not_recorded() {
    let mut run = Run::of("closes", &compile_program("closes", OPENS_AND_CLOSES)).env("RUNTIME", runtime());
    let output = run.output();
    assert_eq!((output.status.code(), &*output.stdout), (Some(5), &b"end\n"[..]), "{output:?}");
    assert_eq!(run.directories(), [] as [String; 0]);
}

/// A copy of the file was a second measurement.
#[test]
fn another_copy_of_the_runtime_does_not_record_the_program_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let copy = folder.path().join("libkymo_runtime.so");
    std::fs::copy(runtime(), &copy).expect("a copy");
    let mut run = preloaded("copies", &compile_program("copies", OPENS_AND_CLOSES)).env("RUNTIME", &copy);
    let output = run.output();
    assert_eq!((output.status.code(), &*output.stdout), (Some(5), &b"end\n"[..]), "{output:?}");
    assert_eq!(run.directories(), ["measured"]);
}

/// The memory of the measurement left so little of a limited address space that the stack could not
/// grow: SIGSEGV ended the program. It did at few limits only, so many are tried.
#[test]
fn a_stack_can_grow_in_a_limited_address_space() {
    let program = compile_program("hello-limited", HELLO);
    let limits = "for limit in $(seq 20000 450 140000); do
        (ulimit -v $limit; LD_PRELOAD=$RUNTIME exec $PROGRAM) > output 2> messages
        echo $limit $? $(cat output)
    done";
    let mut run = Run::of("limited", Path::new("/bin/sh")).env("RUNTIME", runtime()).env("PROGRAM", program);
    run.command.args(["-c", limits]).env_remove("SCOREP_EXPERIMENT_DIRECTORY");
    let output = String::from_utf8(run.output().stdout).expect("text");
    let otherwise: Vec<_> = output.lines().filter(|line| !line.ends_with(" 7 hello")).collect();
    assert_eq!((output.lines().count(), otherwise), (267, vec![]));
}
