//! The teams of a process, and their barriers.
//!
//! A team is an instance of its definition, which begins with the first of its members. The n-th
//! barrier of a team consists of the n-th barriers of its members. Invariant: at most the last two
//! barriers of a team are kept, since a member that has entered the one after them shows that they
//! are complete.

use super::busy_time::BusyTime;
use super::creation::Creation;
use super::operation::TaskId;
use crate::waits::EnclosingCall;
use foldhash::{HashMap, HashSet};
use kymo_otf2::references::{CommRef, LocationRef};
use std::collections::BTreeMap;

/// A member in a barrier.
#[derive(Debug)]
pub(super) struct BarrierMember {
    pub(super) location: LocationRef,
    pub(super) call: EnclosingCall,
    /// When it executed tasks in the barrier.
    pub(super) busy: BusyTime,
}

/// The members that were in a barrier together.
#[derive(Debug, Default)]
pub(super) struct Barrier {
    pub(super) members: Vec<BarrierMember>,
    /// The definition of the team.
    pub(super) definition: CommRef,
    /// The member that executed the last task of the team before the first member left, and when
    /// that was complete.
    pub(super) last_task: Option<(LocationRef, u64)>,
    /// Whether all members are known, with the ends of their calls.
    pub(super) is_whole: bool,
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
    /// The number of the last barrier.
    last: Option<u64>,
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
        member.last = Some(number);
        let Some(team) = self.teams.get_mut(&member.team) else { return false };
        let barrier = team.barriers.entry(number).or_default();
        barrier.definition = team.definition;
        barrier.members.push(BarrierMember { location, call, busy: BusyTime::default() });
        while let Some(first) = team.barriers.first_entry().filter(|first| first.key() + 2 <= number) {
            each(first.remove().checked(team.members.len()));
        }
        true
    }

    /// Returns the barrier in which a location was last.
    fn last_barrier(&mut self, location: LocationRef) -> Option<&mut Barrier> {
        let member = self.memberships.get(&location)?.last()?;
        self.teams.get_mut(&member.team)?.barriers.get_mut(&member.last?)
    }

    /// A location has executed an explicit task.
    pub(super) fn execute(&mut self, location: LocationRef, since: u64, until: u64) {
        let members = self.last_barrier(location).map(|barrier| &mut barrier.members);
        if let Some(member) = members.and_then(|all| all.iter_mut().find(|it| it.location == location)) {
            member.busy.add(since, until);
        }
    }

    /// The end of the barrier in which a location was last is known only now.
    pub(super) fn leave(&mut self, location: LocationRef, call: u64, end: u64) {
        let members = self.last_barrier(location).map(|barrier| &mut barrier.members);
        let is_it = |it: &&mut BarrierMember| it.location == location && it.call.call == call;
        if let Some(member) = members.and_then(|all| all.iter_mut().find(is_it)) {
            member.call.end = end;
        }
    }

    /// A task that a location has executed is complete.
    pub(super) fn complete_task(&mut self, location: LocationRef, time: u64, task: TaskId) {
        let Some(barrier) = self.last_barrier(location).filter(|it| it.definition == task.team) else {
            return;
        };
        // Those that enter later also leave later.
        if barrier.members.iter().all(|member| time <= member.call.end) {
            barrier.last_task = Some((location, time));
        }
    }

    /// Returns the number of the team of which a location became a member last.
    pub(super) fn team(&self, location: LocationRef) -> Option<u64> {
        Some(self.memberships.get(&location)?.last()?.team)
    }

    /// The last team that a location has forked has ended. Passes its last barriers.
    /// Returns its number.
    pub(super) fn join(&mut self, location: LocationRef, each: impl FnMut(Barrier)) -> Option<u64> {
        let (_, team) = self.forks.get_mut(&location).and_then(Vec::pop)?;
        self.finish_team(team?, each);
        team
    }

    /// Passes all barriers that are left.
    pub(super) fn finish(&mut self, mut each: impl FnMut(Barrier)) {
        let numbers: Vec<u64> = self.teams.keys().copied().collect();
        numbers.into_iter().for_each(|number| self.finish_team(number, &mut each));
    }
}

impl Barrier {
    fn checked(self, members: usize) -> Self {
        let has_ends = self.members.iter().all(|member| member.call.end < u64::MAX);
        Self { is_whole: self.members.len() == members && has_ends, ..self }
    }
}
