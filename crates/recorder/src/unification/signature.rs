//! The signature of a definition, which determines whether two are merged: its record in unified
//! ids, without its own id and without the parts that may differ (docs/spec/scorep-to-otf2.md,
//! §4.2).

use kymo_otf2::{
    definitions::{CartTopology, GlobalDefinition, Group},
    enums::{GroupType, MetricScope},
    list::List,
    mappings::Mappings,
    records::{AnyRecord, Decode},
    references::{CommRef, Space, StringRef},
    write::{definition_bytes, definition_room},
};

/// The properties that two definitions must have in common to be merged.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct DefinitionSignature {
    pub(super) record: Vec<u8>,
    /// Distinguishes definitions with equal records.
    pub(super) number: Option<u64>,
}

/// Returns the id space and id that a record defines. Returns `None` for records that belong to
/// another definition, and for those with a fixed number.
pub(crate) fn own_id(record: &GlobalDefinition<'_>) -> Option<(Space, u64)> {
    Some(match record {
        GlobalDefinition::String(it) => (Space::String, it.id.0.into()),
        GlobalDefinition::Attribute(it) => (Space::Attribute, it.id.0.into()),
        GlobalDefinition::SystemTreeNode(it) => (Space::SystemTreeNode, it.id.0.into()),
        GlobalDefinition::LocationGroup(it) => (Space::LocationGroup, it.id.0.into()),
        GlobalDefinition::Location(it) => (Space::Location, it.id.0),
        GlobalDefinition::Region(it) => (Space::Region, it.id.0.into()),
        GlobalDefinition::Callsite(it) => (Space::Callsite, it.id.0.into()),
        GlobalDefinition::Callpath(it) => (Space::Callpath, it.id.0.into()),
        GlobalDefinition::Group(it) => (Space::Group, it.id.0.into()),
        GlobalDefinition::MetricMember(it) => (Space::MetricMember, it.id.0.into()),
        GlobalDefinition::MetricClass(it) => (Space::Metric, it.id.0.into()),
        GlobalDefinition::MetricInstance(it) => (Space::Metric, it.id.0.into()),
        GlobalDefinition::Comm(it) => (Space::Comm, it.id.0.into()),
        GlobalDefinition::InterComm(it) => (Space::Comm, it.id.0.into()),
        GlobalDefinition::Parameter(it) => (Space::Parameter, it.id.0.into()),
        GlobalDefinition::RmaWin(it) => (Space::RmaWin, it.id.0.into()),
        GlobalDefinition::CartDimension(it) => (Space::CartDimension, it.id.0.into()),
        GlobalDefinition::CartTopology(it) => (Space::CartTopology, it.id.0.into()),
        GlobalDefinition::SourceCodeLocation(it) => (Space::SourceCodeLocation, it.id.0.into()),
        GlobalDefinition::CallingContext(it) => (Space::CallingContext, it.id.0.into()),
        GlobalDefinition::InterruptGenerator(it) => (Space::InterruptGenerator, it.id.0.into()),
        GlobalDefinition::IoRegularFile(it) => (Space::IoFile, it.id.0.into()),
        GlobalDefinition::IoDirectory(it) => (Space::IoFile, it.id.0.into()),
        GlobalDefinition::IoHandle(it) => (Space::IoHandle, it.id.0.into()),
        _ => return None,
    })
}

/// Returns the definition of the same kind that a record refers to, which must be added first.
pub(super) fn parent(record: &GlobalDefinition<'_>) -> Option<u64> {
    let (id, is_defined) = match record {
        GlobalDefinition::SystemTreeNode(it) => (it.parent.0.into(), it.parent.is_defined()),
        GlobalDefinition::LocationGroup(it) => {
            (it.creating_location_group.0.into(), it.creating_location_group.is_defined())
        }
        GlobalDefinition::Comm(it) => (it.parent.0.into(), it.parent.is_defined()),
        GlobalDefinition::InterComm(it) => {
            (it.common_communicator.0.into(), it.common_communicator.is_defined())
        }
        GlobalDefinition::Callpath(it) => (it.parent.0.into(), it.parent.is_defined()),
        GlobalDefinition::CallingContext(it) => (it.parent.0.into(), it.parent.is_defined()),
        GlobalDefinition::MetricInstance(it) => (it.metric_class.0.into(), it.metric_class.is_defined()),
        GlobalDefinition::IoHandle(it) => (it.parent.0.into(), it.parent.is_defined()),
        _ => return None,
    };
    is_defined.then_some(id)
}

/// Returns the bytes of a record, with its ids mapped.
pub(super) fn mapped(record: &GlobalDefinition<'_>, ids: &Mappings) -> Vec<u8> {
    let mut bytes = Vec::new();
    put_mapped(record, ids, &mut bytes);
    bytes
}

/// Appends the bytes of a record, with its ids mapped.
pub(super) fn put_mapped(record: &GlobalDefinition<'_>, ids: &Mappings, out: &mut Vec<u8>) {
    let members;
    let mut record = *record;
    if let GlobalDefinition::Group(group) = &mut record {
        members = members_in(group, ids);
        group.members = List::truncated(&members);
    }
    map(&mut record, ids);
    put(&record, out);
}

fn map<'a>(record: &mut GlobalDefinition<'a>, ids: &'a Mappings) {
    record.map(ids);
    if let GlobalDefinition::MetricInstance(instance) = record {
        let space = match instance.metric_scope {
            MetricScope::LOCATION => Space::Location,
            MetricScope::LOCATION_GROUP => Space::LocationGroup,
            MetricScope::SYSTEM_TREE_NODE => Space::SystemTreeNode,
            MetricScope::GROUP => Space::Group,
            _ => return,
        };
        instance.scope = ids.global(space, instance.scope);
    }
}

/// Returns the members of a group, with their ids mapped. The members of communicators are indexes
/// and stay the same.
pub(super) fn members_in(group: &Group<'_>, ids: &Mappings) -> Vec<u64> {
    let space = match group.group_type {
        GroupType::METRIC => Some(Space::Metric),
        other => other.member_space(),
    };
    let member = |member| space.map_or(member, |space| ids.global(space, member));
    group.members.iter().map(member).collect()
}

/// Returns the record of a signature: with its ids mapped and its own id set to 0.
pub(super) fn signature(record: &GlobalDefinition<'_>, ids: &Mappings) -> Vec<u8> {
    let members;
    let mut record = *record;
    map(&mut record, ids);
    match &mut record {
        // A name may be known to only one rank, and so may the common communicator of the two sides
        // of an inter-communicator.
        GlobalDefinition::Comm(comm) => comm.name = StringRef::UNDEFINED,
        GlobalDefinition::InterComm(comm) => {
            (comm.name, comm.common_communicator) = (StringRef::UNDEFINED, CommRef::UNDEFINED);
        }
        GlobalDefinition::RmaWin(window) => window.name = StringRef::UNDEFINED,
        // Each rank contributes its own regions to the group.
        GlobalDefinition::Group(group) if group.group_type == GroupType::REGIONS => {
            group.members = List::empty();
        }
        GlobalDefinition::Group(group) => {
            members = members_in(group, ids);
            group.members = List::truncated(&members);
        }
        // Dimensions belong to only one topology.
        GlobalDefinition::CartTopology(topology) => topology.cart_dimensions = List::empty(),
        _ => {}
    }
    bytes(&record)
}

/// Like [`signature`], but for definitions of another archive, which are complete: only the parts
/// that grow by merging may differ.
pub(super) fn exact_signature(record: &GlobalDefinition<'_>, ids: &Mappings) -> Vec<u8> {
    match *record {
        GlobalDefinition::Group(group) if group.group_type.lists_paradigm() => {
            mapped(&Group { name: StringRef::UNDEFINED, members: List::empty(), ..group }.into(), ids)
        }
        GlobalDefinition::Group(group) if group.group_type == GroupType::REGIONS => {
            mapped(&Group { members: List::empty(), ..group }.into(), ids)
        }
        // Dimensions belong to only one topology.
        GlobalDefinition::CartTopology(topology) => {
            mapped(&CartTopology { cart_dimensions: List::empty(), ..topology }.into(), ids)
        }
        ref record => mapped(record, ids),
    }
}

/// Returns the bytes of a record as stored in a log.
pub(crate) fn bytes(record: &impl AnyRecord) -> Vec<u8> {
    let mut bytes = Vec::new();
    put(record, &mut bytes);
    bytes
}

/// Appends the bytes of a record.
fn put(record: &impl AnyRecord, out: &mut Vec<u8>) {
    let before = out.len();
    out.resize(before + definition_room(record), 0);
    // This cannot fail: the room has the requested size.
    let length = definition_bytes(record, &mut out[before..]).unwrap_or(0);
    out.truncate(before + length);
}
