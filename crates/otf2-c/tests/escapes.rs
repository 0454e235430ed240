//! Functions of a program that leave the library by an exception or by `longjmp`: the calls can be
//! repeated, and the files are the same.

use crate::common::{compile, run};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use tempfile::TempDir;

fn program() -> &'static Path {
    static PROGRAM: OnceLock<(TempDir, PathBuf)> = OnceLock::new();
    let make = || {
        let folder = tempfile::tempdir().expect("a folder");
        let program = compile("escapes.cpp", folder.path());
        (folder, program)
    };
    &PROGRAM.get_or_init(make).1
}

/// The next record was put into a chunk without a header.
#[test]
fn a_flush_that_throws_leaves_a_sound_file() {
    run(program(), &["throw", "write"]);
}

/// The file was damaged in the same way.
#[test]
fn a_flush_that_jumps_away_leaves_a_sound_file() {
    run(program(), &["jump", "write"]);
}

#[test]
fn an_archive_whose_functions_threw_can_be_closed() {
    run(program(), &["throw", "all"]);
}

#[test]
fn an_archive_whose_functions_jumped_away_can_be_closed() {
    run(program(), &["jump", "all"]);
}

#[test]
fn readers_whose_callbacks_throw_deliver_each_record_once() {
    run(program(), &["throw", "read"]);
}

#[test]
fn readers_whose_callbacks_jump_away_deliver_each_record_once() {
    run(program(), &["jump", "read"]);
}
