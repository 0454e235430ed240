//! The rules about global definitions, one file per subject. A rule sees every record once, in the
//! order of the file, and has access to all definitions from the start.

mod cycles;
mod groups;
mod kinds_agree;
mod paradigms;
mod properties;
mod references;
pub(crate) mod texts;
mod topologies;

use kymo_otf2::FileName;
use kymo_otf2::definitions::GlobalDefinition;
use kymo_otf2::records::AnyRecord;

use super::definitions::DefinitionIndex;
use super::findings::{Findings, Place};

/// A definition and its place in the file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Here<'d> {
    pub(crate) offset: u64,
    pub(crate) record: GlobalDefinition<'d>,
}

impl Here<'_> {
    fn place(&self) -> Place {
        Place::record(FileName::GlobalDefinitions, self.offset, self.record.name())
    }
}

/// A rule about definitions.
pub(crate) trait Rule<'d> {
    /// Checks the next definition.
    fn definition(&mut self, here: &Here<'d>, findings: &mut Findings<'_>);

    /// Called after the last definition. Unless `complete`, some definitions could not be read.
    fn end(&mut self, complete: bool, findings: &mut Findings<'_>) {
        let _ = (complete, findings);
    }
}

/// Returns all rules.
pub(crate) fn all<'a, 'd>(definitions: &'a DefinitionIndex<'d>) -> Vec<Box<dyn Rule<'d> + 'a>>
where
    'd: 'a,
{
    vec![
        Box::new(references::References::new(definitions)),
        Box::new(cycles::Cycles::default()),
        Box::new(groups::Groups::new(definitions)),
        Box::new(kinds_agree::KindsAgree::new(definitions)),
        Box::new(paradigms::Paradigms::default()),
        Box::new(properties::Properties::default()),
        Box::new(texts::Texts::default()),
        Box::new(topologies::Topologies::new(definitions)),
    ]
}
