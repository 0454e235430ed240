//! A host whose getters return the values that a test has set on the same thread, and 0 for all
//! others.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::c_char;
use std::ptr;

use crate::bindings::SCOREP_SubstratePluginCallbacks as Callbacks;
use crate::host::{Host, HostCell, Phase};
use crate::hosting::NO_CALLBACKS;

thread_local! {
    static ANSWERS: RefCell<HashMap<(Getter, u32), u64>> = RefCell::default();
}

/// Declares the getters and the table of them.
macro_rules! getters {
    ($($getter:ident: $type:ty, $convert:expr;)*) => {
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[allow(non_camel_case_types, clippy::enum_variant_names, clippy::upper_case_acronyms)]
        pub(super) enum Getter {
            $($getter,)*
        }

        #[allow(non_snake_case)]
        mod functions {
            use super::*;
            $(pub(super) unsafe extern "C" fn $getter(handle: u32) -> $type {
                let convert: fn(u64) -> $type = $convert;
                convert(answer(Getter::$getter, handle))
            })*
        }

        fn table() -> &'static Callbacks {
            static TABLE: Callbacks = Callbacks { $($getter: Some(functions::$getter),)* ..NO_CALLBACKS };
            &TABLE
        }
    };
}

getters! {
    SCOREP_StringHandle_Get: *const c_char, text;
    SCOREP_SourceFileHandle_GetName: *const c_char, text;
    SCOREP_RegionHandle_GetId: u32, number;
    SCOREP_RegionHandle_GetName: *const c_char, text;
    SCOREP_RegionHandle_GetBeginLine: u32, number;
    SCOREP_RegionHandle_GetEndLine: u32, number;
    SCOREP_RegionHandle_GetType: u32, number;
    SCOREP_RegionHandle_GetParadigmType: u32, number;
    SCOREP_MetricHandle_GetValueType: u32, number;
    SCOREP_MetricHandle_GetMode: u32, number;
    SCOREP_MetricHandle_GetSourceType: u32, number;
    SCOREP_MetricHandle_GetProfilingType: u32, number;
    SCOREP_SamplingSetHandle_GetNumberOfMetrics: u8, |answer| answer as u8;
    SCOREP_SamplingSetHandle_GetMetricHandles: *const u32, |answer| ptr::with_exposed_provenance(answer as usize);
    SCOREP_SamplingSetHandle_IsScoped: bool, |answer| answer != 0;
    SCOREP_ParameterHandle_GetType: u32, number;
    SCOREP_ParadigmHandle_GetType: u32, number;
    SCOREP_ParadigmHandle_GetClass: u32, number;
    SCOREP_CallingContextHandle_GetRegion: u32, number;
    SCOREP_CallingContextHandle_GetParent: u32, number;
}

fn text(answer: u64) -> *const c_char {
    ptr::with_exposed_provenance(answer as usize)
}

fn number(answer: u64) -> u32 {
    answer as u32
}

fn answer(getter: Getter, handle: u32) -> u64 {
    ANSWERS.with_borrow(|answers| answers.get(&(getter, handle)).copied().unwrap_or(0))
}

/// Sets the value that a getter returns from now on, on this thread.
pub(super) fn set_answer(getter: Getter, handle: u32, answer: u64) {
    ANSWERS.with_borrow_mut(|answers| answers.insert((getter, handle), answer));
}

/// Returns the host of this thread and clears all values that were set.
pub(super) fn new() -> Host {
    ANSWERS.with_borrow_mut(HashMap::clear);
    let cell: &'static HostCell = Box::leak(Box::new(HostCell::new()));
    // SAFETY: the table is never dropped.
    unsafe { cell.set(table(), size_of::<Callbacks>()) };
    Host::new(cell)
}

/// Ends the life of the host's definitions.
pub(super) fn tear_down(host: &Host) {
    host.cell().enter(Phase::Written);
}
