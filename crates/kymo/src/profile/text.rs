//! A profile as a table of 80 columns.

use std::fmt::Write;

use kymo_analysis::profile::{OUTSIDE, Quantity};

use super::table::{Column, GroupRows, Row, Table};
use super::{Arguments, By};
use crate::escape;
use crate::number::{grouped, shortened, time};
use crate::output::terminal_width;

/// The width of names in lines that many metrics make longer than that, in characters.
const LEAST_NAME: usize = 16;
/// The width of the table, in characters, where no terminal shows it.
const WIDTH: usize = 80;

pub(super) fn write(table: &Table<'_>, arguments: &Arguments) -> String {
    let mut text = String::new();
    for (number, part) in table.parts.iter().enumerate() {
        if number > 0 {
            text.push('\n');
        }
        write_part(&mut text, table, part, arguments);
    }
    if table.parts.is_empty() {
        text.push_str("no locations\n");
    }
    text
}

fn write_part(text: &mut String, table: &Table<'_>, part: &GroupRows<'_>, arguments: &Arguments) {
    let _ = writeln!(text, "{}", title(table, part));
    let width = terminal_width().filter(|_| arguments.output.as_os_str() == "-");
    let width = width.map_or(WIDTH, |it| it.max(WIDTH));
    let shown = shown(part, arguments);
    let rows: Vec<_> =
        part.rows.iter().zip(&shown).filter(|(_, shown)| **shown).map(|(row, _)| row).collect();
    let columns = Columns::of(table, part, arguments.wide, width).narrowed(table, &rows);
    text.push_str(&columns.heading(if table.is_tree { "call path" } else { "region" }));
    for row in rows {
        text.push_str(&columns.row(row, &table.label(row)));
    }
    if columns.outside > 0 {
        text.push_str(&columns.outside_row());
    }
    let left = shown.iter().filter(|shown| !**shown).count();
    if left > 0 {
        let what = if table.is_tree { "call paths" } else { "regions" };
        let _ = writeln!(text, "(more {what}: {}; '--top 0' prints all)", grouped(left as u128));
    }
}

fn title(table: &Table<'_>, part: &GroupRows<'_>) -> String {
    let numbers =
        format!("locations: {}, events: {}", grouped(part.locations.into()), grouped(part.events.into()));
    let name = format!("{} {}, {}", table.by.name(), part.id, escape::line(&part.name));
    match table.by {
        By::Total => numbers,
        By::Location => format!("{name}: events: {}", grouped(part.events.into())),
        By::Process | By::Node => format!("{name}: {numbers}"),
    }
}

/// Returns which rows to print: the first ones, or, in a tree, those with the largest values.
fn shown(part: &GroupRows<'_>, arguments: &Arguments) -> Vec<bool> {
    let count = part.rows.len();
    if arguments.top == 0 || count <= arguments.top {
        return vec![true; count];
    }
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by_key(|row| std::cmp::Reverse(part.rows[*row].value(arguments.value())));
    let mut shown = vec![false; count];
    for row in order.iter().take(arguments.top) {
        shown[*row] = true;
    }
    // Call paths are printed with their callers, which come before them.
    let mut needed = None;
    for (row, shown) in part.rows.iter().zip(&mut shown).rev() {
        if *shown || needed == Some(row.depth) {
            (*shown, needed) = (true, row.depth.checked_sub(1));
        }
    }
    shown
}

/// The columns of a table.
struct Columns<'t> {
    metrics: Vec<Column<'t>>,
    /// The sum of all exclusive times, and of the next one, in nanoseconds.
    total: u128,
    /// The time that is in no call, if samples show most of the time.
    outside: u128,
    has_samples: bool,
    is_wide: bool,
    width: usize,
    /// The widths of the numbers of visits and of samples.
    visits: usize,
    samples: usize,
}

/// The width of everything but the name and the numbers of visits, samples and metrics.
const OTHERS: usize = 39;

impl<'t> Columns<'t> {
    fn of(table: &Table<'t>, part: &GroupRows<'_>, is_wide: bool, width: usize) -> Self {
        let outside = if part.has_samples() { part.outside } else { 0 };
        let total = part.rows.iter().map(|row| row.sums.exclusive()).sum::<u128>() + outside;
        let has_samples = table.has_samples();
        let metrics = table.columns();
        Self { metrics, total, outside, has_samples, is_wide, width, visits: 11, samples: 9 }
    }

    /// Makes the columns of numbers as narrow as these are, if a name would not fit otherwise.
    fn narrowed(self, table: &Table<'_>, rows: &[&Row<'_>]) -> Self {
        let name = |row: &&Row<'_>| 2 * row.depth + escape::line(table.label(row)).chars().count();
        let longest = rows.iter().map(name).max().unwrap_or(0);
        if self.is_wide || longest <= self.room() {
            return self;
        }
        let needed = |number: fn(&Row<'_>) -> u64, heading: usize| {
            let digits = |row: &&Row<'_>| grouped(number(row).into()).chars().count();
            rows.iter().map(digits).max().unwrap_or(0).max(heading)
        };
        let visits = needed(|row| row.sums.calls.visits, "visits".len()).min(self.visits);
        let samples = needed(|row| row.sums.samples, "samples".len()).min(self.samples);
        Self { visits, samples, ..self }
    }

    /// Returns the width of names in lines that are not wide.
    fn room(&self) -> usize {
        let samples = if self.has_samples { self.samples + 1 } else { 0 };
        let others = OTHERS + self.visits + samples + 12 * self.metrics.len();
        self.width.saturating_sub(others)
    }

    fn heading(&self, last: &str) -> String {
        let (visits, samples) = (self.visits, self.samples);
        let mut line =
            format!("{:>9} {:>6} {:>9} {:>visits$} {:>9}", "exclusive", "%", "inclusive", "visits", "mean");
        if self.has_samples {
            let _ = write!(line, " {:>samples$}", "samples");
        }
        if self.is_wide {
            let _ = write!(line, " {:>9} {:>9} {:>9}", "min", "max", "deviation");
        }
        for column in &self.metrics {
            let _ = write!(line, " {:>11}", shortened(column.name, 11));
        }
        line + "  " + last + "\n"
    }

    fn row(&self, row: &Row<'_>, label: &str) -> String {
        let sums = &row.sums;
        let exclusive = sums.exclusive();
        let part = self.part(exclusive);
        let (visits, samples) = (self.visits, self.samples);
        let mut line = format!(
            "{:>9} {part:>6.2} {:>9} {:>visits$} {:>9}",
            time(exclusive as f64),
            time(sums.inclusive() as f64),
            grouped(sums.calls.visits.into()),
            sums.calls.mean().map_or_else(|| "-".to_owned(), time),
        );
        if self.has_samples {
            let _ = write!(line, " {:>samples$}", grouped(sums.samples.into()));
        }
        if !self.is_wide {
            line += &self.metrics(row);
        }
        let name = format!("{}{}", "  ".repeat(row.depth.min(self.width)), escape::line(label));
        if self.is_wide {
            let calls = Some(sums.calls).filter(|calls| calls.visits > 0);
            let shown = |time_of: Option<f64>| time_of.map_or_else(|| "-".to_owned(), time);
            let metrics = self.metrics(row);
            let _ = write!(
                line,
                " {:>9} {:>9} {:>9}{metrics}  {name}",
                shown(calls.map(|it| it.shortest as f64)),
                shown(calls.map(|it| it.longest as f64)),
                shown(sums.calls.deviation()),
            );
        } else {
            let room = self.width.saturating_sub(line.chars().count() + 2).max(LEAST_NAME);
            let _ = write!(line, "  {}", shortened(&name, room));
        }
        line + "\n"
    }

    /// Returns the row of the time that is in no call.
    fn outside_row(&self) -> String {
        let part = self.part(self.outside);
        let samples = if self.has_samples { self.samples + 1 } else { 0 };
        let blank = 20 + self.visits + samples + 30 * usize::from(self.is_wide);
        let blank = blank + 12 * self.metrics.len();
        format!("{:>9} {part:>6.2} {:blank$}  ({OUTSIDE})\n", time(self.outside as f64), "")
    }

    /// Returns a part of the total in per cent.
    fn part(&self, exclusive: u128) -> f64 {
        if self.total == 0 { 0.0 } else { 100.0 * exclusive as f64 / self.total as f64 }
    }

    /// Returns the columns of the metrics: the count outside inner calls, or the highest value.
    fn metrics(&self, row: &Row<'_>) -> String {
        let cell = |(place, column): (usize, &Column<'_>)| {
            let sums = row.metrics.get(place);
            let quantity =
                sums.and_then(|it| if column.is_counted() { Some(it.exclusive) } else { it.highest });
            let text = quantity.map_or_else(|| "-".to_owned(), |it| digits_or_count(column, it));
            format!(" {text:>11}")
        };
        self.metrics.iter().enumerate().map(cell).collect()
    }
}

/// Returns an integer with separators if it fits the column, otherwise about four digits.
fn digits_or_count(column: &Column<'_>, quantity: Quantity) -> String {
    let integer = quantity.integer(&column.metric).and_then(|integer| u128::try_from(integer).ok());
    let text = integer.map(grouped).filter(|text| text.len() <= 11);
    text.unwrap_or_else(|| format!("{:.4e}", quantity.number(&column.metric)))
}
