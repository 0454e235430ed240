//! Events that wait until the thread of their location can record them.

use core::sync::atomic::Ordering::Relaxed;

use super::handles::{Caller, Region};
use super::regions;
use crate::adapter;
use crate::cancellation::uncancelled;
use crate::events::call;
use crate::host::{Host, Phase, host, is};
use crate::interrupted::Subject;
use crate::locations::Location;
use crate::postponed_jump;
use crate::thread::{self, MemoryUse};

/// Records the events that a signal handler left while the thread was inside.
#[cold]
#[inline(never)]
pub(super) fn record_interrupted(location: &'static Location) {
    let Some(host) = host().filter(|_| location.enter_runtime()) else { return };
    core::sync::atomic::compiler_fence(core::sync::atomic::Ordering::SeqCst);
    if is(Phase::On) {
        catch_up(host, location);
    }
    location.leave_runtime();
    postponed_jump::take();
}

/// Records the pending events of adapters and of signal handlers. Returns false if some must wait
/// longer. The thread must be inside, or the measurement must be ending.
#[cold]
#[inline(never)]
pub(crate) fn catch_up(host: &'static Host, location: &'static Location) -> bool {
    uncancelled(|| catch_up_now(host, location))
}

/// Records the events that wait for the next one of a location, for certain.
pub(crate) fn catch_up_fully(host: &'static Host, location: &'static Location) {
    catch_up(host, location);
    adapter::of(host).iter().for_each(|adapter| adapter.record_pending(host, location));
}

fn catch_up_now(host: &'static Host, location: &'static Location) -> bool {
    // A plugin that is at work may hold a lock that it needs for them. A cancelled thread would end
    // in a definition.
    let may_define = thread::memory_use() != MemoryUse::Own && !thread::is_asynchronous();
    if may_define && location.has_pending.swap(false, Relaxed) {
        adapter::of(host).iter().for_each(|adapter| adapter.record_pending(host, location));
    }
    loop {
        while let Some(event) = location.interrupted.first() {
            let region = match event.subject {
                Subject::Region(region) => Region(region),
                Subject::Function(address) => match region_of(address, true) {
                    Some(region) => region,
                    None => return false,
                },
            };
            location.interrupted.take();
            // A handler can read the clock before the call that it interrupts does.
            let time = event.time.max(location.last_time.load(Relaxed));
            match event.leaves {
                true => regions::leave(host, location, region, time),
                false => regions::enter(host, location, Caller::Unknown, region, time),
            }
        }
        if let Some(missed) = location.interrupted.finish() {
            mark_missed(host, location, missed);
            // The reason to look for it when the thread leaves the runtime.
            postponed_jump::announce(location);
            return true;
        }
    }
}

/// Marks the place of missing events as a pause of the recording.
fn mark_missed(host: &'static Host, location: &'static Location, missed: u64) {
    let Some(process) = host.process.get().filter(|_| missed > 0) else { return };
    host.missed.fetch_add(missed, Relaxed);
    let (last, now) = (location.last_time.load(Relaxed), host.clock.now());
    regions::read_metrics(host, location);
    call!(
        host.table(),
        SCOREP_EVENT_DISABLE_RECORDING: SCOREP_Substrates_DisableRecordingCb,
        location.address(), last, process.off, location.values()
    );
    call!(
        host.table(),
        SCOREP_EVENT_ENABLE_RECORDING: SCOREP_Substrates_EnableRecordingCb,
        location.address(), now, process.off, location.values()
    );
}

/// Returns the region of a function of the program. If it has not been defined, `may_define` allows
/// to do so.
pub(crate) fn region_of(function: usize, may_define: bool) -> Option<Region> {
    adapter::all().iter().find_map(|adapter| adapter.region_of(function, may_define))
}
