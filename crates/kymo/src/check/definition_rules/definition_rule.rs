//! A rule about definitions, and the definition that it sees.

use kymo_otf2::FileName;
use kymo_otf2::definitions::GlobalDefinition;
use kymo_otf2::records::AnyRecord;

use crate::check::findings::{Findings, Place};

/// A definition and its place in the file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CheckedDefinition<'d> {
    pub(crate) offset: u64,
    pub(crate) record: GlobalDefinition<'d>,
}

impl CheckedDefinition<'_> {
    pub(super) fn place(&self) -> Place {
        Place::record(FileName::GlobalDefinitions, self.offset, self.record.name())
    }
}

/// A rule about definitions.
pub(crate) trait DefinitionRule<'d> {
    /// Checks the next definition.
    fn definition(&mut self, here: &CheckedDefinition<'d>, findings: &mut Findings<'_>);

    /// Called after the last definition. Unless `complete`, some definitions could not be read.
    fn end(&mut self, complete: bool, findings: &mut Findings<'_>) {
        let _ = (complete, findings);
    }
}
