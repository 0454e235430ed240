//! The functions with a format: the `printf` and `scanf` families.
//!
//! Those with variable arguments are entered through assembly, which jumps to the function of the C
//! library while nothing is recorded, and otherwise to a C function that makes a list of the
//! arguments (`c/formatted.c`). A list is a pointer in a register on all supported systems.

use std::ffi::{c_char, c_int, c_void};
use std::sync::atomic::{AtomicPtr, Ordering::Relaxed};

use libc::FILE;

use super::descriptors::NONE;
use super::functions::Function;
use super::streams::{input, output, transfer};
use super::transfers::{BLOCKING, NO_OFFSET, READ, WRITE};
use super::{SWITCH, UNKNOWN, around, handle_of, id, interpose};
use crate::linker;
use crate::measurement::Here;

/// A list of variable arguments.
type List = *mut c_void;

/// Returns the number of characters that a function of the `printf` family has written.
fn written(result: c_int) -> u64 {
    u64::try_from(result).unwrap_or(UNKNOWN)
}

fn print(function: Function, stream: *mut FILE, next: impl FnOnce() -> c_int) -> c_int {
    transfer(function, WRITE, stream, || UNKNOWN, next, written)
}

/// The number of characters that a function of the `scanf` family reads is unknown.
fn scan(function: Function, stream: *mut FILE, next: impl FnOnce() -> c_int) -> c_int {
    transfer(function, READ, stream, || UNKNOWN, next, |_| UNKNOWN)
}

/// Prints to a descriptor with `next`.
fn describe(function: Function, descriptor: c_int, next: impl FnOnce() -> c_int) -> c_int {
    const ONE: u64 = 1;
    let handle = handle_of(function, descriptor);
    if function.is_excluded() {
        return next();
    }
    let before = |here: &Here| {
        if handle != NONE {
            here.io_begin(handle, WRITE, BLOCKING, UNKNOWN, id(here, ONE), NO_OFFSET);
        }
    };
    around(function, before, next, |here, result| {
        if handle != NONE {
            here.io_complete(handle, WRITE, written(result), id(here, ONE));
        }
    })
}

macro_rules! lists {
    ($([$($name:ident)*] $arguments:tt $how:ident $function:ident $to:expr;)*) => {$(
        interpose!([$($name)*] $arguments -> c_int, |next| $how(Function::$function, $to, next));
    )*};
}

lists! {
    [vprintf](format: *const c_char, list: List) print Vprintf output();
    [__vprintf_chk](flag: c_int, format: *const c_char, list: List) print Vprintf output();
    [vfprintf](stream: *mut FILE, format: *const c_char, list: List) print Vfprintf stream;
    [__vfprintf_chk](stream: *mut FILE, flag: c_int, format: *const c_char, list: List) print Vfprintf stream;
    [vdprintf](descriptor: c_int, format: *const c_char, list: List) describe Vdprintf descriptor;
    [__vdprintf_chk](descriptor: c_int, flag: c_int, format: *const c_char, list: List)
        describe Vdprintf descriptor;
    [vscanf __isoc99_vscanf __isoc23_vscanf](format: *const c_char, list: List) scan Vscanf input();
    [vfscanf __isoc99_vfscanf __isoc23_vfscanf](stream: *mut FILE, format: *const c_char, list: List)
        scan Vfscanf stream;
}

/// Looks up the function that the assembly jumps to while nothing is recorded.
#[cold]
fn look_up(real: &AtomicPtr<c_void>, name: &std::ffi::CStr) {
    real.store(linker::next(name), Relaxed);
}

/// Defines functions with variable arguments. Each has the C function that makes a list of them,
/// and a function that receives the list and passes it to the next function that takes one.
///
/// ```text
/// printf kymo_io_printf kymo_io_list_printf(format: *const c_char) vprintf, print Printf output();
/// ```
macro_rules! variable {
    ($($name:ident $through:ident $list:ident($($argument:ident: $type:ty),*) $next:ident, $how:ident $function:ident $to:expr;)*) => {$(
        const _: () = {
            static REAL: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());

            unsafe extern "C" {
                fn $through();
            }

            crate::entry::entry!($name: SWITCH, REAL, $through);

            /// # Safety
            ///
            /// The arguments must be valid for the C library's function that takes a list.
            #[unsafe(no_mangle)]
            unsafe extern "C-unwind" fn $list($($argument: $type,)* list: List) -> c_int {
                type Next = unsafe extern "C-unwind" fn($($type,)* List) -> c_int;
                const NAME: &std::ffi::CStr = crate::next::c_name(concat!(stringify!($next), "\0"));
                // SAFETY: the type is that in <stdio.h>.
                static NEXT: crate::next::Next<Next> = unsafe { crate::next::Next::new(NAME) };
                if REAL.load(Relaxed).is_null() {
                    look_up(&REAL, crate::next::c_name(concat!(stringify!($name), "\0")));
                }
                let Some(next) = NEXT.get() else { return crate::next::missing() };
                // SAFETY: the program passes the arguments; the list is made of the others.
                let next = move || unsafe { next($($argument,)* list) };
                if super::is_on() { $how(Function::$function, $to, next) } else { next() }
            }
        };
    )*};
}

variable! {
    printf kymo_io_printf kymo_io_list_printf(format: *const c_char) vprintf, print Printf output();
    __printf_chk kymo_io_printf_chk kymo_io_list_printf_chk(flag: c_int, format: *const c_char)
        __vprintf_chk, print Printf output();
    fprintf kymo_io_fprintf kymo_io_list_fprintf(stream: *mut FILE, format: *const c_char)
        vfprintf, print Fprintf stream;
    __fprintf_chk kymo_io_fprintf_chk kymo_io_list_fprintf_chk(stream: *mut FILE, flag: c_int, format: *const c_char)
        __vfprintf_chk, print Fprintf stream;
    dprintf kymo_io_dprintf kymo_io_list_dprintf(descriptor: c_int, format: *const c_char)
        vdprintf, describe Dprintf descriptor;
    __dprintf_chk kymo_io_dprintf_chk kymo_io_list_dprintf_chk(descriptor: c_int, flag: c_int, format: *const c_char)
        __vdprintf_chk, describe Dprintf descriptor;
    scanf kymo_io_scanf kymo_io_list_scanf(format: *const c_char) vscanf, scan Scanf input();
    __isoc99_scanf kymo_io_isoc99_scanf kymo_io_list_isoc99_scanf(format: *const c_char)
        __isoc99_vscanf, scan Scanf input();
    __isoc23_scanf kymo_io_isoc23_scanf kymo_io_list_isoc23_scanf(format: *const c_char)
        __isoc23_vscanf, scan Scanf input();
    fscanf kymo_io_fscanf kymo_io_list_fscanf(stream: *mut FILE, format: *const c_char)
        vfscanf, scan Fscanf stream;
    __isoc99_fscanf kymo_io_isoc99_fscanf kymo_io_list_isoc99_fscanf(stream: *mut FILE, format: *const c_char)
        __isoc99_vfscanf, scan Fscanf stream;
    __isoc23_fscanf kymo_io_isoc23_fscanf kymo_io_list_isoc23_fscanf(stream: *mut FILE, format: *const c_char)
        __isoc23_vfscanf, scan Fscanf stream;
}
