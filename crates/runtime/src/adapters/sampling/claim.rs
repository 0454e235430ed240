//! The program's own use of the signal. A program that installs a handler for it gets it, and
//! samples end.

use std::ffi::c_int;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use libc::sighandler_t;

use super::{give_way, handler};
use crate::next::{Next, keeping_errno};
use crate::own_signal;

type Action = unsafe extern "C" fn(c_int, *const libc::sigaction, *mut libc::sigaction) -> c_int;
type Signal = unsafe extern "C" fn(c_int, sighandler_t) -> sighandler_t;

// SAFETY: the type is that in <signal.h>.
static SIGACTION: Next<Action> = unsafe { Next::new(c"sigaction") };
static IS_CLAIMED: AtomicBool = AtomicBool::new(false);

/// Returns whether the program uses the signal.
pub(super) fn is_claimed() -> bool {
    IS_CLAIMED.load(Relaxed)
}

/// Installs the runtime's handler, unless the program has one; returns whether it is installed.
pub(super) fn install(signal: c_int, action: &libc::sigaction) -> bool {
    let Some(next) = SIGACTION.get().filter(|_| !is_claimed()) else { return false };
    // SAFETY: a valid action.
    unsafe { next(signal, action, std::ptr::null_mut()) == 0 }
}

fn claim() {
    if !IS_CLAIMED.swap(true, Relaxed) {
        own_signal::give_up();
        keeping_errno(give_way);
    }
}

/// Returns whether the program only asks for the action, or sets that which it has without samples:
/// many programs do so for all signals.
fn is_harmless(wanted: Option<sighandler_t>) -> bool {
    wanted.is_none_or(|wanted| wanted == libc::SIG_DFL || wanted == libc::SIG_IGN)
}

/// # Safety
///
/// The arguments must be valid for the C library's function of this name.
#[unsafe(no_mangle)]
unsafe extern "C" fn sigaction(
    signal: c_int,
    action: *const libc::sigaction,
    before: *mut libc::sigaction,
) -> c_int {
    // SAFETY: null, or valid, as `sigaction` requires.
    let wanted = unsafe { action.as_ref() }.map(|action| action.sa_sigaction);
    if signal == handler::signal() && !is_claimed() {
        if is_harmless(wanted) {
            // SAFETY: null, or writable.
            if let Some(before) = unsafe { before.as_mut() } {
                // SAFETY: all zeros is the default action.
                *before = unsafe { std::mem::zeroed() };
            }
            return 0;
        }
        claim();
    }
    let Some(next) = SIGACTION.get() else { return -1 };
    // SAFETY: the arguments are valid for `sigaction`.
    unsafe { next(signal, action, before) }
}

/// # Safety
///
/// The arguments must be valid for the C library's function of this name.
#[unsafe(no_mangle)]
unsafe extern "C" fn signal(signal: c_int, handler: sighandler_t) -> sighandler_t {
    // SAFETY: the type is that in <signal.h>.
    static NEXT: Next<Signal> = unsafe { Next::new(c"signal") };
    if signal == self::handler::signal() && !is_claimed() {
        if is_harmless(Some(handler)) {
            return libc::SIG_DFL;
        }
        claim();
    }
    let Some(next) = NEXT.get() else { return libc::SIG_ERR };
    // SAFETY: the arguments are valid for `signal`.
    unsafe { next(signal, handler) }
}
