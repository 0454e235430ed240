//! Reading: the functions of `TAU_tf.h` for trace input.
//!
//! A callback may seek, change the origin of times and close the file. This state is therefore kept
//! outside the reader, which is locked during callbacks; a callback cannot read from the file.
//! Before the first callback a call moves the position past all records that it will read, and
//! leaves it there even if an event is unknown, as TAU's reader does.

use std::ffi::{CString, c_char, c_int};
use std::io::SeekFrom;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, TryLockError};

use kymo_tau::{Error, Reader, Result};

use crate::callbacks::{Forwarder, Origin, Table};
use crate::guard::{LastError, complain, guarded, report, set_errno};
use crate::handles::{self, Handle, Open};
use crate::strings::path;

/// The maximum number of records that a call reads.
const MOST: u64 = 1024;

/// A trace being read.
pub(crate) struct Reading {
    busy: Mutex<Busy>,
    origin: Origin,
    position: AtomicU64,
    /// The number of records in the file when it was last read.
    records: AtomicU64,
}

/// The state that only one call at a time may use.
struct Busy {
    reader: Reader,
    names: Vec<CString>,
    last_error: LastError,
}

impl Reading {
    fn new(reader: Reader) -> Self {
        let busy = Mutex::new(Busy { reader, names: Vec::new(), last_error: LastError::default() });
        let (position, records) = (AtomicU64::new(0), AtomicU64::new(0));
        Reading { busy, origin: Origin::new(), position, records }
    }

    fn read(&self, table: &Table, wanted: c_int) -> c_int {
        // Locked while a callback of this file runs, and poisoned forever after a panic.
        let Ok(mut busy) = self.busy.try_lock() else { return refused(libc::EBUSY) };
        match self.read_chunk(&mut busy, table, u64::try_from(wanted).unwrap_or(0).min(MOST)) {
            Ok(count) => count as c_int,
            Err(error) => {
                busy.last_error.report(&error);
                -1
            }
        }
    }

    fn read_chunk(&self, Busy { reader, names, .. }: &mut Busy, table: &Table, wanted: u64) -> Result<u64> {
        let (start, records) = (self.position.load(Ordering::Relaxed), reader.records()?);
        let end = start + wanted.min(records.saturating_sub(start));
        self.records.store(records, Ordering::Relaxed);
        self.position.store(end, Ordering::Relaxed);
        reader.seek(SeekFrom::Start(start))?;
        let mut forwarder = Forwarder::new(table, &self.origin, names);
        let read = reader.read(end - start, &mut forwarder);
        match &read {
            Ok(_) | Err(Error::Io { .. }) => self.correct(end, reader.position()),
            Err(_) => {}
        }
        read
    }

    /// Corrects the position after a short read, unless a callback has moved it.
    fn correct(&self, from: u64, to: u64) {
        let _ = self.position.compare_exchange(from, to, Ordering::Relaxed, Ordering::Relaxed);
    }

    fn seek(&self, to: SeekFrom) -> Option<u64> {
        let from = match to {
            SeekFrom::Start(position) => position.into(),
            SeekFrom::Current(distance) => {
                i128::from(self.position.load(Ordering::Relaxed)) + i128::from(distance)
            }
            SeekFrom::End(distance) => i128::from(self.records()?) + i128::from(distance),
        };
        let position = u64::try_from(from).ok()?;
        self.position.store(position, Ordering::Relaxed);
        Some(position)
    }

    /// Returns the current number of records in the file.
    fn records(&self) -> Option<u64> {
        match self.busy.try_lock() {
            Ok(mut busy) => busy.reader.records().inspect_err(report).ok(),
            Err(TryLockError::WouldBlock) => Some(self.records.load(Ordering::Relaxed)),
            Err(TryLockError::Poisoned(_)) => None,
        }
    }
}

fn reading(handle: Handle) -> Option<Arc<Reading>> {
    match handles::get(handle)? {
        Open::Reading(reading) => Some(reading),
        Open::Writing(_) => None,
    }
}

/// Sets `errno` and returns the result of a failed call.
fn refused(errno: c_int) -> c_int {
    set_errno(errno);
    -1
}

/// Converts a position to the type of C, limited to its maximum.
fn in_c(position: Option<u64>) -> c_int {
    position.map_or(0, |position| c_int::try_from(position).unwrap_or(c_int::MAX))
}

fn open(trace: *const c_char, event_file: *const c_char) -> Handle {
    let (Some(trace), Some(event_file)) = (path(trace), path(event_file)) else {
        set_errno(libc::EINVAL);
        complain("Ttf_OpenFileForInput: expected the names of a trace and of an event file, found NULL");
        return std::ptr::null_mut();
    };
    match Reader::open(trace, event_file) {
        Ok(reader) => handles::add(Open::Reading(Arc::new(Reading::new(reader)))),
        Err(error) => {
            report(&error);
            std::ptr::null_mut()
        }
    }
}

fn abs_seek(handle: Handle, position: c_int) -> c_int {
    let to = match u64::try_from(position) {
        Ok(0) | Err(_) => SeekFrom::End(position.into()),
        Ok(position) => SeekFrom::Start(position),
    };
    in_c(reading(handle).and_then(|reading| reading.seek(to)))
}

fn rel_seek(handle: Handle, distance: c_int) -> c_int {
    in_c(reading(handle).and_then(|reading| reading.seek(SeekFrom::Current(distance.into()))))
}

fn close(handle: Handle) -> Handle {
    match handles::remove(handle) {
        Some(Open::Reading(_)) => handle,
        Some(Open::Writing(writing)) => crate::writing::close(&writing),
        None => std::ptr::null_mut(),
    }
}

/// See `include/TAU_tf.h`.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn Ttf_OpenFileForInput(trc: *const c_char, edf: *const c_char) -> Handle {
    guarded(std::ptr::null_mut(), || open(trc, edf))
}

/// An alias of `Ttf_OpenFileForInput`, with the name in the manual of TAU's library.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn TtfOpenFileForInput(trc: *const c_char, edf: *const c_char) -> Handle {
    Ttf_OpenFileForInput(trc, edf)
}

/// See `include/TAU_tf.h`.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn Ttf_SetSubtractFirstTimestamp(handle: Handle, subtract: c_int) {
    guarded((), || {
        if let Some(reading) = reading(handle) {
            reading.origin.set_is_first_time(subtract != 0);
        }
    });
}

/// See `include/TAU_tf.h`.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn Ttf_SetNonBlocking(_handle: Handle, _non_blocking: c_int) {}

/// See `include/TAU_tf.h`.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn Ttf_AbsSeek(handle: Handle, position: c_int) -> c_int {
    guarded(0, || abs_seek(handle, position))
}

/// See `include/TAU_tf.h`.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn Ttf_RelSeek(handle: Handle, distance: c_int) -> c_int {
    guarded(0, || rel_seek(handle, distance))
}

/// See `include/TAU_tf.h`.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn Ttf_ReadNumEvents(handle: Handle, callbacks: Table, count: c_int) -> c_int {
    guarded(-1, || match reading(handle) {
        Some(reading) => reading.read(&callbacks, count),
        None => refused(libc::EBADF),
    })
}

/// See `include/TAU_tf.h`.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn Ttf_CloseFile(handle: Handle) -> Handle {
    guarded(std::ptr::null_mut(), || close(handle))
}

/// An alias of `Ttf_OpenFileForInput`, with the name that TAU's library provides for bindings.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn CTtf_OpenFileForInput(trc: *const c_char, edf: *const c_char) -> Handle {
    Ttf_OpenFileForInput(trc, edf)
}

/// An alias of `Ttf_AbsSeek`, with the name that TAU's library provides for bindings.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn CTtf_AbsSeek(handle: Handle, position: c_int) -> c_int {
    Ttf_AbsSeek(handle, position)
}

/// An alias of `Ttf_RelSeek`, with the name that TAU's library provides for bindings.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn CTtf_RelSeek(handle: Handle, distance: c_int) -> c_int {
    Ttf_RelSeek(handle, distance)
}

/// An alias of `Ttf_ReadNumEvents`, with the name that TAU's library provides for bindings.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn CTtf_ReadNumEvents(handle: Handle, callbacks: Table, count: c_int) -> c_int {
    Ttf_ReadNumEvents(handle, callbacks, count)
}

/// An alias of `Ttf_CloseFile`, with the name that TAU's library provides for bindings.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn CTtf_CloseFile(handle: Handle) -> Handle {
    Ttf_CloseFile(handle)
}
