//! Primitives, docs/spec/otf2-format.md, "Primitives": how every field is decoded.
//!
//! No read goes past the end of the slice. Superfluous zero bytes of compressed integers are
//! accepted.

use crate::error::Problem;

/// Reads fields from a slice in sequence.
#[derive(Debug, Clone, Copy)]
pub struct Cursor<'a> {
    /// The bytes from the next field on.
    bytes: &'a [u8],
    /// The number of these bytes that fields may use. The bytes that follow may be loaded, but have
    /// no effect.
    left: usize,
    /// The length of the whole slice.
    length: usize,
    big: bool,
}

/// The bit masks of integers of 0 to 8 bytes.
const MASKS: [u64; 9] =
    [0, 0xFF, 0xFFFF, 0xFF_FFFF, 0xFFFF_FFFF, 0xFF_FFFF_FFFF, u64::MAX >> 16, u64::MAX >> 8, u64::MAX];

impl<'a> Cursor<'a> {
    /// Creates a cursor at offset `at` of the slice; `big` is the byte order of the file.
    #[inline]
    pub fn new(bytes: &'a [u8], at: usize, big: bool) -> Self {
        Self::within(bytes, at, bytes.len(), big)
    }

    /// Creates a cursor for fields up to the offset `end`. The bytes of the slice that follow may
    /// be loaded, but have no effect.
    #[inline]
    pub(crate) fn within(bytes: &'a [u8], at: usize, end: usize, big: bool) -> Self {
        let end = end.min(bytes.len());
        let at = at.min(end);
        Cursor { bytes: &bytes[at..], left: end - at, length: bytes.len(), big }
    }

    /// Returns the offset of the next field in the slice.
    #[inline]
    pub fn position(&self) -> usize {
        self.length - self.bytes.len()
    }

    /// Returns whether the file is big endian.
    #[inline]
    pub fn is_big(&self) -> bool {
        self.big
    }

    /// Returns whether no bytes are left.
    #[inline]
    pub fn at_end(&self) -> bool {
        self.left == 0
    }

    /// Returns the number of bytes left.
    #[inline]
    pub fn left(&self) -> usize {
        self.left
    }

    /// Returns the bytes left and those that follow them in the slice.
    #[inline]
    pub(crate) fn ahead(&self) -> &'a [u8] {
        self.bytes
    }

    /// Returns the bytes left.
    #[inline]
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.bytes.get(..self.left).unwrap_or_default()
    }

    /// Skips `count` bytes, which must be left.
    #[inline(always)]
    fn pass(&mut self, count: usize) {
        self.bytes = self.bytes.get(count..).unwrap_or_default();
        self.left -= count;
    }

    /// Reads `count` bytes as they are.
    #[inline]
    pub fn bytes(&mut self, count: usize) -> Result<&'a [u8], Problem> {
        let bytes = self.rest().get(..count).ok_or(Problem::UnexpectedEnd)?;
        self.pass(count);
        Ok(bytes)
    }

    #[inline(always)]
    fn array<const N: usize>(&mut self) -> Result<[u8; N], Problem> {
        match self.bytes.split_first_chunk::<N>() {
            Some((array, rest)) if N <= self.left => {
                self.bytes = rest;
                self.left -= N;
                Ok(*array)
            }
            _ => Err(Problem::UnexpectedEnd),
        }
    }

    /// Reads a plain byte.
    #[inline(always)]
    pub fn u8(&mut self) -> Result<u8, Problem> {
        Ok(self.array::<1>()?[0])
    }

    /// Reads a record length: one byte up to 254, or `FF` and 64 bits.
    #[inline]
    pub fn record_length(&mut self) -> Result<u64, Problem> {
        match self.u8()? {
            0xFF => self.u64(),
            length => Ok(length.into()),
        }
    }

    /// Reads a plain 16-bit integer.
    #[inline]
    pub fn u16(&mut self) -> Result<u16, Problem> {
        let bytes = self.array()?;
        Ok(if self.big { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) })
    }

    /// Reads a plain 32-bit integer.
    #[inline]
    pub fn u32(&mut self) -> Result<u32, Problem> {
        let bytes = self.array()?;
        Ok(if self.big { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) })
    }

    /// Reads a plain 64-bit integer.
    #[inline]
    pub fn u64(&mut self) -> Result<u64, Problem> {
        let bytes = self.array()?;
        Ok(if self.big { u64::from_be_bytes(bytes) } else { u64::from_le_bytes(bytes) })
    }

    /// Reads a compressed 32-bit integer.
    #[inline(always)]
    pub fn u32c(&mut self) -> Result<u32, Problem> {
        Ok(self.compressed::<4>()? as u32)
    }

    /// Reads a compressed 64-bit integer.
    #[inline(always)]
    pub fn u64c(&mut self) -> Result<u64, Problem> {
        self.compressed::<8>()
    }

    /// Reads a compressed integer of at most `LIMIT` bytes; the single byte `FF` means all ones.
    /// After an error the cursor has not moved, as after errors of all other fields.
    #[inline(always)]
    fn compressed<const LIMIT: u8>(&mut self) -> Result<u64, Problem> {
        // If the slice is long enough, the value is extracted from a word.
        if let Some([length, word @ ..]) = self.bytes.first_chunk::<9>()
            && *length <= LIMIT
            && usize::from(*length) < self.left
        {
            let value = low_bytes(word, *length, self.big);
            self.pass(1 + usize::from(*length));
            return Ok(value);
        }
        let (value, length) = any_compressed(self.rest(), LIMIT, self.big)?;
        self.pass(length);
        Ok(value)
    }

    /// Reads a string up to its NUL, which is skipped.
    #[inline(always)]
    pub fn text(&mut self) -> Result<&'a [u8], Problem> {
        let nul = nul(self.bytes).filter(|nul| *nul < self.left).ok_or(Problem::MissingNul)?;
        let text = self.bytes.get(..nul).unwrap_or_default();
        self.pass(nul + 1);
        Ok(text)
    }
}

/// Returns the compressed integer at the start of these bytes, and its length. Takes no cursor,
/// because a cursor passed by reference would have to be in memory.
#[inline(never)]
fn any_compressed(bytes: &[u8], limit: u8, big: bool) -> Result<(u64, usize), Problem> {
    let (&length, bytes) = bytes.split_first().ok_or(Problem::UnexpectedEnd)?;
    match length {
        0xFF => return Ok((u64::MAX, 1)),
        length if length > limit => return Err(Problem::IntegerTooLong { length, limit }),
        _ => {}
    }
    let bytes = bytes.get(..usize::from(length)).ok_or(Problem::UnexpectedEnd)?;
    let join = |value: u64, byte: &u8| value << 8 | u64::from(*byte);
    let value = if big { bytes.iter().fold(0, join) } else { bytes.iter().rev().fold(0, join) };
    Ok((value, 1 + bytes.len()))
}

/// Returns the index of the first NUL. Searches by words, because most texts are short.
#[inline]
fn nul(bytes: &[u8]) -> Option<usize> {
    let (words, rest) = bytes.as_chunks::<8>();
    for (place, word) in words.iter().enumerate() {
        if let Some(nul) = nul_in(u64::from_le_bytes(*word)) {
            return Some(8 * place + nul);
        }
    }
    rest.iter().position(|&byte| byte == 0).map(|place| 8 * words.len() + place)
}

/// Returns the index of the first NUL in a word, lowest byte first.
#[inline(always)]
pub(super) fn nul_in(word: u64) -> Option<usize> {
    const LOW: u64 = u64::from_ne_bytes([0x01; 8]);
    const HIGH: u64 = u64::from_ne_bytes([0x80; 8]);
    // The lowest bit set is that of the first NUL; higher bits may be set as well.
    let found = word.wrapping_sub(LOW) & !word & HIGH;
    if found == 0 { None } else { Some(found.trailing_zeros() as usize / 8) }
}

/// Returns the integer in the first `length` of these bytes.
#[inline(always)]
pub(super) fn low_bytes(word: &[u8; 8], length: u8, big: bool) -> u64 {
    let length = usize::from(length.min(8));
    match big {
        false => u64::from_le_bytes(*word) & MASKS[length],
        true => u64::from_be_bytes(*word).checked_shr(64 - 8 * length as u32).unwrap_or(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn superfluous_zero_bytes_are_accepted() {
        assert_eq!(Cursor::new(&[4, 1, 0, 0, 0], 0, false).u32c(), Ok(1));
        assert_eq!(Cursor::new(&[4, 0, 0, 0, 1], 0, true).u32c(), Ok(1));
    }

    #[test]
    fn lengths_beyond_the_type_are_refused() {
        let long = Problem::IntegerTooLong { length: 5, limit: 4 };
        assert_eq!(Cursor::new(&[5, 1, 1, 1, 1, 1], 0, false).u32c(), Err(long));
        assert_eq!(Cursor::new(&[5, 1, 1, 1, 1, 1], 0, false).u64c(), Ok(0x01_0101_0101));
        assert!(Cursor::new(&[9; 10], 0, false).u64c().is_err());
    }

    #[test]
    fn errors_leave_the_cursor_at_the_start_of_the_field() {
        for bytes in [&[9_u8, 1, 2][..], &[3, 1, 2], &[]] {
            let mut cursor = Cursor::new(bytes, 0, false);
            assert!(cursor.u64c().is_err() && cursor.u64().is_err() && cursor.text().is_err());
            assert_eq!(cursor.position(), 0);
        }
    }

    #[test]
    fn the_single_byte_ff_is_all_ones() {
        assert_eq!(Cursor::new(&[0xFF], 0, false).u32c(), Ok(u32::MAX));
        assert_eq!(Cursor::new(&[0xFF], 0, true).u64c(), Ok(u64::MAX));
    }

    #[test]
    fn integers_are_the_same_wherever_the_slice_ends() {
        for (length, big) in (0..=8).flat_map(|length| [(length, false), (length, true)]) {
            let bytes = [length, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xAA];
            let end = 1 + usize::from(length);
            let join = |value: u64, byte: &u8| value << 8 | u64::from(*byte);
            let expected = match big {
                true => bytes[1..end].iter().fold(0, join),
                false => bytes[1..end].iter().rev().fold(0, join),
            };
            assert_eq!(Cursor::within(&bytes, 0, end, big).u64c(), Ok(expected), "{length} {big}");
            assert_eq!(Cursor::new(&bytes[..end], 0, big).u64c(), Ok(expected), "{length} {big}");
            let mut short = Cursor::within(&bytes, 0, end - 1, big);
            assert_eq!((short.u64c(), short.position()), (Err(Problem::UnexpectedEnd), 0));
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "too many cases for Miri")]
    fn the_first_nul_is_found_wherever_it_is() {
        for (length, other) in (0..40).flat_map(|length| [(length, 1_u8), (length, 0x80), (length, 0xFF)]) {
            let bytes = vec![other; length];
            assert_eq!(nul(&bytes), None);
            for place in 0..length {
                let mut bytes = bytes.clone();
                bytes[place] = 0;
                assert_eq!(nul(&bytes), Some(place), "{length} {other}");
                bytes[length - 1] = 0;
                assert_eq!(nul(&bytes), Some(place), "{length} {other}");
            }
        }
    }

    #[test]
    fn texts_end_with_a_nul() {
        let mut cursor = Cursor::new(b"ab\0c", 0, false);
        assert_eq!(cursor.text(), Ok(&b"ab"[..]));
        assert_eq!(cursor.text(), Err(Problem::MissingNul));
        assert_eq!(cursor.left(), 1);
    }
}
