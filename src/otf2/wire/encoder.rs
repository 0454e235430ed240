//! Primitives, docs/spec/otf2-format.md, "Primitives": how every field is encoded.
//!
//! A compressed integer is one store of fixed width and a variable advance. Up to
//! [`SLACK`] bytes after the cursor are therefore overwritten with garbage, which the
//! next field overwrites. The caller provides that room.

use crate::byte_order::ByteOrder;
use std::marker::PhantomData;

/// The number of bytes at the end of every piece that a writer may overwrite with garbage but does
/// not use.
pub const SLACK: usize = 16;

/// Writes consecutive fields to a slice. A slice that is too small for a record is a bug of the
/// caller and causes a panic; the writers check the record's bound and the slack beforehand.
#[derive(Debug)]
pub struct Encoder<'b, E> {
    bytes: &'b mut [u8],
    at: usize,
    order: PhantomData<E>,
}

impl<'b, E: ByteOrder> Encoder<'b, E> {
    /// Creates a cursor at offset `at` of the slice.
    #[inline]
    pub fn new(bytes: &'b mut [u8], at: usize) -> Self {
        Encoder { bytes, at, order: PhantomData }
    }

    /// Returns the offset of the end of the last field.
    #[inline]
    pub fn position(&self) -> usize {
        self.at
    }

    #[inline(always)]
    fn window<const N: usize>(&mut self) -> &mut [u8; N] {
        let at = self.at;
        match self.bytes.get_mut(at..at + N).and_then(|window| window.first_chunk_mut::<N>()) {
            Some(window) => window,
            None => out_of_room(at, N),
        }
    }

    #[inline(always)]
    fn put<const N: usize>(&mut self, value: [u8; N]) {
        *self.window::<N>() = value;
        self.at += N;
    }

    /// Writes a plain byte.
    #[inline(always)]
    pub fn u8(&mut self, value: u8) {
        self.put([value]);
    }

    /// Writes plain 16 bits.
    #[inline(always)]
    pub fn u16(&mut self, value: u16) {
        self.put(if E::BIG { value.to_be_bytes() } else { value.to_le_bytes() });
    }

    /// Writes plain 32 bits.
    #[inline(always)]
    pub fn u32(&mut self, value: u32) {
        self.put(if E::BIG { value.to_be_bytes() } else { value.to_le_bytes() });
    }

    /// Writes plain 64 bits.
    #[inline(always)]
    pub fn u64(&mut self, value: u64) {
        self.put(if E::BIG { value.to_be_bytes() } else { value.to_le_bytes() });
    }

    /// Writes compressed 32 bits. The length byte and the value are one store of eight bytes.
    #[inline(always)]
    pub fn u32c(&mut self, value: u32) {
        let size = size_of_32(value);
        let (word, advance) = if value == u32::MAX { (0xFF, 1) } else { (word::<E>(value, size), size) };
        *self.window::<8>() = word.to_le_bytes();
        self.at += advance;
    }

    /// Writes compressed 64 bits.
    #[inline(always)]
    pub fn u64c(&mut self, value: u64) {
        let length = significant_bytes(value);
        let (first, advance) = if value == u64::MAX { (0xFF, 1) } else { (length as u8, length + 1) };
        self.length_and_bytes(first, high_first::<E>(value, length));
        self.at += advance;
    }

    /// Writes compressed signed 32 bits. Negative values always take four bytes.
    #[inline(always)]
    pub fn i32c(&mut self, value: i32) {
        match value < 0 {
            true => self.put(prefixed(4, if E::BIG { value.to_be_bytes() } else { value.to_le_bytes() })),
            false => self.u32c(value as u32),
        }
    }

    /// Writes compressed signed 64 bits. Negative values always take eight bytes.
    #[inline(always)]
    pub fn i64c(&mut self, value: i64) {
        match value < 0 {
            true => {
                self.length_and_bytes(8, if E::BIG { value.to_be_bytes() } else { value.to_le_bytes() });
                self.at += 9;
            }
            false => self.u64c(value as u64),
        }
    }

    /// Writes a plain byte and compressed 64 bits: the type and the value of a metric. One bounds
    /// check covers both.
    #[inline(always)]
    pub fn u8_u64c(&mut self, byte: u8, value: u64) {
        let length = significant_bytes(value);
        let (first, advance) = if value == u64::MAX { (0xFF, 2) } else { (length as u8, length + 2) };
        let window = self.window::<10>();
        window[..2].copy_from_slice(&[byte, first]);
        window[2..].copy_from_slice(&high_first::<E>(value, length));
        self.at += advance;
    }

    #[inline(always)]
    fn length_and_bytes(&mut self, first: u8, bytes: [u8; 8]) {
        let window = self.window::<9>();
        window[0] = first;
        window[1..].copy_from_slice(&bytes);
    }

    /// Writes bytes unchanged.
    #[inline]
    pub fn bytes(&mut self, bytes: &[u8]) {
        let end = self.at.saturating_add(bytes.len());
        match self.bytes.get_mut(self.at..end) {
            Some(room) => room.copy_from_slice(bytes),
            None => out_of_room(self.at, bytes.len()),
        }
        self.at = end;
    }

    /// Writes bytes and a terminating zero.
    #[inline]
    pub fn text(&mut self, text: &[u8]) {
        let end = self.at.saturating_add(text.len());
        match self.bytes.get_mut(self.at..=end).and_then(|room| room.split_last_mut()) {
            Some((zero, room)) => {
                room.copy_from_slice(text);
                *zero = 0;
            }
            None => out_of_room(self.at, text.len()),
        }
        self.at = end + 1;
    }

    /// Overwrites a byte before the cursor.
    #[inline(always)]
    pub(crate) fn patch_u8(&mut self, at: usize, value: u8) {
        self.bytes[at] = value;
    }

    /// Overwrites 64 bits before the cursor.
    pub(crate) fn patch_u64(&mut self, at: usize, value: u64) {
        let end = std::mem::replace(&mut self.at, at);
        self.u64(value);
        self.at = end;
    }
}

#[cold]
#[inline(never)]
pub(crate) fn out_of_room(at: usize, length: usize) -> ! {
    panic!("no room for {length} bytes at offset {at}: the bound of a record is too small")
}

#[inline(always)]
fn significant_bytes(value: u64) -> usize {
    (71 - value.leading_zeros() as usize) / 8
}

/// Returns the size of a compressed `u32`, unless all its bits are set. Takes three instructions
/// less than [`significant_bytes`]: bit 7 of the word makes the size of 0 one byte, and the index
/// of the highest bit plus 8 needs no subtraction.
#[inline(always)]
fn size_of_32(value: u32) -> usize {
    let word = (value as u64) << 8 | 0x80;
    (71 - word.leading_zeros() as usize) / 8
}

/// Returns the length byte and the value of a compressed `u32` of this size, as the bytes of a
/// little-endian word.
#[inline(always)]
fn word<E: ByteOrder>(value: u32, size: usize) -> u64 {
    let length = size as u64 - 1;
    let value = if E::BIG { value.wrapping_shl(32 - 8 * length as u32).swap_bytes() } else { value };
    ((value as u64) << 8).wrapping_add(length)
}

/// Returns the `length` low bytes of `value` in file order, then garbage. Length 0 occurs with
/// value 0 only.
#[inline(always)]
fn high_first<E: ByteOrder>(value: u64, length: usize) -> [u8; 8] {
    if E::BIG { value.wrapping_shl(64 - 8 * length as u32).to_be_bytes() } else { value.to_le_bytes() }
}

#[inline(always)]
fn prefixed(first: u8, rest: [u8; 4]) -> [u8; 5] {
    [first, rest[0], rest[1], rest[2], rest[3]]
}

/// Returns the size of a compressed `u32` in bytes.
#[inline]
pub fn size_u32c(value: u32) -> usize {
    if value == u32::MAX { 1 } else { 1 + significant_bytes(value as u64) }
}

/// Returns the size of a compressed `u64` in bytes.
#[inline]
pub fn size_u64c(value: u64) -> usize {
    if value == u64::MAX { 1 } else { 1 + significant_bytes(value) }
}

/// Returns the size of a compressed `i64` in bytes.
#[inline]
pub fn size_i64c(value: i64) -> usize {
    if value < 0 { 9 } else { size_u64c(value as u64) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::byte_order::{BigEndian, LittleEndian};

    fn bytes<E: ByteOrder>(put: impl FnOnce(&mut Encoder<'_, E>)) -> Vec<u8> {
        let mut bytes = [0xEE; 32];
        let mut cursor = Encoder::new(&mut bytes, 0);
        put(&mut cursor);
        let length = cursor.position();
        bytes[..length].to_vec()
    }

    #[test]
    fn compressed_integers() {
        let cases: [(u64, &[u8], &[u8]); 6] = [
            (0, &[0], &[0]),
            (1, &[1, 1], &[1, 1]),
            (0xFF, &[1, 0xFF], &[1, 0xFF]),
            (0x1234, &[2, 0x34, 0x12], &[2, 0x12, 0x34]),
            (0xFFFF_FFFE, &[4, 0xFE, 0xFF, 0xFF, 0xFF], &[4, 0xFF, 0xFF, 0xFF, 0xFE]),
            (0x0001_0203, &[3, 3, 2, 1], &[3, 1, 2, 3]),
        ];
        for (value, little, big) in cases {
            assert_eq!(bytes::<LittleEndian>(|cursor| cursor.u64c(value)), little);
            assert_eq!(bytes::<LittleEndian>(|cursor| cursor.u32c(value as u32)), little);
            assert_eq!(bytes::<BigEndian>(|cursor| cursor.u64c(value)), big);
            assert_eq!(bytes::<BigEndian>(|cursor| cursor.u32c(value as u32)), big);
            assert_eq!(size_u64c(value), little.len());
            assert_eq!(size_u32c(value as u32), little.len());
        }
    }

    fn one_by_one<E: ByteOrder>(value: u64) -> Vec<u8> {
        bytes::<E>(|cursor| {
            cursor.u8(7);
            cursor.u64c(value);
        })
    }

    /// Tests the edges of every length and the undefined value.
    #[test]
    fn fields_written_together_equal_fields_written_separately() {
        let edges = (0..64).map(|bit| 1_u64 << bit).flat_map(|edge| [edge - 1, edge, edge + 1]);
        for value in edges.chain([u64::MAX - 1, u64::MAX]) {
            assert_eq!(
                bytes::<LittleEndian>(|cursor| cursor.u8_u64c(7, value)),
                one_by_one::<LittleEndian>(value)
            );
            assert_eq!(bytes::<BigEndian>(|cursor| cursor.u8_u64c(7, value)), one_by_one::<BigEndian>(value));
        }
        for length in 0..24 {
            let text = &b"a text of some characters"[..length];
            assert_eq!(bytes::<LittleEndian>(|cursor| cursor.text(text)), [text, &[0]].concat());
        }
    }

    #[test]
    fn the_undefined_value_is_one_byte() {
        assert_eq!(bytes::<LittleEndian>(|cursor| cursor.u32c(u32::MAX)), [0xFF]);
        assert_eq!(bytes::<BigEndian>(|cursor| cursor.u64c(u64::MAX)), [0xFF]);
        assert_eq!(bytes::<LittleEndian>(|cursor| cursor.u64c(u32::MAX as u64)), [4, 0xFF, 0xFF, 0xFF, 0xFF]);
        assert_eq!((size_u32c(u32::MAX), size_u64c(u64::MAX)), (1, 1));
    }

    #[test]
    fn negative_numbers_take_their_full_width() {
        assert_eq!(bytes::<LittleEndian>(|cursor| cursor.i64c(-1)), [&[8][..], &[0xFF; 8]].concat());
        assert_eq!(bytes::<BigEndian>(|cursor| cursor.i32c(-2)), [4, 0xFF, 0xFF, 0xFF, 0xFE]);
        assert_eq!(bytes::<LittleEndian>(|cursor| cursor.i64c(5)), [1, 5]);
        assert_eq!((size_i64c(-1), size_i64c(0), size_i64c(i64::MAX)), (9, 1, 9));
    }
}
