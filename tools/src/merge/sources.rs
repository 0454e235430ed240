//! The first pass: the definitions of every archive, and the ids that they have in the result.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use kymo_otf2::definitions::{ClockProperties, GlobalDefinition, Group};
use kymo_otf2::enums::{GroupType, Paradigm};
use kymo_otf2::flags::GroupFlag;
use kymo_otf2::list::List;
use kymo_otf2::mappings::Mappings;
use kymo_otf2::read::{Archive, Options};
use kymo_otf2::references::{GroupRef, Space};
use kymo_otf2::write::{definition_bytes, definition_room};
use kymo_otf2::{Error, FileName};
use kymo_recorder::unification::Unified;

use super::locations::Locations;
use super::problem::Problem;
use crate::status::Status;

/// An archive that goes into the result.
#[derive(Debug)]
pub(super) struct Source {
    pub(super) path: PathBuf,
    /// What it is called in the result.
    pub(super) name: PathBuf,
    pub(super) clock: ClockProperties,
    /// Old and new ids, in the order of the definitions.
    pub(super) locations: Vec<(u64, u64)>,
    /// New ids of all definitions.
    pub(super) ids: Mappings,
    pub(super) anchor: Anchor,
    unknown: u64,
}

/// What the anchor of an archive says that the anchor of the result depends on.
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
    /// Opens the archive to read its files as they are.
    pub(super) fn open(&self) -> Result<Archive, Problem> {
        open(&self.path)
    }
}

fn open(path: &Path) -> Result<Archive, Problem> {
    let as_it_is = Options { mapping: false, clock_correction: false, ..Options::default() };
    Archive::open_with(path, as_it_is).map_err(|error| Problem::of_anchor(path, &error))
}

/// All of them, and their definitions.
#[derive(Debug, Default)]
pub(super) struct Sources {
    pub(super) all: Vec<Source>,
    pub(super) unified: Unified,
    /// Properties of the result beside those of the archives.
    pub(super) properties: Vec<(String, String)>,
    locations: Locations,
    /// Members of the locations of a paradigm, in the archives so far.
    members: HashMap<Paradigm, u64>,
}

impl Sources {
    /// Reads the definitions of these archives.
    pub(super) fn read(archives: &[PathBuf]) -> Result<Self, Problem> {
        let mut sources = Self::default();
        archives.iter().try_for_each(|path| sources.add(path))?;
        Ok(sources)
    }

    /// Gives the archives other names, if there are any, and the result more properties.
    pub(super) fn name(&mut self, names: &[PathBuf], properties: &[(String, String)]) {
        for (source, name) in self.all.iter_mut().zip(names) {
            name.clone_into(&mut source.name);
        }
        self.properties = properties.to_vec();
    }

    /// Says which processes created others.
    pub(super) fn create(&mut self, creators: &[Option<usize>]) {
        let first =
            |source: &Source| source.ids.pairs(Space::LocationGroup).into_iter().map(|(_, id)| id).min();
        let groups: Vec<Option<u64>> = self.all.iter().map(first).collect();
        for (number, creator) in creators.iter().enumerate() {
            let ids = creator.and_then(|creator| Some(((*groups.get(number)?)?, (*groups.get(creator)?)?)));
            ids.into_iter().for_each(|(process, creator)| self.unified.set_creator(process, creator));
        }
    }

    fn add(&mut self, path: &Path) -> Result<(), Problem> {
        let archive = open(path)?;
        let collected = Collected::of(&archive, &self.members);
        let collected = collected.map_err(|error| Problem::of_archive(&archive, &error))?;
        let file = archive.path(FileName::GlobalDefinitions);
        let clock = collected.clock.ok_or_else(|| {
            Problem::of(&file, "no ClockProperties, so how long its ticks are is unknown", Status::Faulty)
        })?;
        if let Some(group) = collected.immovable {
            let what =
                "ranks in events count all locations of its paradigm, so the archive has to be given first";
            return Err(Problem::of(&file, format_args!("Group {}: {what}", group.0), Status::Usage));
        }
        let locations = self.locations.assign(&collected.locations);
        let ids = self.unified.take_archive(&collected.log, &locations);
        let ids = ids.map_err(|error| Problem::of(&file, error, Status::Faulty))?;
        for (paradigm, count) in collected.members {
            *self.members.entry(paradigm).or_default() += count;
        }
        let (path, anchor) = (path.to_owned(), Anchor::of(&archive.anchor()));
        let name = path.clone();
        self.all.push(Source { path, name, clock, locations, ids, anchor, unknown: collected.unknown });
        Ok(())
    }

    /// Chunks of definition files of this size take all local definitions.
    pub(super) fn definition_chunk_size(&self) -> u64 {
        // A table has at most one entry for each definition besides its own.
        const LARGEST_ENTRY: u64 = 18;
        let table = |source: &Source| {
            let entries =
                Space::ALL.iter().map(|&space| source.ids.pairs(space).len() as u64).max().unwrap_or(0);
            source.anchor.definition_chunk_size + entries * LARGEST_ENTRY
        };
        let largest = self.all.iter().map(table).max().unwrap_or(0);
        let given = self.all.iter().map(|source| source.anchor.definition_chunk_size).max().unwrap_or(0);
        // What fits into a third of a chunk fits into any.
        if largest - given < given / 3 { given } else { largest }
    }

    /// Chunks of event files of this size take all records.
    pub(super) fn event_chunk_size(&self) -> u64 {
        self.all.iter().map(|source| source.anchor.event_chunk_size).max().unwrap_or(0)
    }

    /// Snapshots per location.
    pub(super) fn snapshots(&self) -> u32 {
        self.all.iter().map(|source| source.anchor.snapshots).max().unwrap_or(0)
    }

    /// What is not in the result, which has so many thumbnails.
    pub(super) fn left_out(&self, thumbnails: u32) -> Vec<String> {
        let why = match self.all.len() {
            1 => "thumbnails, which are missing, damaged or of an unknown type,",
            _ => "thumbnails, which show one archive alone,",
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

/// Definitions as they are taken in.
#[derive(Debug, Default)]
struct Collected {
    log: Vec<u8>,
    clock: Option<ClockProperties>,
    locations: Vec<u64>,
    members: HashMap<Paradigm, u64>,
    unknown: u64,
    /// Ids of groups that others than those of locations have.
    taken: HashSet<GroupRef>,
    /// A group whose ranks cannot move.
    immovable: Option<GroupRef>,
    /// No group has an id from here on.
    next: u32,
}

impl Collected {
    /// Those of an archive; indexes into the locations of a paradigm are moved behind those that there are.
    fn of(archive: &Archive, members: &HashMap<Paradigm, u64>) -> Result<Self, Error> {
        let mut this = Self::default();
        let file = archive.global_definitions()?;
        for record in file.records()? {
            this.note_group(&record?);
        }
        for record in file.records()? {
            this.add(&record?, members)?;
        }
        Ok(this)
    }

    fn note_group(&mut self, record: &GlobalDefinition<'_>) {
        let GlobalDefinition::Group(group) = record else { return };
        self.next = self.next.max(group.id.0.saturating_add(1));
        if group.group_type != GroupType::COMM_LOCATIONS {
            self.taken.insert(group.id);
        }
    }

    /// The id of the locations of a paradigm. Nothing refers to them by id, so EZTrace gives them one that another group has.
    fn own_id(&mut self, group: &Group<'_>) -> GroupRef {
        if !self.taken.contains(&group.id) {
            return group.id;
        }
        let id = GroupRef(self.next);
        self.next = self.next.saturating_add(1);
        id
    }

    fn add(&mut self, record: &GlobalDefinition<'_>, members: &HashMap<Paradigm, u64>) -> Result<(), Error> {
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

    fn add_group(&mut self, group: &Group<'_>, members: &HashMap<Paradigm, u64>) -> Result<(), Error> {
        if group.group_type == GroupType::COMM_LOCATIONS {
            self.members.entry(group.paradigm).or_insert(group.members.len() as u64);
            let id = self.own_id(group);
            return self.append(&Group { id, ..*group }.into());
        }
        match members.get(&group.paradigm) {
            Some(&count) if group.group_type == GroupType::COMM_GROUP => self.append_moved(group, count),
            _ => self.append(&(*group).into()),
        }
    }

    /// With this flag ranks in events count all locations of the paradigm, and events stay as they are. That is the same as ranks of
    /// the group if the group begins as all locations do; then it needs no flag.
    fn append_moved(&mut self, group: &Group<'_>, count: u64) -> Result<(), Error> {
        let is_global = group.group_flags.contains(GroupFlag::GLOBAL_MEMBERS);
        if is_global && !group.members.iter().eq(0..group.members.len() as u64) {
            self.immovable.get_or_insert(group.id);
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

/// An undefined index stays so.
fn moved(index: u64, count: u64) -> u64 {
    if index == u64::MAX || index == u64::from(u32::MAX) { index } else { index.saturating_add(count) }
}
