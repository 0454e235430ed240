//! Communication between the processes of the program: those of its world under MPI, else one, rank
//! 0 of 1.
//!
//! With one process a collective operation involves only the process itself: gather-like calls copy
//! if the buffers differ. Calls that name another process return an error, where Score-P would end
//! the program.

use core::ffi::{c_int, c_void};
use kymo_substrate::bindings::{
    SCOREP_IPC_BAND, SCOREP_IPC_BOR, SCOREP_IPC_CHAR, SCOREP_IPC_DOUBLE, SCOREP_IPC_INT, SCOREP_IPC_INT32_T,
    SCOREP_IPC_INT64_T, SCOREP_IPC_MAX, SCOREP_IPC_MIN, SCOREP_IPC_SUM, SCOREP_Ipc_Datatype as Datatype,
    SCOREP_Ipc_Operation as Operation,
};
use kymo_substrate::hosting::{Communication, element_size};

use crate::callbacks::Measured;
use crate::job::{DONE, FAILED, job};

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
        // SAFETY: neither buffer is null, so both have room for `count` elements; they may overlap.
        unsafe { core::ptr::copy(from.cast::<u8>(), to.cast::<u8>(), count * size) };
    }
    DONE
}

fn only(root: c_int) -> c_int {
    if root == 0 { DONE } else { FAILED }
}

/// Returns the number of processes, and the rank of this one.
fn size_and_rank() -> (c_int, c_int) {
    job().map_or((1, 0), |job| (job.processes(), job.rank()))
}

impl Communication for Measured {
    unsafe extern "C" fn size() -> c_int {
        size_and_rank().0
    }

    unsafe extern "C" fn rank() -> c_int {
        size_and_rank().1
    }

    /// Fails without other processes, as none could receive.
    unsafe extern "C" fn send(from: *const c_void, count: c_int, datatype: Datatype, to: c_int) -> c_int {
        let job = job().zip(element_size(datatype));
        // SAFETY: the buffer has `count` elements.
        job.map_or(FAILED, |(job, size)| unsafe { job.send(from, count, size, to) })
    }

    /// Fails without other processes, as none could send.
    unsafe extern "C" fn recv(to: *mut c_void, count: c_int, datatype: Datatype, from: c_int) -> c_int {
        let job = job().zip(element_size(datatype));
        // SAFETY: the buffer has room for `count` elements.
        job.map_or(FAILED, |(job, size)| unsafe { job.receive(to, count, size, from) })
    }

    unsafe extern "C" fn barrier() -> c_int {
        job().map_or(DONE, |job| job.barrier())
    }

    unsafe extern "C" fn bcast(buffer: *mut c_void, count: c_int, datatype: Datatype, root: c_int) -> c_int {
        match (job(), element_size(datatype)) {
            (None, _) => only(root),
            // SAFETY: the buffer has room for `count` elements, and has them on the root.
            (Some(job), Some(size)) => unsafe { job.broadcast(buffer, count, size, root) },
            _ => FAILED,
        }
    }

    unsafe extern "C" fn gather(
        from: *const c_void,
        to: *mut c_void,
        count: c_int,
        datatype: Datatype,
        root: c_int,
    ) -> c_int {
        match (job(), element_size(datatype)) {
            // SAFETY: `from` has `count` elements, and `to` on the root room for those of all.
            (None, _) => only(root) | unsafe { hand_over(from, to, count, datatype) },
            // SAFETY: as above.
            (Some(job), Some(size)) => unsafe { job.gather(from, to, count, size, root) },
            _ => FAILED,
        }
    }

    unsafe extern "C" fn scatter(
        from: *const c_void,
        to: *mut c_void,
        count: c_int,
        datatype: Datatype,
        root: c_int,
    ) -> c_int {
        match (job(), element_size(datatype)) {
            // SAFETY: `to` has room for `count` elements, and `from` on the root has those for all.
            (None, _) => only(root) | unsafe { hand_over(from, to, count, datatype) },
            // SAFETY: as above.
            (Some(job), Some(size)) => unsafe { job.scatter(from, to, count, size, root) },
            _ => FAILED,
        }
    }

    unsafe extern "C" fn gatherv(
        from: *const c_void,
        count: c_int,
        to: *mut c_void,
        counts: *const c_int,
        datatype: Datatype,
        root: c_int,
    ) -> c_int {
        match (job(), element_size(datatype)) {
            // SAFETY: `from` has `count` elements; on the root, `counts` has a number for each
            // process, and `to` room for as many elements.
            (None, _) => only(root) | unsafe { hand_over(from, to, count, datatype) },
            // SAFETY: as above.
            (Some(job), Some(size)) => unsafe { job.gather_parts(from, count, to, counts, size, root) },
            _ => FAILED,
        }
    }

    unsafe extern "C" fn scatterv(
        from: *const c_void,
        counts: *const c_int,
        to: *mut c_void,
        count: c_int,
        datatype: Datatype,
        root: c_int,
    ) -> c_int {
        match (job(), element_size(datatype)) {
            // SAFETY: `to` has room for `count` elements; on the root, `counts` has a number for
            // each process, and `from` as many elements.
            (None, _) => only(root) | unsafe { hand_over(from, to, count, datatype) },
            // SAFETY: as above.
            (Some(job), Some(size)) => unsafe { job.scatter_parts(from, counts, to, count, size, root) },
            _ => FAILED,
        }
    }

    unsafe extern "C" fn allgather(
        from: *const c_void,
        to: *mut c_void,
        count: c_int,
        datatype: Datatype,
    ) -> c_int {
        match (job(), element_size(datatype)) {
            // SAFETY: `from` has `count` elements, and `to` room for those of all.
            (None, _) => unsafe { hand_over(from, to, count, datatype) },
            // SAFETY: as above.
            (Some(job), Some(size)) => unsafe { job.all_gather(from, to, count, size) },
            _ => FAILED,
        }
    }

    unsafe extern "C" fn reduce(
        from: *const c_void,
        to: *mut c_void,
        count: c_int,
        datatype: Datatype,
        operation: Operation,
        root: c_int,
    ) -> c_int {
        let Some(job) = job() else {
            // SAFETY: `from` has `count` elements, and `to` room for them.
            return only(root) | unsafe { hand_over(from, to, count, datatype) };
        };
        let is_root = job.rank() == root;
        let room = if is_root { job.processes() } else { 0 };
        let Some(mut all) = room_for(count, datatype, room) else { return FAILED };
        // SAFETY: `from` has `count` elements, and `all` on the root room for those of all.
        let done = unsafe { Self::gather(from, all.as_mut_ptr().cast(), count, datatype, root) };
        if done == DONE && is_root {
            // SAFETY: `to` on the root has room for `count` elements.
            return unsafe { combine(&all, to, count, datatype, operation) };
        }
        done
    }

    unsafe extern "C" fn allreduce(
        from: *const c_void,
        to: *mut c_void,
        count: c_int,
        datatype: Datatype,
        operation: Operation,
    ) -> c_int {
        let Some(job) = job() else {
            // SAFETY: `from` has `count` elements, and `to` room for them.
            return unsafe { hand_over(from, to, count, datatype) };
        };
        let Some(mut all) = room_for(count, datatype, job.processes()) else { return FAILED };
        // SAFETY: `from` has `count` elements, and `all` room for those of all.
        let done = unsafe { Self::allgather(from, all.as_mut_ptr().cast(), count, datatype) };
        // SAFETY: `to` has room for `count` elements.
        if done == DONE { unsafe { combine(&all, to, count, datatype, operation) } } else { done }
    }
}

/// Allocates room for the elements of this many processes.
fn room_for(count: c_int, datatype: Datatype, processes: c_int) -> Option<Vec<u8>> {
    let bytes = element_size(datatype)?.checked_mul(usize::try_from(count).ok()?)?;
    let bytes = bytes.checked_mul(usize::try_from(processes).ok()?)?;
    let mut room = Vec::new();
    room.try_reserve_exact(bytes).ok()?;
    room.resize(bytes, 0);
    Some(room)
}

/// Combines the elements of all processes into `to`.
///
/// # Safety
///
/// `to` must have room for `count` elements.
unsafe fn combine(
    all: &[u8],
    to: *mut c_void,
    count: c_int,
    datatype: Datatype,
    operation: Operation,
) -> c_int {
    let (Some(size), Ok(count)) = (element_size(datatype), usize::try_from(count)) else { return FAILED };
    for place in 0..count {
        let values = all.chunks_exact(size).skip(place).step_by(count);
        let Some(value) = fold(values, datatype, operation) else { return FAILED };
        // SAFETY: `to` has room for `count` elements, and `value` for one.
        unsafe { core::ptr::copy_nonoverlapping(value.as_ptr(), to.cast::<u8>().add(place * size), size) };
    }
    DONE
}

/// Combines values of a type; returns their combination, padded with zeros.
fn fold<'a>(
    mut values: impl Iterator<Item = &'a [u8]>,
    datatype: Datatype,
    operation: Operation,
) -> Option<[u8; 8]> {
    let padded = |value: &[u8]| {
        let mut bytes = [0; 8];
        bytes[..value.len()].copy_from_slice(value);
        bytes
    };
    if datatype == SCOREP_IPC_DOUBLE {
        let mut values = values.map(|value| f64::from_ne_bytes(padded(value)));
        let first = values.next()?;
        let combined = match operation {
            SCOREP_IPC_MIN => values.fold(first, f64::min),
            SCOREP_IPC_MAX => values.fold(first, f64::max),
            SCOREP_IPC_SUM => values.fold(first, |sum, value| sum + value),
            _ => return None,
        };
        return Some(combined.to_ne_bytes());
    }
    let is_signed =
        matches!(datatype, SCOREP_IPC_CHAR | SCOREP_IPC_INT | SCOREP_IPC_INT32_T | SCOREP_IPC_INT64_T);
    let number = |value: &[u8]| {
        let bits = u64::from_ne_bytes(padded(value));
        let unused = 64 - 8 * value.len();
        if is_signed { i128::from((bits << unused).cast_signed() >> unused) } else { i128::from(bits) }
    };
    let first = number(values.next()?);
    let values = values.map(number);
    let combined = match operation {
        SCOREP_IPC_BAND => values.fold(first, |all, value| all & value),
        SCOREP_IPC_BOR => values.fold(first, |all, value| all | value),
        SCOREP_IPC_MIN => values.fold(first, i128::min),
        SCOREP_IPC_MAX => values.fold(first, i128::max),
        SCOREP_IPC_SUM => values.fold(first, i128::wrapping_add),
        _ => return None,
    };
    Some((combined as u64).to_ne_bytes())
}

#[cfg(test)]
mod tests {
    use super::{Communication, Measured, hand_over};
    use core::ptr;
    use kymo_substrate::bindings::*;

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

    /// Values of two processes, combined element by element.
    #[test]
    fn values_are_combined_by_type_and_operation() {
        fn both<T: Copy + Default, const N: usize>(all: [T; N], datatype: u32, operation: u32) -> [T; 2] {
            let (mut to, count) = ([T::default(); 2], 2);
            // SAFETY: plain numbers, and room for two elements.
            let result = unsafe {
                let all = core::slice::from_raw_parts(all.as_ptr().cast(), size_of_val(&all));
                super::combine(all, to.as_mut_ptr().cast(), count, datatype, operation)
            };
            assert_eq!(result, 0);
            to
        }
        assert_eq!(both([-1_i32, 7, 5, -9], SCOREP_IPC_INT, SCOREP_IPC_MIN), [-1, -9]);
        assert_eq!(both([1_u32 << 31, 7, 5, 8], SCOREP_IPC_UNSIGNED, SCOREP_IPC_MAX), [1 << 31, 8]);
        assert_eq!(both([-1_i8, 1, -1, 1], SCOREP_IPC_CHAR, SCOREP_IPC_SUM), [-2, 2]);
        assert_eq!(both([1.5, 2.0, 0.25, 4.0], SCOREP_IPC_DOUBLE, SCOREP_IPC_SUM), [1.75, 6.0]);
        assert_eq!(both([5_u64, 6, 3, 9], SCOREP_IPC_UINT64_T, SCOREP_IPC_BAND), [1, 0]);
        assert_eq!(both([5_i64, 6, 3, 9], SCOREP_IPC_INT64_T, SCOREP_IPC_BOR), [7, 15]);
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
