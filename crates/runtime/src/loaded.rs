//! The dynamic sections of the program and its libraries, as the loader has placed them in memory.
//!
//! Invariant: only memory that the loader itself uses is read, while it keeps its list as it is.

use core::ffi::{CStr, c_char, c_int, c_void};
use core::ops::Range;
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use core::{ptr, slice};
use std::panic::{self, AssertUnwindSafe};

use crate::loader_list;

/// An entry of a dynamic section.
#[repr(C)]
struct Dynamic {
    tag: i64,
    value: u64,
}

const DT_NULL: i64 = 0;
const DT_NEEDED: i64 = 1;
const DT_PLTRELSZ: i64 = 2;
const DT_STRTAB: i64 = 5;
const DT_SYMTAB: i64 = 6;
const DT_RELA: i64 = 7;
const DT_RELASZ: i64 = 8;
const DT_JMPREL: i64 = 23;
const DT_GNU_HASH: i64 = 0x6fff_fef5;

/// A loaded program or library.
struct Object<'a> {
    /// The path of its file; empty for the program.
    path: &'a [u8],
    /// The offset that is added to the addresses in its file.
    base: u64,
    headers: &'a [libc::Elf64_Phdr],
}

/// Passes each loaded object to `look`, until it returns true.
fn each(look: &mut dyn FnMut(&Object<'_>) -> bool) {
    type Look<'a> = &'a mut dyn FnMut(&Object<'_>) -> bool;
    extern "C" fn one(info: *mut libc::dl_phdr_info, _: usize, look: *mut c_void) -> c_int {
        // SAFETY: the pointers that the loader and `each` pass.
        let (info, look) = unsafe { (&*info, &mut *look.cast::<Look<'_>>()) };
        if info.dlpi_phdr.is_null() {
            return 0;
        }
        // SAFETY: the loader's array of that length.
        let headers = unsafe { slice::from_raw_parts(info.dlpi_phdr, info.dlpi_phnum.into()) };
        let path = match info.dlpi_name.is_null() {
            true => &[],
            // SAFETY: the loader's string.
            false => unsafe { CStr::from_ptr(info.dlpi_name) }.to_bytes(),
        };
        let object = Object { path, base: info.dlpi_addr, headers };
        panic::catch_unwind(AssertUnwindSafe(|| c_int::from(look(&object)))).unwrap_or(1)
    }
    let mut look = look;
    // SAFETY: `one` has the type of the callback and receives the address that it expects.
    loader_list::walking(|| unsafe { libc::dl_iterate_phdr(Some(one), (&raw mut look).cast()) });
}

/// Returns whether a loaded program or library uses a function of this name that it expects others
/// to define.
pub(crate) fn is_imported(name: &CStr) -> bool {
    let mut is_imported = false;
    each(&mut |object| {
        is_imported = object.imports(name);
        is_imported
    });
    is_imported
}

/// Returns whether a loaded program or library is linked to a library whose file has this name.
pub(crate) fn is_needed(file: &[u8]) -> bool {
    let mut is_needed = false;
    each(&mut |object| {
        is_needed = object.needs(file);
        is_needed
    });
    is_needed
}

/// Returns whether an address is in the first object whose file has this name: others are copies.
pub(crate) fn is_in_first(file: &[u8], address: u64) -> bool {
    let mut is_in_first = false;
    each(&mut |object| {
        let is_named = file_name(object.path) == file;
        is_in_first = is_named && object.segment(address).is_some();
        is_named
    });
    is_in_first
}

/// Returns a path without its folders.
fn file_name(path: &[u8]) -> &[u8] {
    path.rsplit(|byte| *byte == b'/').next().unwrap_or(path)
}

/// Returns whether the first address is in an object that was loaded before that of the second.
pub(crate) fn is_before([first, second]: [u64; 2]) -> bool {
    let mut is_before = false;
    each(&mut |object| {
        is_before = object.segment(first).is_some();
        is_before || object.segment(second).is_some()
    });
    is_before
}

/// Returns the addresses of a function that a loaded object defines; none if there is none at this
/// address.
pub(crate) fn function_at(address: u64) -> Range<u64> {
    let mut size = 0;
    each(&mut |object| {
        let is_in = object.segment(address).is_some();
        let is_it = |symbol: &libc::Elf64_Sym| object.base.wrapping_add(symbol.st_value) == address;
        let symbol = object.symbols().filter(|_| is_in).and_then(|mut all| all.find(|(it, _)| is_it(it)));
        size = symbol.map_or(0, |(symbol, _)| symbol.st_size);
        is_in
    });
    address..address.wrapping_add(size)
}

/// Returns the distance between two variables of each thread that one library defines.
pub(crate) fn between_thread_variables(first: &CStr, second: &CStr) -> Option<isize> {
    let mut between = None;
    each(&mut |object| {
        if let [Some(first), Some(second)] = object.thread_variables([first, second]) {
            between = Some(second.wrapping_sub(first).cast_signed() as isize);
        }
        between.is_some()
    });
    between
}

/// Passes the memory of a variable that a loaded object defines to `look`, while the loader keeps
/// its list as it is.
pub(crate) fn look_at_loader_variable(name: &CStr, mut look: impl FnMut(&'static [AtomicU32])) {
    const VARIABLE: u8 = 1;
    // SAFETY: takes only a number.
    let loader = unsafe { libc::getauxval(libc::AT_BASE) };
    each(&mut |object| {
        if object.base != loader {
            return false;
        }
        let is_it = |(symbol, own): &(&libc::Elf64_Sym, &CStr)| {
            symbol.st_info & 0xF == VARIABLE && symbol.st_value.is_multiple_of(4) && *own == name
        };
        let symbol = object.symbols().and_then(|mut all| all.find(is_it));
        let Some((symbol, _)) = symbol else { return true };
        let start = ptr::with_exposed_provenance(object.base.wrapping_add(symbol.st_value) as usize);
        // SAFETY: the loader's variable of that size, which is never removed, and which others
        // change with single stores.
        look(unsafe { slice::from_raw_parts(start, symbol.st_size as usize / size_of::<u32>()) });
        true
    });
}

impl Object<'_> {
    /// Returns the symbols that the object defines, with their names.
    fn symbols(&self) -> Option<impl Iterator<Item = (&libc::Elf64_Sym, &CStr)>> {
        let [symbols, strings, hashes] = [DT_SYMTAB, DT_STRTAB, DT_GNU_HASH].map(|tag| self.address(tag));
        let symbols = ptr::with_exposed_provenance::<libc::Elf64_Sym>(symbols? as usize);
        let strings = ptr::with_exposed_provenance::<c_char>(strings? as usize);
        // SAFETY: the loader's table, which has that many entries.
        let all = unsafe { slice::from_raw_parts(symbols, count(hashes?)) };
        let defined = all.iter().filter(|symbol| symbol.st_shndx != 0);
        // SAFETY: names are offsets into the strings.
        Some(defined.map(move |it| (it, unsafe { CStr::from_ptr(strings.add(it.st_name as usize)) })))
    }

    /// Returns the places of variables in the block of each thread, as far as the object defines
    /// them.
    fn thread_variables(&self, names: [&CStr; 2]) -> [Option<u64>; 2] {
        const THREAD_VARIABLE: u8 = 6;
        let mut found = [None; 2];
        if self.headers.iter().all(|it| it.p_type != libc::PT_TLS) {
            return found;
        }
        let all = self.symbols().into_iter().flatten();
        for (symbol, name) in all.filter(|(it, _)| it.st_info & 0xF == THREAD_VARIABLE) {
            let place = names.iter().position(|it| *it == name).and_then(|at| found.get_mut(at));
            if let Some(place) = place {
                *place = Some(symbol.st_value);
            }
        }
        found
    }

    /// Returns the segment that contains an address.
    fn segment(&self, address: u64) -> Option<&libc::Elf64_Phdr> {
        self.headers.iter().find(|it| {
            let start = self.base.wrapping_add(it.p_vaddr);
            it.p_type == libc::PT_LOAD && (start..start.wrapping_add(it.p_memsz)).contains(&address)
        })
    }

    /// Returns the values of the entries of the dynamic section with this tag.
    fn values(&self, tag: i64) -> impl Iterator<Item = u64> {
        let dynamic = self.headers.iter().find(|it| it.p_type == libc::PT_DYNAMIC);
        let first = dynamic.map(|it| self.base.wrapping_add(it.p_vaddr) as usize);
        let first = first.map(ptr::with_exposed_provenance::<Dynamic>);
        // SAFETY: the section ends with an entry of type `DT_NULL`.
        let entry = move |number| first.map(|first| unsafe { &*first.add(number) });
        let entries = (0..).map_while(entry).take_while(|it| it.tag != DT_NULL);
        entries.filter(move |it| it.tag == tag).map(|it| it.value)
    }

    /// Returns the value of an entry of the dynamic section.
    fn value(&self, tag: i64) -> Option<u64> {
        self.values(tag).next()
    }

    /// Returns whether the object is linked to a library whose file has this name.
    fn needs(&self, file: &[u8]) -> bool {
        let Some(strings) = self.address(DT_STRTAB) else { return false };
        let strings = ptr::with_exposed_provenance::<c_char>(strings as usize);
        // SAFETY: names are offsets into the strings.
        let name = |value: u64| unsafe { CStr::from_ptr(strings.add(value as usize)) }.to_bytes();
        self.values(DT_NEEDED).any(|value| file_name(name(value)) == file)
    }

    /// Returns the address in an entry of the dynamic section. The loader replaces addresses in the
    /// file by those in memory, where it can.
    fn address(&self, tag: i64) -> Option<u64> {
        self.value(tag).map(|value| if value < self.base { self.base + value } else { value })
    }

    /// The symbols to which the loader binds calls and pointers have relocations.
    fn imports(&self, name: &CStr) -> bool {
        let (Some(symbols), Some(strings)) = (self.address(DT_SYMTAB), self.address(DT_STRTAB)) else {
            return false;
        };
        let symbols = ptr::with_exposed_provenance::<libc::Elf64_Sym>(symbols as usize);
        let strings = ptr::with_exposed_provenance::<c_char>(strings as usize);
        let is_it = |relocation: &libc::Elf64_Rela| {
            let number = (relocation.r_info >> 32) as usize;
            if number == 0 {
                return false;
            }
            // SAFETY: the loader has used this symbol; names are offsets into the strings.
            let (symbol, own) = unsafe {
                let symbol = &*symbols.add(number);
                (symbol, CStr::from_ptr(strings.add(symbol.st_name as usize)))
            };
            symbol.st_shndx == 0 && own == name
        };
        let tables = [(DT_JMPREL, DT_PLTRELSZ), (DT_RELA, DT_RELASZ)];
        tables.into_iter().any(|(at, size)| {
            let (Some(start), Some(size)) = (self.address(at), self.value(size)) else { return false };
            let count = size as usize / size_of::<libc::Elf64_Rela>();
            // SAFETY: the loader has used this table of relocations.
            let all = unsafe { slice::from_raw_parts(ptr::with_exposed_provenance(start as usize), count) };
            all.iter().any(is_it)
        })
    }
}

/// This library's own table of symbols, where the loader looks names up.
pub(crate) struct OwnSymbols {
    symbols: *mut libc::Elf64_Sym,
    count: usize,
    strings: *const c_char,
    /// The protection of the memory of the symbols.
    protection: c_int,
}

impl OwnSymbols {
    pub(crate) fn find() -> Option<Self> {
        let here = is_imported as fn(&CStr) -> bool as usize as u64;
        let mut found = None;
        each(&mut |object| {
            let is_own = object.segment(here).is_some();
            if is_own {
                found = Self::of(object);
            }
            is_own
        });
        found
    }

    fn of(object: &Object<'_>) -> Option<Self> {
        let [symbols, strings, hashes] = [DT_SYMTAB, DT_STRTAB, DT_GNU_HASH].map(|tag| object.address(tag));
        let (symbols, strings) = (symbols?, strings?);
        let flags = object.segment(symbols)?.p_flags;
        let mut protection = 0;
        for (flag, of) in
            [(libc::PF_R, libc::PROT_READ), (libc::PF_W, libc::PROT_WRITE), (libc::PF_X, libc::PROT_EXEC)]
        {
            protection |= if flags & flag != 0 { of } else { 0 };
        }
        Some(Self {
            symbols: ptr::with_exposed_provenance_mut(symbols as usize),
            count: count(hashes?),
            strings: ptr::with_exposed_provenance(strings as usize),
            protection,
        })
    }

    /// Passes the number, the name and the value of each symbol to `change`, which returns its new
    /// value. The loader does not find a symbol with the value 0.
    pub(crate) fn change(&self, mut change: impl FnMut(usize, &CStr, u64) -> u64) {
        // SAFETY: the table has that many entries.
        let table = unsafe { slice::from_raw_parts(self.symbols, self.count) };
        // SAFETY: no precondition.
        let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) }.unsigned_abs().max(4096);
        let start = self.symbols.addr() as u64 & !(page - 1);
        let length = (self.symbols.addr() + size_of_val(table)) as u64 - start;
        let protect = |protection: c_int| {
            let start = ptr::with_exposed_provenance_mut::<c_void>(start as usize);
            // SAFETY: memory of this library, which stays readable and, where it was, executable.
            unsafe { libc::mprotect(start, length as usize, protection) }
        };
        if protect(self.protection | libc::PROT_WRITE) != 0 {
            return;
        }
        for (number, symbol) in table.iter().enumerate() {
            // SAFETY: an entry of the table, aligned, which other threads change only with a store.
            let value = unsafe { AtomicU64::from_ptr(&raw mut (*self.symbols.add(number)).st_value) };
            // SAFETY: the loader has checked the table; names are offsets into the strings.
            let name = unsafe { CStr::from_ptr(self.strings.add(symbol.st_name as usize)) };
            let before = value.load(Relaxed);
            let after = change(number, name, before);
            if after != before {
                value.store(after, Relaxed);
            }
        }
        protect(self.protection);
    }

    /// Removes the symbols that are chosen, for good.
    pub(crate) fn hide(is_chosen: impl Fn(&CStr) -> bool) {
        if let Some(own) = Self::find() {
            own.change(|_, name, value| if is_chosen(name) { 0 } else { value });
        }
    }
}

/// Returns the number of symbols, from the table of hashes: a header of four words, a filter of
/// words of 8 bytes, the first symbol of each bucket, and a hash for each symbol, whose last bit
/// marks the end of a bucket.
fn count(hashes: u64) -> usize {
    let words = ptr::with_exposed_provenance::<u32>(hashes as usize);
    // SAFETY: the loader uses this table; all offsets are within it.
    let word = |place: usize| unsafe { *words.add(place) } as usize;
    let (buckets, first, filter) = (word(0), word(1), word(2));
    let start = 4 + 2 * filter;
    let Some(last) = (0..buckets).map(|bucket| word(start + bucket)).max().filter(|&last| last >= first)
    else {
        return first;
    };
    let hash = |symbol: usize| word(start + buckets + symbol - first);
    (last..).find(|&symbol| hash(symbol) & 1 == 1).map_or(first, |symbol| symbol + 1)
}

#[cfg(test)]
mod tests {
    use super::{between_thread_variables, is_imported, is_needed};

    #[test]
    fn what_objects_import_is_found() {
        assert!(is_imported(c"dl_iterate_phdr"));
        assert!(!is_imported(c"dl_iterate_phdr_"));
    }

    #[test]
    fn the_libraries_to_which_objects_are_linked_are_found() {
        assert!(is_needed(b"libc.so.6"));
        assert!(!is_needed(b"libc.so"));
    }

    #[test]
    fn variables_of_threads_are_found() {
        let there = between_thread_variables(c"errno", c"__libc_dlerror_result");
        assert_eq!(
            between_thread_variables(c"__libc_dlerror_result", c"errno"),
            there.map(|distance| -distance)
        );
        assert_eq!(between_thread_variables(c"errno", c"no_such_variable"), None);
        // The test program only defines it.
        assert!(!is_imported(c"__cyg_profile_func_enter"));
    }
}
