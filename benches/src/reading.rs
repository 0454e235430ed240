//! Reading the events of an archive: location by location, in the order of time, on several
//! threads. [`reading_tables`](crate::reading_tables) measures it.
//!
//! Both readers compute the same checksum over time, location and one field of every event, in the
//! order of reading.

use crate::Result;
use crate::format_writer::write_events;
use crate::measure::{Sample, process_cpu, resident};
use crate::stream::{Case, REGIONS};
use kymo_otf2::definitions::{
    self, ClockOffset, ClockProperties, GlobalDefinition, Location, LocationGroup, MappingTable, Region,
    SystemTreeNode,
};
use kymo_otf2::enums::{LocationGroupType, LocationType, MappingType};
use kymo_otf2::events::Event;
use kymo_otf2::id_map::IdMap;
use kymo_otf2::read::{Archive, Events, InOrder, LocationReader, TimedRecord};
use kymo_otf2::references::{LocationGroupRef, LocationRef, RegionRef, StringRef, SystemTreeNodeRef};
use kymo_otf2::storage::Directory;
use kymo_otf2::value::Timestamp;
use kymo_otf2::write::{DefinitionWriter, GlobalDefinitionWriter, LocalDefinitionWriter, StoragePieces};
use kymo_otf2::{Anchor, FileName, Storage, write};
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

const CHUNK: u64 = 1 << 20;
const PIECE: usize = 64 * 1024;

/// A checksum that depends on the order of its values.
#[derive(Debug, Default)]
pub(crate) struct Sum(pub(crate) u64);

impl Sum {
    #[inline(always)]
    pub(crate) fn add(&mut self, location: u64, time: u64, value: u64) {
        self.0 = self.0.wrapping_mul(31).wrapping_add(time ^ value << 32 ^ location);
    }

    #[inline(always)]
    fn event(&mut self, location: u64, event: &TimedRecord<'_, Event<'_>>) {
        let value = match event.record {
            Event::Enter(enter) => enter.region.0.into(),
            Event::Leave(leave) => leave.region.0.into(),
            Event::MpiSend(send) => send.msg_length,
            Event::MpiRecv(receive) => receive.msg_length,
            Event::Metric(metric) => metric.metric_values.iter().next().map_or(0, |value| value.bits),
            _ => return,
        };
        self.add(location, event.time, value);
    }
}

/// A function that is called for each event.
type Callback = fn(&mut Sum, u64, &TimedRecord<'_, Event<'_>>);

/// Returns the callback as a function whose address the compiler does not know.
fn callback() -> Callback {
    black_box(|sum, location, event| sum.event(location, event))
}

type Opened = kymo_otf2::Result<u64>;

/// Reads location by location; returns the time after opening them.
fn by_location(
    archive: &Archive,
    mut read: impl FnMut(&mut LocationReader<Events>) -> kymo_otf2::Result<()>,
) -> Opened {
    let locations = archive.locations()?;
    let readers = locations.iter().map(|&location| archive.events(location));
    let readers: Vec<_> = readers.collect::<kymo_otf2::Result<_>>()?;
    let opened = process_cpu();
    readers.into_iter().try_for_each(|mut reader| read(&mut reader))?;
    Ok(opened)
}

/// Reads in the order of time; returns the time after opening all locations.
fn in_order(archive: &Archive, read: impl FnOnce(&mut InOrder<Events>) -> kymo_otf2::Result<()>) -> Opened {
    let mut events = archive.events_in_order(&archive.locations()?)?;
    let opened = process_cpu();
    read(&mut events)?;
    Ok(opened)
}

/// Reads an archive in one of the ways.
pub(crate) fn child(way: &str, anchor: &Path) -> Result<Sample> {
    let began = process_cpu();
    let archive = Archive::open(anchor)?;
    let (mut sum, callback) = (Sum::default(), callback());
    let opened = match way {
        "local-visitor" => by_location(&archive, |events| {
            let location = events.location();
            events.each(|event| {
                sum.event(location, event);
                Ok(())
            })
        }),
        "local-callback" => by_location(&archive, |events| {
            let location = events.location();
            events.each(|event| {
                callback(&mut sum, location, event);
                Ok(())
            })
        }),
        "local-next" => by_location(&archive, |events| {
            let location = events.location();
            while let Some(event) = events.next()? {
                sum.event(location, &event);
            }
            Ok(())
        }),
        "global-visitor" => in_order(&archive, |events| {
            events.each(|location, event| {
                sum.event(location, event);
                Ok(())
            })
        }),
        "global-callback" => in_order(&archive, |events| {
            events.each(|location, event| {
                callback(&mut sum, location, event);
                Ok(())
            })
        }),
        "global-next" => in_order(&archive, |events| {
            while let Some((location, event)) = events.next()? {
                sum.event(location, &event);
            }
            Ok(())
        }),
        other => return Err(format!("there is no way `{other}` to read").into()),
    }?;
    let read = process_cpu() - opened;
    Ok(Sample { recorded: read, total: process_cpu() - began, bytes: sum.0, memory: resident() })
}

/// Reads the locations of an archive on `threads` threads, each of which takes the next location.
/// Returns the nanoseconds on the clock, and those of CPU.
pub(crate) fn threads(threads: usize, anchor: &Path) -> Result<Sample> {
    let archive = Archive::open(anchor)?;
    let locations = archive.locations()?;
    let next = AtomicUsize::new(0);
    let read = || -> kymo_otf2::Result<u64> {
        let mut all = 0_u64;
        while let Some(&location) = locations.get(next.fetch_add(1, Ordering::Relaxed)) {
            let mut sum = Sum::default();
            archive.events(location)?.each(|event| {
                sum.event(location, event);
                Ok::<_, kymo_otf2::Error>(())
            })?;
            all = all.wrapping_add(sum.0);
        }
        Ok(all)
    };
    let (began, cpu) = (Instant::now(), process_cpu());
    let sums: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(read)).collect();
        threads.into_iter().map(|thread| thread.join().map_err(|_| "a thread panicked")).collect()
    });
    let (wall, cpu) = (began.elapsed().as_nanos() as u64, process_cpu() - cpu);
    let sums: kymo_otf2::Result<Vec<u64>> =
        sums.into_iter().collect::<std::result::Result<Vec<_>, _>>()?.into_iter().collect();
    let bytes = sums?.into_iter().fold(0, u64::wrapping_add);
    Ok(Sample { recorded: wall, total: cpu, bytes, memory: resident() })
}

/// The content of the local definition files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Local {
    /// Nothing: ids and times are global.
    Empty,
    /// A mapping table of the regions, and clock offsets.
    Mapped,
}

/// Writes the archive of a row; returns its anchor file.
pub(crate) fn archive(
    folder: &Path,
    case: Case,
    local: Local,
    locations: u64,
    pairs: u64,
) -> Result<PathBuf> {
    let storage = Directory::make(folder, kymo_otf2::archive::DEFAULT_NAME)?;
    storage.create()?;
    for location in 0..locations {
        write_events(&storage, location, case, pairs)?;
        write_local_definitions(&storage, location, local)?;
    }
    let pieces = StoragePieces::new(&storage, FileName::GlobalDefinitions, PIECE);
    let mut writer: GlobalDefinitionWriter<_> = DefinitionWriter::new(pieces, CHUNK)?;
    for definition in definitions(locations, case.records() * pairs) {
        writer.record(&definition)?;
    }
    let anchor = Anchor {
        event_chunk_size: CHUNK,
        definition_chunk_size: CHUNK,
        number_of_locations: locations,
        number_of_global_definitions: writer.records(),
        ..Anchor::default()
    };
    writer.finish()?;
    storage.write_at(FileName::Anchor, 0, &write::anchor::anchor_bytes(&anchor)?)?;
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

fn definitions(locations: u64, events: u64) -> impl Iterator<Item = GlobalDefinition<'static>> {
    let (empty, node, group) = (StringRef(0), SystemTreeNodeRef(0), LocationGroupRef(0));
    let clock = ClockProperties {
        timer_resolution: 1_000_000_000,
        global_offset: 0,
        trace_length: u64::MAX,
        realtime_timestamp: u64::MAX,
    };
    let first: [GlobalDefinition<'static>; 4] = [
        clock.into(),
        definitions::String { id: empty, string: "".into() }.into(),
        SystemTreeNode { id: node, name: empty, class_name: empty, parent: SystemTreeNodeRef::UNDEFINED }
            .into(),
        LocationGroup {
            id: group,
            name: empty,
            location_group_type: LocationGroupType::PROCESS,
            system_tree_parent: node,
            creating_location_group: LocationGroupRef::UNDEFINED,
        }
        .into(),
    ];
    let regions = (0..REGIONS).map(move |region| {
        let region = Region::function(RegionRef(region), empty);
        GlobalDefinition::from(Region { description: empty, source_file: empty, ..region })
    });
    let locations = (0..locations).map(move |location| {
        GlobalDefinition::from(Location {
            id: LocationRef(location),
            name: empty,
            location_type: LocationType::CPU_THREAD,
            number_of_events: events,
            location_group: group,
        })
    });
    first.into_iter().chain(regions).chain(locations)
}
