//! Numbers and names in a jitdump. Invariant: nothing outside of the bytes is read.

/// The fields of a record, from its begin to its end.
#[derive(Debug)]
pub(super) struct DumpFields<'a> {
    rest: &'a [u8],
    /// Whether the byte order is not that of this machine.
    is_swapped: bool,
}

impl<'a> DumpFields<'a> {
    pub(super) fn new(bytes: &'a [u8], is_swapped: bool) -> Self {
        Self { rest: bytes, is_swapped }
    }

    pub(super) fn u32(&mut self) -> Option<u32> {
        let (&bytes, rest) = self.rest.split_first_chunk()?;
        self.rest = rest;
        let number = u32::from_ne_bytes(bytes);
        Some(if self.is_swapped { number.swap_bytes() } else { number })
    }

    pub(super) fn u64(&mut self) -> Option<u64> {
        let (&bytes, rest) = self.rest.split_first_chunk()?;
        self.rest = rest;
        let number = u64::from_ne_bytes(bytes);
        Some(if self.is_swapped { number.swap_bytes() } else { number })
    }

    /// Returns the text before the next zero.
    pub(super) fn text(&mut self) -> Option<&'a [u8]> {
        let end = self.rest.iter().position(|&byte| byte == 0)?;
        let (text, rest) = self.rest.split_at_checked(end)?;
        self.rest = rest.get(1..)?;
        Some(text)
    }

    /// Returns this many numbers of 32 bits.
    pub(super) fn all<const COUNT: usize>(&mut self) -> Option<[u32; COUNT]> {
        let mut numbers = [0; COUNT];
        numbers.iter_mut().try_for_each(|number| {
            *number = self.u32()?;
            Some(())
        })?;
        Some(numbers)
    }
}
