//! Id mappings: the mapping tables of a location, docs/spec/otf2-format.md, "Mapping tables", and
//! the tables with which definitions from several sources are merged.

use super::enums::{MappingType, Type};
use super::id_map::IdMap;
use super::references::Space;
use crate::hash::HashMap;

/// The number of id spaces.
const SPACES: usize = Space::ALL.len();

/// New ids for the ids in records, by id space. An id without an entry is unchanged.
#[derive(Debug, Clone, Default)]
pub struct Mappings {
    tables: [Option<Table>; SPACES],
}

#[derive(Debug, Clone)]
enum Table {
    /// The new ids, indexed by id.
    Dense(Vec<u64>),
    /// The entries of some ids.
    Sparse(Sparse),
    /// A table that grows. An id without an entry becomes undefined.
    Complete(Box<Complete>),
}

/// A table whose entries are added one by one, mostly from id 0 on and without large gaps.
#[derive(Debug, Clone, Default)]
struct Complete {
    /// The new ids, indexed by id. Undefined if there is no entry, or one in `far`.
    near: Vec<u64>,
    /// The entries for which `near` would consist mostly of gaps.
    far: HashMap<u64, u64>,
    /// The number of calls to `set`.
    set: usize,
}

/// Entries of some ids; all others are unchanged.
#[derive(Debug, Clone)]
struct Sparse {
    /// Sorted by id.
    pairs: Vec<(u64, u64)>,
    /// The new ids of the small ids, indexed by id, whether they have an entry or not.
    near: Vec<u64>,
}

impl Mappings {
    /// Creates mappings without tables.
    pub fn new() -> Mappings {
        Mappings::default()
    }

    /// Creates mappings without any ids: each id in records becomes undefined until
    /// [`set`](Self::set) gives it a new one. Locations are unchanged.
    pub fn complete() -> Mappings {
        let table = |space| (space != Space::Location as usize).then(|| Table::Complete(Box::default()));
        Mappings { tables: std::array::from_fn(table) }
    }

    /// Like [`complete`](Self::complete), but locations also become undefined until they are given
    /// a new id.
    pub fn complete_with_locations() -> Mappings {
        Mappings { tables: std::array::from_fn(|_| Some(Table::Complete(Box::default()))) }
    }

    /// Adds the table of a location. Returns `false` if there is one for these ids, which is then
    /// kept. Tables of unknown kinds are ignored.
    pub fn add(&mut self, mapping: MappingType, ids: &IdMap<'_>) -> bool {
        let Some(table) = space_of(mapping).and_then(|space| self.tables.get_mut(space as usize)) else {
            return true;
        };
        let is_first = table.is_none();
        table.get_or_insert_with(|| Table::new(ids));
        is_first
    }

    /// Gives an id a new one, in [`complete`](Self::complete) mappings. An undefined new id removes
    /// the entry.
    pub fn set(&mut self, space: Space, id: u64, other: u64) {
        if let Some(Table::Complete(table)) = &mut self.tables[space as usize] {
            table.set(id, other);
        }
    }

    /// Returns the new id of an id, if it has one.
    pub fn get(&self, space: Space, id: u64) -> Option<u64> {
        self.tables[space as usize].as_ref()?.global(id)
    }

    /// Returns the new ids in the order of the ids, from 0 to the largest id with an entry. Gaps
    /// are undefined.
    pub fn table(&self, space: Space) -> Vec<u64> {
        match &self.tables[space as usize] {
            None => Vec::new(),
            Some(Table::Dense(table)) => table.clone(),
            Some(Table::Sparse(table)) => dense(table.pairs.iter().copied()),
            Some(Table::Complete(table)) => dense(table.iter()),
        }
    }

    /// Returns the ids that have a new one, with that one, sorted.
    pub fn pairs(&self, space: Space) -> Vec<(u64, u64)> {
        let mut pairs: Vec<_> = match &self.tables[space as usize] {
            None => Vec::new(),
            Some(Table::Dense(table)) => (0..).zip(table.iter().copied()).collect(),
            Some(Table::Sparse(table)) => table.pairs.clone(),
            Some(Table::Complete(table)) => table.iter().collect(),
        };
        pairs.sort_unstable();
        pairs
    }

    /// Returns the maximum number of bytes that a table takes while it is added.
    pub(crate) fn memory_for(&self, mapping: MappingType, ids: &IdMap<'_>) -> usize {
        match (space_of(mapping).map(|space| &self.tables[space as usize]), ids.is_sparse()) {
            (Some(None), false) => ids.len().saturating_mul(size_of::<u64>()),
            // Twice, as sorting may need a copy.
            (Some(None), true) => (2 * size_of::<(u64, u64)>())
                .saturating_mul(ids.len())
                .saturating_add(Sparse::near(ids.len()).saturating_mul(size_of::<u64>())),
            _ => 0,
        }
    }

    /// Returns whether there are no tables.
    pub fn is_empty(&self) -> bool {
        self.tables.iter().all(Option::is_none)
    }

    /// Returns the table of one space. Its [`Lookup::global`] returns the same ids as
    /// [`global`](Self::global), and is faster if called often.
    pub(crate) fn lookup(&self, space: Space) -> Lookup<'_> {
        match &self.tables[space as usize] {
            None => Lookup::default(),
            Some(Table::Dense(table)) => Lookup { dense: table, other: None },
            Some(table @ Table::Sparse(sparse)) => Lookup { dense: &sparse.near, other: Some(table) },
            Some(table) => Lookup { dense: &[], other: Some(table) },
        }
    }

    /// Returns the new id of an id.
    #[inline(always)]
    pub fn global(&self, space: Space, id: u64) -> u64 {
        match &self.tables[space as usize] {
            None => id,
            Some(table) => table.other(id),
        }
    }
}

/// The new ids of one id space. Ids in a dense table are looked up directly.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Lookup<'a> {
    /// The new ids, indexed by id.
    dense: &'a [u64],
    /// The table for ids that are not in `dense`. Without it they are unchanged.
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
        Table::Sparse(Sparse::new(ids))
    }

    /// Returns the new id of an id. An id without an entry is returned unchanged, or becomes
    /// undefined in a complete table.
    fn other(&self, id: u64) -> u64 {
        match self {
            Table::Sparse(table) => table.other(id),
            Table::Dense(_) => self.global(id).unwrap_or(id),
            Table::Complete(_) => self.global(id).unwrap_or(u64::MAX),
        }
    }

    #[inline]
    fn global(&self, id: u64) -> Option<u64> {
        match self {
            Table::Dense(table) => table.get(usize::try_from(id).ok()?).copied(),
            Table::Sparse(table) => table.get(id),
            Table::Complete(table) => table.get(id),
        }
    }
}

impl Sparse {
    fn new(ids: &IdMap<'_>) -> Self {
        let mut pairs = Vec::with_capacity(ids.len());
        pairs.extend(ids.iter());
        // Entries should be sorted in the file. If an id has several entries, the last one counts,
        // as in libotf2.
        pairs.reverse();
        pairs.sort_by_key(|&(local, _)| local);
        pairs.dedup_by_key(|&mut (local, _)| local);
        let end = pairs.last().map_or(0, |&(local, _)| local.saturating_add(1));
        let mut near: Vec<u64> = (0..end.min(Self::near(pairs.len()) as u64)).collect();
        for &(local, global) in &pairs {
            let Some(entry) = usize::try_from(local).ok().and_then(|local| near.get_mut(local)) else {
                break;
            };
            *entry = global;
        }
        Sparse { pairs, near }
    }

    /// Returns the largest number of ids that a table of this many entries looks up directly.
    fn near(entries: usize) -> usize {
        entries.saturating_mul(16).saturating_add(1024)
    }

    #[inline]
    fn other(&self, id: u64) -> u64 {
        let near = usize::try_from(id).ok().and_then(|id| self.near.get(id).copied());
        near.or_else(|| self.get(id)).unwrap_or(id)
    }

    fn get(&self, id: u64) -> Option<u64> {
        let at = self.pairs.binary_search_by_key(&id, |&(local, _)| local).ok()?;
        self.pairs.get(at).map(|&(_, global)| global)
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

/// Returns the id space of a mapping table.
pub fn space_of(mapping: MappingType) -> Option<Space> {
    Space::ALL.iter().copied().find(|space| space.mapping() == Some(mapping))
}

/// Returns the id space of values of this type.
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
    fn the_first_table_of_a_kind_is_kept() {
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
    fn lookups_return_the_ids_of_the_mappings() {
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
    fn complete_mappings_leave_other_ids_undefined() {
        let mut mappings = Mappings::complete();
        mappings.set(Space::Region, 1 << 40, 3);
        assert_eq!(mappings.global(Space::Region, 1 << 40), 3);
        assert_eq!((mappings.get(Space::Region, 0), mappings.global(Space::Region, 0)), (None, u64::MAX));
        // Both near and far, an undefined id removes the entry.
        for id in [0, 1 << 40] {
            mappings.set(Space::Region, id, u64::MAX);
            assert_eq!(mappings.get(Space::Region, id), None);
        }
        assert_eq!(mappings.pairs(Space::Region), []);
    }

    #[test]
    #[cfg_attr(miri, ignore = "too many cases for Miri")]
    fn complete_mappings_return_the_last_value_set_in_any_order_of_ids() {
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
