//! The messages that probes found. A receive of such a message states only its number, which is
//! unique in the process: sender, communicator and tag are those of the probe, which may be on
//! another thread.
//!
//! Locations are read one by one. Only if a location receives a message that it has not probed, the
//! probes of all threads of its process are read.

use super::channel::{Channel, Message};
use super::communicators::Process;
use crate::trace::Trace;
use kymo_otf2::events::{Event, MpiImrecvRequest, MpiProbe};
use kymo_otf2::read::{Kinds, Selection};
use kymo_otf2::records::Record;
use kymo_otf2::references::LocationRef;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Returns whether a probe has reserved the message for one receive.
pub fn is_reserved(probe: &MpiProbe) -> bool {
    probe.message_id != u64::MAX
}

/// Returns the channel of the message of a probe on this location, if it is known.
pub(super) fn channel(trace: &Trace, location: LocationRef, probe: &MpiProbe) -> Option<Channel> {
    let message = Message::probed(probe, 0, None);
    message.channel(trace.communicators(), location, trace.process(location)).ok()
}

/// The probes of all processes that needed them.
#[derive(Debug, Default)]
pub(crate) struct Probes(Mutex<HashMap<Process, Arc<OnceLock<OfProcess>>>>);

impl Probes {
    /// Returns the channel of a message that was probed up to a time, in nanoseconds.
    pub(super) fn channel(
        &self,
        trace: &Trace,
        process: Process,
        message: u64,
        time: u64,
    ) -> Option<Channel> {
        latest(&self.of(process).get_or_init(|| OfProcess::read(trace, process)).probes, message, time)?.2
    }

    /// Returns when a receive with this request began that is not complete at a time, and its
    /// message.
    pub(super) fn request(
        &self,
        trace: &Trace,
        process: Process,
        request: u64,
        time: u64,
    ) -> Option<(u64, u64)> {
        let of_process = self.of(process);
        let requests = &of_process.get_or_init(|| OfProcess::read(trace, process)).requests;
        latest(requests, request, time).map(|&(_, posted, message)| (posted, message))
    }

    /// Several threads may need those of a process; the first one reads them.
    fn of(&self, process: Process) -> Arc<OnceLock<OfProcess>> {
        Arc::clone(self.0.lock().unwrap_or_else(PoisonError::into_inner).entry(process).or_default())
    }
}

/// The probes of a process, and the requests of its receives, each by number and time.
#[derive(Debug, Default)]
struct OfProcess {
    probes: Vec<(u64, u64, Option<Channel>)>,
    requests: Vec<(u64, u64, u64)>,
}

impl OfProcess {
    /// Reads them. What cannot be read is left out, and reported where the location is read.
    fn read(trace: &Trace, process: Process) -> Self {
        let mut this = Self::default();
        for location in trace.locations().iter().filter(|it| trace.process(it.id) == process) {
            let _ = this.add(trace, location.id);
        }
        this.probes.sort_by_key(|&(message, time, _)| (message, time));
        this.requests.sort_by_key(|&(request, time, _)| (request, time));
        this
    }

    fn add(&mut self, trace: &Trace, location: LocationRef) -> kymo_otf2::Result<()> {
        let mut events = trace.archive().events(location.0)?;
        let kinds = Kinds::NONE.with(MpiProbe::ID).with(MpiImrecvRequest::ID);
        events.select(Selection { kinds, ..Selection::default() })?;
        events.each(|event| {
            let time = trace.clock().nanoseconds(event.time);
            match &event.record {
                Event::MpiProbe(it) if is_reserved(it) => {
                    self.probes.push((it.message_id, time, channel(trace, location, it)));
                }
                Event::MpiImrecvRequest(it) => self.requests.push((it.request_id, time, it.message_id)),
                _ => {}
            }
            Ok::<_, kymo_otf2::Error>(())
        })
    }
}

/// Returns the last entry with this number that is not after a time.
fn latest<T>(entries: &[(u64, u64, T)], number: u64, time: u64) -> Option<&(u64, u64, T)> {
    let end = entries.partition_point(|entry| (entry.0, entry.1) <= (number, time));
    entries.get(end.checked_sub(1)?).filter(|entry| entry.0 == number)
}
