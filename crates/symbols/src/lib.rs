//! Names, files and lines of functions: for addresses in the running process ([`Symbols`]), and for
//! a program file ([`Executable`]).
//!
//! The memory layout comes from `/proc/self/maps`, so shared libraries and those loaded by `dlopen`
//! are found without a hook. Names come from the debug information if there is any, in the file or
//! in a separate one (build id, `.gnu_debuglink`), else from the symbol table, or from a compressed
//! one in the file (`.gnu_debugdata`), if the feature `mini-debug-info` is enabled. Invariant: a
//! file is read when an address in it is first asked for; a file that cannot be read only has no
//! names.

#![forbid(unsafe_code)]

pub mod code_generator;
mod debug_file;
mod demangle;
mod executable;
mod maps;
mod markers;
#[cfg(feature = "mini-debug-info")]
mod mini_debug_info;
mod module;
pub mod placeholder;

use std::path::Path;
use std::sync::Arc;

pub use demangle::{simple_name, type_name};
pub use executable::{ENTER, Executable};
use maps::{FilePosition, Maps};
pub use maps::{Mapping, mappings};
pub use module::is_go;
use module::{Module, Modules};

/// The known properties of a function.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Function {
    /// The name in readable form, demangled.
    pub name: String,
    /// The mangled name, as the linker uses it.
    pub mangled: String,
    /// The source file.
    pub file: Option<String>,
    /// The line where the function begins; 0 if it is unknown.
    pub line: u32,
}

/// The known properties of an address in the running process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symbol {
    /// The program or shared library.
    pub module: Arc<Path>,
    /// The address in the file, which is the same in every run.
    pub offset: u64,
    /// The function, if the file has names.
    pub function: Option<Function>,
}

/// A call of a function that contains an instruction: of an inlined function, or of the one that
/// it was inlined into.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FunctionFrame {
    /// The function. For an inlined one the line where it begins is unknown.
    pub function: Function,
    /// The source file of the instruction in this function.
    pub file: Option<String>,
    /// The line of the instruction in this function; 0 if it is unknown.
    pub line: u32,
    /// The compiler has split this code off the function, which calls it.
    pub is_split_off: bool,
}

/// The known properties of an instruction in the running process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instruction {
    /// The program or shared library.
    pub module: Arc<Path>,
    /// The address in the file, which is the same in every run.
    pub offset: u64,
    /// The function that contains it; before it those that were inlined there, the innermost first.
    /// Empty if the file has no names there.
    pub frames: Vec<FunctionFrame>,
}

/// The names in a file, whether it is loaded or not.
#[derive(Debug)]
pub struct FileSymbols {
    module: Module,
    /// The symbols in the file that are compressed.
    #[cfg(feature = "mini-debug-info")]
    _symbols: Option<mini_debug_info::MiniDebugInfo>,
}

impl FileSymbols {
    /// Reads a program or shared library. Returns `None` if it cannot be read as one, or if it has
    /// another `build_id`; empty for any.
    pub fn read(path: &Path, build_id: &[u8]) -> Option<Self> {
        if !build_id.is_empty() && module::build_id(path).is_none_or(|other| other != build_id) {
            return None;
        }
        Self::load(path)
    }

    #[cfg(feature = "mini-debug-info")]
    fn load(path: &Path) -> Option<Self> {
        let symbols = mini_debug_info::MiniDebugInfo::of(path);
        let module = Module::load_with(path, symbols.as_ref().map(|symbols| symbols.path()))?;
        Some(Self { module, _symbols: symbols })
    }

    #[cfg(not(feature = "mini-debug-info"))]
    fn load(path: &Path) -> Option<Self> {
        Some(Self { module: Module::load(path)? })
    }

    /// Returns the functions that contain the instruction at an address in the file, the innermost
    /// first; none if the file has no names there.
    pub fn frames(&self, address: u64) -> Vec<FunctionFrame> {
        self.module.named_frames(address)
    }
}

/// A lookup of names by address in this process.
#[derive(Debug, Default)]
pub struct Symbols {
    maps: Maps,
    modules: Modules,
}

impl Symbols {
    /// Creates a lookup. Files are read only when an address in them is asked for.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the symbol at an address; `None` if no file is mapped there, as for code that was
    /// generated at run time.
    pub fn find(&mut self, address: u64) -> Option<Symbol> {
        let FilePosition { path, offset } = self.maps.find(address)?;
        let (offset, function) = self.modules.find(&path, offset)?;
        Some(Symbol { module: path, offset, function })
    }

    /// Returns the instruction at an address, with the functions that contain it; `None` as for
    /// [`Self::find`].
    pub fn instruction(&mut self, address: u64) -> Option<Instruction> {
        let FilePosition { path, offset } = self.maps.find(address)?;
        let (offset, frames) = self.modules.frames(&path, offset)?;
        Some(Instruction { module: path, offset, frames })
    }

    /// Forgets the memory layout. Must be called after a library was unloaded, as other code may be
    /// at its addresses.
    pub fn forget(&mut self) {
        self.maps = Maps::default();
    }
}
