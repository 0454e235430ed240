//! The contribution of one location, collected from its events.

use super::files::IoOperations;
use super::metrics::Metrics;
use super::windows::Windows;
use crate::calls::{Call, Inside, Sampled, Task, Visitor};
use crate::communication::{Operation, Operations};
use crate::contexts::ContextId;
use crate::error::Error;
use crate::functions::CommunicationFunctions;
use crate::profile::Summing;
use crate::replay::WorkClock;
use crate::spill::{Spill, SpilledRows, Stream};
use crate::trace::Trace;
use crate::waits::{CallOperations, CommunicationFacts, EnclosingCall};
use kymo_otf2::events::Event;
use kymo_otf2::records::AnyRecord;
use kymo_otf2::references::*;

/// The operations of a location as rows.
#[derive(Debug)]
struct OperationRows<'s> {
    stream: Stream<'s>,
    /// Why rows are missing.
    failure: Option<Error>,
}

impl OperationRows<'_> {
    fn push(&mut self, time: u64, operation: &Operation, call: EnclosingCall) {
        if let Err(error) = self.stream.push(call.to_row(time, operation)) {
            self.failure.get_or_insert(error);
        }
    }
}

/// Collects the contribution of a location.
#[derive(Debug)]
pub(super) struct Collecting<'t, 's> {
    trace: &'t Trace,
    pub(crate) summing: Summing,
    operations: Operations<'t>,
    rows: OperationRows<'s>,
    call_operations: CallOperations<'t>,
    functions: &'t CommunicationFunctions,
    work: WorkClock<'t>,
    /// The time that was no work before `MPI_Finalize`.
    before_finalize: i64,
    from: u64,
    calls: u64,
    /// The calls that have posted receives and have not ended, with the requests; none unless
    /// postings are asked for.
    posting: Vec<(u64, u64)>,
    keeps_postings: bool,
    has_started: bool,
    exchanges: bool,
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
        from: u64,
    ) -> Self {
        Self {
            trace,
            summing: Summing::default(),
            operations: Operations::new(trace, location),
            rows: OperationRows { stream: spill.stream(), failure: None },
            call_operations: CallOperations::new(functions),
            functions,
            work: WorkClock::new(functions),
            before_finalize: 0,
            from,
            calls: 0,
            posting: Vec::new(),
            keeps_postings: false,
            has_started: false,
            exchanges: false,
            unknown_before: 0,
            files: IoOperations::default(),
            windows: Windows::default(),
            metrics: Metrics::new(trace, location),
            kinds: vec![("", 0); 1 + usize::from(u8::MAX)],
        }
    }

    /// Keeps the numbers and the ends of the calls that post receives.
    pub(super) fn keep_postings(&mut self) {
        self.keeps_postings = true;
    }

    /// Notes in which call a receive was posted, if it was one that communicates.
    fn post(&mut self, event: &Event<'_>, inside: &Inside<'_, u64>) {
        let request = match event {
            Event::MpiIrecvRequest(it) => it.request_id,
            Event::MpiImrecvRequest(it) => it.request_id,
            _ => return,
        };
        self.operations.change_post(request, |post| post.call = *inside.mark);
        if self.call_operations.communicates(inside.region) {
            self.posting.push((*inside.mark, request));
        }
    }

    /// Notes the end of a call that may have posted receives.
    #[cold]
    fn end_posting(&mut self, call: u64, end: u64) {
        while let Some((_, request)) = self.posting.pop_if(|(posting, _)| *posting == call) {
            self.operations.change_post(request, |post| post.end = end.max(post.start));
        }
    }

    /// Returns the operations as rows, and the facts about communication beyond them, when all
    /// calls have ended.
    pub(super) fn operations(&mut self) -> Result<(SpilledRows, CommunicationFacts), Error> {
        let Self { call_operations, rows, .. } = self;
        let facts = call_operations.finish(|time, operation, call| rows.push(time, operation, call));
        let before = self.before_finalize;
        let facts = CommunicationFacts {
            lost: self.work.lost_until(0),
            exchanges: self.exchanges,
            finalize: facts.finalize.map(|it| EnclosingCall {
                work: it.start.saturating_add_signed(before.saturating_neg()),
                ..it
            }),
            ..facts
        };
        match self.rows.failure.take() {
            Some(failure) => Err(failure),
            None => Ok((self.rows.stream.take()?, facts)),
        }
    }

    fn enter_communication(&mut self, region: RegionRef, time: u64, is_sampled: bool) {
        if self.functions.finalizes(region) {
            self.before_finalize = self.work.lost_until(time);
        }
        self.work.enter(self.calls, region, time, is_sampled);
        if !is_sampled {
            let Self { call_operations, rows, has_started, .. } = self;
            call_operations.enter(self.calls, region, time, *has_started, |time, operation, call| {
                rows.push(time, operation, call);
            });
        }
    }

    #[inline(never)]
    fn leave_communication(&mut self, call: &Call, mark: u64, outer: u64) {
        self.work.leave(mark, outer, call.end);
        if !self.posting.is_empty() {
            self.end_posting(mark, call.end);
        }
        let Self { call_operations, rows, .. } = self;
        call_operations.leave(call, mark, outer, |time, operation, call| rows.push(time, operation, call));
    }

    /// Returns the number of messages that were left out.
    pub(super) fn unknown_messages(&self) -> u64 {
        // Without an event in the selected time, all were before it.
        let before = if self.has_started { self.unknown_before } else { self.operations.unknown() };
        self.operations.unknown() - before
    }

    /// Returns the number of events that are neither enters nor leaves, by name.
    pub(super) fn kinds(&self) -> impl Iterator<Item = (&'static str, u64)> {
        self.kinds.iter().copied().filter(|kind| kind.1 > 0)
    }
}

impl Visitor for Collecting<'_, '_> {
    /// The number of the call.
    type Mark = u64;

    #[inline]
    fn enter(&mut self, _context: ContextId, region: RegionRef, time: u64, is_sampled: bool) -> u64 {
        self.calls += 1;
        if self.work.communicates() || self.functions.may_wait(region) {
            self.enter_communication(region, time, is_sampled);
        }
        self.calls
    }

    #[inline]
    fn leave(&mut self, call: &Call, mark: u64, outer: &mut u64) {
        self.summing.leave(call, (), &mut ());
        if !self.work.counts_nothing() || !self.posting.is_empty() || !self.call_operations.awaits_nothing() {
            self.leave_communication(call, mark, *outer);
        }
    }

    fn forget(&mut self, mark: u64, outer: &mut u64) {
        self.work.leave(mark, *outer, self.from);
        self.call_operations.forget(mark);
    }

    fn start(&mut self) {
        self.has_started = true;
        self.work.start(self.from);
        self.unknown_before = self.operations.unknown();
        let Self { call_operations, rows, from, .. } = self;
        call_operations.start(*from, |time, operation, call| rows.push(time, operation, call));
    }

    fn switch(&mut self, time: u64, from: Option<Task>, to: Option<Task>, _implicit: &mut u64) {
        self.work.switch(time, from, to);
    }

    fn sampled(&mut self, sampled: &Sampled) {
        self.summing.sampled(sampled);
    }

    fn event(&mut self, time: u64, event: &Event<'_>, inside: Inside<'_, u64>) {
        let began = self.call_operations.began(time, &inside);
        let operation = self.operations.event(time, began, event);
        self.exchanges |= matches!(operation, Some(Operation::Posted { .. } | Operation::Message(_)));
        if self.keeps_postings {
            self.post(event, &inside);
        }
        self.metrics.event(event);
        self.files.event(self.trace, time, event, self.has_started);
        if !self.has_started {
            // Later receives, or the end of an epoch, may belong to it.
            if let Some(operation) = operation.filter(Operation::concerns_later) {
                self.rows.push(time, &operation, EnclosingCall::unselected(inside.region, time));
            }
            return;
        }
        self.windows.event(event);
        let kind = &mut self.kinds[usize::from(event.id())];
        *kind = (event.name(), kind.1 + 1);
        if let Some(operation) = operation {
            let work = time.saturating_add_signed(self.work.lost_until(time).saturating_neg());
            let Self { call_operations, rows, .. } = self;
            call_operations.operation(time, work, operation, &inside, |time, operation, call| {
                rows.push(time, operation, call);
            });
        }
    }

    fn enclose(&mut self, ids: &[ContextId]) {
        self.summing.enclose(ids);
    }
}
