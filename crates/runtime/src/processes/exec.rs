//! The functions that replace the program of this process.
//!
//! Whether the name refers to a program is checked before the measurement is ended, as programs
//! call these functions for one directory after another.

use std::env;
use std::ffi::{CStr, OsStr, c_char, c_int};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr;

use super::preload;
use super::preload::Texts;
use crate::adapter;
use crate::next::Next;

unsafe extern "C" {
    static environ: Texts;
}

/// Ends the measurement if the program exists.
///
/// # Safety
///
/// The path is null or a C string.
unsafe fn before(path: *const c_char, is_searched: bool) {
    if path.is_null() || !is_recorded() {
        return;
    }
    // SAFETY: the system checks the path.
    let is_read = || unsafe { libc::access(path, libc::F_OK) } == 0 || crate::next::errno() != libc::EFAULT;
    if !crate::next::keeping_errno(is_read) {
        return;
    }
    // SAFETY: the path is not null, and the system has read it, so it is a C string.
    let path = unsafe { CStr::from_ptr(path) };
    let is_searched = is_searched && !path.to_bytes().contains(&b'/');
    if if is_searched { is_found(path) } else { is_program(path) } {
        end();
    }
}

/// Returns whether the process is measured, or will be from an event on.
fn is_recorded() -> bool {
    super::is_measured() || adapter::all().iter().any(|adapter| adapter.is_awaiting())
}

fn end() {
    super::end(None);
    adapter::all().iter().for_each(|adapter| adapter.executing());
}

fn is_program(path: &CStr) -> bool {
    crate::next::keeping_errno(|| {
        // A directory may be searched, which looks the same.
        let is_file = || fs::metadata(OsStr::from_bytes(path.to_bytes())).is_ok_and(|it| it.is_file());
        // SAFETY: a C string.
        unsafe { libc::access(path.as_ptr(), libc::X_OK) == 0 && is_file() }
    })
}

/// Returns whether a directory in PATH contains a program of this name.
fn is_found(name: &CStr) -> bool {
    // Without the variable the C library searches these directories.
    let folders = env::var_os("PATH").unwrap_or("/bin:/usr/bin".into());
    env::split_paths(&folders).any(|folder| is_in(&folder, name))
}

fn is_in(folder: &Path, name: &CStr) -> bool {
    let mut path = folder.join(OsStr::from_bytes(name.to_bytes())).into_os_string().into_encoded_bytes();
    path.push(0);
    CStr::from_bytes_with_nul(&path).is_ok_and(is_program)
}

type Execute = unsafe extern "C" fn(*const c_char, Texts, Texts) -> c_int;

/// Ends the measurement, and executes a program with `next` and its environment.
///
/// # Safety
///
/// The arguments must be valid for `execve`, or for `execvpe` if the program is searched.
unsafe fn execute(
    next: Option<Execute>,
    path: *const c_char,
    is_searched: bool,
    arguments: Texts,
    environment: Texts,
) -> c_int {
    let Some(next) = next else { return -1 };
    // SAFETY: the path is null or a C string, as `execve` and `execvpe` demand.
    unsafe { before(path, is_searched) };
    // SAFETY: the path is a C string, and the lists end with null, as `execve` demands.
    unsafe { preload::with(path, environment, |environment| next(path, arguments, environment)) }
}

/// # Safety
///
/// The arguments must be valid for the C library's function of this name.
#[unsafe(no_mangle)]
unsafe extern "C" fn execve(path: *const c_char, arguments: Texts, environment: Texts) -> c_int {
    // SAFETY: the type is that in <unistd.h>.
    static NEXT: Next<Execute> = unsafe { Next::new(c"execve") };
    // SAFETY: the arguments are valid for `execve`.
    unsafe { execute(NEXT.get(), path, false, arguments, environment) }
}

/// # Safety
///
/// The arguments must be valid for the C library's function of this name.
#[unsafe(no_mangle)]
unsafe extern "C" fn execv(path: *const c_char, arguments: Texts) -> c_int {
    // SAFETY: path and arguments are valid for `execv`; `environ` is the program's environment.
    unsafe { execve(path, arguments, environ) }
}

/// # Safety
///
/// The arguments must be valid for the C library's function of this name.
#[unsafe(no_mangle)]
unsafe extern "C" fn execvpe(file: *const c_char, arguments: Texts, environment: Texts) -> c_int {
    // SAFETY: the type is that in <unistd.h>.
    static NEXT: Next<Execute> = unsafe { Next::new(c"execvpe") };
    // SAFETY: the arguments are valid for `execvpe`.
    unsafe { execute(NEXT.get(), file, true, arguments, environment) }
}

/// # Safety
///
/// The arguments must be valid for the C library's function of this name.
#[unsafe(no_mangle)]
unsafe extern "C" fn execvp(file: *const c_char, arguments: Texts) -> c_int {
    // SAFETY: file and arguments are valid for `execvp`; `environ` is the program's environment.
    unsafe { execvpe(file, arguments, environ) }
}

/// Whether the file of a descriptor is a program is not checked.
///
/// # Safety
///
/// The arguments must be valid for the C library's function of this name.
#[unsafe(no_mangle)]
unsafe extern "C" fn fexecve(file: c_int, arguments: Texts, environment: Texts) -> c_int {
    type Function = unsafe extern "C" fn(c_int, Texts, Texts) -> c_int;
    // SAFETY: the type is that in <unistd.h>.
    static NEXT: Next<Function> = unsafe { Next::new(c"fexecve") };
    let Some(next) = NEXT.get() else { return -1 };
    // SAFETY: the request has no argument.
    let is_open = || unsafe { libc::syscall(libc::SYS_fcntl, file, libc::F_GETFD) } >= 0;
    if is_recorded() && crate::next::keeping_errno(is_open) {
        end();
    }
    // SAFETY: both lists are null, or C strings up to a null, as `fexecve` requires.
    unsafe { preload::with(ptr::null(), environment, |environment| next(file, arguments, environment)) }
}

/// Defines a function that starts another process. The measurement of this one goes on.
macro_rules! spawn {
    ($name:ident) => {
        /// # Safety
        ///
        /// The arguments must be valid for the C library's function of this name.
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name(
            process: *mut libc::pid_t,
            path: *const c_char,
            actions: *const libc::posix_spawn_file_actions_t,
            attributes: *const libc::posix_spawnattr_t,
            arguments: Texts,
            environment: Texts,
        ) -> c_int {
            type Function = unsafe extern "C" fn(
                *mut libc::pid_t,
                *const c_char,
                *const libc::posix_spawn_file_actions_t,
                *const libc::posix_spawnattr_t,
                Texts,
                Texts,
            ) -> c_int;
            const NAME: &CStr = crate::next::c_name(concat!(stringify!($name), "\0"));
            // SAFETY: the type is that in <spawn.h>.
            static NEXT: Next<Function> = unsafe { Next::new(NAME) };
            let Some(next) = NEXT.get() else { return libc::ENOSYS };
            let call = |environment| {
                // SAFETY: the arguments are the program's, but for the environment from `with`.
                unsafe { next(process, path, actions, attributes, arguments, environment) }
            };
            // SAFETY: the path is a C string, and the environment a list that ends with null.
            unsafe { preload::with(path, environment, call) }
        }
    };
}

spawn!(posix_spawn);
spawn!(posix_spawnp);

/// Defines a function whose arguments are not in an array. It stores them in memory and calls its
/// `listed` function with the path, the arguments passed in registers, and those passed on the
/// stack.
macro_rules! listed {
    ($name:ident, $listed:path) => {
        /// # Safety
        ///
        /// The arguments must be valid for the C library's function of this name.
        #[unsafe(no_mangle)]
        #[unsafe(naked)]
        #[cfg(target_arch = "x86_64")]
        unsafe extern "C" fn $name() {
            core::arch::naked_asm!(
                "push r9",
                "push r8",
                "push rcx",
                "push rdx",
                "push rsi",
                "mov rsi, rsp",
                // Five arguments, and the return address.
                "lea rdx, [rsp + 48]",
                "call {listed}",
                "add rsp, 40",
                "ret",
                listed = sym $listed,
            )
        }

        /// # Safety
        ///
        /// The arguments must be valid for the C library's function of this name.
        #[unsafe(no_mangle)]
        #[unsafe(naked)]
        #[cfg(target_arch = "aarch64")]
        unsafe extern "C" fn $name() {
            core::arch::naked_asm!(
                "stp x29, x30, [sp, #-80]!",
                "mov x29, sp",
                "stp x1, x2, [sp, #16]",
                "stp x3, x4, [sp, #32]",
                "stp x5, x6, [sp, #48]",
                "str x7, [sp, #64]",
                "add x1, sp, #16",
                "add x2, sp, #80",
                "bl {listed}",
                "ldp x29, x30, [sp], #80",
                "ret",
                listed = sym $listed,
            )
        }
    };
}

listed!(execl, execl_listed);
listed!(execlp, execlp_listed);
listed!(execle, execle_listed);

/// The number of arguments passed in registers, after the path.
const REGISTERS: usize = if cfg!(target_arch = "x86_64") { 5 } else { 7 };
/// The maximum number of arguments without heap memory, which a child of `vfork` would leak.
const FEW: usize = 256;

/// Arguments that are not in an array: those passed in registers and those passed on the stack.
struct Listed {
    registers: Texts,
    stack: Texts,
}

impl Listed {
    /// # Safety
    ///
    /// There must be more than `place` arguments, including the null.
    unsafe fn at(&self, place: usize) -> *const c_char {
        let address = match place.checked_sub(REGISTERS) {
            None => self.registers.wrapping_add(place),
            Some(place) => self.stack.wrapping_add(place),
        };
        // SAFETY: there are more than `place` arguments, so one is at this address.
        unsafe { *address }
    }

    /// Returns the number of arguments before the null.
    ///
    /// # Safety
    ///
    /// There must be a null.
    unsafe fn count(&self) -> usize {
        // SAFETY: there is a null, and no place behind it is read.
        (0..).take_while(|&place| !unsafe { self.at(place) }.is_null()).count()
    }

    /// Calls a function with an array of the arguments.
    ///
    /// # Safety
    ///
    /// There must be a null.
    unsafe fn with<T>(&self, call: impl FnOnce(Texts) -> T) -> T {
        // SAFETY: there is a null, as this function demands.
        let count = unsafe { self.count() };
        let (mut few, mut many) = ([ptr::null(); FEW], Vec::new());
        let array = match few.get_mut(..=count) {
            Some(array) => array,
            None => {
                many.resize(count + 1, ptr::null());
                &mut many[..]
            }
        };
        // SAFETY: only the counted arguments are read; the last element remains null.
        array.iter_mut().zip(0..count).for_each(|(text, place)| *text = unsafe { self.at(place) });
        call(array.as_ptr())
    }
}

/// # Safety
///
/// The path must be a C string, and the arguments must end with null.
unsafe extern "C" fn execl_listed(path: *const c_char, registers: Texts, stack: Texts) -> c_int {
    // SAFETY: the path is a C string, and the arguments end with null, as `execl` demands.
    unsafe { Listed { registers, stack }.with(|arguments| execve(path, arguments, environ)) }
}

/// # Safety
///
/// The file must be a C string, and the arguments must end with null.
unsafe extern "C" fn execlp_listed(file: *const c_char, registers: Texts, stack: Texts) -> c_int {
    // SAFETY: the file is a C string, and the arguments end with null, as `execlp` demands.
    unsafe { Listed { registers, stack }.with(|arguments| execvp(file, arguments)) }
}

/// # Safety
///
/// The path must be a C string, and the arguments must end with null. An environment, a list that
/// ends with null, follows them.
unsafe extern "C" fn execle_listed(path: *const c_char, registers: Texts, stack: Texts) -> c_int {
    let listed = Listed { registers, stack };
    // SAFETY: the environment follows the null, as `execle` demands.
    let environment = unsafe { listed.at(listed.count() + 1) }.cast();
    // SAFETY: the path is a C string, and both lists end with null, as `execle` demands.
    unsafe { listed.with(|arguments| execve(path, arguments, environment)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_found() {
        assert!(is_found(c"sh") && !is_found(c"no-such-program"));
        assert!(is_program(c"/bin/sh") && !is_program(c"/bin/no-such-program"));
    }

    #[test]
    fn lists_become_arrays() {
        let text = |number: usize| ptr::without_provenance::<c_char>(number);
        for count in [0, 1, REGISTERS - 1, REGISTERS, REGISTERS + 1, FEW - 1, FEW, FEW + 1] {
            let mut all: Vec<_> = (1..=count).map(text).collect();
            all.extend([ptr::null(); REGISTERS + 1]);
            let listed = Listed { registers: all.as_ptr(), stack: all[REGISTERS..].as_ptr() };
            // SAFETY: a null follows.
            unsafe {
                assert_eq!(listed.count(), count);
                listed.with(|array| {
                    assert_eq!(std::slice::from_raw_parts(array, count + 1), &all[..=count]);
                });
            }
        }
    }
}
