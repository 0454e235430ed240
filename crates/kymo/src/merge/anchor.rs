//! The anchor of the result, which is written last.
//!
//! Values on which all archives agree are kept. A boolean property is false if it is false for one
//! of them, and true only if it is true for all, because it promises that something is complete.
//! Counts of missing items, which Kymo writes, are added up.

use std::collections::BTreeMap;

use kymo_otf2::anchor::{Properties, Property};
use kymo_otf2::text::Text;
use kymo_otf2::write::anchor::anchor_bytes;
use kymo_otf2::{Error, FileName, Storage};
use kymo_recorder::archive::GlobalDefinitions;

use super::sources::{Source, Sources};
use crate::new_archive::NewArchive;
use crate::problem::Problem;

/// The property with the paths of the archives.
const MERGED_FROM: &[u8] = b"KYMO::MERGED_FROM";
/// The maximum size of these paths in bytes; an anchor has at most 256 KiB.
const PATHS: usize = 64 << 10;

/// Writes the anchor, for these numbers of definitions and thumbnails.
pub(super) fn write(
    sources: &Sources,
    definitions: &GlobalDefinitions<'_>,
    (number_of_global_definitions, number_of_thumbnails): (u64, u32),
    output: &NewArchive,
) -> Result<(), Problem> {
    let mut all = properties(&sources.all);
    all.insert(MERGED_FROM.to_vec(), merged_from(&sources.all).into_bytes());
    let more = sources.properties.iter();
    all.extend(more.map(|(name, value)| (name.clone().into_bytes(), value.clone().into_bytes())));
    let properties: Vec<_> =
        all.iter().map(|(name, value)| Property { name: Text::new(name), value: Text::new(value) }).collect();
    let anchor = kymo_otf2::Anchor {
        event_chunk_size: sources.event_chunk_size(),
        definition_chunk_size: definitions.chunk_size(),
        number_of_locations: definitions.locations(),
        number_of_global_definitions,
        machine: Text::new(agreed(&sources.all, |source| &source.anchor.machine)),
        creator: concat!("Kymo ", env!("CARGO_PKG_VERSION")).into(),
        description: Text::new(agreed(&sources.all, |source| &source.anchor.description)),
        properties: Properties::new(&properties),
        trace_id: trace_id(&sources.all),
        number_of_snapshots: sources.snapshots(),
        number_of_thumbnails,
        ..kymo_otf2::Anchor::default()
    };
    let written = anchor_bytes(&anchor).and_then(|bytes| {
        let file = FileName::Anchor;
        output.storage.write_at(file, 0, &bytes).map_err(|source| Error::Io { file: Some(file), source })
    });
    written.map_err(|error| output.problem(&error))
}

/// Returns the value on which all agree, or nothing if they disagree.
fn agreed<'a>(sources: &'a [Source], of: impl Fn(&'a Source) -> &'a [u8]) -> &'a [u8] {
    let mut all = sources.iter().map(of);
    let first = all.next().unwrap_or_default();
    if all.all(|other| other == first) { first } else { &[] }
}

/// The values of a property in the archives.
struct PropertySummary<'a> {
    value: &'a [u8],
    times: usize,
    is_agreed: bool,
    is_false: bool,
    /// The sum of the values, if they count items that are missing or were added.
    sum: u64,
}

/// The properties that are added up over all archives.
const COUNTS: [&[u8]; 3] = [b"KYMO::EVENTS_LOST", b"KYMO::BYTES_CUT", b"KYMO::REGIONS_CLOSED"];

fn properties(sources: &[Source]) -> BTreeMap<Vec<u8>, Vec<u8>> {
    let mut all: BTreeMap<Vec<u8>, PropertySummary<'_>> = BTreeMap::new();
    for (name, value) in sources.iter().flat_map(|source| &source.anchor.properties) {
        let summary = all.entry(name.to_ascii_uppercase());
        let summary =
            summary.or_insert(PropertySummary { value, times: 0, is_agreed: true, is_false: false, sum: 0 });
        summary.times += 1;
        summary.is_agreed &= summary.value == value;
        summary.is_false |= value == b"false";
        let number = str::from_utf8(value).ok().and_then(|value| value.parse().ok());
        summary.sum = summary.sum.saturating_add(number.unwrap_or(0));
    }
    let value = |summary: &PropertySummary<'_>| match (
        summary.is_false,
        summary.is_agreed && summary.times == sources.len(),
    ) {
        (true, _) => Some(b"false".to_vec()),
        (false, true) => Some(summary.value.to_vec()).filter(|value| !value.is_empty()),
        (false, false) => None,
    };
    let value_of = |name: &[u8], summary: &PropertySummary<'_>| match COUNTS.contains(&name) {
        true => Some(summary.sum.to_string().into_bytes()),
        false => value(summary),
    };
    all.iter().filter_map(|(name, summary)| Some((name.clone(), value_of(name, summary)?))).collect()
}

fn merged_from(sources: &[Source]) -> String {
    let mut text = String::new();
    for (number, source) in sources.iter().enumerate() {
        let path = source.name.to_string_lossy();
        if text.len() + path.len() > PATHS {
            let left = sources.len() - number;
            return format!("{text} and {left} more").trim_start().to_owned();
        }
        text += if number == 0 { "" } else { ", " };
        text += &path;
    }
    text
}

/// Returns the id of a single archive, or one derived from all ids, which is always the same
/// for the same archives.
fn trace_id(sources: &[Source]) -> u64 {
    match sources {
        [source] => source.anchor.trace_id,
        // FNV-1a.
        sources => sources
            .iter()
            .flat_map(|source| source.anchor.trace_id.to_le_bytes())
            .fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
            }),
    }
}
