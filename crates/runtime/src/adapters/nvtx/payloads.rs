//! The numbers that belong to ranges and marks: parameters, and metrics for floating-point numbers,
//! of which a parameter has none. They have Score-P's names.

use kymo_substrate::bindings::{SCOREP_METRIC_VALUE_DOUBLE, SCOREP_PARAMETER_INT64, SCOREP_PARAMETER_UINT64};

use super::attributes::NvtxPayload;
use crate::adapter::MetricDefinition;
use crate::adapters::lazy_handle::LazyHandle;
use crate::measurement::{self, Counter, Here, Parameter};

/// Records the number of a range or mark.
pub(super) fn record(here: &Here, payload: NvtxPayload) {
    static U64: LazyHandle = LazyHandle::new();
    static I64: LazyHandle = LazyHandle::new();
    static F64: LazyHandle = LazyHandle::new();
    static U32: LazyHandle = LazyHandle::new();
    static I32: LazyHandle = LazyHandle::new();
    static F32: LazyHandle = LazyHandle::new();
    let unsigned = |handle: &LazyHandle, name, value| {
        here.parameter_u64(parameter(handle, name, SCOREP_PARAMETER_UINT64), value)
    };
    let signed = |handle: &LazyHandle, name, value| {
        here.parameter_i64(parameter(handle, name, SCOREP_PARAMETER_INT64), value)
    };
    match payload {
        NvtxPayload::U64(value) => unsigned(&U64, "NVTX Payload UNSIGNED_INT64", value),
        NvtxPayload::U32(value) => unsigned(&U32, "NVTX Payload UNSIGNED_INT32", value.into()),
        NvtxPayload::I64(value) => signed(&I64, "NVTX Payload INT64", value),
        NvtxPayload::I32(value) => signed(&I32, "NVTX Payload INT32", value.into()),
        NvtxPayload::F64(value) => here.counter_f64(counter(&F64, "NVTX Payload DOUBLE"), value),
        NvtxPayload::F32(value) => here.counter_f64(counter(&F32, "NVTX Payload FLOAT"), value.into()),
    }
}

fn parameter(handle: &LazyHandle, name: &str, kind: u32) -> Parameter {
    Parameter(handle.get_if_allowed(|| measurement::define_parameter(name.as_bytes(), kind).0))
}

fn counter(handle: &LazyHandle, name: &str) -> Counter {
    let define = || {
        let (name, unit) = (name.to_owned(), String::new());
        let metric = MetricDefinition::of_program(name, unit, SCOREP_METRIC_VALUE_DOUBLE);
        measurement::define_counter(&metric)
    };
    Counter(handle.get_if_allowed(|| define().0))
}
