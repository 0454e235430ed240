//! Definition files, OTF2 format, section "Definition files", and definition logs in memory.

use super::stream::{Framer, IntoItem, Step, Stop, View};
use crate::error::Result;
use crate::records::Decode;
use crate::records::definitions::{GlobalDefinition, LocalDefinition};
use std::marker::PhantomData;

/// Records of a file without times.
#[derive(Debug, Clone)]
pub struct Records<'a, R> {
    file: View<'a>,
    framer: Framer,
    /// Offset of the last record.
    offset: u64,
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
    new(bytes, Framer::log(bytes.len()))
}

pub(super) fn records<'a, R: Decode<'a>>(file: &'a [u8], chunk_size: u64) -> Result<Records<'a, R>> {
    let mut framer = Framer::new(chunk_size)?;
    match framer.begin(View::whole(file)) {
        Ok(()) | Err(Stop::More) => Ok(new(file, framer)),
        Err(Stop::Bad(error)) => Err(error),
    }
}

fn new<'a, R>(bytes: &'a [u8], framer: Framer) -> Records<'a, R> {
    Records { file: View::whole(bytes), framer, offset: 0, done: false, record: PhantomData }
}

impl<'a, R: Decode<'a>> Records<'a, R> {
    /// Offset of the last record in the file, in bytes.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Offset behind the last record; at the end of the file that of its end mark.
    pub fn position(&self) -> u64 {
        self.framer.position()
    }

    /// Whether the file is big endian.
    pub fn is_big_endian(&self) -> bool {
        self.framer.is_big()
    }

    fn take(&mut self) -> Step<Option<R>> {
        let Some(id) = self.framer.next_id(self.file)? else { return Ok(None) };
        self.offset = self.framer.position();
        let frame = self.framer.frame::<R>(id, self.file)?;
        Ok(Some(self.file.record(frame, self.framer.is_big())?))
    }
}

impl<'a, R: Decode<'a>> Iterator for Records<'a, R> {
    type Item = Result<R>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let item = self.take().into_item();
        self.done = !matches!(item, Some(Ok(_)));
        item
    }
}
