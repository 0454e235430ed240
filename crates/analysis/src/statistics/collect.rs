//! The contribution of one location, collected from its events.

use super::files::IoOperations;
use super::metrics::Metrics;
use super::windows::Windows;
use crate::calls::{Call, Inside, Sampled, Visitor};
use crate::communication::{Operation, Operations};
use crate::contexts::ContextId;
use crate::error::Error;
use crate::functions::CommunicationFunctions;
use crate::profile::Summing;
use crate::spill::{Spill, SpilledRows, Stream};
use crate::trace::Trace;
use crate::waits::EnclosingCall;
use kymo_otf2::events::Event;
use kymo_otf2::records::AnyRecord;
use kymo_otf2::references::*;
use std::collections::VecDeque;

/// The largest number of operations that wait for the end of a call.
const MOST_UNFINISHED: usize = 1 << 16;

/// An operation whose call may not have ended.
#[derive(Debug, Clone, Copy)]
struct Unfinished {
    time: u64,
    operation: Operation,
    inside: EnclosingCall,
    has_ended: bool,
}

/// Collects the contribution of a location.
#[derive(Debug)]
pub(super) struct Collecting<'t, 's> {
    trace: &'t Trace,
    pub(crate) summing: Summing,
    operations: Operations<'t>,
    stream: Stream<'s>,
    /// Why operations are missing.
    failure: Option<Error>,
    /// The operations from the first one on whose call has not ended, in their order.
    unfinished: VecDeque<Unfinished>,
    functions: &'t CommunicationFunctions,
    calls: u64,
    /// The call of `MPI_Finalize`, and the number of one that has not ended.
    pub(super) finalize: Option<EnclosingCall>,
    finalizing: Option<(u64, RegionRef)>,
    /// Whether the ends of non-blocking sends are recorded.
    pub(super) completes_sends: bool,
    has_started: bool,
    /// The messages before the selected time that have no channel.
    unknown_before: u64,
    pub(crate) files: IoOperations,
    pub(crate) windows: Windows,
    pub(crate) metrics: Metrics<'t>,
    /// The names and numbers of events that are neither enters nor leaves, by id.
    kinds: Vec<(&'static str, u64)>,
}

impl<'t, 's> Collecting<'t, 's> {
    pub(super) fn new(
        trace: &'t Trace,
        functions: &'t CommunicationFunctions,
        location: LocationRef,
        spill: &'s Spill,
    ) -> Self {
        Self {
            trace,
            summing: Summing::default(),
            operations: Operations::new(trace, location),
            stream: spill.stream(),
            failure: None,
            unfinished: VecDeque::new(),
            functions,
            calls: 0,
            finalize: None,
            finalizing: None,
            completes_sends: false,
            has_started: false,
            unknown_before: 0,
            files: IoOperations::default(),
            windows: Windows::default(),
            metrics: Metrics::new(trace, location),
            kinds: vec![("", 0); 1 + usize::from(u8::MAX)],
        }
    }

    /// Returns the operations as rows, and the number of messages that were left out.
    pub(super) fn operations(&mut self) -> Result<(SpilledRows, u64), Error> {
        // Calls may end after the last event of an archive that is incomplete.
        self.flush(true);
        match self.failure.take() {
            Some(failure) => Err(failure),
            None => {
                // Without an event in the selected time, all were before it.
                let before = if self.has_started { self.unknown_before } else { self.operations.unknown() };
                Ok((self.stream.take()?, self.operations.unknown() - before))
            }
        }
    }

    /// Returns the number of events that are neither enters nor leaves, by name.
    pub(super) fn kinds(&self) -> impl Iterator<Item = (&'static str, u64)> {
        self.kinds.iter().copied().filter(|kind| kind.1 > 0)
    }

    fn operation(&mut self, time: u64, operation: Operation, inside: &Inside<'_, u64>) {
        self.completes_sends |= matches!(operation, Operation::Sent { .. });
        // Only calls of communication wait for their partners.
        let communicates = self.functions.get(inside.region).is_some();
        let start = if communicates { inside.start } else { time };
        let inside = EnclosingCall::new(*inside.mark, inside.region, start, time);
        self.unfinished.push_back(Unfinished { time, operation, inside, has_ended: !communicates });
        if !communicates || self.unfinished.len() > MOST_UNFINISHED {
            self.flush(communicates);
        }
    }

    /// Stores the operations up to the first one whose call has not ended, or all.
    fn flush(&mut self, all: bool) {
        while self.unfinished.front().is_some_and(|it| all || it.has_ended) {
            let Some(it) = self.unfinished.pop_front() else { break };
            if let Err(error) = self.stream.push(it.inside.to_row(it.time, &it.operation)) {
                self.failure.get_or_insert(error);
            }
        }
    }

    /// Completes the operations of a call that has ended.
    #[cold]
    fn ended(&mut self, call: &Call, mark: u64) {
        let inside = self.unfinished.iter().rev().take_while(|it| it.time >= call.start).count();
        let first = self.unfinished.len() - inside;
        let of_call = |it: &&mut Unfinished| it.inside.call == mark && !it.has_ended;
        let (mut waiting, mut receives) = (0, false);
        for it in self.unfinished.range_mut(first..).filter(of_call) {
            it.inside.place = waiting;
            waiting += u64::from(it.operation.may_wait());
            receives |= it.operation.receives();
        }
        for it in self.unfinished.range_mut(first..).filter(of_call) {
            it.inside = EnclosingCall { end: call.end.max(it.time), waiting, receives, ..it.inside };
            it.has_ended = true;
        }
        self.flush(false);
    }

    #[cold]
    fn finalized(&mut self, call: &Call, region: RegionRef) {
        self.finalize = Some(EnclosingCall::new(self.calls, region, call.start, call.end));
        self.finalizing = None;
    }
}

impl Visitor for Collecting<'_, '_> {
    /// The number of the call.
    type Mark = u64;

    #[inline]
    fn enter(&mut self, _context: ContextId, region: RegionRef, _time: u64, _is_sampled: bool) -> u64 {
        self.calls += 1;
        if self.functions.finalizes(region) {
            self.finalizing = Some((self.calls, region));
        }
        self.calls
    }

    #[inline]
    fn leave(&mut self, call: &Call, mark: u64, _outer: &mut u64) {
        self.summing.leave(call, (), &mut ());
        if !self.unfinished.is_empty() {
            self.ended(call, mark);
        }
        if let Some((_, region)) = self.finalizing.filter(|(call, _)| *call == mark) {
            self.finalized(call, region);
        }
    }

    fn start(&mut self) {
        self.has_started = true;
        self.unknown_before = self.operations.unknown();
    }

    fn sampled(&mut self, sampled: &Sampled) {
        self.summing.sampled(sampled);
    }

    fn event(&mut self, time: u64, event: &Event<'_>, inside: Inside<'_, u64>) {
        let began = if self.functions.get(inside.region).is_some() { inside.start } else { time };
        let operation = self.operations.event(time, began, event);
        self.metrics.event(event);
        self.files.event(self.trace, time, event, self.has_started);
        if !self.has_started {
            return;
        }
        self.windows.event(event);
        let kind = &mut self.kinds[usize::from(event.id())];
        *kind = (event.name(), kind.1 + 1);
        if let Some(operation) = operation {
            self.operation(time, operation, &inside);
        }
    }

    fn enclose(&mut self, ids: &[ContextId]) {
        self.summing.enclose(ids);
    }
}
