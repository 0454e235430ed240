//! A rule about events, the event that it sees, and the claims of the archive.

use kymo_otf2::FileName;
use kymo_otf2::attributes::Attributes;
use kymo_otf2::events::Event;

use crate::check::findings::{Findings, Place};
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
pub(crate) struct CheckedEvent<'e> {
    pub(crate) spot: EventSpot,
    pub(crate) process: Process,
    /// The indexes of the location and of the process, each less than the number of all.
    pub(crate) location_index: usize,
    pub(crate) process_index: usize,
    pub(crate) attributes: Attributes<'e>,
    pub(crate) event: Event<'e>,
}

/// A rule about events.
pub(crate) trait EventRule {
    /// Checks the next event.
    fn event(&mut self, here: &CheckedEvent<'_>, findings: &mut Findings<'_>);

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
