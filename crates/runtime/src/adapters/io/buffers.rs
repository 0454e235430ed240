//! The characters that macros and inline functions of a program (`getc_unlocked`, `putc_unlocked`)
//! take from and put into the buffers of streams without a call.
//!
//! They appear as the difference between the positions in a buffer at the end of a recorded call
//! and at the begin of the next one for the same stream, which records them as an operation of
//! their own. Invariant: while several threads are in calls for a stream, nothing is counted, so
//! that no character is counted twice.

use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering::Relaxed};

use libc::FILE;

use super::descriptors::NONE;
use super::id;
use super::transfers::{BLOCKING, NO_OFFSET, READ, WRITE};
use crate::measurement::Here;

/// The kind of operations, from which their numbers are made.
const INLINE: u64 = 3;

/// The handle of a stream, and the positions in its buffer.
#[derive(Debug, Default)]
pub(super) struct Buffer {
    handle: AtomicU32,
    /// The number of calls in progress.
    calls: AtomicU32,
    read: AtomicUsize,
    written: AtomicUsize,
}

/// The positions of a stream.
#[derive(Debug, Clone, Copy)]
struct Positions {
    read: usize,
    read_end: usize,
    read_begin: usize,
    write_begin: usize,
    written: usize,
    write_end: usize,
}

/// The words at the begin of every stream of the C library, on which programs that contain the
/// macros depend: flags, and the positions.
type StreamWords = [AtomicUsize; 7];

/// # Safety
///
/// The stream must be open.
unsafe fn positions(stream: *mut FILE) -> Positions {
    // SAFETY: the stream is open, as this function demands. Other threads may change it now.
    let words = unsafe { &*stream.cast::<StreamWords>() };
    let [_, read, read_end, read_begin, write_begin, written, write_end] =
        words.each_ref().map(|word| word.load(Relaxed));
    Positions { read, read_end, read_begin, write_begin, written, write_end }
}

/// The layout is that of this C library.
const HAS_POSITIONS: bool = cfg!(target_env = "gnu");

/// Returns whether the buffer of a stream has this many characters to read, or room for as many to
/// write, so that a call moves them without the system.
///
/// # Safety
///
/// The stream must be open.
pub(super) unsafe fn has_in_buffer(stream: *mut FILE, mode: u32, count: usize) -> bool {
    if !HAS_POSITIONS {
        return false;
    }
    // SAFETY: the stream is open, as this function demands.
    let now = unsafe { positions(stream) };
    let have = match mode {
        READ => now.read_end.saturating_sub(now.read),
        // A stream that writes each line has its end at its begin.
        _ => now.write_end.saturating_sub(now.written),
    };
    count <= have
}

impl Buffer {
    pub(super) fn handle(&self) -> u32 {
        self.handle.load(Relaxed)
    }

    /// Removes the handle and returns it.
    pub(super) fn take(&self) -> u32 {
        self.handle.swap(NONE, Relaxed)
    }

    /// Replaces the handle.
    pub(super) fn replace(&self, handle: u32) {
        self.handle.store(handle, Relaxed);
    }

    /// Begins with a handle, at the current positions. No other thread uses the stream yet.
    ///
    /// # Safety
    ///
    /// The stream must be open.
    pub(super) unsafe fn start(&self, stream: *mut FILE, handle: u32) {
        // SAFETY: the stream is open, as this function demands.
        unsafe { self.keep(stream) };
        self.calls.store(0, Relaxed);
        self.handle.store(handle, Relaxed);
    }

    /// Keeps the current positions.
    ///
    /// # Safety
    ///
    /// The stream must be open.
    pub(super) unsafe fn keep(&self, stream: *mut FILE) {
        // SAFETY: the stream is open, as this function demands.
        let now = unsafe { positions(stream) };
        self.read.store(now.read, Relaxed);
        self.written.store(now.written, Relaxed);
    }

    /// Begins a call, after recording the bytes that the program has read and written without one
    /// since the last call.
    ///
    /// # Safety
    ///
    /// The stream must be open.
    pub(super) unsafe fn begin(&self, here: &Here, stream: *mut FILE, handle: u32) {
        if self.calls.fetch_add(1, Relaxed) > 0 || handle == NONE || !HAS_POSITIONS {
            return;
        }
        // SAFETY: the stream is open, as this function demands.
        let now = unsafe { positions(stream) };
        let read = distance(now.read_begin, self.read.load(Relaxed), now.read);
        let written = distance(now.write_begin, self.written.load(Relaxed), now.written);
        for (bytes, mode) in [(read, READ), (written, WRITE)] {
            if bytes > 0 {
                here.io_begin(handle, mode, BLOCKING, bytes, id(here, INLINE), NO_OFFSET);
                here.io_complete(handle, mode, bytes, id(here, INLINE));
            }
        }
    }

    /// Ends a call.
    ///
    /// # Safety
    ///
    /// The stream must be open.
    pub(super) unsafe fn end(&self, stream: *mut FILE) {
        // SAFETY: the stream is open, as this function demands.
        unsafe { self.keep(stream) };
        self.calls.fetch_sub(1, Relaxed);
    }
}

/// Returns the distance between two positions; 0 if the first one is not in the buffer any more.
fn distance(begin: usize, before: usize, now: usize) -> u64 {
    if begin != 0 && (begin..now).contains(&before) { (now - before) as u64 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_in_an_old_buffer_do_not_count() {
        assert_eq!(distance(100, 110, 150), 40);
        assert_eq!(distance(100, 100, 100), 0);
        assert_eq!((distance(100, 160, 150), distance(100, 90, 150), distance(0, 0, 0)), (0, 0, 0));
    }
}
