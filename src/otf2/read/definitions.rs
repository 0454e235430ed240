//! Definition files, OTF2 format, section "Definition files", and definition logs in memory.

use super::stream::{Next, Stream};
use crate::error::Result;
use crate::records::Decode;
use crate::records::definitions::{GlobalDefinition, LocalDefinition};
use std::marker::PhantomData;

/// Records of a file without times.
#[derive(Debug, Clone)]
pub struct Records<'a, R> {
    stream: Stream<'a>,
    done: bool,
    record: PhantomData<R>,
}

/// Definitions of a global definition file; `chunk_size` is the anchor's for definitions.
pub fn global_definitions(file: &[u8], chunk_size: u64) -> Result<Records<'_, GlobalDefinition<'_>>> {
    records(file, chunk_size)
}

/// Definitions of a local definition file; `chunk_size` is the anchor's for definitions.
pub fn local_definitions(file: &[u8], chunk_size: u64) -> Result<Records<'_, LocalDefinition<'_>>> {
    records(file, chunk_size)
}

/// Definitions of a log made with [`definition_bytes`](crate::write::definition_bytes): global ones, or local ones, as the
/// type that is asked for says.
pub fn log<'a, R: Decode<'a>>(bytes: &'a [u8]) -> Records<'a, R> {
    Records { stream: Stream::log(bytes), done: false, record: PhantomData }
}

pub(super) fn records<R>(file: &[u8], chunk_size: u64) -> Result<Records<'_, R>> {
    Ok(Records { stream: Stream::new(file, chunk_size)?, done: false, record: PhantomData })
}

impl<'a, R: Decode<'a>> Records<'a, R> {
    /// Offset behind the last record.
    pub fn offset(&self) -> u64 {
        self.stream.position() as u64
    }

    /// Whether the file is big endian.
    pub fn is_big_endian(&self) -> bool {
        self.stream.is_big()
    }

    fn take(&mut self) -> Result<Option<R>> {
        match self.stream.next()? {
            Next::Record(id) => self.stream.record(id).map(Some),
            Next::End => Ok(None),
        }
    }
}

impl<'a, R: Decode<'a>> Iterator for Records<'a, R> {
    type Item = Result<R>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let item = self.take().transpose();
        self.done = !matches!(item, Some(Ok(_)));
        item
    }
}
