//! The definitions of a trace that is being written. Ids are dense, but for those of locations.

use std::collections::HashMap;

use kymo_otf2::definitions::{
    self, ClockProperties, Comm, GlobalDefinition, Group, Location, LocationGroup, MetricClass, MetricMember,
    Region, SystemTreeNode,
};
use kymo_otf2::enums::{
    Base, GroupType, LocationGroupType, LocationType, MetricMode, MetricOccurrence, MetricType, Paradigm,
    RecorderKind, RegionRole, Type,
};
use kymo_otf2::flags::{CommFlag, GroupFlag, RegionFlag};
use kymo_otf2::list::List;
use kymo_otf2::references::{
    CommRef, GroupRef, LocationGroupRef, LocationRef, MetricMemberRef, MetricRef, RegionRef, StringRef,
    SystemTreeNodeRef,
};
use kymo_otf2::text::Text;
use kymo_otf2::write::{DefinitionWriter, GlobalDefinitionWriter, StoragePieces};
use kymo_otf2::{FileName, storage::Directory};
use pyo3::prelude::*;

use super::WriteFailure;

/// The number of bytes collected before they are written.
const PIECE: usize = 64 << 10;
/// The largest chunk size of definitions, so that a group can have many members.
pub(super) const DEFINITION_CHUNK: u64 = 16 << 20;

/// The definition of a location.
#[derive(Debug, FromPyObject)]
#[pyo3(from_item_all)]
pub(super) struct LocationArguments {
    /// `None` for the one after the largest.
    id: Option<u64>,
    name: String,
    kind: String,
    process: u32,
}

/// The definition of a region.
#[derive(Debug, FromPyObject)]
#[pyo3(from_item_all)]
pub(super) struct RegionArguments {
    name: String,
    canonical_name: Option<String>,
    role: String,
    paradigm: String,
    file: Option<String>,
    first_line: u32,
    last_line: u32,
}

/// The definition of a metric.
#[derive(Debug, FromPyObject)]
#[pyo3(from_item_all)]
pub(super) struct MetricArguments {
    name: String,
    description: String,
    unit: String,
    mode: String,
    value_type: String,
}

/// Returns the values of an enumeration with their names.
pub(super) fn names<E: Copy>(
    values: &'static [E],
    name: impl Fn(E) -> Option<&'static str>,
) -> impl Iterator<Item = (&'static str, E)> {
    values.iter().filter_map(move |value| name(*value).map(|name| (name, *value)))
}

/// Returns the value of an enumeration with a name.
fn named<E: Copy>(
    argument: &str,
    wanted: &str,
    values: &'static [E],
    name: impl Fn(E) -> Option<&'static str> + Copy,
) -> Result<E, WriteFailure> {
    names(values, name).find(|(name, _)| *name == wanted).map(|(_, value)| value).ok_or_else(|| {
        let all: Vec<_> = names(values, name).map(|(name, _)| name).collect();
        WriteFailure::Mistake(format!("{argument}: expected one of {}, not {wanted:?}", all.join(", ")))
    })
}

/// Strings by their ids. The first one is empty.
#[derive(Debug)]
struct InternedStrings {
    ids: HashMap<String, StringRef>,
    texts: Vec<String>,
}

impl InternedStrings {
    fn new() -> Self {
        Self { ids: HashMap::from([(String::new(), StringRef(0))]), texts: vec![String::new()] }
    }

    /// Returns the id of a text, which `argument` is.
    fn id(&mut self, argument: &str, text: &str) -> Result<StringRef, WriteFailure> {
        if let Some(id) = self.ids.get(text) {
            return Ok(*id);
        }
        check_text(argument, text)?;
        let id = StringRef(self.texts.len() as u32);
        self.texts.push(text.to_owned());
        self.ids.insert(text.to_owned(), id);
        Ok(id)
    }
}

/// A process.
#[derive(Debug)]
struct WrittenProcess {
    name: StringRef,
    node: SystemTreeNodeRef,
    /// The place among the processes with locations, once it has one.
    rank: Option<u32>,
}

/// A location.
#[derive(Debug)]
pub(super) struct WrittenLocation {
    id: u64,
    name: StringRef,
    kind: LocationType,
    process: u32,
}

impl WrittenLocation {
    pub(super) fn id(&self) -> u64 {
        self.id
    }
}

/// A metric, which is the only one of its class.
#[derive(Debug)]
struct WrittenMetric {
    name: StringRef,
    description: StringRef,
    unit: StringRef,
    mode: MetricMode,
    value_type: Type,
}

/// A communicator.
#[derive(Debug)]
struct WrittenCommunicator {
    name: StringRef,
    /// The ranks of the members among all processes; `None` for all, of which there may be more
    /// later.
    members: Option<Vec<u32>>,
    /// The ranks in the communicator by those among all processes.
    ranks: HashMap<u32, u32>,
}

/// The definitions.
#[derive(Debug)]
pub(super) struct WrittenDefinitions {
    strings: InternedStrings,
    nodes: Vec<(StringRef, StringRef, SystemTreeNodeRef)>,
    processes: Vec<WrittenProcess>,
    /// The first location of each process with locations.
    firsts: Vec<u64>,
    locations: Vec<WrittenLocation>,
    /// The places of locations in the list, by their ids.
    places: HashMap<u64, usize>,
    /// The id after the largest one.
    next_location: u64,
    regions: Vec<Region>,
    metrics: Vec<WrittenMetric>,
    communicators: Vec<WrittenCommunicator>,
    world: Option<u32>,
    properties: Vec<(String, String)>,
}

impl WrittenDefinitions {
    pub(super) fn new() -> Self {
        Self {
            strings: InternedStrings::new(),
            nodes: Vec::new(),
            processes: Vec::new(),
            firsts: Vec::new(),
            locations: Vec::new(),
            places: HashMap::new(),
            next_location: 0,
            regions: Vec::new(),
            metrics: Vec::new(),
            communicators: Vec::new(),
            world: None,
            properties: Vec::new(),
        }
    }

    pub(super) fn node(
        &mut self,
        name: &str,
        class_name: &str,
        parent: Option<u32>,
    ) -> Result<u32, WriteFailure> {
        let parent = match parent {
            Some(parent) if parent as usize >= self.nodes.len() => return Err(undefined("node", parent)),
            parent => parent.map_or(SystemTreeNodeRef::UNDEFINED, SystemTreeNodeRef),
        };
        let (name, class_name) = (self.strings.id("name", name)?, self.strings.id("class_name", class_name)?);
        self.nodes.push((name, class_name, parent));
        Ok(self.nodes.len() as u32 - 1)
    }

    /// Defines a process. Without a node, its node is the first one.
    pub(super) fn process(&mut self, name: &str, node: Option<u32>) -> Result<u32, WriteFailure> {
        let node = match node {
            Some(node) if node as usize >= self.nodes.len() => return Err(undefined("node", node)),
            Some(node) => node,
            None if self.nodes.is_empty() => self.node("machine", "machine", None)?,
            None => 0,
        };
        let name = self.strings.id("name", name)?;
        self.processes.push(WrittenProcess { name, node: SystemTreeNodeRef(node), rank: None });
        Ok(self.processes.len() as u32 - 1)
    }

    /// Returns a location that can be added.
    pub(super) fn checked_location(
        &mut self,
        arguments: &LocationArguments,
    ) -> Result<WrittenLocation, WriteFailure> {
        let LocationArguments { id, name, kind, process } = arguments;
        let kind = named("kind", kind, LocationType::VALUES, LocationType::name)?;
        let id = id.unwrap_or(self.next_location);
        // Tables have signed numbers.
        if i64::try_from(id).is_err() {
            return Err(WriteFailure::Mistake(format!("id: {id} is larger than that of a location can be")));
        }
        if self.places.contains_key(&id) {
            return Err(WriteFailure::Mistake(format!("id: there is a location {id} already")));
        }
        if *process as usize >= self.processes.len() {
            return Err(undefined("process", *process));
        }
        Ok(WrittenLocation { id, name: self.strings.id("name", name)?, kind, process: *process })
    }

    /// Adds a location that [`checked_location`](Self::checked_location) has returned.
    pub(super) fn add_location(&mut self, location: WrittenLocation) {
        let process = &mut self.processes[location.process as usize];
        // Devices and metrics have no rank.
        if location.kind == LocationType::CPU_THREAD && process.rank.is_none() {
            process.rank = Some(self.firsts.len() as u32);
            self.firsts.push(location.id);
        }
        self.next_location = self.next_location.max(location.id + 1);
        self.places.insert(location.id, self.locations.len());
        self.locations.push(location);
    }

    pub(super) fn region(&mut self, arguments: &RegionArguments) -> Result<u32, WriteFailure> {
        let id = self.regions.len() as u32;
        let name = self.strings.id("name", &arguments.name)?;
        let canonical_name = match &arguments.canonical_name {
            Some(canonical_name) => self.strings.id("canonical_name", canonical_name)?,
            None => name,
        };
        let source_file = match &arguments.file {
            Some(file) => self.strings.id("file", file)?,
            None => StringRef::UNDEFINED,
        };
        let region = Region {
            id: RegionRef(id),
            name,
            description: StringRef(0),
            source_file,
            begin_line_number: arguments.first_line,
            end_line_number: arguments.last_line,
            canonical_name,
            region_role: named("role", &arguments.role, RegionRole::VALUES, RegionRole::name)?,
            paradigm: named("paradigm", &arguments.paradigm, Paradigm::VALUES, Paradigm::name)?,
            region_flags: RegionFlag::NONE,
        };
        self.regions.push(region);
        Ok(id)
    }

    pub(super) fn metric(&mut self, arguments: &MetricArguments) -> Result<u32, WriteFailure> {
        let mode = named("mode", &arguments.mode, MetricMode::VALUES, MetricMode::name)?;
        const TYPES: &[Type] = &[Type::INT64, Type::UINT64, Type::DOUBLE];
        let value_type = named("value_type", &arguments.value_type, TYPES, Type::name)?;
        let name = self.strings.id("name", &arguments.name)?;
        let description = self.strings.id("description", &arguments.description)?;
        let unit = self.strings.id("unit", &arguments.unit)?;
        self.metrics.push(WrittenMetric { name, description, unit, mode, value_type });
        Ok(self.metrics.len() as u32 - 1)
    }

    pub(super) fn communicator(&mut self, name: &str, locations: &[u64]) -> Result<u32, WriteFailure> {
        let mut members = Vec::new();
        for id in locations {
            members.push(self.rank_of_process(*id)?);
        }
        let ranks: HashMap<_, _> = members.iter().copied().zip(0..).collect();
        if ranks.len() < members.len() {
            return Err(WriteFailure::Mistake("locations: two of them are of one process".to_owned()));
        }
        let name = self.strings.id("name", name)?;
        self.communicators.push(WrittenCommunicator { name, members: Some(members), ranks });
        Ok(self.communicators.len() as u32 - 1)
    }

    /// Returns the communicator of all processes.
    pub(super) fn world(&mut self) -> Result<u32, WriteFailure> {
        if let Some(world) = self.world {
            return Ok(world);
        }
        let (name, world) = (self.strings.id("name", "MPI_COMM_WORLD")?, self.communicators.len() as u32);
        self.communicators.push(WrittenCommunicator { name, members: None, ranks: HashMap::new() });
        self.world = Some(world);
        Ok(world)
    }

    pub(super) fn property(&mut self, name: String, value: String) -> Result<(), WriteFailure> {
        if !kymo_otf2::anchor::Property::new(&name, &value).has_valid_name() || value.is_empty() {
            let expected = "expected a name such as PROGRAM::VERSION, and a value that is not empty";
            return Err(WriteFailure::Mistake(format!("property {name}: {expected}")));
        }
        check_text("value", &value)?;
        self.properties.retain(|(other, _)| *other != name);
        self.properties.push((name, value));
        Ok(())
    }

    /// Returns the properties of the archive.
    pub(super) fn properties(&self) -> &[(String, String)] {
        &self.properties
    }

    /// Checks that a region is defined.
    pub(super) fn check_region(&self, id: u32) -> Result<(), WriteFailure> {
        match (id as usize) < self.regions.len() {
            true => Ok(()),
            false => Err(undefined("region", id)),
        }
    }

    /// Returns the type of the values of a metric.
    pub(super) fn value_type(&self, id: u32) -> Result<Type, WriteFailure> {
        self.metrics.get(id as usize).map(|it| it.value_type).ok_or_else(|| undefined("metric", id))
    }

    /// Checks that a communicator is defined.
    pub(super) fn check_communicator(&self, id: u32) -> Result<(), WriteFailure> {
        match (id as usize) < self.communicators.len() {
            true => Ok(()),
            false => Err(undefined("communicator", id)),
        }
    }

    /// Returns the rank of the process of a location in a communicator.
    pub(super) fn rank(&self, communicator: u32, location: u64) -> Result<u32, WriteFailure> {
        let of = self.communicators.get(communicator as usize);
        let of = of.ok_or_else(|| undefined("communicator", communicator))?;
        let rank = self.rank_of_process(location)?;
        if of.members.is_none() {
            return Ok(rank);
        }
        of.ranks.get(&rank).copied().ok_or_else(|| {
            let text = format!("the process of location {location} is not in communicator {communicator}");
            WriteFailure::Mistake(text)
        })
    }

    /// Returns the rank among all processes.
    fn rank_of_process(&self, location: u64) -> Result<u32, WriteFailure> {
        let place = *self.places.get(&location).ok_or_else(|| undefined("location", location))?;
        let process = self.locations[place].process;
        let rank = self.processes.get(process as usize).and_then(|process| process.rank);
        rank.ok_or_else(|| WriteFailure::Mistake(format!("the process of location {location} has no thread")))
    }

    /// Writes all definitions. Returns their number.
    pub(super) fn write(
        &self,
        storage: &Directory,
        clock: ClockProperties,
        events: impl Fn(u64) -> u64,
    ) -> Result<u64, WriteFailure> {
        let pieces = StoragePieces::new(storage, FileName::GlobalDefinitions, PIECE);
        let mut file = DefinitionFile { writer: DefinitionWriter::new(pieces, DEFINITION_CHUNK)?, groups: 0 };
        file.put(clock)?;
        for (id, text) in (0..).zip(&self.strings.texts) {
            let string = Text::new(text.as_bytes());
            file.writer.record(&definitions::String { id: StringRef(id), string })?;
        }
        self.write_system(&mut file, events)?;
        for region in &self.regions {
            file.put(*region)?;
        }
        self.write_metrics(&mut file)?;
        self.write_communicators(&mut file)?;
        let closed = file.writer.close()?;
        closed.pieces.truncate(closed.length)?;
        Ok(closed.events)
    }

    fn write_system(
        &self,
        file: &mut DefinitionFile<'_>,
        events: impl Fn(u64) -> u64,
    ) -> Result<(), WriteFailure> {
        for (id, (name, class_name, parent)) in (0..).zip(&self.nodes) {
            let (id, name, class_name, parent) = (SystemTreeNodeRef(id), *name, *class_name, *parent);
            file.put(SystemTreeNode { id, name, class_name, parent })?;
        }
        for (id, process) in (0..).zip(&self.processes) {
            file.put(LocationGroup {
                id: LocationGroupRef(id),
                name: process.name,
                location_group_type: LocationGroupType::PROCESS,
                system_tree_parent: process.node,
                creating_location_group: LocationGroupRef::UNDEFINED,
            })?;
        }
        for location in &self.locations {
            file.put(Location {
                id: LocationRef(location.id),
                name: location.name,
                location_type: location.kind,
                number_of_events: events(location.id),
                location_group: LocationGroupRef(location.process),
            })?;
        }
        Ok(())
    }

    fn write_metrics(&self, file: &mut DefinitionFile<'_>) -> Result<(), WriteFailure> {
        for (id, metric) in (0..).zip(&self.metrics) {
            file.put(MetricMember {
                id: MetricMemberRef(id),
                name: metric.name,
                description: metric.description,
                metric_type: MetricType::OTHER,
                metric_mode: metric.mode,
                value_type: metric.value_type,
                base: Base::DECIMAL,
                exponent: 0,
                unit: metric.unit,
            })?;
            file.writer.record(&MetricClass {
                id: MetricRef(id),
                metric_members: List::truncated(&[MetricMemberRef(id)]),
                metric_occurrence: MetricOccurrence::ASYNCHRONOUS,
                recorder_kind: RecorderKind::ABSTRACT,
            })?;
        }
        Ok(())
    }

    fn write_communicators(&self, file: &mut DefinitionFile<'_>) -> Result<(), WriteFailure> {
        if self.communicators.is_empty() {
            return Ok(());
        }
        file.group(StringRef(0), GroupType::COMM_LOCATIONS, &self.firsts)?;
        let all: Vec<u32> = (0..self.firsts.len() as u32).collect();
        for (id, communicator) in (0..).zip(&self.communicators) {
            let members = communicator.members.as_ref().unwrap_or(&all);
            let members: Vec<u64> = members.iter().copied().map(u64::from).collect();
            let (id, name, parent) = (CommRef(id), communicator.name, CommRef::UNDEFINED);
            let group = file.group(name, GroupType::COMM_GROUP, &members)?;
            file.put(Comm { id, name, group, parent, flags: CommFlag::NONE })?;
        }
        Ok(())
    }
}

/// The largest number of bytes of a text: records must fit into chunks.
const LONGEST_TEXT: usize = 1 << 20;

/// Checks that a file can have a text.
pub(super) fn check_text(argument: &str, text: &str) -> Result<(), WriteFailure> {
    if text.len() > LONGEST_TEXT {
        return Err(WriteFailure::Mistake(format!("{argument}: expected at most {LONGEST_TEXT} bytes")));
    }
    match text.contains('\0') {
        true => Err(WriteFailure::Mistake(format!("{argument}: a NUL would end the text"))),
        false => Ok(()),
    }
}

fn undefined(kind: &str, id: impl std::fmt::Display) -> WriteFailure {
    WriteFailure::Undefined(format!("the trace has no {kind} {id}"))
}

/// The global definition file.
struct DefinitionFile<'a> {
    writer: GlobalDefinitionWriter<StoragePieces<&'a Directory>>,
    groups: u32,
}

impl DefinitionFile<'_> {
    fn put<'d>(&mut self, definition: impl Into<GlobalDefinition<'d>>) -> Result<(), WriteFailure> {
        Ok(self.writer.record(&definition.into())?)
    }

    fn group(
        &mut self,
        name: StringRef,
        group_type: GroupType,
        members: &[u64],
    ) -> Result<GroupRef, WriteFailure> {
        let id = GroupRef(self.groups);
        self.groups += 1;
        let members = List::new(members).map_err(kymo_otf2::Error::from)?;
        let (paradigm, group_flags) = (Paradigm::MPI, GroupFlag::NONE);
        self.writer.record(&Group { id, name, members, group_type, paradigm, group_flags })?;
        Ok(id)
    }
}
