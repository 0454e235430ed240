//! Files that are in memory as a whole: definitions, markers, thumbnails. Their records borrow from
//! them.

use super::budget::Lease;
use super::definitions::{Records, records_of};
use super::thumbnails::{Samples, header_and_samples};
use super::window::{File, Source};
use crate::archive::FileName;
use crate::error::{FormatError, Result};
use crate::records::RecordEnum;
use crate::records::definitions::{GlobalDefinition, LocalDefinition};
use crate::records::markers::AnyMarker;
use crate::records::thumbnails::ThumbnailHeader;

/// The content of a file.
#[derive(Debug)]
pub(super) struct Whole {
    pub(super) name: FileName,
    pub(super) bytes: Vec<u8>,
    /// The fault after these bytes, if they are not the whole file.
    fault: Option<FormatError>,
    chunk_size: u64,
    pub(super) lease: Lease,
}

impl Whole {
    /// Reads a file to its end. The reported length of the file may be wrong or change; only the
    /// bytes that can be read count.
    pub(super) fn read(file: &File, mut lease: Lease, chunk_size: u64) -> Result<Whole> {
        let mut bytes = Vec::new();
        let mut filled = 0;
        let mut room = usize::try_from(file.length()?).unwrap_or(usize::MAX).saturating_add(1);
        loop {
            lease.resize(&mut bytes, room)?;
            match file.read_at(filled as u64, &mut bytes[filled..])? {
                0 => break,
                count => filled += count,
            }
            if filled == room {
                room = room.saturating_mul(2);
            }
        }
        bytes.truncate(filled);
        Ok(Whole { name: file.name(), bytes, fault: None, chunk_size, lease })
    }

    #[cfg(feature = "zlib")]
    pub(super) fn inflated(mut self) -> Result<Whole> {
        let mut lease = self.lease.another();
        (self.bytes, self.fault) = super::inflate::inflate(&self.bytes, self.chunk_size, &mut lease)?;
        self.lease = lease;
        Ok(self)
    }

    #[cfg(not(feature = "zlib"))]
    pub(super) fn inflated(self) -> Result<Whole> {
        Err(crate::error::Usage::WithoutZlib.into())
    }

    pub(super) fn into_source(self) -> Source {
        Source::Inflated { bytes: self.bytes, fault: self.fault, _lease: self.lease }
    }

    fn records<'a, R: RecordEnum<'a>>(&'a self) -> Result<Records<'a, R>> {
        records_of(self.name, &self.bytes, self.fault, self.chunk_size)
    }
}

macro_rules! files {
    ($($(#[$doc:meta])* $name:ident, $record:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $name(pub(super) Whole);

        impl $name {
            /// Returns the records, in the order of the file.
            pub fn records(&self) -> Result<Records<'_, $record<'_>>> {
                self.0.records()
            }

            /// Returns the name of the file, for errors.
            pub fn name(&self) -> FileName {
                self.0.name
            }
        }
    )*};
}

files! {
    /// A global definition file.
    ///
    /// ```
    /// # fn main() -> kymo_otf2::Result<()> {
    /// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/every-record/traces.otf2");
    /// # let archive = kymo_otf2::read::Archive::open(path)?;
    /// use kymo_otf2::records::AnyRecord;
    ///
    /// let file = archive.global_definitions()?;
    /// let mut records = file.records()?;
    /// while let Some(record) = records.next().transpose()? {
    ///     // The name of the record, and each of its fields with its name and meaning.
    ///     println!("byte {}: {}", records.offset(), record.name());
    ///     record.visit(&mut |info, value| println!("    {}: {value:?}", info.names));
    /// }
    /// # Ok(())
    /// # }
    /// ```
    GlobalDefinitions, GlobalDefinition;
    /// A local definition file.
    LocalDefinitions, LocalDefinition;
    /// A marker file.
    Markers, AnyMarker;
}

/// A thumbnail file.
#[derive(Debug)]
pub struct Thumbnail(pub(super) Whole);

impl Thumbnail {
    /// Reads the header and the samples.
    pub fn read(&self) -> Result<(ThumbnailHeader<'_>, Samples<'_>)> {
        header_and_samples(self.0.records()?)
    }
}
