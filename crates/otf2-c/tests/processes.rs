//! Children and threads of a program that writes or reads an archive.

use crate::common::{compile, compile_with, run};
use std::path::Path;

#[test]
fn children_that_end_leave_the_archive_of_their_parent_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = compile("processes.c", folder.path());
    run(&program, &["exit"]);
    run(&program, &["_exit"]);
}

/// With libotf2 they share the position in the file.
#[test]
fn parent_and_child_both_read_on() {
    let folder = tempfile::tempdir().expect("a folder");
    run(&compile("processes.c", folder.path()), &["read"]);
}

#[test]
fn threads_share_an_archive_with_locks() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = compile("threads.c", folder.path());
    run(&program, &["counted"]);
    run(&program, &["header"]);
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hosts/threads.c");
    run(&compile_with(&source, folder.path(), &["-fopenmp"]), &["header"]);
}
