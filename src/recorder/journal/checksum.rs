//! The checksum of journals and side files: CRC-32 as IEEE 802.3 has it, eight bytes at a time.

const POLYNOMIAL: u32 = 0xEDB8_8320;

/// For each of the last eight bytes what it adds to the checksum.
static TABLES: [[u32; 256]; 8] = tables();

const fn tables() -> [[u32; 256]; 8] {
    let mut tables = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let mut sum = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            sum = if sum & 1 == 1 { sum >> 1 ^ POLYNOMIAL } else { sum >> 1 };
            bit += 1;
        }
        tables[0][byte] = sum;
        byte += 1;
    }
    let mut table = 1;
    while table < 8 {
        let mut byte = 0;
        while byte < 256 {
            let before = tables[table - 1][byte];
            tables[table][byte] = before >> 8 ^ tables[0][(before & 0xFF) as usize];
            byte += 1;
        }
        table += 1;
    }
    tables
}

/// A checksum that grows.
#[derive(Debug, Clone, Copy)]
pub struct Checksum(u32);

impl Checksum {
    /// Of nothing.
    pub const fn new() -> Self {
        Self(u32::MAX)
    }

    /// Of what it was of, and of these bytes behind it.
    #[must_use]
    pub fn with(self, bytes: &[u8]) -> Self {
        let mut sum = self.0;
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            let first = sum ^ u32::from_le_bytes([word[0], word[1], word[2], word[3]]);
            let byte = |number: u32, at: u32| (number >> (8 * at) & 0xFF) as usize;
            let second = u32::from_le_bytes([word[4], word[5], word[6], word[7]]);
            sum = TABLES[7][byte(first, 0)]
                ^ TABLES[6][byte(first, 1)]
                ^ TABLES[5][byte(first, 2)]
                ^ TABLES[4][byte(first, 3)]
                ^ TABLES[3][byte(second, 0)]
                ^ TABLES[2][byte(second, 1)]
                ^ TABLES[1][byte(second, 2)]
                ^ TABLES[0][byte(second, 3)];
        }
        Self(
            rest.iter()
                .fold(sum, |sum, &byte| sum >> 8 ^ TABLES[0][((sum ^ u32::from(byte)) & 0xFF) as usize]),
        )
    }

    /// The number.
    pub const fn value(self) -> u32 {
        !self.0
    }
}

impl Default for Checksum {
    fn default() -> Self {
        Self::new()
    }
}

/// The checksum of bytes.
pub fn checksum(bytes: &[u8]) -> u32 {
    Checksum::new().with(bytes).value()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_values() {
        assert_eq!(checksum(b""), 0);
        assert_eq!(checksum(b"123456789"), 0xCBF4_3926);
        assert_eq!(checksum(b"The quick brown fox jumps over the lazy dog"), 0x414F_A339);
    }

    #[test]
    fn parts_have_the_checksum_of_the_whole() {
        let bytes: Vec<u8> = (0..100).collect();
        for cut in 0..bytes.len() {
            let (front, rest) = bytes.split_at(cut);
            assert_eq!(Checksum::new().with(front).with(rest).value(), checksum(&bytes));
        }
    }
}
