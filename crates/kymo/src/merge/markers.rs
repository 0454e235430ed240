//! Markers: equal kinds are written once, each marker with ids and times of the result.

use std::collections::HashMap;
use std::io::ErrorKind;

use kymo_otf2::enums::{MarkerScope, MarkerSeverity};
use kymo_otf2::mappings::Mappings;
use kymo_otf2::markers::{AnyMarker, DefMarker, Marker};
use kymo_otf2::read::Archive;
use kymo_otf2::references::{MarkerRef, Space};
use kymo_otf2::text::Text;
use kymo_otf2::write::{MarkerWriter, StoragePieces};
use kymo_otf2::{Error, FileName, Storage};

use super::times::Line;
use crate::problem::Problem;

/// The markers of all archives.
#[derive(Debug, Default)]
pub(super) struct Markers {
    /// Whether an archive has a marker file.
    is_there: bool,
    kinds: Vec<MergedKind>,
    markers: Vec<MergedMarker>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct MergedKind {
    group: Vec<u8>,
    category: Vec<u8>,
    severity: MarkerSeverity,
}

#[derive(Debug)]
struct MergedMarker {
    time: u64,
    duration: u64,
    kind: MarkerRef,
    scope: (MarkerScope, u64),
    text: Vec<u8>,
}

impl Markers {
    /// Adds the markers of an archive, if it has any.
    pub(super) fn take(&mut self, archive: &Archive, ids: &Mappings, line: &Line) -> Result<(), Problem> {
        let file = match archive.markers() {
            Err(Error::Io { source, .. }) if source.kind() == ErrorKind::NotFound => return Ok(()),
            file => file.map_err(|error| Problem::of_archive(archive, &error))?,
        };
        self.is_there = true;
        let records = file.records().and_then(Iterator::collect::<Result<Vec<_>, _>>);
        let records = records.map_err(|error| Problem::of_archive(archive, &error))?;
        let kinds = self.take_kinds(&records);
        for record in records {
            if let AnyMarker::Marker(marker) = record {
                let outside = || Problem::outside(&archive.path(FileName::Markers));
                self.markers.push(one(&marker, &kinds, ids, line).ok_or_else(outside)?);
            }
        }
        Ok(())
    }

    /// Adds the kinds of markers. Returns their new ids by those in the archive.
    fn take_kinds(&mut self, records: &[AnyMarker<'_>]) -> HashMap<MarkerRef, MarkerRef> {
        let mut known: HashMap<MergedKind, usize> = self.kinds.iter().cloned().zip(0..).collect();
        let mut ids = HashMap::new();
        for record in records {
            if let AnyMarker::DefMarker(it) = record {
                let (group, category) =
                    (it.marker_group.as_bytes().to_vec(), it.marker_category.as_bytes().to_vec());
                let kind = MergedKind { group, category, severity: it.severity };
                let id = *known.entry(kind.clone()).or_insert(self.kinds.len());
                if id == self.kinds.len() {
                    self.kinds.push(kind);
                }
                ids.insert(it.id, MarkerRef(id as u32));
            }
        }
        ids
    }

    /// Writes the file, if an archive has one.
    pub(super) fn write(&self, storage: &dyn Storage, chunk_size: u64) -> Result<(), Error> {
        if !self.is_there {
            return Ok(());
        }
        let pieces = StoragePieces::new(storage, FileName::Markers, super::files::PIECE);
        let mut writer = MarkerWriter::new(pieces, chunk_size)?;
        for (id, kind) in (0..).zip(&self.kinds) {
            let (marker_group, marker_category) = (Text::new(&kind.group), Text::new(&kind.category));
            let severity = kind.severity;
            writer.record(&DefMarker { id: MarkerRef(id), marker_group, marker_category, severity })?;
        }
        for one in &self.markers {
            writer.record(&Marker {
                time: one.time,
                duration: one.duration,
                marker: one.kind,
                marker_scope: one.scope.0,
                scope: one.scope.1,
                text: Text::new(&one.text),
            })?;
        }
        writer.finish().map(|_| ())
    }
}

fn one(
    marker: &Marker<'_>,
    kinds: &HashMap<MarkerRef, MarkerRef>,
    ids: &Mappings,
    line: &Line,
) -> Option<MergedMarker> {
    let space = match marker.marker_scope {
        MarkerScope::LOCATION => Some(Space::Location),
        MarkerScope::LOCATION_GROUP => Some(Space::LocationGroup),
        MarkerScope::SYSTEM_TREE_NODE => Some(Space::SystemTreeNode),
        MarkerScope::GROUP => Some(Space::Group),
        MarkerScope::COMM => Some(Space::Comm),
        _ => None,
    };
    let time = line.apply(marker.time)?;
    let end = line.apply(marker.time.saturating_add(marker.duration))?;
    Some(MergedMarker {
        time,
        duration: end.saturating_sub(time),
        kind: kinds.get(&marker.marker).copied().unwrap_or(MarkerRef::UNDEFINED),
        scope: (marker.marker_scope, space.map_or(marker.scope, |space| ids.global(space, marker.scope))),
        text: marker.text.as_bytes().to_vec(),
    })
}
