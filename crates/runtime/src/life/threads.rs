//! The locations of threads: creation, activation and end.

use crate::adapter;
use crate::current;
use crate::events::call;
use crate::host::{Host, Phase, host, is};
use crate::life::{metrics, names};
use crate::locations::{Location, Plan};
use crate::measurement::pending::catch_up_fully;
use crate::measurement::regions::leave_top;
use crate::program;
use crate::thread::{self, Busy};
use core::ffi::c_void;
use core::num::NonZeroUsize;
use core::sync::atomic::Ordering::{AcqRel, Relaxed, SeqCst};
use kymo_substrate::bindings::*;
use once_cell::race::OnceNonZeroUsize;

/// Executes step 7 for one location: its definition, `create_location` and its implicit task.
pub(crate) fn create(
    host: &Host,
    name: &[u8],
    parent: Option<&'static Location>,
    sequence: u32,
    metrics: usize,
) -> &'static Location {
    let handle = define(host, name);
    add(host, &plan(host, handle, parent, sequence, metrics))
}

/// Creates a location of a kind that is not a thread's, in a location group. A thread that records
/// on it must ensure that no other one does so at the same time.
pub(crate) fn create_without_thread(host: &Host, name: &[u8], kind: u32, group: u32) -> &'static Location {
    let handle = host.definitions.location(name, kind, group);
    let plan = plan(host, handle, host.locations.first(), 0, 0);
    add(host, &Plan { kind, has_metrics: false, has_durations: false, ..plan })
}

/// Defines the location of a thread.
pub(crate) fn define(host: &Host, name: &[u8]) -> u32 {
    host.definitions.location(name, SCOREP_LOCATION_TYPE_CPU_THREAD, host.group())
}

fn plan(host: &Host, handle: u32, parent: Option<&'static Location>, sequence: u32, metrics: usize) -> Plan {
    Plan {
        id: host.definitions.number(handle),
        handle,
        kind: SCOREP_LOCATION_TYPE_CPU_THREAD,
        parent,
        sequence,
        has_metrics: metrics > 0 || adapter::of(host).iter().any(|adapter| adapter.has_collected_metrics()),
        metrics,
        plugins: host.plugins.0.len(),
        has_durations: host.settings.min_duration.is_some(),
        is_shared: false,
    }
}

/// Creates a location that has been defined, for members of teams that `parent` forks. The calling
/// thread, the first one, is inside the runtime afterwards.
pub(crate) fn create_shared(
    host: &Host,
    handle: u32,
    parent: &'static Location,
    sequence: u32,
) -> &'static Location {
    let plan = plan(host, handle, Some(parent), sequence, metrics::of_each_thread(host));
    let location = add(host, &Plan { is_shared: true, ..plan });
    location.enter_runtime();
    host.plugins.activate(location);
    location.is_active.store(true, Relaxed);
    location
}

fn add(host: &Host, plan: &Plan) -> &'static Location {
    let location = Location::new(plan);
    host.locations.add(location);
    host.plugins.create_location(location);
    location
}

pub(crate) fn activate(host: &Host, location: &Location) {
    host.active.fetch_add(1, Relaxed);
    location.is_active.store(true, Relaxed);
    host.plugins.activate(location);
}

/// Deactivates a location, once.
pub(crate) fn deactivate(host: &Host, location: &Location) {
    if location.is_active.swap(false, AcqRel) {
        // One that teams share counts only while it is a member.
        if !location.is_shared {
            host.active.fetch_sub(1, Relaxed);
        }
        adapter::of(host).iter().for_each(|adapter| adapter.location_ended(host, location));
        host.plugins.deactivate(location);
    }
}

/// Returns the communicator of the threads of this process. It is defined, with its paradigm, at
/// the first use.
pub(crate) fn team(host: &Host) -> u32 {
    *host.team.get_or_init(|| {
        let class = SCOREP_PARADIGM_CLASS_THREAD_CREATE_WAIT;
        host.definitions.paradigm(SCOREP_PARADIGM_PTHREAD, class, b"Pthread");
        host.definitions.interim_communicator(SCOREP_PARADIGM_PTHREAD)
    })
}

/// Begins the location of a new thread, which `parent` created as number `sequence`.
pub(crate) fn begin(parent: u32, sequence: u32) {
    let Some(coming) = may_begin() else { return };
    let host = coming.host;
    let Some(parent) = host.locations.get(parent) else { return };
    let name = format!("Pthread thread {sequence}");
    let location = enter(host, name.as_bytes(), parent, sequence);
    let (address, now) = (location.address(), host.clock.now());
    let (team, thread) = (team(host), program::thread_id());
    call!(
        host.table(),
        SCOREP_EVENT_THREAD_CREATE_WAIT_BEGIN: SCOREP_Substrates_ThreadCreateWaitBeginCb,
        address, now, SCOREP_PARADIGM_PTHREAD, team, sequence, thread
    );
    location.leave_runtime();
}

/// Creates a location for a thread whose creation was not recorded.
pub(crate) fn adopt() {
    let Some(coming) = may_begin() else { return };
    if let Some(main) = coming.host.locations.first() {
        enter(coming.host, b"Orphan thread", main, 0).leave_runtime();
        end_with_thread();
    }
}

/// A guard while a thread is about to have a location. The finalising thread waits for it.
#[derive(Debug)]
pub(crate) struct Coming {
    pub(crate) host: &'static Host,
    _busy: Busy,
}

impl Drop for Coming {
    fn drop(&mut self) {
        self.host.coming.fetch_sub(1, SeqCst);
    }
}

fn may_begin() -> Option<Coming> {
    let is_new = current::location().is_none() && !thread::is_gone() && !thread::is_pooled();
    if is_new && !thread::is_borrowed() { Coming::begin() } else { None }
}

impl Coming {
    pub(crate) fn begin() -> Option<Self> {
        // A process that shares the memory, but not the thread's, is no child of `fork` either.
        let (host, busy) = (host().filter(|host| host.id == std::process::id())?, Busy::enter()?);
        host.coming.fetch_add(1, SeqCst);
        let coming = Self { host, _busy: busy };
        is(Phase::On).then_some(coming)
    }
}

/// Creates and activates a location for the calling thread, which is inside the runtime afterwards.
fn enter(host: &'static Host, name: &[u8], parent: &'static Location, sequence: u32) -> &'static Location {
    let location = create(host, name, Some(parent), sequence, metrics::of_each_thread(host));
    location.enter_runtime();
    adapter::of(host).iter().for_each(|adapter| adapter.location_created(host, location));
    activate(host, location);
    current::set_location(Some(location));
    adapter::of(host).iter().for_each(|adapter| adapter.thread_begun(location));
    location
}

/// Ends the location of the calling thread, which is about to end: open regions are left.
pub(crate) fn end() {
    adapter::all().iter().for_each(|adapter| adapter.thread_ending());
    // A thread that ends is not cancelled any more.
    thread::set_asynchronous(false);
    let Some((host, location)) = host().zip(current::location()) else { return };
    if !is(Phase::On) || location.parent.is_none() || location.is_shared || !location.enter_runtime() {
        return;
    }
    core::sync::atomic::compiler_fence(SeqCst);
    if is(Phase::On) {
        catch_up_fully(host, location);
        let now = host.clock.now();
        close(host, location, now);
        names::take(host, location);
        finish(host, location, now);
        location.left_out.settle();
        location.left_out.release();
        location.regions.release();
        location.interrupted.release();
    }
    adapter::of(host).iter().for_each(|adapter| adapter.thread_ended());
    current::leave_permanently();
    location.leave_runtime();
}

/// Registers [`end`] to be called when the calling thread, an orphan, ends. If this is impossible,
/// its location ends with the measurement.
fn end_with_thread() {
    /// The key of the thread-specific value and 1. Without a lock, since a child of `fork` may be
    /// the next to need it.
    static KEY: OnceNonZeroUsize = OnceNonZeroUsize::new();
    extern "C" fn at_end(_: *mut c_void) {
        end();
    }
    let make = || {
        let mut key: libc::pthread_key_t = 0;
        // SAFETY: the key is written, and `end` does nothing that a destructor must not do.
        let is_made = unsafe { libc::pthread_key_create(&raw mut key, Some(at_end)) } == 0;
        if is_made { Ok(NonZeroUsize::MIN.saturating_add(key as usize)) } else { Err(()) }
    };
    // Of two threads that make a key at once, one leaves its own unused.
    if let Ok(key) = KEY.get_or_try_init(make) {
        // SAFETY: the key exists; the value is never read.
        unsafe { libc::pthread_setspecific((key.get() - 1) as _, core::ptr::without_provenance(1)) };
    }
}

/// Gives the calling thread, which is inside, a location that several threads share.
pub(crate) fn give(host: &'static Host, location: &'static Location) {
    adapter::of(host).iter().for_each(|adapter| adapter.location_taken(host, location));
    current::set_location(Some(location));
    adapter::of(host).iter().for_each(|adapter| adapter.thread_begun(location));
}

/// Lets no thread have a location that several threads share, until one takes it over.
pub(crate) fn abandon(host: &'static Host, location: &'static Location) {
    adapter::of(host).iter().for_each(|adapter| adapter.location_abandoned(host, location));
    host.active.fetch_sub(1, Relaxed);
    location.disown();
}

/// Leaves everything that is open.
pub(crate) fn close(host: &'static Host, location: &'static Location, now: u64) {
    adapter::of(host).iter().for_each(|adapter| adapter.close(host, location, now));
    while location.regions.depth() > 0 {
        leave_top(host, location, now);
    }
}

/// Ends the location of a thread that was created.
pub(crate) fn finish(host: &Host, location: &Location, now: u64) {
    if location.sequence > 0 && !location.is_shared {
        call!(
            host.table(),
            SCOREP_EVENT_THREAD_CREATE_WAIT_END: SCOREP_Substrates_ThreadCreateWaitEndCb,
            location.address(), now, SCOREP_PARADIGM_PTHREAD, team(host), location.sequence
        );
    }
    deactivate(host, location);
}
