//! The definitions of where a process ran, of its locations and of its attributes. They are created
//! from the journal's entries if it has no records of them.

use kymo_otf2::{
    definitions::{Attribute, Location, LocationProperty},
    references::{AttributeRef, LocationGroupRef, LocationRef, Space, SystemTreeNodeRef},
};

use crate::process;

use super::{facts::Facts, location::RecoveredLocation, log::Log};

/// Returns the location group for locations without one: the first existing one, or a new one below
/// a new node.
pub(super) fn define_process(log: &mut Log, node: &str, name: &str) -> LocationGroupRef {
    if let Some(&group) = log.groups.first() {
        return LocationGroupRef(group);
    }
    let system_tree_parent = match log.has_nodes {
        true => SystemTreeNodeRef(0),
        false => define_node(log, node),
    };
    let id = LocationGroupRef(log.free(Space::LocationGroup));
    let name = log.string(name.as_bytes());
    log.define(process::process(id, name, system_tree_parent));
    id
}

fn define_node(log: &mut Log, node: &str) -> SystemTreeNodeRef {
    let id = SystemTreeNodeRef(log.free(Space::SystemTreeNode));
    let (name, class_name) = (log.string(node.as_bytes()), log.string(process::NODE_CLASS));
    let (node, domain) = process::node(id, name, class_name);
    log.define(node);
    log.define(domain);
    id
}

/// Defines a location. `group` is used if the location has no group.
pub(super) fn define_location(
    log: &mut Log,
    location: &RecoveredLocation,
    number_of_events: u64,
    group: LocationGroupRef,
) {
    let name = log.string(&location.name);
    let location_group = match log.groups.contains(&location.group) {
        true => LocationGroupRef(location.group),
        false => group,
    };
    let (id, location_type) = (LocationRef(location.id), location.location_type);
    log.define(Location { id, name, location_type, number_of_events, location_group });
}

/// Defines properties of a location.
pub(super) fn define_properties(
    log: &mut Log,
    location: &RecoveredLocation,
    properties: &[(String, String)],
) {
    for (name, value) in properties {
        let (name, value) = (log.string(name.as_bytes()), log.string(value.as_bytes()));
        log.define(LocationProperty { location: LocationRef(location.id), name, value: value.into() });
    }
}

/// Defines the attributes that events have, and those whose names are among the strings.
pub(super) fn define_attributes(log: &mut Log, facts: &Facts, used: u64) {
    for (&id, attribute) in &facts.attributes {
        let is_used = used & 1_u64.checked_shl(id).unwrap_or(0) != 0;
        if log.is_plausible(id) && (is_used || log.has_string(&attribute.name)) {
            let (name, description) = (log.string(&attribute.name), log.string(&attribute.description));
            log.define(Attribute { id: AttributeRef(id), name, description, type_: attribute.type_ });
        }
    }
}
