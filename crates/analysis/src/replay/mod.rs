//! The same program on an ideal network: transfers take no time, and only dependencies remain.
//!
//! Each location has a clock of the replay. It advances by the work of the location, which is its
//! time outside communication; operations take no time, but wait until those on which they depend
//! are reached. The latest clock at the end is the length of the ideal run.
//!
//! Operations come in the order of the trace's times, and their dependencies when they are joined.
//! Invariant: a location goes on only when the dependencies of its next operation are known, so
//! that the result does not depend on the order in which operations come, unless more of them than
//! a fixed number wait.
//!
//! The same with clocks that count operations gives their logical steps, of which
//! [`lateness`](crate::lateness) is made.

mod groups;
mod requirements;
mod rules;
mod timeline;
mod work_clock;

use crate::communication::Operation;
use crate::error::Error;
use crate::functions::{CommunicationFunction, CommunicationFunctions};
use crate::lateness::{LatenessByLocation, StepLink, SteppedOperations};
use crate::sorted_rows::SortedRows;
use crate::spill::Spill;
use crate::trace::Trace;
use crate::waits::{self, CommunicationFacts, EnclosingCall, Posted};
use foldhash::{HashMap, HashMapExt};
use groups::{Group, GroupMember};
use kymo_otf2::enums::LocationType;
use kymo_otf2::references::LocationRef;
use rules::ClockRule;
use std::collections::BTreeMap;
use timeline::{Announcement, Requirement, Step, StepId, Timeline};

pub use rules::SendRule;
pub use work_clock::WorkClock;

/// The largest number of operations of all locations together that wait.
const MOST_WAITING: usize = 1 << 18;
/// The least number of them for each location.
const LEAST_WAITING: usize = 1 << 6;

/// The run on an ideal network. Times are in nanoseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct IdealRun {
    /// Its length.
    pub length: u64,
    /// The number of processes.
    pub processes: u64,
    /// The longest time outside communication of the first threads of processes.
    pub most_work: u64,
    /// The mean of these times.
    pub mean_work: u64,
    /// The number of operations that did not wait for others: too many waited, or they wait for
    /// each other, as contradicting clocks state.
    pub not_awaited: u64,
}

/// A location in the selected time.
#[derive(Debug, Clone, Copy)]
pub struct LocationRun {
    /// Its begin and its end.
    pub known_time: (u64, u64),
    /// The facts about its communication.
    pub facts: CommunicationFacts,
}

/// An operation of a location in the ideal run. Times are in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IdealStep {
    /// The location.
    pub location: LocationRef,
    /// When it was complete in the trace.
    pub time: u64,
    /// When it is complete in the ideal run, since the begin of that.
    pub ideal: u64,
}

/// Replays a run.
#[derive(Debug)]
pub struct Replay<'t, 's> {
    trace: &'t Trace,
    clocks: ClockRule,
    /// The operations with their steps, if clocks count them.
    operations_with_steps: Option<SteppedOperations<'s>>,
    /// Location, time and ideal time of the steps that are complete, if a table of them is wanted.
    table: Option<SortedRows<'s, 3>>,
    failure: Option<Error>,
    functions: &'t CommunicationFunctions,
    runs: Vec<(LocationRef, LocationRun)>,
    timelines: Vec<Timeline>,
    places: HashMap<LocationRef, usize>,
    /// The timelines of the first threads of the processes of all timelines.
    first_threads: Vec<usize>,
    /// When steps were reached on which others may depend.
    reached: HashMap<StepId, u64>,
    /// The dependents of steps that were not reached.
    dependents: HashMap<StepId, Dependent>,
    /// The non-blocking sends of which either the receive or the completion is known.
    sends: HashMap<(usize, u64), HalfKnownSend>,
    groups: HashMap<usize, Group>,
    /// The number of collective operations so far.
    collectives: usize,
    /// The timelines that can go on.
    runnable: Vec<usize>,
    most_waiting: usize,
    operations: u64,
    not_awaited: u64,
}

/// The dependent of a step.
#[derive(Debug, Clone, Copy)]
enum Dependent {
    /// Nothing.
    None,
    /// The next step of a timeline.
    Timeline(usize),
    /// The member of a collective operation, whose post it is.
    Member(GroupMember),
}

/// A non-blocking send.
#[derive(Debug, Clone, Copy)]
enum HalfKnownSend {
    /// It is received. Its completion may depend on the post of the receive.
    Received(Option<(Posted, StepId)>),
    /// It is complete in a step, in a call.
    Complete(u64, EnclosingCall),
}

impl<'t, 's> Replay<'t, 's> {
    /// Starts with the locations of a run.
    pub fn new(
        trace: &'t Trace,
        functions: &'t CommunicationFunctions,
        runs: &BTreeMap<LocationRef, LocationRun>,
        sends: SendRule,
    ) -> Self {
        let runs: Vec<_> = runs.iter().map(|(id, run)| (*id, *run)).collect();
        let mut first = HashMap::new();
        let first_threads = runs.iter().enumerate().map(|(place, (id, _))| {
            let location = trace.location(*id);
            let is_thread = location.is_some_and(|it| it.location_type == LocationType::CPU_THREAD);
            match location.filter(|_| is_thread) {
                Some(location) => *first.entry(location.group).or_insert(place),
                None => usize::MAX,
            }
        });
        let first_threads: Vec<_> = first_threads.collect();
        let mut timelines: Vec<_> = runs.iter().map(|(_, run)| Timeline::new(run.known_time.0)).collect();
        for (place, (_, run)) in runs.iter().enumerate() {
            if let Some(first) =
                timelines.get_mut(first_threads[place]).filter(|_| first_threads[place] != place)
            {
                first.later_threads.push((run.known_time.0, place));
            }
        }
        for timeline in &mut timelines {
            timeline.later_threads.sort_unstable_by(|one, other| other.cmp(one));
        }
        Self {
            trace,
            clocks: ClockRule::Work(sends),
            operations_with_steps: None,
            table: None,
            failure: None,
            functions,
            timelines,
            places: runs.iter().enumerate().map(|(place, (id, _))| (*id, place)).collect(),
            most_waiting: (MOST_WAITING / runs.len().max(1)).max(LEAST_WAITING),
            runs,
            first_threads,
            reached: HashMap::new(),
            dependents: HashMap::new(),
            sends: HashMap::new(),
            groups: HashMap::new(),
            collectives: 0,
            runnable: Vec::new(),
            operations: 0,
            not_awaited: 0,
        }
    }

    /// Keeps all steps in a table as well.
    pub(crate) fn with_table(self, table: Option<SortedRows<'s, 3>>) -> Self {
        Self { table, ..self }
    }

    /// Starts with the locations of a run, to find the logical steps of operations.
    pub(crate) fn of_steps(
        trace: &'t Trace,
        functions: &'t CommunicationFunctions,
        runs: &BTreeMap<LocationRef, LocationRun>,
        spill: &'s Spill,
    ) -> Self {
        let mut replay = Self::new(trace, functions, runs, SendRule::Eager);
        replay.clocks = ClockRule::Steps;
        replay.operations_with_steps = Some(SteppedOperations::new(spill, runs.keys().copied().collect()));
        replay.timelines = runs.iter().map(|_| Timeline::new(0)).collect();
        replay
    }

    /// Adds an operation of a location in its call, in the order of time. Returns its number, by
    /// which it is known when it is joined.
    pub fn operation(
        &mut self,
        location: LocationRef,
        time: u64,
        operation: &Operation,
        call: &EnclosingCall,
    ) -> u64 {
        let place = self.places.get(&location).copied();
        let Some(place) = place.filter(|_| call.is_selected()) else { return u64::MAX };
        let is_replayed = !matches!(
            operation,
            Operation::Cancelled { .. } | Operation::Thread(_) | Operation::OneSided(_) | Operation::File(_)
        );
        if !is_replayed {
            return u64::MAX;
        }
        self.begin(place);
        self.operations += 1;
        let number = self.timelines[place].next_number();
        let (requirement, announcement) = self.first_known(place, number, operation, call);
        let end = matches!(operation, Operation::Message(_) | Operation::Collective(_)).then_some(call.end);
        let work = match self.clocks {
            ClockRule::Work(_) => call.work,
            ClockRule::Steps => self.timelines[place].count(end.is_some()),
        };
        let step = Step { time, work, end, requirement, announcement, reached: None };
        self.timelines[place].push(step);
        // Behind others, it waits until they are complete.
        if self.timelines[place].waiting() == 1 {
            self.runnable.push(place);
            self.run();
        }
        if self.timelines[place].waiting() > self.most_waiting {
            self.unblock(place);
        }
        number
    }

    /// Lets a location take part.
    fn begin(&mut self, place: usize) {
        if self.timelines[place].takes_part {
            return;
        }
        self.timelines[place].takes_part = true;
        let first = self.first_threads[place];
        if first != place && first < self.timelines.len() {
            self.begin_threads(first, self.runs[place].1.known_time.0);
        }
    }

    /// Sets the clocks of the threads that begin up to a time, when the first one of the process
    /// has completed its steps before that: they begin as much earlier as that one is then.
    fn begin_threads(&mut self, first: usize, until: u64) {
        if self.clocks == ClockRule::Steps {
            return;
        }
        let begin_of_process = self.runs[first].1.known_time.0;
        let since_begin = |time: u64| time.saturating_sub(begin_of_process);
        while let Some((begin, place)) = self.timelines[first].later_threads.pop_if(|it| it.0 <= until) {
            let timeline = &self.timelines[first];
            let early = since_begin(timeline.time).saturating_sub(timeline.clock);
            self.timelines[place].clock = since_begin(begin).saturating_sub(early);
        }
    }

    /// Lets all locations go on that can.
    fn run(&mut self) {
        while let Some(place) = self.runnable.pop() {
            while self.advance(place) {}
        }
    }

    /// Completes the next step of a timeline. Returns false if it must wait.
    fn advance(&mut self, place: usize) -> bool {
        let Some((step, reached, is_first)) = self.timelines[place].reach() else { return false };
        if is_first {
            self.announce(step.announcement, reached);
        }
        let mut link = StepLink::None;
        let complete = match step.requirement {
            Requirement::None => Some(reached),
            Requirement::Unknown => None,
            Requirement::Reached(id) => match self.reached.remove(&id) {
                Some(other) => {
                    link = StepLink::Send(id.timeline(), other - self.clocks.transfer());
                    Some(reached.max(other))
                }
                None => {
                    self.dependents.insert(id, Dependent::Timeline(place));
                    None
                }
            },
            Requirement::Members(it) => match self.groups.get_mut(&it.group) {
                None => Some(reached),
                Some(group) => match group.completion(it.member) {
                    Some(others) => {
                        link = StepLink::Members(it.group);
                        Some(reached.max(others))
                    }
                    None => {
                        group.wait(it.member, place);
                        None
                    }
                },
            },
        };
        let Some(complete) = complete else { return false };
        if !self.timelines[place].later_threads.is_empty() {
            self.begin_threads(place, step.time);
        }
        self.timelines[place].complete(complete);
        if let Some(table) = &mut self.table
            && let Err(error) = table.push([self.runs[place].0.0, step.time, complete])
        {
            self.failure.get_or_insert(error);
        }
        if let (Some(operations), Some(end)) = (&mut self.operations_with_steps, step.end) {
            operations.push(complete, place, end, link);
        }
        if let Requirement::Members(it) = step.requirement {
            self.leave_group(it);
        }
        true
    }

    /// A step is reached.
    fn announce(&mut self, announcement: Announcement, clock: u64) {
        match announcement {
            Announcement::None => {}
            Announcement::Of(id) => {
                let clock = clock + self.clocks.transfer();
                match self.dependents.remove(&id) {
                    None => drop(self.reached.insert(id, clock)),
                    Some(Dependent::None) => {}
                    Some(Dependent::Timeline(place)) => {
                        self.reached.insert(id, clock);
                        self.runnable.push(place);
                    }
                    Some(Dependent::Member(it)) => self.reach_group(it, clock),
                }
            }
            Announcement::ToMembers(it) => self.reach_group(it, clock),
        }
    }

    fn reach_group(&mut self, it: GroupMember, clock: u64) {
        let Some(group) = self.groups.get_mut(&it.group) else { return };
        group.reach(it.member, clock);
        self.runnable.extend(std::iter::from_fn(|| group.next_awake()));
    }

    /// Completes the step for which a timeline waits in the end: the one whose dependencies are not
    /// known, or the one at which timelines wait for each other.
    fn unblock(&mut self, place: usize) {
        let mut last = place;
        for _ in 0..=self.timelines.len() {
            let next = match self.timelines[last].next_requirement() {
                Some(Requirement::Reached(id)) => Some(id.timeline()),
                Some(Requirement::Members(it)) => self.groups.get(&it.group).and_then(Group::missing),
                _ => None,
            };
            // It may be that the one that is waited for has nothing to do yet.
            match next.filter(|next| self.timelines[*next].waiting() > 0) {
                Some(next) => last = next,
                None => break,
            }
        }
        self.not_awaited += 1;
        self.give_up(last);
        self.run();
    }

    /// Completes the next step of a timeline, whatever it depends on.
    fn give_up(&mut self, place: usize) {
        let number = self.timelines[place].complete;
        self.require(place, number, Requirement::None);
    }

    /// Sets the requirement of a step, unless it is complete.
    fn require(&mut self, place: usize, number: u64, requirement: Requirement) {
        let timeline = &mut self.timelines[place];
        let is_next = timeline.complete == number;
        match timeline.step(number) {
            Some(step) => {
                let former = std::mem::replace(&mut step.requirement, requirement);
                if is_next {
                    self.runnable.push(place);
                }
                match former {
                    Requirement::Reached(id) => self.forget(id),
                    Requirement::Members(it) => self.leave_group(it),
                    Requirement::None | Requirement::Unknown => {}
                }
            }
            None => match requirement {
                Requirement::Reached(id) => self.forget(id),
                Requirement::Members(it) => self.leave_group(it),
                Requirement::None | Requirement::Unknown => {}
            },
        }
    }

    /// A member of a collective operation no longer waits.
    fn leave_group(&mut self, it: GroupMember) {
        if self.groups.get_mut(&it.group).is_some_and(Group::leave) {
            self.groups.remove(&it.group);
        }
    }

    /// Nothing depends on a step any more.
    fn forget(&mut self, id: StepId) {
        if self.reached.remove(&id).is_none() {
            self.dependents.insert(id, Dependent::None);
        }
    }

    /// Returns the ideal run, if locations communicate, and the table of its steps. All operations
    /// are joined.
    ///
    /// # Errors
    ///
    /// If a temporary file could not be written.
    pub(crate) fn finish(mut self) -> Result<(Option<IdealRun>, Option<SortedRows<'s, 3>>), Error> {
        let ideal_run = self.ideal_run();
        match self.failure {
            Some(failure) => Err(failure),
            None => Ok((ideal_run, self.table)),
        }
    }

    /// Returns how late operations were, by their steps. All operations are joined.
    ///
    /// # Errors
    ///
    /// If a temporary file could not be used.
    pub(crate) fn finish_steps(mut self) -> Result<Option<LatenessByLocation>, Error> {
        self.complete_all();
        let not_awaited = self.not_awaited;
        self.operations_with_steps.map(|it| it.lateness(not_awaited)).transpose()
    }

    /// Completes all steps.
    fn complete_all(&mut self) {
        self.run();
        for place in 0..self.timelines.len() {
            while self.timelines[place].waiting() > 0 {
                self.unblock(place);
            }
        }
    }

    fn ideal_run(&mut self) -> Option<IdealRun> {
        self.complete_all();
        for place in 0..self.timelines.len() {
            if self.first_threads[place] == place {
                self.timelines[place].takes_part = true;
            }
        }
        self.finalize();
        let ends = self.runs.iter().zip(&self.timelines).filter(|(_, timeline)| timeline.takes_part);
        let length = ends.map(|((_, run), timeline)| timeline.at(run.work_until_end())).max()?;
        let work = self.runs.iter().enumerate().filter(|(place, _)| self.first_threads[*place] == *place);
        let work: Vec<u64> =
            work.map(|(_, (_, run))| run.work_until_end().saturating_sub(run.known_time.0)).collect();
        let mean = work.iter().map(|it| u128::from(*it)).sum::<u128>() / work.len().max(1) as u128;
        (self.operations > 0).then_some(IdealRun {
            length,
            processes: work.len() as u64,
            most_work: work.into_iter().max().unwrap_or(0),
            mean_work: u64::try_from(mean).unwrap_or(u64::MAX),
            not_awaited: self.not_awaited,
        })
    }

    /// Lets processes wait for each other in `MPI_Finalize`, if all call it.
    fn finalize(&mut self) {
        let calls: Vec<_> =
            self.runs.iter().filter_map(|(id, run)| Some((*id, run.facts.finalize?))).collect();
        if !waits::all_finalize(self.trace, &calls) {
            return;
        }
        let members = calls.iter().filter_map(|(id, call)| Some((*self.places.get(id)?, call.work)));
        let members: Vec<_> = members.collect();
        let latest = members.iter().map(|(place, work)| self.timelines[*place].at(*work)).max();
        for (place, work) in members {
            let timeline = &mut self.timelines[place];
            (timeline.clock, timeline.work) = (latest.unwrap_or(0), work.max(timeline.work));
        }
    }
}

impl LocationRun {
    /// Returns the time of the end, less the time before it that was no work.
    fn work_until_end(&self) -> u64 {
        self.known_time.1.saturating_add_signed(self.facts.lost.saturating_neg())
    }
}

/// Returns whether calls of a function wait for others.
fn blocks(functions: &CommunicationFunctions, call: &EnclosingCall) -> bool {
    functions.get(call.region).is_some_and(|it| it != CommunicationFunction::Test)
}
