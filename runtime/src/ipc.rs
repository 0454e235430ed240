//! Communication between the processes of the program. The program has one process, rank 0 of 1.
//!
//! A collective operation involves only the process itself: gather-like calls copy if the buffers
//! differ. Calls that name another process return an error, where Score-P would end the program.

use core::ffi::{c_int, c_void};
use kymo_substrate::bindings::{SCOREP_Ipc_Datatype as Datatype, SCOREP_Ipc_Operation as Operation};
use kymo_substrate::hosting::{Communication, element_size};

use crate::callbacks::Measured;

const DONE: c_int = 0;
const FAILED: c_int = 1;

/// Copies elements from one buffer to the other.
///
/// # Safety
///
/// Both buffers have room for `count` elements.
unsafe fn hand_over(from: *const c_void, to: *mut c_void, count: c_int, datatype: Datatype) -> c_int {
    let (Some(size), Ok(count)) = (element_size(datatype), usize::try_from(count)) else {
        return FAILED;
    };
    if count > 0 && !from.is_null() && !to.is_null() && from != to.cast_const() {
        // SAFETY: guaranteed by the caller; the buffers may overlap.
        unsafe { core::ptr::copy(from.cast::<u8>(), to.cast::<u8>(), count * size) };
    }
    DONE
}

fn only(root: c_int) -> c_int {
    if root == 0 { DONE } else { FAILED }
}

impl Communication for Measured {
    unsafe extern "C" fn size() -> c_int {
        1
    }

    unsafe extern "C" fn rank() -> c_int {
        0
    }

    /// Fails, as no other process could receive.
    unsafe extern "C" fn send(_: *const c_void, _: c_int, _: Datatype, _: c_int) -> c_int {
        FAILED
    }

    /// Fails, as no other process could send.
    unsafe extern "C" fn recv(_: *mut c_void, _: c_int, _: Datatype, _: c_int) -> c_int {
        FAILED
    }

    unsafe extern "C" fn barrier() -> c_int {
        DONE
    }

    unsafe extern "C" fn bcast(_: *mut c_void, _: c_int, _: Datatype, root: c_int) -> c_int {
        only(root)
    }

    unsafe extern "C" fn gather(
        from: *const c_void,
        to: *mut c_void,
        count: c_int,
        datatype: Datatype,
        root: c_int,
    ) -> c_int {
        // SAFETY: as the interface requires.
        only(root) | unsafe { hand_over(from, to, count, datatype) }
    }

    unsafe extern "C" fn scatter(
        from: *const c_void,
        to: *mut c_void,
        count: c_int,
        datatype: Datatype,
        root: c_int,
    ) -> c_int {
        // SAFETY: the same requirements; with one process both copy to itself.
        unsafe { Self::gather(from, to, count, datatype, root) }
    }

    unsafe extern "C" fn gatherv(
        from: *const c_void,
        count: c_int,
        to: *mut c_void,
        _: *const c_int,
        datatype: Datatype,
        root: c_int,
    ) -> c_int {
        // SAFETY: as the interface requires.
        only(root) | unsafe { hand_over(from, to, count, datatype) }
    }

    unsafe extern "C" fn scatterv(
        from: *const c_void,
        _: *const c_int,
        to: *mut c_void,
        count: c_int,
        datatype: Datatype,
        root: c_int,
    ) -> c_int {
        // SAFETY: as the interface requires.
        only(root) | unsafe { hand_over(from, to, count, datatype) }
    }

    unsafe extern "C" fn allgather(
        from: *const c_void,
        to: *mut c_void,
        count: c_int,
        datatype: Datatype,
    ) -> c_int {
        // SAFETY: as the interface requires.
        unsafe { hand_over(from, to, count, datatype) }
    }

    unsafe extern "C" fn reduce(
        from: *const c_void,
        to: *mut c_void,
        count: c_int,
        datatype: Datatype,
        _: Operation,
        root: c_int,
    ) -> c_int {
        // SAFETY: as the interface requires.
        only(root) | unsafe { hand_over(from, to, count, datatype) }
    }

    unsafe extern "C" fn allreduce(
        from: *const c_void,
        to: *mut c_void,
        count: c_int,
        datatype: Datatype,
        _: Operation,
    ) -> c_int {
        // SAFETY: as the interface requires.
        unsafe { hand_over(from, to, count, datatype) }
    }
}

#[cfg(test)]
mod tests {
    use super::{Communication, Measured, hand_over};
    use core::ptr;
    use kymo_substrate::bindings::{SCOREP_IPC_SUM, SCOREP_IPC_UINT32_T};

    #[test]
    fn data_sent_to_all_is_received_by_the_sender() {
        let (from, mut to) = ([1_u32, 2, 3], [0_u32; 3]);
        let count: [core::ffi::c_int; 1] = [3];
        let (read, write) = (from.as_ptr().cast(), to.as_mut_ptr().cast());
        // SAFETY: buffers of three elements.
        unsafe {
            assert_eq!(Measured::gather(read, write, 1, SCOREP_IPC_UINT32_T, 0), 0);
            assert_eq!(to, [1, 0, 0]);
            assert_eq!(Measured::gatherv(read, 2, write, count.as_ptr(), SCOREP_IPC_UINT32_T, 0), 0);
            assert_eq!(to, [1, 2, 0]);
            assert_eq!(Measured::reduce(read, write, 3, SCOREP_IPC_UINT32_T, SCOREP_IPC_SUM, 0), 0);
            assert_eq!(to, [1, 2, 3]);
            assert_eq!(Measured::allgather(write.cast_const(), write, 3, SCOREP_IPC_UINT32_T), 0);
        }
        assert_eq!(to, [1, 2, 3]);
    }

    #[test]
    fn other_processes_and_types_are_errors() {
        let mut word = 7_u32;
        let place = (&raw mut word).cast();
        // SAFETY: nothing is touched.
        unsafe {
            assert_ne!(Measured::send(place, 1, SCOREP_IPC_UINT32_T, 1), 0);
            assert_ne!(Measured::bcast(place, 1, SCOREP_IPC_UINT32_T, 1), 0);
            assert_ne!(hand_over(place, ptr::null_mut(), 1, 10), 0);
            assert_ne!(hand_over(place, ptr::null_mut(), -1, SCOREP_IPC_UINT32_T), 0);
            assert_eq!(hand_over(place, ptr::null_mut(), 1, SCOREP_IPC_UINT32_T), 0);
        }
        assert_eq!(word, 7);
    }
}
