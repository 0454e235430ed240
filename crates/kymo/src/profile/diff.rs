//! The differences between the profiles of two runs, or of several runs of two kinds.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::fmt::Write;

use ::csv::Writer;
use kymo_analysis::iterations::IterationBlocks;
use kymo_tables::csv::harmless;
use serde::Serialize;

use super::Value;
use super::csv;
use super::json;
use super::noise::{IterationNoise, Noise};
use super::paths::PathIds;
use super::table::{Row, Rows, Table};
use crate::noise;
use crate::number::{grouped, shortened, time};
use crate::problem::Problem;

/// The profiles of two sides, row by row.
#[derive(Debug)]
pub(super) struct Diff {
    value: Value,
    is_tree: bool,
    /// The number of runs before and after.
    runs: [usize; 2],
    /// The largest changes first.
    rows: Vec<Change>,
    total: Change,
}

/// The values of a region or call path on both sides: those of the run, or the medians of several.
#[derive(Debug, Default, Serialize)]
struct Change {
    /// The name of the region, or the call path.
    region: String,
    before: Values,
    after: Values,
    /// The standard error of the change of each value.
    noise: Noise,
    /// Whether the change of the value by which rows are sorted is larger than the noise; null if
    /// that is not known.
    is_certain: Option<bool>,
}

#[derive(Debug, Default, Clone, Copy, Serialize)]
struct Values {
    visits: u64,
    samples: u64,
    inclusive_ns: u128,
    exclusive_ns: u128,
}

impl Values {
    fn add(&mut self, row: &Row<'_>) {
        self.visits += row.sums.calls.visits;
        self.samples += row.sums.samples;
        self.inclusive_ns += row.sums.inclusive();
        self.exclusive_ns += row.sums.exclusive();
    }

    fn of(&self, value: Value) -> u128 {
        match value {
            Value::Exclusive => self.exclusive_ns,
            Value::Inclusive => self.inclusive_ns,
            Value::Visits => self.visits.into(),
            Value::Samples => self.samples.into(),
        }
    }

    /// Returns the median of each value.
    fn median(runs: &[Self]) -> Self {
        let of = |value| median(of_each(runs, value));
        let count = |value| u64::try_from(of(value)).unwrap_or(u64::MAX);
        Self {
            visits: count(Value::Visits),
            samples: count(Value::Samples),
            inclusive_ns: of(Value::Inclusive),
            exclusive_ns: of(Value::Exclusive),
        }
    }
}

/// Returns a value of each run.
fn of_each(runs: &[Values], value: Value) -> Vec<u128> {
    runs.iter().map(|run| run.of(value)).collect()
}

/// Returns the middle value, or the mean of the two middle ones; 0 of none.
fn median(mut values: Vec<u128>) -> u128 {
    values.sort_unstable();
    let at = |place: usize| values.get(place).copied().unwrap_or(0);
    let half = values.len() / 2;
    if values.len() % 2 == 1 { at(half) } else { at(half.wrapping_sub(1)).midpoint(at(half)) }
}

impl Change {
    fn of(region: String, [before, after]: [&[Values]; 2], noise: Noise, sorted_by: Value) -> Self {
        let (before, after) = (Values::median(before), Values::median(after));
        let change = Self { region, before, after, noise, is_certain: None };
        let is_certain = noise.is_certain(sorted_by, change.by(sorted_by) as f64);
        Self { is_certain, ..change }
    }

    /// Returns by how much a value has grown.
    fn by(&self, value: Value) -> i128 {
        let number = |number: u128| i128::try_from(number).unwrap_or(i128::MAX);
        number(self.after.of(value)) - number(self.before.of(value))
    }
}

/// The runs of a side.
#[derive(Debug)]
pub(super) struct SideTables<'t> {
    pub(super) tables: Vec<Table<'t>>,
    /// The times of a single run by iteration.
    pub(super) iterations: Option<&'t IterationBlocks>,
}

/// The rows of the runs of a side.
#[derive(Debug)]
struct SideRows {
    /// The number of runs.
    count: usize,
    /// By number of the region or call path, and by run.
    rows: HashMap<usize, Vec<Values>>,
    total: Vec<Values>,
    iterations: IterationNoise,
}

impl SideRows {
    fn of(runs: &SideTables<'_>, rows: Rows, paths: &mut PathIds) -> Self {
        let count = runs.tables.len();
        let mut of_runs: HashMap<usize, Vec<Values>> = HashMap::new();
        let mut total = vec![Values::default(); count];
        for ((run, table), total) in runs.tables.iter().enumerate().zip(&mut total) {
            for (id, row) in paths.of_rows(table) {
                of_runs.entry(id).or_insert_with(|| vec![Values::default(); count])[run].add(row);
                total.add(row);
            }
            // The time of inner calls is that of their callers as well.
            total.inclusive_ns = total.exclusive_ns;
        }
        let noise = |blocks| Some(IterationNoise::of(runs.tables.first()?.trace, blocks, rows, paths));
        let iterations = runs.iterations.and_then(noise).unwrap_or_default();
        Self { count, rows: of_runs, total, iterations }
    }

    fn row(&self, id: usize) -> Vec<Values> {
        self.rows.get(&id).cloned().unwrap_or_else(|| vec![Values::default(); self.count])
    }
}

/// Returns the noise of the values of runs, which are compared to others; of a single run,
/// `in_run` if that is known.
fn noise_of(runs: &[Values], others: &[Values], in_run: Noise) -> Noise {
    Noise::of_each(|value| {
        let numbers = |runs| of_each(runs, value).into_iter().map(|it| it as f64).collect::<Vec<_>>();
        let of_runs = || noise::of_runs(&numbers(runs), &numbers(others));
        in_run.of(value).or_else(of_runs)
    })
}

impl Diff {
    pub(super) fn of(before: &SideTables<'_>, after: &SideTables<'_>, rows: Rows) -> Self {
        let mut paths = PathIds::default();
        let [before, after] = [before, after].map(|side| SideRows::of(side, rows, &mut paths));
        let change = |name: String, values: [&[Values]; 2], in_runs: [Noise; 2]| {
            let [noise, other] = [0, 1].map(|side| noise_of(values[side], values[1 - side], in_runs[side]));
            Change::of(name, values, noise.joined(&other), rows.value)
        };
        let total = [&before, &after].map(|side| side.iterations.of_total());
        let total = change("(total)".to_owned(), [&before.total, &after.total], total);
        let row = |(id, name): (usize, String)| {
            let values = [&before, &after].map(|side| side.row(id));
            let noise = |side: &SideRows, runs: &[Values]| {
                side.iterations.of_row(id, |value| runs.first().map_or(0, |run| run.of(value)))
            };
            let noise = [noise(&before, &values[0]), noise(&after, &values[1])];
            change(name, [&values[0], &values[1]], noise)
        };
        let mut changes: Vec<_> = paths.names.into_iter().enumerate().map(row).collect();
        changes.sort_by(|one, other| {
            let key = |it: &Change| Reverse(it.by(rows.value).unsigned_abs());
            key(one).cmp(&key(other)).then_with(|| one.region.cmp(&other.region))
        });
        let (value, is_tree) = (rows.value, rows.is_tree);
        Self { value, is_tree, runs: [before.count, after.count], rows: changes, total }
    }

    /// Returns a table of 80 columns with the largest changes; all if `top` is 0.
    pub(super) fn text(&self, top: usize) -> String {
        let what = if self.is_tree { "call path" } else { "region" };
        let mut text = format!("{}\n", self.value.name());
        let has_noise = self.rows.iter().any(|row| row.noise.of(self.value).is_some());
        text += &match has_noise {
            true => format!(
                "{:>10} {:>10} {:>11} {:>9} {:>8}   {what}\n",
                "before", "after", "change", "noise", "%"
            ),
            false => format!("{:>11} {:>11} {:>12} {:>8}  {what}\n", "before", "after", "change", "%"),
        };
        let count = if top == 0 { self.rows.len() } else { top };
        for row in std::iter::once(&self.total).chain(self.rows.iter().take(count)) {
            text += &self.line(row, has_noise);
        }
        if let Some(left) = self.rows.len().checked_sub(count).filter(|left| *left > 0) {
            let _ = writeln!(text, "(more {what}s: {}; '--top 0' prints all)", grouped(left as u128));
        }
        text += match has_noise {
            true => "(*: the change is larger than three times the noise)\n",
            false => "(the noise is not known: compare three runs or more, with '--before')\n",
        };
        text
    }

    fn line(&self, row: &Change, has_noise: bool) -> String {
        let (before, after) = (row.before.of(self.value), row.after.of(self.value));
        let is_time = matches!(self.value, Value::Exclusive | Value::Inclusive);
        let shown = |number: u128| if is_time { time(number as f64) } else { grouped(number) };
        let change = match after.checked_sub(before) {
            Some(more) => format!("+{}", shown(more)),
            None => format!("-{}", shown(before - after)),
        };
        let part = match before {
            0 if after == 0 => "0.0".to_owned(),
            0 => "new".to_owned(),
            _ if after == 0 => "gone".to_owned(),
            _ => match 100.0 * (after as f64 / before as f64 - 1.0) {
                part if part > 9999.9 => ">+9999".to_owned(),
                part => format!("{part:+.1}"),
            },
        };
        let [before, after] = [before, after].map(shown);
        let line = match has_noise {
            true => {
                let noise = row.noise.of(self.value);
                let noise = noise.map_or_else(|| "?".to_owned(), |it| shown(it.ceil() as u128));
                let mark = if row.is_certain == Some(true) { '*' } else { ' ' };
                format!("{before:>10} {after:>10} {change:>11} {noise:>9} {part:>8} {mark}")
            }
            false => format!("{before:>11} {after:>11} {change:>12} {part:>8} "),
        };
        let room = 79_usize.saturating_sub(line.chars().count());
        format!("{line} {}\n", shortened(&row.region, room))
    }

    /// Returns one object with all rows.
    pub(super) fn json(&self) -> Result<String, Problem> {
        #[derive(Serialize)]
        struct Document<'d> {
            format: &'static str,
            version: u32,
            unit: &'static str,
            value: &'static str,
            runs_before: usize,
            runs_after: usize,
            total: &'d Change,
            rows: &'d [Change],
        }
        json::text(&Document {
            format: "kymo-profile-diff",
            version: 1,
            unit: "ns",
            value: self.value.name(),
            runs_before: self.runs[0],
            runs_after: self.runs[1],
            total: &self.total,
            rows: &self.rows,
        })
    }

    /// Returns all rows.
    pub(super) fn csv(&self) -> Result<String, Problem> {
        let mut writer = Writer::from_writer(Vec::new());
        let values = ["visits", "samples", "inclusive_ns", "exclusive_ns"];
        let side = |side: &str| values.map(|value| format!("{side}_{value}"));
        let sides = ["before", "after", "noise"].map(side).concat();
        let heading = [vec!["region".to_owned()], sides].concat();
        writer.write_record(heading).map_err(Problem::environment)?;
        for row in &self.rows {
            let numbers = [&row.before, &row.after].into_iter().flat_map(|it| {
                [it.visits.into(), it.samples.into(), it.inclusive_ns, it.exclusive_ns]
                    .map(|number: u128| number.to_string())
            });
            let noise = [Value::Visits, Value::Samples, Value::Inclusive, Value::Exclusive]
                .map(|value| row.noise.of(value).map_or_else(String::new, |it| it.to_string()));
            let name = harmless(&row.region).into_owned();
            writer
                .write_record(std::iter::once(name).chain(numbers).chain(noise))
                .map_err(Problem::environment)?;
        }
        csv::text(writer)
    }
}
