//! An archive with its definitions.

use crate::clock::Clock;
use crate::communicators::{Communicator, CommunicatorDefinitions, Communicators, Process, Scope};
use crate::error::Error;
use crate::index::Index;
use crate::probes::Probes;
use kymo_otf2::definitions::GlobalDefinition;
use kymo_otf2::enums::{
    Base, InterruptGeneratorMode, LocationGroupType, LocationType, MetricMode, Paradigm, RegionRole, Type,
};
use kymo_otf2::read::Archive;
use kymo_otf2::references::*;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

/// A trace that is open for analysis.
#[derive(Debug)]
pub struct Trace {
    archive: Archive,
    defined: Defined,
    probes: Probes,
}

/// The global definitions by id. The last one with an id counts.
#[derive(Debug, Default)]
struct Defined {
    clock: Clock,
    strings: Index<Box<str>>,
    region_ids: Vec<RegionRef>,
    regions: Index<Region>,
    locations: Vec<Location>,
    location_groups: Index<LocationGroup>,
    system_tree_nodes: Index<SystemTreeNode>,
    source_code_locations: Index<(StringRef, u32)>,
    calling_contexts: Index<CallingContext>,
    /// For regions that are defined like an earlier one, that region.
    same: Index<RegionRef>,
    metric_members: Index<MetricMember>,
    member_ids: Vec<MetricMemberRef>,
    /// The members of classes and instances.
    metrics: Index<Arc<[MetricMemberRef]>>,
    /// The periods of interrupt generators, in nanoseconds, unless they count events.
    periods: Index<Option<u64>>,
    longest_period: u64,
    /// The periods of the first generators of their names.
    regular_periods: HashMap<StringRef, Option<u64>>,
    generator_names: Index<StringRef>,
    /// The positions in `locations` by id.
    location_places: Index<usize>,
    communicators: Communicators,
    communicator_names: Index<StringRef>,
    /// The names and communicators of windows.
    windows: Index<(StringRef, CommRef)>,
    io_files: Index<StringRef>,
    io_handles: Index<IoHandle>,
    /// The names and identifications.
    io_paradigms: Index<(StringRef, StringRef)>,
}

/// A region.
#[derive(Debug, Clone, Copy)]
pub struct Region {
    /// The name.
    pub name: StringRef,
    /// The name as in the object file, for example mangled.
    pub canonical_name: StringRef,
    /// The role.
    pub role: RegionRole,
    /// The paradigm.
    pub paradigm: Paradigm,
    /// The source file.
    pub source_file: StringRef,
    /// The first line, 0 if unknown.
    pub line: u32,
}

/// A location.
#[derive(Debug, Clone, Copy)]
pub struct Location {
    /// The id.
    pub id: LocationRef,
    /// The name.
    pub name: StringRef,
    /// The type.
    pub location_type: LocationType,
    /// The process: the location group or, for the stream of an accelerator, the group that has
    /// created its own.
    pub group: LocationGroupRef,
    /// The number of events according to the definition.
    pub events: u64,
}

/// A group of locations, usually a process.
#[derive(Debug, Clone, Copy)]
pub struct LocationGroup {
    /// The id.
    pub id: LocationGroupRef,
    /// The name.
    pub name: StringRef,
    /// The node of the system tree to which the group belongs.
    pub parent: SystemTreeNodeRef,
    /// The process that has created the group of streams of an accelerator; undefined for others.
    creator: LocationGroupRef,
}

/// A node of the system tree.
#[derive(Debug, Clone, Copy)]
pub struct SystemTreeNode {
    /// The id.
    pub id: SystemTreeNodeRef,
    /// The name.
    pub name: StringRef,
    /// The class, for example `node`.
    pub class: StringRef,
    /// The parent, or undefined.
    pub parent: SystemTreeNodeRef,
}

/// A metric.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct MetricMember {
    /// The id.
    pub id: MetricMemberRef,
    /// The name.
    pub name: StringRef,
    /// The unit.
    pub unit: StringRef,
    /// How values relate to each other and to time.
    pub mode: MetricMode,
    /// The type of the values.
    pub value_type: Type,
}

/// A calling context.
#[derive(Debug, Clone, Copy)]
pub struct CallingContext {
    /// The region.
    pub region: RegionRef,
    /// The place of the call, or undefined.
    pub place: SourceCodeLocationRef,
    /// The parent, or undefined.
    pub parent: CallingContextRef,
}

/// A handle of an open file, socket or the like.
#[derive(Debug, Clone, Copy)]
pub struct IoHandle {
    /// The name, often empty.
    pub name: StringRef,
    /// The file, or undefined.
    pub file: IoFileRef,
    /// The paradigm, for example POSIX.
    pub paradigm: IoParadigmRef,
    /// The communicator whose members use it together, or undefined.
    pub communicator: CommRef,
    /// The handle on which this one is based, or undefined.
    pub parent: IoHandleRef,
}

impl Trace {
    /// Opens the archive with this anchor file and reads its definitions.
    ///
    /// # Errors
    ///
    /// If the anchor file or the global definitions cannot be read.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        Self::of(Archive::open(path)?)
    }

    /// Reads the definitions of an archive.
    ///
    /// # Errors
    ///
    /// If the global definitions cannot be read.
    pub fn of(archive: Archive) -> Result<Self, Error> {
        let (mut defined, mut communicators) = (Defined::default(), CommunicatorDefinitions::default());
        archive.each_global_definition(|definition| {
            match definition {
                GlobalDefinition::Location(it) => communicators.location(it),
                GlobalDefinition::Group(it) => communicators.group(it),
                GlobalDefinition::Comm(it) => communicators.comm(it),
                GlobalDefinition::InterComm(it) => communicators.inter_comm(it),
                GlobalDefinition::RmaWin(_) => communicators.window(),
                _ => {}
            }
            defined.define(definition);
            Ok::<_, Error>(())
        })?;
        defined.find_same();
        defined.find_processes();
        defined.communicators = communicators.resolve(|location| defined.process(location));
        Ok(Self { archive, defined, probes: Probes::default() })
    }

    /// Returns the archive.
    pub fn archive(&self) -> &Archive {
        &self.archive
    }

    /// Returns the number of events that are missing in the archive, if the writer states it.
    pub fn events_lost(&self) -> Option<u64> {
        let anchor = self.archive.anchor();
        let lost = anchor.properties.iter().find(|it| it.name.as_bytes() == EVENTS_LOST)?;
        lost.value.to_string_lossy().parse().ok()
    }

    /// Returns the clock.
    pub fn clock(&self) -> &Clock {
        &self.defined.clock
    }

    /// Returns the locations, in the order of their definitions.
    pub fn locations(&self) -> &[Location] {
        &self.defined.locations
    }

    /// Returns a location.
    pub fn location(&self, id: LocationRef) -> Option<&Location> {
        self.defined.location(id)
    }

    /// Returns the process of a location.
    pub fn process(&self, id: LocationRef) -> Process {
        self.defined.process(id)
    }

    /// Returns the location with the lowest id of each process, of some locations.
    pub(crate) fn first_threads<'l>(
        &self,
        locations: impl IntoIterator<Item = &'l Location>,
    ) -> HashMap<Process, LocationRef> {
        let mut first_threads = HashMap::new();
        for location in locations {
            let first = first_threads.entry(self.process(location.id)).or_insert(location.id);
            *first = location.id.min(*first);
        }
        first_threads
    }

    /// Returns the communicators.
    pub fn communicators(&self) -> &Communicators {
        &self.defined.communicators
    }

    /// Returns the probes of processes.
    pub(crate) fn probes(&self) -> &Probes {
        &self.probes
    }

    /// Returns the communicator whose members take part in collective operations, if they are
    /// known.
    pub fn communicator_of(&self, scope: Scope) -> Option<&Communicator> {
        let id = match scope {
            Scope::Communicator(id) => id,
            Scope::Window(id) => self.defined.windows.get(id.0.into())?.1,
        };
        self.communicators().get(id)
    }

    /// Returns the name of a communicator, or its number if it has none.
    pub fn communicator_name(&self, id: CommRef) -> Cow<'_, str> {
        let name = self.defined.communicator_names.get(id.0.into()).and_then(|name| self.string(*name));
        self.name_or(name, "communicator", id.0.into())
    }

    /// Returns the name of a window, or its number if it has none.
    pub fn window_name(&self, id: RmaWinRef) -> Cow<'_, str> {
        let name = self.defined.windows.get(id.0.into()).and_then(|window| self.string(window.0));
        self.name_or(name, "window", id.0.into())
    }

    /// Returns the identification of a paradigm of input and output, such as `POSIX`.
    pub(crate) fn io_paradigm(&self, id: IoParadigmRef) -> Option<&str> {
        self.defined
            .io_paradigms
            .get(id.0.into())
            .and_then(|(_, identification)| self.string(*identification))
    }

    /// Returns an I/O handle.
    pub fn io_handle(&self, id: IoHandleRef) -> Option<&IoHandle> {
        self.defined.io_handles.get(id.0.into())
    }

    /// Returns the path of a file, or its number if it has none.
    pub fn io_file_name(&self, id: IoFileRef) -> Cow<'_, str> {
        let name = self.defined.io_files.get(id.0.into()).and_then(|name| self.string(*name));
        self.name_or(name, "file", id.0.into())
    }

    /// Returns the name of an I/O paradigm, or its number if it has none.
    pub fn io_paradigm_name(&self, id: IoParadigmRef) -> Cow<'_, str> {
        let name = self.defined.io_paradigms.get(id.0.into()).and_then(|(name, _)| self.string(*name));
        self.name_or(name, "I/O paradigm", id.0.into())
    }

    /// Returns the ids of the regions.
    pub fn region_ids(&self) -> impl Iterator<Item = RegionRef> {
        self.defined.region_ids.iter().copied()
    }

    /// Returns a region.
    pub fn region(&self, id: RegionRef) -> Option<&Region> {
        self.defined.regions.get(id.0.into())
    }

    /// Returns the first region whose definition differs from that of `id` in nothing but the id.
    pub fn same_region(&self, id: RegionRef) -> RegionRef {
        self.defined.same.get(id.0.into()).copied().unwrap_or(id)
    }

    /// Returns a location group.
    pub fn location_group(&self, id: LocationGroupRef) -> Option<&LocationGroup> {
        self.defined.location_groups.get(id.0.into())
    }

    /// Returns a node of the system tree.
    pub fn system_tree_node(&self, id: SystemTreeNodeRef) -> Option<&SystemTreeNode> {
        self.defined.system_tree_nodes.get(id.0.into())
    }

    /// Returns the node of the machine that a location group belongs to: the innermost node of the
    /// system tree of class `node`, otherwise the one to which the group is attached.
    pub fn node_of(&self, group: LocationGroupRef) -> SystemTreeNodeRef {
        let Some(group) = self.location_group(group) else { return SystemTreeNodeRef::UNDEFINED };
        let mut next = group.parent;
        // Definitions may contain circles.
        for _ in 0..MOST_LEVELS {
            let Some(node) = self.system_tree_node(next) else { break };
            if self.string(node.class) == Some("node") {
                return next;
            }
            next = node.parent;
        }
        group.parent
    }

    /// Returns a calling context.
    pub fn calling_context(&self, id: CallingContextRef) -> Option<&CallingContext> {
        self.defined.calling_contexts.get(id.0.into())
    }

    /// Returns the metrics, in the order of their definitions.
    pub fn metrics(&self) -> impl Iterator<Item = &MetricMember> {
        self.defined.member_ids.iter().filter_map(|id| self.defined.metric_members.get(id.0.into()))
    }

    /// Returns a metric.
    pub fn metric(&self, id: MetricMemberRef) -> Option<&MetricMember> {
        self.defined.metric_members.get(id.0.into())
    }

    /// Returns the metrics of a class or instance, in the order of its values.
    pub fn metric_members(&self, id: MetricRef) -> &[MetricMemberRef] {
        self.defined.metrics.get(id.0.into()).map_or(&[], |members| members)
    }

    /// Returns the file and the line of a place in the source code; line 0 if unknown.
    pub fn source_code_location(&self, id: SourceCodeLocationRef) -> Option<(&str, u32)> {
        let (file, line) = self.defined.source_code_locations.get(id.0.into())?;
        Some((self.string(*file)?, *line))
    }

    /// Returns the time between two interrupts, in nanoseconds, unless the generator is undefined
    /// or counts events.
    pub fn period(&self, id: InterruptGeneratorRef) -> Option<u64> {
        self.defined.periods.get(id.0.into()).copied().flatten()
    }

    /// Returns the time between two interrupts where no sample is missing: that of the first
    /// generator with the name of this one. Others state the time of samples before which some are
    /// missing.
    pub fn regular_period(&self, id: InterruptGeneratorRef) -> Option<u64> {
        let name = self.defined.generator_names.get(id.0.into())?;
        self.defined.regular_periods.get(name).copied().flatten()
    }

    /// Returns the longest time between two interrupts; 0 if there is none.
    pub fn longest_period(&self) -> u64 {
        self.defined.longest_period
    }

    /// Returns a string.
    pub fn string(&self, id: StringRef) -> Option<&str> {
        self.defined.string(id)
    }

    /// Returns the name of a region, or its number if it has none.
    pub fn region_name(&self, id: RegionRef) -> Cow<'_, str> {
        let name = self.region(id).and_then(|region| self.string(region.name));
        self.name_or(name, "region", id.0.into())
    }

    /// Returns the name of a region with its place in the source code, which distinguishes it from
    /// others of that name: the last part of the file's path, and the line where it begins if it is
    /// known.
    pub fn region_name_with_place(&self, id: RegionRef) -> Cow<'_, str> {
        let name = self.region_name(id);
        let place = self.region(id).and_then(|region| Some((self.string(region.source_file)?, region.line)));
        match place.map(|(path, line)| (path.rsplit('/').next().unwrap_or_default(), line)) {
            None | Some(("", _)) => name,
            Some((file, 0)) => format!("{name} ({file})").into(),
            Some((file, line)) => format!("{name} ({file}:{line})").into(),
        }
    }

    /// Returns the name of a location, or its number if it has none.
    pub fn location_name(&self, location: &Location) -> Cow<'_, str> {
        self.name_or(self.string(location.name), "location", location.id.0)
    }

    /// Returns the name of a location group, or its number if it has none.
    pub fn location_group_name(&self, id: LocationGroupRef) -> Cow<'_, str> {
        let name = self.location_group(id).and_then(|group| self.string(group.name));
        self.name_or(name, "location group", id.0.into())
    }

    /// Returns the name of a node of the system tree, or its number if it has none.
    pub fn system_tree_node_name(&self, id: SystemTreeNodeRef) -> Cow<'_, str> {
        let name = self.system_tree_node(id).and_then(|node| self.string(node.name));
        self.name_or(name, "system tree node", id.0.into())
    }

    fn name_or<'t>(&self, name: Option<&'t str>, kind: &str, id: u64) -> Cow<'t, str> {
        match name {
            Some(name) if !name.is_empty() => name.into(),
            _ => format!("<{kind} {id}>").into(),
        }
    }
}

impl Defined {
    fn location(&self, id: LocationRef) -> Option<&Location> {
        self.location_places.get(id.0).and_then(|place| self.locations.get(*place))
    }

    fn process(&self, id: LocationRef) -> Process {
        Process::of(id, self.location(id).map_or(LocationGroupRef::UNDEFINED, |it| it.group))
    }

    fn string(&self, id: StringRef) -> Option<&str> {
        self.strings.get(id.0.into()).map(|text| &**text)
    }

    /// Finds the regions whose definitions differ in nothing but the id, as writers that do not
    /// unify the definitions of processes make them.
    fn find_same(&mut self) {
        let mut first = HashMap::new();
        let mut same = Index::default();
        for id in &self.region_ids {
            let Some(it) = self.regions.get(id.0.into()) else { continue };
            let [name, canonical, file] =
                [it.name, it.canonical_name, it.source_file].map(|text| self.string(text));
            let found = *first.entry((name, canonical, file, it.line, it.role, it.paradigm)).or_insert(*id);
            if found != *id {
                same.insert(id.0.into(), found);
            }
        }
        self.same = same;
    }

    /// Lets the streams of accelerators belong to their processes.
    fn find_processes(&mut self) {
        let groups = &self.location_groups;
        let group = |id: LocationGroupRef| groups.get(id.0.into());
        for location in &mut self.locations {
            let creator = group(location.group).and_then(|it| group(it.creator));
            creator.into_iter().for_each(|creator| location.group = creator.id);
        }
    }

    fn define(&mut self, definition: &GlobalDefinition<'_>) {
        match definition {
            GlobalDefinition::ClockProperties(it) => self.clock = Clock::of(it),
            GlobalDefinition::String(it) => {
                self.strings.insert(it.id.0.into(), it.string.to_string_lossy().into());
            }
            GlobalDefinition::Region(it) => {
                let region = Region {
                    name: it.name,
                    canonical_name: it.canonical_name,
                    role: it.region_role,
                    paradigm: it.paradigm,
                    source_file: it.source_file,
                    line: it.begin_line_number,
                };
                self.regions.insert(it.id.0.into(), region);
                self.region_ids.push(it.id);
            }
            GlobalDefinition::Location(it) => {
                self.location_places.insert(it.id.0, self.locations.len());
                self.locations.push(Location {
                    id: it.id,
                    name: it.name,
                    location_type: it.location_type,
                    group: it.location_group,
                    events: it.number_of_events,
                });
            }
            GlobalDefinition::LocationGroup(it) => {
                let is_of_accelerator = it.location_group_type == LocationGroupType::ACCELERATOR;
                let creator =
                    if is_of_accelerator { it.creating_location_group } else { LocationGroupRef::UNDEFINED };
                let group =
                    LocationGroup { id: it.id, name: it.name, parent: it.system_tree_parent, creator };
                self.location_groups.insert(it.id.0.into(), group);
            }
            GlobalDefinition::SystemTreeNode(it) => {
                let node =
                    SystemTreeNode { id: it.id, name: it.name, class: it.class_name, parent: it.parent };
                self.system_tree_nodes.insert(it.id.0.into(), node);
            }
            GlobalDefinition::SourceCodeLocation(it) => {
                self.source_code_locations.insert(it.id.0.into(), (it.file, it.line_number));
            }
            GlobalDefinition::CallingContext(it) => {
                let context =
                    CallingContext { region: it.region, place: it.source_code_location, parent: it.parent };
                self.calling_contexts.insert(it.id.0.into(), context);
            }
            GlobalDefinition::MetricMember(it) => {
                let (id, name, unit) = (it.id, it.name, it.unit);
                let (mode, value_type) = (it.metric_mode, it.value_type);
                self.metric_members.insert(id.0.into(), MetricMember { id, name, unit, mode, value_type });
                self.member_ids.push(id);
            }
            GlobalDefinition::MetricClass(it) => {
                self.metrics.insert(it.id.0.into(), it.metric_members.iter().collect());
            }
            GlobalDefinition::MetricInstance(it) => {
                if let Some(members) = self.metrics.get(it.metric_class.0.into()).cloned() {
                    self.metrics.insert(it.id.0.into(), members);
                }
            }
            GlobalDefinition::Comm(it) => self.communicator_names.insert(it.id.0.into(), it.name),
            GlobalDefinition::InterComm(it) => self.communicator_names.insert(it.id.0.into(), it.name),
            GlobalDefinition::RmaWin(it) => self.windows.insert(it.id.0.into(), (it.name, it.comm)),
            GlobalDefinition::IoRegularFile(it) => self.io_files.insert(it.id.0.into(), it.name),
            GlobalDefinition::IoDirectory(it) => self.io_files.insert(it.id.0.into(), it.name),
            GlobalDefinition::IoParadigm(it) => {
                self.io_paradigms.insert(it.id.0.into(), (it.name, it.identification));
            }
            GlobalDefinition::IoHandle(it) => {
                let handle = IoHandle {
                    name: it.name,
                    file: it.file,
                    paradigm: it.io_paradigm,
                    communicator: it.comm,
                    parent: it.parent,
                };
                self.io_handles.insert(it.id.0.into(), handle);
            }
            GlobalDefinition::InterruptGenerator(it) => {
                let is_time = it.interrupt_generator_mode == InterruptGeneratorMode::TIME;
                let period = is_time.then(|| nanoseconds(it.period, it.base, it.exponent)).flatten();
                self.longest_period = self.longest_period.max(period.unwrap_or(0));
                self.periods.insert(it.id.0.into(), period);
                self.generator_names.insert(it.id.0.into(), it.name);
                self.regular_periods.entry(it.name).or_insert(period);
            }
            _ => {}
        }
    }
}

/// The property of the anchor file in which Kymo states how many events are missing.
const EVENTS_LOST: &[u8] = b"KYMO::EVENTS_LOST";
/// The largest depth of a system tree.
const MOST_LEVELS: usize = 64;

/// Returns a period in nanoseconds, if it can be expressed.
fn nanoseconds(period: u64, base: Base, exponent: i64) -> Option<u64> {
    let base = if base == Base::BINARY { 2.0_f64 } else { 10.0 };
    let time = period as f64 * base.powi(i32::try_from(exponent).ok()?) * 1e9;
    (time.is_finite() && (0.0..1e19).contains(&time)).then(|| time.round() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn periods_are_scaled() {
        assert_eq!(nanoseconds(1, Base::DECIMAL, -3), Some(1_000_000));
        assert_eq!(nanoseconds(12_500, Base::DECIMAL, -6), Some(12_500_000));
        assert_eq!(nanoseconds(1, Base::BINARY, -1), Some(500_000_000));
        assert_eq!(nanoseconds(7, Base::DECIMAL, i64::MAX), None);
        assert_eq!(nanoseconds(u64::MAX, Base::DECIMAL, 0), None);
    }
}
