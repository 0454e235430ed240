//! How a header finds this library: `InitializeInjectionNvtx2`.

use std::env;
use std::ffi::{CString, c_int, c_uint, c_void};
use std::os::unix::ffi::OsStringExt;
use std::{ptr, slice};

use super::NVTX;
use super::calls::{self, NextFunctions, NvtxFunction};
use crate::linker;
use crate::message::report;

/// The library that the variable named before (`kymo record`).
const NEXT: &str = "KYMO_NVTX_NEXT";

/// Returns a table by its number.
type GetExportTable = unsafe extern "C" fn(c_uint) -> *const c_void;
type Initialize = unsafe extern "C" fn(GetExportTable) -> c_int;

/// The number of the table of callbacks.
const CALLBACKS: c_uint = 1;

/// The table of callbacks.
#[derive(Debug)]
#[repr(C)]
struct NvtxCallbacks {
    size: usize,
    /// Sets the table of a module, an array of the addresses of pointers to functions, and the
    /// number of its entries. Returns 0 if it cannot.
    table_of_module: Option<unsafe extern "C" fn(c_uint, *mut *mut *mut usize, *mut c_uint) -> c_int>,
}

/// The modules whose functions are here.
const CORE: c_uint = 1;
const CORE2: c_uint = 5;

/// Fills in the functions of the header that calls this. Returns 1 if its calls are received here,
/// or by another tool.
///
/// # Safety
///
/// Called by the headers of NVTX, with their function.
#[unsafe(no_mangle)]
unsafe extern "C" fn InitializeInjectionNvtx2(get_table: GetExportTable) -> c_int {
    // SAFETY: the table with this number has this type in all versions.
    let callbacks = unsafe { get_table(CALLBACKS).cast::<NvtxCallbacks>().as_ref() };
    let callbacks = callbacks.filter(|it| it.size >= size_of::<NvtxCallbacks>());
    let table = |module| callbacks.and_then(|callbacks| callbacks.table(module)).unwrap_or_default();
    let (core, core2) = (table(CORE), table(CORE2));
    let before = [values(core), values(core2)];
    // SAFETY: the function of the headers.
    let has_other = unsafe { initialize_next(get_table) };
    if !NVTX.is_on() {
        return c_int::from(has_other);
    }
    fill(core, &before[0], &calls::core(), &calls::CORE, has_other);
    fill(core2, &before[1], &calls::core2(), &calls::CORE2, has_other);
    1
}

/// The addresses of pointers to functions, null where there is none.
type FunctionTable = &'static [*mut usize];

impl NvtxCallbacks {
    /// Returns the table of a module.
    fn table(&self, module: c_uint) -> Option<FunctionTable> {
        let (mut table, mut size) = (ptr::null_mut::<*mut usize>(), 0);
        // SAFETY: both places are writable.
        let is_there = unsafe { self.table_of_module?(module, &raw mut table, &raw mut size) } != 0;
        // SAFETY: the table of the program or library that calls, which lives as long as it.
        (is_there && !table.is_null()).then(|| unsafe { slice::from_raw_parts(table, size as usize) })
    }
}

/// Returns the functions of a table, at first those with which a header initialises itself.
fn values(table: FunctionTable) -> Vec<usize> {
    // SAFETY: null, or the place of a pointer.
    table.iter().map(|place| unsafe { place.as_ref() }.copied().unwrap_or(0)).collect()
}

/// Puts functions into a table, and keeps those that another tool, if there is one, has put there
/// since `before`.
fn fill(
    table: FunctionTable,
    before: &[usize],
    functions: &[NvtxFunction],
    next: &NextFunctions,
    has_other: bool,
) {
    for &(number, function) in functions {
        let (Some(place), Some(before)) = (table.get(number), before.get(number)) else { continue };
        // SAFETY: null, or the place of a pointer, which the header reads when this has returned.
        let Some(place) = (unsafe { place.as_mut() }) else { continue };
        if has_other && *place != *before && *place != 0 {
            next.keep(number, *place);
        }
        *place = function.expose_provenance();
    }
}

/// Asks the library that the variable named before `kymo record`. Returns whether it receives
/// calls.
///
/// # Safety
///
/// The function of the headers.
unsafe fn initialize_next(get_table: GetExportTable) -> bool {
    let Some(path) = env::var_os(NEXT).and_then(|path| CString::new(path.into_vec()).ok()) else {
        return false;
    };
    let found = linker::unseen(|| {
        // SAFETY: loads the library that the user has named.
        let library = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_LAZY) };
        // SAFETY: a library, and a name.
        let function = (!library.is_null())
            .then(|| unsafe { libc::dlsym(library, c"InitializeInjectionNvtx2".as_ptr()) });
        function.filter(|function| !function.is_null())
    });
    let Some(function) = found else {
        report(format_args!("nvtx: {}: not a tool of NVTX, and not used", path.to_string_lossy()));
        return false;
    };
    // SAFETY: the type of the function with this name.
    let initialize = unsafe { std::mem::transmute::<*mut c_void, Initialize>(function) };
    if initialize as usize == InitializeInjectionNvtx2 as Initialize as usize {
        return false;
    }
    // SAFETY: as the header would call it.
    unsafe { initialize(get_table) != 0 }
}
