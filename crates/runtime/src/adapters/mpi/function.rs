//! The functions of MPI: their groups, regions and patterns of events, and the symbols under which
//! programs call them.
//!
//! The tables are generated from crates/runtime/src/adapters/mpi/functions.toml by the build
//! script. Invariant: an `ArgumentPlace` is the place of an argument of the function in C; Fortran
//! has the same arguments in the same places, followed by `ierror` and the lengths of strings.

use core::ffi::CStr;
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use kymo_substrate::bindings;

use super::symbols::Symbol;

/// The place of an argument.
pub(super) type ArgumentPlace = u8;
/// The place of an argument that the function does not have.
pub(super) const NONE: ArgumentPlace = u8::MAX;

/// A function of MPI.
#[derive(Debug)]
pub(crate) struct Function {
    pub(crate) name: &'static str,
    /// The function has events if all of these groups are enabled.
    pub(crate) groups: &'static [Group],
    pub(crate) region: u32,
    /// Counts have 64 bits.
    pub(crate) is_large: bool,
    /// The number of arguments in C.
    pub(crate) arguments: u8,
    pub(crate) pattern: Pattern,
}

/// A group of functions (`SCOREP_MPI_ENABLE_GROUPS`), and two groups of kinds of events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
#[allow(clippy::upper_case_acronyms, reason = "the names are those of Score-P")]
pub(crate) enum Group {
    CG,
    COLL,
    ENV,
    ERR,
    EXT,
    IO,
    MISC,
    P2P,
    PERF,
    RMA,
    SPAWN,
    TOPO,
    TYPE,
    XNONBLOCK,
    XREQTEST,
    /// On if any function that uses requests is.
    REQUEST,
}

/// A message to send.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Message {
    pub(super) count: ArgumentPlace,
    pub(super) datatype: ArgumentPlace,
    pub(super) peer: ArgumentPlace,
    pub(super) tag: ArgumentPlace,
    pub(super) comm: ArgumentPlace,
}

/// A collective operation.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Collective {
    pub(super) kind: u32,
    pub(super) bytes: Bytes,
    pub(super) send_buffer: ArgumentPlace,
    pub(super) send_count: ArgumentPlace,
    pub(super) send_type: ArgumentPlace,
    pub(super) receive_buffer: ArgumentPlace,
    pub(super) receive_count: ArgumentPlace,
    pub(super) receive_type: ArgumentPlace,
    pub(super) root: ArgumentPlace,
    pub(super) comm: ArgumentPlace,
}

/// The formula for the bytes of a collective operation (`[bytes.*]` of the table).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bytes {
    Barrier,
    Bcast,
    Gather,
    Gatherv,
    Scatter,
    Scatterv,
    Allgather,
    Allgatherv,
    Alltoall,
    Alltoallv,
    Alltoallw,
    Allreduce,
    Reduce,
    ReduceScatter,
    ReduceScatterBlock,
    Scan,
    Exscan,
}

/// An operation on a window. The bytes are the product of a count and the size of a type.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rma {
    pub(super) kind: RmaKind,
    pub(super) sent: (ArgumentPlace, ArgumentPlace),
    pub(super) received: (ArgumentPlace, ArgumentPlace),
    pub(super) target: ArgumentPlace,
    pub(super) win: ArgumentPlace,
    /// Present for an operation that is completed by a request.
    pub(super) request: ArgumentPlace,
    /// An operation that is complete at the origin is complete at the target.
    pub(super) is_combined: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RmaKind {
    Put,
    Get,
    Atomic(u32),
}

/// An operation on a file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Transfer {
    pub(super) file: ArgumentPlace,
    pub(super) offset: ArgumentPlace,
    pub(super) count: ArgumentPlace,
    pub(super) datatype: ArgumentPlace,
    pub(super) is_write: bool,
    pub(super) is_collective: bool,
    pub(super) issue: Issue,
}

/// How an operation on a file is completed.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Issue {
    Blocking { status: ArgumentPlace },
    NonBlocking { request: ArgumentPlace },
    Split,
}

/// The language binding of a symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Binding {
    C,
    /// `mpif.h` and `use mpi`.
    Fortran,
    /// `use mpi_f08`.
    F08,
    /// `use mpi_f08`, with descriptors for buffers.
    F08Descriptor,
}

/// A symbol under which programs call a function, with the library's function of that name.
#[derive(Debug)]
pub(crate) struct FunctionSymbol {
    pub(super) real: Symbol,
    function: u16,
    pub(super) binding: Binding,
}

impl FunctionSymbol {
    const fn new(symbol: &'static CStr, function: u16, binding: Binding) -> Self {
        Self { real: Symbol::new(symbol), function, binding }
    }

    pub(super) fn function(&self) -> &'static Function {
        &FUNCTIONS[usize::from(self.function)]
    }

    /// Returns the region of the function; 0 if it is not defined yet.
    pub(super) fn region(&self) -> &'static AtomicU32 {
        &REGIONS[usize::from(self.function)]
    }
}

include!(concat!(env!("OUT_DIR"), "/mpi_functions.rs"));
include!(concat!(env!("OUT_DIR"), "/mpi_slots.rs"));

/// The regions of the functions: 0 before their first use.
static REGIONS: [AtomicU32; FUNCTIONS.len()] = [const { AtomicU32::new(0) }; FUNCTIONS.len()];

/// Forgets the regions, in a measurement that has definitions of its own.
pub(super) fn forget_regions() {
    REGIONS.iter().for_each(|region| region.store(0, Relaxed));
}

/// Returns a symbol by its number.
#[inline(always)]
pub(super) fn slot(number: usize) -> &'static FunctionSymbol {
    &SLOTS[number]
}
