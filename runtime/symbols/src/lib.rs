//! Names, files and lines of functions: of addresses in the running process ([`Symbols`]), and of a program file ([`Program`]).
//!
//! What lies where comes from `/proc/self/maps`, so shared libraries and what `dlopen` loaded are known without a hook. Names come
//! from the debug information if there is any, in the file or beside it (build id, `.gnu_debuglink`), else from the symbol table.
//! Invariant: a file is read when an address in it is first asked for, and one that cannot be read has no names, nothing more.

#![forbid(unsafe_code)]

mod debug_file;
mod demangle;
mod maps;
mod module;
mod program;

use std::path::Path;
use std::sync::Arc;

use maps::{Maps, Place};
use module::Modules;
pub use program::{ENTER, Program};

/// A function, as far as it is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Function {
    /// As people read it: demangled.
    pub name: String,
    /// As the linker knows it.
    pub mangled: String,
    /// Source file.
    pub file: Option<String>,
    /// Line where it begins; 0 is unknown.
    pub line: u32,
}

/// What is known of an address of the running process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symbol {
    /// The program or shared library.
    pub module: Arc<Path>,
    /// Address as the file has it, which is the same in every run.
    pub offset: u64,
    /// The function, if the file has names.
    pub function: Option<Function>,
}

/// Names of the addresses of this process.
#[derive(Debug, Default)]
pub struct Symbols {
    maps: Maps,
    modules: Modules,
}

impl Symbols {
    /// Nothing is read before it is asked for.
    pub fn new() -> Self {
        Self::default()
    }

    /// What is known of an address. None if no file is mapped there, as with code that was made at run time.
    pub fn find(&mut self, address: u64) -> Option<Symbol> {
        let Place { path, offset } = self.maps.find(address)?;
        let (offset, function) = self.modules.find(&path, offset)?;
        Some(Symbol { module: path, offset, function })
    }

    /// Forgets what is mapped where: something was unloaded, and something else may lie there next.
    pub fn forget(&mut self) {
        self.maps = Maps::default();
    }
}
