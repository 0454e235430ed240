//! The communication of a location while it computes, and how long its calls for short messages
//! take.

use crate::calls::{ActiveCall, ActivitySink};
use crate::class::Class;
use crate::contexts::{ContextId, Contexts};
use crate::message_times::SMALL;
use crate::overlap::{CoveredTime, Overlap};
use crate::trace::Trace;
use crate::waits::WaitState;
use foldhash::{HashMap, HashMapExt};
use kymo_otf2::events::Event;
use std::collections::BTreeMap;

/// An operation waited if this many times the time of its last call is more than it was open.
const WAITED: u64 = 10;

/// The times of the communication of a location, in nanoseconds.
#[derive(Debug, Default)]
pub(crate) struct CommunicationTimes {
    pub(crate) overlap: Overlap,
    /// The time that operations waited for their completion, without wait states, by context.
    pub(crate) waited: BTreeMap<ContextId, u128>,
    /// The time of calls that send or receive messages shorter than [`SMALL`], without wait states,
    /// by context. Of calls with longer ones as well, each message has an equal part.
    pub(crate) small: BTreeMap<ContextId, u128>,
}

/// Follows the communication of a location.
#[derive(Debug)]
pub(crate) struct CommunicationCalls<'t> {
    trace: &'t Trace,
    /// Whether the location records when its sends are complete.
    completes_sends: bool,
    /// The begin of the selected time.
    from: u64,
    open: HashMap<u64, Begin>,
    /// The time with open operations by context.
    times: Vec<u64>,
    /// The classes of contexts, as far as they are known.
    classes: Vec<Option<Class>>,
    /// The time of computation with open operations.
    computation: u64,
    hidden: CoveredTime,
    /// The outermost open call that communicates.
    call: Option<CommunicationCall>,
    waited: BTreeMap<ContextId, u128>,
    small: BTreeMap<ContextId, u128>,
    /// The wait states by call.
    waits: HashMap<u64, u64>,
}

/// The begin of an operation.
#[derive(Debug, Clone, Copy)]
struct Begin {
    time: u64,
    /// The time of computation until then.
    computation: u64,
}

/// A call that communicates.
#[derive(Debug, Clone, Copy)]
struct CommunicationCall {
    context: ContextId,
    start: u64,
    /// Its wait states.
    wait: u64,
    /// The time up to which operations waited in it, and the wait states after that.
    counted: u64,
    rest_of_wait: u64,
    /// The number of messages, and that of the short ones.
    messages: u64,
    small: u64,
}

impl<'t> CommunicationCalls<'t> {
    /// Starts with the wait states of the location. The selected time begins at `from`.
    pub(crate) fn new(trace: &'t Trace, completes_sends: bool, waits: &[WaitState], from: u64) -> Self {
        let mut by_call = HashMap::with_capacity(waits.len());
        waits.iter().for_each(|wait| *by_call.entry(wait.call).or_default() += wait.time());
        Self {
            trace,
            completes_sends,
            from,
            open: HashMap::new(),
            times: Vec::new(),
            classes: vec![Some(Class::Computation)],
            computation: 0,
            hidden: CoveredTime::default(),
            call: None,
            waited: BTreeMap::new(),
            small: BTreeMap::new(),
            waits: by_call,
        }
    }

    /// Returns the times.
    pub(crate) fn finish(self, contexts: &Contexts) -> CommunicationTimes {
        let mut overlap = Overlap::default();
        let classes =
            if self.times.is_empty() { Vec::new() } else { Class::of_contexts(self.trace, contexts) };
        for (context, time) in self.times.into_iter().enumerate() {
            let time = u128::from(time);
            overlap.open += time;
            match classes.get(context) {
                // No call computes: of recordings without samples, that is the program.
                _ if context == ContextId::ROOT.index() => {}
                Some(Class::Computation) => overlap.hidden += time,
                Some(Class::Communication) => overlap.exposed += time,
                _ => {}
            }
        }
        overlap.surely_hidden = self.hidden.sum().min(overlap.hidden);
        overlap.waited = self.waited.values().sum();
        CommunicationTimes { overlap, waited: self.waited, small: self.small }
    }

    fn begin(&mut self, request: u64, time: u64) {
        self.open.insert(request, Begin { time, computation: self.computation });
    }

    /// An operation is complete. If it is not known in which call, nothing is said of it.
    fn complete(&mut self, request: u64, time: u64) {
        let Some(begin) = self.open.remove(&request) else { return };
        let Some(call) = &mut self.call else { return };
        let start = call.start.max(begin.time);
        let own = time.saturating_sub(start);
        if own.saturating_mul(WAITED) <= time - begin.time {
            return self.hidden.add(begin.computation, self.computation);
        }
        let since = call.counted.max(start);
        let passed = time.saturating_sub(since);
        // The time in wait states has another cause.
        let own = passed.saturating_sub(call.rest_of_wait);
        call.rest_of_wait = call.rest_of_wait.saturating_sub(passed);
        call.counted = time.max(since);
        *self.waited.entry(call.context).or_default() += u128::from(own);
    }

    /// A message is sent, or received.
    fn message(&mut self, length: u64) {
        if let Some(call) = &mut self.call {
            call.messages += 1;
            call.small += u64::from(length < SMALL);
        }
    }

    fn class(&self, context: ContextId) -> Option<Class> {
        self.classes.get(context.index()).copied().flatten()
    }

    fn classify(&mut self, context: ContextId, class: Class) {
        if context.index() >= self.classes.len() {
            self.classes.resize(context.index() + 1, None);
        }
        self.classes[context.index()] = Some(class);
    }
}

impl ActivitySink for CommunicationCalls<'_> {
    #[inline]
    fn spend(&mut self, context: ContextId, since: u64, until: u64) {
        if self.open.is_empty() {
            return;
        }
        if context.index() >= self.times.len() {
            self.times.resize(context.index() + 1, 0);
        }
        self.times[context.index()] += until - since;
        let is_computation = context != ContextId::ROOT && self.class(context) == Some(Class::Computation);
        self.computation += if is_computation { until - since } else { 0 };
    }

    #[inline]
    fn call(&mut self, call: &ActiveCall) {
        let around = self.class(call.around).unwrap_or(Class::Computation);
        let own = self.class(call.context).unwrap_or_else(|| {
            let own = Class::of_call(self.trace, call.region, around);
            self.classify(call.context, own);
            own
        });
        if own == Class::Communication && around != Class::Communication {
            let wait = self.waits.get(&call.number).copied().unwrap_or(0);
            let start = call.time.max(self.from);
            self.call = Some(CommunicationCall {
                context: call.context,
                start,
                wait,
                counted: start,
                rest_of_wait: wait,
                messages: 0,
                small: 0,
            });
        }
    }

    #[inline]
    fn ended(&mut self, context: ContextId, time: u64) {
        let Some(call) = self.call.take_if(|call| call.context == context) else { return };
        if call.small > 0 {
            let own = u128::from(time.saturating_sub(call.start).saturating_sub(call.wait));
            *self.small.entry(context).or_default() +=
                own * u128::from(call.small) / u128::from(call.messages);
        }
    }

    fn event(&mut self, time: u64, event: &Event<'_>) {
        match event {
            Event::MpiSend(it) => self.message(it.msg_length),
            Event::MpiRecv(it) => self.message(it.msg_length),
            Event::MpiMrecv(it) => self.message(it.msg_length),
            Event::MpiIsend(it) => {
                self.message(it.msg_length);
                if self.completes_sends {
                    self.begin(it.request_id, time);
                }
            }
            Event::MpiIrecvRequest(it) => self.begin(it.request_id, time),
            Event::MpiImrecvRequest(it) => self.begin(it.request_id, time),
            Event::NonBlockingCollectiveRequest(it) => self.begin(it.request_id, time),
            Event::MpiIsendComplete(it) => self.complete(it.request_id, time),
            Event::MpiIrecv(it) => {
                self.message(it.msg_length);
                self.complete(it.request_id, time);
            }
            Event::MpiImrecv(it) => {
                self.message(it.msg_length);
                self.complete(it.request_id, time);
            }
            Event::NonBlockingCollectiveComplete(it) => self.complete(it.request_id, time),
            Event::MpiRequestCancelled(it) => drop(self.open.remove(&it.request_id)),
            _ => {}
        }
    }

    fn rename(&mut self, ids: &[ContextId]) {
        let new = |id: ContextId| ids[id.index()];
        let times = std::mem::take(&mut self.times);
        for (time, id) in times.into_iter().zip(ids).filter(|(time, _)| *time > 0) {
            if id.index() >= self.times.len() {
                self.times.resize(id.index() + 1, 0);
            }
            self.times[id.index()] += time;
        }
        for by_context in [&mut self.waited, &mut self.small] {
            let all = std::mem::take(by_context).into_iter();
            *by_context = all.map(|(context, time)| (new(context), time)).collect();
        }
        if let Some(call) = &mut self.call {
            call.context = new(call.context);
        }
        // The call around all has the old id of the root, and is classified when it is entered.
        let classes = std::mem::replace(&mut self.classes, vec![Some(Class::Computation)]);
        for (class, id) in classes.into_iter().zip(ids).skip(1) {
            if let Some(class) = class {
                self.classify(*id, class);
            }
        }
    }
}
