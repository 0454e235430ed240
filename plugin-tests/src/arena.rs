//! The definition arena: one mapping in which a definition lies at base + handle, as in the recorded process.
//!
//! It is filled as the process filled it: a definition's bytes at its announcement, all of it at `pre_unify` and
//! `write_data`. After `write_data` the mapping cannot be read any more, as real hosts tear definitions down then.

use std::io;
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicU8, Ordering};

/// Bytes behind the highest handle that can still be read.
const ROOM: usize = 4096;

/// Memory for definitions, and which of them are announced.
#[derive(Debug)]
pub(crate) struct Arena {
    base: NonNull<u8>,
    length: usize,
    /// The kind announced for each handle, by a quarter of the handle; 0 for none.
    kinds: Box<[AtomicU8]>,
}

// SAFETY: all access goes through raw copies of plain bytes; the player orders writes before the calls that lead to reads.
unsafe impl Send for Arena {}
// SAFETY: as above.
unsafe impl Sync for Arena {}

impl Arena {
    /// An empty arena for handles below `most`.
    pub(crate) fn new(most: usize) -> io::Result<Self> {
        let length = (most + ROOM).next_multiple_of(1 << 16);
        // SAFETY: a fresh private mapping wherever the system likes.
        let base = unsafe {
            libc::mmap(
                ptr::null_mut(),
                length,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
                -1,
                0,
            )
        };
        if base == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let base = NonNull::new(base.cast()).expect("a mapping is never at address 0");
        let kinds = (0..length / 4).map(|_| AtomicU8::new(0)).collect();
        Ok(Self { base, length, kinds })
    }

    /// Copies bytes to base + handle.
    pub(crate) fn store(&self, handle: usize, bytes: &[u8]) {
        assert!(handle + bytes.len() <= self.length, "the arena was made for the highest handle");
        // SAFETY: inside the mapping; nobody else writes while a call is played.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), self.base.as_ptr().add(handle), bytes.len()) };
    }

    /// Notes that a handle was announced as this kind.
    pub(crate) fn announce(&self, handle: u32, kind: u32) {
        self.kinds[handle as usize / 4].store(kind as u8, Ordering::Release);
    }

    /// The kind a handle was announced as.
    pub(crate) fn kind(&self, handle: u32) -> Option<u32> {
        let kind = self.kinds.get(handle as usize / 4)?.load(Ordering::Acquire);
        (kind != 0 && handle.is_multiple_of(4)).then_some(u32::from(kind))
    }

    /// Address of the byte at this offset, if the arena has it.
    pub(crate) fn address(&self, offset: usize) -> Option<*const u8> {
        // SAFETY: inside the mapping.
        (offset < self.length).then(|| unsafe { self.base.as_ptr().add(offset) }.cast_const())
    }

    /// The 32-bit word at this offset; 0 behind the end.
    pub(crate) fn word(&self, offset: usize) -> u32 {
        if offset + 4 > self.length {
            return 0;
        }
        // SAFETY: inside the mapping, which is readable until `close`.
        unsafe { self.base.as_ptr().add(offset).cast::<u32>().read_unaligned() }
    }

    /// Takes the definitions away: from now on reading them is a fault.
    pub(crate) fn close(&self) {
        for kind in &self.kinds {
            kind.store(0, Ordering::Release);
        }
        // SAFETY: the mapping is this arena's; nothing of the host reads definitions after this.
        let result = unsafe { libc::mprotect(self.base.as_ptr().cast(), self.length, libc::PROT_NONE) };
        assert_eq!(result, 0, "protecting the arena: {}", io::Error::last_os_error());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_lie_at_base_plus_handle() {
        let arena = Arena::new(100_000).unwrap();
        arena.store(8192, &[1, 2, 3, 4]);
        assert_eq!(arena.word(8192), 0x0403_0201);
        assert_eq!(arena.address(8192).unwrap() as usize - arena.address(0).unwrap() as usize, 8192);
        assert!(arena.address(1 << 30).is_none());
    }

    #[test]
    fn only_announced_handles_have_a_kind() {
        let arena = Arena::new(100_000).unwrap();
        arena.announce(8192, 17);
        assert_eq!((arena.kind(8192), arena.kind(8196), arena.kind(0)), (Some(17), None, None));
        assert_eq!((arena.kind(8193), arena.kind(u32::MAX)), (None, None));
    }
}
