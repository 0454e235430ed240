//! `OTF2_MarkerWriter`: writes the markers of an archive.

use super::{Buffer, close, code_of, missing};
use crate::error::{ErrorCode, Failure};
use kymo_otf2::error::Result;

/// `OTF2_MarkerWriter`.
pub(crate) struct MarkerWriter {
    markers: kymo_otf2::write::MarkerWriter<Buffer>,
}

impl MarkerWriter {
    pub(crate) fn new(buffer: Buffer, chunk_size: u64) -> Result<Box<Self>> {
        let markers = kymo_otf2::write::MarkerWriter::new(buffer, chunk_size)?;
        let mut writer = Box::new(MarkerWriter { markers });
        let handle = &raw mut *writer;
        writer.markers.pieces_mut().set_caller(handle.cast());
        Ok(writer)
    }

    pub(crate) fn close(&mut self) -> Result<(), Failure> {
        close(&mut self.markers)
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
            /// Null or a writer; null or C strings.
            #[unsafe(export_name = concat!("OTF2_MarkerWriter_Write", stringify!($name)))]
            unsafe extern "C-unwind" fn write(this: *mut MarkerWriter, $($args)*) -> ErrorCode {
                if this.is_null() $($missing)* {
                    return missing();
                }
                // SAFETY: `this` is not null, so it is an open writer that nothing else uses during
                // this call. Strings are not null either, and stay as they are during this call.
                unsafe {
                    match (kymo_otf2::markers::$name { $($fields)* }) {
                        record => code_of((*this).markers.record(&record)),
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

kymo_otf2::for_each_marker!(functions);
