//! A library that looks like MPI to the measurement runtime: with the handles, statuses and
//! constants of Open MPI, of the MPICH family, or of the standard interface of MPI 5, as
//! `FAKE_MPI` says. It has one process, which sends messages to itself.
//!
//! Like the real libraries it returns one handle for all sends, which are complete when they are
//! started. Open MPI is recognised by data symbols that a test provides in another library.

mod family;
mod requests;

use core::ffi::{c_char, c_int, c_void};
use core::ptr;
use core::sync::atomic::{AtomicU8, AtomicUsize, Ordering::Relaxed};

use family::{Family, family};

const DONE: c_int = 0;

/// Defines a function of MPI under both of its names.
macro_rules! mpi {
    ($($name:ident $pname:ident ($($argument:ident: $type:ty),*) $body:block)*) => {$(
        /// # Safety
        ///
        /// Each pointer is null or valid for the accesses that MPI defines for its argument.
        #[unsafe(no_mangle)]
        #[allow(non_snake_case, unused_variables, clippy::too_many_arguments, reason = "those of MPI")]
        unsafe extern "C" fn $pname($($argument: $type),*) -> c_int $body

        /// # Safety
        ///
        /// Each pointer is null or valid for the accesses that MPI defines for its argument.
        #[unsafe(no_mangle)]
        #[allow(non_snake_case, clippy::too_many_arguments, reason = "those of MPI")]
        unsafe extern "C" fn $name($($argument: $type),*) -> c_int {
            // SAFETY: the arguments are those of the caller, and the conditions are the same.
            unsafe { $pname($($argument),*) }
        }
    )*};
}
pub(crate) use mpi;

/// Writes a value of the program, unless it does not want it.
fn put<T>(place: *mut T, value: T) -> c_int {
    if !place.is_null() {
        // SAFETY: the place is the program's variable of this type.
        unsafe { place.write(value) };
    }
    DONE
}

/// The state of the library: 0 before `MPI_Init`, 1 after it, 2 after `MPI_Finalize`.
static STATE: AtomicU8 = AtomicU8::new(0);
/// The last handle that was made; those of the standard interface that have a meaning are lower.
static LAST: AtomicUsize = AtomicUsize::new(0x1000);

/// A function of the program.
type Action = extern "C" fn();
/// The address of the function that the next put calls, or 0.
static MEANWHILE: AtomicUsize = AtomicUsize::new(0);

/// Makes the next put call a function of the program, once.
#[unsafe(no_mangle)]
extern "C" fn fake_mpi_meanwhile(action: Action) {
    MEANWHILE.store(action as usize, Relaxed);
}

fn meanwhile() -> c_int {
    let action = MEANWHILE.swap(0, Relaxed);
    if action != 0 {
        // SAFETY: the address of a function of this type, from `fake_mpi_meanwhile`.
        unsafe { core::mem::transmute::<usize, Action>(action)() };
    }
    DONE
}

fn new_handle() -> usize {
    LAST.fetch_add(16, Relaxed) + 16
}

fn put_handle(place: usize, handle: usize) -> c_int {
    family().put(place, handle)
}

mpi! {
    MPI_Init PMPI_Init (argc: usize, argv: usize) { STATE.store(1, Relaxed); DONE }
    MPI_Finalize PMPI_Finalize () {
        // A test sees when this is called.
        if std::env::var_os("FAKE_MPI_SPEAKS").is_some() {
            println!("finalized");
        }
        STATE.store(2, Relaxed);
        DONE
    }
    MPI_Initialized PMPI_Initialized (flag: *mut c_int) { put(flag, c_int::from(STATE.load(Relaxed) > 0)) }
    MPI_Finalized PMPI_Finalized (flag: *mut c_int) { put(flag, c_int::from(STATE.load(Relaxed) > 1)) }
    MPI_Get_library_version PMPI_Get_library_version (text: *mut c_char, length: *mut c_int) {
        let version = match family() {
            Family::OpenMpi => c"Open MPI v4.1.4, a fake",
            Family::Mpich => c"MPICH Version: 4.0, a fake",
            Family::Standard => c"a fake of the standard interface",
        };
        // SAFETY: the buffer of the caller has room for it.
        unsafe { libc::strcpy(text, version.as_ptr()) };
        put(length, version.count_bytes() as c_int)
    }
    MPI_Abi_get_version PMPI_Abi_get_version (major: *mut c_int, minor: *mut c_int) {
        put(major, if matches!(family(), Family::Standard) { 1 } else { -1 });
        put(minor, 0)
    }

    MPI_Comm_rank PMPI_Comm_rank (comm: usize, rank: *mut c_int) { put(rank, 0) }
    MPI_Comm_size PMPI_Comm_size (comm: usize, size: *mut c_int) { put(size, 1) }
    MPI_Comm_test_inter PMPI_Comm_test_inter (comm: usize, flag: *mut c_int) { put(flag, 0) }
    MPI_Comm_set_errhandler PMPI_Comm_set_errhandler (comm: usize, handler: usize) { DONE }
    MPI_Comm_dup PMPI_Comm_dup (comm: usize, new: usize) { put_handle(new, new_handle()) }
    MPI_Comm_split PMPI_Comm_split (comm: usize, color: c_int, key: c_int, new: usize) {
        put_handle(new, if color < 0 { family().comm_null() } else { new_handle() })
    }
    MPI_Comm_free PMPI_Comm_free (comm: usize) { put_handle(comm, family().comm_null()) }
    MPI_Comm_set_name PMPI_Comm_set_name (comm: usize, name: *const c_char) { DONE }
    MPI_Comm_group PMPI_Comm_group (comm: usize, group: usize) { put_handle(group, family().some_group()) }
    MPI_Group_size PMPI_Group_size (group: usize, size: *mut c_int) { put(size, 1) }
    MPI_Group_free PMPI_Group_free (group: usize) { put_handle(group, family().group_null()) }
    MPI_Group_translate_ranks PMPI_Group_translate_ranks
        (from: usize, count: c_int, ranks: *const c_int, to: usize, result: *mut c_int)
    {
        for number in 0..count.unsigned_abs() as usize {
            // SAFETY: arrays of that length.
            unsafe { result.add(number).write(ranks.add(number).read()) };
        }
        DONE
    }
    MPI_Cart_create PMPI_Cart_create
        (comm: usize, count: c_int, sizes: *const c_int, periods: *const c_int, reorder: c_int, new: usize)
    { put_handle(new, new_handle()) }
    MPI_Cart_coords PMPI_Cart_coords (comm: usize, rank: c_int, count: c_int, place: *mut c_int) {
        (0..count.unsigned_abs() as usize).for_each(|number| {
            // SAFETY: an array of that length.
            unsafe { place.add(number).write(0) };
        });
        DONE
    }
    MPI_Type_size PMPI_Type_size (datatype: usize, size: *mut c_int) { put(size, size_of_type(datatype)) }

    MPI_Barrier PMPI_Barrier (comm: usize) { DONE }
    MPI_Bcast PMPI_Bcast (buffer: usize, count: c_int, datatype: usize, root: c_int, comm: usize) { DONE }
    MPI_Allreduce PMPI_Allreduce
        (from: usize, to: usize, count: c_int, datatype: usize, operation: usize, comm: usize) { DONE }
    MPI_Gatherv PMPI_Gatherv
        (from: usize, count: c_int, sent: usize, to: usize, counts: usize, places: usize, received: usize,
         root: c_int, comm: usize) { DONE }
    MPI_Alltoallw PMPI_Alltoallw
        (from: usize, counts: usize, places: usize, types: usize, to: usize, others: usize, displs: usize,
         kinds: usize, comm: usize) { DONE }

    MPI_Win_create PMPI_Win_create
        (base: usize, size: usize, unit: c_int, info: usize, comm: usize, win: usize)
    { put_handle(win, new_handle()) }
    MPI_Win_free PMPI_Win_free (win: usize) { put_handle(win, family().win_null()) }
    MPI_Win_get_attr PMPI_Win_get_attr (win: usize, key: c_int, value: *mut *const c_int, flag: *mut c_int) {
        put(value, ptr::from_ref(family().created()));
        put(flag, 1)
    }
    MPI_Win_fence PMPI_Win_fence (assert: c_int, win: usize) { DONE }
    MPI_Win_lock PMPI_Win_lock (kind: c_int, rank: c_int, assert: c_int, win: usize) { DONE }
    MPI_Win_flush PMPI_Win_flush (rank: c_int, win: usize) { DONE }
    MPI_Win_flush_local PMPI_Win_flush_local (rank: c_int, win: usize) { DONE }
    MPI_Win_unlock PMPI_Win_unlock (rank: c_int, win: usize) { DONE }
    MPI_Win_start PMPI_Win_start (group: usize, assert: c_int, win: usize) { DONE }
    MPI_Win_post PMPI_Win_post (group: usize, assert: c_int, win: usize) { DONE }
    MPI_Win_complete PMPI_Win_complete (win: usize) { DONE }
    MPI_Win_wait PMPI_Win_wait (win: usize) { DONE }
    MPI_Put PMPI_Put
        (from: usize, count: c_int, sent: usize, target: c_int, place: usize, to: c_int, kind: usize,
         win: usize) { meanwhile() }
    MPI_Get PMPI_Get
        (from: usize, count: c_int, sent: usize, target: c_int, place: usize, to: c_int, kind: usize,
         win: usize) { DONE }
    MPI_Fetch_and_op PMPI_Fetch_and_op
        (from: usize, result: usize, datatype: usize, target: c_int, place: usize, operation: usize,
         win: usize) { DONE }

    MPI_File_open PMPI_File_open
        (comm: usize, name: *const c_char, mode: c_int, info: usize, file: *mut usize)
    { put(file, new_handle()) }
    MPI_File_close PMPI_File_close (file: *mut usize) { put(file, family().file_null()) }
    MPI_File_get_amode PMPI_File_get_amode (file: usize, mode: *mut c_int) {
        put(mode, family().delete_on_close())
    }
    MPI_File_get_position PMPI_File_get_position (file: usize, position: *mut i64) { put(position, 24) }
    MPI_File_seek PMPI_File_seek (file: usize, offset: i64, whence: c_int) { DONE }
    MPI_File_write_at PMPI_File_write_at
        (file: usize, offset: i64, buffer: usize, count: c_int, datatype: usize, status: usize)
    { family().put_status(status, 0, 0, bytes(count, datatype)) }
    MPI_File_read_all_begin PMPI_File_read_all_begin
        (file: usize, buffer: usize, count: c_int, datatype: usize) { DONE }
    MPI_File_read_all_end PMPI_File_read_all_end (file: usize, buffer: usize, status: usize) {
        family().put_status(status, 0, 0, 16)
    }
}

fn size_of_type(datatype: usize) -> c_int {
    if family().handle(datatype) == family().byte() { 1 } else { 4 }
}

fn bytes(count: c_int, datatype: usize) -> c_int {
    count * size_of_type(datatype)
}

/// Looks up an object of the test's library.
fn object(name: &core::ffi::CStr) -> usize {
    // SAFETY: a C string.
    let address: *mut c_void = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) };
    address.expose_provenance()
}
