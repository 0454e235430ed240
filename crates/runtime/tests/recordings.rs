//! The same program as in a recording of Score-P has the same events.

use crate::recorded::{Recording, TestFolder};
use std::path::Path;

/// The folder of the recorded program.
const THERE: &str = "/scratch/demo/threads";

/// Returns the events of each thread, without those of memory, and without numbers that depend on
/// the order in which threads run.
fn events(recording: &Recording, folder: &Path) -> Vec<Vec<String>> {
    let of = |location: u64| {
        let events = recording.events(location, folder);
        let events = events.lines().filter(|line| !is_of_memory(line) && !line.starts_with("PROGRAM_"));
        events.map(without_order).collect()
    };
    recording.threads().into_iter().map(of).collect()
}

fn is_of_memory(line: &str) -> bool {
    ["malloc", "calloc", "realloc", "free"].iter().any(|name| line.contains(&format!("Region: \"{name}\"")))
}

fn without_order(line: &str) -> String {
    let kind = line.split(' ').next().unwrap_or_default();
    let number = match kind {
        "THREAD_BEGIN" | "THREAD_END" => ", Sequence Count: ",
        "THREAD_ACQUIRE_LOCK" | "THREAD_RELEASE_LOCK" => ", Acquisition Order: ",
        _ => ", Matching Id: ",
    };
    let line = line.split(number).next().unwrap_or(line).to_owned();
    (0..3).fold(line, |line, number| line.replace(&format!("scratch{number}"), "scratch"))
}

#[test]
fn threads_locks_and_files_have_the_events_of_score_p() {
    let folder = TestFolder::new();
    let program = folder.compile("recorded-threads.c", &["-w", "-fno-builtin", "-finstrument-functions"]);
    let kinds = [("KYMO_RECORD_WITH", "functions,threads,locks,io")];
    let ours = folder.record_one(&kinds, &[&program]);
    let theirs = Recording::of_score_p("threads");
    let mut expected = events(&theirs, Path::new(THERE));
    // Score-P leaves out that `fopen` creates and truncates a file.
    for line in
        expected.iter_mut().flatten().filter(|line| line.starts_with("IO_CREATE_HANDLE Handle: \"isoc:"))
    {
        *line = line.replace("Creation Flags: NONE", "Creation Flags: {CREATE, TRUNCATE}");
    }
    let found = events(&ours, folder.folder());
    assert_eq!((expected.len(), expected.concat().len()), (7, 702));
    assert_eq!(found, expected);
}

/// The C library itself allocates more, which the other program was not linked to show.
#[test]
fn memory_has_the_sizes_of_score_p() {
    let folder = TestFolder::new();
    let program = folder.compile("recorded-threads.c", &["-w", "-fno-builtin"]);
    let ours = folder.record_one(&[("KYMO_RECORD_WITH", "threads,memory")], &[&program]);
    let theirs = Recording::of_score_p("threads");
    let sizes = |recording: &Recording| {
        let of = |(region, name)| {
            let mut sizes = recording.attributes(region, name);
            sizes.retain(|size| *size > 0 && size % 1000 == 0);
            sizes.sort_unstable();
            sizes
        };
        let all = [
            ("malloc", "ALLOCATION_SIZE"),
            ("realloc", "ALLOCATION_SIZE"),
            ("realloc", "DEALLOCATION_SIZE"),
            ("free", "DEALLOCATION_SIZE"),
        ];
        all.map(of)
    };
    assert_eq!(sizes(&theirs)[0].len(), 30);
    assert_eq!(sizes(&ours), sizes(&theirs));
}
