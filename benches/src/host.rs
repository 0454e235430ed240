//! A host with only the objects that the event path requires: regions, a parameter, a communicator,
//! two sampling sets, locations.
//!
//! Handles are multiples of 8, with the distances of those in the definition memory of a real host;
//! locations are objects on the heap.

use crate::stream::REGIONS;
use kymo_substrate::bindings::*;
use kymo_substrate::hosting::NO_CALLBACKS;
use rustix::time::{ClockId, clock_gettime};
use std::ffi::{CString, c_char, c_int};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::OnceLock;

/// The handle of the program's name.
pub(crate) const PROGRAM: u32 = 0x40;
/// The handle of the communicator.
pub(crate) const COMMUNICATOR: u32 = 0x200;
/// The handle of the parameter.
pub(crate) const PARAMETER: u32 = 0x280;
/// The sampling set with one metric, for the counter.
pub(crate) const COUNTER: u32 = 0x300;
/// The strictly synchronous sampling set.
const STRICT: u32 = 0x380;
/// The metrics; a sampling set contains the first ones.
static METRICS: [u32; 3] = [0x400, 0x480, 0x500];
const FIRST_REGION: u32 = 0x1000;
const REGION_SIZE: u32 = 0x78;

/// Returns the handle of a region of the stream.
#[inline(always)]
pub(crate) fn region_handle(region: u32) -> u32 {
    FIRST_REGION + region * REGION_SIZE
}

/// Returns all definitions with their kinds, in the order of their announcement. Only the sampling
/// set that is used is included, as the id of the first one is 0.
pub(crate) fn definitions(metrics: bool) -> Vec<(u32, SCOREP_HandleType)> {
    let set = if metrics { STRICT } else { COUNTER };
    let mut all = vec![(PROGRAM, SCOREP_HANDLE_TYPE_STRING)];
    all.extend((0..REGIONS).map(|region| (region_handle(region), SCOREP_HANDLE_TYPE_REGION)));
    all.push((COMMUNICATOR, SCOREP_HANDLE_TYPE_INTERIM_COMMUNICATOR));
    all.push((PARAMETER, SCOREP_HANDLE_TYPE_PARAMETER));
    all.extend(METRICS.map(|metric| (metric, SCOREP_HANDLE_TYPE_METRIC)));
    all.push((set, SCOREP_HANDLE_TYPE_SAMPLING_SET));
    all
}

/// Returns the time of the host's clock, in nanoseconds.
pub(crate) fn now() -> u64 {
    let time = clock_gettime(ClockId::MonotonicRaw);
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// The data for the callbacks.
#[derive(Debug)]
struct Host {
    experiment: CString,
    regions: Vec<CString>,
}

static HOST: OnceLock<Host> = OnceLock::new();

/// Makes `experiment` the experiment directory of this process.
pub(crate) fn install(experiment: &Path) {
    let c_string = |bytes: &[u8]| CString::new(bytes).expect("no zero byte");
    let regions = (0..REGIONS).map(|region| c_string(format!("region_{region:06}").as_bytes())).collect();
    let host = Host { experiment: c_string(experiment.as_os_str().as_bytes()), regions };
    HOST.set(host).expect("one run per process");
}

fn host() -> &'static Host {
    HOST.get().expect("installed before the plugin is loaded")
}

/// A location of the host, and its metric buffer.
#[derive(Debug)]
#[repr(C)]
struct HostLocation {
    id: u32,
    values: [u64; 3],
}

/// A location that lives until the process ends and belongs to one thread at a time.
#[derive(Debug)]
pub(crate) struct Location(*mut HostLocation);

// SAFETY: the object is on the heap and is accessed only through this pointer and by the plugin's
// callbacks, on the thread that owns it.
unsafe impl Send for Location {}

impl Location {
    pub(crate) fn new(id: u32) -> Self {
        Self(Box::into_raw(Box::new(HostLocation { id, values: [0; 3] })))
    }

    /// Returns the address by which the plugin identifies the location.
    #[inline(always)]
    pub(crate) fn address(&self) -> *mut SCOREP_Location {
        self.0.cast()
    }

    /// Sets the metric values of the next event; returns the buffer that the event passes.
    #[inline(always)]
    pub(crate) fn set_values(&mut self, values: [u64; 3]) -> *mut u64 {
        // SAFETY: never freed, and not read between two events.
        unsafe {
            (*self.0).values = values;
            (&raw mut (*self.0).values).cast()
        }
    }
}

unsafe extern "C" fn experiment_name() -> *const c_char {
    host().experiment.as_ptr()
}

unsafe extern "C" fn one_process() -> c_int {
    1
}

unsafe extern "C" fn rank_zero() -> c_int {
    0
}

unsafe extern "C" fn location_type(_: *const SCOREP_Location) -> SCOREP_LocationType {
    SCOREP_LOCATION_TYPE_CPU_THREAD
}

unsafe extern "C" fn location_name(_: *const SCOREP_Location) -> *const c_char {
    c"thread".as_ptr()
}

unsafe extern "C" fn location_id(location: *const SCOREP_Location) -> u32 {
    // SAFETY: the plugin passes an address that it received.
    unsafe { (*location.cast::<HostLocation>()).id }
}

unsafe extern "C" fn location_global_id(location: *const SCOREP_Location) -> u64 {
    // SAFETY: as above.
    u64::from(unsafe { location_id(location) })
}

unsafe extern "C" fn any_name(_: SCOREP_AnyHandle) -> *const c_char {
    c"bench".as_ptr()
}

unsafe extern "C" fn region_name(region: SCOREP_RegionHandle) -> *const c_char {
    host().regions[((region - FIRST_REGION) / REGION_SIZE) as usize].as_ptr()
}

unsafe extern "C" fn source_file(_: SCOREP_RegionHandle) -> *const c_char {
    c"source.c".as_ptr()
}

unsafe extern "C" fn region_line(region: SCOREP_RegionHandle) -> u32 {
    region
}

unsafe extern "C" fn region_type(_: SCOREP_RegionHandle) -> SCOREP_RegionType {
    SCOREP_REGION_FUNCTION
}

unsafe extern "C" fn region_paradigm(_: SCOREP_RegionHandle) -> SCOREP_ParadigmType {
    SCOREP_PARADIGM_COMPILER
}

unsafe extern "C" fn parameter_type(_: SCOREP_ParameterHandle) -> SCOREP_ParameterType {
    SCOREP_PARAMETER_UINT64
}

unsafe extern "C" fn metric_value_type(_: SCOREP_MetricHandle) -> SCOREP_MetricValueType {
    SCOREP_METRIC_VALUE_UINT64
}

unsafe extern "C" fn metric_mode(_: SCOREP_MetricHandle) -> SCOREP_MetricMode {
    SCOREP_METRIC_MODE_ACCUMULATED_START
}

unsafe extern "C" fn metric_source(_: SCOREP_MetricHandle) -> SCOREP_MetricSourceType {
    SCOREP_METRIC_SOURCE_TYPE_PAPI
}

unsafe extern "C" fn number_of_metrics(set: SCOREP_SamplingSetHandle) -> u8 {
    if set == STRICT { METRICS.len() as u8 } else { 1 }
}

unsafe extern "C" fn metric_handles(_: SCOREP_SamplingSetHandle) -> *const SCOREP_MetricHandle {
    METRICS.as_ptr()
}

unsafe extern "C" fn occurrence(set: SCOREP_SamplingSetHandle) -> SCOREP_MetricOccurrence {
    match set {
        STRICT => SCOREP_METRIC_OCCURRENCE_SYNCHRONOUS_STRICT,
        _ => SCOREP_METRIC_OCCURRENCE_ASYNCHRONOUS,
    }
}

unsafe extern "C" fn is_scoped(_: SCOREP_SamplingSetHandle) -> bool {
    false
}

unsafe extern "C" fn sampling_set_class(_: SCOREP_SamplingSetHandle) -> SCOREP_SamplingSetClass {
    SCOREP_SAMPLING_SET_CPU
}

unsafe extern "C" fn write_strict(
    location: *mut SCOREP_Location,
    time: u64,
    write: SCOREP_Substrates_WriteMetricsCb,
) {
    let Some(write) = write else { return };
    // SAFETY: the plugin passes an address that it received, and its own function.
    unsafe { write(location, time, STRICT, (&raw const (*location.cast::<HostLocation>()).values).cast()) };
}

unsafe extern "C" fn write_nothing(_: *mut SCOREP_Location, _: u64, _: SCOREP_Substrates_WriteMetricsCb) {}

unsafe extern "C" fn write_no_others(_: *mut SCOREP_Location, _: SCOREP_Substrates_WriteMetricsCb) {}

/// The table that the plugin receives.
pub(crate) static CALLBACKS: SCOREP_SubstratePluginCallbacks = SCOREP_SubstratePluginCallbacks {
    SCOREP_GetExperimentDirName: Some(experiment_name),
    SCOREP_Ipc_GetSize: Some(one_process),
    SCOREP_Ipc_GetRank: Some(rank_zero),
    SCOREP_Location_GetType: Some(location_type),
    SCOREP_Location_GetName: Some(location_name),
    SCOREP_Location_GetId: Some(location_id),
    SCOREP_Location_GetGlobalId: Some(location_global_id),
    SCOREP_StringHandle_Get: Some(any_name),
    SCOREP_RegionHandle_GetName: Some(region_name),
    SCOREP_RegionHandle_GetCanonicalName: Some(region_name),
    SCOREP_RegionHandle_GetFileName: Some(source_file),
    SCOREP_RegionHandle_GetBeginLine: Some(region_line),
    SCOREP_RegionHandle_GetEndLine: Some(region_line),
    SCOREP_RegionHandle_GetType: Some(region_type),
    SCOREP_RegionHandle_GetParadigmType: Some(region_paradigm),
    SCOREP_ParameterHandle_GetName: Some(any_name),
    SCOREP_ParameterHandle_GetType: Some(parameter_type),
    SCOREP_MetricHandle_GetName: Some(any_name),
    SCOREP_MetricHandle_GetValueType: Some(metric_value_type),
    SCOREP_MetricHandle_GetMode: Some(metric_mode),
    SCOREP_MetricHandle_GetSourceType: Some(metric_source),
    SCOREP_SamplingSetHandle_GetNumberOfMetrics: Some(number_of_metrics),
    SCOREP_SamplingSetHandle_GetMetricHandles: Some(metric_handles),
    SCOREP_SamplingSetHandle_GetMetricOccurrence: Some(occurrence),
    SCOREP_SamplingSetHandle_IsScoped: Some(is_scoped),
    SCOREP_SamplingSetHandle_GetSamplingSetClass: Some(sampling_set_class),
    SCOREP_Metric_WriteStrictlySynchronousMetrics: Some(write_strict),
    SCOREP_Metric_WriteSynchronousMetrics: Some(write_nothing),
    SCOREP_Metric_WriteAsynchronousMetrics: Some(write_no_others),
    ..NO_CALLBACKS
};
