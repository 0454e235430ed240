//! The teams of a process, and their barriers.
//!
//! A team is known by its definition and the fork before its members begin. Its n-th barrier
//! consists of the n-th barriers of its members. Invariant: at most the last two barriers of a team
//! are kept, since a member that has entered the one after them shows that they are complete.

use super::creation::Creation;
use crate::waits::EnclosingCall;
use foldhash::HashMap;
use kymo_otf2::references::{CommRef, LocationRef};
use std::collections::BTreeMap;

/// A team, and the number of its fork.
type Team = (CommRef, u64);

/// A member in a barrier, with the call of the barrier.
pub(super) type BarrierMember = (LocationRef, EnclosingCall);

/// The members that were in a barrier together.
#[derive(Debug, Default)]
pub(super) struct Barrier {
    pub(super) members: Vec<BarrierMember>,
    /// Whether all members are known, and none of them executed tasks, which may have been what it
    /// waited for.
    pub(super) is_plain: bool,
    has_tasks: bool,
}

/// The teams of a process.
#[derive(Debug, Default)]
pub(super) struct Teams {
    forks: u64,
    /// The last fork.
    fork: Option<(LocationRef, u64)>,
    /// The numbers of the last forks, by who made them.
    fork_of: HashMap<LocationRef, u64>,
    teams: BTreeMap<u64, HashMap<CommRef, TeamState>>,
    memberships: HashMap<LocationRef, Vec<Membership>>,
}

#[derive(Debug, Default)]
struct TeamState {
    members: usize,
    /// By number.
    barriers: BTreeMap<u64, Barrier>,
}

#[derive(Debug)]
struct Membership {
    team: Team,
    barriers: u64,
    /// The number and the end of the last barrier.
    last: Option<(u64, u64)>,
}

impl Teams {
    pub(super) fn fork(&mut self, location: LocationRef, time: u64) {
        self.forks += 1;
        self.fork = Some((location, time));
        self.fork_of.insert(location, self.forks);
    }

    /// A location becomes a member. Returns who created it.
    pub(super) fn begin(&mut self, team: CommRef, location: LocationRef) -> Option<Creation> {
        let team = (team, self.forks);
        self.teams.entry(team.1).or_default().entry(team.0).or_default().members += 1;
        let membership = Membership { team, barriers: 0, last: None };
        self.memberships.entry(location).or_default().push(membership);
        let (creator, time) = self.fork.filter(|(creator, _)| *creator != location)?;
        Some(Creation { location, time, creator })
    }

    /// A location leaves a team.
    pub(super) fn end(&mut self, team: CommRef, location: LocationRef) {
        let Some(all) = self.memberships.get_mut(&location) else { return };
        if let Some(place) = all.iter().rposition(|it| it.team.0 == team) {
            all.truncate(place);
        }
    }

    /// A member enters a barrier. Passes those that are complete.
    pub(super) fn barrier(
        &mut self,
        location: LocationRef,
        call: EnclosingCall,
        mut each: impl FnMut(Barrier),
    ) {
        let Some(member) = self.memberships.get_mut(&location).and_then(|all| all.last_mut()) else { return };
        let number = member.barriers;
        member.barriers += 1;
        member.last = Some((number, call.end));
        let Some(team) = self.teams.get_mut(&member.team.1).and_then(|all| all.get_mut(&member.team.0))
        else {
            return;
        };
        team.barriers.entry(number).or_default().members.push((location, call));
        while let Some(first) = team.barriers.first_entry().filter(|first| first.key() + 2 <= number) {
            each(first.remove().checked(team.members));
        }
    }

    /// A location executes an explicit task.
    pub(super) fn task(&mut self, location: LocationRef, time: u64) {
        let Some(member) = self.memberships.get(&location).and_then(|all| all.last()) else { return };
        let Some((number, _)) = member.last.filter(|(_, end)| time <= *end) else { return };
        let team = self.teams.get_mut(&member.team.1).and_then(|all| all.get_mut(&member.team.0));
        if let Some(barrier) = team.and_then(|team| team.barriers.get_mut(&number)) {
            barrier.has_tasks = true;
        }
    }

    /// The team of a location has ended. Passes its last barriers.
    pub(super) fn join(&mut self, location: LocationRef, each: impl FnMut(Barrier)) {
        let number = self.fork_of.get(&location);
        let teams = number.and_then(|number| self.teams.remove(number));
        pass_all(teams, each);
    }

    /// Passes all barriers that are left.
    pub(super) fn finish(&mut self, each: impl FnMut(Barrier)) {
        pass_all(std::mem::take(&mut self.teams).into_values(), each);
    }
}

fn pass_all(teams: impl IntoIterator<Item = HashMap<CommRef, TeamState>>, mut each: impl FnMut(Barrier)) {
    for TeamState { members, barriers } in teams.into_iter().flat_map(HashMap::into_values) {
        barriers.into_values().for_each(|barrier| each(barrier.checked(members)));
    }
}

impl Barrier {
    fn checked(self, members: usize) -> Self {
        Self { is_plain: self.members.len() == members && !self.has_tasks, ..self }
    }
}
