//! The things that this machine lacks, so that tests prove less than they could. Each is printed
//! and, if the variable `KYMO_MISSING_LIST` names a file, noted there for `cargo xtask test`: one
//! line with the missing thing, the name of the test, and `partial` or `none`, separated by tabs.
//! If `CI` is set, a test fails instead.

use std::env;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;
use std::thread;

/// Reports that this machine lacks `what`, so that the calling test checks less than it could. A
/// name is for people and contains the package to install, such as `gfortran (Debian: gfortran)`.
///
/// # Panics
///
/// If `CI` is set.
#[track_caller]
pub fn missing(what: &str) {
    note(what, "partial");
    let is_complete = env::var_os("CI").is_some_and(|value| !value.is_empty());
    assert!(!is_complete, "{what} is missing, and CI is set");
    eprintln!("NOT TESTED completely: {what} is missing");
}

/// Ends the calling test, because it can check nothing without `what`, which this machine lacks.
/// For cargo the test has failed; `cargo xtask test` reports it as not run, unless `CI` is set.
///
/// # Panics
///
/// Always.
#[track_caller]
pub fn unavailable(what: &str) -> ! {
    note(what, "none");
    panic!("NOT RUN: {what} is missing");
}

/// Appends a line to the list of missing things.
#[track_caller]
fn note(what: &str, rest: &str) {
    let Some(list) = env::var_os("KYMO_MISSING_LIST").filter(|list| !list.is_empty()) else { return };
    let noted = append(Path::new(&list), &format!("{what}\t{}\t{rest}\n", test_name()));
    noted.unwrap_or_else(|error| panic!("{}: {error}", list.display()));
}

/// Writes a line in one call, because other tests write to the file at the same time.
fn append(list: &Path, line: &str) -> io::Result<()> {
    let mut file = OpenOptions::new().create(true).append(true).open(list)?;
    if file.write(line.as_bytes())? == line.len() { Ok(()) } else { Err(io::ErrorKind::WriteZero.into()) }
}

fn test_name() -> String {
    let mut arguments = env::args();
    let program = arguments.next().unwrap_or_default();
    name_of(thread::current().name(), &program, arguments)
}

/// Returns the name of a test. libtest names threads by their tests. If it runs only one test at a
/// time, or a test has further threads, the name is the only one in the command, or that of the
/// test program, as cargo prints it.
fn name_of(thread: Option<&str>, program: &str, mut arguments: impl Iterator<Item = String>) -> String {
    if let Some(name) = thread.filter(|name| *name != "main") {
        return name.to_owned();
    }
    let only = arguments.any(|argument| argument == "--exact");
    let first = arguments.find(|argument| !argument.starts_with('-'));
    let program = Path::new(program).file_name().unwrap_or_default().to_string_lossy();
    let (program, _) = program.rsplit_once('-').unwrap_or((&program, ""));
    first.filter(|_| only).unwrap_or_else(|| program.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::PathBuf;
    use std::process::{Command, Output};

    /// The variable of the process in which a test lacks something.
    const INNER: &str = "KYMO_TESTDATA_INNER";

    /// Runs a test of this module in a process of its own. Returns its output and the list.
    fn run(test: &str, ci: Option<&str>) -> (Output, String) {
        let list = env::temp_dir().join(format!("kymo-missing-{}-{test}", std::process::id()));
        let mut command = Command::new(env::current_exe().expect("this program"));
        command.args(["--nocapture", "--test-threads=2", test]).env(INNER, "1").env_remove("CI");
        command.env("KYMO_MISSING_LIST", &list).envs(ci.map(|ci| ("CI", ci)));
        let output = command.output().expect("this program");
        let text = fs::read_to_string(&list).expect("a list");
        fs::remove_file(&list).expect("a file");
        (output, text)
    }

    #[test]
    fn what_is_missing_is_noted_and_an_error_in_ci() {
        if env::var_os(INNER).is_some() {
            missing("a program");
            return missing("another program");
        }
        let name = "missing::tests::what_is_missing_is_noted_and_an_error_in_ci";
        let [first, second] = ["a program", "another program"].map(|it| format!("{it}\t{name}\tpartial\n"));
        for ci in [None, Some("")] {
            let (output, list) = run(name, ci);
            assert_eq!(list, format!("{first}{second}"));
            assert!(output.status.success(), "{output:?}");
            let messages = String::from_utf8_lossy(&output.stderr);
            assert!(messages.contains("NOT TESTED completely: a program is missing\n"), "{messages}");
        }
        let (output, list) = run(name, Some("1"));
        assert_eq!((output.status.code(), list), (Some(101), first));
    }

    #[test]
    fn a_test_that_cannot_run_is_noted_and_fails() {
        if env::var_os(INNER).is_some() {
            unavailable("the program");
        }
        let name = "missing::tests::a_test_that_cannot_run_is_noted_and_fails";
        for ci in [None, Some("1")] {
            let (output, list) = run(name, ci);
            assert_eq!(list, format!("the program\t{name}\tnone\n"));
            assert_eq!(output.status.code(), Some(101), "{output:?}");
            let messages = String::from_utf8_lossy(&output.stderr);
            assert!(messages.contains("NOT RUN: the program is missing\n"), "{messages}");
        }
    }

    #[test]
    fn a_list_that_cannot_be_written_is_an_error() {
        assert!(append(&PathBuf::from("/no-such-folder/list"), "a\tb\tnone\n").is_err());
    }

    #[test]
    fn tests_without_a_thread_of_their_own_have_a_name() {
        let named = |thread, arguments: &[&str]| {
            name_of(thread, "/t/deps/integration-0a1b", arguments.iter().map(|&it| it.to_owned()))
        };
        assert_eq!(named(Some("a::b"), &["--exact", "c"]), "a::b");
        assert_eq!(named(Some("main"), &["--test-threads=1"]), "integration");
        assert_eq!(named(None, &["--exact", "a::b", "--nocapture"]), "a::b");
        assert_eq!(named(None, &["a::b"]), "integration");
    }
}
