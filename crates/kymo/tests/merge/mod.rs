//! `kymo merge`: the contents of the archives are in the result, and readers of the format agree.

mod clocks;
mod thumbnails;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use self::clocks::at;
use crate::check_common::world::{group, string, world};
use crate::check_common::{Trace, Written, check, kymo};
use crate::merge_common::Content;
use kymo_otf2::definitions::{ClockOffset, GlobalDefinition, Group, IoParadigm, MappingTable};
use kymo_otf2::enums::{GroupType, MappingType, MarkerScope, MarkerSeverity, Paradigm};
use kymo_otf2::events::{Enter, IoDeleteFile, Leave, MpiRecv, MpiSend};
use kymo_otf2::flags::GroupFlag;
use kymo_otf2::id_map::IdMap;
use kymo_otf2::markers::{DefMarker, Marker};
use kymo_otf2::read::Archive;
use kymo_otf2::references::{CommRef, IoFileRef, MarkerRef, RegionRef, StringRef};
use kymo_otf2::snapshots;
use kymo_otf2::value::Timestamp;
use tempfile::TempDir;

/// A folder for a result.
struct ResultFolder(TempDir);

impl ResultFolder {
    fn new() -> ResultFolder {
        ResultFolder(TempDir::new().expect("a folder"))
    }

    fn anchor(&self) -> PathBuf {
        self.0.path().join("new/merged.otf2")
    }
}

fn run(archives: &[&Path], output: &Path, options: &[&str]) -> Output {
    kymo().arg("merge").args(archives).arg("-o").arg(output).args(options).output().expect("running kymo")
}

#[track_caller]
fn merged(archives: &[&Path], options: &[&str]) -> ResultFolder {
    let place = ResultFolder::new();
    let output = run(archives, &place.anchor(), options);
    let stderr = std::string::String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), &*stderr), (Some(0), ""), "{archives:?} {options:?}");
    place
}

/// One of everything, a message, and regions in local ids: location 1 exchanges regions 0 and 1.
/// Its clock has these offsets.
fn messages(offsets: &[(u64, i64)]) -> Trace {
    let mut trace = world();
    trace.event(0, 100, Enter { region: RegionRef(0) });
    trace.event(0, 110, MpiSend { receiver: 1, communicator: CommRef(0), msg_tag: 1, msg_length: 8 });
    trace.event(0, 120, Leave { region: RegionRef(0) });
    trace.event(1, 105, Enter { region: RegionRef(0) });
    trace.event(1, 120, MpiRecv { sender: 0, communicator: CommRef(0), msg_tag: 1, msg_length: 8 });
    trace.event(1, 130, Leave { region: RegionRef(0) });
    let id_map = IdMap::from_table(&[1, 0]).expect("a table");
    trace.local(1, MappingTable { mapping_type: MappingType::REGION, id_map });
    for &(time, offset) in offsets {
        trace.local(1, ClockOffset { time: Timestamp(time), offset, standard_deviation: 0.5 });
    }
    trace
}

/// Two small archives and the sound ones among the recorded archives.
fn archives() -> Vec<PathBuf> {
    static SMALL: OnceLock<[Written; 2]> = OnceLock::new();
    let small = SMALL.get_or_init(|| [messages(&[]).write(), messages(&[(0, 5), (1000, 7)]).write()]);
    let mut all: Vec<_> = small.iter().map(Written::anchor).collect();
    for set in ["otf2-real", "scorep-recordings", "scorep-recordings-7.1"] {
        let found = kymo_testdata::cases(set).into_iter().flat_map(|case| kymo_testdata::anchors(&case));
        all.extend(found.filter(|path| is_sound(path)));
    }
    assert!(all.len() >= 26, "only {all:?}");
    all
}

fn is_sound(anchor: &Path) -> bool {
    check(anchor, &[]).status == 0
}

/// The conversion of times of an archive into times of the result.
#[derive(Clone, Copy)]
struct Line {
    from: u64,
    to: u64,
    shift: i128,
}

impl Line {
    fn of(&self, time: u64) -> i128 {
        if self.from == self.to {
            return i128::from(time) + self.shift;
        }
        (i128::from(time) * i128::from(self.to) + i128::from(self.from) / 2) / i128::from(self.from)
            + self.shift
    }
}

/// Returns the ids that the rule in the documentation yields.
fn new_ids(taken: &mut BTreeSet<u64>, ids: &[u64]) -> Vec<u64> {
    let before = taken.clone();
    taken.extend(ids);
    let mut new = Vec::new();
    for id in ids {
        let other = if before.contains(id) { taken.last().expect("an id") + 1 } else { *id };
        taken.insert(other);
        new.push(other);
    }
    new
}

/// Asserts that every event of the archives is in the result, with the same meaning and at the time
/// that `shifts` requires.
#[track_caller]
fn assert_contains(result: &Content, archives: &[&Content], shifts: &[i128]) {
    let found: BTreeMap<u64, _> = result.locations.iter().map(|(id, events)| (*id, events)).collect();
    let mut taken = BTreeSet::new();
    let mut count = 0;
    for (archive, &shift) in archives.iter().zip(shifts) {
        let line = Line { from: archive.clock.timer_resolution, to: result.clock.timer_resolution, shift };
        // Clock offsets at another rate are rounded to ticks; the times of the archive were
        // themselves rounded to its own ticks.
        let rounding = i128::from(line.to.div_ceil(2 * line.from.max(1)));
        let tolerance = if line.from == line.to { 0 } else { 1 + rounding };
        let ids: Vec<u64> = archive.locations.iter().map(|(id, _)| *id).collect();
        for ((old, events), new) in archive.locations.iter().zip(new_ids(&mut taken, &ids)) {
            count += 1;
            let found = found.get(&new).unwrap_or_else(|| panic!("no location {new}, which was {old}"));
            assert_eq!(found.len(), events.len(), "events of {new}, which was {old}");
            for (found, event) in found.iter().zip(events) {
                assert_eq!(found.meaning, event.meaning, "{} became {}", event.text, found.text);
                for (&found_time, &time) in found.times.iter().zip(&event.times) {
                    let difference = i128::from(found_time) - line.of(time);
                    assert!(difference.abs() <= tolerance, "{time} became {found_time}: {}", event.text);
                }
            }
        }
    }
    assert_eq!(found.len(), count);
}

/// Asserts that `kymo check` counts these events, and finds nothing that is not in the inputs.
#[track_caller]
fn assert_sound(anchor: &Path, events: usize, archives: &[&Path]) {
    let report = check(anchor, &[]);
    let mut known: BTreeSet<_> = archives.iter().flat_map(|archive| check(archive, &[]).kinds()).collect();
    let mut rates = archives.iter().map(|archive| Content::of(archive).clock.timer_resolution);
    let first = rates.next();
    // Times and offsets of a clock with another rate are rounded to ticks, each on its own.
    if rates.any(|rate| Some(rate) != first) {
        known.insert("collective-crosses-time".to_owned());
    }
    assert!(report.kinds().is_subset(&known), "{archives:?}: {}", report.messages());
    assert_eq!((report.status, report.number("events")), (0, events as u64), "{archives:?}");
}

/// Asserts in addition that otf2-print reads the archive without a message.
#[track_caller]
fn assert_readable(anchor: &Path, events: usize, archives: &[&Path]) {
    assert_sound(anchor, events, archives);
    if kymo_testdata::is_installed("otf2-print") {
        let output = Command::new("otf2-print").arg("-A").arg(anchor).output().expect("otf2-print");
        let stderr = std::string::String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), stderr.trim()), (Some(0), ""), "{archives:?}");
    }
}

fn events(content: &Content) -> usize {
    content.locations.iter().map(|(_, events)| events.len()).sum()
}

#[test]
fn every_archive_is_in_the_result() {
    let archives = archives();
    let contents: Vec<_> = archives.iter().map(|anchor| Content::of(anchor)).collect();
    for first in kymo_testdata::part_of(0..archives.len(), 2) {
        // Neighbours, and with KYMO_LONG=1 also archives far apart in the list.
        let distances: &[_] = if kymo_testdata::is_long() { &[0, 1, 7] } else { &[1] };
        for second in distances.iter().map(|distance| (first + distance) % archives.len()) {
            let paths = [&*archives[first], &*archives[second]];
            let contents = [&contents[first], &contents[second]];
            let result = merged(&paths, &[]);
            let content = Content::of(&result.anchor());
            assert_contains(&content, &contents, &[0, 0]);
            assert_readable(&result.anchor(), events(contents[0]) + events(contents[1]), &paths);
        }
    }
}

#[test]
fn merging_a_single_archive_keeps_its_contents() {
    for anchor in kymo_testdata::part_of(archives(), 2) {
        let before = Content::of(&anchor);
        let result = merged(&[&anchor], &[]);
        let after = Content::of(&result.anchor());
        assert_contains(&after, &[&before], &[0]);
        assert_eq!(after.clock, before.clock);
        // Equal strings become one; some archives have several.
        let without = |content: &Content, kind: &str| {
            content.definitions.iter().filter(|it| it.0 != kind).copied().collect::<Vec<_>>()
        };
        assert_eq!(without(&after, "String"), without(&before, "String"), "{}", anchor.display());
        assert_eq!(after.count("Group"), before.count("Group"), "{}", anchor.display());
    }
}

#[test]
fn merging_a_single_archive_keeps_its_printed_text() {
    let anchor = kymo_testdata::own("scorep-recordings/user/traces.otf2");
    let printed = |anchor: &Path, options: &[&str]| {
        let output = kymo().arg("print").args(options).arg(anchor).output().expect("running kymo");
        assert!(output.status.success());
        std::string::String::from_utf8(output.stdout).expect("text")
    };
    let result = merged(&[&anchor], &[]);
    let sorted = |text: &str| text.lines().map(str::to_owned).collect::<BTreeSet<_>>();
    assert_eq!(sorted(&printed(&anchor, &["-G"])), sorted(&printed(&result.anchor(), &["-G"])));
    assert_eq!(printed(&anchor, &[]), printed(&result.anchor(), &[]));
}

#[test]
fn an_archive_merged_with_itself_has_no_duplicate_definitions() {
    for anchor in archives() {
        let once = Content::of(merged(&[&anchor], &[]).anchor().as_path());
        let result = merged(&[&anchor, &anchor], &[]);
        let twice = Content::of(&result.anchor());
        for kind in
            ["String", "Region", "SystemTreeNode", "Attribute", "Parameter", "MetricMember", "CallingContext"]
        {
            assert_eq!(twice.count(kind), once.count(kind), "{kind} of {}", anchor.display());
        }
        for kind in ["Location", "LocationGroup"] {
            assert_eq!(twice.count(kind), 2 * once.count(kind), "{kind} of {}", anchor.display());
        }
        let doubled: Vec<_> =
            once.comm_locations.iter().map(|&(paradigm, count)| (paradigm, 2 * count)).collect();
        assert_eq!(twice.comm_locations, doubled, "{}", anchor.display());
    }
}

#[test]
fn archives_can_be_merged_step_by_step() {
    let archives = archives();
    for start in 0..archives.len().min(8) {
        let [a, b, c] = [0, 3, 5].map(|step| &*archives[(start + step) % archives.len()]);
        let at_once = merged(&[a, b, c], &["--align", "start"]);
        let first = merged(&[a, b], &["--align", "start"]);
        let in_steps = merged(&[&first.anchor(), c], &["--align", "start"]);
        let [at_once, in_steps] = [at_once, in_steps].map(|place| Content::of(&place.anchor()));
        assert_eq!(at_once.definitions, in_steps.definitions, "{a:?} {b:?} {c:?}");
        assert_eq!(at_once.comm_locations, in_steps.comm_locations, "{a:?} {b:?} {c:?}");
        for ((id, events), (other, others)) in at_once.locations.iter().zip(&in_steps.locations) {
            assert_eq!((id, events.len()), (other, others.len()));
            for (event, other) in events.iter().zip(others) {
                assert_eq!((event.meaning, &event.times), (other.meaning, &other.times), "{}", event.text);
            }
        }
    }
}

#[track_caller]
fn refused(archives: &[&Path], options: &[&str], status: i32, named: &Path) {
    let place = ResultFolder::new();
    let output = run(archives, &place.anchor(), options);
    let stderr = std::string::String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{stderr}");
    assert!(stderr.starts_with("kymo: ") && stderr.contains(&*named.to_string_lossy()), "{stderr}");
    let left = fs::read_dir(place.0.path().join("new")).map_or(0, Iterator::count);
    assert_eq!(left, 0, "files were left: {stderr}");
}

#[test]
fn unmergeable_archives_are_rejected() {
    let (sound, other) = (at(0, 1000, 5), at(0, 1000, u64::MAX));
    let (sound, other_anchor) = (sound.anchor(), other.anchor());
    refused(&[&sound, &other_anchor], &["--align", "realtime"], 2, &other_anchor);
    refused(&[&sound, &other_anchor], &["--shift", "2=-1s"], 2, &other_anchor);
    refused(&[&sound, &other_anchor], &["--shift", "3=1"], 2, Path::new("number 3"));
    refused(&[&sound, &sound], &["--shift", &format!("{}=1", sound.display())], 2, &sound);
    refused(&[&sound, Path::new("no.otf2")], &[], 4, Path::new("no.otf2"));
    let text = other.folder.path().join("no.txt");
    fs::write(&text, "").unwrap();
    refused(&[&sound, &text], &[], 2, &text);

    let events = other.folder.path().join("traces/1.evt");
    let bytes = fs::read(&events).expect("events");
    fs::write(&events, &bytes[..bytes.len() - 2]).expect("writing");
    refused(&[&sound, &other_anchor], &[], 1, &events);
    fs::remove_file(&events).expect("removing");
    refused(&[&sound, &other_anchor], &[], 4, &events);
    let definitions = other.folder.path().join("traces.def");
    fs::write(&definitions, "none").expect("writing");
    refused(&[&sound, &other_anchor], &[], 1, &definitions);
}

#[test]
fn times_that_run_backwards_are_rejected() {
    let mut trace = messages(&[]);
    // Exchanges two timestamps.
    trace.after(|folder| {
        let path = folder.join("traces/0.evt");
        let bytes = fs::read(&path).expect("events");
        let position = |time: u8| bytes.windows(3).position(|it| it == [5, time, 0]).expect("a time stamp");
        let (first, second) = (position(100), position(120));
        let mut bytes = bytes.clone();
        bytes.swap(first + 1, second + 1);
        fs::write(&path, bytes).expect("writing");
    });
    let written = trace.write();
    refused(&[&written.anchor()], &[], 1, &written.folder.path().join("traces/0.evt"));
}

#[test]
fn existing_files_are_not_overwritten() {
    let archive = messages(&[]).write();
    let before = kymo_testdata::files(archive.folder.path());
    for name in ["traces.otf2", "other.otf2"] {
        if name == "other.otf2" {
            fs::create_dir(archive.folder.path().join("other")).expect("a folder");
        }
        let output = run(&[&archive.anchor()], &archive.folder.path().join(name), &[]);
        assert_eq!(output.status.code(), Some(2), "{name}");
    }
    assert_eq!(kymo_testdata::files(archive.folder.path()), before);
    let third = archive.folder.path().join("third.otf2");
    assert!(run(&[&archive.anchor(), &archive.anchor()], &third, &[]).status.success());
    let after = kymo_testdata::files(archive.folder.path());
    assert!(before.iter().all(|(path, bytes)| after.get(path) == Some(bytes)));
    assert_eq!(Content::of(&third).locations.len(), 6);
}

#[test]
fn snapshots_and_markers_are_in_global_ids_and_times() {
    let mut trace = messages(&[]);
    let orig_event_time = Timestamp(100);
    trace.snapshot(0, 110, snapshots::SnapshotStart { number_of_records: 1 });
    trace.snapshot(0, 110, snapshots::Enter { orig_event_time, region: RegionRef(1) });
    trace.snapshot(0, 110, snapshots::SnapshotEnd { cont_read_pos: 2 });
    for location in [1, 2] {
        trace.snapshot(location, 110, snapshots::SnapshotStart { number_of_records: 0 });
        trace.snapshot(location, 110, snapshots::SnapshotEnd { cont_read_pos: 1 });
    }
    let kind = DefMarker {
        id: MarkerRef(7),
        marker_group: "group".into(),
        marker_category: "category".into(),
        severity: MarkerSeverity::LOW,
    };
    trace.markers.push(kind.into());
    let (marker_scope, text) = (MarkerScope::LOCATION, "text".into());
    trace
        .markers
        .push(Marker { time: 50, duration: 5, marker: MarkerRef(7), marker_scope, scope: 1, text }.into());
    let (plain, written) = (messages(&[]).write(), trace.write());
    let result = merged(&[&plain.anchor(), &written.anchor(), &written.anchor()], &["--shift", "2=1000"]);
    let archive = Archive::open(result.anchor()).expect("an archive");
    assert_eq!(archive.anchor().number_of_snapshots, 1);
    // Locations 0 to 2, then 3 to 5, then 6 to 8; regions are those of the first.
    let mut found = Vec::new();
    for location in [0, 3, 6] {
        let mut snapshots = archive.snapshots(location).expect("snapshots");
        while let Some(it) = snapshots.next().expect("a record") {
            if let snapshots::Snapshot::Enter(enter) = it.record {
                found.push((location, it.time, enter.orig_event_time.0, enter.region.0));
            }
        }
    }
    assert_eq!(found, [(3, 1110, 1100, 1), (6, 110, 100, 1)]);
    let markers = archive.markers().expect("markers");
    let markers: Vec<_> = markers.records().expect("records").map(|it| it.expect("a record")).collect();
    let placed = |time, scope| Marker { time, duration: 5, marker: MarkerRef(0), marker_scope, scope, text };
    let kind = DefMarker { id: MarkerRef(0), ..kind };
    assert_eq!(markers, [kind.into(), placed(1050, 4).into(), placed(50, 7).into()]);
}

#[test]
fn properties_are_those_that_hold_for_all_archives() {
    use kymo_otf2::anchor::{Properties, Property};
    let with = |properties: Vec<Property<'static>>| {
        let mut trace = messages(&[]);
        trace.anchor.properties = Properties::new(Box::leak(properties.into_boxed_slice()));
        trace.write()
    };
    let property = Property::new;
    let first = with(vec![
        property("A::SAME", "x"),
        property("A::OTHER", "x"),
        property("A::ALL", "true"),
        property("A::ONE", "false"),
        property("A::LONELY", "true"),
    ]);
    let second = with(vec![
        property("A::SAME", "x"),
        property("A::OTHER", "y"),
        property("a::all", "true"),
        property("A::ONE", "true"),
    ]);
    let result = merged(&[&first.anchor(), &second.anchor()], &[]);
    let archive = Archive::open(result.anchor()).expect("an archive");
    let anchor = archive.anchor();
    let all: BTreeMap<_, _> =
        anchor.properties.iter().map(|it| (it.name.to_string(), it.value.to_string())).collect();
    let from = format!("{}, {}", first.anchor().display(), second.anchor().display());
    let expected = [("A::ALL", "true"), ("A::ONE", "false"), ("A::SAME", "x"), ("KYMO::MERGED_FROM", &from)];
    assert_eq!(all, expected.map(|(name, value)| (name.to_owned(), value.to_owned())).into());
}

/// EZTrace gives the group of MPI locations an id that another group also has. No record refers to
/// it by id, so it receives a new one.
#[test]
fn a_group_of_locations_with_a_duplicate_id_is_renumbered() {
    let mut trace = messages(&[]);
    let is_first = |it: &GlobalDefinition<'_>| matches!(it, GlobalDefinition::Group(it) if it.id.0 == 0);
    trace.change(is_first, group(1, GroupType::COMM_LOCATIONS, Paradigm::MPI, &[0, 1]));
    let written = trace.write();
    assert!(check(&written.anchor(), &[]).kinds().contains("duplicate-definition"));
    let result = merged(&[&written.anchor(), &written.anchor()], &[]);
    let sound = messages(&[]).write();
    assert_readable(&result.anchor(), 12, &[&sound.anchor()]);
    assert_eq!(Content::of(&result.anchor()).comm_locations, [(Paradigm::MPI, 4), (Paradigm::OPENMP, 4)]);
}

/// Members that are processes were not renumbered: they were those of the first archive, whose
/// communicator was then that of both. A paradigm has locations or processes, not both.
#[test]
fn ranks_that_are_processes() {
    let with = |group_type, members: &'static [u64]| {
        let mut trace = messages(&[]);
        let is_world = |it: &GlobalDefinition<'_>| matches!(it, GlobalDefinition::Group(it) if it.id.0 == 0);
        trace.change(is_world, group(0, group_type, Paradigm::MPI, members));
        trace.write()
    };
    let (locations, processes) = (GroupType::COMM_LOCATIONS, GroupType::COMM_LOCATION_GROUPS);
    let (of_locations, of_processes) = (with(locations, &[0, 1]), with(processes, &[0, 1]));
    let groups = |archives: [&Written; 2]| {
        let anchors = archives.map(Written::anchor);
        let anchors = anchors.each_ref().map(PathBuf::as_path);
        let result = merged(&anchors, &[]);
        // Debian's otf2-print does not know the type of these groups.
        assert_sound(&result.anchor(), 12, &anchors);
        let archive = Archive::open(result.anchor()).expect("an archive");
        let file = archive.global_definitions().expect("definitions");
        let records = file.records().expect("records").map(|it| it.expect("a record"));
        let of_mpi = records.filter_map(|it| match it {
            GlobalDefinition::Group(it) if it.paradigm == Paradigm::MPI && it.members.len() > 1 => Some(it),
            _ => None,
        });
        of_mpi.map(|it| (it.group_type, it.members.iter().collect())).collect::<Vec<(_, Vec<u64>)>>()
    };
    // Of each archive, location 2 is a second thread of the first process.
    let ranks = [(GroupType::COMM_GROUP, vec![0, 1]), (GroupType::COMM_GROUP, vec![2, 3])];
    let with_ranks = |world: (GroupType, Vec<u64>)| [[world].as_slice(), &ranks].concat();
    assert_eq!(groups([&of_processes, &of_processes]), with_ranks((processes, vec![0, 1, 2, 3])));
    assert_eq!(groups([&of_processes, &of_locations]), with_ranks((processes, vec![0, 1, 2, 3])));
    let mixed = groups([&of_locations, &of_processes]);
    let (world, others) = mixed.split_first().expect("a group");
    assert_eq!((world.0, world.1.len(), others), (locations, 4, &ranks[..]));
    let threads = with(locations, &[0, 2]);
    refused(&[&of_processes.anchor(), &threads.anchor()], &[], 2, &threads.folder.path().join("traces.def"));
}

/// With the flag GLOBAL_MEMBERS, the ranks in events number all locations of the paradigm.
#[test]
fn ranks_that_number_all_locations() {
    let with = |members: &'static [u64]| {
        let mut trace = messages(&[]);
        let flagged = Group {
            group_flags: GroupFlag::GLOBAL_MEMBERS,
            ..group(1, GroupType::COMM_GROUP, Paradigm::MPI, members)
        };
        trace.change(|it| matches!(it, GlobalDefinition::Group(it) if it.id.0 == 1), flagged);
        trace.write()
    };
    let (plain, all, some) = (messages(&[]).write(), with(&[0, 1]), with(&[1]));
    let groups = |archives: &[&Written]| {
        let anchors: Vec<_> = archives.iter().map(|it| it.anchor()).collect();
        let result = merged(&anchors.iter().map(PathBuf::as_path).collect::<Vec<_>>(), &[]);
        let archive = Archive::open(result.anchor()).expect("an archive");
        let file = archive.global_definitions().expect("definitions");
        let records = file.records().expect("records").map(|it| it.expect("a record"));
        let world = records.filter_map(|it| match it {
            GlobalDefinition::Group(it) if it.group_type == GroupType::COMM_GROUP => Some(it),
            _ => None,
        });
        let world = world.filter(|it| it.paradigm == Paradigm::MPI && it.members.len() == 2);
        world.map(|it| (it.members.iter().collect(), it.group_flags)).collect::<Vec<(Vec<u64>, _)>>()
    };
    let (none, flag) = (GroupFlag::empty(), GroupFlag::GLOBAL_MEMBERS);
    assert_eq!(groups(&[&plain, &all]), [(vec![0, 1], none), (vec![2, 3], none)]);
    assert_eq!(groups(&[&all, &plain]), [(vec![0, 1], flag), (vec![2, 3], none)]);
    assert_eq!(groups(&[&some, &plain]), [(vec![2, 3], none)]);
    refused(&[&plain.anchor(), &some.anchor()], &[], 2, &some.folder.path().join("traces.def"));
}

/// Two communicators that look the same are different; I/O paradigms are distinguished by their
/// contents.
#[test]
fn equal_communicators_of_different_archives_stay_separate() {
    let anchor = messages(&[]).write();
    let once = Content::of(&anchor.anchor());
    let twice = Content::of(&merged(&[&anchor.anchor(), &anchor.anchor()], &[]).anchor());
    // The communicators of each process with itself have no members, so they become one.
    assert_eq!((once.count("Comm"), twice.count("Comm")), (4, 7));
    assert_eq!(once.count("Region"), twice.count("Region"));
}

#[test]
fn io_paradigms_are_renumbered() {
    let names = |first: &'static str, second: &'static str| {
        let mut trace = world();
        let strings =
            trace.globals.iter().filter(|it| matches!(it, GlobalDefinition::String(_))).count() as u32;
        for (id, name) in [(strings, first), (strings + 1, second)] {
            trace.define(string(id, name));
        }
        let paradigms: Vec<_> = trace.globals.iter().filter_map(paradigm).collect();
        for (place, paradigm) in paradigms.iter().take(2).enumerate() {
            let identification = StringRef(strings + place as u32);
            trace.change(
                |it| matches!(it, GlobalDefinition::IoParadigm(it) if it.id == paradigm.id),
                IoParadigm { identification, ..*paradigm },
            );
        }
        trace.event(0, 10, IoDeleteFile { io_paradigm: paradigms[0].id, file: IoFileRef(0) });
        trace.write()
    };
    let (first, second) = (names("POSIX", "MPI"), names("MPI2", "POSIX"));
    let anchors = [first.anchor(), second.anchor()];
    let contents = anchors.each_ref().map(|anchor| Content::of(anchor));
    let result = Content::of(&merged(&anchors.each_ref().map(PathBuf::as_path), &[]).anchor());
    assert_contains(&result, &contents.each_ref(), &[0, 0]);
}

fn paradigm(record: &GlobalDefinition<'static>) -> Option<IoParadigm<'static>> {
    if let GlobalDefinition::IoParadigm(paradigm) = record { Some(*paradigm) } else { None }
}
