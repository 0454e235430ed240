//! The environment of the programs that this process executes: the runtime stays in `LD_PRELOAD`.
//!
//! Wrappers set the variable to a library of their own, and the program that they start would not
//! be recorded, without a word. The runtime is put before that library, as `kymo record` does. A
//! wrapper that removes the variable wants a program without preloaded libraries: `kymo record`
//! names that program at its end. Invariants: the program's own list of variables is not changed;
//! nothing is allocated for a list of the usual length, since a child of `vfork` would leak it.

use std::ffi::{CStr, CString, OsStr, c_char, c_int};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;
use std::ptr;
use std::sync::OnceLock;

use crate::plugins::own_file;

const PRELOAD: &str = "LD_PRELOAD";
/// The variable without which the runtime would not know where to record.
const DIRECTORY: &str = "KYMO_RECORD_DIRECTORY";
/// The file in that folder with the names of programs, which `kymo record` reads.
const FILE: &str = "unrecorded";
/// The size from which on the file does not grow.
const ENOUGH: i64 = 4096;

/// A list of C strings that ends with null.
pub(super) type Texts = *const *const c_char;

/// The longest list, and the longest value, without heap memory.
const VARIABLES: usize = 512;
const LENGTH: usize = 2048;

/// The values that children need to be recorded.
struct Kept {
    /// The runtime, as the variable names it.
    runtime: Box<[u8]>,
    file: CString,
}

/// Empty if this process was not started by `kymo record`, or its children are not recorded.
static KEPT: OnceLock<Option<Kept>> = OnceLock::new();

/// Finds out what to keep, when the library is loaded.
pub(crate) fn prepare() {
    KEPT.get_or_init(|| {
        let own = own_file()?;
        let preload = std::env::var_os(PRELOAD)?.into_vec();
        let is_own = |path: &&[u8]| Path::new(OsStr::from_bytes(path)).file_name() == own.file_name();
        let runtime = preload.split(|byte| matches!(byte, b':' | b' ')).find(is_own)?.into();
        let file = Path::new(&std::env::var_os(DIRECTORY)?).join(FILE);
        Some(Kept { runtime, file: CString::new(file.into_os_string().into_vec()).ok()? })
    });
}

/// Calls a function with the environment for a program.
///
/// # Safety
///
/// The environment is null or a list of C strings that ends with null, and the name of the program
/// null or a C string. Neither changes during the call.
pub(super) unsafe fn with<T>(program: *const c_char, environment: Texts, call: impl FnOnce(Texts) -> T) -> T {
    let Some(Some(kept)) = KEPT.get() else { return call(environment) };
    if environment.is_null() {
        return call(environment);
    }
    // SAFETY: the environment is not null, so it is a list of C strings that ends with null.
    let list = unsafe { Variables::of(environment) };
    let (Some(at), Some(_)) = (list.find(PRELOAD), list.find(DIRECTORY)) else {
        // SAFETY: the name of the program is null or a C string.
        unsafe { note(kept, program) };
        return call(environment);
    };
    let value = list.value(at, PRELOAD);
    if value.split(|byte| matches!(byte, b':' | b' ')).any(|path| path == &*kept.runtime) {
        return call(environment);
    }
    let parts = [PRELOAD.as_bytes(), b"=", &kept.runtime, b":", value, b"\0"];
    let (mut short, mut long) = ([0; LENGTH], Vec::new());
    let text = room(&mut short, &mut long, 0, parts.iter().map(|part| part.len()).sum());
    text.iter_mut().zip(parts.iter().copied().flatten()).for_each(|(byte, &from)| *byte = from);
    let (mut few, mut many) = ([ptr::null(); VARIABLES], Vec::new());
    let variables = room(&mut few, &mut many, ptr::null(), list.0.len() + 1);
    variables.iter_mut().zip(list.0).for_each(|(variable, &from)| *variable = from);
    if let Some(variable) = variables.get_mut(at) {
        *variable = text.as_ptr().cast();
    }
    call(variables.as_ptr())
}

/// Returns the first elements of an array, or of a vector if the array is too short.
fn room<'a, T: Copy>(array: &'a mut [T], vector: &'a mut Vec<T>, empty: T, length: usize) -> &'a mut [T] {
    if let Some(part) = array.get_mut(..length) {
        return part;
    }
    vector.resize(length, empty);
    vector
}

/// A list of variables.
struct Variables<'a>(&'a [*const c_char]);

impl Variables<'_> {
    /// # Safety
    ///
    /// It is a list of C strings that ends with null, and does not change while the result is used.
    unsafe fn of(list: Texts) -> Self {
        // SAFETY: the list ends with null, and no place behind that is read.
        let count = (0..).take_while(|&place| !unsafe { *list.add(place) }.is_null()).count();
        // SAFETY: the list has this many strings, and stays as it is.
        Self(unsafe { std::slice::from_raw_parts(list, count) })
    }

    fn text(&self, at: usize) -> &[u8] {
        // SAFETY: a C string, as `of` requires.
        self.0.get(at).map_or(&[], |&text| unsafe { CStr::from_ptr(text) }.to_bytes())
    }

    fn value(&self, at: usize, name: &str) -> &[u8] {
        self.text(at).get(name.len() + 1..).unwrap_or_default()
    }

    fn find(&self, name: &str) -> Option<usize> {
        (0..self.0.len()).find(|&at| {
            self.text(at).strip_prefix(name.as_bytes()).is_some_and(|rest| rest.first() == Some(&b'='))
        })
    }
}

/// Notes that a program is started without the runtime. With system calls: input and output may be
/// recorded, and a child of `vfork` may be the caller.
///
/// # Safety
///
/// The name is null or a C string.
unsafe fn note(kept: &Kept, program: *const c_char) {
    const LONGEST: usize = 256;
    if program.is_null() {
        return;
    }
    // SAFETY: the name is not null, so it is a C string.
    let path = unsafe { CStr::from_ptr(program) };
    // SAFETY: a C string.
    let is_there =
        || unsafe { libc::syscall(libc::SYS_faccessat, libc::AT_FDCWD, path.as_ptr(), libc::X_OK) } == 0;
    // A name without folders is searched by the C library.
    if path.to_bytes().contains(&b'/') && !crate::next::keeping_errno(is_there) {
        return;
    }
    let name = Path::new(OsStr::from_bytes(path.to_bytes()));
    let name = name.file_name().unwrap_or_default().as_bytes();
    let mut line = [b'\n'; LONGEST];
    let Some(place) = line.get_mut(..name.len()).filter(|place| place.len() < LONGEST) else { return };
    place.copy_from_slice(name);
    let flags = libc::O_WRONLY | libc::O_CREAT | libc::O_APPEND | libc::O_CLOEXEC;
    // SAFETY: system calls with a path, and with memory that is readable.
    unsafe {
        let file = libc::syscall(libc::SYS_openat, libc::AT_FDCWD, kept.file.as_ptr(), flags, 0o600);
        if file >= 0 {
            if libc::syscall(libc::SYS_lseek, file, 0, libc::SEEK_END) < ENOUGH {
                libc::syscall(libc::SYS_write, file as c_int, line.as_ptr(), name.len() + 1);
            }
            libc::syscall(libc::SYS_close, file);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_runtime_is_put_before_other_libraries() {
        KEPT.get_or_init(|| Some(Kept { runtime: b"/k/own.so".as_slice().into(), file: c"/none".into() }));
        let seen = |variables: &[&CStr]| {
            let mut list: Vec<_> = variables.iter().map(|text| text.as_ptr()).collect();
            list.push(ptr::null());
            let read = |list: Texts| {
                // SAFETY: a list that ends with null.
                let list = unsafe { Variables::of(list) };
                (0..list.0.len())
                    .map(|at| String::from_utf8_lossy(list.text(at)).into_owned())
                    .collect::<Vec<_>>()
            };
            // SAFETY: as above.
            unsafe { with(ptr::null(), list.as_ptr(), read) }
        };
        let directory = c"KYMO_RECORD_DIRECTORY=/d";
        let expected = ["A=1", "LD_PRELOAD=/k/own.so:/p/pre.so", "KYMO_RECORD_DIRECTORY=/d"];
        assert_eq!(seen(&[c"A=1", c"LD_PRELOAD=/p/pre.so", directory]), expected);
        for kept in [c"LD_PRELOAD=/k/own.so", c"LD_PRELOAD=/p/pre.so:/k/own.so", c"LD_PRELOADED=/p/pre.so"] {
            assert_eq!(seen(&[kept, directory]), [kept, directory].map(|text| text.to_str().unwrap()));
        }
        assert_eq!(seen(&[c"LD_PRELOAD=/p/pre.so"]), ["LD_PRELOAD=/p/pre.so"]);
        assert_eq!(seen(&[]), [""; 0]);
        let many: Vec<_> =
            (0..2 * VARIABLES).map(|_| c"B=2").chain([c"LD_PRELOAD=/p/pre.so", directory]).collect();
        assert_eq!(seen(&many)[2 * VARIABLES], "LD_PRELOAD=/k/own.so:/p/pre.so");
    }
}
