//! Archives that Python has opened.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::RecordBatch;
use kymo_analysis::statistics::{self, Statistics};
use kymo_analysis::{CommunicationFunctions, Error, Selection, SelectionPart, Trace};
use kymo_otf2::FileName;
use kymo_tables::dataset::Column;
use kymo_tables::{Dataset, Names};
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;

use crate::failure::TraceFailure;
use crate::interruption::interruptible;
use crate::profiles;
use crate::selected::SelectionArguments;
use crate::sums;
use crate::table::{ArrowTable, DatasetRows};
use crate::time_profiles;

/// An archive with its definitions.
#[pyclass(frozen, name = "Archive", module = "kymograph._native")]
pub(crate) struct OpenedArchive {
    opened: Arc<SharedTrace>,
}

/// The data that all tables of a trace share.
pub(crate) struct SharedTrace {
    pub(crate) trace: Trace,
    pub(crate) names: Names,
    pub(crate) functions: CommunicationFunctions,
}

impl SharedTrace {
    fn open(path: &Path) -> Result<Self, TraceFailure> {
        let anchor = kymo_analysis::anchor_path(path).map_err(|error| TraceFailure::of_path(&error))?;
        let archive = kymo_otf2::read::Archive::open(&anchor);
        let archive = archive.map_err(|error| TraceFailure::of_file(&anchor, &error))?;
        // Kept for messages, which name files of the archive.
        let paths = archive.as_written();
        let failed = |error: kymo_analysis::Error| TraceFailure::of_analysis(&paths, &error);
        let trace = Trace::of(archive).map_err(failed)?;
        let functions = CommunicationFunctions::of(&trace);
        let names = Names::of(&trace).map_err(failed)?;
        Ok(Self { trace, names, functions })
    }
}

#[pymethods]
impl OpenedArchive {
    /// Opens the archive that a path names: its anchor file, or the folder of it.
    #[new]
    fn open(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let opened = interruptible(py, move || SharedTrace::open(&path))?;
        let opened = opened.map_err(|failure| failure.exception(py))?;
        Ok(Self { opened: Arc::new(opened) })
    }

    /// The anchor file.
    #[getter]
    fn path(&self) -> PathBuf {
        self.opened.trace.archive().path(FileName::Anchor)
    }

    /// The ids of the locations.
    #[getter]
    fn location_ids(&self) -> Vec<u64> {
        self.opened.trace.locations().iter().map(|location| location.id.0).collect()
    }

    /// The number of events that the definitions of the locations state.
    #[getter]
    fn number_of_events(&self) -> u64 {
        self.opened.trace.locations().iter().map(|it| it.events).fold(0, u64::saturating_add)
    }

    /// The number of groups into which parts deal the locations.
    #[getter]
    fn number_of_groups(&self) -> usize {
        kymo_tables::group_numbers(&self.opened.trace, &Selection::default()).len()
    }

    /// The number of events that the recorder lost, None if it did not state it.
    #[getter]
    fn events_lost(&self) -> Option<u64> {
        self.opened.trace.events_lost()
    }

    /// Ticks per second of the clock.
    #[getter]
    fn clock_resolution(&self) -> u64 {
        self.opened.trace.clock().resolution()
    }

    /// The length by the clock properties, in nanoseconds; 0 if it is unknown.
    #[getter]
    fn length(&self) -> u64 {
        self.opened.trace.clock().length()
    }

    /// The start of the trace in nanoseconds since 1970-01-01 UTC, None if it is unknown.
    #[getter]
    fn date(&self) -> Option<u64> {
        self.opened.trace.clock().date()
    }

    /// Raises the exception of arguments that select no part of the trace.
    fn check_selected(&self, selected: SelectionArguments) -> PyResult<()> {
        selected.of(&self.opened.trace).map(drop)
    }

    /// Returns a table of a part of the trace.
    fn table(&self, name: &str, selected: SelectionArguments) -> PyResult<ArrowTable> {
        let dataset = Dataset::of(name).ok_or_else(|| PyKeyError::new_err(name.to_owned()))?;
        let selection = selected.of(&self.opened.trace)?;
        if dataset.needs_all_locations() && selection.part != SelectionPart::WHOLE {
            return Err(PyValueError::new_err(format!("part: the table {name} needs all locations")));
        }
        if selected.selects_regions() && !dataset.columns.iter().any(Column::is_region) {
            return Err(PyValueError::new_err(format!("regions: the table {name} has none")));
        }
        let regions = selected.regions(&self.opened.names)?;
        Ok(ArrowTable::of_dataset(DatasetRows { opened: self.opened.clone(), dataset, selection, regions }))
    }

    /// Returns the sums of calls by region, or by calling context, of all locations together or of
    /// each.
    fn profile(
        &self,
        py: Python<'_>,
        by_context: bool,
        by_location: bool,
        selected: SelectionArguments,
    ) -> PyResult<ArrowTable> {
        let selection = selected.of(&self.opened.trace)?;
        let regions = selected.region_names(&self.opened.names)?;
        self.computed(py, move |trace| {
            profiles::of(trace, &selection, by_context, by_location, regions.as_ref())
        })
    }

    /// Returns the exclusive time and the calls of regions in slices of time, of all locations
    /// together or of each.
    fn time_profile(
        &self,
        py: Python<'_>,
        slices: usize,
        by_location: bool,
        selected: SelectionArguments,
    ) -> PyResult<ArrowTable> {
        if !time_profiles::is_number_of_slices(slices) {
            return Err(PyValueError::new_err(
                "slices: expected 1, 4, 16 or another power of 4 up to 65,536",
            ));
        }
        let selection = selected.of(&self.opened.trace)?;
        let regions = selected.region_names(&self.opened.names)?;
        self.computed(py, move |trace| {
            time_profiles::of(trace, &selection, slices, by_location, regions.as_ref())
        })
    }

    /// Returns the messages by sender and receiver.
    fn communication_matrix(&self, py: Python<'_>, selected: SelectionArguments) -> PyResult<ArrowTable> {
        self.sums(py, selected, |_, statistics| sums::communication_matrix(statistics))
    }

    /// Returns how the exclusive times of regions differ between locations.
    fn load_imbalance(&self, py: Python<'_>, selected: SelectionArguments) -> PyResult<ArrowTable> {
        self.sums(py, selected, sums::load_imbalance)
    }
}

impl OpenedArchive {
    /// Returns a table of the statistics of the selected part.
    fn sums(
        &self,
        py: Python<'_>,
        selected: SelectionArguments,
        table: fn(&Trace, &Statistics) -> Result<RecordBatch, Error>,
    ) -> PyResult<ArrowTable> {
        let selection = selected.of(&self.opened.trace)?;
        if selection.part != SelectionPart::WHOLE {
            return Err(PyValueError::new_err("part: these sums need all locations"));
        }
        if selected.selects_regions() {
            return Err(PyValueError::new_err("regions: these sums are about all"));
        }
        self.computed(py, move |trace| {
            let mut statistics = statistics::of(trace, &selection)?;
            match statistics.failures.is_empty() {
                true => table(trace, &statistics),
                false => Err(statistics.failures.swap_remove(0).1),
            }
        })
    }

    /// Returns a table that `compute` makes, with the interpreter unlocked.
    fn computed(
        &self,
        py: Python<'_>,
        compute: impl FnOnce(&Trace) -> Result<RecordBatch, Error> + Send + 'static,
    ) -> PyResult<ArrowTable> {
        let opened = self.opened.clone();
        let made = interruptible(py, move || compute(&opened.trace))?;
        let failed = |error| TraceFailure::of_analysis(self.opened.trace.archive(), &error).exception(py);
        made.map(ArrowTable::of).map_err(failed)
    }
}

impl fmt::Debug for OpenedArchive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("OpenedArchive").field(&self.path()).finish()
    }
}
