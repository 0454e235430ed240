//! The differences between two profiles. Regions and call paths are paired by name, because ids
//! differ from trace to trace.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::fmt::Write;

use ::csv::Writer;
use kymo_tables::csv::harmless;
use serde::Serialize;

use super::Value;
use super::csv;
use super::json;
use super::table::{Row, Table, path_text};
use crate::number::{grouped, shortened, time};
use crate::problem::Problem;

/// Two profiles, row by row.
#[derive(Debug)]
pub(super) struct Diff {
    value: Value,
    is_tree: bool,
    /// The largest changes first.
    rows: Vec<Change>,
}

/// The values of a region or call path in both traces.
#[derive(Debug, Default, Serialize)]
struct Change {
    /// The name of the region, or the call path.
    region: String,
    before: Values,
    after: Values,
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
}

impl Change {
    /// Returns by how much a value has grown.
    fn of(&self, value: Value) -> i128 {
        let number = |number: u128| i128::try_from(number).unwrap_or(i128::MAX);
        number(self.after.of(value)) - number(self.before.of(value))
    }
}

/// The call paths of both traces by the names of their regions.
#[derive(Debug, Default)]
struct Paths {
    ids: HashMap<(Option<usize>, String), usize>,
    changes: Vec<Change>,
}

impl Paths {
    /// Adds a row below another one and returns its number.
    fn add(&mut self, parent: Option<usize>, row: &Row<'_>, name: impl FnOnce() -> String) -> usize {
        let new = self.changes.len();
        let id = *self.ids.entry((parent, row.name.to_string())).or_insert(new);
        if id == new {
            self.changes.push(Change { region: name(), ..Change::default() });
        }
        id
    }

    /// Adds all rows of a table, to the side of the changes that `side` returns.
    fn add_all(&mut self, table: &Table<'_>, side: fn(&mut Change) -> &mut Values) {
        let (mut outer, mut path) = (Vec::new(), Vec::new());
        for row in table.parts.iter().flat_map(|part| &part.rows) {
            outer.truncate(row.depth);
            path.truncate(row.depth);
            path.push(row.name.to_string());
            let name = || match table.is_tree {
                true => path_text(&path),
                false => row.name.to_string(),
            };
            let id = self.add(outer.last().copied(), row, name);
            outer.push(id);
            if let Some(change) = self.changes.get_mut(id) {
                side(change).add(row);
            }
        }
    }
}

impl Diff {
    pub(super) fn of(before: &Table<'_>, after: &Table<'_>, value: Value) -> Self {
        let mut paths = Paths::default();
        paths.add_all(before, |change| &mut change.before);
        paths.add_all(after, |change| &mut change.after);
        let mut rows = paths.changes;
        rows.sort_by(|one, other| {
            let key = |it: &Change| Reverse(it.of(value).unsigned_abs());
            key(one).cmp(&key(other)).then_with(|| one.region.cmp(&other.region))
        });
        Self { value, is_tree: before.is_tree, rows }
    }

    /// Returns a table of 80 columns with the largest changes; all if `top` is 0.
    pub(super) fn text(&self, top: usize) -> String {
        let what = if self.is_tree { "call path" } else { "region" };
        let name = match self.value {
            Value::Exclusive => "exclusive",
            Value::Inclusive => "inclusive",
            Value::Visits => "visits",
            Value::Samples => "samples",
        };
        let mut text =
            format!("{name}\n{:>11} {:>11} {:>12} {:>8}  {what}\n", "before", "after", "change", "%");
        let count = if top == 0 { self.rows.len() } else { top };
        let sum = |side: fn(&Change) -> &Values| {
            let exclusive = if self.value == Value::Inclusive { Value::Exclusive } else { self.value };
            self.rows.iter().map(|row| side(row).of(exclusive)).sum()
        };
        text += &self.line("(total)", sum(|row| &row.before), sum(|row| &row.after));
        for row in self.rows.iter().take(count) {
            text += &self.line(&row.region, row.before.of(self.value), row.after.of(self.value));
        }
        if let Some(left) = self.rows.len().checked_sub(count).filter(|left| *left > 0) {
            let _ = writeln!(text, "(more {what}s: {}; '--top 0' prints all)", grouped(left as u128));
        }
        text
    }

    fn line(&self, name: &str, before: u128, after: u128) -> String {
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
        let line = format!("{:>11} {:>11} {change:>12} {part:>8}", shown(before), shown(after));
        let room = 78_usize.saturating_sub(line.chars().count());
        format!("{line}  {}\n", shortened(name, room))
    }

    /// Returns one object with all rows.
    pub(super) fn json(&self) -> Result<String, Problem> {
        #[derive(Serialize)]
        struct Document<'d> {
            format: &'static str,
            version: u32,
            unit: &'static str,
            rows: &'d [Change],
        }
        json::text(&Document { format: "kymo-profile-diff", version: 1, unit: "ns", rows: &self.rows })
    }

    /// Returns all rows.
    pub(super) fn csv(&self) -> Result<String, Problem> {
        let mut writer = Writer::from_writer(Vec::new());
        let values = ["visits", "samples", "inclusive_ns", "exclusive_ns"];
        let side = |side: &str| values.map(|value| format!("{side}_{value}"));
        let heading = [vec!["region".to_owned()], side("before").into(), side("after").into()].concat();
        writer.write_record(heading).map_err(Problem::environment)?;
        for row in &self.rows {
            let numbers = [&row.before, &row.after].into_iter().flat_map(|it| {
                [it.visits.into(), it.samples.into(), it.inclusive_ns, it.exclusive_ns]
                    .map(|number: u128| number.to_string())
            });
            writer
                .write_record(std::iter::once(harmless(&row.region).into_owned()).chain(numbers))
                .map_err(Problem::environment)?;
        }
        csv::text(writer)
    }
}
