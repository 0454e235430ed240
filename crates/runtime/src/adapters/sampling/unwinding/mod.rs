//! Walks of stacks: who has called whom, up to an instruction.
//!
//! The unwind information of each file is read in place. [`rule`] covers most calls, [`evaluation`]
//! all others, with [`registers`] for both; where a file has none, the instructions themselves tell
//! it ([`bare_code`]). [`walker`] goes from call to call. Invariant: nothing here knows the loaded
//! files, nor the purpose of a walk; those are a [`CodeSource`]'s and the caller's.

#[cfg(target_arch = "x86_64")]
mod bare_code;
mod code;
mod evaluation;
mod information;
mod registers;
mod rule;
mod walker;

#[cfg(all(test, target_arch = "x86_64"))]
mod tests;

pub(super) use self::information::UnwindInformation;
pub(super) use self::registers::{AllRegisters, FrameRegisters};
pub(super) use self::walker::{Cache, CodeSource, KnownCode, WalkEnd, Walker};
