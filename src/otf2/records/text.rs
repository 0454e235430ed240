//! Strings: bytes and a NUL on the wire, UTF-8 by convention only.

use super::field::{Field, FieldKind, FieldValue, Get};
use crate::byte_order::ByteOrder;
use crate::error::Problem;
use crate::wire;
use std::borrow::Cow;
use std::ffi::CStr;
use std::fmt;

/// A string without a NUL.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Text<'a>(&'a [u8]);

impl<'a> Text<'a> {
    /// Creates a string from the bytes up to the first NUL.
    #[inline]
    pub fn new(bytes: &'a [u8]) -> Text<'a> {
        match has_nul(bytes) {
            true => Text(CStr::from_bytes_until_nul(bytes).map_or(bytes, CStr::to_bytes)),
            false => Text(bytes),
        }
    }

    /// Returns the bytes without the NUL.
    pub fn as_bytes(self) -> &'a [u8] {
        self.0
    }

    /// Returns the string, with replacement characters for invalid UTF-8.
    pub fn to_string_lossy(self) -> Cow<'a, str> {
        String::from_utf8_lossy(self.0)
    }
}

/// Returns whether a byte is zero, checked eight bytes at a time. Texts are short, and searching
/// for the position of a zero costs more than writing them.
#[inline]
fn has_nul(bytes: &[u8]) -> bool {
    const LOW: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = LOW << 7;
    // The lowest zero byte borrows into its own highest bit, which was not set.
    let in_word = |word: &[u8; 8]| {
        let word = u64::from_ne_bytes(*word);
        word.wrapping_sub(LOW) & !word & HIGH != 0
    };
    match bytes.last_chunk() {
        Some(last) => bytes.as_chunks().0.iter().any(in_word) || in_word(last),
        None => bytes.contains(&0),
    }
}

impl<'a> From<&'a str> for Text<'a> {
    #[inline]
    fn from(string: &'a str) -> Self {
        Text::new(string.as_bytes())
    }
}

impl<'a> From<&'a CStr> for Text<'a> {
    fn from(string: &'a CStr) -> Self {
        Text(string.to_bytes())
    }
}

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_string_lossy())
    }
}

impl fmt::Debug for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.0.escape_ascii())
    }
}

impl Field for Text<'_> {
    const KIND: FieldKind = FieldKind::Text;
    #[inline]
    fn width(&self) -> usize {
        self.0.len() + 1
    }
    #[inline]
    fn size(&self) -> usize {
        self.0.len() + 1
    }
    #[inline]
    fn put<E: ByteOrder>(&self, cursor: &mut wire::Encoder<'_, E>) {
        cursor.text(self.0);
    }
    fn show(&self) -> FieldValue<'_> {
        FieldValue::Text(self.0)
    }
}

impl<'a> Get<'a> for Text<'a> {
    #[inline]
    fn get<F: wire::Fields<'a>>(fields: &mut F) -> Result<Self, Problem> {
        fields.text().map(Text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The surrounding bytes are those that a word-wise search could mistake for zero, or that
    /// could hide one.
    #[test]
    #[cfg_attr(miri, ignore = "too many cases for Miri")]
    fn a_text_ends_at_its_first_zero() {
        for around in [1, b'a', 0x7F, 0x80, 0x81, 0xFF] {
            for length in 0..40 {
                let mut bytes = vec![around; length];
                assert_eq!(Text::new(&bytes).as_bytes(), bytes);
                for zero in (0..length).rev() {
                    bytes[zero] = 0;
                    assert_eq!(Text::new(&bytes).as_bytes(), &bytes[..zero]);
                    bytes[length - 1] = 0;
                    assert_eq!(Text::new(&bytes).as_bytes(), &bytes[..zero]);
                    bytes.fill(around);
                }
            }
        }
    }
}
