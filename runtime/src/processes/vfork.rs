//! `vfork`: until the child has become another program or has ended, it runs on the memory of its
//! parent, including the thread-local variable of the runtime, while the parent's thread waits.
//!
//! What the child does must not be taken for the parent's. The function marks the thread before the
//! call and is not involved any more when the call returns, twice: a return address on the stack
//! would be overwritten by the child. The mark contains the parent's process id. While it is set, a
//! thread that records input and output compares it with its own: the child finds a difference and
//! only passes calls on, however often it calls `vfork` itself; the parent finds none, and removes
//! the mark. A signal handler that runs between mark and call removes it, too; if it does so, the
//! child's calls appear as the parent's, and nothing worse happens.

use std::ffi::c_void;

use libc::pid_t;

use crate::next::Next;
use crate::thread;

/// Marks the thread, and returns the address of the function of the C library.
extern "C" fn lend() -> *const c_void {
    // SAFETY: the type is that in <unistd.h>.
    static NEXT: Next<unsafe extern "C" fn() -> pid_t> = unsafe { Next::new(c"vfork") };
    // SAFETY: as above. A process without memory of its own can replace a child that borrows it.
    static FORK: Next<unsafe extern "C" fn() -> pid_t> = unsafe { Next::new(c"fork") };
    thread::lend();
    NEXT.get().or_else(|| FORK.get()).map_or(std::ptr::null(), |next| next as *const c_void)
}

/// # Safety
///
/// As for the function of the C library.
#[unsafe(no_mangle)]
#[unsafe(naked)]
#[cfg(target_arch = "x86_64")]
unsafe extern "C" fn vfork() {
    core::arch::naked_asm!(
        "sub rsp, 8",
        "call {lend}",
        "add rsp, 8",
        "jmp rax",
        lend = sym lend,
    )
}

/// # Safety
///
/// As for the function of the C library.
#[unsafe(no_mangle)]
#[unsafe(naked)]
#[cfg(target_arch = "aarch64")]
unsafe extern "C" fn vfork() {
    core::arch::naked_asm!(
        "stp x29, x30, [sp, #-16]!",
        "bl {lend}",
        "ldp x29, x30, [sp], #16",
        "mov x16, x0",
        "br x16",
        lend = sym lend,
    )
}
