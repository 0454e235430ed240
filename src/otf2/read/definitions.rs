//! Definition files, OTF2 format, section "Definition files", and definition logs in memory.

use super::stream::{Frame, Framer, Step, Stop, View};
use super::window::Window;
use crate::archive::FileName;
use crate::byte_order::{BigEndian, LittleEndian};
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

/// Reads a file of definitions through a window, so that its memory does not grow with the file.
#[derive(Debug)]
pub(super) struct Streamed {
    window: Window,
    framer: Framer,
    name: FileName,
}

/// The record of a kind of file that borrows for as long as it is visited.
pub(super) trait Visited {
    type Record<'a>: Decode<'a>;

    /// Any record, to be replaced.
    fn blank<'a>() -> Self::Record<'a>;
}

/// Global definitions.
pub(super) enum Global {}

impl Visited for Global {
    type Record<'a> = GlobalDefinition<'a>;
    fn blank<'a>() -> GlobalDefinition<'a> {
        GlobalDefinition::Unknown { id: 0, data: &[] }
    }
}

impl Streamed {
    pub(super) fn new(name: FileName, window: Window, chunk_size: u64) -> Result<Self> {
        let framer = Framer::new(chunk_size).map_err(|error| error.in_file(name))?;
        Ok(Streamed { window, framer, name })
    }

    /// Calls `visit` with each record.
    pub(super) fn each<V: Visited, E: From<Error>>(
        mut self,
        mut visit: impl FnMut(&V::Record<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        loop {
            self.each_usual::<V, E>(&mut visit)?;
            match self.next::<V>().map_err(|error| self.explain(error))? {
                Some(frame) => visit(&self.record::<V>(frame).map_err(|error| self.explain(error))?)?,
                None => return Ok(()),
            }
        }
    }

    /// Visits the records with short lengths that lie in the window and in this chunk as a whole, up to one that is bad or anything
    /// else.
    #[inline(always)]
    fn each_usual<V: Visited, E>(
        &mut self,
        visit: &mut impl FnMut(&V::Record<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let (rest, end) = self.framer.rest_of_chunk(self.window.view());
        let mut records = Usual { rest, record: V::blank() };
        let mut visited = Ok(());
        while visited.is_ok() && records.advance(self.framer.is_big()) {
            visited = visit(&records.record);
        }
        self.framer.go_to(end - records.rest.len() as u64);
        visited
    }

    /// Finds the next record whatever it is.
    #[inline(never)]
    fn next<V: Visited>(&mut self) -> Result<Option<Frame>> {
        loop {
            match self.framer.next_frame::<V::Record<'_>>(self.window.view()) {
                Ok(frame) => return Ok(frame),
                Err(Stop::Bad(error)) => return Err(error),
                Err(Stop::More) => self.window.advance(self.framer.position())?,
            }
        }
    }

    #[inline(never)]
    fn record<V: Visited>(&self, frame: Frame) -> Result<V::Record<'_>> {
        self.window.view().record(frame, self.framer.is_big())
    }

    #[cold]
    fn explain(&self, error: Error) -> Error {
        self.framer.explain(error, false).in_file(self.name)
    }
}

/// The fast path: records with short lengths, as long as ample bytes follow.
struct Usual<'a, R> {
    /// From the next record on, in its chunk.
    rest: &'a [u8],
    /// The last one.
    record: R,
}

impl<'a, R: Decode<'a>> Usual<'a, R> {
    /// Takes the next record; false if that is anything else, or bad.
    #[inline(always)]
    fn advance(&mut self, big: bool) -> bool {
        let Some((&[id, length], data)) = self.rest.split_first_chunk() else { return false };
        let (Some(bytes), end) = (data.first_chunk(), usize::from(length)) else { return false };
        let is_usual = length < 0xFF
            && match big {
                false => self.record.refill::<LittleEndian>(id, bytes, end),
                true => self.record.refill::<BigEndian>(id, bytes, end),
            };
        if is_usual {
            self.rest = data.get(end..).unwrap_or_default();
        }
        is_usual
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
