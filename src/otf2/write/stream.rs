//! Chunk streams, docs/spec/otf2-format.md, "Streams, chunks, control bytes": all files except the
//! anchor.
//!
//! Chunk boundaries are those of libotf2: a record opens a new chunk unless its upper bound is
//! smaller than the rest of the current one. Unlike in libotf2, two bytes stay free for the end of
//! the file. A record never spans two pieces.
//!
//! ```text
//! file:   |<------- chunk ------->|<------- chunk ------->|<-- chunk
//! pieces: |<- piece ->|<- piece ->|<- piece ->|<- pie ...
//!                                 ^ the view ends at the nearer of both ends: one comparison
//! ```

use super::{Closed, Pieces, SLACK};
use crate::CHUNK_SIZES;
use crate::byte_order::ByteOrder;
use crate::control;
use crate::error::{Result, Usage};
use crate::wire::Encoder;
use std::marker::PhantomData;

/// The maximum number of bytes used of a piece, so that offsets in it fit into 32 bits.
const LARGEST_PIECE: usize = u32::MAX as usize - SLACK;

/// The state of a chunk stream.
#[derive(Debug)]
pub(super) struct Stream<P, E> {
    pub(super) pieces: P,
    /// The number of bytes of the current piece that are file content.
    pub(super) used: usize,
    /// The offset of the current piece in the file.
    base: u64,
    chunk_start: u64,
    chunk_size: u64,
    finished: bool,
    /// Where a step began that is under way. It remains if the memory unwinds or jumps away, as
    /// functions of a program may do; the next step then starts there.
    unfinished: Option<StreamPosition>,
    order: PhantomData<E>,
}

/// A position in a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct StreamPosition {
    pub(super) offset: u64,
    pub(super) chunk_start: u64,
}

impl<P: Pieces, E: ByteOrder> Stream<P, E> {
    pub(super) fn new(pieces: P, chunk_size: u64) -> Result<Self> {
        if !CHUNK_SIZES.contains(&chunk_size) {
            return Err(Usage::ChunkSize(chunk_size).into());
        }
        let mut stream = Stream {
            pieces,
            used: 0,
            base: 0,
            chunk_start: 0,
            chunk_size,
            finished: false,
            unfinished: None,
            order: PhantomData,
        };
        stream.begin_chunk(0, None)?;
        stream.pieces.committed(stream.used);
        Ok(stream)
    }

    /// Returns a cursor at offset 0 of the room for `need` bytes and the slack. The room must have
    /// been made before.
    #[inline(always)]
    pub(super) fn cursor(&mut self, need: usize) -> Encoder<'_, E> {
        let start = self.used;
        match self.try_cursor(need) {
            Some(cursor) => cursor,
            None => crate::wire::out_of_room(start, need),
        }
    }

    /// Like [`cursor`](Self::cursor), but returns `None` if the piece or the chunk ends before. One
    /// check here lets the compiler omit those of the fields.
    #[inline(always)]
    pub(super) fn try_cursor(&mut self, need: usize) -> Option<Encoder<'_, E>> {
        let start = self.start();
        self.pieces.view().get_mut(start..start + need + SLACK).map(|room| Encoder::new(room, 0))
    }

    /// Returns whether [`try_cursor`](Self::try_cursor) returns a cursor.
    #[inline(always)]
    pub(super) fn fits(&mut self, need: usize) -> bool {
        self.try_cursor(need).is_some()
    }

    /// Returns `used`, in a form that lets the compiler see that sums with it do not overflow.
    #[inline(always)]
    pub(super) fn start(&self) -> usize {
        self.used as u32 as usize
    }

    pub(super) fn position(&self) -> StreamPosition {
        self.unfinished.unwrap_or(StreamPosition { offset: self.offset(), chunk_start: self.chunk_start })
    }

    fn offset(&self) -> u64 {
        self.base + self.used as u64
    }

    fn chunk_left(&self) -> u64 {
        self.chunk_start + self.chunk_size - self.offset()
    }

    fn usable(&mut self) -> usize {
        self.pieces.bytes().len().saturating_sub(SLACK).min(LARGEST_PIECE)
    }

    /// Limits the view to the nearer of the ends of piece and chunk. Records must leave one byte of
    /// it free, according to libotf2's rule. During a step there is no view.
    fn set_view(&mut self) {
        if self.unfinished.is_some() {
            return self.pieces.set_view(0);
        }
        let chunk_end = self.chunk_start + self.chunk_size - self.base;
        let end = self.usable().min(usize::try_from(chunk_end).unwrap_or(usize::MAX));
        self.pieces.set_view(end.checked_sub(1).map_or(0, |end| end + SLACK));
    }

    /// Makes room for `need` bytes. Returns true if it opened a chunk. `events` is the number of
    /// events so far, `time` the time stamp to write after the header of a new chunk. After an
    /// error the stream is where it was.
    #[cold]
    #[inline(never)]
    pub(super) fn make_room(&mut self, need: usize, events: u64, time: Option<u64>) -> Result<bool> {
        self.step(|stream| stream.try_make_room(need, events, time))
    }

    /// Takes a step. After an error the stream is where it was.
    fn step<T>(&mut self, take: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.finished {
            return Err(Usage::Finished.into());
        }
        let before = self.position();
        if self.unfinished.is_some() {
            self.go_to(before);
        }
        self.unfinished = Some(before);
        self.set_view();
        let result = take(self);
        self.unfinished = None;
        match result.is_err() {
            true => self.go_to(before),
            false => self.set_view(),
        }
        result
    }

    /// Opens a chunk even if the current one has room. After an error the stream is where it was.
    #[cold]
    pub(super) fn next_chunk(&mut self, events: u64, time: Option<u64>) -> Result<()> {
        self.step(|stream| {
            stream.end_chunk(events)?;
            stream.begin_chunk(events, time)?;
            stream.piece_room(1)
        })
    }

    fn try_make_room(&mut self, need: usize, events: u64, time: Option<u64>) -> Result<bool> {
        let opens = need as u64 >= self.chunk_left();
        if opens {
            self.check_fits(need, time)?;
            self.end_chunk(events)?;
            self.begin_chunk(events, time)?;
        }
        self.piece_room(need + 1)?;
        Ok(opens)
    }

    fn check_fits(&self, need: usize, time: Option<u64>) -> Result<()> {
        let header = control::HEADER_LEN + time.map_or(0, |_| control::TIMESTAMP_LEN);
        match (need + header) as u64 >= self.chunk_size {
            true => Err(Usage::RecordTooLarge { need, chunk: self.chunk_size }.into()),
            false => Ok(()),
        }
    }

    /// Ensures that the piece has `room` bytes left.
    fn piece_room(&mut self, room: usize) -> Result<()> {
        if self.usable().saturating_sub(self.used) < room {
            self.hand_over(room)?;
            let usable = self.usable();
            if usable < room {
                return Err(Usage::PieceTooSmall { room, usable }.into());
            }
        }
        self.set_view();
        Ok(())
    }

    fn hand_over(&mut self, room: usize) -> Result<()> {
        self.pieces.hand_over(self.base, self.used, room)?;
        self.base += self.used as u64;
        self.used = 0;
        self.set_view();
        Ok(())
    }

    fn begin_chunk(&mut self, events: u64, time: Option<u64>) -> Result<()> {
        self.chunk_start = self.offset();
        self.piece_room(control::HEADER_LEN + control::TIMESTAMP_LEN)?;
        let mut cursor = Encoder::<E>::new(self.pieces.bytes(), self.used);
        cursor.u8(control::CHUNK_HEADER);
        cursor.u8(E::TAG);
        cursor.u64(events + 1);
        cursor.u64(0);
        if let Some(time) = time {
            cursor.u8(control::TIMESTAMP);
            cursor.u64(time);
        }
        self.used = cursor.position();
        Ok(())
    }

    /// Completes the header and fills the rest with `00`. The first of these bytes is the
    /// end-of-chunk mark.
    fn end_chunk(&mut self, events: u64) -> Result<()> {
        self.put_last_event(events)?;
        loop {
            let left = usize::try_from(self.chunk_left()).unwrap_or(usize::MAX);
            let fill = left.min(self.usable().saturating_sub(self.used));
            let end = self.used + fill;
            self.pieces.bytes()[self.used..end].fill(control::END_OF_CHUNK);
            self.used = end;
            if fill == left {
                return Ok(());
            }
            self.piece_room(1)?;
        }
    }

    fn put_last_event(&mut self, events: u64) -> Result<()> {
        let at = self.chunk_start + control::LAST_EVENT;
        match at.checked_sub(self.base) {
            Some(at) => Encoder::<E>::new(self.pieces.bytes(), self.used).patch_u64(at as usize, events),
            None => {
                let bytes = if E::BIG { events.to_be_bytes() } else { events.to_le_bytes() };
                self.pieces.patch(at, &bytes)?;
            }
        }
        Ok(())
    }

    /// Moves an empty stream to an offset and a number of events that only a long run reaches.
    #[cfg(test)]
    pub(super) fn shift(&mut self, offset: u64, events: u64) {
        (self.base, self.chunk_start) = (offset, offset);
        self.used = 0;
        self.begin_chunk(events, None).expect("room for a header");
        self.set_view();
    }

    /// Continues at an earlier position. Bytes after it that were handed over are later overwritten
    /// or truncated.
    pub(super) fn go_to(&mut self, position: StreamPosition) {
        self.unfinished = None;
        self.chunk_start = position.chunk_start;
        match position.offset.checked_sub(self.base) {
            Some(used) => self.used = used as usize,
            None => (self.base, self.used) = (position.offset, 0),
        }
        self.pieces.rewound(self.base, self.used);
        self.set_view();
    }

    /// Returns the bytes from `end` on, if they and those from `begin` on are in the current piece
    /// and chunk.
    pub(super) fn tail(&mut self, begin: StreamPosition, end: StreamPosition) -> Option<&[u8]> {
        let is_here = !self.finished && begin.chunk_start == self.chunk_start && begin.offset >= self.base;
        let from = usize::try_from(end.offset.checked_sub(self.base)?).ok()?;
        let used = self.used;
        self.pieces.bytes().get(from..used).filter(|_| is_here)
    }

    /// Appends bytes that were in this piece before, so that it has room for them.
    pub(super) fn append(&mut self, bytes: &[u8]) {
        let end = self.used + bytes.len();
        self.pieces.bytes()[self.used..end].copy_from_slice(bytes);
        self.used = end;
    }

    /// Hands over the current piece as far as it is filled. The next record requests another piece.
    pub(super) fn pause(&mut self) -> Result<()> {
        self.step(|stream| stream.hand_over(0))
    }

    pub(super) fn can_go_to(&self, position: StreamPosition) -> bool {
        let here = self.position();
        !self.finished && position.offset <= here.offset && position.chunk_start <= here.chunk_start
    }

    /// Ends the file and hands over the last piece. `events` is the last event number for
    /// the header.
    pub(super) fn finish(&mut self, events: u64) -> Result<Closed> {
        self.step(|stream| stream.try_finish(events))?;
        self.finished = true;
        self.pieces.set_view(0);
        Ok(Closed { length: self.base, events, pieces: () })
    }

    fn try_finish(&mut self, events: u64) -> Result<()> {
        if self.chunk_left() < 2 {
            self.end_chunk(events)?;
            self.begin_chunk(events, None)?;
        }
        self.piece_room(2)?;
        let mut cursor = Encoder::<E>::new(self.pieces.bytes(), self.used);
        cursor.bytes(&[control::END_OF_FILE, control::END_OF_BUFFER]);
        self.used = cursor.position();
        self.put_last_event(events)?;
        self.hand_over(0)
    }
}
