//! Calls that real programs make, and that went wrong once. Each case is a function of
//! `hosts/calls.c`, which fails by its exit status.

use crate::common::{compile, compile_with, run};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use tempfile::TempDir;

fn program() -> &'static Path {
    static PROGRAM: OnceLock<(TempDir, PathBuf)> = OnceLock::new();
    let make = || {
        let folder = tempfile::tempdir().expect("a folder");
        let program = compile("calls.c", folder.path());
        (folder, program)
    };
    &PROGRAM.get_or_init(make).1
}

fn passes(case: &str) {
    run(program(), &[case]);
}

/// The sizes of other ranks were checked, but Score-P passes the undefined size there.
#[test]
fn only_rank_0_chooses_the_chunk_size_of_definitions() {
    passes("chunk-size-of-rank-1");
}

/// They had none, but otf2-snapshots asks for it.
#[test]
fn readers_that_a_global_reader_has_taken_have_a_position() {
    passes("positions");
}

/// They were called at the end. The helpers for MPI free their state when they are refused.
#[test]
fn refused_collective_callbacks_are_not_called_again() {
    passes("refused-collectives");
}

/// It replaced the anchor file of the other archive.
#[test]
fn closing_an_archive_that_is_not_set_up_leaves_another_alone() {
    passes("second-archive");
}

#[test]
fn a_thumbnail_has_more_samples_than_announced() {
    passes("superfluous-samples");
}

#[test]
fn callbacks_interrupt_and_continue() {
    passes("interrupt");
}

#[test]
fn a_callback_that_jumps_away_leaves_a_reader_that_continues() {
    passes("long-jump");
}

/// They go elsewhere, read on, or ask for the next event.
#[test]
fn callbacks_use_the_reader_that_calls_them() {
    passes("uses");
}

#[test]
fn handlers_get_messages_and_change_codes() {
    passes("handler");
}

/// ViTE drew with names that had been overwritten.
#[test]
fn strings_that_a_program_keeps_stay_as_they_are() {
    passes("kept-strings");
}

#[test]
fn programs_for_the_first_version_set_their_roles() {
    passes("master-and-slave");
}

#[test]
fn matched_receives_are_written_and_read_as_by_libotf2_3_2() {
    passes("matched-receives");
}

/// OTF2 3.2 skips them by the length of the record; a bad one was an error.
#[test]
fn fields_of_records_without_a_callback_are_not_decoded() {
    passes("fields-without-callback");
}

/// On a network file system the folder that rank 0 has made may appear later on other hosts. The
/// archive could not be used there.
#[test]
fn ranks_open_the_folder_of_rank_0_when_they_write() {
    passes("folder-of-rank-0");
}

#[test]
fn names_of_properties_may_contain_hyphens() {
    passes("hyphens");
}

/// The allocator of EZTrace does so; hash tables then read 16 bytes that are not aligned.
#[test]
fn malloc_needs_to_align_to_words_only() {
    let folder = tempfile::tempdir().expect("a folder");
    let options = ["-fno-builtin"];
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hosts/skewed.c");
    run(&compile_with(&source, folder.path(), &options), &[]);
}
