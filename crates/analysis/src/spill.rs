//! Rows of numbers that wait outside memory: small ones in memory, many in a file without a name.
//!
//! Each stream is written by one thread. Invariant: at most 32 MiB of all streams together, and one
//! block of each, are in memory.

use crate::error::Error;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io;
use std::mem;
use std::os::unix::fs::FileExt;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

/// The size of a block in bytes. A merge of n streams has n of them in memory.
const BLOCK: usize = 1 << 12;
/// The largest number of bytes of all streams in memory before blocks go to the file.
const MOST_IN_MEMORY: usize = 32 << 20;

/// The number of bytes of a row that are added to a block at once.
const MOST_BYTES: usize = 128;
/// The number of bytes of the longest number.
const LONGEST_NUMBER: usize = 10;

/// A place for rows.
#[derive(Debug, Default)]
pub struct Spill {
    file: OnceLock<File>,
    /// The size of the file.
    length: AtomicU64,
    in_memory: AtomicUsize,
}

/// A stream of rows that is being written.
#[derive(Debug)]
pub struct Stream<'s> {
    spill: &'s Spill,
    rows: SpilledRows,
    block: Vec<u8>,
}

/// The rows of a stream.
#[derive(Debug, Default)]
pub struct SpilledRows {
    blocks: Vec<Block>,
}

#[derive(Debug)]
enum Block {
    Memory(Vec<u8>),
    File { offset: u64, length: usize },
}

impl Spill {
    /// Starts a stream.
    pub fn stream(&self) -> Stream<'_> {
        Stream { spill: self, rows: SpilledRows::default(), block: Vec::new() }
    }

    fn file(&self) -> io::Result<&File> {
        match self.file.get() {
            Some(file) => Ok(file),
            None => {
                let file = tempfile::tempfile()?;
                Ok(self.file.get_or_init(|| file))
            }
        }
    }

    fn store(&self, block: Vec<u8>) -> io::Result<Block> {
        let length = block.len();
        if self.in_memory.fetch_add(length, Relaxed) < MOST_IN_MEMORY {
            return Ok(Block::Memory(block));
        }
        let offset = self.length.fetch_add(length as u64, Relaxed);
        self.file()?.write_all_at(&block, offset)?;
        Ok(Block::File { offset, length })
    }

    fn load(&self, block: &mut Block) -> io::Result<Vec<u8>> {
        match block {
            Block::Memory(bytes) => Ok(mem::take(bytes)),
            Block::File { offset, length } => {
                let mut bytes = vec![0; *length];
                self.file()?.read_exact_at(&mut bytes, *offset)?;
                Ok(bytes)
            }
        }
    }

    /// Passes the rows of a stream, which stay for the next time.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn each(&self, rows: &mut SpilledRows, mut each: impl FnMut(&mut Row<'_>)) -> Result<(), Error> {
        for block in &mut rows.blocks {
            let (bytes, mut position) = (self.load(block).map_err(Error::Temporary)?, 0);
            while position < bytes.len() {
                each(&mut Row { bytes: &bytes, position: &mut position });
            }
            if let Block::Memory(place) = block {
                *place = bytes;
            }
        }
        Ok(())
    }

    /// Passes the bytes of a stream, block by block.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, and the errors of `each`.
    pub fn blocks(
        &self,
        rows: SpilledRows,
        mut each: impl FnMut(&[u8]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        rows.blocks
            .into_iter()
            .try_for_each(|mut block| each(&self.load(&mut block).map_err(Error::Temporary)?))
    }

    /// Adds the bytes of a block to a stream.
    ///
    /// # Errors
    ///
    /// If the file cannot be created or written.
    pub fn restore(&self, rows: &mut SpilledRows, block: Vec<u8>) -> Result<(), Error> {
        rows.blocks.push(self.store(block).map_err(Error::Temporary)?);
        Ok(())
    }

    /// Passes the rows of all streams in the order of their first numbers, those of one stream in
    /// their order, with the number of the stream. Rows of equal streams come first from the first.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, and the errors of `each`.
    pub fn merge(
        &self,
        streams: Vec<SpilledRows>,
        mut each: impl FnMut(usize, &mut Row<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut cursors = Vec::new();
        let mut next = BinaryHeap::new();
        for (number, rows) in streams.into_iter().enumerate() {
            let mut cursor = Cursor { blocks: rows.blocks.into_iter(), bytes: Vec::new(), position: 0 };
            if let Some(key) = cursor.key(self)? {
                next.push(Reverse((key, number)));
            }
            cursors.push(cursor);
        }
        while let Some(Reverse((_, number))) = next.pop() {
            let cursor = &mut cursors[number];
            each(number, &mut Row { bytes: &cursor.bytes, position: &mut cursor.position })?;
            if let Some(key) = cursor.key(self)? {
                next.push(Reverse((key, number)));
            }
        }
        Ok(())
    }
}

impl Stream<'_> {
    /// Adds a row.
    ///
    /// # Errors
    ///
    /// If the file cannot be created or written.
    pub fn push(&mut self, row: impl IntoIterator<Item = u64>) -> Result<(), Error> {
        if self.block.len() >= BLOCK {
            self.flush()?;
        }
        let (mut bytes, mut length) = ([0; MOST_BYTES], 0);
        for mut number in row {
            if length + LONGEST_NUMBER > bytes.len() {
                self.block.extend_from_slice(&bytes[..length]);
                length = 0;
            }
            while number >= 0x80 {
                bytes[length] = number as u8 | 0x80;
                number >>= 7;
                length += 1;
            }
            bytes[length] = number as u8;
            length += 1;
        }
        self.block.extend_from_slice(&bytes[..length]);
        Ok(())
    }

    fn flush(&mut self) -> Result<(), Error> {
        let block = mem::replace(&mut self.block, Vec::with_capacity(BLOCK + BLOCK / 16));
        self.rows.blocks.push(self.spill.store(block).map_err(Error::Temporary)?);
        Ok(())
    }

    /// Returns all rows.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn finish(mut self) -> Result<SpilledRows, Error> {
        self.take()
    }

    /// Returns all rows so far, and starts again.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn take(&mut self) -> Result<SpilledRows, Error> {
        if !self.block.is_empty() {
            self.flush()?;
        }
        Ok(mem::take(&mut self.rows))
    }
}

/// A position in the rows of a stream.
#[derive(Debug)]
struct Cursor {
    blocks: std::vec::IntoIter<Block>,
    bytes: Vec<u8>,
    position: usize,
}

impl Cursor {
    /// Returns the first number of the next row, if there is one.
    fn key(&mut self, spill: &Spill) -> Result<Option<u64>, Error> {
        if self.position >= self.bytes.len() {
            let Some(mut block) = self.blocks.next() else { return Ok(None) };
            (self.bytes, self.position) = (spill.load(&mut block).map_err(Error::Temporary)?, 0);
        }
        let mut position = self.position;
        Ok(Some(Row { bytes: &self.bytes, position: &mut position }.number()))
    }
}

/// The rows of a stream, each of `N` numbers, from the last one on.
#[derive(Debug, Default)]
pub(crate) struct LastRowsFirst<const N: usize> {
    blocks: Vec<Block>,
    /// The block that is read, and where its rows that are left begin.
    bytes: Vec<u8>,
    begins: Vec<u16>,
}

impl<const N: usize> LastRowsFirst<N> {
    /// Starts at the end of a stream.
    pub(crate) fn new(rows: SpilledRows) -> Self {
        Self { blocks: rows.blocks, bytes: Vec::new(), begins: Vec::new() }
    }

    /// Returns the row before the last one that was returned.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub(crate) fn next(&mut self, spill: &Spill) -> Result<Option<[u64; N]>, Error> {
        while self.begins.is_empty() {
            let Some(mut block) = self.blocks.pop() else { return Ok(None) };
            self.bytes = spill.load(&mut block).map_err(Error::Temporary)?;
            let mut position = 0;
            while position < self.bytes.len() {
                // Blocks are little longer than 4 KiB.
                self.begins.push(position as u16);
                let mut row = Row { bytes: &self.bytes, position: &mut position };
                (0..N).for_each(|_| {
                    row.number();
                });
            }
        }
        let Some(begin) = self.begins.pop() else { return Ok(None) };
        let mut position = usize::from(begin);
        let mut row = Row { bytes: &self.bytes, position: &mut position };
        Ok(Some(std::array::from_fn(|_| row.number())))
    }
}

/// A row that is being read.
#[derive(Debug)]
pub struct Row<'r> {
    bytes: &'r [u8],
    position: &'r mut usize,
}

impl Row<'_> {
    /// Returns the next number. Rows have no ends: read as many numbers as were written.
    #[inline]
    pub fn number(&mut self) -> u64 {
        match self.bytes.get(*self.position) {
            Some(byte) if *byte < 0x80 => {
                *self.position += 1;
                u64::from(*byte)
            }
            _ => self.long_number(),
        }
    }

    fn long_number(&mut self) -> u64 {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let Some(byte) = self.bytes.get(*self.position) else { break };
            *self.position += 1;
            number |= u64::from(byte & 0x7F) << shift;
            if *byte < 0x80 {
                break;
            }
        }
        number
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Returns the rows that a merge passes: the number of the stream, and the numbers of the row.
    fn merged(streams: &[Vec<[u64; 3]>]) -> Vec<(usize, [u64; 3])> {
        let spill = Spill::default();
        let rows = streams.iter().map(|rows| {
            let mut stream = spill.stream();
            rows.iter().for_each(|row| stream.push(*row).unwrap());
            stream.finish().unwrap()
        });
        let mut merged = Vec::new();
        let rows = rows.collect();
        spill
            .merge(rows, |stream, row| {
                merged.push((stream, [row.number(), row.number(), row.number()]));
                Ok(())
            })
            .unwrap();
        merged
    }

    #[test]
    fn many_rows_come_back_from_the_file() {
        let rows = |stream: u64| (0..600_000).map(|row| [row, u64::MAX - row, stream]).collect::<Vec<_>>();
        let streams: Vec<_> = (0..4).map(rows).collect();
        let merged = merged(&streams);
        assert_eq!(merged.len(), 4 * 600_000);
        for (place, (stream, row)) in merged.into_iter().enumerate() {
            let (number, of) = (place as u64 / 4, place as u64 % 4);
            assert_eq!((stream, row), (of as usize, [number, u64::MAX - number, of]));
        }
    }

    #[test]
    fn rows_come_back_from_the_last_one_on() {
        let (spill, rows) = (Spill::default(), 600_000);
        let mut stream = spill.stream();
        (0..rows).for_each(|row| stream.push([row, u64::MAX - row]).unwrap());
        let mut last_first = LastRowsFirst::new(stream.finish().unwrap());
        for row in (0..rows).rev() {
            assert_eq!(last_first.next(&spill).unwrap(), Some([row, u64::MAX - row]));
        }
        assert_eq!(last_first.next(&spill).unwrap(), None);
    }

    proptest! {
        #[test]
        fn rows_come_in_the_order_of_their_first_numbers(mut streams: Vec<Vec<[u64; 3]>>) {
            streams.iter_mut().for_each(|rows| rows.sort_unstable());
            let merged = merged(&streams);
            prop_assert!(merged.is_sorted_by_key(|(stream, row)| (row[0], *stream)));
            for (number, rows) in streams.iter().enumerate() {
                let of = merged.iter().filter(|(stream, _)| *stream == number);
                prop_assert_eq!(&of.map(|(_, row)| *row).collect::<Vec<_>>(), rows);
            }
        }
    }
}
