//! The definitions of a process as recovery completes them: what its journal has, and what is added to it.

use std::collections::{BTreeMap, HashMap, HashSet};

use kymo_otf2::{
    definitions::{GlobalDefinition as D, Group, IoParadigm, LocationGroup, MetricInstance, String},
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

/// Ids of a process are dense: larger ones than there are bytes of definitions, and these, can only be damage.
const IDS: u64 = 1 << 16;

/// What the journal does not have.
pub(super) struct Hints<'a> {
    /// Name of processes that have none yet.
    pub(super) process: &'a str,
    /// Where a metric was recorded.
    pub(super) recorder: &'a dyn Fn(MetricRef) -> Option<u64>,
    /// Where a rank is among those that are there.
    pub(super) place: &'a dyn Fn(u64) -> Option<u64>,
}

/// A log of definitions.
#[derive(Debug, Default)]
pub(super) struct Log {
    bytes: Vec<u8>,
    strings: HashMap<Vec<u8>, StringRef>,
    next: [u64; Space::ALL.len()],
    limit: u64,
    group_ids: HashSet<u32>,
    /// Up to here groups have all ids.
    next_group: u32,
    /// I/O paradigms that are named, and whether they are defined.
    io_paradigms: BTreeMap<IoParadigmRef, bool>,
    /// The communicators of topologies.
    pub(super) topologies: BTreeMap<CartTopologyRef, CommRef>,
    /// Definitions that are damaged, or are defined elsewhere.
    pub(super) damaged: u64,
    /// Whether there are system tree nodes and location groups.
    pub(super) has_nodes: bool,
    pub(super) groups: Vec<u32>,
}

impl Log {
    /// The records of a journal, without those that recovery puts together by itself: locations, communicators, and the locations of
    /// paradigms.
    pub(super) fn new(journal: &[u8], hints: &Hints<'_>) -> Self {
        let mut log = Self { limit: IDS + journal.len() as u64, ..Self::default() };
        let mut unfinished = Vec::new();
        for record in read::log(journal) {
            match record {
                Ok(D::LocationGroup(group)) => unfinished.push(group),
                Ok(record) => log.take(&record, hints),
                Err(_) => log.damaged += 1,
            }
        }
        log.define_unknown_io_paradigms();
        // The empty string is the first of every log.
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

    fn take(&mut self, record: &D<'_>, hints: &Hints<'_>) {
        match record {
            D::Location(_) | D::Comm(_) | D::InterComm(_) | D::ClockProperties(_) => return,
            D::Group(group) if group.group_type == GroupType::COMM_LOCATIONS => return,
            // Of the topology of all processes and threads: put together like the communicators.
            D::Group(group) if group.paradigm == Paradigm::MEASUREMENT_SYSTEM => return,
            D::Group(group)
                if group.group_type == GroupType::COMM_GROUP && group.paradigm == Paradigm::MPI =>
            {
                return self.define_ranks(group, hints);
            }
            // Noted before its location had a number.
            D::LocationProperty(property) if !property.location.is_defined() => return,
            D::Unknown { .. } => return self.damaged += 1,
            D::SystemTreeNode(_) => self.has_nodes = true,
            // Who records a metric is known at the end only. One that nobody recorded says nothing.
            D::MetricInstance(instance) if !instance.recorder.is_defined() => {
                let Some(location) = (hints.recorder)(instance.id) else { return };
                let recorder = LocationRef(location);
                let scope =
                    if instance.metric_scope == MetricScope::LOCATION { location } else { instance.scope };
                return self.define(MetricInstance { recorder, scope, ..*instance });
            }
            D::String(string) => _ = self.strings.insert(string.string.as_bytes().to_vec(), string.id),
            _ => {}
        }
        if own_id(record).is_some_and(|(space, id)| space != Space::Location && id >= self.limit) {
            self.damaged += 1;
            return;
        }
        self.define(*record);
    }

    /// A handle may be noted before anybody could tell its paradigm, which readers want to be there.
    fn define_unknown_io_paradigms(&mut self) {
        let unknown: Vec<_> =
            self.io_paradigms.iter().filter(|&(_, &is_known)| !is_known).map(|(&id, _)| id).collect();
        for id in unknown {
            let (identification, name) = (self.string(b"UNKNOWN"), self.string(b"unknown"));
            let (io_paradigm_class, io_paradigm_flags) = (IoParadigmClass::SERIAL, IoParadigmFlag::empty());
            let properties = List::empty();
            self.define(IoParadigm {
                id,
                identification,
                name,
                io_paradigm_class,
                io_paradigm_flags,
                properties,
            });
        }
    }

    /// A group of ranks of MPI: its members are places among those that are there.
    fn define_ranks(&mut self, group: &Group<'_>, hints: &Hints<'_>) {
        let places: Option<Vec<u64>> = group.members.iter().map(hints.place).collect();
        let (members, paradigm) = match &places {
            Some(places) => (places.as_slice(), group.paradigm),
            None => (&[][..], Paradigm::UNKNOWN),
        };
        self.define(Group { members: List::truncated(members), paradigm, ..*group });
    }

    /// Appends a record.
    pub(super) fn define<'a>(&mut self, record: impl Into<D<'a>>) {
        let record = record.into();
        if let Some((space, id)) = own_id(&record) {
            let next = &mut self.next[space as usize];
            *next = (*next).max(id.saturating_add(1));
        }
        match &record {
            D::Group(group) => _ = self.group_ids.insert(group.id.0),
            D::CartTopology(topology) => _ = self.topologies.insert(topology.id, topology.communicator),
            D::IoParadigm(paradigm) => _ = self.io_paradigms.insert(paradigm.id, true),
            D::IoHandle(handle) if handle.io_paradigm.is_defined() => {
                self.io_paradigms.entry(handle.io_paradigm).or_insert(false);
            }
            _ => {}
        }
        self.bytes.extend(bytes(&record));
    }

    /// The id of a text, which is defined if it is new. A text ends at its first zero byte.
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

    /// Whether there is this string.
    pub(super) fn has_string(&self, text: &[u8]) -> bool {
        self.strings.contains_key(text)
    }

    /// An id that no definition has.
    pub(super) fn free(&self, space: Space) -> u32 {
        u32::try_from(self.next[space as usize]).unwrap_or(u32::MAX)
    }

    /// The lowest that no group has: of groups the host counts more than it tells.
    pub(super) fn free_group(&mut self) -> GroupRef {
        while self.group_ids.contains(&self.next_group) {
            self.next_group += 1;
        }
        GroupRef(self.next_group)
    }

    /// Whether ids up to this one are plausible.
    pub(super) fn is_plausible(&self, id: u32) -> bool {
        u64::from(id) < self.limit
    }

    /// The records.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}
