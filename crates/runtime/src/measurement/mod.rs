//! The interface of the measurement for instrumentation.
//!
//! Invariants: no failure here reaches the program; a thread that is inside the runtime records
//! nothing; events allocate nothing here. Functions that define something can be called at any
//! time, even between [`begin`] and the first event.

mod regions;

use crate::adapter;
use crate::adapter::MetricDefinition;
use crate::cancellation::uncancelled;
use crate::definitions::{DefinitionStore, RegionDefinition};
use crate::events::call;
use crate::host::{self, Host, Phase, host, is};
use crate::interrupted::{Event, Subject};
use crate::jumps;
use crate::life;
use crate::locations::Location;
use crate::processes;
use crate::settings::Settings;
use crate::thread;
use core::marker::PhantomData;
use core::mem::ManuallyDrop;
use core::sync::atomic::Ordering::Relaxed;
use kymo_substrate::bindings::*;

pub(crate) use self::regions::{Caller, leave_top};

/// A region's definition. 0 means no region; its events are dropped.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(transparent)]
pub struct Region(pub u32);

/// A parameter's definition.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(transparent)]
pub struct Parameter(pub u32);

/// The sampling set of a counter.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(transparent)]
pub struct Counter(pub u32);

/// A string's definition.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(transparent)]
pub struct Text(pub u32);

/// The data that a new thread requires about its creation.
#[derive(Clone, Copy, Debug)]
pub struct Creation {
    /// The location of the creating thread.
    pub parent: u32,
    /// The number of the creation in the process, counted from 1.
    pub sequence: u32,
}

/// The location of the calling thread, which is inside the runtime until this is dropped.
#[derive(Debug)]
pub struct Here {
    host: &'static Host,
    location: &'static Location,
    /// Belongs to one thread.
    thread: PhantomData<*const ()>,
}

impl Drop for Here {
    #[inline]
    fn drop(&mut self) {
        self.location.leave_runtime();
        if !self.location.interrupted.is_empty() {
            record_interrupted(self.location);
        }
    }
}

/// Begins the measurement, once.
pub fn begin() {
    catching_panics(|| life::begin::begin(life::later::Beginning::Now));
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
        jumps::take();
    }
}

/// Ends the measurement, once.
pub fn end(exit_status: Option<i32>) {
    catching_panics(|| uncancelled(|| life::end::end(exit_status)));
}

/// Catches panics, which must not end the program. The panic is reported; the rest of the action is
/// not executed.
pub(crate) fn catching_panics(what: impl FnOnce()) {
    let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(what));
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
    match thread::location() {
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

/// Records the events that a signal handler left while the thread was inside.
#[cold]
#[inline(never)]
fn record_interrupted(location: &'static Location) {
    let Some(host) = host().filter(|_| location.enter_runtime()) else { return };
    core::sync::atomic::compiler_fence(core::sync::atomic::Ordering::SeqCst);
    if is(Phase::On) {
        catch_up(host, location);
    }
    location.leave_runtime();
    jumps::take();
}

/// Records the pending events of adapters and of signal handlers. Returns false if some must wait
/// longer. The thread must be inside, or the measurement must be ending.
#[cold]
#[inline(never)]
pub(crate) fn catch_up(host: &'static Host, location: &'static Location) -> bool {
    uncancelled(|| catch_up_now(host, location))
}

fn catch_up_now(host: &'static Host, location: &'static Location) -> bool {
    // A handler of the program may have interrupted an allocator: pending events then wait for the
    // next one, so that a handler that runs often does not try in vain at each of its events.
    if location.has_pending.swap(false, Relaxed) && processes::may_allocate() {
        host.adapters.iter().for_each(|adapter| adapter.record_pending(host, location));
    }
    let here = Here::of(host, location);
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
                true => here.leave_at(region, time),
                false => here.enter_from(Caller::Unknown, region, time),
            }
        }
        if let Some(missed) = location.interrupted.finish() {
            here.mark_missed(missed);
            // The reason to look for it when the thread leaves the runtime.
            jumps::announce(location);
            return true;
        }
    }
}

/// Stores an enter or leave for which [`here`] returned `None`, because a signal handler
/// interrupted the thread inside the runtime.
#[cold]
pub(crate) fn postpone(subject: Subject, leaves: bool) {
    let is_recorded = |host: &&Host| is(Phase::On) && host.is_recording() && !thread::is_borrowed();
    let Some(host) = host().filter(is_recorded) else { return };
    match thread::location() {
        Some(location) => location.interrupted.put(Event { subject, leaves, time: host.clock.now() }),
        None => miss(),
    }
}

/// Counts an event that is not recorded because a signal handler interrupted the thread inside the
/// runtime.
#[cold]
pub(crate) fn miss() {
    let is_inside = thread::location()
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
    if thread::location().is_none() {
        // Creates a location for the thread.
        here_or_orphan();
    }
    let Some(location) = thread::location() else { return false };
    match leaves {
        true => location.left_out.leave(gauge),
        false => location.left_out.enter(gauge, is_on()),
    }
}

/// Records a parameter on a location whose thread does not record any more.
pub(crate) fn record_parameter(
    host: &'static Host,
    location: &'static Location,
    parameter: Parameter,
    value: u64,
) {
    let here = Here::of(host, location);
    here.parameter_u64(parameter, value);
}

/// Like [`here`], in a process whose measurement begins with its first event.
#[cold]
#[inline(never)]
fn here_at_last() -> Option<Here> {
    let begins = life::later::begin_pending();
    jumps::take();
    if begins { here() } else { None }
}

/// Like [`here`], but creates a location ("Orphan thread") for a thread whose creation was not
/// recorded.
#[inline]
pub fn here_or_orphan() -> Option<Here> {
    match thread::location() {
        Some(location) => at(location),
        None => here_at_last().or_else(here_adopted),
    }
}

#[cold]
#[inline(never)]
fn here_adopted() -> Option<Here> {
    uncancelled(life::threads::adopt);
    jumps::take();
    thread::location().and_then(at)
}

/// Returns the number of the measurement in this line of processes. Handles of regions, parameters,
/// counters and strings remain valid in forked children, threads do not.
pub fn generation() -> u32 {
    host::generation()
}

/// Returns the region of a function of the program. If it has not been defined, `may_define` allows
/// to do so.
pub(crate) fn region_of(function: usize, may_define: bool) -> Option<Region> {
    adapter::all().iter().find_map(|adapter| adapter.region_of(function, may_define))
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
    let region = RegionDefinition { name, canonical, file, begin, end, paradigm, region_type };
    Region(definitions().map_or(0, |definitions| definitions.region(&region)))
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
    catching_panics(|| uncancelled(|| life::threads::begin(creation.parent, creation.sequence)));
    jumps::take();
}

/// Ends the location of the calling thread. The last call of the thread.
pub fn thread_end() {
    catching_panics(|| uncancelled(life::threads::end));
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

/// Declares the events of a definition, which are dropped if the handle is 0. The syntax is
///
/// ```text
/// name(handle: type, value: type) = EVENT: Callback (values);
/// ```
macro_rules! events {
    ($($(#[$doc:meta])* $name:ident($handle:ident: $type:ty $(, $value:ident: $value_type:ty)?) =
        $event:ident: $callback:ident($($argument:expr)?);)*) => {
        impl Here {$(
            $(#[$doc])*
            pub fn $name(&self, $handle: $type $(, $value: $value_type)?) {
                if $handle.0 == 0 {
                    return;
                }
                let now = self.now();
                call!(self.host.table(), $event: $callback, self.location.address(), now, $handle.0 $(, $argument)?);
            }
        )*}
    };
}

events! {
    /// Enters a rewind region: marks a point to which the recording can be reset.
    enter_rewind(region: Region) = SCOREP_EVENT_ENTER_REWIND_REGION: SCOREP_Substrates_EnterRewindRegionCb();
    /// Leaves a rewind region, and resets the recording to its start if `rewind`.
    leave_rewind(region: Region, rewind: bool) =
        SCOREP_EVENT_EXIT_REWIND_REGION: SCOREP_Substrates_ExitRewindRegionCb(rewind);
    /// Records a parameter of the current call.
    parameter_i64(parameter: Parameter, value: i64) =
        SCOREP_EVENT_TRIGGER_PARAMETER_INT64: SCOREP_Substrates_TriggerParameterInt64Cb(value);
    /// Records a parameter of the current call.
    parameter_u64(parameter: Parameter, value: u64) =
        SCOREP_EVENT_TRIGGER_PARAMETER_UINT64: SCOREP_Substrates_TriggerParameterUint64Cb(value);
    /// Records a parameter of the current call.
    parameter_string(parameter: Parameter, value: Text) =
        SCOREP_EVENT_TRIGGER_PARAMETER_STRING: SCOREP_Substrates_TriggerParameterStringCb(value.0);
    /// Records a value of a counter.
    counter_i64(counter: Counter, value: i64) =
        SCOREP_EVENT_TRIGGER_COUNTER_INT64: SCOREP_Substrates_TriggerCounterInt64Cb(value);
    /// Records a value of a counter.
    counter_u64(counter: Counter, value: u64) =
        SCOREP_EVENT_TRIGGER_COUNTER_UINT64: SCOREP_Substrates_TriggerCounterUint64Cb(value);
    /// Records a value of a counter.
    counter_f64(counter: Counter, value: f64) =
        SCOREP_EVENT_TRIGGER_COUNTER_DOUBLE: SCOREP_Substrates_TriggerCounterDoubleCb(value);
}

impl Here {
    /// Returns the current time in ticks of the measurement's clock.
    #[inline]
    pub fn now(&self) -> u64 {
        self.host.clock.now()
    }

    /// Speaks for the thread of a location that is inside the runtime, or that does not record any
    /// more.
    pub(crate) fn of(host: &'static Host, location: &'static Location) -> ManuallyDrop<Self> {
        ManuallyDrop::new(Self { host, location, thread: PhantomData })
    }

    /// Returns the measurement and the location, for events of other modules.
    #[inline]
    pub(crate) fn parts(&self) -> (&'static Host, &'static Location) {
        (self.host, self.location)
    }

    /// Returns the time of the last event of this location.
    #[inline]
    pub(crate) fn last_time(&self) -> u64 {
        self.location.last_time.load(Relaxed)
    }

    /// Returns the number of the location in the process.
    pub fn location(&self) -> u32 {
        self.location.id
    }

    /// Records the creation of a thread. The result must be passed to [`thread_begin`].
    pub fn thread_create(&self) -> Creation {
        let sequence = self.host.creations.fetch_add(1, Relaxed) + 1;
        let (team, now) = (life::threads::team(self.host), self.now());
        call!(
            self.host.table(),
            SCOREP_EVENT_THREAD_CREATE_WAIT_CREATE: SCOREP_Substrates_ThreadCreateWaitCreateCb,
            self.location.address(), now, SCOREP_PARADIGM_PTHREAD, team, sequence
        );
        Creation { parent: self.location.id, sequence }
    }

    /// Records that the end of a thread was waited for.
    pub fn thread_wait(&self, creation: Creation) {
        let (team, now) = (life::threads::team(self.host), self.now());
        call!(
            self.host.table(),
            SCOREP_EVENT_THREAD_CREATE_WAIT_WAIT: SCOREP_Substrates_ThreadCreateWaitWaitCb,
            self.location.address(), now, SCOREP_PARADIGM_PTHREAD, team, creation.sequence
        );
    }

    /// Records the `order`-th acquisition of a lock (POSIX threads).
    pub fn lock_acquired(&self, lock: u32, order: u32) {
        let (paradigm, now) = (SCOREP_PARADIGM_PTHREAD, self.now());
        call!(
            self.host.table(),
            SCOREP_EVENT_THREAD_ACQUIRE_LOCK: SCOREP_Substrates_ThreadAcquireLockCb,
            self.location.address(), now, paradigm, lock, order
        );
    }

    /// Records the release of a lock after its `order`-th acquisition.
    pub fn lock_released(&self, lock: u32, order: u32) {
        let (paradigm, now) = (SCOREP_PARADIGM_PTHREAD, self.now());
        call!(
            self.host.table(),
            SCOREP_EVENT_THREAD_RELEASE_LOCK: SCOREP_Substrates_ThreadReleaseLockCb,
            self.location.address(), now, paradigm, lock, order
        );
    }

    /// Resumes recording.
    pub fn recording_on(&self) {
        let Some(process) = self.host.process.get().filter(|_| self.may_switch()) else { return };
        self.host.record(true);
        let now = self.now();
        self.read_metrics();
        call!(
            self.host.table(),
            SCOREP_EVENT_ENABLE_RECORDING: SCOREP_Substrates_EnableRecordingCb,
            self.location.address(), now, process.off, self.location.values()
        );
    }

    /// Pauses recording; does nothing while other threads are recorded.
    pub fn recording_off(&self) {
        let Some(process) = self.host.process.get().filter(|_| self.may_switch()) else { return };
        let now = self.now();
        self.read_metrics();
        call!(
            self.host.table(),
            SCOREP_EVENT_DISABLE_RECORDING: SCOREP_Substrates_DisableRecordingCb,
            self.location.address(), now, process.off, self.location.values()
        );
        self.host.record(false);
    }

    /// Marks the place of missing events as a pause of the recording.
    fn mark_missed(&self, missed: u64) {
        let Some(process) = self.host.process.get().filter(|_| missed > 0) else { return };
        self.host.missed.fetch_add(missed, Relaxed);
        let (last, now) = (self.location.last_time.load(Relaxed), self.now());
        self.read_metrics();
        call!(
            self.host.table(),
            SCOREP_EVENT_DISABLE_RECORDING: SCOREP_Substrates_DisableRecordingCb,
            self.location.address(), last, process.off, self.location.values()
        );
        call!(
            self.host.table(),
            SCOREP_EVENT_ENABLE_RECORDING: SCOREP_Substrates_EnableRecordingCb,
            self.location.address(), now, process.off, self.location.values()
        );
    }

    fn may_switch(&self) -> bool {
        self.host.active.load(Relaxed) <= 1
    }

    /// Reads the metrics that belong to every enter and leave.
    #[inline]
    pub(crate) fn read_metrics(&self) {
        if self.location.has_metrics {
            life::metrics::read(self.host, self.location);
        }
    }
}
