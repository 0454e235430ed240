//! Where locations wait for each other.
//!
//! The definitions are those of the field's wait-state analyses. All waiting times are limited by
//! the call in which they occur, and contradictions between clocks give no negative ones.

use super::collect::EnclosingCall;
use crate::communication::{Collective, CollectivePart, CollectiveShape, Member, MessageEnd, Pair};
use crate::trace::Trace;
use kymo_otf2::references::{LocationRef, RegionRef};
use std::collections::BTreeMap;

/// Why a location waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Wait {
    /// A receive began before the send.
    LateSender,
    /// A blocking send began before the receive, and lasted until after it began.
    LateReceiver,
    /// An operation of all with all began before the last member did.
    AllToAll,
    /// A member of an operation that distributes data began before the root.
    LateRoot,
    /// The root of an operation that collects data began before the last member.
    EarlyRoot,
}

impl Wait {
    /// All reasons.
    pub const ALL: [Self; 5] =
        [Self::LateSender, Self::LateReceiver, Self::AllToAll, Self::LateRoot, Self::EarlyRoot];

    /// Returns the name, as a word in sentences.
    pub fn name(self) -> &'static str {
        match self {
            Self::LateSender => "late sender",
            Self::LateReceiver => "late receiver",
            Self::AllToAll => "all to all",
            Self::LateRoot => "late root",
            Self::EarlyRoot => "early root",
        }
    }
}

/// How long locations waited for one reason in one region.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Waited {
    /// The number of operations that waited.
    pub count: u64,
    /// The time, in nanoseconds.
    pub time: u128,
    /// The longest time, in nanoseconds, and the location that waited.
    pub longest: (u64, LocationRef),
}

/// All waiting times.
#[derive(Debug, Default)]
pub struct Waits {
    /// By reason and region.
    pub by_region: BTreeMap<(Wait, RegionRef), Waited>,
    /// By reason and location, in nanoseconds.
    pub by_location: BTreeMap<(Wait, LocationRef), u128>,
}

impl Waits {
    fn add(&mut self, wait: Wait, region: RegionRef, location: LocationRef, time: u64) {
        if time == 0 {
            return;
        }
        let waited = self.by_region.entry((wait, region)).or_default();
        waited.count += 1;
        waited.time += u128::from(time);
        if time > waited.longest.0 {
            waited.longest = (time, location);
        }
        *self.by_location.entry((wait, location)).or_default() += u128::from(time);
    }

    /// Adds the waiting times of a message.
    pub fn message(&mut self, trace: &Trace, pair: &Pair<EnclosingCall>) {
        let (Some(send), Some(receive)) = (&pair.send, &pair.receive) else { return };
        let (late_sender, late_receiver) = message_waits(pair);
        let region = trace.same_region(receive.known.region);
        self.add(Wait::LateSender, region, receive.location, late_sender);
        self.add(Wait::LateReceiver, trace.same_region(send.known.region), send.location, late_receiver);
    }

    /// Adds the waiting times of a collective operation.
    pub fn collective(&mut self, trace: &Trace, collective: &Collective<EnclosingCall>) {
        let latest = collective.latest_start();
        let root = collective.root(trace);
        for member in &collective.members {
            let CollectivePart { operation, start, .. } = member.part;
            let (wait, until) = match CollectiveShape::of(operation) {
                CollectiveShape::AllToAll => (Wait::AllToAll, latest),
                CollectiveShape::OneToAll => match root {
                    Some(root) => (Wait::LateRoot, root.part.start),
                    None => continue,
                },
                CollectiveShape::AllToOne => match root {
                    Some(root) if root.location == member.location => (Wait::EarlyRoot, latest),
                    _ => continue,
                },
                CollectiveShape::Other => continue,
            };
            let time = until.min(member.time).saturating_sub(start);
            self.add(wait, trace.same_region(member.known.region), member.location, time);
        }
    }
}

/// Returns for how long the receiver of a message waited for the sender, and the sender for the
/// receiver, in nanoseconds.
pub fn message_waits(pair: &Pair<EnclosingCall>) -> (u64, u64) {
    let (Some(send), Some(receive)) = (&pair.send, &pair.receive) else { return (0, 0) };
    let late_sender = send.known.start.min(receive.time).saturating_sub(receive.known.start);
    (late_sender, late_receiver(send, receive))
}

fn late_receiver(
    send: &Member<MessageEnd, EnclosingCall>,
    receive: &Member<MessageEnd, EnclosingCall>,
) -> u64 {
    // A send that does not block returns at once.
    if send.part.request.is_some() {
        return 0;
    }
    let posted = receive.part.posted.unwrap_or(receive.known.start);
    let (start, end) = (send.known.start, send.known.end);
    // A send that ended before the receive began was buffered.
    if posted < end { posted.saturating_sub(start) } else { 0 }
}
