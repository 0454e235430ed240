//! Opening and closing an archive.

use super::fields::{Archive, FileMode, archive};
use crate::anchor::{AnchorValues, UNSET};
use crate::collectives::Collectives;
use crate::error::{
    ErrorCode, FILE_COMPRESSION_NOT_SUPPORTED, FILE_SUBSTRATE_NOT_SUPPORTED, INVALID_ARGUMENT,
    INVALID_FILE_MODE_TRANSITION, PROCESSED_WITH_FAULTS, SUCCESS, code, code_of, code_of_io, fail, fail_with,
};
use crate::types::{TYPE_INT64, UNDEFINED_LOCATION, file_type};
use crate::write::Buffer;
use kymo_otf2::storage::{Directory, Storage};
use kymo_otf2::{CHUNK_SIZES, read};
use std::ffi::{CStr, OsStr, OsString, c_char};
use std::hash::{BuildHasher, RandomState};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;

const POSIX: u8 = 1;
const SION: u8 = 2;
/// A substrate that stores nothing.
const NONE: u8 = 3;
const UNCOMPRESSED: u8 = 1;
const ZLIB: u8 = 2;

/// The memory of the anchor, in bytes.
const ANCHOR_CHUNK_SIZE: u64 = 256 * 1024;

impl Archive {
    pub(super) fn is_stored(&self) -> bool {
        self.anchor.substrate != NONE
    }

    /// Opens the folder of the archive, which exists.
    pub(super) fn open_storage(&mut self) -> Result<(), ErrorCode> {
        let opened = self.directory(Directory::open_named)?;
        self.shared.set_storage(Arc::new(opened));
        Ok(())
    }

    fn directory(
        &self,
        open: impl FnOnce(&Path, &str) -> std::io::Result<Directory>,
    ) -> Result<Directory, ErrorCode> {
        let (path, name) = self.place()?;
        open(path, name).map_err(|error| self.cannot_open(&error))
    }

    /// Returns the folder of the archive, and its name.
    fn place(&self) -> Result<(&Path, &str), ErrorCode> {
        let path = match self.path.to_bytes() {
            b"" => Path::new("."),
            path => Path::new(OsStr::from_bytes(path)),
        };
        match self.name.to_str() {
            Ok(name) => Ok((path, name)),
            Err(_) => Err(fail(INVALID_ARGUMENT, format_args!("the name of the archive is not UTF-8"))),
        }
    }

    fn cannot_open(&self, error: &std::io::Error) -> ErrorCode {
        fail(code_of_io(error), format_args!("{}: {error}", self.path.to_string_lossy()))
    }

    /// Lets the folder of the archive, which another rank has made, be opened when something is
    /// written: until then it need not be visible on this host.
    fn open_later(&self) -> Result<(), ErrorCode> {
        let (path, name) = self.place()?;
        // The path must stay valid if the program changes its working directory.
        let path = std::path::absolute(path).map_err(|error| self.cannot_open(&error))?;
        self.shared.set_later(path, name.to_owned());
        Ok(())
    }

    /// Makes the folders of a new archive.
    fn make_folders(&self) -> Result<Directory, ErrorCode> {
        let made = self.directory(Directory::make)?;
        made.create().map_err(|error| {
            let (path, name) = (self.path.to_string_lossy(), self.name.to_string_lossy());
            fail(code_of_io(&error), format_args!("{path}/{name}: {error}"))
        })?;
        Ok(made)
    }

    /// Sets the collective callbacks. Rank 0 makes the folders of a new archive. After a failure
    /// the callbacks are not used again, because the program may have freed their data.
    pub(super) fn start(&mut self, collectives: Collectives) -> Result<(), ErrorCode> {
        // A function of the program may throw instead of failing.
        self.has_failed = true;
        let _guard = self.lock()?;
        self.begin(&collectives)?;
        (self.collectives, self.has_failed) = (Some(collectives), false);
        Ok(())
    }

    fn begin(&mut self, collectives: &Collectives) -> Result<(), ErrorCode> {
        if self.mode != FileMode::Write || !self.is_stored() {
            return Ok(());
        }
        let mut made = None;
        let mut outcome: i64 = SUCCESS.into();
        let is_primary = collectives.rank()? == 0;
        if is_primary {
            match self.make_folders() {
                Ok(directory) => made = Some(directory),
                // The handler of the program may have made a success of it.
                Err(SUCCESS) => outcome = PROCESSED_WITH_FAULTS.into(),
                Err(code) => outcome = code.into(),
            }
        }
        collectives.broadcast((&raw mut outcome).cast(), TYPE_INT64)?;
        match (outcome as ErrorCode, made) {
            (SUCCESS, Some(directory)) => self.shared.set_storage(Arc::new(directory)),
            (SUCCESS, None) => self.open_later()?,
            (code, _) if is_primary => return Err(code),
            (code, _) => {
                return Err(fail(code, format_args!("rank 0 could not make the folders of the archive")));
            }
        }
        Ok(())
    }

    /// Writes the anchor file. Failures go to the error handler.
    fn write_anchor(&mut self) -> Result<(), ErrorCode> {
        if self.anchor.trace_id == 0 {
            self.anchor.trace_id = trace_id(&self.path, &self.name);
        }
        let bytes = self.anchor.bytes().map_err(|error| fail_with(&error))?;
        let (shared, size) = (&self.shared, ANCHOR_CHUNK_SIZE);
        let make = || Buffer::new(shared.clone(), file_type::ANCHOR, UNDEFINED_LOCATION, size);
        let buffer = self.anchor_buffer.get_or_insert_with(make);
        let written = match buffer.length() {
            Some(length) => buffer.end(length),
            None => buffer.write_whole(&bytes),
        };
        self.anchor_buffer = None;
        written.map_err(|error| fail_with(&error))
    }

    /// Writes the rest, and frees the handles that the program has not closed. Failures go to the
    /// error handler. If a function of the program throws, the rest is done when the archive is
    /// closed again.
    fn finish(&mut self, is_primary: bool) {
        if self.mode == FileMode::Write && is_primary {
            let _ = self.write_anchor();
        }
        self.close_writers();
        self.close_readers();
        self.has_failed = true;
        if let Some(collectives) = self.collectives.take() {
            collectives.release();
        }
        self.locking.release();
    }
}

/// Returns a number that is not 0.
fn trace_id(path: &CStr, name: &CStr) -> u64 {
    let now = std::time::SystemTime::now();
    RandomState::new().hash_one((path, name, now, std::process::id())).max(1)
}

fn expect_chunk_size(size: u64) -> Result<(), ErrorCode> {
    match CHUNK_SIZES.contains(&size) {
        true => Ok(()),
        false => Err(fail(
            INVALID_ARGUMENT,
            format_args!("chunks of {size} bytes; expected {} to {}", CHUNK_SIZES.start(), CHUNK_SIZES.end()),
        )),
    }
}

fn open_to_write(
    path: &CStr,
    name: &CStr,
    sizes: [u64; 2],
    substrate: u8,
    compression: u8,
) -> Result<Archive, ErrorCode> {
    let [event_chunk_size, definition_chunk_size] = sizes;
    expect_chunk_size(event_chunk_size)?;
    if definition_chunk_size != UNSET {
        expect_chunk_size(definition_chunk_size)?;
    }
    match substrate {
        POSIX | NONE => {}
        SION => return Err(fail(FILE_SUBSTRATE_NOT_SUPPORTED, format_args!("no support for SION"))),
        other => return Err(fail(INVALID_ARGUMENT, format_args!("file substrate {other}"))),
    }
    match compression {
        UNCOMPRESSED => {}
        ZLIB => return Err(fail(FILE_COMPRESSION_NOT_SUPPORTED, format_args!("no writing of zlib"))),
        other => return Err(fail(INVALID_ARGUMENT, format_args!("compression {other}"))),
    }
    let anchor = AnchorValues {
        event_chunk_size,
        definition_chunk_size,
        substrate,
        compression,
        ..AnchorValues::default()
    };
    Ok(Archive::new(FileMode::Write, path.to_owned(), name.to_owned(), anchor))
}

fn open_existing(path: &CStr, name: &CStr) -> Result<Archive, ErrorCode> {
    let mut file = OsString::from(OsStr::from_bytes(name.to_bytes()));
    file.push(".otf2");
    let anchor_file = Path::new(OsStr::from_bytes(path.to_bytes())).join(file);
    let files = read::Archive::open(&anchor_file)
        .map_err(|error| fail(code_of(&error), format_args!("{}: {error}", anchor_file.display())))?;
    let anchor = AnchorValues::of(&files.anchor());
    let mut archive = Archive::new(FileMode::Read, path.to_owned(), name.to_owned(), anchor);
    // Local definitions take effect when the program reads them.
    archive.files = Some(files.as_written());
    Ok(archive)
}

fn into_handle(opened: Result<Archive, ErrorCode>) -> *mut Archive {
    opened.map_or(std::ptr::null_mut(), |archive| Box::into_raw(Box::new(archive)))
}

/// Opens an archive for reading; returns null on failure.
pub(crate) fn open_to_read(path: &CStr, name: &CStr) -> *mut Archive {
    into_handle(open_existing(path, name))
}

/// Opens an archive; returns null on failure.
///
/// # Safety
///
/// Null or C strings.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_Archive_Open(
    path: *const c_char,
    name: *const c_char,
    mode: u8,
    event_chunk_size: u64,
    definition_chunk_size: u64,
    substrate: u8,
    compression: u8,
) -> *mut Archive {
    if path.is_null() || name.is_null() {
        fail(INVALID_ARGUMENT, format_args!("no path or name of an archive"));
        return std::ptr::null_mut();
    }
    // SAFETY: `path` and `name` are not null, so they are C strings, which stay as they are during
    // this call.
    let (path, name) = unsafe { (CStr::from_ptr(path), CStr::from_ptr(name)) };
    if name.to_bytes().contains(&b'/') {
        fail(INVALID_ARGUMENT, format_args!("the name of an archive contains a slash"));
        return std::ptr::null_mut();
    }
    let sizes = [event_chunk_size, definition_chunk_size];
    into_handle(match mode {
        0 => open_to_write(path, name, sizes, substrate, compression),
        1 => open_existing(path, name),
        2 => Ok(Archive::new(FileMode::Modify, path.to_owned(), name.to_owned(), AnchorValues::default())),
        other => Err(fail(INVALID_ARGUMENT, format_args!("file mode {other}"))),
    })
}

/// Closes an archive with all its handles. Null is allowed.
///
/// # Safety
///
/// Null or an archive that is not used any more.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_Archive_Close(this: *mut Archive) -> ErrorCode {
    // SAFETY: `this` is null or an open archive that nothing else uses during this call.
    let Some(archive) = (unsafe { this.as_mut() }) else { return SUCCESS };
    let is_primary = match archive.mode {
        // The archive never began, so the files there belong to another; or it has ended.
        FileMode::Write if archive.has_failed && archive.collectives.is_none() => false,
        FileMode::Write => match archive.is_primary() {
            Ok(is_primary) => is_primary,
            Err(code) => return code,
        },
        _ => false,
    };
    archive.finish(is_primary);
    // SAFETY: made by `OTF2_Archive_Open`.
    drop(unsafe { Box::from_raw(this) });
    SUCCESS
}

/// Changes an archive that is read into one that is written: snapshots, thumbnails and properties
/// can be added.
///
/// # Safety
///
/// Null or an archive.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_Archive_SwitchFileMode(
    this: *mut Archive,
    mode: u8,
) -> ErrorCode {
    // SAFETY: `this` is null or an open archive that nothing else uses during this call.
    code(unsafe { archive(this) }.and_then(|archive| match (archive.mode, mode) {
        (FileMode::Read, 0) if archive.anchor.substrate == POSIX => {
            archive.open_storage()?;
            archive.mode = FileMode::Write;
            Ok(())
        }
        (_, 3..) => Err(fail(INVALID_ARGUMENT, format_args!("file mode {mode}"))),
        (from, to) => {
            let from = from as u8;
            Err(fail(INVALID_FILE_MODE_TRANSITION, format_args!("from file mode {from} to {to}")))
        }
    }))
}
