//! The archives that the stages about reading and printing read: the definitions of a small MPI
//! program, and for every location the events of a case.

use crate::Result;
use crate::format_writer::write_events;
use crate::stream::{Case, REGIONS};
use kymo_otf2::definitions::{
    self, ClockOffset, ClockProperties, Comm, Group, Location, LocationGroup, MappingTable, MetricClass,
    MetricMember, Parameter, Region, SystemTreeNode,
};
use kymo_otf2::enums::{
    Base, GroupType, LocationGroupType, LocationType, MappingType, MetricMode, MetricOccurrence, MetricType,
    Paradigm, ParameterType, RecorderKind, Type,
};
use kymo_otf2::flags::{CommFlag, GroupFlag};
use kymo_otf2::id_map::IdMap;
use kymo_otf2::list::List;
use kymo_otf2::references::{
    CommRef, GroupRef, LocationGroupRef, LocationRef, MetricMemberRef, MetricRef, ParameterRef, RegionRef,
    StringRef, SystemTreeNodeRef,
};
use kymo_otf2::storage::Directory;
use kymo_otf2::value::Timestamp;
use kymo_otf2::write::anchor::anchor_bytes;
use kymo_otf2::write::{DefinitionWriter, GlobalDefinitionWriter, LocalDefinitionWriter, StoragePieces};
use kymo_otf2::{Anchor, FileName, Storage};
use std::path::{Path, PathBuf};

const CHUNK: u64 = 1 << 20;
const PIECE: usize = 64 * 1024;

/// The functions of libraries, which no [`Case`] enters.
const FUNCTIONS: [(RegionRef, &str, Paradigm); 4] = [
    (MPI_SEND, "MPI_Send", Paradigm::MPI),
    (MPI_RECV, "MPI_Recv", Paradigm::MPI),
    (SET_LOCK, "omp_set_lock", Paradigm::OPENMP),
    (UNSET_LOCK, "omp_unset_lock", Paradigm::OPENMP),
];
pub(crate) const MPI_SEND: RegionRef = RegionRef(REGIONS);
pub(crate) const MPI_RECV: RegionRef = RegionRef(REGIONS + 1);
pub(crate) const SET_LOCK: RegionRef = RegionRef(REGIONS + 2);
pub(crate) const UNSET_LOCK: RegionRef = RegionRef(REGIONS + 3);

/// The content of the local definition files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Local {
    /// Nothing: ids and times are global.
    Empty,
    /// A mapping table of the regions, and clock offsets.
    Mapped,
}

/// Writes an archive; returns its anchor file.
pub(crate) fn write(folder: &Path, case: Case, local: Local, locations: u64, pairs: u64) -> Result<PathBuf> {
    write_lasting(folder, case, local, locations, pairs, u64::MAX)
}

/// Does the same, with the length of the trace.
pub(crate) fn write_lasting(
    folder: &Path,
    case: Case,
    local: Local,
    locations: u64,
    pairs: u64,
    length: u64,
) -> Result<PathBuf> {
    let storage = Directory::make(folder, kymo_otf2::archive::DEFAULT_NAME)?;
    storage.create()?;
    for location in 0..locations {
        write_events(&storage, location, case, pairs)?;
        write_local_definitions(&storage, location, local)?;
    }
    let anchor = Anchor {
        event_chunk_size: CHUNK,
        definition_chunk_size: CHUNK,
        number_of_locations: locations,
        number_of_global_definitions: write_definitions(
            &storage,
            case,
            locations,
            case.records() * pairs,
            length,
        )?,
        ..Anchor::default()
    };
    storage.write_at(FileName::Anchor, 0, &anchor_bytes(&anchor)?)?;
    Ok(folder.join("traces.otf2"))
}

fn write_local_definitions(storage: &Directory, location: u64, local: Local) -> Result<()> {
    let pieces = StoragePieces::new(storage, FileName::LocalDefinitions(location), PIECE);
    let mut writer: LocalDefinitionWriter<_> = DefinitionWriter::new(pieces, CHUNK)?;
    if local == Local::Mapped {
        let table: Vec<u64> = (0..REGIONS.into()).rev().collect();
        let id_map = IdMap::from_table(&table).ok_or("a table")?;
        writer.record(&MappingTable { mapping_type: MappingType::REGION, id_map })?;
        // The clock is constantly slower than the others, by a millionth.
        for (time, offset) in [(0, 1000), (1 << 50, 1000 + (1 << 30))] {
            writer.record(&ClockOffset { time: Timestamp(time), offset, standard_deviation: 0.0 })?;
        }
    }
    writer.finish()?;
    Ok(())
}

/// The writer of the global definitions, with the strings so far.
struct Definitions<'a> {
    writer: GlobalDefinitionWriter<StoragePieces<&'a Directory>>,
    strings: u32,
}

/// Writes the global definitions; returns their number. `events` is the number of events of each
/// location.
fn write_definitions(
    storage: &Directory,
    case: Case,
    locations: u64,
    events: u64,
    length: u64,
) -> Result<u64> {
    let pieces = StoragePieces::new(storage, FileName::GlobalDefinitions, PIECE);
    let mut definitions = Definitions { writer: DefinitionWriter::new(pieces, CHUNK)?, strings: 0 };
    definitions.clock(length)?;
    definitions.processes(locations, events)?;
    definitions.regions()?;
    definitions.communicator(locations)?;
    definitions.metrics(case)?;
    let count = definitions.writer.records();
    definitions.writer.finish()?;
    Ok(count)
}

impl Definitions<'_> {
    fn string(&mut self, string: &str) -> Result<StringRef> {
        let id = StringRef(self.strings);
        self.writer.record(&definitions::String { id, string: string.into() })?;
        self.strings += 1;
        Ok(id)
    }

    fn clock(&mut self, trace_length: u64) -> Result<()> {
        let clock = ClockProperties {
            timer_resolution: 1_000_000_000,
            global_offset: 0,
            trace_length,
            realtime_timestamp: u64::MAX,
        };
        Ok(self.writer.record(&clock)?)
    }

    /// Writes one process per location, all on one node.
    fn processes(&mut self, locations: u64, events: u64) -> Result<()> {
        let node = SystemTreeNodeRef(0);
        let [name, class_name] = [self.string("node01")?, self.string("node")?];
        self.writer.record(&SystemTreeNode {
            id: node,
            name,
            class_name,
            parent: SystemTreeNodeRef::UNDEFINED,
        })?;
        let thread = self.string("Master thread")?;
        for number in 0..locations {
            let group = LocationGroupRef(number as u32);
            let name = self.string(&format!("MPI Rank {number}"))?;
            self.writer.record(&LocationGroup {
                id: group,
                name,
                location_group_type: LocationGroupType::PROCESS,
                system_tree_parent: node,
                creating_location_group: LocationGroupRef::UNDEFINED,
            })?;
            self.writer.record(&Location {
                id: LocationRef(number),
                name: thread,
                location_type: LocationType::CPU_THREAD,
                number_of_events: events,
                location_group: group,
            })?;
        }
        Ok(())
    }

    fn regions(&mut self) -> Result<()> {
        let file = self.string("solver.c")?;
        for region in 0..REGIONS {
            let name = self.string(&format!("function_{region}"))?;
            let region = Region::function(RegionRef(region), name);
            self.writer.record(&Region { source_file: file, ..region })?;
        }
        for (region, name, paradigm) in FUNCTIONS {
            let name = self.string(name)?;
            self.writer.record(&Region { paradigm, ..Region::function(region, name) })?;
        }
        Ok(())
    }

    /// Writes the communicator of all processes.
    fn communicator(&mut self, locations: u64) -> Result<()> {
        let members: Vec<u64> = (0..locations).collect();
        let name = self.string("MPI_COMM_WORLD")?;
        for (number, group_type) in (0..).zip([GroupType::COMM_LOCATIONS, GroupType::COMM_GROUP]) {
            self.writer.record(&Group {
                id: GroupRef(number),
                name,
                group_type,
                paradigm: Paradigm::MPI,
                group_flags: GroupFlag::NONE,
                members: List::truncated(&members),
            })?;
        }
        let (id, group, parent) = (CommRef(0), GroupRef(1), CommRef::UNDEFINED);
        Ok(self.writer.record(&Comm { id, name, group, parent, flags: CommFlag::NONE })?)
    }

    /// Writes the metric class of a case, and a parameter.
    fn metrics(&mut self, case: Case) -> Result<()> {
        let names = ["PAPI_TOT_CYC", "PAPI_TOT_INS", "PAPI_L2_DCM"];
        let names = if case == Case::Metrics { &names[..] } else { &names[..1] };
        let unit = self.string("#")?;
        let mut members = Vec::new();
        for (number, name) in (0..).zip(names) {
            let name = self.string(name)?;
            members.push(MetricMemberRef(number));
            self.writer.record(&MetricMember {
                id: MetricMemberRef(number),
                name,
                description: name,
                metric_type: MetricType::PAPI,
                metric_mode: MetricMode::ACCUMULATED_START,
                value_type: Type::UINT64,
                base: Base::DECIMAL,
                exponent: 0,
                unit,
            })?;
        }
        self.writer.record(&MetricClass {
            id: MetricRef(0),
            metric_members: List::truncated(&members),
            metric_occurrence: MetricOccurrence::SYNCHRONOUS_STRICT,
            recorder_kind: RecorderKind::CPU,
        })?;
        let name = self.string("step")?;
        let parameter = Parameter { id: ParameterRef(0), name, parameter_type: ParameterType::UINT64 };
        Ok(self.writer.record(&parameter)?)
    }
}
