//! The data of a page: a header in JSON, and arrays of numbers.
//!
//! A pack begins with the length of the header, a little-endian number of 32 bits, and the header.
//! Zeros follow up to a multiple of 8, then the arrays, each at a multiple of 8 from the first. The
//! header refers to an array by its type, its offset and its length.

use serde_json::{Value, json};

/// Arrays that are being packed.
#[derive(Debug, Default)]
pub struct Pack(Vec<u8>);

/// The alignment of arrays.
const ALIGNMENT: usize = 8;

fn align(bytes: &mut Vec<u8>) {
    bytes.resize(bytes.len().next_multiple_of(ALIGNMENT), 0);
}

impl Pack {
    fn array<const N: usize>(&mut self, kind: &str, numbers: impl Iterator<Item = [u8; N]>) -> Value {
        align(&mut self.0);
        let at = self.0.len();
        numbers.for_each(|number| self.0.extend_from_slice(&number));
        json!({ "type": kind, "at": at, "length": (self.0.len() - at) / N })
    }

    /// Adds an array, and returns its entry in the header.
    pub fn u8(&mut self, numbers: impl IntoIterator<Item = u8>) -> Value {
        self.array("u8", numbers.into_iter().map(|it| [it]))
    }

    /// Adds an array, and returns its entry in the header.
    pub fn u16(&mut self, numbers: impl IntoIterator<Item = u16>) -> Value {
        self.array("u16", numbers.into_iter().map(u16::to_le_bytes))
    }

    /// Adds an array, and returns its entry in the header.
    pub fn u32(&mut self, numbers: impl IntoIterator<Item = u32>) -> Value {
        self.array("u32", numbers.into_iter().map(u32::to_le_bytes))
    }

    /// Adds an array, and returns its entry in the header.
    pub fn f64(&mut self, numbers: impl IntoIterator<Item = f64>) -> Value {
        self.array("f64", numbers.into_iter().map(f64::to_le_bytes))
    }

    /// Returns the pack with this header.
    pub fn finish(self, header: &Value) -> Vec<u8> {
        let header = header.to_string();
        let mut pack = u32::try_from(header.len()).unwrap_or(u32::MAX).to_le_bytes().to_vec();
        pack.extend_from_slice(header.as_bytes());
        align(&mut pack);
        pack.extend_from_slice(&self.0);
        pack
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_are_aligned() {
        let mut pack = Pack::default();
        let header = json!([pack.u8([1, 2, 3]), pack.f64([0.5]), pack.u16([])]);
        assert_eq!(header[0], json!({ "type": "u8", "at": 0, "length": 3 }));
        assert_eq!(header[1], json!({ "type": "f64", "at": 8, "length": 1 }));
        assert_eq!(header[2], json!({ "type": "u16", "at": 16, "length": 0 }));
        let bytes = pack.finish(&header);
        let start = (4 + header.to_string().len()).next_multiple_of(8);
        assert_eq!(bytes[..4], (header.to_string().len() as u32).to_le_bytes());
        assert_eq!(bytes[start..], [&[1, 2, 3, 0, 0, 0, 0, 0][..], &0.5_f64.to_le_bytes()].concat());
    }
}
