//! The texts of the anchor, and the properties of the archive: docs/spec/otf2-format.md, "Anchor
//! file".

use kymo_otf2::FileName;
use kymo_otf2::anchor::{Anchor, Property};

use super::definition_rules::texts;
use super::findings::{Findings, Place};
use super::kinds::FindingKind;

/// The namespace of OTF2, and the properties in it. They are true or false.
const NAMESPACE: &[u8] = b"OTF2::";
const KNOWN: [&[u8]; 5] = [
    b"OTF2::MPI_COMMUNICATION_COMPLETE",
    b"OTF2::PTHREAD_LOCATION_REUSED",
    b"OTF2::THREAD_CREATE_WAIT_EVENT_COMPLETE",
    b"OTF2::THREAD_FORK_JOIN_EVENT_COMPLETE",
    b"OTF2::THREAD_LOCK_EVENT_COMPLETE",
];

/// Checks the texts and the properties of the anchor.
pub(crate) fn check(anchor: &Anchor<'_>, findings: &mut Findings<'_>) {
    let place = Place::file(FileName::Anchor);
    let of_properties = anchor.properties.iter().map(|it| it.value);
    for text in [anchor.machine, anchor.creator, anchor.description].into_iter().chain(of_properties) {
        if let Some(kind) = texts::fault(text.as_bytes()) {
            texts::report(kind, text.as_bytes(), place, findings);
        }
    }
    for property in anchor.properties.iter() {
        if let Some((kind, why)) = fault(&property, findings.is_newer()) {
            findings.find(kind, place, format_args!("{:?} {why}", property.name));
        }
    }
}

/// Returns the fault of a property, if it has one. Readers have checked the form of its name.
fn fault(property: &Property<'_>, is_newer: bool) -> Option<(FindingKind, &'static str)> {
    // Readers take the letters as capital ones.
    let name = property.name.as_bytes().to_ascii_uppercase();
    let is_known = KNOWN.contains(&name.as_slice());
    if is_known && ![&b"true"[..], b"false"].contains(&property.value.as_bytes()) {
        return Some((FindingKind::PropertyValue, "is neither true nor false"));
    }
    let is_unknown = !is_known && !is_newer && name.starts_with(NAMESPACE);
    is_unknown.then_some((FindingKind::UnknownProperty, "is no property of OTF2"))
}
