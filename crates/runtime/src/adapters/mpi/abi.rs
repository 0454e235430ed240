//! The binary interfaces of MPI libraries: the width of handles, the layout of statuses, and
//! constants. One is chosen when a process first calls MPI.
//!
//! Invariant: values are those of crates/runtime/src/adapters/mpi/functions.toml, `[abi.*]`; a
//! library that answers otherwise is not measured.

use core::ffi::{CStr, c_int, c_void};
use core::ptr;
use core::sync::atomic::{AtomicPtr, Ordering::Relaxed};

use once_cell::race::OnceBox;

use super::symbols::{Symbol, data, pmpi};
use crate::linker;

/// A family of libraries with the same binary interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Family {
    OpenMpi,
    Mpich,
    Standard,
}

/// A binary interface. Handles are words.
#[derive(Debug, Clone)]
pub(crate) struct Abi {
    pub(crate) family: Family,
    /// The size of a handle in memory, except of `MPI_File`, which has 8 bytes everywhere.
    pub(crate) handle_bytes: usize,
    pub(crate) status_bytes: usize,
    /// The offset of the source in a status; the tag and the error follow.
    pub(crate) source: usize,
    pub(crate) world: usize,
    pub(crate) itself: usize,
    pub(crate) comm_null: usize,
    pub(crate) group_null: usize,
    pub(crate) win_null: usize,
    pub(crate) request_null: usize,
    pub(crate) message_no_proc: usize,
    pub(crate) datatype_null: usize,
    pub(crate) byte: usize,
    pub(crate) proc_null: c_int,
    pub(crate) root: c_int,
    pub(crate) undefined: c_int,
    pub(crate) error_pending: c_int,
    pub(crate) error_in_status: c_int,
    pub(crate) error_other: c_int,
    pub(crate) errors_return: usize,
    pub(crate) in_place: usize,
    pub(crate) status_ignore: usize,
    pub(crate) lock_exclusive: c_int,
    pub(crate) flavor_key: c_int,
    /// The flavours of windows whose memory MPI allocated.
    pub(crate) allocated: [c_int; 2],
    pub(crate) modes: Modes,
    /// The values for a seek from the start, the position and the end.
    pub(crate) seeks: [c_int; 3],
    /// The number of integers of a status in Fortran.
    pub(crate) fortran_status: usize,
}

/// The bits of the mode in which a file is opened.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Modes {
    pub(crate) append: c_int,
    pub(crate) create: c_int,
    pub(crate) delete_on_close: c_int,
    pub(crate) exclusive: c_int,
    pub(crate) read_only: c_int,
    pub(crate) read_write: c_int,
    pub(crate) write_only: c_int,
}

const COMMON_MODES: Modes = Modes {
    append: 128,
    create: 1,
    delete_on_close: 16,
    exclusive: 64,
    read_only: 2,
    read_write: 8,
    write_only: 4,
};

fn open_mpi() -> Option<Abi> {
    let object = |name: &CStr| Some(data(name).addr()).filter(|&address| address != 0);
    Some(Abi {
        family: Family::OpenMpi,
        handle_bytes: 8,
        status_bytes: 24,
        source: 0,
        world: object(c"ompi_mpi_comm_world")?,
        itself: object(c"ompi_mpi_comm_self")?,
        comm_null: object(c"ompi_mpi_comm_null")?,
        group_null: object(c"ompi_mpi_group_null")?,
        win_null: object(c"ompi_mpi_win_null")?,
        request_null: object(c"ompi_request_null")?,
        message_no_proc: object(c"ompi_message_no_proc").unwrap_or(0),
        datatype_null: object(c"ompi_mpi_datatype_null")?,
        byte: object(c"ompi_mpi_byte")?,
        proc_null: -2,
        root: -4,
        undefined: -32766,
        error_pending: 19,
        error_in_status: 18,
        error_other: 16,
        errors_return: object(c"ompi_mpi_errors_return")?,
        in_place: 1,
        status_ignore: 0,
        lock_exclusive: 1,
        flavor_key: 10,
        allocated: [2, 4],
        modes: COMMON_MODES,
        seeks: [600, 602, 604],
        fortran_status: 6,
    })
}

fn mpich() -> Abi {
    Abi {
        family: Family::Mpich,
        handle_bytes: 4,
        status_bytes: 20,
        source: 8,
        world: 0x4400_0000,
        itself: 0x4400_0001,
        comm_null: 0x0400_0000,
        group_null: 0x0800_0000,
        win_null: 0x2000_0000,
        request_null: 0x2c00_0000,
        message_no_proc: 0x6c00_0000,
        datatype_null: 0x0c00_0000,
        byte: 0x4c00_010d,
        proc_null: -1,
        root: -3,
        undefined: -32766,
        error_pending: 18,
        error_in_status: 17,
        error_other: 15,
        errors_return: 0x5400_0001,
        in_place: usize::MAX,
        status_ignore: 1,
        lock_exclusive: 234,
        flavor_key: 0x6600_0007,
        allocated: [2, 4],
        modes: COMMON_MODES,
        seeks: [600, 602, 604],
        fortran_status: 5,
    }
}

fn standard() -> Abi {
    Abi {
        family: Family::Standard,
        handle_bytes: 8,
        status_bytes: 32,
        source: 0,
        world: 0x101,
        itself: 0x102,
        comm_null: 0x100,
        group_null: 0x108,
        win_null: 0x110,
        request_null: 0x180,
        message_no_proc: 0x129,
        datatype_null: 0x200,
        byte: 0x247,
        proc_null: -3,
        root: -4,
        undefined: -32766,
        error_pending: 18,
        error_in_status: 19,
        error_other: 16,
        errors_return: 0x142,
        in_place: 1,
        status_ignore: 0,
        lock_exclusive: 301,
        flavor_key: 604,
        allocated: [312, 314],
        modes: Modes {
            append: 1,
            create: 2,
            delete_on_close: 4,
            exclusive: 8,
            read_only: 16,
            read_write: 32,
            write_only: 256,
        },
        seeks: [403, 401, 402],
        fortran_status: 8,
    }
}

impl Abi {
    /// Returns a handle without the upper half that a narrow handle leaves undefined in a register.
    #[inline(always)]
    pub(crate) fn handle(&self, word: usize) -> usize {
        if self.handle_bytes == 4 { word & 0xffff_ffff } else { word }
    }
}

/// Why the MPI library of this process cannot be measured.
pub(crate) type Unknown = String;

/// Returns the interface of the MPI library of this process; `None` if there is no library.
pub(crate) fn abi() -> Option<&'static Result<Abi, Unknown>> {
    // A handler that interrupts the recognition may call MPI, too.
    static ABI: OnceBox<Result<Abi, Unknown>> = OnceBox::new();
    static SEND: Symbol = Symbol::new(c"PMPI_Send");
    if let Some(known) = ABI.get() {
        return Some(known);
    }
    let send = SEND.get();
    if send.is_null() {
        return None;
    }
    Some(ABI.get_or_init(|| Box::new(recognise(send))))
}

fn recognise(send: *mut c_void) -> Result<Abi, Unknown> {
    let path = linker::file_of(send);
    let abi = match () {
        () if is_standard(&path) => standard(),
        () if !data(c"ompi_mpi_comm_world").is_null() => open_mpi().ok_or("Open MPI lacks some objects")?,
        () => mpich(),
    };
    // All supported libraries answer this before they are initialised, or not at all.
    let text = version();
    let fits = match abi.family {
        Family::OpenMpi => text.contains("Open MPI"),
        Family::Mpich => {
            ["MPICH", "Intel", "MVAPICH", "CRAY", "ParaStation"].iter().any(|it| text.contains(it))
        }
        Family::Standard => true,
    };
    if fits || text.is_empty() {
        return Ok(abi);
    }
    Err(format!("the MPI library {} is unknown: {text}", String::from_utf8_lossy(&path)))
}

fn is_standard(path: &[u8]) -> bool {
    let (mut major, mut minor): (c_int, c_int) = (0, 0);
    let name = path.rsplit(|&byte| byte == b'/').next().unwrap_or(path);
    name.starts_with(b"libmpi_abi")
        && pmpi!(c"PMPI_Abi_get_version", &raw mut major, &raw mut minor) == Some(0)
        && major >= 1
}

/// The longest version text of any library.
const VERSION: usize = 8192;

/// Returns the first line of the library's description of itself.
pub(crate) fn version() -> String {
    let (mut text, mut length) = (vec![0_u8; VERSION + 1], 0 as c_int);
    if pmpi!(c"PMPI_Get_library_version", text.as_mut_ptr(), &raw mut length) != Some(0) {
        return String::new();
    }
    let text = CStr::from_bytes_until_nul(&text).map(CStr::to_string_lossy).unwrap_or_default();
    text.lines().next().unwrap_or_default().trim().chars().take(120).collect()
}

/// A data symbol, looked up once. A Fortran routine that was called is loaded, and so are the
/// objects of its library.
#[derive(Debug)]
struct Object {
    name: &'static CStr,
    address: AtomicPtr<c_void>,
}

impl Object {
    const fn new(name: &'static CStr) -> Self {
        Self { name, address: AtomicPtr::new(UNKNOWN) }
    }

    fn get(&self) -> *mut c_void {
        match self.address.load(Relaxed) {
            UNKNOWN => {
                let found = data(self.name);
                self.address.store(found, Relaxed);
                found
            }
            known => known,
        }
    }
}

/// Not looked up yet. No object has this address.
const UNKNOWN: *mut c_void = ptr::without_provenance_mut(1);

/// Addresses in the Fortran bindings that stand for something else.
#[derive(Debug)]
pub(crate) struct Sentinels<const VALUES: usize, const ADDRESSES: usize> {
    /// Objects whose values are such addresses.
    values: [Object; VALUES],
    /// Objects whose addresses are such.
    addresses: [Object; ADDRESSES],
}

/// `MPI_STATUS_IGNORE` and `MPI_STATUSES_IGNORE` of the Fortran bindings.
pub(crate) static IGNORED: Sentinels<4, 2> = Sentinels {
    values: [
        Object::new(c"MPI_F_STATUS_IGNORE"),
        Object::new(c"MPI_F_STATUSES_IGNORE"),
        Object::new(c"MPI_F08_STATUS_IGNORE"),
        Object::new(c"MPI_F08_STATUSES_IGNORE"),
    ],
    addresses: [Object::new(c"mpi_fortran_status_ignore_"), Object::new(c"mpi_fortran_statuses_ignore_")],
};

/// `MPI_IN_PLACE` of the Fortran bindings.
pub(crate) static IN_PLACE: Sentinels<1, 2> = Sentinels {
    values: [Object::new(c"MPIR_F_MPI_IN_PLACE")],
    addresses: [Object::new(c"mpi_fortran_in_place_"), Object::new(c"MPIR_F08_MPI_IN_PLACE")],
};

impl<const VALUES: usize, const ADDRESSES: usize> Sentinels<VALUES, ADDRESSES> {
    /// Whether an address is one of them. Values are read each time: MPICH sets them when its
    /// Fortran interface is initialised.
    pub(crate) fn contain(&self, address: usize) -> bool {
        let is = |object: &Object| object.get().addr() == address;
        let has = |object: &Object| {
            let place = object.get().cast::<usize>();
            // SAFETY: the symbol is a pointer of the library.
            !place.is_null() && unsafe { place.read_volatile() } == address
        };
        address != 0 && (self.addresses.iter().any(is) || self.values.iter().any(has))
    }
}
