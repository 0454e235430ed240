//! Traces that Python writes.
//!
//! Tables are split into rows of locations ([`rows`]), calls into enters and leaves
//! ([`call_order`]), operations into begins and ends ([`collective_order`]), and all are joined by
//! time ([`event_order`]). Invariant: rows are checked before the
//! first of them is written, so that a table with a mistake leaves the trace as it was.

mod call_order;
mod collective_order;
mod definitions;
mod event_order;
mod rows;
mod trace_writer;

use std::fmt;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::exceptions::{PyFileExistsError, PyKeyError, PyOSError, PyValueError};
use pyo3::prelude::*;

use crate::arrow_input::batches_of;
use definitions::{LocationArguments, MetricArguments, RegionArguments};
use rows::TableRows;
use trace_writer::TraceWriter;

/// Why something cannot be written.
#[derive(Debug)]
enum WriteFailure {
    /// The file system refused it.
    File(kymo_otf2::Error),
    /// The folder of the trace has files.
    NotEmpty(String),
    /// An argument or a row is wrong.
    Mistake(String),
    /// A definition does not exist.
    Undefined(String),
}

impl From<kymo_otf2::Error> for WriteFailure {
    fn from(error: kymo_otf2::Error) -> Self {
        Self::File(error)
    }
}

impl From<WriteFailure> for PyErr {
    fn from(failure: WriteFailure) -> Self {
        match failure {
            WriteFailure::File(kymo_otf2::Error::Io { file, source }) => match source.raw_os_error() {
                // Python makes the exception of the number.
                Some(number) => {
                    PyOSError::new_err((number, source.to_string(), file.map(|it| it.to_string())))
                }
                None => PyOSError::new_err(source.to_string()),
            },
            WriteFailure::File(error) => PyOSError::new_err(error.to_string()),
            WriteFailure::NotEmpty(path) => {
                PyFileExistsError::new_err(format!("{path}: a trace needs a folder without files"))
            }
            WriteFailure::Mistake(text) => PyValueError::new_err(text),
            WriteFailure::Undefined(text) => PyKeyError::new_err(text),
        }
    }
}

/// Writes a trace.
#[pyclass(frozen, name = "Writer", module = "kymograph._native")]
pub(crate) struct NativeWriter {
    /// `None` once the trace is complete.
    writer: Mutex<Option<TraceWriter>>,
}

impl NativeWriter {
    fn lock(&self) -> MutexGuard<'_, Option<TraceWriter>> {
        self.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls a function with the writer of a trace that is not complete. Another thread may have
    /// locked it for long, so the interpreter is unlocked.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        call: impl FnOnce(&mut TraceWriter) -> Result<T, WriteFailure> + Send,
    ) -> PyResult<T> {
        py.detach(|| {
            let mut writer = self.lock();
            let complete = || WriteFailure::Mistake("the trace is complete".to_owned());
            call(writer.as_mut().ok_or_else(complete)?)
        })
        .map_err(PyErr::from)
    }
}

#[pymethods]
impl NativeWriter {
    /// Starts a trace in a folder that does not exist or is empty.
    #[new]
    fn create(path: PathBuf, resolution: u64, start: Option<u64>, description: String) -> PyResult<Self> {
        let writer = TraceWriter::create(&path, resolution, start, description)?;
        Ok(Self { writer: Mutex::new(Some(writer)) })
    }

    fn node(&self, py: Python<'_>, name: &str, class_name: &str, parent: Option<u32>) -> PyResult<u32> {
        self.with(py, |writer| writer.definitions.node(name, class_name, parent))
    }

    fn process(&self, py: Python<'_>, name: &str, node: Option<u32>) -> PyResult<u32> {
        self.with(py, |writer| writer.definitions.process(name, node))
    }

    fn location(&self, py: Python<'_>, arguments: LocationArguments) -> PyResult<u64> {
        self.with(py, |writer| writer.location(&arguments))
    }

    fn region(&self, py: Python<'_>, arguments: RegionArguments) -> PyResult<u32> {
        self.with(py, |writer| writer.definitions.region(&arguments))
    }

    fn metric(&self, py: Python<'_>, arguments: MetricArguments) -> PyResult<u32> {
        self.with(py, |writer| writer.definitions.metric(&arguments))
    }

    fn communicator(&self, py: Python<'_>, name: &str, locations: Vec<u64>) -> PyResult<u32> {
        self.with(py, |writer| writer.definitions.communicator(name, &locations))
    }

    /// Returns the number of the communicator of all processes.
    fn world(&self, py: Python<'_>) -> PyResult<u32> {
        self.with(py, |writer| writer.definitions.world())
    }

    fn property(&self, py: Python<'_>, name: String, value: String) -> PyResult<()> {
        self.with(py, |writer| writer.definitions.property(name, value))
    }

    /// Returns the numbers of collective operations by their names.
    #[staticmethod]
    fn collective_operations() -> Vec<(&'static str, u8)> {
        definitions::names(kymo_otf2::enums::CollectiveOp::VALUES, |it| it.name())
            .map(|(name, operation)| (name, operation.0))
            .collect()
    }

    /// Writes rows of tables. Their columns have the names and types that `kymograph/_writer.py`
    /// gives them.
    #[pyo3(signature = (calls=None, events=None, messages=None, collectives=None, metrics=None))]
    fn write(
        &self,
        py: Python<'_>,
        calls: Option<Bound<'_, PyAny>>,
        events: Option<Bound<'_, PyAny>>,
        messages: Option<Bound<'_, PyAny>>,
        collectives: Option<Bound<'_, PyAny>>,
        metrics: Option<Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let batches = |table: Option<Bound<'_, PyAny>>| table.map(|it| batches_of(&it)).transpose();
        let tables = TableRows {
            calls: batches(calls)?.unwrap_or_default(),
            events: batches(events)?.unwrap_or_default(),
            messages: batches(messages)?.unwrap_or_default(),
            collectives: batches(collectives)?.unwrap_or_default(),
            metrics: batches(metrics)?.unwrap_or_default(),
        };
        self.with(py, |writer| writer.write(&tables))
    }

    /// Completes the trace; does nothing if it is complete.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| {
            let mut writer = self.lock();
            if let Some(trace) = writer.as_mut() {
                trace.finish()?;
            }
            *writer = None;
            Ok(())
        })
        .map_err(|failure: WriteFailure| failure.into())
    }
}

impl fmt::Debug for NativeWriter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writer").field("is_complete", &self.lock().is_none()).finish()
    }
}
