//! The 53 functions a plugin gets with `set_callbacks`, in a table of 424 bytes.
//!
//! Getters take handles that were announced as the kind they are for, until `write_data` has returned. A real host gives
//! garbage or crashes at anything else; this one says what was wrong and ends the program.

use crate::definitions::field;
use crate::host::{fail, host};
use crate::ipc;
use crate::locations::Location;
use crate::metrics::{self, Source};
use kymo_substrate::bindings::*;
use std::ffi::{c_char, c_void};
use std::sync::atomic::Ordering;

/// Checks that `handle` was announced as `kind`.
fn expect(handle: u32, kind: SCOREP_HandleType, function: &str) {
    let announced = host().arena.kind(handle);
    if announced != Some(kind) {
        let found =
            announced.map_or_else(|| "is not announced".to_owned(), |found| format!("has type {found}"));
        fail(&format!("{function}: expected a handle of type {kind}, but {handle} {found}"));
    }
}

/// Getters of numbers: `function`, the kind of its handle, the field it reads.
macro_rules! number {
    ($($function:ident $name:ident $kind:ident $field:ident;)*) => {
        $(unsafe extern "C" fn $function(handle: SCOREP_AnyHandle) -> u32 {
            expect(handle, $kind, stringify!($name));
            host().arena.field(handle, field::$field)
        })*
    };
}

/// Getters of names: `function`, the kind of its handle, the field with the string's handle.
macro_rules! text {
    ($($function:ident $name:ident $kind:ident $field:ident;)*) => {
        $(unsafe extern "C" fn $function(handle: SCOREP_AnyHandle) -> *const c_char {
            expect(handle, $kind, stringify!($name));
            host().arena.text(host().arena.field(handle, field::$field))
        })*
    };
}

number! {
    calling_context_region SCOREP_CallingContextHandle_GetRegion SCOREP_HANDLE_TYPE_CALLING_CONTEXT CALLING_CONTEXT_REGION;
    calling_context_parent SCOREP_CallingContextHandle_GetParent SCOREP_HANDLE_TYPE_CALLING_CONTEXT CALLING_CONTEXT_PARENT;
    metric_value_type SCOREP_MetricHandle_GetValueType SCOREP_HANDLE_TYPE_METRIC METRIC_VALUE_TYPE;
    metric_profiling_type SCOREP_MetricHandle_GetProfilingType SCOREP_HANDLE_TYPE_METRIC METRIC_PROFILING_TYPE;
    metric_mode SCOREP_MetricHandle_GetMode SCOREP_HANDLE_TYPE_METRIC METRIC_MODE;
    metric_source_type SCOREP_MetricHandle_GetSourceType SCOREP_HANDLE_TYPE_METRIC METRIC_SOURCE_TYPE;
    paradigm_class SCOREP_ParadigmHandle_GetClass SCOREP_HANDLE_TYPE_PARADIGM PARADIGM_CLASS;
    paradigm_type SCOREP_ParadigmHandle_GetType SCOREP_HANDLE_TYPE_PARADIGM PARADIGM_TYPE;
    parameter_type SCOREP_ParameterHandle_GetType SCOREP_HANDLE_TYPE_PARAMETER PARAMETER_TYPE;
    region_id SCOREP_RegionHandle_GetId SCOREP_HANDLE_TYPE_REGION SEQUENCE_NUMBER;
    region_begin_line SCOREP_RegionHandle_GetBeginLine SCOREP_HANDLE_TYPE_REGION REGION_BEGIN_LINE;
    region_end_line SCOREP_RegionHandle_GetEndLine SCOREP_HANDLE_TYPE_REGION REGION_END_LINE;
    region_type SCOREP_RegionHandle_GetType SCOREP_HANDLE_TYPE_REGION REGION_TYPE;
    region_paradigm SCOREP_RegionHandle_GetParadigmType SCOREP_HANDLE_TYPE_REGION REGION_PARADIGM;
}

text! {
    metric_name SCOREP_MetricHandle_GetName SCOREP_HANDLE_TYPE_METRIC NAME;
    paradigm_name SCOREP_ParadigmHandle_GetName SCOREP_HANDLE_TYPE_PARADIGM PARADIGM_NAME;
    parameter_name SCOREP_ParameterHandle_GetName SCOREP_HANDLE_TYPE_PARAMETER NAME;
    region_name SCOREP_RegionHandle_GetName SCOREP_HANDLE_TYPE_REGION NAME;
    region_canonical_name SCOREP_RegionHandle_GetCanonicalName SCOREP_HANDLE_TYPE_REGION REGION_CANONICAL_NAME;
    region_file_name SCOREP_RegionHandle_GetFileName SCOREP_HANDLE_TYPE_REGION REGION_FILE_NAME;
    source_file_name SCOREP_SourceFileHandle_GetName SCOREP_HANDLE_TYPE_SOURCE_FILE NAME;
}

/// Strings that other definitions name may be asked for before or without their announcement.
unsafe extern "C" fn string(handle: SCOREP_StringHandle) -> *const c_char {
    let text = host().arena.text(handle);
    if text.is_null() {
        fail(&format!("SCOREP_StringHandle_Get: {handle} is no string"));
    }
    text
}

fn class_set(handle: u32, function: &str) -> u32 {
    expect(handle, SCOREP_HANDLE_TYPE_SAMPLING_SET, function);
    host().arena.class_set(handle)
}

unsafe extern "C" fn sampling_set_count(handle: SCOREP_SamplingSetHandle) -> u8 {
    let set = class_set(handle, "SCOREP_SamplingSetHandle_GetNumberOfMetrics");
    host().arena.byte(set, field::SAMPLING_SET_COUNT)
}

unsafe extern "C" fn sampling_set_metrics(handle: SCOREP_SamplingSetHandle) -> *const SCOREP_MetricHandle {
    let set = class_set(handle, "SCOREP_SamplingSetHandle_GetMetricHandles");
    let metrics = host().arena.address(set as usize + field::SAMPLING_SET_METRICS);
    metrics.map_or(std::ptr::null(), |metrics| metrics.cast())
}

unsafe extern "C" fn sampling_set_occurrence(handle: SCOREP_SamplingSetHandle) -> SCOREP_MetricOccurrence {
    let set = class_set(handle, "SCOREP_SamplingSetHandle_GetMetricOccurrence");
    host().arena.field(set, field::SAMPLING_SET_OCCURRENCE)
}

unsafe extern "C" fn sampling_set_is_scoped(handle: SCOREP_SamplingSetHandle) -> bool {
    expect(handle, SCOREP_HANDLE_TYPE_SAMPLING_SET, "SCOREP_SamplingSetHandle_IsScoped");
    host().arena.byte(handle, field::SAMPLING_SET_IS_SCOPED) != 0
}

unsafe extern "C" fn sampling_set_scope(handle: SCOREP_SamplingSetHandle) -> SCOREP_MetricScope {
    let set = class_set(handle, "SCOREP_SamplingSetHandle_GetScope");
    if set == handle {
        return SCOREP_INVALID_METRIC_SCOPE;
    }
    host().arena.field(handle, field::SCOPED_TYPE)
}

unsafe extern "C" fn sampling_set_class(handle: SCOREP_SamplingSetHandle) -> SCOREP_SamplingSetClass {
    let set = class_set(handle, "SCOREP_SamplingSetHandle_GetSamplingSetClass");
    host().arena.field(set, field::SAMPLING_SET_CLASS)
}

unsafe extern "C" fn location_type(location: *const SCOREP_Location) -> SCOREP_LocationType {
    // SAFETY: a location of this host, says the interface.
    unsafe { Location::at(location, "SCOREP_Location_GetType") }.kind
}

unsafe extern "C" fn location_name(location: *const SCOREP_Location) -> *const c_char {
    // SAFETY: as above.
    let location = unsafe { Location::at(location, "SCOREP_Location_GetName") };
    location.name(host().names_final.load(Ordering::Acquire))
}

unsafe extern "C" fn location_id(location: *const SCOREP_Location) -> u32 {
    // SAFETY: as above.
    unsafe { Location::at(location, "SCOREP_Location_GetId") }.id
}

unsafe extern "C" fn location_global_id(location: *const SCOREP_Location) -> u64 {
    // SAFETY: as above.
    let location = unsafe { Location::at(location, "SCOREP_Location_GetGlobalId") };
    if !host().mpp_initialised() {
        fail("SCOREP_Location_GetGlobalId: called before init_mpp");
    }
    u64::from(location.id) << 32 | u64::from(host().rank)
}

unsafe extern "C" fn location_set_data(location: *const SCOREP_Location, plugin: usize, data: *mut c_void) {
    let function = "SCOREP_Location_SetData";
    // SAFETY: as above.
    unsafe { Location::at(location, function) }.slot(plugin, function).store(data, Ordering::Relaxed);
}

unsafe extern "C" fn location_get_data(location: *const SCOREP_Location, plugin: usize) -> *mut c_void {
    let function = "SCOREP_Location_GetData";
    // SAFETY: as above.
    unsafe { Location::at(location, function) }.slot(plugin, function).load(Ordering::Relaxed)
}

unsafe extern "C" fn write_strictly_synchronous_metrics(
    location: *mut SCOREP_Location,
    timestamp: u64,
    write: SCOREP_Substrates_WriteMetricsCb,
) {
    // SAFETY: the plugin's function, on the thread of the plugin's event.
    unsafe { metrics::deliver(location, Source::Strict(timestamp), write) };
}

unsafe extern "C" fn write_synchronous_metrics(
    location: *mut SCOREP_Location,
    timestamp: u64,
    write: SCOREP_Substrates_WriteMetricsCb,
) {
    // SAFETY: as above.
    unsafe { metrics::deliver(location, Source::Synchronous(timestamp), write) };
}

unsafe extern "C" fn write_asynchronous_metrics(
    location: *mut SCOREP_Location,
    write: SCOREP_Substrates_WriteMetricsCb,
) {
    // SAFETY: as above.
    unsafe { metrics::deliver(location, Source::Asynchronous, write) };
}

unsafe extern "C" fn experiment_dir_name() -> *const c_char {
    host().experiment.name()
}

unsafe extern "C" fn manifest_section_header(out: *mut FILE, section: *const c_char) {
    // SAFETY: the manifest's open stream and a string, says the interface.
    unsafe { libc::fprintf(out.cast(), c"\n## %s\n\n".as_ptr(), section) };
}

unsafe extern "C" {
    /// In `c/host.c`, because of its variable arguments.
    fn kymo_replay_manifest_entry(out: *mut FILE, file_name: *const c_char, format: *const c_char, ...);
}

/// The table that plugins get.
pub(crate) static CALLBACKS: SCOREP_SubstratePluginCallbacks = SCOREP_SubstratePluginCallbacks {
    SCOREP_GetExperimentDirName: Some(experiment_dir_name),
    SCOREP_Ipc_GetSize: Some(ipc::get_size),
    SCOREP_Ipc_GetRank: Some(ipc::get_rank),
    SCOREP_Ipc_Send: Some(ipc::send),
    SCOREP_Ipc_Recv: Some(ipc::recv),
    SCOREP_Ipc_Barrier: Some(ipc::barrier),
    SCOREP_Ipc_Bcast: Some(ipc::bcast),
    SCOREP_Ipc_Gather: Some(ipc::gather),
    SCOREP_Ipc_Gatherv: Some(ipc::gatherv),
    SCOREP_Ipc_Allgather: Some(ipc::allgather),
    SCOREP_Ipc_Reduce: Some(ipc::reduce),
    SCOREP_Ipc_Allreduce: Some(ipc::allreduce),
    SCOREP_Ipc_Scatter: Some(ipc::scatter),
    SCOREP_Ipc_Scatterv: Some(ipc::scatterv),
    SCOREP_Location_GetType: Some(location_type),
    SCOREP_Location_GetName: Some(location_name),
    SCOREP_Location_GetId: Some(location_id),
    SCOREP_Location_GetGlobalId: Some(location_global_id),
    SCOREP_Location_SetData: Some(location_set_data),
    SCOREP_Location_GetData: Some(location_get_data),
    SCOREP_CallingContextHandle_GetRegion: Some(calling_context_region),
    SCOREP_CallingContextHandle_GetParent: Some(calling_context_parent),
    SCOREP_MetricHandle_GetValueType: Some(metric_value_type),
    SCOREP_MetricHandle_GetName: Some(metric_name),
    SCOREP_MetricHandle_GetProfilingType: Some(metric_profiling_type),
    SCOREP_MetricHandle_GetMode: Some(metric_mode),
    SCOREP_MetricHandle_GetSourceType: Some(metric_source_type),
    SCOREP_ParadigmHandle_GetClass: Some(paradigm_class),
    SCOREP_ParadigmHandle_GetName: Some(paradigm_name),
    SCOREP_ParadigmHandle_GetType: Some(paradigm_type),
    SCOREP_ParameterHandle_GetName: Some(parameter_name),
    SCOREP_ParameterHandle_GetType: Some(parameter_type),
    SCOREP_RegionHandle_GetId: Some(region_id),
    SCOREP_RegionHandle_GetName: Some(region_name),
    SCOREP_RegionHandle_GetCanonicalName: Some(region_canonical_name),
    SCOREP_RegionHandle_GetFileName: Some(region_file_name),
    SCOREP_RegionHandle_GetBeginLine: Some(region_begin_line),
    SCOREP_RegionHandle_GetEndLine: Some(region_end_line),
    SCOREP_RegionHandle_GetType: Some(region_type),
    SCOREP_RegionHandle_GetParadigmType: Some(region_paradigm),
    SCOREP_SamplingSetHandle_GetNumberOfMetrics: Some(sampling_set_count),
    SCOREP_SamplingSetHandle_GetMetricHandles: Some(sampling_set_metrics),
    SCOREP_SamplingSetHandle_GetMetricOccurrence: Some(sampling_set_occurrence),
    SCOREP_SamplingSetHandle_IsScoped: Some(sampling_set_is_scoped),
    SCOREP_SamplingSetHandle_GetScope: Some(sampling_set_scope),
    SCOREP_SamplingSetHandle_GetSamplingSetClass: Some(sampling_set_class),
    SCOREP_SourceFileHandle_GetName: Some(source_file_name),
    SCOREP_StringHandle_Get: Some(string),
    SCOREP_Metric_WriteStrictlySynchronousMetrics: Some(write_strictly_synchronous_metrics),
    SCOREP_Metric_WriteSynchronousMetrics: Some(write_synchronous_metrics),
    SCOREP_Metric_WriteAsynchronousMetrics: Some(write_asynchronous_metrics),
    SCOREP_ConfigManifestSectionHeader: Some(manifest_section_header),
    SCOREP_ConfigManifestSectionEntry: Some(kymo_replay_manifest_entry),
};

/// Its size in bytes: one pointer for each function.
pub(crate) const CALLBACKS_SIZE: usize = size_of::<SCOREP_SubstratePluginCallbacks>();

const _: () = assert!(CALLBACKS_SIZE == 53 * size_of::<usize>());
