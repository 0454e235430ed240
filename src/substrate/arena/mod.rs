//! The host's definition memory, read through layouts that are checked at every announcement
//! (docs/spec/scorep-substrate-abi.md, §14).
//!
//! All definitions of a process are in one block. A handle is an offset in it, and the address of a
//! string reveals where the block starts. The public getters return some details of some kinds of
//! definitions; this module returns all details of all kinds. No layout is part of an interface, so
//! [`Arena::check`] compares each announced definition with the results of the getters. The first
//! difference switches the arena off permanently, and every reader returns `None` from then on.
//!
//! Nothing here allocates, locks, faults or changes `errno`, so it can be used in signal handlers.
//! A handle is never followed beyond the memory that is known to be mapped, which also bounds
//! counts and linked lists. After `write_data` definitions no longer exist and every reader returns
//! `None`; copy the required data before.

mod check;
mod composite;
mod facts;
mod fields;
mod kinds;
mod maps;
mod memory;
#[cfg(test)]
mod tests;

use core::ffi::CStr;
use core::sync::atomic::{
    AtomicU8, AtomicU32,
    Ordering::{Acquire, Release},
};

pub use check::{Check, Mismatch};
pub use composite::*;
pub use facts::{
    CallingContext, CartesianCoords, CartesianTopology, Communicator, Group, InterimCommunicator,
    InterruptGenerator, IoFile, IoFileProperty, IoHandle, IoParadigm, Location, LocationGroup,
    LocationProperty, Metric, OpenmpPayload, Paradigm, Parameter, Region, RmaWindow, SamplingSetRecorder,
    ShmemPayload, SourceCodeLocation, SourceFile, SystemTreeNode, SystemTreeNodeProperty,
};
pub use fields::{AnyCommunicator, Dimension, Field, Handle, List, Numbered};
pub use kinds::*;

use self::check::Numbers;
use self::fields::{HEADER, SEQUENCE_NUMBER, UNIFIED};
use self::memory::Memory;
use crate::handles::StringHandle;

/// The offset of the length word of a string (docs/spec/scorep-substrate-abi.md, §14.3).
const TEXT_LENGTH: usize = 20;
/// The offset of the text of a string.
const TEXT: usize = 24;

/// The generation of the layouts of the host's definitions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Generation {
    /// Not known yet, because no location was announced.
    Unknown,
    /// The layouts of Score-P 6.0 and 7.x.
    UpTo7,
    /// The layouts of Score-P 8.0 and later.
    From8,
}

/// The definition memory of the host of this process.
#[derive(Debug)]
pub struct Arena {
    memory: Memory,
    generation: AtomicU8,
    /// The first announced location group, or 0 before its announcement.
    location_group: AtomicU32,
    numbers: Numbers,
}

impl Arena {
    /// Creates an arena before the first announcement.
    #[allow(clippy::new_without_default)]
    pub const fn new() -> Self {
        Self::listed_by(memory::listed)
    }

    const fn listed_by(list: memory::List) -> Self {
        Self {
            memory: Memory::new(list),
            generation: AtomicU8::new(Generation::Unknown as u8),
            location_group: AtomicU32::new(0),
            numbers: Numbers::new(),
        }
    }

    /// Whether no check has failed so far.
    pub fn is_on(&self) -> bool {
        self.memory.is_on()
    }

    /// Switches the arena off permanently. Returns whether it was on.
    pub fn switch_off(&self) -> bool {
        self.memory.switch_off()
    }

    /// The generation of the host's layouts, which is known from the announcement of the first
    /// location on. It does not change when the arena is switched off.
    pub fn generation(&self) -> Generation {
        match self.generation.load(Acquire) {
            generation if generation == Generation::UpTo7 as u8 => Generation::UpTo7,
            generation if generation == Generation::From8 as u8 => Generation::From8,
            _ => Generation::Unknown,
        }
    }

    /// The process-local number of a definition: 0, 1, 2, … per kind in the order of definition.
    pub fn sequence(&self, handle: impl Numbered) -> Option<u32> {
        self.memory.record(handle.raw(), HEADER)?.u32(SEQUENCE_NUMBER)
    }

    /// The definition that unification made from another one, or `None` before `write_data`.
    ///
    /// The result for an interim communicator is the final communicator of this process, which
    /// refers to the groups of its members. These are local definitions with local numbers; groups
    /// are announced as such, final communicators are reachable only here. For all other kinds, and
    /// for final communicators, the unified definition belongs to the whole job, and a recording
    /// may lack it.
    pub fn unified<H: Numbered>(&self, handle: H) -> Option<H::Unified> {
        let unified: H::Unified = self.memory.record(handle.raw(), HEADER)?.handle(UNIFIED)?;
        (unified.raw() != 0).then_some(unified)
    }

    /// The text of a string.
    pub fn string(&self, handle: StringHandle) -> Option<&CStr> {
        let length = self.memory.record(handle.raw(), TEXT)?.u32(TEXT_LENGTH)? as usize;
        let size = length.checked_add(1)?;
        let record = self.memory.record(handle.raw(), TEXT.checked_add(size)?)?;
        CStr::from_bytes_with_nul(record.text(TEXT, size)?).ok()
    }

    fn set_generation(&self, generation: Generation) {
        self.generation.store(generation as u8, Release);
    }
}
