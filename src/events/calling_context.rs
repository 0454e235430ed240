//! Calling contexts and samples (events 6 to 8). If the host unwinds, it delivers them instead of
//! enter and exit.
//!
//! Samples are delivered in a signal handler: nothing here may allocate or lock.
//!
//! On request they become leaves and enters of regions: those that turn the stack of the event
//! before into the current one (docs/spec/scorep-to-otf2.md, §1).

use kymo_otf2::events::{CallingContextEnter, CallingContextLeave, CallingContextSample};
use kymo_recorder::RegionEntry;
use kymo_substrate::{
    CallingContextHandle, InterruptGeneratorHandle, Location, Metrics, RegionHandle, Timestamp,
};

use crate::events::Sink;

/// The number of regions of a deep stack that are looked up in one pass.
const FEW_REGIONS: usize = 32;

impl Sink {
    /// Records a sample. A sample without a context closes the stack of an ending location and
    /// carries only asynchronous metrics.
    pub(super) fn sample(
        &self,
        at: Location,
        time: Timestamp,
        context: CallingContextHandle,
        previous: CallingContextHandle,
        unwind_distance: u32,
        interrupt_generator: InterruptGeneratorHandle,
        metrics: Metrics,
    ) {
        if self.converts(context) {
            self.record_asynchronous_metrics(at, time, metrics);
            return self.convert(at, time, context, previous, unwind_distance, metrics);
        }
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
        previous: CallingContextHandle,
        unwind_distance: u32,
        metrics: Metrics,
    ) {
        if self.converts(context) {
            let (region, caller) = self.definitions.region_and_caller(context);
            self.convert(at, time, caller, previous, unwind_distance.saturating_sub(1), metrics);
            return self.enter_any_region(at, time, region, metrics);
        }
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
        previous: CallingContextHandle,
        unwind_distance: u32,
        metrics: Metrics,
    ) {
        if self.converts(context) {
            self.convert(at, time, context, previous, 1, metrics);
            let (region, _) = self.definitions.region_and_caller(context);
            return self.exit_any_region(at, time, region, metrics);
        }
        self.record_metrics(at, time, metrics);
        let calling_context = self.calling_context(context);
        match self.definitions.memory_region(context.raw()) {
            Some(memory) => {
                self.leave_memory(at, time, RegionEntry::Context(calling_context, unwind_distance), memory)
            }
            None => self.record(at, time, &CallingContextLeave { calling_context }),
        }
    }

    /// Whether an event becomes leaves and enters: on request, if the host's memory contains the
    /// context.
    fn converts(&self, context: CallingContextHandle) -> bool {
        self.converts_contexts
            && (context.is_none() || !self.definitions.region_and_caller(context).0.is_none())
    }

    /// Records the leaves and enters that turn the previous stack into the current one. The last of
    /// the `distance` contexts from the current one on is on both stacks, perhaps at another line.
    fn convert(
        &self,
        at: Location,
        time: Timestamp,
        current: CallingContextHandle,
        previous: CallingContextHandle,
        distance: u32,
        metrics: Metrics,
    ) {
        let entered = distance.saturating_sub(1);
        let shared = self.ancestor(current, entered);
        self.leave_contexts(at, time, previous, shared, metrics);
        self.enter_contexts(at, time, current, entered, metrics);
    }

    /// Leaves the contexts of the previous stack down to the one whose caller is that of the shared
    /// context; all of them if no context is shared.
    fn leave_contexts(
        &self,
        at: Location,
        time: Timestamp,
        previous: CallingContextHandle,
        shared: CallingContextHandle,
        metrics: Metrics,
    ) {
        let (_, caller_of_shared) = self.definitions.region_and_caller(shared);
        let mut context = previous;
        while !context.is_none() && context != caller_of_shared {
            let (region, caller) = self.definitions.region_and_caller(context);
            if region.is_none() || !shared.is_none() && caller == caller_of_shared {
                break;
            }
            self.exit_any_region(at, time, region, metrics);
            context = caller;
        }
    }

    /// Enters the context and as many of its callers as make `count` contexts, the outermost first.
    fn enter_contexts(
        &self,
        at: Location,
        time: Timestamp,
        current: CallingContextHandle,
        count: u32,
        metrics: Metrics,
    ) {
        let mut left = count as usize;
        while left > 0 {
            let mut regions = [RegionHandle::NONE; FEW_REGIONS];
            let few = left.min(FEW_REGIONS);
            let mut context = self.ancestor(current, (left - few) as u32);
            for place in &mut regions[..few] {
                (*place, context) = self.definitions.region_and_caller(context);
            }
            for &region in regions[..few].iter().rev().filter(|region| !region.is_none()) {
                self.enter_any_region(at, time, region, metrics);
            }
            left -= few;
        }
    }

    /// Returns the context that many calls above; none above the outermost one.
    fn ancestor(&self, context: CallingContextHandle, calls: u32) -> CallingContextHandle {
        let mut context = context;
        for _ in 0..calls {
            if context.is_none() {
                break;
            }
            (_, context) = self.definitions.region_and_caller(context);
        }
        context
    }
}
