//! `OTF2_Reader`: an archive that is open for reading, under other names.

use crate::archive::{self, Archive};
use crate::error::{DEPRECATED, ErrorCode, INVALID_ARGUMENT, SUCCESS, code, fail};
use crate::read::callbacks::Callbacks;
use crate::read::definitions::{
    DefReader, GlobalDefReader, OTF2_DefReader_ReadDefinitions, OTF2_DefReader_SetCallbacks,
    OTF2_GlobalDefReader_ReadDefinitions, OTF2_GlobalDefReader_SetCallbacks,
};
use crate::read::events::*;
use crate::read::markers::{MarkerReader, OTF2_MarkerReader_ReadMarkers, OTF2_MarkerReader_SetCallbacks};
use crate::read::snapshots::{
    GlobalSnapReader, OTF2_GlobalSnapReader_ReadSnapshots, OTF2_GlobalSnapReader_SetCallbacks,
    OTF2_SnapReader_ReadSnapshots, OTF2_SnapReader_SetCallbacks, SnapReader,
};
use crate::read::thumbnails::ThumbReader;
use crate::types::{CollectiveCallbacks, Context, LockingCallbacks};
use crate::write::markers::MarkerWriter;
use std::ffi::{CStr, CString, OsStr, c_char, c_int, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// `OTF2_Reader`.
pub(crate) struct Reader {
    archive: *mut Archive,
}

/// The longest path, in bytes.
const LONGEST: usize = 32_766;

/// Returns the folder and the name of the archive of an anchor file.
fn parts(path: &CStr) -> Option<(CString, CString)> {
    if path.to_bytes().len() > LONGEST {
        return None;
    }
    let path = Path::new(OsStr::from_bytes(path.to_bytes()));
    path.extension().filter(|extension| *extension == "otf2" || *extension == "OTF2")?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let string = |text: &OsStr| CString::new(text.as_bytes()).ok();
    Some((string(folder.as_os_str())?, string(path.file_stem()?)?))
}

/// Opens the archive of an anchor file; returns null on failure.
///
/// # Safety
///
/// Null or a C string.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_Reader_Open(path: *const c_char) -> *mut Reader {
    if path.is_null() {
        fail(INVALID_ARGUMENT, format_args!("no path of an anchor file"));
        return std::ptr::null_mut();
    }
    // SAFETY: `path` is not null, so it is a C string, which stays as it is during this call.
    let path = unsafe { CStr::from_ptr(path) };
    let Some((folder, name)) = parts(path) else {
        fail(INVALID_ARGUMENT, format_args!("no path of an anchor file: {}", path.to_string_lossy()));
        return std::ptr::null_mut();
    };
    let archive = archive::open_to_read(&folder, &name);
    if archive.is_null() {
        return std::ptr::null_mut();
    }
    Box::into_raw(Box::new(Reader { archive }))
}

/// Closes a reader with all its handles. Null is allowed.
///
/// # Safety
///
/// Null or a reader that is not used any more.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_Reader_Close(this: *mut Reader) -> ErrorCode {
    if this.is_null() {
        return SUCCESS;
    }
    // SAFETY: made by `OTF2_Reader_Open`. If a function of the program throws, the reader can be
    // closed again.
    unsafe {
        let code = archive::OTF2_Archive_Close((*this).archive);
        drop(Box::from_raw(this));
        code
    }
}

#[track_caller]
fn missing() -> ErrorCode {
    fail(INVALID_ARGUMENT, format_args!("no reader"))
}

// The result of a function without a reader.
macro_rules! failed {
    (ErrorCode) => {
        missing()
    };
    ($pointer:ty) => {{
        missing();
        std::ptr::null_mut()
    }};
}

// Functions of the archive under another name.
macro_rules! of_archive {
    ($($name:ident($($arg:ident: $type:ty),*) -> $($result:ident)? $(*mut $handle:ident)? => $target:path;)*) => {$(
        /// The same as the function of the archive.
        ///
        /// # Safety
        ///
        /// Null or a reader; as that function requires.
        #[unsafe(no_mangle)]
        pub(crate) unsafe extern "C-unwind" fn $name(
            this: *mut Reader,
            $($arg: $type),*
        ) -> $($result)? $(*mut $handle)? {
            // SAFETY: `this` is null or an open reader; other calls may read it meanwhile, but none
            // closes it.
            match unsafe { this.as_ref() } {
                // SAFETY: the archive of a reader is open, and `$target` requires no more of the
                // other arguments than this function.
                Some(reader) => unsafe { $target(reader.archive, $($arg),*) },
                None => failed!($($result)? $(*mut $handle)?),
            }
        }
    )*};
}

of_archive! {
    OTF2_Reader_SetHint(hint: u32, value: *mut c_void) -> ErrorCode => archive::OTF2_Archive_SetHint;
    OTF2_Reader_SetCollectiveCallbacks(
        callbacks: *const CollectiveCallbacks, user_data: *mut c_void, global: *mut Context, local: *mut Context
    ) -> ErrorCode => archive::OTF2_Archive_SetCollectiveCallbacks;
    OTF2_Reader_SetSerialCollectiveCallbacks() -> ErrorCode => archive::OTF2_Archive_SetSerialCollectiveCallbacks;
    OTF2_Reader_SetLockingCallbacks(callbacks: *const LockingCallbacks, user_data: *mut c_void) -> ErrorCode
        => archive::OTF2_Archive_SetLockingCallbacks;
    OTF2_Reader_GetEvtReader(location: u64) -> *mut EvtReader => archive::OTF2_Archive_GetEvtReader;
    OTF2_Reader_GetGlobalEvtReader() -> *mut GlobalEvtReader => archive::OTF2_Archive_GetGlobalEvtReader;
    OTF2_Reader_GetDefReader(location: u64) -> *mut DefReader => archive::OTF2_Archive_GetDefReader;
    OTF2_Reader_GetGlobalDefReader() -> *mut GlobalDefReader => archive::OTF2_Archive_GetGlobalDefReader;
    OTF2_Reader_GetSnapReader(location: u64) -> *mut SnapReader => archive::OTF2_Archive_GetSnapReader;
    OTF2_Reader_GetGlobalSnapReader() -> *mut GlobalSnapReader => archive::OTF2_Archive_GetGlobalSnapReader;
    OTF2_Reader_GetThumbReader(number: u32) -> *mut ThumbReader => archive::OTF2_Archive_GetThumbReader;
    OTF2_Reader_GetMarkerReader() -> *mut MarkerReader => archive::OTF2_Archive_GetMarkerReader;
    OTF2_Reader_GetMarkerWriter() -> *mut MarkerWriter => archive::get_marker_writer;
    OTF2_Reader_CloseEvtReader(handle: *mut EvtReader) -> ErrorCode => archive::OTF2_Archive_CloseEvtReader;
    OTF2_Reader_CloseGlobalEvtReader(handle: *mut GlobalEvtReader) -> ErrorCode
        => archive::OTF2_Archive_CloseGlobalEvtReader;
    OTF2_Reader_CloseDefReader(handle: *mut DefReader) -> ErrorCode => archive::OTF2_Archive_CloseDefReader;
    OTF2_Reader_CloseGlobalDefReader(handle: *mut GlobalDefReader) -> ErrorCode
        => archive::OTF2_Archive_CloseGlobalDefReader;
    OTF2_Reader_CloseSnapReader(handle: *mut SnapReader) -> ErrorCode => archive::OTF2_Archive_CloseSnapReader;
    OTF2_Reader_CloseGlobalSnapReader(handle: *mut GlobalSnapReader) -> ErrorCode
        => archive::OTF2_Archive_CloseGlobalSnapReader;
    OTF2_Reader_CloseThumbReader(handle: *mut ThumbReader) -> ErrorCode => archive::OTF2_Archive_CloseThumbReader;
    OTF2_Reader_CloseMarkerReader(handle: *mut MarkerReader) -> ErrorCode
        => archive::OTF2_Archive_CloseMarkerReader;
    OTF2_Reader_CloseMarkerWriter(handle: *mut MarkerWriter) -> ErrorCode
        => archive::OTF2_Archive_CloseMarkerWriter;
    OTF2_Reader_GetVersion(major: *mut u8, minor: *mut u8, bugfix: *mut u8) -> ErrorCode
        => archive::OTF2_Archive_GetVersion;
    OTF2_Reader_GetChunkSize(events: *mut u64, definitions: *mut u64) -> ErrorCode
        => archive::OTF2_Archive_GetChunkSize;
    OTF2_Reader_GetFileSubstrate(substrate: *mut u8) -> ErrorCode => archive::OTF2_Archive_GetFileSubstrate;
    OTF2_Reader_GetCompression(compression: *mut u8) -> ErrorCode => archive::OTF2_Archive_GetCompression;
    OTF2_Reader_GetNumberOfLocations(number: *mut u64) -> ErrorCode => archive::OTF2_Archive_GetNumberOfLocations;
    OTF2_Reader_GetNumberOfGlobalDefinitions(number: *mut u64) -> ErrorCode
        => archive::OTF2_Archive_GetNumberOfGlobalDefinitions;
    OTF2_Reader_GetMachineName(string: *mut *mut c_char) -> ErrorCode => archive::OTF2_Archive_GetMachineName;
    OTF2_Reader_GetCreator(string: *mut *mut c_char) -> ErrorCode => archive::OTF2_Archive_GetCreator;
    OTF2_Reader_GetDescription(string: *mut *mut c_char) -> ErrorCode => archive::OTF2_Archive_GetDescription;
    OTF2_Reader_GetPropertyNames(number: *mut u32, names: *mut *mut *mut c_char) -> ErrorCode
        => archive::OTF2_Archive_GetPropertyNames;
    OTF2_Reader_GetProperty(name: *const c_char, value: *mut *mut c_char) -> ErrorCode
        => archive::OTF2_Archive_GetProperty;
    OTF2_Reader_GetTraceId(id: *mut u64) -> ErrorCode => archive::OTF2_Archive_GetTraceId;
    OTF2_Reader_GetNumberOfSnapshots(number: *mut u32) -> ErrorCode => archive::OTF2_Archive_GetNumberOfSnapshots;
    OTF2_Reader_GetNumberOfThumbnails(number: *mut u32) -> ErrorCode
        => archive::OTF2_Archive_GetNumberOfThumbnails;
    OTF2_Reader_OpenEvtFiles() -> ErrorCode => archive::OTF2_Archive_OpenEvtFiles;
    OTF2_Reader_CloseEvtFiles() -> ErrorCode => archive::OTF2_Archive_CloseEvtFiles;
    OTF2_Reader_OpenDefFiles() -> ErrorCode => archive::OTF2_Archive_OpenDefFiles;
    OTF2_Reader_CloseDefFiles() -> ErrorCode => archive::OTF2_Archive_CloseDefFiles;
    OTF2_Reader_OpenSnapFiles() -> ErrorCode => archive::OTF2_Archive_OpenSnapFiles;
    OTF2_Reader_CloseSnapFiles() -> ErrorCode => archive::OTF2_Archive_CloseSnapFiles;
    OTF2_Reader_SelectLocation(location: u64) -> ErrorCode => archive::OTF2_Archive_SelectLocation;
    OTF2_Reader_IsPrimary(result: *mut bool) -> ErrorCode => archive::OTF2_Archive_IsPrimary;
}

/// The former name of `OTF2_Reader_IsPrimary`.
///
/// # Safety
///
/// Null or a reader; null or a place for the result.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_Reader_IsMaster(
    this: *mut Reader,
    result: *mut bool,
) -> ErrorCode {
    fail(DEPRECATED, format_args!("OTF2_Reader_IsMaster is OTF2_Reader_IsPrimary now"));
    // SAFETY: `this` is null or an open reader that nothing else uses during this call, and
    // `OTF2_Reader_IsPrimary` requires no more of the other arguments than this function.
    unsafe { OTF2_Reader_IsPrimary(this, result) }
}

/// Returns the truth value of a property.
///
/// # Safety
///
/// Null or a reader; null or a C string; null or a place for the result.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_Reader_GetBoolProperty(
    this: *mut Reader,
    name: *const c_char,
    value: *mut bool,
) -> ErrorCode {
    // SAFETY: `this` is null or an open reader; `value` is null or a place for the result that
    // nothing else refers to.
    let (Some(reader), Some(value), false) = (unsafe { (this.as_ref(), value.as_mut(), name.is_null()) })
    else {
        return missing();
    };
    // SAFETY: the archive of a reader is open until the reader is closed; `name` is not null, so it
    // is a C string.
    let (archive, name) = unsafe { (&*reader.archive, CStr::from_ptr(name)) };
    code(archive.lock().and_then(|_guard| {
        *value = archive.bool_property(name)?;
        Ok(())
    }))
}

// Functions of a handle, which also need a reader. A missing handle is the failure of this function
// or of that of the handle, whose codes differ.
macro_rules! of_handle {
    ($checks_handle:literal; $($name:ident($handle:ident $(, $arg:ident: $type:ty)*) => $target:ident;)*) => {$(
        /// The same as the function of the handle.
        ///
        /// # Safety
        ///
        /// Null or a reader; null or a handle; as that function requires.
        #[unsafe(no_mangle)]
        pub(crate) unsafe extern "C-unwind" fn $name(
            this: *mut Reader,
            handle: *mut $handle,
            $($arg: $type),*
        ) -> ErrorCode {
            if this.is_null() || ($checks_handle && handle.is_null()) {
                return missing();
            }
            // SAFETY: `handle` is null or an open handle that nothing else uses during this call,
            // and `$target` requires no more of the other arguments than this function.
            unsafe { $target(handle, $($arg),*) }
        }
    )*};
}

of_handle! { true;
    OTF2_Reader_RegisterEvtCallbacks(EvtReader, callbacks: *const Callbacks, user_data: *mut c_void)
        => OTF2_EvtReader_SetCallbacks;
    OTF2_Reader_RegisterGlobalEvtCallbacks(GlobalEvtReader, callbacks: *const Callbacks, user_data: *mut c_void)
        => OTF2_GlobalEvtReader_SetCallbacks;
    OTF2_Reader_RegisterDefCallbacks(DefReader, callbacks: *const Callbacks, user_data: *mut c_void)
        => OTF2_DefReader_SetCallbacks;
    OTF2_Reader_RegisterGlobalDefCallbacks(GlobalDefReader, callbacks: *const Callbacks, user_data: *mut c_void)
        => OTF2_GlobalDefReader_SetCallbacks;
    OTF2_Reader_RegisterSnapCallbacks(SnapReader, callbacks: *const Callbacks, user_data: *mut c_void)
        => OTF2_SnapReader_SetCallbacks;
    OTF2_Reader_RegisterGlobalSnapCallbacks(GlobalSnapReader, callbacks: *const Callbacks, user_data: *mut c_void)
        => OTF2_GlobalSnapReader_SetCallbacks;
    OTF2_Reader_RegisterMarkerCallbacks(MarkerReader, callbacks: *const Callbacks, user_data: *mut c_void)
        => OTF2_MarkerReader_SetCallbacks;
}

of_handle! { false;
    OTF2_Reader_ReadLocalEvents(EvtReader, wanted: u64, number: *mut u64) => OTF2_EvtReader_ReadEvents;
    OTF2_Reader_ReadLocalEventsBackward(EvtReader, wanted: u64, number: *mut u64)
        => OTF2_EvtReader_ReadEventsBackward;
    OTF2_Reader_ReadGlobalEvent(GlobalEvtReader) => OTF2_GlobalEvtReader_ReadEvent;
    OTF2_Reader_HasGlobalEvent(GlobalEvtReader, flag: *mut c_int) => OTF2_GlobalEvtReader_HasEvent;
    OTF2_Reader_ReadGlobalEvents(GlobalEvtReader, wanted: u64, number: *mut u64)
        => OTF2_GlobalEvtReader_ReadEvents;
    OTF2_Reader_ReadLocalDefinitions(DefReader, wanted: u64, number: *mut u64)
        => OTF2_DefReader_ReadDefinitions;
    OTF2_Reader_ReadGlobalDefinitions(GlobalDefReader, wanted: u64, number: *mut u64)
        => OTF2_GlobalDefReader_ReadDefinitions;
    OTF2_Reader_ReadLocalSnapshots(SnapReader, wanted: u64, number: *mut u64) => OTF2_SnapReader_ReadSnapshots;
    OTF2_Reader_ReadGlobalSnapshots(GlobalSnapReader, wanted: u64, number: *mut u64)
        => OTF2_GlobalSnapReader_ReadSnapshots;
    OTF2_Reader_ReadMarkers(MarkerReader, wanted: u64, number: *mut u64) => OTF2_MarkerReader_ReadMarkers;
}

// Functions that read up to the end.
macro_rules! all {
    ($($name:ident($handle:ident) => $target:ident;)*) => {$(
        /// Reads up to the end and passes all records to the callbacks.
        ///
        /// # Safety
        ///
        /// Null or a reader; null or a handle; null or a place for the number of records.
        #[unsafe(no_mangle)]
        pub(crate) unsafe extern "C-unwind" fn $name(
            this: *mut Reader,
            handle: *mut $handle,
            number: *mut u64,
        ) -> ErrorCode {
            if this.is_null() {
                return missing();
            }
            // SAFETY: `handle` is null or an open reader that nothing else uses during this call;
            // `number` is null or a place for the result.
            unsafe { $target(handle, u64::MAX, number) }
        }
    )*};
}

all! {
    OTF2_Reader_ReadAllLocalEvents(EvtReader) => OTF2_EvtReader_ReadEvents;
    OTF2_Reader_ReadAllGlobalEvents(GlobalEvtReader) => OTF2_GlobalEvtReader_ReadEvents;
    OTF2_Reader_ReadAllLocalDefinitions(DefReader) => OTF2_DefReader_ReadDefinitions;
    OTF2_Reader_ReadAllGlobalDefinitions(GlobalDefReader) => OTF2_GlobalDefReader_ReadDefinitions;
    OTF2_Reader_ReadAllLocalSnapshots(SnapReader) => OTF2_SnapReader_ReadSnapshots;
    OTF2_Reader_ReadAllGlobalSnapshots(GlobalSnapReader) => OTF2_GlobalSnapReader_ReadSnapshots;
    OTF2_Reader_ReadAllMarkers(MarkerReader) => OTF2_MarkerReader_ReadMarkers;
}
