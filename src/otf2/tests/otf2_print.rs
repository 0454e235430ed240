//! otf2-print and otf2-marker must read the output of the writers, in both byte orders, without
//! printing anything to stderr.

use kymo_otf2::anchor::{Properties, Property};
use kymo_otf2::attributes::Attribute;
use kymo_otf2::definitions::{self, GlobalDefinition};
use kymo_otf2::enums::*;
use kymo_otf2::events::{BufferFlush, Enter, Leave, Metric, MpiSend};
use kymo_otf2::flags::{CommFlag, GroupFlag, RegionFlag};
use kymo_otf2::id_map::IdMap;
use kymo_otf2::list::List;
use kymo_otf2::markers::{DefMarker, Marker};
use kymo_otf2::references::*;
use kymo_otf2::storage::Directory;
use kymo_otf2::value::{MetricValue, Timestamp};
use kymo_otf2::write::{
    EventWriter, GlobalDefinitionWriter, LocalDefinitionWriter, MarkerWriter, StoragePieces, anchor,
};
use kymo_otf2::{Anchor, BigEndian, ByteOrder, FileName, LittleEndian, Storage};
use std::path::Path;
use std::process::Command;

const CHUNK: u64 = 262_144;
const STRINGS: [&str; 8] = ["", "main", "node", "machine", "rank 0", "thread", "MPI_COMM_WORLD", "cycles"];

fn global_definitions() -> Vec<GlobalDefinition<'static>> {
    [names(), places(), regions(), communicator(), measured()].concat()
}

fn names() -> Vec<GlobalDefinition<'static>> {
    let mut all: Vec<GlobalDefinition<'static>> = vec![
        definitions::ClockProperties {
            timer_resolution: 1_000_000_000,
            global_offset: 0,
            trace_length: 1_000_000,
            realtime_timestamp: 1_700_000_000_000_000_000,
        }
        .into(),
        definitions::Paradigm {
            paradigm: Paradigm::MPI,
            name: StringRef(6),
            paradigm_class: ParadigmClass::PROCESS,
        }
        .into(),
    ];
    for (id, string) in (0..).zip(STRINGS) {
        all.push(definitions::String { id: StringRef(id), string: string.into() }.into());
    }
    all
}

fn places() -> Vec<GlobalDefinition<'static>> {
    let mut all: Vec<GlobalDefinition<'static>> = vec![
        definitions::SystemTreeNode {
            id: SystemTreeNodeRef(0),
            name: StringRef(2),
            class_name: StringRef(3),
            parent: SystemTreeNodeRef::UNDEFINED,
        }
        .into(),
        definitions::LocationGroup {
            id: LocationGroupRef(0),
            name: StringRef(4),
            location_group_type: LocationGroupType::PROCESS,
            system_tree_parent: SystemTreeNodeRef(0),
            creating_location_group: LocationGroupRef::UNDEFINED,
        }
        .into(),
    ];
    for location in [0, 1 << 33] {
        all.push(
            definitions::Location {
                id: LocationRef(location),
                name: StringRef(5),
                location_type: LocationType::CPU_THREAD,
                number_of_events: 1,
                location_group: LocationGroupRef(0),
            }
            .into(),
        );
    }
    all
}

fn regions() -> Vec<GlobalDefinition<'static>> {
    let phase = |region| definitions::Region {
        description: StringRef(0),
        region_flags: RegionFlag::PHASE,
        ..definitions::Region::function(RegionRef(region), StringRef(1))
    };
    (0..3).map(|region| phase(region).into()).collect()
}

fn communicator() -> Vec<GlobalDefinition<'static>> {
    vec![
        definitions::Group {
            id: GroupRef(0),
            name: StringRef(0),
            members: List::new(&[0]).unwrap(),
            group_type: GroupType::COMM_LOCATIONS,
            paradigm: Paradigm::MPI,
            group_flags: GroupFlag::NONE,
        }
        .into(),
        definitions::Group {
            id: GroupRef(1),
            name: StringRef(0),
            members: List::new(&[0]).unwrap(),
            group_type: GroupType::COMM_GROUP,
            paradigm: Paradigm::MPI,
            group_flags: GroupFlag::NONE,
        }
        .into(),
        definitions::Comm {
            id: CommRef(0),
            name: StringRef(6),
            group: GroupRef(1),
            parent: CommRef::UNDEFINED,
            flags: CommFlag::NONE,
        }
        .into(),
    ]
}

fn measured() -> Vec<GlobalDefinition<'static>> {
    vec![
        definitions::MetricMember {
            id: MetricMemberRef(0),
            name: StringRef(7),
            description: StringRef(0),
            metric_type: MetricType::OTHER,
            metric_mode: MetricMode::ABSOLUTE_POINT,
            value_type: Type::INT64,
            base: Base::DECIMAL,
            exponent: -3,
            unit: StringRef(7),
        }
        .into(),
        definitions::MetricClass {
            id: MetricRef(0),
            metric_members: List::new(&[MetricMemberRef(0)]).unwrap(),
            metric_occurrence: MetricOccurrence::ASYNCHRONOUS,
            recorder_kind: RecorderKind::CPU,
        }
        .into(),
        definitions::Attribute {
            id: AttributeRef(0),
            name: StringRef(7),
            type_: Type::INT32,
            description: StringRef(0),
        }
        .into(),
    ]
}

/// Writes an archive with two locations. The events of the second end one byte before the end of a
/// chunk.
fn write<E: ByteOrder>(folder: &Path) -> usize {
    let storage = Directory::make(folder, "traces").unwrap();
    storage.create().unwrap();
    let pieces = |file| StoragePieces::new(&storage, file, 3000);
    let mut writer =
        GlobalDefinitionWriter::<_, E>::in_byte_order(pieces(FileName::GlobalDefinitions), CHUNK).unwrap();
    for definition in global_definitions() {
        writer.record(&definition).unwrap();
    }
    let number_of_global_definitions = writer.finish().unwrap().events;
    let mut events = 0;
    for location in [0, 1 << 33] {
        let mut writer =
            LocalDefinitionWriter::<_, E>::in_byte_order(pieces(FileName::LocalDefinitions(location)), CHUNK)
                .unwrap();
        let id_map = IdMap::from_table(&[1, 0, 2, 3, 4]).unwrap();
        writer.record(&definitions::MappingTable { mapping_type: MappingType::REGION, id_map }).unwrap();
        for (time, offset) in [(0, 0), (1_000_000, -7)] {
            let offset = definitions::ClockOffset { time: Timestamp(time), offset, standard_deviation: 0.0 };
            writer.record(&offset).unwrap();
        }
        writer.finish().unwrap();
        events += if location == 0 {
            many_events::<E>(pieces(FileName::Events(0)))
        } else {
            one_byte_left::<E>(pieces(FileName::Events(location)))
        };
    }
    let mut writer = MarkerWriter::<_, E>::in_byte_order(pieces(FileName::Markers), CHUNK).unwrap();
    let kind = DefMarker {
        id: MarkerRef(0),
        marker_group: "group".into(),
        marker_category: "category".into(),
        severity: MarkerSeverity::HIGH,
    };
    writer.record(&kind).unwrap();
    let marker = Marker {
        time: 5,
        duration: 6,
        marker: MarkerRef(0),
        marker_scope: MarkerScope::GLOBAL,
        scope: u64::MAX,
        text: "some text".into(),
    };
    writer.record(&marker).unwrap();
    writer.finish().unwrap();
    let properties = [Property::new("KYMO::TEST", "yes")];
    let anchor = Anchor {
        event_chunk_size: CHUNK,
        definition_chunk_size: CHUNK,
        number_of_locations: 2,
        number_of_global_definitions,
        machine: "machine".into(),
        properties: Properties::new(&properties),
        trace_id: 0x8123_4567_89AB_CDEF,
        ..Anchor::default()
    };
    storage.write_at(FileName::Anchor, 0, &anchor::anchor_bytes_in::<E>(&anchor).unwrap()).unwrap();
    events
}

fn many_events<E: ByteOrder>(pieces: StoragePieces<&Directory>) -> usize {
    let mut writer = EventWriter::<_, E>::in_byte_order(pieces, CHUNK).unwrap();
    for time in 0..6_000 {
        let attributes = [Attribute::new(AttributeRef(0), -(time as i32))];
        writer
            .record_with(
                time,
                &attributes[..(time % 2) as usize],
                &Enter { region: RegionRef(time as u32 % 3) },
            )
            .unwrap();
        let send =
            MpiSend { receiver: 0, communicator: CommRef(0), msg_tag: time as u32, msg_length: time << 30 };
        writer.record(time, &send).unwrap();
        let values = [MetricValue::from(-5i64)];
        let metric = Metric { metric: MetricRef(0), metric_values: List::new(&values).unwrap() };
        writer.record(time, &metric).unwrap();
        writer.record(time, &Leave { region: RegionRef(time as u32 % 3) }).unwrap();
    }
    let closed = writer.finish().unwrap();
    assert!(closed.length > CHUNK);
    closed.events as usize
}

fn one_byte_left<E: ByteOrder>(pieces: StoragePieces<&Directory>) -> usize {
    let mut writer = EventWriter::<_, E>::in_byte_order(pieces, CHUNK).unwrap();
    let left = |writer: &EventWriter<_, E>| CHUNK - writer.mark().offset();
    let send = MpiSend { receiver: 0, communicator: CommRef(0), msg_tag: 1 << 30, msg_length: 1 << 60 };
    while left(&writer) > 100 {
        writer.record(1, &send).unwrap();
    }
    // Two or three bytes each, until a time stamp and a BufferFlush of fixed size leave one byte.
    while left(&writer) > 20 {
        let region = RegionRef(left(&writer) as u32 % 2);
        writer.record(1, &Leave { region }).unwrap();
    }
    writer.record(2, &BufferFlush { stop_time: Timestamp(3) }).unwrap();
    assert_eq!(left(&writer), 1);
    let closed = writer.finish().unwrap();
    assert_eq!(closed.length, CHUNK + 20);
    closed.events as usize
}

/// Runs a tool and returns its output. Returns `None`, and reports it, if it is not installed.
fn run(tool: &str, options: &[&str], folder: &Path) -> Option<String> {
    if !kymo_testdata::is_installed(tool) {
        return None;
    }
    let output = Command::new(tool).args(options).arg(folder.join("traces.otf2")).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{tool}: {errors}");
    assert_eq!(errors, "", "{tool}");
    Some(String::from_utf8(output.stdout).unwrap())
}

fn check<E: ByteOrder>() {
    let folder = tempfile::tempdir().unwrap();
    let events = write::<E>(folder.path());
    if let Some(out) = run("otf2-print", &["-A", "-I", "-M", "-C"], folder.path()) {
        let kinds = ["ENTER ", "LEAVE ", "MPI_SEND ", "METRIC ", "BUFFER_FLUSH "];
        let lines = out.lines().filter(|line| kinds.iter().any(|kind| line.starts_with(kind))).count();
        assert_eq!(lines, events);
        for expected in ["8123456789abcdef", "KYMO::TEST", "MPI_COMM_WORLD"] {
            assert!(out.contains(expected), "{expected}");
        }
    }
    // otf2-print does not show markers.
    if let Some(out) = run("otf2-marker", &[], folder.path()) {
        assert!(out.contains("some text"), "{out}");
    }
}

#[test]
fn little_endian() {
    check::<LittleEndian>();
}

#[test]
fn big_endian() {
    check::<BigEndian>();
}
