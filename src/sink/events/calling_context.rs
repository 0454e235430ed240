//! Calling contexts and samples (events 6 to 8). If the host unwinds, it delivers them instead of
//! enter and exit.
//!
//! Samples are delivered in a signal handler: nothing here may allocate or lock.

use kymo_otf2::events::{CallingContextEnter, CallingContextLeave, CallingContextSample};
use kymo_recorder::RegionEntry;
use kymo_substrate::{CallingContextHandle, InterruptGeneratorHandle, Location, Metrics, Timestamp};

use crate::sink::Sink;

impl Sink {
    /// Records a sample. A sample without a context closes the stack of an ending location and
    /// carries only asynchronous metrics.
    pub(super) fn sample(
        &self,
        at: Location,
        time: Timestamp,
        context: CallingContextHandle,
        _previous: CallingContextHandle,
        unwind_distance: u32,
        interrupt_generator: InterruptGeneratorHandle,
        metrics: Metrics,
    ) {
        if context.is_none() {
            return self.record_asynchronous_metrics(at, time, metrics);
        }
        self.record_metrics(at, time, metrics);
        let record = CallingContextSample {
            calling_context: self.calling_context(context),
            unwind_distance,
            interrupt_generator: self.interrupt_generator(interrupt_generator),
        };
        self.record(at, time, &record);
    }

    pub(super) fn calling_context_enter(
        &self,
        at: Location,
        time: Timestamp,
        context: CallingContextHandle,
        _previous: CallingContextHandle,
        unwind_distance: u32,
        metrics: Metrics,
    ) {
        self.record_metrics(at, time, metrics);
        let calling_context = self.calling_context(context);
        match self.definitions.memory_region(context.raw()) {
            Some(memory) => {
                self.enter_memory(at, time, RegionEntry::Context(calling_context, unwind_distance), memory)
            }
            None => self.record(at, time, &CallingContextEnter { calling_context, unwind_distance }),
        }
    }

    pub(super) fn calling_context_exit(
        &self,
        at: Location,
        time: Timestamp,
        context: CallingContextHandle,
        _previous: CallingContextHandle,
        unwind_distance: u32,
        metrics: Metrics,
    ) {
        self.record_metrics(at, time, metrics);
        let calling_context = self.calling_context(context);
        match self.definitions.memory_region(context.raw()) {
            Some(memory) => {
                self.leave_memory(at, time, RegionEntry::Context(calling_context, unwind_distance), memory)
            }
            None => self.record(at, time, &CallingContextLeave { calling_context }),
        }
    }
}
