//! The memory of a writer: chunks, which are written to the file when there is no memory for the
//! next one, and at the end.
//!
//! The program decides when that is, because it provides the memory and is asked before each flush.
//! Invariant: in memory are the bytes of the file from `start` on, in chunks of one size, of which
//! all but the last are full. A chunk has no room for the slack of the encoder: its last bytes are
//! encoded in a copy, the tail. If the program refuses memory even after a flush, there is no
//! chunk: the writer then works on a copy that is lost, and asks again for each record.
//!
//! Functions of the program may unwind or jump away. The buffer is complete when it calls one, so
//! that the same step can be taken again.

use super::chunks::Chunks;
use crate::shared::Shared;
use crate::table::Table;
use crate::types::{FLUSH, MemoryCallbacks, file_type};
use kymo_otf2::FileName;
use kymo_otf2::error::{Error, Result};
use kymo_otf2::storage::Storage;
use kymo_otf2::write::{Pieces, SLACK};
use std::ffi::c_void;
use std::io;
use std::sync::Arc;

/// The most memory of a buffer without memory callbacks, in bytes.
const LARGEST: usize = 128 << 20;

/// A part of a chunk into which records are encoded.
#[derive(Debug)]
struct Piece {
    /// Where it begins in its chunk.
    begin: usize,
    bytes: *mut u8,
    /// The number of bytes, slack included.
    length: usize,
    is_tail: bool,
}

const NO_PIECE: Piece = Piece { begin: 0, bytes: std::ptr::dangling_mut(), length: 0, is_tail: false };

/// The memory of a writer.
#[derive(Debug)]
pub(crate) struct Buffer {
    shared: Arc<Shared>,
    /// The functions that provide all chunks: others may be set for the archive meanwhile.
    memory: Option<Table<MemoryCallbacks>>,
    file_type: u8,
    location: u64,
    chunk_size: usize,
    /// The offset in the file of the first chunk in memory.
    start: u64,
    chunks: Vec<*mut u8>,
    /// The chunk into which records are encoded.
    current: usize,
    piece: Piece,
    view: usize,
    tail: Vec<u8>,
    /// The place that the memory callbacks have for each buffer.
    per_buffer: *mut c_void,
    /// The handle of the writer.
    caller: *mut c_void,
    is_file_open: bool,
    was_flushed: bool,
    /// Whether the program was asked for a flush since the last call that asks for this.
    was_asked: bool,
    /// Memory of the library: for all chunks if there are no memory callbacks, otherwise for the
    /// end of a file for which the program has none.
    own: Chunks,
    is_ending: bool,
    /// The length of the file, when it is complete.
    length: Option<u64>,
    /// Whether the program has answered the last question for a flush.
    is_ended: bool,
}

impl Buffer {
    pub(crate) fn new(shared: Arc<Shared>, file_type: u8, location: u64, chunk_size: u64) -> Self {
        Buffer {
            memory: shared.memory(),
            shared,
            file_type,
            location,
            chunk_size: chunk_size as usize,
            start: 0,
            chunks: Vec::new(),
            current: 0,
            piece: NO_PIECE,
            view: 0,
            tail: Vec::new(),
            per_buffer: std::ptr::null_mut(),
            caller: std::ptr::null_mut(),
            is_file_open: false,
            was_flushed: false,
            was_asked: false,
            own: Chunks::new(chunk_size as usize),
            is_ending: false,
            length: None,
            is_ended: false,
        }
    }

    pub(crate) fn location(&self) -> u64 {
        self.location
    }

    pub(crate) fn set_location(&mut self, location: u64) {
        self.location = location;
    }

    /// Returns whether bytes are in the file.
    pub(crate) fn is_file_open(&self) -> bool {
        self.is_file_open
    }

    /// Sets the handle that flush callbacks get.
    pub(crate) fn set_caller(&mut self, caller: *mut c_void) {
        self.caller = caller;
    }

    /// Returns whether chunks were flushed since [`forget_flush`](Self::forget_flush).
    pub(crate) fn was_flushed(&self) -> bool {
        self.was_flushed
    }

    pub(crate) fn forget_flush(&mut self) {
        self.was_flushed = false;
    }

    /// Returns whether the program was asked for a flush since the last call, whatever it answered.
    pub(crate) fn take_was_asked(&mut self) -> bool {
        std::mem::take(&mut self.was_asked)
    }

    /// Returns the time of the end of a flush, if the program has a function for that.
    pub(crate) fn post_flush(&self) -> Option<u64> {
        let table = self.shared.flush()?;
        let post_flush = table.functions().post_flush?;
        // SAFETY: function and data are those that the program has set; it keeps them valid until
        // the archive is closed.
        Some(unsafe { post_flush(table.user_data, self.file_type, self.location) })
    }

    fn file(&self) -> FileName {
        match self.file_type {
            file_type::GLOBAL_DEFINITIONS => FileName::GlobalDefinitions,
            file_type::LOCAL_DEFINITIONS => FileName::LocalDefinitions(self.location),
            file_type::EVENTS => FileName::Events(self.location),
            file_type::SNAPSHOTS => FileName::Snapshots(self.location),
            file_type::THUMBNAIL => FileName::Thumbnail(self.location as u32),
            file_type::MARKERS => FileName::Markers,
            _ => FileName::Anchor,
        }
    }

    /// Asks the program whether to write.
    fn is_flush_wanted(&self, is_final: bool) -> bool {
        let Some(table) = self.shared.flush() else { return true };
        match table.functions().pre_flush {
            // SAFETY: function and data are those that the program has set; it keeps them valid
            // until the archive is closed.
            Some(pre_flush) => unsafe {
                pre_flush(table.user_data, self.file_type, self.location, self.caller, is_final) == FLUSH
            },
            None => self.file_type != file_type::EVENTS,
        }
    }

    /// Returns memory for a chunk, or null.
    fn allocate(&mut self) -> *mut u8 {
        let Some(table) = self.memory else {
            return match (self.chunks.len() + 1) * self.chunk_size > LARGEST {
                true => std::ptr::null_mut(),
                false => self.own.take(),
            };
        };
        let Some(allocate) = table.functions().allocate else { return std::ptr::null_mut() };
        let (type_, location, size) = (self.file_type, self.location, self.chunk_size as u64);
        // SAFETY: function and data are those that the program has set; it keeps them valid until
        // the archive is closed.
        unsafe { allocate(table.user_data, type_, location, &raw mut self.per_buffer, size) }.cast()
    }

    /// Frees all chunks.
    fn free(&mut self, is_final: bool) {
        self.chunks.clear();
        match is_final {
            true => self.own.free(),
            false => self.own.reuse(),
        }
        let Some(table) = self.memory else { return };
        if let Some(free_all) = table.functions().free_all {
            let (type_, location) = (self.file_type, self.location);
            // SAFETY: function and data are those that the program has set; it keeps them valid
            // until the archive is closed.
            unsafe { free_all(table.user_data, type_, location, &raw mut self.per_buffer, is_final) };
        }
    }

    /// Makes the next chunk the current one. Flushes all others if there is no memory for it.
    fn next_chunk(&mut self) -> Result<()> {
        if self.current + 1 < self.chunks.len() {
            // The writer went back before.
            self.current += 1;
            self.set_piece(0);
            return Ok(());
        }
        let mut chunk = self.allocate();
        if chunk.is_null() && !self.chunks.is_empty() {
            self.was_asked = true;
            if self.is_flush_wanted(false) {
                self.flush()?;
            }
            chunk = self.allocate();
        }
        if chunk.is_null() && self.is_ending {
            chunk = self.own.take();
        }
        if chunk.is_null() {
            return Err(self.error(io::ErrorKind::OutOfMemory.into()));
        }
        self.chunks.push(chunk);
        self.current = self.chunks.len() - 1;
        self.set_piece(0);
        Ok(())
    }

    /// Writes all chunks, which are full, and frees them.
    fn flush(&mut self) -> Result<()> {
        let begin = self.piece.begin;
        self.write(self.chunk_size)?;
        self.start += (self.chunks.len() * self.chunk_size) as u64;
        self.was_flushed = true;
        self.set_tail(begin);
        self.free(false);
        Ok(())
    }

    /// Writes the chunks up to the current one, of this one `last` bytes.
    fn write(&mut self, last: usize) -> Result<()> {
        let storage = self.shared.storage().map_err(|source| self.error(source))?;
        let Some(storage) = storage else { return Ok(()) };
        let file = self.file();
        if !self.is_file_open {
            storage.set_len(file, 0).map_err(|source| self.error(source))?;
            self.is_file_open = true;
        }
        for (at, &chunk) in self.chunks[..=self.current].iter().enumerate() {
            let length = if at == self.current { last } else { self.chunk_size };
            // SAFETY: the chunk is initialised up to there.
            let bytes = unsafe { std::slice::from_raw_parts(chunk, length) };
            let offset = self.start + (at * self.chunk_size) as u64;
            storage.write_at(file, offset, bytes).map_err(|source| self.error(source))?;
        }
        Ok(())
    }

    /// Prepares for the end of the file, which is written whether the program has memory or not.
    pub(crate) fn begin_end(&mut self) {
        self.is_ending = true;
    }

    /// Returns the length of the file, if its writer finished it before.
    pub(crate) fn length(&self) -> Option<u64> {
        self.length
    }

    /// Ends a file that the writer finished: asks, writes and frees.
    pub(crate) fn end(&mut self, length: u64) -> Result<()> {
        self.length = Some(length);
        let mut result = Ok(());
        if !self.is_ended {
            let is_wanted = self.is_flush_wanted(true);
            self.is_ended = true;
            self.piece = NO_PIECE;
            if is_wanted {
                result = self.write((length - self.start) as usize - self.current * self.chunk_size);
                self.free(false);
            }
        }
        self.free(true);
        result
    }

    /// Writes a file that consists of these bytes.
    pub(crate) fn write_whole(&mut self, bytes: &[u8]) -> Result<()> {
        self.next_chunk()?;
        let length = bytes.len().min(self.chunk_size);
        // SAFETY: the length is that of the chunk at most.
        unsafe { self.piece.bytes.copy_from_nonoverlapping(bytes.as_ptr(), length) };
        self.end(length as u64)
    }

    /// Frees the memory of a writer that cannot be finished.
    pub(crate) fn drop_content(&mut self) {
        (self.length, self.is_ended) = (Some(0), true);
        self.piece = NO_PIECE;
        self.free(true);
    }

    fn error(&self, source: io::Error) -> Error {
        Error::Io { file: Some(self.file()), source }
    }

    /// Makes the rest of the current chunk from `begin` on the piece.
    fn set_piece(&mut self, begin: usize) {
        let chunk = self.chunks[self.current];
        let length = self.chunk_size - begin;
        // SAFETY: within the chunk.
        self.piece = Piece { begin, bytes: unsafe { chunk.add(begin) }, length, is_tail: false };
    }

    /// Makes a copy of the rest of the current chunk from `begin` on the piece.
    fn set_tail(&mut self, begin: usize) {
        let length = self.chunk_size - begin + SLACK;
        self.tail.clear();
        self.tail.resize(length, 0);
        self.piece = Piece { begin, bytes: self.tail.as_mut_ptr(), length, is_tail: true };
    }

    /// Copies the bytes in the tail to their chunk.
    fn keep_tail(&mut self, used: usize) {
        if self.piece.is_tail
            && let Some(chunk) = self.chunks.get(self.current)
        {
            // SAFETY: records end within the chunk.
            unsafe { chunk.add(self.piece.begin).copy_from_nonoverlapping(self.piece.bytes, used) };
        }
    }
}

impl Pieces for Buffer {
    #[inline(always)]
    fn bytes(&mut self) -> &mut [u8] {
        // SAFETY: the piece is memory of this buffer only.
        unsafe { std::slice::from_raw_parts_mut(self.piece.bytes, self.piece.length) }
    }

    fn set_view(&mut self, length: usize) {
        self.view = length;
    }

    #[inline(always)]
    fn view(&mut self) -> &mut [u8] {
        // SAFETY: the view is never longer than the piece.
        unsafe { std::slice::from_raw_parts_mut(self.piece.bytes, self.view) }
    }

    fn hand_over(&mut self, _: u64, used: usize, room: usize) -> Result<()> {
        if self.chunks.is_empty() {
            return self.next_chunk();
        }
        self.keep_tail(used);
        let begin = self.piece.begin + used;
        match self.chunk_size - begin {
            // The last piece: `begin` says how long the chunk is.
            _ if room == 0 => self.set_tail(begin),
            0 => self.next_chunk()?,
            rest if rest >= room + SLACK => self.set_piece(begin),
            _ => self.set_tail(begin),
        }
        Ok(())
    }

    fn patch(&mut self, offset: u64, bytes: &[u8]) -> Result<()> {
        // A chunk that was flushed is complete.
        let Some(at) = offset.checked_sub(self.start).map(|at| at as usize) else { return Ok(()) };
        if let Some(chunk) = self.chunks.get(at / self.chunk_size) {
            // SAFETY: a chunk header is within its chunk.
            unsafe { chunk.add(at % self.chunk_size).copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
        }
        Ok(())
    }

    fn rewound(&mut self, offset: u64, used: usize) {
        if used > 0 {
            return;
        }
        let begin = (offset % self.chunk_size as u64) as usize;
        if self.chunks.is_empty() {
            return self.set_tail(begin);
        }
        let chunk = ((offset - self.start) / self.chunk_size as u64) as usize;
        if (chunk, begin) != (self.current, self.piece.begin) {
            self.current = chunk;
            self.set_piece(begin);
        }
    }
}
