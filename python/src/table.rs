//! Tables, which other libraries read through Arrow's C interface.

use std::collections::HashSet;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatch, RecordBatchIterator, RecordBatchReader};
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{ArrowError, SchemaRef};
use kymo_analysis::Selection;
use kymo_analysis::spill::Spill;
use kymo_tables::parquet::Arrays;
use kymo_tables::{Dataset, NextBatch, Work};
use pyo3::exceptions::{PyKeyError, PyKeyboardInterrupt, PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::archive::SharedTrace;
use crate::failure::TraceFailure;
use crate::interruption::INTERRUPT_INTERVAL;
use crate::row_queues::{QueueFormat, RowQueues};

/// A table of a trace. Its rows are read each time that somebody asks for them.
#[pyclass(frozen, name = "Table", module = "kymograph._native")]
pub(crate) struct ArrowTable {
    schema: SchemaRef,
    rows: RowSource,
    failure: Arc<LastFailure>,
}

/// Why the last reading failed. Arrow's interface passes on the text only.
#[derive(Debug, Default)]
struct LastFailure(Mutex<Option<TraceFailure>>);

impl LastFailure {
    fn lock(&self) -> MutexGuard<'_, Option<TraceFailure>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

enum RowSource {
    /// Rows of a dataset.
    Dataset(Arc<DatasetRows>),
    /// Rows in memory.
    Known(Vec<RecordBatch>),
}

/// The rows of a dataset in a part of a trace.
pub(crate) struct DatasetRows {
    pub(crate) opened: Arc<SharedTrace>,
    pub(crate) dataset: &'static Dataset,
    pub(crate) selection: Selection,
    /// The regions of rows, if not all.
    pub(crate) regions: Option<HashSet<u32>>,
}

impl ArrowTable {
    /// Creates the table of a dataset.
    pub(crate) fn of_dataset(rows: DatasetRows) -> Self {
        let schema = Arc::new(Arrays::schema(rows.dataset));
        Self { schema, rows: RowSource::Dataset(Arc::new(rows)), failure: Arc::default() }
    }

    /// Creates a table of rows in memory.
    pub(crate) fn of(batch: RecordBatch) -> Self {
        Self { schema: batch.schema(), rows: RowSource::Known(vec![batch]), failure: Arc::default() }
    }

    fn reader(&self) -> Box<dyn RecordBatchReader + Send> {
        match &self.rows {
            RowSource::Dataset(rows) => Box::new(RowReader {
                rows: rows.clone(),
                schema: self.schema.clone(),
                queues: None,
                failure: self.failure.clone(),
                thread: thread::current().id(),
            }),
            RowSource::Known(batches) => {
                let batches = batches.clone().into_iter().map(Ok);
                Box::new(RecordBatchIterator::new(batches, self.schema.clone()))
            }
        }
    }
}

#[pymethods]
impl ArrowTable {
    /// The names of the columns.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.schema.fields().iter().map(|field| field.name().clone()).collect()
    }

    /// Returns the exception of the last reading that failed, once.
    fn failure(&self, py: Python<'_>) -> Option<PyErr> {
        // The interpreter may collect objects, and with them others of these.
        let failure = self.failure.lock().take();
        failure.map(|failure| failure.exception(py))
    }

    /// Returns the table with some of its columns; the others are not made.
    fn select(&self, columns: Vec<String>) -> PyResult<Self> {
        let mut places = Vec::new();
        for name in &columns {
            let place = self.schema.index_of(name).map_err(|_| PyKeyError::new_err(name.clone()))?;
            if places.contains(&place) {
                return Err(PyValueError::new_err(format!("columns: {name} occurs twice")));
            }
            places.push(place);
        }
        if places.is_empty() {
            return Err(PyValueError::new_err("columns: expected one at least"));
        }
        let wrong = |error: ArrowError| PyValueError::new_err(error.to_string());
        let rows = match &self.rows {
            RowSource::Dataset(rows) => RowSource::Dataset(rows.clone()),
            RowSource::Known(batches) => {
                let batches = batches.iter().map(|batch| batch.project(&places));
                RowSource::Known(batches.collect::<Result<_, _>>().map_err(wrong)?)
            }
        };
        let schema = Arc::new(self.schema.project(&places).map_err(wrong)?);
        Ok(Self { schema, rows, failure: Arc::default() })
    }

    /// Returns a stream of rows by Arrow's PyCapsule interface. The requested schema is ignored, as
    /// the interface allows.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        drop(requested_schema);
        PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(self.reader()), c"arrow_array_stream")
    }

    /// Returns the schema by Arrow's PyCapsule interface.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(&*self.schema);
        let schema = schema.map_err(|error| PyOSError::new_err(error.to_string()))?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }
}

/// Reads the rows of a dataset, which threads of its own make.
struct RowReader {
    rows: Arc<DatasetRows>,
    schema: SchemaRef,
    /// `None` before the first rows.
    queues: Option<Arc<RowQueues>>,
    failure: Arc<LastFailure>,
    /// The thread that asked for the stream.
    thread: ThreadId,
}

impl RowReader {
    /// Returns the queues; starts the work that fills them.
    fn queues(&mut self) -> Result<Arc<RowQueues>, ArrowError> {
        if let Some(queues) = &self.queues {
            return Ok(queues.clone());
        }
        let groups = kymo_tables::group_numbers(&self.rows.opened.trace, &self.rows.selection);
        let queues = Arc::new(RowQueues::of(groups));
        let (rows, its_queues, schema) = (self.rows.clone(), queues.clone(), self.schema.clone());
        let work = move || {
            // A reader must not wait forever for a thread that has ended.
            let filled = catch_unwind(AssertUnwindSafe(|| rows.fill(&its_queues, schema)));
            its_queues.finish(filled.unwrap_or_else(|_| Some(TraceFailure::of_panic())));
        };
        thread::Builder::new().name("kymograph".to_owned()).spawn(work)?;
        Ok(self.queues.insert(queues).clone())
    }

    fn next_rows(&mut self) -> Result<Option<RecordBatch>, ArrowError> {
        let queues = self.queues()?;
        loop {
            match queues.next(INTERRUPT_INTERVAL) {
                NextBatch::Batch(batch) => return Ok(Some(batch)),
                // Another thread may wait for rows while the one that asked for them has locked the
                // interpreter.
                NextBatch::Nothing if thread::current().id() == self.thread => Python::attach(check_signals)?,
                NextBatch::Nothing => {}
                NextBatch::End(None) => return Ok(None),
                NextBatch::End(Some(failure)) => {
                    let text = failure.text().to_owned();
                    *self.failure.lock() = Some(failure);
                    return Err(ArrowError::ExternalError(text.into()));
                }
            }
        }
    }
}

/// Ends the reading if the handler of a signal raises an exception. `KeyboardInterrupt` is raised
/// again where the interpreter goes on.
fn check_signals(py: Python<'_>) -> Result<(), ArrowError> {
    py.check_signals().map_err(|error| {
        if !error.is_instance_of::<PyKeyboardInterrupt>(py) {
            return ArrowError::ExternalError(error.to_string().into());
        }
        // From here on, the interpreter raises it at its next step.
        let _ = py.import("_thread").and_then(|module| module.call_method0("interrupt_main"));
        ArrowError::ExternalError("interrupted".into())
    })
}

impl Iterator for RowReader {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_rows().transpose()
    }
}

impl RecordBatchReader for RowReader {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }
}

impl Drop for RowReader {
    fn drop(&mut self) {
        if let Some(queues) = &self.queues {
            queues.abandon();
        }
    }
}

impl DatasetRows {
    /// Reads the trace, and makes the columns of the schema. Returns why there are not all rows.
    fn fill(&self, queues: &RowQueues, schema: SchemaRef) -> Option<TraceFailure> {
        let SharedTrace { trace, names, functions } = &*self.opened;
        let spill = Spill::default();
        let format = QueueFormat::new(queues, names, schema, self.regions.as_ref());
        let wanted = [self.dataset];
        let selection = &self.selection;
        let work =
            Work { trace, selection, functions, names, wanted: &wanted, format: &format, spill: &spill };
        let result = work.groups().and_then(|(report, waiting)| {
            format.begin_rest();
            work.rest(waiting).map(|()| report)
        });
        match result {
            Ok(report) => {
                let first = report.failures.first();
                first.map(|(_, error)| TraceFailure::of_analysis(trace.archive(), error))
            }
            Err(error) => Some(TraceFailure::of_tables(trace.archive(), &error)),
        }
    }
}

impl fmt::Debug for ArrowTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Table").field("schema", &self.schema).finish_non_exhaustive()
    }
}
