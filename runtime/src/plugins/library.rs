//! The shared library of a plugin.

use core::ffi::{CStr, c_int, c_void};
use kymo_substrate::bindings::SCOREP_SubstratePluginInfo;
use kymo_substrate::hosting::entry_symbol;
use libloading::os::unix::{self, RTLD_LOCAL, RTLD_NOW};
use std::error::Error;
use std::fs::File;
use std::io;
use std::mem::ManuallyDrop;
use std::os::fd::{AsRawFd, FromRawFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// The function that every plugin exports.
pub(super) type Entry = unsafe extern "C" fn() -> SCOREP_SubstratePluginInfo;

/// A loaded library. It stays loaded unless it is closed.
#[derive(Debug)]
pub(super) struct Library(ManuallyDrop<unix::Library>);

impl Library {
    /// Opens the library of a plugin, from the directory of the runtime or else from the system's
    /// search path. A copy has its own data.
    pub(super) fn open(name: &str, is_copy: bool) -> Result<Self, String> {
        let file = format!("libscorep_substrate_{name}.so");
        let adjacent = own_file().map(|own| own.with_file_name(&file)).filter(|path| path.exists());
        let path = adjacent.unwrap_or_else(|| PathBuf::from(file));
        if !is_copy {
            return Self::load(&path);
        }
        let loaded = Self::load(&path)?.path().ok_or("its library has no name")?;
        let memory = copy(&loaded).map_err(|error| format!("copying {}: {error}", loaded.display()))?;
        let id = std::process::id();
        Self::load(Path::new(&format!("/proc/{id}/fd/{}", memory.as_raw_fd())))
    }

    fn load(path: &Path) -> Result<Self, String> {
        // SAFETY: runs the constructors of a plugin, as the user asked.
        let library = unsafe { unix::Library::open(Some(path), RTLD_NOW | RTLD_LOCAL) };
        library.map(|library| Self(ManuallyDrop::new(library))).map_err(|error| failure(&error))
    }

    /// Returns the file that the system loaded.
    fn path(self) -> Option<PathBuf> {
        // `struct link_map` begins with the address difference, followed by the name.
        let mut map: *const [*const libc::c_char; 2] = core::ptr::null();
        let library = ManuallyDrop::into_inner(self.0).into_raw();
        // SAFETY: an open library, which nothing closes; the request writes one pointer.
        let found = unsafe { dlinfo(library, RTLD_DI_LINKMAP, (&raw mut map).cast()) };
        if found != 0 || map.is_null() {
            return None;
        }
        // SAFETY: the map of an open library, whose name is a C string.
        let name = unsafe { CStr::from_ptr((*map)[1]) };
        Some(PathBuf::from(std::ffi::OsString::from_vec(name.to_bytes().to_vec())))
    }

    pub(super) fn entry(&self, name: &str) -> Result<Entry, String> {
        let symbol = entry_symbol(name).ok_or("its name is too long")?;
        // SAFETY: the interface specifies the type of the symbol.
        let entry = unsafe { self.0.get::<Entry>(symbol) };
        entry.map(|entry| *entry).map_err(|error| failure(&error))
    }

    pub(super) fn close(self) {
        drop(ManuallyDrop::into_inner(self.0));
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
