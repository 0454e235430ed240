//! The files whose code stacks lead through, and places in them.
//!
//! Invariants: a file has one number for the life of the process, however often it is loaded; files
//! are never freed; handlers find a file by its number without a lock.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::*};

use kymo_substrate::bindings::SCOREP_PARADIGM_SAMPLING;
use kymo_symbols::placeholder::{self, FramePart};
use once_cell::race::OnceRef;

use super::python::FunctionNumber;
use crate::adapters::lazy_handle::LazyHandle;
use crate::definitions::{CodeDefinition, DefinitionStore};
use crate::plugins::own_file;
use crate::processes::has_allocator;

/// The number of files with a number. Code of more files counts as code of no file.
const MOST: usize = 1 << 12;
/// The size of the code with which a program begins, which calls its first function, at most.
const START: u64 = 64;
/// The bits of an address.
const ADDRESS: u32 = 48;
/// The number that marks functions of Python. Numbers of files are less.
const PYTHON: u64 = u16::MAX as u64;
/// The bits of a line.
const LINE: u32 = 24;

static FILES: [OnceRef<'static, CodeFile>; MOST] = [const { OnceRef::new() }; MOST];
static COUNT: AtomicUsize = AtomicUsize::new(0);

/// An address in a file with code, that of code in memory that no file contains, or a line of a
/// function of Python.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CodePosition(u64);

impl CodePosition {
    /// Code at no address.
    pub(super) const NONE: Self = Self(0);
    /// Code that has called other code, of which nothing else is known.
    pub(super) const UNKNOWN_CALLER: Self = Self((1 << ADDRESS) - 1);

    /// Code that no file contains.
    pub(super) fn in_memory(address: u64) -> Self {
        Self(address & ((1 << ADDRESS) - 1))
    }

    /// A line of a function of Python.
    pub(super) fn in_python(function: FunctionNumber, line: u32) -> Self {
        let line = line.min((1 << LINE) - 1);
        Self(PYTHON << ADDRESS | u64::from(function.0) << LINE | u64::from(line))
    }

    /// Returns the function of Python and the line, if it is such a position.
    pub(super) fn python(self) -> Option<(FunctionNumber, u32)> {
        let (function, line) = (self.address() >> LINE, self.0 & ((1 << LINE) - 1));
        (self.0 >> ADDRESS == PYTHON).then_some((FunctionNumber(function as u32), line as u32))
    }

    /// Returns the position with this number.
    pub(super) fn from_number(number: u64) -> Self {
        Self(number)
    }

    /// Returns the number of the position, which no other one has.
    pub(super) fn number(self) -> u64 {
        self.0
    }

    /// Returns the address, in the file if there is one.
    pub(super) fn address(self) -> u64 {
        self.0 & ((1 << ADDRESS) - 1)
    }

    /// Returns the file, unless it is code that no file contains.
    pub(super) fn file(self) -> Option<&'static CodeFile> {
        CodeFile::of_number((self.0 >> ADDRESS) as usize)
    }

    pub(super) fn role(self) -> CodeRole {
        self.file().map_or(CodeRole::Program, |file| file.role_at(self.address()))
    }
}

/// The role of code in calling contexts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CodeRole {
    /// Code of the program.
    Program,
    /// Code that can start the program or a thread.
    Starter,
    /// Code of this library.
    Runtime,
}

/// A file with code.
#[derive(Debug)]
pub(super) struct CodeFile {
    number: usize,
    path: Arc<Path>,
    /// The identity of its content; empty if it has none.
    build_id: Box<[u8]>,
    /// The address of its first instruction; 0 for a library.
    entry: u64,
    role: CodeRole,
    /// The definitions of its path and of the placeholders; 0 until they are needed.
    name: LazyHandle,
    regions: [LazyHandle; FramePart::COUNT],
}

impl CodeFile {
    /// Returns the file with this path and content, which gets a number if it has none. Callers
    /// exclude each other. Returns `None` if there is no number for it.
    pub(super) fn numbered(path: &Arc<Path>, build_id: &[u8], entry: u64) -> Option<&'static Self> {
        let is_same = |file: &&Self| (&*file.path, &*file.build_id) == (&**path, build_id);
        if let Some(known) = Self::all().find(is_same) {
            return Some(known);
        }
        // Number 0 is no file.
        let number = COUNT.load(Relaxed) + 1;
        let place = FILES.get(number)?;
        let file = Box::leak(Box::new(Self {
            number,
            path: Arc::clone(path),
            build_id: build_id.into(),
            entry,
            role: role_of(path),
            name: LazyHandle::new(),
            regions: [const { LazyHandle::new() }; FramePart::COUNT],
        }));
        // Callers exclude each other, so the place is free.
        let _ = place.set(file);
        COUNT.store(number, Release);
        Some(file)
    }

    fn all() -> impl Iterator<Item = &'static Self> {
        (1..=COUNT.load(Acquire)).filter_map(Self::of_number)
    }

    fn of_number(number: usize) -> Option<&'static Self> {
        FILES.get(number)?.get()
    }

    /// Returns the position at an address in the file.
    pub(super) fn position(&self, address: u64) -> CodePosition {
        CodePosition((self.number as u64) << ADDRESS | CodePosition::in_memory(address).0)
    }

    fn role_at(&self, address: u64) -> CodeRole {
        let is_start = self.entry != 0 && (self.entry..self.entry + START).contains(&address);
        if is_start { CodeRole::Starter } else { self.role }
    }

    /// Returns the definition of the file's path.
    pub(super) fn path(&self, definitions: &DefinitionStore) -> u32 {
        self.name.get(|| definitions.string(self.path.as_os_str().as_encoded_bytes()))
    }

    /// Returns the region that stands for functions of the file until they are known.
    pub(super) fn region(&self, definitions: &DefinitionStore, part: FramePart) -> u32 {
        self.regions[part.number()].get(|| {
            let name = self.path.file_name().unwrap_or(self.path.as_os_str());
            definitions.code(&CodeDefinition {
                name: &[b"[", name.as_encoded_bytes(), b"]"].concat(),
                canonical: part.name().as_bytes(),
                description: placeholder::identity(&self.build_id).as_bytes(),
                paradigm: SCOREP_PARADIGM_SAMPLING,
            })
        })
    }
}

fn role_of(path: &Path) -> CodeRole {
    match own_file() {
        Some(own) if own == path => CodeRole::Runtime,
        _ if has_allocator(path) => CodeRole::Starter,
        _ => CodeRole::Program,
    }
}
