//! The host's side of the interface, as far as hosts have it in common.
//!
//! The 53 functions that a host provides to its plugins are listed once, in [`callbacks`]. 27 of
//! them return details of definitions, and two write the manifest. These are implemented here for
//! every host whose definitions have the same layout as Score-P's. The kinds of definitions that
//! have getters have the same layout in Score-P 6.0 to 9.0: a header of 20 bytes, then the fields;
//! a paradigm has no header. A host gives access to its definitions ([`DefinitionAccess`]) and
//! implements the others ([`Communication`], [`Callbacks`]); the compiler reports one that is
//! missing.
//!
//! [`entry_symbol`] and [`element_size`] are rules that every host must follow.
//!
//! `hosting/manifest.c`, next to this file, contains the two functions that write the manifest, one
//! of which takes variable arguments. A host's build script compiles it; plugins require no C.

use core::ffi::{c_char, c_int, c_void};
use core::ptr;

use crate::bindings::*;

/// The table of a host without any functions.
// SAFETY: every field is an optional function pointer, for which zero is `None`.
pub const NO_CALLBACKS: SCOREP_SubstratePluginCallbacks = unsafe { core::mem::zeroed() };

/// Access to a host's definitions, which are identified by handles and consist of words and
/// strings.
pub trait DefinitionAccess {
    /// Called first by every getter: `function` requires a handle of type `kind`. A host that
    /// checks the calls of its plugins reports a wrong handle here; other hosts return an arbitrary
    /// number for it.
    fn expect(handle: u32, kind: SCOREP_HandleType, function: &str) {
        let _ = (handle, kind, function);
    }

    /// The 32-bit word at an offset in bytes from the start of a definition.
    fn word(handle: u32, offset: usize) -> u32;

    /// The address of the byte at an offset, or null if there is none.
    fn address(handle: u32, offset: usize) -> *const u8;

    /// The text of a string definition. The result for the handle 0 (no string) is the host's
    /// choice, except that a region without a file gives a null pointer.
    fn text(string: u32) -> *const c_char;
}

/// The communication between the processes of a program, as the interface declares it. Every
/// function returns 0 on success.
///
/// # Safety
///
/// Callers pass buffers with room for the elements that the function reads and writes on their
/// rank.
#[expect(missing_docs, clippy::missing_safety_doc, reason = "named after the functions of MPI")]
pub trait Communication {
    unsafe extern "C" fn size() -> c_int;
    unsafe extern "C" fn rank() -> c_int;
    unsafe extern "C" fn send(
        from: *const c_void,
        count: c_int,
        datatype: SCOREP_Ipc_Datatype,
        to: c_int,
    ) -> c_int;
    unsafe extern "C" fn recv(
        to: *mut c_void,
        count: c_int,
        datatype: SCOREP_Ipc_Datatype,
        from: c_int,
    ) -> c_int;
    unsafe extern "C" fn barrier() -> c_int;
    unsafe extern "C" fn bcast(
        buffer: *mut c_void,
        count: c_int,
        datatype: SCOREP_Ipc_Datatype,
        root: c_int,
    ) -> c_int;
    unsafe extern "C" fn gather(
        from: *const c_void,
        to: *mut c_void,
        count: c_int,
        datatype: SCOREP_Ipc_Datatype,
        root: c_int,
    ) -> c_int;
    unsafe extern "C" fn gatherv(
        from: *const c_void,
        count: c_int,
        to: *mut c_void,
        counts: *const c_int,
        datatype: SCOREP_Ipc_Datatype,
        root: c_int,
    ) -> c_int;
    unsafe extern "C" fn allgather(
        from: *const c_void,
        to: *mut c_void,
        count: c_int,
        datatype: SCOREP_Ipc_Datatype,
    ) -> c_int;
    unsafe extern "C" fn reduce(
        from: *const c_void,
        to: *mut c_void,
        count: c_int,
        datatype: SCOREP_Ipc_Datatype,
        operation: SCOREP_Ipc_Operation,
        root: c_int,
    ) -> c_int;
    unsafe extern "C" fn allreduce(
        from: *const c_void,
        to: *mut c_void,
        count: c_int,
        datatype: SCOREP_Ipc_Datatype,
        operation: SCOREP_Ipc_Operation,
    ) -> c_int;
    unsafe extern "C" fn scatter(
        from: *const c_void,
        to: *mut c_void,
        count: c_int,
        datatype: SCOREP_Ipc_Datatype,
        root: c_int,
    ) -> c_int;
    unsafe extern "C" fn scatterv(
        from: *const c_void,
        counts: *const c_int,
        to: *mut c_void,
        count: c_int,
        datatype: SCOREP_Ipc_Datatype,
        root: c_int,
    ) -> c_int;
}

/// The functions of a host about itself, its locations and its metrics, as the interface declares
/// them.
///
/// # Safety
///
/// Callers pass locations of this host, or null.
#[expect(missing_docs, clippy::missing_safety_doc, reason = "named after the functions of the interface")]
pub trait Callbacks: DefinitionAccess + Communication {
    unsafe extern "C" fn experiment_dir_name() -> *const c_char;
    unsafe extern "C" fn string(handle: SCOREP_StringHandle) -> *const c_char;
    unsafe extern "C" fn location_type(location: *const SCOREP_Location) -> SCOREP_LocationType;
    unsafe extern "C" fn location_name(location: *const SCOREP_Location) -> *const c_char;
    unsafe extern "C" fn location_id(location: *const SCOREP_Location) -> u32;
    unsafe extern "C" fn location_global_id(location: *const SCOREP_Location) -> u64;
    unsafe extern "C" fn location_set_data(
        location: *const SCOREP_Location,
        plugin: usize,
        data: *mut c_void,
    );
    unsafe extern "C" fn location_get_data(location: *const SCOREP_Location, plugin: usize) -> *mut c_void;
    unsafe extern "C" fn write_strictly_synchronous_metrics(
        location: *mut SCOREP_Location,
        timestamp: u64,
        write: SCOREP_Substrates_WriteMetricsCb,
    );
    unsafe extern "C" fn write_synchronous_metrics(
        location: *mut SCOREP_Location,
        timestamp: u64,
        write: SCOREP_Substrates_WriteMetricsCb,
    );
    unsafe extern "C" fn write_asynchronous_metrics(
        location: *mut SCOREP_Location,
        write: SCOREP_Substrates_WriteMetricsCb,
    );
}

/// The byte at an offset in bytes.
fn byte<D: DefinitionAccess>(handle: u32, offset: usize) -> u8 {
    D::word(handle, offset).to_ne_bytes()[0]
}

/// Getters of numbers: the function, its name, the kind of its handle, the offset.
macro_rules! numbers {
    ($($function:ident $name:ident $kind:ident $offset:literal;)*) => {
        $(unsafe extern "C" fn $function<D: DefinitionAccess>(handle: SCOREP_AnyHandle) -> u32 {
            D::expect(handle, $kind, stringify!($name));
            D::word(handle, $offset)
        })*
    };
}

/// Getters of names: the function, its name, the kind of its handle, the offset of the string's
/// handle.
macro_rules! texts {
    ($($function:ident $name:ident $kind:ident $offset:literal;)*) => {
        $(unsafe extern "C" fn $function<D: DefinitionAccess>(handle: SCOREP_AnyHandle) -> *const c_char {
            D::expect(handle, $kind, stringify!($name));
            D::text(D::word(handle, $offset))
        })*
    };
}

numbers! {
    calling_context_region SCOREP_CallingContextHandle_GetRegion SCOREP_HANDLE_TYPE_CALLING_CONTEXT 44;
    calling_context_parent SCOREP_CallingContextHandle_GetParent SCOREP_HANDLE_TYPE_CALLING_CONTEXT 52;
    metric_value_type SCOREP_MetricHandle_GetValueType SCOREP_HANDLE_TYPE_METRIC 36;
    metric_profiling_type SCOREP_MetricHandle_GetProfilingType SCOREP_HANDLE_TYPE_METRIC 60;
    metric_mode SCOREP_MetricHandle_GetMode SCOREP_HANDLE_TYPE_METRIC 32;
    metric_source_type SCOREP_MetricHandle_GetSourceType SCOREP_HANDLE_TYPE_METRIC 28;
    paradigm_class SCOREP_ParadigmHandle_GetClass SCOREP_HANDLE_TYPE_PARADIGM 12;
    paradigm_type SCOREP_ParadigmHandle_GetType SCOREP_HANDLE_TYPE_PARADIGM 8;
    parameter_type SCOREP_ParameterHandle_GetType SCOREP_HANDLE_TYPE_PARAMETER 24;
    region_id SCOREP_RegionHandle_GetId SCOREP_HANDLE_TYPE_REGION 16;
    region_begin_line SCOREP_RegionHandle_GetBeginLine SCOREP_HANDLE_TYPE_REGION 40;
    region_end_line SCOREP_RegionHandle_GetEndLine SCOREP_HANDLE_TYPE_REGION 44;
    region_type SCOREP_RegionHandle_GetType SCOREP_HANDLE_TYPE_REGION 32;
    region_paradigm SCOREP_RegionHandle_GetParadigmType SCOREP_HANDLE_TYPE_REGION 48;
}

texts! {
    metric_name SCOREP_MetricHandle_GetName SCOREP_HANDLE_TYPE_METRIC 20;
    paradigm_name SCOREP_ParadigmHandle_GetName SCOREP_HANDLE_TYPE_PARADIGM 16;
    parameter_name SCOREP_ParameterHandle_GetName SCOREP_HANDLE_TYPE_PARAMETER 20;
    region_name SCOREP_RegionHandle_GetName SCOREP_HANDLE_TYPE_REGION 20;
    region_canonical_name SCOREP_RegionHandle_GetCanonicalName SCOREP_HANDLE_TYPE_REGION 24;
    source_file_name SCOREP_SourceFileHandle_GetName SCOREP_HANDLE_TYPE_SOURCE_FILE 20;
}

/// Returns null if there is no file.
unsafe extern "C" fn region_file_name<D: DefinitionAccess>(handle: SCOREP_RegionHandle) -> *const c_char {
    D::expect(handle, SCOREP_HANDLE_TYPE_REGION, "SCOREP_RegionHandle_GetFileName");
    match D::word(handle, 36) {
        0 => ptr::null(),
        file => D::text(file),
    }
}

const IS_SCOPED: usize = 20;

/// Whether a sampling set, which is the argument of `function`, is a scoped one.
fn is_scoped<D: DefinitionAccess>(handle: u32, function: &str) -> bool {
    D::expect(handle, SCOREP_HANDLE_TYPE_SAMPLING_SET, function);
    byte::<D>(handle, IS_SCOPED) != 0
}

/// The sampling set itself or, for a scoped one, the set that it refers to, which contains the
/// metrics, the occurrence and the class.
fn class_set<D: DefinitionAccess>(handle: u32, function: &str) -> u32 {
    if is_scoped::<D>(handle, function) { D::word(handle, 24) } else { handle }
}

unsafe extern "C" fn sampling_set_count<D: DefinitionAccess>(handle: SCOREP_SamplingSetHandle) -> u8 {
    byte::<D>(class_set::<D>(handle, "SCOREP_SamplingSetHandle_GetNumberOfMetrics"), 56)
}

unsafe extern "C" fn sampling_set_metrics<D: DefinitionAccess>(
    handle: SCOREP_SamplingSetHandle,
) -> *const SCOREP_MetricHandle {
    D::address(class_set::<D>(handle, "SCOREP_SamplingSetHandle_GetMetricHandles"), 60).cast()
}

unsafe extern "C" fn sampling_set_occurrence<D: DefinitionAccess>(
    handle: SCOREP_SamplingSetHandle,
) -> SCOREP_MetricOccurrence {
    D::word(class_set::<D>(handle, "SCOREP_SamplingSetHandle_GetMetricOccurrence"), 32)
}

unsafe extern "C" fn sampling_set_class<D: DefinitionAccess>(
    handle: SCOREP_SamplingSetHandle,
) -> SCOREP_SamplingSetClass {
    D::word(class_set::<D>(handle, "SCOREP_SamplingSetHandle_GetSamplingSetClass"), 36)
}

unsafe extern "C" fn sampling_set_is_scoped<D: DefinitionAccess>(handle: SCOREP_SamplingSetHandle) -> bool {
    is_scoped::<D>(handle, "SCOREP_SamplingSetHandle_IsScoped")
}

unsafe extern "C" fn sampling_set_scope<D: DefinitionAccess>(
    handle: SCOREP_SamplingSetHandle,
) -> SCOREP_MetricScope {
    match is_scoped::<D>(handle, "SCOREP_SamplingSetHandle_GetScope") {
        true => D::word(handle, 32),
        false => SCOREP_INVALID_METRIC_SCOPE,
    }
}

/// The table of a host's functions. It has no default: a function that the interface gains is an
/// error here.
pub const fn callbacks<H: Callbacks>() -> SCOREP_SubstratePluginCallbacks {
    SCOREP_SubstratePluginCallbacks {
        SCOREP_GetExperimentDirName: Some(H::experiment_dir_name),
        SCOREP_Ipc_GetSize: Some(H::size),
        SCOREP_Ipc_GetRank: Some(H::rank),
        SCOREP_Ipc_Send: Some(H::send),
        SCOREP_Ipc_Recv: Some(H::recv),
        SCOREP_Ipc_Barrier: Some(H::barrier),
        SCOREP_Ipc_Bcast: Some(H::bcast),
        SCOREP_Ipc_Gather: Some(H::gather),
        SCOREP_Ipc_Gatherv: Some(H::gatherv),
        SCOREP_Ipc_Allgather: Some(H::allgather),
        SCOREP_Ipc_Reduce: Some(H::reduce),
        SCOREP_Ipc_Allreduce: Some(H::allreduce),
        SCOREP_Ipc_Scatter: Some(H::scatter),
        SCOREP_Ipc_Scatterv: Some(H::scatterv),
        SCOREP_Location_GetType: Some(H::location_type),
        SCOREP_Location_GetName: Some(H::location_name),
        SCOREP_Location_GetId: Some(H::location_id),
        SCOREP_Location_GetGlobalId: Some(H::location_global_id),
        SCOREP_Location_SetData: Some(H::location_set_data),
        SCOREP_Location_GetData: Some(H::location_get_data),
        SCOREP_StringHandle_Get: Some(H::string),
        SCOREP_Metric_WriteStrictlySynchronousMetrics: Some(H::write_strictly_synchronous_metrics),
        SCOREP_Metric_WriteSynchronousMetrics: Some(H::write_synchronous_metrics),
        SCOREP_Metric_WriteAsynchronousMetrics: Some(H::write_asynchronous_metrics),
        SCOREP_ConfigManifestSectionHeader: Some(kymo_manifest_section),
        SCOREP_ConfigManifestSectionEntry: Some(kymo_manifest_entry),
        SCOREP_CallingContextHandle_GetRegion: Some(calling_context_region::<H>),
        SCOREP_CallingContextHandle_GetParent: Some(calling_context_parent::<H>),
        SCOREP_MetricHandle_GetValueType: Some(metric_value_type::<H>),
        SCOREP_MetricHandle_GetName: Some(metric_name::<H>),
        SCOREP_MetricHandle_GetProfilingType: Some(metric_profiling_type::<H>),
        SCOREP_MetricHandle_GetMode: Some(metric_mode::<H>),
        SCOREP_MetricHandle_GetSourceType: Some(metric_source_type::<H>),
        SCOREP_ParadigmHandle_GetClass: Some(paradigm_class::<H>),
        SCOREP_ParadigmHandle_GetName: Some(paradigm_name::<H>),
        SCOREP_ParadigmHandle_GetType: Some(paradigm_type::<H>),
        SCOREP_ParameterHandle_GetName: Some(parameter_name::<H>),
        SCOREP_ParameterHandle_GetType: Some(parameter_type::<H>),
        SCOREP_RegionHandle_GetId: Some(region_id::<H>),
        SCOREP_RegionHandle_GetName: Some(region_name::<H>),
        SCOREP_RegionHandle_GetCanonicalName: Some(region_canonical_name::<H>),
        SCOREP_RegionHandle_GetFileName: Some(region_file_name::<H>),
        SCOREP_RegionHandle_GetBeginLine: Some(region_begin_line::<H>),
        SCOREP_RegionHandle_GetEndLine: Some(region_end_line::<H>),
        SCOREP_RegionHandle_GetType: Some(region_type::<H>),
        SCOREP_RegionHandle_GetParadigmType: Some(region_paradigm::<H>),
        SCOREP_SamplingSetHandle_GetNumberOfMetrics: Some(sampling_set_count::<H>),
        SCOREP_SamplingSetHandle_GetMetricHandles: Some(sampling_set_metrics::<H>),
        SCOREP_SamplingSetHandle_GetMetricOccurrence: Some(sampling_set_occurrence::<H>),
        SCOREP_SamplingSetHandle_IsScoped: Some(sampling_set_is_scoped::<H>),
        SCOREP_SamplingSetHandle_GetScope: Some(sampling_set_scope::<H>),
        SCOREP_SamplingSetHandle_GetSamplingSetClass: Some(sampling_set_class::<H>),
        SCOREP_SourceFileHandle_GetName: Some(source_file_name::<H>),
    }
}

unsafe extern "C" {
    /// Defined, like the next one, in `hosting/manifest.c`.
    fn kymo_manifest_section(out: *mut FILE, title: *const c_char);
    fn kymo_manifest_entry(out: *mut FILE, file: *const c_char, format: *const c_char, ...);
}

/// The size in bytes of an element in communication, or `None` for a number that is not a data
/// type.
pub const fn element_size(datatype: SCOREP_Ipc_Datatype) -> Option<usize> {
    match datatype {
        SCOREP_IPC_BYTE | SCOREP_IPC_CHAR | SCOREP_IPC_UNSIGNED_CHAR => Some(1),
        SCOREP_IPC_INT | SCOREP_IPC_UNSIGNED | SCOREP_IPC_INT32_T | SCOREP_IPC_UINT32_T => Some(4),
        SCOREP_IPC_INT64_T | SCOREP_IPC_UINT64_T | SCOREP_IPC_DOUBLE => Some(8),
        _ => None,
    }
}

/// The name of the entry function in a plugin's library, or `None` if it is longer than Score-P
/// allows.
pub fn entry_symbol(plugin: &str) -> Option<String> {
    const LONGEST_NAME: usize = 511;
    let symbol = format!("SCOREP_SubstratePlugin_{plugin}_get_info");
    (symbol.len() <= LONGEST_NAME).then_some(symbol)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_too_long_for_a_host_has_no_entry() {
        assert_eq!(entry_symbol("kymo").as_deref(), Some("SCOREP_SubstratePlugin_kymo_get_info"));
        assert_eq!(entry_symbol(&"x".repeat(479)).map(|symbol| symbol.len()), Some(511));
        assert_eq!(entry_symbol(&"x".repeat(480)), None);
    }

    #[test]
    fn elements_have_the_size_of_their_type_in_c() {
        let sizes = (0..=10).map(|datatype| element_size(datatype).unwrap_or(0));
        assert!(sizes.eq([1, 1, 1, 4, 4, 4, 4, 8, 8, 8, 0]));
    }
}
