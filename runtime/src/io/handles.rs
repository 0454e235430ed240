//! The definitions of handles, and the tables in which open descriptors and streams have them.
//!
//! Invariant: only what the program opened, or had open when its measurement began, has a handle.

use std::ffi::{c_char, c_int};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use kymo_substrate::bindings::*;

use super::descriptors::{self, NONE};
use super::flags::Flags;
use super::names;
use crate::definitions::{ALL_PROXY, DefinitionStore, IoHandle, IoParadigm, PRE_CREATED};
use crate::host::host;
use crate::measurement::Here;
use crate::processes;

const POSIX: IoParadigm = IoParadigm {
    paradigm_type: SCOREP_IO_PARADIGM_POSIX,
    class: 0,
    identification: "POSIX",
    name: "POSIX I/O",
    flags: 1,
};

const ISOC: IoParadigm = IoParadigm {
    paradigm_type: SCOREP_IO_PARADIGM_ISOC,
    class: 0,
    identification: "ISOC",
    name: "ISO C I/O",
    flags: 0,
};

/// The handle of `sync`, which represents every file.
static SYNC: AtomicU32 = AtomicU32::new(NONE);
/// The descriptors that the program has when its measurement begins.
static PRESENT: Mutex<Vec<c_int>> = Mutex::new(Vec::new());
/// The tables are those of the process that forked this one.
static IS_INHERITED: AtomicBool = AtomicBool::new(false);

/// The guards that keep the tables from changing.
pub(crate) type Hold = MutexGuard<'static, Vec<c_int>>;

/// Keeps the tables from changing while the process forks.
pub(super) fn hold() -> Hold {
    PRESENT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Keeps what is open for the measurement of a forked child.
pub(super) fn inherit() {
    IS_INHERITED.store(true, Relaxed);
}

/// Notes what is open, before the runtime and its plugins open files of their own. A forked child
/// has those of the parent: only what has a handle there belongs to the program.
pub(super) fn prepare() {
    let mut open = names::open_descriptors();
    if IS_INHERITED.load(Relaxed) {
        open.retain(|&descriptor| descriptors::get(descriptor) != NONE);
    }
    *hold() = open;
}

/// Defines the paradigms, and handles for what is open.
pub(super) fn define() {
    let Some(host) = host() else { return };
    let definitions = &host.definitions;
    definitions.io_paradigm(&POSIX);
    let present = std::mem::take(&mut *hold());
    let old: Vec<u32> = present.iter().map(|&it| descriptors::get(it)).collect();
    descriptors::open(0, c_int::MAX).for_each(|descriptor| {
        descriptors::take(descriptor);
    });
    let is_inherited = IS_INHERITED.load(Relaxed);
    for (&descriptor, old) in present.iter().zip(old) {
        let file = match definitions.file_of(old) {
            file if is_inherited && file != 0 => file,
            _ => present_file(definitions, descriptor),
        };
        let handle = present_handle(definitions, descriptor, file);
        descriptors::set(descriptor, handle);
    }
    SYNC.store(proxy(definitions, b"sync - commit buffer cache to disk", SCOREP_IO_PARADIGM_POSIX), Relaxed);
    definitions.io_paradigm(&ISOC);
    IS_INHERITED.store(false, Relaxed);
}

/// Defines the file of a descriptor that was open at the start, if it is a regular one.
fn present_file(definitions: &DefinitionStore, descriptor: c_int) -> u32 {
    let name = names::of_descriptor(descriptor).filter(|_| names::is_regular(descriptor));
    name.map_or(0, |name| definitions.io_file(&name))
}

fn present_handle(definitions: &DefinitionStore, descriptor: c_int, file: u32) -> u32 {
    let terminal = || names::of_descriptor(descriptor).filter(|name| name.starts_with(b"/dev/pts/"));
    let name = match descriptor {
        0 => b"STDIN_FILENO".to_vec(),
        1 => b"STDOUT_FILENO".to_vec(),
        2 => b"STDERR_FILENO".to_vec(),
        _ => terminal().unwrap_or_default(),
    };
    let flags = Flags::of_descriptor(descriptor);
    definitions.io_handle(&IoHandle {
        name: &name,
        file,
        paradigm: SCOREP_IO_PARADIGM_POSIX,
        flags: PRE_CREATED,
        key: key(descriptor),
        access: flags.access,
        status: flags.status,
        ..IoHandle::default()
    })
}

/// Defines a handle that represents several others.
fn proxy(definitions: &DefinitionStore, name: &[u8], paradigm: u32) -> u32 {
    definitions.io_handle(&IoHandle {
        name,
        paradigm,
        flags: PRE_CREATED | ALL_PROXY,
        key: 1,
        access: SCOREP_IO_ACCESS_MODE_READ_WRITE,
        ..IoHandle::default()
    })
}

/// Returns the handle of `sync`.
pub(super) fn sync() -> u32 {
    SYNC.load(Relaxed)
}

fn key(descriptor: c_int) -> u32 {
    u32::try_from(descriptor).unwrap_or(0).wrapping_add(1)
}

/// Defines a handle for a descriptor that was just opened. Returns no handle in a signal handler
/// that interrupted an allocator.
fn define_opened(descriptor: c_int, file: impl FnOnce(&DefinitionStore) -> u32) -> u32 {
    let Some(host) = host().filter(|_| processes::may_allocate()) else { return NONE };
    let file = file(&host.definitions);
    host.definitions.io_handle_again(&IoHandle {
        file,
        paradigm: SCOREP_IO_PARADIGM_POSIX,
        key: key(descriptor),
        ..IoHandle::default()
    })
}

/// Records that a descriptor was opened with `path`.
///
/// # Safety
///
/// The path must be a C string.
pub(super) unsafe fn opened(here: &Here, descriptor: c_int, path: *const c_char, flags: Flags) {
    // SAFETY: guaranteed by the caller.
    let name = || unsafe { names::of_opened(descriptor, path) };
    let handle = define_opened(descriptor, |definitions| definitions.io_file(&name()));
    descriptors::set(descriptor, handle);
    if handle != NONE {
        here.io_create(handle, flags.access, flags.creation, flags.status);
    }
}

/// Records that `new` is a duplicate of a descriptor with the handle `old`.
pub(super) fn duplicated(here: &Here, old: u32, new: c_int) {
    descriptors::take(new);
    let Some(host) = host().filter(|_| old != NONE && processes::may_allocate()) else { return };
    let definitions = &host.definitions;
    let file = definitions.file_of(old);
    // Without a file, the name is all that describes the handle.
    let name = if file == 0 { definitions.io_handle_name(old) } else { Vec::new() };
    let handle = definitions.io_handle_again(&IoHandle {
        name: &name,
        file,
        paradigm: SCOREP_IO_PARADIGM_POSIX,
        key: key(new),
        ..IoHandle::default()
    });
    descriptors::set(new, handle);
    if handle != NONE {
        here.io_duplicate(old, handle, Flags::of_descriptor(new).status);
    }
}
