//! Hides the functions that the MPI library of this process lacks.
//!
//! Programs ask whether a function exists, by a weak reference or `dlsym`, and this library has all
//! functions of MPI 5: mpi4py called `MPI_Isend_c` with a library of MPI 3. Symbols are therefore
//! removed from this library's own table of symbols, as the loader sees it:
//!
//! * all functions when a program without an MPI library opens itself (`dlopen(NULL)`), to ask
//!   whether it has one; until it opens a library, which may use them;
//! * once an MPI library is loaded, the functions that it lacks.
//!
//! Objects that were loaded before that keep their references, whose calls fail (`missing`).
//! Invariants: a symbol is changed with one store, which threads that look it up at that moment see
//! or do not see; nothing else of this library changes.

use core::ffi::{CStr, c_char, c_int, c_void};
use core::ptr;
use core::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::Mutex;

use super::symbols;
use crate::loaded::OwnSymbols;
use crate::next::{Next, keeping_errno};

/// The removed symbols: their numbers, and their values.
static HIDDEN: Mutex<Vec<(usize, u64)>> = Mutex::new(Vec::new());
/// The functions that the MPI library lacks are hidden.
static IS_DONE: AtomicBool = AtomicBool::new(false);

/// Hides the functions that the MPI library lacks, if one is loaded.
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
        if let Some(own) = OwnSymbols::find() {
            let is_chosen = |name: &[u8]| asks || (is_loaded && lacks(name));
            change(&own, &mut hidden, is_chosen);
        }
        IS_DONE.store(is_loaded, Relaxed);
    });
}

/// Restores all functions, and hides those that are chosen.
fn change(own: &OwnSymbols, hidden: &mut Vec<(usize, u64)>, is_chosen: impl Fn(&[u8]) -> bool) {
    let before = core::mem::take(hidden);
    own.change(|number, name, value| {
        let restored = before.iter().find(|(hidden, _)| *hidden == number).map(|(_, value)| *value);
        let (name, value) = (name.to_bytes(), restored.unwrap_or(value));
        if value == 0 || !is_name(name) || !is_chosen(name) {
            return value;
        }
        hidden.push((number, value));
        0
    });
}

/// Whether a symbol is a function of MPI in C, by either of its names.
fn is_name(name: &[u8]) -> bool {
    let name = name.strip_prefix(b"P").unwrap_or(name);
    name.starts_with(b"MPI_")
        && name.get(4).is_some_and(u8::is_ascii_uppercase)
        && name.get(5).is_some_and(u8::is_ascii_lowercase)
}

/// Whether the MPI library lacks a function.
fn lacks(name: &[u8]) -> bool {
    let name = name.strip_prefix(b"P").unwrap_or(name);
    let mut text = [0_u8; 128];
    let Some(place) = text.get_mut(1..=name.len()) else { return false };
    place.copy_from_slice(name);
    text[0] = b'P';
    CStr::from_bytes_until_nul(&text).is_ok_and(|name| symbols::function(name).is_null())
}

type Open = unsafe extern "C" fn(*const c_char, c_int) -> *mut c_void;

/// Returns the function that opens a library. The opened library may ask for functions of an MPI
/// library that was loaded in the meantime.
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
/// The arguments must be valid for the C library's function of this name.
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
/// The arguments must be valid for the C library's function of this name.
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
        assert!(["MPI_Isend_c", "MPI_Init", "PMPI_Send"].iter().all(|name| is_name(name.as_bytes())));
        assert!(!["MPI_SEND", "mpi_send_", "MPI_", "PPMPI_Send"].iter().any(|name| is_name(name.as_bytes())));
    }
}
