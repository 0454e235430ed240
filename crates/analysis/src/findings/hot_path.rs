//! Time on the critical path that is no computation.

use super::finding::{Certainty, Evidence, Fact, Finding, nanoseconds, share};
use super::run::Run;
use crate::class::Class;
use crate::contexts::ContextId;
use kymo_otf2::references::LocationRef;
use std::collections::BTreeMap;

/// The kinds of work that a program would rather not do. Threads are not among them: not all that
/// they wait for is known.
const CLASSES: [Class; 5] =
    [Class::Communication, Class::InputOutput, Class::Waiting, Class::Memory, Class::Measurement];

/// Returns the kinds of work on the critical path, apart from computation and waiting for others.
///
/// The gain is all of their time there, as if they took none.
pub(super) fn of(run: &Run<'_>) -> Vec<Finding> {
    // A process or thread that waits without messages may wait for another one.
    let knows_waiting = run.causes.threads == 1 || run.communicates_alone();
    let classes = CLASSES.into_iter().filter(|class| *class != Class::Waiting || knows_waiting);
    classes.filter_map(|class| of_class(run, class)).chain(startup(run)).chain(not_running(run)).collect()
}

/// Returns that threads on the critical path do not run, as only Kymo's samples show.
fn not_running(run: &Run<'_>) -> Option<Finding> {
    let outside = run.places.iter().filter(|((_, place), _)| *place == ContextId::ROOT);
    let by_location: BTreeMap<LocationRef, u128> =
        outside.map(|((location, _), times)| (*location, times.critical)).collect();
    let time = by_location.values().sum();
    let (location, most) = by_location.into_iter().rev().max_by_key(|(_, time)| *time)?;
    let fact = Fact::NotRunning { time, location: (location, share(most, time)) };
    run.samples_are_whole.then(|| finding(fact, time, location))
}

fn of_class(run: &Run<'_>, class: Class) -> Option<Finding> {
    let PathTime { time, place: (place, of_place), location: (location, of_location) } =
        PathTime::of(run, |it| run.work.class(it) == class && !run.is_startup(it))?;
    let place = (place, share(of_place, time));
    let fact = Fact::HotPath { class, time, place, location: (location, share(of_location, time)) };
    Some(finding(fact, time, location))
}

fn startup(run: &Run<'_>) -> Option<Finding> {
    let PathTime { time, place: (place, _), location: (location, _) } =
        PathTime::of(run, |it| run.is_startup(it))?;
    Some(finding(Fact::Startup { time, place, location }, time, location))
}

/// The time on the critical path at some places.
struct PathTime {
    time: u128,
    /// The place with most of it, and its time.
    place: (ContextId, u128),
    /// The location with most of it, and its time.
    location: (LocationRef, u128),
}

impl PathTime {
    fn of(run: &Run<'_>, is_one: impl Fn(ContextId) -> bool) -> Option<Self> {
        let places = run.places.iter().filter(|((_, place), _)| *place != ContextId::ROOT && is_one(*place));
        let outermost = run.work.outermost(&is_one);
        let mut by_place: BTreeMap<ContextId, u128> = BTreeMap::new();
        let mut by_location: BTreeMap<LocationRef, u128> = BTreeMap::new();
        for ((location, place), times) in places.filter(|(_, times)| times.critical > 0) {
            *by_place.entry(outermost[place.index()]).or_default() += times.critical;
            *by_location.entry(*location).or_default() += times.critical;
        }
        Some(Self {
            time: by_location.values().sum(),
            place: by_place.into_iter().rev().max_by_key(|(_, time)| *time)?,
            location: by_location.into_iter().rev().max_by_key(|(_, time)| *time)?,
        })
    }
}

fn finding(fact: Fact, time: u128, location: LocationRef) -> Finding {
    let evidence = Evidence { time: None, locations: vec![location] };
    Finding { fact, gain: nanoseconds(time), certainty: Certainty::Estimated, evidence }
}
