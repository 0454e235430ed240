//! Where a walk of the calling thread's stack begins, if not where it is asked for: the function
//! that records an event may be on another stack, or in a handler that has interrupted the call.

use crate::slots::CountKey;

/// The number of registers, besides the frame pointer, that functions return with as they were.
#[cfg(target_arch = "x86_64")]
pub(crate) const KEPT: usize = 5;
#[cfg(target_arch = "aarch64")]
pub(crate) const KEPT: usize = 10;

/// The registers that a walk begins with.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Registers {
    pub(crate) address: u64,
    pub(crate) stack: u64,
    pub(crate) frame: u64,
    /// The address to which the function returns, on machines that keep it in a register.
    pub(crate) link: u64,
    /// `rbx` and `r12` to `r15`, or `x19` to `x28`.
    pub(crate) kept: [u64; KEPT],
}

/// The address of the registers that the next walks begin with; 0 for those of the walk itself.
const START: CountKey<1> = CountKey;

/// The start of walks around an action, which is put back even if that panics.
struct OuterStart(usize);

impl Drop for OuterStart {
    fn drop(&mut self) {
        START.set_of_thread(self.0);
    }
}

impl Registers {
    /// Returns those of the caller.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(crate) fn here() -> Self {
        let (address, stack, frame): (u64, u64, u64);
        let mut kept = [0; KEPT];
        // SAFETY: only reads registers, and writes the array.
        unsafe {
            core::arch::asm!(
                "mov [{kept}], rbx",
                "mov [{kept} + 8], r12",
                "mov [{kept} + 16], r13",
                "mov [{kept} + 24], r14",
                "mov [{kept} + 32], r15",
                "lea {address}, [rip]",
                "mov {stack}, rsp",
                "mov {frame}, rbp",
                kept = in(reg) &raw mut kept,
                address = lateout(reg) address,
                stack = lateout(reg) stack,
                frame = lateout(reg) frame,
                options(nostack, preserves_flags)
            );
        }
        Self { address, stack, frame, link: 0, kept }
    }

    /// Returns those of the caller.
    #[cfg(target_arch = "aarch64")]
    #[inline(always)]
    pub(crate) fn here() -> Self {
        let (address, link, stack, frame): (u64, u64, u64, u64);
        let mut kept = [0; KEPT];
        // SAFETY: only reads registers, and writes the array.
        unsafe {
            core::arch::asm!(
                "stp x19, x20, [{kept}]",
                "stp x21, x22, [{kept}, #16]",
                "stp x23, x24, [{kept}, #32]",
                "stp x25, x26, [{kept}, #48]",
                "stp x27, x28, [{kept}, #64]",
                "adr {address}, .",
                "mov {link}, x30",
                "mov {stack}, sp",
                "mov {frame}, x29",
                kept = in(reg) &raw mut kept,
                address = lateout(reg) address,
                link = lateout(reg) link,
                stack = lateout(reg) stack,
                frame = lateout(reg) frame,
                options(nostack, preserves_flags)
            );
        }
        Self { address, stack, frame, link, kept }
    }

    /// Executes an action whose walks begin here. The function of the registers must not return
    /// meanwhile.
    pub(crate) fn as_start<R>(&self, action: impl FnOnce() -> R) -> R {
        let _outer = OuterStart(START.of_thread());
        START.set_of_thread(std::ptr::from_ref(self).addr());
        action()
    }
}

/// Returns the registers that a walk begins with: those of the caller, unless it is in
/// [`Registers::as_start`].
#[inline(always)]
pub(crate) fn start() -> Registers {
    let start = START.of_thread() as *const Registers;
    if start.is_null() {
        return Registers::here();
    }
    // SAFETY: `as_start` has set it, on this thread, and has not returned.
    unsafe { *start }
}
