//! References between definitions: definitions exist and precede their use, and ids are unique.

use kymo_otf2::definitions::GlobalDefinition;
use kymo_otf2::references::Space;

use super::{CheckedDefinition, DefinitionRule};
use crate::check::definitions::{DefinitionIndex, Ids, defined};
use crate::check::findings::Findings;
use crate::check::kinds::FindingKind;
use crate::check::references::{FieldContent, Reference, check, visit};

pub(super) struct References<'a, 'd> {
    definitions: &'a DefinitionIndex<'d>,
    /// The ids of the records so far.
    seen: Ids,
}

impl<'a, 'd> References<'a, 'd> {
    pub(super) fn new(definitions: &'a DefinitionIndex<'d>) -> Self {
        References { definitions, seen: Ids::default() }
    }

    /// Reports a reference to a definition that follows later.
    fn later(&self, reference: Reference, here: &CheckedDefinition<'_>, findings: &mut Findings<'_>) {
        let Reference { space, id, undefined } = reference;
        if !undefined && !self.seen.has(space, id) && self.definitions.ids.has(space, id) {
            findings.find(
                FindingKind::ForwardReference,
                here.place(),
                format_args!("{reference} is defined later"),
            );
        }
    }

    fn number(
        &self,
        reference: Reference,
        role: &str,
        here: &CheckedDefinition<'_>,
        findings: &mut Findings<'_>,
    ) {
        reference.check(role, here.place(), &self.definitions.ids, findings);
        self.later(reference, here, findings);
    }

    /// Checks references that the record tables treat as numbers, because another field determines
    /// the kind of definition to which they refer.
    fn numbers(&self, here: &CheckedDefinition<'_>, findings: &mut Findings<'_>) {
        match here.record {
            GlobalDefinition::MetricInstance(it) => {
                if let Some((space, bytes)) = DefinitionIndex::scope_space(it.metric_scope) {
                    let reference = Reference::new(space, it.scope, bytes);
                    self.number(reference, "scope", here, findings);
                }
            }
            GlobalDefinition::Group(it) => {
                let Some(space) = it.group_type.member_space() else { return };
                let bytes = if space == Space::Location { 8 } else { 4 };
                for member in it.members {
                    self.number(Reference::new(space, member, bytes), "member", here, findings);
                }
            }
            _ => {}
        }
    }
}

impl<'d> DefinitionRule<'d> for References<'_, 'd> {
    fn definition(&mut self, here: &CheckedDefinition<'d>, findings: &mut Findings<'_>) {
        if let Some((space, id)) = defined(&here.record)
            && !self.seen.insert(space, id)
        {
            let reference = Reference { space, id, undefined: false };
            findings.find(
                FindingKind::DuplicateDefinition,
                here.place(),
                format_args!("{reference} has already been defined"),
            );
        }
        check(&here.record, here.place(), &self.definitions.ids, findings);
        visit(&here.record, &mut |_, content| {
            if let FieldContent::Reference(reference) = content {
                self.later(reference, here, findings);
            }
        });
        self.numbers(here, findings);
    }
}
