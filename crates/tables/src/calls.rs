//! The calls of a location as rows, in the order of their starts.
//!
//! A row is complete when the call ends, and the outermost call ends last. So rows wait: the last
//! ones in memory, the others in a file without a name. Invariant: at most a given number of rows
//! is in memory, with those calls that began before and had not ended then. None is kept where only
//! their numbers are wanted, to which rows of other tables refer.

use crate::error::Error;
use kymo_analysis::ContextId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::mem;
use std::os::unix::fs::FileExt;

/// A call. Times are in nanoseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) time: u64,
    pub(crate) duration: u64,
    pub(crate) exclusive: u64,
    /// The number of the caller plus 1; 0 without one.
    pub(crate) parent: u64,
    pub(crate) context: u32,
    pub(crate) depth: u32,
    /// How many surrounding calls were known when the call ended.
    pub(crate) epoch: u32,
}

/// The number of rows that are passed at a time.
const SOME: usize = 1 << 13;
/// The number of bytes of a row in the file.
const SIZE: usize = 48;

/// The rows of a location.
#[derive(Debug)]
pub(crate) struct CallRows {
    rows: Vec<Row>,
    /// The largest number of rows in memory.
    most: usize,
    /// Whether rows are kept, not only counted.
    is_kept: bool,
    /// The number of rows in the file, or of those that were only counted.
    stored: u64,
    file: Option<File>,
    /// The rows in the file that were completed later.
    late: BTreeMap<u64, Row>,
    /// The calls whose enters are missing, which surround all calls before.
    enclosing: Vec<Enclosing>,
    failure: Option<io::Error>,
}

#[derive(Debug)]
struct Enclosing {
    row: u64,
    /// The contexts of the calls before, by their old ids.
    ids: Vec<ContextId>,
}

impl CallRows {
    pub(crate) fn new(most: usize) -> Self {
        Self {
            rows: Vec::new(),
            most: most.max(1),
            is_kept: true,
            stored: 0,
            file: None,
            late: BTreeMap::new(),
            enclosing: Vec::new(),
            failure: None,
        }
    }

    /// Numbers rows and keeps none.
    pub(crate) fn numbers() -> Self {
        Self { is_kept: false, ..Self::new(0) }
    }

    /// Returns the number of rows.
    pub(crate) fn len(&self) -> u64 {
        self.stored + self.rows.len() as u64
    }

    /// Returns how many surrounding calls are known.
    pub(crate) fn epoch(&self) -> u32 {
        self.enclosing.len() as u32
    }

    /// Adds a row that will be completed later. Returns its number.
    #[inline]
    pub(crate) fn push(&mut self) -> u64 {
        if !self.is_kept {
            self.stored += 1;
            return self.stored - 1;
        }
        if self.rows.len() == self.most {
            self.store();
        }
        self.rows.push(Row::default());
        self.len() - 1
    }

    /// Completes a row.
    #[inline]
    pub(crate) fn complete(&mut self, number: u64, row: Row) {
        if !self.is_kept {
            return;
        }
        match number.checked_sub(self.stored).and_then(|place| self.rows.get_mut(place as usize)) {
            Some(place) => *place = row,
            None => drop(self.late.insert(number, row)),
        }
    }

    /// The next row surrounds all rows before, whose contexts get new ids.
    pub(crate) fn enclose(&mut self, ids: &[ContextId]) {
        self.enclosing.push(Enclosing { row: self.len(), ids: ids.to_vec() });
    }

    #[cold]
    fn store(&mut self) {
        let rows = mem::take(&mut self.rows);
        let mut bytes = Vec::with_capacity(rows.len().min(SOME) * SIZE);
        for some in rows.chunks(SOME) {
            bytes.clear();
            some.iter().for_each(|row| bytes.extend_from_slice(&row.to_bytes()));
            let offset = self.stored * SIZE as u64;
            if let Err(error) = self.open().and_then(|file| file.write_all_at(&bytes, offset)) {
                self.failure.get_or_insert(error);
            }
            self.stored += some.len() as u64;
        }
        self.rows = rows;
        self.rows.clear();
    }

    fn open(&mut self) -> io::Result<&File> {
        if self.file.is_none() {
            self.file = Some(tempfile::tempfile()?);
        }
        self.file.as_ref().ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    /// Returns where rows are in the end.
    pub(crate) fn places(&self) -> Places {
        Places { enclosing: self.enclosing.iter().map(|it| it.row).collect() }
    }

    /// Passes all rows in their final order, some at a time, with contexts and parents as they are
    /// in the end.
    pub(crate) fn each(mut self, mut pass: impl FnMut(&[Row]) -> Result<(), Error>) -> Result<(), Error> {
        if let Some(failure) = self.failure.take() {
            return Err(temporary(failure));
        }
        let places = &self.places();
        for place in (0..self.enclosing.len()).rev() {
            let number = self.enclosing[place].row;
            let row = self.load(number).map_err(temporary)?;
            pass(&[self.finished(places, number, row)])?;
        }
        let (mut number, mut some, mut bytes) = (0, Vec::with_capacity(SOME), Vec::new());
        while number < self.stored {
            self.load_many(number, &mut bytes, &mut some).map_err(temporary)?;
            let count = some.len() as u64;
            self.finish(places, number, &mut some);
            pass(&some)?;
            number += count;
        }
        for rows in mem::take(&mut self.rows).chunks(SOME) {
            some.clear();
            some.extend_from_slice(rows);
            self.finish(places, number, &mut some);
            pass(&some)?;
            number += rows.len() as u64;
        }
        Ok(())
    }

    /// Makes rows as they are in the end, without those that surround others.
    fn finish(&self, places: &Places, first: u64, rows: &mut Vec<Row>) {
        if self.enclosing.is_empty() {
            return;
        }
        let mut number = first;
        rows.retain_mut(|row| {
            *row = self.finished(places, number, *row);
            number += 1;
            self.enclosing.binary_search_by_key(&(number - 1), |it| it.row).is_err()
        });
    }

    /// Returns a row as it is in the end.
    fn finished(&self, places: &Places, number: u64, row: Row) -> Row {
        let around = self.enclosing.partition_point(|it| it.row <= number);
        let around = &self.enclosing[around..];
        let parent = match row.parent.checked_sub(1) {
            Some(parent) => places.of(parent) + 1,
            None => around.first().map_or(0, |it| places.of(it.row) + 1),
        };
        let renamed = |context: u32, it: &Enclosing| it.ids.get(context as usize).map_or(context, |id| id.0);
        // Contexts of calls that ended after a surrounding one was known are those below it.
        let later = &self.enclosing[(row.epoch as usize).min(self.enclosing.len())..];
        let context = later.iter().fold(row.context, renamed);
        Row { parent, context, depth: row.depth + around.len() as u32, ..row }
    }

    /// Returns a row as it was recorded.
    fn load(&self, number: u64) -> io::Result<Row> {
        if let Some(place) = number.checked_sub(self.stored) {
            return Ok(self.rows.get(place as usize).copied().unwrap_or_default());
        }
        if let Some(row) = self.late.get(&number) {
            return Ok(*row);
        }
        let mut bytes = [0; SIZE];
        let file = self.file.as_ref().ok_or(io::ErrorKind::NotFound)?;
        file.read_exact_at(&mut bytes, number * SIZE as u64)?;
        Ok(Row::from_bytes(&bytes))
    }

    /// Replaces `rows` by some rows of the file, from this one on.
    fn load_many(&self, number: u64, bytes: &mut Vec<u8>, rows: &mut Vec<Row>) -> io::Result<()> {
        let count = (self.stored - number).min(SOME as u64);
        bytes.resize(count as usize * SIZE, 0);
        let file = self.file.as_ref().ok_or(io::ErrorKind::NotFound)?;
        file.read_exact_at(bytes, number * SIZE as u64)?;
        rows.clear();
        rows.extend(bytes.chunks_exact(SIZE).map(Row::from_bytes));
        for (late, row) in self.late.range(number..number + count) {
            rows[(late - number) as usize] = *row;
        }
        Ok(())
    }
}

/// Where the rows of a location are in the end: calls that surround others come first.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Places {
    /// The numbers of the surrounding calls.
    enclosing: Vec<u64>,
}

impl Places {
    /// Returns the place of the row that was added as this number.
    pub(crate) fn of(&self, number: u64) -> u64 {
        let all = self.enclosing.len() as u64;
        let before = self.enclosing.partition_point(|row| *row < number);
        match self.enclosing.get(before) {
            Some(row) if *row == number => all - 1 - before as u64,
            _ => number + all - before as u64,
        }
    }
}

fn temporary(error: io::Error) -> Error {
    kymo_analysis::Error::Temporary(error).into()
}

impl Row {
    fn to_bytes(self) -> [u8; SIZE] {
        let last = u64::from(self.depth) << 32 | u64::from(self.context);
        let words = [self.time, self.duration, self.exclusive, self.parent, last, self.epoch.into()];
        let mut bytes = [0; SIZE];
        for (place, word) in bytes.chunks_exact_mut(8).zip(words) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }

    fn from_bytes(bytes: &[u8]) -> Self {
        let word = |place: usize| {
            let mut word = [0; 8];
            word.copy_from_slice(&bytes[place * 8..place * 8 + 8]);
            u64::from_le_bytes(word)
        };
        let [time, duration, exclusive, parent, last, epoch] = [0, 1, 2, 3, 4, 5].map(word);
        let (context, depth, epoch) = (last as u32, (last >> 32) as u32, epoch as u32);
        Self { time, duration, exclusive, parent, context, depth, epoch }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(time: u64, parent: u64) -> Row {
        Row { time, duration: time + 1, exclusive: 3, parent, context: 4, depth: 5, epoch: 0 }
    }

    fn rows(calls: CallRows) -> Vec<Row> {
        let mut rows = Vec::new();
        calls
            .each(|some| {
                rows.extend_from_slice(some);
                Ok(())
            })
            .unwrap();
        rows
    }

    #[test]
    fn rows_that_end_late_are_complete() {
        for most in [1, 2, 7, 1000] {
            let mut calls = CallRows::new(most);
            let outer = calls.push();
            for time in 1..100 {
                let number = calls.push();
                calls.complete(number, row(time, outer + 1));
            }
            calls.complete(outer, row(0, 0));
            let found = rows(calls);
            assert_eq!(found[0], row(0, 0));
            assert!(found[1..].iter().zip(1..).all(|(found, time)| *found == row(time, 1)), "{most}");
        }
    }

    #[test]
    fn rows_that_are_not_kept_have_the_same_numbers() {
        let (mut kept, mut numbers) = (CallRows::new(2), CallRows::numbers());
        for time in 0..10 {
            let number = kept.push();
            assert_eq!(numbers.push(), number);
            for calls in [&mut kept, &mut numbers] {
                calls.complete(number, row(time, 0));
                if time == 5 {
                    calls.enclose(&[]);
                }
            }
        }
        assert_eq!(numbers.len(), kept.len());
        assert!((0..10).all(|number| numbers.places().of(number) == kept.places().of(number)));
        assert!(numbers.rows.is_empty() && numbers.file.is_none());
    }

    #[test]
    fn a_call_without_an_enter_comes_first() {
        for most in [1, 2, 1000] {
            let mut calls = CallRows::new(most);
            // a(b), then the end of c, then d, then the end of e.
            for (time, parent) in [(1, 0), (2, 1)] {
                let number = calls.push();
                calls.complete(number, row(time, parent));
            }
            for (surrounding, new) in [(true, 10), (false, 11), (true, 12)] {
                if surrounding {
                    calls.enclose(&[ContextId(new); 5]);
                }
                let number = calls.push();
                calls.complete(number, Row { epoch: calls.epoch(), ..row(new.into(), 0) });
            }
            let found: Vec<_> =
                rows(calls).iter().map(|it| (it.time, it.parent, it.depth, it.context)).collect();
            // The last one surrounds everything; the first one only the calls before it.
            let expected = [(12, 0, 5, 4), (10, 1, 6, 4), (1, 2, 7, 10), (2, 3, 7, 10), (11, 1, 6, 12)];
            let expected = expected.map(|(time, parent, depth, context)| {
                let context = match time {
                    1 | 2 => 10,
                    10 | 11 => 12,
                    _ => context,
                };
                (time, parent, depth, context)
            });
            assert_eq!(found, expected);
        }
    }
}
