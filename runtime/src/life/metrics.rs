//! Reading of strictly synchronous metrics into a location's buffer.

use crate::host::Host;
use crate::locations::Location;
use core::sync::atomic::Ordering::Relaxed;

/// More metrics than any source has.
const MOST: usize = 64;

/// Reads them for the calling thread, whose location this is.
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
