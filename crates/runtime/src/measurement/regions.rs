//! Enters and leaves of regions, on a location whose thread is inside the runtime, or records no
//! more.
//!
//! Invariant: a region is left as it was entered, with its calling context or without one.

use core::sync::atomic::Ordering::Relaxed;

use super::handles::{Caller, Region};
use crate::adapter;
use crate::events::call;
use crate::host::Host;
use crate::life::metrics;
use crate::locations::Location;

/// Reads the metrics that belong to every enter and leave.
#[inline]
pub(crate) fn read_metrics(host: &'static Host, location: &'static Location) {
    if location.has_metrics {
        metrics::read(host, location);
    }
}

/// Enters a region that was called as `caller` says.
#[inline]
pub(crate) fn enter(
    host: &'static Host,
    location: &'static Location,
    caller: Caller,
    region: Region,
    now: u64,
) {
    if push(host, location, region, now) {
        location.last_time.store(now, Relaxed);
        read_metrics(host, location);
        enter_pushed(host, location, caller, region, now);
    }
}

/// Like [`enter`], but does not read the metrics: the location has their values at this time, or
/// the last known ones.
pub(crate) fn enter_measured(
    host: &'static Host,
    location: &'static Location,
    caller: Caller,
    region: Region,
    time: u64,
) {
    if push(host, location, region, time) {
        location.last_time.store(time, Relaxed);
        enter_pushed(host, location, caller, region, time);
    }
}

/// Like [`enter_measured`], but returns `false`, and records nothing, if the location has calling
/// contexts and that of the region cannot be defined now.
pub(crate) fn try_enter_measured(
    host: &'static Host,
    location: &'static Location,
    region: Region,
    time: u64,
) -> bool {
    if !location.has_contexts.load(Relaxed) {
        enter_measured(host, location, Caller::Function, region, time);
        return true;
    }
    if !push(host, location, region, time) {
        return false;
    }
    let is_entered = enter_context(host, location, Caller::Function, region, time);
    match is_entered {
        true => location.last_time.store(time, Relaxed),
        false => _ = location.regions.pop(),
    }
    is_entered
}

/// Makes a region the innermost open one of a location. Returns `false` without a region, or
/// without room for it.
#[inline(always)]
fn push(host: &Host, location: &Location, region: Region, now: u64) -> bool {
    if region.0 == 0 {
        return false;
    }
    let is_pushed = location.regions.push(region.0, now);
    if !is_pushed {
        // It is not left either.
        host.unstacked.fetch_add(2, Relaxed);
    }
    is_pushed
}

/// Records the enter of the innermost open region.
#[inline(always)]
fn enter_pushed(host: &'static Host, location: &'static Location, caller: Caller, region: Region, now: u64) {
    if location.has_contexts.load(Relaxed) && enter_context(host, location, caller, region, now) {
        return;
    }
    call!(
        host.table(),
        SCOREP_EVENT_ENTER_REGION: SCOREP_Substrates_EnterRegionCb,
        location.address(), now, region.0, location.values()
    );
}

/// Enters a region with its calling context; returns `false` if that is not known.
#[cold]
#[inline(never)]
fn enter_context(
    host: &'static Host,
    location: &'static Location,
    caller: Caller,
    region: Region,
    now: u64,
) -> bool {
    adapter::context_entry(host).is_some_and(|enter| enter(host, location, region, now, caller))
}

/// Leaves a region, after the regions that were entered in it and not left: a program can jump out
/// of more than one. A region that was not entered is not left.
#[inline]
pub(crate) fn leave(host: &'static Host, location: &'static Location, region: Region, now: u64) {
    let distance = if region.0 == 0 { 0 } else { location.regions.distance(region.0) };
    if distance == 0 {
        return;
    }
    location.last_time.store(now, Relaxed);
    read_metrics(host, location);
    for _ in 0..distance {
        leave_top(host, location, now);
    }
}

/// Leaves the innermost region of a location. Its metrics are read.
#[inline]
pub(crate) fn leave_top(host: &Host, location: &Location, time: u64) {
    if location.regions.has_contexts() && leave_top_context(host, location, time) {
        return;
    }
    let Some(region) = location.regions.pop() else { return };
    call!(
        host.table(),
        SCOREP_EVENT_EXIT_REGION: SCOREP_Substrates_ExitRegionCb,
        location.address(), time, region, location.values()
    );
}

/// Like [`leave_top`], but returns `false`, and leaves nothing, if the region was entered without a
/// calling context.
#[cold]
#[inline(never)]
fn leave_top_context(host: &Host, location: &Location, time: u64) -> bool {
    let context = location.regions.context().context;
    if context == 0 || location.regions.pop().is_none() {
        return context != 0;
    }
    call!(
        host.table(),
        SCOREP_EVENT_CALLING_CONTEXT_EXIT: SCOREP_Substrates_CallingContextExitCb,
        location.address(), time, context, context, 1, location.values()
    );
    true
}
