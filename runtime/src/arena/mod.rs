//! Where definitions lie: one mapping in which a definition's address is base + handle, as in Score-P.
//!
//! Invariants: what was handed out stays where it is to the end of the process; memory behind the last definition is zero.
//! Plugins read it while it grows, so words that change after an announcement are written atomically.

mod memory;

use self::memory::Mapping;

/// Handle of the first definition, as in Score-P: what lies before belongs to nobody.
const FIRST: u32 = 8192;
const ALIGNMENT: u32 = 8;
/// Less than this is not worth a measurement.
const LEAST: usize = 1 << 20;

/// The memory of definitions.
#[derive(Debug)]
pub(crate) struct Arena {
    mapping: Mapping,
}

/// How far an arena is filled. Kept apart, behind the lock of the definitions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fill {
    next: u32,
}

impl Default for Fill {
    fn default() -> Self {
        Self { next: FIRST }
    }
}

impl Arena {
    /// Reserves `wanted` bytes of addresses, or as much as the process may have.
    pub(crate) fn reserve(wanted: usize) -> Option<Self> {
        let most = wanted.clamp(LEAST, u32::MAX as usize / 2);
        let sizes =
            std::iter::successors(Some(most), |size| Some(size / 2)).take_while(|&size| size >= LEAST / 2);
        sizes.filter_map(Mapping::new).next().map(|mapping| Self { mapping })
    }

    /// Room for a definition; `None` if there is none left.
    pub(crate) fn allocate(&self, fill: &mut Fill, size: usize) -> Option<u32> {
        let end = u32::try_from(size).ok()?.checked_add(fill.next)?.checked_next_multiple_of(ALIGNMENT)?;
        if end as usize > self.mapping.length() {
            return None;
        }
        Some(std::mem::replace(&mut fill.next, end))
    }

    /// Writes bytes of a definition that nobody knows yet.
    pub(crate) fn fill(&self, handle: u32, offset: usize, bytes: &[u8]) {
        self.mapping.store(handle as usize + offset, bytes);
    }

    /// The bytes of a definition; fewer at the end of the memory. Only for what does not change.
    pub(crate) fn bytes(&self, handle: u32, offset: usize, length: usize) -> &[u8] {
        self.mapping.bytes(handle as usize + offset, length)
    }

    /// The word at an offset, 0 outside.
    pub(crate) fn word(&self, handle: u32, offset: usize) -> u32 {
        self.mapping.word(handle as usize + offset)
    }

    /// Changes a word of a definition, which plugins may know.
    pub(crate) fn set_word(&self, handle: u32, offset: usize, value: u32) {
        self.mapping.set_word(handle as usize + offset, value);
    }

    /// Changes two words, the lower first.
    pub(crate) fn set_double(&self, handle: u32, offset: usize, value: u64) {
        self.set_word(handle, offset, value as u32);
        self.set_word(handle, offset + 4, (value >> 32) as u32);
    }

    /// Address of a byte; null outside.
    pub(crate) fn address(&self, handle: u32, offset: usize) -> *const u8 {
        self.mapping.address(handle as usize + offset)
    }
}
