//! A recording resolved for playing: locations by address, arguments as 64-bit words in one pool,
//! calls in runs of one thread.
//!
//! Creating a script checks that the calls follow the life cycle and use locations that exist, and
//! that definitions match the recorded results of the public getters.

use crate::replay::Error;
use crate::replay::arena::Arena;
use crate::replay::definitions::Checker;
use crate::replay::events::{self, ArgumentKind, NUM_EVENTS, number};
use crate::replay::locations::{Address, Locations};
use crate::replay::metrics::Metrics;
use crate::replay::recording::{Action, RecordedEvent, Recording};
use crate::replay::repeat::Body;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// Recorded calls in a form that is fast to play.
#[derive(Debug)]
pub(crate) struct Script {
    /// The whole recording, or the calls before its second round.
    pub(crate) first: ScriptPart,
    /// The calls of a further round; empty if nothing is repeated.
    pub(crate) again: ScriptPart,
    /// The calls after the last round.
    pub(crate) last: ScriptPart,
    /// The number of further rounds.
    pub(crate) rounds: u64,
    /// The number of ticks from one round to the next.
    pub(crate) round: u64,
    pub(crate) actions: Vec<Action>,
    pub(crate) words: Vec<u64>,
    pub(crate) metrics: Vec<Metrics<Address>>,
    pub(crate) handle_lists: Vec<Box<[u32]>>,
    pub(crate) value_lists: Vec<Box<[u64]>>,
}

/// Steps that are played in order.
#[derive(Debug, Default)]
pub(crate) struct ScriptPart {
    pub(crate) steps: Vec<Step>,
    pub(crate) runs: Vec<Run>,
}

/// Consecutive steps of one thread.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub(crate) thread: usize,
    pub(crate) steps: Range<usize>,
}

/// One call.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    Event(Event),
    /// The action with this index in the script.
    Call(u32),
}

/// An event with everything resolved.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Event {
    pub(crate) location: Address,
    pub(crate) timestamp: u64,
    /// The index of its first word.
    pub(crate) words: u32,
    /// The index of its metrics, or `NO_METRICS`.
    pub(crate) metrics: u32,
    pub(crate) number: u8,
    pub(crate) table: u8,
}

/// The index of metrics for events without any.
pub(crate) const NO_METRICS: u32 = u32::MAX;

impl ScriptPart {
    fn push(&mut self, thread: usize, step: Step) {
        let at = self.steps.len();
        self.steps.push(step);
        match self.runs.last_mut() {
            Some(run) if run.thread == thread => run.steps.end = at + 1,
            _ => self.runs.push(Run { thread, steps: at..at + 1 }),
        }
    }
}

/// Returns all locations that the recording creates, with their final names.
pub(crate) fn locations_of(recording: &Recording) -> Result<Locations, Error> {
    let mut final_names = HashMap::new();
    for call in &recording.calls {
        if let Action::DeleteLocation { location, name } = &call.action {
            final_names.insert(*location, name.as_str());
        }
    }
    let mut locations = Locations::default();
    for call in &recording.calls {
        let Action::CreateLocation { location, kind, name, .. } = &call.action else { continue };
        let final_name = final_names.get(location).copied().unwrap_or(name);
        match locations.add(*location, *kind, name, final_name) {
            Ok(true) => {}
            Ok(false) => {
                return Err(recording.error(call.line, format!("location {location} is created again")));
            }
            Err(what) => return Err(recording.error(call.line, what)),
        }
    }
    Ok(locations)
}

/// Creates an arena with room for every definition of the recording.
pub(crate) fn arena_for(recording: &Recording, scattered: bool) -> Result<Arena, Error> {
    let announced = recording.calls.iter().map(|call| match &call.action {
        Action::NewDefinitionHandle(announced) => announced.handle as usize + announced.raw.len(),
        _ => 0,
    });
    let most = announced.max().unwrap_or(0).max(recording.pre_unify.len()).max(recording.write_data.len());
    Arena::new(most, scattered)
        .map_err(|error| Error::recording(&recording.calls_file, format!("no memory for the arena: {error}")))
}

impl Script {
    /// Resolves `recording`; the inside of its first enter is played `repeat` times.
    pub(crate) fn new(mut recording: Recording, locations: &Locations, repeat: u64) -> Result<Self, Error> {
        check(&recording, locations)?;
        let body = if repeat > 1 { Some(Body::find(&recording)?) } else { None };
        let end = body.as_ref().map_or(recording.calls.len(), |body| body.calls.end);
        let mut script = Self::empty(repeat - 1, body.as_ref().map_or(0, |body| body.round));
        script.check_times(&recording)?;
        let mut steps = Vec::with_capacity(recording.calls.len());
        for call in &mut recording.calls {
            let action = std::mem::replace(&mut call.action, Action::PreUnify);
            steps.push((call.thread, script.step(action, locations)));
        }
        for &(thread, step) in &steps[..end] {
            script.first.push(thread, step);
        }
        for at in body.into_iter().flat_map(|body| body.again) {
            script.again.push(steps[at].0, steps[at].1);
        }
        for &(thread, step) in &steps[end..] {
            script.last.push(thread, step);
        }
        Ok(script)
    }

    fn empty(rounds: u64, round: u64) -> Self {
        Self {
            first: ScriptPart::default(),
            again: ScriptPart::default(),
            last: ScriptPart::default(),
            rounds,
            round,
            actions: Vec::new(),
            words: Vec::new(),
            metrics: Vec::new(),
            handle_lists: Vec::new(),
            value_lists: Vec::new(),
        }
    }

    /// Checks that the latest timestamp of the last round fits into 64 bits.
    fn check_times(&self, recording: &Recording) -> Result<(), Error> {
        let times = recording.calls.iter().filter_map(|call| match &call.action {
            Action::Event(event) => Some(event.timestamp),
            _ => None,
        });
        let shift = self.rounds.checked_mul(self.round);
        match shift.and_then(|shift| shift.checked_add(times.max().unwrap_or(0))) {
            Some(_) => Ok(()),
            None => Err(Error::Usage("too many rounds: the timestamps do not fit into 64 bits".to_owned())),
        }
    }

    fn step(&mut self, action: Action, locations: &Locations) -> Step {
        match action {
            Action::Event(event) => Step::Event(self.event(event, locations)),
            action => {
                self.actions.push(action);
                Step::Call((self.actions.len() - 1) as u32)
            }
        }
    }

    fn event(&mut self, mut recorded: RecordedEvent, locations: &Locations) -> Event {
        let address = |id: u32| locations.get(id).expect("checked").shared_address();
        put_own_process(&mut recorded);
        self.put_list(&mut recorded);
        let metrics = recorded.metrics.filter(|metrics| !metrics.is_empty()).map_or(NO_METRICS, |metrics| {
            let metrics = metrics.map(|id| Ok::<_, std::convert::Infallible>(address(id)));
            self.metrics.push(metrics.unwrap_or_else(|never| match never {}));
            (self.metrics.len() - 1) as u32
        });
        let event = Event {
            location: address(recorded.location),
            timestamp: recorded.timestamp,
            words: self.words.len() as u32,
            metrics,
            number: recorded.number,
            table: recorded.table,
        };
        self.words.extend(recorded.words);
        event
    }

    /// Moves an event's list to the lists of the script, and stores its index in the word of the
    /// argument.
    fn put_list(&mut self, event: &mut RecordedEvent) {
        let Some(list) = event.list.take() else { return };
        for argument in events::EVENTS[event.number as usize].arguments {
            let place = match argument.kind {
                ArgumentKind::Handles => {
                    self.handle_lists.push(list.iter().map(|&handle| handle as u32).collect());
                    self.handle_lists.len() - 1
                }
                ArgumentKind::Values => {
                    self.value_lists.push(list.as_slice().into());
                    self.value_lists.len() - 1
                }
                _ => continue,
            };
            let word = events::word_of(event.number, argument.name).expect("lists take a word");
            event.words[word] = place as u64;
        }
    }
}

/// Replaces the recorded process id: plugins distinguish hosts by comparing `processId` with their
/// own process id.
fn put_own_process(event: &mut RecordedEvent) {
    if event.number != number::PROGRAM_BEGIN {
        return;
    }
    let [process, thread] =
        ["processId", "threadId"].map(|name| events::word_of(event.number, name).expect("an argument"));
    if event.words[process] == event.words[thread] {
        event.words[thread] = std::process::id().into();
    }
    event.words[process] = std::process::id().into();
}

/// Checks that the calls are consistent.
fn check(recording: &Recording, locations: &Locations) -> Result<(), Error> {
    let mut order = Order { locations, usable: HashSet::new(), tables: [false; 2], initialised: false };
    let mut definitions = Checker::default();
    for call in &recording.calls {
        let result = match &call.action {
            Action::NewDefinitionHandle(announced) => definitions.check(announced),
            Action::InitMpp { rank, .. } if *rank != recording.rank => {
                Err(format!("expected rank {} as in the name of the file, not {rank}", recording.rank))
            }
            action => order.check(action),
        };
        result.map_err(|what| recording.error(call.line, what))?;
    }
    Ok(())
}

/// The progress of the life cycle.
struct Order<'a> {
    locations: &'a Locations,
    usable: HashSet<u32>,
    tables: [bool; 2],
    initialised: bool,
}

impl Order<'_> {
    fn check(&mut self, action: &Action) -> Result<(), String> {
        match action {
            Action::Init if self.initialised => return Err("expected one `init`".to_owned()),
            Action::Init => self.initialised = true,
            _ if !self.initialised => return Err("expected `init` as the first call".to_owned()),
            Action::GetEventFunctions { mode } if self.tables[*mode] => {
                return Err(format!("expected one `get_event_functions` of mode {mode}"));
            }
            Action::GetEventFunctions { mode } => self.tables[*mode] = true,
            Action::CreateLocation { location, parent, .. } => {
                self.exist(*parent)?;
                self.usable.insert(*location);
            }
            Action::DeleteLocation { location, .. } => {
                self.exist([*location])?;
                self.usable.remove(location);
            }
            Action::ActivateLocation { location, parent, .. }
            | Action::DeactivateLocation { location, parent } => {
                self.exist([*location].into_iter().chain(*parent))?;
            }
            Action::CreateTask { location, .. } | Action::CompleteTask { location, .. } => {
                self.exist([*location])?;
            }
            Action::Event(event) => self.check_event(event)?,
            _ => {}
        }
        Ok(())
    }

    fn check_event(&self, event: &RecordedEvent) -> Result<(), String> {
        debug_assert!((event.number as usize) < NUM_EVENTS);
        if self.tables != [true; 2] {
            return Err("expected `get_event_functions` of both modes before the first event".to_owned());
        }
        self.exist([event.location])?;
        let metrics = event.metrics.as_deref();
        let named =
            metrics.into_iter().flat_map(|m| m.asynchronous.iter().chain(&m.strict).chain(&m.synchronous));
        named.map(|delivery| delivery.location).try_for_each(|location| {
            let created = self.locations.get(location).is_some();
            created.then_some(()).ok_or_else(|| format!("location {location} in `metrics` is never created"))
        })
    }

    fn exist(&self, ids: impl IntoIterator<Item = u32>) -> Result<(), String> {
        match ids.into_iter().find(|id| !self.usable.contains(id)) {
            Some(id) => Err(format!("location {id} is not created yet, or deleted")),
            None => Ok(()),
        }
    }
}
