//! `OTF2_DefWriter` and `OTF2_GlobalDefWriter`: write local and global definitions.

use super::{Buffer, close, code_of, missing};
use crate::anchor::AnchorValues;
use crate::error::{ErrorCode, Failure, INTEGRITY_FAULT, SUCCESS, code, fail};
use crate::locking::ArchiveLock;
use kymo_otf2::definitions::Location;
use kymo_otf2::error::Result;
use kymo_otf2::records::{GlobalDefinitionRecord, LocalDefinitionRecord, Record};
use kymo_otf2::write::{GlobalDefinitionWriter, LocalDefinitionWriter};

/// `OTF2_DefWriter`.
pub(crate) struct DefWriter {
    definitions: LocalDefinitionWriter<Buffer>,
}

/// `OTF2_GlobalDefWriter`.
pub(crate) struct GlobalDefWriter {
    definitions: GlobalDefinitionWriter<Buffer>,
    lock: *const ArchiveLock,
    anchor: *mut AnchorValues,
    locations: u64,
}

impl DefWriter {
    pub(crate) fn new(buffer: Buffer, chunk_size: u64) -> Result<Box<Self>> {
        let mut writer = Box::new(DefWriter { definitions: LocalDefinitionWriter::new(buffer, chunk_size)? });
        let handle = &raw mut *writer;
        writer.definitions.pieces_mut().set_caller(handle.cast());
        Ok(writer)
    }

    pub(crate) fn close(&mut self) -> Result<(), Failure> {
        close(&mut self.definitions)
    }

    fn write<R: LocalDefinitionRecord>(&mut self, record: &R) -> ErrorCode {
        code_of(self.definitions.record(record))
    }
}

impl GlobalDefWriter {
    /// Creates a writer that counts its definitions in `anchor`. Lock and anchor are those of the
    /// archive, which must live longer than the writer.
    pub(crate) fn new(
        lock: *const ArchiveLock,
        anchor: *mut AnchorValues,
        buffer: Buffer,
        chunk_size: u64,
    ) -> Result<Box<Self>> {
        let definitions = GlobalDefinitionWriter::new(buffer, chunk_size)?;
        let mut writer = Box::new(GlobalDefWriter { definitions, lock, anchor, locations: 0 });
        let handle = &raw mut *writer;
        writer.definitions.pieces_mut().set_caller(handle.cast());
        Ok(writer)
    }

    pub(crate) fn close(&mut self) -> Result<(), Failure> {
        close(&mut self.definitions)
    }

    fn write<R: GlobalDefinitionRecord + Record>(&mut self, record: &R) -> ErrorCode {
        let code = code_of(self.definitions.record(record));
        if code != SUCCESS {
            return code;
        }
        let is_location = R::ID == Location::ID;
        self.locations += u64::from(is_location);
        self.count(is_location)
    }

    /// Counts a definition that was written.
    fn count(&self, is_location: bool) -> ErrorCode {
        // SAFETY: `lock` is a field of the archive, which frees its writers before itself, and
        // the reference ends with this call.
        let lock = unsafe { &*self.lock };
        code(lock.lock().map(|_guard| {
            // SAFETY: `anchor` is a field of the same archive. Its counts change only under the
            // lock, and no reference to it outlives a call of the library.
            let anchor = unsafe { &mut *self.anchor };
            anchor.number_of_global_definitions += 1;
            anchor.number_of_locations += u64::from(is_location);
        }))
    }
}

macro_rules! function {
    ([$writer:ident $prefix:literal] $record:ident $scratch:ident $name:ident
        {$($args:tt)*} {$($fields:tt)*} {$($missing:tt)*} $types:tt $pass:tt) => {
        const _: () = {
            /// Writes a definition of this kind.
            ///
            /// # Safety
            ///
            /// Null or a writer; null or strings, arrays of the lengths given, and id maps.
            #[unsafe(export_name = concat!($prefix, stringify!($name)))]
            #[allow(clippy::too_many_arguments)]
            unsafe extern "C-unwind" fn write(this: *mut $writer, $($args)*) -> ErrorCode {
                if this.is_null() $($missing)* {
                    return missing();
                }
                // SAFETY: `this` is not null, so it is an open writer that nothing else uses during
                // this call. Strings, arrays and maps are not null either, and stay as they are
                // during this call.
                unsafe {
                    match (kymo_otf2::definitions::$name { $($fields)* }) {
                        record => (*this).write(&record),
                    }
                }
            }
        };
    };
}

macro_rules! functions {
    (
        global { $($(#[$gdoc:meta])* $gid:literal $global:ident $(<$glife:lifetime>)? since $gsince:literal
            $([$($goption:tt)*])? { $($gbody:tt)* })* }
        local { $($(#[$ldoc:meta])* $lid:literal $local:ident $(<$llife:lifetime>)? since $lsince:literal
            $([$($loption:tt)*])? { $($lbody:tt)* })* }
        both { $($(#[$doc:meta])* $id:literal $both:ident $(<$life:lifetime>)? since $since:literal
            $([$($option:tt)*])? { $($body:tt)* })* }
    ) => {
        $(crate::arguments::arguments! {
            function [GlobalDefWriter "OTF2_GlobalDefWriter_Write"] record scratch $global { $($gbody)* }
        })*
        $(crate::arguments::arguments! {
            function [DefWriter "OTF2_DefWriter_Write"] record scratch $local { $($lbody)* }
        })*
        $(crate::arguments::arguments! {
            function [GlobalDefWriter "OTF2_GlobalDefWriter_Write"] record scratch $both { $($body)* }
        })*
        $(crate::arguments::arguments! {
            function [DefWriter "OTF2_DefWriter_Write"] record scratch $both { $($body)* }
        })*
    };
}

kymo_otf2::for_each_definition!(functions);

/// Returns the location.
///
/// # Safety
///
/// Null or a writer; null or a place for the result.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_DefWriter_GetLocationID(
    this: *const DefWriter,
    location: *mut u64,
) -> ErrorCode {
    // SAFETY: `this` is null or an open writer that nothing else uses during this call; `location`
    // is null or a place for the result that nothing else refers to.
    match unsafe { (this.as_ref(), location.as_mut()) } {
        (Some(writer), Some(location)) => {
            *location = writer.definitions.pieces().location();
            SUCCESS
        }
        (None, _) => fail(INTEGRITY_FAULT, format_args!("no writer")),
        (_, None) => missing(),
    }
}

/// Returns the number of definitions so far.
///
/// # Safety
///
/// Null or a writer; null or a place for the result.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_GlobalDefWriter_GetNumberOfDefinitions(
    this: *mut GlobalDefWriter,
    number: *mut u64,
) -> ErrorCode {
    // SAFETY: `this` is null or an open writer that nothing else uses during this call; `number` is
    // null or a place for the result that nothing else refers to.
    match unsafe { (this.as_ref(), number.as_mut()) } {
        (Some(writer), Some(number)) => {
            *number = writer.definitions.records();
            SUCCESS
        }
        _ => missing(),
    }
}

/// Returns the number of locations that were defined so far.
///
/// # Safety
///
/// Null or a writer; null or a place for the result.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_GlobalDefWriter_GetNumberOfLocations(
    this: *mut GlobalDefWriter,
    number: *mut u64,
) -> ErrorCode {
    // SAFETY: `this` is null or an open writer that nothing else uses during this call; `number` is
    // null or a place for the result that nothing else refers to.
    match unsafe { (this.as_ref(), number.as_mut()) } {
        (Some(writer), Some(number)) => {
            *number = writer.locations;
            SUCCESS
        }
        _ => missing(),
    }
}
