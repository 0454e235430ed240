//! The sources of the fields of a record: a [`Cursor`], which reports errors, or the [`Ample`]
//! bytes of the fast path.

use super::Cursor;
use super::cursor::{low_bytes, nul_in};
use crate::byte_order::ByteOrder;
use crate::error::Problem;
use std::marker::PhantomData;

/// A sequence of fields. After an error no further field may be read.
pub trait Fields<'a>: Copy {
    /// Reads a plain byte.
    fn u8(&mut self) -> Result<u8, Problem>;
    /// Reads a plain 16-bit integer.
    fn u16(&mut self) -> Result<u16, Problem>;
    /// Reads a plain 32-bit integer.
    fn u32(&mut self) -> Result<u32, Problem>;
    /// Reads a plain 64-bit integer.
    fn u64(&mut self) -> Result<u64, Problem>;
    /// Reads a compressed 32-bit integer.
    fn u32c(&mut self) -> Result<u32, Problem>;
    /// Reads a compressed 64-bit integer.
    fn u64c(&mut self) -> Result<u64, Problem>;
    /// Reads a string up to its NUL, which is skipped.
    fn text(&mut self) -> Result<&'a [u8], Problem>;
    /// Reads all bytes that are left.
    fn all(&mut self) -> Result<&'a [u8], Problem>;
    /// Returns the number of bytes left.
    fn left(&self) -> usize;
    /// Returns a cursor over the bytes left.
    fn cursor(&self) -> Cursor<'a>;
}

macro_rules! forward {
    ($($name:ident -> $type:ty;)*) => {$(
        #[inline(always)]
        fn $name(&mut self) -> Result<$type, Problem> {
            Cursor::$name(self)
        }
    )*};
}

impl<'a> Fields<'a> for Cursor<'a> {
    forward! { u8 -> u8; u16 -> u16; u32 -> u32; u64 -> u64; u32c -> u32; u64c -> u64; text -> &'a [u8]; }

    #[inline]
    fn all(&mut self) -> Result<&'a [u8], Problem> {
        self.bytes(self.left())
    }
    #[inline(always)]
    fn left(&self) -> usize {
        Cursor::left(self)
    }
    #[inline(always)]
    fn cursor(&self) -> Cursor<'a> {
        *self
    }
}

/// The number of bytes from the start of the data that cover the longest record with a short length
/// and the field that follows it.
pub const AMPLE: usize = 256 + 16;

/// The largest offset at which the data of such a record end.
const LAST: usize = 255;

/// The fast path: fields of a record whose bytes are known to continue so far that no field checks
/// for the end. `are_within` checks the end once for all fields; until then, no value that was read
/// may be trusted. An invalid record is read again with a [`Cursor`], which reports the reason.
#[derive(Debug, Clone, Copy)]
pub struct Ample<'a, E> {
    bytes: &'a [u8; AMPLE],
    /// The offset of the next field. It only grows, so one comparison with `end` covers all fields.
    at: usize,
    end: usize,
    order: PhantomData<E>,
}

impl<'a, E: ByteOrder> Ample<'a, E> {
    /// Creates fields from the start of these bytes to `end`.
    #[inline(always)]
    pub(crate) fn new(bytes: &'a [u8; AMPLE], end: usize) -> Self {
        Ample { bytes, at: 0, end: end.min(LAST), order: PhantomData }
    }

    /// Returns whether all fields that were read are before the end.
    #[inline(always)]
    pub(crate) fn are_within(&self) -> bool {
        self.at <= self.end
    }

    /// Returns the bytes from the next field on. The mask has no effect before the end; it shows
    /// the compiler that enough bytes follow.
    #[inline(always)]
    fn ahead(&self) -> &'a [u8] {
        self.bytes.get(self.at & LAST..).unwrap_or_default()
    }

    #[inline(always)]
    fn array<const N: usize>(&mut self) -> [u8; N] {
        let array = self.ahead().first_chunk().copied();
        self.at += N;
        array.unwrap_or([0; N])
    }

    /// Reads a compressed integer of at most `LIMIT` bytes.
    #[inline(always)]
    fn compressed<const LIMIT: u8>(&mut self) -> Result<u64, Problem> {
        let [length, word @ ..] = self.ahead().first_chunk::<9>().copied().unwrap_or_default();
        if length > LIMIT {
            self.at += 1;
            return if length == 0xFF { Ok(u64::MAX) } else { Err(Problem::UnexpectedEnd) };
        }
        self.at += 1 + usize::from(length);
        Ok(low_bytes(&word, length, E::BIG))
    }
}

impl<'a, E: ByteOrder> Fields<'a> for Ample<'a, E> {
    #[inline(always)]
    fn u8(&mut self) -> Result<u8, Problem> {
        Ok(self.array::<1>()[0])
    }
    #[inline(always)]
    fn u16(&mut self) -> Result<u16, Problem> {
        let bytes = self.array();
        Ok(if E::BIG { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) })
    }
    #[inline(always)]
    fn u32(&mut self) -> Result<u32, Problem> {
        let bytes = self.array();
        Ok(if E::BIG { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) })
    }
    #[inline(always)]
    fn u64(&mut self) -> Result<u64, Problem> {
        let bytes = self.array();
        Ok(if E::BIG { u64::from_be_bytes(bytes) } else { u64::from_le_bytes(bytes) })
    }
    #[inline(always)]
    fn u32c(&mut self) -> Result<u32, Problem> {
        Ok(self.compressed::<4>()? as u32)
    }
    #[inline(always)]
    fn u64c(&mut self) -> Result<u64, Problem> {
        self.compressed::<8>()
    }
    #[inline(always)]
    fn text(&mut self) -> Result<&'a [u8], Problem> {
        let begin = self.at;
        loop {
            let word = u64::from_le_bytes(self.array());
            if let Some(nul) = nul_in(word) {
                let end = self.at - 8 + nul;
                self.at = end + 1;
                return self.bytes.get(begin..end).ok_or(Problem::MissingNul);
            }
            if self.at > LAST {
                return Err(Problem::MissingNul);
            }
        }
    }
    #[inline(always)]
    fn all(&mut self) -> Result<&'a [u8], Problem> {
        let left = self.left();
        self.at += left;
        self.bytes.get(self.at - left..self.at).ok_or(Problem::UnexpectedEnd)
    }
    #[inline(always)]
    fn left(&self) -> usize {
        self.end.saturating_sub(self.at)
    }
    #[inline(always)]
    fn cursor(&self) -> Cursor<'a> {
        Cursor::within(self.bytes, self.at, self.end, E::BIG)
    }
}
