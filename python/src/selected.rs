//! The arguments that select a part of a trace.

use std::collections::HashSet;
use std::num::NonZero;

use kymo_analysis::{Selection, SelectionPart, Trace};
use kymo_otf2::references::LocationRef;
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;

/// The part of a trace to read, and in how many threads.
#[derive(Debug, FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Selected {
    /// First and last time, in nanoseconds since the start of the trace.
    time: Option<(u64, u64)>,
    locations: Option<Vec<u64>>,
    part: Option<(u64, u64)>,
    threads: Option<usize>,
}

impl Selected {
    /// Returns the part of a trace.
    pub(crate) fn of(&self, trace: &Trace) -> PyResult<Selection> {
        let mut selection = Selection::default();
        if let Some((first, last)) = self.time {
            if last < first {
                return Err(PyValueError::new_err("time: the second time is before the first"));
            }
            (selection.from, selection.to) = (first, last);
        }
        if let Some(ids) = &self.locations {
            if let Some(id) = ids.iter().find(|id| trace.location(LocationRef(**id)).is_none()) {
                return Err(PyKeyError::new_err(format!("the trace has no location {id}")));
            }
            selection.locations = Some(ids.iter().copied().map(LocationRef).collect::<HashSet<_>>());
        }
        if let Some((index, count)) = self.part {
            let wrong = || PyValueError::new_err("part: expected (i, n) with i from 0 to n - 1");
            let count = NonZero::new(count).filter(|count| index < count.get()).ok_or_else(wrong)?;
            selection.part = SelectionPart { index, count };
        }
        if let Some(threads) = self.threads {
            let none = || PyValueError::new_err("threads: expected at least 1");
            selection.threads = NonZero::new(threads).ok_or_else(none)?;
        }
        Ok(selection)
    }
}
