//! The system tree, location groups and properties of locations.

use kymo_otf2::{
    definitions::{
        LocationGroup, LocationProperty, SystemTreeNode, SystemTreeNodeDomain, SystemTreeNodeProperty,
    },
    enums::{LocationGroupType, SystemTreeDomain},
    hash::HashMap,
    references::{LocationGroupRef, SystemTreeNodeRef},
    value::Value,
};
use kymo_substrate::{
    Definition, LocationGroupHandle, LocationPropertyHandle, SystemTreeNodeHandle,
    SystemTreeNodePropertyHandle,
    arena::{self, SystemTreeDomains},
};

use super::Known;

impl Known<'_> {
    pub(super) fn node(&self, node: SystemTreeNodeHandle) -> SystemTreeNodeRef {
        SystemTreeNodeRef(self.id(node.raw()))
    }

    pub(super) fn location_group(&self, group: LocationGroupHandle) -> LocationGroupRef {
        LocationGroupRef(self.id(group.raw()))
    }

    pub(super) fn define_system_tree_node(&mut self, handle: SystemTreeNodeHandle) -> Option<()> {
        let facts = self.arena.system_tree_node(handle)?;
        let id = self.node(handle);
        let (name, class_name) = (self.string(facts.name), self.string(facts.class));
        self.log.define(&SystemTreeNode { id, name, class_name, parent: self.node(facts.parent) });
        // There is one bit per domain, in the order of OTF2's values.
        for domain in 0..9_u8 {
            if facts.domains.contains(SystemTreeDomains(1 << domain)) {
                let system_tree_domain = SystemTreeDomain(domain);
                self.log.define(&SystemTreeNodeDomain { system_tree_node: id, system_tree_domain });
            }
        }
        Some(())
    }

    pub(super) fn define_system_tree_node_property(
        &mut self,
        handle: SystemTreeNodePropertyHandle,
    ) -> Option<()> {
        let facts = self.arena.system_tree_node_property(handle)?;
        let (name, value) = (self.string(facts.name), Value::from(self.string(facts.value)));
        self.log.define(&SystemTreeNodeProperty { system_tree_node: self.node(facts.node), name, value });
        Some(())
    }

    pub(super) fn define_location_group(&mut self, handle: LocationGroupHandle) -> Option<()> {
        let facts = self.arena.location_group(handle)?;
        let location_group_type = match facts.group_type {
            arena::LocationGroupType::PROCESS => LocationGroupType::PROCESS,
            arena::LocationGroupType::ACCELERATOR => LocationGroupType::ACCELERATOR,
            _ => LocationGroupType::UNKNOWN,
        };
        let creator = facts.creating_location_group.map(|creator| self.location_group(creator));
        let record = LocationGroup {
            id: self.location_group(handle),
            name: self.string(facts.name),
            location_group_type,
            system_tree_parent: self.node(facts.system_tree_parent),
            creating_location_group: creator.unwrap_or(LocationGroupRef::UNDEFINED),
        };
        self.log.define(&record);
        Some(())
    }

    /// The location group of each location, by its global id. Hosts up to 7.1 have one group per
    /// process.
    pub(super) fn groups_of_locations(&self) -> HashMap<u64, LocationGroupRef> {
        let group_of = |definition: &Definition| match *definition {
            Definition::Location(location) => {
                let facts = self.arena.location(location)?;
                let group =
                    facts.location_group.map_or(LocationGroupRef(0), |group| self.location_group(group));
                Some((facts.global_id, group))
            }
            _ => None,
        };
        self.announced.iter().filter_map(group_of).collect()
    }

    pub(super) fn define_location_property(&mut self, handle: LocationPropertyHandle) -> Option<()> {
        let facts = self.arena.location_property(handle)?;
        let (name, value) = (self.string(facts.name), Value::from(self.string(facts.value)));
        self.log.define(&LocationProperty { location: self.location(facts.location), name, value });
        Some(())
    }
}
