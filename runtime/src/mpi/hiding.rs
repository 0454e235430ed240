//! Hides the functions that the MPI library of this process lacks.
//!
//! Programs ask whether a function exists, by a weak reference or `dlsym`, and this library has all
//! functions of MPI 5: mpi4py called `MPI_Isend_c` with a library of MPI 3. Once an MPI library
//! is loaded, the symbols of what it lacks are therefore removed from this library's own table of
//! symbols, as the loader sees it. Objects that were loaded before that keep their references,
//! whose calls fail (`missing`). Invariants: a symbol is removed with one store, which threads that
//! look it up at that moment see or do not see; nothing else of this library changes.

use core::ffi::{CStr, c_char, c_int, c_void};
use core::ptr;
use core::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use super::symbols;
use crate::next::{Next, keeping_errno};

/// An entry of the dynamic section.
#[repr(C)]
struct Dynamic {
    tag: i64,
    value: u64,
}

const DT_NULL: i64 = 0;
const DT_STRTAB: i64 = 5;
const DT_SYMTAB: i64 = 6;
const DT_GNU_HASH: i64 = 0x6fff_fef5;

/// Where the loader has placed this library, and its table of symbols.
struct Own {
    symbols: *mut libc::Elf64_Sym,
    count: usize,
    strings: *const c_char,
    /// The protection of the memory of the symbols.
    protection: c_int,
}

/// Hides what the MPI library lacks; does nothing while none is loaded, or if it was done.
pub(crate) fn hide_missing() {
    // Also while it is being done: looking up a function opens libraries again.
    static IS_DONE: AtomicBool = AtomicBool::new(false);
    if IS_DONE.load(Relaxed) || !symbols::is_loaded() || IS_DONE.swap(true, Relaxed) {
        return;
    }
    keeping_errno(|| {
        // A file can have the name of an MPI library without being one.
        if symbols::function(c"PMPI_Init").is_null() {
            return IS_DONE.store(false, Relaxed);
        }
        if let Some(own) = Own::find() {
            own.hide();
        }
        // What was not found is no error of the program.
        // SAFETY: no precondition.
        unsafe { libc::dlerror() };
    });
}

impl Own {
    fn find() -> Option<Self> {
        let mut found = None;
        // SAFETY: `look` has the type of the callback and receives the address that it expects.
        unsafe { libc::dl_iterate_phdr(Some(look), (&raw mut found).cast()) };
        found
    }

    fn hide(&self) {
        // SAFETY: the table has that many entries.
        let table = unsafe { core::slice::from_raw_parts(self.symbols, self.count) };
        let missing = |symbol: &&libc::Elf64_Sym| {
            // SAFETY: the loader has checked the table; names are offsets into the strings.
            let name = unsafe { CStr::from_ptr(self.strings.add(symbol.st_name as usize)) };
            symbol.st_value != 0 && is_name(name.to_bytes()) && lacks(name.to_bytes())
        };
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
        for symbol in table.iter().filter(missing) {
            let place: *mut u64 = (&raw const symbol.st_value).cast_mut();
            // SAFETY: aligned memory of this library, writable now, which the loader only reads.
            unsafe { AtomicU64::from_ptr(place) }.store(0, Relaxed);
        }
        protect(self.protection);
    }
}

/// Whether a symbol is a function of MPI in C.
fn is_name(name: &[u8]) -> bool {
    name.starts_with(b"MPI_")
        && name.get(4).is_some_and(u8::is_ascii_uppercase)
        && name.get(5).is_some_and(u8::is_ascii_lowercase)
}

/// Whether the MPI library lacks a function.
fn lacks(name: &[u8]) -> bool {
    let mut text = [0_u8; 128];
    let Some(place) = text.get_mut(1..=name.len()) else { return false };
    place.copy_from_slice(name);
    text[0] = b'P';
    CStr::from_bytes_until_nul(&text).is_ok_and(|name| symbols::function(name).is_null())
}

extern "C" fn look(info: *mut libc::dl_phdr_info, _: usize, found: *mut c_void) -> c_int {
    // SAFETY: the pointers that the loader and `find` pass.
    let (info, found) = unsafe { (&*info, &mut *found.cast::<Option<Own>>()) };
    // SAFETY: the loader's array of that length.
    let headers = unsafe { core::slice::from_raw_parts(info.dlpi_phdr, info.dlpi_phnum.into()) };
    let (base, here) = (info.dlpi_addr, hide_missing as fn() as usize as u64);
    let segment = |address: u64| {
        headers.iter().find(|it| {
            let start = base.wrapping_add(it.p_vaddr);
            it.p_type == libc::PT_LOAD && (start..start.wrapping_add(it.p_memsz)).contains(&address)
        })
    };
    if segment(here).is_none() {
        return 0;
    }
    let dynamic = headers.iter().find(|it| it.p_type == libc::PT_DYNAMIC);
    let Some(dynamic) = dynamic.map(|it| base.wrapping_add(it.p_vaddr)) else { return 1 };
    let at = |tag: i64| entry(dynamic, tag).map(|value| if value < base { base + value } else { value });
    let (Some(symbols), Some(strings), Some(hashes)) = (at(DT_SYMTAB), at(DT_STRTAB), at(DT_GNU_HASH)) else {
        return 1;
    };
    let Some(flags) = segment(symbols).map(|it| it.p_flags) else { return 1 };
    let mut protection = 0;
    for (flag, of) in
        [(libc::PF_R, libc::PROT_READ), (libc::PF_W, libc::PROT_WRITE), (libc::PF_X, libc::PROT_EXEC)]
    {
        protection |= if flags & flag != 0 { of } else { 0 };
    }
    *found = Some(Own {
        symbols: ptr::with_exposed_provenance_mut(symbols as usize),
        count: count(hashes),
        strings: ptr::with_exposed_provenance(strings as usize),
        protection,
    });
    1
}

/// Returns the value of an entry of the dynamic section.
fn entry(dynamic: u64, tag: i64) -> Option<u64> {
    let first = ptr::with_exposed_provenance::<Dynamic>(dynamic as usize);
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

type Open = unsafe extern "C" fn(*const c_char, c_int) -> *mut c_void;

/// Returns the function that opens a library. What it opens may ask for functions of an MPI library
/// that was loaded in the meantime.
extern "C" fn opening() -> Open {
    // SAFETY: the type is that in <dlfcn.h>.
    static NEXT: Next<Open> = unsafe { Next::new(c"dlopen") };
    hide_missing();
    NEXT.get().unwrap_or(no_open)
}

/// Stands for a function that does not exist.
unsafe extern "C" fn no_open(_: *const c_char, _: c_int) -> *mut c_void {
    ptr::null_mut()
}

/// Opens a library. The next function is jumped to, because it searches the paths of the library
/// that called it.
///
/// # Safety
///
/// As for the function of the C library.
#[unsafe(no_mangle)]
#[unsafe(naked)]
#[cfg(target_arch = "x86_64")]
unsafe extern "C" fn dlopen(file: *const c_char, mode: c_int) -> *mut c_void {
    core::arch::naked_asm!(
        "push rdi",
        "push rsi",
        "sub rsp, 8",
        "call {opening}",
        "add rsp, 8",
        "pop rsi",
        "pop rdi",
        "jmp rax",
        opening = sym opening,
    )
}

/// As above.
///
/// # Safety
///
/// As for the function of the C library.
#[unsafe(no_mangle)]
#[unsafe(naked)]
#[cfg(target_arch = "aarch64")]
unsafe extern "C" fn dlopen(file: *const c_char, mode: c_int) -> *mut c_void {
    core::arch::naked_asm!(
        "stp x29, x30, [sp, #-32]!",
        "mov x29, sp",
        "stp x0, x1, [sp, #16]",
        "bl {opening}",
        "mov x16, x0",
        "ldp x0, x1, [sp, #16]",
        "ldp x29, x30, [sp], #32",
        "br x16",
        opening = sym opening,
    )
}

#[cfg(test)]
mod tests {
    use super::is_name;

    #[test]
    fn functions_of_c_are_recognised() {
        assert!(["MPI_Isend_c", "MPI_Init"].iter().all(|name| is_name(name.as_bytes())));
        assert!(!["MPI_SEND", "mpi_send_", "MPI_", "PMPI_Send"].iter().any(|name| is_name(name.as_bytes())));
    }
}
