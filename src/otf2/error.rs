//! Errors, grouped by cause: the storage, the file being read, the caller, or a limit that the
//! caller set.
//!
//! No variant owns heap memory of its own, so that a writer can fail where allocation is forbidden.

use crate::archive::FileName;
use crate::records::enums::MappingType;
use std::fmt;
use std::io;

/// The result type of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of a reader or writer.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// Storage failed; a retry may succeed.
    Io {
        /// The file, if the error concerns one.
        file: Option<FileName>,
        /// The error returned by the operating system.
        source: io::Error,
    },
    /// The file being read breaks the format.
    Format(FormatError),
    /// The caller requested something that the format cannot express. Nothing was written.
    Usage(Usage),
    /// Reading further would take more memory than allowed.
    Limit(Limit),
}

/// A limit that was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit {
    /// The file being read.
    pub file: FileName,
    /// The number of bytes requested.
    pub needed: u64,
    /// The number of bytes left.
    pub left: u64,
    /// The number of bytes that all readers of the archive may use together.
    pub limit: usize,
}

/// A place in a file that breaks the format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FormatError {
    /// The file, if it is known.
    pub file: Option<FileName>,
    /// The offset in the file (or in the slice that was read), in bytes.
    pub offset: u64,
    /// The name of the record, if the fault is in one.
    pub record: Option<&'static str>,
    /// The problem.
    pub problem: Problem,
    /// Set if the chunk header belongs to another kind of file. The value states whether that
    /// header counts records, as those of event and snapshot files do. Such a file may be
    /// misplaced, or its writer died.
    pub is_counted: Option<bool>,
}

/// How a file breaks the format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Problem {
    /// The record, chunk or file ends inside a field.
    UnexpectedEnd,
    /// A compressed integer is longer than its type allows.
    IntegerTooLong {
        /// The length in bytes that the file states.
        length: u8,
        /// The largest length of the type.
        limit: u8,
    },
    /// A string has no NUL before the end of its record.
    MissingNul,
    /// An id map is neither dense (0) nor sparse (1).
    IdMapMode(u8),
    /// An id map has no entries.
    EmptyIdMap,
    /// The file is an anchor file, but another kind is expected.
    AnchorInstead,
    /// A chunk does not start with a chunk header.
    ChunkHeader(u8),
    /// The byte order is neither little (`0x42`) nor big endian (`0x23`).
    ByteOrder(u8),
    /// The chunks of a file disagree on its byte order.
    MixedByteOrder,
    /// The chunk size is outside the range that the format allows.
    ChunkSize(u64),
    /// A record extends past the end of its chunk.
    RecordBeyondChunk {
        /// The length that the record states.
        length: u64,
        /// The number of bytes left in the chunk.
        left: u64,
    },
    /// The file ends inside a record.
    RecordBeyondFile {
        /// The length that the record states.
        length: u64,
        /// The number of bytes left in the file.
        left: u64,
    },
    /// The file ends without an end-of-file mark.
    MissingEnd,
    /// The file is shorter than its writer made it.
    Length {
        /// The number of bytes written.
        expected: u64,
        /// The number of bytes found.
        found: u64,
    },
    /// An event number in a chunk header differs from the writer's count.
    EventNumber {
        /// The number that follows from the previous chunks or from the writer.
        expected: u64,
        /// The number in the header.
        found: u64,
    },
    /// A chunk or a file does not end with its mark.
    MissingMark {
        /// The expected mark.
        expected: u8,
        /// The byte found instead.
        found: u8,
    },
    /// An attribute list is longer than its number of entries allows.
    AttributeListLength {
        /// The length that the list states.
        length: u64,
        /// The largest length of a list with that number of entries.
        limit: u64,
    },
    /// An attribute list or time stamp is not followed by a record.
    MissingRecord,
    /// The anchor does not begin with the letters `OTF2`.
    Magic,
    /// The anchor format is 0, which does not exist.
    AnchorFormat(u8),
    /// The trace format is newer than this reader.
    TraceFormat(u8),
    /// The file substrate is unknown.
    Substrate(u8),
    /// The compression is unknown.
    Compression(u8),
    /// A property name is not of the form `A::B`, or occurs twice.
    PropertyName,
    /// The records of a thumbnail have the wrong order or number.
    Thumbnail,
    /// The time of a clock offset is not later than that of the previous one.
    ClockOffsetTime {
        /// The time of the offset.
        time: u64,
        /// The time of the previous offset.
        last: u64,
    },
    /// There are two mapping tables of this kind.
    DuplicateMappingTable(MappingType),
    /// A compressed file does not consist of blocks with zlib streams.
    Compressed(&'static str),
    /// The files of the locations are in SIONlib containers, which this crate does not read.
    Sion,
}

/// How a call breaks the rules of a reader or writer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Usage {
    /// The time is earlier than the last one of the location.
    TimeGoesBack {
        /// The time of the record.
        time: u64,
        /// The time of the previous record.
        last: u64,
    },
    /// The record does not fit into a chunk.
    RecordTooLarge {
        /// An upper bound of the record's size, in bytes.
        need: usize,
        /// The chunk size in bytes.
        chunk: u64,
    },
    /// The memory handed to a writer is smaller than requested.
    PieceTooSmall {
        /// The number of bytes requested.
        room: usize,
        /// The number of usable bytes.
        usable: usize,
    },
    /// The buffer for a single record is too small.
    BufferTooSmall {
        /// The number of bytes needed, slack included.
        need: usize,
    },
    /// A list has more elements than its count field can express.
    TooManyElements(usize),
    /// The chunk size is outside the range that the format allows.
    ChunkSize(u64),
    /// The writer is finished.
    Finished,
    /// The file has no record of this number.
    Position(u64),
    /// The path given for an archive is not that of an anchor file, whose name ends with `.otf2`.
    AnchorPath,
    /// Reading compressed archives requires the feature `zlib` of this library, which is disabled.
    WithoutZlib,
    /// The mark belongs to another writer or to a state that was rewound.
    Mark,
    /// A property name is not of the form `A::B` (letters, digits, `_`, `-`) or occurs twice, or a
    /// value is empty.
    Property,
    /// The anchor exceeds 256 KiB.
    AnchorTooLarge(usize),
    /// A thumbnail has too many or too few samples, or a sample whose number of values differs from
    /// the header's.
    Thumbnail,
}

impl Error {
    /// Sets the file, unless the error has one.
    pub fn in_file(self, name: FileName) -> Error {
        match self {
            Error::Io { file, source } => Error::Io { file: file.or(Some(name)), source },
            Error::Format(error) => Error::Format(FormatError { file: error.file.or(Some(name)), ..error }),
            other => other,
        }
    }

    /// Returns the file that the error concerns, if it is known.
    pub fn file(&self) -> Option<FileName> {
        match self {
            Error::Io { file, .. } => *file,
            Error::Format(error) => error.file,
            Error::Usage(_) => None,
            Error::Limit(limit) => Some(limit.file),
        }
    }

    /// Returns a description that does not name the file: the name in the archive is not the one on
    /// disk.
    pub fn description(&self) -> String {
        match self {
            Error::Io { source, .. } => source.to_string(),
            Error::Format(error) => FormatError { file: None, ..*error }.to_string(),
            Error::Usage(usage) => usage.to_string(),
            Error::Limit(Limit { needed, left, limit, .. }) => {
                format!("{needed} bytes of memory are needed, {left} of {limit} are left")
            }
        }
    }

    pub(crate) fn format(offset: u64, record: Option<&'static str>, problem: Problem) -> Error {
        Error::Format(FormatError { file: None, offset, record, problem, is_counted: None })
    }
}

impl From<Usage> for Error {
    fn from(usage: Usage) -> Error {
        Error::Usage(usage)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Io { source, .. } => Some(source),
            _ => None,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Io { file: Some(file), source } => write!(f, "{file}: {source}"),
            Error::Io { file: None, source } => write!(f, "{source}"),
            Error::Format(error) => error.fmt(f),
            Error::Usage(usage) => usage.fmt(f),
            Error::Limit(limit) => limit.fmt(f),
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Limit { file, needed, left, limit } = self;
        write!(f, "{file}: {needed} bytes of memory are needed, {left} of {limit} are left")
    }
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = self.file {
            write!(f, "{file}: ")?;
        }
        write!(f, "byte {}: ", self.offset)?;
        if let Some(record) = self.record {
            write!(f, "{record}: ")?;
        }
        self.problem.fmt(f)?;
        f.write_str(match self.is_counted {
            None => "",
            Some(false) => " (the chunk header counts no events: is this a file of definitions?)",
            Some(true) => " (the chunk header counts events: is this an event file?)",
        })
    }
}

impl Problem {
    /// Returns whether the problem is only that the file ends too early.
    pub(crate) fn is_cut(&self) -> bool {
        matches!(self, Problem::MissingEnd | Problem::RecordBeyondFile { .. } | Problem::Compressed(_))
    }
}

impl std::error::Error for Problem {}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Problem::UnexpectedEnd => f.write_str("ends inside a field"),
            Problem::IntegerTooLong { length, limit } => {
                write!(f, "compressed integer of {length} bytes, expected at most {limit}")
            }
            Problem::MissingNul => f.write_str("string without NUL"),
            Problem::IdMapMode(mode) => write!(f, "id map of mode {mode}, expected 0 or 1"),
            Problem::EmptyIdMap => f.write_str("id map without entries"),
            Problem::AnchorInstead => f.write_str("this is an anchor file, expected a file of chunks"),
            Problem::ChunkHeader(byte) => {
                write!(f, "byte {byte:#04x} where a chunk header (0x03) was expected")
            }
            Problem::ByteOrder(byte) => write!(f, "byte order {byte:#04x}, expected 0x42 or 0x23"),
            Problem::MixedByteOrder => f.write_str("byte order differs from that of the chunks before"),
            Problem::ChunkSize(size) => write!(f, "chunk size {size}, expected 262144 to 16777216"),
            Problem::RecordBeyondChunk { length, left } => {
                write!(f, "record of {length} bytes with {left} left in the chunk")
            }
            Problem::RecordBeyondFile { length, left } => {
                write!(f, "record of {length} bytes with {left} left in the file")
            }
            Problem::MissingEnd => f.write_str("no end-of-file mark (0x02)"),
            Problem::Length { expected, found } => {
                write!(f, "the file has {found} bytes, expected {expected}")
            }
            Problem::EventNumber { expected, found } => {
                write!(f, "event number {found}, expected {expected}")
            }
            Problem::MissingMark { expected, found } => {
                write!(f, "byte {found:#04x}, expected the mark {expected:#04x}")
            }
            Problem::AttributeListLength { length, limit } => {
                write!(f, "attribute list of {length} bytes, expected at most {limit}")
            }
            Problem::MissingRecord => f.write_str("no record after a time stamp or attribute list"),
            Problem::Magic => f.write_str("not an OTF2 anchor file"),
            Problem::AnchorFormat(number) => write!(f, "anchor format {number}, expected 1 or more"),
            Problem::TraceFormat(number) => {
                write!(f, "trace format {number} is newer than this reader, which supports up to 2")
            }
            Problem::Substrate(number) => write!(f, "file substrate {number}, expected 1 to 3"),
            Problem::Compression(number) => write!(f, "compression {number}, expected 1 or 2"),
            Problem::PropertyName => f.write_str("bad or duplicate property name"),
            Problem::Thumbnail => f.write_str("thumbnail records do not match their header"),
            Problem::ClockOffsetTime { time, last } => {
                write!(f, "clock offset at time {time}, expected a time after {last}")
            }
            Problem::DuplicateMappingTable(mapping) => write!(f, "second mapping table of {mapping}"),
            Problem::Compressed(what) => write!(f, "compressed file: {what}"),
            Problem::Sion => f.write_str("the files of the locations are in unsupported SIONlib containers"),
        }
    }
}

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Usage::TimeGoesBack { time, last } => write!(f, "time {time} is before {last}"),
            Usage::RecordTooLarge { need, chunk } => {
                write!(f, "record of up to {need} bytes does not fit into a chunk of {chunk}")
            }
            Usage::PieceTooSmall { room, usable } => {
                write!(f, "piece of {usable} usable bytes where {room} were requested")
            }
            Usage::BufferTooSmall { need } => write!(f, "buffer too small, {need} bytes needed"),
            Usage::TooManyElements(count) => write!(f, "list of {count} elements is too long for its count"),
            Usage::ChunkSize(size) => write!(f, "chunk size {size}, expected 262144 to 16777216"),
            Usage::Finished => f.write_str("the file is finished"),
            Usage::Position(number) => write!(f, "no record {number}"),
            Usage::AnchorPath => {
                f.write_str("expected the anchor file of an archive, whose name ends with .otf2")
            }
            Usage::WithoutZlib => f.write_str("this program cannot read compressed archives"),
            Usage::Mark => f.write_str("mark of another writer"),
            Usage::Property => f.write_str("bad, duplicate or empty property"),
            Usage::AnchorTooLarge(size) => write!(f, "anchor of {size} bytes, expected at most 262144"),
            Usage::Thumbnail => f.write_str("number of samples or values differs from the header's"),
        }
    }
}
