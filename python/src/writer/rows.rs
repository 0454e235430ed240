//! Rows of tables by location. Their columns are those that `kymograph/_writer.py` makes.

use std::collections::BTreeMap;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type, UInt8Type, UInt32Type, UInt64Type};
use arrow_array::{Array, ArrowPrimitiveType, PrimitiveArray, RecordBatch};
use kymo_otf2::enums::{CollectiveOp, CollectiveRoot, Type};
use kymo_otf2::value::MetricValue;

use super::WriteFailure;
use super::call_order::{CallRow, CallStep};
use super::collective_order::{CollectiveRow, events_of_collectives};
use super::definitions::WrittenDefinitions;
use super::event_order::{EventPlace, TimedEvent, WrittenEvent};

/// The rows of tables.
#[derive(Debug, Default)]
pub(super) struct TableRows {
    pub(super) calls: Vec<RecordBatch>,
    pub(super) events: Vec<RecordBatch>,
    pub(super) messages: Vec<RecordBatch>,
    pub(super) collectives: Vec<RecordBatch>,
    pub(super) metrics: Vec<RecordBatch>,
}

/// The rows of a location.
#[derive(Debug, Default)]
pub(super) struct LocationRows {
    pub(super) calls: Vec<CallRow>,
    pub(super) steps: Vec<CallStep>,
    collectives: Vec<CollectiveRow>,
    pub(super) others: Vec<TimedEvent>,
}

/// The rows of locations.
#[derive(Debug, Default)]
pub(super) struct RowsByLocation(pub(super) BTreeMap<u64, LocationRows>);

/// A column of a table.
struct InputColumn<'b, T: ArrowPrimitiveType> {
    table: &'static str,
    name: &'static str,
    array: &'b PrimitiveArray<T>,
}

impl<'b, T: ArrowPrimitiveType> InputColumn<'b, T> {
    fn of(table: &'static str, batch: &'b RecordBatch, name: &'static str) -> Result<Self, WriteFailure> {
        let array = batch.column_by_name(name).and_then(|array| array.as_primitive_opt::<T>());
        let expected = || WriteFailure::Mistake(format!("{table}: expected a column {name} of numbers"));
        Ok(Self { table, name, array: array.ok_or_else(expected)? })
    }

    fn optional(&self, row: usize) -> Option<T::Native> {
        self.array.is_valid(row).then(|| self.array.value(row))
    }

    fn value(&self, row: usize) -> Result<T::Native, WriteFailure> {
        self.optional(row).ok_or_else(|| {
            WriteFailure::Mistake(format!("{}: column {} has no value in row {row}", self.table, self.name))
        })
    }
}

impl InputColumn<'_, UInt64Type> {
    /// Returns a time, which fits into the signed numbers of tables.
    fn time(&self, row: usize) -> Result<u64, WriteFailure> {
        checked_time(self.table, self.value(row)?)
    }
}

impl RowsByLocation {
    /// Sorts the rows of tables by location. Events other than enters and leaves are in the order
    /// of time.
    pub(super) fn of(tables: &TableRows, definitions: &WrittenDefinitions) -> Result<Self, WriteFailure> {
        let mut rows = Self::default();
        tables.calls.iter().try_for_each(|batch| rows.add_calls(batch, definitions))?;
        tables.events.iter().try_for_each(|batch| rows.add_events(batch, definitions))?;
        tables.messages.iter().try_for_each(|batch| rows.add_messages(batch, definitions))?;
        tables.collectives.iter().try_for_each(|batch| rows.add_collectives(batch, definitions))?;
        tables.metrics.iter().try_for_each(|batch| rows.add_metrics(batch, definitions))?;
        for rows in rows.0.values_mut() {
            rows.others.extend(events_of_collectives(std::mem::take(&mut rows.collectives)));
            rows.others.sort_by_key(|other| other.time);
        }
        Ok(rows)
    }

    fn at(&mut self, location: u64) -> &mut LocationRows {
        self.0.entry(location).or_default()
    }

    fn add_calls(&mut self, batch: &RecordBatch, known: &WrittenDefinitions) -> Result<(), WriteFailure> {
        const TABLE: &str = "calls";
        let locations = InputColumn::<UInt64Type>::of(TABLE, batch, "location")?;
        let times = InputColumn::<UInt64Type>::of(TABLE, batch, "time")?;
        let durations = InputColumn::<UInt64Type>::of(TABLE, batch, "duration")?;
        let regions = InputColumn::<UInt32Type>::of(TABLE, batch, "region")?;
        let depths = InputColumn::<UInt32Type>::of(TABLE, batch, "depth")?;
        let call = |row| -> Result<CallRow, WriteFailure> {
            let (start, region) = (times.time(row)?, regions.value(row)?);
            known.check_region(region)?;
            let end = end_of(TABLE, start, durations.value(row)?)?;
            Ok(CallRow { start, end, region, depth: depths.optional(row) })
        };
        for (location, rows) in runs(&locations, batch)? {
            let calls = &mut self.at(location).calls;
            calls.reserve(rows.len());
            rows.into_iter().try_for_each(|row| call(row).map(|call| calls.push(call)))?;
        }
        Ok(())
    }

    fn add_events(&mut self, batch: &RecordBatch, known: &WrittenDefinitions) -> Result<(), WriteFailure> {
        const TABLE: &str = "events";
        let locations = InputColumn::<UInt64Type>::of(TABLE, batch, "location")?;
        let times = InputColumn::<UInt64Type>::of(TABLE, batch, "time")?;
        let regions = InputColumn::<UInt32Type>::of(TABLE, batch, "region")?;
        let is_enter = InputColumn::<UInt8Type>::of(TABLE, batch, "is_enter")?;
        let step = |row| -> Result<CallStep, WriteFailure> {
            let (time, region) = (times.time(row)?, regions.value(row)?);
            known.check_region(region)?;
            Ok(CallStep { time, region, is_enter: is_enter.value(row)? > 0 })
        };
        for (location, rows) in runs(&locations, batch)? {
            let steps = &mut self.at(location).steps;
            rows.into_iter().try_for_each(|row| step(row).map(|step| steps.push(step)))?;
        }
        Ok(())
    }

    fn add_messages(&mut self, batch: &RecordBatch, known: &WrittenDefinitions) -> Result<(), WriteFailure> {
        const TABLE: &str = "messages";
        let sources = InputColumn::<UInt64Type>::of(TABLE, batch, "source")?;
        let destinations = InputColumn::<UInt64Type>::of(TABLE, batch, "destination")?;
        let times = InputColumn::<UInt64Type>::of(TABLE, batch, "time")?;
        let receive_times = InputColumn::<UInt64Type>::of(TABLE, batch, "receive_time")?;
        let source_ranks = InputColumn::<UInt32Type>::of(TABLE, batch, "source_rank")?;
        let destination_ranks = InputColumn::<UInt32Type>::of(TABLE, batch, "destination_rank")?;
        let communicators = InputColumn::<UInt32Type>::of(TABLE, batch, "communicator")?;
        let tags = InputColumn::<UInt32Type>::of(TABLE, batch, "tag")?;
        let sizes = InputColumn::<UInt64Type>::of(TABLE, batch, "bytes")?;
        for row in 0..batch.num_rows() {
            let communicator = communicators.value(row)?;
            known.check_communicator(communicator)?;
            let (tag, bytes) = (tags.value(row)?, sizes.value(row)?);
            let rank = |ranks: &InputColumn<'_, UInt32Type>, location: Option<u64>| match location {
                _ if ranks.optional(row).is_some() => ranks.value(row),
                Some(location) => known.rank(communicator, location),
                None => ranks.value(row),
            };
            let (source, destination) = (sources.optional(row), destinations.optional(row));
            let (time, receive_time) = (times.optional(row), receive_times.optional(row));
            [time, receive_time]
                .into_iter()
                .flatten()
                .try_for_each(|it| checked_time(TABLE, it).map(drop))?;
            let (sender, receiver) = (rank(&source_ranks, source), rank(&destination_ranks, destination));
            if let Some(time) = time {
                let event = WrittenEvent::Send { receiver: receiver?, communicator, tag, bytes };
                self.at(sources.value(row)?).others.push(TimedEvent {
                    time,
                    place: EventPlace::AtStart,
                    event,
                });
            }
            if let Some(receive_time) = receive_time {
                // A message to oneself is sent first.
                let is_own = source == destination && time == Some(receive_time);
                let place = if is_own { EventPlace::AtStart } else { EventPlace::AtEnd };
                let event = WrittenEvent::Receive { sender: sender?, communicator, tag, bytes };
                let received = TimedEvent { time: receive_time, place, event };
                self.at(destinations.value(row)?).others.push(received);
            }
        }
        Ok(())
    }

    fn add_collectives(
        &mut self,
        batch: &RecordBatch,
        known: &WrittenDefinitions,
    ) -> Result<(), WriteFailure> {
        const TABLE: &str = "collectives";
        let locations = InputColumn::<UInt64Type>::of(TABLE, batch, "location")?;
        let times = InputColumn::<UInt64Type>::of(TABLE, batch, "time")?;
        let durations = InputColumn::<UInt64Type>::of(TABLE, batch, "duration")?;
        let operations = InputColumn::<UInt8Type>::of(TABLE, batch, "operation")?;
        let communicators = InputColumn::<UInt32Type>::of(TABLE, batch, "communicator")?;
        let roots = InputColumn::<UInt32Type>::of(TABLE, batch, "root")?;
        let sent = InputColumn::<UInt64Type>::of(TABLE, batch, "bytes_sent")?;
        let received = InputColumn::<UInt64Type>::of(TABLE, batch, "bytes_received")?;
        for row in 0..batch.num_rows() {
            let communicator = communicators.value(row)?;
            known.check_communicator(communicator)?;
            let start = times.time(row)?;
            let operation = CollectiveOp(operations.value(row)?);
            if operation.name().is_none() {
                return Err(WriteFailure::Mistake(format!("{TABLE}: {operation} is no operation")));
            }
            self.at(locations.value(row)?).collectives.push(CollectiveRow {
                start,
                end: end_of(TABLE, start, durations.value(row)?)?,
                operation,
                communicator,
                root: roots.optional(row).unwrap_or(CollectiveRoot::NONE.0),
                sent: sent.value(row)?,
                received: received.value(row)?,
            });
        }
        Ok(())
    }

    fn add_metrics(&mut self, batch: &RecordBatch, known: &WrittenDefinitions) -> Result<(), WriteFailure> {
        const TABLE: &str = "metrics";
        let locations = InputColumn::<UInt64Type>::of(TABLE, batch, "location")?;
        let times = InputColumn::<UInt64Type>::of(TABLE, batch, "time")?;
        let metrics = InputColumn::<UInt32Type>::of(TABLE, batch, "metric")?;
        let integers = InputColumn::<Int64Type>::of(TABLE, batch, "value_int")?;
        let doubles = InputColumn::<Float64Type>::of(TABLE, batch, "value_double")?;
        for row in 0..batch.num_rows() {
            let metric = metrics.value(row)?;
            let value = match (known.value_type(metric)?, integers.optional(row), doubles.optional(row)) {
                (Type::DOUBLE, None, Some(value)) => MetricValue::from(value),
                (Type::DOUBLE, Some(value), None) => MetricValue::from(value as f64),
                (Type::INT64, Some(value), None) => MetricValue::from(value),
                (Type::UINT64, Some(value), None) if value >= 0 => MetricValue::from(value as u64),
                (expected, ..) => {
                    let text = format!("{TABLE}: metric {metric} has no {expected} value in row {row}");
                    return Err(WriteFailure::Mistake(text));
                }
            };
            let event = WrittenEvent::Value { metric, value };
            let value = TimedEvent { time: times.time(row)?, place: EventPlace::First, event };
            self.at(locations.value(row)?).others.push(value);
        }
        Ok(())
    }
}

fn end_of(table: &str, start: u64, duration: u64) -> Result<u64, WriteFailure> {
    checked_time(table, start.saturating_add(duration))
}

/// Returns a time that is less than 2⁶³ ticks.
fn checked_time(table: &str, time: u64) -> Result<u64, WriteFailure> {
    let late = |_| WriteFailure::Mistake(format!("{table}: {time} is later than a time can be"));
    i64::try_from(time).map(i64::unsigned_abs).map_err(late)
}

/// Returns the locations of rows, with the rows that follow each other.
fn runs(
    locations: &InputColumn<'_, UInt64Type>,
    batch: &RecordBatch,
) -> Result<Vec<(u64, std::ops::Range<usize>)>, WriteFailure> {
    let mut runs: Vec<(u64, std::ops::Range<usize>)> = Vec::new();
    for row in 0..batch.num_rows() {
        let location = locations.value(row)?;
        match runs.last_mut() {
            Some((of, rows)) if *of == location => rows.end = row + 1,
            _ => runs.push((location, row..row + 1)),
        }
    }
    Ok(runs)
}
