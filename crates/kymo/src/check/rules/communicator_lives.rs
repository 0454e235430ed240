//! Communicators and windows whose creation and destruction are events: on no location may they be
//! used before the former or after the latter. A destruction takes effect at the end of the
//! collective operation around it.

use std::fmt;

use kymo_otf2::enums::CollectiveOp;
use kymo_otf2::events::Event;
use kymo_otf2::flags::{CommFlag, RmaWinFlag};
use kymo_otf2::references::{LocationRef, Space};

use super::{CheckedEvent, EventRule};
use crate::check::definitions::DefinitionIndex;
use crate::check::findings::Findings;
use crate::check::kinds::FindingKind;
use crate::check::references::{FieldContent, visit};
use crate::check::tables::HashMap;
use kymo_analysis::communication::Process;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Thing {
    Comm(u32),
    Window(u32),
}

impl fmt::Display for Thing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Comm(id) => write!(f, "communicator {id}"),
            Self::Window(id) => write!(f, "window {id}"),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LifeState {
    /// Created, or used without an event that creates it.
    Alive,
    /// Destroyed at the end of the collective operation.
    Dying,
    Dead,
}

/// The states of communicators and windows by process.
#[derive(Debug, Default)]
struct States {
    states: HashMap<(Process, Thing), LifeState>,
    /// The communicators and windows that die at the end of the collective operation of each
    /// location. A search through all states would take a time that grows with the square of their
    /// number.
    dying: HashMap<LocationRef, Vec<Thing>>,
}

impl States {
    fn get(&self, process: Process, thing: Thing) -> Option<LifeState> {
        self.states.get(&(process, thing)).copied()
    }

    /// Changes a state, on a location of the process. Returns the state before.
    fn set(
        &mut self,
        process: Process,
        location: LocationRef,
        thing: Thing,
        state: LifeState,
    ) -> Option<LifeState> {
        if state == LifeState::Dying {
            self.dying.entry(location).or_default().push(thing);
        }
        self.states.insert((process, thing), state)
    }

    /// The communicators and windows that a location of the process has destroyed are dead now.
    /// Returns the number of states that were looked at.
    fn mark_dead(&mut self, process: Process, location: LocationRef) -> usize {
        let Some(dying) = self.dying.get_mut(&location) else { return 0 };
        let count = dying.len();
        for thing in dying.drain(..) {
            match self.states.get_mut(&(process, thing)) {
                Some(state) if *state == LifeState::Dying => *state = LifeState::Dead,
                _ => {}
            }
        }
        count
    }
}

pub(super) struct CommunicatorLives<'a> {
    definitions: &'a DefinitionIndex<'a>,
    states: States,
}

impl<'a> CommunicatorLives<'a> {
    pub(super) fn new(definitions: &'a DefinitionIndex<'a>) -> Self {
        CommunicatorLives { definitions, states: States::default() }
    }

    fn is_flagged(&self, thing: Thing) -> bool {
        match thing {
            Thing::Comm(id) => match self.definitions.comms.get(&id) {
                Some(comm) => comm.flags.contains(CommFlag::CREATE_DESTROY_EVENTS),
                None => {
                    let inter = self.definitions.inter_comms.get(&id);
                    inter.is_none_or(|comm| comm.flags.contains(CommFlag::CREATE_DESTROY_EVENTS))
                }
            },
            Thing::Window(id) => {
                let window = self.definitions.windows.get(&id);
                window.is_none_or(|window| window.flags.contains(RmaWinFlag::CREATE_DESTROY_EVENTS))
            }
        }
    }

    fn change(
        &mut self,
        thing: Thing,
        state: LifeState,
        here: &CheckedEvent<'_>,
        findings: &mut Findings<'_>,
    ) {
        if !self.is_flagged(thing) {
            findings.find(
                FindingKind::NotFlagged,
                here.spot,
                format_args!("{thing} is not flagged to have such events"),
            );
        }
        let old = self.states.set(here.process, LocationRef(here.spot.location), thing, state);
        match (old, state) {
            (Some(LifeState::Alive), LifeState::Alive) => {
                findings.find(
                    FindingKind::CreatedTwice,
                    here.spot,
                    format_args!("{thing} has already been created"),
                );
            }
            (Some(LifeState::Dead | LifeState::Dying), LifeState::Dying) => gone(thing, here, findings),
            _ => {}
        }
    }

    fn used(&mut self, thing: Thing, here: &CheckedEvent<'_>, findings: &mut Findings<'_>) {
        if self.states.get(here.process, thing) == Some(LifeState::Dead) {
            gone(thing, here, findings);
        }
    }

    /// Notes the end of an operation, which may be the one around a destruction.
    fn ended(
        &mut self,
        thing: Thing,
        op: CollectiveOp,
        here: &CheckedEvent<'_>,
        findings: &mut Findings<'_>,
    ) {
        self.used(thing, here, findings);
        let destroys = [CollectiveOp::DESTROY_HANDLE, CollectiveOp::DESTROY_HANDLE_AND_DEALLOCATE];
        if destroys.contains(&op) {
            self.states.mark_dead(here.process, LocationRef(here.spot.location));
        }
    }
}

fn gone(thing: Thing, here: &CheckedEvent<'_>, findings: &mut Findings<'_>) {
    findings.find(
        FindingKind::UseAfterDestroy,
        here.spot,
        format_args!("{thing} has already been destroyed"),
    );
}

impl EventRule for CommunicatorLives<'_> {
    fn event(&mut self, here: &CheckedEvent<'_>, findings: &mut Findings<'_>) {
        match here.event {
            Event::CommCreate(it) => {
                self.change(Thing::Comm(it.communicator.0), LifeState::Alive, here, findings)
            }
            Event::CommDestroy(it) => {
                self.change(Thing::Comm(it.communicator.0), LifeState::Dying, here, findings)
            }
            Event::RmaWinCreate(it) => self.change(Thing::Window(it.win.0), LifeState::Alive, here, findings),
            Event::RmaWinDestroy(it) => {
                self.change(Thing::Window(it.win.0), LifeState::Dying, here, findings)
            }
            Event::MpiCollectiveEnd(it) => {
                self.ended(Thing::Comm(it.communicator.0), it.collective_op, here, findings);
            }
            Event::RmaCollectiveEnd(it) => {
                self.ended(Thing::Window(it.win.0), it.collective_op, here, findings)
            }
            _ if !self.states.states.is_empty() => visit(&here.event, &mut |_, content| match content {
                FieldContent::Reference(it) if it.space == Space::Comm => {
                    self.used(Thing::Comm(it.id as u32), here, findings)
                }
                FieldContent::Reference(it) if it.space == Space::RmaWin => {
                    self.used(Thing::Window(it.id as u32), here, findings)
                }
                _ => {}
            }),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAIN: LocationRef = LocationRef(0);
    const WORKER: LocationRef = LocationRef(1);

    /// The end of each communicator took a time that grew with the number of all communicators: a
    /// program that makes 400,000 was checked for minutes.
    #[test]
    fn the_end_of_a_communicator_looks_at_no_other() {
        let [one, other] = [0, 1].map(|id| Process::Location(LocationRef(id)));
        let mut states = States::default();
        for id in 0..100 {
            states.set(one, MAIN, Thing::Comm(id), LifeState::Dying);
            states.set(other, WORKER, Thing::Comm(id), LifeState::Alive);
            assert_eq!(states.mark_dead(one, MAIN), 1);
        }
        assert_eq!(states.mark_dead(one, MAIN), 0);
        assert_eq!(states.get(one, Thing::Comm(7)), Some(LifeState::Dead));
        assert_eq!(states.get(other, Thing::Comm(7)), Some(LifeState::Alive));
        // One that is created again before the end stays alive.
        states.set(one, MAIN, Thing::Comm(7), LifeState::Dying);
        states.set(one, MAIN, Thing::Comm(7), LifeState::Alive);
        states.mark_dead(one, MAIN);
        assert_eq!(states.get(one, Thing::Comm(7)), Some(LifeState::Alive));
    }

    /// Two threads of a process destroyed communicators at the same time. The end of one operation
    /// completed the other, too.
    #[test]
    fn the_end_on_one_thread_leaves_communicators_of_others_dying() {
        let process = Process::Location(MAIN);
        let mut states = States::default();
        states.set(process, MAIN, Thing::Comm(1), LifeState::Dying);
        states.set(process, WORKER, Thing::Comm(2), LifeState::Dying);
        assert_eq!(states.mark_dead(process, WORKER), 1);
        assert_eq!(states.get(process, Thing::Comm(1)), Some(LifeState::Dying));
        assert_eq!(states.get(process, Thing::Comm(2)), Some(LifeState::Dead));
        assert_eq!(states.mark_dead(process, MAIN), 1);
        assert_eq!(states.get(process, Thing::Comm(1)), Some(LifeState::Dead));
    }
}
