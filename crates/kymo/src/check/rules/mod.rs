//! The rules about events, one file per subject: small state machines that see every event once, in
//! order of time and, within a location, in the order of the file.
//!
//! A rule keeps open things (calls, messages, requests, …), never events. Missing events are
//! reported only at the end, and not at all if a part of the archive could not be read.

mod calls;
mod clocks;
mod collectives;
mod communicator_lives;
mod event_rule;
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

use super::definitions::DefinitionIndex;
use crate::check::tables::HashSet;

pub(crate) use event_rule::{CheckedEvent, Claims, EventRule, EventSpot};

/// Returns all rules. The times of locations in `disordered` are known to run backwards.
pub(crate) fn all<'a>(
    definitions: &'a DefinitionIndex<'a>,
    claims: Claims,
    disordered: &'a HashSet<u64>,
) -> Vec<Box<dyn EventRule + 'a>> {
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
