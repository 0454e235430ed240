//! The rules about events, one file per subject: small state machines that see every event once, in
//! order of time and, within a location, in the order of the file.
//!
//! A rule keeps open things (calls, messages, requests, …), never events. Missing events are
//! reported only at the end, and not at all if a part of the archive could not be read.

mod calls;
mod clocks;
mod collectives;
mod communicator_lives;
mod io;
mod lives;
mod locks;
mod messages;
mod metrics;
mod probes;
mod program;
mod references;
mod requests;
mod rma;
mod tasks;
mod threads;
mod values;

use kymo_otf2::FileName;
use kymo_otf2::attributes::Attributes;
use kymo_otf2::events::Event;

use super::definitions::DefinitionIndex;
use super::findings::{Findings, Place};
use crate::check::tables::HashSet;
use kymo_analysis::communication::Process;

/// An event, identified by its time and its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct EventSpot {
    pub(crate) time: u64,
    pub(crate) location: u64,
    pub(crate) number: u64,
    pub(crate) offset: u64,
    pub(crate) record: &'static str,
}

impl From<EventSpot> for Place {
    fn from(spot: EventSpot) -> Place {
        let file = FileName::Events(spot.location);
        Place { event: Some(spot.number), ..Place::record(file, spot.offset, spot.record) }
    }
}

/// An event and its place.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Here<'e> {
    pub(crate) spot: EventSpot,
    pub(crate) process: Process,
    /// The indexes of the location and of the process, each less than the number of all.
    pub(crate) location_index: usize,
    pub(crate) process_index: usize,
    pub(crate) attributes: Attributes<'e>,
    pub(crate) event: Event<'e>,
}

/// A rule about events.
pub(crate) trait Rule {
    /// Checks the next event.
    fn event(&mut self, here: &Here<'_>, findings: &mut Findings<'_>);

    /// Called after the last event. Unless `complete`, some events could not be read.
    fn end(&mut self, complete: bool, findings: &mut Findings<'_>) {
        let _ = (complete, findings);
    }
}

/// The claims of the archive about its own completeness.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Claims {
    /// Whether all MPI communication was recorded.
    pub(crate) mpi: bool,
    /// Whether all forks, joins, teams and tasks were recorded.
    pub(crate) fork_join: bool,
    /// Whether all creations of threads were recorded.
    pub(crate) create_wait: bool,
    /// Whether all thread locks were recorded.
    pub(crate) locks: bool,
    /// Whether everything else was recorded: I/O, one-sided communication, programs. No property
    /// states this; it is false if measurement was off for a while.
    pub(crate) others: bool,
}

impl Claims {
    /// The claims if something could not be read, because its contents are unknown.
    pub(crate) const NONE: Claims =
        Claims { mpi: false, fork_join: false, create_wait: false, locks: false, others: false };
}

/// Returns all rules. The times of locations in `disordered` are known to run backwards.
pub(crate) fn all<'a>(
    definitions: &'a DefinitionIndex<'a>,
    claims: Claims,
    disordered: &'a HashSet<u64>,
) -> Vec<Box<dyn Rule + 'a>> {
    vec![
        Box::new(references::References::new(definitions)),
        Box::new(clocks::Clocks::new(definitions, disordered)),
        Box::new(calls::CallRules::new(definitions)),
        Box::new(program::Programs::new(definitions, claims)),
        Box::new(messages::Messages::new(definitions, claims)),
        Box::new(collectives::Collectives::new(definitions, claims)),
        Box::new(communicator_lives::CommunicatorLives::new(definitions)),
        Box::new(requests::Requests::new(claims)),
        Box::new(rma::Operations::new(definitions, claims)),
        Box::new(locks::Locks::new(claims)),
        Box::new(threads::Threads::new(claims)),
        Box::new(tasks::Tasks::new(claims)),
        Box::new(io::Handles::new(definitions, claims)),
        Box::new(metrics::Metrics::new(definitions)),
        Box::new(values::Values::new(definitions)),
    ]
}
