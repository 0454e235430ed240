//! Hosts with fewer functions than the interface specifies, and one with more.

use super::callbacks::full;
use super::{NEUTRAL, answers, give, handle, load, location, plugin, reach_init_mpp};
use kymo_substrate::bindings::SCOREP_SubstratePluginCallbacks as Callbacks;
use kymo_substrate::glue;
use kymo_substrate::hosting::NO_CALLBACKS;
use kymo_substrate::*;
use std::error::Error;
use std::ptr;

/// Asserts that every function of the host returns its neutral value.
fn assert_neutral(host: Host) {
    assert_eq!(host.experiment_dir(), None);
    assert_eq!(answers(host, 5), NEUTRAL);
    let here = location();
    assert_eq!((host.location_type(here), host.location_name(here)), (LocationType::INVALID, None));
    assert_eq!((host.location_id(here), host.location_global_id(here)), (None, None));
    assert!(!host.set_location_data(here, ptr::null_mut::<u8>()) && host.location_data::<u8>(here).is_null());
    let mut part = [0_u32];
    let mut all = [0_u32; 4];
    let sum = IpcOperation::SUM;
    let results = [
        host.ipc_size().map(drop),
        host.ipc_rank().map(drop),
        host.ipc_barrier(),
        host.ipc_send(&part, 0),
        host.ipc_recv(&mut part, 0),
        host.ipc_bcast(&mut part, 0),
        host.ipc_gather(&part, &mut all, 0),
        host.ipc_gatherv(&part, &mut all, &[1, 1, 1, 1], 0),
        host.ipc_allgather(&part, &mut all),
        host.ipc_reduce(&part.clone(), &mut part, sum, 0),
        host.ipc_allreduce(&part.clone(), &mut part, sum),
        host.ipc_scatter(&all, &mut part, 0),
        host.ipc_scatterv(&all, &[1, 1, 1, 1], &mut part, 0),
    ];
    assert_eq!(results, [Err(IpcError::Unavailable); 13]);
    let mut never =
        |_: Location, _: Timestamp, _: SamplingSetHandle, _: &[u64]| panic!("there are no metrics");
    host.write_strictly_synchronous_metrics(here, 1, &mut never);
    host.write_synchronous_metrics(here, 1, &mut never);
    host.write_asynchronous_metrics(here, &mut never);
}

#[test]
fn a_host_without_functions_gives_neutral_values() {
    plugin!(Plugin, "nothing");
    assert_neutral(Host::of::<Plugin>());
    static EMPTY: Callbacks = NO_CALLBACKS;
    let host = load::<Plugin>(&EMPTY, size_of::<Callbacks>());
    reach_init_mpp::<Plugin>();
    assert_neutral(host);
    give::<Plugin>(full(), 0);
    assert_neutral(host);
    // SAFETY: a faulty host may pass null.
    unsafe {
        glue::info::<Plugin>().set_callbacks.expect("the function")(ptr::null(), size_of::<Callbacks>())
    };
    assert_neutral(host);
}

/// If a table ends early, exactly the functions that are in it can be used.
#[test]
fn a_short_table_limits_the_functions() {
    plugin!(Plugin, "short");
    let at = std::mem::offset_of!(Callbacks, SCOREP_RegionHandle_GetName);
    let region = handle!(RegionHandle, 5);
    let table = full();
    load::<Plugin>(table, 0);
    for size in 0..=size_of::<Callbacks>() {
        let host = give::<Plugin>(table, size);
        assert_eq!(host.experiment_dir().is_some(), size >= 8, "{size} bytes");
        assert_eq!(host.region_name(region).is_some(), size >= at + 8, "{size} bytes");
        assert_eq!(host.string(handle!(StringHandle, 5)).is_some(), size >= 48 * 8, "{size} bytes");
    }
}

#[test]
fn a_longer_table_of_a_future_host_is_accepted() {
    plugin!(Plugin, "long");
    let host = load::<Plugin>(full(), size_of::<Callbacks>() + 80);
    assert_eq!(host.experiment_dir(), Some(c"/experiment"));
}
