//! The places in the program from which gcc's library of OpenACC is called.
//!
//! Its functions are interposed in assembly, since some of them have a variable number of
//! arguments: each remembers where it was called from, and jumps to the library's. Invariant: the
//! remembered place is that of the construct that the thread executes; the program's own calls of
//! routines (`acc_copyin`) are not interposed, and have no place.

use std::cell::Cell;
use std::ffi::{CStr, c_void};
use std::ptr;
use std::sync::MutexGuard;
use std::sync::atomic::{AtomicPtr, Ordering::Relaxed};

use super::constructs::AccConstruct;
use super::registration;
use crate::adapters::call_sites::{CallSite, CallSites};
use crate::address_table::{AddressTable, UNKNOWN};
use crate::caller_scope;
use crate::linker;
use crate::measurement;
use crate::message::report;
use crate::next::{c_name, keeping_errno};
use crate::switch::Switch;

static SWITCH: Switch = Switch::new();
static SITES: CallSites<AccConstruct> = CallSites::new();
/// The functions by the return addresses of their calls, where the library is found only by the
/// code that has opened it.
static BY_CALLER: AddressTable = AddressTable::new();

thread_local! {
    /// The address to which the last function that the thread called returns.
    static CALLER: Cell<usize> = const { Cell::new(0) };
}

pub(super) fn turn_on() {
    SWITCH.turn_on();
}

pub(super) fn turn_off() {
    SWITCH.turn_off();
}

pub(super) fn hold() -> [MutexGuard<'static, usize>; 2] {
    [SITES.hold(), BY_CALLER.hold()]
}

pub(super) fn forget() {
    SITES.forget();
    BY_CALLER.forget(|| {});
}

/// Returns the place of the program's own calls of routines.
pub(super) fn nowhere() -> &'static CallSite<AccConstruct> {
    SITES.at(0)
}

/// Returns the place of the construct that the thread executes.
pub(super) fn current() -> &'static CallSite<AccConstruct> {
    let caller = CALLER.get();
    SITES.known(caller).unwrap_or_else(|| {
        keeping_errno(|| {
            // Files of symbols are read here.
            let _here = measurement::here_or_orphan();
            SITES.at(caller)
        })
    })
}

/// A function of the library. Assembly reads its address at the beginning.
#[repr(C)]
struct InterposedFunction {
    /// Null before it is found.
    next: AtomicPtr<c_void>,
    name: &'static CStr,
}

impl InterposedFunction {
    const fn new(name: &'static CStr) -> Self {
        Self { next: AtomicPtr::new(ptr::null_mut()), name }
    }

    /// Finds the function for the code that calls it.
    fn find(&self, caller: usize) -> *const c_void {
        match BY_CALLER.get(caller) {
            UNKNOWN => self.look_up(caller),
            known => ptr::with_exposed_provenance(known as usize),
        }
    }

    #[cold]
    fn look_up(&self, caller: usize) -> *const c_void {
        keeping_errno(|| {
            let _here = if SWITCH.is_on() { measurement::here_or_orphan() } else { None };
            let everywhere = linker::next(self.name);
            let found = match everywhere.is_null() {
                true => caller_scope::function_for(self.name, ptr::with_exposed_provenance(caller)),
                false => everywhere,
            };
            if found.is_null() {
                report(format_args!("openacc: no library has {}", self.name.to_string_lossy()));
                return absent as *const c_void;
            }
            if everywhere.is_null() {
                BY_CALLER.set(caller, found.expose_provenance() as u64);
            }
            self.next.store(everywhere, Relaxed);
            if SWITCH.is_on() {
                registration::register_beside(found);
            }
            found
        })
    }
}

/// In place of a function that no library has.
extern "C" fn absent() -> usize {
    0
}

/// Remembers the caller of a function; returns the address of the library's.
extern "C" fn called(caller: usize, function: &InterposedFunction) -> *const c_void {
    CALLER.set(caller);
    match function.next.load(Relaxed) {
        next if next.is_null() => function.find(caller),
        next => next,
    }
}

/// Exports functions that jump to those of the library, by way of [`called`] while something is
/// recorded. The registers of arguments are kept; none of the functions has one of floating point.
macro_rules! export {
    ($($name:ident)*) => {$(
        const _: () = {
            static FUNCTION: InterposedFunction =
                InterposedFunction::new(c_name(concat!(stringify!($name), "\0")));

            #[unsafe(naked)]
            #[cfg(target_arch = "x86_64")]
            unsafe extern "C-unwind" fn through() {
                core::arch::naked_asm!(
                    "push rdi",
                    "push rsi",
                    "push rdx",
                    "push rcx",
                    "push r8",
                    "push r9",
                    "push rax",
                    "mov rdi, qword ptr [rsp + 56]",
                    "lea rsi, [rip + {function}]",
                    "call {called}",
                    "mov r11, rax",
                    "pop rax",
                    "pop r9",
                    "pop r8",
                    "pop rcx",
                    "pop rdx",
                    "pop rsi",
                    "pop rdi",
                    "jmp r11",
                    function = sym FUNCTION,
                    called = sym called,
                )
            }

            #[unsafe(naked)]
            #[cfg(target_arch = "aarch64")]
            unsafe extern "C-unwind" fn through() {
                core::arch::naked_asm!(
                    "stp x29, x30, [sp, #-96]!",
                    "stp x0, x1, [sp, #16]",
                    "stp x2, x3, [sp, #32]",
                    "stp x4, x5, [sp, #48]",
                    "stp x6, x7, [sp, #64]",
                    "str x8, [sp, #80]",
                    "mov x0, x30",
                    "adrp x1, {function}",
                    "add x1, x1, :lo12:{function}",
                    "bl {called}",
                    "mov x16, x0",
                    "ldr x8, [sp, #80]",
                    "ldp x6, x7, [sp, #64]",
                    "ldp x4, x5, [sp, #48]",
                    "ldp x2, x3, [sp, #32]",
                    "ldp x0, x1, [sp, #16]",
                    "ldp x29, x30, [sp], #96",
                    "br x16",
                    function = sym FUNCTION,
                    called = sym called,
                )
            }

            crate::entry::entry!($name: SWITCH, FUNCTION, through);
        };
    )*};
}

export! {
    GOACC_parallel_keyed
    GOACC_parallel
    GOACC_data_start
    GOACC_data_end
    GOACC_enter_exit_data
    GOACC_enter_data
    GOACC_exit_data
    GOACC_update
    GOACC_wait
    GOACC_declare
}
