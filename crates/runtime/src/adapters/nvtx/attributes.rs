//! The attributes of a range or mark, as the program passes them (`nvtxEventAttributes_t`).
//!
//! Invariant: only fields that the size in the structure covers are read.

use std::ffi::c_char;

use super::objects::RegisteredString;
use crate::adapters::annotations::text;

/// The layout of NVTX 2 and 3.
#[derive(Debug)]
#[repr(C)]
pub(super) struct EventAttributes {
    version: u16,
    size: u16,
    category: u32,
    color_type: i32,
    color: u32,
    payload_type: i32,
    reserved: i32,
    payload: u64,
    message_type: i32,
    padding: i32,
    message: usize,
}

/// A number that belongs to a range or mark.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum NvtxPayload {
    U64(u64),
    I64(i64),
    F64(f64),
    U32(u32),
    I32(i32),
    F32(f32),
}

/// The text of a range or mark.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "a box needs memory, and a message lives for one call")]
pub(super) enum NvtxMessage<'a> {
    Bytes(&'a [u8]),
    Wide(text::WideText),
    Registered(&'static RegisteredString),
    Unknown,
}

mod message_type {
    pub(super) const ASCII: i32 = 1;
    pub(super) const UNICODE: i32 = 2;
    pub(super) const REGISTERED: i32 = 3;
}

impl EventAttributes {
    /// Returns whether the structure contains a field that ends at an offset.
    fn covers(&self, end: usize) -> bool {
        usize::from(self.size) >= end
    }

    /// Returns the number of the category; 0 for none.
    pub(super) fn category(&self) -> u32 {
        if self.covers(8) { self.category } else { 0 }
    }

    /// Returns the number, if there is one.
    pub(super) fn payload(&self) -> Option<NvtxPayload> {
        if !self.covers(32) {
            return None;
        }
        let (bits, low) = (self.payload, self.payload as u32);
        match self.payload_type {
            1 => Some(NvtxPayload::U64(bits)),
            2 => Some(NvtxPayload::I64(bits.cast_signed())),
            3 => Some(NvtxPayload::F64(f64::from_bits(bits))),
            4 => Some(NvtxPayload::U32(low)),
            5 => Some(NvtxPayload::I32(low.cast_signed())),
            6 => Some(NvtxPayload::F32(f32::from_bits(low))),
            _ => None,
        }
    }

    /// Returns the text.
    ///
    /// # Safety
    ///
    /// The program must have set the type of the message as that of the pointer.
    pub(super) unsafe fn message(&self) -> NvtxMessage<'_> {
        if !self.covers(48) {
            return NvtxMessage::Unknown;
        }
        // SAFETY: the program has set the type as that of the pointer.
        unsafe { NvtxMessage::of(self.message_type, self.message) }
    }
}

impl NvtxMessage<'_> {
    /// Returns the text at an address.
    ///
    /// # Safety
    ///
    /// The text must be of this type.
    pub(super) unsafe fn of(kind: i32, address: usize) -> Self {
        let found = match kind {
            message_type::ASCII => {
                // SAFETY: a string that ends with 0, as its type states, or null.
                let bytes = unsafe { text::bytes(std::ptr::with_exposed_provenance::<c_char>(address)) };
                bytes.map(Self::Bytes)
            }
            message_type::UNICODE => {
                // SAFETY: a wide string that ends with 0, as its type states, or null.
                let wide = unsafe { text::WideText::of(std::ptr::with_exposed_provenance(address)) };
                wide.map(Self::Wide)
            }
            message_type::REGISTERED => RegisteredString::of(address).map(Self::Registered),
            _ => None,
        };
        found.unwrap_or(Self::Unknown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attributes(size: u16) -> EventAttributes {
        EventAttributes {
            version: 3,
            size,
            category: 7,
            color_type: 1,
            color: 2,
            payload_type: 5,
            reserved: 0,
            payload: u64::from(u32::MAX),
            message_type: message_type::ASCII,
            padding: 0,
            message: c"name".as_ptr().expose_provenance(),
        }
    }

    #[test]
    fn attributes_have_the_layout_of_the_header() {
        assert_eq!(size_of::<EventAttributes>(), 48);
        let whole = attributes(48);
        assert_eq!((whole.category(), whole.payload()), (7, Some(NvtxPayload::I32(-1))));
        // SAFETY: the type is that of the text.
        assert!(matches!(unsafe { whole.message() }, NvtxMessage::Bytes(b"name")));
    }

    #[test]
    fn what_the_size_does_not_cover_is_not_read() {
        let short = attributes(40);
        assert_eq!((short.category(), short.payload()), (7, Some(NvtxPayload::I32(-1))));
        // SAFETY: as above.
        assert!(matches!(unsafe { short.message() }, NvtxMessage::Unknown));
        let empty = attributes(4);
        assert_eq!((empty.category(), empty.payload()), (0, None));
    }
}
