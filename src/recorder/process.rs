//! The process and its node, as archives have them where the host's definitions say nothing of them: a location group of its own
//! below a node of shared memory.

use kymo_otf2::{
    definitions::{LocationGroup, SystemTreeNode, SystemTreeNodeDomain},
    enums::{LocationGroupType, SystemTreeDomain},
    references::{LocationGroupRef, StringRef, SystemTreeNodeRef},
};

/// Name of the class of nodes.
pub const NODE_CLASS: &[u8] = b"node";

/// The node, at the top of the tree; `class_name` is [`NODE_CLASS`].
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

/// Name of a process that is one of several ranks.
pub fn rank_name(rank: u32) -> String {
    format!("MPI Rank {rank}")
}

/// The process, which no other has created.
pub fn process(id: LocationGroupRef, name: StringRef, node: SystemTreeNodeRef) -> LocationGroup {
    LocationGroup {
        id,
        name,
        location_group_type: LocationGroupType::PROCESS,
        system_tree_parent: node,
        creating_location_group: LocationGroupRef::UNDEFINED,
    }
}
