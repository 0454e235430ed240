//! The first pass: the definitions of every archive, and their ids in the result.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use kymo_otf2::definitions::{ClockProperties, GlobalDefinition, Group, Location};
use kymo_otf2::enums::{GroupType, LocationType, Paradigm};
use kymo_otf2::flags::GroupFlag;
use kymo_otf2::list::List;
use kymo_otf2::mappings::Mappings;
use kymo_otf2::read::{Archive, Options};
use kymo_otf2::references::{GroupRef, Space};
use kymo_otf2::write::{definition_bytes, definition_room};
use kymo_otf2::{Error, FileName};
use kymo_recorder::unification::Unified;

use super::locations::Locations;
use crate::problem::Problem;
use crate::status::Status;

/// An archive to merge.
#[derive(Debug)]
pub(super) struct Source {
    pub(super) path: PathBuf,
    /// The name of the archive in the result.
    pub(super) name: PathBuf,
    pub(super) clock: ClockProperties,
    /// The old and new ids, in order of the definitions.
    pub(super) locations: Vec<(u64, u64)>,
    /// The new ids of all definitions.
    pub(super) ids: Mappings,
    pub(super) anchor: Anchor,
    unknown: u64,
}

/// The parts of an archive's anchor that affect the anchor of the result.
#[derive(Debug)]
pub(super) struct Anchor {
    pub(super) event_chunk_size: u64,
    pub(super) definition_chunk_size: u64,
    pub(super) machine: Vec<u8>,
    pub(super) description: Vec<u8>,
    pub(super) properties: Vec<(Vec<u8>, Vec<u8>)>,
    pub(super) trace_id: u64,
    pub(super) snapshots: u32,
    pub(super) thumbnails: u32,
}

impl Anchor {
    fn of(anchor: &kymo_otf2::Anchor<'_>) -> Self {
        let bytes = |text: kymo_otf2::text::Text<'_>| text.as_bytes().to_vec();
        let properties = anchor.properties.iter();
        Self {
            event_chunk_size: anchor.event_chunk_size,
            definition_chunk_size: anchor.definition_chunk_size,
            machine: bytes(anchor.machine),
            description: bytes(anchor.description),
            properties: properties.map(|property| (bytes(property.name), bytes(property.value))).collect(),
            trace_id: anchor.trace_id,
            snapshots: anchor.number_of_snapshots,
            thumbnails: anchor.number_of_thumbnails,
        }
    }
}

impl Source {
    /// Opens the archive to read its files without mapping and clock correction.
    pub(super) fn open(&self) -> Result<Archive, Problem> {
        open(&self.path)
    }
}

fn open(path: &Path) -> Result<Archive, Problem> {
    let as_it_is = Options { mapping: false, clock_correction: false, ..Options::default() };
    Archive::open_with(path, as_it_is).map_err(|error| Problem::of_anchor(path, &error))
}

/// All archives and their definitions.
#[derive(Debug, Default)]
pub(super) struct Sources {
    pub(super) all: Vec<Source>,
    pub(super) unified: Unified,
    /// Properties of the result in addition to those of the archives.
    pub(super) properties: Vec<(String, String)>,
    locations: Locations,
    /// The members per paradigm in the archives so far.
    members: Members,
}

/// The type of the group of all members of each paradigm, and their number.
type Members = HashMap<Paradigm, (GroupType, u64)>;

impl Sources {
    /// Reads the definitions of these archives.
    pub(super) fn read(archives: &[PathBuf]) -> Result<Self, Problem> {
        let mut sources = Self::default();
        archives.iter().try_for_each(|path| sources.add(path))?;
        Ok(sources)
    }

    /// Sets other names for the archives, if given, and further properties of the result.
    pub(super) fn name(&mut self, names: &[PathBuf], properties: &[(String, String)]) {
        for (source, name) in self.all.iter_mut().zip(names) {
            name.clone_into(&mut source.name);
        }
        self.properties = properties.to_vec();
    }

    /// Records which processes created others.
    pub(super) fn create(&mut self, creators: &[Option<usize>]) {
        let of = |source: &Source| {
            let pairs = source.ids.pairs(Space::LocationGroup);
            let mut groups: Vec<u64> = pairs.into_iter().map(|(_, id)| id).collect();
            groups.sort_unstable();
            groups
        };
        let groups: Vec<Vec<u64>> = self.all.iter().map(of).collect();
        for (number, creator) in creators.iter().enumerate() {
            let creator = creator.and_then(|creator| groups.get(creator)?.first());
            if let Some((processes, &creator)) = groups.get(number).zip(creator) {
                self.unified.set_creator(processes, creator);
            }
        }
    }

    fn add(&mut self, path: &Path) -> Result<(), Problem> {
        let archive = open(path)?;
        let collected = Collected::of(&archive, &self.members);
        let collected = collected.map_err(|error| Problem::of_archive(&archive, &error))?;
        let file = archive.path(FileName::GlobalDefinitions);
        let clock = collected.clock.ok_or_else(|| {
            Problem::of(&file, "no ClockProperties, so the length of its ticks is unknown", Status::Faulty)
        })?;
        if let Some((group, why)) = collected.immovable {
            let what = format!("Group {}: {why}, so the archive must be given first", group.0);
            return Err(Problem::of(&file, what, Status::Usage));
        }
        let locations = self.locations.assign(&collected.locations);
        let ids = self.unified.take_archive(&collected.log, &locations);
        let ids = ids.map_err(|error| Problem::of(&file, error, Status::Faulty))?;
        for (paradigm, (group_type, count)) in collected.members {
            self.members.entry(paradigm).or_insert((group_type, 0)).1 += count;
        }
        let (path, anchor) = (path.to_owned(), Anchor::of(&archive.anchor()));
        let name = path.clone();
        self.all.push(Source { path, name, clock, locations, ids, anchor, unknown: collected.unknown });
        Ok(())
    }

    /// Returns a chunk size for definition files with which all local definitions fit.
    pub(super) fn definition_chunk_size(&self) -> u64 {
        // In addition to its own entries, a table has at most one for each definition.
        const LARGEST_ENTRY: u64 = 18;
        let table = |source: &Source| {
            let entries =
                Space::ALL.iter().map(|&space| source.ids.pairs(space).len() as u64).max().unwrap_or(0);
            source.anchor.definition_chunk_size + entries * LARGEST_ENTRY
        };
        let largest = self.all.iter().map(table).max().unwrap_or(0);
        let given = self.all.iter().map(|source| source.anchor.definition_chunk_size).max().unwrap_or(0);
        // Data that fits into a third of a chunk fits in any case.
        if largest - given < given / 3 { given } else { largest }
    }

    /// Returns a chunk size for event files with which all records fit.
    pub(super) fn event_chunk_size(&self) -> u64 {
        self.all.iter().map(|source| source.anchor.event_chunk_size).max().unwrap_or(0)
    }

    /// Returns the number of snapshots per location.
    pub(super) fn snapshots(&self) -> u32 {
        self.all.iter().map(|source| source.anchor.snapshots).max().unwrap_or(0)
    }

    /// Describes the things that are not in the result, which has this number of thumbnails.
    pub(super) fn left_out(&self, thumbnails: u32) -> Vec<String> {
        let why = match self.all.len() {
            1 => "thumbnails (missing, damaged or of an unknown type)",
            _ => "thumbnails (each shows only one archive)",
        };
        let line = |source: &Source, count: u64, what: &str| {
            (count > 0).then(|| format!("{}: {count} {what} left out", source.path.display()))
        };
        let lines = self.all.iter().flat_map(|source| {
            [
                line(source, source.unknown, "definitions of unknown kinds"),
                line(source, source.anchor.thumbnails.saturating_sub(thumbnails).into(), why),
            ]
        });
        lines.flatten().collect()
    }
}

/// The definitions of an archive, as they are collected.
#[derive(Debug, Default)]
struct Collected {
    log: Vec<u8>,
    clock: Option<ClockProperties>,
    locations: Vec<u64>,
    members: Members,
    unknown: u64,
    /// The processes of locations, and the first location of each process, if possible a thread.
    processes: HashMap<u64, u64>,
    first: HashMap<u64, (LocationType, u64)>,
    /// The ids of groups other than those of all members of a paradigm.
    taken: HashSet<GroupRef>,
    /// A group that is only possible in the first archive, and why.
    immovable: Option<(GroupRef, &'static str)>,
    /// One more than the largest id of a group.
    next: u32,
}

impl Collected {
    /// Collects those of an archive. Indexes into the members of a paradigm are moved after those
    /// of earlier archives.
    fn of(archive: &Archive, members: &Members) -> Result<Self, Error> {
        let mut this = Self::default();
        let file = archive.global_definitions()?;
        for record in file.records()? {
            this.note(&record?);
        }
        for record in file.records()? {
            this.add(&record?, members)?;
        }
        Ok(this)
    }

    fn note(&mut self, record: &GlobalDefinition<'_>) {
        match record {
            GlobalDefinition::Group(group) => {
                self.next = self.next.max(group.id.0.saturating_add(1));
                if !group.group_type.lists_paradigm() {
                    self.taken.insert(group.id);
                }
            }
            GlobalDefinition::Location(location) => self.note_location(location),
            _ => {}
        }
    }

    fn note_location(&mut self, location: &Location) {
        let (this, process) = ((location.location_type, location.id.0), location.location_group.0.into());
        self.processes.insert(location.id.0, process);
        let first = self.first.entry(process).or_insert(this);
        if first.0 != LocationType::CPU_THREAD && this.0 == LocationType::CPU_THREAD {
            *first = this;
        }
    }

    /// Returns the id for the members of a paradigm. Nothing refers to this group by id, so
    /// EZTrace assigns an id that another group has.
    fn own_id(&mut self, group: &Group<'_>) -> GroupRef {
        if !self.taken.contains(&group.id) {
            return group.id;
        }
        let id = GroupRef(self.next);
        self.next = self.next.saturating_add(1);
        id
    }

    fn add(&mut self, record: &GlobalDefinition<'_>, members: &Members) -> Result<(), Error> {
        match record {
            GlobalDefinition::ClockProperties(clock) => self.clock = Some(*clock),
            GlobalDefinition::Unknown { .. } => self.unknown += 1,
            GlobalDefinition::Group(group) => return self.add_group(group, members),
            GlobalDefinition::Location(location) => self.locations.push(location.id.0),
            _ => {}
        }
        match record {
            GlobalDefinition::ClockProperties(_) | GlobalDefinition::Unknown { .. } => Ok(()),
            record => self.append(record),
        }
    }

    fn add_group(&mut self, group: &Group<'_>, members: &Members) -> Result<(), Error> {
        if group.group_type.lists_paradigm() {
            return self.add_members(group, members);
        }
        match members.get(&group.paradigm) {
            Some(&(_, count)) if group.group_type == GroupType::COMM_GROUP => self.append_moved(group, count),
            _ => self.append(&(*group).into()),
        }
    }

    /// Appends the group of all members of a paradigm. It has the type that it has in the archives
    /// so far, because a paradigm has locations or processes, not both: a process becomes its first
    /// location, and a location its process, unless that has several ranks.
    fn add_members(&mut self, group: &Group<'_>, members: &Members) -> Result<(), Error> {
        let group_type = members.get(&group.paradigm).map_or(group.group_type, |known| known.0);
        let own: Vec<u64> = group.members.iter().collect();
        let converted = match (group.group_type, group_type) {
            (GroupType::COMM_LOCATION_GROUPS, GroupType::COMM_LOCATIONS) => self.first_locations(&own),
            (GroupType::COMM_LOCATIONS, GroupType::COMM_LOCATION_GROUPS) => self.processes_of(&own, group.id),
            _ => own,
        };
        self.members.entry(group.paradigm).or_insert((group_type, converted.len() as u64));
        let id = self.own_id(group);
        self.append(&Group { id, group_type, members: List::truncated(&converted), ..*group }.into())
    }

    fn first_locations(&self, processes: &[u64]) -> Vec<u64> {
        processes.iter().map(|process| self.first.get(process).map_or(u64::MAX, |it| it.1)).collect()
    }

    fn processes_of(&mut self, locations: &[u64], group: GroupRef) -> Vec<u64> {
        let undefined = u64::from(u32::MAX);
        let processes = locations.iter().map(|it| self.processes.get(it).copied().unwrap_or(undefined));
        let processes: Vec<u64> = processes.collect();
        let mut seen = HashSet::new();
        if !processes.iter().all(|process| *process != undefined && seen.insert(process)) {
            let why = "ranks are processes in earlier archives, and here several threads of one";
            self.immovable.get_or_insert((group, why));
        }
        processes
    }

    /// Appends a group with moved members. With the flag, ranks in events refer to all locations of
    /// the paradigm, and events are not changed. These are also ranks of the group if its members
    /// begin like all locations; then the flag is not needed.
    fn append_moved(&mut self, group: &Group<'_>, count: u64) -> Result<(), Error> {
        let is_global = group.group_flags.contains(GroupFlag::GLOBAL_MEMBERS);
        if is_global && !group.members.iter().eq(0..group.members.len() as u64) {
            let why = "ranks in events refer to all locations of its paradigm";
            self.immovable.get_or_insert((group.id, why));
        }
        let group_flags = group.group_flags - GroupFlag::GLOBAL_MEMBERS;
        let moved: Vec<u64> = group.members.iter().map(|index| moved(index, count)).collect();
        self.append(&Group { members: List::truncated(&moved), group_flags, ..*group }.into())
    }

    fn append(&mut self, record: &GlobalDefinition<'_>) -> Result<(), Error> {
        let begin = self.log.len();
        self.log.resize(begin + definition_room(record), 0);
        let room = self.log.get_mut(begin..).unwrap_or_default();
        let length = definition_bytes(record, room)?;
        self.log.truncate(begin + length);
        Ok(())
    }
}

/// Moves an index. An undefined index stays undefined.
fn moved(index: u64, count: u64) -> u64 {
    if index == u64::MAX || index == u64::from(u32::MAX) { index } else { index.saturating_add(count) }
}
