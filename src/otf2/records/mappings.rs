//! Mapping tables of a location, OTF2 format, section "Mapping tables": global ids for the ids that its events use.

use super::enums::{MappingType, Type};
use super::id_map::IdMap;

/// Number of kinds of ids that have tables.
const KINDS: usize = MappingType::VALUES.len();

/// The mapping tables of a location. An id without entry stays as it is.
#[derive(Debug, Clone, Default)]
pub struct Mappings {
    tables: [Option<Table>; KINDS],
}

#[derive(Debug, Clone)]
enum Table {
    /// The index is the local id.
    Dense(Vec<u64>),
    /// Sorted by local id.
    Sparse(Vec<(u64, u64)>),
}

impl Mappings {
    /// No tables.
    pub fn new() -> Mappings {
        Mappings::default()
    }

    /// Adds a table; `false` if there is one for these ids already, which stays. Tables of kinds that are not known change nothing.
    pub fn add(&mut self, mapping: MappingType, ids: &IdMap<'_>) -> bool {
        let Some(table) = self.tables.get_mut(mapping.0 as usize) else { return true };
        let is_first = table.is_none();
        table.get_or_insert_with(|| Table::new(ids));
        is_first
    }

    /// Most bytes that a table takes while it is added.
    pub(crate) fn memory_for(&self, mapping: MappingType, ids: &IdMap<'_>) -> usize {
        let entry = match (self.tables.get(mapping.0 as usize), ids.is_sparse()) {
            (Some(None), false) => size_of::<u64>(),
            // Twice, as they may have to be sorted.
            (Some(None), true) => 2 * size_of::<(u64, u64)>(),
            _ => 0,
        };
        entry.saturating_mul(ids.len())
    }

    /// Whether there are no tables.
    pub fn is_empty(&self) -> bool {
        self.tables.iter().all(Option::is_none)
    }

    /// The global id of a local one.
    #[inline]
    pub fn global(&self, mapping: MappingType, id: u64) -> u64 {
        match self.tables.get(mapping.0 as usize) {
            Some(Some(table)) => table.global(id).unwrap_or(id),
            _ => id,
        }
    }
}

impl Table {
    fn new(ids: &IdMap<'_>) -> Table {
        if !ids.is_sparse() {
            let mut table = Vec::with_capacity(ids.len());
            table.extend(ids.iter().map(|(_, global)| global));
            return Table::Dense(table);
        }
        let mut pairs = Vec::with_capacity(ids.len());
        pairs.extend(ids.iter());
        // Sorted in files as they should be; of equal ones the first counts.
        pairs.sort_by_key(|&(local, _)| local);
        pairs.dedup_by_key(|&mut (local, _)| local);
        Table::Sparse(pairs)
    }

    #[inline]
    fn global(&self, id: u64) -> Option<u64> {
        match self {
            Table::Dense(table) => table.get(usize::try_from(id).ok()?).copied(),
            Table::Sparse(pairs) => {
                let at = pairs.binary_search_by_key(&id, |&(local, _)| local).ok()?;
                pairs.get(at).map(|&(_, global)| global)
            }
        }
    }
}

/// The tables that apply to values of this type.
pub(crate) fn mapping_of(type_: Type) -> Option<MappingType> {
    let mapping = MappingType(type_.0.checked_sub(Type::STRING.0)?);
    mapping.name().map(|_| mapping)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_have_the_tables_of_their_name() {
        for type_ in Type::VALUES {
            let expected = MappingType::VALUES.iter().find(|mapping| mapping.name() == type_.name());
            assert_eq!(mapping_of(*type_), expected.copied(), "{type_}");
        }
        assert_eq!(mapping_of(Type(200)), None);
    }

    #[test]
    fn the_first_table_of_a_kind_stays() {
        let mut mappings = Mappings::new();
        let (first, second) = (IdMap::from_table(&[5, 6]).unwrap(), IdMap::from_table(&[7, 8]).unwrap());
        assert!(mappings.add(MappingType::REGION, &first));
        assert!(!mappings.add(MappingType::REGION, &second));
        assert!(mappings.add(MappingType(99), &second));
        let region = |id| mappings.global(MappingType::REGION, id);
        assert_eq!([region(0), region(1), region(2), region(u64::MAX)], [5, 6, 2, u64::MAX]);
        assert_eq!(mappings.global(MappingType::COMM, 0), 0);
    }
}
