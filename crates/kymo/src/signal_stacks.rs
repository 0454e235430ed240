//! Threads without stacks of their own for signal handlers.
//!
//! The standard library gives each thread such a stack for its handler of SIGSEGV, which prints
//! that the thread's stack has overflowed. If the system refuses the memory, the new thread ends
//! the program, which no code of ours can prevent. The standard library does without handler and
//! stacks if the program has a handler already. Invariant: it finds one when it looks, before
//! `main`, and from `main` on both signals have their usual effect, in children, too.

use std::mem::MaybeUninit;

/// The signals for which the standard library looks.
const SIGNALS: [libc::c_int; 2] = [libc::SIGSEGV, libc::SIGBUS];

#[used]
#[unsafe(link_section = ".init_array")]
static BEFORE_MAIN: extern "C" fn() = before_main;

/// Called by the loader, before the standard library's own start.
extern "C" fn before_main() {
    SIGNALS.into_iter().for_each(|signal| replace(signal, libc::SIG_DFL, libc::SIG_IGN));
}

/// Gives the signals their usual effect. Must be called first in `main`.
pub(crate) fn restore_signals() {
    SIGNALS.into_iter().for_each(|signal| replace(signal, libc::SIG_IGN, libc::SIG_DFL));
}

/// Changes the effect of a signal if it is `from`.
fn replace(signal: libc::c_int, from: libc::sighandler_t, to: libc::sighandler_t) {
    let mut action = MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: the structure is that of the C library; zeroed, it has no flags and blocks nothing.
    unsafe {
        if libc::sigaction(signal, std::ptr::null(), action.as_mut_ptr()) == 0
            && action.assume_init_ref().sa_sigaction == from
        {
            action.assume_init_mut().sa_sigaction = to;
            libc::sigaction(signal, action.as_ptr(), std::ptr::null_mut());
        }
    }
}
