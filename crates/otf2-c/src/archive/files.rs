//! Making and closing the writers and readers of an archive.

use super::fields::{Archive, FileMode, archive};
use crate::arguments::{list, text};
use crate::error::{
    ErrorCode, FILE_INTERACTION, Failure, INVALID_ARGUMENT, INVALID_CALL, code, fail, fail_with,
};
use crate::handles::Handles;
use crate::read::definitions::{DefReader, GlobalDefReader};
use crate::read::events::{EvtReader, GlobalEvtReader};
use crate::read::markers::MarkerReader;
use crate::read::snapshots::{GlobalSnapReader, SnapReader};
use crate::read::thumbnails::ThumbReader;
use crate::types::{UNDEFINED_LOCATION, file_type};
use crate::write::Buffer;
use crate::write::definitions::{DefWriter, GlobalDefWriter};
use crate::write::events::EvtWriter;
use crate::write::markers::MarkerWriter;
use crate::write::snapshots::SnapWriter;
use crate::write::thumbnails::ThumbWriter;
use kymo_otf2::enums::ThumbnailType;
use kymo_otf2::thumbnails::ThumbnailHeader;
use kymo_otf2::{THUMBNAIL_CHUNK_SIZE, read};
use std::ffi::c_char;

impl Archive {
    fn expect_written(&self) -> Result<(), ErrorCode> {
        match self.mode {
            FileMode::Write => Ok(()),
            _ => Err(fail(INVALID_CALL, format_args!("the archive is not open for writing"))),
        }
    }

    fn expect_flushed(&self) -> Result<(), ErrorCode> {
        self.expect_written()?;
        match self.shared.has_flush_callbacks() {
            true => Ok(()),
            false => Err(fail(INVALID_CALL, format_args!("the flush callbacks are not set"))),
        }
    }

    fn expect_primary(&self) -> Result<(), ErrorCode> {
        match self.is_primary()? {
            true => Ok(()),
            false => Err(fail(INVALID_CALL, format_args!("only rank 0 has this writer"))),
        }
    }

    fn files(&self) -> Result<&read::Archive, ErrorCode> {
        self.files
            .as_ref()
            .ok_or_else(|| fail(INVALID_CALL, format_args!("the archive is not open for reading")))
    }

    fn definition_chunk_size(&self) -> Result<u64, ErrorCode> {
        match self.anchor.definition_chunk_size {
            u64::MAX => Err(fail(INVALID_CALL, format_args!("the chunk size of definitions is not set"))),
            size => Ok(size),
        }
    }

    fn buffer(&self, file_type: u8, location: u64, chunk_size: u64) -> Buffer {
        Buffer::new(self.shared.clone(), file_type, location, chunk_size)
    }

    fn evt_writer(&mut self, location: u64) -> Result<*mut EvtWriter, ErrorCode> {
        self.expect_flushed()?;
        if let Some(writer) = self.evt_writers.of(location) {
            return Ok(writer);
        }
        let size = self.anchor.event_chunk_size;
        let buffer = self.buffer(file_type::EVENTS, location, size);
        let writer = EvtWriter::new(&raw const self.locking, &raw mut self.evt_writers, buffer, size)
            .map_err(|error| fail_with(&error))?;
        Ok(self.evt_writers.add((location != UNDEFINED_LOCATION).then_some(location), writer))
    }

    fn def_writer(&mut self, location: u64) -> Result<*mut DefWriter, ErrorCode> {
        expect_location(location)?;
        self.expect_flushed()?;
        if let Some(writer) = self.def_writers.of(location) {
            return Ok(writer);
        }
        let size = self.definition_chunk_size()?;
        let buffer = self.buffer(file_type::LOCAL_DEFINITIONS, location, size);
        let writer = DefWriter::new(buffer, size).map_err(|error| fail_with(&error))?;
        Ok(self.def_writers.add(Some(location), writer))
    }

    fn snap_writer(&mut self, location: u64) -> Result<*mut SnapWriter, ErrorCode> {
        expect_location(location)?;
        self.expect_flushed()?;
        if let Some(writer) = self.snap_writers.of(location) {
            return Ok(writer);
        }
        let size = self.anchor.event_chunk_size;
        let buffer = self.buffer(file_type::SNAPSHOTS, location, size);
        let writer = SnapWriter::new(buffer, size).map_err(|error| fail_with(&error))?;
        Ok(self.snap_writers.add(Some(location), writer))
    }

    fn global_def_writer(&mut self) -> Result<*mut GlobalDefWriter, ErrorCode> {
        self.expect_flushed()?;
        self.expect_primary()?;
        if let Some(writer) = self.global_def_writer.only() {
            return Ok(writer);
        }
        let size = self.definition_chunk_size()?;
        let buffer = self.buffer(file_type::GLOBAL_DEFINITIONS, UNDEFINED_LOCATION, size);
        let writer = GlobalDefWriter::new(&raw const self.locking, &raw mut self.anchor, buffer, size)
            .map_err(|error| fail_with(&error))?;
        Ok(self.global_def_writer.add(None, writer))
    }

    fn marker_writer(&mut self) -> Result<*mut MarkerWriter, ErrorCode> {
        self.expect_primary()?;
        if let Some(writer) = self.marker_writer.only() {
            return Ok(writer);
        }
        if !self.shared.has_storage() && self.mode == FileMode::Read {
            self.open_storage()?;
        }
        let size = self.definition_chunk_size()?;
        let buffer = self.buffer(file_type::MARKERS, UNDEFINED_LOCATION, size);
        let writer = MarkerWriter::new(buffer, size).map_err(|error| fail_with(&error))?;
        Ok(self.marker_writer.add(None, writer))
    }

    fn thumb_writer(&mut self, header: &ThumbnailHeader<'_>) -> Result<*mut ThumbWriter, ErrorCode> {
        self.expect_written()?;
        let number = self.anchor.number_of_thumbnails;
        let buffer = self.buffer(file_type::THUMBNAIL, number.into(), THUMBNAIL_CHUNK_SIZE);
        let writer = ThumbWriter::new(buffer, header).map_err(|error| fail_with(&error))?;
        self.anchor.number_of_thumbnails += 1;
        Ok(self.thumb_writers.add(None, writer))
    }

    fn evt_reader(&mut self, location: u64) -> Result<*mut EvtReader, ErrorCode> {
        if let Some(reader) = self.evt_readers.of(location) {
            return Ok(reader);
        }
        let events = self.files()?.events(location).map_err(|error| fail_with(&error))?;
        let (locals, contexts) = (self.locals(location), self.contexts.clone());
        let reader = EvtReader::new(&raw const self.global_evt_reader, events, locals, contexts);
        Ok(self.evt_readers.add(Some(location), reader))
    }

    fn def_reader(&mut self, location: u64) -> Result<*mut DefReader, ErrorCode> {
        if let Some(reader) = self.def_readers.of(location) {
            return Ok(reader);
        }
        let definitions =
            self.files()?.local_definition_reader(location).map_err(|error| fail_with(&error))?;
        let reader = DefReader::new(definitions, location, self.locals(location));
        Ok(self.def_readers.add(Some(location), reader))
    }

    fn snap_reader(&mut self, location: u64) -> Result<*mut SnapReader, ErrorCode> {
        if let Some(reader) = self.snap_readers.of(location) {
            return Ok(reader);
        }
        let snapshots = self.files()?.snapshots(location).map_err(|error| fail_with(&error))?;
        Ok(self.snap_readers.add(Some(location), SnapReader::new(snapshots)))
    }

    fn thumb_reader(&mut self, number: u32) -> Result<*mut ThumbReader, ErrorCode> {
        let records = self.files()?.thumbnail_reader(number).map_err(|error| fail_with(&error))?;
        Ok(self.thumb_readers.add(None, ThumbReader::new(records)?))
    }

    fn global_def_reader(&mut self) -> Result<*mut GlobalDefReader, ErrorCode> {
        if let Some(reader) = self.global_def_reader.only() {
            return Ok(reader);
        }
        let definitions = self.files()?.global_definition_reader().map_err(|error| fail_with(&error))?;
        let reader =
            GlobalDefReader::new(definitions, self.contexts.clone(), self.anchor.definition_chunk_size);
        Ok(self.global_def_reader.add(None, reader))
    }

    fn marker_reader(&mut self) -> Result<*mut MarkerReader, ErrorCode> {
        if let Some(reader) = self.marker_reader.only() {
            return Ok(reader);
        }
        let markers = self.files()?.marker_reader().map_err(|error| fail_with(&error))?;
        Ok(self.marker_reader.add(None, MarkerReader::new(markers)))
    }

    /// Takes the events of all readers that are open. Their handles stay, but they have nothing
    /// more to read.
    fn global_evt_reader(&mut self) -> Result<*mut GlobalEvtReader, ErrorCode> {
        if let Some(reader) = self.global_evt_reader.only() {
            return Ok(reader);
        }
        self.files()?;
        let mut readers = Vec::with_capacity(self.evt_readers.len());
        let mut taken = Ok(());
        self.evt_readers.each(|reader| match reader.take_events() {
            Ok(events) => readers.extend(events),
            Err(error) => taken = Err(error),
        });
        taken.map_err(|error| fail_with(&error))?;
        if readers.is_empty() {
            return Err(fail(INVALID_ARGUMENT, format_args!("no reader of events is open")));
        }
        let events = self.files()?.in_order_of(readers).map_err(|error| fail_with(&error))?;
        let reader = GlobalEvtReader::new(events, self.contexts.clone());
        Ok(self.global_evt_reader.add(None, reader))
    }

    /// Takes the snapshots of all readers that are open.
    fn global_snap_reader(&mut self) -> Result<*mut GlobalSnapReader, ErrorCode> {
        if let Some(reader) = self.global_snap_reader.only() {
            return Ok(reader);
        }
        self.files()?;
        if self.snap_readers.len() == 0 {
            return Err(fail(INVALID_ARGUMENT, format_args!("no reader of snapshots is open")));
        }
        let mut readers = Vec::with_capacity(self.snap_readers.len());
        while let Some(reader) = self.snap_readers.pop() {
            readers.push(reader.into_snapshots());
        }
        let snapshots = self.files()?.in_order_of(readers).map_err(|error| fail_with(&error))?;
        Ok(self.global_snap_reader.add(None, GlobalSnapReader::new(snapshots)))
    }

    /// Closes the writers that are still open, in the order of libotf2; failures go to the error
    /// handler.
    pub(super) fn close_writers(&mut self) {
        self.evt_writers.close_all(EvtWriter::close);
        self.def_writers.close_all(DefWriter::close);
        self.global_def_writer.close_all(GlobalDefWriter::close);
        self.snap_writers.close_all(SnapWriter::close);
        self.thumb_writers.close_all(ThumbWriter::close);
        self.marker_writer.close_all(MarkerWriter::close);
    }

    /// Closes the readers that are still open.
    pub(super) fn close_readers(&mut self) {
        while self.evt_readers.pop().is_some() {}
        while self.def_readers.pop().is_some() {}
        while self.snap_readers.pop().is_some() {}
        while self.thumb_readers.pop().is_some() {}
        while self.global_evt_reader.pop().is_some() {}
        while self.global_def_reader.pop().is_some() {}
        while self.global_snap_reader.pop().is_some() {}
        while self.marker_reader.pop().is_some() {}
    }

    fn close_def_reader(&mut self, reader: Box<DefReader>) {
        self.id_maps.extend(reader.into_id_maps());
    }
}

fn expect_location(location: u64) -> Result<(), ErrorCode> {
    match location {
        UNDEFINED_LOCATION => Err(fail(INVALID_ARGUMENT, format_args!("the location is undefined"))),
        _ => Ok(()),
    }
}

/// Calls a function with a locked archive; returns null on failure.
///
/// # Safety
///
/// Null or an archive that nothing else uses.
unsafe fn get<T>(this: *mut Archive, make: impl FnOnce(&mut Archive) -> Result<*mut T, ErrorCode>) -> *mut T {
    // SAFETY: `this` is null or an open archive that nothing else uses during this call.
    let made = unsafe { archive(this) }.and_then(|archive| {
        let _guard = archive.lock()?;
        make(archive)
    });
    made.unwrap_or(std::ptr::null_mut())
}

macro_rules! get {
    ($($name:ident($($arg:ident: $type:ty)?) -> $handle:ident, $make:ident;)*) => {$(
        /// Returns the handle, which is made if there is none; null on failure.
        ///
        /// # Safety
        ///
        /// Null or an archive.
        #[unsafe(no_mangle)]
        pub(crate) unsafe extern "C-unwind" fn $name(this: *mut Archive, $($arg: $type)?) -> *mut $handle {
            // SAFETY: `this` is null or an open archive that nothing else uses during this call.
            unsafe { get(this, |archive| archive.$make($($arg)?)) }
        }
    )*};
}

get! {
    OTF2_Archive_GetEvtWriter(location: u64) -> EvtWriter, evt_writer;
    OTF2_Archive_GetDefWriter(location: u64) -> DefWriter, def_writer;
    OTF2_Archive_GetSnapWriter(location: u64) -> SnapWriter, snap_writer;
    OTF2_Archive_GetGlobalDefWriter() -> GlobalDefWriter, global_def_writer;
    OTF2_Archive_GetEvtReader(location: u64) -> EvtReader, evt_reader;
    OTF2_Archive_GetDefReader(location: u64) -> DefReader, def_reader;
    OTF2_Archive_GetSnapReader(location: u64) -> SnapReader, snap_reader;
    OTF2_Archive_GetThumbReader(number: u32) -> ThumbReader, thumb_reader;
    OTF2_Archive_GetGlobalEvtReader() -> GlobalEvtReader, global_evt_reader;
    OTF2_Archive_GetGlobalDefReader() -> GlobalDefReader, global_def_reader;
    OTF2_Archive_GetGlobalSnapReader() -> GlobalSnapReader, global_snap_reader;
    OTF2_Archive_GetMarkerReader() -> MarkerReader, marker_reader;
}

/// Returns the writer of markers, which is made if there is none; null on failure.
///
/// # Safety
///
/// Null or an archive.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_Archive_GetMarkerWriter(this: *mut Archive) -> *mut MarkerWriter {
    let make = |archive: &mut Archive| archive.expect_written().and_then(|()| archive.marker_writer());
    // SAFETY: `this` is null or an open archive that nothing else uses during this call.
    unsafe { get(this, make) }
}

/// Returns the writer of markers of an archive that is read.
///
/// # Safety
///
/// Null or an archive.
pub(crate) unsafe fn get_marker_writer(this: *mut Archive) -> *mut MarkerWriter {
    // SAFETY: `this` is null or an open archive that nothing else uses during this call.
    unsafe { get(this, Archive::marker_writer) }
}

/// Makes a writer of a thumbnail; returns null on failure.
///
/// # Safety
///
/// Null or an archive; null or C strings; null or an array of this length.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_Archive_GetThumbWriter(
    this: *mut Archive,
    name: *const c_char,
    description: *const c_char,
    type_: u8,
    number_of_samples: u32,
    number_of_metrics: u32,
    references: *const u64,
) -> *mut ThumbWriter {
    let make = |archive: &mut Archive| {
        let is_empty = number_of_samples == 0 || number_of_metrics == 0;
        if is_empty || name.is_null() || description.is_null() || references.is_null() {
            return Err(fail(INVALID_ARGUMENT, format_args!("an incomplete header of a thumbnail")));
        }
        let thumbnail_type = ThumbnailType(type_);
        if thumbnail_type.name().is_none() {
            return Err(fail(INVALID_ARGUMENT, format_args!("thumbnail type {type_}")));
        }
        // SAFETY: the pointers are not null, so they are C strings and an array of
        // `number_of_metrics` numbers.
        archive.thumb_writer(&unsafe {
            ThumbnailHeader {
                name: text(name),
                description: text(description),
                thumbnail_type,
                number_of_samples,
                refs_to_defs: list(number_of_metrics, references),
            }
        })
    };
    // SAFETY: `this` is null or an open archive that nothing else uses during this call.
    unsafe { get(this, make) }
}

fn foreign() -> ErrorCode {
    fail(INVALID_ARGUMENT, format_args!("the handle is not one of this archive"))
}

/// Closes a writer of an archive that is locked.
///
/// # Safety
///
/// Null or an archive that nothing else uses.
unsafe fn close_writer<T>(
    this: *mut Archive,
    handle: *mut T,
    handles: impl FnOnce(&mut Archive) -> &mut Handles<T>,
    close: impl FnOnce(&mut T) -> Result<(), Failure>,
) -> ErrorCode {
    // SAFETY: `this` is null or an open archive that nothing else uses during this call.
    code(unsafe { archive(this) }.and_then(|archive| {
        if handle.is_null() {
            return Ok(());
        }
        let _guard = archive.lock()?;
        match handles(archive).close(handle, close) {
            Some(closed) => closed.map_err(Failure::report),
            None => Err(foreign()),
        }
    }))
}

/// Closes a reader of an archive that is locked.
///
/// # Safety
///
/// Null or an archive that nothing else uses.
unsafe fn close_reader<T>(
    this: *mut Archive,
    handle: *mut T,
    handles: impl FnOnce(&mut Archive) -> &mut Handles<T>,
    close: impl FnOnce(&mut Archive, Box<T>),
) -> ErrorCode {
    // SAFETY: `this` is null or an open archive that nothing else uses during this call.
    code(unsafe { archive(this) }.and_then(|archive| {
        if handle.is_null() {
            return Ok(());
        }
        let _guard = archive.lock()?;
        let taken = handles(archive).take(handle).ok_or_else(foreign)?;
        close(archive, taken);
        Ok(())
    }))
}

macro_rules! close {
    ($close:ident: $($name:ident, $handle:ident, $handles:ident, $how:expr;)*) => {$(
        /// Closes a handle. A null handle is allowed.
        ///
        /// # Safety
        ///
        /// Null or an archive; a handle that is not used any more.
        #[unsafe(no_mangle)]
        pub(crate) unsafe extern "C-unwind" fn $name(this: *mut Archive, handle: *mut $handle) -> ErrorCode {
            // SAFETY: `this` is null or an open archive, and `handle` is null or a handle; nothing
            // else uses them during this call.
            unsafe { $close(this, handle, |archive| &mut archive.$handles, $how) }
        }
    )*};
}

close! { close_writer:
    OTF2_Archive_CloseEvtWriter, EvtWriter, evt_writers, EvtWriter::close;
    OTF2_Archive_CloseDefWriter, DefWriter, def_writers, DefWriter::close;
    OTF2_Archive_CloseSnapWriter, SnapWriter, snap_writers, SnapWriter::close;
    OTF2_Archive_CloseMarkerWriter, MarkerWriter, marker_writer, MarkerWriter::close;
    OTF2_Archive_CloseGlobalDefWriter, GlobalDefWriter, global_def_writer, GlobalDefWriter::close;
}

close! { close_reader:
    OTF2_Archive_CloseEvtReader, EvtReader, evt_readers, |_, reader| drop(reader);
    OTF2_Archive_CloseDefReader, DefReader, def_readers, Archive::close_def_reader;
    OTF2_Archive_CloseSnapReader, SnapReader, snap_readers, |_, reader| drop(reader);
    OTF2_Archive_CloseThumbReader, ThumbReader, thumb_readers, |_, reader| drop(reader);
    OTF2_Archive_CloseMarkerReader, MarkerReader, marker_reader, |_, reader| drop(reader);
    OTF2_Archive_CloseGlobalEvtReader, GlobalEvtReader, global_evt_reader, |archive, reader| {
        drop(reader);
        archive.evt_readers.retain(EvtReader::has_events);
    };
    OTF2_Archive_CloseGlobalDefReader, GlobalDefReader, global_def_reader, |_, reader| drop(reader);
    OTF2_Archive_CloseGlobalSnapReader, GlobalSnapReader, global_snap_reader, |_, reader| drop(reader);
}

macro_rules! collective {
    ($($name:ident;)*) => {$(
        /// Does nothing but take the lock: files are opened when they are needed.
        ///
        /// # Safety
        ///
        /// Null or an archive.
        #[unsafe(no_mangle)]
        pub(crate) unsafe extern "C-unwind" fn $name(this: *mut Archive) -> ErrorCode {
            // SAFETY: `this` is null or an open archive that nothing else uses during this call.
            code(unsafe { archive(this) }.and_then(|archive| match archive.mode {
                FileMode::Modify => {
                    Err(fail(FILE_INTERACTION, format_args!("the archive is open for modifying")))
                }
                _ => archive.lock().map(drop),
            }))
        }
    )*};
}

collective! {
    OTF2_Archive_OpenEvtFiles;
    OTF2_Archive_CloseEvtFiles;
    OTF2_Archive_OpenDefFiles;
    OTF2_Archive_CloseDefFiles;
    OTF2_Archive_OpenSnapFiles;
    OTF2_Archive_CloseSnapFiles;
}

/// Does nothing but take the lock: any location can be read.
///
/// # Safety
///
/// Null or an archive.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_Archive_SelectLocation(
    this: *mut Archive,
    _location: u64,
) -> ErrorCode {
    // SAFETY: `this` is null or an open archive that nothing else uses during this call.
    code(unsafe { archive(this) }.and_then(|archive| match archive.mode {
        FileMode::Read => archive.lock().map(drop),
        _ => Err(fail(INVALID_CALL, format_args!("the archive is not open for reading"))),
    }))
}
