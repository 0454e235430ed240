//! The archives that the fuzzers start from: small, and each with a feature that the others do not
//! have.

use super::files::Files;
use flate2::{Compress, Compression, FlushCompress};
use kymo_otf2::attributes::Attribute;
use kymo_otf2::definitions::{ClockOffset, Location, MappingTable, String};
use kymo_otf2::enums::{self, LocationType, MappingType};
use kymo_otf2::events::{BufferFlush, Enter, Event, Leave, Metric};
use kymo_otf2::id_map::IdMap;
use kymo_otf2::list::List;
use kymo_otf2::references::{AttributeRef, LocationGroupRef, LocationRef, MetricRef, RegionRef, StringRef};
use kymo_otf2::storage::{Directory, Memory};
use kymo_otf2::value::{MetricValue, Timestamp};
use kymo_otf2::write::{EventWriter, GlobalDefinitionWriter, LocalDefinitionWriter, StoragePieces, anchor};
use kymo_otf2::{Anchor, BigEndian, ByteOrder, FileName, LittleEndian, Storage, read};
use std::collections::BTreeMap;
use std::path::Path;

const CHUNK: usize = 262_144;

/// Files with their names and contents.
pub type Named = BTreeMap<FileName, Vec<u8>>;

/// Returns complete archives. `every_record` is the directory of the archive with every record.
pub fn archives(every_record: &Path) -> Vec<(&'static str, Named)> {
    vec![
        ("every-record", every(every_record)),
        ("little", archive::<LittleEndian>(1)),
        ("big", archive::<BigEndian>(1)),
        ("chunks", archive::<LittleEndian>(4)),
        ("zlib", compressed(archive::<LittleEndian>(2))),
    ]
}

/// Returns the names and bytes of the seeds: these archives, and parts of the first.
pub fn seeds(every_record: &Path) -> Vec<(&'static str, Vec<u8>)> {
    let mut seeds: Vec<_> =
        archives(every_record).into_iter().map(|(name, files)| (name, joined(&files))).collect();
    let files = every(every_record);
    for (name, file) in [
        ("events-alone", FileName::Events(0)),
        ("definitions-alone", FileName::GlobalDefinitions),
        ("snapshots-alone", FileName::Snapshots(0)),
    ] {
        let part = files.clone().into_iter().filter(|(name, _)| [FileName::Anchor, file].contains(name));
        seeds.push((name, joined(&part.collect())));
    }
    seeds
}

fn joined(files: &Named) -> Vec<u8> {
    let bytes = Files::join(files.iter().map(|(&name, content)| (name, &content[..])));
    bytes.expect("content without marks")
}

/// Returns the archive with every record, which is in the repository.
fn every(folder: &Path) -> Named {
    let storage = Directory::open(folder).expect("a folder");
    Files::names().filter_map(|name| Some((name, storage.read(name).ok()?))).collect()
}

fn content(memory: &Memory) -> Named {
    memory.files().into_iter().map(|name| (name, memory.read(name).expect("a file"))).collect()
}

/// Returns an archive of two locations with mapping tables and clock offsets, and event files of
/// `chunks` chunks.
pub fn archive<E: ByteOrder>(chunks: usize) -> Named {
    let memory = Memory::new();
    memory.create().expect("a new archive");
    let records = global_definitions::<E>(&memory);
    for location in [0, 1] {
        local_definitions::<E>(&memory, location);
        let parts: Vec<Vec<u8>> =
            (0..chunks as u64).map(|part| events::<E>(10 + 20 * part + location)).collect();
        let bytes = in_chunks::<E>(&parts);
        memory.write_at(FileName::Events(location), 0, &bytes).expect("memory");
    }
    let anchor = Anchor {
        event_chunk_size: CHUNK as u64,
        definition_chunk_size: CHUNK as u64,
        number_of_locations: 2,
        number_of_global_definitions: records,
        ..Anchor::default()
    };
    let bytes = anchor::anchor_bytes_in::<E>(&anchor).expect("an anchor");
    memory.write_at(FileName::Anchor, 0, &bytes).expect("memory");
    content(&memory)
}

fn global_definitions<E: ByteOrder>(memory: &Memory) -> u64 {
    let pieces = StoragePieces::new(memory, FileName::GlobalDefinitions, 1000);
    let mut writer = GlobalDefinitionWriter::<_, E>::in_byte_order(pieces, CHUNK as u64).expect("a writer");
    writer.record(&String { id: StringRef(0), string: "a".into() }).expect("written");
    for location in [0, 1] {
        let location = Location {
            id: LocationRef(location),
            name: StringRef(0),
            location_type: LocationType::CPU_THREAD,
            number_of_events: 5,
            location_group: LocationGroupRef::UNDEFINED,
        };
        writer.record(&location).expect("written");
    }
    writer.finish().expect("written").events
}

fn local_definitions<E: ByteOrder>(memory: &Memory, location: u64) {
    let pieces = StoragePieces::new(memory, FileName::LocalDefinitions(location), 1000);
    let mut writer = LocalDefinitionWriter::<_, E>::in_byte_order(pieces, CHUNK as u64).expect("a writer");
    let dense = IdMap::from_table(&[3, 2, 1, 0]).expect("a map");
    let sparse = IdMap::from_pairs(&[(1, 70), (900, 4)]).expect("a map");
    for (mapping_type, id_map) in [(MappingType::REGION, dense), (MappingType::ATTRIBUTE, sparse)] {
        writer.record(&MappingTable { mapping_type, id_map }).expect("written");
    }
    for (time, offset) in [(10, 3), (20, -2), (35, 1 << 40)] {
        let offset = ClockOffset { time: Timestamp(time), offset, standard_deviation: 0.5 };
        writer.record(&offset).expect("written");
    }
    writer.finish().expect("written");
}

/// Returns the content of a chunk: five events, the first at `time`.
fn events<E: ByteOrder>(time: u64) -> Vec<u8> {
    let memory = Memory::new();
    memory.create().expect("a new archive");
    let pieces = StoragePieces::new(&memory, FileName::Events(0), 1000);
    let mut writer = EventWriter::<_, E>::in_byte_order(pieces, CHUNK as u64).expect("a writer");
    let values = [MetricValue::from(-5i64), MetricValue::from(0.5)];
    let metric = Metric { metric: MetricRef(0), metric_values: List::new(&values).expect("a short list") };
    let attributes = [Attribute::new(AttributeRef(1), RegionRef(2)), Attribute::new(AttributeRef(900), 7u8)];
    let region = RegionRef(1);
    let records: [(u64, &[Attribute], Event<'_>); 5] = [
        (time, &[], Enter { region }.into()),
        (time, &attributes, metric.into()),
        (time + 3, &[], BufferFlush { stop_time: Timestamp(time + 7) }.into()),
        (time + 7, &attributes[..1], Event::Unknown { id: 250, data: &[1, 2, 3] }),
        (time + 8, &[], Leave { region }.into()),
    ];
    for (time, attributes, record) in records {
        writer.record_with(time, attributes, &record).expect("written");
    }
    writer.finish().expect("written");
    let bytes = memory.read(FileName::Events(0)).expect("a file");
    bytes[18..bytes.len() - 2].to_vec()
}

/// Joins chunks of five events each to an event file.
fn in_chunks<E: ByteOrder>(parts: &[Vec<u8>]) -> Vec<u8> {
    let number = |number: u64| if E::BIG { number.to_be_bytes() } else { number.to_le_bytes() };
    let mut bytes = Vec::new();
    for (part, index) in parts.iter().zip(0..) {
        bytes.resize(bytes.len().next_multiple_of(CHUNK), 0);
        bytes.extend([3, E::TAG]);
        bytes.extend(number(5 * index + 1));
        bytes.extend(number(5 * index + 5));
        bytes.extend(part);
    }
    bytes.extend([2, 1]);
    bytes
}

/// Compresses the files as OTF2 did up to version 2.3.
pub fn compressed(files: Named) -> Named {
    let compress = |(name, content): (FileName, Vec<u8>)| match name {
        FileName::Anchor => {
            let anchor = read::anchor(&content).expect("an anchor");
            let mut bytes = anchor::anchor_bytes(&anchor).expect("an anchor");
            // The byte after the format names, the version, the chunk sizes and the substrate.
            let at = 2 + 5 + 2 + 3 + 16 + 1;
            bytes[at] = enums::Compression::ZLIB.0;
            (name, bytes)
        }
        _ => (name, content.chunks(CHUNK).flat_map(block).collect()),
    };
    files.into_iter().map(compress).collect()
}

fn block(chunk: &[u8]) -> Vec<u8> {
    let mut data = Vec::with_capacity(chunk.len() + 1000);
    let mut stream = Compress::new(Compression::new(4), true);
    stream.compress_vec(chunk, &mut data, FlushCompress::Full).expect("room");
    let sizes = [data.len() as u32, chunk.len() as u32, 0].map(u32::to_le_bytes).concat();
    [&0xFFFF_FFFFu64.to_le_bytes()[..], &sizes, &data].concat()
}
