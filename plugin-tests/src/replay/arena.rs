//! The definition arena: a mapping in which each definition is at base + handle, as in the recorded
//! process.
//!
//! It is filled as the recorded process filled it: a definition's bytes at its announcement, the
//! whole arena at `pre_unify` and `write_data`. After `write_data` the mapping is no longer
//! readable, because real hosts tear definitions down then. A scattered arena stores strings
//! elsewhere, so that no base address can be derived from them.

use crate::replay::definitions::field::STRING_TEXT;
use crate::replay::release::Garbage;
use std::io;
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicUsize, Ordering};

/// The number of readable bytes after the highest handle.
const ROOM: usize = 4096;

/// Memory for definitions, and a record of which ones are announced.
#[derive(Debug)]
pub(crate) struct Arena {
    memory: Mapping,
    /// The kind announced for each handle, indexed by handle / 4; 0 if not announced.
    kinds: Box<[AtomicU8]>,
    texts: Option<Texts>,
}

/// Copies of strings at addresses that do not follow from their handles.
#[derive(Debug)]
struct Texts {
    memory: Mapping,
    /// The offset in the mapping of each handle's copy, indexed by handle / 4; 0 if there is none.
    places: Box<[AtomicU32]>,
    next: AtomicUsize,
    gaps: Garbage,
}

/// Zeroed memory that stays mapped until the process ends.
#[derive(Debug)]
struct Mapping {
    base: NonNull<u8>,
    length: usize,
}

// SAFETY: all access is by raw copies of plain bytes; the player orders writes before the calls
// that lead to reads.
unsafe impl Send for Mapping {}
// SAFETY: as above.
unsafe impl Sync for Mapping {}

impl Mapping {
    fn new(length: usize) -> io::Result<Self> {
        // SAFETY: a new private mapping at an address that the system chooses.
        let base = unsafe {
            libc::mmap(
                ptr::null_mut(),
                length,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
                -1,
                0,
            )
        };
        if base == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        Ok(Self { base: NonNull::new(base.cast()).expect("a mapping is never at address 0"), length })
    }

    fn store(&self, offset: usize, bytes: &[u8]) {
        assert!(offset + bytes.len() <= self.length, "the mapping was made for the highest offset");
        // SAFETY: inside the mapping; no other thread writes while a call is played.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), self.base.as_ptr().add(offset), bytes.len()) };
    }

    fn address(&self, offset: usize) -> Option<*const u8> {
        // SAFETY: inside the mapping.
        (offset < self.length).then(|| unsafe { self.base.as_ptr().add(offset) }.cast_const())
    }

    /// Makes the mapping unreadable.
    fn close(&self) {
        // SAFETY: the mapping belongs to this object; the host does not read it after this.
        let result = unsafe { libc::mprotect(self.base.as_ptr().cast(), self.length, libc::PROT_NONE) };
        assert_eq!(result, 0, "protecting definitions: {}", io::Error::last_os_error());
    }
}

impl Texts {
    /// Creates storage for the strings of an arena of `length` bytes.
    fn new(length: usize) -> io::Result<Self> {
        let places = (0..length / 4).map(|_| AtomicU32::new(0)).collect();
        let memory = Mapping::new(length * 4)?;
        Ok(Self { memory, places, next: AtomicUsize::new(8), gaps: Garbage::new(0) })
    }

    /// Copies the text of a string definition, preceded by bytes that are not a definition.
    fn add(&self, handle: usize, text: &[u8]) {
        let gap = 8 + self.gaps.next() as usize % 64;
        let place = self.next.fetch_add(gap + text.len() + 1, Ordering::Relaxed) + gap;
        self.memory.store(place - 8, &[0xa5; 8]);
        self.memory.store(place, text);
        self.places[handle / 4].store(place as u32, Ordering::Release);
    }

    fn get(&self, handle: usize) -> Option<*const u8> {
        match self.places.get(handle / 4)?.load(Ordering::Acquire) {
            0 => None,
            place => self.memory.address(place as usize),
        }
    }
}

impl Arena {
    /// Creates an empty arena for handles below `most`; a scattered one stores its strings
    /// elsewhere.
    pub(crate) fn new(most: usize, scattered: bool) -> io::Result<Self> {
        let length = (most + ROOM).next_multiple_of(1 << 16);
        let kinds = (0..length / 4).map(|_| AtomicU8::new(0)).collect();
        let texts = if scattered { Some(Texts::new(length)?) } else { None };
        Ok(Self { memory: Mapping::new(length)?, kinds, texts })
    }

    /// Copies `bytes` to base + handle.
    pub(crate) fn store(&self, handle: usize, bytes: &[u8]) {
        self.memory.store(handle, bytes);
    }

    /// Copies the definition of a string.
    pub(crate) fn store_string(&self, handle: usize, bytes: &[u8]) {
        self.store(handle, bytes);
        if let (Some(texts), Some(text)) = (&self.texts, bytes.get(STRING_TEXT..)) {
            texts.add(handle, text);
        }
    }

    /// Returns the address of a string's text.
    pub(crate) fn string(&self, handle: usize) -> Option<*const u8> {
        match &self.texts {
            Some(texts) => texts.get(handle),
            None => self.address(handle + STRING_TEXT),
        }
    }

    /// Records that `handle` was announced as `kind`.
    pub(crate) fn announce(&self, handle: u32, kind: u32) {
        self.kinds[handle as usize / 4].store(kind as u8, Ordering::Release);
    }

    /// Returns the kind that `handle` was announced as.
    pub(crate) fn kind(&self, handle: u32) -> Option<u32> {
        let kind = self.kinds.get(handle as usize / 4)?.load(Ordering::Acquire);
        (kind != 0 && handle.is_multiple_of(4)).then_some(u32::from(kind))
    }

    /// Returns the address of the byte at `offset`, if it is inside the arena.
    pub(crate) fn address(&self, offset: usize) -> Option<*const u8> {
        self.memory.address(offset)
    }

    /// Returns the 32-bit word at `offset`; 0 past the end.
    pub(crate) fn word(&self, offset: usize) -> u32 {
        if offset + 4 > self.memory.length {
            return 0;
        }
        // SAFETY: inside the mapping, which is readable until `close`.
        unsafe { self.memory.base.as_ptr().add(offset).cast::<u32>().read_unaligned() }
    }

    /// Makes the definitions unreadable: from now on, reading them faults.
    pub(crate) fn close(&self) {
        for kind in &self.kinds {
            kind.store(0, Ordering::Release);
        }
        self.memory.close();
        if let Some(texts) = &self.texts {
            texts.memory.close();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_are_at_base_plus_handle() {
        let arena = Arena::new(100_000, false).unwrap();
        arena.store(8192, &[1, 2, 3, 4]);
        assert_eq!(arena.word(8192), 0x0403_0201);
        assert_eq!(arena.address(8192).unwrap() as usize - arena.address(0).unwrap() as usize, 8192);
        assert!(arena.address(1 << 30).is_none());
    }

    #[test]
    fn scattered_strings_share_no_base_address() {
        let arena = Arena::new(100_000, true).unwrap();
        let mut string = [0; STRING_TEXT + 2];
        string[STRING_TEXT] = b'x';
        let handles = [8192, 8224, 8256];
        handles.into_iter().for_each(|handle| arena.store_string(handle, &string));
        let bases = handles.map(|handle| arena.string(handle).unwrap() as usize - handle);
        assert!(bases[0] != bases[1] && bases[1] != bases[2]);
        // SAFETY: stored above.
        assert!(handles.iter().all(|&handle| unsafe { *arena.string(handle).unwrap() } == b'x'));
        assert!(arena.string(4096).is_none());
    }

    #[test]
    fn only_announced_handles_have_a_kind() {
        let arena = Arena::new(100_000, false).unwrap();
        arena.announce(8192, 17);
        assert_eq!((arena.kind(8192), arena.kind(8196), arena.kind(0)), (Some(17), None, None));
        assert_eq!((arena.kind(8193), arena.kind(u32::MAX)), (None, None));
    }
}
