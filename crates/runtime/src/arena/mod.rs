//! The memory of definitions: one mapping in which a definition's address is base + handle, as in
//! Score-P.
//!
//! Invariants: a definition that was handed out is never moved or freed; memory after the last
//! definition is zero. Plugins read the memory while it grows, so words that change after an
//! announcement are written atomically.

mod memory;

use self::memory::Mapping;

/// The handle of the first definition, as in Score-P. The bytes before it are unused.
const FIRST: u32 = 8192;
const ALIGNMENT: u32 = 8;
/// The least size: with less memory a measurement is not worthwhile.
const LEAST: usize = 1 << 20;
/// The address space that must be left, for the plugins and the program. Without any, the program
/// would end with a signal as soon as its stack grows.
const REST: usize = 32 << 20;

/// The memory of definitions.
#[derive(Debug)]
pub(crate) struct Arena {
    mapping: Mapping,
}

/// The fill level of an arena. Kept apart from it, under the lock of the definitions.
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
    /// Reserves an address range of `wanted` bytes, or as much as the system grants.
    pub(crate) fn reserve(wanted: usize) -> Option<Self> {
        let most = wanted.clamp(LEAST, u32::MAX as usize / 2);
        let sizes =
            std::iter::successors(Some(most), |size| Some(size / 2)).take_while(|&size| size >= LEAST / 2);
        sizes.filter_map(|size| Mapping::new(size, REST)).next().map(|mapping| Self { mapping })
    }

    /// Allocates room for a definition; returns `None` if none is left.
    pub(crate) fn allocate(&self, fill: &mut Fill, size: usize) -> Option<u32> {
        let end = u32::try_from(size).ok()?.checked_add(fill.next)?.checked_next_multiple_of(ALIGNMENT)?;
        if end as usize > self.mapping.length() {
            return None;
        }
        Some(std::mem::replace(&mut fill.next, end))
    }

    /// Writes bytes of a definition that is not yet published.
    pub(crate) fn fill(&self, handle: u32, offset: usize, bytes: &[u8]) {
        self.mapping.store(handle as usize + offset, bytes);
    }

    /// Returns bytes of a definition; fewer at the end of the memory. Only for bytes that do not
    /// change.
    pub(crate) fn bytes(&self, handle: u32, offset: usize, length: usize) -> &[u8] {
        self.mapping.bytes(handle as usize + offset, length)
    }

    /// Returns the word at an offset, 0 outside the memory.
    pub(crate) fn word(&self, handle: u32, offset: usize) -> u32 {
        self.mapping.word(handle as usize + offset)
    }

    /// Changes a word of a definition that plugins may be reading.
    pub(crate) fn set_word(&self, handle: u32, offset: usize, value: u32) {
        self.mapping.set_word(handle as usize + offset, value);
    }

    /// Changes a 64-bit field as two words, the lower one first.
    pub(crate) fn set_double(&self, handle: u32, offset: usize, value: u64) {
        self.set_word(handle, offset, value as u32);
        self.set_word(handle, offset + 4, (value >> 32) as u32);
    }

    /// Returns the address of a byte; null outside the memory.
    pub(crate) fn address(&self, handle: u32, offset: usize) -> *const u8 {
        self.mapping.address(handle as usize + offset)
    }
}
