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
use crate::threads::{Creation, ThreadFinding, ThreadOperation, ThreadWaits};
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
    threads: ThreadWaits<'t>,
    creations: Stream<'s>,
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
    creations: SpilledRows,
    orders: HashMap<LocationRef, ReceiveOrder>,
    eager: EagerLimits,
    /// The number of collective operations in which members are missing, and of barriers of threads
    /// in which members are missing or executed tasks.
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
            threads: ThreadWaits::new(trace, functions),
            creations: spill.stream(),
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

    /// Adds an operation that concerns the threads of a process, in the order of time, in its call.
    pub fn thread(
        &mut self,
        location: LocationRef,
        time: u64,
        operation: ThreadOperation,
        call: EnclosingCall,
    ) {
        let found = self.threads.add(location, time, operation, call);
        self.add_findings(found);
    }

    fn add_findings(&mut self, found: Vec<ThreadFinding>) {
        for it in found {
            match it {
                ThreadFinding::Wait(wait) => self.push(Some(wait)),
                ThreadFinding::Creation(Creation { location, time, creator }) => {
                    if let Err(error) = self.creations.push([location.0, time, creator.0]) {
                        self.failure.get_or_insert(error);
                    }
                }
            }
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
        let of_threads = self.threads.finish();
        self.add_findings(of_threads);
        let unfinished = std::mem::take(&mut self.calls).finish();
        let finalize = collectives::of_finalize(self.trace, &self.finalize);
        for wait in unfinished.into_iter().chain(finalize) {
            self.push(Some(wait));
        }
        match self.failure {
            Some(failure) => Err(failure),
            None => Ok(Waits {
                rows: self.stream.finish()?,
                creations: self.creations.finish()?,
                orders: self.orders,
                eager: self.eager,
                incomplete: self.incomplete + self.threads.incomplete,
            }),
        }
    }
}

impl Waits {
    /// Passes who created which thread.
    ///
    /// # Errors
    ///
    /// If a temporary file cannot be read.
    pub fn creations(&mut self, spill: &Spill, mut each: impl FnMut(&Creation)) -> Result<(), Error> {
        spill.each(&mut self.creations, |row| {
            let [location, time, creator] = [(); 3].map(|()| row.number());
            each(&Creation { location: LocationRef(location), time, creator: LocationRef(creator) });
        })
    }

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
