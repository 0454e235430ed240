//! Ids of locations in the result.
//!
//! A location keeps its id unless a location of an earlier archive has it. The others are assigned,
//! in order of their definitions, the ids after the largest one in use.

use std::collections::HashSet;

/// The ids in use.
#[derive(Debug, Default)]
pub(super) struct Locations {
    taken: HashSet<u64>,
}

impl Locations {
    /// Returns the old and the new ids of the locations of the next archive.
    pub(super) fn assign(&mut self, ids: &[u64]) -> Vec<(u64, u64)> {
        let mut seen = HashSet::new();
        let ids: Vec<u64> = ids.iter().copied().filter(|&id| seen.insert(id)).collect();
        let is_free: Vec<bool> = ids.iter().map(|id| !self.taken.contains(id)).collect();
        self.taken.extend(&ids);
        let mut next = self.taken.iter().copied().max().unwrap_or(0);
        let mut other = || {
            next = self.free_from(next);
            self.taken.insert(next);
            next
        };
        ids.iter().zip(is_free).map(|(&id, is_free)| (id, if is_free { id } else { other() })).collect()
    }

    /// Returns the next free id after this one. After the largest possible id, the search continues
    /// with 0.
    fn free_from(&self, id: u64) -> u64 {
        let mut next = id;
        loop {
            // The largest number is not a valid id.
            next = if next >= u64::MAX - 1 { 0 } else { next + 1 };
            if !self.taken.contains(&next) {
                return next;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn taken_ids_are_replaced_by_ids_after_the_largest() {
        let mut locations = Locations::default();
        assert_eq!(locations.assign(&[0, 1, 5]), [(0, 0), (1, 1), (5, 5)]);
        assert_eq!(locations.assign(&[0, 9, 5, 0]), [(0, 10), (9, 9), (5, 11)]);
        assert_eq!(locations.assign(&[10]), [(10, 12)]);
    }

    #[test]
    fn after_the_largest_number_the_search_starts_over() {
        let mut locations = Locations::default();
        locations.assign(&[0, u64::MAX - 1]);
        assert_eq!(locations.assign(&[0, u64::MAX - 1]), [(0, 1), (u64::MAX - 1, 2)]);
    }
}
