//! Recovery from scratch files that are intact, truncated anywhere, or overwritten anywhere.
//!
//! This does not run under Miri: recovery has no unsafe code, and the files take long to read.

#![cfg(not(miri))]

mod instants;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use kymo_otf2::definitions::{
    GlobalDefinition, IoHandle, IoParadigm, LocationProperty, MetricClassRecorder, MetricInstance,
};
use kymo_otf2::enums::{IoParadigmClass, MetricScope, Paradigm};
use kymo_otf2::events::{Enter, Event, Leave};
use kymo_otf2::flags::{IoHandleFlag, IoParadigmFlag};
use kymo_otf2::list::List;
use kymo_otf2::read::{Archive, Options};
use kymo_otf2::references::{
    CommRef, IoFileRef, IoHandleRef, IoParadigmRef, LocationRef, MetricRef, Space, StringRef,
};
use kymo_otf2::storage::Memory;
use kymo_otf2::{FileName, Storage};
use kymo_recorder::clock::Reading;
use kymo_recorder::journal::{ClockEntry, CommunicatorEntry, Entry, Payload};
use kymo_recorder::recovery::{CrashedProcess, Job, Member, Report, Settings};
use kymo_recorder::unification::Key;

use kymo_recorder_testing::program::{TimedEvents, calls, definitions, location, texts, texts_in};
use kymo_recorder_testing::recovery;
use kymo_recorder_testing::scratch::{Scratch, records, stream};

/// The definitions of every program here.
fn regions() -> Vec<u8> {
    definitions(["region 1", "region 2", "region 3"])
}

fn thread(slot: u32) -> Entry<'static> {
    location(slot, slot.into(), "thread")
}

/// Two locations: one in three pieces, one whose beginning is in its file. Returns the events of
/// both as well.
fn usual() -> (Scratch, Arc<dyn Storage>, [TimedEvents; 2]) {
    let events = [calls(100, 3001), calls(100, 501)];
    let [first, second] = [stream(&events[0]), stream(&events[1])];
    let mut scratch = Scratch::new(77);
    scratch.extent = 3;
    scratch.note(&Entry::Definitions(&regions()));
    scratch.note(&Entry::Process { rank: 0, size: 1 });
    scratch.journal.push(Vec::new());
    scratch.note(&thread(0));
    scratch.note(&thread(1));
    scratch.slot(0, Some(0), 0);
    scratch.slot(1, Some(1), 2000);
    let (a, b) = (first.len() / 3, first.len() / 2);
    scratch.piece(0, 2, a as u64, &first[a..b]);
    scratch.piece(0, 1, 0, &first[..a]);
    scratch.piece(0, 3, b as u64, &first[b..]);
    scratch.piece(1, 9, 2000, &second[2000..]);
    let files = Memory::new();
    files.create().unwrap();
    files.write_at(FileName::Events(1), 0, &second[..2000]).unwrap();
    // Old bytes left by a rewind.
    files.write_at(FileName::Events(1), second.len() as u64, &[0x55; 1000]).unwrap();
    (scratch, Arc::new(files), events)
}

pub(crate) fn recover(scratch: &[u8], files: &Arc<dyn Storage>, closes: bool) -> Option<(Report, Archive)> {
    let remains = CrashedProcess::of_scratch(Arc::new(scratch.to_vec())).ok()?;
    let member = Member { rank: 0, name: "Process".into(), node: "node".into(), remains };
    let storage = Memory::new();
    let settings = Settings { closes, creator: "test", properties: &[], progress: &|_| {} };
    let report = Job::new(vec![member], 0, files).unwrap().write(&storage, &settings).unwrap();
    let archive = Archive::in_storage(Arc::new(storage), Options::default()).unwrap();
    Some((report, archive))
}

#[test]
fn every_event_in_pieces_and_files_is_recovered() {
    let (scratch, files, events) = usual();
    let (report, archive) = recover(&scratch.bytes(), &files, false).unwrap();
    assert!(!report.is_partial(), "{report:?}");
    assert_eq!(archive.locations().unwrap(), [0, 1]);
    for (location, events) in (0..).zip(&events) {
        assert_eq!(texts_in(&archive, location), texts(events));
    }
    assert_eq!((report.sum(|it| it.events.open), report.sum(|it| it.events.closed)), (2, 0));
}

#[test]
fn open_regions_are_left_at_the_last_time() {
    let (scratch, files, events) = usual();
    let (report, archive) = recover(&scratch.bytes(), &files, true).unwrap();
    assert_eq!((report.sum(|it| it.events.open), report.sum(|it| it.events.closed)), (0, 2));
    let (time, Event::Enter(Enter { region })) = events[0][3000] else { panic!("{:?}", events[0][3000]) };
    let mut all = texts(&events[0]);
    all.extend(texts(&[(time, Leave { region }.into())]));
    assert_eq!(texts_in(&archive, 0), all);
}

/// An enter of an allocation function is written again when its attributes are known. If the
/// process was killed in between, that enter was lost although its call had returned.
#[test]
fn an_enter_that_is_being_written_again_is_kept() {
    let (mut scratch, files, events) = usual();
    let count = |scratch: &Scratch| {
        let (report, archive) = recover(&scratch.bytes(), &files, false).unwrap();
        assert!(!report.is_partial(), "{report:?}");
        let all = texts_in(&archive, 0);
        assert_eq!(all, texts(&events[0][..all.len()]));
        all.len()
    };
    assert_eq!(count(&scratch), 3001);
    let end = stream(&events[0][..3000]).len();
    let last = scratch.pieces.iter().position(|piece| (piece.location, piece.sequence) == (0, 3)).unwrap();
    let begin = end - scratch.pieces[last].base as usize;
    let record = scratch.pieces[last].bytes.split_off(begin);
    assert_eq!(count(&scratch), 3000);
    scratch.kept = Some((0, end as u64, record.clone()));
    assert_eq!(count(&scratch), 3001);
    // The new record is complete, or the stream ends elsewhere.
    scratch.pieces[last].bytes.extend(&record);
    assert_eq!(count(&scratch), 3001);
    scratch.kept = Some((0, end as u64 - 1, record));
    assert_eq!(count(&scratch), 3001);
}

/// The file is truncated at every end and middle of a block or table, and everywhere in the head.
#[test]
fn truncated_files_keep_a_prefix_of_the_events() {
    let (scratch, files, events) = usual();
    let bytes = scratch.bytes();
    let cuts = (0..4200).step_by(61).chain((4096..bytes.len()).step_by(2048)).chain([bytes.len()]);
    let mut kept = 0;
    for cut in cuts {
        let Some((report, archive)) = recover(&bytes[..cut], &files, false) else { continue };
        for location in report.locations() {
            let all = texts_in(&archive, location.id);
            if let Some(events) = events.get(location.id as usize) {
                assert_eq!(all, texts(&events[..all.len()]), "{cut}");
                kept += all.len();
            }
        }
    }
    assert!(kept > 0);
}

/// A generator of numbers from a seed.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }
}

/// Whatever is overwritten, recovery soon returns an archive or an error, and the archive can be
/// read.
#[test]
fn overwritten_files_give_an_archive_or_an_error() {
    let (scratch, files, _) = usual();
    let bytes = scratch.bytes();
    // Most changes are made in tables, slots and journal, which are small. Without its first bytes,
    // the file is not a scratch file at all.
    let places: Vec<usize> = (16..bytes.len()).filter(|&at| bytes[at] != 0 && at % 65_536 < 8192).collect();
    let mut random = Random(7);
    let mut recovered = 0;
    for round in 0..150 {
        let mut bytes = bytes.clone();
        for _ in 0..=random.below(6) {
            let at = places[random.below(places.len())] + random.below(3);
            bytes[at] = match random.below(3) {
                0 => 0xFF,
                1 => 0,
                _ => random.below(256) as u8,
            };
        }
        let begin = Instant::now();
        if let Some((report, archive)) = recover(&bytes, &files, true) {
            recovered += 1;
            for location in report.locations() {
                let count = texts_in(&archive, location.id).len() as u64;
                assert_eq!(count, location.events.events + location.events.closed, "round {round}");
            }
        }
        // A round takes a fraction of a second. Only one that hangs takes this long.
        assert!(begin.elapsed() < Duration::from_secs(120), "round {round}");
    }
    assert!(recovered > 50, "{recovered}");
}

#[test]
fn events_missing_in_the_middle_are_counted() {
    let events = calls(100, 300_000);
    let whole = stream(&events);
    let chunk = kymo_recorder::EVENT_CHUNK_SIZE as usize;
    assert!(whole.len() > 3 * chunk);
    let mut scratch = Scratch::new(1);
    scratch.note(&Entry::Definitions(&regions()));
    scratch.note(&thread(0));
    scratch.slot(0, Some(0), whole.len() as u64);
    let files = Memory::new();
    files.create().unwrap();
    // The second half of the second chunk was never written to disk.
    let hole = chunk + chunk / 2;
    files.write_at(FileName::Events(0), 0, &whole[..hole]).unwrap();
    files.write_at(FileName::Events(0), 2 * chunk as u64, &whole[2 * chunk..]).unwrap();
    let files: Arc<dyn Storage> = Arc::new(files);
    let (report, archive) = recover(&scratch.bytes(), &files, false).unwrap();
    let all = texts_in(&archive, 0);
    let missing = report.sum(|it| it.events.missing);
    assert!(report.is_partial() && missing > 1000, "{missing}");
    assert_eq!(all.len() as u64 + missing, 300_000);
}

/// They were lost silently.
#[test]
fn events_of_locations_without_memory_are_counted() {
    let (mut scratch, files, _) = usual();
    scratch.untracked = 7;
    let (report, archive) = recover(&scratch.bytes(), &files, false).unwrap();
    let properties = archive.anchor().properties;
    let lost = properties.iter().find(|it| it.name.as_bytes() == b"KYMO::EVENTS_LOST").unwrap();
    assert_eq!((report.lost(), lost.value.as_bytes()), (7, &b"7"[..]));
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testing/fuzz").join(name)
}

/// Returns the inputs of the fuzz target.
fn seeds() -> [(&'static str, Vec<u8>); 2] {
    let events = [calls(100, 41), calls(100, 21)];
    let [first, second] = [stream(&events[0]), stream(&events[1])];
    let mut scratch = Scratch::new(1);
    scratch.slot(0, None, 0);
    scratch.slot(1, Some(7), 100);
    scratch.piece(0, 1, 0, &first[..200]);
    scratch.piece(0, 2, 200, &first[200..]);
    scratch.piece(1, 3, 100, &second[100..]);
    let content = |entry: &Entry<'_>| entry.parts(|fixed, rest| [fixed, rest].concat());
    let plain = [
        content(&Entry::Definitions(&regions())),
        content(&Entry::Process { rank: 0, size: 1 }),
        content(&thread(0)),
        content(&thread(1)),
    ];
    let team = |id, thread| CommunicatorEntry {
        id,
        paradigm: Paradigm::OPENMP.0,
        parent: u32::MAX,
        name: 1,
        payload: Payload::Team { size: 2, thread, singleton: 0 },
    };
    let world = |remote_size| CommunicatorEntry {
        id: 3 + remote_size,
        paradigm: Paradigm::MPI.0,
        parent: 3,
        name: u32::MAX,
        payload: Payload::Mpi {
            size: 1 + remote_size,
            rank: 0,
            remote_size,
            is_group_b: true,
            root: 0,
            number: 0,
        },
    };
    let reading = Reading { counter: 1, monotonic_raw: 2, monotonic: 3, realtime: 4 };
    let more = [
        Entry::Communicator(team(0, 0)),
        Entry::Communicator(team(1, 1)),
        Entry::Communicator(world(0)),
        Entry::Communicator(world(2)),
        Entry::Clock(ClockEntry { clock: 4, reading, node: 1, ahead: -50 }),
        Entry::Program { begin: 5, end: u64::MAX },
        Entry::Broken(3),
        Entry::Attribute { id: 1, value_type: 4, texts: b"Offset\0In its file" },
        Entry::Key { space: Space::Comm, id: 0, key: Key::Unique },
    ];
    let all: Vec<_> = plain.iter().cloned().chain(more.iter().map(content)).collect();
    let file = (7, &second[..100]);
    [
        ("plain", recovery::steps(&scratch, &plain, file)),
        ("every-entry", recovery::steps(&scratch, &all, file)),
    ]
}

/// It was undefined if the process was killed before the data of the handle were announced;
/// `otf2-print` crashes on a handle without its paradigm.
#[test]
fn the_paradigm_of_an_io_handle_is_defined() {
    assert_eq!(paradigms(&[], &[3]), (vec![0], Some(0)));
}

/// `otf2-print` complained about a number that no paradigm had: the one that handles have before
/// their own is known.
#[test]
fn io_paradigms_are_numbered_without_a_gap() {
    assert_eq!(paradigms(&[0, 1], &[3, 0]), (vec![0, 1], Some(0)));
    assert_eq!(paradigms(&[0, 1], &[3]), (vec![0, 1, 2], Some(2)));
    // The definition of one is damaged.
    assert_eq!(paradigms(&[0, 2], &[3]), (vec![0, 1, 2], Some(1)));
    assert_eq!(paradigms(&[0, 2], &[3, 2]), (vec![0, 1, 2], Some(2)));
}

/// Returns the numbers of the paradigms in the archive, and that of a handle which was recorded
/// with these paradigms in turn, of a process that defined some.
fn paradigms(defined: &[u8], recorded: &[u8]) -> (Vec<u8>, Option<u8>) {
    let (mut scratch, files, _) = usual();
    for &id in defined {
        let paradigm = IoParadigm {
            id: IoParadigmRef(id),
            identification: StringRef(0),
            name: StringRef(0),
            io_paradigm_class: IoParadigmClass::SERIAL,
            io_paradigm_flags: IoParadigmFlag::empty(),
            properties: List::empty(),
        };
        scratch.note(&Entry::Definitions(&records(std::iter::once(paradigm.into()))));
    }
    for &paradigm in recorded {
        let handle = IoHandle {
            id: IoHandleRef(0),
            name: StringRef(0),
            file: IoFileRef::UNDEFINED,
            io_paradigm: IoParadigmRef(paradigm),
            io_handle_flags: IoHandleFlag::empty(),
            comm: CommRef::UNDEFINED,
            parent: IoHandleRef::UNDEFINED,
        };
        scratch.note(&Entry::Definitions(&records(std::iter::once(handle.into()))));
    }
    let (_, archive) = recover(&scratch.bytes(), &files, false).unwrap();
    let (mut named, mut defined) = (None, Vec::new());
    let visited: kymo_otf2::Result<()> = archive.each_global_definition(|definition| {
        match definition {
            GlobalDefinition::IoHandle(handle) => named = Some(handle.io_paradigm.0),
            GlobalDefinition::IoParadigm(paradigm) => defined.push(paradigm.id.0),
            _ => {}
        }
        Ok(())
    });
    visited.unwrap();
    (defined, named)
}

/// `kymo check` found a location that no record defines, in properties and metrics.
#[test]
fn definitions_of_a_location_without_memory_are_left_out() {
    let (mut scratch, files, _) = usual();
    let absent = LocationRef(0x7700_0000_0000);
    let property = LocationProperty { location: absent, name: StringRef(0), value: StringRef(0).into() };
    let class = MetricRef(70);
    let instance = MetricInstance {
        id: MetricRef(71),
        metric_class: class,
        recorder: absent,
        metric_scope: MetricScope::LOCATION,
        scope: absent.0,
    };
    let recorder = MetricClassRecorder { metric: class, recorder: absent };
    for record in [property.into(), instance.into(), recorder.into()] {
        scratch.note(&Entry::Definitions(&records(std::iter::once(record))));
    }
    let (_, archive) = recover(&scratch.bytes(), &files, false).unwrap();
    let mut found = Vec::new();
    let visited: kymo_otf2::Result<()> = archive.each_global_definition(|definition| {
        match definition {
            GlobalDefinition::LocationProperty(_)
            | GlobalDefinition::MetricInstance(_)
            | GlobalDefinition::MetricClassRecorder(_) => found.push(format!("{definition:?}")),
            _ => {}
        }
        Ok(())
    });
    visited.unwrap();
    assert_eq!(found, [""; 0]);
}

/// If the variable `KYMO_UPDATE_CORPUS` is set, the seeds are written again.
#[test]
fn the_corpus_contains_the_seeds() {
    for (name, bytes) in seeds() {
        let path = folder("recovery-corpus").join(name);
        if std::env::var_os("KYMO_UPDATE_CORPUS").is_some() {
            fs::create_dir_all(folder("recovery-corpus")).unwrap();
            fs::write(&path, &bytes).unwrap();
        }
        assert!(fs::read(&path).unwrap() == bytes, "{name}: KYMO_UPDATE_CORPUS=1 writes it again");
    }
}

#[test]
fn the_fuzz_target_passes_for_its_corpus_and_regressions() {
    for name in ["recovery-corpus", "recovery-regressions"] {
        for entry in fs::read_dir(folder(name)).unwrap() {
            let path = entry.unwrap().path();
            eprintln!("{}", path.display());
            recovery::recover(&fs::read(path).unwrap());
        }
    }
}

/// Runs the fuzz target on random changes to the corpus.
#[test]
fn the_fuzz_target_passes_for_random_changes() {
    let mut random = Random(11);
    for (_, seed) in seeds() {
        for _ in 0..150 {
            let mut bytes = seed.clone();
            for _ in 0..=random.below(4) {
                let at = random.below(bytes.len());
                bytes[at] = random.below(256) as u8;
            }
            recovery::recover(&bytes);
        }
    }
}
