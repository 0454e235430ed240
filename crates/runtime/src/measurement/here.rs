//! The location of the calling thread, which is inside the runtime, and the events that any kind of
//! instrumentation can have.

use core::marker::PhantomData;
use core::mem::ManuallyDrop;
use core::sync::atomic::Ordering::Relaxed;

use super::handles::{Caller, Counter, Parameter, Region, Text};
use super::{pending, regions};
use crate::events::call;
use crate::host::Host;
use crate::locations::Location;

/// The location of the calling thread, which is inside the runtime until this is dropped.
#[derive(Debug)]
pub struct Here {
    pub(super) host: &'static Host,
    pub(super) location: &'static Location,
    /// Belongs to one thread.
    pub(super) thread: PhantomData<*const ()>,
}

impl Drop for Here {
    #[inline]
    fn drop(&mut self) {
        self.location.leave_runtime();
        if !self.location.interrupted.is_empty() {
            pending::record_interrupted(self.location);
        }
    }
}

/// Declares the events of a definition, which are dropped if the handle is 0. The syntax is
///
/// ```text
/// name(handle: type, value: type) = EVENT: Callback (values);
/// ```
macro_rules! events {
    ($($(#[$doc:meta])* $name:ident($handle:ident: $type:ty $(, $value:ident: $value_type:ty)?) =
        $event:ident: $callback:ident($($argument:expr)?);)*) => {
        impl Here {$(
            $(#[$doc])*
            pub fn $name(&self, $handle: $type $(, $value: $value_type)?) {
                if $handle.0 == 0 {
                    return;
                }
                let now = self.now();
                self.location.last_time.store(now, Relaxed);
                call!(self.host.table(), $event: $callback, self.location.address(), now, $handle.0 $(, $argument)?);
            }
        )*}
    };
}

events! {
    /// Enters a rewind region: marks a point to which the recording can be reset.
    enter_rewind(region: Region) = SCOREP_EVENT_ENTER_REWIND_REGION: SCOREP_Substrates_EnterRewindRegionCb();
    /// Leaves a rewind region, and resets the recording to its start if `rewind`.
    leave_rewind(region: Region, rewind: bool) =
        SCOREP_EVENT_EXIT_REWIND_REGION: SCOREP_Substrates_ExitRewindRegionCb(rewind);
    /// Records a parameter of the current call.
    parameter_i64(parameter: Parameter, value: i64) =
        SCOREP_EVENT_TRIGGER_PARAMETER_INT64: SCOREP_Substrates_TriggerParameterInt64Cb(value);
    /// Records a parameter of the current call.
    parameter_u64(parameter: Parameter, value: u64) =
        SCOREP_EVENT_TRIGGER_PARAMETER_UINT64: SCOREP_Substrates_TriggerParameterUint64Cb(value);
    /// Records a parameter of the current call.
    parameter_string(parameter: Parameter, value: Text) =
        SCOREP_EVENT_TRIGGER_PARAMETER_STRING: SCOREP_Substrates_TriggerParameterStringCb(value.0);
    /// Records a value of a counter.
    counter_i64(counter: Counter, value: i64) =
        SCOREP_EVENT_TRIGGER_COUNTER_INT64: SCOREP_Substrates_TriggerCounterInt64Cb(value);
    /// Records a value of a counter.
    counter_u64(counter: Counter, value: u64) =
        SCOREP_EVENT_TRIGGER_COUNTER_UINT64: SCOREP_Substrates_TriggerCounterUint64Cb(value);
    /// Records a value of a counter.
    counter_f64(counter: Counter, value: f64) =
        SCOREP_EVENT_TRIGGER_COUNTER_DOUBLE: SCOREP_Substrates_TriggerCounterDoubleCb(value);
}

impl Here {
    /// Returns the current time in ticks of the measurement's clock.
    #[inline]
    pub fn now(&self) -> u64 {
        self.host.clock.now()
    }

    /// Speaks for the thread of a location that is inside the runtime, or that does not record any
    /// more.
    pub(crate) fn of(host: &'static Host, location: &'static Location) -> ManuallyDrop<Self> {
        ManuallyDrop::new(Self { host, location, thread: PhantomData })
    }

    /// Returns the measurement and the location, for events of other modules.
    #[inline]
    pub(crate) fn parts(&self) -> (&'static Host, &'static Location) {
        (self.host, self.location)
    }

    /// Returns the time of the last event of this location.
    #[inline]
    pub(crate) fn last_time(&self) -> u64 {
        self.location.last_time.load(Relaxed)
    }

    /// Returns the number of the location in the process.
    pub fn location(&self) -> u32 {
        self.location.id
    }

    /// Resumes recording.
    pub fn recording_on(&self) {
        let Some(process) = self.host.process.get().filter(|_| self.may_switch()) else { return };
        self.host.record(true);
        let now = self.now();
        self.read_metrics();
        call!(
            self.host.table(),
            SCOREP_EVENT_ENABLE_RECORDING: SCOREP_Substrates_EnableRecordingCb,
            self.location.address(), now, process.off, self.location.values()
        );
    }

    /// Pauses recording; does nothing while other threads are recorded.
    pub fn recording_off(&self) {
        let Some(process) = self.host.process.get().filter(|_| self.may_switch()) else { return };
        let now = self.now();
        self.read_metrics();
        call!(
            self.host.table(),
            SCOREP_EVENT_DISABLE_RECORDING: SCOREP_Substrates_DisableRecordingCb,
            self.location.address(), now, process.off, self.location.values()
        );
        self.host.record(false);
    }

    fn may_switch(&self) -> bool {
        self.host.active.load(Relaxed) <= 1
    }

    /// Reads the metrics that belong to every enter and leave.
    #[inline]
    pub(crate) fn read_metrics(&self) {
        regions::read_metrics(self.host, self.location);
    }

    /// Enters a region.
    #[inline]
    pub fn enter(&self, region: Region) {
        self.enter_at(region, self.now());
    }

    #[inline]
    pub(crate) fn enter_at(&self, region: Region, now: u64) {
        self.enter_from(Caller::Function, region, now);
    }

    /// Enters a region that was called as `caller` says.
    #[inline]
    pub(crate) fn enter_from(&self, caller: Caller, region: Region, now: u64) {
        regions::enter(self.host, self.location, caller, region, now);
    }

    /// Leaves a region, after the regions that were entered in it and not left: a program can jump
    /// out of more than one. A region that was not entered is not left.
    #[inline]
    pub fn leave(&self, region: Region) {
        self.leave_at(region, self.now());
    }

    #[inline]
    pub(crate) fn leave_at(&self, region: Region, now: u64) {
        regions::leave(self.host, self.location, region, now);
    }

    /// Like [`Self::leave`], but returns how long the region was open, if it was open and times are
    /// kept.
    pub(crate) fn leave_timed(&self, region: Region) -> Option<u64> {
        let now = self.now();
        let entered = match self.location.regions.distance(region.0) {
            0 => None,
            distance => self.location.regions.entered(distance),
        };
        self.leave_at(region, now);
        Some(now.saturating_sub(entered?))
    }

    /// Leaves this many regions, the innermost first.
    pub(crate) fn leave_innermost(&self, count: usize) {
        let now = self.now();
        for _ in 0..count {
            let innermost = self.location.regions.top();
            if let Some(region) = innermost {
                self.leave_at(Region(region), now);
            }
        }
    }

    /// Returns whether a region is open.
    pub(crate) fn is_open(&self, region: Region) -> bool {
        self.location.regions.distance(region.0) != 0
    }

    /// Returns the number of open regions.
    pub fn depth(&self) -> usize {
        self.location.regions.depth()
    }
}
