//! The clocks of devices.
//!
//! A device's clock is read by an empty command in a queue of its own, so that no command of the
//! program is waited for.

use super::functions::ClFunction;
use super::layer::{SUCCESS, ask, call};
use super::queues::{PROFILING, times};
use crate::adapters::accelerators::ClockPoint;
use crate::adapters::opencl::functions::WORDS;
use crate::host::Host;

/// How often the clocks are read for a point. The closest reading is used.
const TRIES: usize = 8;

/// Returns whether a point is older than a second.
pub(super) fn is_old(host: &Host, point: ClockPoint) -> bool {
    host.clock.now().saturating_sub(point.ticks) > host.clock.resolution()
}

/// Reads the clocks of a device and of the measurement; `None` if the device does not tell its own.
pub(super) fn synchronise(host: &Host, context: usize, device: usize) -> Option<ClockPoint> {
    let mut words = [0; WORDS];
    words[..3].copy_from_slice(&[context, device, PROFILING]);
    // SAFETY: objects of the program; an error code is not asked for.
    let queue = unsafe { call(ClFunction::clCreateCommandQueue, words) };
    if queue == 0 {
        return None;
    }
    let readings = (0..TRIES).filter_map(|_| reading(host, queue));
    let closest = readings.min_by_key(|&(width, _)| width).map(|(_, point)| point);
    // SAFETY: made above.
    unsafe { ask(ClFunction::clReleaseCommandQueue, [queue]) };
    closest
}

/// Reads the clocks once; returns how long it took, in ticks, as well.
fn reading(host: &Host, queue: usize) -> Option<(u64, ClockPoint)> {
    let mut event = 0_usize;
    let place = (&raw mut event).expose_provenance();
    let before = host.clock.now();
    // SAFETY: a queue of ours, and a place for the event.
    (unsafe { ask(ClFunction::clEnqueueMarkerWithWaitList, [queue, 0, 0, place]) } == SUCCESS
        // Before OpenCL 1.2.
        // SAFETY: as above.
        || unsafe { ask(ClFunction::clEnqueueMarker, [queue, place]) } == SUCCESS)
        .then_some(())?;
    // SAFETY: one event, which exists.
    let is_over = unsafe { ask(ClFunction::clWaitForEvents, [1, place]) } == SUCCESS;
    let after = host.clock.now();
    let times = times(event).filter(|_| is_over);
    // SAFETY: ours.
    unsafe { ask(ClFunction::clReleaseEvent, [event]) };
    let width = after.saturating_sub(before);
    times.map(|(_, device)| (width, ClockPoint { device, ticks: before + width / 2 }))
}
