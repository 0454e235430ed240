//! Memory of the interpreter, which is read through the system.

use std::ptr;

use crate::readable;

const PAGE: usize = 4096;
/// The number of pages: those of the thread's stack and of the interpreter's frames alternate.
const PAGES: usize = 3;
/// The largest object that a window may contain a part of beyond its page.
const BEYOND: usize = 256;
/// The number of objects that are read at once, at most.
pub(super) const BATCH: usize = 16;

/// The pages that were read last: the next object is often in one of them.
#[derive(Debug)]
pub(super) struct MemoryWindow {
    pages: [PageCopy; PAGES],
    /// The one that is replaced next.
    oldest: usize,
}

/// A copy of a page, with some bytes after its end if an object begins in it.
#[derive(Debug)]
struct PageCopy {
    start: u64,
    bytes: Vec<u8>,
}

impl MemoryWindow {
    /// Returns a window that has room for pages, or for none at all.
    pub(super) fn with_room(has_room: bool) -> Self {
        let room = if has_room { PAGE + BEYOND } else { 0 };
        let page = |_| PageCopy { start: 0, bytes: Vec::with_capacity(room) };
        Self { pages: [(); PAGES].map(page), oldest: 0 }
    }

    /// Forgets the pages, whose content may have changed.
    pub(super) fn forget(&mut self) {
        self.pages.iter_mut().for_each(|page| page.bytes.clear());
    }

    /// Returns the bytes at an address; `None` if not all of them are mapped.
    pub(super) fn read<const SIZE: usize>(&mut self, address: u64) -> Option<[u8; SIZE]> {
        const { assert!(SIZE <= BEYOND) };
        self.pages.iter().find_map(|page| page.get(address)).or_else(|| {
            let page = self.pages.get_mut(self.oldest)?;
            self.oldest = (self.oldest + 1) % PAGES;
            page.read(address, SIZE);
            page.get(address)
        })
    }

    /// Returns the word at an address.
    pub(super) fn word(&mut self, address: u64) -> Option<u64> {
        self.read(address).map(u64::from_ne_bytes)
    }
}

impl PageCopy {
    /// Reads the page that contains an address, with the bytes of an object that begins there.
    fn read(&mut self, address: u64, size: usize) {
        self.start = address & !(PAGE as u64 - 1);
        let end = (address - self.start) as usize + size;
        self.bytes.clear();
        self.bytes.resize(PAGE.max(end).min(self.bytes.capacity()), 0);
        if !readable::read(self.start, &mut self.bytes) {
            self.bytes.clear();
        }
    }

    fn get<const SIZE: usize>(&self, address: u64) -> Option<[u8; SIZE]> {
        let at = usize::try_from(address.checked_sub(self.start)?).ok()?;
        self.bytes.get(at..)?.first_chunk().copied()
    }
}

/// Reads as many bytes as fit at each address, [`BATCH`] at most, in one call of the system as long
/// as all of them are mapped. Objects that are not all zeros are mapped.
pub(super) fn read_each<const SIZE: usize>(addresses: &[u64], into: &mut [[u8; SIZE]; BATCH]) {
    *into = [[0; SIZE]; BATCH];
    let none = libc::iovec { iov_base: ptr::null_mut(), iov_len: 0 };
    let mut others = [none; BATCH];
    others.iter_mut().zip(addresses).for_each(|(other, &address)| {
        *other = libc::iovec { iov_base: ptr::with_exposed_provenance_mut(address as usize), iov_len: SIZE };
    });
    let count = addresses.len().min(BATCH);
    let mut done = 0;
    while let (Some(places), Some(from)) = (into.get_mut(done..count), others.get(done..count))
        && !from.is_empty()
    {
        let own = libc::iovec { iov_base: places.as_mut_ptr().cast(), iov_len: places.len() * SIZE };
        // SAFETY: the first memory is writable; the system checks the others.
        let read = unsafe {
            libc::process_vm_readv(libc::getpid(), &raw const own, 1, from.as_ptr(), from.len() as u64, 0)
        };
        let whole = usize::try_from(read).unwrap_or(0) / SIZE;
        // The one after these is not mapped, and only a part of it may have been read.
        if let Some(refused) = places.get_mut(whole) {
            *refused = [0; SIZE];
        }
        done += whole + 1;
    }
}

/// Returns the word at an offset of an object.
pub(super) fn word_at(object: &[u8], offset: usize) -> u64 {
    let word = object.get(offset..).and_then(|bytes| bytes.first_chunk());
    word.map_or(0, |word| u64::from_ne_bytes(*word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_mapped_is_left_out() {
        let values = [[1_u8; 16], [2; 16], [3; 16]];
        let [first, second, third] = values.each_ref().map(|value| value.as_ptr().addr() as u64);
        let mut read = [[9; 16]; BATCH];
        read_each(&[first, 16, second, 32, 48, third], &mut read);
        assert_eq!(read[..6], [[1; 16], [0; 16], [2; 16], [0; 16], [0; 16], [3; 16]]);
        let mut window = MemoryWindow::with_room(true);
        assert_eq!(window.read::<16>(second), Some([2; 16]));
        assert_eq!(window.read::<16>(16), None);
        assert_eq!(window.word(first), Some(0x0101_0101_0101_0101));
    }
}
