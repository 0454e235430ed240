//! Ids of locations in the result.
//!
//! A location keeps its id unless a location of an archive before it has it. The others get, in the order of their definitions, the
//! ids behind the largest that is in use.

use std::collections::HashSet;

/// Ids that are in use.
#[derive(Debug, Default)]
pub(super) struct Locations {
    taken: HashSet<u64>,
}

impl Locations {
    /// The ids of the locations of the next archive: old and new.
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

    /// The next free id behind this one; behind the largest there is one goes on with 0.
    fn free_from(&self, id: u64) -> u64 {
        let mut next = id;
        loop {
            // The largest number is that of no location.
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
    fn what_is_taken_goes_behind_the_largest() {
        let mut locations = Locations::default();
        assert_eq!(locations.assign(&[0, 1, 5]), [(0, 0), (1, 1), (5, 5)]);
        assert_eq!(locations.assign(&[0, 9, 5, 0]), [(0, 10), (9, 9), (5, 11)]);
        assert_eq!(locations.assign(&[10]), [(10, 12)]);
    }

    #[test]
    fn behind_the_largest_number_there_is_room_before_it() {
        let mut locations = Locations::default();
        locations.assign(&[0, u64::MAX - 1]);
        assert_eq!(locations.assign(&[0, u64::MAX - 1]), [(0, 1), (u64::MAX - 1, 2)]);
    }
}
