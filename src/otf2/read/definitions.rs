//! Definition files, docs/spec/otf2-format.md, "Definition files", and definition logs in memory.

use super::place::RecordBytes;
use super::stream::{Framer, Step, Stop, View};
use super::window::Window;
use crate::archive::FileName;
use crate::byte_order::{BigEndian, ByteOrder, LittleEndian};
use crate::error::{Error, FormatError, Problem, Result};
use crate::records::definitions::{GlobalDefinition, LocalDefinition};
use crate::records::markers::AnyMarker;
use crate::records::thumbnails::Thumbnail;
use crate::records::{Found, RecordEnum};
use crate::wire::AMPLE;
use std::marker::PhantomData;

/// The records of a file without times.
#[derive(Debug, Clone)]
pub struct Records<'a, R> {
    file: View<'a>,
    framer: Framer,
    /// The bytes from the next record on that records of its chunk can consist of; empty if they
    /// are not known.
    rest: &'a [u8],
    /// The offset of the last record.
    offset: u64,
    done: bool,
    /// The name of the file, if known.
    name: Option<FileName>,
    /// The fault that keeps the rest of the file from being read, if there is one.
    fault: Option<FormatError>,
    record: PhantomData<R>,
}

/// Reads the definitions of a global definition file; `chunk_size` is the anchor's for definitions.
pub fn global_definitions(file: &[u8], chunk_size: u64) -> Result<Records<'_, GlobalDefinition<'_>>> {
    records(file, chunk_size)
}

/// Reads the definitions of a local definition file; `chunk_size` is the anchor's for definitions.
pub fn local_definitions(file: &[u8], chunk_size: u64) -> Result<Records<'_, LocalDefinition<'_>>> {
    records(file, chunk_size)
}

/// Reads the definitions of a log made with [`definition_bytes`](crate::write::definition_bytes):
/// global or local ones, depending on `R`.
pub fn log<'a, R: RecordEnum<'a>>(bytes: &'a [u8]) -> Records<'a, R> {
    new(View::whole(bytes), Framer::log(bytes.len()))
}

pub(super) fn records<'a, R: RecordEnum<'a>>(file: &'a [u8], chunk_size: u64) -> Result<Records<'a, R>> {
    new(View::whole(file), Framer::new(chunk_size)?).begun()
}

/// Reads the records of a file of an archive; `fault` is set if `bytes` are not the whole file.
pub(super) fn records_of<'a, R: RecordEnum<'a>>(
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
    Records { file, framer, rest: &[], offset: 0, done: false, name: None, fault: None, record: PhantomData }
}

impl<'a, R: RecordEnum<'a>> Records<'a, R> {
    /// Returns the offset of the last record in the file, in bytes.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns the offset of the end of the last record; at the end of the file, the offset of its
    /// end mark.
    pub fn position(&self) -> u64 {
        self.framer.position()
    }

    /// Returns whether the file is big endian.
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

    /// Returns an error at the offset of the next record.
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

    /// Reads the next record on the fast path: `take` decodes it from its head if it can.
    #[inline(always)]
    fn usual<T>(&mut self, take: impl FnOnce(Head<'a>) -> Option<T>) -> Option<T> {
        let head = Head::of(self.rest)?;
        let taken = take(head)?;
        (self.offset, self.rest) = (self.framer.position(), head.after(self.rest));
        self.framer.go_to(self.offset + 2 + head.length as u64);
        Some(taken)
    }

    /// Reads the next record, of any kind.
    #[inline(never)]
    fn take(&mut self) -> Step<Option<R>> {
        let usual = match self.framer.is_big() {
            false => self.usual(Head::record::<R, LittleEndian>),
            true => self.usual(Head::record::<R, BigEndian>),
        };
        if usual.is_some() {
            return Ok(usual);
        }
        let Some(id) = self.framer.next_id(self.file)? else { return Ok(None) };
        self.offset = self.framer.position();
        let bytes = self.framer.record::<R>(id, self.file)?;
        self.rest = self.framer.rest_of_chunk(self.file).0;
        Ok(Some(self.file.record(bytes, self.framer.is_big())?))
    }
}

/// Receives the records of a file without times. Unlike a closure, a method can be inlined into
/// each loop of the readers, however long it is.
pub trait ReceiveDefinition<K: DefinitionFile, E> {
    /// Takes a record.
    fn receive(&mut self, record: &K::Record<'_>) -> Result<(), E>;
}

/// A receiver that is called through a pointer, for rare cases, to keep loops short.
type Receiver<'v, K, E> = &'v mut dyn ReceiveDefinition<K, E>;

impl<K: DefinitionFile, E> ReceiveDefinition<K, E> for Receiver<'_, K, E> {
    fn receive(&mut self, record: &K::Record<'_>) -> Result<(), E> {
        (**self).receive(record)
    }
}

/// A function that receives records.
struct Visit<V>(V);

impl<K, E, V> ReceiveDefinition<K, E> for Visit<V>
where
    K: DefinitionFile,
    V: FnMut(&K::Record<'_>) -> Result<(), E>,
{
    #[inline(always)]
    fn receive(&mut self, record: &K::Record<'_>) -> Result<(), E> {
        (self.0)(record)
    }
}

/// A kind of file whose records have no times.
pub trait DefinitionFile: sealed::Sealed {
    /// The record, which borrows from its reader.
    type Record<'a>: RecordEnum<'a>;
}

/// Kinds of files whose records have no times.
pub mod kind {
    /// Global definition files.
    #[derive(Debug, Clone, Copy)]
    pub enum Global {}
    /// Local definition files.
    #[derive(Debug, Clone, Copy)]
    pub enum Local {}
    /// Marker files.
    #[derive(Debug, Clone, Copy)]
    pub enum Markers {}
    /// Thumbnail files.
    #[derive(Debug, Clone, Copy)]
    pub enum Thumbnails {}
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! kinds {
    ($($kind:ident, $record:ident;)*) => {$(
        impl sealed::Sealed for kind::$kind {}
        impl DefinitionFile for kind::$kind {
            type Record<'a> = $record<'a>;
        }
    )*};
}

kinds! {
    Global, GlobalDefinition;
    Local, LocalDefinition;
    Markers, AnyMarker;
    Thumbnails, Thumbnail;
}

/// Reads a file of definitions, markers or a thumbnail through a window, so that its memory does
/// not grow with the file.
///
/// ```
/// # fn main() -> kymo_otf2::Result<()> {
/// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/every-record/traces.otf2");
/// # let archive = kymo_otf2::read::Archive::open(path)?;
/// use kymo_otf2::markers::AnyMarker;
///
/// let mut markers = archive.marker_reader()?;
/// while let Some(record) = markers.next()? {
///     if let AnyMarker::Marker(marker) = record {
///         println!("{}: {}", marker.time, marker.text);
///     }
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct DefinitionReader<K> {
    window: Window,
    framer: Framer,
    name: FileName,
    kind: PhantomData<K>,
}

/// A record with a short length, followed by ample bytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Head<'a> {
    id: u8,
    bytes: &'a [u8; AMPLE],
    length: usize,
}

impl<'a> Head<'a> {
    /// Returns the first record in the rest of a chunk.
    #[inline(always)]
    fn of(rest: &'a [u8]) -> Option<Self> {
        let (&[id, length], data) = rest.split_first_chunk()?;
        let bytes = data.first_chunk()?;
        (length < 0xFF).then_some(Head { id, bytes, length: usize::from(length) })
    }

    /// Returns the bytes that follow the record; `bytes` begin with it.
    #[inline(always)]
    fn after(self, bytes: &'a [u8]) -> &'a [u8] {
        bytes.get(2 + self.length..).unwrap_or_default()
    }

    /// Decodes the record if it is valid.
    #[inline(always)]
    fn record<R: RecordEnum<'a>, O: ByteOrder>(self) -> Option<R> {
        let mut record = R::blank();
        self.refill::<R, O>(&mut record).then_some(record)
    }

    /// Passes the record to `found` if it is of a frequent kind and valid.
    #[inline(always)]
    fn frequent<R: RecordEnum<'a>, O: ByteOrder, T: Found<R>>(self, found: T) -> Option<T::Output> {
        R::frequent::<O, T>(self.id, self.bytes, self.length, found)
    }

    /// Decodes the record in place of another if it is valid; returns whether it is.
    #[inline(always)]
    fn refill<R: RecordEnum<'a>, O: ByteOrder>(self, record: &mut R) -> bool {
        R::refill::<O>(self.bytes, self.length, record, self.id)
    }
}

/// Passes on a record of a frequent kind. If `PASSED`, the framer has passed it before.
struct Frequent<'f, K, V, E, const PASSED: bool> {
    framer: &'f mut Framer,
    /// The offset of the end of the record.
    after: u64,
    receiver: &'f mut V,
    kind: PhantomData<(K, E)>,
}

impl<'a, K, V, E, const PASSED: bool> Found<K::Record<'a>> for Frequent<'_, K, V, E, PASSED>
where
    K: DefinitionFile,
    V: ReceiveDefinition<K, E>,
{
    type Output = Result<(), E>;

    #[inline(always)]
    fn found(self, record: K::Record<'a>) -> Result<(), E> {
        if PASSED {
            self.framer.go_to(self.after);
        }
        self.receiver.receive(&record)
    }
}

impl<K: DefinitionFile> DefinitionReader<K> {
    pub(super) fn new(name: FileName, window: Window, chunk_size: u64) -> Result<Self> {
        let framer = Framer::new(chunk_size).map_err(|error| error.in_file(name))?;
        let mut reader = DefinitionReader { window, framer, name, kind: PhantomData };
        reader.begin().map_err(|error| error.in_file(name))?;
        Ok(reader)
    }

    /// Reads the header of the first chunk.
    fn begin(&mut self) -> Result<()> {
        loop {
            match self.framer.begin(self.window.view()) {
                Ok(()) => return Ok(()),
                Err(Stop::Bad(error)) => return Err(self.framer.explain(error, false)),
                Err(Stop::More) => self.window.advance(self.framer.position())?,
            }
        }
    }

    /// Returns the next record; `None` at the end of the file. Repeats an error.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> Result<Option<K::Record<'_>>> {
        match self.next_record().map_err(|error| self.explain(error))? {
            Some(bytes) => self.record(bytes).map(Some).map_err(|error| self.explain(error)),
            None => Ok(None),
        }
    }

    /// Returns the offset of the end of the last record; at the end of the file, the offset of its
    /// end mark.
    pub fn position(&self) -> u64 {
        self.framer.position()
    }

    /// Calls `visit` with each record.
    pub(super) fn each<E: From<Error>>(
        mut self,
        visit: impl FnMut(&K::Record<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.pass_each::<E, false>(&mut Visit(visit))
    }

    /// Passes each record to a receiver, up to the end of the file. Faster than
    /// [`next`](Self::next). The reader has passed a record before it is received: even if the
    /// receiver never returns, the next call continues with the next record. Stops at the first
    /// error, and repeats an error of the file.
    #[inline]
    pub fn pass_to<E: From<Error>>(&mut self, receiver: &mut impl ReceiveDefinition<K, E>) -> Result<(), E> {
        self.pass_each::<E, true>(receiver)
    }

    #[inline(always)]
    fn pass_each<E: From<Error>, const PASSED: bool>(
        &mut self,
        receiver: &mut impl ReceiveDefinition<K, E>,
    ) -> Result<(), E> {
        loop {
            if !self.framer.is_big() {
                self.pass_usual::<LittleEndian, E, PASSED>(receiver)?;
            }
            // Rare cases call the receiver through a pointer, so that it is inlined into few loops.
            let mut receiver: Receiver<'_, K, E> = &mut *receiver;
            if self.framer.is_big() {
                self.pass_usual::<BigEndian, E, PASSED>(&mut receiver)?;
            }
            match self.next_record().map_err(|error| self.explain(error))? {
                Some(bytes) => receiver.receive(&self.record(bytes).map_err(|error| self.explain(error))?)?,
                None => return Ok(()),
            }
        }
    }

    /// The fast path: passes on the records with short lengths that are complete in the window and
    /// in this chunk, as long as ample bytes follow. Stops at an invalid record and at anything
    /// else.
    #[inline(always)]
    fn pass_usual<O: ByteOrder, E, const PASSED: bool>(
        &mut self,
        receiver: &mut impl ReceiveDefinition<K, E>,
    ) -> Result<(), E> {
        let DefinitionReader { window, framer, .. } = self;
        let (mut rest, end) = framer.rest_of_chunk(window.view());
        let (mut received, mut other) = (Ok(()), K::Record::blank());
        while received.is_ok()
            && let Some(head) = Head::of(rest)
        {
            let after = head.after(rest);
            let offset = end - after.len() as u64;
            let frequent = Frequent::<K, _, E, PASSED> {
                framer: &mut *framer,
                after: offset,
                receiver: &mut *receiver,
                kind: PhantomData,
            };
            received = match head.frequent::<K::Record<'_>, O, _>(frequent) {
                Some(received) => received,
                None if head.refill::<_, O>(&mut other) => {
                    if PASSED {
                        framer.go_to(offset);
                    }
                    (receiver as Receiver<'_, K, E>).receive(&other)
                }
                None => break,
            };
            rest = after;
        }
        if !PASSED {
            framer.go_to(end - rest.len() as u64);
        }
        received
    }

    /// Finds the next record, of any kind.
    #[inline(never)]
    fn next_record(&mut self) -> Result<Option<RecordBytes>> {
        loop {
            match self.framer.next_record::<K::Record<'_>>(self.window.view()) {
                Ok(bytes) => return Ok(bytes),
                Err(Stop::Bad(error)) => return Err(error),
                Err(Stop::More) => self.window.advance(self.framer.position())?,
            }
        }
    }

    #[inline(never)]
    fn record(&self, bytes: RecordBytes) -> Result<K::Record<'_>> {
        self.window.view().record(bytes, self.framer.is_big())
    }

    #[cold]
    fn explain(&self, error: Error) -> Error {
        self.framer.explain(error, false).in_file(self.name)
    }
}

impl<'a, R: RecordEnum<'a>> Iterator for Records<'a, R> {
    type Item = Result<R>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        if !self.framer.is_big()
            && let Some(record) = self.usual(|head| head.frequent::<R, LittleEndian, _>(|record: R| record))
        {
            return Some(Ok(record));
        }
        let item = self.take().map_err(|stop| self.stopped(stop)).transpose();
        self.done = !matches!(item, Some(Ok(_)));
        item
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const CHUNK: u64 = 1 << 18;

    /// Returns a line for each record up to the first error, with its offset and that of the next
    /// record.
    fn lines(file: &[u8], plainly: bool) -> Vec<std::string::String> {
        let mut lines = Vec::new();
        let mut records = match global_definitions(file, CHUNK) {
            Ok(records) => records,
            Err(error) => return vec![error.to_string()],
        };
        loop {
            if plainly {
                records.rest = &[];
            }
            let Some(record) = records.next() else { return lines };
            lines.push(format!("{} {} {record:?}", records.offset(), records.position()));
        }
    }

    /// Generates mostly strings and regions, and many records with arbitrary content.
    fn record() -> impl Strategy<Value = Vec<u8>> {
        let small = || prop_oneof![6 => 0..3_u8, 1 => Just(0xFF), 1 => any::<u8>()];
        let id = prop_oneof![3 => Just(10), 3 => Just(15), 4 => any::<u8>()];
        let sized = (id, prop::collection::vec(small(), 0..40));
        prop_oneof![
            9 => sized.prop_map(|(id, data)| [&[id, data.len() as u8][..], &data].concat()),
            9 => "[a-z]{0,30}".prop_map(|text| [&[10, text.len() as u8 + 3, 1, 7], text.as_bytes(), &[0]].concat()),
            1 => prop::collection::vec(any::<u8>(), 0..5),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig {
            cases: if cfg!(miri) { 2 } else { 2000 },
            failure_persistence: None,
            ..ProptestConfig::default()
        })]
        #[test]
        #[cfg_attr(miri, ignore = "too many cases for Miri")]
        fn the_fast_path_returns_the_records_of_the_plain_path(
            big in any::<bool>(),
            records in prop::collection::vec(record(), 0..12),
            rest in prop_oneof![Just(0), Just(400_usize)],
        ) {
            let header = [&[3, if big { 0x23 } else { 0x42 }][..], &[0; 16]].concat();
            let file = [header, records.concat(), vec![1; rest], vec![2, 1]].concat();
            prop_assert_eq!(lines(&file, false), lines(&file, true));
        }
    }
}
