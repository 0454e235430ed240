//! The rules about local definition files: mapping tables refer to definitions, one table per type;
//! the times of clock offsets increase.
//!
//! Such a file may contain other definitions too. Readers return them without using them; their
//! references are not checked.

use kymo_otf2::FileName;
use kymo_otf2::definitions::{ClockOffset, LocalDefinition, MappingTable};
use kymo_otf2::enums::MappingType;
use kymo_otf2::references::Space;

use super::definitions::DefinitionIndex;
use super::findings::{Findings, Place};
use super::kinds::FindingKind;
use super::references::{FieldContent, Reference, visit};
use super::tables::HashSet;

/// Checks the local definitions of one location.
pub(crate) struct LocalRules<'a, 'd> {
    definitions: &'a DefinitionIndex<'d>,
    tables: HashSet<MappingType>,
    offsets: u64,
    last: Option<(u64, Place)>,
    refused: bool,
}

impl<'a, 'd> LocalRules<'a, 'd> {
    pub(crate) fn new(definitions: &'a DefinitionIndex<'d>) -> Self {
        LocalRules { definitions, tables: HashSet::default(), offsets: 0, last: None, refused: false }
    }

    /// Checks the next record.
    pub(crate) fn definition(
        &mut self,
        record: &LocalDefinition<'_>,
        place: Place,
        findings: &mut Findings<'_>,
    ) {
        visit(record, &mut |field, content| {
            if let FieldContent::Unknown(name, value) = content {
                findings.find(
                    FindingKind::UnknownValue,
                    place,
                    format_args!("{} is {name} {value:#x}", field.names),
                );
            }
        });
        match record {
            LocalDefinition::MappingTable(it) => self.table(it, place, findings),
            LocalDefinition::ClockOffset(it) => self.offset(it, place, findings),
            _ => {}
        }
    }

    fn table(&mut self, it: &MappingTable<'_>, place: Place, findings: &mut Findings<'_>) {
        if !self.tables.insert(it.mapping_type) {
            self.refused = true;
            return findings.find(
                FindingKind::DuplicateMappingTable,
                place,
                format_args!("a second mapping table for {}", it.mapping_type),
            );
        }
        let Some(space) = space(it.mapping_type) else { return };
        for (local, global) in it.id_map.iter() {
            // This id means that no event uses the local id.
            if global != u64::MAX && self.definitions.ids.lacks(space, global) {
                let reference = Reference { space, id: global, undefined: false };
                findings.find(
                    FindingKind::MappingTarget,
                    place,
                    format_args!("local id {local} maps to {reference}, which is not defined"),
                );
            }
        }
    }

    fn offset(&mut self, it: &ClockOffset, place: Place, findings: &mut Findings<'_>) {
        self.offsets += 1;
        if let Some((last, _)) = self.last
            && it.time.0 <= last
        {
            self.refused = true;
            findings.find(
                FindingKind::ClockOffsetOrder,
                place,
                format_args!("time {} is not after {last}", it.time.0),
            );
        }
        self.last = Some((it.time.0, place));
    }

    /// Whether readers refuse the file, and the events of its location with it.
    pub(crate) fn is_refused(&self) -> bool {
        self.refused
    }

    /// Called after the last record.
    pub(crate) fn end(&self, findings: &mut Findings<'_>) {
        if let (1, Some((time, place))) = (self.offsets, self.last) {
            findings.find(FindingKind::SingleClockOffset, place, format_args!("a single offset, at {time}"));
        }
    }
}

/// Returns the place of a record in a local definition file.
pub(crate) fn place(location: u64, offset: u64, record: &'static str) -> Place {
    Place::record(FileName::LocalDefinitions(location), offset, record)
}

/// Returns the id space that a mapping table maps.
fn space(mapping: MappingType) -> Option<Space> {
    Space::ALL.iter().copied().find(|space| space.mapping() == Some(mapping))
}
