//! `vfork`, and `clone` with shared memory: the child runs on the memory of its parent, including
//! the thread-local variable of the runtime. With `vfork` the parent's thread waits until the child
//! has become another program or has ended; with `clone` both may run at the same time.
//!
//! Calls of the child must not be taken for the parent's. The functions mark the thread before the
//! call and are not involved any more when the call returns, twice: a return address on the stack
//! would be overwritten by the child. The mark contains the system's id of the parent's thread.
//! While it is set, whatever records compares it with its own: the child finds a difference and
//! only passes calls on, however often it calls `vfork` itself; the parent of `vfork` finds none,
//! and removes the mark. A signal handler that runs between mark and call removes it, too; if it
//! does so, the child's calls appear as the parent's.

use std::ffi::c_void;

use libc::{c_int, pid_t};

use crate::current;
use crate::next::Next;

/// Marks the thread, and returns the address of the function of the C library.
extern "C" fn lend() -> *const c_void {
    // SAFETY: the type is that in <unistd.h>.
    static NEXT: Next<unsafe extern "C" fn() -> pid_t> = unsafe { Next::new(c"vfork") };
    // SAFETY: as above. A process without memory of its own can replace a child that borrows it.
    static FORK: Next<unsafe extern "C" fn() -> pid_t> = unsafe { Next::new(c"fork") };
    current::lend(false);
    NEXT.get().or_else(|| FORK.get()).map_or(std::ptr::null(), |next| next as *const c_void)
}

/// # Safety
///
/// The child may only execute a program or end.
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
/// The child may only execute a program or end.
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

/// Marks the thread if the child uses its memory, and returns the address of the function of the C
/// library.
extern "C" fn lend_to_clone(flags: c_int) -> *const c_void {
    // SAFETY: the function is only jumped to.
    static NEXT: Next<unsafe extern "C" fn()> = unsafe { Next::new(c"clone") };
    // A thread of another library has a thread-local variable of its own.
    if flags & libc::CLONE_VM != 0 && flags & libc::CLONE_SETTLS == 0 {
        current::lend(flags & libc::CLONE_VFORK == 0);
    }
    NEXT.get().map_or(std::ptr::null(), |next| next as *const c_void)
}

/// # Safety
///
/// The arguments must be valid for the C library's function of this name.
#[unsafe(no_mangle)]
#[unsafe(naked)]
#[cfg(target_arch = "x86_64")]
unsafe extern "C" fn clone() {
    core::arch::naked_asm!(
        "push rdi",
        "push rsi",
        "push rdx",
        "push rcx",
        "push r8",
        "push r9",
        "sub rsp, 8",
        "mov edi, edx",
        "call {lend}",
        "add rsp, 8",
        "pop r9",
        "pop r8",
        "pop rcx",
        "pop rdx",
        "pop rsi",
        "pop rdi",
        "jmp rax",
        lend = sym lend_to_clone,
    )
}

/// # Safety
///
/// The arguments must be valid for the C library's function of this name.
#[unsafe(no_mangle)]
#[unsafe(naked)]
#[cfg(target_arch = "aarch64")]
unsafe extern "C" fn clone() {
    core::arch::naked_asm!(
        "stp x29, x30, [sp, #-80]!",
        "mov x29, sp",
        "stp x0, x1, [sp, #16]",
        "stp x2, x3, [sp, #32]",
        "stp x4, x5, [sp, #48]",
        "stp x6, x7, [sp, #64]",
        "mov w0, w2",
        "bl {lend}",
        "mov x16, x0",
        "ldp x0, x1, [sp, #16]",
        "ldp x2, x3, [sp, #32]",
        "ldp x4, x5, [sp, #48]",
        "ldp x6, x7, [sp, #64]",
        "ldp x29, x30, [sp], #80",
        "br x16",
        lend = sym lend_to_clone,
    )
}
