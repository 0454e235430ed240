//! The data for all files of an archive, and the handles of its files.

use crate::anchor::AnchorValues;
use crate::collectives::Collectives;
use crate::error::{ErrorCode, INVALID_ARGUMENT, INVALID_CALL, fail};
use crate::handles::Handles;
use crate::id_map::IdMap;
use crate::locking::{ArchiveLock, Guard};
use crate::read::contexts::ContextRegions;
use crate::read::definitions::{DefReader, GlobalDefReader};
use crate::read::events::{EvtReader, GlobalEvtReader};
use crate::read::locals::Locals;
use crate::read::markers::MarkerReader;
use crate::read::snapshots::{GlobalSnapReader, SnapReader};
use crate::read::thumbnails::ThumbReader;
use crate::shared::Shared;
use crate::write::Buffer;
use crate::write::definitions::{DefWriter, GlobalDefWriter};
use crate::write::events::EvtWriter;
use crate::write::markers::MarkerWriter;
use crate::write::snapshots::SnapWriter;
use crate::write::thumbnails::ThumbWriter;
use kymo_otf2::read;
use std::collections::HashMap;
use std::ffi::CString;
use std::sync::Arc;

/// `OTF2_FileMode`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FileMode {
    Write = 0,
    Read = 1,
    Modify = 2,
}

/// `OTF2_Archive`.
pub(crate) struct Archive {
    pub(super) mode: FileMode,
    pub(super) path: CString,
    pub(super) name: CString,
    pub(super) anchor: AnchorValues,
    /// The memory of the anchor file while it is written.
    pub(super) anchor_buffer: Option<Buffer>,
    pub(super) shared: Arc<Shared>,
    /// The archive as it is read.
    pub(super) files: Option<read::Archive>,
    pub(super) collectives: Option<Collectives>,
    /// Whether collective callbacks could not be set, or were released.
    pub(super) has_failed: bool,
    pub(super) locking: ArchiveLock,
    pub(super) is_hint_locked: bool,
    pub(super) evt_writers: Handles<EvtWriter>,
    pub(super) def_writers: Handles<DefWriter>,
    pub(super) snap_writers: Handles<SnapWriter>,
    pub(super) global_def_writer: Handles<GlobalDefWriter>,
    pub(super) marker_writer: Handles<MarkerWriter>,
    pub(super) thumb_writers: Handles<ThumbWriter>,
    pub(super) evt_readers: Handles<EvtReader>,
    pub(super) def_readers: Handles<DefReader>,
    pub(super) snap_readers: Handles<SnapReader>,
    pub(super) thumb_readers: Handles<ThumbReader>,
    pub(super) global_evt_reader: Handles<GlobalEvtReader>,
    pub(super) global_def_reader: Handles<GlobalDefReader>,
    pub(super) global_snap_reader: Handles<GlobalSnapReader>,
    pub(super) marker_reader: Handles<MarkerReader>,
    pub(super) contexts: Arc<ContextRegions>,
    pub(super) locals: HashMap<u64, Arc<Locals>>,
    // Programs have pointers to them.
    #[allow(clippy::vec_box)]
    pub(super) id_maps: Vec<Box<IdMap>>,
}

impl Archive {
    pub(super) fn new(mode: FileMode, path: CString, name: CString, anchor: AnchorValues) -> Self {
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
            locking: ArchiveLock::default(),
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
            contexts: Arc::default(),
            locals: HashMap::new(),
            id_maps: Vec::new(),
        }
    }

    /// Takes the lock of the program until the guard is dropped.
    pub(crate) fn lock(&self) -> Result<Guard, ErrorCode> {
        self.locking.lock()
    }

    /// Returns a guard without the lock.
    pub(super) fn without_lock(&self) -> Result<Guard, ErrorCode> {
        Ok(Guard::without_lock())
    }

    /// Returns the mapping tables and the clock of a location, as read so far.
    pub(super) fn locals(&mut self, location: u64) -> Arc<Locals> {
        self.locals.entry(location).or_default().clone()
    }

    /// Returns whether this process is rank 0, if that is known.
    pub(crate) fn role(&self) -> Option<bool> {
        self.collectives.as_ref().and_then(|collectives| collectives.rank().ok()).map(|rank| rank == 0)
    }

    /// Returns whether this process is rank 0.
    pub(super) fn is_primary(&self) -> Result<bool, ErrorCode> {
        match &self.collectives {
            Some(collectives) => Ok(collectives.rank()? == 0),
            None => Err(fail(INVALID_CALL, format_args!("the collective callbacks are not set"))),
        }
    }
}

/// Returns the archive, or fails if the handle is null.
///
/// # Safety
///
/// Null or an archive that nothing else uses as long as the reference.
#[track_caller]
pub(super) unsafe fn archive<'a>(this: *mut Archive) -> Result<&'a mut Archive, ErrorCode> {
    // SAFETY: `this` is null or an open archive that nothing else uses as long as the reference.
    unsafe { this.as_mut() }.ok_or_else(|| fail(INVALID_ARGUMENT, format_args!("no archive")))
}
