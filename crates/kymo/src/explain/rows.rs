//! The tables of an answer.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use kymo_analysis::ContextId;
use kymo_analysis::causes::{Causes, PlacedWait, Segment};
use kymo_analysis::delays::DelayTerm;
use kymo_analysis::waits::{WaitKind, WrongOrder};
use kymo_otf2::references::LocationRef;
use serde::Serialize;

use super::answer::Names;

/// How long locations waited.
#[derive(Debug, Serialize)]
pub(super) struct WaitTables {
    pub(super) count: u64,
    pub(super) time_ns: u128,
    pub(super) by_kind: Vec<KindRow>,
    pub(super) by_location: Vec<LocationRow>,
    /// For whom others waited.
    pub(super) caused_by: Vec<LocationRow>,
    pub(super) by_path: Vec<WaitPathRow>,
    /// The longest waits.
    pub(super) rows: Vec<WaitRow>,
}

#[derive(Debug, Serialize)]
pub(super) struct KindRow {
    kind: &'static str,
    count: u64,
    time_ns: u128,
}

#[derive(Debug, Serialize)]
pub(super) struct LocationRow {
    /// Unknown, if it is not known for whom others waited.
    pub(super) location: Option<u64>,
    pub(super) time_ns: u128,
}

/// How long locations waited in calls with a path.
#[derive(Debug, Serialize)]
pub(super) struct WaitPathRow {
    kind: &'static str,
    #[serde(skip)]
    pub(super) reason: &'static str,
    pub(super) path: Vec<String>,
    count: u64,
    pub(super) time_ns: u128,
}

/// A wait.
#[derive(Debug, Serialize)]
pub(super) struct WaitRow {
    kind: &'static str,
    location: u64,
    start_ns: u64,
    end_ns: u64,
    cause: Option<u64>,
    path: Vec<String>,
    flags: Vec<&'static str>,
}

/// A calling context of a location while others waited because of it.
#[derive(Debug, Serialize)]
pub(super) struct BlameRow {
    /// Nobody, if locations wait for each other.
    pub(super) location: Option<u64>,
    /// Empty outside all calls.
    pub(super) path: Vec<String>,
    pub(super) time_ns: u128,
    /// Whether the location had not begun.
    pub(super) before_start: bool,
}

/// The cost of a delay.
#[derive(Debug, Serialize)]
pub(super) struct DelayRow {
    /// The kind of the wait states.
    kind: &'static str,
    #[serde(skip)]
    pub(super) reason: &'static str,
    /// Whether others waited for the location, or for those that waited for it.
    pub(super) term: &'static str,
    pub(super) location: u64,
    /// Empty outside all calls.
    pub(super) path: Vec<String>,
    pub(super) cost_ns: f64,
}

/// Waiting for which no delay was found.
#[derive(Debug, Serialize)]
pub(super) struct UnattributedRow {
    kind: &'static str,
    pub(super) time_ns: f64,
}

/// The critical path.
#[derive(Debug, Serialize)]
pub(super) struct CriticalPath {
    pub(super) length_ns: u64,
    start_ns: u64,
    end_ns: u64,
    pub(super) segments_total: u64,
    /// The longest segments, in the order of time.
    pub(super) segments: Vec<SegmentRow>,
    pub(super) profile: Vec<PathRow>,
    /// By how much the path is longer than the mean of the processes, or of the threads of one.
    pub(super) imbalance: Vec<ImbalanceRow>,
    clipped_waits: u64,
}

#[derive(Debug, Serialize)]
pub(super) struct SegmentRow {
    location: u64,
    start_ns: u64,
    end_ns: u64,
}

#[derive(Debug, Serialize)]
pub(super) struct PathRow {
    pub(super) location: u64,
    /// Empty outside all calls.
    pub(super) path: Vec<String>,
    pub(super) time_ns: u128,
}

#[derive(Debug, Serialize)]
pub(super) struct ImbalanceRow {
    path: Vec<String>,
    time_ns: u128,
}

impl WaitTables {
    pub(super) fn used_locations(&self) -> impl Iterator<Item = u64> {
        let tables = self.by_location.iter().chain(&self.caused_by).filter_map(|row| row.location);
        tables.chain(self.rows.iter().flat_map(|row| [Some(row.location), row.cause]).flatten())
    }
}

impl CriticalPath {
    pub(super) fn used_locations(&self) -> impl Iterator<Item = u64> {
        let segments = self.segments.iter().map(|row| row.location);
        segments.chain(self.profile.iter().map(|row| row.location))
    }
}

/// How many rows of tables are left out.
pub(super) type LeftOut = BTreeMap<&'static str, u64>;

/// Returns the first rows of a table, by descending time; notes how many there are beyond.
fn first<T>(
    table: &'static str,
    rows: impl Iterator<Item = (u128, T)>,
    top: usize,
    left_out: &mut LeftOut,
) -> Vec<(u128, T)> {
    let mut rows: Vec<_> = rows.filter(|(time, _)| *time > 0).collect();
    rows.sort_by_key(|(time, _)| Reverse(*time));
    note(table, rows.len() as u64, top, left_out);
    rows.truncate(top);
    rows
}

pub(super) fn note(table: &'static str, rows: u64, top: usize, left_out: &mut LeftOut) {
    if rows > top as u64 {
        left_out.insert(table, rows - top as u64);
    }
}

pub(super) fn wait_tables(names: &Names<'_>, top: usize, left_out: &mut LeftOut) -> WaitTables {
    let causes = names.causes;
    let mut kinds: BTreeMap<WaitKind, (u64, u128)> = BTreeMap::new();
    for ((kind, _), waited) in &causes.waits_by_context {
        let (count, time) = kinds.entry(*kind).or_default();
        (*count, *time) = (*count + waited.count, *time + waited.time);
    }
    let count = kinds.values().map(|(count, _)| count).sum();
    let by_kind = first("waits.by_kind", kinds.into_iter().map(|it| (it.1.1, it)), usize::MAX, left_out);
    let by_path = causes.waits_by_context.iter().map(|it| (it.1.time, it));
    let by_path = first("waits.by_path", by_path, top, left_out);
    let sums = &causes.statistics.waits;
    note("waits.rows", count, top, left_out);
    WaitTables {
        count,
        time_ns: sums.total(),
        by_kind: by_kind
            .into_iter()
            .map(|(time_ns, (kind, (count, _)))| KindRow { kind: kind.key(), count, time_ns })
            .collect(),
        by_location: by_location("waits.by_location", &sums.suffered, top, left_out),
        caused_by: by_location("waits.caused_by", &sums.caused, top, left_out),
        by_path: by_path
            .into_iter()
            .map(|(time_ns, ((kind, context), waited))| WaitPathRow {
                kind: kind.key(),
                reason: kind.name(),
                path: names.path(*context),
                count: waited.count,
                time_ns,
            })
            .collect(),
        rows: causes.waits.iter().map(|it| wait_row(names, it)).collect(),
    }
}

fn by_location(
    table: &'static str,
    times: &BTreeMap<(WaitKind, LocationRef), u128>,
    top: usize,
    left_out: &mut LeftOut,
) -> Vec<LocationRow> {
    let mut sums: BTreeMap<LocationRef, u128> = BTreeMap::new();
    for ((_, location), time) in times {
        *sums.entry(*location).or_default() += time;
    }
    let rows = first(table, sums.into_iter().map(|(location, time)| (time, location)), top, left_out);
    rows.into_iter().map(|(time_ns, location)| LocationRow { location: known(location), time_ns }).collect()
}

fn known(location: LocationRef) -> Option<u64> {
    location.is_defined().then_some(location.0)
}

fn wait_row(names: &Names<'_>, placed: &PlacedWait) -> WaitRow {
    let wait = &placed.wait;
    let order = match wait.wrong_order {
        None => None,
        Some(WrongOrder::SameSender) => Some("wrong_order_same"),
        Some(WrongOrder::DifferentSender) => Some("wrong_order_different"),
    };
    let part = match wait.kind {
        WaitKind::RmaEarlyWait => Some("late_complete"),
        WaitKind::RmaFence => Some("early_fence"),
        _ => None,
    };
    let flags = [
        wait.is_doubtful.then_some("doubtful"),
        wait.is_clipped().then_some("clipped"),
        order,
        part.filter(|_| wait.part > 0),
    ];
    WaitRow {
        kind: wait.kind.key(),
        location: wait.location.0,
        start_ns: wait.start,
        end_ns: wait.end,
        cause: known(wait.cause),
        path: names.path(placed.context),
        flags: flags.into_iter().flatten().collect(),
    }
}

pub(super) fn blame(names: &Names<'_>, top: usize, left_out: &mut LeftOut) -> Vec<BlameRow> {
    let causes = names.causes;
    let places =
        causes.places.iter().map(|((context, id), times)| (times.blame, (Some(*id), *context, false)));
    let before = causes.before_start.iter().map(|(id, time)| (*time, (Some(*id), ContextId::ROOT, true)));
    let nobody = [(causes.of_nobody, (None, ContextId::ROOT, false))];
    let rows = first("blame", places.chain(before).chain(nobody), top, left_out);
    let row = |(time_ns, (location, context, before_start)): (u128, (Option<LocationRef>, _, _))| BlameRow {
        location: location.map(|id| id.0),
        path: names.path(context),
        time_ns,
        before_start,
    };
    rows.into_iter().map(row).collect()
}

pub(super) fn delays(names: &Names<'_>, top: usize, left_out: &mut LeftOut) -> Vec<DelayRow> {
    let Some(delays) = &names.causes.delays else { return Vec::new() };
    let mut rows: Vec<_> = delays.costs.iter().collect();
    rows.sort_by(|one, other| other.1.total_cmp(one.1));
    note("delays", rows.len() as u64, top, left_out);
    let row = |((kind, term, location, context), cost_ns): (&(WaitKind, DelayTerm, LocationRef, _), &f64)| {
        DelayRow {
            kind: kind.key(),
            reason: kind.name(),
            term: term.key(),
            location: location.0,
            path: names.path(*context),
            cost_ns: *cost_ns,
        }
    };
    rows.into_iter().take(top).map(row).collect()
}

pub(super) fn unattributed(causes: &Causes) -> Vec<UnattributedRow> {
    let mut rows: Vec<_> = causes.delays.iter().flat_map(|it| &it.unattributed).collect();
    rows.sort_by(|one, other| other.1.total_cmp(one.1));
    rows.into_iter().map(|(kind, time_ns)| UnattributedRow { kind: kind.key(), time_ns: *time_ns }).collect()
}

pub(super) fn critical_path(names: &Names<'_>, top: usize, left_out: &mut LeftOut) -> CriticalPath {
    let (causes, path) = (names.causes, &names.causes.path);
    let profile = causes.places.iter().map(|(place, times)| (times.critical, *place));
    let profile = first("critical_path.profile", profile, top, left_out);
    let comparable = u128::from(causes.comparable.max(1));
    let imbalance = causes.by_context.iter();
    let imbalance =
        imbalance.map(|(context, it)| (it.critical.saturating_sub(it.working / comparable), *context));
    let imbalance = first("critical_path.imbalance", imbalance, top, left_out);
    note("critical_path.segments", path.segments, top, left_out);
    let (start_ns, end_ns) = path.span.unwrap_or_default();
    CriticalPath {
        length_ns: path.length(),
        start_ns,
        end_ns,
        segments_total: path.segments,
        segments: path.longest.iter().map(segment_row).collect(),
        profile: profile
            .into_iter()
            .map(|(time_ns, (context, location))| PathRow {
                location: location.0,
                path: names.path(context),
                time_ns,
            })
            .collect(),
        imbalance: imbalance
            .into_iter()
            .map(|(time_ns, context)| ImbalanceRow { path: names.path(context), time_ns })
            .collect(),
        clipped_waits: path.clipped,
    }
}

fn segment_row(segment: &Segment) -> SegmentRow {
    SegmentRow { location: segment.location.0, start_ns: segment.start, end_ns: segment.end }
}
