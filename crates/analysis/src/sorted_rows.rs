//! Rows in the order of their first numbers, sorted in pieces that go to a [`Spill`].

use crate::error::Error;
use crate::spill::{Spill, SpilledRows};
use std::mem;

/// The number of rows that are sorted in memory.
const MOST: usize = 1 << 15;

/// One of two kinds of rows.
pub(crate) enum Either<T, U> {
    First(T),
    Second(U),
}

/// Rows of `N` numbers that are being sorted.
#[derive(Debug)]
pub(crate) struct SortedRows<'s, const N: usize> {
    spill: &'s Spill,
    unsorted: Vec<[u64; N]>,
    sorted: Vec<SpilledRows>,
}

impl<'s, const N: usize> SortedRows<'s, N> {
    /// Starts without rows.
    pub(crate) fn new(spill: &'s Spill) -> Self {
        Self { spill, unsorted: Vec::new(), sorted: Vec::new() }
    }

    /// Adds a row.
    pub(crate) fn push(&mut self, row: [u64; N]) -> Result<(), Error> {
        if self.unsorted.len() == MOST {
            self.sort()?;
        }
        self.unsorted.push(row);
        Ok(())
    }

    fn sort(&mut self) -> Result<(), Error> {
        let mut rows = mem::take(&mut self.unsorted);
        rows.sort_by_key(|row| row.first().copied());
        let mut stream = self.spill.stream();
        for row in rows.drain(..) {
            stream.push(row)?;
        }
        self.sorted.push(stream.finish()?);
        self.unsorted = rows;
        Ok(())
    }

    /// Passes all rows. Those with equal first numbers stay in their order.
    pub(crate) fn each(mut self, mut each: impl FnMut([u64; N]) -> Result<(), Error>) -> Result<(), Error> {
        self.sort()?;
        let Self { spill, unsorted, sorted } = self;
        drop(unsorted);
        spill.merge(sorted, |_, row| each(std::array::from_fn(|_| row.number())))
    }

    /// Passes all rows of both in the order of their first numbers.
    pub(crate) fn each_with<const M: usize>(
        mut self,
        mut others: SortedRows<'s, M>,
        mut each: impl FnMut(Either<[u64; N], [u64; M]>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.sort()?;
        others.sort()?;
        let own = self.sorted.len();
        self.sorted.append(&mut others.sorted);
        self.spill.merge(self.sorted, |stream, row| {
            each(match stream < own {
                true => Either::First(std::array::from_fn(|_| row.number())),
                false => Either::Second(std::array::from_fn(|_| row.number())),
            })
        })
    }

    /// Returns the rows of each first number, and that number, in its order.
    pub(crate) fn groups(self) -> Result<Vec<(u64, SpilledRows)>, Error> {
        let mut groups: Vec<(u64, SpilledRows)> = Vec::new();
        let (mut stream, mut group) = (self.spill.stream(), None);
        self.each(|row| {
            let key = row.first().copied();
            if let Some(done) = group.filter(|_| key != group) {
                groups.push((done, stream.take()?));
            }
            group = key;
            stream.push(row)
        })?;
        if let Some(done) = group {
            groups.push((done, stream.take()?));
        }
        Ok(groups)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_sorted_and_equal_ones_stay_in_their_order() {
        let spill = Spill::default();
        let mut rows = SortedRows::new(&spill);
        let all: Vec<_> =
            (0..3 * MOST as u64 + 7).map(|it| [it.wrapping_mul(0x9E37_79B9) % 1000, it]).collect();
        all.iter().for_each(|row| rows.push(*row).unwrap());
        let mut sorted = Vec::new();
        rows.each(|row| {
            sorted.push(row);
            Ok(())
        })
        .unwrap();
        let mut expected = all;
        expected.sort_unstable();
        assert_eq!(sorted, expected);
    }

    #[test]
    fn groups_have_the_rows_of_a_first_number() {
        let spill = Spill::default();
        let mut rows = SortedRows::new(&spill);
        [[3, 1], [1, 2], [3, 3]].into_iter().for_each(|row| rows.push(row).unwrap());
        let mut groups = Vec::new();
        for (key, mut rows) in rows.groups().unwrap() {
            spill.each(&mut rows, |row| groups.push((key, [row.number(), row.number()]))).unwrap();
        }
        assert_eq!(groups, [(1, [1, 2]), (3, [3, 1]), (3, [3, 3])]);
    }
}
