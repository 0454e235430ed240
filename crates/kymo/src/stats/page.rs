//! The contents of the page, with all names. Every table is sorted by importance; text prints the
//! first rows, JSON all of them.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashSet};

use kymo_analysis::profile::OUTSIDE;
use kymo_analysis::statistics::{
    Amount, Collectives, RegionEfficiency, RegionStatistics, Statistics, Transfers, Values,
};
use kymo_analysis::waits::{WaitKind, WaitSums, Waited};
use kymo_analysis::{Class, Trace};
use kymo_otf2::FileName;
use kymo_otf2::enums::{CollectiveOp, LocationType};
use kymo_otf2::references::{LocationRef, RegionRef};
use serde::Serialize;
use serde_json::Value;

use super::filter::FilterFile;
use crate::location_names::LocationNames;
use crate::problem::Problem;

/// Everything on the page. Times are in nanoseconds, amounts in bytes.
#[derive(Debug, Serialize)]
pub(super) struct Page {
    format: &'static str,
    version: u32,
    unit: &'static str,
    pub(super) trace: TraceFacts,
    pub(super) remarks: BTreeMap<&'static str, u64>,
    pub(super) efficiency: Option<EfficiencyFacts>,
    pub(super) classes: Vec<ClassRow>,
    pub(super) regions: Vec<RegionRow>,
    pub(super) imbalance: Vec<ImbalanceRow>,
    pub(super) filter: FilterFile,
    pub(super) messages: MessageFacts,
    pub(super) collectives: Vec<CollectiveRow>,
    pub(super) waits: Vec<WaitRow>,
    pub(super) waits_by_location: Vec<LocationWaitRow>,
    pub(super) wait_facts: WaitFacts,
    pub(super) files: Vec<FileRow>,
    pub(super) windows: Vec<WindowRow>,
    pub(super) metrics: Vec<MetricRow>,
    pub(super) events: Vec<KindRow>,
    /// The summary of `kymo check --json`.
    pub(super) check: Option<Value>,
}

/// The size of the trace.
#[derive(Debug, Serialize)]
pub(super) struct TraceFacts {
    pub(super) path: String,
    pub(super) creator: String,
    pub(super) nodes: u64,
    pub(super) processes: u64,
    pub(super) locations: u64,
    /// The locations with events.
    pub(super) active_locations: u64,
    pub(super) most_threads: u64,
    pub(super) events: u64,
    pub(super) events_lost: Option<u64>,
    pub(super) length_ns: u64,
    /// The time of all locations that is in no call.
    pub(super) outside_ns: u128,
    pub(super) ticks_per_second: u64,
    /// The start of the trace since 1970-01-01 UTC.
    pub(super) start_date_ns: Option<u64>,
}

#[derive(Debug, Serialize)]
pub(super) struct EfficiencyFacts {
    pub(super) parallel: f64,
    pub(super) load_balance: f64,
    pub(super) communication: f64,
    /// The parts of the efficiency of communication; null without communication.
    pub(super) transfer: Option<f64>,
    pub(super) serialisation: Option<f64>,
    /// The efficiencies of processes; null if they have one thread each.
    pub(super) processes: Option<ProcessEfficiencyFacts>,
    /// The losses between and in processes; null without parallel regions.
    pub(super) regions: Option<RegionEfficiency>,
    pub(super) slowest: Option<LocationTime>,
}

#[derive(Debug, Serialize)]
pub(super) struct ProcessEfficiencyFacts {
    pub(super) load_balance: f64,
    pub(super) communication: f64,
    pub(super) thread_load_balance: f64,
    pub(super) thread_communication: f64,
}

#[derive(Debug, Serialize)]
pub(super) struct ClassRow {
    pub(super) class: &'static str,
    pub(super) exclusive_ns: u128,
}

#[derive(Debug, Serialize)]
pub(super) struct RegionRow {
    pub(super) region: String,
    pub(super) class: &'static str,
    pub(super) visits: u64,
    pub(super) samples: u64,
    pub(super) inclusive_ns: u128,
    pub(super) exclusive_ns: u128,
}

/// The time that a location spends.
#[derive(Debug, Clone, Serialize)]
pub(super) struct LocationTime {
    pub(super) location: u64,
    pub(super) name: String,
    pub(super) time_ns: u64,
}

#[derive(Debug, Serialize)]
pub(super) struct ImbalanceRow {
    pub(super) region: String,
    pub(super) locations: u64,
    pub(super) mean_ns: f64,
    pub(super) longest_ns: u64,
    /// The time for which all others would wait for the slowest.
    pub(super) idle_ns: u128,
    /// The locations that stand out.
    pub(super) outliers: Vec<LocationTime>,
}

#[derive(Debug, Serialize)]
pub(super) struct MessageFacts {
    pub(super) count: u64,
    pub(super) bytes: u64,
    pub(super) transit_ns: u128,
    pub(super) unmatched_sends: u64,
    pub(super) unmatched_receives: u64,
    pub(super) different_lengths: u64,
    pub(super) received_before_sent: u64,
    pub(super) unknown_partners: u64,
    pub(super) sizes: Vec<SizeRow>,
    pub(super) pairs: Vec<PairRow>,
}

#[derive(Debug, Serialize)]
pub(super) struct SizeRow {
    /// The smallest length of the class in bytes, and the smallest beyond it.
    pub(super) from: u64,
    pub(super) below: Option<u64>,
    pub(super) count: u64,
    pub(super) bytes: u64,
}

#[derive(Debug, Serialize)]
pub(super) struct PairRow {
    source: u64,
    destination: u64,
    pub(super) source_name: String,
    pub(super) destination_name: String,
    pub(super) count: u64,
    pub(super) bytes: u64,
}

#[derive(Debug, Serialize)]
pub(super) struct CollectiveRow {
    pub(super) operation: String,
    pub(super) operations: u64,
    pub(super) parts: u64,
    pub(super) incomplete: u64,
    pub(super) bytes_sent: u64,
    pub(super) bytes_received: u64,
    pub(super) time_ns: u128,
}

#[derive(Debug, Serialize)]
pub(super) struct WaitRow {
    kind: &'static str,
    pub(super) reason: &'static str,
    pub(super) region: String,
    pub(super) count: u64,
    pub(super) time_ns: u128,
    pub(super) longest: LocationTime,
}

#[derive(Debug, Serialize)]
pub(super) struct LocationWaitRow {
    kind: &'static str,
    pub(super) reason: &'static str,
    pub(super) location: u64,
    pub(super) name: String,
    /// How long the location waited.
    pub(super) time_ns: u128,
    /// How long others waited for it.
    pub(super) caused_ns: u128,
}

/// Facts about all wait states.
#[derive(Debug, Serialize)]
pub(super) struct WaitFacts {
    time_ns: u128,
    /// The part of late receivers whose messages may have been buffered.
    pub(super) doubtful_ns: u128,
    /// The parts of late senders in the wrong order, of the same and of different senders.
    pub(super) wrong_order_same_ns: u128,
    pub(super) wrong_order_different_ns: u128,
    /// The part of early waits after the last access.
    pub(super) late_complete_ns: u128,
    /// The part of fences until the last access was complete.
    pub(super) early_fence_ns: u128,
    /// The number of wait states that were clipped at the end of their calls.
    pub(super) clipped: u64,
    /// The number of collective operations and epochs in which members are missing.
    pub(super) incomplete: u64,
}

#[derive(Debug, Serialize)]
pub(super) struct FileRow {
    pub(super) file: String,
    pub(super) paradigm: String,
    pub(super) reads: TransferFacts,
    pub(super) writes: TransferFacts,
    pub(super) flushes: TransferFacts,
    pub(super) opened: u64,
    seeks: u64,
    pub(super) incomplete: u64,
    cancelled: u64,
}

#[derive(Debug, Serialize)]
pub(super) struct TransferFacts {
    pub(super) count: u64,
    pub(super) bytes: u64,
    pub(super) time_ns: u128,
    pub(super) bytes_per_second: Option<f64>,
}

#[derive(Debug, Serialize)]
pub(super) struct WindowRow {
    pub(super) window: String,
    pub(super) puts: u64,
    pub(super) bytes_put: u64,
    pub(super) gets: u64,
    pub(super) bytes_got: u64,
    pub(super) atomics: u64,
    completed: u64,
    pub(super) synchronisations: u64,
}

#[derive(Debug, Serialize)]
pub(super) struct MetricRow {
    pub(super) metric: String,
    pub(super) unit: String,
    pub(super) values: u64,
    pub(super) lowest: f64,
    pub(super) highest: f64,
    /// A location with the highest value.
    highest_location: u64,
    pub(super) highest_name: String,
    /// The count, unless the metric is a state.
    pub(super) count: Option<f64>,
    pub(super) is_memory: bool,
}

#[derive(Debug, Serialize)]
pub(super) struct KindRow {
    pub(super) event: Cow<'static, str>,
    pub(super) count: u64,
}

impl Page {
    pub(super) fn of(trace: &Trace, statistics: &Statistics, check: Option<Value>) -> Self {
        let names = Names::of(trace, statistics);
        Self {
            format: "kymo-stats",
            version: 1,
            unit: "ns",
            trace: trace_facts(trace, statistics),
            remarks: statistics.remarks.iter().map(|(count, what)| (what, count)).collect(),
            efficiency: efficiency(&names, statistics),
            classes: classes(statistics),
            regions: regions(&names, statistics),
            imbalance: imbalance(&names, statistics),
            filter: FilterFile::of(trace, statistics),
            messages: messages(&names, statistics),
            collectives: collectives(statistics),
            waits: waits(&names, statistics),
            waits_by_location: waits_by_location(&names, statistics),
            wait_facts: wait_facts(&statistics.waits),
            files: files(trace, statistics),
            windows: windows(trace, statistics),
            metrics: metrics(&names, statistics),
            events: kinds(statistics),
            check,
        }
    }

    /// Returns the page as one line of JSON.
    pub(super) fn json(&self) -> Result<String, Problem> {
        serde_json::to_string(self).map(|text| text + "\n").map_err(Problem::environment)
    }
}

/// Names of a trace.
struct Names<'t> {
    trace: &'t Trace,
    locations: LocationNames<'t>,
    /// The names that several regions have.
    ambiguous: HashSet<String>,
}

impl<'t> Names<'t> {
    fn of(trace: &'t Trace, statistics: &Statistics) -> Self {
        let (mut known, mut ambiguous) = (HashSet::new(), HashSet::new());
        for region in statistics.regions.keys() {
            let name = trace.region_name(*region).into_owned();
            if !known.insert(name.clone()) {
                ambiguous.insert(name);
            }
        }
        Self { trace, locations: LocationNames::of(trace), ambiguous }
    }

    fn location(&self, id: LocationRef) -> String {
        self.locations.get(id)
    }

    /// Returns the name of a region, with its place in the source code if others have this name.
    fn region(&self, id: RegionRef) -> String {
        if !id.is_defined() {
            return "<no call>".to_owned();
        }
        let name = self.trace.region_name(id).into_owned();
        if !self.ambiguous.contains(&name) {
            return name;
        }
        self.trace.region_name_with_place(id).into_owned()
    }

    fn time(&self, (time_ns, id): (u64, LocationRef)) -> LocationTime {
        LocationTime { location: id.0, name: self.location(id), time_ns }
    }
}

fn trace_facts(trace: &Trace, statistics: &Statistics) -> TraceFacts {
    let archive = trace.archive();
    let groups: BTreeMap<_, u64> = trace.locations().iter().fold(BTreeMap::new(), |mut groups, it| {
        let is_thread = it.location_type == LocationType::CPU_THREAD;
        *groups.entry(trace.process(it.id)).or_default() += u64::from(is_thread);
        groups
    });
    let nodes: BTreeSet<_> = trace.locations().iter().map(|it| trace.node_of(it.group)).collect();
    let anchor = archive.anchor();
    TraceFacts {
        path: archive.path(FileName::Anchor).display().to_string(),
        creator: anchor.creator.to_string(),
        nodes: nodes.len() as u64,
        processes: groups.len() as u64,
        locations: trace.locations().len() as u64,
        active_locations: statistics.active,
        most_threads: groups.values().copied().max().unwrap_or(0),
        events: statistics.events,
        events_lost: trace.events_lost(),
        length_ns: statistics.length(),
        outside_ns: statistics.outside,
        ticks_per_second: trace.clock().resolution(),
        start_date_ns: trace.clock().date(),
    }
}

fn efficiency(names: &Names<'_>, statistics: &Statistics) -> Option<EfficiencyFacts> {
    let it = statistics.efficiency()?;
    Some(EfficiencyFacts {
        parallel: it.parallel,
        load_balance: it.load_balance,
        communication: it.communication,
        transfer: it.network.map(|it| it.transfer),
        serialisation: it.network.map(|it| it.serialisation),
        processes: it.processes.map(|it| ProcessEfficiencyFacts {
            load_balance: it.load_balance,
            communication: it.communication,
            thread_load_balance: it.thread_load_balance,
            thread_communication: it.thread_communication,
        }),
        regions: it.regions,
        slowest: statistics.computation.longest.first().map(|it| names.time(*it)),
    })
}

fn classes(statistics: &Statistics) -> Vec<ClassRow> {
    let of = |class: Class| statistics.classes.get(&class).copied().unwrap_or(0);
    let rows = Class::ALL.into_iter().map(|class| ClassRow { class: class.name(), exclusive_ns: of(class) });
    // Without samples, the activity of the program in no call is not known.
    let outside = if statistics.has_samples() { statistics.outside } else { 0 };
    let rows = rows.chain([ClassRow { class: OUTSIDE, exclusive_ns: outside }]);
    rows.filter(|row| row.exclusive_ns > 0).collect()
}

fn regions(names: &Names<'_>, statistics: &Statistics) -> Vec<RegionRow> {
    let row = |(region, it): (&RegionRef, &RegionStatistics)| RegionRow {
        region: names.region(*region),
        class: Class::of(names.trace, *region).name(),
        visits: it.sums.calls.visits,
        samples: it.sums.samples,
        inclusive_ns: it.sums.inclusive(),
        exclusive_ns: it.sums.exclusive(),
    };
    let mut rows: Vec<_> = statistics.regions.iter().map(row).collect();
    rows.sort_by_key(|row| Reverse(row.exclusive_ns));
    rows
}

fn imbalance(names: &Names<'_>, statistics: &Statistics) -> Vec<ImbalanceRow> {
    let row = |(region, it): (&RegionRef, &RegionStatistics)| {
        let spread = &it.spread;
        (spread.locations > 1 && spread.idle() > 0).then(|| ImbalanceRow {
            region: names.region(*region),
            locations: spread.locations,
            mean_ns: spread.mean(),
            longest_ns: spread.most(),
            idle_ns: spread.idle(),
            outliers: spread.outliers().map(|it| names.time(it)).collect(),
        })
    };
    let mut rows: Vec<_> = statistics.regions.iter().filter_map(row).collect();
    rows.sort_by_key(|row| Reverse(row.idle_ns));
    rows
}

fn messages(names: &Names<'_>, statistics: &Statistics) -> MessageFacts {
    let it = &statistics.messages;
    let size = |(bits, amount): (&u32, &Amount)| SizeRow {
        from: bits.checked_sub(1).map_or(0, |bits| 1 << bits),
        below: 1_u64.checked_shl(*bits),
        count: amount.count,
        bytes: amount.bytes,
    };
    let pair = |((source, destination), amount): (&(LocationRef, LocationRef), &Amount)| PairRow {
        source: source.0,
        destination: destination.0,
        source_name: names.location(*source),
        destination_name: names.location(*destination),
        count: amount.count,
        bytes: amount.bytes,
    };
    let mut pairs: Vec<_> = it.pairs.iter().map(pair).collect();
    pairs.sort_by_key(|row| Reverse((row.bytes, row.count)));
    let total = it.total();
    MessageFacts {
        count: total.count,
        bytes: total.bytes,
        transit_ns: it.transit,
        unmatched_sends: it.unmatched_sends.count,
        unmatched_receives: it.unmatched_receives.count,
        different_lengths: it.different_lengths,
        received_before_sent: it.backward,
        unknown_partners: it.unknown,
        sizes: it.sizes.iter().map(size).collect(),
        pairs,
    }
}

fn collectives(statistics: &Statistics) -> Vec<CollectiveRow> {
    let row = |(operation, it): (&CollectiveOp, &Collectives)| CollectiveRow {
        operation: operation.to_string(),
        operations: it.operations,
        parts: it.parts,
        incomplete: it.incomplete,
        bytes_sent: it.sent,
        bytes_received: it.received,
        time_ns: it.time,
    };
    let mut rows: Vec<_> = statistics.collectives.iter().map(row).collect();
    rows.sort_by_key(|row| Reverse(row.time_ns));
    rows
}

fn waits(names: &Names<'_>, statistics: &Statistics) -> Vec<WaitRow> {
    let row = |((kind, region), it): (&(WaitKind, RegionRef), &Waited)| WaitRow {
        kind: kind.key(),
        reason: kind.name(),
        region: names.region(*region),
        count: it.count,
        time_ns: it.time,
        longest: names.time(it.longest),
    };
    let mut rows: Vec<_> = statistics.waits.by_region.iter().map(row).collect();
    rows.sort_by_key(|row| Reverse(row.time_ns));
    rows
}

fn waits_by_location(names: &Names<'_>, statistics: &Statistics) -> Vec<LocationWaitRow> {
    let WaitSums { suffered, caused, .. } = &statistics.waits;
    // For whom some wait is not known.
    let keys = suffered.keys().chain(caused.keys()).filter(|(_, location)| location.is_defined());
    let keys: BTreeSet<_> = keys.collect();
    let row = |key: &(WaitKind, LocationRef)| LocationWaitRow {
        kind: key.0.key(),
        reason: key.0.name(),
        location: key.1.0,
        name: names.location(key.1),
        time_ns: suffered.get(key).copied().unwrap_or(0),
        caused_ns: caused.get(key).copied().unwrap_or(0),
    };
    let mut rows: Vec<_> = keys.into_iter().map(row).collect();
    rows.sort_by_key(|row| Reverse((row.time_ns.max(row.caused_ns), row.time_ns)));
    rows
}

fn wait_facts(waits: &WaitSums) -> WaitFacts {
    let [wrong_order_same_ns, wrong_order_different_ns] = waits.wrong_order;
    WaitFacts {
        time_ns: waits.total(),
        doubtful_ns: waits.doubtful,
        wrong_order_same_ns,
        wrong_order_different_ns,
        late_complete_ns: waits.late_complete,
        early_fence_ns: waits.early_fence,
        clipped: waits.clipped,
        incomplete: waits.incomplete,
    }
}

fn transfers(it: &Transfers) -> TransferFacts {
    let bytes_per_second = it.bandwidth();
    TransferFacts { count: it.amount.count, bytes: it.amount.bytes, time_ns: it.time, bytes_per_second }
}

fn files(trace: &Trace, statistics: &Statistics) -> Vec<FileRow> {
    let rows = statistics.files.iter().map(|(key, sums)| FileRow {
        file: key.name(trace),
        paradigm: trace.io_paradigm_name(key.paradigm).into_owned(),
        reads: transfers(&sums.reads),
        writes: transfers(&sums.writes),
        flushes: transfers(&sums.flushes),
        opened: sums.opened,
        seeks: sums.seeks,
        incomplete: sums.incomplete,
        cancelled: sums.cancelled,
    });
    let mut rows: Vec<_> = rows.collect();
    rows.sort_by_key(|row| Reverse((row.reads.time_ns + row.writes.time_ns, row.reads.count)));
    rows
}

fn windows(trace: &Trace, statistics: &Statistics) -> Vec<WindowRow> {
    let rows = statistics.windows.iter().map(|(id, it)| WindowRow {
        window: trace.window_name(*id).into_owned(),
        puts: it.puts.count,
        bytes_put: it.puts.bytes,
        gets: it.gets.count,
        bytes_got: it.gets.bytes,
        atomics: it.atomics.count,
        completed: it.completed,
        synchronisations: it.synchronisations,
    });
    let mut rows: Vec<_> = rows.collect();
    rows.sort_by_key(|row| Reverse(row.bytes_put.saturating_add(row.bytes_got)));
    rows
}

fn metrics(names: &Names<'_>, statistics: &Statistics) -> Vec<MetricRow> {
    let trace = names.trace;
    let row = |values: &Values| {
        let metric = trace.metric(values.metric)?;
        let (highest, location) = values.highest;
        Some(MetricRow {
            metric: trace.string(metric.name).unwrap_or_default().to_owned(),
            unit: trace.string(metric.unit).unwrap_or_default().to_owned(),
            values: values.values,
            lowest: values.lowest.0.number(metric),
            highest: highest.number(metric),
            highest_location: location.0,
            highest_name: names.location(location),
            count: values.count.map(|count| count.number(metric)),
            is_memory: Values::is_memory(trace, metric),
        })
    };
    statistics.metrics.values().filter_map(row).collect()
}

fn kinds(statistics: &Statistics) -> Vec<KindRow> {
    let mut rows: Vec<_> = statistics
        .kinds
        .iter()
        .map(|(event, count)| KindRow { event: event.clone(), count: *count })
        .collect();
    rows.sort_by_key(|row| Reverse(row.count));
    rows
}
