//! Hides the functions that the MPI library of this process lacks.
//!
//! Programs ask whether a function exists, by a weak reference or `dlsym`, and this library has all
//! functions of MPI 5: mpi4py called `MPI_Isend_c` with a library of MPI 3. Symbols are therefore
//! removed from this library's own table of symbols, as the loader sees it:
//!
//! * all functions when a program without an MPI library opens itself (`dlopen(NULL)`), to ask
//!   whether it has one; until it opens a library, which may use them;
//! * once an MPI library is loaded, what it lacks.
//!
//! Objects that were loaded before that keep their references, whose calls fail (`missing`).
//! Invariants: a symbol is changed with one store, which threads that look it up at that moment see
//! or do not see; nothing else of this library changes.

use core::ffi::{CStr, c_char, c_int, c_void};
use core::ptr;
use core::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::Mutex;

use super::symbols;
use crate::loaded::{self, DT_GNU_HASH, DT_STRTAB, DT_SYMTAB, Object};
use crate::next::{Next, keeping_errno};

/// Where the loader has placed this library, and its table of symbols.
struct Own {
    symbols: *mut libc::Elf64_Sym,
    count: usize,
    strings: *const c_char,
    /// The protection of the memory of the symbols.
    protection: c_int,
}

/// What is removed: the numbers of symbols, and their values.
static HIDDEN: Mutex<Vec<(usize, u64)>> = Mutex::new(Vec::new());
/// What the MPI library lacks is hidden.
static IS_DONE: AtomicBool = AtomicBool::new(false);

/// Hides what the MPI library lacks, if one is loaded.
pub(crate) fn hide_missing() {
    hide_before(c"".as_ptr());
}

/// Hides functions before the program opens a file, or itself.
fn hide_before(file: *const c_char) {
    if IS_DONE.load(Relaxed) {
        return;
    }
    keeping_errno(|| {
        // Looking up a function opens libraries, too.
        let Ok(mut hidden) = HIDDEN.try_lock() else { return };
        // A file can have the name of an MPI library without being one.
        let is_loaded = symbols::is_loaded() && !symbols::function(c"PMPI_Init").is_null();
        let asks = file.is_null() && !is_loaded;
        if !is_loaded && asks != hidden.is_empty() {
            return;
        }
        if let Some(own) = Own::find() {
            let is_chosen = |name: &[u8]| asks || (is_loaded && lacks(name));
            own.change(&mut hidden, is_chosen);
        }
        IS_DONE.store(is_loaded, Relaxed);
        // What was not found is no error of the program.
        // SAFETY: no precondition.
        unsafe { libc::dlerror() };
    });
}

impl Own {
    fn find() -> Option<Self> {
        let here = hide_missing as fn() as usize as u64;
        let mut found = None;
        loaded::each(&mut |object| {
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

    /// Restores all functions, and hides those that are chosen.
    fn change(&self, hidden: &mut Vec<(usize, u64)>, is_chosen: impl Fn(&[u8]) -> bool) {
        // SAFETY: the table has that many entries.
        let table = unsafe { core::slice::from_raw_parts(self.symbols, self.count) };
        // SAFETY: no precondition.
        let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) }.unsigned_abs().max(4096);
        let start = self.symbols.addr() as u64 & !(page - 1);
        let length = (self.symbols.addr() + size_of_val(table)) as u64 - start;
        let protect = |protection: c_int| {
            let start = ptr::with_exposed_provenance_mut::<c_void>(start as usize);
            // SAFETY: memory of this library, which stays readable and, where it was, executable.
            unsafe { libc::mprotect(start, length as usize, protection) }
        };
        let value = |number: usize| {
            // SAFETY: an entry of the table, aligned, which other threads change only with a store.
            unsafe { AtomicU64::from_ptr(&raw mut (*self.symbols.add(number)).st_value) }
        };
        if protect(self.protection | libc::PROT_WRITE) != 0 {
            return;
        }
        hidden.drain(..).for_each(|(number, before)| value(number).store(before, Relaxed));
        for (number, symbol) in table.iter().enumerate() {
            // SAFETY: the loader has checked the table; names are offsets into the strings.
            let name = unsafe { CStr::from_ptr(self.strings.add(symbol.st_name as usize)) };
            let (name, before) = (name.to_bytes(), value(number).load(Relaxed));
            if before != 0 && is_name(name) && is_chosen(name) {
                hidden.push((number, before));
                value(number).store(0, Relaxed);
            }
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
extern "C" fn opening(file: *const c_char) -> Open {
    // SAFETY: the type is that in <dlfcn.h>.
    static NEXT: Next<Open> = unsafe { Next::new(c"dlopen") };
    hide_before(file);
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
