//! Finds the wait states in joined operations.

use super::call_operations::CommunicationFacts;
use super::calls::CallWaits;
use super::collectives;
use super::eager::EagerLimits;
use super::enclosing_call::EnclosingCall;
use super::kind::WaitKind;
use super::messages::{self, MessageSide, Posted};
use super::receive_order::ReceiveOrder;
use super::state::WaitState;
use crate::communication::{Collective, Matched, Pair};
use crate::error::Error;
use crate::functions::CommunicationFunctions;
use crate::spill::{Spill, SpilledRows, Stream};
use crate::trace::Trace;
use foldhash::{HashMap, HashMapExt, HashSet, HashSetExt};
use kymo_otf2::references::LocationRef;

/// Finds wait states. Operations are passed as they are joined, the completions of sends in the
/// order of their times.
#[derive(Debug)]
pub struct WaitFinder<'t, 's> {
    trace: &'t Trace,
    functions: &'t CommunicationFunctions,
    calls: CallWaits,
    /// The locations that record when non-blocking sends are complete.
    completing: HashSet<LocationRef>,
    /// The non-blocking sends of which either the receive or the completion is known.
    sends: HashMap<(LocationRef, u64), HalfKnownSend>,
    orders: HashMap<LocationRef, ReceiveOrder>,
    eager: EagerLimits,
    stream: Stream<'s>,
    failure: Option<Error>,
    finalize: Vec<(LocationRef, EnclosingCall)>,
    incomplete: u64,
}

/// A non-blocking send.
#[derive(Debug, Clone, Copy)]
enum HalfKnownSend {
    Received(Option<Posted>),
    Completed(EnclosingCall),
}

/// All wait states.
#[derive(Debug)]
pub struct Waits {
    rows: SpilledRows,
    orders: HashMap<LocationRef, ReceiveOrder>,
    eager: EagerLimits,
    /// The number of collective operations in which members are missing.
    pub incomplete: u64,
}

impl<'t, 's> WaitFinder<'t, 's> {
    /// Starts without operations.
    pub fn new(trace: &'t Trace, functions: &'t CommunicationFunctions, spill: &'s Spill) -> Self {
        Self {
            trace,
            functions,
            calls: CallWaits::default(),
            completing: HashSet::new(),
            sends: HashMap::new(),
            orders: HashMap::new(),
            eager: EagerLimits::default(),
            stream: spill.stream(),
            failure: None,
            finalize: Vec::new(),
            incomplete: 0,
        }
    }

    /// Adds what is known of a location, before its operations.
    pub fn location(&mut self, location: LocationRef, facts: &CommunicationFacts) {
        if facts.completes_sends {
            self.completing.insert(location);
        }
        self.finalize.extend(facts.finalize.map(|call| (location, call)));
    }

    /// Adds a message or a collective operation.
    pub fn matched(&mut self, matched: &Matched<EnclosingCall>) {
        match matched {
            Matched::Message(pair) => self.message(pair),
            Matched::Collective(collective) => self.collective(collective),
        }
    }

    /// Adds the completion of a non-blocking send, in the call that completed it.
    pub fn sent(&mut self, location: LocationRef, request: u64, call: EnclosingCall) {
        match self.sends.remove(&(location, request)) {
            Some(HalfKnownSend::Received(posted)) => self.send_end(location, &call, posted.as_ref()),
            _ => drop(self.sends.insert((location, request), HalfKnownSend::Completed(call))),
        }
    }

    fn push(&mut self, wait: Option<WaitState>) {
        let pushed = wait.map_or(Ok(()), |wait| self.stream.push(wait.to_row()));
        if let Err(error) = pushed {
            self.failure.get_or_insert(error);
        }
    }

    fn message(&mut self, pair: &Pair<EnclosingCall>) {
        let (Some(send), Some(receive)) = (&pair.send, &pair.receive) else { return };
        self.receive(send, receive);
        let posted = Posted::of(self.functions, send, receive);
        let Some(request) = send.part.request else {
            return self.send_end(send.location, &send.known, posted.as_ref());
        };
        match self.sends.remove(&(send.location, request)) {
            Some(HalfKnownSend::Completed(call)) => {
                self.send_end(send.location, &call, posted.as_ref());
            }
            _ if self.completing.contains(&send.location) => {
                self.sends.insert((send.location, request), HalfKnownSend::Received(posted));
            }
            _ => {}
        }
    }

    fn receive(&mut self, send: &MessageSide, receive: &MessageSide) {
        let wait = messages::late_sender(self.functions, send, receive);
        let order = self.orders.entry(receive.location).or_default();
        let number = order.receive(send.time, send.location, wait.is_some());
        let wait = wait.map(|wait| WaitState { receive: number, ..wait });
        let wait = self.calls.add(receive.location, &receive.known, wait);
        self.push(wait);
    }

    /// Adds a send that is complete in a call, and was received.
    fn send_end(&mut self, sender: LocationRef, call: &EnclosingCall, posted: Option<&Posted>) {
        if let Some(posted) = posted.filter(|posted| posted.was_buffered(self.functions, call)) {
            self.eager.add(self.trace, sender, posted.receiver, posted.length);
        }
        let wait = posted.and_then(|posted| posted.late_receiver(self.functions, sender, call));
        let wait = self.calls.add(sender, call, wait);
        self.push(wait);
    }

    fn collective(&mut self, collective: &Collective<EnclosingCall>) {
        let (mut found, calls) = (Vec::new(), &mut self.calls);
        let is_complete = collectives::each_member(self.trace, self.functions, collective, |member, wait| {
            found.extend(calls.add(member.location, &member.known, wait));
        });
        self.incomplete += u64::from(!is_complete);
        for wait in found {
            self.push(Some(wait));
        }
    }

    /// Returns the wait states.
    ///
    /// # Errors
    ///
    /// If a temporary file cannot be written.
    pub fn finish(mut self) -> Result<Waits, Error> {
        let unfinished = std::mem::take(&mut self.calls).finish();
        let finalize = collectives::of_finalize(self.trace, &self.finalize);
        for wait in unfinished.into_iter().chain(finalize) {
            self.push(Some(wait));
        }
        match self.failure {
            Some(failure) => Err(failure),
            None => Ok(Waits {
                rows: self.stream.finish()?,
                orders: self.orders,
                eager: self.eager,
                incomplete: self.incomplete,
            }),
        }
    }
}

impl Waits {
    /// Passes all wait states, in the order in which their operations were joined.
    ///
    /// # Errors
    ///
    /// If a temporary file cannot be read.
    pub fn each(
        &mut self,
        trace: &Trace,
        spill: &Spill,
        mut each: impl FnMut(&WaitState),
    ) -> Result<(), Error> {
        let Self { rows, orders, eager, .. } = self;
        spill.each(rows, |row| {
            let mut wait = WaitState::from_row(row);
            match wait.kind {
                WaitKind::LateSender => {
                    wait.wrong_order =
                        orders.get(&wait.location).and_then(|order| order.order_of(wait.receive));
                }
                WaitKind::LateReceiver => wait.is_doubtful = eager.may_be_buffered(trace, &wait),
                _ => {}
            }
            each(&wait);
        })
    }
}
