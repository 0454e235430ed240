//! Programs built with sanitizers: they run under `kymo record` as they do without it, and a
//! sanitizer reports the same faults.

use std::process::Command;

use crate::record_common::TestFolder;

/// Returns whether the compiler supports a sanitizer.
fn has(sanitizer: &str) -> bool {
    let flag = format!("-fsanitize={sanitizer}");
    let mut compiler = Command::new(std::env::var_os("CC").unwrap_or("cc".into()));
    let folder = TestFolder::new();
    std::fs::write(folder.path("main.c"), "int main(void) { return 0; }\n").expect("a file");
    compiler.arg(flag).arg(folder.path("main.c")).arg("-o").arg(folder.path("main"));
    let is_supported = compiler.output().is_ok_and(|output| output.status.success());
    if !is_supported {
        kymo_testdata::missing(&format!("a C compiler with the {sanitizer} sanitizer"));
    }
    is_supported
}

/// Asserts that a program is recorded as if there were no sanitizer, and that each word makes it
/// fail with its report.
#[track_caller]
fn is_recorded(sanitizer: &str, faults: &[(&str, &str)]) {
    if !has(sanitizer) {
        return;
    }
    let folder = TestFolder::new();
    let flags = ["-g", "-pthread", "-finstrument-functions", &format!("-fsanitize={sanitizer}")];
    let program = folder.compile("cc", &flags, "sanitized.c");
    let recording = folder.record(&[], &[&program], 3);
    recording.has_region("main", 1);
    recording.has_region("counts", 2);
    // The shell that starts it, and waits for it, is not built with a sanitizer.
    let recording = folder.record(&[], &["sh", "-c", &format!("{program}; exit 4")], 4);
    assert_eq!(recording.processes, 2);
    recording.has_region("main", 1);
    for (word, report) in faults {
        let plain = Command::new(&program).arg(word).output().expect("the program");
        let recorded = folder.run(&[], &[&program, word]);
        assert_eq!(recorded.status, plain.status.code(), "{recorded:?}");
        let plain = String::from_utf8_lossy(&plain.stderr).into_owned();
        assert!(plain.contains(report) && recorded.stderr.contains(report), "{plain}\n{recorded:?}");
    }
}

/// They did not start.
#[test]
fn programs_with_address_sanitizer_are_recorded() {
    is_recorded(
        "address",
        &[("overflow", "heap-buffer-overflow"), ("leak", "10 byte(s) leaked in 1 allocation(s)")],
    );
}

/// It reported some, next to those of the program.
#[test]
fn thread_sanitizer_reports_no_races_of_the_runtime() {
    is_recorded("thread", &[("race", "data race"), ("inversion", "lock-order-inversion")]);
}

/// It reported some, next to those of the program.
#[test]
fn leak_sanitizer_reports_no_leaks_of_the_plugin() {
    is_recorded("leak", &[("leak", "10 byte(s) leaked in 1 allocation(s)")]);
}

#[test]
fn programs_with_undefined_behaviour_sanitizer() {
    is_recorded("undefined", &[]);
}

/// The sanitizer then does not use the options of the runtime.
#[test]
fn a_program_may_define_options_for_address_sanitizer() {
    if has("address") {
        let folder = TestFolder::new();
        let flags = ["-g", "-finstrument-functions", "-fsanitize=address"];
        folder.record(&[], &[&folder.compile("cc", &flags, "own_options.c")], 3);
    }
}
