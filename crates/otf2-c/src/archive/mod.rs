//! `OTF2_Archive`: what belongs to all files of an archive, and the handles of its files.
//!
//! The lock of the program, if it has given one, is held while lists and counts of the archive
//! change, and never twice at a time.

mod anchor;
pub(crate) mod callbacks;
mod files;
mod handles;
mod open;
mod properties;
mod settings;

pub(crate) use files::*;
pub(crate) use open::*;
pub(crate) use properties::*;
pub(crate) use settings::*;

use crate::error::{
    COLLECTIVE_CALLBACK, ErrorCode, INVALID_ARGUMENT, INVALID_CALL, LOCKING_CALLBACK, MEM_ALLOC_FAILED,
    SUCCESS, fail,
};
use crate::id_map::IdMap;
use crate::read::definitions::{DefReader, GlobalDefReader};
use crate::read::events::{EvtReader, GlobalEvtReader};
use crate::read::locals::Locals;
use crate::read::markers::MarkerReader;
use crate::read::snapshots::{GlobalSnapReader, SnapReader};
use crate::read::thumbnails::ThumbReader;
use crate::types::{CALLBACK_SUCCESS, CollectiveCallbacks, Context, Lock, LockingCallbacks};
use crate::write::Buffer;
use crate::write::definitions::{DefWriter, GlobalDefWriter};
use crate::write::events::EvtWriter;
use crate::write::markers::MarkerWriter;
use crate::write::snapshots::SnapWriter;
use crate::write::thumbnails::ThumbWriter;
use anchor::Values;
use callbacks::{Shared, Table};
use handles::Handles;
use kymo_otf2::read;
use std::collections::HashMap;
use std::ffi::{CStr, CString, c_char, c_void};
use std::sync::{Arc, Mutex};

/// The regions of the calling contexts that were read.
pub(crate) type Contexts = Arc<Mutex<HashMap<u32, u32>>>;

/// `OTF2_FileMode`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Write = 0,
    Read = 1,
    Modify = 2,
}

/// The functions by which the processes of a program communicate.
#[derive(Debug, Clone, Copy)]
struct Collectives {
    table: Table<CollectiveCallbacks>,
    global: *mut Context,
    local: *mut Context,
}

/// The lock of the program.
#[derive(Debug, Clone, Copy)]
struct Locking {
    table: Table<LockingCallbacks>,
    lock: *mut Lock,
}

/// `OTF2_Archive`.
pub(crate) struct Archive {
    mode: Mode,
    path: CString,
    name: CString,
    anchor: Values,
    /// The memory of the anchor file while it is written.
    anchor_buffer: Option<Buffer>,
    shared: Arc<Shared>,
    /// The archive as it is read.
    files: Option<read::Archive>,
    collectives: Option<Collectives>,
    /// Whether collective callbacks could not be set, or were released.
    has_failed: bool,
    locking: Option<Locking>,
    is_hint_locked: bool,
    evt_writers: Handles<EvtWriter>,
    def_writers: Handles<DefWriter>,
    snap_writers: Handles<SnapWriter>,
    global_def_writer: Handles<GlobalDefWriter>,
    marker_writer: Handles<MarkerWriter>,
    thumb_writers: Handles<ThumbWriter>,
    evt_readers: Handles<EvtReader>,
    def_readers: Handles<DefReader>,
    snap_readers: Handles<SnapReader>,
    thumb_readers: Handles<ThumbReader>,
    global_evt_reader: Handles<GlobalEvtReader>,
    global_def_reader: Handles<GlobalDefReader>,
    global_snap_reader: Handles<GlobalSnapReader>,
    marker_reader: Handles<MarkerReader>,
    contexts: Contexts,
    locals: HashMap<u64, Arc<Locals>>,
    // Programs have pointers to them.
    #[allow(clippy::vec_box)]
    id_maps: Vec<Box<IdMap>>,
}

impl Archive {
    fn new(mode: Mode, path: CString, name: CString, anchor: Values) -> Self {
        Archive {
            mode,
            path,
            name,
            anchor,
            anchor_buffer: None,
            shared: Arc::default(),
            files: None,
            collectives: None,
            has_failed: false,
            locking: None,
            is_hint_locked: false,
            evt_writers: Handles::default(),
            def_writers: Handles::default(),
            snap_writers: Handles::default(),
            global_def_writer: Handles::default(),
            marker_writer: Handles::default(),
            thumb_writers: Handles::default(),
            evt_readers: Handles::default(),
            def_readers: Handles::default(),
            snap_readers: Handles::default(),
            thumb_readers: Handles::default(),
            global_evt_reader: Handles::default(),
            global_def_reader: Handles::default(),
            global_snap_reader: Handles::default(),
            marker_reader: Handles::default(),
            contexts: Contexts::default(),
            locals: HashMap::new(),
            id_maps: Vec::new(),
        }
    }

    /// Takes the lock of the program until the guard is dropped.
    pub(crate) fn lock(&self) -> Result<Guard, ErrorCode> {
        let Some(locking) = self.locking else { return Ok(Guard(None)) };
        let taken = match locking.table.functions().lock {
            // SAFETY: the program vouches for its function.
            Some(lock) => unsafe { lock(locking.table.user_data, locking.lock) },
            None => CALLBACK_SUCCESS,
        };
        match taken {
            CALLBACK_SUCCESS => Ok(Guard(Some(locking))),
            _ => Err(fail(LOCKING_CALLBACK, format_args!("the lock cannot be taken"))),
        }
    }

    /// Returns a guard without the lock.
    fn without_lock(&self) -> Result<Guard, ErrorCode> {
        Ok(Guard(None))
    }

    /// Counts a global definition that was written.
    ///
    /// # Safety
    ///
    /// An archive.
    pub(crate) unsafe fn count_definition(this: *mut Archive, is_location: bool) -> ErrorCode {
        // SAFETY: as the caller vouches.
        let archive = unsafe { &mut *this };
        code(archive.lock().map(|_guard| {
            archive.anchor.number_of_global_definitions += 1;
            archive.anchor.number_of_locations += u64::from(is_location);
        }))
    }

    /// Returns what local definitions of a location say about its events.
    fn locals(&mut self, location: u64) -> Arc<Locals> {
        self.locals.entry(location).or_default().clone()
    }

    /// Returns whether this process is rank 0, if that is known.
    pub(crate) fn role(&self) -> Option<bool> {
        self.collectives.as_ref().and_then(|collectives| collectives.rank().ok()).map(|rank| rank == 0)
    }

    /// Returns whether this process is rank 0.
    fn is_primary(&self) -> Result<bool, ErrorCode> {
        match &self.collectives {
            Some(collectives) => Ok(collectives.rank()? == 0),
            None => Err(fail(INVALID_CALL, format_args!("the collective callbacks are not set"))),
        }
    }
}

impl Collectives {
    fn rank(&self) -> Result<u32, ErrorCode> {
        let mut rank = 0;
        let found = match self.table.functions().get_rank {
            // SAFETY: the program vouches for its function.
            Some(get_rank) => unsafe { get_rank(self.table.user_data, self.global, &raw mut rank) },
            None => CALLBACK_SUCCESS,
        };
        expect_success(found, "the rank").map(|()| rank)
    }

    /// Sends one number of 8 bytes from rank 0 to all.
    fn broadcast(&self, number: *mut c_void, type_: u8) -> Result<(), ErrorCode> {
        let sent = match self.table.functions().bcast {
            // SAFETY: the program vouches for its function; the number has 8 bytes.
            Some(bcast) => unsafe { bcast(self.table.user_data, self.global, number, 1, type_, 0) },
            None => CALLBACK_SUCCESS,
        };
        expect_success(sent, "a broadcast")
    }
}

#[track_caller]
fn expect_success(answer: u32, what: &str) -> Result<(), ErrorCode> {
    match answer {
        CALLBACK_SUCCESS => Ok(()),
        _ => Err(fail(COLLECTIVE_CALLBACK, format_args!("the callback for {what} failed"))),
    }
}

/// Holds the lock of the program.
#[derive(Debug)]
pub(crate) struct Guard(Option<Locking>);

impl Drop for Guard {
    fn drop(&mut self) {
        let Some(locking) = self.0 else { return };
        if let Some(unlock) = locking.table.functions().unlock
            // SAFETY: the program vouches for its function.
            && unsafe { unlock(locking.table.user_data, locking.lock) } != CALLBACK_SUCCESS
        {
            fail(LOCKING_CALLBACK, format_args!("the lock cannot be released"));
        }
    }
}

/// Returns the archive, or fails if the handle is null.
///
/// # Safety
///
/// Null or an archive.
#[track_caller]
unsafe fn archive<'a>(this: *mut Archive) -> Result<&'a mut Archive, ErrorCode> {
    // SAFETY: as the caller vouches.
    unsafe { this.as_mut() }.ok_or_else(|| fail(INVALID_ARGUMENT, format_args!("no archive")))
}

/// Returns a place for a result, or fails if it is null.
///
/// # Safety
///
/// Null or a place that nothing else uses.
#[track_caller]
pub(crate) unsafe fn place<'a, T>(place: *mut T) -> Result<&'a mut T, ErrorCode> {
    // SAFETY: as the caller vouches.
    unsafe { place.as_mut() }.ok_or_else(|| fail(INVALID_ARGUMENT, format_args!("no place for a result")))
}

/// Returns the code of an outcome whose failure was reported.
pub(crate) fn code(result: Result<(), ErrorCode>) -> ErrorCode {
    result.err().unwrap_or(SUCCESS)
}

/// Copies a string to memory that the program frees.
#[track_caller]
pub(crate) fn duplicate(string: &CStr) -> Result<*mut c_char, ErrorCode> {
    // SAFETY: a C string.
    let copy = unsafe { libc::strdup(string.as_ptr()) };
    match copy.is_null() {
        true => Err(fail(MEM_ALLOC_FAILED, format_args!("no memory for a string"))),
        false => Ok(copy),
    }
}
