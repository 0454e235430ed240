//! The functions that programs call instead of those of the C and C++ libraries.
//!
//! Each is entered through assembly, which jumps to the interposed function while nothing is
//! recorded, and otherwise to its Rust function here. All arguments are passed as machine words.
//! Invariants: this works before the library is initialised, in zeroed memory; a program that does
//! not record memory is not affected by the names that this library defines ([`hide`]).

use std::ffi::{CStr, c_void};
use std::sync::atomic::{AtomicPtr, Ordering::Relaxed};

use super::SWITCH;
use super::calls::{allocate, allocate_into, deallocate, reallocate};
use super::functions::Function;
use crate::linker;
use crate::loaded::OwnSymbols;
use crate::thread::{self, MemoryUse};

/// An interposed function, which has at most three arguments.
type Real = unsafe extern "C-unwind" fn(usize, usize, usize) -> usize;

/// The next function of a name.
#[repr(transparent)]
struct NextMemoryFunction(AtomicPtr<c_void>);

impl NextMemoryFunction {
    const fn new() -> Self {
        Self(AtomicPtr::new(std::ptr::null_mut()))
    }

    /// Returns the function; `None` if it does not exist.
    #[inline]
    fn get(&self, name: &CStr) -> Option<Real> {
        let known = self.0.load(Relaxed);
        let found = if known.is_null() { self.find(name) } else { known };
        // SAFETY: an interposed function with at most three arguments, all of them words.
        (!found.is_null()).then(|| unsafe { std::mem::transmute::<*mut c_void, Real>(found) })
    }

    /// Returns null inside another look-up: `dlsym` may allocate the text of an error.
    #[cold]
    fn find(&self, name: &CStr) -> *mut c_void {
        if thread::memory_use() == MemoryUse::LookUp {
            return std::ptr::null_mut();
        }
        let before = thread::set_memory_use(MemoryUse::LookUp);
        let found = linker::next(name);
        thread::set_memory_use(before);
        self.0.store(found, Relaxed);
        found
    }
}

/// Defines functions with these names. Each has an expression of its three words, of the address to
/// which it returns, and of a closure that calls the next function of its name.
///
/// ```text
/// malloc: |size, _b, _c, caller, next| allocate(Function::Malloc, size, caller, next);
/// ```
macro_rules! memory_functions {
    ($($name:ident: |$a:ident, $b:ident, $c:ident, $caller:ident, $next:ident| $body:expr;)*) => {
        /// The names, for [`hide`].
        const NAMES: &[&str] = &[$(stringify!($name)),*];

        /// The next functions of these names.
        #[allow(non_upper_case_globals, reason = "the names of the functions")]
        mod nexts {
            use super::NextMemoryFunction;
            $(pub(super) static $name: NextMemoryFunction = NextMemoryFunction::new();)*
        }

        /// Looks up all functions, so that no call has to. Before the C library 2.34, looking one
        /// up may allocate memory.
        fn look_up() {
            $({
                nexts::$name.get(crate::next::c_name(concat!(stringify!($name), "\0")));
            })*
        }

        $(const _: () = {
            use nexts::$name as NEXT;
            const NAME: &CStr = crate::next::c_name(concat!(stringify!($name), "\0"));

            crate::entry::entry!($name: SWITCH, NEXT, recorded, and caller);

            unsafe extern "C-unwind" fn recorded($a: usize, $b: usize, $c: usize, $caller: usize) -> usize {
                let Some(next) = NEXT.get(NAME) else { return missing(NAME, $a, $b) };
                // SAFETY: the words are those that the program passes; more of them do no harm.
                let $next = || unsafe { next($a, $b, $c) };
                if SWITCH.is_on() { $body } else { $next() }
            }
        };)*
    };
}

/// Returns the product of two numbers; the largest number if it is too large, so that no block has
/// this size.
fn product(count: usize, size: usize) -> usize {
    count.saturating_mul(size)
}

memory_functions! {
    malloc: |a, b, c, caller, next| allocate(Function::Malloc, a, caller, next);
    calloc: |a, b, c, caller, next| allocate(Function::Calloc, product(a, b), caller, next);
    realloc: |a, b, c, caller, next| reallocate(Function::Realloc, a, b, caller, next);
    reallocarray: |a, b, c, caller, next| reallocate(Function::Realloc, a, product(b, c), caller, next);
    free: |a, b, c, caller, next| deallocate(Function::Free, a, caller, next);
    free_sized: |a, b, c, caller, next| deallocate(Function::Free, a, caller, next);
    free_aligned_sized: |a, b, c, caller, next| deallocate(Function::Free, a, caller, next);
    memalign: |a, b, c, caller, next| allocate(Function::Memalign, b, caller, next);
    aligned_alloc: |a, b, c, caller, next| allocate(Function::AlignedAlloc, b, caller, next);
    valloc: |a, b, c, caller, next| allocate(Function::Valloc, a, caller, next);
    pvalloc: |a, b, c, caller, next| allocate(Function::Valloc, a, caller, next);
    posix_memalign: |a, b, c, caller, next| allocate_into(Function::PosixMemalign, a, c, caller, next);

    _Znwm: |a, b, c, caller, next| allocate(Function::New, a, caller, next);
    _ZnwmRKSt9nothrow_t: |a, b, c, caller, next| allocate(Function::New, a, caller, next);
    _ZnwmSt11align_val_t: |a, b, c, caller, next| allocate(Function::New, a, caller, next);
    _ZnwmSt11align_val_tRKSt9nothrow_t: |a, b, c, caller, next| allocate(Function::New, a, caller, next);
    _ZdlPv: |a, b, c, caller, next| deallocate(Function::Delete, a, caller, next);
    _ZdlPvRKSt9nothrow_t: |a, b, c, caller, next| deallocate(Function::Delete, a, caller, next);
    _ZdlPvSt11align_val_t: |a, b, c, caller, next| deallocate(Function::Delete, a, caller, next);
    _ZdlPvSt11align_val_tRKSt9nothrow_t: |a, b, c, caller, next| deallocate(Function::Delete, a, caller, next);
    _ZdlPvm: |a, b, c, caller, next| deallocate(Function::DeleteSized, a, caller, next);
    _ZdlPvmSt11align_val_t: |a, b, c, caller, next| deallocate(Function::DeleteSized, a, caller, next);

    _Znam: |a, b, c, caller, next| allocate(Function::NewArray, a, caller, next);
    _ZnamRKSt9nothrow_t: |a, b, c, caller, next| allocate(Function::NewArray, a, caller, next);
    _ZnamSt11align_val_t: |a, b, c, caller, next| allocate(Function::NewArray, a, caller, next);
    _ZnamSt11align_val_tRKSt9nothrow_t: |a, b, c, caller, next| allocate(Function::NewArray, a, caller, next);
    _ZdaPv: |a, b, c, caller, next| deallocate(Function::DeleteArray, a, caller, next);
    _ZdaPvRKSt9nothrow_t: |a, b, c, caller, next| deallocate(Function::DeleteArray, a, caller, next);
    _ZdaPvSt11align_val_t: |a, b, c, caller, next| deallocate(Function::DeleteArray, a, caller, next);
    _ZdaPvSt11align_val_tRKSt9nothrow_t: |a, b, c, caller, next| deallocate(Function::DeleteArray, a, caller, next);
    _ZdaPvm: |a, b, c, caller, next| deallocate(Function::DeleteArraySized, a, caller, next);
    _ZdaPvmSt11align_val_t: |a, b, c, caller, next| deallocate(Function::DeleteArraySized, a, caller, next);
}

/// The beginning of the names of operators of C++.
const OPERATORS: &str = "_Z";

unsafe extern "C" {
    fn __libc_malloc(size: usize) -> *mut c_void;
    fn __libc_calloc(count: usize, size: usize) -> *mut c_void;
    fn __libc_realloc(block: *mut c_void, size: usize) -> *mut c_void;
}

/// Stands for a function while `dlsym` looks one up. A text of `dlsym` is not freed: it is unknown
/// which allocator it is from.
#[cold]
fn during_look_up(name: &CStr, first: usize, second: usize) -> usize {
    // SAFETY: the words are valid arguments of the function of this name.
    let block = unsafe {
        match name.to_bytes() {
            b"malloc" => __libc_malloc(first),
            b"calloc" => __libc_calloc(first, second),
            b"realloc" => __libc_realloc(std::ptr::with_exposed_provenance_mut(first), second),
            _ => std::ptr::null_mut(),
        }
    };
    block.expose_provenance()
}

/// Stands for a function that no library has. The program finds this one because this library names
/// it.
#[cold]
fn missing(name: &CStr, first: usize, second: usize) -> usize {
    if thread::memory_use() == MemoryUse::LookUp {
        return during_look_up(name, first, second);
    }
    let name = name.to_bytes();
    let pointer = |address: usize| std::ptr::with_exposed_provenance_mut::<c_void>(address);
    // SAFETY: the operators of all libraries take their memory from these functions.
    unsafe {
        match (name.starts_with(b"_Zn"), name.starts_with(b"_Zd") || name.starts_with(b"free_")) {
            (true, _) if name.windows(5).any(|part| part == b"align") => {
                libc::aligned_alloc(second, first).expose_provenance()
            }
            (true, _) => libc::malloc(first).expose_provenance(),
            (_, true) => {
                libc::free(pointer(first));
                0
            }
            _ => {
                *libc::__errno_location() = libc::ENOMEM;
                0
            }
        }
    }
}

/// Removes the names that the program must not find in this library: all of them if memory is not
/// recorded; else the operators of C++ in a program without a C++ library of its own, whose later
/// libraries bring one that others do not see. Their operators call `malloc`.
pub(crate) fn hide(is_recorded: bool) {
    look_up();
    let has_operators = || !linker::next(c"_Znwm").is_null();
    if is_recorded && has_operators() {
        return;
    }
    let is_hidden = |name: &CStr| {
        name.to_str().is_ok_and(|name| NAMES.contains(&name) && (!is_recorded || name.starts_with(OPERATORS)))
    };
    OwnSymbols::hide(is_hidden);
}
