//! Samples: where the threads of a program spend their CPU time, without any instrumentation.
//!
//! A source of the kernel interrupts each recorded thread after a period of its CPU time
//! ([`source`]). The handler walks the stack ([`unwinding`], with the files of [`modules`]), finds
//! or defines its calling contexts ([`contexts`]), and records the sample. The names of functions
//! are looked up after the program has ended, by `kymo record`.
//!
//! Invariants: a handler that interrupted the runtime records nothing; nothing that a handler does
//! needs the program's allocator or the loader; the samples of a location are recorded before its
//! next event, in the order of their times.

mod claim;
mod code_file;
mod context_table;
mod contexts;
mod events;
mod generated_code;
mod generators;
mod handler;
mod last_walk;
mod layout;
mod modules;
mod python;
mod sampler;
mod source;
mod unwinding;
mod walked_frames;

use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::Ordering::{Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64};

use kymo_symbols::is_go;

use crate::adapter::{Adapter, EnterContext};
use crate::clock::Clock;
use crate::current;
use crate::events::call;
use crate::host::Host;
use crate::life::metrics;
use crate::loaded;
use crate::locations::Location;
use crate::message::report;
use crate::next::keeping_errno;
use crate::processes::{ForkHold, is_first};
use crate::program;
use crate::settings::{FREQUENCY, Settings};
use crate::slots::Key;
use crate::switch::Switch;
use crate::thread;

use self::generators::UNITS;
use self::sampler::{Sample, Sampler};
use self::source::SourceKind;

/// The adapter of samples.
#[derive(Debug)]
pub(crate) struct Sampling;

/// The name by which settings choose it.
const NAME: &str = "sampling";

impl Adapter for Sampling {
    fn name(&self) -> &'static str {
        NAME
    }

    fn prepare(&self, settings: &Settings) -> bool {
        prepare(settings)
    }

    fn awaited(&self) {
        awaited();
    }

    fn first_time(&self) -> Option<u64> {
        OF_THREAD.of_thread()?.first_time()
    }

    // A process, or an ancestor, was forked while a library was being unloaded.
    fn is_loader_broken(&self) -> bool {
        IS_BROKEN.load(Relaxed)
    }

    fn define(&self) {
        define();
    }

    fn properties(&self, _: &Host) -> Vec<(&'static str, String)> {
        let lost = Some(LOST.load(Relaxed)).filter(|lost| *lost > 0);
        lost.map(|lost| ("samples without a calling context", lost.to_string())).into_iter().collect()
    }

    fn begun(&self) {
        begun();
    }

    fn thread_begun(&self, location: &'static Location) {
        thread_begins(Some(location));
    }

    fn location_abandoned(&self, host: &'static Host, location: &'static Location) {
        detach(host, location);
    }

    fn thread_ending(&self) {
        thread_ends();
    }

    fn location_ended(&self, host: &Host, location: &Location) {
        close(host, location);
    }

    fn pooled_thread_ended(&self) {
        pooled_thread_ends();
    }

    fn record_pending(&self, host: &'static Host, location: &'static Location) {
        record(host, location);
    }

    fn context_entry(&self) -> Option<EnterContext> {
        Some(events::enter)
    }

    fn ended(&self) {
        ended();
    }

    fn hold(&self) {
        generated_code::note_before_fork();
        HELD.with(|held| held.keep(hold()));
    }

    // A context is defined while locks of other adapters are held.
    fn lock_level(&self) -> u8 {
        1
    }

    fn release(&self) {
        drop(HELD.with(ForkHold::take));
    }

    fn child_begun(&self, is_awaited: bool) {
        forget(is_awaited);
    }

    fn is_awaiting(&self) -> bool {
        is_awaiting()
    }

    // The signal of a sample would end the next program before it has a handler.
    fn executing(&self) {
        if is_awaiting() {
            ended();
        }
    }

    fn unloading(&self) {
        modules::unloading();
    }

    fn unloaded(&self, _: bool) {
        modules::unloaded();
    }
}

thread_local! {
    static HELD: ForkHold<modules::Loaded> = const { ForkHold::new() };
}

/// The file of this program.
const PROGRAM: &str = "/proc/self/exe";
/// The sampler of a thread, and that of the thread that has a location.
static OF_THREAD: Key<Sampler> = Key::new();
static OF_LOCATION: Key<Sampler> = Key::new();
/// On while threads are sampled.
static SWITCH: Switch = Switch::new();
static IS_BROKEN: AtomicBool = AtomicBool::new(false);
/// The number of samples of the measurement that could not be recorded, most of them inside the
/// runtime.
static LOST: AtomicU64 = AtomicU64::new(0);
/// The process whose threads are sampled.
static PROCESS: AtomicU32 = AtomicU32::new(0);
/// The kind of source that interrupts threads, as the system allows it.
static KIND: OnceLock<Option<SourceKind>> = OnceLock::new();
/// The clock of samples that are taken before the measurement begins.
static CLOCK: OnceLock<Clock> = OnceLock::new();
/// The processor time that begins the measurement of a process which waits for its first event, in
/// units of [`generators`].
static LEAST: AtomicU64 = AtomicU64::new(1);

/// The CPU time, in nanoseconds, from which on a process that another one started is recorded by
/// default, if it has no other events. Recording a process takes some milliseconds, which would
/// slow down a script that starts many short ones.
const SHORT: u64 = 100_000_000;

fn prepare(settings: &Settings) -> bool {
    let is_chosen = match settings.sampling {
        Some(frequency) => prepare_requested(frequency),
        None => settings.with.is_none() && prepare_by_default(),
    };
    if is_chosen {
        CLOCK.get_or_init(|| Clock::of(settings));
        events::prepare(settings);
    }
    is_chosen
}

fn prepare_requested(frequency: u32) -> bool {
    if is_go(Path::new(PROGRAM)) {
        report(format_args!(
            "no samples are taken of {}: it is written in Go, whose stacks have no room for them",
            program::executable().display()
        ));
        return false;
    }
    let kind = KIND.get_or_init(|| SourceKind::possible(frequency));
    if kind.is_none() {
        report(format_args!(
            "no samples are taken: the system refuses both perf events and timers of CPU time"
        ));
    }
    kind.is_some()
}

/// If nothing in particular is asked for, a program without instrumented functions is sampled, so
/// that its recording shows where its time goes.
fn prepare_by_default() -> bool {
    static IS_SUITABLE: OnceLock<bool> = OnceLock::new();
    let is_suitable = || !loaded::is_imported(c"__cyg_profile_func_enter") && !is_go(Path::new(PROGRAM));
    if !*IS_SUITABLE.get_or_init(is_suitable) {
        return false;
    }
    let kind =
        *KIND.get_or_init(|| SourceKind::possible(FREQUENCY).filter(|kind| !kind.may_interrupt_calls()));
    // One process is enough to say so.
    if kind.is_none() && is_first() && program::launch_rank().unwrap_or(0) == 0 {
        let why = match source::has_room_for_signals() {
            true => "the system refuses perf events",
            false => "the limit of queued signals is too low for perf events (ulimit -i)",
        };
        report(format_args!(
            "no samples are taken: {why}; with --with sampling a timer takes their place, which can make \
             system calls of the program return EINTR"
        ));
    }
    if let Some(kind) = kind {
        LEAST.store(SHORT * u64::from(UNITS) / kind.period(), Relaxed);
    }
    kind.is_some()
}

/// Returns the processor time that begins the measurement.
fn least() -> u64 {
    LEAST.load(Relaxed)
}

/// Returns the time of a sample that is taken before the measurement begins.
fn now() -> Option<u64> {
    CLOCK.get().map(Clock::now)
}

fn define() {
    LOST.store(0, Relaxed);
    let (Some(kind), Some(host)) = (kind(), crate::host::host()) else { return };
    generators::define(&host.definitions, kind);
}

fn kind() -> Option<SourceKind> {
    *KIND.get()?
}

/// Samples the main thread of a program whose measurement waits for its first event: enough samples
/// begin it, too.
fn awaited() {
    start();
    keeping_errno(|| thread_begins(None));
}

fn begun() {
    start();
    keeping_errno(|| thread_begins(current::location()));
}

/// Prepares the process for samples.
fn start() {
    PROCESS.store(std::process::id(), Relaxed);
    context_table::prepare();
    python::prepare();
    generated_code::note_process(CLOCK.get());
    modules::read_loaded();
    if handler::install() {
        SWITCH.turn_on();
    }
}

/// Returns whether this process is sampled, and not only borrows the memory of one that is.
fn is_awaiting() -> bool {
    SWITCH.is_on() && PROCESS.load(Relaxed) == std::process::id()
}

/// Stops all sources. The handler stays, since a signal may still be on its way.
fn ended() {
    SWITCH.turn_off();
    Sampler::all().for_each(|sampler| sampler.source.close());
    handler::discard_pending();
}

/// Begins to sample the calling thread, which is inside the runtime, or has no location yet.
fn thread_begins(location: Option<&Location>) {
    let Some(kind) = kind().filter(|_| SWITCH.is_on()) else { return };
    let sampler = OF_THREAD.of_thread().or_else(|| {
        let sampler = Sampler::claim()?;
        OF_THREAD.set_of_thread(Some(sampler));
        sampler.source.open(kind);
        Some(sampler)
    });
    if let (Some(location), Some(sampler)) = (location, sampler) {
        location.slots.set(&OF_LOCATION, Some(sampler));
        location.has_contexts.store(true, Release);
        location.has_pending.store(sampler.waiting() > 0, Relaxed);
    }
}

/// Ends the sampling of the calling thread, before its last events.
fn thread_ends() {
    if let Some(sampler) = OF_THREAD.of_thread() {
        OF_THREAD.set_of_thread(None);
        sampler.source.close();
    }
}

/// Records the samples that wait for a location. The thread must be inside, or the measurement must
/// be ending.
#[cold]
fn record(host: &'static Host, location: &'static Location) {
    let Some(sampler) = location.sampler() else { return };
    // In a handler that interrupted a definition, nothing can be defined.
    let are_recorded = !thread::is_defining()
        && thread::with_separate_memory(|| sampler.take(|it| record_one(host, location, sampler, it)));
    location.has_pending.store(!are_recorded, Relaxed);
    LOST.fetch_add(sampler.take_lost(), Relaxed);
}

/// Records a sample. Returns false, and records nothing, if its context cannot be defined now.
fn record_one(
    host: &'static Host,
    location: &'static Location,
    sampler: &Sampler,
    sample: Sample<'_>,
) -> bool {
    let Sample { time, units, stack, values, path } = sample;
    let place = contexts::follow(host, path, stack, false);
    if thread::take_refusal() {
        path.forget();
        return false;
    }
    let generator = kind().map_or(0, |kind| generators::handle(&host.definitions, kind, units));
    if thread::take_refusal() {
        return false;
    }
    let previous = sampler.set_leaf(place.context);
    let time = time.max(location.last_time.load(Relaxed));
    location.last_time.store(time, Relaxed);
    // The plugins ask for the values during the event.
    let values = metrics::put(host, location, values);
    call!(
        host.table(),
        SCOREP_EVENT_SAMPLE: SCOREP_Substrates_SampleCb,
        location.address(), time, place.context, previous, place.distance(stack.base), generator, values
    );
    true
}

/// Records that a location has no calling context any more, and gives its sampler back.
fn close(host: &Host, location: &Location) {
    let Some(sampler) = location.sampler() else { return };
    let (now, previous) = (host.clock.now(), sampler.leaf());
    if previous != 0 {
        call!(
            host.table(),
            SCOREP_EVENT_SAMPLE: SCOREP_Substrates_SampleCb,
            location.address(), now, 0, previous, 1, 0, std::ptr::null_mut()
        );
    }
    LOST.fetch_add(sampler.take_lost(), Relaxed);
    take_from(location);
    sampler.release();
}

/// Lets a location have no sampler any more.
fn take_from(location: &Location) {
    location.has_contexts.store(false, Release);
    location.slots.set(&OF_LOCATION, None);
}

/// Ends the samples of a location whose thread continues without one, or is sampled for another.
/// The thread is outside of the runtime, or calls this.
fn detach(host: &'static Host, location: &'static Location) {
    let Some(sampler) = location.sampler() else { return };
    record(host, location);
    let previous = sampler.leaf();
    if previous != 0 {
        let time = location.last_time.load(Relaxed);
        call!(
            host.table(),
            SCOREP_EVENT_SAMPLE: SCOREP_Substrates_SampleCb,
            location.address(), time, 0, previous, 1, 0, std::ptr::null_mut()
        );
    }
    LOST.fetch_add(sampler.take_lost(), Relaxed);
    sampler.forget_path();
    take_from(location);
}

/// Ends the sampling of a thread that has no location of its own, which is about to end.
fn pooled_thread_ends() {
    if let Some(host) = crate::host::host()
        && let Some(location) = current::location()
        && location.enter_runtime()
    {
        detach(host, location);
        location.leave_runtime();
    }
    if let Some(sampler) = OF_THREAD.of_thread() {
        thread_ends();
        sampler.release();
    }
}

/// Keeps libraries from being unloaded while the process forks.
fn hold() -> modules::Loaded {
    modules::Loaded::keep()
}

/// Forgets the threads of the parent in a forked child, and samples the one that is left if the
/// child's measurement waits for its first event.
fn forget(is_awaited: bool) {
    OF_THREAD.set_of_thread(None);
    let is_broken = modules::forget_threads();
    IS_BROKEN.fetch_or(is_broken, Relaxed);
    Sampler::all().for_each(Sampler::forget);
    if is_awaited {
        generated_code::note_fork(CLOCK.get());
    }
    if SWITCH.is_on() && is_awaited {
        PROCESS.store(std::process::id(), Relaxed);
        thread_begins(None);
    }
}

/// Stops taking samples, because the program uses the signal itself.
fn give_way() {
    if SWITCH.is_on() {
        ended();
        report(format_args!(
            "no more samples are taken: the program uses signal {}, which they need",
            handler::signal()
        ));
    }
}

impl Location {
    /// Returns the sampler of the location's thread.
    fn sampler(&self) -> Option<&'static Sampler> {
        self.slots.get(&OF_LOCATION)
    }
}
