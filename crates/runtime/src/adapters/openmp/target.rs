//! Target regions, and the operations on devices that the host starts for them.
//!
//! The thread that executes a target construct is in its region, whether a device or the host
//! executes the code. The execution on a device is not recorded here.

use kymo_substrate::bindings::{
    SCOREP_PARADIGM_OPENMP_TARGET, SCOREP_PARAMETER_STRING, SCOREP_PARAMETER_UINT64,
};

use super::OpenMpProcess;
use super::sites::{Construct, Site};
use crate::adapters::lazy_handle::LazyHandle;
use crate::host::Host;
use crate::measurement::{Here, Parameter, Text, define_parameter, define_string};

/// A kind of target constructs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TargetKind {
    Target,
    EnterData,
    ExitData,
    Update,
}

/// The values of the parameter `target type`, by kind, and those of constructs with `nowait`.
const TYPES: [&str; 8] = [
    "target",
    "target_enter_data",
    "target_exit_data",
    "target_update",
    "target_nowait",
    "target_enter_data_nowait",
    "target_exit_data_nowait",
    "target_update_nowait",
];

impl TargetKind {
    const ALL: [Self; 4] = [Self::Target, Self::EnterData, Self::ExitData, Self::Update];

    /// Returns the kind with a number in `c/gomp.c`.
    pub(super) fn numbered(number: u32) -> Option<Self> {
        Self::ALL.get(number as usize).copied()
    }
}

/// An operation on the memory of a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operation {
    Allocation,
    Release,
    ToDevice,
    FromDevice,
}

impl Operation {
    pub(super) fn construct(self) -> Construct {
        match self {
            Self::Allocation => Construct::TargetAllocation,
            Self::Release => Construct::TargetRelease,
            Self::ToDevice | Self::FromDevice => Construct::TargetTransfer,
        }
    }

    /// Returns the value of the parameter `direction`.
    fn direction(self) -> Option<(&'static LazyHandle, &'static str)> {
        static TO: LazyHandle = LazyHandle::new();
        static FROM: LazyHandle = LazyHandle::new();
        match self {
            Self::ToDevice => Some((&TO, "to device")),
            Self::FromDevice => Some((&FROM, "from device")),
            Self::Allocation | Self::Release => None,
        }
    }
}

/// Defines the paradigm, once.
pub(super) fn define_target_paradigm(host: &Host) {
    let define = || host.definitions.accelerator_paradigm(SCOREP_PARADIGM_OPENMP_TARGET, b"OpenMP Target");
    OpenMpProcess::of(host).target_paradigm.get_or_init(define);
}

/// Begins a target construct; the task of a deferred one (`nowait`) executes later.
pub(super) fn begin(here: &Here, site: &'static Site, kind: TargetKind, is_deferred: bool) {
    static PARAMETER: LazyHandle = LazyHandle::new();
    static TEXTS: [LazyHandle; TYPES.len()] = [const { LazyHandle::new() }; TYPES.len()];
    here.enter_construct(site.region(Construct::Target));
    let number = kind as usize + if is_deferred { TargetKind::ALL.len() } else { 0 };
    let parameter = PARAMETER.get_if_allowed(|| define_parameter(b"target type", SCOREP_PARAMETER_STRING).0);
    let text = TEXTS.get(number).zip(TYPES.get(number));
    let text = text.map_or(0, |(place, text)| place.get_if_allowed(|| define_string(text.as_bytes()).0));
    here.parameter_string(Parameter(parameter), Text(text));
}

/// Ends the innermost target construct.
pub(super) fn end(here: &Here) {
    here.leave_construct(Construct::Target);
}

/// Begins an operation for a target construct; no number of bytes is 0.
pub(super) fn begin_operation(here: &Here, site: &'static Site, operation: Operation, bytes: usize) {
    static BYTES: LazyHandle = LazyHandle::new();
    static DIRECTION: LazyHandle = LazyHandle::new();
    here.enter_construct(site.region(operation.construct()));
    if bytes > 0 {
        let parameter = BYTES.get_if_allowed(|| define_parameter(b"bytes", SCOREP_PARAMETER_UINT64).0);
        here.parameter_u64(Parameter(parameter), bytes as u64);
    }
    if let Some((place, text)) = operation.direction() {
        let parameter =
            DIRECTION.get_if_allowed(|| define_parameter(b"direction", SCOREP_PARAMETER_STRING).0);
        here.parameter_string(
            Parameter(parameter),
            Text(place.get_if_allowed(|| define_string(text.as_bytes()).0)),
        );
    }
}
