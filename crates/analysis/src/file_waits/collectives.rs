//! Collective operations on files of MPI.
//!
//! The n-th operation of a member on a handle is the n-th of all others. All wait for the last one,
//! if all are in it at the same time: whether they have to is up to the library.

use crate::waits::{EnclosingCall, WaitKind, WaitState};
use foldhash::HashMap;
use kymo_otf2::references::{IoHandleRef, LocationRef};
use std::cmp::Reverse;

/// The part of a location in an operation.
#[derive(Debug, Clone, Copy)]
pub(super) struct FileMember {
    pub(super) location: LocationRef,
    /// The rank of the location in the communicator of the handle.
    pub(super) rank: u32,
    pub(super) call: EnclosingCall,
}

/// The operations in which members are missing.
#[derive(Debug, Default)]
pub(super) struct FileCollectives {
    /// The numbers of operations so far.
    counts: HashMap<(IoHandleRef, LocationRef), u64>,
    members: HashMap<(IoHandleRef, u64), Vec<FileMember>>,
}

impl FileCollectives {
    /// Adds a member of the next operation on a handle with this many members. Returns the wait
    /// states if it is the last one.
    pub(super) fn add(&mut self, handle: IoHandleRef, size: u64, member: FileMember) -> Vec<WaitState> {
        let count = self.counts.entry((handle, member.location)).or_default();
        let number = *count;
        *count += 1;
        let members = self.members.entry((handle, number)).or_default();
        members.push(member);
        if (members.len() as u64) < size {
            return Vec::new();
        }
        let members = self.members.remove(&(handle, number)).unwrap_or_default();
        waits(&members)
    }

    /// Returns the number of operations in which members are missing.
    pub(super) fn incomplete(&self) -> u64 {
        self.members.len() as u64
    }
}

fn waits(members: &[FileMember]) -> Vec<WaitState> {
    let latest = members.iter().max_by_key(|it| (it.call.start, Reverse(it.rank)));
    let earliest_end = members.iter().map(|it| it.call.end).min();
    let Some(latest) = latest.filter(|it| earliest_end > Some(it.call.start)) else { return Vec::new() };
    let cause = (latest.location, latest.call.start);
    let wait = |FileMember { location, call, .. }: &FileMember| {
        WaitState::new(WaitKind::Nxn, *location, call, [call.start, call.end], cause)
    };
    members.iter().filter(|it| it.call.is_selected()).filter_map(wait).collect()
}
