//! Definitions, and references into every id space.

use kymo_otf2::definitions::*;
use kymo_otf2::enums::Paradigm;
use kymo_otf2::enums::*;
use kymo_otf2::events::{Enter, Leave, Metric, ParameterString};
use kymo_otf2::flags::*;
use kymo_otf2::markers::{AnyMarker, DefMarker, Marker};
use kymo_otf2::references::*;
use kymo_otf2::text::Text;
use kymo_otf2::value::{MetricValue, Value};

use super::{Case, case};
use crate::check_common::Trace;
use crate::check_common::world::*;

const ONE: MetricValue = MetricValue { type_: Type::UINT64, bits: 1 };

/// Returns an undefined id if `faulty`, otherwise a defined one.
fn id(faulty: bool) -> u32 {
    if faulty { 77 } else { 0 }
}

fn property(type_: Type, faulty: bool) -> LocationProperty {
    LocationProperty { location: LocationRef(0), name: EMPTY, value: Value::new(type_, id(faulty).into()) }
}

pub fn references() -> Vec<Case> {
    vec![
        case("undefined-attribute", |trace, faulty| trace.define(property(Type::ATTRIBUTE, faulty))),
        case("undefined-calling-context", |trace, faulty| {
            trace.define(calling_context(9, CallingContextRef(id(faulty))));
        }),
        case("undefined-callpath", |trace, faulty| {
            let parent = CallpathRef(id(faulty));
            trace.define(Callpath { id: CallpathRef(9), parent, region: RegionRef(0) });
        }),
        case("undefined-cart-dimension", |trace, faulty| {
            let dimensions: &[_] = if faulty { &[CartDimensionRef(77)] } else { &[CartDimensionRef(0)] };
            trace.define(CartTopology {
                id: CartTopologyRef(9),
                cart_dimensions: list(dimensions),
                ..topology()
            });
        }),
        case("undefined-cart-topology", |trace, faulty| {
            trace
                .define(CartCoordinate { cart_topology: CartTopologyRef(id(faulty)), ..coordinate(0, &[1]) });
        }),
        case("undefined-comm", |trace, faulty| trace.define(property(Type::COMM, faulty))),
        case("undefined-group", |trace, faulty| {
            trace.define(comm(CommRef(9), if faulty { 77 } else { 1 }, CommFlag::empty()))
        }),
        case("undefined-group", |trace, faulty| {
            let scope = MetricScope::GROUP;
            let instance = metric_instance(MetricRef(9), ABSTRACT_METRIC);
            trace.define(MetricInstance { metric_scope: scope, scope: id(faulty).into(), ..instance });
        }),
        case("undefined-interrupt-generator", |trace, faulty| {
            trace.define(property(Type::INTERRUPT_GENERATOR, faulty));
        }),
        case("undefined-io-file", |trace, faulty| trace.define(property(Type::IO_FILE, faulty))),
        case("undefined-io-handle", |trace, faulty| trace.define(property(Type::IO_HANDLE, faulty))),
        case("undefined-io-paradigm", |trace, faulty| {
            trace.define(io_handle(IoHandleRef(9), id(faulty) as u8, IoHandleFlag::empty()));
        }),
        case("undefined-location", |trace, faulty| {
            let members: &[u64] = if faulty { &[0, 77] } else { &[0, 1] };
            trace.define(group(9, GroupType::LOCATIONS, Paradigm::NONE, members));
        }),
        case("undefined-location-group", |trace, faulty| trace.define(location(9, id(faulty)))),
        case("undefined-marker", |trace, faulty| marker(trace, id(faulty), 0)),
        case("undefined-location", |trace, faulty| marker(trace, 0, id(faulty).into())),
        case("undefined-metric", |trace, faulty| {
            let metric = MetricRef(id(faulty));
            trace.event(0, 10, Metric { metric, metric_values: list(&[ONE]) });
        }),
        case("undefined-metric-member", |trace, faulty| {
            let members: &[_] = if faulty { &[MetricMemberRef(77)] } else { &[MetricMemberRef(0)] };
            trace.define(metric_class(MetricRef(9), members, RecorderKind::CPU));
        }),
        case("undefined-parameter", |trace, faulty| trace.define(property(Type::PARAMETER, faulty))),
        case("undefined-region", |trace, faulty| {
            trace.event(0, 10, Enter { region: RegionRef(id(faulty)) });
            trace.event(0, 20, Leave { region: RegionRef(id(faulty)) });
        }),
        case("undefined-rma-win", |trace, faulty| trace.define(property(Type::RMA_WIN, faulty))),
        case("undefined-source-code-location", |trace, faulty| {
            trace.define(property(Type::SOURCE_CODE_LOCATION, faulty));
        }),
        case("undefined-string", |trace, faulty| {
            trace.define(Region { name: StringRef(id(faulty)), ..region(9) });
        }),
        case("undefined-system-tree-node", |trace, faulty| {
            trace.define(system_tree_node(9, SystemTreeNodeRef(id(faulty))));
        }),
        case("undefined-value", |trace, faulty| {
            let name = if faulty { StringRef::UNDEFINED } else { EMPTY };
            trace.define(Region { name, ..region(9) });
        }),
    ]
}

/// Adds a marker of this kind for this location.
fn marker(trace: &mut Trace, kind: u32, location: u64) {
    let text = Text::from("");
    let severity = MarkerSeverity::LOW;
    let kind_0 = DefMarker { id: MarkerRef(0), marker_group: text, marker_category: text, severity };
    trace.markers.push(AnyMarker::DefMarker(kind_0));
    let marker_scope = MarkerScope::LOCATION;
    let marker =
        Marker { time: 10, duration: 5, marker: MarkerRef(kind), marker_scope, scope: location, text };
    trace.markers.push(AnyMarker::Marker(marker));
}

pub fn cases() -> Vec<Case> {
    [order(), groups(), kinds()].into_iter().flatten().collect()
}

fn order() -> Vec<Case> {
    vec![
        case("duplicate-definition", |trace, faulty| trace.define(region(if faulty { 0 } else { 9 }))),
        case("forward-reference", |trace, faulty| {
            let region = Region { name: StringRef(9), ..region(9) };
            let parts: [GlobalDefinition<'_>; 2] = [region.into(), string(9, "later").into()];
            trace.globals.extend(if faulty { parts } else { [parts[1], parts[0]] });
        }),
        case("reference-cycle", |trace, faulty| {
            trace.define(system_tree_node(8, SystemTreeNodeRef(if faulty { 9 } else { 0 })));
            trace.define(system_tree_node(9, SystemTreeNodeRef(8)));
        })
        .with(&["forward-reference"]),
        case("clock-properties", |trace, faulty| {
            if faulty {
                trace.globals.remove(0);
            }
        }),
        case("clock-properties", |trace, faulty| {
            if faulty {
                trace.define(clock());
            }
        }),
        case("clock-stands", |trace, faulty| {
            let timer_resolution = if faulty { 0 } else { 1 };
            trace.globals[0] = ClockProperties { timer_resolution, ..clock() }.into();
        }),
        case("duplicate-property", |trace, faulty| {
            trace.define(property(Type::UINT64, false));
            trace.define(LocationProperty {
                location: LocationRef((!faulty).into()),
                ..property(Type::UINT64, false)
            });
        }),
        case("io-paradigm-order", |trace, faulty| {
            trace.define(io_paradigm(if faulty { 3 } else { 2 }, IoParadigmClass::SERIAL));
        }),
        // Of a location that had no memory.
        case("undefined-location", |trace, faulty| {
            let location = LocationRef(if faulty { 77 } else { 0 });
            trace.define(LocationProperty { location, ..property(Type::UINT64, false) });
        }),
        case("undefined-location", |trace, faulty| {
            let recorder = LocationRef(if faulty { 77 } else { 0 });
            trace.define(MetricInstance { recorder, ..metric_instance(MetricRef(9), ABSTRACT_METRIC) });
        }),
        case("pre-created-state", |trace, faulty| {
            let flags = if faulty { IoHandleFlag::PRE_CREATED } else { IoHandleFlag::empty() };
            trace.define(io_handle(IoHandleRef(9), 0, flags));
        }),
        case("pre-created-state", |trace, faulty| {
            if faulty {
                let (mode, status_flags) = (IoAccessMode::READ_ONLY, IoStatusFlag::empty());
                trace.define(IoPreCreatedHandleState { io_handle: HANDLE, mode, status_flags });
            }
        }),
    ]
}

fn groups() -> Vec<Case> {
    vec![
        case("communicator-group", |trace, faulty| {
            let world_or_ranks = if faulty { 0 } else { 1 };
            trace.define(comm(CommRef(9), world_or_ranks, CommFlag::empty()));
        }),
        case("group-member", |trace, faulty| {
            let members: &[u64] = if faulty { &[0, 2] } else { &[1, 0] };
            trace.define(group(9, GroupType::COMM_GROUP, Paradigm::MPI, members));
        }),
        case("group-without-locations", |trace, faulty| {
            if !faulty {
                trace.define(group(8, GroupType::COMM_LOCATIONS, Paradigm::SHMEM, &[0, 1]));
            }
            trace.define(group(9, GroupType::COMM_GROUP, Paradigm::SHMEM, &[0]));
        }),
        case("group-without-locations", |trace, faulty| {
            let world: GlobalDefinition<'_> =
                group(8, GroupType::COMM_LOCATIONS, Paradigm::SHMEM, &[0, 1]).into();
            let ranks: GlobalDefinition<'_> = group(9, GroupType::COMM_GROUP, Paradigm::SHMEM, &[0]).into();
            trace.globals.extend(if faulty { [ranks, world] } else { [world, ranks] });
        }),
        case("duplicate-group", |trace, faulty| {
            let paradigm = if faulty { Paradigm::MPI } else { Paradigm::SHMEM };
            trace.define(group(9, GroupType::COMM_SELF, paradigm, &[]));
        }),
        // A paradigm has locations or location groups, not both.
        case("duplicate-group", |trace, faulty| {
            let paradigm = if faulty { Paradigm::MPI } else { Paradigm::SHMEM };
            trace.define(group(9, GroupType::COMM_LOCATION_GROUPS, paradigm, &[0, 1]));
        }),
        case("group-without-locations", |trace, faulty| {
            if !faulty {
                trace.define(group(8, GroupType::COMM_LOCATION_GROUPS, Paradigm::SHMEM, &[0, 1]));
            }
            trace.define(group(9, GroupType::COMM_GROUP, Paradigm::SHMEM, &[1]));
        }),
        case("group-member", |trace, faulty| {
            trace.define(group(8, GroupType::COMM_LOCATION_GROUPS, Paradigm::SHMEM, &[1, 0]));
            let members: &[u64] = if faulty { &[0, 2] } else { &[1, 0] };
            trace.define(group(9, GroupType::COMM_GROUP, Paradigm::SHMEM, members));
        }),
        case("undefined-location-group", |trace, faulty| {
            let members: &[u64] = if faulty { &[0, 2] } else { &[0, 1] };
            trace.define(group(8, GroupType::COMM_LOCATION_GROUPS, Paradigm::SHMEM, members));
        }),
        case("coordinate", |trace, faulty| {
            trace.define(coordinate(0, if faulty { &[2] } else { &[1] }));
        }),
        case("coordinate", |trace, faulty| trace.define(coordinate(if faulty { 2 } else { 1 }, &[0]))),
        case("coordinate", |trace, faulty| {
            trace.define(coordinate(0, if faulty { &[0, 0] } else { &[0] }));
        }),
    ]
}

fn kinds() -> Vec<Case> {
    vec![
        case("misplaced-location", |trace, faulty| {
            let location_group_type = LocationGroupType::ACCELERATOR;
            trace.define(LocationGroup { location_group_type, ..location_group(9) });
            let location_type =
                if faulty { LocationType::CPU_THREAD } else { LocationType::ACCELERATOR_STREAM };
            trace.define(Location { location_type, ..location(9, 9) });
        }),
        case("misplaced-location", |trace, faulty| {
            let location_group_type =
                if faulty { LocationGroupType::ACCELERATOR } else { LocationGroupType::PROCESS };
            trace.define(LocationGroup { location_group_type, ..location_group(8) });
            trace.define(LocationGroup { creating_location_group: LocationGroupRef(8), ..location_group(9) });
        }),
        case("metric-value-type", |trace, faulty| {
            let type_ = if faulty { Type::FLOAT } else { Type::DOUBLE };
            trace.define(MetricMember { id: MetricMemberRef(9), ..metric_member(type_) });
        }),
        case("instance-class", |trace, faulty| {
            trace.define(metric_instance(MetricRef(9), if faulty { METRIC } else { ABSTRACT_METRIC }));
        }),
        case("instance-class", |trace, faulty| {
            trace.define(metric_instance(
                MetricRef(9),
                if faulty { METRIC_INSTANCE } else { ABSTRACT_METRIC },
            ));
        }),
        case("parameter-type", |trace, faulty| {
            let type_ = if faulty { Type::DOUBLE } else { Type::INT64 };
            let value = Value::new(type_, 0);
            trace.define(CallpathParameter { callpath: CallpathRef(0), parameter: ParameterRef(0), value });
        }),
        case("parameter-type", |trace, faulty| {
            let parameter_type = if faulty { ParameterType::UINT64 } else { ParameterType::STRING };
            trace.define(Parameter { id: ParameterRef(9), name: EMPTY, parameter_type });
            trace.event(0, 10, ParameterString { parameter: ParameterRef(9), string: EMPTY });
        }),
        case("collective-io", |trace, faulty| {
            let handle = io_handle(IoHandleRef(9), if faulty { 0 } else { 1 }, IoHandleFlag::empty());
            trace.define(IoHandle { comm: WORLD, ..handle });
        }),
    ]
}
