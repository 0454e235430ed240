//! The operations of a location, each with its call, which is complete only when it ends.

use super::enclosing_call::EnclosingCall;
use crate::calls::{Call, Inside};
use crate::communication::Operation;
use crate::functions::{CommunicationFunctions, ThreadFunction};
use crate::threads::ThreadOperation;
use foldhash::{HashMap, HashMapExt, HashSet, HashSetExt};
use kymo_otf2::references::RegionRef;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// The largest number of operations that wait for the end of a call.
const MOST_UNFINISHED: usize = 1 << 16;

/// The facts about the communication of a location that are known when all its events are read.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub struct CommunicationFacts {
    /// Whether it records when non-blocking sends are complete.
    pub completes_sends: bool,
    /// Whether it has messages, or non-blocking collective operations, at any time.
    pub exchanges: bool,
    /// The call of `MPI_Finalize`.
    pub finalize: Option<EnclosingCall>,
    /// The time that was no work, in nanoseconds: see [`WorkClock`](crate::replay::WorkClock).
    pub lost: i64,
}

/// Completes the operations of a location with the calls in which they took place, and passes them
/// in their order. Calls are known by their marks, which are numbers.
#[derive(Debug)]
pub struct CallOperations<'t> {
    functions: &'t CommunicationFunctions,
    /// The operations from the first one on whose call has not ended, in their order.
    unfinished: VecDeque<UnfinishedOperation>,
    /// The numbers of operations in `unfinished` of calls that have not ended, by call.
    open: HashMap<u64, usize>,
    /// The time of the last operation.
    last: u64,
    /// The number of operations whose calls were not awaited.
    evicted: u64,
    /// The calls that wait for other threads and have not ended, but whose operations are passed.
    endless: HashSet<u64>,
    /// The groups of tasks that have not ended, and when the last call in them did.
    groups: Vec<(u64, u64)>,
    /// The calls that may wait for other threads and were open before the selected time.
    before: Vec<(u64, RegionRef)>,
    /// The call of `MPI_Finalize` that has not ended.
    finalizing: Option<(u64, RegionRef)>,
    facts: CommunicationFacts,
}

#[derive(Debug, Clone, Copy)]
struct UnfinishedOperation {
    time: u64,
    operation: Operation,
    inside: EnclosingCall,
    has_ended: bool,
}

impl<'t> CallOperations<'t> {
    /// Starts without operations.
    pub fn new(functions: &'t CommunicationFunctions) -> Self {
        let facts = CommunicationFacts::default();
        let (unfinished, open) = (VecDeque::new(), HashMap::new());
        Self {
            functions,
            unfinished,
            open,
            last: 0,
            evicted: 0,
            endless: HashSet::new(),
            groups: Vec::new(),
            before: Vec::new(),
            finalizing: None,
            facts,
        }
    }

    /// A call begins. With `is_selected`, this may be an operation.
    #[inline]
    pub fn enter(
        &mut self,
        mark: u64,
        region: RegionRef,
        time: u64,
        is_selected: bool,
        each: impl FnMut(u64, &Operation, EnclosingCall),
    ) {
        if self.functions.finalizes(region) {
            self.finalizing = Some((mark, region));
        }
        match self.functions.thread(region) {
            None => {}
            Some(function) if is_selected => self.enter_thread_function(mark, region, time, function, each),
            Some(_) => self.before.push((mark, region)),
        }
    }

    /// A call has ended before the selected time.
    pub fn forget(&mut self, mark: u64) {
        self.before.pop_if(|(before, _)| *before == mark);
    }

    /// The selected time begins: calls that wait are operations from then on.
    pub fn start(&mut self, time: u64, mut each: impl FnMut(u64, &Operation, EnclosingCall)) {
        for (mark, region) in std::mem::take(&mut self.before) {
            if let Some(function) = self.functions.thread(region) {
                self.enter_thread_function(mark, region, time, function, &mut each);
            }
        }
    }

    #[cold]
    fn enter_thread_function(
        &mut self,
        mark: u64,
        region: RegionRef,
        time: u64,
        function: ThreadFunction,
        each: impl FnMut(u64, &Operation, EnclosingCall),
    ) {
        let operation = match function {
            ThreadFunction::Barrier | ThreadFunction::ImplicitBarrier => ThreadOperation::Barrier,
            ThreadFunction::Signal => ThreadOperation::Signal,
            ThreadFunction::TaskWait => ThreadOperation::TaskWait,
            ThreadFunction::TaskGroup => ThreadOperation::TaskGroup,
            ThreadFunction::PthreadBarrier => ThreadOperation::PthreadBarrier,
            ThreadFunction::SemaphoreWait => ThreadOperation::SemaphoreWait,
            ThreadFunction::SemaphorePost => ThreadOperation::SemaphorePost,
            ThreadFunction::Mutex
            | ThreadFunction::WriteLock
            | ThreadFunction::Condition
            | ThreadFunction::Join
            | ThreadFunction::Critical
            | ThreadFunction::Ordered
            | ThreadFunction::Lock => return,
        };
        // A call whose start is missing is entered when it ends.
        if time >= self.last {
            if function == ThreadFunction::TaskGroup {
                self.groups.push((mark, time));
            }
            let call = EnclosingCall::new(mark, region, time, time);
            self.add(time, Operation::Thread(operation), call, each);
        }
    }

    /// Returns when a call began, if it communicates; otherwise `time`.
    #[inline]
    pub fn began(&self, time: u64, inside: &Inside<'_, u64>) -> u64 {
        if self.communicates(inside.region) { inside.start } else { time }
    }

    /// Returns whether calls of a region communicate.
    #[inline]
    pub(crate) fn communicates(&self, region: RegionRef) -> bool {
        self.functions.get(region).is_some()
    }

    /// Adds an operation in a call, after this much work.
    pub fn operation(
        &mut self,
        time: u64,
        work: u64,
        operation: Operation,
        inside: &Inside<'_, u64>,
        each: impl FnMut(u64, &Operation, EnclosingCall),
    ) {
        self.facts.completes_sends |= matches!(operation, Operation::Sent { .. });
        let start = if self.functions.may_wait(inside.region) { inside.start } else { time };
        let inside = EnclosingCall { work, ..EnclosingCall::new(*inside.mark, inside.region, start, time) };
        self.add(time, operation, inside, each);
    }

    /// Adds an operation in a call that ends later, if it is one that may wait for others.
    fn add(
        &mut self,
        time: u64,
        operation: Operation,
        inside: EnclosingCall,
        mut each: impl FnMut(u64, &Operation, EnclosingCall),
    ) {
        self.last = time;
        let has_ended = !self.functions.may_wait(inside.region);
        self.unfinished.push_back(UnfinishedOperation { time, operation, inside, has_ended });
        if !has_ended {
            *self.open.entry(inside.call).or_default() += 1;
        }
        if self.unfinished.len() > MOST_UNFINISHED {
            self.evict(&mut each);
        }
        self.flush(&mut each);
    }

    /// Gives up waiting for the end of the call of the first operation.
    #[cold]
    fn evict(&mut self, each: &mut impl FnMut(u64, &Operation, EnclosingCall)) {
        let Some(it) = self.unfinished.pop_front() else { return };
        if let Some(count) = self.open.get_mut(&it.inside.call).filter(|_| !it.has_ended) {
            *count -= 1;
            if *count == 0 {
                self.open.remove(&it.inside.call);
            }
        }
        if let (Operation::Thread(operation), false) = (it.operation, it.has_ended)
            && operation.waits()
        {
            self.endless.insert(it.inside.call);
        }
        let inside = EnclosingCall { place: self.evicted, ..it.inside.without_end() };
        self.evicted += 1;
        each(it.time, &it.operation, if it.has_ended { it.inside } else { inside });
    }

    /// Returns whether no call that is open has an operation, or is `MPI_Finalize`.
    #[inline]
    pub fn awaits_nothing(&self) -> bool {
        self.open.is_empty() && self.endless.is_empty() && self.finalizing.is_none()
    }

    /// A call ends in another one.
    #[inline]
    pub fn leave(
        &mut self,
        call: &Call,
        mark: u64,
        outer: u64,
        mut each: impl FnMut(u64, &Operation, EnclosingCall),
    ) {
        if !self.groups.is_empty() {
            self.leave_in_group(call, mark, outer);
        }
        if !self.open.is_empty() {
            self.ended(call, mark, &mut each);
        }
        if !self.endless.is_empty() && self.endless.remove(&mark) {
            let inside = EnclosingCall::new(mark, RegionRef::UNDEFINED, call.start, call.end);
            self.add(call.end, Operation::Thread(ThreadOperation::Leave), inside, each);
        }
        if let Some((_, region)) = self.finalizing.filter(|(finalizing, _)| *finalizing == mark) {
            self.finalizing = None;
            self.facts.finalize = Some(EnclosingCall::new(mark, region, call.start, call.end));
        }
    }

    /// Notes when the thread has ended to work in a group of tasks, in calls that were entered.
    #[cold]
    fn leave_in_group(&mut self, call: &Call, mark: u64, outer: u64) {
        if let Some((_, last)) = self.groups.iter_mut().rfind(|(group, _)| *group == outer)
            && !call.is_sampled
        {
            *last = call.end;
        }
        let Some(place) = self.groups.iter().rposition(|(group, _)| *group == mark) else { return };
        let (_, last) = self.groups.remove(place);
        let group = Operation::Thread(ThreadOperation::TaskGroup);
        let is_it = |it: &&mut UnfinishedOperation| it.inside.call == mark && it.operation == group;
        if let Some(it) = self.unfinished.iter_mut().rfind(is_it) {
            it.inside.work = last;
        }
    }

    /// Completes the operations of a call that has ended.
    #[cold]
    fn ended(&mut self, call: &Call, mark: u64, mut each: impl FnMut(u64, &Operation, EnclosingCall)) {
        let Some(mut left) = self.open.remove(&mark) else { return };
        let of_call = |it: &&mut UnfinishedOperation| it.inside.call == mark && !it.has_ended;
        // They are the last ones, but for those of calls inside this one.
        let is_last = |it: &UnfinishedOperation| {
            left -= usize::from(it.inside.call == mark && !it.has_ended);
            left == 0
        };
        let first = self.unfinished.iter().rposition(is_last).unwrap_or(0);
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
        self.flush(&mut each);
    }

    /// Passes the operations up to the first one whose call has not ended.
    fn flush(&mut self, each: &mut impl FnMut(u64, &Operation, EnclosingCall)) {
        while self.unfinished.front().is_some_and(|it| it.has_ended) {
            let Some(it) = self.unfinished.pop_front() else { break };
            each(it.time, &it.operation, it.inside);
        }
    }

    /// Passes the operations of calls that have not ended, and returns the facts that are known in
    /// the end.
    pub fn finish(&mut self, mut each: impl FnMut(u64, &Operation, EnclosingCall)) -> CommunicationFacts {
        while !self.unfinished.is_empty() {
            self.evict(&mut each);
        }
        self.facts
    }
}
