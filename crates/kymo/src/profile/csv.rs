//! A profile as CSV, RFC 4180: a row per region or calling context, empty where a value is missing.
//! Scripts rely on the first four columns, so everything else comes after them.

use ::csv::Writer;
use kymo_analysis::profile::Quantity;
use kymo_tables::csv::harmless;

use super::By;
use super::table::{Column, GroupRows, Row, Table};
use crate::problem::Problem;

pub(super) fn write(table: &Table<'_>) -> Result<String, Problem> {
    let mut writer = Writer::from_writer(Vec::new());
    let mut heading = vec!["region", "visits", "inclusive_ns", "exclusive_ns"];
    heading.extend(["min_ns", "max_ns", "mean_ns", "deviation_ns", "samples", "region_id", "file", "line"]);
    if table.is_tree {
        heading.extend(["context", "parent", "depth"]);
    }
    if table.by != By::Total {
        heading.extend(["group", "group_name"]);
    }
    let columns = table.columns();
    let metrics: Vec<_> = columns.iter().flat_map(heading_of).collect();
    heading.extend(metrics.iter().map(String::as_str));
    writer.write_record(&heading).map_err(Problem::environment)?;
    for part in &table.parts {
        for row in &part.rows {
            let metrics = columns.iter().enumerate().flat_map(|(place, column)| values(row, column, place));
            let fields = fields(table, part, row).into_iter().chain(metrics);
            writer.write_record(fields).map_err(Problem::environment)?;
        }
    }
    text(writer)
}

/// Returns the names of the columns of a metric.
fn heading_of(column: &Column<'_>) -> Vec<String> {
    let name = |what| format!("{} {what}", column.name);
    if column.is_counted() { vec![name("inclusive"), name("exclusive")] } else { vec![name("highest")] }
}

/// Returns the values of a metric in a row.
fn values(row: &Row<'_>, column: &Column<'_>, place: usize) -> Vec<String> {
    let sums = row.metrics.get(place);
    let text = |quantity: Option<Quantity>| quantity.map_or_else(String::new, |it| column.text(it));
    match column.is_counted() {
        true => vec![text(sums.map(|it| it.inclusive)), text(sums.map(|it| it.exclusive))],
        false => vec![text(sums.and_then(|it| it.highest))],
    }
}

/// Returns the written text.
pub(super) fn text(writer: Writer<Vec<u8>>) -> Result<String, Problem> {
    let bytes = writer.into_inner().map_err(Problem::environment)?;
    String::from_utf8(bytes).map_err(Problem::environment)
}

fn fields(table: &Table<'_>, part: &GroupRows<'_>, row: &Row<'_>) -> Vec<String> {
    let region = table.trace.region(row.region);
    let file = region.and_then(|it| table.trace.string(it.source_file)).unwrap_or_default();
    let line = region.map(|it| it.line).filter(|line| *line > 0);
    let (calls, sums) = (row.sums.calls, &row.sums);
    let has_calls = calls.visits > 0;
    let mut fields = vec![
        harmless(&row.name).into_owned(),
        calls.visits.to_string(),
        sums.inclusive().to_string(),
        sums.exclusive().to_string(),
        optional(has_calls.then_some(calls.shortest)),
        optional(has_calls.then_some(calls.longest)),
        optional(calls.mean()),
        optional(calls.deviation()),
        sums.samples.to_string(),
        row.region.0.to_string(),
        harmless(file).into_owned(),
        optional(line),
    ];
    if table.is_tree {
        let parent = table.profile.contexts.parent(row.context);
        let parent = if row.depth == 0 { String::new() } else { parent.0.to_string() };
        fields.extend([row.context.0.to_string(), parent, row.depth.to_string()]);
    }
    if table.by != By::Total {
        fields.extend([part.id.to_string(), harmless(&part.name).into_owned()]);
    }
    fields
}

/// Returns the value, or nothing.
pub(super) fn optional(value: Option<impl ToString>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}
