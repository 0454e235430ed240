//! Messages: the parameter of a send or receive record.
//!
//! | bits | content |
//! | --- | --- |
//! | 0 to 15 | length, bits 0 to 15 |
//! | 16 to 23 | tag, bits 0 to 7 |
//! | 24 to 31 | partner, bits 0 to 7 |
//! | 32 to 41 | length, bits 16 to 25 |
//! | 42 to 47 | communicator |
//! | 48 to 55 | tag, bits 8 to 15 |
//! | 56 to 63 | partner, bits 8 to 15 |
//!
//! Values that do not fit lose their high bits when written. The thread of the partner is not
//! stored.

/// The content of a message record, which belongs to the thread that sends or receives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Message {
    /// The receiving node of a send, the sending node of a receive.
    pub partner: u16,
    /// The number of bytes, 26 bits.
    pub length: u32,
    /// The tag.
    pub tag: u16,
    /// The communicator, 6 bits. TAU itself always writes 0, the world.
    pub communicator: u8,
}

impl Message {
    /// Decodes a parameter.
    #[inline]
    pub fn from_parameter(parameter: i64) -> Self {
        let bits = |from: u32, count: u32| (parameter as u64 >> from) as u32 & ((1 << count) - 1);
        Message {
            partner: (bits(24, 8) | bits(56, 8) << 8) as u16,
            length: bits(0, 16) | bits(32, 10) << 16,
            tag: (bits(16, 8) | bits(48, 8) << 8) as u16,
            communicator: bits(42, 6) as u8,
        }
    }

    /// Encodes a parameter.
    pub fn parameter(self) -> i64 {
        let part = |value: u32, from: u32, count: u32, to: u32| {
            (u64::from(value) >> from & ((1 << count) - 1)) << to
        };
        let (partner, tag) = (self.partner.into(), self.tag.into());
        let parameter = part(self.length, 0, 16, 0)
            | part(tag, 0, 8, 16)
            | part(partner, 0, 8, 24)
            | part(self.length, 16, 10, 32)
            | part(self.communicator.into(), 0, 6, 42)
            | part(tag, 8, 8, 48)
            | part(partner, 8, 8, 56);
        parameter as i64
    }
}

#[cfg(test)]
mod tests {
    use super::Message;

    /// Parameters written by TAU, and the values that were passed to it.
    #[test]
    fn parameters() {
        let message = |length, tag, partner, communicator| Message { partner, length, tag, communicator };
        for (parameter, expected) in [
            (0x01ff_ffff, message(65_535, 255, 1, 0)),
            (0x0001_0801_0201_0001, message(65_537, 257, 2, 2)),
            (0x00ff_ffff_01ff_ffff, message(67_108_863, 65_535, 1, 63)),
            (-1, message(67_108_863, 65_535, 65_535, 63)),
        ] {
            assert_eq!(Message::from_parameter(parameter), expected);
            assert_eq!(expected.parameter(), parameter);
        }
    }

    #[test]
    fn high_bits_are_lost() {
        let message = Message { partner: 1, length: 67_108_869, tag: 0, communicator: 64 };
        let read = Message::from_parameter(message.parameter());
        assert_eq!(read, Message { length: 5, communicator: 0, ..message });
    }
}
