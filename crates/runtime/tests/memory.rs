//! Memory on the heap: programs whose allocations are known.

use crate::recorded::{Recording, TestFolder};

const MEMORY: &[(&str, &str)] = &[("KYMO_RECORD_WITH", "memory,threads")];
const FLAGS: &[&str] = &["-fno-builtin"];

/// Records a part of `memory.c`; returns all processes.
#[track_caller]
fn parts(part: &str) -> Vec<Recording> {
    let folder = TestFolder::new();
    let program = folder.compile("memory.c", FLAGS);
    folder.record(MEMORY, &[&program, part])
}

/// Records a part of `memory.c` that consists of one process.
#[track_caller]
fn part(part: &str) -> Recording {
    let mut all = parts(part);
    assert_eq!(all.len(), 1);
    all.remove(0)
}

/// Returns the values of the metric, which are on a location of their own.
#[track_caller]
fn totals(recording: &Recording) -> Vec<u64> {
    let values: Vec<_> = recording.values("METRIC", "(\"Process memory usage\"");
    let first = values.first().map_or(0, |(location, _)| *location);
    assert!(values.iter().all(|(location, _)| *location == first));
    let number = |text: &str| text.rsplit_once("UINT64; ")?.1.trim_end_matches(')').parse().ok();
    values.iter().map(|(_, text)| number(text).unwrap_or_else(|| panic!("{text}"))).collect()
}

/// Returns the values of an attribute of the enters or leaves of a region.
fn attributes(recording: &Recording, region: &str, name: &str) -> Vec<u64> {
    recording.attributes(region, name)
}

#[track_caller]
fn has_calls(recording: &Recording, calls: &[(&str, usize)]) {
    for &(region, count) in calls {
        assert_eq!(recording.calls(region), [count; 2], "{region}");
    }
}

#[test]
fn every_function_has_its_size() {
    let recording = part("sizes");
    let calls = [
        ("malloc", 3),
        ("calloc", 1),
        ("realloc", 2),
        ("memalign", 1),
        ("aligned_alloc", 1),
        ("valloc", 1),
        ("posix_memalign", 1),
    ];
    has_calls(&recording, &calls);
    let sizes = [1000, 200, 30, 400, 512, 60, 70, 80, 0, 9];
    let total = |count: usize| sizes[..count].iter().sum::<u64>();
    let expected: Vec<_> = (1..=10).chain((0..10).rev()).map(total).collect();
    assert_eq!(totals(&recording), expected);
    assert_eq!(attributes(&recording, "malloc", "ALLOCATION_SIZE"), [1000, 0, 9]);
    // The loader frees something of its own.
    let freed = attributes(&recording, "free", "DEALLOCATION_SIZE");
    let freed = freed.strip_prefix(&[0]).unwrap_or(&freed);
    assert_eq!(freed, [9, 0, 80, 70, 60, 512, 400, 30, 200, 1000]);
    let places = attributes(&recording, "malloc", "RESULT_ADDRESS");
    let freed = attributes(&recording, "free", "ARGUMENT_ADDRESS");
    assert_eq!((places[0], places[1], places[2]), (freed[9], freed[1], freed[0]));
}

#[test]
fn a_block_that_moves_exists_twice_for_a_moment() {
    const LARGE: u64 = 1 << 20;
    let recording = part("moves");
    has_calls(&recording, &[("malloc", 2), ("realloc", 4)]);
    assert_eq!(attributes(&recording, "free", "ARGUMENT_ADDRESS").len(), 1);
    let totals = totals(&recording);
    assert_eq!(totals[..4], [100, 116, 66, 66 + LARGE]);
    // The system may move pages without copying them.
    assert!([16 + 3 * LARGE, 16 + 4 * LARGE].contains(&totals[4]), "{totals:?}");
    assert_eq!(totals[5..], [16, 0]);
    assert_eq!(attributes(&recording, "realloc", "DEALLOCATION_SIZE"), [100, 50, LARGE, 3 * LARGE]);
}

#[test]
fn calls_that_fail_change_nothing() {
    let recording = part("failures");
    has_calls(&recording, &[("malloc", 2), ("calloc", 1), ("realloc", 2), ("posix_memalign", 1)]);
    assert_eq!(attributes(&recording, "free", "ARGUMENT_ADDRESS").len(), 1);
    assert_eq!(totals(&recording), [100, 0]);
}

#[test]
fn blocks_from_before_the_measurement_are_unknown() {
    let recording = part("before");
    has_calls(&recording, &[("malloc", 1)]);
    // The block, and something of the loader.
    assert!(recording.calls("free")[0] >= 1 && attributes(&recording, "free", "ARGUMENT_ADDRESS").is_empty());
    assert_eq!(totals(&recording), [10]);
}

#[test]
fn threads_allocate_at_the_same_time() {
    let recording = part("threads");
    assert!(recording.calls("malloc")[0] >= 40_000);
    let totals = totals(&recording);
    let own = 10 * 100 + 45;
    let base = totals.last().copied().unwrap_or_default();
    assert!(totals.iter().all(|total| *total <= base + 4 * own + 4096), "{base}");
    // Each thread frees all of its blocks.
    let sum = |name: &str| ["malloc", "free"].map(|it| attributes(&recording, it, name).iter().sum::<u64>());
    assert!(sum("ALLOCATION_SIZE")[0] >= 4 * 1000 * own && sum("DEALLOCATION_SIZE")[1] >= 4 * 1000 * own);
}

#[test]
fn memory_is_freed_while_a_thread_ends() {
    let recording = part("ends");
    assert!(attributes(&recording, "malloc", "ALLOCATION_SIZE").contains(&44));
}

#[test]
fn a_forked_child_holds_the_memory_of_its_parent() {
    let all = parts("forks");
    assert_eq!(all.len(), 2);
    let [parent, child] = [0, 1].map(|number| &all[number]);
    let (parent, child) =
        if totals(parent).first() == Some(&500) { (parent, child) } else { (child, parent) };
    assert_eq!(totals(parent), [500, 800, 300, 0]);
    assert_eq!(totals(child), [300, 1300, 300]);
    assert_eq!(attributes(child, "free", "ARGUMENT_ADDRESS").len(), 2);
}

/// A program that another one executes had no regions yet when it began, and was not recorded.
#[test]
fn a_program_that_a_process_executes_is_recorded() {
    let folder = TestFolder::new();
    let program = folder.compile("memory.c", FLAGS);
    let script = format!("{program} sizes; true");
    let all = folder.record(&[("KYMO_RECORD_WITH", "memory")], &["sh", "-c", &script]);
    let sizes = all.iter().map(|recording| attributes(recording, "valloc", "ALLOCATION_SIZE"));
    assert_eq!(sizes.collect::<Vec<_>>().concat(), [60]);
}

/// The thread of the plugin was a thread of the program.
#[test]
fn only_threads_of_the_program_are_recorded() {
    let recording = part("threads");
    let threads = recording.lines("LOCATION").filter(|line| line.contains("CPU_THREAD"));
    assert_eq!(threads.count(), 5);
}

/// A child waited for locks that threads of its parent held.
#[test]
fn children_of_threads_that_allocate_end() {
    assert!(!parts("storms").is_empty());
}

#[test]
fn small_blocks_can_be_left_out() {
    let folder = TestFolder::new();
    let program = folder.compile("memory.c", FLAGS);
    let variables = [MEMORY, &[("KYMO_MEMORY_AT_LEAST", "100")]].concat();
    let recording = folder.record_one(&variables, &[&program, "sizes"]);
    assert_eq!(attributes(&recording, "malloc", "ALLOCATION_SIZE"), [1000]);
    assert_eq!(attributes(&recording, "free", "DEALLOCATION_SIZE"), [512, 400, 200, 1000]);
    // Small blocks count, but are not recorded themselves.
    assert_eq!(totals(&recording).first(), Some(&1000));
    assert_eq!(totals(&recording).last(), Some(&0));
}

#[test]
fn operators_are_counted_once() {
    let folder = TestFolder::new();
    let program =
        folder.compile("memory.cpp", &["-std=c++17", "-fno-builtin", "-Wl,--no-as-needed", "-lstdc++"]);
    let recording = folder.record_one(MEMORY, &[&program]);
    let sizes = |region: &str| attributes(&recording, region, "ALLOCATION_SIZE");
    assert_eq!(sizes("operator new(size_t)"), [4, 128, 100, 9]);
    assert_eq!(sizes("operator new[](size_t)"), [400, 256, 7]);
    let freed = |region: &str| attributes(&recording, region, "DEALLOCATION_SIZE");
    let mut deleted = [freed("operator delete(void*)"), freed("operator delete(void*,size_t)")].concat();
    deleted.sort_unstable();
    // Those with a size have it at their enters, too.
    deleted.dedup();
    assert_eq!(deleted, [4, 9, 100, 128]);
    let mut deleted = [freed("operator delete[](void*)"), freed("operator delete[](void*,size_t)")].concat();
    deleted.sort_unstable();
    // Those with a size have it at their enters, too.
    deleted.dedup();
    assert_eq!(deleted, [7, 256, 400]);
    // The library keeps memory for exceptions from its start on.
    let totals = totals(&recording);
    let base = totals.first().map(|first| first - 4);
    assert_eq!(totals.last().copied(), base);
}
