//! The scope of a marker: the whole trace, or a definition to which it refers.

use std::ffi::OsStr;

use kymo_otf2::definitions::GlobalDefinition;
use kymo_otf2::enums::MarkerScope;
use kymo_otf2::read::Archive;
use kymo_otf2::references::Space;

use crate::problem::Problem;

/// A scope as typed: `global`, `location:3`.
#[derive(Debug)]
pub(super) struct Scope<'t> {
    text: &'t OsStr,
    kind: MarkerScope,
    /// All ones for the whole trace.
    id: u64,
}

impl<'t> Scope<'t> {
    pub(super) fn parse(text: &'t OsStr) -> Result<Self, Problem> {
        let invalid = || {
            Problem::usage(format_args!(
                "invalid scope '{}': expected 'global', or location, location-group, system-tree-node, group \
                 or comm with an id, such as 'location:0'",
                text.display()
            ))
        };
        let typed = text.to_str().ok_or_else(invalid)?;
        let (name, id) = typed.split_once(':').map_or((typed, None), |(name, id)| (name, Some(id)));
        let name = name.to_uppercase().replace('-', "_");
        let kind = MarkerScope::VALUES.iter().find(|kind| kind.name() == Some(&name)).ok_or_else(invalid)?;
        let id = match (*kind, id) {
            (MarkerScope::GLOBAL, None) => Some(u64::MAX),
            (MarkerScope::GLOBAL, Some(_)) | (_, None) => None,
            (_, Some(id)) => {
                Some(id).filter(|id| id.bytes().all(|it| it.is_ascii_digit())).and_then(|id| id.parse().ok())
            }
        };
        Ok(Self { text, kind: *kind, id: id.ok_or_else(invalid)? })
    }

    /// Returns the fields of a marker if the archive has the definition.
    pub(super) fn checked(&self, archive: &Archive) -> Result<(MarkerScope, u64), Problem> {
        let mut found = self.kind == MarkerScope::GLOBAL;
        if !found {
            archive
                .each_global_definition(|definition| {
                    found |= self.is_defined_by(definition);
                    Ok::<_, kymo_otf2::Error>(())
                })
                .map_err(|error| Problem::of_archive(archive, &error))?;
        }
        match (found, self.kind) {
            (true, _) => Ok((self.kind, self.id)),
            (false, MarkerScope::GROUP) => Err(Problem::usage(format_args!(
                "scope '{}': the trace defines no group of locations with this id",
                self.text.display()
            ))),
            (false, _) => Err(Problem::usage(format_args!(
                "scope '{}': the trace has no such definition; 'kymo print -G' lists all",
                self.text.display()
            ))),
        }
    }

    fn is_defined_by(&self, definition: &GlobalDefinition<'_>) -> bool {
        let id = match (self.kind, definition) {
            (MarkerScope::LOCATION, GlobalDefinition::Location(it)) => it.id.0,
            (MarkerScope::LOCATION_GROUP, GlobalDefinition::LocationGroup(it)) => it.id.0.into(),
            (MarkerScope::SYSTEM_TREE_NODE, GlobalDefinition::SystemTreeNode(it)) => it.id.0.into(),
            (MarkerScope::GROUP, GlobalDefinition::Group(it))
                if it.group_type.member_space() == Some(Space::Location) =>
            {
                it.id.0.into()
            }
            (MarkerScope::COMM, GlobalDefinition::Comm(it)) => it.id.0.into(),
            (MarkerScope::COMM, GlobalDefinition::InterComm(it)) => it.id.0.into(),
            _ => return false,
        };
        id == self.id
    }
}
