//! Reads strictly synchronous metrics into a location's buffer.

use crate::host::Host;
use crate::locations::Location;
use core::sync::atomic::Ordering::Relaxed;

/// The maximum number of metrics. No source has more.
const MOST: usize = 64;

/// Reads the metrics of the calling thread into `location`, the location of that thread.
#[cold]
pub(crate) fn read(host: &Host, location: &Location) {
    let Some(strict) = host.strict.get() else { return };
    let mut values = [0; MOST];
    let values = &mut values[..location.metrics.len().min(MOST)];
    (strict.source.read)(values);
    for (place, value) in location.metrics.iter().zip(values) {
        place.store(*value, Relaxed);
    }
}
