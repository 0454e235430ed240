//! Definition files, OTF2 format, section "Definition files", and definition logs in memory.

use super::stream::{Framer, Step, Stop, View};
use crate::archive::FileName;
use crate::error::{Error, FormatError, Problem, Result};
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
    /// The file, if it is known.
    name: Option<FileName>,
    /// What keeps the rest of the file from being read, if it is not its end.
    fault: Option<FormatError>,
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
    new(View::whole(bytes), Framer::log(bytes.len()))
}

pub(super) fn records<'a, R: Decode<'a>>(file: &'a [u8], chunk_size: u64) -> Result<Records<'a, R>> {
    new(View::whole(file), Framer::new(chunk_size)?).begun()
}

/// Records of a file of an archive, of which these bytes can be read.
pub(super) fn records_of<'a, R: Decode<'a>>(
    name: FileName,
    bytes: &'a [u8],
    fault: Option<FormatError>,
    chunk_size: u64,
) -> Result<Records<'a, R>> {
    let file = View::new(bytes, 0, fault.is_none());
    let records = Records { name: Some(name), fault, ..new(file, Framer::new(chunk_size)?) };
    records.begun()
}

fn new<'a, R>(file: View<'a>, framer: Framer) -> Records<'a, R> {
    Records { file, framer, offset: 0, done: false, name: None, fault: None, record: PhantomData }
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

    /// Reads the header of the first chunk.
    fn begun(mut self) -> Result<Self> {
        match self.framer.begin(self.file) {
            Ok(()) => Ok(self),
            Err(stop) => Err(self.stopped(stop)),
        }
    }

    /// An error where the next record would be.
    pub(super) fn problem(&self, problem: Problem) -> Error {
        self.named(Error::format(self.framer.position(), None, problem))
    }

    fn stopped(&self, stop: Stop) -> Error {
        match (stop, self.fault) {
            (Stop::Bad(error), _) => self.named(self.framer.explain(error, false)),
            (Stop::More, Some(fault)) => self.named(Error::Format(fault)),
            (Stop::More, None) => self.problem(Problem::MissingEnd),
        }
    }

    fn named(&self, error: Error) -> Error {
        match self.name {
            Some(name) => error.in_file(name),
            None => error,
        }
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
        let item = self.take().map_err(|stop| self.stopped(stop)).transpose();
        self.done = !matches!(item, Some(Ok(_)));
        item
    }
}
