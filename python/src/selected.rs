//! The arguments that select a part of a trace.

use std::collections::HashSet;
use std::num::NonZero;

use kymo_analysis::{Selection, SelectionPart, Trace};
use kymo_otf2::references::LocationRef;
use kymo_tables::Names;
use kymo_tables::dataset::List;
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;

/// The part of a trace to read, and in how many threads.
#[derive(Debug, FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct SelectionArguments {
    /// First and last time, in nanoseconds since the start of the trace.
    time: Option<(u64, u64)>,
    locations: Option<Vec<u64>>,
    /// The names of the regions of rows.
    regions: Option<Vec<String>>,
    part: Option<(u64, u64)>,
    threads: Option<usize>,
}

impl SelectionArguments {
    /// Returns whether only the rows of some regions are wanted.
    pub(crate) fn selects_regions(&self) -> bool {
        self.regions.is_some()
    }

    /// Returns the regions of rows by their places in the list of names, if not all.
    pub(crate) fn regions(&self, names: &Names) -> PyResult<Option<HashSet<u32>>> {
        let Some(regions) = &self.regions else { return Ok(None) };
        let all = names.list(List::Regions);
        let place = |name: &String| {
            let place = all.iter().position(|it| it == name).and_then(|place| u32::try_from(place).ok());
            place.ok_or_else(|| PyKeyError::new_err(format!("the trace has no region {name}")))
        };
        regions.iter().map(place).collect::<PyResult<_>>().map(Some)
    }

    /// Returns the names of the regions of rows, if not all.
    pub(crate) fn region_names(&self, names: &Names) -> PyResult<Option<HashSet<String>>> {
        self.regions(names)?;
        Ok(self.regions.as_ref().map(|regions| regions.iter().cloned().collect()))
    }

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
