//! Groups and communicators: the two levels of ranks, and the kinds of groups that communicators
//! consist of.

use kymo_otf2::definitions::{GlobalDefinition, Group};
use kymo_otf2::enums::{GroupType, Paradigm};
use kymo_otf2::flags::GroupFlag;
use kymo_otf2::references::GroupRef;

use super::{CheckedDefinition, DefinitionRule};
use crate::check::definitions::DefinitionIndex;
use crate::check::findings::Findings;
use crate::check::kinds::FindingKind;
use crate::check::tables::HashSet;

pub(super) struct Groups<'a, 'd> {
    definitions: &'a DefinitionIndex<'d>,
    /// The groups seen so far of which a paradigm may have only one.
    single: HashSet<(GroupType, Paradigm)>,
}

impl<'a, 'd> Groups<'a, 'd> {
    pub(super) fn new(definitions: &'a DefinitionIndex<'d>) -> Self {
        Groups { definitions, single: HashSet::default() }
    }

    fn group(&mut self, group: &Group<'d>, here: &CheckedDefinition<'_>, findings: &mut Findings<'_>) {
        match group.group_type {
            GroupType::COMM_SELF => self.single(group, here, findings),
            group_type if group_type.lists_paradigm() => self.single(group, here, findings),
            GroupType::COMM_GROUP => self.ranks(group, here, findings),
            _ => {}
        }
    }

    fn single(&mut self, group: &Group<'d>, here: &CheckedDefinition<'_>, findings: &mut Findings<'_>) {
        // A paradigm has either locations or location groups.
        let other = [GroupType::COMM_LOCATIONS, GroupType::COMM_LOCATION_GROUPS]
            .into_iter()
            .find(|&other| group.group_type.lists_paradigm() && self.has(other, group.paradigm));
        let is_new = self.single.insert((group.group_type, group.paradigm));
        let what = match other {
            Some(other) if other != group.group_type => {
                format!("a {} group of {}, which has a {other} group", group.group_type, group.paradigm)
            }
            _ if !is_new => format!("a second {} group of {}", group.group_type, group.paradigm),
            _ => return,
        };
        findings.find(FindingKind::DuplicateGroup, here.place(), format_args!("{what}"));
    }

    fn has(&self, group_type: GroupType, paradigm: Paradigm) -> bool {
        self.single.contains(&(group_type, paradigm))
    }

    /// Checks that the members of a communicator's group are indexes into the group of all
    /// locations or location groups.
    fn ranks(&self, group: &Group<'d>, here: &CheckedDefinition<'_>, findings: &mut Findings<'_>) {
        let Some(world) = self.definitions.worlds.get(&group.paradigm) else {
            if self.definitions.ids.is_partial() {
                return;
            }
            return findings.find(
                FindingKind::GroupWithoutLocations,
                here.place(),
                format_args!("there is no group of the locations of {}", group.paradigm),
            );
        };
        if !self.has(world.group_type, group.paradigm) {
            findings.find(
                FindingKind::GroupWithoutLocations,
                here.place(),
                format_args!("the group of the locations of {} follows later", group.paradigm),
            );
        }
        let size = world.members.len() as u64;
        let global = group.group_flags.contains(GroupFlag::GLOBAL_MEMBERS);
        let is_good =
            |member: u64| member < size || (global && self.definitions.locations.contains_key(&member));
        for member in group.members.iter().filter(|&member| !is_good(member)) {
            findings.find(
                FindingKind::GroupMember,
                here.place(),
                format_args!("member {member}, but {} has {size} {}", group.paradigm, of(world)),
            );
        }
    }

    fn communicator(&self, group: GroupRef, here: &CheckedDefinition<'_>, findings: &mut Findings<'_>) {
        let Some(definition) = self.definitions.groups.get(&group.0) else { return };
        let good = [GroupType::COMM_GROUP, GroupType::COMM_SELF, GroupType::UNKNOWN];
        if !good.contains(&definition.group_type) {
            findings.find(
                FindingKind::CommunicatorGroup,
                here.place(),
                format_args!("group {} is a {} group", group.0, definition.group_type),
            );
        }
    }
}

/// Returns the word for the members of a group of all locations or location groups.
fn of(world: &Group<'_>) -> &'static str {
    if world.group_type == GroupType::COMM_LOCATION_GROUPS { "location groups" } else { "locations" }
}

impl<'d> DefinitionRule<'d> for Groups<'_, 'd> {
    fn definition(&mut self, here: &CheckedDefinition<'d>, findings: &mut Findings<'_>) {
        match here.record {
            GlobalDefinition::Group(it) => self.group(&it, here, findings),
            GlobalDefinition::Comm(it) => self.communicator(it.group, here, findings),
            GlobalDefinition::InterComm(it) => {
                self.communicator(it.group_a, here, findings);
                self.communicator(it.group_b, here, findings);
            }
            _ => {}
        }
    }
}
