//! Stacks of the runtime, for its work for a thread whose own stack may have no room for that:
//! threads and coroutines have stacks of a few kilobytes, and handlers alternate stacks of that
//! size.
//!
//! Invariant: one thread runs on a stack at a time, and no handler interrupts it there.

use std::ffi::c_void;
use std::ptr;
use std::sync::Mutex;

use crate::postponed_jump::mask;

/// The size in bytes. The system provides memory for the part that is used.
const SIZE: usize = 256 << 10;
/// The inaccessible memory before it.
const GUARD: usize = 64 << 10;

/// The stacks that nothing uses.
static FREE: Mutex<Vec<OwnStack>> = Mutex::new(Vec::new());

/// A stack of the runtime.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct OwnStack {
    /// The address of its end; 0 without memory.
    end: usize,
}

impl OwnStack {
    /// Takes memory for a stack.
    pub(crate) fn mapped() -> Self {
        let mut stack = Self::default();
        let kind = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | libc::MAP_STACK;
        let access = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: a new mapping at an address that the system chooses; its begin is inaccessible
        // before something uses it.
        unsafe {
            let start = libc::mmap(ptr::null_mut(), GUARD + SIZE, access, kind, -1, 0);
            if start != libc::MAP_FAILED && libc::mprotect(start, GUARD, libc::PROT_NONE) == 0 {
                stack.end = start.addr() + GUARD + SIZE;
            }
        }
        stack
    }

    /// Like [`Self::run`], outside of a handler that no signal interrupts. All signals are blocked
    /// meanwhile: a thread that changes to this stack in a handler on an alternate stack has left
    /// that as far as the system knows, and the next handler would overwrite it.
    pub(crate) fn run_undisturbed<R>(&self, action: impl FnOnce() -> R) -> R {
        let before = mask(Some(u64::MAX));
        let result = self.run(action);
        mask(Some(before));
        result
    }

    /// Executes an action on the stack; on the one of the caller without memory for it. The action
    /// must not panic. All signals must be blocked.
    pub(crate) fn run<R>(&self, action: impl FnOnce() -> R) -> R {
        match self.end() {
            0 => action(),
            end => run_at(end, action),
        }
    }

    /// Takes a stack that is free, or memory for one.
    pub(crate) fn take() -> Self {
        FREE.try_lock().ok().and_then(|mut free| free.pop()).unwrap_or_else(Self::mapped)
    }

    /// Gives the stack back.
    pub(crate) fn give_back(self) {
        // In a forked child another thread may have the lock for good.
        if self.end != 0
            && let Ok(mut free) = FREE.try_lock()
        {
            free.push(self);
        }
    }

    /// Executes an action on a stack that is free, with all signals blocked. The action must not
    /// panic.
    pub(crate) fn borrow<R>(action: impl FnOnce() -> R) -> R {
        let stack = Self::take();
        let result = stack.run_undisturbed(action);
        stack.give_back();
        result
    }

    /// Returns the stack with an end, which one of these had.
    pub(crate) fn with_end(end: usize) -> Self {
        Self { end }
    }

    /// Returns the address of its end; 0 without memory.
    pub(crate) fn end(&self) -> usize {
        self.end
    }
}

fn run_at<R, A: FnOnce() -> R>(end: usize, action: A) -> R {
    extern "C" fn execute<R, A: FnOnce() -> R>(place: *mut c_void) {
        // SAFETY: `run_at` passes this place, which nothing else uses meanwhile.
        let (action, result) = unsafe { &mut *place.cast::<(Option<A>, Option<R>)>() };
        *result = action.take().map(|action| action());
    }
    let mut place = (Some(action), None);
    // SAFETY: the end of a stack that this thread alone uses, and that is aligned to pages.
    unsafe { call_on_stack(end, execute::<R, A>, (&raw mut place).cast()) };
    place.1.unwrap_or_else(|| unreachable!("the action was executed"))
}

/// Calls a function with this argument on the stack with that end.
///
/// # Safety
///
/// The end must be aligned to 16 bytes, with a stack below it that nothing else uses.
#[cfg(target_arch = "x86_64")]
#[unsafe(naked)]
unsafe extern "C" fn call_on_stack(end: usize, function: extern "C" fn(*mut c_void), argument: *mut c_void) {
    std::arch::naked_asm!(
        ".cfi_startproc",
        "push rbp",
        ".cfi_def_cfa_offset 16",
        ".cfi_offset rbp, -16",
        "mov rbp, rsp",
        ".cfi_def_cfa_register rbp",
        "mov rsp, rdi",
        "mov rdi, rdx",
        "call rsi",
        "mov rsp, rbp",
        "pop rbp",
        ".cfi_def_cfa rsp, 8",
        "ret",
        ".cfi_endproc",
    )
}

/// Calls a function with this argument on the stack with that end.
///
/// # Safety
///
/// The end must be aligned to 16 bytes, with a stack below it that nothing else uses.
#[cfg(target_arch = "aarch64")]
#[unsafe(naked)]
unsafe extern "C" fn call_on_stack(end: usize, function: extern "C" fn(*mut c_void), argument: *mut c_void) {
    std::arch::naked_asm!(
        ".cfi_startproc",
        "stp x29, x30, [sp, #-16]!",
        ".cfi_def_cfa_offset 16",
        ".cfi_offset x29, -16",
        ".cfi_offset x30, -8",
        "mov x29, sp",
        ".cfi_def_cfa x29, 16",
        "mov sp, x0",
        "mov x0, x2",
        "blr x1",
        "mov sp, x29",
        "ldp x29, x30, [sp], #16",
        ".cfi_def_cfa sp, 0",
        "ret",
        ".cfi_endproc",
    )
}

#[cfg(test)]
mod tests {
    use super::{OwnStack, SIZE};

    #[test]
    fn an_action_runs_on_the_stack_and_returns_its_result() {
        let without = OwnStack::default();
        let stack = OwnStack::mapped();
        let place = || {
            let local = 0_u8;
            (&raw const local).addr()
        };
        let is_on_it = |place: usize| (stack.end().wrapping_sub(SIZE)..stack.end()).contains(&place);
        assert!(!is_on_it(without.run(place)));
        assert!(is_on_it(stack.run(place)) && !is_on_it(place()));
        let text = String::from("moved");
        assert_eq!(stack.run(|| text + " back"), "moved back");
    }
}
