//! The marker file: kinds of markers have ids of their own, and a marker refers to something that
//! is defined.

use std::io::ErrorKind;

use kymo_otf2::enums::MarkerScope;
use kymo_otf2::markers::{AnyMarker, Marker};
use kymo_otf2::read::Archive;
use kymo_otf2::records::AnyRecord;
use kymo_otf2::references::Space;
use kymo_otf2::{Error, FileName};

use super::definitions::{DefinitionIndex, Ids, defined};
use super::event_file::end_of_file;
use super::files::Files;
use super::findings::{Findings, Place};
use super::kinds::FindingKind;
use super::placed::each;
use super::references::{self, Reference};

/// Checks the markers, if there are any.
pub(crate) fn check(
    archive: &Archive,
    definitions: &DefinitionIndex<'_>,
    findings: &mut Findings<'_>,
) -> Result<(), Error> {
    let file = match archive.markers() {
        // Most archives have none.
        Err(Error::Io { source, .. }) if source.kind() == ErrorKind::NotFound => return Ok(()),
        file => file?,
    };
    let mut kinds = Ids::default();
    each(file.records()?, |offset, record| define(&record, offset, &mut kinds, findings))?;
    let mark = each(file.records()?, |offset, record| {
        let place = Place::record(FileName::Markers, offset, record.name());
        references::check(&record, place, &kinds, findings);
        match record {
            AnyMarker::Marker(marker) => about(&marker, place, definitions, findings),
            AnyMarker::Unknown { id, .. } => {
                findings.unknown_record(id, place);
            }
            _ => {}
        }
    })?;
    if let Some(mut bytes) = Files::bytes(archive, FileName::Markers) {
        end_of_file(FileName::Markers, &mut bytes, mark, findings);
        bytes.failure()?;
    }
    Ok(())
}

fn define(record: &AnyMarker<'_>, offset: u64, kinds: &mut Ids, findings: &mut Findings<'_>) {
    if let Some((space, id)) = defined(record)
        && !kinds.insert(space, id)
    {
        let place = Place::record(FileName::Markers, offset, record.name());
        findings.find(
            FindingKind::DuplicateDefinition,
            place,
            format_args!("marker {id} has already been defined"),
        );
    }
}

/// Checks the reference of a marker, unless it concerns the whole trace.
fn about(it: &Marker<'_>, place: Place, definitions: &DefinitionIndex<'_>, findings: &mut Findings<'_>) {
    let (space, bytes) = match it.marker_scope {
        MarkerScope::LOCATION => (Space::Location, 8),
        MarkerScope::LOCATION_GROUP => (Space::LocationGroup, 4),
        MarkerScope::SYSTEM_TREE_NODE => (Space::SystemTreeNode, 4),
        MarkerScope::GROUP => (Space::Group, 4),
        MarkerScope::COMM => (Space::Comm, 4),
        _ => return,
    };
    Reference::new(space, it.scope, bytes).check("scope", place, &definitions.ids, findings);
}
