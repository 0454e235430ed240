//! Parents: the chain of ancestors of every definition must end.

use std::collections::BTreeMap;

use kymo_otf2::FileName;
use kymo_otf2::records::AnyRecord;
use kymo_otf2::references::Space;

use super::{CheckedDefinition, DefinitionRule};
use crate::check::definitions::defined;
use crate::check::findings::{Findings, Place};
use crate::check::kinds::FindingKind;
use crate::check::references::{FieldContent, visit};
use crate::check::tables::HashMap;

/// The fields that refer to a parent.
const PARENTS: [&str; 3] = ["parent", "creatingLocationGroup", "commonCommunicator"];

#[derive(Debug, Clone, Copy)]
struct Child {
    parent: u64,
    place: Place,
}

/// Parents by id space and id.
#[derive(Debug, Default)]
pub(super) struct Cycles(BTreeMap<Space, BTreeMap<u64, Child>>);

impl<'d> DefinitionRule<'d> for Cycles {
    fn definition(&mut self, here: &CheckedDefinition<'d>, _: &mut Findings<'_>) {
        let Some((space, id)) = defined(&here.record) else { return };
        let place = Place::record(FileName::GlobalDefinitions, here.offset, here.record.name());
        visit(&here.record, &mut |field, content| {
            if let FieldContent::Reference(it) = content
                && it.space == space
                && !it.undefined
                && PARENTS.contains(&field.names)
            {
                self.0.entry(space).or_default().entry(id).or_insert(Child { parent: it.id, place });
            }
        });
    }

    fn end(&mut self, _: bool, findings: &mut Findings<'_>) {
        for (space, children) in &self.0 {
            for (id, place) in cycles(children) {
                findings.find(
                    FindingKind::ReferenceCycle,
                    place,
                    format_args!("{space} {id} is its own ancestor"),
                );
            }
        }
    }
}

/// Returns one member of every cycle.
fn cycles(children: &BTreeMap<u64, Child>) -> Vec<(u64, Place)> {
    // The first walk that reached each id.
    let mut walks: HashMap<u64, u64> = HashMap::default();
    let mut found = Vec::new();
    for (&start, child) in children {
        let mut at = start;
        while let Some(next) = children.get(&at) {
            match walks.get(&at) {
                None => drop(walks.insert(at, start)),
                Some(&walk) if walk == start => {
                    found.push((at, child.place));
                    break;
                }
                Some(_) => break,
            }
            at = next.parent;
        }
    }
    found
}
