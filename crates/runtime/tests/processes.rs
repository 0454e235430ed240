//! Processes that fork, execute other programs, and end without `exit`: each has an archive of its
//! own calls.

use crate::recorded::TestFolder;

/// Returns the number of calls of `work` in each archive, and the output.
#[track_caller]
fn calls(how: &str) -> (Vec<usize>, String) {
    recorded(&[], how)
}

#[track_caller]
fn recorded(variables: &[(&str, &str)], how: &str) -> (Vec<usize>, String) {
    let folder = TestFolder::new();
    let program = folder.compile("processes.c", &["-finstrument-functions"]);
    let recordings = folder.record(variables, &[&program, how]);
    let stdout = recordings.first().map(|it| it.stdout.clone()).unwrap_or_default();
    let mut counts: Vec<_> = recordings.iter().map(|it| it.calls("work")).collect();
    counts.sort();
    assert!(counts.iter().all(|[enters, leaves]| enters == leaves), "{counts:?}");
    (counts.into_iter().map(|[enters, _]| enters).collect(), stdout)
}

#[test]
fn ends_without_exit_complete_the_archive() {
    assert_eq!(["_exit", "_Exit", "quick_exit"].map(|how| calls(how).0), [[10]; 3]);
}

#[test]
fn both_programs_are_recorded_at_exec() {
    for how in ["execv", "execve", "execvp", "execvpe", "fexecve", "execl", "execlp", "execle"] {
        assert_eq!(calls(how), (vec![10, 10], "return 0\n".to_owned()), "{how}");
    }
}

#[test]
fn a_failed_exec_ends_nothing() {
    assert_eq!(calls("nothing"), (vec![12], "nothing 1\n".to_owned()));
}

#[test]
fn children_are_recorded() {
    assert_eq!(calls("fork"), (vec![3, 11], "fork 5\n".to_owned()));
    assert_eq!(calls("fork _exit"), (vec![2, 10], "fork _exit 6\n".to_owned()));
    assert_eq!(calls("thread fork"), (vec![4, 10], "thread fork 5\n".to_owned()));
    assert_eq!(calls("spawn"), (vec![10, 10], "return 0\nspawn 0\n".to_owned()));
    assert_eq!(calls("vfork"), (vec![10, 10], "return 0\nvfork 0\n".to_owned()));
    assert_eq!(calls("vfork _exit"), (vec![12], "vfork _exit 11\n".to_owned()));
}

#[test]
fn children_that_execute_other_programs_have_one_archive() {
    let (counts, stdout) = calls("fork exec");
    assert_eq!(stdout, "return 0\nfork exec 0\n");
    assert_eq!(counts, [10, 10]);
}

#[test]
fn children_are_not_recorded_if_switched_off() {
    let none = [("KYMO_RECORD_CHILDREN", "no")];
    assert_eq!(recorded(&none, "fork"), (vec![11], "fork 5\n".to_owned()));
    assert_eq!(recorded(&none, "spawn"), (vec![10], "return 0\nspawn 0\n".to_owned()));
}

#[test]
fn a_signal_handler_ends_the_process_immediately() {
    let folder = TestFolder::new();
    let program = folder.compile("handler.c", &["-finstrument-functions"]);
    // Status and output are as without the runtime. The remains are left for `kymo recover`.
    assert_eq!(folder.record_incomplete(&[&program]), 1);
}
