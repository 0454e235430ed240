//! Communication between the processes of the program.
//!
//! For use in `init_mpp`, `pre_unify`, `write_data` and `finalize`, on one thread, by all ranks in
//! the same order; the host and other plugins use the same channel. A program of one process has
//! rank 0 of 1, and everything works there as well. A host would end such a program if any other
//! rank is passed; the functions here return an error instead.

use core::ffi::{c_int, c_void};
use core::fmt;
use core::ptr;

use super::{Host, entry};
use crate::bindings::{self, SCOREP_Ipc_Datatype};
use crate::kinds::IpcOperation;

/// The error of a communication between processes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum IpcError {
    /// The host has no such function, or the call was made before `init_mpp` or after `finalize`.
    Unavailable,
    /// The rank does not exist.
    Rank(i32),
    /// A buffer does not have the length that the operation requires.
    Length {
        /// The number of elements required.
        needed: usize,
        /// The number of elements passed.
        given: usize,
    },
    /// There are more elements than the interface can count, or a count is negative.
    Count,
    /// The host's function failed with this value.
    Failed(i32),
}

impl fmt::Display for IpcError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unavailable => {
                write!(formatter, "the host provides no communication between processes at this point")
            }
            Self::Rank(rank) => write!(formatter, "there is no rank {rank}"),
            Self::Length { needed, given } => {
                write!(formatter, "the buffer has {given} elements, but {needed} are required")
            }
            Self::Count => write!(formatter, "element count out of range"),
            Self::Failed(value) => write!(formatter, "communication failed in the host with {value}"),
        }
    }
}

impl std::error::Error for IpcError {}

mod sealed {
    pub trait Sealed {}
}

/// A type whose slices can be sent.
pub trait IpcType: Copy + sealed::Sealed {
    #[doc(hidden)]
    const DATATYPE: SCOREP_Ipc_Datatype;
}

macro_rules! ipc_types {
    ($($type:ty = $datatype:ident;)*) => {$(
        impl sealed::Sealed for $type {}
        impl IpcType for $type {
            const DATATYPE: SCOREP_Ipc_Datatype = bindings::$datatype;
        }
    )*};
}

ipc_types! {
    u8 = SCOREP_IPC_BYTE;
    i32 = SCOREP_IPC_INT32_T;
    u32 = SCOREP_IPC_UINT32_T;
    i64 = SCOREP_IPC_INT64_T;
    u64 = SCOREP_IPC_UINT64_T;
    f64 = SCOREP_IPC_DOUBLE;
}

type Result<T = ()> = core::result::Result<T, IpcError>;

impl Host {
    /// The number of processes.
    pub fn ipc_size(&self) -> Result<i32> {
        let get = self.ipc(entry!(self, SCOREP_Ipc_GetSize))?;
        // SAFETY: the processes are initialised.
        Ok(unsafe { get() })
    }

    /// The number of this process: its rank in `MPI_COMM_WORLD`.
    pub fn ipc_rank(&self) -> Result<i32> {
        let get = self.ipc(entry!(self, SCOREP_Ipc_GetRank))?;
        // SAFETY: the processes are initialised.
        Ok(unsafe { get() })
    }

    /// Sends a message.
    pub fn ipc_send<T: IpcType>(&self, message: &[T], destination: i32) -> Result {
        let call = self.ipc(entry!(self, SCOREP_Ipc_Send))?;
        self.check_rank(destination)?;
        let count = count(message)?;
        // SAFETY: the buffer contains `count` elements of this type, and the rank exists.
        done(unsafe { call(start(message), count, T::DATATYPE, destination) })
    }

    /// Receives a message of exactly this length.
    pub fn ipc_recv<T: IpcType>(&self, message: &mut [T], source: i32) -> Result {
        let call = self.ipc(entry!(self, SCOREP_Ipc_Recv))?;
        self.check_rank(source)?;
        let count = count(message)?;
        // SAFETY: as in `ipc_send`; every bit pattern is a value of the type.
        done(unsafe { call(start_mut(message), count, T::DATATYPE, source) })
    }

    /// Waits until every process has called this function.
    pub fn ipc_barrier(&self) -> Result {
        let call = self.ipc(entry!(self, SCOREP_Ipc_Barrier))?;
        // SAFETY: the processes are initialised.
        done(unsafe { call() })
    }

    /// Copies the root's buffer to every process.
    pub fn ipc_bcast<T: IpcType>(&self, buffer: &mut [T], root: i32) -> Result {
        let call = self.ipc(entry!(self, SCOREP_Ipc_Bcast))?;
        self.check_rank(root)?;
        let count = count(buffer)?;
        // SAFETY: as in `ipc_recv`.
        done(unsafe { call(start_mut(buffer), count, T::DATATYPE, root) })
    }

    /// Gathers equal parts at the root, in the order of ranks. `all` is used only on the root,
    /// where it has `part.len()` elements per process.
    pub fn ipc_gather<T: IpcType>(&self, part: &[T], all: &mut [T], root: i32) -> Result {
        let call = self.ipc(entry!(self, SCOREP_Ipc_Gather))?;
        if self.is_root(root)? {
            exactly(self.times_size(part.len())?, all.len())?;
        }
        let count = count(part)?;
        // SAFETY: `part` contains `count` elements, and on the root `all` that many per process.
        // Other ranks do not write to `all`.
        done(unsafe { call(start(part), start_mut(all), count, T::DATATYPE, root) })
    }

    /// Gathers parts of different lengths at the root. `all` and `counts` (the length of each
    /// rank's part) are used only on the root.
    pub fn ipc_gatherv<T: IpcType>(&self, part: &[T], all: &mut [T], counts: &[i32], root: i32) -> Result {
        let call = self.ipc(entry!(self, SCOREP_Ipc_Gatherv))?;
        if self.is_root(root)? {
            self.check_parts(counts, all.len(), part.len())?;
        }
        let count = count(part)?;
        // SAFETY: on the root there is one count per process and room for their sum.
        done(unsafe { call(start(part), count, start_mut(all), start(counts).cast(), T::DATATYPE, root) })
    }

    /// Gathers equal parts at every process. `all` has `part.len()` elements per process.
    pub fn ipc_allgather<T: IpcType>(&self, part: &[T], all: &mut [T]) -> Result {
        let call = self.ipc(entry!(self, SCOREP_Ipc_Allgather))?;
        exactly(self.times_size(part.len())?, all.len())?;
        let count = count(part)?;
        // SAFETY: `part` contains `count` elements, and `all` that many per process.
        done(unsafe { call(start(part), start_mut(all), count, T::DATATYPE) })
    }

    /// Combines the parts of all processes, element by element, at the root. `result` is used only
    /// on the root.
    pub fn ipc_reduce<T: IpcType>(
        &self,
        part: &[T],
        result: &mut [T],
        operation: IpcOperation,
        root: i32,
    ) -> Result {
        let call = self.ipc(entry!(self, SCOREP_Ipc_Reduce))?;
        if self.is_root(root)? {
            exactly(part.len(), result.len())?;
        }
        let count = count(part)?;
        // SAFETY: `part` contains `count` elements, and so does `result` on the root.
        done(unsafe { call(start(part), start_mut(result), count, T::DATATYPE, operation.0, root) })
    }

    /// Combines the parts of all processes, element by element, at every process.
    pub fn ipc_allreduce<T: IpcType>(&self, part: &[T], result: &mut [T], operation: IpcOperation) -> Result {
        let call = self.ipc(entry!(self, SCOREP_Ipc_Allreduce))?;
        exactly(part.len(), result.len())?;
        let count = count(part)?;
        // SAFETY: both contain `count` elements.
        done(unsafe { call(start(part), start_mut(result), count, T::DATATYPE, operation.0) })
    }

    /// Distributes equal parts from the root, in the order of ranks. `all` is used only on the
    /// root, where it has `part.len()` elements per process.
    pub fn ipc_scatter<T: IpcType>(&self, all: &[T], part: &mut [T], root: i32) -> Result {
        let call = self.ipc(entry!(self, SCOREP_Ipc_Scatter))?;
        if self.is_root(root)? {
            exactly(self.times_size(part.len())?, all.len())?;
        }
        let count = count(part)?;
        // SAFETY: `part` contains `count` elements, and on the root `all` that many per process.
        done(unsafe { call(start(all), start_mut(part), count, T::DATATYPE, root) })
    }

    /// Distributes parts of different lengths from the root. `all` and `counts` (the length of each
    /// rank's part) are used only on the root.
    pub fn ipc_scatterv<T: IpcType>(&self, all: &[T], counts: &[i32], part: &mut [T], root: i32) -> Result {
        let call = self.ipc(entry!(self, SCOREP_Ipc_Scatterv))?;
        if self.is_root(root)? {
            self.check_parts(counts, all.len(), part.len())?;
        }
        let count = count(part)?;
        // SAFETY: on the root there is one count per process, and as many elements as their sum.
        done(unsafe { call(start(all), start(counts).cast(), start_mut(part), count, T::DATATYPE, root) })
    }

    /// The function, if it can be called at this point.
    fn ipc<F>(&self, function: Option<F>) -> Result<F> {
        function.filter(|_| self.has_processes()).ok_or(IpcError::Unavailable)
    }

    fn check_rank(&self, rank: i32) -> Result {
        if (0..self.ipc_size()?).contains(&rank) { Ok(()) } else { Err(IpcError::Rank(rank)) }
    }

    fn is_root(&self, root: i32) -> Result<bool> {
        self.check_rank(root)?;
        Ok(self.ipc_rank()? == root)
    }

    /// The number of elements of all processes if each has `len`.
    fn times_size(&self, len: usize) -> Result<usize> {
        let size = usize::try_from(self.ipc_size()?).map_err(|_| IpcError::Count)?;
        len.checked_mul(size).ok_or(IpcError::Count)
    }

    /// Checks, on the root, that there is one count per process, that their sum fits `all`, and
    /// that this process's part has the stated length.
    fn check_parts(&self, counts: &[i32], all: usize, own: usize) -> Result {
        exactly(self.times_size(1)?, counts.len())?;
        let mut total = 0_usize;
        for &count in counts {
            let count = usize::try_from(count).map_err(|_| IpcError::Count)?;
            total = total.checked_add(count).ok_or(IpcError::Count)?;
        }
        exactly(total, all)?;
        let rank = usize::try_from(self.ipc_rank()?).map_err(|_| IpcError::Count)?;
        let needed = counts.get(rank).map_or(0, |&count| count as usize);
        exactly(needed, own)
    }
}

fn exactly(needed: usize, given: usize) -> Result {
    if needed == given { Ok(()) } else { Err(IpcError::Length { needed, given }) }
}

fn count<T>(buffer: &[T]) -> Result<c_int> {
    c_int::try_from(buffer.len()).map_err(|_| IpcError::Count)
}

/// The start of a buffer, or null for an empty one, as C callers pass it.
fn start<T>(buffer: &[T]) -> *const c_void {
    if buffer.is_empty() { ptr::null() } else { buffer.as_ptr().cast() }
}

fn start_mut<T>(buffer: &mut [T]) -> *mut c_void {
    if buffer.is_empty() { ptr::null_mut() } else { buffer.as_mut_ptr().cast() }
}

fn done(value: c_int) -> Result {
    if value == 0 { Ok(()) } else { Err(IpcError::Failed(value)) }
}
