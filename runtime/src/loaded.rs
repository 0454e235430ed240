//! The dynamic sections of the program and its libraries, as the loader has placed them in memory.
//!
//! Invariant: only memory that the loader itself uses is read, while it keeps its list as it is.

use core::ffi::{CStr, c_char, c_int, c_void};
use core::{ptr, slice};
use std::panic::{self, AssertUnwindSafe};

/// An entry of a dynamic section.
#[repr(C)]
struct Dynamic {
    tag: i64,
    value: u64,
}

const DT_NULL: i64 = 0;
const DT_PLTRELSZ: i64 = 2;
pub(crate) const DT_STRTAB: i64 = 5;
pub(crate) const DT_SYMTAB: i64 = 6;
const DT_RELA: i64 = 7;
const DT_RELASZ: i64 = 8;
const DT_JMPREL: i64 = 23;
pub(crate) const DT_GNU_HASH: i64 = 0x6fff_fef5;

/// A loaded program or library.
pub(crate) struct Object<'a> {
    /// What is added to the addresses in its file.
    base: u64,
    pub(crate) headers: &'a [libc::Elf64_Phdr],
}

/// Passes each loaded object to `look`, until it returns true.
pub(crate) fn each(look: &mut dyn FnMut(&Object<'_>) -> bool) {
    type Look<'a> = &'a mut dyn FnMut(&Object<'_>) -> bool;
    extern "C" fn one(info: *mut libc::dl_phdr_info, _: usize, look: *mut c_void) -> c_int {
        // SAFETY: the pointers that the loader and `each` pass.
        let (info, look) = unsafe { (&*info, &mut *look.cast::<Look<'_>>()) };
        if info.dlpi_phdr.is_null() {
            return 0;
        }
        // SAFETY: the loader's array of that length.
        let headers = unsafe { slice::from_raw_parts(info.dlpi_phdr, info.dlpi_phnum.into()) };
        let object = Object { base: info.dlpi_addr, headers };
        panic::catch_unwind(AssertUnwindSafe(|| c_int::from(look(&object)))).unwrap_or(1)
    }
    let mut look = look;
    // SAFETY: `one` has the type of the callback and receives the address that it expects.
    unsafe { libc::dl_iterate_phdr(Some(one), (&raw mut look).cast()) };
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

impl Object<'_> {
    /// Returns the segment that contains an address.
    pub(crate) fn segment(&self, address: u64) -> Option<&libc::Elf64_Phdr> {
        self.headers.iter().find(|it| {
            let start = self.base.wrapping_add(it.p_vaddr);
            it.p_type == libc::PT_LOAD && (start..start.wrapping_add(it.p_memsz)).contains(&address)
        })
    }

    /// Returns the value of an entry of the dynamic section.
    fn value(&self, tag: i64) -> Option<u64> {
        let dynamic = self.headers.iter().find(|it| it.p_type == libc::PT_DYNAMIC)?;
        let first = ptr::with_exposed_provenance::<Dynamic>(self.base.wrapping_add(dynamic.p_vaddr) as usize);
        for number in 0.. {
            // SAFETY: the section ends with an entry of type `DT_NULL`.
            let entry = unsafe { &*first.add(number) };
            match entry.tag {
                DT_NULL => break,
                found if found == tag => return Some(entry.value),
                _ => {}
            }
        }
        None
    }

    /// Returns the address in an entry of the dynamic section. The loader replaces addresses in the
    /// file by those in memory, where it can.
    pub(crate) fn address(&self, tag: i64) -> Option<u64> {
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

#[cfg(test)]
mod tests {
    use super::is_imported;

    #[test]
    fn what_objects_import_is_found() {
        assert!(is_imported(c"dl_iterate_phdr"));
        assert!(!is_imported(c"dl_iterate_phdr_"));
        // The test program only defines it.
        assert!(!is_imported(c"__cyg_profile_func_enter"));
    }
}
