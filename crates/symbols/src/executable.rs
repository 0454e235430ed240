//! A program file or shared library that is not running: its imports, and which of its functions
//! are instrumented.
//!
//! A function is instrumented if its code calls [`ENTER`]. Where the code is not understood
//! (machines other than x86-64), every function counts as instrumented if the file imports
//! [`ENTER`]. Invariant: nothing in the file is executed.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};

use object::read::elf::ElfFile64;
use object::{Architecture, Endianness, Object, ObjectSection, ObjectSymbol, RelocationTarget, SectionKind};

use super::module::Module;
use super::{Function, debug_file};

/// The function that compilers call at the start of an instrumented function.
pub const ENTER: &str = "__cyg_profile_func_enter";

/// A program file in memory.
pub struct Executable {
    path: PathBuf,
    data: Vec<u8>,
}

type File<'a> = ElfFile64<'a, Endianness>;

impl fmt::Debug for Executable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Executable").field("path", &self.path).finish_non_exhaustive()
    }
}

impl Executable {
    /// Reads a file.
    pub fn read(path: &Path) -> std::io::Result<Self> {
        Ok(Self { path: path.to_owned(), data: std::fs::read(path)? })
    }

    fn file(&self) -> Option<File<'_>> {
        File::parse(&*self.data).ok()
    }

    /// Returns the names of the symbols that other files must define.
    pub fn imports(&self) -> BTreeSet<String> {
        let Some(file) = self.file() else { return BTreeSet::new() };
        let imports = file.dynamic_symbols().filter(|symbol| symbol.is_undefined());
        imports.filter_map(|symbol| Some(symbol.name().ok()?.to_owned())).collect()
    }

    /// Returns whether the file itself defines a symbol of this name.
    pub fn defines(&self, name: &str) -> bool {
        self.file().is_some_and(|file| {
            let symbols = file.symbols().chain(file.dynamic_symbols());
            symbols.into_iter().any(|symbol| symbol.is_definition() && symbol.name() == Ok(name))
        })
    }

    /// Returns the language in which the program, or a part of it, is written, if locks in that
    /// language do not use the functions of POSIX threads.
    pub fn language_with_own_locks(&self) -> Option<&'static str> {
        let file = self.file()?;
        let section = |name: &str| file.section_by_name(name);
        let comment = section(".comment").and_then(|it| it.data().ok()).unwrap_or_default();
        let rust = b"rustc version ";
        if comment.windows(rust.len()).any(|part| part == rust) {
            return Some("Rust");
        }
        section(".go.buildinfo").map(|_| "Go")
    }

    /// Returns whether the file, or a separate debug file, contains debug information.
    pub fn has_debug_information(&self) -> bool {
        let has_own = self.file().is_some_and(|file| file.section_by_name(".debug_info").is_some());
        has_own || debug_file::of(&self.path).is_some()
    }

    /// Returns whether the file, or a separate debug file, contains the names of its functions.
    pub fn has_names(&self) -> bool {
        self.file().is_some_and(|file| file.symbols().next().is_some())
            || debug_file::of(&self.path).is_some()
    }

    /// Returns the instrumented functions in the order of their addresses.
    pub fn instrumented(&self) -> Vec<Function> {
        let (Some(file), Some(module)) = (self.file(), Module::load(&self.path)) else { return Vec::new() };
        let addresses = instrumented(&file, &functions(&file, &self.path));
        addresses.into_iter().filter_map(|address| module.function(address)).collect()
    }
}

/// Returns start and size of each function.
fn functions(file: &File<'_>, path: &Path) -> BTreeMap<u64, u64> {
    let mut functions = functions_of(file);
    if let Some(data) = debug_file::of(path).and_then(|path| std::fs::read(path).ok())
        && let Ok(file) = File::parse(&*data)
    {
        functions.extend(functions_of(&file));
    }
    functions
}

fn functions_of(file: &File<'_>) -> BTreeMap<u64, u64> {
    let symbols = file.symbols().chain(file.dynamic_symbols());
    let functions =
        symbols.filter(|symbol| symbol.is_definition() && symbol.kind() == object::SymbolKind::Text);
    functions.map(|symbol| (symbol.address(), symbol.size())).filter(|&(_, size)| size > 0).collect()
}

fn instrumented(file: &File<'_>, functions: &BTreeMap<u64, u64>) -> Vec<u64> {
    let slots = slots(file);
    if slots.is_empty() {
        return Vec::new();
    }
    if file.architecture() != Architecture::X86_64 {
        return functions.keys().copied().collect();
    }
    let calls = ImportedCalls { targets: stubs(file, &slots), slots };
    let code = || file.sections().filter(|section| section.kind() == SectionKind::Text);
    let calls_it = |&(&begin, &size): &(&u64, &u64)| {
        code().any(|section| {
            section.data_range(begin, size).ok().flatten().is_some_and(|code| calls.are_in(begin, code))
        })
    };
    functions.iter().filter(calls_it).map(|(&begin, _)| begin).collect()
}

/// Returns the addresses of the words that the loader fills in with the address of [`ENTER`].
fn slots(file: &File<'_>) -> BTreeSet<u64> {
    let is_enter = |target| match target {
        RelocationTarget::Symbol(index) => {
            let symbol = file.dynamic_symbol_table().and_then(|table| {
                use object::ObjectSymbolTable;
                table.symbol_by_index(index).ok()
            });
            symbol.is_some_and(|symbol| symbol.name() == Ok(ENTER))
        }
        _ => false,
    };
    let relocations = file.dynamic_relocations().into_iter().flatten();
    relocations.filter(|(_, relocation)| is_enter(relocation.target())).map(|(slot, _)| slot).collect()
}

/// Returns the addresses to which calls through the procedure linkage table jump: that of the jump
/// through a slot, and those of an instruction and a prefix that may precede it (`endbr64`, `bnd`).
fn stubs(file: &File<'_>, slots: &BTreeSet<u64>) -> BTreeSet<u64> {
    let tables = file.sections().filter(|it| it.name().is_ok_and(|name| name.starts_with(".plt")));
    let mut stubs = BTreeSet::new();
    for table in tables {
        let Ok(code) = table.data() else { continue };
        let jumps = operands(table.address(), code, [0xFF, 0x25]).filter(|&(_, slot)| slots.contains(&slot));
        stubs.extend(jumps.flat_map(|(jump, _)| [0, 1, 4, 5].map(|before| jump.wrapping_sub(before))));
    }
    stubs
}

/// The targets that identify a call of [`ENTER`].
struct ImportedCalls {
    targets: BTreeSet<u64>,
    slots: BTreeSet<u64>,
}

impl ImportedCalls {
    fn are_in(&self, begin: u64, code: &[u8]) -> bool {
        operands(begin, code, [0xE8]).any(|(_, target)| self.targets.contains(&target))
            || operands(begin, code, [0xFF, 0x15]).any(|(_, slot)| self.slots.contains(&slot))
    }
}

/// Returns, for each occurrence of these operation bytes, its address and the address to which the
/// next four bytes refer. Some occurrences are parts of other instructions; their operands are
/// meaningless.
fn operands<const N: usize>(begin: u64, code: &[u8], operation: [u8; N]) -> impl Iterator<Item = (u64, u64)> {
    (begin..).zip(code.windows(N)).filter(move |&(_, bytes)| bytes == operation).filter_map(move |(at, _)| {
        let place = usize::try_from(at - begin).ok()?.checked_add(N)?;
        let relative = i32::from_le_bytes(*code.get(place..)?.first_chunk()?);
        let next = at.wrapping_add(N as u64 + 4);
        Some((at, next.wrapping_add_signed(relative.into())))
    })
}
