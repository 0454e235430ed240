//! From the definition log to the definition file.

use kymo_otf2::{
    FileName, Storage,
    definitions::{ClockProperties, GlobalDefinition, Parameter, SystemTreeNode, SystemTreeNodeDomain},
    enums::{MappingType, ParameterType, SystemTreeDomain},
    read,
    references::{ParameterRef, StringRef, SystemTreeNodeRef},
    storage::Memory,
};
use kymo_recorder::{
    DefinitionLog,
    archive::{Description, GlobalDefinitions, LocalDefinitions},
    memory::{Budget, Pages},
};

static BUDGET: Budget = Budget::new(usize::MAX);

const CLOCK: ClockProperties = ClockProperties {
    timer_resolution: 1_000,
    global_offset: 5,
    trace_length: 10,
    realtime_timestamp: u64::MAX,
};

fn parameter(id: u32, name: StringRef) -> Parameter {
    Parameter { id: ParameterRef(id), name, parameter_type: ParameterType::INT64 }
}

/// Returns the definitions of a log as written to the file, as debug text, without the clock.
fn written(definitions: &DefinitionLog) -> Vec<String> {
    let storage = Memory::new();
    storage.create().unwrap();
    let global = GlobalDefinitions::from_log(CLOCK, definitions.log()).unwrap();
    let description = Description { creator: "test", properties: &[("A::B", "true")], trace_id: 1 };
    global.write(&storage, &description).unwrap();
    let file = storage.read(FileName::GlobalDefinitions).unwrap();
    let mut records: Vec<_> = read::definitions::global_definitions(&file, global.chunk_size())
        .unwrap()
        .map(|record| format!("{:?}", record.unwrap()))
        .collect();
    let anchor = storage.read(FileName::Anchor).unwrap();
    let anchor = read::anchor::anchor(&anchor).unwrap();
    assert_eq!(anchor.number_of_global_definitions, records.len() as u64);
    assert_eq!(anchor.definition_chunk_size, global.chunk_size());
    assert!(records.remove(0).contains("ClockProperties"));
    records
}

#[test]
fn a_string_is_defined_once_and_the_empty_one_first() {
    let mut definitions = DefinitionLog::new(&BUDGET);
    let ids = ["one", "two", "one", "", "two\0three"].map(|text| definitions.string(text.as_bytes()).0);
    assert_eq!(ids, [1, 2, 1, 0, 2]);
    assert_eq!(written(&definitions).len(), 3);
}

#[test]
fn many_strings_keep_their_ids() {
    const STRINGS: u32 = if cfg!(miri) { 100 } else { 10_000 };
    let mut definitions = DefinitionLog::new(&BUDGET);
    for round in 0..2 {
        for n in 0..STRINGS {
            assert_eq!(definitions.string(format!("string {n}").as_bytes()).0, n + 1, "round {round}");
        }
    }
}

#[test]
fn a_log_can_be_restarted_with_its_strings() {
    let mut definitions = DefinitionLog::new(&BUDGET);
    let ids = ["one", "two"].map(|text| definitions.string(text.as_bytes()));
    definitions.define(&parameter(0, ids[0]));
    let mut again = definitions.strings().unwrap();
    assert_eq!(written(&again).len(), 3);
    assert_eq!(["one", "two"].map(|text| again.string(text.as_bytes())), ids);
    assert_eq!(again.string(b"three").0, 3);
}

#[test]
fn the_last_of_several_records_with_one_id_counts() {
    let mut definitions = DefinitionLog::new(&BUDGET);
    let (first, last) = (definitions.string(b"first"), definitions.string(b"last"));
    definitions.define(&parameter(0, first));
    definitions.define(&parameter(0, last));
    let expected = format!("{:?}", GlobalDefinition::from(parameter(0, last)));
    assert_eq!(written(&definitions)[3..], [expected]);
}

#[test]
fn definitions_are_ordered_by_kind_and_id_and_parts_follow_their_whole() {
    let mut definitions = DefinitionLog::new(&BUDGET);
    let name = definitions.string(b"name");
    let node = |id| SystemTreeNode {
        id: SystemTreeNodeRef(id),
        name,
        class_name: name,
        parent: SystemTreeNodeRef::UNDEFINED,
    };
    let domain = |id| SystemTreeNodeDomain {
        system_tree_node: SystemTreeNodeRef(id),
        system_tree_domain: SystemTreeDomain::SHARED_MEMORY,
    };
    definitions.define(&parameter(1, name));
    definitions.define(&domain(1));
    definitions.define(&node(1));
    definitions.define(&domain(0));
    definitions.define(&node(0));
    definitions.define(&parameter(0, name));
    let expected: [GlobalDefinition<'_>; 6] = [
        node(0).into(),
        domain(0).into(),
        node(1).into(),
        domain(1).into(),
        parameter(0, name).into(),
        parameter(1, name).into(),
    ];
    assert_eq!(written(&definitions)[2..], expected.map(|record| format!("{record:?}")));
}

#[test]
#[cfg_attr(miri, ignore = "too long for Miri")]
fn chunks_grow_with_the_largest_definition() {
    let mut definitions = DefinitionLog::new(&BUDGET);
    let text = vec![b'x'; 300_000];
    definitions.string(&text);
    let global = GlobalDefinitions::from_log(CLOCK, definitions.log()).unwrap();
    assert_eq!(global.chunk_size(), 512 * 1024);
    assert_eq!(written(&definitions).len(), 2);
}

#[test]
#[cfg_attr(miri, ignore = "too long for Miri")]
fn a_definition_without_room_is_counted() {
    static SMALL: Budget = Budget::new(4 * Pages::GRANULE);
    let mut definitions = DefinitionLog::new(&SMALL);
    for n in 0..100_000 {
        definitions.string(format!("string {n}").as_bytes());
    }
    assert!(definitions.lost() > 0);
    let strings = written(&definitions).len() as u64;
    assert_eq!(strings - 1 + definitions.lost(), 100_000);
}

#[test]
fn mappings_that_change_ids_and_clock_offsets_are_local_definitions() {
    let storage = Memory::new();
    storage.create().unwrap();
    let chunk_size = 256 * 1024;
    let mappings =
        [(MappingType::COMM, vec![1, 0, 1]), (MappingType::REGION, vec![0, 1]), (MappingType::GROUP, vec![])];
    let local = LocalDefinitions { mappings: &mappings, clock_offsets: &[(10, -3), (20, 4)] };
    local.write(&storage, chunk_size, [7]).unwrap();
    let file = storage.read(FileName::LocalDefinitions(7)).unwrap();
    let records: Vec<_> = read::definitions::local_definitions(&file, chunk_size)
        .unwrap()
        .map(|record| format!("{:?}", record.unwrap()))
        .collect();
    assert_eq!(records.len(), 3, "{records:?}");
    assert!(records[0].contains("COMM"), "{records:?}");
    assert!(records[1].contains("offset: -3") && records[2].contains("offset: 4"), "{records:?}");
}
