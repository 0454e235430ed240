//! `OTF2_SnapWriter`: writes the snapshots of a location.

use super::{Buffer, close, missing};
use crate::attribute_list::AttributeList;
use crate::error::{ErrorCode, Failure, INTEGRITY_FAULT, SUCCESS, fail, fail_with};
use kymo_otf2::error::Result;
use kymo_otf2::records::SnapshotRecord;
use kymo_otf2::write::SnapshotWriter;

/// `OTF2_SnapWriter`.
pub(crate) struct SnapWriter {
    snapshots: SnapshotWriter<Buffer>,
}

impl SnapWriter {
    pub(crate) fn new(buffer: Buffer, chunk_size: u64) -> Result<Box<Self>> {
        let mut writer = Box::new(SnapWriter { snapshots: SnapshotWriter::new(buffer, chunk_size)? });
        let handle = &raw mut *writer;
        writer.snapshots.pieces_mut().set_caller(handle.cast());
        Ok(writer)
    }

    pub(crate) fn close(&mut self) -> Result<(), Failure> {
        close(&mut self.snapshots)
    }

    fn write<R: SnapshotRecord>(
        &mut self,
        list: Option<&mut AttributeList>,
        time: u64,
        record: &R,
    ) -> ErrorCode {
        let attributes = list.as_deref().map_or(&[][..], AttributeList::entries);
        if let Err(error) = self.snapshots.record_with(time, attributes, record) {
            return fail_with(&error);
        }
        if let Some(list) = list {
            list.clear();
        }
        SUCCESS
    }
}

macro_rules! function {
    ([] $record:ident $scratch:ident $name:ident
        {$($args:tt)*} {$($fields:tt)*} {$($missing:tt)*} $types:tt $pass:tt) => {
        const _: () = {
            /// Writes a record of this kind.
            ///
            /// # Safety
            ///
            /// Null or a writer; null or an attribute list, which is emptied; null or arrays of the
            /// lengths given.
            #[unsafe(export_name = concat!("OTF2_SnapWriter_", stringify!($name)))]
            #[allow(clippy::too_many_arguments)]
            unsafe extern "C-unwind" fn write(
                this: *mut SnapWriter,
                list: *mut AttributeList,
                time: u64,
                $($args)*
            ) -> ErrorCode {
                if this.is_null() $($missing)* {
                    return missing();
                }
                // SAFETY: `this` is not null, so it is an open writer that nothing else uses during
                // this call. Strings and arrays are not null either, and stay as they are during
                // this call; `list` is null or a list.
                unsafe {
                    match (kymo_otf2::snapshots::$name { $($fields)* }) {
                        record => (*this).write(list.as_mut(), time, &record),
                    }
                }
            }
        };
    };
}

macro_rules! functions {
    (
        $(#[$about:meta])* $family:ident: $trait:ident, $bound:ident;
        $($(#[$doc:meta])* $id:literal $name:ident $(<$life:lifetime>)? since $since:literal
            $([$($option:tt)*])? { $($body:tt)* })*
    ) => {
        $(crate::arguments::arguments! { function [] record scratch $name { $($body)* } })*
    };
}

kymo_otf2::for_each_snapshot!(functions);

/// Returns the location.
///
/// # Safety
///
/// Null or a writer; null or a place for the result.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_SnapWriter_GetLocationID(
    this: *const SnapWriter,
    location: *mut u64,
) -> ErrorCode {
    // SAFETY: `this` is null or an open writer that nothing else uses during this call; `location`
    // is null or a place for the result that nothing else refers to.
    match unsafe { (this.as_ref(), location.as_mut()) } {
        (Some(writer), Some(location)) => {
            *location = writer.snapshots.pieces().location();
            SUCCESS
        }
        (None, _) => fail(INTEGRITY_FAULT, format_args!("no writer")),
        (_, None) => missing(),
    }
}
