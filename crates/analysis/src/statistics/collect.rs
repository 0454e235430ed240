//! The contribution of one location, collected from its events.

use super::files::IoOperations;
use super::metrics::Metrics;
use super::windows::Windows;
use crate::calls::{Call, Inside, Sampled, Visitor};
use crate::class::Class;
use crate::communication::{Direction, Operation, Operations};
use crate::contexts::ContextId;
use crate::error::Error;
use crate::profile::Summing;
use crate::spill::{Row, Spill, SpilledRows, Stream};
use crate::trace::Trace;
use kymo_otf2::events::Event;
use kymo_otf2::records::AnyRecord;
use kymo_otf2::references::*;
use std::collections::HashMap;

/// The call in which an operation took place. Times are in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EnclosingCall {
    /// The region; undefined outside all calls.
    pub region: RegionRef,
    /// When the call began.
    pub start: u64,
    /// When the call ended, if it only sent. Otherwise this is when the operation was complete, or
    /// the start of a call that sent and received.
    pub end: u64,
}

impl EnclosingCall {
    /// Writes an operation in a call.
    fn to_row(self, time: u64, operation: &Operation) -> impl Iterator<Item = u64> {
        [time, self.region.0.into(), self.start, self.end].into_iter().chain(operation.to_row())
    }

    /// Reads the time of an operation, the operation, and its call.
    pub fn from_row(row: &mut Row<'_>) -> (u64, Operation, Self) {
        let [time, region, start, end] = [(); 4].map(|()| row.number());
        (time, Operation::from_row(row), Self { region: RegionRef(region as u32), start, end })
    }
}

/// A send whose call has not ended.
#[derive(Debug, Clone, Copy)]
struct Sending {
    /// The number of the call.
    call: u64,
    time: u64,
    operation: Operation,
    inside: EnclosingCall,
    /// Whether the call also received, so that it may have waited for that.
    is_exchange: bool,
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
    /// The sends whose calls have not ended.
    sending: Vec<Sending>,
    classes: HashMap<RegionRef, Class>,
    calls: u64,
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
    pub(super) fn new(trace: &'t Trace, location: LocationRef, spill: &'s Spill) -> Self {
        Self {
            trace,
            summing: Summing::default(),
            operations: Operations::new(trace, location),
            stream: spill.stream(),
            failure: None,
            sending: Vec::new(),
            classes: HashMap::new(),
            calls: 0,
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
        for send in std::mem::take(&mut self.sending) {
            self.push(send.time, &send.operation, send.inside);
        }
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

    fn push(&mut self, time: u64, operation: &Operation, call: EnclosingCall) {
        if let Err(error) = self.stream.push(call.to_row(time, operation)) {
            self.failure.get_or_insert(error);
        }
    }

    fn communicates(&mut self, region: RegionRef) -> bool {
        let class = self.classes.entry(region).or_insert_with(|| Class::of(self.trace, region));
        *class == Class::Communication
    }

    fn operation(&mut self, time: u64, operation: Operation, inside: &Inside<'_, u64>) {
        let (region, call) = (inside.region, *inside.mark);
        // Only calls of communication wait for their partners.
        let start = if self.communicates(region) { inside.start } else { time };
        let inside = EnclosingCall { region, start, end: time };
        match operation {
            Operation::Message(end) if end.direction == Direction::Send && start < time => {
                self.sending.push(Sending { call, time, operation, inside, is_exchange: false });
            }
            _ => {
                let sends = self.sending.iter_mut().filter(|send| send.call == call);
                for send in sends {
                    send.is_exchange = true;
                }
                self.push(time, &operation, inside);
            }
        }
    }
}

impl Visitor for Collecting<'_, '_> {
    /// The number of the call.
    type Mark = u64;

    #[inline]
    fn enter(&mut self, _context: ContextId, _region: RegionRef, _time: u64, _is_sampled: bool) -> u64 {
        self.calls += 1;
        self.calls
    }

    #[inline]
    fn leave(&mut self, call: &Call, mark: u64, _outer: &mut u64) {
        self.summing.leave(call, (), &mut ());
        if !self.sending.is_empty() {
            self.sent(call, mark);
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
        let operation = self.operations.event(time, event);
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

impl Collecting<'_, '_> {
    /// Stores the sends of a call that has ended.
    #[cold]
    fn sent(&mut self, call: &Call, mark: u64) {
        let end = call.start.saturating_add(call.duration);
        let ended = self.sending.extract_if(.., |send| send.call == mark).collect::<Vec<_>>();
        for send in ended {
            let end = if send.is_exchange { send.inside.start } else { end.max(send.time) };
            self.push(send.time, &send.operation, EnclosingCall { end, ..send.inside });
        }
    }
}
