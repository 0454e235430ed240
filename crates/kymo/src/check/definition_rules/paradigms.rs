//! I/O paradigms: their numbers, which events contain, are those of a list without gaps.

use kymo_otf2::definitions::GlobalDefinition;

use super::{CheckedDefinition, DefinitionRule};
use crate::check::findings::Findings;
use crate::check::kinds::FindingKind;

#[derive(Default)]
pub(super) struct Paradigms {
    /// The number of I/O paradigms so far.
    count: u64,
}

impl<'d> DefinitionRule<'d> for Paradigms {
    fn definition(&mut self, here: &CheckedDefinition<'d>, findings: &mut Findings<'_>) {
        let GlobalDefinition::IoParadigm(it) = here.record else { return };
        let expected = self.count;
        self.count += 1;
        if u64::from(it.id.0) != expected {
            findings.find(
                FindingKind::IoParadigmOrder,
                here.place(),
                format_args!("I/O paradigm {} where {expected} is expected", it.id.0),
            );
        }
    }
}
