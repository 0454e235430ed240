//! Primitives, OTF2 format, section "Primitives": how every field is put into bytes.
//!
//! Compressed integers are one fixed-width store and a variable advance, so up to [`SLACK`](super::SLACK) bytes
//! behind the cursor get overwritten with garbage that the next field covers. The caller provides that room.

use crate::byte_order::ByteOrder;
use std::marker::PhantomData;

/// Writes fields one behind the other into a slice. Slices too small for a record are a fault of the caller and
/// panic; the writers check the record's bound and the slack beforehand.
#[derive(Debug)]
pub struct Cursor<'b, E> {
    bytes: &'b mut [u8],
    at: usize,
    order: PhantomData<E>,
}

impl<'b, E: ByteOrder> Cursor<'b, E> {
    /// Starts at offset `at` of the slice.
    #[inline]
    pub fn new(bytes: &'b mut [u8], at: usize) -> Self {
        Cursor { bytes, at, order: PhantomData }
    }

    /// Offset in the slice behind the last field.
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

    /// A plain byte.
    #[inline(always)]
    pub fn u8(&mut self, value: u8) {
        self.put([value]);
    }

    /// Plain 16 bits.
    #[inline(always)]
    pub fn u16(&mut self, value: u16) {
        self.put(if E::BIG { value.to_be_bytes() } else { value.to_le_bytes() });
    }

    /// Plain 32 bits.
    #[inline(always)]
    pub fn u32(&mut self, value: u32) {
        self.put(if E::BIG { value.to_be_bytes() } else { value.to_le_bytes() });
    }

    /// Plain 64 bits.
    #[inline(always)]
    pub fn u64(&mut self, value: u64) {
        self.put(if E::BIG { value.to_be_bytes() } else { value.to_le_bytes() });
    }

    /// Compressed 32 bits. The length byte and the value are one store of eight bytes.
    #[inline(always)]
    pub fn u32c(&mut self, value: u32) {
        let length = significant_bytes(value as u64);
        let (word, advance) =
            if value == u32::MAX { (0xFF, 1) } else { (word::<E>(value, length), length + 1) };
        *self.window::<8>() = word.to_le_bytes();
        self.at += advance;
    }

    /// Compressed 64 bits.
    #[inline(always)]
    pub fn u64c(&mut self, value: u64) {
        let length = significant_bytes(value);
        let (first, advance) = if value == u64::MAX { (0xFF, 1) } else { (length as u8, length + 1) };
        self.length_and_bytes(first, high_first::<E>(value, length));
        self.at += advance;
    }

    /// Compressed signed 32 bits: negative values always take four bytes.
    #[inline(always)]
    pub fn i32c(&mut self, value: i32) {
        match value < 0 {
            true => self.put(prefixed(4, if E::BIG { value.to_be_bytes() } else { value.to_le_bytes() })),
            false => self.u32c(value as u32),
        }
    }

    /// Compressed signed 64 bits: negative values always take eight bytes.
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

    #[inline(always)]
    fn length_and_bytes(&mut self, first: u8, bytes: [u8; 8]) {
        let window = self.window::<9>();
        window[0] = first;
        window[1..].copy_from_slice(&bytes);
    }

    /// Bytes as they are.
    #[inline]
    pub fn bytes(&mut self, bytes: &[u8]) {
        let end = self.at.saturating_add(bytes.len());
        match self.bytes.get_mut(self.at..end) {
            Some(room) => room.copy_from_slice(bytes),
            None => out_of_room(self.at, bytes.len()),
        }
        self.at = end;
    }

    /// Puts a byte at an offset that was passed before.
    #[inline(always)]
    pub(crate) fn patch_u8(&mut self, at: usize, value: u8) {
        self.bytes[at] = value;
    }

    /// Puts 64 bits at an offset that was passed before.
    pub(crate) fn patch_u64(&mut self, at: usize, value: u64) {
        let end = std::mem::replace(&mut self.at, at);
        self.u64(value);
        self.at = end;
    }
}

#[cold]
#[inline(never)]
pub(super) fn out_of_room(at: usize, length: usize) -> ! {
    panic!("no room for {length} bytes at offset {at}: the bound of a record is too small")
}

#[inline(always)]
fn significant_bytes(value: u64) -> usize {
    (71 - value.leading_zeros() as usize) / 8
}

/// Length byte and value of a compressed `u32`, as the bytes of a little-endian word.
#[inline(always)]
fn word<E: ByteOrder>(value: u32, length: usize) -> u64 {
    let value = if E::BIG { value.wrapping_shl(32 - 8 * length as u32).swap_bytes() } else { value };
    (value as u64) << 8 | length as u64
}

/// The `length` low bytes of `value` in file order, then garbage. Length 0 comes with value 0 only.
#[inline(always)]
fn high_first<E: ByteOrder>(value: u64, length: usize) -> [u8; 8] {
    if E::BIG { value.wrapping_shl(64 - 8 * length as u32).to_be_bytes() } else { value.to_le_bytes() }
}

#[inline(always)]
fn prefixed(first: u8, rest: [u8; 4]) -> [u8; 5] {
    [first, rest[0], rest[1], rest[2], rest[3]]
}

/// Bytes a compressed `u32` takes.
#[inline]
pub fn size_u32c(value: u32) -> usize {
    if value == u32::MAX { 1 } else { 1 + significant_bytes(value as u64) }
}

/// Bytes a compressed `u64` takes.
#[inline]
pub fn size_u64c(value: u64) -> usize {
    if value == u64::MAX { 1 } else { 1 + significant_bytes(value) }
}

/// Bytes a compressed `i64` takes.
#[inline]
pub fn size_i64c(value: i64) -> usize {
    if value < 0 { 9 } else { size_u64c(value as u64) }
}
