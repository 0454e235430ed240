//! The file of a part: a mark, then blocks with their lengths and checksums.
//!
//! A block is a serialised value or plain bytes. An empty block ends the file.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use kymo_analysis::spill::{Spill, SpilledRows};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::Header;
use crate::problem::Problem;
use crate::status::Status;

/// The first bytes of the file. The number changes with the format.
const MARK: &[u8; 16] = b"kymo part 4\n\0\0\0\0";
/// The number of bytes of the length and the checksum of a block.
const FRAME: u64 = 8;

/// A part that is being written.
pub(crate) struct PartFile<W: Write> {
    out: BufWriter<W>,
    path: PathBuf,
}

impl<W: Write> PartFile<W> {
    /// Starts a part. Errors name it `path`.
    pub(crate) fn start(out: W, path: &Path, header: &Header) -> Result<Self, Problem> {
        let mut file = Self { out: BufWriter::with_capacity(1 << 18, out), path: path.to_owned() };
        let written = file.out.write_all(MARK);
        file.check(written)?;
        file.put(header)?;
        Ok(file)
    }

    /// Writes a value.
    pub(crate) fn put(&mut self, value: &impl Serialize) -> Result<(), Problem> {
        let bytes = postcard::to_stdvec(value).map_err(|error| self.problem(error))?;
        self.bytes(&bytes)
    }

    /// Writes bytes.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> Result<(), Problem> {
        let written = self.block(bytes);
        self.check(written)
    }

    /// Writes a block.
    pub(crate) fn block(&mut self, bytes: &[u8]) -> io::Result<()> {
        let length =
            u32::try_from(bytes.len()).map_err(|_| io::Error::other("a block of more than 4 GiB"))?;
        self.out.write_all(&length.to_le_bytes())?;
        self.out.write_all(&crc32fast::hash(bytes).to_le_bytes())?;
        self.out.write_all(bytes)
    }

    /// Writes the rows of a stream, and an empty block after them.
    pub(crate) fn rows(&mut self, spill: &Spill, rows: SpilledRows) -> Result<(), Problem> {
        let mut failure = None;
        let read = spill.blocks(rows, |block| {
            failure = failure.take().or_else(|| self.bytes(block).err());
            Ok(())
        });
        read.map_err(Problem::environment)?;
        failure.map_or(Ok(()), Err)?;
        self.bytes(&[])
    }

    /// Completes the part.
    pub(crate) fn end(mut self) -> Result<(), Problem> {
        self.bytes(&[])?;
        let written = self.out.flush();
        self.check(written)
    }

    fn check(&self, written: io::Result<()>) -> Result<(), Problem> {
        written.map_err(|error| self.problem(error))
    }

    fn problem(&self, error: impl std::fmt::Display) -> Problem {
        Problem::of(&self.path, error, Status::Environment)
    }
}

/// A part that is being read.
pub(crate) struct PartReader {
    path: PathBuf,
    input: BufReader<File>,
    offset: u64,
    length: u64,
}

impl PartReader {
    /// Opens a part.
    pub(crate) fn open(path: &Path) -> Result<(Header, Self), Problem> {
        let problem = |error: io::Error| Problem::of(path, error, Status::Environment);
        let file = File::open(path).map_err(problem)?;
        let length = file.metadata().map_err(problem)?.len();
        let mut part = Self { path: path.to_owned(), input: BufReader::new(file), offset: 0, length };
        let mut mark = [0; MARK.len()];
        let is_part = part.length >= mark.len() as u64 && part.read(&mut mark).is_ok() && mark == *MARK;
        if !is_part {
            let what = "not a part of this version: expected the result of '--part'";
            return Err(Problem::of(path, what, Status::Usage));
        }
        let header = part.get()?;
        Ok((header, part))
    }

    /// Reads a value.
    pub(crate) fn get<T: DeserializeOwned>(&mut self) -> Result<T, Problem> {
        let offset = self.offset;
        let bytes = self.block()?;
        postcard::from_bytes(&bytes).map_err(|_| self.damaged(offset, "the block has unknown contents"))
    }

    /// Reads a block.
    pub(crate) fn block(&mut self) -> Result<Vec<u8>, Problem> {
        let offset = self.offset;
        let mut frame = [[0; 4]; 2];
        for word in &mut frame {
            self.read(word).map_err(|_| self.damaged(offset, "the file ends before the next block"))?;
        }
        let [length, checksum] = frame.map(u32::from_le_bytes);
        if u64::from(length) > self.length.saturating_sub(offset + FRAME) {
            return Err(self.damaged(offset, "the file ends in this block"));
        }
        let mut bytes = vec![0; length as usize];
        self.read(&mut bytes).map_err(|error| Problem::of(&self.path, error, Status::Environment))?;
        match crc32fast::hash(&bytes) == checksum {
            true => Ok(bytes),
            false => Err(self.damaged(offset, "the checksum of the block is wrong")),
        }
    }

    /// Reads the rows of a stream.
    pub(crate) fn rows(&mut self, spill: &Spill) -> Result<SpilledRows, Problem> {
        let mut rows = SpilledRows::default();
        loop {
            let block = self.block()?;
            if block.is_empty() {
                return Ok(rows);
            }
            spill.restore(&mut rows, block).map_err(Problem::environment)?;
        }
    }

    /// Returns the problem with contents that do not fit the trace.
    pub(crate) fn unknown(&self, what: impl std::fmt::Display) -> Problem {
        Problem::of(&self.path, what, Status::Environment)
    }

    fn read(&mut self, bytes: &mut [u8]) -> io::Result<()> {
        self.input.read_exact(bytes)?;
        self.offset += bytes.len() as u64;
        Ok(())
    }

    fn damaged(&self, offset: u64, what: &str) -> Problem {
        Problem::of(&self.path, format!("offset {offset}: {what}"), Status::Environment)
    }
}
