//! Files in the jitdump format (`tools/perf/Documentation/jitdump-specification.txt` of Linux), in
//! which a program writes about the code that it has generated, with times.
//!
//! ```text
//! header   "JiTD", version, size, machine, 0, process, time, flags
//! record   kind, size of all of it, time, then by kind:
//!   0      code is loaded: process, thread, address twice, size, index, name, the code itself
//!   1      code is moved: process, thread, address, old address, new address, size, index
//!   2      lines of the code that is loaded next: address, count, then address, line, 0, file
//! ```
//!
//! Numbers have the byte order of the program. Invariants: sizes are compared with the file before
//! they are used; of a record only the fields and the name are in memory; a moved function is known
//! by its index; the records after an impossible one are not read.

mod debug_lines;
mod dump_fields;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};
use std::io::{self, BufReader, Read, Seek, SeekFrom};

use self::debug_lines::CodeLines;
use self::dump_fields::DumpFields;
use super::history::{AddressHistory, HistoryIsFull};
use super::readable;

const MAGIC: u32 = u32::from_be_bytes(*b"JiTD");
const VERSION: u32 = 1;
const HEADER: u64 = 40;
const RECORD: u64 = 16;
const LOAD: u32 = 0;
const MOVE: u32 = 1;
const LINES: u32 = 2;
/// The sizes of the fields of these records.
const LOAD_FIELDS: u64 = 40;
const MOVE_FIELDS: u64 = 48;
/// The flag that states that times are ticks of the processor's counter.
const OF_COUNTER: u64 = 1;
/// The longest name that is read, in bytes.
const LONGEST: u64 = 1 << 16;
/// The size of the lines of one function that are read, at most.
const MOST_LINES: u64 = 1 << 22;
/// The number of moved functions, at most.
const MOST_MOVED: usize = 1 << 20;

/// A file in the jitdump format.
#[derive(Debug)]
pub(super) struct Jitdump<F> {
    reader: BufReader<F>,
    is_swapped: bool,
    /// The size of the file.
    size: u64,
    first: u64,
    /// The offset of the next record.
    next: u64,
    /// The process that wrote it.
    pub(super) process: u32,
    /// Whether times are ticks of the processor's counter, not of the monotonic clock.
    pub(super) is_of_counter: bool,
}

/// The begin of a record.
#[derive(Debug, Clone, Copy)]
struct DumpRecord {
    kind: u32,
    time: u64,
    offset: u64,
    /// The number of bytes that follow the begin.
    size: u64,
}

/// Why a file is not read to its end.
#[derive(Debug)]
pub(super) enum DumpFault {
    Io(io::Error),
    Format(String),
}

impl From<io::Error> for DumpFault {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<HistoryIsFull> for DumpFault {
    fn from(_: HistoryIsFull) -> Self {
        Self::Format("more names than there is room for".to_owned())
    }
}

fn wrong<T>(offset: u64, what: &str) -> Result<T, DumpFault> {
    Err(DumpFault::Format(format!("at offset {offset}: {what}")))
}

/// Where the lines of the next function are.
#[derive(Debug, Clone, Copy)]
struct NextLines {
    address: u64,
    offset: u64,
    size: u64,
}

/// Code that was loaded.
#[derive(Debug)]
struct LoadedCode {
    process: u32,
    address: u64,
    size: u64,
    index: u64,
}

impl<F: Read + Seek> Jitdump<F> {
    /// Reads the header.
    pub(super) fn open(file: F) -> Result<Self, DumpFault> {
        let mut reader = BufReader::new(file);
        let size = reader.seek(SeekFrom::End(0))?;
        reader.seek(SeekFrom::Start(0))?;
        let mut header = Vec::new();
        reader.by_ref().take(HEADER).read_to_end(&mut header)?;
        let magic = DumpFields::new(&header, false).u32();
        let is_swapped = magic == Some(MAGIC.swap_bytes());
        if !is_swapped && magic != Some(MAGIC) {
            return wrong(0, "not the begin of a jitdump");
        }
        let mut fields = DumpFields::new(&header, is_swapped);
        let Some([_, version, first, _, _, process, _, _, flags, low]) = fields.all() else {
            return wrong(size, "the file ends inside of its header");
        };
        if version != VERSION {
            return wrong(4, &format!("version {version}, not {VERSION}"));
        }
        if u64::from(first) < HEADER {
            return wrong(8, &format!("a header of {first} bytes, not {HEADER}"));
        }
        // The flags have 64 bits, in the byte order of the file.
        let has_high_first = is_swapped == cfg!(target_endian = "little");
        let flags = if has_high_first { low } else { flags };
        let (first, is_of_counter) = (first.into(), u64::from(flags) & OF_COUNTER != 0);
        Ok(Self { reader, is_swapped, size, first, next: first, process, is_of_counter })
    }

    /// Reads the functions that `process` had at the addresses of `history` up to the time `until`.
    pub(super) fn read(
        &mut self,
        process: u32,
        until: u64,
        history: &mut AddressHistory,
    ) -> Result<(), DumpFault> {
        let (mut moved, mut functions) = (HashSet::new(), HashMap::new());
        let found = self.find_moved(process, history, &mut moved);
        self.next = self.first;
        let mut lines = None;
        while let Some(record) = self.record()? {
            match record.kind {
                _ if record.time > until => {}
                LOAD => {
                    let lines = lines.take();
                    self.load(record, process, lines, (&moved, &mut functions), history)?;
                }
                MOVE => self.relocate(record, process, &functions, history)?,
                LINES => lines = self.next_lines(record)?,
                _ => {}
            }
        }
        found
    }

    /// Finds the indexes of the code that was moved to one of the addresses.
    fn find_moved(
        &mut self,
        process: u32,
        history: &AddressHistory,
        moved: &mut HashSet<u64>,
    ) -> Result<(), DumpFault> {
        self.next = self.first;
        while let Some(record) = self.record()? {
            if record.kind == MOVE
                && let Some(code) = self.moved_code(record)?
                && code.process == process
                && history.covers(code.new, code.size)
            {
                moved.insert(code.index);
                if moved.len() > MOST_MOVED {
                    return wrong(record.offset, "more moved functions than there is room for");
                }
            }
        }
        Ok(())
    }

    /// Returns the next record; `None` at the end of the file.
    fn record(&mut self) -> Result<Option<DumpRecord>, DumpFault> {
        let offset = self.next;
        let left = self.size.saturating_sub(offset);
        if left == 0 {
            return Ok(None);
        }
        self.go(offset)?;
        let begin = self.bytes(RECORD.min(left))?;
        let mut fields = DumpFields::new(&begin, self.is_swapped);
        let (Some(kind), Some(size), Some(time)) = (fields.u32(), fields.u32(), fields.u64()) else {
            return wrong(offset, &format!("{left} bytes, less than the begin of a record"));
        };
        let size = u64::from(size);
        if size < RECORD {
            return wrong(offset, &format!("a record of {size} bytes, less than its begin"));
        }
        if size > left {
            return wrong(offset, &format!("the file ends after {left} of the {size} bytes of a record"));
        }
        self.next = offset + size;
        Ok(Some(DumpRecord { kind, time, offset, size: size - RECORD }))
    }

    fn go(&mut self, offset: u64) -> io::Result<()> {
        let now = self.reader.stream_position()?;
        self.reader.seek_relative(offset.wrapping_sub(now).cast_signed())
    }

    /// Reads up to this many bytes.
    fn bytes(&mut self, count: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.reader.by_ref().take(count).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// Reads the fields of a record, which have `size` bytes, and up to `more` bytes after them.
    fn fields(&mut self, record: DumpRecord, size: u64, more: u64) -> Result<Vec<u8>, DumpFault> {
        if record.size < size {
            let expected = size + RECORD;
            return wrong(
                record.offset,
                &format!("a record of {} bytes, not at least {expected}", record.size + RECORD),
            );
        }
        self.go(record.offset + RECORD)?;
        Ok(self.bytes(record.size.min(size + more))?)
    }

    fn moved_code(&mut self, record: DumpRecord) -> Result<Option<MovedCode>, DumpFault> {
        Ok(MovedCode::of(&self.fields(record, MOVE_FIELDS, 0)?, self.is_swapped))
    }

    fn relocate(
        &mut self,
        record: DumpRecord,
        process: u32,
        functions: &HashMap<u64, u32>,
        history: &mut AddressHistory,
    ) -> Result<(), DumpFault> {
        let Some(code) = self.moved_code(record)?.filter(|code| code.process == process) else {
            return Ok(());
        };
        history.end(code.old, code.size, record.time)?;
        match functions.get(&code.index) {
            Some(&number) => history.begin((code.new, code.size), record.time, number, |_| 0)?,
            None => history.end(code.new, code.size, record.time)?,
        }
        Ok(())
    }

    /// Returns where the lines of the next function are.
    fn next_lines(&mut self, record: DumpRecord) -> Result<Option<NextLines>, DumpFault> {
        let bytes = self.fields(record, 16, 0)?;
        let address = DumpFields::new(&bytes, self.is_swapped).u64();
        let (offset, size) = (record.offset + RECORD + 16, record.size - 16);
        Ok(address.map(|address| NextLines { address, offset, size }))
    }

    fn load(
        &mut self,
        record: DumpRecord,
        process: u32,
        lines: Option<NextLines>,
        (moved, functions): (&HashSet<u64>, &mut HashMap<u64, u32>),
        history: &mut AddressHistory,
    ) -> Result<(), DumpFault> {
        let bytes = self.fields(record, LOAD_FIELDS, LONGEST)?;
        let (fields, name) = bytes.split_at(bytes.len().min(LOAD_FIELDS as usize));
        let Some(code) = LoadedCode::of(fields, self.is_swapped) else { return Ok(()) };
        let is_moved = moved.contains(&code.index);
        if code.process != process || !is_moved && !history.covers(code.address, code.size) {
            return Ok(());
        }
        let Some(end) = name.iter().position(|&byte| byte == 0) else {
            return wrong(record.offset, "a name without an end");
        };
        let mut function = readable::function(&String::from_utf8_lossy(name.get(..end).unwrap_or_default()));
        let lines = match lines.filter(|lines| lines.address == code.address) {
            Some(lines) => {
                self.go(lines.offset)?;
                CodeLines::of(&self.bytes(lines.size.min(MOST_LINES))?, self.is_swapped)
            }
            None => CodeLines::default(),
        };
        lines.complete(&mut function);
        let lines = lines.in_file(code.address, function.file.as_deref());
        let number = history.number(function)?;
        if is_moved {
            functions.insert(code.index, number);
        }
        let line = |address| lines.as_ref().map_or(0, |lines| lines.line(address));
        Ok(history.begin((code.address, code.size), record.time, number, line)?)
    }
}

/// Code that was moved.
#[derive(Debug)]
struct MovedCode {
    process: u32,
    old: u64,
    new: u64,
    size: u64,
    index: u64,
}

impl MovedCode {
    fn of(fields: &[u8], is_swapped: bool) -> Option<Self> {
        let mut fields = DumpFields::new(fields, is_swapped);
        let (process, _, _) = (fields.u32()?, fields.u32()?, fields.u64()?);
        let (old, new, size) = (fields.u64()?, fields.u64()?, fields.u64()?);
        Some(Self { process, old, new, size, index: fields.u64()? })
    }
}

impl LoadedCode {
    fn of(fields: &[u8], is_swapped: bool) -> Option<Self> {
        let mut fields = DumpFields::new(fields, is_swapped);
        let (process, _, _) = (fields.u32()?, fields.u32()?, fields.u64()?);
        Some(Self { process, address: fields.u64()?, size: fields.u64()?, index: fields.u64()? })
    }
}
