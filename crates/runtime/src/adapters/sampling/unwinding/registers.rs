//! The registers of a call that is under way.

use gimli::Register;

use crate::walk_start::Registers;

/// The number of registers that unwind information names, from register 0 on.
#[cfg(target_arch = "x86_64")]
const COUNT: usize = 17;
#[cfg(target_arch = "aarch64")]
const COUNT: usize = 33;

#[cfg(target_arch = "x86_64")]
pub(super) mod number {
    //! The numbers of registers in the platform's ABI.

    use gimli::{Register, X86_64};

    pub(in super::super) const STACK: Register = X86_64::RSP;
    pub(in super::super) const FRAME: Register = X86_64::RBP;
    /// The address of the instruction; in a rule, the address to which the function returns.
    pub(in super::super) const ADDRESS: Register = X86_64::RA;
    /// The registers that a function returns with as they were.
    pub(in super::super) const KEPT: [Register; 6] =
        [X86_64::RBX, X86_64::RBP, X86_64::R12, X86_64::R13, X86_64::R14, X86_64::R15];
}

#[cfg(target_arch = "aarch64")]
pub(super) mod number {
    //! The numbers of registers in the platform's ABI.

    use gimli::{AArch64, Register};

    pub(in super::super) const STACK: Register = AArch64::SP;
    pub(in super::super) const FRAME: Register = AArch64::X29;
    /// The address of the instruction.
    pub(in super::super) const ADDRESS: Register = Register(32);
    /// The address to which a function returns.
    pub(in super::super) const LINK: Register = AArch64::X30;
    /// The registers that a function returns with as they were.
    pub(in super::super) const KEPT: [Register; 12] = [
        AArch64::X19,
        AArch64::X20,
        AArch64::X21,
        AArch64::X22,
        AArch64::X23,
        AArch64::X24,
        AArch64::X25,
        AArch64::X26,
        AArch64::X27,
        AArch64::X28,
        AArch64::X29,
        AArch64::X30,
    ];
}

/// The registers that a walk follows from call to call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) struct FrameRegisters {
    /// The instruction that is executed, or to which the function called from here returns.
    pub(in super::super) address: u64,
    /// It is the instruction that is executed.
    pub(in super::super) is_exact: bool,
    pub(in super::super) stack: u64,
    pub(in super::super) frame: u64,
    /// The register with the address to which the function returns; 0 on machines without one.
    pub(in super::super) link: u64,
}

impl FrameRegisters {
    /// Returns an address in the instruction that is executed, a call unless it is the innermost.
    pub(in super::super) fn instruction(&self) -> u64 {
        self.address.wrapping_sub(u64::from(!self.is_exact))
    }
}

/// All registers whose values are known.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct AllRegisters {
    values: [u64; COUNT],
    /// A bit for each one.
    known: u64,
    is_exact: bool,
}

impl AllRegisters {
    pub(super) fn none(is_exact: bool) -> Self {
        Self { values: [0; COUNT], known: 0, is_exact }
    }

    /// Returns those of interrupted code.
    #[cfg(target_arch = "x86_64")]
    pub(in super::super) fn interrupted(context: &libc::ucontext_t) -> Self {
        let machine = &context.uc_mcontext.gregs;
        Self::of_machine(|number| machine.get(number as usize).map(|value| value.cast_unsigned()))
    }

    /// Returns those of interrupted code.
    #[cfg(target_arch = "aarch64")]
    pub(in super::super) fn interrupted(context: &libc::ucontext_t) -> Self {
        let machine = &context.uc_mcontext;
        let mut this = Self::none(true);
        (0..).zip(machine.regs).for_each(|(number, value)| this.set(Register(number), value));
        this.set(number::STACK, machine.sp);
        this.set(number::ADDRESS, machine.pc);
        this
    }

    /// Returns those that the system has stored at an address, for a handler that returns.
    #[cfg(target_arch = "x86_64")]
    pub(super) fn stored(context: u64, read: &mut impl FnMut(u64) -> Result<u64, ()>) -> Self {
        use std::mem::offset_of;
        let start = offset_of!(libc::ucontext_t, uc_mcontext) + offset_of!(libc::mcontext_t, gregs);
        Self::of_machine(|number| {
            let place = start + number as usize * size_of::<libc::greg_t>();
            read(context.checked_add(place as u64)?).ok()
        })
    }

    /// Such code is in the vDSO, which has unwind information.
    #[cfg(target_arch = "aarch64")]
    pub(super) fn stored(_: u64, _: &mut impl FnMut(u64) -> Result<u64, ()>) -> Self {
        Self::none(true)
    }

    /// Returns those in the order of the system.
    #[cfg(target_arch = "x86_64")]
    fn of_machine(mut value: impl FnMut(libc::c_int) -> Option<u64>) -> Self {
        use libc::{
            REG_R8, REG_R9, REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15, REG_RAX, REG_RBP, REG_RBX,
            REG_RCX, REG_RDI, REG_RDX, REG_RIP, REG_RSI, REG_RSP,
        };
        const NUMBERS: [libc::c_int; COUNT] = [
            REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_R8, REG_R9, REG_R10,
            REG_R11, REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP,
        ];
        let mut this = Self::none(true);
        for (register, number) in (0..).zip(NUMBERS) {
            if let Some(value) = value(number) {
                this.set(Register(register), value);
            }
        }
        this
    }

    /// Returns those with which the walk of an event begins.
    #[cfg(target_arch = "x86_64")]
    pub(in super::super) fn at(start: &Registers) -> Self {
        use gimli::X86_64;
        let mut this = Self::none(true);
        let places = [X86_64::RBX, X86_64::R12, X86_64::R13, X86_64::R14, X86_64::R15];
        places.into_iter().zip(start.kept).for_each(|(register, value)| this.set(register, value));
        this.set(number::FRAME, start.frame);
        this.set(number::STACK, start.stack);
        this.set(number::ADDRESS, start.address);
        this
    }

    /// Returns those with which the walk of an event begins.
    #[cfg(target_arch = "aarch64")]
    pub(in super::super) fn at(start: &Registers) -> Self {
        let mut this = Self::none(true);
        number::KEPT.into_iter().zip(start.kept).for_each(|(register, value)| this.set(register, value));
        this.set(number::FRAME, start.frame);
        this.set(number::LINK, start.link);
        this.set(number::STACK, start.stack);
        this.set(number::ADDRESS, start.address);
        this
    }

    pub(super) fn get(&self, register: Register) -> Option<u64> {
        let number = usize::from(register.0);
        let value = *self.values.get(number)?;
        (self.known >> number & 1 != 0).then_some(value)
    }

    pub(super) fn set(&mut self, register: Register, value: u64) {
        let number = usize::from(register.0);
        if let Some(place) = self.values.get_mut(number) {
            *place = value;
            self.known |= 1 << number;
        }
    }

    pub(super) fn forget(&mut self, register: Register) {
        self.known &= !(1_u64 << (register.0 & 63));
    }

    /// Returns those that a walk follows. Unknown ones are 0, an address that no stack has.
    pub(in super::super) fn of_frame(&self) -> FrameRegisters {
        let value = |register| self.get(register).unwrap_or(0);
        #[cfg(target_arch = "aarch64")]
        let link = value(number::LINK);
        #[cfg(target_arch = "x86_64")]
        let link = 0;
        FrameRegisters {
            address: value(number::ADDRESS),
            is_exact: self.is_exact,
            stack: value(number::STACK),
            frame: value(number::FRAME),
            link,
        }
    }
}

impl From<&FrameRegisters> for AllRegisters {
    fn from(registers: &FrameRegisters) -> Self {
        let mut this = Self::none(registers.is_exact);
        this.set(number::FRAME, registers.frame);
        this.set(number::STACK, registers.stack);
        this.set(number::ADDRESS, registers.address);
        #[cfg(target_arch = "aarch64")]
        this.set(number::LINK, registers.link);
        this
    }
}
