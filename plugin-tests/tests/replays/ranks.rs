//! Programs with several ranks, replayed with `kymo`: recorded ones, and synthetic ones for cases
//! that those lack.
//!
//! Every event of every rank must be in the one archive, definitions shared by all ranks must be
//! there once, and all readers must be able to read it.

use kymo_plugin_tests::testing::synthetic::definitions::Metric;
use kymo_plugin_tests::testing::synthetic::rank::{MAIN, Rank, program, program_with_silence, write};
use kymo_plugin_tests::testing::{
    Archive, Replay, TemporaryFolder, build_plugin, compare_traces, kymo_check, python_counts,
};
use std::collections::BTreeMap;
use std::path::Path;

/// Replays a recording with `kymo`, which must print nothing.
fn replay(recording: &Path, out: &Path, arguments: &[&str]) {
    let plugin = build_plugin("kymo-plugin");
    let replay = Replay::of_folder(recording, out).plugins("kymo");
    let replay = arguments.iter().fold(replay, Replay::arg);
    replay.arg("--patience").arg("60").libraries(plugin.parent().expect("a folder")).succeed();
}

/// Plays a synthetic program: the archive must contain all its events for all readers, without
/// errors.
fn check(name: &str, ranks: &[Rank], arguments: &[&str]) -> Archive {
    check_but_for(&[], name, ranks, arguments)
}

/// Like [`check`], but accepts the findings of `kymo check` that are correct for the program.
fn check_but_for(findings: &[&str], name: &str, ranks: &[Rank], arguments: &[&str]) -> Archive {
    let folder = TemporaryFolder::new(name);
    let (recording, out) = (folder.join("recording"), folder.join("out"));
    write(ranks, &recording);
    replay(&recording, &out, arguments);
    let anchor = out.join("kymo/traces.otf2");
    let archive = Archive::read(&anchor);
    let expected: BTreeMap<u64, usize> = ranks.iter().flat_map(|rank| rank.events.clone()).collect();
    assert_eq!(archive.counts(), expected, "{name}");
    kymo_check(&anchor, findings).unwrap_or_else(|what| panic!("{name}: {what}"));
    let read = python_counts(&anchor).unwrap_or_else(|| Ok(expected.clone()));
    assert_eq!(read, Ok(expected), "{name}, read by Python");
    check_world(name, &archive, ranks.len() as u32);
    archive
}

/// Checks the definitions that every program has once: two communicators with all ranks as members,
/// and a process for each rank.
fn check_world(name: &str, archive: &Archive, size: u32) {
    for communicator in ["MPI_COMM_WORLD", "MPI_COMM_SELF"] {
        expect_once(name, archive, "COMM", communicator);
    }
    for rank in 0..size {
        expect_once(name, archive, "LOCATION_GROUP", &format!("MPI Rank {rank}"));
    }
    let nodes = archive
        .of_kind("SYSTEM_TREE_NODE")
        .filter(|node| node.starts_with("SYSTEM_TREE_NODE Name: \"node"))
        .count();
    assert_eq!(nodes, size.div_ceil(2) as usize, "{name}: two ranks share a node");
}

/// Checks that a definition of this kind and name is in an archive of all ranks exactly once.
fn expect_once(case: &str, archive: &Archive, kind: &str, name: &str) {
    let label = format!("ame: \"{name}\"");
    let found: Vec<&str> = archive.of_kind(kind).filter(|line| line.contains(&label)).collect();
    assert_eq!(found.len(), 1, "{case}: {kind} {name}: {found:?}");
}

/// Does the usual operations of a rank.
fn usual(rank: &mut Rank) {
    rank.init_mpi();
    rank.visit(MAIN, "work");
    rank.ring(1);
    rank.barrier();
    rank.finalize_mpi();
}

#[test]
fn usual_programs_of_any_size() {
    for size in [2, 3, 5, 8] {
        let archive = check(&format!("usual-{size}"), &program(size, usual), &[]);
        for rank in 0..u64::from(size) {
            assert_eq!(
                archive.entered(rank),
                ["MPI_Init", "work", "MPI_Send", "MPI_Recv", "MPI_Barrier", "MPI_Finalize"]
            );
        }
        for name in ["MPI_Init", "work"] {
            expect_once("usual", &archive, "REGION", name);
        }
    }
}

/// Up to 7.x, the creation of a communicator is not an event, so main threads have two events
/// fewer.
#[test]
fn ranks_of_every_release() {
    for release in ["6.0", "7.1", "8.4", "9.0"] {
        let mut ranks = program(3, usual);
        for rank in ranks.iter_mut().filter(|_| release < "8") {
            rank.events.values_mut().for_each(|count| *count -= 2);
        }
        check(&format!("usual-{release}"), &ranks, &["--host", release]);
    }
}

#[test]
fn sixty_four_ranks() {
    check("ranks-64", &program(64, usual), &[]);
}

/// Rank 2 has no events, so it is missing in MPI_Init; rank 3 has few.
#[test]
fn ranks_without_events() {
    let is_silent = |rank| rank == 2;
    let ranks = program_with_silence(4, is_silent, |rank| match rank.rank {
        3 => rank.init_mpi(),
        _ => {
            rank.init_mpi();
            rank.visit(MAIN, "work");
        }
    });
    let archive = check_but_for(&["collective-missing"], "silence", &ranks, &[]);
    assert!(!archive.events.contains_key(&2));
    assert_eq!(archive.entered(3), ["MPI_Init"]);
    let locations = archive.of_kind("LOCATION").filter(|line| line.contains("# Events: 0")).count();
    assert_eq!((archive.of_kind("LOCATION").count(), locations), (4, 1));
}

/// Rank 7 of 16 has regions that no other rank has, defined before the shared ones.
#[test]
fn regions_of_one_rank() {
    let own: Vec<String> = (0..20).map(|number| format!("only on rank 7: {number}")).collect();
    let ranks = program(16, |rank| {
        if rank.rank == 7 {
            own.iter().for_each(|name| rank.visit(MAIN, name));
        }
        usual(rank);
        rank.visit(MAIN, if rank.rank.is_multiple_of(2) { "even" } else { "odd" });
    });
    let archive = check("one-rank", &ranks, &[]);
    let entered: Vec<&str> =
        archive.entered(7).into_iter().filter(|name| name.starts_with("only on")).collect();
    assert_eq!(entered, own);
    for rank in 0..16 {
        assert_eq!(archive.entered(rank).last(), Some(&if rank % 2 == 0 { "even" } else { "odd" }));
    }
    let shared = ["work", "MPI_Init", "even", "odd", "app"];
    let names = own.iter().map(String::as_str).chain(shared);
    names.for_each(|name| expect_once("one-rank", &archive, "REGION", name));
}

/// Thread numbers that fill the upper half of a location id.
#[test]
fn location_ids_of_64_bits() {
    const THREADS: [u32; 3] = [1, 0x7fff_ffff, 0xffff_fffe];
    let ranks = program(3, |rank| {
        rank.init_mpi();
        for (count, &thread) in THREADS.iter().enumerate() {
            rank.thread(thread, &format!("thread {thread}"));
            (0..=count).for_each(|_| rank.visit(thread, "work"));
        }
        rank.barrier();
    });
    let archive = check("wide-ids", &ranks, &[]);
    for rank in 0..3 {
        for (count, thread) in THREADS.into_iter().enumerate() {
            let location = u64::from(thread) << 32 | rank;
            assert_eq!(archive.entered(location), vec!["work"; count + 1], "{location:x}");
        }
    }
}

/// Teams of different sizes on each rank, none on rank 1, the same team twice on rank 2.
#[test]
fn teams_of_threads_on_several_ranks() {
    let ranks = program(4, |rank| {
        rank.init_mpi();
        let threads: &[u32] = [&[0, 1, 2][..], &[], &[0, 1], &[0, 1, 2, 3]][rank.rank as usize];
        threads.iter().skip(1).for_each(|&thread| rank.thread(thread, &format!("OMP thread {thread}")));
        for _ in 0..if threads.is_empty() { 0 } else { 1 + usize::from(rank.rank == 2) } {
            rank.team(threads, "parallel work");
        }
        rank.ring(7);
    });
    for arguments in [&[][..], &["--host", "9.0"]] {
        let archive = check("teams", &ranks, arguments);
        assert_eq!(archive.entered(1 << 32 | 2), ["parallel work"; 2]);
        assert_eq!(archive.entered(3 << 32 | 3), ["parallel work"]);
        assert!(!archive.entered(1).contains(&"parallel work"));
        let members = archive
            .of_kind("GROUP")
            .filter(|group| group.contains("OPENMP") && group.contains("COMM_LOCATIONS"));
        let members: Vec<&str> = members.collect();
        assert!(members.len() == 1 && members[0].contains("9 Members"), "{members:?}");
        expect_once("teams", &archive, "REGION", "parallel work");
    }
}

/// Ranks 0 and 2 have an accelerator, with a stream that is a location.
#[test]
fn locations_of_accelerators() {
    let ranks = program(4, |rank| {
        if rank.rank.is_multiple_of(2) {
            let name = format!("GPU {}", rank.rank);
            rank.accelerator(1, &name);
        }
        rank.init_mpi();
        if rank.rank.is_multiple_of(2) {
            (0..3).for_each(|_| rank.visit(1, "kernel"));
        }
        rank.ring(2);
    });
    let archive = check("accelerators", &ranks, &[]);
    for rank in [0, 2] {
        assert_eq!(archive.entered(1 << 32 | rank), ["kernel"; 3]);
        expect_once("accelerators", &archive, "LOCATION_GROUP", &format!("Context of GPU {rank}"));
        expect_once("accelerators", &archive, "LOCATION", &format!("Stream of GPU {rank}"));
    }
}

/// Returns a metric of integers.
fn metric<'a>(name: &'a str, unit: &'a str) -> Metric<'a> {
    Metric { name, description: "", numbers: [2, 0, 1, 1, 0], exponent: 0, unit }
}

/// Rank 0 measures two metrics, rank 1 one of them, rank 2 none, rank 3 both in the opposite order.
#[test]
fn ranks_with_unequal_metrics() {
    let ranks = program(4, |rank| {
        let apples = |rank: &mut Rank| rank.recording.metric(&metric("apples", "#"));
        let pears = |rank: &mut Rank| rank.recording.metric(&metric("pears", "kg"));
        let metrics = match rank.rank {
            0 => vec![apples(rank), pears(rank)],
            1 => vec![pears(rank)],
            2 => vec![],
            _ => vec![pears(rank), apples(rank)],
        };
        rank.init_mpi();
        if metrics.is_empty() {
            return rank.visit(MAIN, "measured");
        }
        let set = rank.recording.sampling_set(&metrics, 0, 1);
        rank.record(set);
        let values: Vec<u64> =
            (0..metrics.len() as u64).map(|at| 100 + 10 * u64::from(rank.rank) + at).collect();
        rank.visit_with("measured", set, &values);
    });
    let archive = check("metrics", &ranks, &[]);
    assert_eq!([0, 1, 2, 3].map(|rank| archive.count(rank, "METRIC")), [2, 2, 0, 2]);
    let line = |rank: u64| {
        archive.events[&rank].iter().find(|event| event.contains(" METRIC ")).cloned().expect("a metric")
    };
    assert!(
        line(3).contains("(\"pears\"; UINT64; 130)") && line(3).contains("(\"apples\"; UINT64; 131)"),
        "{}",
        line(3)
    );
    assert!(line(1).contains("(\"pears\"; UINT64; 110)") && !line(1).contains("apples"), "{}", line(1));
    for name in ["apples", "pears"] {
        expect_once("metrics", &archive, "METRIC_MEMBER", name);
    }
    assert_eq!(archive.of_kind("METRIC_CLASS").count(), 3);
}

/// More events than there is memory set aside for, on two threads of rank 1, before it is known
/// that there are ranks.
#[test]
fn events_before_mpi_is_up() {
    let ranks = program(3, |rank| {
        rank.enter(MAIN, "main");
        if rank.rank == 1 {
            rank.thread(1, "early thread");
            (0..20_000).for_each(|_| rank.visit(MAIN, "early work"));
            (0..5_000).for_each(|_| rank.visit(1, "early work"));
        }
        usual(rank);
        rank.exit(MAIN, "main");
    });
    let archive = check("early", &ranks, &[]);
    assert_eq!(archive.entered(1 << 32 | 1).len(), 5_000);
    let entered = archive.entered(1);
    assert_eq!(entered[..2], ["main", "early work"]);
    assert_eq!(entered[20_001..20_003], ["MPI_Init", "work"]);
}

/// Score-P stops after PROGRAM_END: no directory exists, so there is no archive, and nothing is
/// reported.
#[test]
fn programs_that_never_call_mpi_init() {
    for size in [1, 3] {
        let folder = TemporaryFolder::new("no-init");
        let (recording, out) = (folder.join("recording"), folder.join("out"));
        write(&program(size, |rank| (0..5_000).for_each(|_| rank.visit(MAIN, "work"))), &recording);
        replay(&recording, &out, &[]);
        assert!(!out.exists());
    }
}

#[test]
fn events_after_mpi_finalize() {
    let ranks = program(3, |rank| {
        usual(rank);
        (0..5_000).for_each(|_| rank.visit(MAIN, "late work"));
    });
    let archive = check("late", &ranks, &[]);
    for rank in 0..3 {
        let entered = archive.entered(rank);
        let finalize = entered.iter().position(|name| *name == "MPI_Finalize").expect("MPI_Finalize");
        assert_eq!(entered.len() - finalize - 1, 5_000);
    }
}

/// Rank 0 creates the directory long after the others have reached `init_mpp`, and they see it
/// later still.
#[test]
fn directories_that_appear_late() {
    let ranks = program(4, |rank| {
        rank.init_mpi();
        (0..20_000).for_each(|_| rank.visit(MAIN, "work"));
        rank.barrier();
    });
    check("late-directory", &ranks, &["--late-directory", "300"]);
}

/// Recordings of Score-P with MPI: all events of all ranks, in one archive equal to that of its own
/// tracing.
#[test]
fn recorded_programs_with_mpi() {
    for recorded in ["scorep-recordings/mpi", "scorep-recordings-7.1/mpi"] {
        let recording = kymo_testdata::own(recorded);
        let folder = TemporaryFolder::new("recorded-mpi");
        let out = folder.join("out");
        replay(&recording, &out, &[]);
        let (anchor, reference) = (out.join("kymo/traces.otf2"), recording.join("traces.otf2"));
        assert_eq!(Archive::read(&anchor).counts(), Archive::read(&reference).counts(), "{recorded}");
        kymo_check(&anchor, &[]).unwrap_or_else(|what| panic!("{recorded}: {what}"));
        compare(&reference, &anchor);
    }
}

/// Checks that the traces mean the same except for the clocks, which a replay does not have.
fn compare(reference: &Path, anchor: &Path) {
    let arguments = ["--time", "order", "--skip", "STRING,CLOCK_PROPERTIES"];
    let output = compare_traces(reference, anchor, &arguments);
    let stdout = String::from_utf8_lossy(&output.stdout);
    let last = stdout.lines().last().unwrap_or_default();
    let same = output.status.success() && last.ends_with(" 0 different") && !last.starts_with("0 equal");
    assert!(same, "{}: {stdout}{}", reference.display(), String::from_utf8_lossy(&output.stderr));
}

/// Every rank reads its own files back; rank 0 writes the checksums of all.
#[test]
fn the_seal_of_several_ranks_covers_all_files() {
    let folder = TemporaryFolder::new("sealed");
    let (recording, out) = (folder.join("recording"), folder.join("out"));
    write(&program(5, usual), &recording);
    let plugin = build_plugin("kymo-plugin");
    let replay = Replay::of_folder(&recording, &out).plugins("kymo").arg("--patience").arg("60");
    let replay = replay.env("SCOREP_SUBSTRATE_KYMO_SEAL", "true");
    replay.libraries(plugin.parent().expect("a folder")).succeed();
    let anchor = out.join("kymo/traces.otf2");
    assert!(out.join("kymo/traces.seal").is_file());
    kymo_check(&anchor, &[]).unwrap_or_else(|what| panic!("{what}"));
    for file in ["traces.def", "traces/0.evt", "traces/4.evt", "traces/3.def"] {
        let path = out.join("kymo").join(file);
        let original = std::fs::read(&path).expect("a file");
        // After the end of the file, where no reader looks.
        std::fs::write(&path, [&original[..], &[0]].concat()).expect("writing");
        let found = kymo_check(&anchor, &["trailing-bytes"]).expect_err(file);
        assert!(found.contains("seal-length") && found.contains(file), "{file}: {found}");
        std::fs::write(&path, &original).expect("writing");
    }
    kymo_check(&anchor, &[]).unwrap_or_else(|what| panic!("{what}"));
}
