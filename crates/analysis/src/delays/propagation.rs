//! Costs from the last wait state to the first: a wait state passes its costs on to the delays of
//! the location that it waited for, and to the wait states of that location.
//!
//! The points of each location are taken from its end. One that is the cause of a wait state comes
//! after that wait state, which then has all its costs. If no location can go on, as clocks
//! contradict each other, the latest point that is waited for is passed without them. Invariant:
//! costs and the unattributed rest are the time of all wait states.

use super::costs::{DelayTerm, Delays};
use super::encounters::KINDS;
use super::intervals::IntervalRow;
use crate::contexts::ContextId;
use crate::error::Error;
use crate::spill::{LastRowsFirst, Spill, SpilledRows};
use crate::waits::WaitKind;
use foldhash::HashMap;
use kymo_otf2::references::LocationRef;
use std::array;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// An amount by kind of wait state.
type AmountsByKind = [f64; KINDS];

/// The length of the row of a delay.
pub(super) const DELAY_ROW: usize = 4;

/// The delays of a location because of which another one waited, in nanoseconds.
type DelaysByContext = Vec<(ContextId, u64)>;

/// A location and its remaining points.
#[derive(Debug)]
struct PropagatingLocation {
    rows: LastRowsFirst<{ IntervalRow::NUMBERS }>,
    /// The next row.
    next: Option<IntervalRow>,
    delays: LastRowsFirst<DELAY_ROW>,
    next_delay: Option<[u64; DELAY_ROW]>,
    /// The costs of its wait states for each nanosecond, by the begins of the intervals to which
    /// they apply.
    rates: BTreeMap<u64, AmountsByKind>,
    total: AmountsByKind,
}

impl PropagatingLocation {
    fn new(rows: SpilledRows, delays: SpilledRows, spill: &Spill) -> Result<Self, Error> {
        let mut lane = Self {
            rows: LastRowsFirst::new(rows),
            next: None,
            delays: LastRowsFirst::new(delays),
            next_delay: None,
            rates: BTreeMap::new(),
            total: [0.0; KINDS],
        };
        lane.next_delay = lane.delays.next(spill)?;
        lane.advance(spill)?;
        Ok(lane)
    }

    fn advance(&mut self, spill: &Spill) -> Result<(), Error> {
        self.next = self.rows.next(spill)?.map(IntervalRow::from_numbers);
        Ok(())
    }

    /// Returns the delays of a wait state, which come in the order of the rows.
    fn delays(&mut self, wait: u64, spill: &Spill) -> Result<DelaysByContext, Error> {
        let mut delays = Vec::new();
        while let Some([_, of, context, time]) = self.next_delay.filter(|it| it[1] >= wait) {
            if of == wait {
                delays.push((ContextId(context as u32), time));
            }
            self.next_delay = self.delays.next(spill)?;
        }
        Ok(delays)
    }

    /// Returns the costs of a wait state at a position, which is before all those so far.
    fn cost(&mut self, position: u64, waited: u64) -> AmountsByKind {
        let has_ended = self.rates.last_key_value().is_some_and(|(begin, _)| *begin >= position);
        if has_ended {
            drop(self.rates.split_off(&position));
            self.total = [0.0; KINDS];
            self.rates.values().for_each(|rates| add(&mut self.total, rates));
        }
        self.total.map(|rate| rate * waited as f64)
    }

    /// Adds the costs for each nanosecond of wait states before a point.
    fn pass_on(&mut self, begin: u64, rates: &AmountsByKind) {
        add(self.rates.entry(begin).or_insert([0.0; KINDS]), rates);
        add(&mut self.total, rates);
    }
}

fn add(sums: &mut AmountsByKind, amounts: &AmountsByKind) {
    sums.iter_mut().zip(amounts).for_each(|(sum, amount)| *sum += amount);
}

/// A wait state whose cause was passed before it.
#[derive(Debug)]
struct PassedCause {
    row: IntervalRow,
    delays: DelaysByContext,
}

/// The locations on the way to their begins.
#[derive(Debug)]
struct Propagation<'s> {
    spill: &'s Spill,
    lanes: Vec<PropagatingLocation>,
    /// The locations that can go on: the times of their next points, and their numbers.
    ready: BinaryHeap<(u64, Reverse<usize>)>,
    /// The locations whose next points are the causes of wait states that are not complete.
    blocked: HashMap<u64, usize>,
    /// The costs of complete wait states for others.
    costs: HashMap<u64, AmountsByKind>,
    passed: HashMap<u64, PassedCause>,
    found: HashMap<(usize, DelayTerm, LocationRef, ContextId), f64>,
    unattributed: AmountsByKind,
}

/// Returns the costs of delays. Rows are by location, in the order of events.
pub(super) fn costs(
    rows: Vec<(u64, SpilledRows)>,
    mut delays: HashMap<u64, SpilledRows>,
    spill: &Spill,
) -> Result<Delays, Error> {
    let lane = |(location, rows)| {
        let delays = delays.remove(&location).unwrap_or_default();
        PropagatingLocation::new(rows, delays, spill)
    };
    let mut it = Propagation {
        spill,
        lanes: rows.into_iter().map(lane).collect::<Result<_, _>>()?,
        ready: BinaryHeap::new(),
        blocked: HashMap::default(),
        costs: HashMap::default(),
        passed: HashMap::default(),
        found: HashMap::default(),
        unattributed: [0.0; KINDS],
    };
    (0..it.lanes.len()).for_each(|lane| it.resume(lane));
    while it.step()? {}
    Ok(it.result())
}

impl Propagation<'_> {
    /// Lets a location go on, if it has points left.
    fn resume(&mut self, lane: usize) {
        if let Some(next) = self.lanes.get(lane).and_then(|it| it.next) {
            self.ready.push((next.time, Reverse(lane)));
        }
    }

    /// Takes the next point of a location. Returns whether there was one.
    fn step(&mut self) -> Result<bool, Error> {
        let Some((_, Reverse(lane))) = self.ready.pop() else { return self.pass_blocked() };
        let Some(row) = self.lanes[lane].next else { return Ok(true) };
        match (row.is_cause, self.costs.remove(&row.wait)) {
            (false, _) => self.wait(lane, &row),
            (true, Some(costs)) => {
                self.lanes[lane].advance(self.spill)?;
                let delays = self.lanes[lane].delays(row.wait, self.spill)?;
                let rates = self.attribute(&row, &delays, &costs);
                self.lanes[lane].pass_on(row.begin.position, &rates);
                self.resume(lane);
                Ok(true)
            }
            (true, None) => {
                self.blocked.insert(row.wait, lane);
                Ok(true)
            }
        }
    }

    /// Takes a wait state, whose costs are complete.
    fn wait(&mut self, lane: usize, row: &IntervalRow) -> Result<bool, Error> {
        let costs = self.lanes[lane].cost(row.position, row.waited);
        self.lanes[lane].advance(self.spill)?;
        self.resume(lane);
        match self.passed.remove(&row.wait) {
            // The wait states of the cause that come before are complete already.
            Some(PassedCause { row, delays }) => {
                let rates = self.attribute(&row, &delays, &costs);
                add(&mut self.unattributed, &rates.map(|rate| rate * row.inside as f64));
            }
            None => drop(self.costs.insert(row.wait, costs)),
        }
        if let Some(blocked) = self.blocked.remove(&row.wait) {
            self.resume(blocked);
        }
        Ok(true)
    }

    /// Passes the latest point that waits for another one. Returns whether there was one.
    fn pass_blocked(&mut self) -> Result<bool, Error> {
        let next = |lane: usize| self.lanes[lane].next.map_or(0, |row| row.time);
        let latest = self.blocked.iter().max_by_key(|(_, lane)| (next(**lane), Reverse(**lane)));
        let Some((wait, lane)) = latest.map(|(wait, lane)| (*wait, *lane)) else { return Ok(false) };
        self.blocked.remove(&wait);
        if let Some(row) = self.lanes[lane].next {
            let delays = self.lanes[lane].delays(wait, self.spill)?;
            self.passed.insert(wait, PassedCause { row, delays });
        }
        self.lanes[lane].advance(self.spill)?;
        self.resume(lane);
        Ok(true)
    }

    /// Adds the costs of a wait state because of the delays of its cause. Returns the costs of each
    /// nanosecond of the cause's own waiting.
    fn attribute(
        &mut self,
        row: &IntervalRow,
        delays: &DelaysByContext,
        costs: &AmountsByKind,
    ) -> AmountsByKind {
        let (kind, waited) = ((row.kind as usize).min(KINDS - 1), row.waited as f64);
        let delay: u64 = delays.iter().map(|it| it.1).fold(0, u64::saturating_add);
        let all = delay.saturating_add(row.inside);
        if all == 0 {
            add(&mut self.unattributed, costs);
            self.unattributed[kind] += waited;
            return [0.0; KINDS];
        }
        let all = all as f64;
        let is_message = [WaitKind::LateSender, WaitKind::LateReceiver].contains(&WaitKind::ALL[kind]);
        let factor = if is_message { (waited / all).min(1.0) } else { waited / all };
        self.unattributed[kind] += if is_message { (waited - all).max(0.0) } else { 0.0 };
        let mut add_cost = |kind, term, context, cost: f64| {
            if cost > 0.0 {
                *self.found.entry((kind, term, row.location, context)).or_default() += cost;
            }
        };
        for &(context, delay) in delays {
            add_cost(kind, DelayTerm::Short, context, factor * delay as f64);
            for (kind, cost) in costs.iter().enumerate() {
                add_cost(kind, DelayTerm::Long, context, cost * (delay as f64 / all));
            }
        }
        array::from_fn(|other| costs[other] / all + if other == kind { factor } else { 0.0 })
    }

    fn result(self) -> Delays {
        let kind = |number: usize| WaitKind::ALL[number];
        let costs = self.found.into_iter();
        let costs =
            costs.map(|((number, term, id, context), cost)| ((kind(number), term, id, context), cost));
        let unattributed = self.unattributed.into_iter().enumerate().filter(|(_, time)| *time > 0.0);
        Delays {
            costs: costs.collect(),
            unattributed: unattributed.map(|(number, time)| (kind(number), time)).collect(),
        }
    }
}
