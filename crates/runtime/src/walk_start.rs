//! Where a walk of the calling thread's stack begins, if not where it is asked for: what records an
//! event may be on another stack, or in a handler that has interrupted the call.

use crate::slots::CountKey;

/// The registers that a walk begins with.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Registers {
    pub(crate) address: u64,
    pub(crate) stack: u64,
    pub(crate) frame: u64,
    /// The address to which the function returns, on machines that keep it in a register.
    pub(crate) link: u64,
}

/// The address of the registers that the next walks begin with; 0 for those of the walk itself.
const START: CountKey<1> = CountKey;

impl Registers {
    /// Returns those of the caller.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(crate) fn here() -> Self {
        let (address, stack, frame): (u64, u64, u64);
        // SAFETY: only reads registers.
        unsafe {
            core::arch::asm!(
                "lea {address}, [rip]",
                "mov {stack}, rsp",
                "mov {frame}, rbp",
                address = out(reg) address,
                stack = out(reg) stack,
                frame = out(reg) frame,
                options(nomem, nostack, preserves_flags)
            );
        }
        Self { address, stack, frame, link: 0 }
    }

    /// Returns those of the caller.
    #[cfg(target_arch = "aarch64")]
    #[inline(always)]
    pub(crate) fn here() -> Self {
        let (address, link, stack, frame): (u64, u64, u64, u64);
        // SAFETY: only reads registers.
        unsafe {
            core::arch::asm!(
                "adr {address}, .",
                "mov {link}, x30",
                "mov {stack}, sp",
                "mov {frame}, x29",
                address = out(reg) address,
                link = out(reg) link,
                stack = out(reg) stack,
                frame = out(reg) frame,
                options(nomem, nostack, preserves_flags)
            );
        }
        Self { address, stack, frame, link }
    }

    /// Executes an action whose walks begin here. The function of the registers must not return
    /// meanwhile.
    pub(crate) fn as_start<R>(&self, action: impl FnOnce() -> R) -> R {
        let outer = START.of_thread();
        START.set_of_thread(std::ptr::from_ref(self).addr());
        let result = action();
        START.set_of_thread(outer);
        result
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
