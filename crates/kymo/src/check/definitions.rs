//! The parts of the global definitions that rules use: the ids that exist, and the fields that
//! rules about events require.
//!
//! They are read once, in the order of the file. If definitions share an id, the first one counts,
//! as it does for readers. Memory grows with the number of definitions, never with that of events.

use std::collections::{BTreeMap, BTreeSet};

use kymo_otf2::Error;
use kymo_otf2::definitions as def;
use kymo_otf2::definitions::GlobalDefinition;
use kymo_otf2::enums::{IoAccessMode, IoParadigmClass, MetricScope, Paradigm, ParameterType, Type};
use kymo_otf2::field::{FieldKind, FieldValue};
use kymo_otf2::records::AnyRecord;
use kymo_otf2::references::{LocationGroupRef, LocationRef, Space, StringRef};
use kymo_otf2::text::Text;

use super::tables::{HashMap, HashSet};
use kymo_analysis::communication::{CommunicatorDefinitions, Communicators, Process};

/// The ids of one space.
#[derive(Debug, Default)]
struct IdSet {
    /// One bit for each id below [`DENSE`]: writers count from 0.
    dense: Vec<u64>,
    sparse: HashSet<u64>,
}

/// The number of ids of a space that may be bits: 1 MiB for an archive that defines only the last.
const DENSE: u64 = 1 << 23;

impl IdSet {
    /// Returns the index of the word and the bit of an id, if it is a bit.
    fn bit(id: u64) -> Option<(usize, u64)> {
        (id < DENSE).then_some(((id / 64) as usize, 1 << (id % 64)))
    }

    fn insert(&mut self, id: u64) -> bool {
        let Some((at, bit)) = Self::bit(id) else { return self.sparse.insert(id) };
        if self.dense.len() <= at {
            self.dense.resize(at + 1, 0);
        }
        let Some(word) = self.dense.get_mut(at) else { return false };
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    fn has(&self, id: u64) -> bool {
        match Self::bit(id) {
            Some((at, bit)) => self.dense.get(at).is_some_and(|word| word & bit != 0),
            None => self.sparse.contains(&id),
        }
    }
}

/// The ids of all spaces.
#[derive(Debug, Default)]
pub(crate) struct Ids {
    spaces: [IdSet; Space::ALL.len()],
    /// Whether some definitions could not be read.
    is_partial: bool,
}

impl Ids {
    /// Inserts an id. Returns whether it is new.
    pub(crate) fn insert(&mut self, space: Space, id: u64) -> bool {
        self.spaces.get_mut(space as usize).is_some_and(|ids| ids.insert(id))
    }

    /// Whether the id is defined.
    pub(crate) fn has(&self, space: Space, id: u64) -> bool {
        self.spaces.get(space as usize).is_some_and(|ids| ids.has(id))
    }

    /// Whether the id is certainly not defined.
    pub(crate) fn lacks(&self, space: Space, id: u64) -> bool {
        !self.is_partial && !self.has(space, id)
    }

    /// Whether some definitions could not be read.
    pub(crate) fn is_partial(&self) -> bool {
        self.is_partial
    }
}

/// Returns the id space and the id that a record defines, if it defines one.
pub(crate) fn defined(record: &impl AnyRecord) -> Option<(Space, u64)> {
    let mut found = None;
    record.visit(&mut |field, value| {
        if let ("self", FieldKind::Reference { space, .. }, FieldValue::Unsigned(id)) =
            (field.names, field.kind, value)
        {
            found = Some((space, id));
        }
    });
    found
}

/// A metric class, or an instance of one.
#[derive(Debug, Default)]
pub(crate) struct Metric {
    /// The types of the values.
    pub(crate) types: Vec<Type>,
    /// The locations that record it according to the definitions; empty if they do not state any.
    pub(crate) recorders: HashSet<u64>,
}

/// The place of a location and of its process among all of them, for tables without hashes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Position {
    pub(crate) process: Process,
    /// The index of the location among the locations, in the order of their ids.
    pub(crate) location_index: usize,
    /// The index of the process among the processes.
    pub(crate) process_index: usize,
}

/// The definitions.
#[derive(Debug, Default)]
pub(crate) struct DefinitionIndex<'a> {
    pub(crate) ids: Ids,
    pub(crate) clock: Option<def::ClockProperties>,
    strings: HashMap<u32, Text<'a>>,
    region_names: HashMap<u32, StringRef>,
    pub(crate) locations: BTreeMap<u64, def::Location>,
    positions: HashMap<u64, Position>,
    /// The number of processes.
    pub(crate) processes: usize,
    pub(crate) location_groups: HashMap<u32, def::LocationGroup>,
    pub(crate) groups: HashMap<u32, def::Group<'a>>,
    /// The group of all locations, or location groups, of each paradigm.
    pub(crate) worlds: HashMap<Paradigm, def::Group<'a>>,
    pub(crate) comms: HashMap<u32, def::Comm>,
    pub(crate) inter_comms: HashMap<u32, def::InterComm>,
    pub(crate) windows: HashMap<u32, def::RmaWin>,
    pub(crate) members: HashMap<u32, def::MetricMember>,
    pub(crate) classes: HashMap<u32, def::MetricClass<'a>>,
    pub(crate) instances: HashMap<u32, def::MetricInstance>,
    pub(crate) parameters: HashMap<u32, ParameterType>,
    pub(crate) attributes: HashMap<u32, Type>,
    pub(crate) contexts: HashMap<u32, def::CallingContext>,
    pub(crate) handles: HashMap<u32, def::IoHandle>,
    pub(crate) io_paradigms: HashMap<u8, IoParadigmClass>,
    /// The access modes of handles that are open from the start.
    pub(crate) pre_created: HashMap<u32, IoAccessMode>,
    pub(crate) dimensions: HashMap<u32, def::CartDimension>,
    pub(crate) topologies: HashMap<u32, def::CartTopology<'a>>,
    recorders: HashMap<u32, HashSet<u64>>,
    /// The metrics that events may refer to.
    pub(crate) metrics: HashMap<u32, Metric>,
    /// The ranks of locations in communicators.
    pub(crate) communicators: Communicators,
}

impl<'a> DefinitionIndex<'a> {
    /// Reads the definitions of these records, up to the first that cannot be read.
    pub(crate) fn of(records: impl Iterator<Item = Result<GlobalDefinition<'a>, Error>>) -> Self {
        let mut definitions = Self::default();
        for record in records {
            match record {
                Ok(record) => definitions.add(&record),
                Err(_) => definitions.ids.is_partial = true,
            }
        }
        definitions.metrics = definitions.all_metrics();
        definitions.count_processes();
        definitions.communicators = definitions.all_communicators();
        definitions
    }

    fn add(&mut self, record: &GlobalDefinition<'a>) {
        if let Some((space, id)) = defined(record)
            && !self.ids.insert(space, id)
        {
            return;
        }
        match *record {
            GlobalDefinition::ClockProperties(clock) => {
                self.clock.get_or_insert(clock);
            }
            GlobalDefinition::String(it) => drop(self.strings.insert(it.id.0, it.string)),
            GlobalDefinition::Region(it) => drop(self.region_names.insert(it.id.0, it.name)),
            GlobalDefinition::Location(it) => drop(self.locations.insert(it.id.0, it)),
            GlobalDefinition::LocationGroup(it) => drop(self.location_groups.insert(it.id.0, it)),
            GlobalDefinition::Group(it) => {
                if it.group_type.lists_paradigm() {
                    self.worlds.entry(it.paradigm).or_insert(it);
                }
                self.groups.insert(it.id.0, it);
            }
            GlobalDefinition::Comm(it) => drop(self.comms.insert(it.id.0, it)),
            GlobalDefinition::InterComm(it) => drop(self.inter_comms.insert(it.id.0, it)),
            GlobalDefinition::RmaWin(it) => drop(self.windows.insert(it.id.0, it)),
            GlobalDefinition::MetricMember(it) => drop(self.members.insert(it.id.0, it)),
            GlobalDefinition::MetricClass(it) => drop(self.classes.insert(it.id.0, it)),
            GlobalDefinition::MetricInstance(it) => drop(self.instances.insert(it.id.0, it)),
            GlobalDefinition::Parameter(it) => drop(self.parameters.insert(it.id.0, it.parameter_type)),
            GlobalDefinition::Attribute(it) => drop(self.attributes.insert(it.id.0, it.type_)),
            GlobalDefinition::CallingContext(it) => drop(self.contexts.insert(it.id.0, it)),
            GlobalDefinition::IoHandle(it) => drop(self.handles.insert(it.id.0, it)),
            GlobalDefinition::IoParadigm(it) => drop(self.io_paradigms.insert(it.id.0, it.io_paradigm_class)),
            GlobalDefinition::IoPreCreatedHandleState(it) => {
                self.pre_created.entry(it.io_handle.0).or_insert(it.mode);
            }
            GlobalDefinition::CartDimension(it) => drop(self.dimensions.insert(it.id.0, it)),
            GlobalDefinition::CartTopology(it) => drop(self.topologies.insert(it.id.0, it)),
            GlobalDefinition::MetricClassRecorder(it) => {
                self.recorders.entry(it.metric.0).or_default().insert(it.recorder.0);
            }
            _ => {}
        }
    }

    fn count_processes(&mut self) {
        let processes: BTreeSet<_> = self.locations.keys().map(|&location| self.process(location)).collect();
        let indexes: HashMap<_, _> = processes.into_iter().zip(0..).collect();
        let positions = self.locations.keys().zip(0..).map(|(&location, location_index)| {
            let process = self.process(location);
            let process_index = indexes.get(&process).copied().unwrap_or(0);
            (location, Position { process, location_index, process_index })
        });
        self.positions = positions.collect();
        self.processes = indexes.len();
    }

    fn all_communicators(&self) -> Communicators {
        let mut all = CommunicatorDefinitions::default();
        self.locations.values().for_each(|it| all.location(it));
        self.worlds.values().chain(self.groups.values()).for_each(|it| all.group(it));
        self.comms.values().for_each(|it| all.comm(it));
        self.inter_comms.values().for_each(|it| all.inter_comm(it));
        all.resolve(|location| self.process(location.0))
    }

    fn all_metrics(&mut self) -> HashMap<u32, Metric> {
        let mut recorders = std::mem::take(&mut self.recorders);
        let mut metrics = HashMap::default();
        for (&id, class) in &self.classes {
            let recorders = recorders.remove(&id).unwrap_or_default();
            metrics.insert(id, Metric { types: self.types(class), recorders });
        }
        for (&id, instance) in &self.instances {
            let Some(class) = self.classes.get(&instance.metric_class.0) else { continue };
            let mut recorders = recorders.remove(&id).unwrap_or_default();
            recorders.insert(instance.recorder.0);
            metrics.insert(id, Metric { types: self.types(class), recorders });
        }
        metrics
    }

    fn types(&self, class: &def::MetricClass<'_>) -> Vec<Type> {
        let type_of = |id: u32| self.members.get(&id).map_or(Type::NONE, |member| member.value_type);
        class.metric_members.iter().map(|member| type_of(member.0)).collect()
    }

    /// Returns the name of a region, empty if it has none.
    pub(crate) fn region_name(&self, id: u32) -> Text<'a> {
        let name = self.region_names.get(&id).and_then(|name| self.strings.get(&name.0));
        name.copied().unwrap_or_default()
    }

    /// Returns the location group of a location, usually the process. A location without a group is
    /// its own.
    pub(crate) fn process(&self, location: u64) -> Process {
        let group = self.locations.get(&location).map(|it| it.location_group);
        Process::of(LocationRef(location), group.unwrap_or(LocationGroupRef::UNDEFINED))
    }

    /// Returns the position of a location, if it is defined.
    pub(crate) fn position(&self, location: u64) -> Option<Position> {
        self.positions.get(&location).copied()
    }

    /// Returns the id space that a metric scope refers to, and the size of its ids.
    pub(crate) fn scope_space(scope: MetricScope) -> Option<(Space, u8)> {
        match scope {
            MetricScope::LOCATION => Some((Space::Location, 8)),
            MetricScope::LOCATION_GROUP => Some((Space::LocationGroup, 4)),
            MetricScope::SYSTEM_TREE_NODE => Some((Space::SystemTreeNode, 4)),
            MetricScope::GROUP => Some((Space::Group, 4)),
            _ => None,
        }
    }
}
