//! The clocks of devices.
//!
//! A device's clock is read by an empty command in a queue of its own. A device that executes one
//! command at a time may be busy with others: then the point is given up, and asked for again
//! later. Invariant: nothing here waits for longer than [`CALIBRATION_TIMEOUT`].

use std::time::{Duration, Instant};

use super::functions::{ClFunction, WORDS};
use super::layer::{SUCCESS, ask, call};
use super::queues::{PROFILING, status, times};
use crate::adapters::accelerators::ClockPoint;
use crate::host::Host;

/// How often the clocks are read for a point. The closest reading is used.
const TRIES: usize = 8;
/// How long the readings for a point may take.
const CALIBRATION_TIMEOUT: Duration = Duration::from_millis(2);

/// Returns whether a point is older than a second.
pub(super) fn is_old(host: &Host, point: ClockPoint) -> bool {
    host.clock.now().saturating_sub(point.ticks) > host.clock.resolution()
}

/// Reads the clocks of a device and of the measurement; `None` if the device does not tell its own,
/// or has no time for it.
pub(super) fn synchronise(host: &Host, context: usize, device: usize) -> Option<ClockPoint> {
    let mut words = [0; WORDS];
    words[..3].copy_from_slice(&[context, device, PROFILING]);
    // SAFETY: objects of the program; an error code is not asked for.
    let queue = unsafe { call(ClFunction::clCreateCommandQueue, words) };
    if queue == 0 {
        return None;
    }
    let deadline = Instant::now() + CALIBRATION_TIMEOUT;
    let readings = (0..TRIES).map_while(|_| reading(host, queue, deadline));
    let closest = readings.min_by_key(|&(width, _)| width).map(|(_, point)| point);
    // SAFETY: made above.
    unsafe { ask(ClFunction::clReleaseCommandQueue, [queue]) };
    closest
}

/// Reads the clocks once; returns how long it took, in ticks, as well.
fn reading(host: &Host, queue: usize, deadline: Instant) -> Option<(u64, ClockPoint)> {
    let mut event = 0_usize;
    let place = (&raw mut event).expose_provenance();
    let before = host.clock.now();
    // SAFETY: a queue of ours, and a place for the event.
    let is_marked = unsafe { ask(ClFunction::clEnqueueMarkerWithWaitList, [queue, 0, 0, place]) } == SUCCESS
        // Before OpenCL 1.2.
        // SAFETY: as above.
        || unsafe { ask(ClFunction::clEnqueueMarker, [queue, place]) } == SUCCESS;
    if !is_marked {
        return None;
    }
    // SAFETY: a queue of ours.
    unsafe { ask(ClFunction::clFlush, [queue]) };
    while status(event) > 0 && Instant::now() < deadline {
        std::thread::yield_now();
    }
    let after = host.clock.now();
    // A device without a clock says 0.
    let device = times(event).map(|(_, end)| end).filter(|&end| status(event) == 0 && end != 0);
    // SAFETY: ours.
    unsafe { ask(ClFunction::clReleaseEvent, [event]) };
    let width = after.saturating_sub(before);
    device.map(|device| (width, ClockPoint { device, ticks: before + width / 2 }))
}
