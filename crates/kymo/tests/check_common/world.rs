//! A sound archive with one of everything, for the cases to use and to break.
//!
//! It has two processes with one MPI rank each. Locations 0 and 1 are their main threads, location
//! 2 is a second thread of the first process. Times run from 0 to 1000.

use std::collections::BTreeMap;

use kymo_otf2::Anchor;
use kymo_otf2::definitions::*;
use kymo_otf2::enums::Paradigm;
use kymo_otf2::enums::*;
use kymo_otf2::flags::*;
use kymo_otf2::list::List;
use kymo_otf2::references::*;
use kymo_otf2::text::Text;

use super::{Miscount, Trace};

pub const EMPTY: StringRef = StringRef(0);
/// Communicators: of both ranks; of each rank with itself; of the threads of the first process; one
/// with create and destroy events; an inter-communicator between the ranks.
pub const WORLD: CommRef = CommRef(0);
pub const OWN: CommRef = CommRef(1);
pub const TEAM: CommRef = CommRef(2);
pub const MORTAL: CommRef = CommRef(3);
pub const INTER: CommRef = CommRef(4);
/// A window with create and destroy events, and one without.
pub const WINDOW: RmaWinRef = RmaWinRef(0);
pub const PLAIN_WINDOW: RmaWinRef = RmaWinRef(1);
/// I/O handles: of a file; open for reading from the start; a proxy for several handles; of a
/// parallel paradigm.
pub const HANDLE: IoHandleRef = IoHandleRef(0);
pub const OPEN_HANDLE: IoHandleRef = IoHandleRef(1);
pub const PROXY: IoHandleRef = IoHandleRef(2);
pub const PARALLEL_HANDLE: IoHandleRef = IoHandleRef(3);
/// A metric class of location 0, an abstract class, and an instance that location 1 records.
pub const METRIC: MetricRef = MetricRef(0);
pub const ABSTRACT_METRIC: MetricRef = MetricRef(1);
pub const METRIC_INSTANCE: MetricRef = MetricRef(2);

pub fn list<C: kymo_otf2::list::Count, T: kymo_otf2::list::Element>(
    elements: &'static [T],
) -> List<'static, C, T> {
    List::new(elements).expect("a short list")
}

pub fn string(id: u32, text: &'static str) -> String<'static> {
    String { id: StringRef(id), string: Text::from(text) }
}

pub fn clock() -> ClockProperties {
    ClockProperties {
        timer_resolution: 1000,
        global_offset: 0,
        trace_length: 1000,
        realtime_timestamp: u64::MAX,
    }
}

pub fn location(id: u64, group: u32) -> Location {
    let location_type = LocationType::CPU_THREAD;
    Location {
        id: LocationRef(id),
        name: EMPTY,
        location_type,
        number_of_events: 0,
        location_group: LocationGroupRef(group),
    }
}

pub fn location_group(id: u32) -> LocationGroup {
    LocationGroup {
        id: LocationGroupRef(id),
        name: EMPTY,
        location_group_type: LocationGroupType::PROCESS,
        system_tree_parent: SystemTreeNodeRef(0),
        creating_location_group: LocationGroupRef::UNDEFINED,
    }
}

pub fn system_tree_node(id: u32, parent: SystemTreeNodeRef) -> SystemTreeNode {
    SystemTreeNode { id: SystemTreeNodeRef(id), name: EMPTY, class_name: EMPTY, parent }
}

pub fn region(id: u32) -> Region {
    Region { description: EMPTY, ..Region::function(RegionRef(id), EMPTY) }
}

pub fn group(id: u32, group_type: GroupType, paradigm: Paradigm, members: &'static [u64]) -> Group<'static> {
    Group {
        id: GroupRef(id),
        name: EMPTY,
        members: list(members),
        group_type,
        paradigm,
        group_flags: GroupFlag::empty(),
    }
}

pub fn comm(id: CommRef, group: u32, flags: CommFlag) -> Comm {
    Comm { id, name: EMPTY, group: GroupRef(group), parent: CommRef::UNDEFINED, flags }
}

pub fn inter_comm() -> InterComm {
    InterComm {
        id: INTER,
        name: EMPTY,
        group_a: GroupRef(5),
        group_b: GroupRef(6),
        common_communicator: WORLD,
        flags: CommFlag::empty(),
    }
}

pub fn metric_member(value_type: Type) -> MetricMember {
    MetricMember {
        id: MetricMemberRef(0),
        name: EMPTY,
        description: EMPTY,
        metric_type: MetricType::USER,
        metric_mode: MetricMode::ABSOLUTE_POINT,
        value_type,
        base: Base::DECIMAL,
        exponent: 0,
        unit: EMPTY,
    }
}

pub fn metric_class(
    id: MetricRef,
    members: &'static [MetricMemberRef],
    recorder_kind: RecorderKind,
) -> MetricClass<'static> {
    let metric_occurrence = MetricOccurrence::ASYNCHRONOUS;
    MetricClass { id, metric_members: list(members), metric_occurrence, recorder_kind }
}

pub fn metric_instance(id: MetricRef, metric_class: MetricRef) -> MetricInstance {
    let metric_scope = MetricScope::LOCATION;
    MetricInstance { id, metric_class, recorder: LocationRef(1), metric_scope, scope: 0 }
}

pub fn calling_context(id: u32, parent: CallingContextRef) -> CallingContext {
    CallingContext {
        id: CallingContextRef(id),
        region: RegionRef(0),
        source_code_location: SourceCodeLocationRef::UNDEFINED,
        parent,
    }
}

pub fn io_handle(id: IoHandleRef, paradigm: u8, flags: IoHandleFlag) -> IoHandle {
    IoHandle {
        id,
        name: EMPTY,
        file: IoFileRef(0),
        io_paradigm: IoParadigmRef(paradigm),
        io_handle_flags: flags,
        comm: CommRef::UNDEFINED,
        parent: IoHandleRef::UNDEFINED,
    }
}

pub fn io_paradigm(id: u8, io_paradigm_class: IoParadigmClass) -> IoParadigm<'static> {
    IoParadigm {
        id: IoParadigmRef(id),
        identification: EMPTY,
        name: EMPTY,
        io_paradigm_class,
        io_paradigm_flags: IoParadigmFlag::empty(),
        properties: list(&[]),
    }
}

pub fn dimension() -> CartDimension {
    CartDimension { id: CartDimensionRef(0), name: EMPTY, size: 2, cart_periodicity: CartPeriodicity::FALSE }
}

pub fn topology() -> CartTopology<'static> {
    let cart_dimensions = list(&[CartDimensionRef(0)]);
    CartTopology { id: CartTopologyRef(0), name: EMPTY, communicator: WORLD, cart_dimensions }
}

pub fn coordinate(rank: u32, coordinates: &'static [u32]) -> CartCoordinate<'static> {
    CartCoordinate { cart_topology: CartTopologyRef(0), rank, coordinates: list(coordinates) }
}

/// Returns the archive without events.
pub fn world() -> Trace {
    let mut trace = Trace {
        anchor: Anchor::default(),
        globals: Vec::new(),
        locals: BTreeMap::new(),
        events: BTreeMap::new(),
        snapshots: BTreeMap::new(),
        markers: Vec::new(),
        thumbnail: None,
        miscount: Miscount::default(),
        changes: Vec::new(),
    };
    places(&mut trace);
    communicators(&mut trace);
    values(&mut trace);
    calls(&mut trace);
    files(&mut trace);
    trace
}

fn places(trace: &mut Trace) {
    trace.define(clock());
    trace.define(string(0, ""));
    trace.define(system_tree_node(0, SystemTreeNodeRef::UNDEFINED));
    trace.define(location_group(0));
    trace.define(location_group(1));
    trace.define(location(0, 0));
    trace.define(location(1, 1));
    trace.define(location(2, 0));
}

fn communicators(trace: &mut Trace) {
    trace.define(group(0, GroupType::COMM_LOCATIONS, Paradigm::MPI, &[0, 1]));
    trace.define(group(1, GroupType::COMM_GROUP, Paradigm::MPI, &[0, 1]));
    trace.define(group(2, GroupType::COMM_SELF, Paradigm::MPI, &[]));
    trace.define(group(3, GroupType::COMM_LOCATIONS, Paradigm::OPENMP, &[0, 2]));
    trace.define(group(4, GroupType::COMM_GROUP, Paradigm::OPENMP, &[0, 1]));
    trace.define(group(5, GroupType::COMM_GROUP, Paradigm::MPI, &[0]));
    trace.define(group(6, GroupType::COMM_GROUP, Paradigm::MPI, &[1]));
    trace.define(comm(WORLD, 1, CommFlag::empty()));
    trace.define(comm(OWN, 2, CommFlag::empty()));
    trace.define(comm(TEAM, 4, CommFlag::empty()));
    trace.define(comm(MORTAL, 1, CommFlag::CREATE_DESTROY_EVENTS));
    trace.define(inter_comm());
    let window = RmaWin { id: WINDOW, name: EMPTY, comm: WORLD, flags: RmaWinFlag::CREATE_DESTROY_EVENTS };
    trace.define(window);
    trace.define(RmaWin { id: PLAIN_WINDOW, flags: RmaWinFlag::empty(), ..window });
    trace.define(dimension());
    trace.define(topology());
}

fn values(trace: &mut Trace) {
    trace.define(metric_member(Type::UINT64));
    trace.define(metric_class(METRIC, &[MetricMemberRef(0)], RecorderKind::CPU));
    trace.define(MetricClassRecorder { metric: METRIC, recorder: LocationRef(0) });
    trace.define(metric_class(ABSTRACT_METRIC, &[MetricMemberRef(0)], RecorderKind::ABSTRACT));
    trace.define(metric_instance(METRIC_INSTANCE, ABSTRACT_METRIC));
    trace.define(Parameter { id: ParameterRef(0), name: EMPTY, parameter_type: ParameterType::INT64 });
    trace.define(Attribute { id: AttributeRef(0), name: EMPTY, type_: Type::UINT64, description: EMPTY });
}

fn calls(trace: &mut Trace) {
    trace.define(region(0));
    trace.define(region(1));
    trace.define(Callpath { id: CallpathRef(0), parent: CallpathRef::UNDEFINED, region: RegionRef(0) });
    trace.define(SourceCodeLocation { id: SourceCodeLocationRef(0), file: EMPTY, line_number: 1 });
    trace.define(calling_context(0, CallingContextRef::UNDEFINED));
    trace.define(calling_context(1, CallingContextRef(0)));
    trace.define(InterruptGenerator {
        id: InterruptGeneratorRef(0),
        name: EMPTY,
        interrupt_generator_mode: InterruptGeneratorMode::TIME,
        base: Base::DECIMAL,
        exponent: 0,
        period: 1,
    });
}

fn files(trace: &mut Trace) {
    trace.define(io_paradigm(0, IoParadigmClass::SERIAL));
    trace.define(io_paradigm(1, IoParadigmClass::PARALLEL));
    trace.define(IoRegularFile { id: IoFileRef(0), name: EMPTY, scope: SystemTreeNodeRef(0) });
    trace.define(io_handle(HANDLE, 0, IoHandleFlag::empty()));
    trace.define(io_handle(OPEN_HANDLE, 0, IoHandleFlag::PRE_CREATED));
    let (mode, status_flags) = (IoAccessMode::READ_ONLY, IoStatusFlag::empty());
    trace.define(IoPreCreatedHandleState { io_handle: OPEN_HANDLE, mode, status_flags });
    trace.define(IoHandle { file: IoFileRef::UNDEFINED, ..io_handle(PROXY, 0, IoHandleFlag::ALL_PROXY) });
    trace.define(IoHandle { comm: WORLD, ..io_handle(PARALLEL_HANDLE, 1, IoHandleFlag::empty()) });
}
