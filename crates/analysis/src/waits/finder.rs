//! Finds the wait states in joined operations.

use super::call_operations::CommunicationFacts;
use super::calls::CallWaits;
use super::collectives::{self, MemberPart};
use super::eager::EagerLimits;
use super::enclosing_call::EnclosingCall;
use super::kind::WaitKind;
use super::messages::{self, MessageSide, Posted};
use super::receive_order::ReceiveOrder;
use super::state::{FoundWait, WaitState};
use super::wait_events::{EventCall, WaitEvents};
use crate::communication::{Collective, Matched, Operation, Pair};
use crate::delays::Encounters;
use crate::error::Error;
use crate::file_waits::FileWaits;
use crate::functions::CommunicationFunctions;
use crate::one_sided::OneSidedWaits;
use crate::spill::{Spill, SpilledRows, Stream};
use crate::threads::{Creation, IdleTime, ThreadFinding, ThreadWaits};
use crate::trace::Trace;
use foldhash::{HashMap, HashMapExt, HashSet, HashSetExt};
use kymo_otf2::references::LocationRef;
use std::collections::BTreeMap;

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
    one_sided: OneSidedWaits<'t>,
    files: FileWaits<'t>,
    creations: Stream<'s>,
    incomplete: u64,
    /// The encounters, if they are asked for.
    encounters: Option<Encounters<'s>>,
}

/// A non-blocking send.
#[derive(Debug, Clone, Copy)]
enum HalfKnownSend {
    Received(Option<Posted>),
    /// When it was complete, and in which call.
    Completed(u64, EnclosingCall),
}

/// All wait states.
#[derive(Debug)]
pub struct Waits<'s> {
    rows: SpilledRows,
    creations: SpilledRows,
    orders: HashMap<LocationRef, ReceiveOrder>,
    eager: EagerLimits,
    /// The number of collective operations and epochs in which members are missing, and of barriers
    /// of threads in which members are missing.
    pub incomplete: u64,
    /// The times that threads spent in no team.
    pub idle: BTreeMap<LocationRef, IdleTime>,
    /// The encounters, if they were asked for.
    pub(crate) encounters: Option<Encounters<'s>>,
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
            one_sided: OneSidedWaits::new(trace, functions),
            files: FileWaits::new(trace),
            creations: spill.stream(),
            incomplete: 0,
            encounters: None,
        }
    }

    /// Notes the encounters of locations as well.
    pub(crate) fn noting(self, encounters: Option<Encounters<'s>>) -> Self {
        Self { encounters, ..self }
    }

    /// Adds the facts about a location, before its operations.
    pub fn location(&mut self, location: LocationRef, facts: &CommunicationFacts) {
        if facts.completes_sends {
            self.completing.insert(location);
        }
        self.one_sided.location(location);
        self.finalize.extend(facts.finalize.map(|call| (location, call)));
    }

    /// Adds the begin and the end of the known time of a location, in the order of ids.
    pub(crate) fn known_time(&mut self, location: LocationRef, known_time: (u64, u64)) {
        self.threads.location(location, known_time);
    }

    /// Adds a message or a collective operation.
    pub fn matched(&mut self, matched: &Matched<EnclosingCall>) {
        match matched {
            Matched::Message(pair) => self.message(pair),
            Matched::Collective(collective) => self.collective(collective),
        }
    }

    /// Adds an operation in its call, in the order of time, unless it is to be joined with those of
    /// other locations first. Returns whether it was added.
    pub fn operation(
        &mut self,
        location: LocationRef,
        time: u64,
        operation: &Operation,
        call: EnclosingCall,
    ) -> bool {
        match *operation {
            Operation::Sent { request } => self.sent(location, time, request, call),
            Operation::Thread(operation) => {
                let found = self.threads.add(location, time, operation, call);
                self.add_findings(found);
            }
            Operation::OneSided(operation) => {
                let found = self.one_sided.add(location, time, operation, call);
                self.add_waits(found);
            }
            Operation::File(operation) => {
                let found = self.files.add(location, time, operation, call);
                self.add_waits(found);
            }
            _ => return false,
        }
        true
    }

    /// Adds the completion of a non-blocking send at a time, in the call that completed it.
    fn sent(&mut self, location: LocationRef, time: u64, request: u64, call: EnclosingCall) {
        match self.sends.remove(&(location, request)) {
            Some(HalfKnownSend::Received(posted)) => self.send_end(location, time, &call, posted.as_ref()),
            _ => drop(self.sends.insert((location, request), HalfKnownSend::Completed(time, call))),
        }
    }

    fn add_waits(&mut self, found: Vec<WaitState>) {
        for wait in found {
            self.push(Some(FoundWait::of(wait)));
        }
    }

    fn add_findings(&mut self, found: Vec<ThreadFinding>) {
        for it in found {
            match it {
                ThreadFinding::Wait(wait) => self.push(Some(FoundWait::of(wait))),
                ThreadFinding::Creation(Creation { location, time, creator }) => {
                    if let Err(error) = self.creations.push([location.0, time, creator.0]) {
                        self.failure.get_or_insert(error);
                    }
                }
            }
        }
    }

    fn push(&mut self, found: Option<FoundWait>) {
        let Some(found) = found else { return };
        let noted = match (&mut self.encounters, &found.events) {
            (Some(encounters), Some(events)) => encounters.wait(&found.wait, events),
            _ => Ok(()),
        };
        if let Err(error) = self.stream.push(found.wait.to_row()).and(noted) {
            self.failure.get_or_insert(error);
        }
    }

    fn message(&mut self, pair: &Pair<EnclosingCall>) {
        let (Some(send), Some(receive)) = (&pair.send, &pair.receive) else { return };
        self.receive(send, receive);
        let posted = Posted::of(self.functions, send, receive);
        let Some(request) = send.part.request else {
            return self.send_end(send.location, send.time, &send.known, posted.as_ref());
        };
        match self.sends.remove(&(send.location, request)) {
            Some(HalfKnownSend::Completed(time, call)) => {
                self.send_end(send.location, time, &call, posted.as_ref());
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
        let is_noting = self.encounters.is_some();
        let found = |wait| FoundWait {
            wait: WaitState { receive: number, ..wait },
            events: is_noting
                .then(|| Box::new(WaitEvents::of_pair(EventCall::of(receive), EventCall::of(send)))),
        };
        let wait = self.calls.add(receive.location, &receive.known, wait.map(found));
        self.push(wait);
    }

    /// Adds a send that is complete at a time in a call, and was received.
    fn send_end(&mut self, sender: LocationRef, time: u64, call: &EnclosingCall, posted: Option<&Posted>) {
        if let Some(posted) = posted.filter(|posted| posted.was_buffered(self.functions, call)) {
            self.eager.add(self.trace, sender, posted.receiver, posted.length);
        }
        let found = posted.and_then(|posted| {
            let wait = posted.late_receiver(self.functions, sender, call)?;
            let events = || Box::new(WaitEvents::of_pair(EventCall::at(sender, time, call), posted.receive));
            Some(FoundWait { wait, events: self.encounters.is_some().then(events) })
        });
        let wait = self.calls.add(sender, call, found);
        self.push(wait);
    }

    fn collective(&mut self, collective: &Collective<EnclosingCall>) {
        let accesses = collective.instance.and_then(|it| self.one_sided.accesses_before(&it));
        let (mut found, calls, one_sided) = (Vec::new(), &mut self.calls, &self.one_sided);
        let is_noting = self.encounters.is_some();
        let add = |member: &MemberPart, wait: Option<FoundWait>| {
            let wait = wait.map(|it| match &accesses {
                Some(accesses) => FoundWait { wait: one_sided.early_fence(it.wait, accesses), ..it },
                None => it,
            });
            found.extend(calls.add(member.location, &member.known, wait));
        };
        let is_complete = collectives::each_member(self.trace, self.functions, collective, is_noting, add);
        if let Some(encounters) = self.encounters.as_mut().filter(|_| is_complete)
            && let Err(error) = collectives::each_of_all(collective, |communicator, member, completion| {
                encounters.of_all(Some(communicator), &EventCall::of(member), completion)
            })
        {
            self.failure.get_or_insert(error);
        }
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
    pub fn finish(mut self) -> Result<Waits<'s>, Error> {
        let of_threads = self.threads.finish();
        self.add_findings(of_threads);
        let of_one_sided = self.one_sided.finish();
        self.add_waits(of_one_sided);
        let (of_files, incomplete_files) = self.files.finish();
        self.add_waits(of_files);
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
                incomplete: self.incomplete
                    + self.threads.incomplete
                    + self.one_sided.incomplete
                    + incomplete_files,
                idle: self.threads.idle,
                encounters: self.encounters,
            }),
        }
    }
}

impl Waits<'_> {
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
