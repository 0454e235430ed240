//! The rules about global definitions, one file per subject. A rule sees every record once, in the
//! order of the file, and has access to all definitions from the start.

mod cycles;
mod definition_rule;
mod groups;
mod kinds_agree;
mod paradigms;
mod properties;
mod references;
pub(crate) mod texts;
mod topologies;

use super::definitions::DefinitionIndex;

pub(crate) use definition_rule::{CheckedDefinition, DefinitionRule};

/// Returns all rules.
pub(crate) fn all<'a, 'd>(definitions: &'a DefinitionIndex<'d>) -> Vec<Box<dyn DefinitionRule<'d> + 'a>>
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
