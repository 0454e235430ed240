//! Getters of definitions: strings, regions, metrics, sampling sets, parameters, paradigms, source
//! files and calling contexts.
//!
//! A getter calls the host only for a valid handle and while definitions exist. Otherwise it
//! returns the neutral value: `None`, `NONE`, 0 or the kind's `INVALID`.

use core::ffi::CStr;

use super::{Host, entry, host_string};
use crate::bindings;
use crate::events::host_slice;
use crate::handles::*;
use crate::kinds::*;

/// Declares getters by their return type.
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
                // SAFETY: null, or a string in the host's definition memory, which exists until the
                // end of `write_data`.
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
    // A handle, or 0 if there is none.
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
    // The call of the host.
    ($host:ident, $handle:ident, $callback:ident, |$raw:ident| $convert:expr) => {
        if $handle.is_none() || !$host.has_definitions() {
            None
        } else {
            entry!($host, $callback).map(|get| {
                // SAFETY: the handle was passed by the host, and its definitions still exist.
                let $raw = unsafe { get($handle.raw()) };
                $convert
            })
        }
    };
}

getters! {
    /// The text of a string.
    string(StringHandle) -> text = SCOREP_StringHandle_Get;
    /// The name of a source file.
    source_file_name(SourceFileHandle) -> text = SCOREP_SourceFileHandle_GetName;

    /// The number of a region in this process: 0, 1, 2, … in the order of definition.
    region_id(RegionHandle) -> number = SCOREP_RegionHandle_GetId;
    /// The name of a region, possibly demangled.
    region_name(RegionHandle) -> text = SCOREP_RegionHandle_GetName;
    /// The name of a region's symbol for the linker.
    region_canonical_name(RegionHandle) -> text = SCOREP_RegionHandle_GetCanonicalName;
    /// The source file of a region, or `None` if it has none. For sampled functions, the file and
    /// the lines are available only in `write_data`.
    region_file_name(RegionHandle) -> text = SCOREP_RegionHandle_GetFileName;
    /// The first line of a region, or 0 if unknown.
    region_begin_line(RegionHandle) -> number = SCOREP_RegionHandle_GetBeginLine;
    /// The last line of a region, or 0 if unknown.
    region_end_line(RegionHandle) -> number = SCOREP_RegionHandle_GetEndLine;
    /// The type of a region.
    region_type(RegionHandle) -> (RegionType, INVALID) = SCOREP_RegionHandle_GetType;
    /// The paradigm that reports a region.
    region_paradigm(RegionHandle) -> (ParadigmType, INVALID) = SCOREP_RegionHandle_GetParadigmType;

    /// The region of a calling context.
    calling_context_region(CallingContextHandle) -> (handle RegionHandle) = SCOREP_CallingContextHandle_GetRegion;
    /// The caller of a calling context; none for the outermost one.
    calling_context_parent(CallingContextHandle) -> (handle CallingContextHandle)
        = SCOREP_CallingContextHandle_GetParent;

    /// The name of a metric.
    metric_name(MetricHandle) -> text = SCOREP_MetricHandle_GetName;
    /// The type of a metric's values.
    metric_value_type(MetricHandle) -> (MetricValueType, INVALID) = SCOREP_MetricHandle_GetValueType;
    /// How a profile aggregates a metric.
    metric_profiling_type(MetricHandle) -> (MetricProfilingType, INVALID) = SCOREP_MetricHandle_GetProfilingType;
    /// The time range that a metric's value refers to.
    metric_mode(MetricHandle) -> (MetricMode, INVALID) = SCOREP_MetricHandle_GetMode;
    /// The source of a metric.
    metric_source_type(MetricHandle) -> (MetricSourceType, INVALID) = SCOREP_MetricHandle_GetSourceType;

    /// When the values of a sampling set are written.
    sampling_set_occurrence(SamplingSetHandle) -> (MetricOccurrence, INVALID)
        = SCOREP_SamplingSetHandle_GetMetricOccurrence;
    /// The scope of a scoped sampling set; invalid if it is not scoped.
    sampling_set_scope(SamplingSetHandle) -> (MetricScope, INVALID) = SCOREP_SamplingSetHandle_GetScope;
    /// The kind of location that records a sampling set.
    sampling_set_class(SamplingSetHandle) -> (SamplingSetClass, ABSTRACT)
        = SCOREP_SamplingSetHandle_GetSamplingSetClass;

    /// The name of a parameter.
    parameter_name(ParameterHandle) -> text = SCOREP_ParameterHandle_GetName;
    /// The type of a parameter's values.
    parameter_type(ParameterHandle) -> (ParameterType, INVALID) = SCOREP_ParameterHandle_GetType;

    /// The name of a paradigm.
    paradigm_name(ParadigmHandle) -> text = SCOREP_ParadigmHandle_GetName;
    /// How a paradigm creates processes and threads.
    paradigm_class(ParadigmHandle) -> (ParadigmClass, INVALID) = SCOREP_ParadigmHandle_GetClass;
    /// The type of a paradigm.
    paradigm_type(ParadigmHandle) -> (ParadigmType, INVALID) = SCOREP_ParadigmHandle_GetType;
}

impl Host {
    /// The number of metrics in a sampling set.
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
            // SAFETY: an array of this length in the host's definition memory; the newtype is
            // transparent.
            unsafe { host_slice(start.cast(), count) }
        })
        .unwrap_or_default()
    }

    /// The values of a sampling set as the host passes them, one for each of its metrics.
    ///
    /// # Safety
    ///
    /// `values` is null or points to one value per metric of `set`, valid as long as the result is
    /// used.
    pub(crate) unsafe fn metric_values<'a>(&self, set: SamplingSetHandle, values: *const u64) -> &'a [u64] {
        // SAFETY: `values` is null or points to one value per metric of `set`, valid as long as the
        // result is used.
        unsafe { host_slice(values, self.number_of_metrics(set)) }
    }
}
