//! The metric values of an event, which the three `SCOREP_Metric_Write…` functions of the host
//! deliver while the event is delivered.
//!
//! Outside an event with recorded metrics, they deliver nothing. The current event's metrics are
//! kept per thread; the player sets them before it calls the plugins and clears them afterwards.

use crate::replay::locations::Address;
use kymo_substrate::bindings::{SCOREP_Location, SCOREP_Substrates_WriteMetricsCb as WriteMetrics};
use std::cell::Cell;
use std::ptr;

/// One call of a plugin's metrics function.
#[derive(Clone, Debug)]
pub(crate) struct Delivery<L> {
    pub(crate) location: L,
    pub(crate) timestamp: u64,
    pub(crate) sampling_set: u32,
    pub(crate) values: Box<[u64]>,
}

/// The metrics of an event. `L` is a location's number, or its address once it has one.
#[derive(Clone, Debug)]
pub(crate) struct Metrics<L> {
    pub(crate) asynchronous: Vec<Delivery<L>>,
    pub(crate) strict: Vec<Delivery<L>>,
    pub(crate) synchronous: Vec<Delivery<L>>,
    /// The location's metric buffer: strictly synchronous values, then synchronous ones.
    buffer: Vec<u64>,
}

impl<L> Metrics<L> {
    pub(crate) fn new(
        asynchronous: Vec<Delivery<L>>,
        strict: Vec<Delivery<L>>,
        synchronous: Vec<Delivery<L>>,
    ) -> Self {
        let buffer =
            strict.iter().chain(&synchronous).flat_map(|delivery| &delivery.values).copied().collect();
        Self { asynchronous, strict, synchronous, buffer }
    }

    /// Returns whether nothing is delivered.
    pub(crate) fn is_empty(&self) -> bool {
        self.asynchronous.is_empty() && self.strict.is_empty() && self.synchronous.is_empty()
    }

    /// Returns the pointer that an event passes as `metricValues`.
    pub(crate) fn buffer(&self) -> *mut u64 {
        self.buffer.as_ptr().cast_mut()
    }

    /// Replaces the names of the locations.
    pub(crate) fn map<M, E>(self, mut name: impl FnMut(L) -> Result<M, E>) -> Result<Metrics<M>, E> {
        let mut list = |deliveries: Vec<Delivery<L>>| -> Result<Vec<Delivery<M>>, E> {
            let renamed = |delivery: Delivery<L>| {
                let Delivery { location, timestamp, sampling_set, values } = delivery;
                Ok(Delivery { location: name(location)?, timestamp, sampling_set, values })
            };
            deliveries.into_iter().map(renamed).collect()
        };
        Ok(Metrics {
            asynchronous: list(self.asynchronous)?,
            strict: list(self.strict)?,
            synchronous: list(self.synchronous)?,
            buffer: self.buffer,
        })
    }
}

type Located = Metrics<Address>;

/// Which of the three functions the plugin called.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Source {
    Asynchronous,
    /// Strictly synchronous, with the timestamp that the plugin passed.
    Strict(u64),
    /// Synchronous, with the timestamp that the plugin passed.
    Synchronous(u64),
}

#[derive(Clone, Copy)]
struct Current {
    metrics: *const Located,
    /// The time added to recorded timestamps.
    shift: u64,
}

thread_local! {
    static CURRENT: Cell<Current> = const { Cell::new(Current { metrics: ptr::null(), shift: 0 }) };
}

/// Runs `call`, which delivers an event, with `metrics` as the metrics of that event.
pub(crate) fn during(metrics: &Located, shift: u64, call: impl FnOnce()) {
    CURRENT.set(Current { metrics, shift });
    call();
    CURRENT.set(Current { metrics: ptr::null(), shift: 0 });
}

/// Calls a plugin's metrics function for every delivery of `source` in the current event.
/// Synchronous deliveries are limited to `location`.
///
/// # Safety
/// `write` must be a function of a plugin, called on the thread of the event.
pub(crate) unsafe fn deliver(location: *mut SCOREP_Location, source: Source, write: WriteMetrics) {
    let Current { metrics, shift } = CURRENT.get();
    // SAFETY: `during` keeps the metrics borrowed while the pointer is not null.
    let (Some(metrics), Some(write)) = (unsafe { metrics.as_ref() }, write) else { return };
    let (list, asked) = match source {
        Source::Asynchronous => (&metrics.asynchronous, None),
        Source::Strict(timestamp) => (&metrics.strict, Some(timestamp)),
        Source::Synchronous(timestamp) => (&metrics.synchronous, Some(timestamp)),
    };
    for delivery in list.iter().filter(|delivery| asked.is_none() || delivery.location.0 == location) {
        let timestamp = asked.unwrap_or(delivery.timestamp.wrapping_add(shift));
        // SAFETY: `write` is a function of a plugin, on the thread of the event. The location was
        // created, and the values live as long as the recording.
        unsafe { write(delivery.location.0, timestamp, delivery.sampling_set, delivery.values.as_ptr()) };
    }
}
