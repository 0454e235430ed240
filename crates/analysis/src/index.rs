//! A map from ids to entries. The ids of a definition kind are usually small and dense, but a file
//! may contain any number.
//!
//! Invariant: the length of the dense part is proportional to the number of insertions, and so is
//! the memory, whatever the ids are.

use std::collections::HashMap;

/// Entries by id; the last one with an id counts.
#[derive(Debug)]
pub struct Index<T> {
    dense: Vec<Option<T>>,
    sparse: HashMap<u64, T>,
    insertions: u64,
}

/// The dense part may be this many times longer than the number of insertions, plus `SLACK`.
const SPREAD: u64 = 4;
const SLACK: u64 = 64;

impl<T> Default for Index<T> {
    fn default() -> Self {
        Index { dense: Vec::new(), sparse: HashMap::new(), insertions: 0 }
    }
}

impl<T> Index<T> {
    /// Returns the number of insertions, including those that replaced an entry.
    pub fn insertions(&self) -> u64 {
        self.insertions
    }

    /// Returns the entry of an id.
    #[inline]
    pub fn get(&self, id: u64) -> Option<&T> {
        match usize::try_from(id).ok().and_then(|place| self.dense.get(place)) {
            Some(Some(entry)) => Some(entry),
            _ if self.sparse.is_empty() => None,
            _ => self.sparse.get(&id),
        }
    }

    /// Inserts an entry, replacing an earlier one with the same id.
    pub fn insert(&mut self, id: u64, entry: T) {
        self.insertions += 1;
        let limit = SPREAD.saturating_mul(self.insertions).saturating_add(SLACK);
        match usize::try_from(id) {
            Ok(place) if id < limit && !self.sparse.contains_key(&id) => self.insert_dense(place, entry),
            _ => {
                self.sparse.insert(id, entry);
            }
        }
    }

    fn insert_dense(&mut self, place: usize, entry: T) {
        if self.dense.len() <= place {
            self.dense.resize_with(place + 1, || None);
        }
        self.dense[place] = Some(entry);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_entry_of_an_id_counts() {
        let mut index = Index::default();
        for id in [0, 7, u64::MAX, 1 << 40] {
            index.insert(id, "first");
            index.insert(id, "last");
            assert_eq!(index.get(id), Some(&"last"));
        }
        assert_eq!((index.get(1), index.get(1 << 39)), (None, None));
        assert_eq!(index.insertions(), 8);
    }

    #[test]
    fn an_id_stays_where_it_is() {
        // Beyond the dense part when it is first inserted, within it later.
        let mut index = Index::default();
        index.insert(1000, "first");
        (0..1000).for_each(|id| index.insert(id, "other"));
        index.insert(1000, "last");
        assert_eq!(index.get(1000), Some(&"last"));
    }

    #[test]
    fn large_ids_take_no_more_memory_than_small_ones() {
        let mut index = Index::default();
        (0..1000).for_each(|id| index.insert(id << 32 | 0xFFFF, id));
        assert!(index.dense.capacity() < 10_000);
        assert_eq!(index.get(999 << 32 | 0xFFFF), Some(&999));
    }
}
