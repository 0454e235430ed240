//! The 53 functions that a plugin gets with `set_callbacks`, in a table of 424 bytes.
//!
//! Getters read the arena, so that they agree with what lies there. A handle that is none of theirs gives a number that means
//! nothing, or an empty string: never a fault.

use crate::host::host;
use crate::ipc;
use crate::locations::Location;
use core::ffi::{c_char, c_void};
use core::ptr;
use core::sync::atomic::Ordering::Relaxed;
use kymo_substrate::bindings::*;

/// The word of a definition at an offset; 0 while there is no measurement.
fn word(handle: u32, offset: usize) -> u32 {
    host().map_or(0, |host| host.definitions.arena.word(handle, offset))
}

fn byte(handle: u32, offset: usize) -> u8 {
    word(handle, offset).to_ne_bytes()[0]
}

fn address(handle: u32, offset: usize) -> *const u8 {
    host().map_or(ptr::null(), |host| host.definitions.arena.address(handle, offset))
}

/// Getters of numbers: function and offset.
macro_rules! number {
    ($($function:ident $offset:literal;)*) => {
        $(unsafe extern "C" fn $function(handle: SCOREP_AnyHandle) -> u32 {
            word(handle, $offset)
        })*
    };
}

/// Getters of names: function and the offset of the string's handle.
macro_rules! text {
    ($($function:ident $offset:literal;)*) => {
        $(unsafe extern "C" fn $function(handle: SCOREP_AnyHandle) -> *const c_char {
            text(word(handle, $offset))
        })*
    };
}

number! {
    calling_context_region 44;
    calling_context_parent 52;
    metric_value_type 36;
    metric_profiling_type 60;
    metric_mode 32;
    metric_source_type 28;
    paradigm_class 12;
    paradigm_type 8;
    parameter_type 24;
    region_id 16;
    region_begin_line 40;
    region_end_line 44;
    region_type 32;
    region_paradigm 48;
}

text! {
    metric_name 20;
    paradigm_name 16;
    parameter_name 20;
    region_name 20;
    region_canonical_name 24;
    source_file_name 20;
}

/// The text of a string's definition.
fn text(string: u32) -> *const c_char {
    let text = if string == 0 { ptr::null() } else { address(string, 24) };
    if text.is_null() { c"".as_ptr() } else { text.cast() }
}

unsafe extern "C" fn string(handle: SCOREP_StringHandle) -> *const c_char {
    text(handle)
}

/// Null if there is no file.
unsafe extern "C" fn region_file_name(handle: SCOREP_RegionHandle) -> *const c_char {
    match word(handle, 36) {
        0 => ptr::null(),
        file => text(file),
    }
}

/// The set itself, or the one that a scoped one is made of.
fn class_set(handle: u32) -> u32 {
    if byte(handle, 20) == 0 { handle } else { word(handle, 24) }
}

unsafe extern "C" fn sampling_set_count(handle: SCOREP_SamplingSetHandle) -> u8 {
    byte(class_set(handle), 56)
}

unsafe extern "C" fn sampling_set_metrics(handle: SCOREP_SamplingSetHandle) -> *const SCOREP_MetricHandle {
    address(class_set(handle), 60).cast()
}

unsafe extern "C" fn sampling_set_occurrence(handle: SCOREP_SamplingSetHandle) -> SCOREP_MetricOccurrence {
    word(class_set(handle), 32)
}

unsafe extern "C" fn sampling_set_is_scoped(handle: SCOREP_SamplingSetHandle) -> bool {
    byte(handle, 20) != 0
}

unsafe extern "C" fn sampling_set_scope(handle: SCOREP_SamplingSetHandle) -> SCOREP_MetricScope {
    if byte(handle, 20) == 0 { SCOREP_INVALID_METRIC_SCOPE } else { word(handle, 32) }
}

unsafe extern "C" fn sampling_set_class(handle: SCOREP_SamplingSetHandle) -> SCOREP_SamplingSetClass {
    word(class_set(handle), 36)
}

unsafe extern "C" fn location_type(location: *const SCOREP_Location) -> SCOREP_LocationType {
    // SAFETY: a location of this host, says the interface.
    unsafe { Location::at(location) }.map_or(SCOREP_LOCATION_TYPE_CPU_THREAD, |location| location.kind)
}

unsafe extern "C" fn location_name(location: *const SCOREP_Location) -> *const c_char {
    // SAFETY: as above.
    let handle = unsafe { Location::at(location) }.map_or(0, |location| location.handle);
    text(word(handle, 32))
}

unsafe extern "C" fn location_id(location: *const SCOREP_Location) -> u32 {
    // SAFETY: as above.
    unsafe { Location::at(location) }.map_or(0, |location| location.id)
}

unsafe extern "C" fn location_global_id(location: *const SCOREP_Location) -> u64 {
    // SAFETY: as above.
    unsafe { Location::at(location) }.map_or(0, Location::global_id)
}

unsafe extern "C" fn location_set_data(location: *const SCOREP_Location, plugin: usize, data: *mut c_void) {
    // SAFETY: as above.
    if let Some(slot) = unsafe { Location::at(location) }.and_then(|location| location.slot(plugin)) {
        slot.store(data, Relaxed);
    }
}

unsafe extern "C" fn location_get_data(location: *const SCOREP_Location, plugin: usize) -> *mut c_void {
    // SAFETY: as above.
    let slot = unsafe { Location::at(location) }.and_then(|location| location.slot(plugin));
    slot.map_or(ptr::null_mut(), |slot| slot.load(Relaxed))
}

/// The values that the current event read.
unsafe extern "C" fn write_strictly_synchronous_metrics(
    location: *mut SCOREP_Location,
    timestamp: u64,
    write: SCOREP_Substrates_WriteMetricsCb,
) {
    // SAFETY: as above.
    let values = unsafe { Location::at(location) }.map_or(ptr::null_mut(), Location::values);
    let set = host().and_then(|host| host.strict.get()).map_or(0, |strict| strict.set);
    if let (false, Some(write)) = (values.is_null(), write) {
        // SAFETY: the plugin's function, on the thread of the plugin's event.
        unsafe { write(location, timestamp, set, values) };
    }
}

/// There are none.
unsafe extern "C" fn write_synchronous_metrics(
    _: *mut SCOREP_Location,
    _: u64,
    _: SCOREP_Substrates_WriteMetricsCb,
) {
}

/// There are none.
unsafe extern "C" fn write_asynchronous_metrics(
    _: *mut SCOREP_Location,
    _: SCOREP_Substrates_WriteMetricsCb,
) {
}

unsafe extern "C" fn experiment_dir_name() -> *const c_char {
    host().map_or(ptr::null(), |host| host.experiment.name())
}

unsafe extern "C" fn manifest_section_header(out: *mut FILE, section: *const c_char) {
    // SAFETY: the manifest's open stream and a string, says the interface.
    unsafe { libc::fprintf(out.cast(), c"\n## %s\n\n".as_ptr(), section) };
}

unsafe extern "C" {
    /// In `c/host.c`, because of its variable arguments.
    fn kymo_runtime_manifest_entry(out: *mut FILE, file: *const c_char, format: *const c_char, ...);
}

/// Ticks per second of the measurement's clock, for plugins that look for Score-P's function of this name.
#[unsafe(no_mangle)]
pub extern "C" fn SCOREP_Timer_GetClockResolution() -> u64 {
    host().map_or(1_000_000_000, |host| host.clock.resolution())
}

/// The table that plugins get.
pub(crate) static CALLBACKS: SCOREP_SubstratePluginCallbacks = SCOREP_SubstratePluginCallbacks {
    SCOREP_GetExperimentDirName: Some(experiment_dir_name),
    SCOREP_Ipc_GetSize: Some(ipc::size),
    SCOREP_Ipc_GetRank: Some(ipc::rank),
    SCOREP_Ipc_Send: Some(ipc::send),
    SCOREP_Ipc_Recv: Some(ipc::recv),
    SCOREP_Ipc_Barrier: Some(ipc::barrier),
    SCOREP_Ipc_Bcast: Some(ipc::bcast),
    SCOREP_Ipc_Gather: Some(ipc::rooted),
    SCOREP_Ipc_Gatherv: Some(ipc::gatherv),
    SCOREP_Ipc_Allgather: Some(ipc::allgather),
    SCOREP_Ipc_Reduce: Some(ipc::reduce),
    SCOREP_Ipc_Allreduce: Some(ipc::allreduce),
    SCOREP_Ipc_Scatter: Some(ipc::rooted),
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
    SCOREP_ConfigManifestSectionEntry: Some(kymo_runtime_manifest_entry),
};

/// Its size in bytes: one pointer for each function.
pub(crate) const CALLBACKS_SIZE: usize = size_of::<SCOREP_SubstratePluginCallbacks>();

const _: () = assert!(CALLBACKS_SIZE == 53 * size_of::<usize>());
