//! The content of the anchor file, as it will be, or was when the archive was opened.

use kymo_otf2::anchor::{Properties, Property};
use kymo_otf2::enums::{Compression, FileSubstrate};
use kymo_otf2::text::Text;
use kymo_otf2::{Anchor, Result};
use std::ffi::CString;

/// The version of the library whose headers programs were built with.
const VERSION: [u8; 3] = [3, 2, 0];

/// A chunk size that is not set.
pub(crate) const UNSET: u64 = u64::MAX;

/// The content of an anchor file.
#[derive(Debug)]
pub(crate) struct AnchorValues {
    pub(crate) version: [u8; 3],
    pub(crate) event_chunk_size: u64,
    pub(crate) definition_chunk_size: u64,
    pub(crate) substrate: u8,
    pub(crate) compression: u8,
    pub(crate) number_of_locations: u64,
    pub(crate) number_of_global_definitions: u64,
    pub(crate) machine: Option<CString>,
    pub(crate) creator: Option<CString>,
    pub(crate) description: Option<CString>,
    /// Names in upper case, in the order in which they were set first.
    pub(crate) properties: Vec<(CString, CString)>,
    pub(crate) trace_id: u64,
    pub(crate) number_of_snapshots: u32,
    pub(crate) number_of_thumbnails: u32,
}

impl Default for AnchorValues {
    fn default() -> Self {
        AnchorValues {
            version: VERSION,
            event_chunk_size: 0,
            definition_chunk_size: UNSET,
            substrate: FileSubstrate::POSIX.0,
            compression: Compression::NONE.0,
            number_of_locations: 0,
            number_of_global_definitions: 0,
            machine: None,
            creator: None,
            description: None,
            properties: Vec::new(),
            trace_id: 0,
            number_of_snapshots: 0,
            number_of_thumbnails: 0,
        }
    }
}

fn owned(text: Text<'_>) -> CString {
    CString::new(text.as_bytes()).unwrap_or_default()
}

fn borrowed(string: &Option<CString>) -> Text<'_> {
    string.as_deref().map(Text::from).unwrap_or_default()
}

impl AnchorValues {
    /// Copies an anchor that was read.
    pub(crate) fn of(anchor: &Anchor<'_>) -> Self {
        AnchorValues {
            version: anchor.version,
            event_chunk_size: anchor.event_chunk_size,
            definition_chunk_size: anchor.definition_chunk_size,
            substrate: anchor.substrate.0,
            compression: anchor.compression.0,
            number_of_locations: anchor.number_of_locations,
            number_of_global_definitions: anchor.number_of_global_definitions,
            machine: Some(owned(anchor.machine)),
            creator: Some(owned(anchor.creator)),
            description: Some(owned(anchor.description)),
            properties: anchor
                .properties
                .iter()
                .map(|property| (owned(property.name), owned(property.value)))
                .collect(),
            trace_id: anchor.trace_id,
            number_of_snapshots: anchor.number_of_snapshots,
            number_of_thumbnails: anchor.number_of_thumbnails,
        }
    }

    /// Returns the bytes of the file.
    pub(crate) fn bytes(&self) -> Result<Vec<u8>> {
        let properties: Vec<_> = self
            .properties
            .iter()
            .map(|(name, value)| Property { name: name.as_c_str().into(), value: value.as_c_str().into() })
            .collect();
        kymo_otf2::write::anchor::anchor_bytes(&Anchor {
            version: self.version,
            event_chunk_size: self.event_chunk_size,
            definition_chunk_size: self.definition_chunk_size,
            substrate: FileSubstrate(self.substrate),
            compression: Compression(self.compression),
            number_of_locations: self.number_of_locations,
            number_of_global_definitions: self.number_of_global_definitions,
            machine: borrowed(&self.machine),
            creator: borrowed(&self.creator),
            description: borrowed(&self.description),
            properties: Properties::new(&properties),
            trace_id: self.trace_id,
            number_of_snapshots: self.number_of_snapshots,
            number_of_thumbnails: self.number_of_thumbnails,
            ..Anchor::default()
        })
    }
}
