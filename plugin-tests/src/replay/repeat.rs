//! The part of a recording that `--repeat` plays again: everything inside the first enter of the
//! main location.
//!
//! The first round is the recording itself. Later rounds repeat its events, and the activations and
//! tasks that both begin and end inside it; definitions, locations and calls that occur once per
//! process are omitted. Each round is later than the previous one by the time from the body's
//! earliest to its latest event plus one tick, so time does not decrease on any location between
//! rounds.

use crate::replay::Error;
use crate::replay::events::number;
use crate::replay::recording::{Action, Call, RecordedEvent, Recording};
use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;
use std::ops::Range;

/// The calls that are played again.
#[derive(Debug)]
pub(crate) struct Body {
    /// All calls of the first round.
    pub(crate) calls: Range<usize>,
    /// The calls of later rounds.
    pub(crate) again: Vec<usize>,
    /// The number of ticks from one round to the next.
    pub(crate) round: u64,
}

/// Returns +1 for an enter, -1 for an exit, 0 for other events.
fn depth_change(event: &RecordedEvent) -> i64 {
    match event.number {
        number::ENTER_REGION | number::CALLING_CONTEXT_ENTER => 1,
        number::EXIT_REGION | number::CALLING_CONTEXT_EXIT => -1,
        _ => 0,
    }
}

fn event_of(call: &Call) -> Option<&RecordedEvent> {
    match &call.action {
        Action::Event(event) => Some(event),
        _ => None,
    }
}

impl Body {
    /// Finds the body and checks that it can be played again.
    pub(crate) fn find(recording: &Recording) -> Result<Self, Error> {
        let calls = range(recording)?;
        check_balance(recording, calls.clone())?;
        check_recording_mode(recording, calls.clone())?;
        Ok(Self {
            again: again(recording, calls.clone()),
            round: round(&recording.calls[calls.clone()]),
            calls,
        })
    }
}

fn range(recording: &Recording) -> Result<Range<usize>, Error> {
    let what = |what| Error::recording(&recording.calls_file, format!("cannot be repeated: expected {what}"));
    let main = recording.calls.iter().find_map(|call| match call.action {
        Action::CreateLocation { location, .. } => Some(location),
        _ => None,
    });
    let main = main.ok_or_else(|| what("a location"))?;
    let mut depth = 0;
    let mut start = None;
    for (at, call) in recording.calls.iter().enumerate() {
        let Some(event) = event_of(call).filter(|event| event.location == main) else { continue };
        depth += depth_change(event);
        match start {
            None if depth > 0 => start = Some(at + 1),
            Some(start) if depth == 0 => return Ok(start..at),
            _ => {}
        }
    }
    Err(match start {
        None => what("an enter on the main location"),
        Some(_) => what("an exit for the first enter of the main location"),
    })
}

/// Checks that every location exits exactly the regions that it enters inside the body.
fn check_balance(recording: &Recording, calls: Range<usize>) -> Result<(), Error> {
    let mut open: BTreeMap<u32, (i64, usize)> = BTreeMap::new();
    for call in &recording.calls[calls] {
        let Some(event) = event_of(call).filter(|event| depth_change(event) != 0) else { continue };
        let (depth, line) = open.entry(event.location).or_default();
        *depth += depth_change(event);
        *line = call.line;
        if *depth < 0 {
            let what =
                format!("cannot be repeated: location {} exits here what it entered before", event.location);
            return Err(recording.error(call.line, what));
        }
    }
    match open.into_iter().find(|(_, (depth, _))| *depth != 0) {
        Some((location, (depth, line))) => {
            let what = format!("cannot be repeated: location {location} exits {depth} of its regions later");
            Err(recording.error(line, what))
        }
        None => Ok(()),
    }
}

/// Checks that recording is on at the end of the body if it was on at its start, and off if it was
/// off.
fn check_recording_mode(recording: &Recording, calls: Range<usize>) -> Result<(), Error> {
    let switch = |call: &Call| match event_of(call)?.number {
        number::ENABLE_RECORDING => Some(true),
        number::DISABLE_RECORDING => Some(false),
        _ => None,
    };
    let last = |calls: &[Call]| calls.iter().rev().find_map(switch);
    let before = last(&recording.calls[..calls.start]).unwrap_or(true);
    match last(&recording.calls[calls.clone()]) {
        Some(after) if after != before => {
            let what = "cannot be repeated: recording is switched, and not switched back before here";
            Err(recording.error(recording.calls[calls.end].line, what))
        }
        _ => Ok(()),
    }
}

/// Returns the calls of later rounds.
fn again(recording: &Recording, calls: Range<usize>) -> Vec<usize> {
    let mut tasks = Pairs::default();
    let mut activations = Pairs::default();
    let mut again = Vec::new();
    for at in calls {
        match recording.calls[at].action {
            Action::Event(_) => again.push(at),
            Action::CreateTask { task, .. } => tasks.begin(task, at),
            Action::CompleteTask { task, .. } => tasks.end(task, at),
            Action::ActivateLocation { location, .. } => activations.begin(location, at),
            Action::DeactivateLocation { location, .. } => activations.end(location, at),
            _ => {}
        }
    }
    again.extend(tasks.both.into_iter().chain(activations.both));
    again.sort_unstable();
    again
}

/// Calls that form pairs, of which only those with both calls in the body are played again.
struct Pairs<K> {
    begun: HashMap<K, usize>,
    both: Vec<usize>,
}

impl<K> Default for Pairs<K> {
    fn default() -> Self {
        Self { begun: HashMap::new(), both: Vec::new() }
    }
}

impl<K: Eq + Hash> Pairs<K> {
    fn begin(&mut self, key: K, at: usize) {
        self.begun.insert(key, at);
    }

    fn end(&mut self, key: K, at: usize) {
        if let Some(begin) = self.begun.remove(&key) {
            self.both.extend([begin, at]);
        }
    }
}

fn round(body: &[Call]) -> u64 {
    let times = || body.iter().filter_map(event_of).map(|event| event.timestamp);
    times().max().unwrap_or(0) - times().min().unwrap_or(0) + 1
}
