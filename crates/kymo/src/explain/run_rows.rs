//! The tables of an answer about the whole run: iterations, groups of locations, idle threads,
//! overlap, messages, lateness.

use std::cmp::Reverse;

use kymo_analysis::causes::{Causes, Overlap};
use kymo_analysis::iterations::{Iteration, Iterations};
use kymo_analysis::lateness::Lateness;
use kymo_analysis::message_times::{ClassTimes, LengthClass};
use kymo_analysis::threads::IdleTime;
use kymo_otf2::references::LocationRef;
use serde::Serialize;

use super::answer::Names;
use super::rows::{LeftOut, note};

/// The iterations of the run.
#[derive(Debug, Serialize)]
pub(super) struct IterationTables {
    /// The region with which each iteration begins.
    anchor: String,
    /// Its path.
    pub(super) path: Vec<String>,
    pub(super) count: u64,
    /// The locations that have them, and the other first threads of processes.
    pub(super) on_locations: u64,
    pub(super) on_no_locations: u64,
    /// The part of the time that is in iterations.
    pub(super) share_ratio: f64,
    pub(super) median_ns: u64,
    /// By how much an iteration is longer than the one before; null if that is not certain.
    trend_ns: Option<f64>,
    /// The numbers of the iterations, from 0 on, whose lengths are far from the others.
    pub(super) outliers: Vec<u64>,
    /// The longest iterations, in their order.
    pub(super) rows: Vec<IterationRow>,
    /// Those of each location, if all rows are wanted.
    locations: Vec<LocationIterationRow>,
}

/// An iteration. Times but the first two are means of locations.
#[derive(Debug, Serialize)]
pub(super) struct IterationRow {
    pub(super) number: u64,
    pub(super) start_ns: u64,
    end_ns: u64,
    pub(super) length_ns: u64,
    useful_ns: u64,
    waiting_ns: u64,
    load_balance_ratio: Option<f64>,
    /// The location that computes longest.
    pub(super) most_useful: Option<u64>,
    /// The location that spends most time without waiting.
    pub(super) busiest: Option<u64>,
    /// Whether the length is far from the others.
    pub(super) is_outlier: bool,
}

#[derive(Debug, Serialize)]
struct LocationIterationRow {
    location: u64,
    anchor: String,
    starts_ns: Vec<u64>,
    end_ns: u64,
}

/// Locations that spend their time in the same way.
#[derive(Debug, Serialize)]
pub(super) struct GroupRow {
    pub(super) count: u64,
    /// The first ones.
    pub(super) locations: Vec<u64>,
}

/// The time of a thread between its teams.
#[derive(Debug, Serialize)]
pub(super) struct IdleRow {
    pub(super) location: u64,
    pub(super) idle_ns: u64,
    /// The part in which the first thread of the process was in a team.
    limited_ns: u64,
}

/// The time of a location with open non-blocking operations.
#[derive(Debug, Serialize)]
pub(super) struct OverlapRow {
    pub(super) location: u64,
    pub(super) open_ns: u128,
    /// The part in computation.
    pub(super) hidden_ns: u128,
    /// The part in communication.
    exposed_ns: u128,
    /// The part of `hidden_ns` with operations that did not wait later.
    surely_hidden_ns: u128,
    /// The time that operations waited for their completion, without wait states.
    waited_ns: u128,
}

/// The sums of the times of all locations.
#[derive(Debug, Serialize)]
pub(super) struct OverlapTotal {
    pub(super) open_ns: u128,
    pub(super) hidden_ns: u128,
    exposed_ns: u128,
    pub(super) surely_hidden_ns: u128,
    pub(super) waited_ns: u128,
}

/// The messages of similar lengths, of those inside nodes or between them.
#[derive(Debug, Serialize)]
pub(super) struct MessageRow {
    pub(super) between_nodes: bool,
    /// The lengths begin here, and end before twice that.
    pub(super) shortest_bytes: u64,
    pub(super) count: u64,
    bytes: u64,
    /// The number of those whose transfer can be seen.
    transfers: u64,
    /// The time that a twentieth of those do not exceed, and half of them; null for few.
    pub(super) best_ns: Option<u64>,
    pub(super) median_ns: Option<u64>,
    /// Their bytes by their times.
    pub(super) bytes_per_second: Option<f64>,
}

/// How late locations end operations, step by step.
#[derive(Debug, Serialize)]
pub(super) struct LatenessTable {
    pub(super) steps: u64,
    /// The steps in which few locations have operations; they do not count.
    pub(super) steps_left_out: u64,
    /// Operations whose steps are too low.
    pub(super) not_awaited: u64,
    /// Of all locations together.
    pub(super) time_ns: u128,
    pub(super) new_ns: u128,
    pub(super) rows: Vec<LatenessRow>,
}

#[derive(Debug, Serialize)]
pub(super) struct LatenessRow {
    pub(super) location: u64,
    pub(super) operations: u64,
    /// How many of them were the last ones of their steps.
    pub(super) last: u64,
    /// How much later than the first ones of their steps they ended.
    pub(super) time_ns: u128,
    /// The part that was not there before them.
    pub(super) new_ns: u128,
    /// The largest such part of an operation, and its end.
    pub(super) most_new_ns: u64,
    pub(super) most_new_end_ns: u64,
}

impl IterationTables {
    pub(super) fn used_locations(&self) -> impl Iterator<Item = u64> {
        let rows = self.rows.iter().flat_map(|row| row.most_useful.into_iter().chain(row.busiest));
        rows.chain(self.locations.iter().map(|row| row.location))
    }
}

pub(super) fn iterations(names: &Names<'_>, top: usize, left_out: &mut LeftOut) -> Option<IterationTables> {
    let it = names.causes.iterations.as_ref()?;
    let mut outliers: Vec<u64> = it.outliers().into_iter().map(|number| number as u64).collect();
    note("iterations.outliers", outliers.len() as u64, top, left_out);
    outliers.truncate(top);
    let locations = it.of_locations.iter().map(|of| LocationIterationRow {
        location: of.location.0,
        anchor: names.trace.region_name(of.anchor).into_owned(),
        starts_ns: of.starts.clone(),
        end_ns: of.end,
    });
    Some(IterationTables {
        anchor: names.trace.region_name(it.anchor).into_owned(),
        path: names.path(it.context),
        count: it.all.len() as u64,
        on_locations: it.locations,
        on_no_locations: it.others,
        share_ratio: it.share,
        median_ns: it.median() as u64,
        trend_ns: it.trend,
        outliers,
        rows: iteration_rows(it, top, left_out),
        locations: locations.collect(),
    })
}

fn iteration_rows(it: &Iterations, top: usize, left_out: &mut LeftOut) -> Vec<IterationRow> {
    let mut longest: Vec<(usize, &Iteration)> = it.all.iter().enumerate().collect();
    note("iterations.rows", longest.len() as u64, top, left_out);
    longest.sort_by_key(|(number, iteration)| (Reverse(iteration.length), *number));
    longest.truncate(top);
    longest.sort_by_key(|(number, _)| *number);
    let count = u128::from(it.locations.max(1));
    let mean = |sum: u128| u64::try_from(sum / count).unwrap_or(u64::MAX);
    let outliers = it.outliers();
    let row = |(number, iteration): (usize, &Iteration)| {
        let (most, location) = iteration.most_useful;
        IterationRow {
            number: number as u64,
            start_ns: iteration.span.0,
            end_ns: iteration.span.1,
            length_ns: mean(iteration.length),
            useful_ns: mean(iteration.useful),
            waiting_ns: mean(iteration.waiting),
            load_balance_ratio: (most > 0).then(|| iteration.useful as f64 / count as f64 / most as f64),
            most_useful: Some(location).filter(|_| most > 0).map(|it| it.0),
            busiest: Some(iteration.busiest).filter(|it| it.0 > 0).map(|it| it.1.0),
            is_outlier: outliers.binary_search(&number).is_ok(),
        }
    };
    longest.into_iter().map(row).collect()
}

/// Returns the groups of locations, the largest first.
pub(super) fn groups(names: &Names<'_>, top: usize, left_out: &mut LeftOut) -> Vec<GroupRow> {
    let (alike, others) = &names.causes.alike;
    let first = |locations: &[LocationRef]| locations.iter().take(top).map(|it| it.0).collect();
    let row = |locations: &Vec<LocationRef>| GroupRow {
        count: locations.len() as u64,
        locations: first(locations),
    };
    let mut rows: Vec<_> = alike.iter().map(|group| row(&group.locations)).collect();
    rows.sort_by_key(|row| Reverse(row.count));
    note("groups", rows.len() as u64 + others, top, left_out);
    rows.truncate(top);
    rows
}

/// Returns the threads that take part in teams, those that are idle longest first.
pub(super) fn idle(names: &Names<'_>, top: usize, left_out: &mut LeftOut) -> Vec<IdleRow> {
    let row = |(location, it): (&LocationRef, &IdleTime)| IdleRow {
        location: location.0,
        idle_ns: it.idle,
        limited_ns: it.limited,
    };
    let mut rows: Vec<_> = names.causes.statistics.idle.iter().map(row).collect();
    rows.sort_by_key(|row| Reverse(row.idle_ns));
    note("idle", rows.len() as u64, top, left_out);
    rows.truncate(top);
    rows
}

/// Returns the locations with open operations, those with the longest time first.
pub(super) fn overlap(names: &Names<'_>, top: usize, left_out: &mut LeftOut) -> Vec<OverlapRow> {
    let row = |(location, it): (&LocationRef, &Overlap)| OverlapRow {
        location: location.0,
        open_ns: it.open,
        hidden_ns: it.hidden,
        exposed_ns: it.exposed,
        surely_hidden_ns: it.surely_hidden,
        waited_ns: it.waited,
    };
    let mut rows: Vec<_> = names.causes.overlap.iter().map(row).collect();
    rows.sort_by_key(|row| Reverse(row.open_ns));
    note("overlap", rows.len() as u64, top, left_out);
    rows.truncate(top);
    rows
}

/// Returns the classes of messages, the shortest ones first.
pub(super) fn messages(causes: &Causes) -> Vec<MessageRow> {
    let row = |(class, it): (&LengthClass, &ClassTimes)| MessageRow {
        between_nodes: class.between_nodes,
        shortest_bytes: class.shortest(),
        count: it.count,
        bytes: it.bytes,
        transfers: it.transfers.count,
        best_ns: it.transfers.quantile(0.05).map(|time| time as u64),
        median_ns: it.transfers.quantile(0.5).map(|time| time as u64),
        bytes_per_second: it.transfers.bandwidth(),
    };
    causes.message_times.classes.iter().map(row).collect()
}

/// Returns the locations with operations, those where most lateness is new first.
pub(super) fn lateness(names: &Names<'_>, top: usize, left_out: &mut LeftOut) -> Option<LatenessTable> {
    let it = names.causes.lateness.as_ref()?;
    let row = |(location, it): (&LocationRef, &Lateness)| LatenessRow {
        location: location.0,
        operations: it.operations,
        last: it.last,
        time_ns: it.time,
        new_ns: it.new,
        most_new_ns: it.most.0,
        most_new_end_ns: it.most.1,
    };
    let mut rows: Vec<_> = it.locations.iter().map(row).collect();
    rows.sort_by_key(|row| Reverse((row.new_ns, row.time_ns)));
    note("lateness", rows.len() as u64, top, left_out);
    rows.truncate(top);
    Some(LatenessTable {
        steps: it.steps,
        steps_left_out: it.left_out,
        not_awaited: it.not_awaited,
        time_ns: it.locations.values().map(|it| it.time).sum(),
        new_ns: it.locations.values().map(|it| it.new).sum(),
        rows,
    })
}

pub(super) fn overlap_total(causes: &Causes) -> OverlapTotal {
    let mut total = Overlap::default();
    causes.overlap.values().for_each(|it| total += *it);
    OverlapTotal {
        open_ns: total.open,
        hidden_ns: total.hidden,
        exposed_ns: total.exposed,
        surely_hidden_ns: total.surely_hidden,
        waited_ns: total.waited,
    }
}
