//! Strings: bytes and a NUL on the wire, UTF-8 by convention only.

use super::field::{Field, FieldKind, FieldValue, Get};
use crate::byte_order::ByteOrder;
use crate::error::Problem;
use crate::{read, write};
use std::borrow::Cow;
use std::ffi::CStr;
use std::fmt;

/// String without a NUL.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Text<'a>(&'a [u8]);

impl<'a> Text<'a> {
    /// The bytes up to the first NUL.
    pub fn new(bytes: &'a [u8]) -> Text<'a> {
        Text(CStr::from_bytes_until_nul(bytes).map_or(bytes, CStr::to_bytes))
    }

    /// The bytes without the NUL.
    pub fn as_bytes(self) -> &'a [u8] {
        self.0
    }

    /// The string, with replacement characters where it is not UTF-8.
    pub fn to_string_lossy(self) -> Cow<'a, str> {
        String::from_utf8_lossy(self.0)
    }
}

impl<'a> From<&'a str> for Text<'a> {
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
    fn put<E: ByteOrder>(&self, cursor: &mut write::Cursor<'_, E>) {
        cursor.bytes(self.0);
        cursor.u8(0);
    }
    fn show(&self) -> FieldValue<'_> {
        FieldValue::Text(self.0)
    }
}

impl<'a> Get<'a> for Text<'a> {
    #[inline]
    fn get<F: read::Fields<'a>>(fields: &mut F) -> Result<Self, Problem> {
        fields.text().map(Text)
    }
}
