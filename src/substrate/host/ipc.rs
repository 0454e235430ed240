//! Communication between the processes of the program.
//!
//! For use in `init_mpp`, `pre_unify`, `write_data` and `finalize`, on one thread, by all ranks in the same order; the
//! host and other plugins use the same channel. A program of one process has rank 0 of 1, and everything works there
//! too, except that a host ends the program if another rank than 0 is named; such a rank is refused here.

use core::ffi::{c_int, c_void};
use core::fmt;
use core::ptr;

use super::{Host, entry};
use crate::bindings::{self, SCOREP_Ipc_Datatype};
use crate::kinds::IpcOperation;

/// Why processes could not communicate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum IpcError {
    /// The host has no such function, or it is before `init_mpp` or after `finalize`.
    Unavailable,
    /// There is no such rank.
    Rank(i32),
    /// A buffer has not the length that the operation needs.
    Length {
        /// Elements needed.
        needed: usize,
        /// Elements given.
        given: usize,
    },
    /// More elements than the interface can count, or a negative count.
    Count,
    /// The host's function failed with this value.
    Failed(i32),
}

impl fmt::Display for IpcError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unavailable => write!(formatter, "the host has no communication between processes now"),
            Self::Rank(rank) => write!(formatter, "there is no rank {rank}"),
            Self::Length { needed, given } => {
                write!(formatter, "buffer of {given} elements where {needed} are needed")
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

/// Types of which slices can be sent.
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
    /// Number of processes.
    pub fn ipc_size(&self) -> Result<i32> {
        let get = self.ipc(entry!(self, SCOREP_Ipc_GetSize))?;
        // SAFETY: the processes know each other.
        Ok(unsafe { get() })
    }

    /// Number of this process: its rank in `MPI_COMM_WORLD`.
    pub fn ipc_rank(&self) -> Result<i32> {
        let get = self.ipc(entry!(self, SCOREP_Ipc_GetRank))?;
        // SAFETY: the processes know each other.
        Ok(unsafe { get() })
    }

    /// Sends a message.
    pub fn ipc_send<T: IpcType>(&self, message: &[T], destination: i32) -> Result {
        let call = self.ipc(entry!(self, SCOREP_Ipc_Send))?;
        self.check_rank(destination)?;
        let count = count(message)?;
        // SAFETY: the buffer holds `count` elements of this type, and the rank exists.
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

    /// Waits until every process is here.
    pub fn ipc_barrier(&self) -> Result {
        let call = self.ipc(entry!(self, SCOREP_Ipc_Barrier))?;
        // SAFETY: the processes know each other.
        done(unsafe { call() })
    }

    /// Gives everybody the buffer of the root.
    pub fn ipc_bcast<T: IpcType>(&self, buffer: &mut [T], root: i32) -> Result {
        let call = self.ipc(entry!(self, SCOREP_Ipc_Bcast))?;
        self.check_rank(root)?;
        let count = count(buffer)?;
        // SAFETY: as in `ipc_recv`.
        done(unsafe { call(start_mut(buffer), count, T::DATATYPE, root) })
    }

    /// Gathers equal parts at the root, in the order of ranks. `all` matters on the root only, where it holds
    /// `part.len()` elements per process.
    pub fn ipc_gather<T: IpcType>(&self, part: &[T], all: &mut [T], root: i32) -> Result {
        let call = self.ipc(entry!(self, SCOREP_Ipc_Gather))?;
        if self.is_root(root)? {
            exactly(self.times_size(part.len())?, all.len())?;
        }
        let count = count(part)?;
        // SAFETY: `part` holds `count` elements, `all` that many per process on the root; others do not write to it.
        done(unsafe { call(start(part), start_mut(all), count, T::DATATYPE, root) })
    }

    /// Gathers parts of different lengths at the root. `all` and `counts` (the length of each rank's part) matter on the
    /// root only.
    pub fn ipc_gatherv<T: IpcType>(&self, part: &[T], all: &mut [T], counts: &[i32], root: i32) -> Result {
        let call = self.ipc(entry!(self, SCOREP_Ipc_Gatherv))?;
        if self.is_root(root)? {
            self.check_parts(counts, all.len(), part.len())?;
        }
        let count = count(part)?;
        // SAFETY: on the root there is one count per process and room for their sum.
        done(unsafe { call(start(part), count, start_mut(all), start(counts).cast(), T::DATATYPE, root) })
    }

    /// Gathers equal parts everywhere. `all` holds `part.len()` elements per process.
    pub fn ipc_allgather<T: IpcType>(&self, part: &[T], all: &mut [T]) -> Result {
        let call = self.ipc(entry!(self, SCOREP_Ipc_Allgather))?;
        exactly(self.times_size(part.len())?, all.len())?;
        let count = count(part)?;
        // SAFETY: `part` holds `count` elements, `all` that many per process.
        done(unsafe { call(start(part), start_mut(all), count, T::DATATYPE) })
    }

    /// Combines the parts of all processes, element by element, at the root. `result` matters on the root only.
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
        // SAFETY: `part` holds `count` elements, and on the root `result` does.
        done(unsafe { call(start(part), start_mut(result), count, T::DATATYPE, operation.0, root) })
    }

    /// Combines the parts of all processes, element by element, everywhere.
    pub fn ipc_allreduce<T: IpcType>(&self, part: &[T], result: &mut [T], operation: IpcOperation) -> Result {
        let call = self.ipc(entry!(self, SCOREP_Ipc_Allreduce))?;
        exactly(part.len(), result.len())?;
        let count = count(part)?;
        // SAFETY: both hold `count` elements.
        done(unsafe { call(start(part), start_mut(result), count, T::DATATYPE, operation.0) })
    }

    /// Distributes equal parts from the root, in the order of ranks. `all` matters on the root only, where it holds
    /// `part.len()` elements per process.
    pub fn ipc_scatter<T: IpcType>(&self, all: &[T], part: &mut [T], root: i32) -> Result {
        let call = self.ipc(entry!(self, SCOREP_Ipc_Scatter))?;
        if self.is_root(root)? {
            exactly(self.times_size(part.len())?, all.len())?;
        }
        let count = count(part)?;
        // SAFETY: `part` holds `count` elements, `all` that many per process on the root.
        done(unsafe { call(start(all), start_mut(part), count, T::DATATYPE, root) })
    }

    /// Distributes parts of different lengths from the root. `all` and `counts` (the length of each rank's part) matter
    /// on the root only.
    pub fn ipc_scatterv<T: IpcType>(&self, all: &[T], counts: &[i32], part: &mut [T], root: i32) -> Result {
        let call = self.ipc(entry!(self, SCOREP_Ipc_Scatterv))?;
        if self.is_root(root)? {
            self.check_parts(counts, all.len(), part.len())?;
        }
        let count = count(part)?;
        // SAFETY: on the root there is one count per process and their sum of elements.
        done(unsafe { call(start(all), start(counts).cast(), start_mut(part), count, T::DATATYPE, root) })
    }

    /// The function, if it can be called now.
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

    /// Elements of all processes if each has `len`.
    fn times_size(&self, len: usize) -> Result<usize> {
        let size = usize::try_from(self.ipc_size()?).map_err(|_| IpcError::Count)?;
        len.checked_mul(size).ok_or(IpcError::Count)
    }

    /// On the root: one count per process, a total that fits `all`, and the own part of the length it says.
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

/// Start of a buffer; null for an empty one, as C callers pass it.
fn start<T>(buffer: &[T]) -> *const c_void {
    if buffer.is_empty() { ptr::null() } else { buffer.as_ptr().cast() }
}

fn start_mut<T>(buffer: &mut [T]) -> *mut c_void {
    if buffer.is_empty() { ptr::null_mut() } else { buffer.as_mut_ptr().cast() }
}

fn done(value: c_int) -> Result {
    if value == 0 { Ok(()) } else { Err(IpcError::Failed(value)) }
}
