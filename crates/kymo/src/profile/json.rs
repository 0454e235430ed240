//! A profile as one JSON object.

use std::collections::BTreeMap;

use serde::Serialize;

use kymo_analysis::ContextId;
use kymo_analysis::profile::Quantity;

use super::By;
use super::table::{Column, GroupRows, Row, Table};
use crate::problem::Problem;

/// The names and the order of the fields are part of the format, which docs/reference/profile.md
/// describes.
#[derive(Debug, Serialize)]
struct Document<'t> {
    format: &'static str,
    version: u32,
    unit: &'static str,
    by: &'static str,
    remarks: Vec<Remark>,
    groups: Vec<GroupObject<'t>>,
}

#[derive(Debug, Serialize)]
struct Remark {
    count: u64,
    what: &'static str,
}

#[derive(Debug, Serialize)]
struct GroupObject<'t> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<u64>,
    #[serde(skip_serializing_if = "str::is_empty")]
    name: &'t str,
    locations: u64,
    events: u64,
    length_ns: u128,
    outside_ns: u128,
    rows: Vec<RowObject<'t>>,
}

/// A row, as JSON and CSV contain it.
#[derive(Debug, Serialize)]
pub(super) struct RowObject<'t> {
    region: &'t str,
    visits: u64,
    inclusive_ns: u128,
    exclusive_ns: u128,
    #[serde(skip_serializing_if = "Option::is_none")]
    min_ns: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_ns: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mean_ns: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    deviation_ns: Option<f64>,
    samples: u64,
    region_id: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'t str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    context: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    parent: Option<u32>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    metrics: BTreeMap<&'t str, MetricObject<'t>>,
}

/// A metric in a row: the count, or the highest value.
#[derive(Debug, Serialize)]
struct MetricObject<'t> {
    unit: &'t str,
    #[serde(skip_serializing_if = "Option::is_none")]
    inclusive: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    exclusive: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    highest: Option<Number>,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Number {
    Integer(i128),
    Real(f64),
}

pub(super) fn write(table: &Table<'_>) -> Result<String, Problem> {
    let remarks = table.profile.remarks.iter().map(|(count, what)| Remark { count, what });
    let document = Document {
        format: "kymo-profile",
        version: 1,
        unit: "ns",
        by: table.by.name(),
        remarks: remarks.collect(),
        groups: table.parts.iter().map(|part| group(table, part)).collect(),
    };
    text(&document)
}

/// Returns a value as a line of JSON.
pub(super) fn text(value: &impl Serialize) -> Result<String, Problem> {
    serde_json::to_string(value).map(|text| text + "\n").map_err(Problem::environment)
}

fn group<'t>(table: &'t Table<'_>, part: &'t GroupRows<'_>) -> GroupObject<'t> {
    let columns = table.columns();
    GroupObject {
        id: (table.by != By::Total).then_some(part.id),
        name: &part.name,
        locations: part.locations,
        events: part.events,
        length_ns: part.length,
        outside_ns: part.outside,
        rows: part.rows.iter().map(|it| row(table, &columns, it)).collect(),
    }
}

fn metric<'t>(row: &Row<'_>, column: &Column<'t>, place: usize) -> Option<(&'t str, MetricObject<'t>)> {
    let sums = row.metrics.get(place)?;
    let number = |quantity: Quantity| {
        let real = || Number::Real(quantity.number(&column.metric));
        quantity.integer(&column.metric).map_or_else(real, Number::Integer)
    };
    let counted = |quantity| column.is_counted().then(|| number(quantity));
    let object = MetricObject {
        unit: column.unit,
        inclusive: counted(sums.inclusive),
        exclusive: counted(sums.exclusive),
        highest: sums.highest.map(number),
    };
    Some((column.name, object))
}

fn row<'t>(table: &'t Table<'_>, columns: &[Column<'t>], row: &'t Row<'_>) -> RowObject<'t> {
    let parent = table.profile.contexts.parent(row.context);
    let region = table.trace.region(row.region);
    let calls = row.sums.calls;
    RowObject {
        region: &row.name,
        visits: calls.visits,
        inclusive_ns: row.sums.inclusive(),
        exclusive_ns: row.sums.exclusive(),
        min_ns: (calls.visits > 0).then_some(calls.shortest),
        max_ns: (calls.visits > 0).then_some(calls.longest),
        mean_ns: calls.mean(),
        deviation_ns: calls.deviation(),
        samples: row.sums.samples,
        region_id: row.region.0,
        file: region.and_then(|it| table.trace.string(it.source_file)),
        line: region.map(|it| it.line).filter(|line| *line > 0),
        context: table.is_tree.then_some(row.context.0),
        parent: (table.is_tree && parent != ContextId::ROOT).then_some(parent.0),
        metrics: columns
            .iter()
            .enumerate()
            .filter_map(|(place, column)| metric(row, column, place))
            .collect(),
    }
}
