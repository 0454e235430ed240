//! Archives that no writer should produce but that the reference tool prints.

use kymo_otf2::attributes::Attribute;
use kymo_otf2::definitions;
use kymo_otf2::enums::{CollectiveOp, GroupType, MappingType, Type};
use kymo_otf2::events::*;
use kymo_otf2::flags::{CommFlag, GroupFlag};
use kymo_otf2::id_map::IdMap;
use kymo_otf2::list::List;
use kymo_otf2::references::*;
use kymo_otf2::snapshots;
use kymo_otf2::value::{MetricValue, Timestamp, Value};

use super::made::Draft;
use super::programs::{kymo, same};

const ALL: [&str; 4] = ["-A", "-M", "-C", "--unwind-calling-context"];

#[test]
fn bytes_of_strings_pass_through() {
    let mut draft = Draft::usual();
    let strings: [&[u8]; 5] =
        [b"tab\tnew line\nbell\x07", b"\xff\xfe\x80", b"%s%n%d", b"\"quoted\\\"", &[b'x'; 3000]];
    for (id, string) in (10..).zip(strings) {
        draft.string(id, string);
        draft.region(RegionRef(id - 10), StringRef(id));
        draft.at(0).events.time(7).put(&Enter { region: RegionRef(id - 10) });
    }
    let made = draft.make();
    same(&ALL, &made.anchor());
    let ours = kymo::<&str>(&[], &made.anchor());
    assert!(ours.stdout.windows(3).any(|window| window == b"\xff\xfe\x80"));
}

#[test]
fn ranks_of_all_kinds_of_communicators() {
    let mut draft = Draft::usual();
    draft.group(2, GroupType::COMM_SELF, &[], GroupFlag::NONE);
    draft.group(3, GroupType::COMM_GROUP, &[2, 0], GroupFlag::NONE);
    draft.group(4, GroupType::COMM_GROUP, &[1], GroupFlag::NONE);
    draft.group(5, GroupType::COMM_GROUP, &[], GroupFlag::GLOBAL_MEMBERS);
    draft.group(6, GroupType::COMM_GROUP, &[1, 77], GroupFlag::NONE);
    for (comm, group) in [(1, 2), (2, 3), (3, 5), (4, 6), (5, 0), (6, 99)] {
        draft.comm(CommRef(comm), GroupRef(group));
    }
    for (comm, [a, b]) in [(7, [3, 4]), (8, [4, 3]), (9, [2, 3])] {
        draft.global.put(&definitions::InterComm {
            id: CommRef(comm),
            name: StringRef(1),
            group_a: GroupRef(a),
            group_b: GroupRef(b),
            common_communicator: CommRef(0),
            flags: CommFlag::NONE,
        });
    }
    for (location, comm, rank) in
        [0, 1, 5].iter().flat_map(|l| (0..12).flat_map(move |c| [0, 1, 2, 9, u32::MAX].map(|r| (*l, c, r))))
    {
        let communicator = CommRef(comm);
        let send = MpiSend { receiver: rank, communicator, msg_tag: 1, msg_length: 2 };
        let end = MpiCollectiveEnd {
            collective_op: CollectiveOp::REDUCE,
            communicator,
            root: if rank == 9 { u32::MAX - 1 } else { rank },
            size_sent: 3,
            size_received: u64::MAX,
        };
        draft.at(location).events.time(u64::from(comm)).put(&send).put(&end);
    }
    same(&ALL, &draft.make().anchor());
}

#[test]
fn a_communicator_keeps_the_members_that_its_group_had_then() {
    let mut draft = Draft::usual();
    draft.group(0, GroupType::COMM_LOCATIONS, &[5, 1, 0], GroupFlag::NONE);
    draft.group(1, GroupType::COMM_GROUP, &[2], GroupFlag::NONE);
    draft.comm(CommRef(1), GroupRef(1));
    for comm in [0, 1] {
        let send = MpiSend { receiver: 0, communicator: CommRef(comm), msg_tag: 1, msg_length: 2 };
        draft.at(0).events.put(&send);
    }
    same(&ALL, &draft.make().anchor());
}

#[test]
fn metrics_with_more_or_other_values_than_their_class() {
    let mut draft = Draft::usual();
    let members = [MetricMemberRef(0), MetricMemberRef(7)];
    draft.global.put(&definitions::MetricClass {
        id: MetricRef(0),
        metric_members: List::new(&members).unwrap(),
        metric_occurrence: kymo_otf2::enums::MetricOccurrence::ASYNCHRONOUS,
        recorder_kind: kymo_otf2::enums::RecorderKind(9),
    });
    let values = [
        MetricValue::from(-5i64),
        MetricValue::from(u64::MAX),
        MetricValue::from(1e-7),
        MetricValue { type_: Type::UINT8, bits: 0xABC },
        MetricValue::from(f64::NAN),
    ];
    for metric in [MetricRef(0), MetricRef(4), MetricRef::UNDEFINED] {
        for count in 0..=values.len() {
            let metric_values = List::new(&values[..count]).unwrap();
            draft.at(0).events.put(&Metric { metric, metric_values });
        }
    }
    same(&ALL, &draft.make().anchor());
}

#[test]
fn attributes_of_all_types() {
    let mut draft = Draft::usual();
    for (id, bits) in (0..).zip([0, 1, 5, 127, 128, u64::MAX, 1 << 31, 0x4049_0FDB_5444_2D18]) {
        let attributes: Vec<_> = (0..40)
            .map(|type_| Attribute {
                attribute: AttributeRef(type_.into()),
                value: Value::new(Type(type_), bits),
            })
            .collect();
        draft.at(0).events.time(id).attributes(&attributes).put(&Enter { region: RegionRef(0) });
    }
    same(&ALL, &draft.make().anchor());
}

#[test]
fn times_around_the_offset_and_undefined_ones() {
    let mut draft = Draft::usual();
    for timer_resolution in [1000, 0, 7] {
        draft.global.put(&definitions::ClockProperties {
            timer_resolution,
            global_offset: 100 + timer_resolution,
            trace_length: 50,
            realtime_timestamp: 1_234_567_890_123_456_789 + timer_resolution,
        });
    }
    for time in [0, 99, 106, 107, 108, 12_345_678_901, u64::MAX - 1, u64::MAX] {
        draft.at(5).events.time(time).put(&BufferFlush { stop_time: Timestamp(time.wrapping_add(1)) });
        draft.at(5).events.raw(200, b"unknown");
    }
    let made = draft.make();
    for options in [&["-A"][..], &["--timestamps=offset"], &["--timestamps", "offset", "--time", "99", "107"]]
    {
        same(options, &made.anchor());
    }
}

#[test]
fn snapshots_are_selected_by_both_of_their_times() {
    let mut draft = Draft::usual();
    for location in [0, 1, 5] {
        let records = draft.at(location).snapshots.get_or_insert_default();
        records.time(50).put(&snapshots::SnapshotStart { number_of_records: 2 });
        for time in [10, 40] {
            records.put(&snapshots::Enter { orig_event_time: Timestamp(time), region: RegionRef(1) });
        }
        records.raw(180, b"new").put(&snapshots::SnapshotEnd { cont_read_pos: 1 });
    }
    let made = draft.make();
    for options in ["", "--time 20 60", "--time 0 45", "-s 4", "-A --silent -d"] {
        same(&options.split_whitespace().collect::<Vec<_>>(), &made.anchor());
    }
}

#[test]
fn definitions_twice_and_in_any_order() {
    let mut draft = Draft::usual();
    draft.string(3, b"three again");
    draft.region(RegionRef(9), StringRef(3));
    draft.region(RegionRef(0), StringRef(99));
    draft.region(RegionRef::UNDEFINED, StringRef(1));
    draft.comm(CommRef(0), GroupRef(0));
    draft.at(1).events.put(&Enter { region: RegionRef(9) }).put(&Enter { region: RegionRef(0) });
    let made = draft.make();
    for options in ["-A", "-A -Werror", "-A -d", "-G -Werror -d"] {
        same(&options.split_whitespace().collect::<Vec<_>>(), &made.anchor());
    }
}

#[test]
fn line_numbers_beyond_the_signed_range() {
    let mut draft = Draft::usual();
    for (id, line_number) in (0..).zip([0, 12, i32::MAX as u32, 1 << 31, u32::MAX - 7, u32::MAX]) {
        let file = StringRef(if id % 2 == 0 { 4 } else { 1 });
        draft.global.put(&definitions::SourceCodeLocation {
            id: SourceCodeLocationRef(id),
            file,
            line_number,
        });
        let parent = if id == 0 { CallingContextRef::UNDEFINED } else { CallingContextRef(id - 1) };
        draft.global.put(&definitions::CallingContext {
            id: CallingContextRef(id),
            region: RegionRef(id),
            source_code_location: SourceCodeLocationRef(id),
            parent,
        });
    }
    for distance in [0, 1, 2, 9, u32::MAX] {
        let calling_context = CallingContextRef(5);
        draft.at(0).events.put(&CallingContextEnter { calling_context, unwind_distance: distance });
        draft.at(0).events.put(&CallingContextLeave { calling_context: CallingContextRef(distance) });
        draft.at(0).events.put(&CallingContextSample {
            calling_context,
            unwind_distance: distance,
            interrupt_generator: InterruptGeneratorRef(0),
        });
    }
    same(&ALL, &draft.make().anchor());
}

#[test]
fn programs_with_and_without_arguments() {
    let mut draft = Draft::usual();
    let arguments = [StringRef(1), StringRef(0), StringRef(77), StringRef::UNDEFINED];
    for count in 0..=arguments.len() {
        let program_arguments = List::new(&arguments[..count]).unwrap();
        draft.at(0).events.put(&ProgramBegin { program_name: StringRef(count as u32), program_arguments });
    }
    for exit_status in [0, -1, i64::MIN, i64::MAX] {
        draft.at(0).events.put(&ProgramEnd { exit_status });
    }
    same(&ALL, &draft.make().anchor());
}

#[test]
fn system_tree_as_a_graph() {
    let mut draft = Draft::usual();
    for (id, parent) in [(0, SystemTreeNodeRef::UNDEFINED), (1, SystemTreeNodeRef(0))] {
        let (name, class_name) = (StringRef(1), StringRef(2));
        draft.global.put(&definitions::SystemTreeNode {
            id: SystemTreeNodeRef(id),
            name,
            class_name,
            parent,
        });
    }
    for type_ in 0..30 {
        let (name, value) = (StringRef(type_), Value::new(Type(type_ as u8), type_.into()));
        let system_tree_node = SystemTreeNodeRef(1);
        draft.global.put(&definitions::SystemTreeNodeProperty { system_tree_node, name, value });
        draft.global.put(&definitions::LocationProperty { location: LocationRef(5), name, value });
        let location_group = LocationGroupRef(type_);
        draft.global.put(&definitions::LocationGroupProperty { location_group, name, value });
        let system_tree_domain = kymo_otf2::enums::SystemTreeDomain(type_ as u8);
        draft.global.put(&definitions::SystemTreeNodeDomain { system_tree_node, system_tree_domain });
    }
    draft.location(9, StringRef(88));
    draft.global.put(&definitions::LocationGroup {
        id: LocationGroupRef(1),
        name: StringRef::UNDEFINED,
        location_group_type: kymo_otf2::enums::LocationGroupType(7),
        system_tree_parent: SystemTreeNodeRef(1),
        creating_location_group: LocationGroupRef(0),
    });
    let made = draft.make();
    let graph = made.path("a.SystemTree.dot");
    for options in ["--system-tree", "--system-tree -A -d", "--system-tree -G", "--system-tree -I"] {
        let options: Vec<_> = options.split_whitespace().collect();
        let _ = std::fs::remove_file(&graph);
        same(&options, &made.anchor());
        let ours = std::fs::read(&graph).ok();
        let _ = std::fs::remove_file(&graph);
        if super::programs::reference(&options, &made.anchor()).is_some() {
            // `same` ran the reference tool first.
            assert_eq!(std::fs::read(&graph).ok(), ours, "{options:?}");
        }
    }
}

/// To the reference tool, the largest number means none.
#[test]
fn largest_location_and_step() {
    let mut draft = Draft::usual();
    draft.at(1).events.time(4).put(&Enter { region: RegionRef(0) });
    let made = draft.make();
    for options in ["-L 18446744073709551615", "-s 18446744073709551615", "-L 18446744073709551614"] {
        same(&options.split_whitespace().collect::<Vec<_>>(), &made.anchor());
    }
}

#[test]
fn locations_that_are_defined_twice() {
    let mut draft = Draft::usual();
    draft.location(1, StringRef(3));
    draft.at(1).events.time(4).put(&Enter { region: RegionRef(1) });
    let pairs = [(1, 2)];
    let id_map = IdMap::from_pairs(&pairs).unwrap();
    draft.at(1).local.put(&definitions::MappingTable { mapping_type: MappingType::REGION, id_map });
    let made = draft.make();
    for options in ["", "-A -M", "-L 1 -d", "-M -d"] {
        same(&options.split_whitespace().collect::<Vec<_>>(), &made.anchor());
    }
}

#[test]
fn mapping_tables_in_any_order() {
    let mut draft = Draft::usual();
    // Type, number of entries, sparse flag, pairs; one local id appears twice.
    draft.at(1).local.raw(5, &[3, 1, 4, 1, 1, 9, 1, 0xFF, 1, 2, 1, 1, 1, 9, 1, 7, 0xFF, 0]);
    draft.at(1).local.raw(5, &[4, 1, 2, 0, 0xFF, 0]);
    draft.at(1).local.raw(5, &[77, 1, 1, 0, 1, 5]);
    same(&["-M"], &draft.make().anchor());
}
