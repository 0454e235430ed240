//! Looks up the functions and data of the MPI library, and calls functions with machine words.
//!
//! Every argument of an MPI function is of integer class on the supported machines, so that a
//! function can be called with words whatever the width of the library's handles. More words than a
//! function has arguments are harmless: the caller removes them. Functions are those after this
//! library in the loader's order; data is that of the program, which has copies of the library's
//! objects. Invariant: only symbols that were found are remembered, as a library may be loaded
//! later.

use core::ffi::{CStr, c_int, c_void};
use core::ptr;
use core::sync::atomic::{AtomicPtr, Ordering::Relaxed};

use crate::{linker, loader_list};

/// The most words that a wrapper passes: 13 arguments, `ierror`, and the lengths of two strings.
pub(crate) const WORDS: usize = 16;
/// The arguments of a call; those that the function does not have are 0.
pub(crate) type Words = [usize; WORDS];

/// A function of the MPI library, looked up at its first use.
#[derive(Debug)]
pub(crate) struct Symbol {
    name: &'static CStr,
    address: AtomicPtr<c_void>,
}

impl Symbol {
    pub(crate) const fn new(name: &'static CStr) -> Self {
        Self { name, address: AtomicPtr::new(ptr::null_mut()) }
    }

    /// Returns the function; null if no library has it.
    #[inline(always)]
    pub(crate) fn get(&self) -> *mut c_void {
        let known = self.address.load(Relaxed);
        if known.is_null() { self.find() } else { known }
    }

    #[cold]
    fn find(&self) -> *mut c_void {
        let address = function(self.name);
        if !address.is_null() {
            self.address.store(address, Relaxed);
        }
        address
    }

    /// Calls the function; returns `None` if no library has it.
    ///
    /// # Safety
    ///
    /// The words must be valid arguments of the function.
    pub(crate) unsafe fn call<const N: usize>(&self, words: [usize; N]) -> Option<c_int> {
        let function = self.get();
        if function.is_null() {
            return None;
        }
        let word = |place: usize| words.get(place).copied().unwrap_or(0);
        if N <= 6 {
            // SAFETY: the function is not null, and both types are function pointers.
            let function = unsafe { core::mem::transmute::<*mut c_void, Six>(function) };
            // SAFETY: the words are valid arguments of the function; more of them do no harm.
            return Some(unsafe { function(word(0), word(1), word(2), word(3), word(4), word(5)) } as c_int);
        }
        let all: Words = core::array::from_fn(word);
        // SAFETY: the function is not null, and the words are valid arguments of it.
        Some(unsafe { call(function, N, &all) } as c_int)
    }
}

type Six = unsafe extern "C-unwind" fn(usize, usize, usize, usize, usize, usize) -> usize;

/// Calls a function of the MPI library with the first `count` words, or a few more.
///
/// # Safety
///
/// The function must exist, and the words must be valid arguments of it.
#[inline(always)]
pub(crate) unsafe fn call(function: *mut c_void, count: usize, words: &Words) -> usize {
    type All = unsafe extern "C-unwind" fn(
        usize,
        usize,
        usize,
        usize,
        usize,
        usize,
        usize,
        usize,
        usize,
        usize,
        usize,
        usize,
        usize,
        usize,
        usize,
        usize,
    ) -> usize;
    let &[a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = words;
    if count <= 6 {
        // SAFETY: the function exists and takes these words; both types are function pointers.
        unsafe { core::mem::transmute::<*mut c_void, Six>(function)(a, b, c, d, e, f) }
    } else {
        // SAFETY: as above.
        let function = unsafe { core::mem::transmute::<*mut c_void, All>(function) };
        // SAFETY: as above.
        unsafe { function(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p) }
    }
}

/// Calls `PMPI_` and the name with these words. The result is that of the function, or `None` if
/// the library lacks it.
///
/// ```text
/// pmpi!(c"PMPI_Comm_rank", comm, &raw mut rank)
/// ```
macro_rules! pmpi {
    ($name:literal $(, $word:expr)*) => {{
        static SYMBOL: $crate::adapters::mpi::symbols::Symbol = $crate::adapters::mpi::symbols::Symbol::new($name);
        // SAFETY: the arguments are those of the MPI standard; pointers are to local variables or
        // were passed by the program.
        unsafe { SYMBOL.call([$($crate::adapters::mpi::symbols::Word::word($word)),*]) }
    }};
}
pub(crate) use pmpi;

/// A value that is passed as a machine word.
pub(crate) trait Word {
    fn word(self) -> usize;
}

impl Word for usize {
    fn word(self) -> usize {
        self
    }
}

impl Word for c_int {
    fn word(self) -> usize {
        self as usize
    }
}

impl<T> Word for *mut T {
    fn word(self) -> usize {
        self.expose_provenance()
    }
}

impl<T> Word for *const T {
    fn word(self) -> usize {
        self.expose_provenance()
    }
}

/// Returns a function: the next one in the loader's order, else that of an MPI library that is
/// loaded but not visible (opened with `RTLD_LOCAL`).
pub(super) fn function(name: &CStr) -> *mut c_void {
    let next = linker::next(name);
    if next.is_null() { hidden(name) } else { next }
}

/// Returns an object of the program or of the library; null if there is none.
pub(crate) fn data(name: &CStr) -> *mut c_void {
    let visible = linker::global(name);
    if visible.is_null() { hidden(name) } else { visible }
}

/// The name to look for in libraries that are not visible, and its address.
struct Search<'a> {
    name: &'a CStr,
    found: *mut c_void,
}

fn hidden(name: &CStr) -> *mut c_void {
    let mut search = Search { name, found: ptr::null_mut() };
    let walk = || {
        // SAFETY: `look` has the type of the callback and receives the address that it expects.
        unsafe { libc::dl_iterate_phdr(Some(look), (&raw mut search).cast()) }
    };
    loader_list::walking(|| linker::unseen(walk));
    search.found
}

/// Whether a path is that of a library of MPI, by its name.
pub(crate) fn is_library(path: &CStr) -> bool {
    let path = path.to_bytes();
    let name = path.rsplit(|&byte| byte == b'/').next().unwrap_or(path);
    let rest = name.strip_prefix(b"libmpi").or_else(|| name.strip_prefix(b"libpmpi"));
    rest.is_some_and(|rest| rest.windows(3).any(|part| part == b".so"))
}

extern "C" fn look(info: *mut libc::dl_phdr_info, _: usize, search: *mut c_void) -> c_int {
    // SAFETY: the pointers that the loader and `hidden` pass.
    let (info, search) = unsafe { (&*info, &mut *search.cast::<Search<'_>>()) };
    if info.dlpi_name.is_null() {
        return 0;
    }
    // SAFETY: the loader passes a C string.
    let path = unsafe { CStr::from_ptr(info.dlpi_name) };
    if !is_library(path) {
        return 0;
    }
    // SAFETY: the library is loaded, and this neither loads nor initialises it.
    let library = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_LAZY | libc::RTLD_NOLOAD) };
    if library.is_null() {
        return 0;
    }
    // The reference is kept: the library must not be unloaded while its functions are remembered.
    // SAFETY: an open library and a C string.
    search.found = unsafe { libc::dlsym(library, search.name.as_ptr()) };
    c_int::from(!search.found.is_null())
}

/// Whether a library of MPI is loaded.
pub(crate) fn is_loaded() -> bool {
    extern "C" fn look(info: *mut libc::dl_phdr_info, _: usize, _: *mut c_void) -> c_int {
        // SAFETY: the loader passes a valid structure, whose name is null or a C string.
        let name = unsafe { (*info).dlpi_name };
        // SAFETY: as above.
        c_int::from(!name.is_null() && is_library(unsafe { CStr::from_ptr(name) }))
    }
    // SAFETY: `look` has the type of the callback.
    loader_list::walking(|| unsafe { libc::dl_iterate_phdr(Some(look), ptr::null_mut()) != 0 })
}

#[cfg(test)]
mod tests {
    use super::is_library;

    #[test]
    fn libraries_of_mpi_have_known_names() {
        let known = [c"/usr/lib/libmpi.so.40", c"libmpich.so.12", c"/opt/libmpi_abi.so.0", c"libmpifort.so"];
        assert!(known.iter().all(|path| is_library(path)));
        let others = [c"/usr/lib/libc.so.6", c"/libmpi.so/libx.so", c"libmpi.a", c""];
        assert!(!others.iter().any(|path| is_library(path)));
    }
}
