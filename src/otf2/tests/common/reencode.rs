//! Decodes a file and rewrites it with the writers.

use kymo_otf2::attributes::Attribute;
use kymo_otf2::storage::Memory;
use kymo_otf2::write::{self, StoragePieces};
use kymo_otf2::{Anchor, ByteOrder, FileName, Storage, read};

/// Returns the bytes of a rewritten file, with pieces of `piece` usable bytes.
pub fn file<E: ByteOrder>(file: FileName, bytes: &[u8], anchor: &Anchor<'_>, piece: usize) -> Vec<u8> {
    let (events, definitions) = (anchor.event_chunk_size, anchor.definition_chunk_size);
    let memory = Memory::new();
    memory.create().unwrap();
    let pieces = StoragePieces::new(&memory, file, piece);
    let closed = match file {
        FileName::Anchor => {
            return write::anchor::anchor_bytes_in::<E>(&read::anchor(bytes).unwrap()).unwrap();
        }
        // Not a file of OTF2.
        FileName::Seal => return bytes.to_vec(),
        FileName::GlobalDefinitions => {
            let mut writer =
                write::GlobalDefinitionWriter::<_, E>::in_byte_order(pieces, definitions).unwrap();
            for record in read::global_definitions(bytes, definitions).unwrap() {
                writer.record(&record.unwrap()).unwrap();
            }
            writer.finish()
        }
        FileName::LocalDefinitions(_) => {
            let mut writer =
                write::LocalDefinitionWriter::<_, E>::in_byte_order(pieces, definitions).unwrap();
            for record in read::local_definitions(bytes, definitions).unwrap() {
                writer.record(&record.unwrap()).unwrap();
            }
            writer.finish()
        }
        FileName::Markers => {
            let mut writer = write::MarkerWriter::<_, E>::in_byte_order(pieces, definitions).unwrap();
            for record in read::markers(bytes, definitions).unwrap() {
                writer.record(&record.unwrap()).unwrap();
            }
            writer.finish()
        }
        FileName::Thumbnail(_) => {
            let (header, samples) = read::thumbnail(bytes).unwrap();
            let mut writer = write::ThumbnailWriter::<_, E>::in_byte_order(pieces, &header).unwrap();
            for sample in samples {
                writer.sample(&sample.unwrap()).unwrap();
            }
            writer.finish()
        }
        FileName::Events(_) => {
            let mut writer = write::EventWriter::<_, E>::in_byte_order(pieces, events).unwrap();
            for event in read::events(bytes, events).unwrap() {
                let event = event.unwrap();
                let attributes: Vec<Attribute> = event.attributes.iter().collect();
                writer.record_with(event.time, &attributes, &event.record).unwrap();
            }
            writer.finish()
        }
        FileName::Snapshots(_) => {
            let mut writer = write::SnapshotWriter::<_, E>::in_byte_order(pieces, events).unwrap();
            for record in read::snapshots(bytes, events).unwrap() {
                let record = record.unwrap();
                let attributes: Vec<Attribute> = record.attributes.iter().collect();
                writer.record_with(record.time, &attributes, &record.record).unwrap();
            }
            writer.finish()
        }
    };
    let written = memory.read(file).unwrap();
    assert_eq!(closed.unwrap().length, written.len() as u64);
    written
}
