//! The merged definitions of all logs, with new ids.

mod source;

use std::{fmt, ops::Range};

use kymo_otf2::{
    definitions::{
        CartTopology, Comm, GlobalDefinition, Group, InterComm, IoParadigm, LocationGroup, RmaWin,
    },
    enums::{GroupType, Paradigm},
    hash::{HashMap, HashSet},
    list::List,
    mappings::Mappings,
    read,
    references::{CartDimensionRef, IoParadigmRef, LocationGroupRef, Space, StringRef},
};

use self::source::Source;
use super::{
    key::{Key, Keys},
    signature::{DefinitionSignature, bytes, mapped, members_in, own_id, put_mapped},
};
use crate::archive::Identity;

/// The reason why a log could not be added.
#[derive(Debug)]
pub enum UnifyError {
    /// It is not a log of definitions.
    Log(kymo_otf2::Error),
    /// This location has already been defined.
    Location(u64),
}

impl fmt::Display for UnifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Log(error) => write!(f, "definitions of another process: {error}"),
            Self::Location(id) => write!(f, "location {id} is defined by two processes"),
        }
    }
}

impl std::error::Error for UnifyError {}

impl From<kymo_otf2::Error> for UnifyError {
    fn from(error: kymo_otf2::Error) -> Self {
        Self::Log(error)
    }
}

/// Merged definitions, with ids that are dense in the order of first appearance.
#[derive(Debug)]
pub struct Unified {
    /// The definitions that have ids, by id space and id; locations in the order of appearance.
    spaces: [Vec<Entry>; Space::ALL.len()],
    /// The records that belong to definitions, and those with fixed numbers.
    others: Vec<RecordRange>,
    /// The bytes of all records.
    records: Vec<u8>,
    identities: HashSet<Identity>,
    known: HashMap<DefinitionSignature, u64>,
    /// The numbers of the I/O paradigms of archives.
    io_paradigms: HashMap<Vec<u8>, u8>,
    left_out: u64,
}

/// The range of a record's bytes in `records`.
type RecordRange = Range<usize>;

#[derive(Debug)]
struct Entry {
    record: RecordRange,
    /// The bytes that replace `record`, once another definition has added to it.
    joined: Option<Box<[u8]>>,
    key: Option<Key>,
}

impl Entry {
    fn new(record: RecordRange, key: Option<Key>) -> Self {
        Self { record, joined: None, key }
    }

    fn bytes<'a>(&'a self, records: &'a [u8]) -> &'a [u8] {
        self.joined.as_deref().unwrap_or(&records[self.record.clone()])
    }
}

/// Ids are dense, so no process assigns an id of at least this plus the size of its log in bytes.
const FAR: u64 = 1 << 16;

/// The empty string, which is the first in every log.
const EMPTY: StringRef = StringRef(0);

impl Default for Unified {
    fn default() -> Self {
        Self {
            spaces: std::array::from_fn(|_| Vec::new()),
            others: Vec::new(),
            records: Vec::new(),
            identities: HashSet::default(),
            known: HashMap::default(),
            io_paradigms: HashMap::default(),
            left_out: 0,
        }
    }
}

impl Unified {
    /// Creates an empty set of definitions.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a log and returns the new ids of its definitions. References to definitions that the
    /// log lacks become undefined.
    ///
    /// A process assigns dense ids. A definition whose id is undefined or beyond any possible id is
    /// left out and counted.
    pub fn take(&mut self, log: &[u8], keys: &Keys) -> Result<Mappings, UnifyError> {
        let source = Source::new(log, keys, FAR + log.len() as u64)?;
        self.left_out += source.left_out;
        self.take_source(source)
    }

    /// Returns the number of definitions left out.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// Adds the definitions of an archive whose locations are renumbered by `locations` (pairs of
    /// old and new id). Returns the new ids of its definitions.
    ///
    /// Unlike ranks, archives are independent of one another. Definitions with equal signatures
    /// within one archive are distinct there, so the first of them is merged with the first such
    /// definition of another archive, the second with the second, and so on. Members of the group
    /// of a paradigm's locations or location groups are appended to the existing members; the log's
    /// indexes into that group must already be shifted.
    pub fn take_archive(&mut self, log: &[u8], locations: &[(u64, u64)]) -> Result<Mappings, UnifyError> {
        let no_keys = Keys::new();
        let mut source = Source::new(log, &no_keys, u64::MAX)?;
        source.ids = Mappings::complete_with_locations();
        for &(id, other) in locations {
            source.ids.set(Space::Location, id, other);
        }
        source.repeats = Some(HashMap::default());
        self.take_source(source)
    }

    fn take_source(&mut self, mut source: Source<'_>) -> Result<Mappings, UnifyError> {
        self.known.reserve(source.records.len());
        for at in source.in_taking_order() {
            self.take_definition(&mut source, at)?;
        }
        // A dimension that has no id yet belongs to no topology.
        for dimension in source.dimensions() {
            if source.ids.get(Space::CartDimension, dimension.0.into()).is_none() {
                self.add_dimension(&mut source, dimension);
            }
        }
        Ok(source.ids)
    }

    /// Names the topologies of MPI after their communicators, if these have names. Must be called
    /// after all logs have been added: only one rank knows the name, and if topologies had
    /// different names on different ranks, they would not be merged.
    pub fn name_topologies(&mut self) {
        for id in 0..self.count(Space::CartTopology) {
            let Some(GlobalDefinition::CartTopology(topology)) = self.get(Space::CartTopology, id) else {
                continue;
            };
            let Some(GlobalDefinition::Comm(comm)) = self.get(Space::Comm, topology.communicator.0 as usize)
            else {
                continue;
            };
            let group = self.get(Space::Group, comm.group.0 as usize);
            let is_mpi =
                matches!(group, Some(GlobalDefinition::Group(group)) if group.paradigm == Paradigm::MPI);
            if is_mpi && comm.name.is_defined() && comm.name != EMPTY {
                let named = bytes(&CartTopology { name: comm.name, ..topology });
                self.spaces[Space::CartTopology as usize][id].joined = Some(named.into());
            }
        }
    }

    /// Records which process created others, by their new ids: the first of them, and the others of
    /// its node.
    pub fn set_creator(&mut self, processes: &[u64], creator: u64) {
        let Ok(creating_location_group) = u32::try_from(creator).map(LocationGroupRef) else { return };
        let mut node = None;
        for &process in processes {
            let Some(group) = self.group(process) else { continue };
            if *node.get_or_insert(group.system_tree_parent) != group.system_tree_parent {
                continue;
            }
            let group = bytes(&LocationGroup { creating_location_group, ..group });
            self.spaces[Space::LocationGroup as usize][process as usize].joined = Some(group.into());
        }
    }

    fn group(&self, id: u64) -> Option<LocationGroup> {
        match self.get(Space::LocationGroup, usize::try_from(id).ok()?)? {
            GlobalDefinition::LocationGroup(group) => Some(group),
            _ => None,
        }
    }

    /// Returns the ids of processes, each after the process that created it.
    fn creators_first(&self) -> Vec<usize> {
        let count = self.count(Space::LocationGroup);
        let mut order = Vec::with_capacity(count);
        let mut is_taken = vec![false; count];
        for id in 0..count {
            let (mut next, start) = (id, order.len());
            // Ends even if processes have created each other.
            while next < count && !std::mem::replace(&mut is_taken[next], true) {
                order.push(next);
                let creator = self.group(next as u64).map(|it| it.creating_location_group.0);
                next = creator.map_or(count, |it| it as usize);
            }
            order[start..].reverse();
        }
        order
    }

    fn get(&self, space: Space, id: usize) -> Option<GlobalDefinition<'_>> {
        decoded(self.spaces[space as usize].get(id)?.bytes(&self.records))
    }

    /// Returns all definitions as a log.
    pub fn log(&self) -> Vec<u8> {
        let entries = Space::ALL.iter().zip(&self.spaces).flat_map(|(space, entries)| {
            let order = match space {
                Space::LocationGroup => self.creators_first(),
                _ => (0..entries.len()).collect(),
            };
            order.into_iter().filter_map(|id| entries.get(id)).map(|entry| entry.bytes(&self.records))
        });
        let others = self.others.iter().map(|range| &self.records[range.clone()]);
        let mut log = Vec::with_capacity(self.records.len());
        entries.chain(others).for_each(|record| log.extend_from_slice(record));
        log
    }

    /// Returns the keys of the definitions.
    pub fn keys(&self) -> Keys {
        let mut keys = Keys::new();
        for (space, entries) in Space::ALL.iter().zip(&self.spaces) {
            for (id, entry) in (0..).zip(entries) {
                if let Some(key) = entry.key {
                    keys.set(*space, id, key);
                }
            }
        }
        keys
    }

    /// Returns the number of definitions in an id space.
    pub fn count(&self, space: Space) -> usize {
        self.spaces[space as usize].len()
    }

    fn take_definition(&mut self, source: &mut Source<'_>, at: usize) -> Result<(), UnifyError> {
        let record = &source.records[at];
        match (own_id(record), record) {
            // Dimensions are added with their topology.
            (_, GlobalDefinition::CartDimension(_) | GlobalDefinition::ClockProperties(_)) => {}
            (Some((Space::Location, id)), _) => {
                let record = self.put(record, &source.ids);
                if !self.is_new(&record) {
                    return Err(UnifyError::Location(id));
                }
                self.spaces[Space::Location as usize].push(Entry::new(record, None));
            }
            (Some((space, id)), record) => {
                let record = *record;
                self.take_with_id(source, space, id, &record, at);
            }
            (None, record) => {
                if let GlobalDefinition::IoParadigm(paradigm) = record {
                    let number = match source.repeats {
                        Some(_) => self.io_paradigm(paradigm, &source.ids),
                        // Events refer to paradigms by number, and no mapping table exists for
                        // these.
                        None => paradigm.id.0,
                    };
                    source.ids.set(Space::IoParadigm, paradigm.id.0.into(), number.into());
                }
                self.take_other(record, &source.ids);
            }
        }
        Ok(())
    }

    /// Returns the number for an I/O paradigm of an archive: that of an equal paradigm, its own, or
    /// a free one.
    fn io_paradigm(&mut self, paradigm: &IoParadigm<'_>, ids: &Mappings) -> u8 {
        let signature = mapped(&IoParadigm { id: IoParadigmRef::UNDEFINED, ..*paradigm }.into(), ids);
        if let Some(&number) = self.io_paradigms.get(&signature) {
            return number;
        }
        let is_free = |number: &u8| !self.io_paradigms.values().any(|taken| taken == number);
        let mut numbers = core::iter::once(paradigm.id.0).chain(0..u8::MAX);
        let number = numbers.find(is_free).unwrap_or(u8::MAX);
        self.io_paradigms.insert(signature, number);
        number
    }

    /// Adds a record that belongs to a definition or has a fixed number. If several have the same
    /// identity, the first one is used.
    fn take_other(&mut self, record: &GlobalDefinition<'_>, ids: &Mappings) {
        let range = self.put(record, ids);
        match self.is_new(&range) {
            true => self.others.push(range),
            false => self.records.truncate(range.start),
        }
    }

    /// Stores the bytes of a record in unified ids.
    fn put(&mut self, record: &GlobalDefinition<'_>, ids: &Mappings) -> RecordRange {
        let start = self.records.len();
        put_mapped(record, ids, &mut self.records);
        start..self.records.len()
    }

    /// Returns whether this record's identity appears for the first time.
    fn is_new(&mut self, range: &RecordRange) -> bool {
        let identity = decoded(&self.records[range.clone()]).map(|record| Identity::of(&record));
        identity.is_some_and(|identity| self.identities.insert(identity))
    }

    fn take_with_id(
        &mut self,
        source: &mut Source<'_>,
        space: Space,
        id: u64,
        record: &GlobalDefinition<'_>,
        at: usize,
    ) {
        source.ids.set(space, id, 0);
        let key = match space {
            // A process is never merged with another.
            Space::LocationGroup => Some(Key::Unique),
            _ => source.keys.get(space, id),
        };
        let signature = (key != Some(Key::Unique)).then(|| source.signature(record, key, at));
        let next = self.spaces[space as usize].len() as u64;
        let unified = match signature {
            Some(signature) => *self.known.entry(signature).or_insert(next),
            None => next,
        };
        source.ids.set(space, id, unified);
        match unified == next {
            true => self.add(source, space, record, key),
            false => self.join(source, space, unified, record),
        }
    }

    fn add(
        &mut self,
        source: &mut Source<'_>,
        space: Space,
        record: &GlobalDefinition<'_>,
        key: Option<Key>,
    ) {
        if let GlobalDefinition::CartTopology(topology) = record {
            for dimension in topology.cart_dimensions {
                self.add_dimension(source, dimension);
            }
        }
        let record = self.put(record, &source.ids);
        self.spaces[space as usize].push(Entry::new(record, key));
    }

    fn add_dimension(&mut self, source: &mut Source<'_>, dimension: CartDimensionRef) {
        let next = self.count(Space::CartDimension) as u64;
        source.ids.set(Space::CartDimension, dimension.0.into(), next);
        if let Some(record) = source.find(Space::CartDimension, dimension.0.into()) {
            let record = self.put(&record, &source.ids);
            self.spaces[Space::CartDimension as usize].push(Entry::new(record, None));
        }
    }

    /// Adds the facts that a definition has beyond the known one that it is merged with.
    fn join(&mut self, source: &mut Source<'_>, space: Space, id: u64, record: &GlobalDefinition<'_>) {
        let Some(entry) = self.spaces[space as usize].get_mut(id as usize) else { return };
        let Some(known) = decoded(entry.bytes(&self.records)) else { return };
        let name = |name: StringRef| StringRef(source.ids.global(Space::String, name.0.into()) as u32);
        let joined = match (known, record) {
            (GlobalDefinition::Comm(known), GlobalDefinition::Comm(other)) => {
                bytes(&Comm { name: better(known.name, name(other.name)), ..known })
            }
            (GlobalDefinition::InterComm(known), GlobalDefinition::InterComm(other)) => {
                let common = source.ids.global(Space::Comm, other.common_communicator.0.into()) as u32;
                let is_known = known.common_communicator.is_defined();
                let common_communicator =
                    if is_known { known.common_communicator } else { kymo_otf2::references::CommRef(common) };
                bytes(&InterComm { name: better(known.name, name(other.name)), common_communicator, ..known })
            }
            (GlobalDefinition::RmaWin(known), GlobalDefinition::RmaWin(other)) => {
                bytes(&RmaWin { name: better(known.name, name(other.name)), ..known })
            }
            (GlobalDefinition::Group(known), GlobalDefinition::Group(other))
                if known.group_type == GroupType::REGIONS =>
            {
                bytes_of_union(&known, &members_in(other, &source.ids))
            }
            (GlobalDefinition::CartTopology(known), GlobalDefinition::CartTopology(other)) => {
                for (known, other) in known.cart_dimensions.iter().zip(other.cart_dimensions) {
                    source.ids.set(Space::CartDimension, other.0.into(), known.0.into());
                }
                return;
            }
            (GlobalDefinition::Group(known), GlobalDefinition::Group(other))
                if source.repeats.is_some() && known.group_type.lists_paradigm() =>
            {
                let members: Vec<_> = known.members.iter().chain(members_in(other, &source.ids)).collect();
                bytes(&Group { members: List::truncated(&members), ..known })
            }
            _ => return,
        };
        entry.joined = Some(joined.into());
    }
}

/// Returns the more informative name.
fn better(known: StringRef, other: StringRef) -> StringRef {
    if (known == EMPTY || !known.is_defined()) && other.is_defined() { other } else { known }
}

fn bytes_of_union(group: &Group<'_>, more: &[u64]) -> Vec<u8> {
    let mut members: Vec<u64> = group.members.iter().collect();
    let mut seen: HashSet<u64> = members.iter().copied().collect();
    members.extend(more.iter().copied().filter(|&member| seen.insert(member)));
    bytes(&Group { members: List::truncated(&members), ..*group })
}

/// Decodes a record.
fn decoded(record: &[u8]) -> Option<GlobalDefinition<'_>> {
    read::definitions::log(record).next()?.ok()
}

#[cfg(test)]
mod tests {
    use kymo_otf2::{
        definitions::SystemTreeNode,
        enums::LocationGroupType,
        flags::GroupFlag,
        references::{GroupRef, SystemTreeNodeRef},
    };

    use super::*;
    use crate::{DefinitionLog, memory::Budget};

    static BUDGET: Budget = Budget::new(usize::MAX);

    /// The launcher of an MPI program was defined after the rank that it had created, and only rank
    /// 0 had a creator.
    #[test]
    fn a_creator_precedes_all_ranks_that_it_created() {
        let mut definitions = DefinitionLog::new(&BUDGET);
        let names = ["a", "b", "c", "d"].map(|name| definitions.string(name.as_bytes()));
        for id in 0..2 {
            definitions.define(&SystemTreeNode {
                id: SystemTreeNodeRef(id),
                name: names[id as usize],
                class_name: names[0],
                parent: SystemTreeNodeRef::UNDEFINED,
            });
        }
        for (id, node) in [(0, 0), (1, 0), (2, 1), (3, 0)] {
            definitions.define(&LocationGroup {
                id: LocationGroupRef(id),
                name: names[id as usize],
                location_group_type: LocationGroupType::PROCESS,
                system_tree_parent: SystemTreeNodeRef(node),
                creating_location_group: LocationGroupRef::UNDEFINED,
            });
        }
        let mut unified = Unified::new();
        unified.take_archive(definitions.log(), &[]).unwrap();
        unified.set_creator(&[0, 1, 2], 3);
        let log = unified.log();
        let groups = read::definitions::log(&log).filter_map(|record| match record.unwrap() {
            GlobalDefinition::LocationGroup(it) => Some((it.id.0, it.creating_location_group.0)),
            _ => None,
        });
        let none = LocationGroupRef::UNDEFINED.0;
        assert_eq!(groups.collect::<Vec<_>>(), [(3, none), (0, 3), (1, 3), (2, none)]);
    }

    /// Each joined group was kept, so memory grew with the square of the number of archives.
    #[test]
    fn superseded_joined_records_are_not_kept() {
        const ARCHIVES: usize = if cfg!(miri) { 4 } else { 20 };
        let mut definitions = DefinitionLog::new(&BUDGET);
        let (name, members) = (definitions.string(b"locations"), (0..64).collect::<Vec<u64>>());
        definitions.define(&Group {
            id: GroupRef(0),
            name,
            group_type: GroupType::COMM_LOCATIONS,
            paradigm: Paradigm::MPI,
            group_flags: GroupFlag::NONE,
            members: List::truncated(&members),
        });
        let mut unified = Unified::new();
        for _ in 0..ARCHIVES {
            unified.take_archive(definitions.log(), &[]).unwrap();
        }
        let joined = unified.spaces.iter().flatten().filter_map(|entry| entry.joined.as_ref());
        let kept: usize = joined.map(|record| record.len()).sum();
        let log = unified.log();
        let grown = log.len() > ARCHIVES * 64;
        assert!(grown && unified.records.len() + kept < 2 * log.len(), "{} {kept}", unified.records.len());
    }
}
