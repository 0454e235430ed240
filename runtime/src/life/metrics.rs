//! Reads strictly synchronous metrics.

use crate::adapter::StrictMetrics;
use crate::host::Host;
use crate::locations::Location;
use core::sync::atomic::Ordering::Relaxed;

/// The maximum number of metrics. All sources together have fewer.
pub(crate) const MOST: usize = 128;

/// Reads the metrics of the calling thread into `location`, the location of that thread.
#[cold]
pub(crate) fn read(host: &Host, location: &'static Location) {
    let mut values = last(location);
    read_all(host, location, &mut values, |_| true);
    for (place, value) in location.metrics.iter().zip(values) {
        place.store(value, Relaxed);
    }
}

/// Returns the values of the last event.
fn last(location: &Location) -> [u64; MOST] {
    let mut values = [0; MOST];
    for (value, last) in values.iter_mut().zip(&location.metrics) {
        *value = last.load(Relaxed);
    }
    values
}

/// Reads the metrics of the calling thread in a signal handler. Those that must not be read there
/// have the values of the last event.
pub(crate) fn read_in_handler(host: &Host, location: &'static Location) -> [u64; MOST] {
    let mut values = last(location);
    if !location.metrics.is_empty() {
        read_all(host, location, &mut values, |source| source.is_for_handlers);
    }
    values
}

fn read_all(
    host: &Host,
    location: &'static Location,
    mut values: &mut [u64],
    is_read: impl Fn(&StrictMetrics) -> bool,
) {
    for source in host.strict.get().into_iter().flat_map(|strict| &strict.sources) {
        let Some((own, rest)) = values.split_at_mut_checked(source.metrics.len()) else { return };
        if is_read(source) {
            (source.read)(location, own);
        }
        values = rest;
    }
}
