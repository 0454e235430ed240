//! Texts: UTF-8 without control characters. Names and properties of files may have any bytes.

use kymo_otf2::definitions::GlobalDefinition;
use kymo_otf2::enums::Type;

use super::{CheckedDefinition, DefinitionRule};
use crate::check::findings::{Findings, Place};
use crate::check::kinds::FindingKind;
use crate::check::tables::HashSet;

/// Returns the fault of a text, if it has one.
pub(crate) fn fault(text: &[u8]) -> Option<FindingKind> {
    let Ok(text) = std::str::from_utf8(text) else { return Some(FindingKind::NotUtf8) };
    let is_unusual = |character: char| character.is_control() && !['\t', '\n', '\r'].contains(&character);
    text.contains(is_unusual).then_some(FindingKind::ControlCharacter)
}

/// Reports a fault of a text.
pub(crate) fn report(kind: FindingKind, text: &[u8], place: Place, findings: &mut Findings<'_>) {
    findings.find(kind, place, format_args!("\"{}\"", text.escape_ascii()));
}

/// The texts with faults, and those that belong to files.
#[derive(Default)]
pub(super) struct Texts<'d> {
    faulty: Vec<(u32, &'d [u8], FindingKind, Place)>,
    of_files: HashSet<u32>,
}

impl<'d> DefinitionRule<'d> for Texts<'d> {
    fn definition(&mut self, here: &CheckedDefinition<'d>, _: &mut Findings<'_>) {
        match here.record {
            GlobalDefinition::String(it) => {
                let text = it.string.as_bytes();
                self.faulty.extend(fault(text).map(|kind| (it.id.0, text, kind, here.place())));
            }
            GlobalDefinition::IoRegularFile(it) => drop(self.of_files.insert(it.name.0)),
            GlobalDefinition::IoDirectory(it) => drop(self.of_files.insert(it.name.0)),
            GlobalDefinition::IoFileProperty(it) if it.value.type_() == Type::STRING => {
                self.of_files.insert(it.value.bits() as u32);
            }
            _ => {}
        }
    }

    fn end(&mut self, _: bool, findings: &mut Findings<'_>) {
        for (_, text, kind, place) in self.faulty.iter().filter(|(id, ..)| !self.of_files.contains(id)) {
            report(*kind, text, *place, findings);
        }
    }
}
