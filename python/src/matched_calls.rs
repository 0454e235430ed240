//! Calls by the rules of pipit: a leave ends the innermost open call of its region in its location,
//! and depths and callers are those among the calls that are complete.

use std::collections::HashMap;

use arrow_array::cast::AsArray;
use arrow_array::types::{UInt8Type, UInt32Type, UInt64Type};
use arrow_array::{Float64Array, Int32Array, Int64Array, RecordBatch};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::Arc;

use crate::arrow_input::batches_of;
use crate::columns::table;
use crate::table::ArrowTable;

/// The kinds of events that begin and end calls.
const ENTER: u8 = 1;
const LEAVE: u8 = 2;

/// No row.
const NONE: i64 = -1;

/// The columns of events that decide about calls.
struct CallEvents<'b> {
    kinds: &'b [u8],
    names: &'b [u32],
    locations: &'b [u64],
    times: &'b [u64],
}

/// The facts about each row.
struct MatchedCalls {
    /// The row of the other end of the call.
    partners: Vec<i64>,
    /// The numbers of calls around calls, at their enters.
    depths: Vec<i32>,
    /// The rows of the enters of their callers, at their enters.
    callers: Vec<i64>,
    /// Times without those of inner calls, at their enters.
    exclusive: Vec<f64>,
}

/// Returns partner, depth, caller and exclusive time of each row, -1 or NaN where there is none.
///
/// Columns: kind (1 for enters, 2 for leaves), name, location and time; the rows of a location are
/// in their order.
#[pyfunction]
pub(crate) fn matched_calls(py: Python<'_>, events: &Bound<'_, PyAny>) -> PyResult<ArrowTable> {
    let batches = batches_of(events)?;
    let events = match batches.as_slice() {
        [] => CallEvents { kinds: &[], names: &[], locations: &[], times: &[] },
        [batch] => CallEvents::of(batch).ok_or_else(|| PyValueError::new_err("events: expected numbers"))?,
        _ => return Err(PyValueError::new_err("events: expected one batch")),
    };
    let calls = py.detach(|| events.matched());
    let made = table(vec![
        ("partner", Arc::new(Int64Array::from(calls.partners))),
        ("depth", Arc::new(Int32Array::from(calls.depths))),
        ("caller", Arc::new(Int64Array::from(calls.callers))),
        ("exclusive", Arc::new(Float64Array::from(calls.exclusive))),
    ]);
    made.map(ArrowTable::of).map_err(|error| PyValueError::new_err(error.to_string()))
}

impl<'b> CallEvents<'b> {
    fn of(batch: &'b RecordBatch) -> Option<Self> {
        Some(Self {
            kinds: batch.column_by_name("kind")?.as_primitive_opt::<UInt8Type>()?.values(),
            names: batch.column_by_name("name")?.as_primitive_opt::<UInt32Type>()?.values(),
            locations: batch.column_by_name("location")?.as_primitive_opt::<UInt64Type>()?.values(),
            times: batch.column_by_name("time")?.as_primitive_opt::<UInt64Type>()?.values(),
        })
    }

    fn matched(&self) -> MatchedCalls {
        let count = self.kinds.len();
        let mut calls = MatchedCalls {
            partners: self.partners(),
            depths: vec![NONE as i32; count],
            callers: vec![NONE; count],
            exclusive: vec![f64::NAN; count],
        };
        let mut open = OpenRows::default();
        for row in 0..count {
            let partner = calls.partners[row];
            if partner == NONE {
                continue;
            }
            let open = open.of(self.locations[row]);
            if self.kinds[row] == LEAVE {
                open.pop();
                continue;
            }
            let duration = (self.times[partner as usize] - self.times[row]) as f64;
            calls.depths[row] = open.len() as i32;
            calls.exclusive[row] = duration;
            if let Some(caller) = open.last() {
                calls.callers[row] = *caller as i64;
                calls.exclusive[*caller] -= duration;
            }
            open.push(row);
        }
        calls
    }

    /// Returns the row of the other end of each call.
    fn partners(&self) -> Vec<i64> {
        let mut partners = vec![NONE; self.kinds.len()];
        let mut open = OpenRows::default();
        for (row, kind) in self.kinds.iter().enumerate() {
            match *kind {
                ENTER => open.of(self.locations[row]).push(row),
                LEAVE => {
                    let open = open.of(self.locations[row]);
                    let name = self.names[row];
                    if let Some(place) = open.iter().rposition(|enter| self.names[*enter] == name) {
                        let enter = open.remove(place);
                        partners[enter] = row as i64;
                        partners[row] = enter as i64;
                    }
                }
                _ => {}
            }
        }
        partners
    }
}

/// The rows of open calls by location.
#[derive(Default)]
struct OpenRows {
    locations: HashMap<u64, Vec<usize>>,
    /// The location of the last row, whose calls are here.
    location: u64,
    rows: Vec<usize>,
}

impl OpenRows {
    /// Returns the open calls of a location.
    fn of(&mut self, location: u64) -> &mut Vec<usize> {
        if location != self.location {
            let rows = self.locations.remove(&location).unwrap_or_default();
            let left = std::mem::replace(&mut self.rows, rows);
            self.locations.insert(std::mem::replace(&mut self.location, location), left);
        }
        &mut self.rows
    }
}
