//! Reading several locations in the order of time, OTF2 format, section "Global event order".
//!
//! The next record is that of the location whose next record has the smallest time, of equal times that of the smallest location id.
//! A location is looked at again only when its record has been delivered, so times that run backwards stay in the order of the file.

use super::events::TimedRecord;
use super::location::{Family, LocationReader};
use crate::error::Result;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt;

/// Time of the next record of a reader, and its place in the list, which is sorted by location.
type Head = Reverse<(u64, usize)>;

/// Reads the records of several locations in the order of time.
///
/// An error ends the location that it comes from, not the others: [`next`](Self::next) may be called again.
pub struct InOrder<F> {
    readers: Vec<LocationReader<F>>,
    /// The other locations that have a next record.
    others: BinaryHeap<Head>,
    /// The location whose record was delivered last.
    last: Option<usize>,
    /// Readers from here on have not been looked at.
    fresh: usize,
}

impl<F: Family> InOrder<F> {
    pub(super) fn new(mut readers: Vec<LocationReader<F>>) -> Self {
        readers.sort_by_key(LocationReader::location);
        InOrder { others: BinaryHeap::with_capacity(readers.len()), readers, last: None, fresh: 0 }
    }

    /// The next record and its location; none at the end of all files.
    #[allow(clippy::should_implement_trait)]
    #[inline]
    pub fn next(&mut self) -> Result<Option<(u64, TimedRecord<'_, F::Record<'_>>)>> {
        if self.fresh < self.readers.len() {
            self.look_at_all()?;
        }
        let next = match self.last.take() {
            Some(last) => self.advance(last)?,
            None => self.others.pop().map(|Reverse((_, reader))| reader),
        };
        let Some(next) = next else { return Ok(None) };
        self.last = Some(next);
        let reader = &self.readers[next];
        reader.record().map(|record| Some((reader.location(), record)))
    }

    #[cold]
    fn look_at_all(&mut self) -> Result<()> {
        while let Some(reader) = self.readers.get_mut(self.fresh) {
            self.fresh += 1;
            if let Some(time) = reader.advance()? {
                self.others.push(Reverse((time, self.fresh - 1)));
            }
        }
        Ok(())
    }

    /// Goes on in a reader; the one that comes next then.
    #[inline]
    fn advance(&mut self, last: usize) -> Result<Option<usize>> {
        let Some(time) = self.readers[last].advance()? else {
            return Ok(self.others.pop().map(|Reverse((_, reader))| reader));
        };
        let head = Reverse((time, last));
        match self.others.peek_mut() {
            // Its records often come in a row.
            Some(mut first) if *first > head => {
                let next = first.0.1;
                *first = head;
                drop(first);
                Ok(Some(next))
            }
            _ => Ok(Some(last)),
        }
    }
}

impl<F> fmt::Debug for InOrder<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InOrder").field("readers", &self.readers).finish_non_exhaustive()
    }
}
