//! Other ids for the ids in records: the mapping tables of a location, OTF2 format, section "Mapping tables", and whatever else joins
//! definitions of several sources.

use super::enums::{MappingType, Type};
use super::id_map::IdMap;
use super::references::Space;
use crate::hash::HashMap;

/// Number of id spaces.
const SPACES: usize = Space::ALL.len();

/// Other ids, by id space. An id without entry stays as it is.
#[derive(Debug, Clone, Default)]
pub struct Mappings {
    tables: [Option<Table>; SPACES],
}

#[derive(Debug, Clone)]
enum Table {
    /// The index is the id.
    Dense(Vec<u64>),
    /// Sorted by id.
    Sparse(Vec<(u64, u64)>),
    /// That grows. An id without entry becomes undefined.
    Complete(Box<Complete>),
}

/// Entries that come one by one, mostly from id 0 on without large gaps.
#[derive(Debug, Clone, Default)]
struct Complete {
    /// The index is the id; undefined where there is no entry, or a far one.
    near: Vec<u64>,
    /// Those for which `near` would be mostly gaps.
    far: HashMap<u64, u64>,
    /// How often one was set.
    set: usize,
}

impl Mappings {
    /// No tables.
    pub fn new() -> Mappings {
        Mappings::default()
    }

    /// No ids at all: each becomes undefined in records until [`set`](Self::set) gives it another. Locations stay as they are.
    pub fn complete() -> Mappings {
        let table = |space| (space != Space::Location as usize).then(|| Table::Complete(Box::default()));
        Mappings { tables: std::array::from_fn(table) }
    }

    /// The same with locations: these become undefined, too, until they are given another id.
    pub fn complete_with_locations() -> Mappings {
        Mappings { tables: std::array::from_fn(|_| Some(Table::Complete(Box::default()))) }
    }

    /// Adds the table of a location; `false` if there is one for these ids already, which stays. Tables of kinds that are not known
    /// change nothing.
    pub fn add(&mut self, mapping: MappingType, ids: &IdMap<'_>) -> bool {
        let Some(table) = space_of(mapping).and_then(|space| self.tables.get_mut(space as usize)) else {
            return true;
        };
        let is_first = table.is_none();
        table.get_or_insert_with(|| Table::new(ids));
        is_first
    }

    /// Gives an id another, in [`complete`](Self::complete) mappings. One that becomes undefined is as if it had none.
    pub fn set(&mut self, space: Space, id: u64, other: u64) {
        if let Some(Table::Complete(table)) = &mut self.tables[space as usize] {
            table.set(id, other);
        }
    }

    /// The other id of an id, if it has one.
    pub fn get(&self, space: Space, id: u64) -> Option<u64> {
        self.tables[space as usize].as_ref()?.global(id)
    }

    /// The other ids in the order of the ids, from 0 to the largest that has another; undefined in between.
    pub fn table(&self, space: Space) -> Vec<u64> {
        match &self.tables[space as usize] {
            None => Vec::new(),
            Some(Table::Dense(table)) => table.clone(),
            Some(Table::Sparse(pairs)) => dense(pairs.iter().copied()),
            Some(Table::Complete(table)) => dense(table.iter()),
        }
    }

    /// The ids that have another with it, sorted.
    pub fn pairs(&self, space: Space) -> Vec<(u64, u64)> {
        let mut pairs: Vec<_> = match &self.tables[space as usize] {
            None => Vec::new(),
            Some(Table::Dense(table)) => (0..).zip(table.iter().copied()).collect(),
            Some(Table::Sparse(pairs)) => pairs.clone(),
            Some(Table::Complete(table)) => table.iter().collect(),
        };
        pairs.sort_unstable();
        pairs
    }

    /// Most bytes that a table takes while it is added.
    pub(crate) fn memory_for(&self, mapping: MappingType, ids: &IdMap<'_>) -> usize {
        let entry = match (space_of(mapping).map(|space| &self.tables[space as usize]), ids.is_sparse()) {
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

    /// The same as [`global`](Self::global) of one space, to be asked often.
    pub(crate) fn lookup(&self, space: Space) -> Lookup<'_> {
        match &self.tables[space as usize] {
            None => Lookup::default(),
            Some(Table::Dense(table)) => Lookup { dense: table, other: None },
            Some(table) => Lookup { dense: &[], other: Some(table) },
        }
    }

    /// The other id of an id.
    #[inline(always)]
    pub fn global(&self, space: Space, id: u64) -> u64 {
        match &self.tables[space as usize] {
            None => id,
            Some(table) => table.other(id),
        }
    }
}

/// Other ids of one id space. Those of a dense table are found at once.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Lookup<'a> {
    /// The index is the id.
    dense: &'a [u64],
    /// The table of the others, which stay as they are if there is none.
    other: Option<&'a Table>,
}

impl Lookup<'_> {
    #[inline(always)]
    pub(crate) fn global(&self, id: u64) -> u64 {
        let dense = usize::try_from(id).ok().and_then(|id| self.dense.get(id));
        dense.copied().unwrap_or_else(|| self.other.map_or(id, |table| table.other(id)))
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
        // Sorted in files as they should be; of several for one id the last counts, as for libotf2.
        pairs.reverse();
        pairs.sort_by_key(|&(local, _)| local);
        pairs.dedup_by_key(|&mut (local, _)| local);
        Table::Sparse(pairs)
    }

    /// The other id of an id; of one without entry itself, or undefined.
    fn other(&self, id: u64) -> u64 {
        let without = if matches!(self, Table::Complete(_)) { u64::MAX } else { id };
        self.global(id).unwrap_or(without)
    }

    #[inline]
    fn global(&self, id: u64) -> Option<u64> {
        match self {
            Table::Dense(table) => table.get(usize::try_from(id).ok()?).copied(),
            Table::Sparse(pairs) => {
                let at = pairs.binary_search_by_key(&id, |&(local, _)| local).ok()?;
                pairs.get(at).map(|&(_, global)| global)
            }
            Table::Complete(table) => table.get(id),
        }
    }
}

impl Complete {
    fn set(&mut self, id: u64, other: u64) {
        self.set += 1;
        match usize::try_from(id) {
            Ok(at) if at < self.near.len().max(4 * self.set + 64) => {
                if at >= self.near.len() {
                    self.near.resize(at + 1, u64::MAX);
                }
                self.near[at] = other;
                if !self.far.is_empty() {
                    self.far.remove(&id);
                }
            }
            _ => _ = self.far.insert(id, other),
        }
    }

    fn get(&self, id: u64) -> Option<u64> {
        let near = usize::try_from(id).ok().and_then(|at| self.near.get(at).copied());
        let is_defined = |&other: &u64| other != u64::MAX;
        near.filter(is_defined).or_else(|| self.far.get(&id).copied().filter(is_defined))
    }

    fn iter(&self) -> impl Iterator<Item = (u64, u64)> + Clone {
        let near = (0..).zip(self.near.iter().copied());
        let far = self.far.iter().map(|(&id, &other)| (id, other));
        near.chain(far).filter(|&(_, other)| other != u64::MAX)
    }
}

fn dense(pairs: impl Iterator<Item = (u64, u64)> + Clone) -> Vec<u64> {
    let length = pairs.clone().map(|(id, _)| id.saturating_add(1)).max().unwrap_or(0);
    let mut table = vec![u64::MAX; usize::try_from(length).unwrap_or(0)];
    for (id, other) in pairs {
        if let Some(entry) = table.get_mut(id as usize) {
            *entry = other;
        }
    }
    table
}

/// The id space of a mapping table.
pub fn space_of(mapping: MappingType) -> Option<Space> {
    Space::ALL.iter().copied().find(|space| space.mapping() == Some(mapping))
}

/// The id space of values of this type.
pub fn space_of_type(type_: Type) -> Option<Space> {
    space_of(MappingType(type_.0.checked_sub(Type::STRING.0)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_have_the_tables_of_their_name() {
        for type_ in Type::VALUES {
            let expected = MappingType::VALUES.iter().find(|mapping| mapping.name() == type_.name());
            assert_eq!(space_of_type(*type_).and_then(Space::mapping), expected.copied(), "{type_}");
        }
        assert_eq!(space_of_type(Type(200)), None);
        assert!(MappingType::VALUES.iter().all(|&mapping| space_of(mapping).is_some()));
    }

    #[test]
    fn the_first_table_of_a_kind_stays() {
        let mut mappings = Mappings::new();
        let (first, second) = (IdMap::from_table(&[5, 6]).unwrap(), IdMap::from_table(&[7, 8]).unwrap());
        assert!(mappings.add(MappingType::REGION, &first));
        assert!(!mappings.add(MappingType::REGION, &second));
        assert!(mappings.add(MappingType(99), &second));
        let region = |id| mappings.global(Space::Region, id);
        assert_eq!([region(0), region(1), region(2), region(u64::MAX)], [5, 6, 2, u64::MAX]);
        assert_eq!(mappings.global(Space::Comm, 0), 0);
    }

    #[test]
    fn lookups_say_the_same_as_mappings() {
        let mut mappings = Mappings::complete();
        mappings.tables[Space::Comm as usize] = None;
        for id in [0, 2, 7, 1 << 40] {
            mappings.set(Space::Region, id, id + 1);
        }
        for (mapping, ids) in [
            (MappingType::GROUP, IdMap::from_table(&[5, u64::MAX, 6])),
            (MappingType::METRIC, IdMap::from_pairs(&[(2, 9), (7, 3), (1 << 40, 4)])),
        ] {
            mappings.tables[space_of(mapping).unwrap() as usize] = None;
            assert!(mappings.add(mapping, &ids.unwrap()));
        }
        for space in [Space::Comm, Space::Region, Space::Group, Space::Metric] {
            for id in (0..10).chain([(1 << 40) - 1, 1 << 40, u64::MAX]) {
                assert_eq!(mappings.lookup(space).global(id), mappings.global(space, id), "{space:?} {id}");
            }
        }
    }

    #[test]
    fn complete_mappings_know_no_other_ids() {
        let mut mappings = Mappings::complete();
        mappings.set(Space::Region, 1 << 40, 3);
        assert_eq!(mappings.global(Space::Region, 1 << 40), 3);
        assert_eq!((mappings.get(Space::Region, 0), mappings.global(Space::Region, 0)), (None, u64::MAX));
        // Near or far, an undefined one is none.
        for id in [0, 1 << 40] {
            mappings.set(Space::Region, id, u64::MAX);
            assert_eq!(mappings.get(Space::Region, id), None);
        }
        assert_eq!(mappings.pairs(Space::Region), []);
    }

    #[test]
    fn complete_mappings_give_what_was_set_last_in_whatever_order_ids_come() {
        let mut mappings = Mappings::complete();
        let ids: Vec<u64> = (0..400).map(|at| (at * 7919) % 1009 * 3).collect();
        for other in [5, 0] {
            for &id in &ids {
                mappings.set(Space::Region, id, id + other);
            }
        }
        assert!(ids.iter().all(|&id| mappings.get(Space::Region, id) == Some(id)));
        let sorted: std::collections::BTreeSet<_> = ids.iter().map(|&id| (id, id)).collect();
        assert_eq!(mappings.pairs(Space::Region), sorted.into_iter().collect::<Vec<_>>());
    }
}
