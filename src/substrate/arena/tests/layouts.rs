//! Every kind of definition in the layouts of both generations, as specified in
//! docs/spec/scorep-substrate-abi.md, §14.3 to §14.5.

use super::block::{Block, PAGE};
use super::fake::{Byte, Double, Fake, Value, Word};
use super::host;
use crate::arena::{Location, *};
use crate::handles::*;
use crate::kinds::*;

const BOTH: [Generation; 2] = [Generation::UpTo7, Generation::From8];

/// A handle of this test's host.
macro_rules! handle {
    ($kind:ident, $raw:expr) => {
        // SAFETY: this test's host follows no handle.
        unsafe { $kind::from_raw($raw) }
    };
}

/// Words at consecutive offsets.
fn words<const N: usize>(start: usize, words: [u32; N]) -> [(usize, Value); N] {
    let mut offset = start;
    words.map(|word| {
        offset += 4;
        (offset - 4, Word(word))
    })
}

#[test]
fn strings() {
    for skew in [0, 8, 1, 3] {
        let mut fake = Fake::within(Block::new(PAGE), skew);
        let (empty, name) = (fake.string(""), fake.string("a name"));
        assert_eq!(fake.arena.string(handle!(StringHandle, empty)), Some(c""));
        assert_eq!(fake.arena.string(handle!(StringHandle, name)), Some(c"a name"));
        assert_eq!(fake.arena.sequence(handle!(StringHandle, name)), Some(1));
        assert_eq!(fake.arena.string(StringHandle::NONE), None);
    }
}

#[test]
fn regions_files_and_parameters() {
    let (mut fake, name) = Fake::started(Generation::From8);
    let string = handle!(StringHandle, name);
    let region = fake.region(name);
    assert_eq!(fake.announce(HandleType::REGION, region), Ok(()));
    let expected = Region {
        name: string,
        canonical_name: string,
        description: string,
        region_type: RegionType(11),
        file_name: string,
        begin_line: 12,
        end_line: 13,
        paradigm: ParadigmType::MPI,
        group_name: StringHandle::NONE,
    };
    assert_eq!(fake.arena.region(handle!(RegionHandle, region)), Some(expected));

    let file = fake.put(HandleType::SOURCE_FILE, 24, &[(20, Word(name))]);
    host::set_answer(host::Getter::SCOREP_SourceFileHandle_GetName, file, fake.text_address(name));
    assert_eq!(fake.announce(HandleType::SOURCE_FILE, file), Ok(()));
    assert_eq!(fake.arena.source_file(handle!(SourceFileHandle, file)), Some(SourceFile { name: string }));

    let parameter = fake.put(HandleType::PARAMETER, 28, &words(20, [name, 2]));
    host::set_answer(host::Getter::SCOREP_ParameterHandle_GetType, parameter, 2);
    assert_eq!(fake.announce(HandleType::PARAMETER, parameter), Ok(()));
    let expected = Parameter { name: string, parameter_type: ParameterType::STRING };
    assert_eq!(fake.arena.parameter(handle!(ParameterHandle, parameter)), Some(expected));

    let line = fake.announced(HandleType::SOURCE_CODE_LOCATION, 28, &words(20, [name, 77]));
    let expected = SourceCodeLocation { file: string, line: 77 };
    let line = handle!(SourceCodeLocationHandle, line);
    assert_eq!(fake.arena.source_code_location(line), Some(expected));

    let mut fields = vec![(24, Double(0x1122_3344_5566)), (32, Double(0x7788))];
    fields.extend(words(40, [name, region, line.raw(), 0]));
    let context = fake.put(HandleType::CALLING_CONTEXT, 56, &fields);
    host::set_answer(host::Getter::SCOREP_CallingContextHandle_GetRegion, context, region.into());
    assert_eq!(fake.announce(HandleType::CALLING_CONTEXT, context), Ok(()));
    let expected = CallingContext {
        ip: 0x1122_3344_5566,
        ip_offset: 0x7788,
        file: string,
        region: handle!(RegionHandle, region),
        source_code_location: line,
        parent: CallingContextHandle::NONE,
    };
    assert_eq!(fake.arena.calling_context(handle!(CallingContextHandle, context)), Some(expected));
}

#[test]
fn metrics_and_sampling_sets() {
    let (mut fake, name) = Fake::started(Generation::From8);
    let string = handle!(StringHandle, name);
    let metric = fake.metric(name);
    assert_eq!(fake.announce(HandleType::METRIC, metric), Ok(()));
    let expected = Metric {
        name: string,
        description: string,
        source_type: MetricSourceType::RUSAGE,
        mode: MetricMode::ACCUMULATED_LAST,
        value_type: MetricValueType::INT64,
        base: MetricBase::DECIMAL,
        exponent: -6,
        unit: string,
        profiling_type: MetricProfilingType::MAX,
        parent: MetricHandle::NONE,
    };
    assert_eq!(fake.arena.metric(handle!(MetricHandle, metric)), Some(expected));

    let set = fake.sampling_set(&[metric, metric]);
    assert_eq!(fake.announce(HandleType::SAMPLING_SET, set), Ok(()));
    let set = handle!(SamplingSetHandle, set);
    let location = fake.put(HandleType::LOCATION, 56, &[]);
    let second = fake.announced(HandleType::SAMPLING_SET_RECORDER, 32, &words(20, [set.raw(), location, 0]));
    fake.set(second, 16, Word(1));
    let first = fake.put(HandleType::SAMPLING_SET_RECORDER, 32, &words(20, [set.raw(), 0, second]));
    fake.set(set.raw(), 40, Word(first));
    let expected = SamplingSet {
        occurrence: MetricOccurrence::ASYNCHRONOUS,
        class: SamplingSetClass::CPU,
        first_recorder: handle!(SamplingSetRecorderHandle, first),
        count: 2,
    };
    assert_eq!(fake.arena.sampling_set(set), Some(expected));
    let metrics: Vec<_> = fake.arena.metrics(set).expect("metrics").iter().map(MetricHandle::raw).collect();
    assert_eq!(metrics, [metric, metric]);
    let recorders = fake.arena.recorders(set).expect("recorders");
    assert_eq!(recorders.map(|recorder| recorder.location.raw()).collect::<Vec<_>>(), [0, location]);
    assert_eq!(fake.arena.scoped_sampling_set(set), None);

    let scopes = [Scope::Location(handle!(LocationHandle, location))];
    let others = [
        Scope::LocationGroup(handle!(LocationGroupHandle, location)),
        Scope::SystemTreeNode(handle!(SystemTreeNodeHandle, location)),
        Scope::Group(handle!(GroupHandle, location)),
        Scope::Other(MetricScope(9), location),
    ];
    for (kind, scope) in [0, 1, 2, 3, 9].into_iter().zip(scopes.into_iter().chain(others)) {
        let scoped = fake.scoped(set.raw(), location, [kind, location]);
        assert_eq!(fake.announce(HandleType::SAMPLING_SET, scoped), Ok(()));
        let scoped = handle!(SamplingSetHandle, scoped);
        let recorder = handle!(LocationHandle, location);
        let expected = ScopedSamplingSet { sampling_set: set, recorder, scope };
        assert_eq!(fake.arena.scoped_sampling_set(scoped), Some(expected));
        assert_eq!(fake.arena.sampling_set(scoped), None);
        assert!(fake.arena.metrics(scoped).is_none() && fake.arena.recorders(scoped).is_none());
    }
}

#[test]
fn interim_communicators_and_payloads() {
    for generation in BOTH {
        let (mut fake, name) = Fake::started(generation);
        let kind = HandleType::INTERIM_COMMUNICATOR;
        let comm = fake.announced(kind, 64, &words(20, [name, 0, 6, 5]));
        let comm = handle!(InterimCommunicatorHandle, comm);
        let expected = InterimCommunicator {
            name: handle!(StringHandle, name),
            parent: InterimCommunicatorHandle::NONE,
            paradigm: ParadigmType::MPI,
            window_counter: 5,
        };
        assert_eq!(fake.arena.interim_communicator(comm), Some(expected));
        assert_eq!(fake.arena.mpi_payload(comm), None, "not written yet");
        assert_eq!(fake.arena.openmp_payload(comm), None, "of another paradigm");

        let payload = match generation {
            Generation::UpTo7 => vec![4, 1, 10, 11, 12],
            _ => vec![4, 1, 1 << 31 | 3, 10, 11, 12],
        };
        for (at, word) in payload.into_iter().enumerate() {
            fake.set(comm.raw(), 40 + 4 * at, Word(word));
        }
        let is_inter = generation == Generation::From8;
        let expected = MpiPayload {
            size: 4,
            rank: 1,
            remote_size: if is_inter { 3 } else { 0 },
            is_group_b: is_inter,
            global_root_rank: 10,
            root_id: 11,
            io_counter: 12,
        };
        assert_eq!(fake.arena.mpi_payload(comm), Some(expected));

        let mut team = words(20, [0, comm.raw(), 8, 0]).to_vec();
        team.extend(words(40, [3, 2, 1]));
        let team = fake.announced(kind, 56, &team);
        let team = handle!(InterimCommunicatorHandle, team);
        let expected = OpenmpPayload { size: 3, thread_number: 2, singleton_counter: 1 };
        assert_eq!(fake.arena.openmp_payload(team), Some(expected));
        assert_eq!(fake.arena.interim_communicator(team).map(|team| team.parent), Some(comm));
        assert_eq!(fake.arena.mpi_payload(team), None);

        let mut set = words(20, [0, 0, 7, 0]).to_vec();
        set.extend(words(40, [1, 2, 3, 0]));
        let set = fake.announced(kind, 56, &set);
        let expected = ShmemPayload { pe_start: 1, log2_stride: 2, size: 3, window: RmaWindowHandle::NONE };
        assert_eq!(fake.arena.shmem_payload(handle!(InterimCommunicatorHandle, set)), Some(expected));
    }
}

#[test]
fn unification_leads_to_the_final_communicator() {
    for generation in BOTH {
        let (mut fake, name) = Fake::started(generation);
        let group = fake.announced(HandleType::GROUP, 64, &words(20, [5, name]));
        for (offset, value) in [(32, 3), (40, 7), (48, u64::MAX), (56, 9)] {
            fake.set(group, offset, Double(value));
        }
        let group = handle!(GroupHandle, group);
        let facts = fake.arena.group(group).expect("a group");
        assert_eq!((facts.group_type, facts.member_count), (GroupType::MPI_GROUP, 3));
        let members = fake.arena.group_members(group).expect("members");
        assert_eq!(members.iter().collect::<Vec<_>>(), [7, u64::MAX, 9]);
        assert_eq!((members.len(), members.get(3)), (3, None));

        let interim = fake.announced(HandleType::INTERIM_COMMUNICATOR, 64, &words(20, [0, 0, 6, 0]));
        let window = fake.announced(HandleType::RMA_WINDOW, 40, &words(20, [name, interim, 2, 1, 1]));
        let topology = fake.announced(HandleType::CARTESIAN_TOPOLOGY, 40, &words(20, [name, interim, 3, 0]));
        let io_handle = fake.announced(HandleType::IO_HANDLE, 60, &words(20, [name, 0, 2, 3, interim]));
        let interim = handle!(InterimCommunicatorHandle, interim);
        let (window, topology, io_handle) = (
            handle!(RmaWindowHandle, window),
            handle!(CartesianTopologyHandle, topology),
            handle!(IoHandleHandle, io_handle),
        );
        assert_eq!(fake.arena.unified(interim), None);
        let communicators = |fake: &Fake| {
            let window = fake.arena.rma_window(window).expect("a window").communicator;
            let topology = fake.arena.cartesian_topology(topology).expect("a topology").communicator;
            [window, topology, fake.arena.io_handle(io_handle).expect("a handle").communicator]
        };
        assert_eq!(communicators(&fake), [AnyCommunicator::Interim(interim); 3]);

        let comm = match generation {
            Generation::UpTo7 => fake.put(HandleType::ANY, 36, &words(20, [group.raw(), name, 0, 42])),
            _ => fake.put(HandleType::ANY, 44, &words(20, [group.raw(), group.raw(), name, 0, 42, 1])),
        };
        fake.set(interim.raw(), 4, Word(comm));
        for (raw, offset) in [(window.raw(), 24), (topology.raw(), 24), (io_handle.raw(), 36)] {
            fake.set(raw, 4, Word(raw));
            fake.set(raw, offset, Word(comm));
        }
        let comm = handle!(CommunicatorHandle, comm);
        assert_eq!(fake.arena.unified(interim), Some(comm));
        assert_eq!(communicators(&fake), [AnyCommunicator::Final(comm); 3]);
        let expected = Communicator {
            group_a: group,
            group_b: group,
            name: handle!(StringHandle, name),
            parent: CommunicatorHandle::NONE,
            unify_key: 42,
            flags: (generation == Generation::From8).then_some(CommunicatorFlags::CREATE_DESTROY_EVENTS),
        };
        assert_eq!(fake.arena.communicator(comm), Some(expected));
        let window = fake.arena.rma_window(window).expect("a window");
        assert_eq!((window.creation_id, window.has_default_name), (2, true));
        assert_eq!(window.flags, (generation == Generation::From8).then_some(RmaWindowFlags(1)));
    }
}

#[test]
fn files_and_their_handles() {
    let (mut fake, name) = Fake::started(Generation::UpTo7);
    let string = handle!(StringHandle, name);
    let node = fake.announced(HandleType::SYSTEM_TREE_NODE, 48, &words(20, [0, 2, name, name, 0]));
    let file = fake.announced(HandleType::IO_FILE, 40, &words(20, [name, node, 0]));
    let property = fake.announced(HandleType::IO_FILE_PROPERTY, 36, &words(20, [file, name, name, 0]));
    fake.set(file, 28, Word(property));
    let (file, node) = (handle!(IoFileHandle, file), handle!(SystemTreeNodeHandle, node));
    let first_property = handle!(IoFilePropertyHandle, property);
    assert_eq!(fake.arena.io_file(file), Some(IoFile { name: string, scope: node, first_property }));
    let property = IoFileProperty { file, name: string, value: string, next: IoFilePropertyHandle::NONE };
    let properties = fake.arena.io_file_properties(file).expect("properties");
    assert_eq!(properties.collect::<Vec<_>>(), [property]);
    assert_eq!(fake.arena.io_file_property(first_property), Some(property));

    let io_handle = fake.put(HandleType::IO_HANDLE, 60, &words(20, [name, file.raw(), 1, 3, 0, 0, 5, 2, 6]));
    fake.set(io_handle, 56, Byte(1));
    assert_eq!(fake.announce(HandleType::IO_HANDLE, io_handle), Ok(()));
    let expected = IoHandle {
        name: string,
        file,
        io_paradigm: IoParadigmType::ISOC,
        flags: IoHandleFlags(3),
        communicator: AnyCommunicator::None,
        parent: IoHandleHandle::NONE,
        unify_key: 5,
        access_mode: IoAccessMode::WRITE_ONLY,
        status_flags: IoStatusFlags(6),
        is_completed: true,
    };
    assert_eq!(fake.arena.io_handle(handle!(IoHandleHandle, io_handle)), Some(expected));
    assert!(IoHandleFlags(3).contains(IoHandleFlags::ALL_PROXY));
}

#[test]
fn system_tree() {
    for generation in BOTH {
        let (mut fake, name) = Fake::started(generation);
        let string = handle!(StringHandle, name);
        let node = fake.announced(HandleType::SYSTEM_TREE_NODE, 56, &words(20, [0, 1, name, 0, 0]));
        let second =
            fake.announced(HandleType::SYSTEM_TREE_NODE_PROPERTY, 36, &words(20, [node, name, 0, 0]));
        let first =
            fake.announced(HandleType::SYSTEM_TREE_NODE_PROPERTY, 36, &words(20, [node, 0, name, second]));
        fake.set(node, 36, Word(first));
        fake.set(node, 48, Byte(1));
        let node = handle!(SystemTreeNodeHandle, node);
        let expected = SystemTreeNode {
            parent: SystemTreeNodeHandle::NONE,
            domains: SystemTreeDomains::MACHINE,
            name: string,
            class: StringHandle::NONE,
            first_property: handle!(SystemTreeNodePropertyHandle, first),
            has_children: (generation == Generation::From8).then_some(true),
        };
        assert_eq!(fake.arena.system_tree_node(node), Some(expected));
        let properties = fake.arena.system_tree_node_properties(node).expect("properties");
        assert_eq!(
            properties.map(|property| property.name).collect::<Vec<_>>(),
            [StringHandle::NONE, string]
        );

        let group = match generation {
            Generation::UpTo7 => words(20, [17, node.raw(), name, 0, 0]),
            _ => words(20, [name, node.raw(), 0, 0, 0]),
        };
        let group = fake.announced(HandleType::LOCATION_GROUP, 40, &group);
        let group = handle!(LocationGroupHandle, group);
        let is_old = generation == Generation::UpTo7;
        let expected = LocationGroup {
            name: string,
            system_tree_parent: node,
            group_type: LocationGroupType::PROCESS,
            global_id: is_old.then_some(17),
            creating_location_group: (!is_old).then_some(LocationGroupHandle::NONE),
            has_children: (!is_old).then_some(false),
        };
        assert_eq!(fake.arena.location_group(group), Some(expected));

        let location = match generation {
            Generation::UpTo7 => words(24, [9, 2, name, 1, 0, 0, 17, 0]),
            _ => words(24, [9, 2, name, 1, 17, group.raw(), 0, 0]),
        };
        let location = fake.announced(HandleType::LOCATION, 56, &location);
        let location = handle!(LocationHandle, location);
        fake.set(location.raw(), if is_old { 40 } else { 48 }, Double(99));
        let expected = Location {
            global_id: 2 << 32 | 9,
            name: string,
            location_type: LocationType::GPU,
            paradigm: (!is_old).then_some(ParadigmType::OPENMP_TARGET),
            location_group: (!is_old).then_some(group),
            location_group_id: is_old.then_some(17),
            event_count: 99,
        };
        assert_eq!(fake.arena.location(location), Some(expected));

        let property =
            fake.announced(HandleType::LOCATION_PROPERTY, 32, &words(20, [name, 0, location.raw()]));
        let property = fake.arena.location_property(handle!(LocationPropertyHandle, property));
        assert_eq!(property, Some(LocationProperty { name: string, value: StringHandle::NONE, location }));
    }
}

#[test]
fn before_the_first_location_only_common_layouts_are_read() {
    let mut fake = Fake::new();
    let name = fake.string("a name");
    let node = fake.announced(HandleType::SYSTEM_TREE_NODE, 56, &words(20, [0, 1, name, name, 0]));
    let group = fake.announced(HandleType::LOCATION_GROUP, 40, &words(20, [0, node]));
    assert_eq!(fake.arena.generation(), Generation::Unknown);
    let node = fake.arena.system_tree_node(handle!(SystemTreeNodeHandle, node)).expect("a node");
    assert_eq!((node.name.raw(), node.has_children), (name, None));
    assert_eq!(fake.arena.location_group(handle!(LocationGroupHandle, group)), None);
}

#[test]
fn generators_topologies_and_paradigms() {
    let (mut fake, name) = Fake::started(Generation::From8);
    let string = handle!(StringHandle, name);
    let mut fields = words(20, [name, 1, 1]).to_vec();
    fields.extend([(32, Double((-9_i64).cast_unsigned())), (40, Double(1 << 40))]);
    let generator = fake.announced(HandleType::INTERRUPT_GENERATOR, 48, &fields);
    let expected = InterruptGenerator {
        name: string,
        mode: InterruptGeneratorMode::COUNT,
        base: MetricBase::DECIMAL,
        exponent: -9,
        period: 1 << 40,
    };
    let generator = handle!(InterruptGeneratorHandle, generator);
    assert_eq!(fake.arena.interrupt_generator(generator), Some(expected));

    // The bytes that follow the flag of a dimension are not initialised.
    let fields = words(20, [name, 0, 1, 2, 4, 0xaabb_cc01, name, 5, 0xaabb_cc00, 0]);
    let topology = fake.announced(HandleType::CARTESIAN_TOPOLOGY, 60, &fields);
    let topology = handle!(CartesianTopologyHandle, topology);
    let facts = fake.arena.cartesian_topology(topology).expect("a topology");
    assert_eq!((facts.topology_type, facts.dimension_count), (TopologyType::PROCESS, 2));
    let dimensions = fake.arena.dimensions(topology).expect("dimensions");
    let expected = [
        Dimension { size: 4, is_periodic: true, name: string },
        Dimension { size: 5, is_periodic: false, name: StringHandle::NONE },
    ];
    assert_eq!(dimensions.iter().collect::<Vec<_>>(), expected);

    let fields = words(20, [topology.raw(), 2, 3, 1, 8, 9]);
    let coords = fake.announced(HandleType::CARTESIAN_COORDS, 44, &fields);
    let coords = handle!(CartesianCoordsHandle, coords);
    assert_eq!(
        fake.arena.cartesian_coords(coords),
        Some(CartesianCoords { topology, count: 2, rank: 3, thread: 1 })
    );
    assert_eq!(fake.arena.coordinates(coords).expect("numbers").iter().collect::<Vec<_>>(), [8, 9]);

    let paradigm = fake.put(
        HandleType::PARADIGM,
        44,
        &[(8, Word(6)), (16, Word(name)), (32, Word(1)), (40, Word(name))],
    );
    host::set_answer(host::Getter::SCOREP_ParadigmHandle_GetType, paradigm, 6);
    assert_eq!(fake.announce(HandleType::PARADIGM, paradigm), Ok(()));
    let expected = Paradigm {
        paradigm_type: ParadigmType::MPI,
        class: ParadigmClass::MPP,
        name: string,
        flags: ParadigmFlags::RMA_ONLY,
        communicator_template: StringHandle::NONE,
        window_template: string,
    };
    assert_eq!(fake.arena.paradigm(handle!(ParadigmHandle, paradigm)), Some(expected));

    let mut fields = words(16, [2, 1, name, name]).to_vec();
    fields.extend([(0, Word(7)), (40, Word(1))]);
    let paradigm = fake.announced(HandleType::IO_PARADIGM, 48, &fields);
    let expected = IoParadigm {
        number: 7,
        paradigm_type: IoParadigmType::MPI,
        class: IoParadigmClass::PARALLEL,
        identification: string,
        name: string,
        flags: IoParadigmFlags::OS,
        version: StringHandle::NONE,
    };
    assert_eq!(fake.arena.io_paradigm(handle!(IoParadigmHandle, paradigm)), Some(expected));
}

/// The word at an offset, which differs from all others and could be a handle.
fn own_word(offset: u32) -> u32 {
    8192 + 4 * offset
}

/// Writes a definition of such words, with the byte at `flag` set to 1.
fn distinct(fake: &mut Fake, flag: usize) -> u32 {
    let handle = fake.put(HandleType::ANY, 96, &[]);
    for offset in (0..96).step_by(4) {
        fake.set(handle, offset, Word(own_word(offset as u32)));
    }
    fake.set(handle, flag, Byte(1));
    handle
}

/// Asserts that the fields, as numbers, are the words at these offsets.
macro_rules! at {
    ($facts:expr, $($field:ident $(.$raw:ident)? = $offset:expr),*) => {{
        let facts = $facts.expect("facts");
        $(assert_eq!(facts.$field$(.$raw())?, own_word($offset), stringify!($field));)*
    }};
}

#[test]
fn similar_fields_are_not_confused() {
    for generation in BOTH {
        let (mut fake, _) = Fake::started(generation);
        let raw = distinct(&mut fake, 90);
        let arena = &fake.arena;
        at!(arena.region(handle!(RegionHandle, raw)), name.raw = 20, canonical_name.raw = 24);
        at!(
            arena.region(handle!(RegionHandle, raw)),
            description.raw = 28,
            file_name.raw = 36,
            group_name.raw = 52
        );
        at!(
            arena.metric(handle!(MetricHandle, raw)),
            name.raw = 20,
            description.raw = 24,
            unit.raw = 56,
            parent.raw = 64
        );
        at!(
            arena.location_property(handle!(LocationPropertyHandle, raw)),
            name.raw = 20,
            value.raw = 24,
            location.raw = 28
        );
        let property = arena.system_tree_node_property(handle!(SystemTreeNodePropertyHandle, raw));
        at!(property, node.raw = 20, name.raw = 24, value.raw = 28, next.raw = 32);
        let property = arena.io_file_property(handle!(IoFilePropertyHandle, raw));
        at!(property, file.raw = 20, name.raw = 24, value.raw = 28, next.raw = 32);
        at!(
            arena.io_file(handle!(IoFileHandle, raw)),
            name.raw = 20,
            scope.raw = 24,
            first_property.raw = 28
        );
        at!(
            arena.interim_communicator(handle!(InterimCommunicatorHandle, raw)),
            name.raw = 20,
            parent.raw = 24
        );
        at!(arena.group(handle!(GroupHandle, raw)), name.raw = 24);
        at!(
            arena.paradigm(handle!(ParadigmHandle, raw)),
            name.raw = 16,
            communicator_template.raw = 36,
            window_template.raw = 40
        );
        at!(
            arena.io_paradigm(handle!(IoParadigmHandle, raw)),
            identification.raw = 24,
            name.raw = 28,
            version.raw = 44
        );
        let generator =
            arena.interrupt_generator(handle!(InterruptGeneratorHandle, raw)).expect("a generator");
        let words = [generator.name.raw(), generator.mode.0, generator.base.0];
        assert_eq!(words, [20, 24, 28].map(own_word));
        let context = arena.calling_context(handle!(CallingContextHandle, raw));
        at!(context, file.raw = 40, region.raw = 44, source_code_location.raw = 48, parent.raw = 52);
        at!(
            arena.cartesian_topology(handle!(CartesianTopologyHandle, raw)),
            name.raw = 20,
            dimension_count = 32
        );
        let recorder = arena.sampling_set_recorder(handle!(SamplingSetRecorderHandle, raw));
        at!(recorder, sampling_set.raw = 20, location.raw = 24, next.raw = 28);
        let raw = distinct(&mut fake, 56);
        let io_handle = fake.arena.io_handle(handle!(IoHandleHandle, raw));
        at!(io_handle, name.raw = 20, file.raw = 24, parent.raw = 40, unify_key = 44);
    }
}

/// Fields whose offset changed in 8.0, or that were added in it.
#[test]
fn fields_that_moved_in_8_are_read_at_both_offsets() {
    for generation in BOTH {
        let (mut fake, _) = Fake::started(generation);
        let is_new = generation == Generation::From8;
        let old_new = |old: u32, new: u32| if is_new { new } else { old };
        let raw = distinct(&mut fake, 90);
        let communicator = fake.arena.communicator(handle!(CommunicatorHandle, raw));
        at!(communicator, group_a.raw = 20, group_b.raw = old_new(20, 24), name.raw = old_new(24, 28));
        at!(communicator, parent.raw = old_new(28, 32), unify_key = old_new(32, 36));
        let raw = distinct(&mut fake, 48);
        let node = fake.arena.system_tree_node(handle!(SystemTreeNodeHandle, raw));
        at!(node, parent.raw = 20, name.raw = 28, class.raw = 32, first_property.raw = 36);
        assert_eq!(node.and_then(|node| node.has_children), is_new.then_some(true));
        let raw = distinct(&mut fake, 36);
        let group = fake.arena.location_group(handle!(LocationGroupHandle, raw));
        at!(group, name.raw = old_new(28, 20), system_tree_parent.raw = 24);
        let group = group.expect("a location group");
        assert_eq!(group.creating_location_group.map(LocationGroupHandle::raw), is_new.then(|| own_word(32)));
        assert_eq!(
            (group.group_type.0, group.has_children),
            (own_word(old_new(32, 28)), is_new.then_some(true))
        );
        let raw = distinct(&mut fake, 32);
        let window = fake.arena.rma_window(handle!(RmaWindowHandle, raw));
        at!(window, name.raw = 20, creation_id = 28);
        let flags = window.and_then(|window| window.flags);
        assert_eq!(flags, is_new.then(|| RmaWindowFlags(own_word(36))));
    }
}
