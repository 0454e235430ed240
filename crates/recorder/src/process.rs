//! The process and its node, for archives whose host supplies no such definitions: a separate
//! location group under a shared-memory node.

use kymo_otf2::{
    definitions::{LocationGroup, SystemTreeNode, SystemTreeNodeDomain},
    enums::{LocationGroupType, SystemTreeDomain},
    references::{LocationGroupRef, StringRef, SystemTreeNodeRef},
};

/// The class name of nodes.
pub const NODE_CLASS: &[u8] = b"node";

/// Returns the node at the top of the tree. `class_name` refers to [`NODE_CLASS`].
pub fn node(
    id: SystemTreeNodeRef,
    name: StringRef,
    class_name: StringRef,
) -> (SystemTreeNode, SystemTreeNodeDomain) {
    (
        SystemTreeNode { id, name, class_name, parent: SystemTreeNodeRef::UNDEFINED },
        SystemTreeNodeDomain { system_tree_node: id, system_tree_domain: SystemTreeDomain::SHARED_MEMORY },
    )
}

/// Returns the name of a process in a program with more than one rank.
pub fn rank_name(rank: u32) -> String {
    format!("MPI Rank {rank}")
}

/// Returns the location group of a process that no other process created.
pub fn process(id: LocationGroupRef, name: StringRef, node: SystemTreeNodeRef) -> LocationGroup {
    LocationGroup {
        id,
        name,
        location_group_type: LocationGroupType::PROCESS,
        system_tree_parent: node,
        creating_location_group: LocationGroupRef::UNDEFINED,
    }
}
