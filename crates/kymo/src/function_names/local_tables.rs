//! The tables in the local definitions that give the calling contexts in events their new ids.

use std::collections::BTreeMap;
use std::io::ErrorKind;

use kymo_otf2::definitions::{LocalDefinition, MappingTable};
use kymo_otf2::enums::MappingType;
use kymo_otf2::id_map::IdMap;
use kymo_otf2::mappings::Mappings;
use kymo_otf2::read::Archive;
use kymo_otf2::references::Space;
use kymo_otf2::write::{LocalDefinitionWriter, StoragePieces};
use kymo_otf2::{Error, FileName, Storage};

use crate::amendment::PIECE;

/// Writes the local definitions of a location, in which `ids` are the new ids of contexts. All
/// other definitions are copied.
pub(super) fn write(
    archive: &Archive,
    location: u64,
    ids: &BTreeMap<u64, u64>,
    storage: &dyn Storage,
) -> Result<(), Error> {
    let file = match archive.local_definitions(location) {
        Err(Error::Io { source, .. }) if source.kind() == ErrorKind::NotFound => None,
        file => Some(file?),
    };
    let pieces = StoragePieces::new(storage, FileName::LocalDefinitions(location), PIECE);
    let mut writer = LocalDefinitionWriter::new(pieces, archive.anchor().definition_chunk_size)?;
    let mut before = Mappings::new();
    for record in file.iter().map(|file| file.records()).collect::<Result<Vec<_>, _>>()?.into_iter().flatten()
    {
        match record? {
            LocalDefinition::MappingTable(table) if table.mapping_type == MappingType::CALLING_CONTEXT => {
                before.add(table.mapping_type, &table.id_map);
            }
            other => writer.record(&other)?,
        }
    }
    let table = composed(&before, ids);
    let is_moved = table.iter().any(|(before, after)| before != after);
    if let Some(id_map) = IdMap::from_pairs(&table).filter(|_| is_moved) {
        writer.record(&MappingTable { mapping_type: MappingType::CALLING_CONTEXT, id_map })?;
    }
    writer.finish().map(|_| ())
}

/// Returns the new id of each id in events. Those that the table before lacks are as in the global
/// definitions.
fn composed(before: &Mappings, ids: &BTreeMap<u64, u64>) -> Vec<(u64, u64)> {
    let mut table = ids.clone();
    for (id, global) in before.pairs(Space::CallingContext) {
        table.insert(id, ids.get(&global).copied().unwrap_or(global));
    }
    table.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_with_and_without_an_entry_in_the_table_before_get_new_ids() {
        let ids = BTreeMap::from([(0, 0), (1, 4), (2, 7)]);
        assert_eq!(composed(&Mappings::new(), &ids), [(0, 0), (1, 4), (2, 7)]);
        let mut before = Mappings::new();
        before.add(MappingType::CALLING_CONTEXT, &IdMap::from_pairs(&[(0, 2), (5, 1)]).unwrap());
        assert_eq!(composed(&before, &ids), [(0, 7), (1, 4), (2, 7), (5, 4)]);
    }
}
