//! Mapping tables in the more compact form.

use std::collections::HashSet;

use kymo_otf2::id_map::IdMap;
use kymo_otf2::mappings::Mappings;
use kymo_otf2::references::Space;

/// A mapping table. It does not exist if no id changes.
#[derive(Debug, Clone)]
pub(super) struct IdTable(Form);

#[derive(Debug, Clone)]
enum Form {
    /// The new ids by id, without gaps.
    Dense(Vec<u64>),
    /// Pairs sorted by id.
    Sparse(Vec<(u64, u64)>),
}

/// Attributes with greater ids have no definition. An event has each attribute only once, so
/// undefined ones must remain distinct.
const NO_ATTRIBUTE: u64 = 1 << 31;

impl IdTable {
    /// Creates the table of these pairs, which are sorted and distinct.
    pub(super) fn new(pairs: &[(u64, u64)]) -> Option<Self> {
        let moved: Vec<_> = pairs.iter().copied().filter(|(id, other)| id != other).collect();
        let (last, _) = pairs.last()?;
        if moved.is_empty() {
            return None;
        }
        let has_gaps = *last != pairs.len() as u64 - 1;
        Some(Self(match has_gaps {
            true => Form::Sparse(moved),
            false => Form::Dense(pairs.iter().map(|&(_, other)| other).collect()),
        }))
    }

    /// Creates the table of a location that has one: the composition of its own table and `ids`.
    /// Ids that its own table lacks are those of the archive. Undefined ids in it, which no event
    /// has, stay undefined.
    pub(super) fn composed(table: &IdMap<'_>, space: Space, ids: &Mappings) -> Option<Self> {
        let mut local: HashSet<u64> = HashSet::new();
        let mut pairs: Vec<(u64, u64)> = Vec::new();
        // If an id has more than one entry, the first counts.
        let entries = table.iter().filter(|&(id, _)| local.insert(id));
        let undefined =
            |id| if space == Space::Attribute { NO_ATTRIBUTE + id % NO_ATTRIBUTE } else { u64::MAX };
        let other = |id| match id {
            u64::MAX => id,
            id => ids.get(space, id).unwrap_or_else(|| undefined(id)),
        };
        pairs.extend(entries.map(|(id, global)| (id, other(global))));
        pairs.extend(ids.pairs(space).into_iter().filter(|(id, _)| !local.contains(id)));
        pairs.sort_unstable();
        Self::new(&pairs)
    }

    /// Returns the table to write.
    pub(super) fn id_map(&self) -> Option<IdMap<'_>> {
        match &self.0 {
            Form::Dense(table) => IdMap::from_table(table),
            Form::Sparse(pairs) => IdMap::from_pairs(pairs),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(table: Option<IdTable>) -> Vec<(u64, u64)> {
        let table = table.expect("ids that move");
        let map = table.id_map().expect("entries");
        map.iter().collect()
    }

    #[test]
    fn unchanged_ids_need_no_table() {
        assert!(IdTable::new(&[]).is_none());
        assert!(IdTable::new(&[(0, 0), (7, 7), (1 << 40, 1 << 40)]).is_none());
    }

    #[test]
    fn large_ids_take_no_room() {
        assert_eq!(entries(IdTable::new(&[(0, 0), (1, 2), (1 << 60, 3)])), [(1, 2), (1 << 60, 3)]);
        assert_eq!(entries(IdTable::new(&[(0, 5), (2, 6)])), [(0, 5), (2, 6)]);
        assert_eq!(entries(IdTable::new(&[(0, 5), (1, 6)])), [(0, 5), (1, 6)]);
    }

    /// They were mapped to attributes that do not exist, in each process that was cut off.
    #[test]
    fn attributes_that_no_event_has_stay_undefined() {
        let mut ids = Mappings::complete();
        ids.set(Space::Attribute, 0, 3);
        let table = [u64::MAX, u64::MAX, 0, 1];
        let own = IdMap::from_table(&table).expect("a table");
        let composed = entries(IdTable::composed(&own, Space::Attribute, &ids));
        // An event may have the last one, which the archive does not define.
        assert_eq!(composed, [(0, u64::MAX), (1, u64::MAX), (2, 3), (3, NO_ATTRIBUTE + 1)]);
    }

    #[test]
    fn tables_are_composed() {
        let mut ids = Mappings::complete();
        for (id, other) in [(0, 10), (1, 11), (2, 12)] {
            ids.set(Space::Region, id, other);
        }
        let first = IdMap::from_table(&[2, 0]).expect("a table");
        assert_eq!(entries(IdTable::composed(&first, Space::Region, &ids)), [(0, 12), (1, 10), (2, 12)]);
        let sparse = IdMap::from_pairs(&[(1, 0)]).expect("a table");
        assert_eq!(entries(IdTable::composed(&sparse, Space::Region, &ids)), [(0, 10), (1, 10), (2, 12)]);
    }
}
