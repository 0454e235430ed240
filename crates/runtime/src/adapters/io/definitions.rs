//! The definitions of input and output: paradigms, files and handles, in the layout of Score-P 8.4
//! (docs/spec/scorep-substrate-abi.md, §14.3). MPI's files have them, too.

use kymo_substrate::bindings::*;

use crate::arena::Arena;
use crate::definitions::{DefinitionBody, DefinitionStore, body_part};

const NAME: usize = 20;
const FILE: usize = 24;
const KEY: usize = 44;
/// The part that identifies a handle which is open at most once at a time.
const IDENTITY: core::ops::Range<usize> = 20..48;

/// The flags of a handle that exists at the start, and of one that represents several others.
pub(crate) const PRE_CREATED: u32 = 1;
pub(crate) const ALL_PROXY: u32 = 2;

/// The properties of a paradigm to be defined.
#[derive(Debug, Clone, Copy)]
pub(crate) struct IoParadigm {
    pub(crate) paradigm_type: u32,
    /// 0 serial, 1 parallel.
    pub(crate) class: u32,
    pub(crate) identification: &'static str,
    pub(crate) name: &'static str,
    /// 1: of the operating system.
    pub(crate) flags: u32,
}

/// The properties of a handle to be defined.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct IoHandle<'a> {
    /// Usually empty: the file has a name.
    pub(crate) name: &'a [u8],
    pub(crate) file: u32,
    pub(crate) paradigm: u32,
    pub(crate) flags: u32,
    pub(crate) communicator: u32,
    /// The handle that uses this one.
    pub(crate) parent: u32,
    pub(crate) key: u32,
    /// Of a handle that exists at the start.
    pub(crate) access: u32,
    pub(crate) status: u32,
}

impl DefinitionStore {
    /// Defines a paradigm, whose number is that among its kind.
    pub(crate) fn io_paradigm(&self, paradigm: &IoParadigm) {
        let (identification, name) =
            (self.string(paradigm.identification.as_bytes()), self.string(paradigm.name.as_bytes()));
        let number = self.lock().next_number(SCOREP_HANDLE_TYPE_IO_PARADIGM);
        self.define_headless(SCOREP_HANDLE_TYPE_IO_PARADIGM, 48, |arena: &Arena, handle| {
            arena.set_word(handle, 0, number);
            arena.set_word(handle, 16, paradigm.paradigm_type);
            arena.set_word(handle, 20, paradigm.class);
            arena.set_word(handle, 24, identification);
            arena.set_word(handle, 28, name);
            arena.set_double(handle, 32, arena.address(name, 24).addr() as u64);
            arena.set_word(handle, 40, paradigm.flags);
        });
    }

    pub(crate) fn io_file(&self, name: &[u8]) -> u32 {
        let name = self.string(name);
        self.one(SCOREP_HANDLE_TYPE_IO_FILE, &DefinitionBody::of(40).word(NAME, name))
    }

    fn io_handle_body(&self, handle: &IoHandle<'_>) -> DefinitionBody {
        let name = self.string(handle.name);
        DefinitionBody::of(64)
            .word(NAME, name)
            .word(FILE, handle.file)
            .word(28, handle.paradigm)
            .word(32, handle.flags)
            .word(36, handle.communicator)
            .word(40, handle.parent)
            .word(KEY, handle.key)
            .word(48, handle.access)
            .word(52, handle.status)
            .bytes(56, &[1])
    }

    /// Defines a handle that is different from every other one.
    pub(crate) fn io_handle(&self, handle: &IoHandle<'_>) -> u32 {
        self.own(SCOREP_HANDLE_TYPE_IO_HANDLE, &self.io_handle_body(handle))
    }

    /// Defines a handle whose file, key and so on are those of one handle at a time: a handle that
    /// was destroyed and is created again has one definition.
    pub(crate) fn io_handle_again(&self, handle: &IoHandle<'_>) -> u32 {
        self.define(SCOREP_HANDLE_TYPE_IO_HANDLE, self.io_handle_body(handle).all(), &[body_part(IDENTITY)])
    }

    /// Returns the file of a handle.
    pub(crate) fn file_of(&self, handle: u32) -> u32 {
        self.arena.word(handle, FILE)
    }

    /// Returns the key of a handle.
    pub(crate) fn key_of(&self, handle: u32) -> u32 {
        self.arena.word(handle, KEY)
    }

    /// Returns the name of a handle.
    pub(crate) fn io_handle_name(&self, handle: u32) -> Vec<u8> {
        let name = self.arena.word(handle, NAME);
        self.arena.bytes(name, 24, self.arena.word(name, 20) as usize).to_vec()
    }
}
