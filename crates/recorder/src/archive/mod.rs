//! Writes the definition files and the anchor of an archive: everything except the events.
//!
//! This runs after recording has ended, so it may allocate.

mod order;

pub(crate) use order::{Identity, in_order};

use kymo_otf2::{
    Anchor, Error, FileName, Result, Storage,
    anchor::{Properties, Property},
    definitions::{ClockOffset, ClockProperties, GlobalDefinition, MappingTable},
    enums::MappingType,
    field::Field,
    id_map::IdMap,
    mappings::space_of,
    references::Space,
    storage::Memory,
    value::Timestamp,
    write::{
        GlobalDefinitionWriter, LocalDefinitionWriter, StoragePieces, anchor::anchor_bytes, definition_room,
    },
};

use crate::EVENT_CHUNK_SIZE;

/// The description of an archive in its anchor.
#[derive(Debug)]
pub struct Description<'a> {
    /// The name of the program that wrote it.
    pub creator: &'a str,
    /// The properties, as names and values.
    pub properties: &'a [(&'a str, &'a str)],
    /// A number that distinguishes this archive from others.
    pub trace_id: u64,
}

/// Returns the mapping table of a kind, or `None` if the kind has none. `ids` returns the global
/// ids of an id space, indexed by the ids in events. Undefined ids at the end of the table are
/// removed, because no event contains them.
pub fn mapping(kind: MappingType, ids: impl FnOnce(Space) -> Vec<u64>) -> Option<(MappingType, Vec<u64>)> {
    let mut table = ids(space_of(kind).filter(|&space| space != Space::Location)?);
    let used = table.iter().rposition(|&id| id != u64::MAX).map_or(0, |last| last + 1);
    table.truncate(used);
    Some((kind, table))
}

/// The content of the local definition file of each location of a process.
#[derive(Debug)]
pub struct LocalDefinitions<'a> {
    /// The global ids by process-local id. Tables that change no id are not written.
    pub mappings: &'a [(MappingType, Vec<u64>)],
    /// Times and offsets in ticks.
    pub clock_offsets: &'a [(u64, i64)],
}

impl LocalDefinitions<'_> {
    /// Writes the files of these locations, all with the same content.
    pub fn write(
        &self,
        storage: &dyn Storage,
        chunk_size: u64,
        locations: impl IntoIterator<Item = u64>,
    ) -> Result<()> {
        let bytes = self.bytes(chunk_size)?;
        for location in locations {
            let file = FileName::LocalDefinitions(location);
            let written = storage.write_at(file, 0, &bytes);
            written.map_err(|source| Error::Io { file: Some(file), source })?;
        }
        Ok(())
    }

    /// Returns the content of one file.
    fn bytes(&self, chunk_size: u64) -> Result<Vec<u8>> {
        let (memory, file) = (Memory::new(), FileName::LocalDefinitions(0));
        let io = |source| Error::Io { file: Some(file), source };
        memory.create().map_err(io)?;
        let mut writer = LocalDefinitionWriter::new(StoragePieces::new(&memory, file, PIECE), chunk_size)?;
        for &(mapping_type, ref table) in self.mappings {
            let moved = moved(table);
            if let Some(id_map) = smallest(table, &moved) {
                writer.record(&MappingTable { mapping_type, id_map })?;
            }
        }
        for &(time, offset) in self.clock_offsets {
            writer.record(&ClockOffset { time: Timestamp(time), offset, standard_deviation: 0.0 })?;
        }
        writer.finish()?;
        memory.read(file).map_err(io)
    }
}

/// Returns the ids of a table that differ from their index.
fn moved(table: &[u64]) -> Vec<(u64, u64)> {
    (0..).zip(table.iter().copied()).filter(|(local, global)| local != global).collect()
}

/// Returns the table in the form that takes the fewest bytes, or `None` if no id differs.
fn smallest<'a>(table: &'a [u64], moved: &'a [(u64, u64)]) -> Option<IdMap<'a>> {
    [IdMap::from_table(table), IdMap::from_pairs(moved)].into_iter().flatten().min_by_key(Field::size)
}

/// Global definitions, in the order in which they are written.
#[derive(Debug)]
pub struct GlobalDefinitions<'a> {
    records: Vec<GlobalDefinition<'a>>,
    chunk_size: u64,
    /// The maximum size of all of them in bytes.
    room: usize,
}

impl<'a> GlobalDefinitions<'a> {
    /// Collects the definitions of a log, by kind and id. If several records have the same
    /// identity, the last one is used.
    pub fn from_log(clock: ClockProperties, log: &'a [u8]) -> Result<Self> {
        let mut records = in_order(log)?;
        records.insert(0, clock.into());
        let rooms = records.iter().map(definition_room);
        let (room, largest) = rooms.fold((0, 0), |(sum, most), room| (sum + room, room.max(most)));
        Ok(Self { records, chunk_size: chunk_size(largest), room })
    }

    /// Returns the chunk size of the definition files in bytes: enough for the largest definition.
    pub fn chunk_size(&self) -> u64 {
        self.chunk_size
    }

    /// Increases the chunk size to at least `chunk_size` bytes, as far as the format allows.
    #[must_use]
    pub fn in_chunks_from(self, chunk_size: u64) -> Self {
        Self { chunk_size: self.chunk_size.max(chunk_size).min(*kymo_otf2::CHUNK_SIZES.end()), ..self }
    }

    /// Returns the number of locations.
    pub fn locations(&self) -> u64 {
        let is_location = |record: &&GlobalDefinition<'_>| matches!(record, GlobalDefinition::Location(_));
        self.records.iter().filter(is_location).count() as u64
    }

    /// Writes the global definition file, and the anchor as the last of all files.
    pub fn write(&self, storage: &dyn Storage, description: &Description<'_>) -> Result<()> {
        let number_of_global_definitions = self.write_file(storage)?;
        self.write_anchor(storage, description, number_of_global_definitions)
    }

    /// Writes only the global definition file. Returns the number of its records.
    pub fn write_file(&self, storage: &dyn Storage) -> Result<u64> {
        let piece = PIECE.min(self.room + CHUNK_OVERHEAD);
        let pieces = StoragePieces::new(storage, FileName::GlobalDefinitions, piece);
        let mut writer = GlobalDefinitionWriter::new(pieces, self.chunk_size)?;
        for record in &self.records {
            writer.record(record)?;
        }
        writer.finish()?;
        Ok(writer.records())
    }

    fn write_anchor(
        &self,
        storage: &dyn Storage,
        description: &Description<'_>,
        definitions: u64,
    ) -> Result<()> {
        let properties: Vec<_> =
            description.properties.iter().map(|(name, value)| Property::new(name, value)).collect();
        let bytes = anchor_bytes(&Anchor {
            event_chunk_size: EVENT_CHUNK_SIZE,
            definition_chunk_size: self.chunk_size,
            number_of_locations: self.locations(),
            number_of_global_definitions: definitions,
            creator: description.creator.into(),
            properties: Properties::new(&properties),
            trace_id: description.trace_id,
            ..Anchor::default()
        })?;
        let file = FileName::Anchor;
        storage.write_at(file, 0, &bytes).map_err(|source| Error::Io { file: Some(file), source })
    }
}

/// The number of bytes of a definition file to collect before writing them.
const PIECE: usize = 64 * 1024;

/// More than the bytes of a chunk that belong to no record.
const CHUNK_OVERHEAD: usize = 64;

/// Returns the smallest chunk size that fits the largest record and the chunk's own bytes.
fn chunk_size(largest: usize) -> u64 {
    let smallest = *kymo_otf2::CHUNK_SIZES.start();
    let least = (largest + CHUNK_OVERHEAD) as u64;
    least.next_multiple_of(smallest).clamp(smallest, *kymo_otf2::CHUNK_SIZES.end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_written_in_their_smallest_form() {
        let form = |table: &[u64]| smallest(table, &moved(table)).map(|map| (map.is_sparse(), map.len()));
        assert_eq!(form(&[]), None);
        assert_eq!(form(&[0, 1, 2]), None);
        assert_eq!(form(&[0, 1, 2, 9]), Some((true, 1)));
        assert_eq!(form(&[7, 8, 9, 3]), Some((false, 4)));
        // An undefined id takes one byte: all of them take fewer bytes than the numbers of those
        // that differ.
        assert_eq!(form(&[u64::MAX, u64::MAX, 2, u64::MAX]), Some((false, 4)));
    }
}
