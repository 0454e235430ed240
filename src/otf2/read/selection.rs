//! The selection of records of a file: a span of time, and kinds of records.

use std::ops::RangeInclusive;

/// The records to deliver. All others are skipped without being decoded.
///
/// ```
/// # fn main() -> kymo_otf2::Result<()> {
/// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/every-record/traces.otf2");
/// # let archive = kymo_otf2::read::Archive::open(path)?;
/// use kymo_otf2::events::{Enter, Leave};
/// use kymo_otf2::read::{Kinds, Selection};
/// use kymo_otf2::records::Record;
///
/// let mut events = archive.events(0)?;
/// events.select(Selection { kinds: Kinds::NONE.with(Enter::ID).with(Leave::ID), ..Selection::default() })?;
/// let mut count = 0;
/// while let Some(event) = events.next()? {
///     println!("{} {:?}", event.time, event.record);
///     count += 1;
/// }
/// assert_eq!(count, 2);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selection {
    /// The times of the records, in ticks, corrected if the reader corrects them. Reading ends with
    /// the first record after this span.
    pub time: RangeInclusive<u64>,
    /// The kinds of the records.
    pub kinds: Kinds,
}

impl Default for Selection {
    /// Returns a selection of all records.
    fn default() -> Self {
        Selection { time: 0..=u64::MAX, kinds: Kinds::ALL }
    }
}

/// A set of kinds of records, by their ids in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kinds([u64; 4]);

impl Kinds {
    /// All kinds, including unknown ones.
    pub const ALL: Kinds = Kinds([u64::MAX; 4]);
    /// No kinds.
    pub const NONE: Kinds = Kinds([0; 4]);

    /// Returns the set with the kind of this id added, for example
    /// [`Enter::ID`](crate::records::Record::ID).
    #[must_use]
    pub const fn with(mut self, id: u8) -> Kinds {
        self.0[(id / 64) as usize] |= 1 << (id % 64);
        self
    }

    /// Returns whether the kind of this id is in the set.
    #[inline]
    pub const fn contains(&self, id: u8) -> bool {
        self.0[(id / 64) as usize] >> (id % 64) & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_contain_the_ids_that_were_added() {
        let kinds = Kinds::NONE.with(12).with(200);
        let found: Vec<u8> = (0..=255).filter(|&id| kinds.contains(id)).collect();
        assert_eq!(found, [12, 200]);
        assert!((0..=255).all(|id| Kinds::ALL.contains(id)));
    }
}
