//! The byte order of a file, docs/spec/otf2-format.md, "Streams, chunks, control bytes". Every file
//! states its own; the files of one archive may differ.

/// The byte order in which a writer writes, chosen at compile time.
pub trait ByteOrder: Copy + Default + std::fmt::Debug + Send + Sync + 'static {
    /// Whether the most significant byte comes first.
    const BIG: bool;
    /// The byte that identifies this order in chunk headers and in the anchor.
    const TAG: u8 = if Self::BIG { BIG_TAG } else { LITTLE_TAG };
}

/// The tag of big endian.
pub const BIG_TAG: u8 = 0x23;
/// The tag of little endian.
pub const LITTLE_TAG: u8 = 0x42;

/// Least significant byte first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LittleEndian;

/// Most significant byte first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct BigEndian;

impl ByteOrder for LittleEndian {
    const BIG: bool = false;
}

impl ByteOrder for BigEndian {
    const BIG: bool = true;
}

/// The byte order of this machine.
#[cfg(target_endian = "little")]
pub type NativeEndian = LittleEndian;
/// The byte order of this machine.
#[cfg(target_endian = "big")]
pub type NativeEndian = BigEndian;
