//! Communication between the processes of the job for plugins, on the measurement's own
//! communicator.
//!
//! Everything is moved as bytes. Invariant: a call fails with an error instead of ending the
//! program.

use core::ffi::{c_int, c_void};

use super::known_abi;
use super::symbols::pmpi;
use super::world::{World, world};
use crate::job::{DONE, FAILED, Job};

/// The tag of all messages.
const TAG: c_int = 0;

/// Returns the job, if it has more than one process.
pub(super) fn job() -> Option<&'static dyn Job> {
    let world = world().filter(|world| world.size > 1 && known_abi().is_some())?;
    Some(world)
}

fn result(of: Option<c_int>) -> c_int {
    if of == Some(0) { DONE } else { FAILED }
}

/// Returns the number of bytes of `count` elements, if it is a possible count.
fn bytes(count: c_int, size: usize) -> Option<usize> {
    let bytes = usize::try_from(count).ok()?.checked_mul(size)?;
    (bytes <= c_int::MAX as usize).then_some(bytes)
}

/// Returns the data type of bytes.
fn byte() -> usize {
    known_abi().map_or(0, |abi| abi.byte)
}

/// Returns the place for a status that that is not used.
fn status_ignore() -> usize {
    known_abi().map_or(0, |abi| abi.status_ignore)
}

impl World {
    /// Returns the counts and displacements in bytes on the root; empty elsewhere.
    ///
    /// # Safety
    ///
    /// On the root, `counts` must have an element for each process.
    unsafe fn parts(&self, counts: *const c_int, size: usize, root: c_int) -> Option<[Vec<c_int>; 2]> {
        let (mut sizes, mut places) = (Vec::new(), Vec::new());
        if self.rank == root {
            let mut place = 0_usize;
            for rank in 0..self.size.unsigned_abs() as usize {
                // SAFETY: this is the root, so `counts` has an element for each process.
                let part = bytes(unsafe { counts.add(rank).read() }, size)?;
                sizes.push(part as c_int);
                places.push(c_int::try_from(place).ok()?);
                place += part;
            }
        }
        Some([sizes, places])
    }
}

impl Job for World {
    fn rank(&self) -> c_int {
        self.rank
    }

    fn processes(&self) -> c_int {
        self.size
    }

    unsafe fn send(&self, from: *const c_void, count: c_int, size: usize, to: c_int) -> c_int {
        let Some(bytes) = bytes(count, size) else { return FAILED };
        result(pmpi!(c"PMPI_Send", from, bytes, byte(), to, TAG, self.comm))
    }

    unsafe fn receive(&self, to: *mut c_void, count: c_int, size: usize, from: c_int) -> c_int {
        let Some(bytes) = bytes(count, size) else { return FAILED };
        let comm = self.comm;
        result(pmpi!(c"PMPI_Recv", to, bytes, byte(), from, TAG, comm, status_ignore()))
    }

    fn barrier(&self) -> c_int {
        result(pmpi!(c"PMPI_Barrier", self.comm))
    }

    unsafe fn broadcast(&self, buffer: *mut c_void, count: c_int, size: usize, root: c_int) -> c_int {
        let Some(bytes) = bytes(count, size) else { return FAILED };
        result(pmpi!(c"PMPI_Bcast", buffer, bytes, byte(), root, self.comm))
    }

    unsafe fn gather(
        &self,
        from: *const c_void,
        to: *mut c_void,
        count: c_int,
        size: usize,
        root: c_int,
    ) -> c_int {
        let Some(bytes) = bytes(count, size) else { return FAILED };
        let (byte, comm) = (byte(), self.comm);
        result(pmpi!(c"PMPI_Gather", from, bytes, byte, to, bytes, byte, root, comm))
    }

    unsafe fn scatter(
        &self,
        from: *const c_void,
        to: *mut c_void,
        count: c_int,
        size: usize,
        root: c_int,
    ) -> c_int {
        let Some(bytes) = bytes(count, size) else { return FAILED };
        let (byte, comm) = (byte(), self.comm);
        result(pmpi!(c"PMPI_Scatter", from, bytes, byte, to, bytes, byte, root, comm))
    }

    unsafe fn all_gather(&self, from: *const c_void, to: *mut c_void, count: c_int, size: usize) -> c_int {
        let Some(bytes) = bytes(count, size) else { return FAILED };
        let (byte, comm) = (byte(), self.comm);
        result(pmpi!(c"PMPI_Allgather", from, bytes, byte, to, bytes, byte, comm))
    }

    unsafe fn gather_parts(
        &self,
        from: *const c_void,
        count: c_int,
        to: *mut c_void,
        counts: *const c_int,
        size: usize,
        root: c_int,
    ) -> c_int {
        // SAFETY: `counts` has an element for each process, on the root.
        let (Some(own), Some([sizes, places])) =
            (bytes(count, size), unsafe { self.parts(counts, size, root) })
        else {
            return FAILED;
        };
        let (byte, comm) = (byte(), self.comm);
        let (sizes, places) = (sizes.as_ptr(), places.as_ptr());
        result(pmpi!(c"PMPI_Gatherv", from, own, byte, to, sizes, places, byte, root, comm))
    }

    unsafe fn scatter_parts(
        &self,
        from: *const c_void,
        counts: *const c_int,
        to: *mut c_void,
        count: c_int,
        size: usize,
        root: c_int,
    ) -> c_int {
        // SAFETY: `counts` has an element for each process, on the root.
        let (Some(own), Some([sizes, places])) =
            (bytes(count, size), unsafe { self.parts(counts, size, root) })
        else {
            return FAILED;
        };
        let (byte, comm) = (byte(), self.comm);
        let (sizes, places) = (sizes.as_ptr(), places.as_ptr());
        result(pmpi!(c"PMPI_Scatterv", from, sizes, places, byte, to, own, byte, root, comm))
    }
}
