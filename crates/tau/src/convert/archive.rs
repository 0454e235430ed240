//! The definitions and the anchor of the archive.
//!
//! Ids are dense and follow the order of nodes, threads and event files. TAU does not record the
//! members of a communicator, so every communicator contains all nodes, and ranks follow the order
//! of nodes.

use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};

use kymo_otf2::anchor::{Properties, Property};
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
use kymo_otf2::write::anchor::anchor_bytes;
use kymo_otf2::write::{DefinitionWriter, GlobalDefinitionWriter, StoragePieces};
use kymo_otf2::{Anchor, FileName, Storage};

use super::report::Error;
use super::source_position::SourcePosition;
use super::survey::Survey;
use crate::record::Thread;

/// The number of bytes collected before they are written.
const PIECE: usize = 64 << 10;
/// Ticks per second.
const RESOLUTION: u64 = 1_000_000;
/// The largest chunk size of definitions, so that a group can have many regions.
const CHUNK: u64 = 16 << 20;
/// The empty string.
const EMPTY: StringRef = StringRef(0);
const SYSTEM: SystemTreeNodeRef = SystemTreeNodeRef(0);

/// A location with the number of its events.
#[derive(Clone, Copy, Debug)]
pub(super) struct Written {
    pub(super) thread: Thread,
    pub(super) events: u64,
}

/// Writes the definitions of an archive.
pub(super) struct ConvertedDefinitions<'a> {
    writer: GlobalDefinitionWriter<StoragePieces<&'a dyn Storage>>,
    strings: HashMap<Vec<u8>, StringRef>,
    groups: u32,
}

impl<'a> ConvertedDefinitions<'a> {
    /// Starts the file.
    pub(super) fn new(storage: &'a dyn Storage) -> Result<Self, Error> {
        let pieces = StoragePieces::new(storage, FileName::GlobalDefinitions, PIECE);
        let writer = DefinitionWriter::new(pieces, CHUNK)?;
        let mut definitions = ConvertedDefinitions { writer, strings: HashMap::new(), groups: 0 };
        definitions.string(b"")?;
        Ok(definitions)
    }

    /// Writes all definitions. Returns their number.
    pub(super) fn write(mut self, survey: &Survey, locations: &[Written]) -> Result<u64, Error> {
        self.clock(survey)?;
        self.regions(survey)?;
        self.metrics(survey)?;
        self.region_groups(survey)?;
        self.locations(locations)?;
        self.communicators(survey, locations)?;
        self.writer.finish()?;
        Ok(self.writer.records())
    }

    fn put(&mut self, definition: impl Into<GlobalDefinition<'a>>) -> Result<(), Error> {
        Ok(self.writer.record(&definition.into())?)
    }

    fn string(&mut self, text: &[u8]) -> Result<StringRef, Error> {
        if let Some(&id) = self.strings.get(text) {
            return Ok(id);
        }
        let id = StringRef(self.strings.len() as u32);
        self.writer.record(&definitions::String { id, string: kymo_otf2::text::Text::new(text) })?;
        self.strings.insert(text.to_owned(), id);
        Ok(id)
    }

    fn clock(&mut self, survey: &Survey) -> Result<(), Error> {
        let (first, last) = survey.span.unwrap_or_default();
        self.put(ClockProperties {
            timer_resolution: RESOLUTION,
            global_offset: first,
            trace_length: last - first,
            realtime_timestamp: realtime(first, survey.wall_clock).unwrap_or(u64::MAX),
        })
    }

    fn regions(&mut self, survey: &Survey) -> Result<(), Error> {
        for (id, region) in (0..).zip(&survey.dictionary.regions) {
            let position = SourcePosition::of(&region.name);
            let (name, canonical_name) = (self.string(&region.name)?, self.string(position.name)?);
            let source_file = self.string(position.file)?;
            self.put(Region {
                id: RegionRef(id),
                name,
                description: EMPTY,
                source_file,
                begin_line_number: position.begin,
                end_line_number: position.end,
                canonical_name,
                region_role: RegionRole::UNKNOWN,
                paradigm: Paradigm::UNKNOWN,
                region_flags: RegionFlag::NONE,
            })?;
        }
        Ok(())
    }

    fn metrics(&mut self, survey: &Survey) -> Result<(), Error> {
        for (id, metric) in (0..).zip(&survey.dictionary.metrics) {
            let name = self.string(&metric.name)?;
            let (metric_mode, metric_occurrence) = match metric.is_monotonic {
                true => (MetricMode::ACCUMULATED_START, MetricOccurrence::SYNCHRONOUS_STRICT),
                // Triggered by the program, at arbitrary points.
                false => (MetricMode::ABSOLUTE_POINT, MetricOccurrence::ASYNCHRONOUS),
            };
            let is_papi = metric.is_monotonic && metric.name.starts_with(b"PAPI");
            self.put(MetricMember {
                id: MetricMemberRef(id),
                name,
                description: name,
                metric_type: if is_papi { MetricType::PAPI } else { MetricType::OTHER },
                metric_mode,
                value_type: Type::INT64,
                base: Base::DECIMAL,
                exponent: 0,
                unit: EMPTY,
            })?;
            self.writer.record(&MetricClass {
                id: MetricRef(id),
                metric_members: List::truncated(&[MetricMemberRef(id)]),
                metric_occurrence,
                recorder_kind: RecorderKind::CPU,
            })?;
        }
        Ok(())
    }

    /// Writes one group for every TAU group with states, whether it was reported or not.
    fn region_groups(&mut self, survey: &Survey) -> Result<(), Error> {
        let mut members: BTreeMap<usize, Vec<u64>> = BTreeMap::new();
        for (id, region) in (0..).zip(&survey.dictionary.regions) {
            members.entry(region.group).or_default().push(id);
        }
        for (group, members) in members {
            let name = survey.dictionary.groups.get(group).map_or(&b""[..], |name| name);
            self.group(name, GroupType::REGIONS, Paradigm::UNKNOWN, &members)?;
        }
        Ok(())
    }

    fn group(
        &mut self,
        name: &[u8],
        group_type: GroupType,
        paradigm: Paradigm,
        members: &[u64],
    ) -> Result<GroupRef, Error> {
        let (id, name) = (GroupRef(self.groups), self.string(name)?);
        self.groups += 1;
        let members = List::new(members).map_err(kymo_otf2::Error::from)?;
        let group_flags = GroupFlag::NONE;
        self.writer.record(&Group { id, name, members, group_type, paradigm, group_flags })?;
        Ok(id)
    }

    fn locations(&mut self, locations: &[Written]) -> Result<(), Error> {
        let name = self.string(b"System")?;
        let parent = SystemTreeNodeRef::UNDEFINED;
        self.put(SystemTreeNode { id: SYSTEM, name, class_name: name, parent })?;
        let of_nodes = || locations.chunk_by(|one, other| one.thread.node == other.thread.node);
        let (nodes, mut id) = (of_nodes().count(), 0);
        for (node, of_node) in (0..).zip(of_nodes()) {
            self.location_group(node, of_node)?;
            for location in of_node {
                self.location(id, LocationGroupRef(node), location, nodes)?;
                id += 1;
            }
        }
        Ok(())
    }

    fn location_group(&mut self, id: u32, locations: &[Written]) -> Result<(), Error> {
        let number = locations.first().map_or(0, |location| location.thread.node);
        let name = self.string(format!("Process {number}").as_bytes())?;
        self.put(LocationGroup {
            id: LocationGroupRef(id),
            name,
            location_group_type: LocationGroupType::PROCESS,
            system_tree_parent: SYSTEM,
            creating_location_group: LocationGroupRef::UNDEFINED,
        })
    }

    fn location(
        &mut self,
        id: u64,
        location_group: LocationGroupRef,
        location: &Written,
        nodes: usize,
    ) -> Result<(), Error> {
        let name = match location.thread.thread {
            0 if nodes == 1 => "Master thread".to_owned(),
            0 => "Rank".to_owned(),
            number => format!("Thread {number}"),
        };
        let name = self.string(name.as_bytes())?;
        self.put(Location {
            id: LocationRef(id),
            name,
            location_type: LocationType::CPU_THREAD,
            number_of_events: location.events,
            location_group,
        })
    }

    fn communicators(&mut self, survey: &Survey, locations: &[Written]) -> Result<(), Error> {
        // The first thread of each node represents its rank.
        let mut firsts: BTreeMap<u16, u64> = BTreeMap::new();
        for (id, location) in (0..).zip(locations) {
            firsts.entry(location.thread.node).or_insert(id);
        }
        let firsts: Vec<u64> = firsts.into_values().collect();
        let ranks: Vec<u64> = (0..).zip(&firsts).map(|(rank, _)| rank).collect();
        self.group(b"MPI_COMM_WORLD", GroupType::COMM_LOCATIONS, Paradigm::MPI, &firsts)?;
        let group = self.group(b"", GroupType::COMM_GROUP, Paradigm::MPI, &ranks)?;
        for number in survey.communicators.numbers() {
            let name = match number {
                0 => "MPI_COMM_WORLD".to_owned(),
                number => format!("Communicator {number}"),
            };
            let name = self.string(name.as_bytes())?;
            let (id, parent) = (CommRef(survey.communicators.id(number).into()), CommRef::UNDEFINED);
            self.put(Comm { id, name, group, parent, flags: CommFlag::NONE })?;
        }
        Ok(())
    }
}

/// Returns the nanoseconds since 1970 at a time of the trace.
/// Times are microseconds since 1970, unless the trace was shifted. In that case the result follows
/// from the wall clock recorded by the tracer, which has a resolution of one second.
fn realtime(time: u64, wall_clock: Option<(u64, i64)>) -> Option<u64> {
    /// The times from 1990 to 2100, the only ones taken for times since 1970.
    const LIKELY: std::ops::Range<u64> = 631_152_000_000_000..4_102_444_800_000_000;
    /// The tolerance when comparing a time with the wall clock, in microseconds.
    const CLOSE: u128 = 2_000_000;
    let exact = time.checked_mul(1000);
    let Some((at, seconds)) = wall_clock else { return exact.filter(|_| LIKELY.contains(&time)) };
    let wall = i128::from(seconds) * 1_000_000;
    if wall.abs_diff(at.into()) <= CLOSE {
        return exact;
    }
    u64::try_from((wall + i128::from(time) - i128::from(at)) * 1000).ok()
}

/// Writes the anchor, which completes the archive.
pub(super) fn write_anchor(
    storage: &dyn Storage,
    survey: &Survey,
    locations: u64,
    definitions: u64,
    events: u64,
) -> Result<(), Error> {
    let mut trace_id = DefaultHasher::new();
    (survey.span, locations, definitions, events).hash(&mut trace_id);
    let incomplete = [Property::new("OTF2::MPI_COMMUNICATION_COMPLETE", "false")];
    let is_incomplete = usize::from(!survey.messages_are_complete());
    let anchor = Anchor {
        definition_chunk_size: CHUNK,
        number_of_locations: locations,
        number_of_global_definitions: definitions,
        creator: concat!("Kymo ", env!("CARGO_PKG_VERSION")).into(),
        description: "Data converted from TAU trace output".into(),
        properties: Properties::new(incomplete.get(..is_incomplete).unwrap_or_default()),
        trace_id: trace_id.finish(),
        ..Anchor::default()
    };
    let (file, bytes) = (FileName::Anchor, anchor_bytes(&anchor)?);
    Ok(storage
        .write_at(file, 0, &bytes)
        .map_err(|source| kymo_otf2::Error::Io { file: Some(file), source })?)
}
