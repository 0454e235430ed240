//! Texts that a program passes to an interface: bytes that end with 0, or characters of 32 bits.

use std::borrow::Cow;
use std::ffi::{CStr, c_char};

/// Returns the text with a replacement for bytes that are not UTF-8.
pub(in super::super) fn valid(text: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(text)
}

/// Returns the bytes of a C string, none for null.
///
/// # Safety
///
/// Null, or a string that ends with 0 and is valid for `'a`.
pub(in super::super) unsafe fn bytes<'a>(text: *const c_char) -> Option<&'a [u8]> {
    // SAFETY: the string is not null, so it ends with 0 and is valid for `'a`.
    (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }.to_bytes())
}

/// A wide string in UTF-8, which needs no memory. The rest of a longer one is cut off.
#[derive(Debug)]
pub(in super::super) struct WideText {
    bytes: [u8; 512],
    length: usize,
}

impl WideText {
    /// Reads a text, with a replacement for values that are no characters.
    ///
    /// # Safety
    ///
    /// Null, or characters of 32 bits up to a 0.
    pub(in super::super) unsafe fn of(text: *const u32) -> Option<Self> {
        if text.is_null() {
            return None;
        }
        let mut this = Self { bytes: [0; 512], length: 0 };
        // SAFETY: the characters up to the 0 are readable.
        for character in (0..).map(|place| unsafe { *text.add(place) }).take_while(|&it| it != 0) {
            let character = char::from_u32(character).unwrap_or(char::REPLACEMENT_CHARACTER);
            let room = this.bytes.get_mut(this.length..).unwrap_or_default();
            if room.len() < character.len_utf8() {
                break;
            }
            this.length += character.encode_utf8(room).len();
        }
        Some(this)
    }

    pub(in super::super) fn bytes(&self) -> &[u8] {
        self.bytes.get(..self.length).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_texts_become_utf_8() {
        let text = |characters: &[u32]| {
            // SAFETY: the characters end with a 0.
            let text = unsafe { WideText::of(characters.as_ptr()) }.expect("a text");
            String::from_utf8(text.bytes().to_owned()).expect("UTF-8")
        };
        assert_eq!(text(&[0x61, 0xE4, 0x1F600, 0]), "aä😀");
        assert_eq!(text(&[0xD800, 0x110000, 0]), "\u{FFFD}\u{FFFD}");
        assert_eq!(text(&[&[0xE4; 600][..], &[0]].concat()), "ä".repeat(256));
        // SAFETY: null.
        assert!(unsafe { WideText::of(std::ptr::null()) }.is_none());
    }
}
