//! Collective operations: begin and end alternate on a location, and the n-th operation on a
//! communicator is the same for all of its members.
//!
//! Non-blocking operations may complete in any order, so they are only counted, per kind. Those
//! that create communicators are not counted, because some involve only a part of the members. If
//! not all communication was recorded, nothing is compared.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;

use kymo_analysis::communication::{Communicator, Rank};
use kymo_otf2::enums::{CollectiveOp, CollectiveRoot};
use kymo_otf2::events::Event;
use kymo_otf2::references::{CommRef, LocationRef};

use super::{CheckedEvent, Claims, EventRule, EventSpot};
use crate::check::definitions::DefinitionIndex;
use crate::check::findings::Findings;
use crate::check::kinds::FindingKind;
use crate::check::tables::HashMap;

/// The scope in which operations are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Context {
    Comm(u32),
    Window(u32),
}

impl fmt::Display for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Comm(comm) => write!(f, "communicator {comm}"),
            Self::Window(window) => write!(f, "window {window}"),
        }
    }
}

/// The part of one location in an operation, known at its end.
#[derive(Debug, Clone, Copy)]
struct LocationPart {
    op: CollectiveOp,
    root: u32,
    sent: u64,
    received: u64,
    begin: u64,
    spot: EventSpot,
}

impl LocationPart {
    /// Whether the location must wait for members that send.
    fn waits(&self) -> bool {
        self.op == CollectiveOp::BARRIER || self.received > 0
    }

    /// Whether members that wait must wait for this location.
    fn is_waited_for(&self) -> bool {
        self.op == CollectiveOp::BARRIER || self.sent > 0
    }
}

/// An operation, as far as members have taken part.
#[derive(Debug)]
struct Operation {
    first: LocationPart,
    parts: u64,
    /// Of the members that are waited for, and of those that wait, by side: in an
    /// inter-communicator, members wait for those of the other side.
    latest_begin: [Option<LocationPart>; 2],
    earliest_end: [Option<LocationPart>; 2],
}

impl Operation {
    fn new(part: LocationPart) -> Self {
        Operation { first: part, parts: 0, latest_begin: [None; 2], earliest_end: [None; 2] }
    }

    fn add(&mut self, part: LocationPart, side: usize) {
        self.parts += 1;
        if let Some(latest) = self.latest_begin.get_mut(side).filter(|_| part.is_waited_for()) {
            *latest = Some(latest.filter(|latest| latest.begin >= part.begin).unwrap_or(part));
        }
        if let Some(earliest) = self.earliest_end.get_mut(side).filter(|_| part.waits()) {
            *earliest =
                Some(earliest.filter(|earliest| earliest.spot.time <= part.spot.time).unwrap_or(part));
        }
    }
}

/// The operations of one communicator or window.
#[derive(Debug, Default)]
struct Sequence {
    /// The number of operations that all members have completed.
    done: u64,
    open: VecDeque<Operation>,
    /// The number of operations per member.
    counts: HashMap<Rank, u64>,
    /// The non-blocking operations: the number per member, and the last one.
    unordered: BTreeMap<CollectiveOp, HashMap<Rank, (u64, EventSpot)>>,
}

pub(super) struct Collectives<'a> {
    definitions: &'a DefinitionIndex<'a>,
    claims: Claims,
    sequences: BTreeMap<Context, Sequence>,
    /// The operations that have begun and not ended, by location and by whether they are one-sided.
    begun: HashMap<(u64, bool), EventSpot>,
}

impl<'a> Collectives<'a> {
    pub(super) fn new(definitions: &'a DefinitionIndex<'a>, claims: Claims) -> Self {
        Collectives { definitions, claims, sequences: BTreeMap::new(), begun: HashMap::default() }
    }

    fn begin(&mut self, rma: bool, here: &CheckedEvent<'_>, findings: &mut Findings<'_>) {
        if let Some(spot) = self.begun.insert((here.spot.location, rma), here.spot) {
            findings.find(
                FindingKind::CollectiveNotEnded,
                spot,
                format_args!("no end before event {}", here.spot.number),
            );
        }
    }

    /// Returns the time at which the operation that ends here began.
    fn began(&mut self, rma: bool, here: &CheckedEvent<'_>, findings: &mut Findings<'_>) -> u64 {
        let begun = self.begun.remove(&(here.spot.location, rma));
        if begun.is_none() {
            findings.find(FindingKind::CollectiveNotBegun, here.spot, format_args!("ends without a begin"));
        }
        begun.map_or(here.spot.time, |spot| spot.time)
    }

    fn communicator(&self, context: Context) -> Option<&'a Communicator> {
        let comm = match context {
            Context::Comm(comm) => comm,
            Context::Window(window) => self.definitions.windows.get(&window)?.comm.0,
        };
        self.definitions.communicators.get(CommRef(comm))
    }

    fn member(
        &self,
        context: Context,
        here: &CheckedEvent<'_>,
        findings: &mut Findings<'_>,
    ) -> Option<(&'a Communicator, Rank)> {
        let communicator = self.communicator(context)?;
        let rank = communicator.rank(LocationRef(here.spot.location), here.process);
        if rank.is_none() {
            findings.find(
                FindingKind::NotAMember,
                here.spot,
                format_args!("location {} is not a member of {context}", here.spot.location),
            );
        }
        Some((communicator, rank?))
    }

    fn root(&self, context: Context, root: u32, here: &CheckedEvent<'_>, findings: &mut Findings<'_>) {
        let Some(communicator) = self.communicator(context) else { return };
        let special = [CollectiveRoot::NONE, CollectiveRoot::SELF, CollectiveRoot::THIS_GROUP];
        let size = communicator.size(0).max(communicator.size(1));
        if root >= size && !special.contains(&CollectiveRoot(root)) {
            findings.find(
                FindingKind::RankOutOfRange,
                here.spot,
                format_args!("root {root} in {context}, which has {size} ranks"),
            );
        }
    }

    fn end_of(
        &mut self,
        context: Context,
        part: LocationPart,
        here: &CheckedEvent<'_>,
        findings: &mut Findings<'_>,
    ) {
        self.root(context, part.root, here, findings);
        let Some((communicator, rank)) = self.member(context, here, findings) else { return };
        let makes = [CollectiveOp::CREATE_HANDLE, CollectiveOp::CREATE_HANDLE_AND_ALLOCATE];
        if communicator.is_self() || makes.contains(&part.op) || !self.claims.mpi {
            return;
        }
        let sequence = self.sequences.entry(context).or_default();
        let count = sequence.counts.entry(rank).or_default();
        let index = usize::try_from(count.saturating_sub(sequence.done)).unwrap_or(usize::MAX);
        *count += 1;
        if index == sequence.open.len() {
            sequence.open.push_back(Operation::new(part));
        }
        let Some(operation) = sequence.open.get_mut(index) else { return };
        operation.add(part, rank.side.into());
        differs(operation, part, communicator, context, findings);
        if operation.parts == communicator.members() {
            for side in 0..2 {
                let others = if communicator.is_inter() { 1 - side } else { side };
                crosses(operation, [side, others], context, findings);
            }
        }
        // Only the oldest operation can be complete: a member takes part in it before the next.
        if sequence.open.front().is_some_and(|operation| operation.parts == communicator.members()) {
            sequence.open.pop_front();
            sequence.done += 1;
        }
    }

    fn completed(
        &mut self,
        context: Context,
        op: CollectiveOp,
        here: &CheckedEvent<'_>,
        findings: &mut Findings<'_>,
    ) {
        let Some((communicator, rank)) = self.member(context, here, findings) else { return };
        if communicator.is_self() || op == CollectiveOp::CREATE_HANDLE {
            return;
        }
        let counts = self.sequences.entry(context).or_default().unordered.entry(op).or_default();
        let count = counts.entry(rank).or_insert((0, here.spot));
        *count = (count.0 + 1, here.spot);
    }
}

/// Reports a part that does not match that of the first member.
fn differs(
    operation: &Operation,
    part: LocationPart,
    communicator: &Communicator,
    context: Context,
    findings: &mut Findings<'_>,
) {
    let first = operation.first;
    let EventSpot { number, location, .. } = first.spot;
    if part.op != first.op {
        findings.find(
            FindingKind::CollectiveDiffers,
            part.spot,
            format_args!(
                "{} on {context} where event {number} of location {location} has {}",
                part.op, first.op,
            ),
        );
    } else if part.root != first.root && !communicator.is_inter() {
        findings.find(
            FindingKind::CollectiveDiffers,
            part.spot,
            format_args!(
                "root {} on {context} where event {number} of location {location} has {}",
                part.root, first.root,
            ),
        );
    }
}

/// Reports a member of a side that left a synchronising operation before another of the other side,
/// or of the same in an intra-communicator, entered it.
fn crosses(operation: &Operation, sides: [usize; 2], context: Context, findings: &mut Findings<'_>) {
    let synchronises =
        [CollectiveOp::BARRIER, CollectiveOp::ALLGATHER, CollectiveOp::ALLTOALL, CollectiveOp::ALLREDUCE];
    let (left, entered) = (operation.earliest_end[sides[0]], operation.latest_begin[sides[1]]);
    let Some((left, entered)) = left.zip(entered) else { return };
    let left = left.spot;
    if synchronises.contains(&operation.first.op) && left.time < entered.begin {
        findings.find(
            FindingKind::CollectiveCrossesTime,
            left,
            format_args!(
                "leaves {} on {context} at {}, before location {} enters at {}",
                operation.first.op, left.time, entered.spot.location, entered.begin,
            ),
        );
    }
}

impl EventRule for Collectives<'_> {
    fn event(&mut self, here: &CheckedEvent<'_>, findings: &mut Findings<'_>) {
        match here.event {
            Event::MpiCollectiveBegin(_) => self.begin(false, here, findings),
            Event::RmaCollectiveBegin(_) => self.begin(true, here, findings),
            Event::MpiCollectiveEnd(it) => {
                let begin = self.began(false, here, findings);
                let (sent, received) = (it.size_sent, it.size_received);
                let part = LocationPart {
                    op: it.collective_op,
                    root: it.root,
                    sent,
                    received,
                    begin,
                    spot: here.spot,
                };
                self.end_of(Context::Comm(it.communicator.0), part, here, findings);
            }
            Event::RmaCollectiveEnd(it) => {
                let begin = self.began(true, here, findings);
                let (sent, received) = (it.bytes_sent, it.bytes_received);
                let part = LocationPart {
                    op: it.collective_op,
                    root: it.root,
                    sent,
                    received,
                    begin,
                    spot: here.spot,
                };
                self.end_of(Context::Window(it.win.0), part, here, findings);
            }
            Event::NonBlockingCollectiveComplete(it) => {
                let context = Context::Comm(it.communicator.0);
                self.root(context, it.root, here, findings);
                self.completed(context, it.collective_op, here, findings);
            }
            _ => {}
        }
    }

    fn end(&mut self, complete: bool, findings: &mut Findings<'_>) {
        let mut begun: Vec<EventSpot> =
            self.begun.drain().map(|(_, spot)| spot).filter(|_| complete).collect();
        begun.sort_unstable();
        for spot in begun {
            findings.find(
                FindingKind::CollectiveNotEnded,
                spot,
                format_args!("no end before the last event"),
            );
        }
        if !complete || !self.claims.mpi {
            return;
        }
        for (&context, sequence) in &self.sequences {
            let members = self.communicator(context).map_or(0, Communicator::members);
            missing(context, sequence, members, findings);
        }
    }
}

/// Reports operations in which not all members took part.
fn missing(context: Context, sequence: &Sequence, members: u64, findings: &mut Findings<'_>) {
    for operation in &sequence.open {
        let (op, parts) = (operation.first.op, operation.parts);
        findings.find(
            FindingKind::CollectiveMissing,
            operation.first.spot,
            format_args!("{parts} of {members} members of {context} took part in this {op}"),
        );
    }
    for (op, counts) in &sequence.unordered {
        let Some(&(most, spot)) = counts.values().max() else { continue };
        let with_all = counts.values().filter(|count| count.0 == most).count() as u64;
        if with_all < members {
            findings.find(
                FindingKind::CollectiveMissing,
                spot,
                format_args!(
                    "{with_all} of {members} members of {context} completed {most} non-blocking {op}, the \
                     others fewer"
                ),
            );
        }
    }
}
