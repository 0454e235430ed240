//! Communication between the processes of the job for plugins, on the measurement's own
//! communicator.
//!
//! Everything is moved as bytes. Invariant: a call fails with an error instead of ending the
//! program.

use core::ffi::{c_int, c_void};

use super::known_abi;
use super::symbols::pmpi;
use super::world::{World, world};

const DONE: c_int = 0;
const FAILED: c_int = 1;

/// The tag of all messages.
const TAG: c_int = 0;

/// The job, if it has more than one process.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Job {
    pub(crate) world: &'static World,
    byte: usize,
    status_ignore: usize,
}

/// Returns the job, if it has more than one process.
pub(crate) fn job() -> Option<Job> {
    let world = world().filter(|world| world.size > 1)?;
    let abi = known_abi()?;
    Some(Job { world, byte: abi.byte, status_ignore: abi.status_ignore })
}

fn result(of: Option<c_int>) -> c_int {
    if of == Some(0) { DONE } else { FAILED }
}

/// Returns the number of bytes of `count` elements, if it is a possible count.
fn bytes(count: c_int, size: usize) -> Option<usize> {
    let bytes = usize::try_from(count).ok()?.checked_mul(size)?;
    (bytes <= c_int::MAX as usize).then_some(bytes)
}

impl Job {
    pub(crate) fn send(self, from: *const c_void, count: c_int, size: usize, to: c_int) -> c_int {
        let Some(bytes) = bytes(count, size) else { return FAILED };
        result(pmpi!(c"PMPI_Send", from, bytes, self.byte, to, TAG, self.world.comm))
    }

    pub(crate) fn receive(self, to: *mut c_void, count: c_int, size: usize, from: c_int) -> c_int {
        let Some(bytes) = bytes(count, size) else { return FAILED };
        let comm = self.world.comm;
        result(pmpi!(c"PMPI_Recv", to, bytes, self.byte, from, TAG, comm, self.status_ignore))
    }

    pub(crate) fn barrier(self) -> c_int {
        result(pmpi!(c"PMPI_Barrier", self.world.comm))
    }

    pub(crate) fn broadcast(self, buffer: *mut c_void, count: c_int, size: usize, root: c_int) -> c_int {
        let Some(bytes) = bytes(count, size) else { return FAILED };
        result(pmpi!(c"PMPI_Bcast", buffer, bytes, self.byte, root, self.world.comm))
    }

    pub(crate) fn gather(
        self,
        from: *const c_void,
        to: *mut c_void,
        count: c_int,
        size: usize,
        root: c_int,
    ) -> c_int {
        let Some(bytes) = bytes(count, size) else { return FAILED };
        let (byte, comm) = (self.byte, self.world.comm);
        result(pmpi!(c"PMPI_Gather", from, bytes, byte, to, bytes, byte, root, comm))
    }

    pub(crate) fn scatter(
        self,
        from: *const c_void,
        to: *mut c_void,
        count: c_int,
        size: usize,
        root: c_int,
    ) -> c_int {
        let Some(bytes) = bytes(count, size) else { return FAILED };
        let (byte, comm) = (self.byte, self.world.comm);
        result(pmpi!(c"PMPI_Scatter", from, bytes, byte, to, bytes, byte, root, comm))
    }

    pub(crate) fn all_gather(self, from: *const c_void, to: *mut c_void, count: c_int, size: usize) -> c_int {
        let Some(bytes) = bytes(count, size) else { return FAILED };
        let (byte, comm) = (self.byte, self.world.comm);
        result(pmpi!(c"PMPI_Allgather", from, bytes, byte, to, bytes, byte, comm))
    }

    /// Returns the counts and displacements in bytes on the root; empty elsewhere.
    ///
    /// # Safety
    ///
    /// On the root, `counts` must have an element for each process.
    unsafe fn parts(self, counts: *const c_int, size: usize, root: c_int) -> Option<[Vec<c_int>; 2]> {
        let (mut sizes, mut places) = (Vec::new(), Vec::new());
        if self.world.rank == root {
            let mut place = 0_usize;
            for rank in 0..self.world.size.unsigned_abs() as usize {
                // SAFETY: guaranteed by the caller.
                let part = bytes(unsafe { counts.add(rank).read() }, size)?;
                sizes.push(part as c_int);
                places.push(c_int::try_from(place).ok()?);
                place += part;
            }
        }
        Some([sizes, places])
    }

    /// # Safety
    ///
    /// As for `parts`.
    pub(crate) unsafe fn gather_parts(
        self,
        from: *const c_void,
        count: c_int,
        to: *mut c_void,
        counts: *const c_int,
        size: usize,
        root: c_int,
    ) -> c_int {
        // SAFETY: guaranteed by the caller.
        let (Some(own), Some([sizes, places])) =
            (bytes(count, size), unsafe { self.parts(counts, size, root) })
        else {
            return FAILED;
        };
        let (byte, comm) = (self.byte, self.world.comm);
        let (sizes, places) = (sizes.as_ptr(), places.as_ptr());
        result(pmpi!(c"PMPI_Gatherv", from, own, byte, to, sizes, places, byte, root, comm))
    }

    /// # Safety
    ///
    /// As for `parts`.
    pub(crate) unsafe fn scatter_parts(
        self,
        from: *const c_void,
        counts: *const c_int,
        to: *mut c_void,
        count: c_int,
        size: usize,
        root: c_int,
    ) -> c_int {
        // SAFETY: guaranteed by the caller.
        let (Some(own), Some([sizes, places])) =
            (bytes(count, size), unsafe { self.parts(counts, size, root) })
        else {
            return FAILED;
        };
        let (byte, comm) = (self.byte, self.world.comm);
        let (sizes, places) = (sizes.as_ptr(), places.as_ptr());
        result(pmpi!(c"PMPI_Scatterv", from, sizes, places, byte, to, own, byte, root, comm))
    }
}

/// Gathers the same number of words from each process on all of them; the words themselves if there
/// is only one.
pub(crate) fn gather_words(own: &[u64]) -> Option<Vec<u64>> {
    let Some(job) = job() else { return Some(own.to_vec()) };
    let mut all = vec![0_u64; own.len() * job.world.size.unsigned_abs() as usize];
    let count = c_int::try_from(own.len()).ok()?;
    let done = job.all_gather(own.as_ptr().cast(), all.as_mut_ptr().cast(), count, size_of::<u64>());
    (done == DONE).then_some(all)
}

/// Gathers a list of each process on all of them, in the order of the ranks. Returns all, and the
/// number of those of the processes before this one.
pub(crate) fn gather_lists(own: &[u64]) -> Option<(Vec<u64>, u64)> {
    let counts = gather_words(&[own.len() as u64])?;
    let most = counts.iter().copied().max().unwrap_or(0) as usize;
    let mut padded = own.to_vec();
    padded.resize(most, 0);
    let rows = gather_words(&padded)?;
    let rows = rows.chunks(most.max(1)).zip(&counts);
    let all = rows.flat_map(|(row, &count)| row.iter().take(count as usize)).copied().collect();
    let before = counts.iter().take(super::rank() as usize).sum();
    Some((all, before))
}

/// Broadcasts a text from the process with rank 0.
pub(crate) fn broadcast_text(text: &[u8]) -> Option<Vec<u8>> {
    let Some(job) = job() else { return Some(text.to_vec()) };
    let mut length = text.len() as u64;
    let done = job.broadcast((&raw mut length).cast(), 1, size_of::<u64>(), 0);
    (done == DONE && length < 1 << 20).then_some(())?;
    let mut buffer = text.to_vec();
    buffer.resize(length as usize, 0);
    let done = job.broadcast(buffer.as_mut_ptr().cast(), length as c_int, 1, 0);
    (done == DONE).then_some(buffer)
}
