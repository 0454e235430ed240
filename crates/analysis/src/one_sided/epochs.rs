//! Joins the access epochs of origins with the exposure epochs of targets: the n-th epoch of an
//! origin with a target is the n-th one of the target with that origin.

use super::early_wait::ExposureEpoch;
use super::late_post::AccessEpoch;
use super::pairs::{PairCounts, PairEpoch, Partners, Side};
use crate::waits::{EnclosingCall, WaitState};
use foldhash::HashMap;
use kymo_otf2::references::{LocationRef, RmaWinRef};
use std::collections::VecDeque;
use std::mem;

/// The number of epochs of a location on each side that can wait for others.
const MOST_EPOCHS: usize = 64;

/// One side of an epoch, as far as it is known.
#[derive(Debug)]
struct Epoch<T> {
    of_side: T,
    /// Its epochs with partners that are read.
    pairs: Vec<PairEpoch>,
    /// The number of partners for which it waits.
    left: usize,
    /// Whether no partner is missing.
    is_whole: bool,
    has_ended: bool,
}

impl<T> Epoch<T> {
    fn new(of_side: T, Partners { epochs, is_whole }: Partners) -> Self {
        Self { of_side, left: epochs.len(), pairs: epochs, is_whole, has_ended: false }
    }

    fn is_known(&self) -> bool {
        self.has_ended && self.left == 0
    }
}

/// An access epoch and the facts that its targets need.
#[derive(Debug, Default)]
struct Accessing {
    epoch: AccessEpoch,
    /// When the last accesses ended, by target.
    ends: HashMap<LocationRef, u64>,
    /// The targets whose epochs have begun, with these.
    joined: Vec<(LocationRef, u64)>,
    /// Who has completed it, in a call that began at this time.
    completed: (LocationRef, u64),
}

/// A call that begins, ends or belongs to an epoch.
#[derive(Debug, Clone, Copy)]
pub(super) struct EpochCall {
    pub(super) window: RmaWinRef,
    /// The location that calls.
    pub(super) location: LocationRef,
    /// The location of its rank.
    pub(super) member: LocationRef,
    pub(super) call: EnclosingCall,
}

/// The epochs whose wait states are not known.
#[derive(Debug, Default)]
pub(super) struct Epochs {
    counts: PairCounts,
    /// The epochs with partners that have not begun theirs.
    unjoined: HashMap<(Side, PairEpoch), u64>,
    accesses: HashMap<u64, Epoch<Accessing>>,
    exposures: HashMap<u64, Epoch<ExposureEpoch>>,
    /// The epochs that have not ended.
    open: HashMap<(Side, RmaWinRef, LocationRef), u64>,
    /// The last epochs of locations.
    last: HashMap<(Side, LocationRef), VecDeque<u64>>,
    /// The number of epochs so far.
    count: u64,
    found: Vec<WaitState>,
    /// The number of epochs in which members are missing.
    pub(super) incomplete: u64,
}

impl Epochs {
    /// `MPI_Win_start`: an access epoch begins.
    pub(super) fn start(
        &mut self,
        it: &EpochCall,
        group: Option<impl Iterator<Item = LocationRef>>,
        is_read: impl Fn(LocationRef) -> bool,
    ) {
        let partners = self.counts.next(Side::Access, (it.window, it.member), group, is_read);
        let id = self.begin(Side::Access, it);
        let Some(partners) = partners else { return self.incomplete += 1 };
        let pairs = partners.epochs.clone();
        let mut accessing = Accessing::default();
        accessing.epoch.call(it.location, it.call, false);
        self.accesses.insert(id, Epoch::new(accessing, partners));
        self.join_all(Side::Access, id, pairs);
    }

    /// `MPI_Win_post`: an exposure epoch begins.
    pub(super) fn post(
        &mut self,
        it: &EpochCall,
        group: Option<impl Iterator<Item = LocationRef>>,
        is_read: impl Fn(LocationRef) -> bool,
    ) {
        let partners = self.counts.next(Side::Exposure, (it.window, it.member), group, is_read);
        let id = self.begin(Side::Exposure, it);
        let Some(partners) = partners else { return self.incomplete += 1 };
        let pairs = partners.epochs.clone();
        let epoch = ExposureEpoch::new(it.location, it.call.start);
        self.exposures.insert(id, Epoch::new(epoch, partners));
        self.join_all(Side::Exposure, id, pairs);
    }

    /// Returns the number of a new epoch. Gives up the one before if that has not ended, and one
    /// that waits for others while many have begun.
    fn begin(&mut self, side: Side, it: &EpochCall) -> u64 {
        let id = self.count;
        self.count += 1;
        if let Some(before) = self.open.insert((side, it.window, it.member), id) {
            self.give_up(side, before);
        }
        let last = self.last.entry((side, it.member)).or_default();
        last.push_back(id);
        if last.len() > MOST_EPOCHS
            && let Some(first) = last.pop_front()
        {
            self.give_up(side, first);
        }
        id
    }

    fn give_up(&mut self, side: Side, id: u64) {
        let pairs = match side {
            Side::Access => self.accesses.remove(&id).map(|it| it.pairs),
            Side::Exposure => self.exposures.remove(&id).map(|it| it.pairs),
        };
        self.incomplete += u64::from(pairs.is_some());
        for pair in pairs.into_iter().flatten() {
            self.unjoined.remove(&(side, pair));
        }
    }

    /// Joins an epoch with those of its partners that have begun.
    fn join_all(&mut self, side: Side, id: u64, pairs: Vec<PairEpoch>) {
        for pair in pairs {
            match (self.unjoined.remove(&(side.other(), pair)), side) {
                (None, _) => drop(self.unjoined.insert((side, pair), id)),
                (Some(other), Side::Access) => self.join(id, other, pair.target),
                (Some(other), Side::Exposure) => self.join(other, id, pair.target),
            }
        }
    }

    fn join(&mut self, access: u64, exposure: u64, target: LocationRef) {
        let (Some(accessing), Some(exposed)) =
            (self.accesses.get_mut(&access), self.exposures.get(&exposure))
        else {
            return;
        };
        let (location, start) = exposed.of_side.post;
        accessing.of_side.epoch.posted(location, start);
        accessing.left = accessing.left.saturating_sub(1);
        match accessing.has_ended {
            true => {
                let (origin, start) = accessing.of_side.completed;
                let end = accessing.of_side.ends.get(&target).copied().unwrap_or(0);
                self.complete_for(exposure, origin, start, end);
            }
            false => accessing.of_side.joined.push((target, exposure)),
        }
        self.resolve_access(access);
    }

    /// An origin has completed its accesses to a target.
    fn complete_for(&mut self, exposure: u64, origin: LocationRef, start: u64, last_access: u64) {
        let Some(exposed) = self.exposures.get_mut(&exposure) else { return };
        exposed.of_side.completed(origin, start, last_access);
        exposed.left = exposed.left.saturating_sub(1);
        self.resolve_exposure(exposure);
    }

    /// An origin accesses the memory of a target in a call.
    pub(super) fn access(&mut self, it: &EpochCall, target: LocationRef) {
        let id = self.open.get(&(Side::Access, it.window, it.member));
        if let Some(accessing) = id.and_then(|id| self.accesses.get_mut(id)) {
            accessing.of_side.epoch.call(it.location, it.call, accessing.left == 0);
            accessing.end_access(target, it.call.end);
        }
    }

    /// Accesses to a target are complete in a call that does not end the epoch.
    pub(super) fn completion(&mut self, it: &EpochCall, target: LocationRef) {
        let id = self.open.get(&(Side::Access, it.window, it.member));
        if let Some(accessing) = id.and_then(|id| self.accesses.get_mut(id)) {
            accessing.end_access(target, it.call.end);
        }
    }

    /// `MPI_Win_complete`: an access epoch ends.
    pub(super) fn complete(&mut self, it: &EpochCall) {
        let Some(id) = self.open.remove(&(Side::Access, it.window, it.member)) else { return };
        let Some(accessing) = self.accesses.get_mut(&id) else { return };
        accessing.has_ended = true;
        accessing.of_side.epoch.call(it.location, it.call, accessing.left == 0);
        accessing.of_side.completed = (it.location, it.call.start);
        let ends = &accessing.of_side.ends;
        let joined = mem::take(&mut accessing.of_side.joined).into_iter();
        let joined = joined.map(|(target, exposure)| (exposure, ends.get(&target).copied().unwrap_or(0)));
        for (exposure, end) in joined.collect::<Vec<_>>() {
            self.complete_for(exposure, it.location, it.call.start, end);
        }
        self.resolve_access(id);
    }

    /// `MPI_Win_wait`, or a test that does not wait: an exposure epoch ends.
    pub(super) fn end_exposure(&mut self, it: &EpochCall, waits: bool) {
        let Some(id) = self.open.remove(&(Side::Exposure, it.window, it.member)) else { return };
        let Some(exposed) = self.exposures.get_mut(&id) else { return };
        exposed.has_ended = true;
        if waits {
            exposed.of_side.waits(it.location, it.call);
        }
        self.resolve_exposure(id);
    }

    fn resolve_access(&mut self, id: u64) {
        if self.accesses.get(&id).is_some_and(Epoch::is_known)
            && let Some(known) = self.accesses.remove(&id)
        {
            self.incomplete += u64::from(!known.is_whole);
            self.found.extend(known.of_side.epoch.wait().filter(|_| known.is_whole));
        }
    }

    fn resolve_exposure(&mut self, id: u64) {
        if self.exposures.get(&id).is_some_and(Epoch::is_known)
            && let Some(known) = self.exposures.remove(&id)
        {
            self.incomplete += u64::from(!known.is_whole);
            self.found.extend(known.of_side.wait().filter(|_| known.is_whole));
        }
    }

    /// Returns the wait states that were found since the last call.
    pub(super) fn found(&mut self) -> impl Iterator<Item = WaitState> {
        self.found.drain(..)
    }

    /// Gives up the epochs that have no end or no partners.
    pub(super) fn finish(&mut self) {
        self.incomplete += (self.accesses.len() + self.exposures.len()) as u64;
        (self.accesses, self.exposures) = Default::default();
    }
}

impl Epoch<Accessing> {
    fn end_access(&mut self, target: LocationRef, end: u64) {
        let last = self.of_side.ends.entry(target).or_default();
        *last = end.max(*last);
    }
}
