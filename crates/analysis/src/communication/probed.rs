//! Reads the probes of processes.
//!
//! Locations are read one by one. Only if a location receives a message that it has not probed, the
//! probes of all threads of its process are read.

use crate::channel::{Channel, Message};
use crate::communicators::Process;
use crate::probes::ProcessProbes;
use crate::trace::Trace;
use kymo_otf2::events::{Event, MpiImrecvRequest, MpiProbe};
use kymo_otf2::read::{Kinds, Selection};
use kymo_otf2::records::Record;
use kymo_otf2::references::LocationRef;

/// Returns whether a probe has reserved the message for one receive.
pub fn is_reserved(probe: &MpiProbe) -> bool {
    probe.message_id != u64::MAX
}

/// Returns the channel of the message of a probe on this location, if it is known.
pub(super) fn channel(trace: &Trace, location: LocationRef, probe: &MpiProbe) -> Option<Channel> {
    let message = Message::probed(probe, 0, None);
    message.channel(trace.communicators(), location, trace.process(location)).ok()
}

/// Returns the channel of a message that was probed in a process up to a time, in nanoseconds.
pub(super) fn find(trace: &Trace, process: Process, message: u64, time: u64) -> Option<Channel> {
    trace.probes().of(process).get_or_init(|| read(trace, process)).channel(message, time)
}

/// Returns when a receive with this request began that is not complete at a time, and its message.
pub(super) fn find_receive(trace: &Trace, process: Process, request: u64, time: u64) -> Option<(u64, u64)> {
    trace.probes().of(process).get_or_init(|| read(trace, process)).request(request, time)
}

/// Reads the probes of a process. Probes that cannot be read are left out, and reported where the
/// location is read.
fn read(trace: &Trace, process: Process) -> ProcessProbes {
    let mut probes = ProcessProbes::default();
    for location in trace.locations().iter().filter(|it| trace.process(it.id) == process) {
        let _ = add(&mut probes, trace, location.id);
    }
    probes.sort();
    probes
}

fn add(probes: &mut ProcessProbes, trace: &Trace, location: LocationRef) -> kymo_otf2::Result<()> {
    let mut events = trace.archive().events(location.0)?;
    let kinds = Kinds::NONE.with(MpiProbe::ID).with(MpiImrecvRequest::ID);
    events.select(Selection { kinds, ..Selection::default() })?;
    events.each(|event| {
        let time = trace.clock().nanoseconds(event.time);
        match &event.record {
            Event::MpiProbe(it) if is_reserved(it) => {
                probes.add_probe(it.message_id, time, channel(trace, location, it));
            }
            Event::MpiImrecvRequest(it) => probes.add_request(it.request_id, time, it.message_id),
            _ => {}
        }
        Ok::<_, kymo_otf2::Error>(())
    })
}
