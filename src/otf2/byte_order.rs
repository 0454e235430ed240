//! Byte order of a file, OTF2 format, section "Chunks": every file states its own, files of one archive may differ.

/// Byte order in which a writer writes; chosen at compile time.
pub trait ByteOrder: Copy + Default + std::fmt::Debug + Send + Sync + 'static {
    /// Whether the highest byte comes first.
    const BIG: bool;
    /// The byte that announces this order in chunk headers and the anchor.
    const TAG: u8 = if Self::BIG { BIG_TAG } else { LITTLE_TAG };
}

/// Announces big endian.
pub const BIG_TAG: u8 = 0x23;
/// Announces little endian.
pub const LITTLE_TAG: u8 = 0x42;

/// Lowest byte first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LittleEndian;

/// Highest byte first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct BigEndian;

impl ByteOrder for LittleEndian {
    const BIG: bool = false;
}

impl ByteOrder for BigEndian {
    const BIG: bool = true;
}

/// Byte order of this machine.
#[cfg(target_endian = "little")]
pub type NativeEndian = LittleEndian;
/// Byte order of this machine.
#[cfg(target_endian = "big")]
pub type NativeEndian = BigEndian;
