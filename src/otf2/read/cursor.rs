//! Primitives, OTF2 format, section "Primitives": how every field is taken from bytes.
//!
//! No read goes beyond the slice. Superfluous zero bytes of compressed integers are accepted.

use crate::error::Problem;

/// Reads fields one behind the other from a slice.
#[derive(Debug, Clone, Copy)]
pub struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
    big: bool,
}

impl<'a> Cursor<'a> {
    /// Starts at offset `at` of the slice; `big` is the byte order of the file.
    #[inline]
    pub fn new(bytes: &'a [u8], at: usize, big: bool) -> Self {
        Cursor { bytes, at: at.min(bytes.len()), big }
    }

    /// Offset in the slice of the next field.
    #[inline]
    pub fn position(&self) -> usize {
        self.at
    }

    /// Whether the file is big endian.
    #[inline]
    pub fn is_big(&self) -> bool {
        self.big
    }

    /// Whether nothing is left.
    #[inline]
    pub fn at_end(&self) -> bool {
        self.at >= self.bytes.len()
    }

    /// Bytes left.
    #[inline]
    pub fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// The next `count` bytes as they are.
    #[inline]
    pub fn bytes(&mut self, count: usize) -> Result<&'a [u8], Problem> {
        let end = self.at.checked_add(count).ok_or(Problem::UnexpectedEnd)?;
        let bytes = self.bytes.get(self.at..end).ok_or(Problem::UnexpectedEnd)?;
        self.at = end;
        Ok(bytes)
    }

    #[inline]
    fn array<const N: usize>(&mut self) -> Result<[u8; N], Problem> {
        let bytes = self.bytes[self.at..].first_chunk::<N>().ok_or(Problem::UnexpectedEnd)?;
        self.at += N;
        Ok(*bytes)
    }

    /// A plain byte.
    #[inline]
    pub fn u8(&mut self) -> Result<u8, Problem> {
        Ok(self.array::<1>()?[0])
    }

    /// Plain 16 bits.
    #[inline]
    pub fn u16(&mut self) -> Result<u16, Problem> {
        let bytes = self.array()?;
        Ok(if self.big { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) })
    }

    /// Plain 32 bits.
    #[inline]
    pub fn u32(&mut self) -> Result<u32, Problem> {
        let bytes = self.array()?;
        Ok(if self.big { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) })
    }

    /// Plain 64 bits.
    #[inline]
    pub fn u64(&mut self) -> Result<u64, Problem> {
        let bytes = self.array()?;
        Ok(if self.big { u64::from_be_bytes(bytes) } else { u64::from_le_bytes(bytes) })
    }

    /// Compressed 32 bits.
    #[inline]
    pub fn u32c(&mut self) -> Result<u32, Problem> {
        Ok(self.compressed(4)?.unwrap_or(u64::MAX) as u32)
    }

    /// Compressed 64 bits.
    #[inline]
    pub fn u64c(&mut self) -> Result<u64, Problem> {
        Ok(self.compressed(8)?.unwrap_or(u64::MAX))
    }

    /// Compressed integer of at most `limit` bytes; none for the single byte `FF`.
    #[inline]
    fn compressed(&mut self, limit: u8) -> Result<Option<u64>, Problem> {
        let length = self.u8()?;
        if length == 0xFF {
            return Ok(None);
        }
        if length > limit {
            return Err(Problem::IntegerTooLong { length, limit });
        }
        let bytes = self.bytes(length as usize)?;
        let join = |value: u64, byte: &u8| value << 8 | *byte as u64;
        Ok(Some(if self.big { bytes.iter().fold(0, join) } else { bytes.iter().rev().fold(0, join) }))
    }

    /// String up to its NUL, which is skipped.
    #[inline]
    pub fn text(&mut self) -> Result<&'a [u8], Problem> {
        let rest = &self.bytes[self.at..];
        let length = rest.iter().position(|&byte| byte == 0).ok_or(Problem::MissingNul)?;
        self.at += length + 1;
        Ok(&rest[..length])
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
    fn the_single_byte_ff_is_all_ones() {
        assert_eq!(Cursor::new(&[0xFF], 0, false).u32c(), Ok(u32::MAX));
        assert_eq!(Cursor::new(&[0xFF], 0, true).u64c(), Ok(u64::MAX));
    }

    #[test]
    fn texts_end_with_a_nul() {
        let mut cursor = Cursor::new(b"ab\0c", 0, false);
        assert_eq!(cursor.text(), Ok(&b"ab"[..]));
        assert_eq!(cursor.text(), Err(Problem::MissingNul));
        assert_eq!(cursor.left(), 1);
    }
}
