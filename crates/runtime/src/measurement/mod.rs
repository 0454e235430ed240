//! The interface of the measurement for instrumentation.
//!
//! Invariants: no failure here reaches the program; a thread that is inside the runtime records
//! nothing; events allocate nothing here. Functions that define something can be called at any
//! time, even between [`begin`] and the first event.

pub(crate) mod handles;
pub(crate) mod here;
mod lazy_region;
pub(crate) mod pending;
pub(crate) mod regions;

use crate::adapter::MetricDefinition;
use crate::cancellation::uncancelled;
use crate::current;
use crate::definitions::{DefinitionStore, RegionDefinition};
use crate::host::{self, Host, Phase, host, is};
use crate::interrupted::{InterruptedEvent, Subject};
use crate::life;
use crate::locations::Location;
use crate::own_stack::OwnStack;
use crate::postponed_jump;
use crate::settings::Settings;
use crate::thread;
use core::marker::PhantomData;
use core::sync::atomic::Ordering::Relaxed;
use kymo_substrate::bindings::*;

pub use self::handles::{Counter, Creation, Parameter, Region, Text};
pub use self::here::Here;

pub(crate) use self::handles::Caller;
pub(crate) use self::lazy_region::LazyRegion;
pub(crate) use self::pending::{catch_up, region_of};
pub(crate) use crate::panics::catching_panics;

/// Begins the measurement, once.
pub fn begin() {
    catching_panics(|| life::begin::begin(life::beginning::Beginning::Now));
}

/// Lets the measurement begin with the first event.
pub(crate) fn begin_later() {
    catching_panics(life::later::put_program);
}

/// Begins the measurement if it waits for its first event. Called when an event is certain to
/// follow.
#[inline]
pub(crate) fn awake() {
    if life::later::is_pending() {
        life::later::begin_pending();
        postponed_jump::take();
    }
}

/// Ends the measurement, once.
pub fn end(exit_status: Option<i32>) {
    catching_panics(|| uncancelled(|| life::end::end(exit_status)));
}

/// Returns whether the measurement has begun, has not ended, and is recording.
pub fn is_on() -> bool {
    is(Phase::On) && host().is_some_and(Host::is_recording)
}

/// Returns whether the measurement has begun and has not ended.
pub fn is_measuring() -> bool {
    is(Phase::On)
}

/// Returns the settings from the environment; `None` before the measurement begins.
pub fn settings() -> Option<&'static Settings> {
    host().map(|host| &host.settings)
}

/// Returns the location of this thread, or `None` if it has none or is inside the runtime.
#[inline]
pub fn here() -> Option<Here> {
    match current::location() {
        Some(location) => at(location),
        None => here_at_last(),
    }
}

#[inline]
fn at(location: &'static Location) -> Option<Here> {
    if location.is_special() {
        return at_special(location);
    }
    let host = host()?;
    if !location.enter_plainly() {
        return None;
    }
    entered(host, location)
}

/// Like [`at`], for a location that takes longer to enter.
#[cold]
#[inline(never)]
fn at_special(location: &'static Location) -> Option<Here> {
    let host = host()?;
    if !location.enter_runtime() {
        return None;
    }
    entered(host, location)
}

#[inline(always)]
fn entered(host: &'static Host, location: &'static Location) -> Option<Here> {
    let here = Here { host, location, thread: PhantomData };
    // From here on other threads see that this thread is inside, or it sees that the measurement
    // ends: `life::end` ensures this.
    core::sync::atomic::compiler_fence(core::sync::atomic::Ordering::SeqCst);
    let may_record = is(Phase::On) && (!location.has_waiting() || catch_up(host, location));
    may_record.then_some(here)
}

/// Stores an enter or leave for which [`here()`] returned `None`, because a signal handler
/// interrupted the thread inside the runtime.
#[cold]
pub(crate) fn postpone(subject: Subject, leaves: bool) {
    let is_recorded = |host: &&Host| is(Phase::On) && host.is_recording() && !thread::is_borrowed();
    let Some(host) = host().filter(is_recorded) else { return };
    match current::location() {
        Some(location) => {
            location.interrupted.put(InterruptedEvent { subject, leaves, time: host.clock.now() })
        }
        None => miss(),
    }
}

/// Counts an event that is not recorded because a signal handler interrupted the thread inside the
/// runtime.
#[cold]
pub(crate) fn miss() {
    let is_inside = current::location()
        .map_or(thread::is_busy(), |location| location.is_inside() || !location.interrupted.is_empty());
    let is_inside = is_inside && !thread::is_borrowed();
    if let Some(host) = host().filter(|host| is(Phase::On) && host.is_recording() && is_inside) {
        host.missed.fetch_add(1, Relaxed);
    }
}

/// Counts the enter or leave of a call to a function that is left out. Returns whether it need not
/// be recorded: an enter that is counted, and a leave whose enter was counted.
#[inline]
pub(crate) fn leave_out(gauge: u64, leaves: bool) -> bool {
    if current::location().is_none() {
        // Creates a location for the thread.
        here_or_orphan();
    }
    let Some(location) = current::location() else { return false };
    match leaves {
        true => location.left_out.leave(gauge),
        false => location.left_out.enter(gauge, is_on()),
    }
}

/// Like [`here()`], in a process whose measurement begins with its first event.
#[cold]
#[inline(never)]
fn here_at_last() -> Option<Here> {
    let begins = life::later::begin_pending();
    postponed_jump::take();
    if begins { here() } else { None }
}

/// Like [`here()`], but creates a location ("Orphan thread") for a thread whose creation was not
/// recorded.
#[inline]
pub fn here_or_orphan() -> Option<Here> {
    match current::location() {
        Some(location) => at(location),
        None => here_at_last().or_else(here_adopted),
    }
}

#[cold]
#[inline(never)]
fn here_adopted() -> Option<Here> {
    uncancelled(life::threads::adopt);
    postponed_jump::take();
    current::location().and_then(at)
}

/// Returns the number of the measurement in this line of processes. Handles of regions, parameters,
/// counters and strings remain valid in forked children, threads do not.
pub fn generation() -> u32 {
    host::generation()
}

/// Returns the definitions. In a forked child this begins the measurement, as an event does.
fn definitions() -> Option<&'static DefinitionStore> {
    if life::later::is_pending() {
        life::later::begin_pending();
    }
    host().map(|host| &host.definitions)
}

/// Defines a region. Regions with the same name, file, first line and paradigm are one.
pub fn define_region(
    name: &[u8],
    canonical: &[u8],
    file: Option<&[u8]>,
    begin: u32,
    end: u32,
    paradigm: u32,
    region_type: u32,
) -> Region {
    let description = b"";
    define(&RegionDefinition { name, canonical, description, file, begin, end, paradigm, region_type })
}

/// Defines a region. Regions with the same name, description, file, first line and paradigm are
/// one.
pub(crate) fn define(region: &RegionDefinition<'_>) -> Region {
    Region(definitions().map_or(0, |definitions| definitions.region(region)))
}

/// Defines a parameter with the type 0 `i64`, 1 `u64`, or 2 string.
pub fn define_parameter(name: &[u8], parameter_type: u32) -> Parameter {
    Parameter(definitions().map_or(0, |definitions| definitions.parameter(name, parameter_type)))
}

/// Defines a counter with one metric.
pub fn define_counter(metric: &MetricDefinition) -> Counter {
    let set = |definitions: &DefinitionStore| {
        let metric = definitions.metric(metric);
        definitions.sampling_set(&[metric], SCOREP_METRIC_OCCURRENCE_ASYNCHRONOUS, SCOREP_SAMPLING_SET_CPU)
    };
    Counter(definitions().map_or(0, set))
}

/// Defines a string.
pub fn define_string(text: &[u8]) -> Text {
    Text(definitions().map_or(0, |definitions| definitions.string(text)))
}

/// Creates and activates the location of a new thread, and records its start. The first call of the
/// thread.
pub fn thread_begin(creation: Creation) {
    let begin = || uncancelled(|| life::threads::begin(creation.parent, creation.sequence));
    // The stack of a thread may have room only for the program's own calls.
    OwnStack::borrow(|| catching_panics(begin));
    postponed_jump::take();
}

/// Ends the location of the calling thread. The last call of the thread.
pub fn thread_end() {
    OwnStack::borrow(|| catching_panics(|| uncancelled(life::threads::end)));
}

/// Must be called before `fork`, on the forking thread.
pub fn before_fork() {
    life::fork::before();
}

/// Must be called after `fork` in the parent.
pub fn parent_after_fork() {
    life::fork::in_parent();
}

/// Returns whether the measurement of this process waits for its first event.
pub fn is_pending() -> bool {
    life::later::is_pending()
}

/// Must be called after `fork` in the child, which begins a measurement of its own with its first
/// event.
pub fn child_after_fork() {
    life::fork::in_child();
}
