//! The definitions of all logs that were taken in.

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

use super::{
    key::{Key, Keys},
    looks::{bytes, exact_looks, looks, mapped, members_in, own_id, parent, put_mapped},
};
use crate::archive::{Identity, in_order};

/// Why a log could not be taken in.
#[derive(Debug)]
pub enum UnifyError {
    /// It is not a log of definitions.
    Log(kymo_otf2::Error),
    /// This location was defined before.
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

/// Definitions, equal ones once, in ids that are dense in the order of first appearance.
#[derive(Debug)]
pub struct Unified {
    /// The definitions that have ids, by id space and id; locations in the order of appearance.
    spaces: [Vec<Entry>; Space::ALL.len()],
    /// What belongs to them, and what has a fixed number.
    others: Vec<Place>,
    /// Their bytes.
    records: Vec<u8>,
    identities: HashSet<Identity>,
    known: HashMap<Looks, u64>,
    /// Numbers of the I/O paradigms of archives.
    io_paradigms: HashMap<Vec<u8>, u8>,
    left_out: u64,
}

/// Where a record lies.
type Place = Range<usize>;

#[derive(Debug)]
struct Entry {
    record: Place,
    /// Its bytes instead of those, once another one has said more of it.
    joined: Option<Box<[u8]>>,
    key: Option<Key>,
}

impl Entry {
    fn new(record: Place, key: Option<Key>) -> Self {
        Self { record, joined: None, key }
    }

    fn bytes<'a>(&'a self, records: &'a [u8]) -> &'a [u8] {
        self.joined.as_deref().unwrap_or(&records[self.record.clone()])
    }
}

/// Definitions are one if these agree.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Looks {
    record: Vec<u8>,
    number: Option<u64>,
}

/// Ids beyond this and the number of bytes of a log are none that a process has counted.
const FAR: u64 = 1 << 16;

/// The empty string, which is the first of every log.
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
    /// No definitions.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes in a log; gives the ids that its definitions have here. What it refers to but does not define becomes undefined.
    ///
    /// A process counts its ids. A definition with an undefined one, or one beyond all that there can be, is left out and counted.
    pub fn take(&mut self, log: &[u8], keys: &Keys) -> Result<Mappings, UnifyError> {
        let source = Source::new(log, keys, FAR + log.len() as u64)?;
        self.left_out += source.left_out;
        self.take_source(source)
    }

    /// How many definitions were left out.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// Takes in the definitions of an archive, whose locations get these ids (old, new); gives the ids that its definitions have here.
    ///
    /// Other than those of ranks they know nothing of each other. What looks the same in one archive is not the same there, so of
    /// several the first is one with the first of another archive, the second with the second. Members of the locations of a
    /// paradigm come behind those that are there; the indexes of the log into them have to be moved already.
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
        source.finish(self);
        Ok(source.ids)
    }

    /// Names the topologies of MPI after their communicators, where these have a name. To be called
    /// once all logs are taken in: the name is known to one rank alone, and ranks whose topologies
    /// had other names would not agree that they are the same.
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

    /// Says by which process another one was created, both by their ids here.
    pub fn set_creator(&mut self, process: u64, creator: u64) {
        let group = usize::try_from(process).ok().and_then(|id| self.get(Space::LocationGroup, id));
        let Some(GlobalDefinition::LocationGroup(group)) = group else { return };
        let Ok(creating_location_group) = u32::try_from(creator).map(LocationGroupRef) else { return };
        let group = bytes(&LocationGroup { creating_location_group, ..group });
        self.spaces[Space::LocationGroup as usize][process as usize].joined = Some(group.into());
    }

    fn get(&self, space: Space, id: usize) -> Option<GlobalDefinition<'_>> {
        decoded(self.spaces[space as usize].get(id)?.bytes(&self.records))
    }

    /// All definitions, as a log.
    pub fn log(&self) -> Vec<u8> {
        let entries = self.spaces.iter().flatten().map(|entry| entry.bytes(&self.records));
        let others = self.others.iter().map(|place| &self.records[place.clone()]);
        let mut log = Vec::with_capacity(self.records.len());
        entries.chain(others).for_each(|record| log.extend_from_slice(record));
        log
    }

    /// The keys of the definitions.
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

    /// Number of definitions of an id space.
    pub fn count(&self, space: Space) -> usize {
        self.spaces[space as usize].len()
    }

    fn take_definition(&mut self, source: &mut Source<'_>, at: usize) -> Result<(), UnifyError> {
        let record = &source.records[at];
        match (own_id(record), record) {
            // Taken in with its topology.
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
                        // Events name paradigms by number, and there is no mapping table for these.
                        None => paradigm.id.0,
                    };
                    source.ids.set(Space::IoParadigm, paradigm.id.0.into(), number.into());
                }
                self.take_other(record, &source.ids);
            }
        }
        Ok(())
    }

    /// The number of an I/O paradigm of an archive: that of an equal one, its own, or a free one.
    fn io_paradigm(&mut self, paradigm: &IoParadigm<'_>, ids: &Mappings) -> u8 {
        let looks = mapped(&IoParadigm { id: IoParadigmRef::UNDEFINED, ..*paradigm }.into(), ids);
        if let Some(&number) = self.io_paradigms.get(&looks) {
            return number;
        }
        let is_free = |number: &u8| !self.io_paradigms.values().any(|taken| taken == number);
        let mut numbers = core::iter::once(paradigm.id.0).chain(0..u8::MAX);
        let number = numbers.find(is_free).unwrap_or(u8::MAX);
        self.io_paradigms.insert(looks, number);
        number
    }

    /// Something that belongs to a definition, or has a fixed number: the first counts.
    fn take_other(&mut self, record: &GlobalDefinition<'_>, ids: &Mappings) {
        let place = self.put(record, ids);
        match self.is_new(&place) {
            true => self.others.push(place),
            false => self.records.truncate(place.start),
        }
    }

    /// Keeps the bytes of a record in unified ids.
    fn put(&mut self, record: &GlobalDefinition<'_>, ids: &Mappings) -> Place {
        let start = self.records.len();
        put_mapped(record, ids, &mut self.records);
        start..self.records.len()
    }

    /// Whether nothing with this record's identity has been there before.
    fn is_new(&mut self, place: &Place) -> bool {
        let identity = decoded(&self.records[place.clone()]).map(|record| Identity::of(&record));
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
            // A process is no other.
            Space::LocationGroup => Some(Key::Unique),
            _ => source.keys.get(space, id),
        };
        let looks = (key != Some(Key::Unique)).then(|| source.looks(record, key, at));
        let next = self.spaces[space as usize].len() as u64;
        let unified = match looks {
            Some(looks) => *self.known.entry(looks).or_insert(next),
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

    /// What a definition says beyond one that is the same.
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
                if source.repeats.is_some() && known.group_type == GroupType::COMM_LOCATIONS =>
            {
                let members: Vec<_> = known.members.iter().chain(members_in(other, &source.ids)).collect();
                bytes(&Group { members: List::truncated(&members), ..known })
            }
            _ => return,
        };
        entry.joined = Some(joined.into());
    }
}

/// The name that says more.
fn better(known: StringRef, other: StringRef) -> StringRef {
    if (known == EMPTY || !known.is_defined()) && other.is_defined() { other } else { known }
}

fn bytes_of_union(group: &Group<'_>, more: &[u64]) -> Vec<u8> {
    let mut members: Vec<u64> = group.members.iter().collect();
    let mut seen: HashSet<u64> = members.iter().copied().collect();
    members.extend(more.iter().copied().filter(|&member| seen.insert(member)));
    bytes(&Group { members: List::truncated(&members), ..*group })
}

/// The record of its bytes.
fn decoded(record: &[u8]) -> Option<GlobalDefinition<'_>> {
    read::definitions::log(record).next()?.ok()
}

/// A log that is being taken in.
struct Source<'a> {
    /// Sorted by kind and id.
    records: Vec<GlobalDefinition<'a>>,
    /// Their indexes by their ids.
    places: Mappings,
    keys: &'a Keys,
    /// The unified ids.
    ids: Mappings,
    /// Definitions that are not among them.
    left_out: u64,
    /// Of an archive: how often something that looks so has come.
    repeats: Option<HashMap<Looks, u64>>,
}

impl<'a> Source<'a> {
    fn new(log: &'a [u8], keys: &'a Keys, limit: u64) -> Result<Self, UnifyError> {
        let mut records = in_order(log)?;
        let before = records.len();
        let is_far = |(space, id)| space != Space::Location && id >= limit;
        records.retain(|record| !own_id(record).is_some_and(is_far));
        let left_out = (before - records.len()) as u64;
        let mut places = Mappings::complete_with_locations();
        for (at, record) in (0..).zip(&records) {
            if let Some((space, id)) = own_id(record) {
                places.set(space, id, at);
            }
        }
        Ok(Self { records, places, keys, ids: Mappings::complete(), repeats: None, left_out })
    }

    fn find(&self, space: Space, id: u64) -> Option<GlobalDefinition<'a>> {
        self.places.get(space, id).map(|at| self.records[at as usize])
    }

    /// The places of all records in an order in which what a record refers to mostly comes before it.
    fn in_taking_order(&self) -> Vec<usize> {
        use GlobalDefinition as D;
        let communicating = self.first_comm_groups();
        let is_late =
            |at, group: &Group<'_>| communicating.get(&group.paradigm).is_some_and(|&first| first < at);
        let order = |&at: &usize| match &self.records[at] {
            D::String(_) | D::IoParadigm(_) | D::SystemTreeNode(_) | D::LocationGroup(_) | D::Location(_) => {
                0
            }
            // Readers know the locations of a paradigm before the groups that count them.
            D::Group(group) if group.group_type == GroupType::COMM_LOCATIONS && is_late(at, group) => 1,
            // Metrics come behind groups.
            D::Group(group) if group.group_type == GroupType::METRIC => 3,
            // The value of a property can refer to anything.
            record if own_id(record).is_none() => 4,
            _ => 2,
        };
        let mut places = self.parents_first();
        places.sort_by_key(order);
        places
    }

    /// The place of the first group of each paradigm that counts its locations.
    fn first_comm_groups(&self) -> HashMap<Paradigm, usize> {
        let mut first = HashMap::default();
        for (at, record) in self.records.iter().enumerate() {
            if let GlobalDefinition::Group(group) = record
                && group.group_type == GroupType::COMM_GROUP
            {
                first.entry(group.paradigm).or_insert(at);
            }
        }
        first
    }

    /// The places of all records, those of parents before those of children; what belongs to a definition comes behind all of its kind.
    fn parents_first(&self) -> Vec<usize> {
        let mut done = vec![false; self.records.len()];
        let mut is_on_path = done.clone();
        let mut order = Vec::with_capacity(self.records.len());
        let mut path = Vec::new();
        for start in 0..self.records.len() {
            path.push(start);
            while let Some(&at) = path.last() {
                is_on_path[at] = true;
                match self.parent_of(at).filter(|&parent| !done[parent] && !is_on_path[parent]) {
                    Some(parent) if !done[at] => path.push(parent),
                    _ => {
                        is_on_path[at] = false;
                        path.pop();
                        if !std::mem::replace(&mut done[at], true) {
                            order.push(at);
                        }
                    }
                }
            }
        }
        order
    }

    fn parent_of(&self, at: usize) -> Option<usize> {
        let record = &self.records[at];
        let (space, _) = own_id(record)?;
        self.places.get(space, parent(record)?).map(|at| at as usize)
    }

    /// What a definition of an archive looks like, and as the how manieth there. Equal strings are one everywhere.
    fn looks_in_archive(&mut self, record: &GlobalDefinition<'_>, at: usize) -> Looks {
        let mut record_looks = exact_looks(record, &self.ids);
        match record {
            GlobalDefinition::String(_) => return Looks { record: record_looks, number: None },
            GlobalDefinition::CartTopology(topology) => self.add_dimensions(topology, &mut record_looks),
            GlobalDefinition::CallingContext(_)
            | GlobalDefinition::IoRegularFile(_)
            | GlobalDefinition::IoDirectory(_)
            | GlobalDefinition::IoHandle(_) => self.add_parts(at, &mut record_looks),
            _ => {}
        }
        let looks = Looks { record: record_looks, number: None };
        let Some(repeats) = &mut self.repeats else { return looks };
        let repeat = repeats.entry(looks.clone()).or_default();
        *repeat += 1;
        Looks { number: Some(*repeat), ..looks }
    }

    fn looks(&mut self, record: &GlobalDefinition<'_>, key: Option<Key>, at: usize) -> Looks {
        if self.repeats.is_some() {
            return self.looks_in_archive(record, at);
        }
        let mut looks = looks(record, &self.ids);
        match record {
            GlobalDefinition::CartTopology(topology) => self.add_dimensions(topology, &mut looks),
            GlobalDefinition::CallingContext(_) => self.add_parts(at, &mut looks),
            _ => {}
        }
        let number = match key {
            Some(Key::Number(number)) => Some(number),
            _ => None,
        };
        Looks { record: looks, number }
    }

    /// A topology looks as its dimensions do.
    fn add_dimensions(&self, topology: &CartTopology<'_>, out: &mut Vec<u8>) {
        for dimension in topology.cart_dimensions {
            if let Some(record) = self.find(Space::CartDimension, dimension.0.into()) {
                // It has no unified id yet.
                put_mapped(&record, &self.ids, out);
            }
        }
    }

    /// Calling contexts of one line are told apart by where the instruction is.
    fn add_parts(&self, at: usize, out: &mut Vec<u8>) {
        let owner = Identity::of(&self.records[at]);
        let parts = self.records[at + 1..].iter().take_while(|part| Identity::of(part).is_of(&owner));
        parts.for_each(|part| put_mapped(part, &self.ids, out));
    }

    /// Dimensions of no topology.
    fn finish(&mut self, unified: &mut Unified) {
        let dimensions: Vec<_> = self
            .records
            .iter()
            .filter_map(|record| match record {
                GlobalDefinition::CartDimension(dimension) => Some(dimension.id),
                _ => None,
            })
            .collect();
        for dimension in dimensions {
            if self.ids.get(Space::CartDimension, dimension.0.into()).is_none() {
                unified.add_dimension(self, dimension);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use kymo_otf2::{flags::GroupFlag, references::GroupRef};

    use super::*;
    use crate::{Definitions, memory::Budget};

    static BUDGET: Budget = Budget::new(usize::MAX);

    /// Each joined group was kept, once: memory grew with the square of the number of archives.
    #[test]
    fn what_was_joined_again_is_not_kept() {
        const ARCHIVES: usize = if cfg!(miri) { 4 } else { 20 };
        let mut definitions = Definitions::new(&BUDGET);
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
