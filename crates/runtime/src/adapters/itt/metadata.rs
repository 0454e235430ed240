//! The metadata of a program's tasks: numbers and texts, which become parameters of the task's
//! region.

use std::ffi::{c_char, c_int, c_void};

use super::ITT;
use super::objects::IttString;
use crate::measurement::Here;

/// The largest number of values of one call that are recorded.
const MOST_VALUES: usize = 64;

/// A number of one of the types of ITT (`__itt_metadata_type`).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum IttNumber {
    Unsigned(u64),
    Signed(i64),
    Float(f64),
}

impl IttNumber {
    /// Reads the number at a place in an array.
    ///
    /// # Safety
    ///
    /// Null, or an array of values of the type that is longer than `place`.
    pub(super) unsafe fn read(kind: c_int, data: *const c_void, place: usize) -> Option<Self> {
        if data.is_null() {
            return None;
        }
        let data = NumberArray { data, place };
        // SAFETY: the array has a value of the type at the place.
        Some(unsafe {
            match kind {
                1 => Self::Unsigned(data.read::<u64>()),
                2 => Self::Signed(data.read::<i64>()),
                3 => Self::Unsigned(data.read::<u32>().into()),
                4 => Self::Signed(data.read::<i32>().into()),
                5 => Self::Unsigned(data.read::<u16>().into()),
                6 => Self::Signed(data.read::<i16>().into()),
                7 => Self::Float(data.read::<f32>().into()),
                8 => Self::Float(data.read::<f64>()),
                _ => return None,
            }
        })
    }
}

/// A place in an array of the program.
#[derive(Debug, Clone, Copy)]
struct NumberArray {
    data: *const c_void,
    place: usize,
}

impl NumberArray {
    /// # Safety
    ///
    /// The array must have a value of this type at the place. It need not be aligned.
    unsafe fn read<T: Copy>(self) -> T {
        // SAFETY: the array has a value of this type at the place, which need not be aligned.
        unsafe { self.data.cast::<T>().add(self.place).read_unaligned() }
    }
}

impl std::fmt::Display for IttNumber {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Unsigned(value) => value.fmt(f),
            Self::Signed(value) => value.fmt(f),
            Self::Float(value) => value.fmt(f),
        }
    }
}

/// Records numbers: one of a whole number as a parameter of its type, others as a text.
///
/// # Safety
///
/// The data must be an array of `count` values of the type.
pub(super) unsafe fn record_numbers(
    here: &Here,
    key: &IttString,
    kind: c_int,
    count: usize,
    data: *const c_void,
) {
    // SAFETY: the array has the values.
    let value = |place| unsafe { IttNumber::read(kind, data, place) };
    match (count, value(0)) {
        (0, _) | (_, None) => {}
        (1, Some(IttNumber::Unsigned(value))) => key.text.with(|key| ITT.parameter_u64(here, key, value)),
        (1, Some(IttNumber::Signed(value))) => key.text.with(|key| ITT.parameter_i64(here, key, value)),
        _ => {
            let numbers = (0..count.min(MOST_VALUES)).map_while(value);
            let text = ListText::of(numbers, count > MOST_VALUES);
            key.text.with(|key| ITT.parameter_text(here, key, text.bytes()));
        }
    }
}

/// Records a text of a length, or up to its 0 if that is 0.
///
/// # Safety
///
/// Null, or a text that ends with 0 or has that length.
pub(super) unsafe fn record_text(here: &Here, key: &IttString, data: *const c_char, length: usize) {
    // SAFETY: null, or a text that ends with 0 or has that length.
    let text = unsafe { text_of(data, length) };
    key.text.with(|key| ITT.parameter_text(here, key, text));
}

/// Returns a text of a length, or up to its 0 if that is 0 or comes before.
///
/// # Safety
///
/// Null, or a text that ends with 0 or has that length, and is valid for `'a`.
pub(super) unsafe fn text_of<'a>(data: *const c_char, length: usize) -> &'a [u8] {
    if data.is_null() {
        return b"";
    }
    let most = if length == 0 { usize::MAX } else { length };
    // SAFETY: the text ends with 0, or has at least the length.
    let length = unsafe { libc::strnlen(data, most) };
    // SAFETY: the text has at least that length.
    unsafe { std::slice::from_raw_parts(data.cast(), length) }
}

/// Numbers as a text, which needs no memory.
#[derive(Debug)]
struct ListText {
    bytes: [u8; 1024],
    length: usize,
}

impl ListText {
    fn of(numbers: impl Iterator<Item = IttNumber>, is_cut_off: bool) -> Self {
        use std::io::Write;
        let mut this = Self { bytes: [0; 1024], length: 0 };
        let mut rest = &mut this.bytes[..];
        let room = rest.len();
        let mut write = |separator: &str, text: std::fmt::Arguments<'_>| {
            // Text without room is left out.
            _ = write!(rest, "{separator}{text}");
            room - rest.len()
        };
        for (place, number) in numbers.enumerate() {
            this.length = write(if place > 0 { ", " } else { "" }, format_args!("{number}"));
        }
        if is_cut_off {
            this.length = write(", ", format_args!("…"));
        }
        this
    }

    fn bytes(&self) -> &[u8] {
        self.bytes.get(..self.length).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_types_of_the_header() {
        let data: [i64; 2] = [-1, 7];
        // SAFETY: the array has the values.
        let read = |kind, place| unsafe { IttNumber::read(kind, data.as_ptr().cast(), place) };
        assert_eq!(read(1, 1), Some(IttNumber::Unsigned(7)));
        assert_eq!(read(2, 0), Some(IttNumber::Signed(-1)));
        assert_eq!(read(3, 0), Some(IttNumber::Unsigned(u32::MAX.into())));
        assert_eq!(read(4, 1), Some(IttNumber::Signed(-1)));
        assert_eq!(read(5, 4), Some(IttNumber::Unsigned(7)));
        assert_eq!(read(6, 0), Some(IttNumber::Signed(-1)));
        assert_eq!(read(9, 0), None);
        let floats = [1.5_f64];
        // SAFETY: as above.
        let float = unsafe { IttNumber::read(8, floats.as_ptr().cast(), 0) };
        assert_eq!(float, Some(IttNumber::Float(1.5)));
    }

    #[test]
    fn several_numbers_are_a_list() {
        let text = |numbers: &[f64], is_cut_off| {
            let text = ListText::of(numbers.iter().map(|it| IttNumber::Float(*it)), is_cut_off);
            String::from_utf8(text.bytes().to_owned()).expect("a text")
        };
        assert_eq!(text(&[1.5, -2.0], false), "1.5, -2");
        assert_eq!(text(&[1.0], true), "1, …");
        assert!(text(&[f64::MAX; 64], true).len() == 1024);
    }
}
