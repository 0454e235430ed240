//! Time on the critical path that is no computation.

use super::{Certainty, Evidence, Fact, Finding, Run, nanoseconds, share};
use crate::class::Class;
use crate::contexts::ContextId;
use kymo_otf2::references::LocationRef;
use std::collections::BTreeMap;

/// The kinds of work that a program would rather not do. Threads are not among them: what they wait
/// for is not known.
const CLASSES: [Class; 5] =
    [Class::Communication, Class::InputOutput, Class::Waiting, Class::Memory, Class::Measurement];

/// Returns the kinds of work on the critical path, apart from computation and waiting for others.
///
/// The gain is all of their time there: what would be if they took none.
pub(super) fn of(run: &Run<'_>) -> Vec<Finding> {
    // What a process or thread waits for without messages may be another one.
    let knows_waiting = run.causes.spans.len() == 1 || run.communicates_alone();
    let classes = CLASSES.into_iter().filter(|class| *class != Class::Waiting || knows_waiting);
    classes.filter_map(|class| of_class(run, class)).chain(startup(run)).collect()
}

fn of_class(run: &Run<'_>, class: Class) -> Option<Finding> {
    let PathTime { time, context, location } =
        PathTime::of(run, |it| run.class(it) == class && !run.is_startup(it))?;
    let context = (context.0, share(context.1, time));
    Some(finding(Fact::HotPath { class, time, context, location: (location.0, share(location.1, time)) }))
}

fn startup(run: &Run<'_>) -> Option<Finding> {
    let PathTime { time, context, location } = PathTime::of(run, |it| run.is_startup(it))?;
    Some(finding(Fact::Startup { time, context: context.0, location: location.0 }))
}

/// The time on the critical path in some contexts.
struct PathTime {
    time: u128,
    /// The context with most of it, and its time.
    context: (ContextId, u128),
    /// The location with most of it, and its time.
    location: (LocationRef, u128),
}

impl PathTime {
    fn of(run: &Run<'_>, is_one: impl Fn(ContextId) -> bool) -> Option<Self> {
        let mut by_context: BTreeMap<ContextId, u128> = BTreeMap::new();
        let mut by_location: BTreeMap<LocationRef, u128> = BTreeMap::new();
        let places = run.causes.places.iter();
        for ((context, id), times) in places.filter(|((it, _), _)| *it != ContextId::ROOT && is_one(*it)) {
            *by_context.entry(*context).or_default() += times.critical;
            *by_location.entry(*id).or_default() += times.critical;
        }
        Some(Self {
            time: by_context.values().sum(),
            context: by_context.into_iter().rev().max_by_key(|(_, time)| *time)?,
            location: by_location.into_iter().rev().max_by_key(|(_, time)| *time)?,
        })
    }
}

fn finding(fact: Fact) -> Finding {
    let (time, location) = match fact {
        Fact::HotPath { time, location: (location, _), .. } | Fact::Startup { time, location, .. } => {
            (time, Some(location))
        }
        _ => (0, None),
    };
    let evidence = Evidence { time: None, locations: location.into_iter().collect() };
    Finding { fact, gain: nanoseconds(time), certainty: Certainty::Estimated, evidence }
}
