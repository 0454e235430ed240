//! Tables of other libraries, through Arrow's C interface.

#![allow(unsafe_code)]

use arrow_array::RecordBatch;
use arrow_array::ffi_stream::{FFI_ArrowArrayStream, RecordBatchStreamReader};
use arrow_schema::ArrowError;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

/// Reads all rows of an object that has `__arrow_c_stream__`.
pub(crate) fn batches_of(object: &Bound<'_, PyAny>) -> PyResult<Vec<RecordBatch>> {
    let capsule = object.call_method0("__arrow_c_stream__")?.cast_into::<PyCapsule>()?;
    let stream = capsule.pointer_checked(Some(c"arrow_array_stream"))?.cast::<FFI_ArrowArrayStream>();
    let failed = |error: ArrowError| PyValueError::new_err(error.to_string());
    // SAFETY: by Arrow's PyCapsule interface, a capsule of this name points to a valid stream,
    // which belongs to whoever calls this: it is moved out and marked as released, and the capsule,
    // which lives until here, does not release it again.
    let reader = unsafe { RecordBatchStreamReader::from_raw(stream.as_ptr()) }.map_err(failed)?;
    reader.collect::<Result<_, _>>().map_err(failed)
}
