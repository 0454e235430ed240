//! Shared libraries that the runtime opens: those of plugins, and others.

use core::ffi::{CStr, c_int, c_void};
use libloading::os::unix::{self, RTLD_LOCAL, RTLD_NOW};
use std::error::Error;
use std::fs::File;
use std::io;
use std::mem::ManuallyDrop;
use std::os::fd::{AsRawFd, FromRawFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use crate::linker;

/// A loaded library. It stays loaded unless it is closed.
#[derive(Debug)]
pub(crate) struct Library(ManuallyDrop<unix::Library>);

impl Library {
    /// Opens a library, from the directory of the runtime or else from the system's search path. A
    /// copy has its own data.
    pub(crate) fn open(file: &str, is_copy: bool) -> Result<Self, String> {
        let adjacent = own_file().map(|own| own.with_file_name(file)).filter(|path| path.exists());
        let path = adjacent.unwrap_or_else(|| PathBuf::from(file));
        if !is_copy {
            return Self::load(&path);
        }
        let loaded = Self::load(&path)?.path().ok_or("its library has no name")?;
        let memory = copy(&loaded).map_err(|error| format!("copying {}: {error}", loaded.display()))?;
        // The loader recognises a library by its name, and the descriptors of copies are equal.
        static COPIES: AtomicUsize = AtomicUsize::new(0);
        let same = "./".repeat(COPIES.fetch_add(1, Relaxed));
        Self::load(Path::new(&format!("/proc/self/fd/{same}{}", memory.as_raw_fd())))
    }

    fn load(path: &Path) -> Result<Self, String> {
        // SAFETY: runs the constructors of a plugin, as the user asked.
        let library = linker::unseen(|| unsafe { unix::Library::open(Some(path), RTLD_NOW | RTLD_LOCAL) });
        library.map(|library| Self(ManuallyDrop::new(library))).map_err(|error| failure(&error))
    }

    /// Returns the file that the system loaded.
    pub(crate) fn path(self) -> Option<PathBuf> {
        // `struct link_map` begins with the address difference, followed by the name.
        let mut map: *const [*const libc::c_char; 2] = core::ptr::null();
        let library = ManuallyDrop::into_inner(self.0).into_raw();
        // SAFETY: an open library, which nothing closes; the request writes one pointer.
        let found = linker::unseen(|| unsafe { dlinfo(library, RTLD_DI_LINKMAP, (&raw mut map).cast()) });
        if found != 0 || map.is_null() {
            return None;
        }
        // SAFETY: the map of an open library, whose name is a C string.
        let name = unsafe { CStr::from_ptr((*map)[1]) };
        Some(PathBuf::from(std::ffi::OsString::from_vec(name.to_bytes().to_vec())))
    }

    /// Returns the value of a symbol.
    ///
    /// # Safety
    ///
    /// The symbol is a function of this type.
    pub(crate) unsafe fn function<F: Copy>(&self, symbol: &str) -> Result<F, String> {
        // SAFETY: the symbol is a function of this type.
        let function = linker::unseen(|| unsafe { self.0.get::<F>(symbol) });
        function.map(|function| *function).map_err(|error| failure(&error))
    }

    pub(crate) fn close(self) {
        linker::unseen(|| drop(ManuallyDrop::into_inner(self.0)));
    }
}

const RTLD_DI_LINKMAP: libc::c_int = 2;

unsafe extern "C" {
    fn dlinfo(library: *mut c_void, request: libc::c_int, answer: *mut c_void) -> libc::c_int;
}

/// Returns the message of the system's loader, or why it was not called.
fn failure(error: &libloading::Error) -> String {
    error.source().map_or_else(|| error.to_string(), ToString::to_string)
}

/// Returns the file that contains the runtime.
pub(crate) fn own_file() -> Option<PathBuf> {
    // SAFETY: a structure of pointers, for which zero is a valid value.
    let mut info: libc::Dl_info = unsafe { core::mem::zeroed() };
    // SAFETY: the address of a function of this library.
    let found = unsafe { libc::dladdr(own_file as *const c_void, &raw mut info) };
    if found == 0 || info.dli_fname.is_null() {
        return None;
    }
    // SAFETY: the name of a loaded file.
    let name = unsafe { CStr::from_ptr(info.dli_fname) };
    let path = Path::new(std::ffi::OsStr::from_bytes(name.to_bytes()));
    std::path::absolute(path).ok()
}

/// Creates a file in memory with the same bytes. The system's loader treats it as a different
/// library.
fn copy(path: &Path) -> io::Result<File> {
    let (name, flags) = (c"kymo plugin".as_ptr(), libc::MFD_CLOEXEC);
    // SAFETY: a C string and flags. The C library 2.17 has no function for it.
    let descriptor = unsafe { libc::syscall(libc::SYS_memfd_create, name, flags) };
    if descriptor < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the descriptor was just made.
    let mut memory = unsafe { File::from_raw_fd(descriptor as c_int) };
    io::copy(&mut File::open(path)?, &mut memory)?;
    Ok(memory)
}
