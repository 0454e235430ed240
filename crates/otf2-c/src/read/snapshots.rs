//! `OTF2_SnapReader` and `OTF2_GlobalSnapReader`: read the snapshots of a location, or of all that
//! are open in the order of time. Ids and times stay as they were written.

use super::callbacks::{Callbacks, Timed};
use super::read;
use crate::arguments::Scratch;
use crate::attribute_list::AttributeList;
use crate::error::{ErrorCode, INTEGRITY_FAULT, INVALID_ARGUMENT, SUCCESS, code, fail, fail_with};
use crate::types::CallbackCode;
use kymo_otf2::error::Error;
use kymo_otf2::read::{InOrder, LocationReader, Snapshots, TimedRecord};
use kymo_otf2::snapshots::Snapshot;
use std::ffi::c_void;

/// `OTF2_SnapReader`.
pub(crate) struct SnapReader {
    snapshots: LocationReader<Snapshots>,
    calls: SnapshotCalls,
}

/// `OTF2_GlobalSnapReader`.
pub(crate) struct GlobalSnapReader {
    snapshots: InOrder<Snapshots>,
    calls: SnapshotCalls,
}

/// The callbacks of a reader, their user data, and room for their arguments.
struct SnapshotCalls {
    callbacks: Callbacks,
    user_data: *mut c_void,
    list: AttributeList,
    scratch: Scratch,
}

impl Default for SnapshotCalls {
    fn default() -> Self {
        SnapshotCalls {
            callbacks: Callbacks::default(),
            user_data: std::ptr::null_mut(),
            list: AttributeList::default(),
            scratch: Scratch::default(),
        }
    }
}

impl SnapshotCalls {
    fn deliver(&mut self, location: u64, record: &TimedRecord<'_, Snapshot<'_>>) -> CallbackCode {
        self.scratch.clear();
        self.list.fill(record.attributes.iter());
        let list = &raw mut self.list;
        let head = Timed { location, time: record.time, user_data: self.user_data, list };
        self.callbacks.snapshot(&record.record, head, &mut self.scratch)
    }

    fn set(&mut self, callbacks: Option<&Callbacks>, user_data: *mut c_void) -> ErrorCode {
        let Some(callbacks) = callbacks else { return missing(INVALID_ARGUMENT) };
        (self.callbacks, self.user_data) = (*callbacks, user_data);
        SUCCESS
    }
}

impl SnapReader {
    pub(crate) fn new(snapshots: LocationReader<Snapshots>) -> Box<Self> {
        Box::new(SnapReader { snapshots, calls: SnapshotCalls::default() })
    }

    pub(crate) fn into_snapshots(self: Box<Self>) -> LocationReader<Snapshots> {
        self.snapshots
    }

    fn next(&mut self) -> Result<Option<CallbackCode>, ErrorCode> {
        let location = self.snapshots.location();
        match self.snapshots.next() {
            Ok(Some(record)) => Ok(Some(self.calls.deliver(location, &record))),
            Ok(None) => Ok(None),
            Err(error) => Err(fail_with(&error)),
        }
    }

    /// Goes to the last snapshot that begins at or before a time; returns whether there is one.
    fn seek(&mut self, time: u64) -> Result<bool, Error> {
        match self.snapshots.seek(1) {
            Ok(()) => {}
            Err(Error::Usage(_)) => return Ok(false),
            Err(error) => return Err(error),
        }
        let mut found = None;
        while let Some(record) = self.snapshots.next()? {
            match record.record {
                _ if record.time > time => break,
                Snapshot::SnapshotStart(_) => found = Some(record.number),
                _ => {}
            }
        }
        self.snapshots.seek(found.unwrap_or(1))?;
        Ok(found.is_some())
    }
}

impl GlobalSnapReader {
    pub(crate) fn new(snapshots: InOrder<Snapshots>) -> Box<Self> {
        Box::new(GlobalSnapReader { snapshots, calls: SnapshotCalls::default() })
    }

    fn next(&mut self) -> Result<Option<CallbackCode>, ErrorCode> {
        match self.snapshots.next() {
            Ok(Some((location, record))) => Ok(Some(self.calls.deliver(location, &record))),
            Ok(None) => Ok(None),
            Err(error) => Err(fail_with(&error)),
        }
    }
}

#[track_caller]
fn missing(code: ErrorCode) -> ErrorCode {
    fail(code, format_args!("no reader of snapshots, no callbacks, or no place for a result"))
}

/// Returns the location.
///
/// # Safety
///
/// Null or a reader; null or a place for the result.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_SnapReader_GetLocationID(
    this: *const SnapReader,
    location: *mut u64,
) -> ErrorCode {
    // SAFETY: `this` is null or an open reader that nothing else uses during this call; `location`
    // is null or a place for the result that nothing else refers to.
    match unsafe { (this.as_ref(), location.as_mut()) } {
        (Some(reader), Some(location)) => {
            *location = reader.snapshots.location();
            SUCCESS
        }
        _ => missing(INVALID_ARGUMENT),
    }
}

/// Goes to the last snapshot that begins at or before a time.
///
/// # Safety
///
/// Null or a reader; null or a place for the result.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_SnapReader_Seek(
    this: *mut SnapReader,
    time: u64,
    found: *mut bool,
) -> ErrorCode {
    // SAFETY: `this` is null or an open reader that nothing else uses during this call; `found` is
    // null or a place for the result that nothing else refers to.
    let (Some(reader), Some(found)) = (unsafe { (this.as_mut(), found.as_mut()) }) else {
        return missing(INVALID_ARGUMENT);
    };
    match reader.seek(time) {
        Ok(there) => {
            *found = there;
            SUCCESS
        }
        Err(error) => {
            *found = false;
            fail_with(&error)
        }
    }
}

macro_rules! functions {
    ($($reader:ident, $fault:ident, $set:ident, $read:ident;)*) => {$(
        /// Sets the callbacks, which are copied.
        ///
        /// # Safety
        ///
        /// Null or a reader; null or a table.
        #[unsafe(no_mangle)]
        pub(crate) unsafe extern "C-unwind" fn $set(
            this: *mut $reader,
            callbacks: *const Callbacks,
            user_data: *mut c_void,
        ) -> ErrorCode {
            // SAFETY: `this` is null or an open reader that nothing else uses during this call;
            // `callbacks` is null or a table, which is copied.
            match unsafe { (this.as_mut(), callbacks.as_ref()) } {
                (Some(reader), callbacks) => reader.calls.set(callbacks, user_data),
                (None, _) => missing($fault),
            }
        }

        /// Reads snapshots and passes their records to the callbacks.
        ///
        /// # Safety
        ///
        /// Null or a reader; null or a place for the number of records.
        #[unsafe(no_mangle)]
        pub(crate) unsafe extern "C-unwind" fn $read(this: *mut $reader, wanted: u64, number: *mut u64) -> ErrorCode {
            if this.is_null() {
                return missing(INVALID_ARGUMENT);
            }
            // SAFETY: `this` is not null, so it is an open reader, which is used only between the
            // calls of the program; `number` is null or a place for the result.
            code(unsafe { read(wanted, number, || (*this).next()) })
        }
    )*};
}

functions! {
    SnapReader, INTEGRITY_FAULT, OTF2_SnapReader_SetCallbacks, OTF2_SnapReader_ReadSnapshots;
    GlobalSnapReader, INVALID_ARGUMENT, OTF2_GlobalSnapReader_SetCallbacks, OTF2_GlobalSnapReader_ReadSnapshots;
}
