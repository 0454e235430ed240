//! Loaded files, and the functions in them.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use addr2line::{Loader, Symbol};
use object::read::elf::{ElfFile64, ProgramHeader};
use object::{Endianness, Object, ObjectSymbol, ReadCache, SymbolKind, elf};

use super::debug_file;
use super::demangle::{demangled, is_mangled, is_split_off, linker_name, without_clone};
use super::{Function, FunctionFrame};

/// A loaded file and its names.
pub(crate) struct Module {
    segments: Vec<Segment>,
    /// The file itself, followed by those with its debug information.
    paths: Vec<PathBuf>,
    loaders: Vec<Loader>,
    extents: OnceCell<Extents>,
    /// Where inlined functions begin, by name, as far as it was asked for.
    begin_lines: RefCell<BTreeMap<String, u32>>,
}

/// Start and size of each function with a symbol, in ascending order.
type Extents = Vec<(u64, u64)>;

/// A segment with code: its place in the file, and its address in memory without the base address.
#[derive(Debug)]
struct Segment {
    offset: u64,
    size: u64,
    address: u64,
}

impl fmt::Debug for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Module").field("segments", &self.segments).finish_non_exhaustive()
    }
}

impl Module {
    /// Loads a file; returns `None` if it is not an ELF file.
    pub(crate) fn load(path: &Path) -> Option<Self> {
        Self::load_with(path, None)
    }

    /// Loads a file, and one more with symbols of it.
    pub(crate) fn load_with(path: &Path, symbols: Option<PathBuf>) -> Option<Self> {
        let segments = segments(path)?;
        let paths: Vec<_> =
            [Some(path.to_owned()), debug_file::of(path), symbols].into_iter().flatten().collect();
        let loaders = paths.iter().filter_map(|path| Loader::new(path).ok()).collect();
        Some(Self { segments, paths, loaders, extents: OnceCell::new(), begin_lines: RefCell::default() })
    }

    /// Returns the address of an offset in the file.
    fn address(&self, offset: u64) -> Option<u64> {
        let within = |segment: &Segment| Some((offset.checked_sub(segment.offset)?, segment.size));
        let segment =
            self.segments.iter().find(|segment| within(segment).is_some_and(|(at, size)| at < size))?;
        segment.address.checked_add(offset - segment.offset)
    }

    /// Returns the function at an address.
    pub(crate) fn function(&self, address: u64) -> Option<Function> {
        let symbol = self.symbol(address).map(|symbol| symbol.name());
        let described = self.loaders.iter().find_map(|loader| described(loader, address, symbol));
        let (name, file, line) = described.or_else(|| Some((demangled(symbol?, None), None, 0)))?;
        let mangled =
            symbol.map_or_else(|| name.clone(), |symbol| without_clone(linker_name(symbol)).to_owned());
        Some(Function { name, mangled, file, line })
    }

    /// Returns the last symbol up to an address. A stripped file has fewer than the others.
    fn symbol(&self, address: u64) -> Option<Symbol<'_>> {
        let symbols = self.loaders.iter().filter_map(|loader| loader.find_symbol_info(address));
        symbols.reduce(|one, other| if other.address() > one.address() { other } else { one })
    }

    /// Like [`Self::frames`], without those whose names are not known.
    pub(crate) fn named_frames(&self, address: u64) -> Vec<FunctionFrame> {
        let mut frames = self.frames(address);
        frames.retain(|frame| !frame.function.name.is_empty());
        frames
    }

    /// Returns the functions that contain an instruction, the innermost first. Unlike
    /// [`Self::function`], the address may be anywhere in a function: a symbol counts only up to
    /// its size, since the code after an exported function of a stripped library is of another one.
    fn frames(&self, address: u64) -> Vec<FunctionFrame> {
        let symbol = self.symbol(address).filter(|symbol| self.contains(symbol.address(), address));
        let frames = self.loaders.iter().map(|loader| inlined(loader, address));
        let mut frames = frames.into_iter().find(|frames| !frames.is_empty()).unwrap_or_default();
        let Some(symbol) = symbol else { return frames };
        let outermost = self.function(symbol.address());
        let Some(function) = outermost else { return frames };
        let is_split_off = is_split_off(symbol.name());
        let (file, line) = frames.pop().map_or((None, 0), |last| (last.file, last.line));
        frames.push(FunctionFrame { function, file, line, is_split_off });
        self.join_inlined_parts(&mut frames);
        frames
    }

    /// Makes one call of a function and a part of it that the compiler has split off and inlined
    /// again: the function seems to call itself in the line where it begins. Its first instruction
    /// may be of a later line, in which no call can come from an earlier one.
    fn join_inlined_parts(&self, frames: &mut Vec<FunctionFrame>) {
        let mut at = 1;
        while let Some([part, function]) = frames.get(at - 1..).and_then(<[_]>::first_chunk) {
            let is_part = part.function.name == function.function.name
                && function.line > 0
                && part.line != function.line
                && function.line <= self.begin_line(&function.function)
                && function.file == function.function.file;
            if is_part {
                let FunctionFrame { file, line, .. } = frames.remove(at - 1);
                if let Some(joined) = frames.get_mut(at - 1) {
                    (joined.file, joined.line) = (file, line);
                }
            } else {
                at += 1;
            }
        }
    }

    /// Returns the line where a function begins, also if it is known only where it was inlined; 0
    /// if it is unknown.
    fn begin_line(&self, function: &Function) -> u32 {
        if function.line > 0 {
            return function.line;
        }
        let mut lines = self.begin_lines.borrow_mut();
        *lines.entry(function.mangled.clone()).or_insert_with(|| {
            let address = self.paths.iter().find_map(|path| address_of(path, &function.mangled));
            address.and_then(|address| self.function(address)).map_or(0, |function| function.line)
        })
    }

    /// Returns whether the function that begins at `start` contains `address`.
    fn contains(&self, start: u64, address: u64) -> bool {
        let extents = self.extents.get_or_init(|| extents(&self.paths));
        let from = extents.partition_point(|&(begin, _)| begin < start);
        let sizes =
            extents.iter().skip(from).take_while(|&&(begin, _)| begin == start).map(|&(_, size)| size);
        sizes.max().is_some_and(|size| size == 0 || address - start < size)
    }
}

/// Returns the functions that the debug information names at an instruction, the innermost first.
/// If it has only lines, the one frame has the name of no function and is left out.
fn inlined(loader: &Loader, address: u64) -> Vec<FunctionFrame> {
    let Ok(mut frames) = loader.find_frames(address) else { return Vec::new() };
    let mut found = Vec::new();
    while let Ok(Some(frame)) = frames.next() {
        let location = frame.location;
        let line = location.as_ref().and_then(|location| location.line).unwrap_or(0);
        let file = location.and_then(|location| location.file).map(simplified);
        let named = frame.function.as_ref().and_then(|function| {
            let raw = function.raw_name().ok()?;
            Some((demangled(&raw, function.language), raw.into_owned()))
        });
        let (name, mangled) = named.unwrap_or_default();
        found.push(FunctionFrame {
            function: Function { name, mangled, file: file.clone(), line: 0 },
            file,
            line,
            is_split_off: false,
        });
    }
    found
}

/// Reads start and size of the functions in a file and in those with its debug information.
fn extents(paths: &[PathBuf]) -> Extents {
    let mut extents: Extents = paths.iter().flat_map(|path| extents_of(path)).collect();
    extents.sort_unstable();
    extents
}

fn extents_of(path: &Path) -> Extents {
    let mut extents = Vec::new();
    each_function(path, |_, address, size| extents.push((address, size)));
    extents
}

/// Returns the address of the function with this name in a symbol table.
fn address_of(path: &Path, name: &str) -> Option<u64> {
    let mut found = None;
    each_function(path, |symbol, address, _| {
        if symbol == name.as_bytes() {
            found = Some(address);
        }
    });
    found
}

/// Visits name, address and size of the functions in the symbol tables of a file.
fn each_function(path: &Path, mut visit: impl FnMut(&[u8], u64, u64)) {
    let Ok(file) = std::fs::File::open(path) else { return };
    let file = ReadCache::new(file);
    let Ok(file) = ElfFile64::<Endianness, _>::parse(&file) else { return };
    for symbol in file.symbols().chain(file.dynamic_symbols()) {
        if symbol.is_definition() && matches!(symbol.kind(), SymbolKind::Text | SymbolKind::Unknown) {
            visit(symbol.name_bytes().unwrap_or_default(), symbol.address(), symbol.size());
        }
    }
}

/// Returns name, file and line from the debug information. For some functions, like lambdas, it
/// contains only a part of the name, which the symbol completes.
fn described(loader: &Loader, address: u64, symbol: Option<&str>) -> Option<(String, Option<String>, u32)> {
    let mut frames = loader.find_frames(address).ok()?;
    let mut outermost = None;
    // The frames of inlined functions come first.
    while let Ok(Some(frame)) = frames.next() {
        outermost = Some(frame);
    }
    let frame = outermost?;
    let name = frame.function.and_then(|function| {
        let raw = function.raw_name().ok()?;
        let whole = symbol.filter(|symbol| is_mangled(symbol) && !is_mangled(&raw));
        Some(demangled(whole.unwrap_or(&raw), function.language))
    });
    // Some programs have debug information with lines but without functions.
    let name = name.or_else(|| symbol.map(|symbol| demangled(symbol, None)))?;
    let location = frame.location;
    let line = location.as_ref().and_then(|location| location.line).unwrap_or(0);
    Some((name, location.and_then(|location| location.file).map(simplified), line))
}

/// Returns a path without `.` and `..`, as far as this is possible from its text.
fn simplified(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for (place, part) in path.split('/').enumerate() {
        match (part, parts.last()) {
            ("." | "", _) if place > 0 => {}
            ("..", Some(&last)) if last != ".." && last != "." && !last.is_empty() => drop(parts.pop()),
            _ => parts.push(part),
        }
    }
    parts.join("/")
}

/// Returns whether a program was written in Go, whose threads have small stacks of their own.
pub fn is_go(path: &Path) -> bool {
    let Ok(file) = std::fs::File::open(path) else { return false };
    let file = ReadCache::new(file);
    ElfFile64::<Endianness, _>::parse(&file).is_ok_and(|file| file.section_by_name(".go.buildinfo").is_some())
}

/// Returns the identity of the content of a file, if it has one.
pub(crate) fn build_id(path: &Path) -> Option<Vec<u8>> {
    let file = ReadCache::new(std::fs::File::open(path).ok()?);
    let file = ElfFile64::<Endianness, _>::parse(&file).ok()?;
    file.build_id().ok()?.map(<[u8]>::to_owned)
}

fn segments(path: &Path) -> Option<Vec<Segment>> {
    let file = ReadCache::new(std::fs::File::open(path).ok()?);
    let file = ElfFile64::<Endianness, _>::parse(&file).ok()?;
    let endian = file.endian();
    let code = file.elf_program_headers().iter().filter(|header| {
        header.p_type(endian) == elf::PT_LOAD && header.p_flags(endian).0 & elf::PF_X.0 != 0
    });
    let segment = |header: &elf::ProgramHeader64<Endianness>| Segment {
        offset: header.p_offset(endian),
        size: header.p_filesz(endian),
        address: header.p_vaddr(endian),
    };
    Some(code.map(segment).collect())
}

/// The files that were asked for.
#[derive(Debug, Default)]
pub(crate) struct Modules {
    /// `None` for a file that cannot be read.
    modules: BTreeMap<Arc<Path>, Option<Module>>,
}

impl Modules {
    /// Returns address and function of a place in a file; `None` if the file has no code there.
    pub(crate) fn find(&mut self, path: &Arc<Path>, offset: u64) -> Option<(u64, Option<Function>)> {
        let module = self.modules.entry(Arc::clone(path)).or_insert_with(|| Module::load(readable(path)));
        // The file cannot be read, but the place in it is known.
        let Some(module) = module else { return Some((offset, None)) };
        let address = module.address(offset)?;
        Some((address, module.function(address)))
    }

    /// Returns address and functions of an instruction in a file; `None` as for [`Self::find`].
    pub(crate) fn frames(&mut self, path: &Arc<Path>, offset: u64) -> Option<(u64, Vec<FunctionFrame>)> {
        let module = self.modules.entry(Arc::clone(path)).or_insert_with(|| Module::load(readable(path)));
        let Some(module) = module else { return Some((offset, Vec::new())) };
        let address = module.address(offset)?;
        Some((address, module.named_frames(address)))
    }
}

/// Returns a path at which a mapped file can be read; for the program itself this works even after
/// it was removed.
fn readable(path: &Path) -> &Path {
    let exe = Path::new("/proc/self/exe");
    match std::fs::read_link(exe) {
        Ok(target) if target == path => exe,
        _ => path,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_simplified() {
        for (path, expected) in [
            ("/a/./b//c.c", "/a/b/c.c"),
            ("/a/b/../c.c", "/a/c.c"),
            ("../c.c", "../c.c"),
            ("a/../../c.c", "../c.c"),
            ("/../c.c", "/../c.c"),
            ("./c.c", "./c.c"),
            ("c.c", "c.c"),
        ] {
            assert_eq!(simplified(path), expected);
        }
    }
}
