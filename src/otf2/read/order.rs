//! Reading several locations in the order of time, OTF2 format, section "Global event order".
//!
//! The next record is that of the location whose next record has the smallest time, of equal times that of the smallest location id.
//! A location is looked at again only when its record has been delivered, so times that run backwards stay in the order of the file.

use super::budget::Lease;
use super::events::TimedRecord;
use super::location::{Family, LocationReader};
use crate::error::{Error, Result};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::fmt;

/// Time of the next record of a reader, and its place in the list, which is sorted by location.
type Head = Reverse<(u64, usize)>;

/// Reads the records of several locations in the order of time.
///
/// An error ends the location that it comes from, not the others: [`next`](Self::next) may be called again.
///
/// ```
/// # fn main() -> kymo_otf2::Result<()> {
/// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/every-record/traces.otf2");
/// # let archive = kymo_otf2::read::Archive::open(path)?;
/// // There is no location 99.
/// let mut events = archive.events_in_order(&[0, 4294967301, 99])?;
/// let (mut last, mut faults) = (0, Vec::new());
/// loop {
///     match events.next() {
///         Ok(Some((location, event))) => {
///             assert!(last <= event.time, "location {location}");
///             last = event.time;
///         }
///         Ok(None) => break,
///         Err(error) => faults.push(error.file()),
///     }
/// }
/// assert_eq!(faults, [Some(kymo_otf2::FileName::Events(99))]);
/// # Ok(())
/// # }
/// ```
pub struct InOrder<F> {
    readers: Vec<LocationReader<F>>,
    /// The other locations that have a next record.
    others: BinaryHeap<Head>,
    /// The location whose record was delivered last.
    last: Option<usize>,
    /// Readers from here on have not been looked at.
    fresh: usize,
    /// Why other locations have no reader.
    faults: VecDeque<Error>,
    _lease: Lease,
}

impl<F: Family> InOrder<F> {
    /// Memory for a location in bytes, what its reader owns excepted.
    pub(super) const MEMORY: usize =
        size_of::<LocationReader<F>>() + size_of::<Head>() + 2 * size_of::<Error>();

    pub(super) fn new(locations: usize, lease: Lease) -> Self {
        let (readers, others) = (Vec::with_capacity(locations), BinaryHeap::with_capacity(locations));
        InOrder { readers, others, last: None, fresh: 0, faults: VecDeque::new(), _lease: lease }
    }

    /// Adds a location, whose id is larger than those before.
    pub(super) fn add(&mut self, reader: LocationReader<F>) {
        self.readers.push(reader);
    }

    /// Says why the next location has no reader.
    pub(super) fn add_fault(&mut self, fault: Error) {
        self.faults.push_back(fault);
    }

    /// The next record and its location; none at the end of all files.
    #[allow(clippy::should_implement_trait)]
    #[inline]
    pub fn next(&mut self) -> Result<Option<(u64, TimedRecord<'_, F::Record<'_>>)>> {
        if self.fresh < self.readers.len() || !self.faults.is_empty() {
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
        if let Some(fault) = self.faults.pop_front() {
            return Err(fault);
        }
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
