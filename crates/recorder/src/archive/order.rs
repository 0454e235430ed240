//! The order of global definitions, and the identity of each.
//!
//! The order is that of Score-P's own tracing (docs/spec/scorep-to-otf2.md, §2): by kind, then by
//! id, with properties after their owner. References then never point forward, which printers rely
//! on to show names.

use std::{collections::BTreeMap, mem::swap};

use kymo_otf2::{Result, definitions::GlobalDefinition, read, records::AnyRecord};

/// The identity of the definition that a record describes. Ordered as the records are written;
/// equal for records that replace each other.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Identity {
    kind: u8,
    /// The id of the definition, or of the one that it belongs to.
    id: u64,
    /// 0 for the definition itself; parts of it follow by kind.
    part: u8,
    /// The distinction between several parts of one kind, such as the name of a property.
    key: u64,
    /// A location can have several places in a topology.
    coordinates: Vec<u32>,
}

impl Identity {
    /// Returns the identity of the definition that a record describes.
    pub(crate) fn of(record: &GlobalDefinition<'_>) -> Self {
        identity(record)
    }

    /// Returns whether this is a part of that definition.
    pub(crate) fn is_of(&self, owner: &Identity) -> bool {
        (self.kind, self.id) == (owner.kind, owner.id) && self.part > owner.part
    }
}

/// Returns the definitions of a log in order. If several records have the same identity, the last
/// one is used.
pub(crate) fn in_order(log: &[u8]) -> Result<Vec<GlobalDefinition<'_>>> {
    let mut kinds: BTreeMap<_, OfAKind<'_>> = BTreeMap::new();
    for record in read::definitions::log(log) {
        let record = record?;
        let identity = identity(&record);
        kinds.entry(identity.kind).or_default().push(identity, record);
    }
    let mut records = Vec::with_capacity(kinds.values().map(|kind| kind.records.len()).sum());
    for kind in kinds.into_values() {
        records.append(&mut kind.sorted());
    }
    Ok(records)
}

/// The definitions of one kind. They are usually in order.
#[derive(Default)]
struct OfAKind<'a> {
    records: Vec<GlobalDefinition<'a>>,
    last: Option<Identity>,
    is_unsorted: bool,
}

impl<'a> OfAKind<'a> {
    fn push(&mut self, identity: Identity, record: GlobalDefinition<'a>) {
        let identity = Some(identity);
        self.is_unsorted |= self.last >= identity;
        self.last = identity;
        self.records.push(record);
    }

    /// Returns the definitions in order, with only the last of those with the same identity.
    fn sorted(mut self) -> Vec<GlobalDefinition<'a>> {
        if self.is_unsorted {
            self.records.sort_by_key(identity);
            self.records.dedup_by(|later, earlier| {
                let is_same = identity(later) == identity(earlier);
                if is_same {
                    swap(later, earlier);
                }
                is_same
            });
        }
        self.records
    }
}

fn whole(kind: u8, id: impl Into<u64>) -> Identity {
    part(kind, id, 0, 0_u8)
}

fn part(kind: u8, id: impl Into<u64>, part: u8, key: impl Into<u64>) -> Identity {
    Identity { kind, id: id.into(), part, key: key.into(), coordinates: Vec::new() }
}

fn identity(record: &GlobalDefinition<'_>) -> Identity {
    match record {
        GlobalDefinition::ClockProperties(_) => whole(0, 0_u8),
        GlobalDefinition::String(it) => whole(1, it.id.0),
        GlobalDefinition::Paradigm(it) => whole(2, it.paradigm.0),
        GlobalDefinition::ParadigmProperty(it) => part(2, it.paradigm.0, 1, it.property.0),
        GlobalDefinition::IoParadigm(it) => whole(3, it.id.0),
        GlobalDefinition::SystemTreeNode(it) => whole(4, it.id.0),
        GlobalDefinition::SystemTreeNodeDomain(it) => {
            part(4, it.system_tree_node.0, 1, it.system_tree_domain.0)
        }
        GlobalDefinition::SystemTreeNodeProperty(it) => part(4, it.system_tree_node.0, 2, it.name.0),
        GlobalDefinition::LocationGroup(it) => whole(5, it.id.0),
        GlobalDefinition::LocationGroupProperty(it) => part(5, it.location_group.0, 1, it.name.0),
        GlobalDefinition::Location(it) => whole(6, it.id.0),
        GlobalDefinition::LocationProperty(it) => part(7, it.location.0, 0, it.name.0),
        GlobalDefinition::Region(it) => whole(8, it.id.0),
        GlobalDefinition::Callsite(it) => whole(9, it.id.0),
        GlobalDefinition::Group(it) => whole(10, it.id.0),
        GlobalDefinition::Comm(it) => whole(11, it.id.0),
        GlobalDefinition::InterComm(it) => whole(11, it.id.0),
        GlobalDefinition::RmaWin(it) => whole(12, it.id.0),
        GlobalDefinition::MetricMember(it) => whole(13, it.id.0),
        GlobalDefinition::MetricClass(it) => whole(14, it.id.0),
        GlobalDefinition::MetricClassRecorder(it) => part(14, it.metric.0, 1, it.recorder.0),
        // Classes and instances share their ids, which must ascend.
        GlobalDefinition::MetricInstance(it) => whole(14, it.id.0),
        GlobalDefinition::Parameter(it) => whole(16, it.id.0),
        GlobalDefinition::Callpath(it) => whole(17, it.id.0),
        GlobalDefinition::CallpathParameter(it) => part(17, it.callpath.0, 1, it.parameter.0),
        GlobalDefinition::Attribute(it) => whole(18, it.id.0),
        GlobalDefinition::SourceCodeLocation(it) => whole(19, it.id.0),
        GlobalDefinition::CallingContext(it) => whole(20, it.id.0),
        GlobalDefinition::CallingContextProperty(it) => part(20, it.calling_context.0, 1, it.name.0),
        GlobalDefinition::InterruptGenerator(it) => whole(21, it.id.0),
        GlobalDefinition::CartDimension(it) => whole(22, it.id.0),
        GlobalDefinition::CartTopology(it) => whole(23, it.id.0),
        GlobalDefinition::CartCoordinate(it) => Identity {
            coordinates: it.coordinates.iter().collect(),
            ..part(23, it.cart_topology.0, 1, it.rank)
        },
        GlobalDefinition::IoRegularFile(it) => whole(25, it.id.0),
        GlobalDefinition::IoDirectory(it) => whole(25, it.id.0),
        GlobalDefinition::IoFileProperty(it) => part(25, it.io_file.0, 1, it.name.0),
        GlobalDefinition::IoHandle(it) => whole(26, it.id.0),
        GlobalDefinition::IoPreCreatedHandleState(it) => part(26, it.io_handle.0, 1, 0_u8),
        // Only a log from a newer version contains kinds unknown to this one.
        unknown => part(u8::MAX, unknown.id(), 1, 0_u8),
    }
}
