//! The results of this process's locations: their event files, definitions and counts.

use std::{error::Error, ffi::CStr, fmt, io::ErrorKind};

use kymo_otf2::{
    definitions,
    references::{LocationGroupRef, LocationRef, SystemTreeNodeRef},
};
use kymo_recorder::{Closed, DefinitionLog, Track, drain::Drain, process};
use kymo_substrate::{Host, Location, report};

use super::counted::Counted;
use crate::{
    NAME,
    definitions::Completed,
    events::Sink,
    host,
    life::Life,
    mapping,
    settings::{PREFIX, TOTAL_MEMORY},
};

/// The results of all locations together.
#[derive(Debug, Default)]
pub(super) struct Totals {
    pub(super) last_time: u64,
    pub(super) lost: u64,
    /// The number of events in incomplete files.
    pub(super) kept: u64,
    /// The first error that lost events: the number of the location and the cause.
    error: Option<(u32, kymo_otf2::Error)>,
    /// Like `error`, for the first error that left a file incomplete although its events are kept.
    refusal: Option<(u32, kymo_otf2::Error)>,
    raised: u64,
    /// The number of locations in which an event was still being recorded.
    unfinished: u64,
}

impl Life {
    pub(super) fn location_number(&self, address: usize) -> Option<LocationRef> {
        let locations = self.archive.locations();
        let (location, _) = locations.iter().find(|(location, _)| location.address() == address)?;
        host().location_global_id(*location).map(LocationRef)
    }

    /// Completes the event files. Returns the number of events of each location, and the totals.
    pub(super) fn close_locations(&self, host: &Host, sink: &Sink) -> (Vec<(Location, u64)>, Totals) {
        let mut totals = Totals { lost: sink.untracked(), ..Totals::default() };
        let mut events = Vec::new();
        let locations: Vec<_> = self.archive.locations().to_vec();
        Track::shut_all(locations.iter().map(|&(_, track)| track));
        self.drain.finish();
        for (location, track) in locations {
            let closed = track.close().unwrap_or_else(|| {
                totals.unfinished += 1;
                Closed { lost: track.missed(), ..Closed::default() }
            });
            events.push((location, closed.events));
            let first = if closed.kept > 0 { &mut totals.refusal } else { &mut totals.error };
            *first = first.take().or_else(|| Some((host.location_id(location)?, closed.error?)));
            totals.last_time = totals.last_time.max(closed.last_time);
            totals.lost += closed.lost + track.refused();
            totals.kept += closed.kept;
            totals.raised += closed.raised;
        }
        (events, totals)
    }
}

impl Totals {
    /// Returns the number of events that were lost because the disk is full. They are reported
    /// together with other losses, which are known later.
    pub(super) fn lost_to_full_disk(&self) -> u64 {
        if self.is_disk_full() { self.lost } else { 0 }
    }

    /// Whether events could not be written because the disk or the quota is full. Memory is full
    /// then, too, sooner or later.
    fn is_disk_full(&self) -> bool {
        let mut errors = self.refusal.iter().chain(&self.error);
        errors.any(|(_, error)| is_full_disk(error))
    }

    /// Reports losses, one line for each kind.
    pub(super) fn report(&self, completed: &Completed, drain: &Drain) {
        let Self { lost, raised, .. } = self;
        let is_disk_full = self.is_disk_full();
        match &self.error {
            _ if is_disk_full && *lost > 0 => {}
            None => report_count(&Counted::lost(*lost)),
            Some((_, error)) if *lost == 0 && is_full(error) => {}
            Some((number, error)) if *lost == 0 => {
                report(NAME, format_args!("location {number}: {error}; no event was lost"));
            }
            Some((number, error)) if is_full(error) => {
                report(
                    NAME,
                    format_args!(
                        "{}, first at location {number}: memory was full; raise {PREFIX}{TOTAL_MEMORY}",
                        Counted::lost(*lost)
                    ),
                );
            }
            Some((number, error)) => {
                report(NAME, format_args!("{}, first at location {number}: {error}", Counted::lost(*lost)));
            }
        }
        if let Some(file) = drain.pool().file().filter(|file| !file.has_all() && !is_disk_full) {
            let path = file.path().display();
            report(
                NAME,
                format_args!(
                    "{path} could not grow: some unwritten events would not have survived if the process had been killed"
                ),
            );
        }
        if !drain.pool().survives() {
            report_count(&Counted(
                self.unfinished,
                [
                    "location was still being written to: its events are lost",
                    "locations were still being written to: their events are lost",
                ],
            ));
        }
        report_count(&Counted(
            *raised,
            [
                "event had an earlier time than its predecessor, whose time was used instead",
                "events had an earlier time than their predecessor, whose time was used instead",
            ],
        ));
        report_count(&Counted(
            completed.log.lost(),
            ["definition was lost for lack of memory", "definitions were lost for lack of memory"],
        ));
        report_count(&Counted(
            completed.unreadable,
            [
                "definition left out: it does not match its announcement",
                "definitions left out: they do not match their announcement",
            ],
        ));
    }

    /// Describes why event files are incomplete, if any are.
    pub(super) fn refused(&self, drain: &Drain) -> Option<Refused> {
        let (kept, unfinished) = (self.kept, self.unfinished);
        let path = drain.pool().file().filter(|file| file.has_all()).map(|file| file.path().display());
        match (&self.refusal, path) {
            (Some((_, error)), Some(path)) if is_full_disk(error) => {
                Some(Refused::FullDisk(format!("{kept} events are kept, those not written in {path}")))
            }
            (Some((_, error)), None) if is_full_disk(error) => {
                Some(Refused::FullDisk(format!("{kept} events are kept, except those not written")))
            }
            (Some((number, error)), Some(path)) => Some(Refused::Other(format!(
                "the files of {kept} events are incomplete, first that of location {number}: {error}; \
                 the unwritten events are in {path}"
            ))),
            (Some((number, error)), None) => Some(Refused::Other(format!(
                "the files of {kept} events are incomplete, first that of location {number}: {error}"
            ))),
            (None, Some(path)) if unfinished > 0 => Some(Refused::Other(format!(
                "{unfinished} locations were still being written to; their last events are in {path}"
            ))),
            _ => None,
        }
    }
}

/// Why the files of a process are incomplete.
#[derive(Debug, Clone)]
pub(super) enum Refused {
    /// The disk or the quota is full. The text names the data that is kept.
    FullDisk(String),
    Other(String),
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::FullDisk(text) | Self::Other(text)) = self;
        f.write_str(text)
    }
}

impl Error for Refused {}

/// Whether the error is that the disk or the quota is full.
pub(super) fn is_full_disk(error: &kymo_otf2::Error) -> bool {
    let full = [ErrorKind::StorageFull, ErrorKind::QuotaExceeded];
    matches!(error, kymo_otf2::Error::Io { source, .. } if full.contains(&source.kind()))
}

/// Whether the error is that no more memory was available.
fn is_full(error: &kymo_otf2::Error) -> bool {
    matches!(error, kymo_otf2::Error::Io { source, .. } if source.kind() == ErrorKind::OutOfMemory)
}

/// Reports a count, unless it is 0.
fn report_count(counted: &Counted) {
    if counted.0 > 0 {
        report(NAME, format_args!("{counted}"));
    }
}

/// Defines the process as a location group under its node. The name of the node is taken from the
/// system because the public interface does not provide it.
pub(super) fn define_process(log: &mut DefinitionLog, host: &Host) {
    let name = log.string(rustix::system::uname().nodename().to_bytes());
    let class_name = log.string(process::NODE_CLASS);
    let (node, domain) = process::node(SystemTreeNodeRef(0), name, class_name);
    log.define(&node);
    log.define(&domain);
    let name = match (host.ipc_size(), host.ipc_rank()) {
        (Ok(2..), Ok(rank @ 0..)) => log.string(process::rank_name(rank.cast_unsigned()).as_bytes()),
        _ => log.string(b"Process"),
    };
    log.define(&process::process(PROCESS, name, node.id));
}

/// The location group of this process.
const PROCESS: LocationGroupRef = LocationGroupRef(0);

/// Defines the locations with their numbers of events.
pub(super) fn define_locations(completed: &mut Completed, host: &Host, closed: &[(Location, u64)]) {
    for &(location, events) in closed {
        define_location(completed, location, host, events);
    }
}

fn define_location(completed: &mut Completed, location: Location, host: &Host, number_of_events: u64) {
    // Without an id the location has no file either, and its events are counted as lost.
    let Some(id) = host.location_global_id(location) else { return };
    let name = completed.log.string(host.location_name(location).map_or(b"", CStr::to_bytes));
    let group = completed.groups.get(&id);
    completed.log.define(&definitions::Location {
        id: LocationRef(id),
        name,
        location_type: mapping::location_type(host.location_type(location)),
        number_of_events,
        location_group: group.copied().unwrap_or(PROCESS),
    });
}
