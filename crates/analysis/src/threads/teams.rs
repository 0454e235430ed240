//! The teams of a process, and their barriers.
//!
//! A team is an instance of its definition, which begins with the first of its members. The n-th
//! barrier of a team consists of the n-th barriers of its members. Invariant: at most the last two
//! barriers of a team are kept, since a member that has entered the one after them shows that they
//! are complete.

use super::creation::Creation;
use crate::waits::EnclosingCall;
use foldhash::{HashMap, HashSet};
use kymo_otf2::references::{CommRef, LocationRef};
use std::collections::BTreeMap;

/// A member in a barrier, with the call of the barrier.
pub(super) type BarrierMember = (LocationRef, EnclosingCall);

/// The members that were in a barrier together.
#[derive(Debug, Default)]
pub(super) struct Barrier {
    pub(super) members: Vec<BarrierMember>,
    /// The definition of the team.
    pub(super) definition: CommRef,
    /// Whether all members are known, and none of them executed tasks, which may have been what it
    /// waited for, or more operations than are kept.
    pub(super) is_plain: bool,
    has_tasks: bool,
}

/// The teams of a process. Each has a number.
#[derive(Debug, Default)]
pub(super) struct Teams {
    count: u64,
    teams: BTreeMap<u64, TeamState>,
    /// The last team of each definition that has not ended.
    present: HashMap<CommRef, u64>,
    /// The forks of each location that are not joined: the time, and the team once it has begun.
    forks: HashMap<LocationRef, Vec<(u64, Option<u64>)>>,
    last_fork: Option<(LocationRef, u64)>,
    memberships: HashMap<LocationRef, Vec<Membership>>,
}

#[derive(Debug)]
struct TeamState {
    definition: CommRef,
    /// The member that has forked the team, and when.
    creator: Option<(LocationRef, u64)>,
    members: HashSet<LocationRef>,
    /// By number.
    barriers: BTreeMap<u64, Barrier>,
}

#[derive(Debug)]
struct Membership {
    definition: CommRef,
    team: u64,
    barriers: u64,
    /// The number and the end of the last barrier.
    last: Option<(u64, u64)>,
}

impl Teams {
    pub(super) fn fork(&mut self, location: LocationRef, time: u64) {
        self.forks.entry(location).or_default().push((time, None));
        self.last_fork = Some((location, time));
    }

    /// A location becomes a member. Returns who created it. Passes the last barriers of a team that
    /// has ended.
    pub(super) fn begin(
        &mut self,
        definition: CommRef,
        location: LocationRef,
        each: impl FnMut(Barrier),
    ) -> Option<Creation> {
        // Other teams may have been forked since the first member has begun.
        let is_of = |team: &u64| self.teams.get(team).is_some_and(|it| !it.members.contains(&location));
        let number = match self.present.get(&definition).copied().filter(is_of) {
            Some(number) => number,
            None => self.start(definition, each),
        };
        let team = self.teams.get_mut(&number)?;
        team.members.insert(location);
        let membership = Membership { definition, team: number, barriers: 0, last: None };
        self.memberships.entry(location).or_default().push(membership);
        let own_fork = self.forks.get_mut(&location).and_then(|forks| forks.last_mut());
        if let Some((time, fork_team @ None)) = own_fork {
            *fork_team = Some(number);
            team.creator = Some((location, *time));
        }
        let creator = team.creator.or(self.last_fork).filter(|(creator, _)| *creator != location);
        creator.map(|(creator, time)| Creation { location, time, creator })
    }

    /// Starts a team, after which the one of the same definition before it has ended.
    fn start(&mut self, definition: CommRef, each: impl FnMut(Barrier)) -> u64 {
        self.count += 1;
        let (members, barriers) = (HashSet::default(), BTreeMap::new());
        self.teams.insert(self.count, TeamState { definition, creator: None, members, barriers });
        if let Some(before) = self.present.insert(definition, self.count) {
            self.finish_team(before, each);
        }
        self.count
    }

    fn finish_team(&mut self, number: u64, mut each: impl FnMut(Barrier)) {
        let Some(team) = self.teams.remove(&number) else { return };
        if self.present.get(&team.definition) == Some(&number) {
            self.present.remove(&team.definition);
        }
        let members = team.members.len();
        team.barriers.into_values().for_each(|barrier| each(barrier.checked(members)));
    }

    /// A location leaves a team.
    pub(super) fn end(&mut self, definition: CommRef, location: LocationRef) {
        let Some(all) = self.memberships.get_mut(&location) else { return };
        if let Some(place) = all.iter().rposition(|it| it.definition == definition) {
            all.truncate(place);
        }
    }

    /// A member enters a barrier. Passes those that are complete. Returns false if its team is not
    /// known.
    pub(super) fn barrier(
        &mut self,
        location: LocationRef,
        call: EnclosingCall,
        mut each: impl FnMut(Barrier),
    ) -> bool {
        let member = self.memberships.get_mut(&location).and_then(|all| all.last_mut());
        let Some(member) = member else { return false };
        let number = member.barriers;
        member.barriers += 1;
        member.last = Some((number, call.end));
        let Some(team) = self.teams.get_mut(&member.team) else { return false };
        let barrier = team.barriers.entry(number).or_default();
        barrier.definition = team.definition;
        barrier.has_tasks |= !call.has_end();
        barrier.members.push((location, call));
        while let Some(first) = team.barriers.first_entry().filter(|first| first.key() + 2 <= number) {
            each(first.remove().checked(team.members.len()));
        }
        true
    }

    /// A location executes an explicit task.
    pub(super) fn task(&mut self, location: LocationRef, time: u64) {
        let Some(member) = self.memberships.get(&location).and_then(|all| all.last()) else { return };
        let Some((number, _)) = member.last.filter(|(_, end)| time <= *end) else { return };
        let team = self.teams.get_mut(&member.team);
        if let Some(barrier) = team.and_then(|team| team.barriers.get_mut(&number)) {
            barrier.has_tasks = true;
        }
    }

    /// The last team that a location has forked has ended. Passes its last barriers.
    pub(super) fn join(&mut self, location: LocationRef, each: impl FnMut(Barrier)) {
        let fork = self.forks.get_mut(&location).and_then(Vec::pop);
        if let Some((_, Some(team))) = fork {
            self.finish_team(team, each);
        }
    }

    /// Passes all barriers that are left.
    pub(super) fn finish(&mut self, mut each: impl FnMut(Barrier)) {
        let numbers: Vec<u64> = self.teams.keys().copied().collect();
        numbers.into_iter().for_each(|number| self.finish_team(number, &mut each));
    }
}

impl Barrier {
    fn checked(self, members: usize) -> Self {
        Self { is_plain: self.members.len() == members && !self.has_tasks, ..self }
    }
}
