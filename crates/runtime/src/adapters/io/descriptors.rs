//! The handles of file descriptors, in a table that any thread and any signal handler can read and
//! change without a lock.
//!
//! The table consists of chunks, which are allocated when their first descriptor has a handle.
//! Invariant: a function that creates a descriptor takes the handle that its number still has. This
//! is the handle of a descriptor which was closed unseen, as by a system call that no function of
//! the C library made.

use std::ffi::c_int;
use std::sync::atomic::{
    AtomicU32,
    Ordering::{AcqRel, Relaxed},
};

use once_cell::race::OnceRef;

use crate::mapped::{Zeroed, zeroed};

/// The handle of a descriptor without one.
pub(super) const NONE: u32 = 0;

const CHUNK: usize = 1024;
/// Descriptors from `CHUNK * CHUNKS` on, more than a process has by default, have no handles.
const CHUNKS: usize = 1024;

#[repr(transparent)]
struct Chunk([AtomicU32; CHUNK]);

// SAFETY: atomics are integers.
unsafe impl Zeroed for Chunk {}

static TABLE: [OnceRef<'static, Chunk>; CHUNKS] = [const { OnceRef::new() }; CHUNKS];

fn chunk(number: usize) -> Option<&'static Chunk> {
    TABLE.get(number)?.get()
}

fn entry(descriptor: c_int) -> Option<&'static AtomicU32> {
    let number = usize::try_from(descriptor).ok()?;
    chunk(number / CHUNK)?.0.get(number % CHUNK)
}

/// Returns the handle of a descriptor.
#[inline]
pub(super) fn get(descriptor: c_int) -> u32 {
    entry(descriptor).map_or(NONE, |entry| entry.load(Relaxed))
}

/// Sets the handle of a descriptor; returns the one before.
pub(super) fn set(descriptor: c_int, handle: u32) -> u32 {
    let entry = match entry(descriptor) {
        None if handle == NONE => None,
        None => make_entry(descriptor),
        entry => entry,
    };
    entry.map_or(NONE, |entry| entry.swap(handle, AcqRel))
}

#[cold]
fn make_entry(descriptor: c_int) -> Option<&'static AtomicU32> {
    let place = TABLE.get(usize::try_from(descriptor).ok()? / CHUNK)?;
    let [new] = zeroed::<Chunk>(1)? else { return None };
    // If this fails, another thread or a signal handler has made the chunk; this one remains
    // unused.
    let _ = place.set(new);
    entry(descriptor)
}

/// Removes the handle of a descriptor and returns it.
pub(super) fn take(descriptor: c_int) -> u32 {
    set(descriptor, NONE)
}

/// Removes the handles of the descriptors from `first` to `last` that are not open any more, and
/// passes them to `action`. Another thread may have opened a file under the number of one.
pub(super) fn take_closed(first: c_int, last: c_int, mut action: impl FnMut(u32)) {
    for descriptor in open(first, last) {
        let Some(entry) = entry(descriptor) else { continue };
        let handle = entry.load(Relaxed);
        if handle != NONE
            && !is_open(descriptor)
            && entry.compare_exchange(handle, NONE, AcqRel, Relaxed).is_ok()
        {
            action(handle);
        }
    }
}

fn is_open(descriptor: c_int) -> bool {
    // SAFETY: only reads flags.
    unsafe { libc::fcntl(descriptor, libc::F_GETFD) != -1 }
}

/// Returns the descriptors from `first` to `last` that have a handle.
pub(super) fn open(first: c_int, last: c_int) -> impl Iterator<Item = c_int> {
    let chunks = (0..CHUNKS).filter(|&number| chunk(number).is_some());
    let all = chunks.flat_map(|number| number * CHUNK..(number + 1) * CHUNK);
    let all = all.filter_map(|number| c_int::try_from(number).ok());
    all.filter(move |&descriptor| (first..=last).contains(&descriptor) && get(descriptor) != NONE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptors_of_all_sizes_have_handles() {
        // No other test uses these.
        let all = [70_000, 70_001, 90_000, 1_048_575];
        for (number, &descriptor) in all.iter().enumerate() {
            assert_eq!((get(descriptor), take(descriptor)), (NONE, NONE));
            assert_eq!(set(descriptor, number as u32 + 1), NONE);
        }
        assert_eq!(open(70_000, 1_048_575).collect::<Vec<_>>(), all);
        assert_eq!(open(70_001, 90_000).collect::<Vec<_>>(), all[1..3]);
        assert_eq!((take(90_000), get(90_000), get(70_001)), (3, NONE, 2));
        // None of them is open.
        let mut closed = Vec::new();
        take_closed(70_001, 90_000, |handle| closed.push(handle));
        assert_eq!((closed, get(70_001), get(70_000)), (vec![2], NONE, 1));
        for descriptor in [-1, 1_048_576, c_int::MAX, c_int::MIN] {
            assert_eq!((set(descriptor, 5), get(descriptor)), (NONE, NONE));
        }
    }
}
