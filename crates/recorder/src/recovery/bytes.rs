//! Numbers at offsets in data that was read. No content of a file can make this panic.

/// Bytes that contain numbers in the byte order of the machine. Past the end, all bytes are 0.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bytes<'a>(pub(super) &'a [u8]);

impl<'a> Bytes<'a> {
    pub(super) fn u32(self, at: usize) -> u32 {
        u32::from_ne_bytes(self.array(at))
    }

    pub(super) fn u64(self, at: usize) -> u64 {
        u64::from_ne_bytes(self.array(at))
    }

    pub(super) fn array<const N: usize>(self, at: usize) -> [u8; N] {
        self.0.get(at..).and_then(|rest| rest.first_chunk()).copied().unwrap_or([0; N])
    }

    /// Returns these bytes, or as many of them as exist.
    pub(super) fn part(self, at: usize, length: usize) -> &'a [u8] {
        let rest = self.0.get(at..).unwrap_or_default();
        rest.get(..length).unwrap_or(rest)
    }
}
