//! The definitions of a process as completed by recovery: those in its journal, and those added to
//! them.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use kymo_otf2::{
    definitions::{GlobalDefinition, Group, IoHandle, IoParadigm, LocationGroup, MetricInstance, String},
    enums::{GroupType, IoParadigmClass, LocationGroupType, MetricScope, Paradigm},
    flags::IoParadigmFlag,
    list::List,
    read,
    references::{
        CartTopologyRef, CommRef, GroupRef, IoParadigmRef, LocationRef, MetricRef, Space, StringRef,
    },
    text::Text,
};

use crate::unification::{bytes, own_id};

/// Ids of a process are dense. An id of at least this plus the size of the definitions in bytes is
/// damage.
const IDS: u64 = 1 << 16;

/// Information that is not in the journal.
pub(super) struct Hints<'a> {
    /// The name for processes that have none yet.
    pub(super) process: &'a str,
    /// Returns the location that recorded a metric.
    pub(super) recorder: &'a dyn Fn(MetricRef) -> Option<u64>,
    /// Returns the place of a rank among those present.
    pub(super) place: &'a dyn Fn(u64) -> Option<u64>,
    /// Whether there is a location with this id. A location for which there was no memory has
    /// definitions, but no events.
    pub(super) has_location: &'a dyn Fn(u64) -> bool,
}

/// A log of definitions.
#[derive(Debug, Default)]
pub(super) struct Log {
    bytes: Vec<u8>,
    strings: HashMap<Vec<u8>, StringRef>,
    next: [u64; Space::ALL.len()],
    limit: u64,
    group_ids: HashSet<u32>,
    /// All group ids below this one are in use.
    next_group: u32,
    /// The numbers of the I/O paradigms that are defined.
    io_paradigms: BTreeSet<u8>,
    /// The communicators of topologies.
    pub(super) topologies: BTreeMap<CartTopologyRef, CommRef>,
    /// The number of definitions that are damaged or defined elsewhere.
    pub(super) damaged: u64,
    /// Whether there are system tree nodes and location groups.
    pub(super) has_nodes: bool,
    pub(super) groups: Vec<u32>,
}

impl Log {
    /// Takes over the records of a journal, except those that recovery constructs itself:
    /// locations, communicators, and the locations of paradigms.
    pub(super) fn new(journal: &[u8], hints: &Hints<'_>) -> Self {
        let mut log = Self { limit: IDS + journal.len() as u64, ..Self::default() };
        let mut unfinished = Vec::new();
        // Most handles are recorded twice: before their paradigm is known, and after.
        let mut handles = BTreeMap::new();
        for record in read::log(journal) {
            match record {
                Ok(GlobalDefinition::LocationGroup(group)) => unfinished.push(group),
                Ok(GlobalDefinition::IoHandle(handle)) => _ = handles.insert(handle.id, handle),
                Ok(record) => log.take(&record, hints),
                Err(_) => log.damaged += 1,
            }
        }
        log.take_handles(handles.into_values(), hints);
        // The empty string is the first in every log.
        let nameless = log.string(b"");
        for group in unfinished {
            let is_nameless =
                group.name == nameless && group.location_group_type == LocationGroupType::PROCESS;
            let name = if is_nameless { log.string(hints.process.as_bytes()) } else { group.name };
            log.groups.push(group.id.0);
            log.take(&LocationGroup { name, ..group }.into(), hints);
        }
        log
    }

    fn take(&mut self, record: &GlobalDefinition<'_>, hints: &Hints<'_>) {
        match record {
            GlobalDefinition::Location(_)
            | GlobalDefinition::Comm(_)
            | GlobalDefinition::InterComm(_)
            | GlobalDefinition::ClockProperties(_) => return,
            GlobalDefinition::Group(group) if group.group_type.lists_paradigm() => return,
            // These belong to the topology of all processes and threads, and are constructed like
            // the communicators.
            GlobalDefinition::Group(group) if group.paradigm == Paradigm::MEASUREMENT_SYSTEM => return,
            GlobalDefinition::Group(group)
                if group.group_type == GroupType::COMM_GROUP && group.paradigm == Paradigm::MPI =>
            {
                return self.define_ranks(group, hints);
            }
            // Some were recorded before their location had a number.
            GlobalDefinition::LocationProperty(property) if !(hints.has_location)(property.location.0) => {
                return;
            }
            GlobalDefinition::MetricClassRecorder(it) if !(hints.has_location)(it.recorder.0) => return,
            GlobalDefinition::Unknown { .. } => return self.damaged += 1,
            GlobalDefinition::SystemTreeNode(_) => self.has_nodes = true,
            // The recorder of a metric instance is known only at the end. An instance without one
            // has no data.
            GlobalDefinition::MetricInstance(instance) if !(hints.has_location)(instance.recorder.0) => {
                let Some(location) = (hints.recorder)(instance.id) else { return };
                let recorder = LocationRef(location);
                let scope =
                    if instance.metric_scope == MetricScope::LOCATION { location } else { instance.scope };
                return self.define(MetricInstance { recorder, scope, ..*instance });
            }
            GlobalDefinition::String(string) => {
                _ = self.strings.insert(string.string.as_bytes().to_vec(), string.id)
            }
            _ => {}
        }
        if own_id(record).is_some_and(|(space, id)| space != Space::Location && id >= self.limit) {
            self.damaged += 1;
            return;
        }
        self.define(*record);
    }

    /// Takes the handles, each as it was recorded last. If the paradigm of one has no definition,
    /// an unknown one is defined, since readers require it. Readers also require that paradigms are
    /// numbered without a gap.
    fn take_handles(&mut self, handles: impl Iterator<Item = IoHandle>, hints: &Hints<'_>) {
        let end = self.io_paradigms.last().map_or(0, |last| last.saturating_add(1));
        let mut unknown = (0..end).find(|number| !self.io_paradigms.contains(number));
        for handle in handles {
            let is_known =
                |paradigm: IoParadigmRef| !paradigm.is_defined() || self.io_paradigms.contains(&paradigm.0);
            let io_paradigm = match is_known(handle.io_paradigm) {
                true => handle.io_paradigm,
                false => IoParadigmRef(*unknown.get_or_insert(end)),
            };
            self.take(&IoHandle { io_paradigm, ..handle }.into(), hints);
        }
        let gaps: Vec<u8> = (0..end).chain(unknown).filter(|it| !self.io_paradigms.contains(it)).collect();
        for number in gaps {
            self.define_unknown_io_paradigm(IoParadigmRef(number));
        }
    }

    fn define_unknown_io_paradigm(&mut self, id: IoParadigmRef) {
        let (identification, name) = (self.string(b"UNKNOWN"), self.string(b"unknown"));
        self.define(IoParadigm {
            id,
            identification,
            name,
            io_paradigm_class: IoParadigmClass::SERIAL,
            io_paradigm_flags: IoParadigmFlag::empty(),
            properties: List::empty(),
        });
    }

    /// Defines a group of MPI ranks. Its members are places among the ranks present.
    fn define_ranks(&mut self, group: &Group<'_>, hints: &Hints<'_>) {
        let places: Option<Vec<u64>> = group.members.iter().map(hints.place).collect();
        let (members, paradigm) = match &places {
            Some(places) => (places.as_slice(), group.paradigm),
            None => (&[][..], Paradigm::UNKNOWN),
        };
        self.define(Group { members: List::truncated(members), paradigm, ..*group });
    }

    /// Appends a record.
    pub(super) fn define<'a>(&mut self, record: impl Into<GlobalDefinition<'a>>) {
        let record = record.into();
        if let Some((space, id)) = own_id(&record) {
            let next = &mut self.next[space as usize];
            *next = (*next).max(id.saturating_add(1));
        }
        match &record {
            GlobalDefinition::Group(group) => _ = self.group_ids.insert(group.id.0),
            GlobalDefinition::CartTopology(topology) => {
                _ = self.topologies.insert(topology.id, topology.communicator)
            }
            GlobalDefinition::IoParadigm(paradigm) if paradigm.id.is_defined() => {
                self.io_paradigms.insert(paradigm.id.0);
            }
            _ => {}
        }
        self.bytes.extend(bytes(&record));
    }

    /// Returns the id of a text, defining the string if it is new. A text ends at its first zero
    /// byte.
    pub(super) fn string(&mut self, text: &[u8]) -> StringRef {
        let text = text.split(|&byte| byte == 0).next().unwrap_or_default();
        if let Some(&id) = self.strings.get(text) {
            return id;
        }
        let id = StringRef(self.free(Space::String));
        self.strings.insert(text.to_vec(), id);
        self.define(String { id, string: Text::new(text) });
        id
    }

    /// Returns whether this string is defined.
    pub(super) fn has_string(&self, text: &[u8]) -> bool {
        self.strings.contains_key(text)
    }

    /// Returns an id that no definition has.
    pub(super) fn free(&self, space: Space) -> u32 {
        u32::try_from(self.next[space as usize]).unwrap_or(u32::MAX)
    }

    /// Returns the lowest id that no group has. The host assigns more group ids than it announces.
    pub(super) fn free_group(&mut self) -> GroupRef {
        while self.group_ids.contains(&self.next_group) {
            self.next_group += 1;
        }
        GroupRef(self.next_group)
    }

    /// Returns whether this id is plausible.
    pub(super) fn is_plausible(&self, id: u32) -> bool {
        u64::from(id) < self.limit
    }

    /// Returns the records.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}
