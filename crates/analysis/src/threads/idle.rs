//! The time in which the threads of a process are in no team.
//!
//! A thread is in a team from its fork to its join: the time between them and its own events is
//! management, not idleness.

use kymo_otf2::references::LocationRef;
use std::collections::BTreeMap;

/// The time in which a thread that takes part in teams is in none. Times are in nanoseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct IdleTime {
    /// All of it, from the begin to the end of the process.
    pub idle: u64,
    /// The part of it in which the first thread of the process is in a team.
    pub limited: u64,
}

/// The times of the threads of a process in teams.
#[derive(Debug, Default)]
pub(super) struct TeamTimes {
    members: BTreeMap<LocationRef, MemberTime>,
    first_thread: ForkTime,
}

/// The time of the first thread between forks and joins.
#[derive(Debug, Default)]
struct ForkTime {
    depth: u64,
    since: u64,
    total: u64,
    /// The end of a team that was forked before the selected time.
    unknown_until: Option<u64>,
}

#[derive(Debug, Default)]
struct MemberTime {
    depth: u64,
    /// The fork of the outermost team, and whether the first thread was in a team as well.
    since: Option<(u64, bool)>,
    /// When the thread left that team.
    left: u64,
    team: Option<u64>,
    total: u64,
    /// The part of `total` in which the first thread was in a team.
    with_first_thread: u64,
    /// The end of a team that had begun before the selected time.
    unknown_until: Option<u64>,
}

impl MemberTime {
    fn close(&mut self, end: u64) {
        let Some((since, with_first_thread)) = self.since.take() else { return };
        let time = end.saturating_sub(since);
        self.total += time;
        self.with_first_thread += if with_first_thread { time } else { 0 };
    }
}

impl TeamTimes {
    /// The first thread creates a team.
    pub(super) fn fork(&mut self, time: u64) {
        let it = &mut self.first_thread;
        it.since = if it.depth == 0 { time } else { it.since };
        it.depth += 1;
    }

    /// The last team that the first thread has created ends.
    pub(super) fn join(&mut self, time: u64) {
        let it = &mut self.first_thread;
        match it.depth {
            0 => it.unknown_until = Some(time),
            1 => it.total += time.saturating_sub(it.since),
            _ => {}
        }
        it.depth = it.depth.saturating_sub(1);
    }

    /// A thread becomes a member of a team with this number, which was forked at a time.
    pub(super) fn begin(&mut self, location: LocationRef, team: Option<u64>, forked: u64) {
        let with_first_thread = self.first_thread.depth > 0;
        let member = self.members.entry(location).or_default();
        if member.depth == 0 {
            member.close(member.left);
            member.since = Some((forked.max(member.left), with_first_thread));
            member.team = team;
        }
        member.depth += 1;
    }

    /// A thread leaves a team.
    pub(super) fn end(&mut self, location: LocationRef, time: u64) {
        let member = self.members.entry(location).or_default();
        match member.depth {
            0 => member.unknown_until = Some(time),
            _ => member.left = time,
        }
        member.depth = member.depth.saturating_sub(1);
    }

    /// The team with this number ends for those that have left it.
    pub(super) fn end_team(&mut self, team: u64, time: u64) {
        for member in self.members.values_mut().filter(|it| it.depth == 0 && it.team == Some(team)) {
            member.close(time);
            member.left = time;
        }
    }

    /// Returns the times of the threads but the first one, in a process that lasted from `begin` to
    /// `end`.
    pub(super) fn finish(
        mut self,
        first_thread: LocationRef,
        [begin, end]: [u64; 2],
    ) -> Vec<(LocationRef, IdleTime)> {
        let ForkTime { depth, since, total, unknown_until } = self.first_thread;
        let unknown = unknown_until.map_or(0, |until| until.saturating_sub(begin));
        let open = if depth > 0 { end.saturating_sub(since) } else { 0 };
        let parallel = total + unknown + open;
        self.members.remove(&first_thread);
        let idle = |(location, mut member): (LocationRef, MemberTime)| {
            member.close(if member.depth > 0 { end } else { member.left });
            let unknown = member.unknown_until.map_or(0, |until| until.saturating_sub(begin));
            let idle = (end - begin).saturating_sub(member.total + unknown);
            let limited = parallel.saturating_sub(member.with_first_thread + unknown);
            (location, IdleTime { idle, limited: limited.min(idle) })
        };
        self.members.into_iter().map(idle).collect()
    }
}
