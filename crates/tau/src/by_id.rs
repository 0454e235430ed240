//! Event properties by event id, in a table that takes one load per record.
//!
//! Invariant: an id has a slot in the table only if it is small or most of the table is used.
//! Memory is proportional to the number of events.

use std::collections::HashMap;

/// Entries by id. An id without an entry has the default of the type.
#[derive(Debug, Default)]
pub(crate) struct ById<T> {
    table: Vec<T>,
    others: HashMap<i32, T>,
    count: usize,
}

/// The number of ids that the table may always contain. TAU's own ids go up to 70 006.
const SMALL: usize = 1 << 17;
/// The factor by which the table may be longer than the number of events.
const SPREAD: usize = 4;

impl<T: Copy + Default + PartialEq> ById<T> {
    /// Returns the entry of an id.
    #[inline(always)]
    pub(crate) fn get(&self, event: i32) -> T {
        match self.table.get(event as u32 as usize) {
            Some(&entry) if entry != T::default() => entry,
            _ => self.other(event),
        }
    }

    /// Like [`get`](Self::get), but returns the default for an id that has no slot in the table.
    #[inline(always)]
    pub(crate) fn in_table(&self, event: i32) -> T {
        self.table.get(event as u32 as usize).copied().unwrap_or_default()
    }

    #[cold]
    #[inline(never)]
    fn other(&self, event: i32) -> T {
        self.others.get(&event).copied().unwrap_or_default()
    }

    /// Adds an entry for an id that has none.
    pub(crate) fn insert(&mut self, event: i32, entry: T) {
        self.count += 1;
        let (place, limit) = (event as u32 as usize, SMALL.max(SPREAD.saturating_mul(self.count)));
        if place >= limit {
            self.others.insert(event, entry);
            return;
        }
        if self.table.len() <= place {
            self.table.resize(place + 1, T::default());
        }
        if let Some(room) = self.table.get_mut(place) {
            *room = entry;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_id_has_its_entry() {
        let mut entries = ById::default();
        let ids = [0, 1, 60_000, 131_071, 131_072, i32::MAX, -1, i32::MIN];
        for id in ids {
            assert_eq!(entries.get(id), 0, "{id}");
            entries.insert(id, 1);
            assert_eq!(entries.get(id), 1, "{id}");
        }
        assert_eq!(entries.get(2), 0);
        assert!(entries.table.len() <= SMALL);
    }

    #[test]
    fn entries_are_kept_while_the_table_grows() {
        let mut entries = ById::default();
        entries.insert(200_000, 2);
        (0..150_000).for_each(|id| entries.insert(id, 1));
        entries.insert(200_001, 3);
        assert_eq!((entries.get(200_000), entries.get(200_001)), (2, 3));
        assert_eq!(entries.get(149_999), 1);
    }
}
