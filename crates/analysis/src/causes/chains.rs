//! Follows wait states from the last one to the first: to those whom they waited for in the end.
//!
//! Of wait states that end at the same time, that of a location comes before that of its cause, so
//! that a chain of them is followed whole. Invariant: each nanosecond of a wait state is in the
//! weight of exactly one location at that time, or in `of_nobody`.

use super::critical_path::{CriticalPath, Hop};
use super::weights::{WeightedInterval, Weights};
use crate::error::Error;
use crate::sorted_rows::{Either, SortedRows};
use crate::spill::Spill;
use crate::threads::Creation;
use crate::waits::WaitState;
use foldhash::{HashMap, HashMapExt};
use kymo_otf2::references::LocationRef;
use std::mem;

/// The length of the row of a wait state with a number to sort it by.
pub(super) const WAIT_ROW: usize = 1 + WaitState::NUMBERS;

/// Returns a wait state as a row that is sorted by `key`.
pub(super) fn wait_row(key: u64, wait: &WaitState) -> [u64; WAIT_ROW] {
    let mut row = [key; WAIT_ROW];
    row[1..].copy_from_slice(&wait.to_row());
    row
}

/// Wait states and creations of threads in the order in which they are followed.
#[derive(Debug)]
pub(super) struct LastWaitsFirst<'s> {
    waits: SortedRows<'s, WAIT_ROW>,
    /// Key, location, time, creator.
    creations: SortedRows<'s, 4>,
}

impl<'s> LastWaitsFirst<'s> {
    pub(super) fn new(spill: &'s Spill) -> Self {
        Self { waits: SortedRows::new(spill), creations: SortedRows::new(spill) }
    }

    /// Adds a wait state, in any order.
    pub(super) fn push(&mut self, wait: &WaitState) -> Result<(), Error> {
        self.waits.push(wait_row(u64::MAX - wait.end, wait))
    }

    /// Adds a creation, in any order.
    pub(super) fn push_creation(&mut self, creation: &Creation) -> Result<(), Error> {
        let Creation { location, time, creator } = creation;
        self.creations.push([u64::MAX - time, location.0, *time, creator.0])
    }

    /// Passes the wait states and the creations of the same time, the latest first.
    fn each(self, mut each: impl FnMut(Vec<WaitState>, Vec<Hop>) -> Result<(), Error>) -> Result<(), Error> {
        let (mut waits, mut creations) = (Vec::new(), Vec::new());
        let mut last = None;
        self.waits.each_with(self.creations, |row| {
            let key = match &row {
                Either::First([key, ..]) => *key,
                Either::Second([key, ..]) => *key,
            };
            if last.replace(key).is_some_and(|last| last != key) {
                each(mem::take(&mut waits), mem::take(&mut creations))?;
            }
            match row {
                Either::First([_, numbers @ ..]) => waits.push(WaitState::from_numbers(numbers)),
                Either::Second([_, location, time, creator]) => creations.push(Hop {
                    location: LocationRef(location),
                    time,
                    to: LocationRef(creator),
                    is_clipped: false,
                }),
            }
            Ok(())
        })?;
        each(waits, creations)
    }
}

/// Wait states that were followed. Rows begin with the id of a location; those of a location are
/// in the order of time, the last one first.
#[derive(Debug)]
pub(super) struct Chains<'s> {
    pub(super) waits: SortedRows<'s, WAIT_ROW>,
    /// The parts of time in which others wait because of a location that does not wait itself:
    /// begin, length, weight.
    pub(super) weights: SortedRows<'s, 4>,
    /// The waiting for locations that wait for the one that waits, in nanoseconds.
    pub(super) of_nobody: u128,
    pub(super) path: CriticalPath<'s>,
    states: HashMap<LocationRef, LocationState>,
}

#[derive(Debug, Default)]
struct LocationState {
    weights: Weights,
    /// The begin of the earliest wait state that was followed.
    followed: Option<u64>,
}

impl<'s> Chains<'s> {
    /// Follows all wait states, and the critical path from its end on.
    pub(super) fn of(
        waits: LastWaitsFirst<'s>,
        path: CriticalPath<'s>,
        spill: &'s Spill,
    ) -> Result<Self, Error> {
        let mut chains = Self {
            waits: SortedRows::new(spill),
            weights: SortedRows::new(spill),
            of_nobody: 0,
            path,
            states: HashMap::new(),
        };
        waits.each(|waits, creations| chains.follow_all(waits, creations))?;
        for (location, mut state) in mem::take(&mut chains.states) {
            chains.take(location, &mut state.weights, 0)?;
        }
        Ok(chains)
    }

    /// Follows wait states that end at the same time, and the path over creations at that time.
    fn follow_all(&mut self, mut waits: Vec<WaitState>, creations: Vec<Hop>) -> Result<(), Error> {
        // The result does not depend on the order in which wait states were found.
        waits.sort_unstable_by_key(|it| (it.location, it.start));
        let states = &self.states;
        let followed = |location: LocationRef| states.get(&location).and_then(|it| it.followed);
        let hops = waits.iter().filter(|wait| wait.cause.is_defined()).map(Hop::over);
        self.path.follow(hops.chain(creations).collect(), followed)?;
        for wait in &waits {
            self.waits.push(wait_row(wait.location.0, wait))?;
        }
        in_order_of_chains(waits).iter().try_for_each(|wait| self.follow(wait))
    }

    fn follow(&mut self, wait: &WaitState) -> Result<(), Error> {
        let state = self.states.entry(wait.location).or_default();
        let mut weights = mem::take(&mut state.weights);
        state.followed = Some(state.followed.map_or(wait.start, |it| it.min(wait.start)));
        self.take(wait.location, &mut weights, wait.end)?;
        self.pass_on(wait.cause, WeightedInterval { from: wait.start, to: wait.end, weight: 1 });
        weights.take(wait.start, |others| self.pass_on(wait.cause, others));
        self.states.entry(wait.location).or_default().weights = weights;
        Ok(())
    }

    /// Keeps the weights of a location from a time on.
    fn take(&mut self, location: LocationRef, weights: &mut Weights, from: u64) -> Result<(), Error> {
        let mut result = Ok(());
        weights.take(from, |it| {
            if result.is_ok() {
                result = self.weights.push([location.0, it.from, it.to - it.from, it.weight]);
            }
        });
        result
    }

    /// Adds waiting to that for a location.
    fn pass_on(&mut self, cause: LocationRef, interval: WeightedInterval) {
        let WeightedInterval { from, to, weight } = interval;
        if !cause.is_defined() {
            self.of_nobody += u128::from(to - from) * u128::from(weight);
            return;
        }
        let state = self.states.entry(cause).or_default();
        // The cause waited itself until later: it cannot have ended the wait.
        let known = state.followed.map_or(to, |followed| followed.clamp(from, to));
        self.of_nobody += u128::from(to - known) * u128::from(weight);
        if from < known {
            state.weights.add(WeightedInterval { from, to: known, weight });
        }
    }
}

/// Returns wait states that end together in the order of their chains: that of a location after
/// those for which the location is the cause, unless they wait for each other.
fn in_order_of_chains(waits: Vec<WaitState>) -> Vec<WaitState> {
    let mut waiting_for: HashMap<LocationRef, usize> = HashMap::new();
    for wait in &waits {
        *waiting_for.entry(wait.cause).or_default() += 1;
    }
    if waits.iter().all(|wait| !waiting_for.contains_key(&wait.location)) {
        return waits;
    }
    let mut of_location: HashMap<LocationRef, Vec<WaitState>> = HashMap::new();
    let (mut ordered, mut next) = (Vec::new(), Vec::new());
    for wait in waits.iter().rev() {
        match waiting_for.contains_key(&wait.location) {
            true => of_location.entry(wait.location).or_default().push(*wait),
            false => next.push(*wait),
        }
    }
    while let Some(wait) = next.pop() {
        ordered.push(wait);
        if let Some(count) = waiting_for.get_mut(&wait.cause) {
            *count -= 1;
            if *count == 0 {
                next.extend(of_location.remove(&wait.cause).unwrap_or_default());
            }
        }
    }
    let in_circles = waits.iter().filter(|wait| of_location.contains_key(&wait.location));
    ordered.extend(in_circles.copied());
    ordered
}
