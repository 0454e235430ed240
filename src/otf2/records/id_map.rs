//! Id maps, docs/spec/otf2-format.md, "Primitives". They map local ids to global ids and are dense
//! (one entry per local id) or sparse (pairs, sorted by local id).
//!
//! A map borrows either a table (for writing; making it sparse copies nothing) or validated bytes
//! (as read). There is no empty map: readers refuse it.

use crate::wire;
use std::fmt;

/// A map from local ids to global ids.
#[derive(Clone, Copy)]
pub struct IdMap<'a> {
    sparse: bool,
    entries: usize,
    source: Source<'a>,
}

#[derive(Clone, Copy)]
enum Source<'a> {
    Narrow(&'a [u32]),
    Wide(&'a [u64]),
    Pairs(&'a [(u64, u64)]),
    Encoded(wire::Cursor<'a>),
}

impl<'a> IdMap<'a> {
    /// Creates a map from a table indexed by local id. It is sparse if less than half of the table
    /// differs from the identity, and dense otherwise. Returns `None` for the identity and the
    /// empty table.
    pub fn from_table(global: &'a [u64]) -> Option<Self> {
        Self::choose(Source::Wide(global), global.len())
    }

    /// Like [`from_table`](Self::from_table), but for 32-bit ids.
    pub fn from_table32(global: &'a [u32]) -> Option<Self> {
        Self::choose(Source::Narrow(global), global.len())
    }

    /// Creates a sparse map from pairs (local, global), which must be sorted by local id. Returns
    /// `None` if there are no pairs or they are not sorted.
    pub fn from_pairs(pairs: &'a [(u64, u64)]) -> Option<Self> {
        let sorted = pairs.is_sorted_by(|a, b| a.0 < b.0);
        (sorted && !pairs.is_empty()).then_some(IdMap {
            sparse: true,
            entries: pairs.len(),
            source: Source::Pairs(pairs),
        })
    }

    /// Creates a dense map: the entry of a local id is at its index.
    pub fn dense(global: &'a [u64]) -> Self {
        IdMap { sparse: false, entries: global.len(), source: Source::Wide(global) }
    }

    /// Creates a sparse map from pairs (local, global), in the order in which they are written.
    pub fn sparse(pairs: &'a [(u64, u64)]) -> Self {
        IdMap { sparse: true, entries: pairs.len(), source: Source::Pairs(pairs) }
    }

    /// Creates a map from its encoded entries, which must be valid.
    pub(super) fn encoded(sparse: bool, entries: usize, cursor: wire::Cursor<'a>) -> Self {
        IdMap { sparse, entries, source: Source::Encoded(cursor) }
    }

    fn choose(source: Source<'a>, length: usize) -> Option<Self> {
        let table = IdMap { sparse: false, entries: length, source };
        match table.iter().filter(|(local, global)| local != global).count() {
            0 => None,
            moved if 2 * moved < length => Some(IdMap { sparse: true, entries: moved, source }),
            _ => Some(table),
        }
    }

    /// Returns whether only some local ids have an entry.
    pub fn is_sparse(&self) -> bool {
        self.sparse
    }

    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        self.entries
    }

    /// Always returns false, as there are no empty maps.
    pub fn is_empty(&self) -> bool {
        self.entries == 0
    }

    /// Returns the entries (local, global) in file order.
    pub fn iter(&self) -> Iter<'a> {
        Iter { map: *self, next: 0, left: self.entries }
    }

    /// Returns the global id of a local one. An id that is not in the map is returned unchanged.
    pub fn global(&self, local: u64) -> u64 {
        self.iter().find(|entry| entry.0 == local).map_or(local, |entry| entry.1)
    }
}

/// An iterator over the entries of an id map.
#[derive(Debug, Clone)]
pub struct Iter<'a> {
    map: IdMap<'a>,
    next: u64,
    left: usize,
}

impl Iterator for Iter<'_> {
    type Item = (u64, u64);

    fn next(&mut self) -> Option<(u64, u64)> {
        self.left = self.left.checked_sub(1)?;
        loop {
            let index = self.next;
            self.next += 1;
            let table = match &mut self.map.source {
                Source::Narrow(table) => table.get(index as usize).map(|&global| (index, global as u64))?,
                Source::Wide(table) => table.get(index as usize).map(|&global| (index, global))?,
                Source::Pairs(pairs) => return pairs.get(index as usize).copied(),
                Source::Encoded(cursor) if self.map.sparse => {
                    return Some((cursor.u64c().ok()?, cursor.u64c().ok()?));
                }
                Source::Encoded(cursor) => return Some((index, cursor.u64c().ok()?)),
            };
            if !self.map.sparse || table.0 != table.1 {
                return Some(table);
            }
        }
    }
}

impl PartialEq for IdMap<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.sparse == other.sparse && self.iter().eq(other.iter())
    }
}

impl fmt::Debug for IdMap<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.sparse { "sparse " } else { "dense " })?;
        f.debug_map().entries(IdMap::iter(self)).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_encoded_as_libotf2_encodes_them() {
        assert_eq!(IdMap::from_table(&[]), None);
        assert_eq!(IdMap::from_table(&[0, 1, 2]), None);
        // Exactly half of the entries moved: dense.
        let dense = IdMap::from_table(&[7, 8, 2, 3]).unwrap();
        assert!(!dense.is_sparse());
        assert_eq!(dense.len(), 4);
        let sparse = IdMap::from_table(&[7, 8, 2, 3, 4]).unwrap();
        assert!(sparse.is_sparse());
        assert_eq!(sparse.iter().collect::<Vec<_>>(), [(0, 7), (1, 8)]);
        assert_eq!(IdMap::from_table32(&[7, 8, 2, 3, 4]), Some(sparse));
    }

    #[test]
    fn ids_without_an_entry_are_unchanged() {
        let map = IdMap::from_pairs(&[(3, 30), (9, 90)]).unwrap();
        assert_eq!([3, 9, 4, u64::MAX].map(|local| map.global(local)), [30, 90, 4, u64::MAX]);
        assert_eq!(IdMap::from_pairs(&[(9, 90), (3, 30)]), None);
        assert_eq!(IdMap::from_pairs(&[]), None);
    }
}
