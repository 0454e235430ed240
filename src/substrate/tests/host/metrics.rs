//! Delivery of the metrics of an event to the closure that requested them.

use super::callbacks::full;
use super::{load, location, plugin};
use kymo_substrate::bindings::SCOREP_SubstratePluginCallbacks as Callbacks;
use kymo_substrate::*;
use std::error::Error;

#[test]
fn metrics_reach_the_closure() {
    plugin!(Plugin, "metrics");
    let host = load::<Plugin>(full(), size_of::<Callbacks>());
    let mut seen = Vec::new();
    let mut write = |location: Location, time: Timestamp, set: SamplingSetHandle, values: &[u64]| {
        seen.push((location.address(), time, set.raw(), values.to_vec()));
    };
    host.write_strictly_synchronous_metrics(location(), 500, &mut write);
    host.write_synchronous_metrics(location(), 600, &mut write);
    host.write_asynchronous_metrics(location(), &mut write);
    let expected = [500, 600, 1000].map(|time| {
        let values = vec![time + 1, time + 2];
        [(0x40, time, 21, values.clone()), (0x40, time + 10, 23, values)]
    });
    assert_eq!(seen, expected.concat());
}

/// A sample may interrupt an event whose metrics are being written.
#[test]
fn deliveries_of_metrics_can_be_nested() {
    plugin!(Plugin, "nested");
    let host = load::<Plugin>(full(), size_of::<Callbacks>());
    let (mut outer, mut inner) = (0, 0);
    host.write_synchronous_metrics(location(), 1, &mut |_, _, _, _| {
        outer += 1;
        host.write_synchronous_metrics(location(), 2, &mut |_, _, _, _| inner += 1);
    });
    assert_eq!((outer, inner), (2, 4));
}

/// There are more concurrent threads than C functions for the delivery.
#[test]
fn many_threads_receive_metrics_concurrently() {
    plugin!(Plugin, "threads");
    let host = load::<Plugin>(full(), size_of::<Callbacks>());
    std::thread::scope(|scope| {
        for thread in 0..100_u64 {
            scope.spawn(move || {
                for round in 0..50 {
                    let mut seen = Vec::new();
                    let time = thread * 1000 + round;
                    host.write_synchronous_metrics(location(), time, &mut |_, at, _, values| {
                        std::thread::yield_now();
                        seen.push((at, values[0]));
                    });
                    assert_eq!(seen, [(time, time + 1), (time + 10, time + 1)]);
                }
            });
        }
    });
}

#[test]
fn a_panic_in_the_closure_is_resumed_in_the_caller() {
    plugin!(Plugin, "panics");
    let host = load::<Plugin>(full(), size_of::<Callbacks>());
    let mut calls = 0;
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        host.write_synchronous_metrics(location(), 1, &mut |_, _, _, _| {
            calls += 1;
            std::panic::resume_unwind(Box::new("thrown"));
        });
    }));
    assert_eq!(result.expect_err("a panic").downcast_ref(), Some(&"thrown"));
    assert_eq!(calls, 1, "a delivery after the panic");
}
