//! Communication between processes: the calls that reach the host, and their element types.

use super::callbacks::{calls, exclusive, full};
use super::{load, plugin, reach_init_mpp};
use kymo_substrate::bindings::SCOREP_SubstratePluginCallbacks as Callbacks;
use kymo_substrate::glue;
use kymo_substrate::*;
use std::error::Error;

#[test]
fn communication() {
    plugin!(Plugin, "communication");
    let _guard = exclusive();
    let host = load::<Plugin>(full(), size_of::<Callbacks>());
    assert_eq!(host.ipc_rank(), Err(IpcError::Unavailable), "before init_mpp");
    reach_init_mpp::<Plugin>();
    assert_eq!((host.ipc_size(), host.ipc_rank()), (Ok(4), Ok(1)));

    let mut two = [0_u32; 2];
    let mut eight = [0_u32; 8];
    host.ipc_barrier().expect("barrier");
    host.ipc_send(&[1_u32, 2], 3).expect("send");
    host.ipc_recv(&mut two, 0).expect("recv");
    assert_eq!(two, [42, 0]);
    host.ipc_bcast(&mut two, 0).expect("bcast");
    host.ipc_gather(&[1_u32, 2], &mut eight, 1).expect("gather on the root");
    host.ipc_gather(&[1_u32, 2], &mut [], 0).expect("gather elsewhere");
    host.ipc_gatherv(&[1_u32, 2], &mut eight, &[1, 2, 0, 5], 1).expect("gatherv on the root");
    host.ipc_gatherv(&[1_u32, 2], &mut [], &[], 2).expect("gatherv elsewhere");
    host.ipc_allgather(&[1_u32, 2], &mut eight).expect("allgather");
    host.ipc_reduce(&[1_u32, 2], &mut two, IpcOperation::SUM, 1).expect("reduce");
    host.ipc_allreduce(&[1_u32, 2], &mut two, IpcOperation::MAX).expect("allreduce");
    host.ipc_scatter(&eight, &mut two, 1).expect("scatter on the root");
    host.ipc_scatter(&[], &mut two, 0).expect("scatter elsewhere");
    host.ipc_scatterv(&eight, &[1, 2, 0, 5], &mut two, 1).expect("scatterv on the root");
    host.ipc_scatterv(&[], &[], &mut two, 0).expect("scatterv elsewhere");
    assert_eq!(
        calls(),
        [
            "barrier()",
            "send([1, 2], 6, 3)",
            "recv(2, 6, 0)",
            "bcast([42, 0], 6, 0)",
            "gather([1, 2], false, 6, 1)",
            "gather([1, 2], true, 6, 0)",
            "gatherv([1, 2], false, [1, 2, 0, 5], 6, 1)",
            "gatherv([1, 2], true, [], 6, 2)",
            "allgather([1, 2], false, 6)",
            "reduce([1, 2], false, 6, 4, 1)",
            "allreduce([1, 2], false, 6, 3)",
            "scatter(false, false, 2, 6, 1)",
            "scatter(true, false, 2, 6, 0)",
            "scatterv(false, [1, 2, 0, 5], false, 2, 6, 1)",
            "scatterv(true, [], false, 2, 6, 0)",
        ]
    );
    // SAFETY: the plugin is initialised, and the function has no arguments.
    unsafe { glue::info::<Plugin>().finalize.expect("the function")() };
    assert_eq!(host.ipc_barrier(), Err(IpcError::Unavailable), "after finalize");
}

/// Invalid ranks, counts and buffer lengths are detected before the call.
#[test]
fn invalid_arguments_do_not_reach_the_host() {
    plugin!(Plugin, "mistakes");
    let _guard = exclusive();
    let host = load::<Plugin>(full(), size_of::<Callbacks>());
    reach_init_mpp::<Plugin>();
    let mut two = [0_u32; 2];
    let mut eight = [0_u32; 8];
    let length = |needed, given| Err(IpcError::Length { needed, given });
    assert_eq!(host.ipc_send(&[1_u32], 2), Err(IpcError::Failed(77)));
    calls();
    assert_eq!(host.ipc_send(&[1_u32], 4), Err(IpcError::Rank(4)));
    assert_eq!(host.ipc_recv(&mut two, -1), Err(IpcError::Rank(-1)));
    assert_eq!(host.ipc_bcast(&mut two, 4), Err(IpcError::Rank(4)));
    assert_eq!(host.ipc_gather(&[1_u32, 2], &mut two, 1), length(8, 2));
    assert_eq!(host.ipc_gatherv(&[1_u32, 2], &mut eight, &[1, 2], 1), length(4, 2));
    assert_eq!(host.ipc_gatherv(&[1_u32, 2], &mut eight, &[1, 2, 1, 1], 1), length(5, 8));
    assert_eq!(host.ipc_gatherv(&[1_u32], &mut eight, &[1, 2, 0, 5], 1), length(2, 1));
    assert_eq!(host.ipc_gatherv(&[1_u32, 2], &mut eight, &[1, 2, 6, -1], 1), Err(IpcError::Count));
    assert_eq!(host.ipc_allgather(&[1_u32, 2], &mut two), length(8, 2));
    assert_eq!(host.ipc_allreduce(&[1_u32], &mut two, IpcOperation::MIN), length(1, 2));
    assert_eq!(host.ipc_reduce(&[1_u32], &mut two, IpcOperation::MIN, 1), length(1, 2));
    assert_eq!(host.ipc_scatter(&[1_u32], &mut two, 1), length(8, 1));
    assert_eq!(host.ipc_scatterv(&eight, &[8, 0, 0, 0], &mut two, 1), length(0, 2));
    assert_eq!(calls(), [""; 0], "a call reached the host");
}

#[test]
fn every_element_type_has_its_datatype() {
    plugin!(Plugin, "datatypes");
    let _guard = exclusive();
    let host = load::<Plugin>(full(), size_of::<Callbacks>());
    reach_init_mpp::<Plugin>();
    host.ipc_recv(&mut [0_u8; 8], 0).expect("recv");
    host.ipc_recv(&mut [0_i32; 2], 0).expect("recv");
    host.ipc_recv(&mut [0_u32; 2], 0).expect("recv");
    host.ipc_recv(&mut [0_i64; 1], 0).expect("recv");
    host.ipc_recv(&mut [0_u64; 1], 0).expect("recv");
    host.ipc_recv(&mut [0_f64; 1], 0).expect("recv");
    let expected = [
        "recv(8, 0, 0)",
        "recv(2, 5, 0)",
        "recv(2, 6, 0)",
        "recv(1, 7, 0)",
        "recv(1, 8, 0)",
        "recv(1, 9, 0)",
    ];
    assert_eq!(calls(), expected);
}
