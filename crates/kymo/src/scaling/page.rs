//! The comparison of runs, as JSON contains it.

use kymo_analysis::robust::{deviation, median};
use kymo_analysis::statistics::Efficiency;
use serde::Serialize;

use super::call_path_times::{CallPathTimes, PathTimes};
use super::measured_run::MeasuredRun;
use crate::problem::Problem;

/// The least number of runs whose spread says how certain their median is.
const LEAST_RUNS: usize = 3;
/// A metric that is at least this part of its former value lost nothing.
const NO_LOSS: f64 = 0.99;

/// The quantity that is the same in all runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Mode {
    /// The work.
    Strong,
    /// The work of each thread.
    Weak,
}

/// A comparison. Times are in nanoseconds; ratios are parts of 1.
#[derive(Debug, Serialize)]
pub(super) struct ScalingPage {
    format: &'static str,
    version: u32,
    unit: &'static str,
    pub(super) mode: Mode,
    /// The runs by their number of threads; the first one is the reference.
    pub(super) columns: Vec<Column>,
    /// The metric that lost most from the first to the last column; null if none did.
    pub(super) largest_loss: Option<LargestLoss>,
    /// The call paths that take more time in the last column than the one before lets expect.
    pub(super) loss: Vec<LossRow>,
    /// The number of rows that are left out.
    pub(super) loss_left_out: u64,
}

/// Runs with the same number of threads. Numbers are medians of the runs.
#[derive(Debug, Serialize)]
pub(super) struct Column {
    pub(super) threads: u64,
    pub(super) processes: u64,
    pub(super) runs: Vec<String>,
    pub(super) length_ns: f64,
    /// The standard error of the median; null for fewer than three runs.
    pub(super) length_error_ns: Option<f64>,
    /// How much faster the run is than the reference.
    pub(super) speedup: f64,
    pub(super) metrics: Metrics,
    /// The metric that is lowest, of those that are not products.
    pub(super) weakest: Option<&'static str>,
}

/// The metrics of a column; null where a run lacks the data for it.
#[derive(Debug, Clone, Default, Serialize)]
pub(super) struct Metrics {
    pub(super) global_ratio: Option<f64>,
    pub(super) parallel_ratio: Option<f64>,
    pub(super) load_balance_ratio: Option<f64>,
    pub(super) communication_ratio: Option<f64>,
    pub(super) serialisation_ratio: Option<f64>,
    pub(super) transfer_ratio: Option<f64>,
    pub(super) computation_ratio: Option<f64>,
    pub(super) instruction_ratio: Option<f64>,
    pub(super) ipc_ratio: Option<f64>,
    pub(super) frequency_ratio: Option<f64>,
}

/// A metric that became smaller.
#[derive(Debug, Serialize)]
pub(super) struct LargestLoss {
    pub(super) metric: &'static str,
    pub(super) from_ratio: f64,
    pub(super) to_ratio: f64,
}

/// A call path that takes more time.
#[derive(Debug, Serialize)]
pub(super) struct LossRow {
    pub(super) path: Vec<String>,
    pub(super) class: &'static str,
    /// The time beyond the expected one, as a part of the time of all threads in the last column.
    pub(super) loss_ratio: f64,
    before_ns: u128,
    after_ns: u128,
}

impl ScalingPage {
    /// Compares runs.
    pub(super) fn of(mut runs: Vec<MeasuredRun>, mode: Mode, top: usize) -> Result<Self, Problem> {
        let size = |run: &MeasuredRun| (run.threads, run.processes);
        runs.sort_by_key(size);
        let groups: Vec<&[MeasuredRun]> = runs.chunk_by(|one, other| size(one) == size(other)).collect();
        let (Some(reference), Some(last)) = (groups.first(), groups.last().filter(|_| groups.len() > 1))
        else {
            let threads = runs.first().map_or(0, |run| run.threads);
            return Err(Problem::usage(format!(
                "all traces have {threads} threads with events: expected different numbers \
                 ('kymo profile --diff' compares two runs)"
            )));
        };
        let columns: Vec<_> = groups.iter().map(|runs| Column::of(runs, reference, mode)).collect();
        let before = groups.get(groups.len() - 2).copied().unwrap_or_default();
        let (loss, left_out) = loss(before, last, mode, top);
        Ok(Self {
            format: "kymo-scaling",
            version: 1,
            unit: "ns",
            mode,
            largest_loss: largest_loss(&columns),
            columns,
            loss,
            loss_left_out: left_out,
        })
    }
}

impl Column {
    fn of(runs: &[MeasuredRun], reference: &[MeasuredRun], mode: Mode) -> Self {
        let length = |runs: &[MeasuredRun]| median(runs.iter().map(|run| run.length as f64).collect());
        let length_ns = length(runs).unwrap_or(0.0);
        let metrics = Metrics::of(runs, reference, mode);
        let leaves =
            metrics.leaves(metrics.parts()).into_iter().filter_map(|(name, value)| Some((name, value?)));
        let weakest = leaves.min_by(|one, other| one.1.total_cmp(&other.1));
        Self {
            threads: runs.first().map_or(0, |run| run.threads),
            processes: runs.first().map_or(0, |run| run.processes),
            runs: runs.iter().map(|run| run.path.clone()).collect(),
            length_ns,
            length_error_ns: error(&runs.iter().map(|run| run.length as f64).collect::<Vec<_>>()),
            speedup: length(reference).unwrap_or(0.0) / length_ns.max(1.0),
            weakest: weakest.map(|it| it.0),
            metrics,
        }
    }
}

impl Metrics {
    fn of(runs: &[MeasuredRun], reference: &[MeasuredRun], mode: Mode) -> Self {
        let of =
            |value: &dyn Fn(&MeasuredRun) -> Option<f64>| median(runs.iter().filter_map(value).collect());
        let efficiency = |value: fn(&Efficiency) -> Option<f64>| of(&|run| value(run.efficiency.as_ref()?));
        // How much more there is of something than in the reference, of all threads together.
        let threads = |runs: &[MeasuredRun]| runs.first().map_or(0, |run| run.threads) as f64;
        let more = match mode {
            Mode::Strong => 1.0,
            Mode::Weak => threads(runs) / threads(reference),
        };
        let both = |value: &dyn Fn(&MeasuredRun) -> Option<f64>| {
            Some((of(value)?, median(reference.iter().filter_map(value).collect())?))
        };
        let ratio = |(one, other): (f64, f64)| Some(one / other).filter(|ratio| ratio.is_finite());
        let useful = |run: &MeasuredRun| Some(run.useful as f64);
        let computation = both(&useful).and_then(|(own, first)| ratio((first * more, own)));
        let instruction = both(&|run| run.instructions).and_then(|(own, first)| ratio((first * more, own)));
        let ipc = both(&|run| ratio((run.instructions?, run.cycles?))).and_then(ratio);
        let frequency = both(&|run| ratio((run.cycles?, run.useful as f64))).and_then(ratio);
        let parallel = efficiency(|it| Some(it.parallel));
        Self {
            global_ratio: parallel.zip(computation).map(|(parallel, computation)| parallel * computation),
            parallel_ratio: parallel,
            load_balance_ratio: efficiency(|it| Some(it.load_balance)),
            communication_ratio: efficiency(|it| Some(it.communication)),
            // With several threads in processes, these are no parts of communication.
            serialisation_ratio: efficiency(|it| it.processes.is_none().then_some(it.network?.serialisation)),
            transfer_ratio: efficiency(|it| it.processes.is_none().then_some(it.network?.transfer)),
            computation_ratio: computation,
            instruction_ratio: instruction,
            ipc_ratio: ipc,
            frequency_ratio: frequency,
        }
    }

    /// Returns which products have known parts: communication, and computation scaling.
    fn parts(&self) -> [bool; 2] {
        let counters = [self.instruction_ratio, self.ipc_ratio, self.frequency_ratio];
        [self.serialisation_ratio.is_some(), counters.iter().all(Option::is_some)]
    }

    /// Returns the metrics that are no products, or whose parts are not wanted.
    fn leaves(&self, [wants_network, wants_counters]: [bool; 2]) -> Vec<(&'static str, Option<f64>)> {
        let network = [("serialisation", self.serialisation_ratio), ("transfer", self.transfer_ratio)];
        let counters = [
            ("instruction scaling", self.instruction_ratio),
            ("IPC scaling", self.ipc_ratio),
            ("frequency scaling", self.frequency_ratio),
        ];
        let mut leaves = vec![("load balance", self.load_balance_ratio)];
        match wants_network {
            true => leaves.extend(network),
            false => leaves.push(("communication", self.communication_ratio)),
        }
        match wants_counters {
            true => leaves.extend(counters),
            false => leaves.push(("computation scaling", self.computation_ratio)),
        }
        leaves
    }
}

/// Returns the metric that is smallest in the last column in proportion to the first one.
fn largest_loss(columns: &[Column]) -> Option<LargestLoss> {
    let (first, last) = (columns.first()?, columns.last()?);
    // Only metrics that both have can be compared: a run of one process does not communicate.
    let [of_first, of_last] = [first, last].map(|column| column.metrics.parts());
    let parts = [0, 1].map(|part| of_first[part] && of_last[part]);
    let losses = first.metrics.leaves(parts).into_iter().zip(last.metrics.leaves(parts));
    let losses = losses.filter_map(|((metric, from), (_, to))| {
        Some(LargestLoss { metric, from_ratio: from?, to_ratio: to? })
    });
    let part = |it: &LargestLoss| it.to_ratio / it.from_ratio;
    losses.filter(|it| part(it) < NO_LOSS).min_by(|one, other| part(one).total_cmp(&part(other)))
}

/// Returns the first call paths that take more time in one column than the other one lets expect,
/// those with the largest loss first, and the number of the others.
fn loss(before: &[MeasuredRun], after: &[MeasuredRun], mode: Mode, top: usize) -> (Vec<LossRow>, u64) {
    let mut times = CallPathTimes::new(2);
    for (column, runs) in [before, after].into_iter().enumerate() {
        runs.iter().for_each(|run| times.add(column, &run.paths));
    }
    let counts = [before, after].map(|runs| runs.len().max(1) as u128);
    let threads = [before, after].map(|runs| runs.first().map_or(1, |run| run.threads) as f64);
    let more = if mode == Mode::Weak { threads[1] / threads[0] } else { 1.0 };
    let mean = |times: &[u128], column: usize| times[column] / counts[column];
    let all: u128 = times.paths.iter().map(|path| mean(&path.times, 1)).sum();
    let row = |(number, path): (usize, &PathTimes)| {
        let [before_ns, after_ns] = [0, 1].map(|column| mean(&path.times, column));
        let loss_ratio = (after_ns as f64 - more * before_ns as f64) / all.max(1) as f64;
        let (path, class) = (Vec::new(), path.class.name());
        (loss_ratio > 0.0).then_some((number, LossRow { path, class, loss_ratio, before_ns, after_ns }))
    };
    let mut rows: Vec<_> = times.paths.iter().enumerate().filter_map(row).collect();
    rows.sort_by(|(_, one), (_, other)| other.loss_ratio.total_cmp(&one.loss_ratio));
    let left_out = rows.len().saturating_sub(top) as u64;
    rows.truncate(top);
    // The names of all paths would be as long as the deepest recursion, for each of its calls.
    let rows = rows.into_iter().map(|(number, row)| LossRow { path: times.names(number), ..row });
    (rows.collect(), left_out)
}

/// Returns the standard error of the median of several values, by their deviation.
fn error(values: &[f64]) -> Option<f64> {
    let count = values.len();
    deviation(values).filter(|_| count >= LEAST_RUNS).map(|it| it / (count as f64).sqrt())
}
