//! Records of a trace file: five fields in one of four layouts.
//!
//! | field | 24 bytes | 32 bytes | type | meaning |
//! | --- | --- | --- | --- | --- |
//! | event | 0, 4 bytes | 0, 8 bytes | signed | id in the event file |
//! | node | 4 | 8 | 16 bits | process, rank |
//! | thread | 6 | 10 | 16 bits | thread of the node |
//! | parameter | 8 | 16 | 64 bits, signed | depends on the event |
//! | time | 16 | 24 | 64 bits | microseconds |
//!
//! Bytes 12 to 15 of the wide layout are padding with arbitrary content. Only the low 32 bits of
//! wide event ids are used, as in TAU's own reader.

/// A thread of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Thread {
    /// The process, or rank.
    pub node: u16,
    /// The thread within the node.
    pub thread: u16,
}

/// A record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// The id in the event file.
    pub event: i32,
    /// The thread on which the event occurred.
    pub thread: Thread,
    /// The parameter, whose meaning depends on the event.
    pub parameter: i64,
    /// The time in microseconds, usually since 1970.
    pub time: u64,
}

/// How the records of a file are stored. Every file uses a single layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// 24 bytes, little endian.
    Le32,
    /// 24 bytes, big endian.
    Be32,
    /// 32 bytes, little endian.
    Le64,
    /// 32 bytes, big endian.
    Be64,
}

/// The size of a narrow record in bytes.
pub(crate) const NARROW: usize = 24;
/// The size of a wide record in bytes.
pub(crate) const WIDE: usize = 32;

impl Layout {
    /// All layouts.
    pub const ALL: [Layout; 4] = [Layout::Le32, Layout::Be32, Layout::Le64, Layout::Be64];

    /// The layout that TAU writes on this machine.
    pub const NATIVE: Layout = if cfg!(target_endian = "big") { Layout::Be32 } else { Layout::Le32 };

    /// Returns the size of a record in bytes.
    pub fn record_size(self) -> usize {
        match self {
            Layout::Le32 | Layout::Be32 => NARROW,
            Layout::Le64 | Layout::Be64 => WIDE,
        }
    }

    /// Decodes the record at the start of `bytes`, if there are enough of them.
    pub fn decode(self, bytes: &[u8]) -> Option<Record> {
        match self {
            Layout::Le32 => bytes.first_chunk().map(decode::<NARROW, false>),
            Layout::Be32 => bytes.first_chunk().map(decode::<NARROW, true>),
            Layout::Le64 => bytes.first_chunk().map(decode::<WIDE, false>),
            Layout::Be64 => bytes.first_chunk().map(decode::<WIDE, true>),
        }
    }

    /// Appends a record.
    pub fn encode(self, record: &Record, out: &mut Vec<u8>) {
        let big = matches!(self, Layout::Be32 | Layout::Be64);
        let wide = self.record_size() == WIDE;
        let mut put = |value: u64, bytes: usize| match big {
            true => out.extend(value.to_be_bytes().iter().skip(8 - bytes)),
            false => out.extend(value.to_le_bytes().iter().take(bytes)),
        };
        put(i64::from(record.event) as u64, if wide { 8 } else { 4 });
        put(record.thread.node.into(), 2);
        put(record.thread.thread.into(), 2);
        if wide {
            put(0, 4);
        }
        put(record.parameter as u64, 8);
        put(record.time, 8);
    }
}

/// Decodes a record of `SIZE` bytes, [`NARROW`] or [`WIDE`]. All offsets are known at compile time.
#[inline(always)]
pub(crate) fn decode<const SIZE: usize, const BIG: bool>(bytes: &[u8; SIZE]) -> Record {
    let (low_half_of_event, node) = match SIZE {
        WIDE if BIG => (4, 8),
        WIDE => (0, 8),
        _ => (0, 4),
    };
    Record {
        event: at::<4, BIG>(bytes, low_half_of_event) as u32 as i32,
        thread: Thread {
            node: at::<2, BIG>(bytes, node) as u16,
            thread: at::<2, BIG>(bytes, node + 2) as u16,
        },
        parameter: at::<8, BIG>(bytes, SIZE - 16) as i64,
        time: at::<8, BIG>(bytes, SIZE - 8),
    }
}

/// Reads the number in `N` bytes at `offset`.
#[inline(always)]
fn at<const N: usize, const BIG: bool>(bytes: &[u8], offset: usize) -> u64 {
    let mut number = [0; 8];
    if let (Some(field), Some(room)) =
        (bytes.get(offset..).and_then(|rest| rest.first_chunk::<N>()), number.first_chunk_mut::<N>())
    {
        *room = *field;
    }
    match BIG {
        true => u64::from_be_bytes(number) >> (64 - 8 * N),
        false => u64::from_le_bytes(number),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECORD: Record = Record {
        event: 56,
        thread: Thread { node: 0x0102, thread: 0x0304 },
        parameter: 3,
        time: 1_795_189_119_748_292,
    };

    /// The bytes in field order, with all numbers spelled out.
    #[test]
    fn layouts() {
        let expected: [&[u8]; 4] = [
            b"\x38\0\0\0\x02\x01\x04\x03\x03\0\0\0\0\0\0\0\xc4\x88\xc9\x09\xb7\x60\x06\0",
            b"\0\0\0\x38\x01\x02\x03\x04\0\0\0\0\0\0\0\x03\0\x06\x60\xb7\x09\xc9\x88\xc4",
            b"\x38\0\0\0\0\0\0\0\x02\x01\x04\x03\0\0\0\0\x03\0\0\0\0\0\0\0\xc4\x88\xc9\x09\xb7\x60\x06\0",
            b"\0\0\0\0\0\0\0\x38\x01\x02\x03\x04\0\0\0\0\0\0\0\0\0\0\0\x03\0\x06\x60\xb7\x09\xc9\x88\xc4",
        ];
        for (layout, bytes) in Layout::ALL.into_iter().zip(expected) {
            let mut encoded = Vec::new();
            layout.encode(&RECORD, &mut encoded);
            assert_eq!(encoded, bytes, "{layout:?}");
            assert_eq!(layout.decode(bytes), Some(RECORD), "{layout:?}");
            assert_eq!(layout.decode(&bytes[1..]), None);
            assert_eq!(layout.record_size(), bytes.len());
        }
    }

    #[test]
    fn negative_numbers() {
        let record = Record { event: -5, parameter: -12_345, ..RECORD };
        for layout in Layout::ALL {
            let mut bytes = Vec::new();
            layout.encode(&record, &mut bytes);
            assert_eq!(layout.decode(&bytes), Some(record), "{layout:?}");
        }
    }

    #[test]
    fn wide_ids_use_their_low_bits() {
        let mut bytes = [0; 32];
        bytes[0] = 7;
        bytes[4] = 1;
        assert_eq!(Layout::Le64.decode(&bytes).map(|record| record.event), Some(7));
        bytes[..8].reverse();
        assert_eq!(Layout::Be64.decode(&bytes).map(|record| record.event), Some(7));
    }
}
