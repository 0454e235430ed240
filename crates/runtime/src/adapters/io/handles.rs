//! The definitions of handles, and the tables in which open descriptors and streams have them.
//!
//! Invariant: only descriptors and streams that the program opened, or had open when its
//! measurement began, have handles.

use std::ffi::{c_char, c_int};
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use kymo_substrate::bindings::*;
use libc::FILE;

use super::buffers::Buffer;
use super::definitions::{ALL_PROXY, IoHandle, IoParadigm, PRE_CREATED};
use super::descriptors::{self, NONE};
use super::flags::Flags;
use super::{names, streams};
use crate::address_table::AddressTable;
use crate::definitions::DefinitionStore;
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

/// The buffers of streams, which have their handles, by the address of the stream. They remain when
/// a stream is closed, as its address is used again.
static STREAMS: AddressTable = AddressTable::new();
/// The handle of `fflush(NULL)`, which represents every stream.
static ALL: AtomicU32 = AtomicU32::new(NONE);

/// The guards that keep the tables from changing.
pub(crate) type IoHandlesHold = (MutexGuard<'static, Vec<c_int>>, MutexGuard<'static, usize>);

/// Keeps the tables from changing while the process forks.
pub(super) fn hold() -> IoHandlesHold {
    (present(), STREAMS.hold())
}

fn present() -> MutexGuard<'static, Vec<c_int>> {
    PRESENT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Keeps the handles of open descriptors for the measurement of a forked child.
pub(super) fn inherit() {
    IS_INHERITED.store(true, Relaxed);
}

/// Notes the open descriptors, before the runtime and its plugins open files of their own. A forked
/// child has those of the parent: only descriptors that have handles there belong to the program.
pub(super) fn prepare() {
    let mut open = names::open_descriptors();
    if IS_INHERITED.load(Relaxed) {
        open.retain(|&descriptor| descriptors::get(descriptor) != NONE);
    }
    *present() = open;
}

/// Defines the paradigms, and handles for open descriptors and streams.
pub(super) fn define() {
    let Some(host) = host() else { return };
    let definitions = &host.definitions;
    definitions.io_paradigm(&POSIX);
    let present = std::mem::take(&mut *present());
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
    define_streams(definitions);
    IS_INHERITED.store(false, Relaxed);
}

/// Defines handles for the standard streams, and for all other streams that the process has from
/// the one that forked it.
fn define_streams(definitions: &DefinitionStore) {
    let standard = [
        (streams::input(), &b"stdin"[..], SCOREP_IO_ACCESS_MODE_READ_ONLY),
        (streams::output(), b"stdout", SCOREP_IO_ACCESS_MODE_WRITE_ONLY),
        (streams::error(), b"stderr", SCOREP_IO_ACCESS_MODE_WRITE_ONLY),
    ];
    let mut others = Vec::new();
    each_stream(|stream, buffer| others.push((stream, buffer.take())));
    let define = |name, file, key, access| {
        definitions.io_handle(&IoHandle {
            name,
            file,
            paradigm: SCOREP_IO_PARADIGM_ISOC,
            flags: PRE_CREATED,
            key,
            access,
            ..IoHandle::default()
        })
    };
    for (number, (stream, name, access)) in (0..).zip(standard) {
        let file = definitions.file_of(descriptors::get(number));
        // SAFETY: the standard streams are open until the program closes them, which removes them.
        unsafe { start_stream(stream, define(name, file, 1, access)) };
    }
    let is_standard = |other: *mut FILE| standard.iter().any(|&(stream, _, _)| stream == other);
    for (stream, old) in others.into_iter().filter(|&(stream, _)| !is_standard(stream)) {
        let (file, key) = (definitions.file_of(old), definitions.key_of(old));
        let handle = define(b"", file, key, SCOREP_IO_ACCESS_MODE_READ_WRITE);
        // SAFETY: a stream that has a handle is open.
        unsafe { start_stream(stream, handle) };
    }
    ALL.store(proxy(definitions, b"all open output streams", SCOREP_IO_PARADIGM_ISOC), Relaxed);
}

/// Returns the buffer of a stream.
#[inline]
pub(super) fn buffer(stream: *mut FILE) -> Option<&'static Buffer> {
    // SAFETY: 0, or the address of a buffer, which is never freed.
    unsafe { ptr::with_exposed_provenance::<Buffer>(STREAMS.get(stream.addr()) as usize).as_ref() }
}

/// Gives a stream a handle.
///
/// # Safety
///
/// The stream must be open or null.
unsafe fn start_stream(stream: *mut FILE, handle: u32) {
    if stream.is_null() {
        return;
    }
    let buffer = buffer(stream).unwrap_or_else(|| {
        let new = Box::leak(Box::new(Buffer::default()));
        STREAMS.set(stream.expose_provenance(), ptr::from_ref(new).expose_provenance() as u64);
        new
    });
    // SAFETY: the stream is not null, so it is open.
    unsafe { buffer.start(stream, handle) };
}

/// Returns the handle of a stream; null represents all.
#[inline]
pub(super) fn stream(stream: *mut FILE) -> u32 {
    if stream.is_null() { ALL.load(Relaxed) } else { buffer(stream).map_or(NONE, Buffer::handle) }
}

/// Removes the handle of a stream and returns it.
pub(super) fn take_stream(stream: *mut FILE) -> u32 {
    buffer(stream).map_or(NONE, Buffer::take)
}

/// Passes all streams that have a handle to `action`.
fn each_stream(mut action: impl FnMut(*mut FILE, &'static Buffer)) {
    STREAMS.each(|address, value| {
        // SAFETY: the address of a buffer, which is never freed.
        let buffer = unsafe { ptr::with_exposed_provenance::<Buffer>(value as usize).as_ref() };
        if let Some(buffer) = buffer.filter(|buffer| buffer.handle() != NONE) {
            action(ptr::with_exposed_provenance_mut(address), buffer);
        }
    });
}

/// Returns the streams that have a handle.
pub(super) fn streams() -> Vec<*mut FILE> {
    let mut all = Vec::new();
    each_stream(|stream, _| all.push(stream));
    all
}

/// A stream that was just opened.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stream {
    pub(super) stream: *mut FILE,
    /// Its descriptor, or -1.
    pub(super) descriptor: c_int,
    pub(super) flags: Flags,
    /// The stream has opened the descriptor itself.
    pub(super) is_new: bool,
    /// The name with which the descriptor was opened; empty if it had none.
    pub(super) path: *const c_char,
}

/// Records that a stream was opened, and its descriptor with it if the stream opened that.
///
/// # Safety
///
/// The stream must be open, and the path a C string.
pub(super) unsafe fn stream_opened(here: &Here, it: &Stream) {
    let Some(host) = host() else { return };
    let definitions = &host.definitions;
    let known = if it.is_new { NONE } else { descriptors::get(it.descriptor) };
    let file = match (known, it.is_new) {
        // SAFETY: the path is a C string, as this function demands.
        (NONE, true) => definitions.io_file(&unsafe { names::of_opened(it.descriptor, it.path) }),
        (NONE, false) => 0,
        _ => definitions.file_of(known),
    };
    let name = if file == 0 && known != NONE { definitions.io_handle_name(known) } else { Vec::new() };
    let of = |paradigm, parent| {
        let key = key(it.descriptor);
        definitions.io_handle_again(&IoHandle {
            name: &name,
            file,
            paradigm,
            parent,
            key,
            ..IoHandle::default()
        })
    };
    let stream = of(SCOREP_IO_PARADIGM_ISOC, 0);
    if stream == NONE {
        return;
    }
    if it.is_new && it.descriptor >= 0 {
        let own = of(SCOREP_IO_PARADIGM_POSIX, stream);
        descriptors::set(it.descriptor, own);
        if own != NONE {
            here.io_create(own, it.flags.access, SCOREP_IO_CREATION_FLAG_NONE, SCOREP_IO_STATUS_FLAG_NONE);
        }
    }
    // SAFETY: the stream is open, as this function demands.
    unsafe { start_stream(it.stream, stream) };
    here.io_create(stream, it.flags.access, it.flags.creation, it.flags.status);
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
    // SAFETY: the path is a C string, as this function demands.
    let name = || unsafe { names::of_opened(descriptor, path) };
    let handle = define_opened(descriptor, |definitions| definitions.io_file(&name()));
    descriptors::set(descriptor, handle);
    if handle != NONE {
        here.io_create(handle, flags.access, flags.creation, flags.status);
        move_standard_stream(here, descriptor);
    }
}

/// Gives a standard stream a new handle if its descriptor has just been opened or replaced: its
/// reads and writes from now on belong to another file.
fn move_standard_stream(here: &Here, descriptor: c_int) {
    let standard = [streams::input(), streams::output(), streams::error()];
    let Some((host, &stream)) = host().zip(usize::try_from(descriptor).ok().and_then(|it| standard.get(it)))
    else {
        return;
    };
    let Some(buffer) = buffer(stream).filter(|buffer| buffer.handle() != NONE) else { return };
    // SAFETY: a stream that has a handle is open.
    if unsafe { libc::fileno(stream) } != descriptor {
        return;
    }
    let (definitions, new) = (&host.definitions, descriptors::get(descriptor));
    let file = definitions.file_of(new);
    let name = if file == 0 { definitions.io_handle_name(new) } else { Vec::new() };
    let handle = definitions.io_handle_again(&IoHandle {
        name: &name,
        file,
        paradigm: SCOREP_IO_PARADIGM_ISOC,
        key: key(descriptor),
        ..IoHandle::default()
    });
    let old = buffer.handle();
    // SAFETY: as above.
    unsafe {
        buffer.begin(here, stream, old);
        buffer.replace(handle);
        buffer.end(stream);
    }
    here.io_destroy(old);
    if handle != NONE {
        let access = Flags::of_descriptor(descriptor).access;
        here.io_create(handle, access, SCOREP_IO_CREATION_FLAG_NONE, SCOREP_IO_STATUS_FLAG_NONE);
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
        move_standard_stream(here, new);
    }
}
