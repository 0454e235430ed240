//! Getters of definitions: strings, regions, metrics, sampling sets, parameters, paradigms, source files, calling
//! contexts.
//!
//! Each asks the host only for a handle that is one, while definitions exist; else it gives the neutral value: `None`,
//! `NONE`, 0 or the kind's `INVALID`.

use core::ffi::CStr;

use super::{Host, entry, host_string};
use crate::bindings;
use crate::events::host_slice;
use crate::handles::*;
use crate::kinds::*;

/// Getters by the type of what they return.
macro_rules! getters {
    ($($(#[$doc:meta])* $method:ident($handle:ty) -> $answer:tt = $callback:ident;)*) => {
        impl Host {
            $(getter! { $(#[$doc])* $method($handle) -> $answer = $callback })*
        }
    };
}

macro_rules! getter {
    ($(#[$doc:meta])* $method:ident($handle:ty) -> text = $callback:ident) => {
        $(#[$doc])*
        pub fn $method(&self, handle: $handle) -> Option<&CStr> {
            getter!(self, handle, $callback, |raw| {
                // SAFETY: null or a string in the host's definition memory, which stays until the end of `write_data`.
                unsafe { host_string(raw) }
            })?
        }
    };
    ($(#[$doc:meta])* $method:ident($handle:ty) -> number = $callback:ident) => {
        $(#[$doc])*
        pub fn $method(&self, handle: $handle) -> Option<u32> {
            getter!(self, handle, $callback, |raw| raw)
        }
    };
    // A handle: 0 if there is none.
    ($(#[$doc:meta])* $method:ident($handle:ty) -> (handle $answer:ident) = $callback:ident) => {
        $(#[$doc])*
        pub fn $method(&self, handle: $handle) -> $answer {
            // SAFETY: the host returns a handle of this kind or 0.
            getter!(self, handle, $callback, |raw| unsafe { $answer::from_raw(raw) }).unwrap_or($answer::NONE)
        }
    };
    // A kind, with its neutral value.
    ($(#[$doc:meta])* $method:ident($handle:ty) -> ($answer:ident, $neutral:ident) = $callback:ident) => {
        $(#[$doc])*
        pub fn $method(&self, handle: $handle) -> $answer {
            getter!(self, handle, $callback, |raw| $answer(raw)).unwrap_or($answer::$neutral)
        }
    };
    // The call itself.
    ($host:ident, $handle:ident, $callback:ident, |$raw:ident| $convert:expr) => {
        if $handle.is_none() || !$host.has_definitions() {
            None
        } else {
            entry!($host, $callback).map(|get| {
                // SAFETY: the handle came from the host and its definitions still exist.
                let $raw = unsafe { get($handle.raw()) };
                $convert
            })
        }
    };
}

getters! {
    /// Text of a string.
    string(StringHandle) -> text = SCOREP_StringHandle_Get;
    /// Name of a source file.
    source_file_name(SourceFileHandle) -> text = SCOREP_SourceFileHandle_GetName;

    /// Number of a region in this process: 0, 1, 2, … in the order of definition.
    region_id(RegionHandle) -> number = SCOREP_RegionHandle_GetId;
    /// Name of a region, possibly demangled.
    region_name(RegionHandle) -> text = SCOREP_RegionHandle_GetName;
    /// Name of a region as the linker knows it.
    region_canonical_name(RegionHandle) -> text = SCOREP_RegionHandle_GetCanonicalName;
    /// Source file of a region, `None` if it has none. For sampled functions known only in `write_data`, like the
    /// lines.
    region_file_name(RegionHandle) -> text = SCOREP_RegionHandle_GetFileName;
    /// First line of a region; 0 for unknown.
    region_begin_line(RegionHandle) -> number = SCOREP_RegionHandle_GetBeginLine;
    /// Last line of a region; 0 for unknown.
    region_end_line(RegionHandle) -> number = SCOREP_RegionHandle_GetEndLine;
    /// What a region is.
    region_type(RegionHandle) -> (RegionType, INVALID) = SCOREP_RegionHandle_GetType;
    /// Who reports a region.
    region_paradigm(RegionHandle) -> (ParadigmType, INVALID) = SCOREP_RegionHandle_GetParadigmType;

    /// Region of a calling context.
    calling_context_region(CallingContextHandle) -> (handle RegionHandle) = SCOREP_CallingContextHandle_GetRegion;
    /// Caller of a calling context; none for the outermost.
    calling_context_parent(CallingContextHandle) -> (handle CallingContextHandle)
        = SCOREP_CallingContextHandle_GetParent;

    /// Name of a metric.
    metric_name(MetricHandle) -> text = SCOREP_MetricHandle_GetName;
    /// How to read the values of a metric.
    metric_value_type(MetricHandle) -> (MetricValueType, INVALID) = SCOREP_MetricHandle_GetValueType;
    /// How a profile treats a metric.
    metric_profiling_type(MetricHandle) -> (MetricProfilingType, INVALID) = SCOREP_MetricHandle_GetProfilingType;
    /// What a value says about the time around it.
    metric_mode(MetricHandle) -> (MetricMode, INVALID) = SCOREP_MetricHandle_GetMode;
    /// Where a metric comes from.
    metric_source_type(MetricHandle) -> (MetricSourceType, INVALID) = SCOREP_MetricHandle_GetSourceType;

    /// When the values of a sampling set are written.
    sampling_set_occurrence(SamplingSetHandle) -> (MetricOccurrence, INVALID)
        = SCOREP_SamplingSetHandle_GetMetricOccurrence;
    /// What a scoped sampling set belongs to; invalid if it is not scoped.
    sampling_set_scope(SamplingSetHandle) -> (MetricScope, INVALID) = SCOREP_SamplingSetHandle_GetScope;
    /// Kind of location that records a sampling set.
    sampling_set_class(SamplingSetHandle) -> (SamplingSetClass, ABSTRACT)
        = SCOREP_SamplingSetHandle_GetSamplingSetClass;

    /// Name of a parameter.
    parameter_name(ParameterHandle) -> text = SCOREP_ParameterHandle_GetName;
    /// Type of the values of a parameter.
    parameter_type(ParameterHandle) -> (ParameterType, INVALID) = SCOREP_ParameterHandle_GetType;

    /// Name of a paradigm.
    paradigm_name(ParadigmHandle) -> text = SCOREP_ParadigmHandle_GetName;
    /// How a paradigm makes processes and threads.
    paradigm_class(ParadigmHandle) -> (ParadigmClass, INVALID) = SCOREP_ParadigmHandle_GetClass;
    /// Which paradigm it is.
    paradigm_type(ParadigmHandle) -> (ParadigmType, INVALID) = SCOREP_ParadigmHandle_GetType;
}

impl Host {
    /// Number of metrics of a sampling set.
    pub fn number_of_metrics(&self, set: SamplingSetHandle) -> usize {
        getter!(self, set, SCOREP_SamplingSetHandle_GetNumberOfMetrics, |raw| usize::from(raw)).unwrap_or(0)
    }

    /// Whether a sampling set belongs to something other than the location that writes it.
    pub fn sampling_set_is_scoped(&self, set: SamplingSetHandle) -> bool {
        getter!(self, set, SCOREP_SamplingSetHandle_IsScoped, |raw| raw).unwrap_or(false)
    }

    /// The metrics of a sampling set, in the order of their values.
    pub fn metric_handles(&self, set: SamplingSetHandle) -> &[MetricHandle] {
        let count = self.number_of_metrics(set);
        getter!(self, set, SCOREP_SamplingSetHandle_GetMetricHandles, |raw| {
            let start: *const bindings::SCOREP_MetricHandle = raw;
            // SAFETY: an array of this length in the host's definition memory; the newtype is transparent.
            unsafe { host_slice(start.cast(), count) }
        })
        .unwrap_or_default()
    }

    /// The values of a sampling set as the host passes them: one for each of its metrics.
    ///
    /// # Safety
    ///
    /// `values` is null or points to one value per metric of `set`, alive as long as the result is used.
    pub(crate) unsafe fn metric_values<'a>(&self, set: SamplingSetHandle, values: *const u64) -> &'a [u64] {
        // SAFETY: the caller vouches for it.
        unsafe { host_slice(values, self.number_of_metrics(set)) }
    }
}
