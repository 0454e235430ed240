//! Archives that Python has opened.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use kymo_analysis::{CommunicationFunctions, SelectionPart, Trace};
use kymo_otf2::FileName;
use kymo_tables::{Dataset, Names};
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;

use crate::failure::TraceFailure;
use crate::interruption::interruptible;
use crate::profiles;
use crate::selected::Selected;
use crate::table::Table;

/// An archive with its definitions.
#[pyclass(frozen, module = "kymograph._native")]
pub(crate) struct Archive {
    opened: Arc<Opened>,
}

/// What all tables of a trace share.
pub(crate) struct Opened {
    pub(crate) trace: Trace,
    pub(crate) names: Names,
    pub(crate) functions: CommunicationFunctions,
}

impl Opened {
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
impl Archive {
    /// Opens the archive that a path names: its anchor file, or the folder of it.
    #[new]
    fn open(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let opened = interruptible(py, move || Opened::open(&path))?;
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

    /// Returns a table of a part of the trace.
    fn table(&self, name: &str, selected: Selected) -> PyResult<Table> {
        let dataset = Dataset::of(name).ok_or_else(|| PyKeyError::new_err(name.to_owned()))?;
        let selection = selected.of(&self.opened.trace)?;
        if dataset.needs_all_locations() && selection.part != SelectionPart::WHOLE {
            return Err(PyValueError::new_err(format!("part: the table {name} needs all locations")));
        }
        Ok(Table::of_dataset(self.opened.clone(), dataset, selection))
    }

    /// Returns the sums of calls by region, or by calling context, of all locations together or of
    /// each.
    fn profile(
        &self,
        py: Python<'_>,
        by_context: bool,
        by_location: bool,
        selected: Selected,
    ) -> PyResult<Table> {
        let selection = selected.of(&self.opened.trace)?;
        let opened = self.opened.clone();
        let made =
            interruptible(py, move || profiles::of(&opened.trace, &selection, by_context, by_location))?;
        let failed = |error| TraceFailure::of_analysis(self.opened.trace.archive(), &error).exception(py);
        made.map(Table::of).map_err(failed)
    }
}

impl fmt::Debug for Archive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Archive").field(&self.path()).finish()
    }
}
