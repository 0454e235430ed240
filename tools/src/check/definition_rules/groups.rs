//! Groups and communicators: the two levels of ranks, and the kinds of groups that communicators
//! consist of.

use std::collections::HashSet;

use kymo_otf2::definitions::{GlobalDefinition, Group};
use kymo_otf2::enums::{GroupType, Paradigm};
use kymo_otf2::flags::GroupFlag;
use kymo_otf2::references::GroupRef;

use super::{Here, Rule};
use crate::check::definitions::DefinitionIndex;
use crate::check::findings::Findings;
use crate::check::kinds::Kind;

pub(super) struct Groups<'a, 'd> {
    definitions: &'a DefinitionIndex<'d>,
    /// The groups seen so far of which a paradigm may have only one.
    single: HashSet<(GroupType, Paradigm)>,
}

impl<'a, 'd> Groups<'a, 'd> {
    pub(super) fn new(definitions: &'a DefinitionIndex<'d>) -> Self {
        Groups { definitions, single: HashSet::new() }
    }

    fn group(&mut self, group: &Group<'d>, here: &Here<'_>, findings: &mut Findings<'_>) {
        match group.group_type {
            GroupType::COMM_LOCATIONS | GroupType::COMM_SELF => self.single(group, here, findings),
            GroupType::COMM_GROUP => self.ranks(group, here, findings),
            _ => {}
        }
    }

    fn single(&mut self, group: &Group<'d>, here: &Here<'_>, findings: &mut Findings<'_>) {
        if !self.single.insert((group.group_type, group.paradigm)) {
            findings.find(
                Kind::DuplicateGroup,
                here.place(),
                format_args!("a second {} group of {}", group.group_type, group.paradigm),
            );
        }
    }

    /// Checks that the members of a communicator's group are indexes into the group of all
    /// locations.
    fn ranks(&self, group: &Group<'d>, here: &Here<'_>, findings: &mut Findings<'_>) {
        let Some(world) = self.definitions.worlds.get(&group.paradigm) else {
            if self.definitions.ids.is_partial() {
                return;
            }
            return findings.find(
                Kind::GroupWithoutLocations,
                here.place(),
                format_args!("there is no group of the locations of {}", group.paradigm),
            );
        };
        if !self.single.contains(&(GroupType::COMM_LOCATIONS, group.paradigm)) {
            findings.find(
                Kind::GroupWithoutLocations,
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
                Kind::GroupMember,
                here.place(),
                format_args!("member {member}, but {} has {size} locations", group.paradigm),
            );
        }
    }

    fn communicator(&self, group: GroupRef, here: &Here<'_>, findings: &mut Findings<'_>) {
        let Some(definition) = self.definitions.groups.get(&group.0) else { return };
        let good = [GroupType::COMM_GROUP, GroupType::COMM_SELF, GroupType::UNKNOWN];
        if !good.contains(&definition.group_type) {
            findings.find(
                Kind::CommunicatorGroup,
                here.place(),
                format_args!("group {} is a {} group", group.0, definition.group_type),
            );
        }
    }
}

impl<'d> Rule<'d> for Groups<'_, 'd> {
    fn definition(&mut self, here: &Here<'d>, findings: &mut Findings<'_>) {
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
