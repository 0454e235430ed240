//! Properties of definitions: names are unique per definition, and paradigms are unique.

use kymo_otf2::definitions::GlobalDefinition;
use kymo_otf2::records::AnyRecord;

use super::{CheckedDefinition, DefinitionRule};
use crate::check::findings::Findings;
use crate::check::kinds::FindingKind;
use crate::check::tables::HashSet;

/// The name of the record, the id that it is a property of, and the id of its name.
type Key = (&'static str, u64, u64);

#[derive(Default)]
pub(super) struct Properties {
    seen: HashSet<Key>,
}

fn key(record: &GlobalDefinition<'_>) -> Option<Key> {
    let name = record.name();
    let (of, property): (u64, u64) = match *record {
        GlobalDefinition::Paradigm(it) => (it.paradigm.0.into(), 0),
        GlobalDefinition::ParadigmProperty(it) => (it.paradigm.0.into(), it.property.0.into()),
        GlobalDefinition::SystemTreeNodeProperty(it) => (it.system_tree_node.0.into(), it.name.0.into()),
        GlobalDefinition::LocationGroupProperty(it) => (it.location_group.0.into(), it.name.0.into()),
        GlobalDefinition::LocationProperty(it) => (it.location.0, it.name.0.into()),
        GlobalDefinition::CallingContextProperty(it) => (it.calling_context.0.into(), it.name.0.into()),
        GlobalDefinition::IoFileProperty(it) => (it.io_file.0.into(), it.name.0.into()),
        GlobalDefinition::CallpathParameter(it) => (it.callpath.0.into(), it.parameter.0.into()),
        _ => return None,
    };
    Some((name, of, property))
}

impl<'d> DefinitionRule<'d> for Properties {
    fn definition(&mut self, here: &CheckedDefinition<'d>, findings: &mut Findings<'_>) {
        if let Some(key) = key(&here.record)
            && !self.seen.insert(key)
        {
            findings.find(
                FindingKind::DuplicateProperty,
                here.place(),
                format_args!("occurs twice for {}", key.1),
            );
        }
    }
}
