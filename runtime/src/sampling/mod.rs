//! Samples: where the threads of a program spend their CPU time, without any instrumentation.
//!
//! A source of the kernel interrupts each recorded thread after a period of its CPU time
//! ([`source`]). The handler only walks the stack ([`modules`]) and stores what it finds
//! ([`sampler`]). The thread's next event, its end, or a handler that interrupted nothing but the
//! program's own code turns that into calling contexts and samples ([`contexts`]).
//!
//! Invariants: a handler that interrupted the runtime records nothing; what may allocate or look up
//! names never runs while the thread is inside a library with an allocator; the samples of a
//! location are recorded before its next event, in the order of their times.

mod claim;
mod contexts;
mod handler;
mod modules;
mod sampler;
mod source;

use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicU32};

use kymo_symbols::is_go;

use crate::adapter::Adapter;
use crate::events::call;
use crate::host::Host;
use crate::locations::Location;
use crate::message::report;
use crate::next::keeping_errno;
use crate::settings::Settings;
use crate::switch::Switch;
use crate::thread;

pub(crate) use self::modules::unloading;
pub(crate) use self::sampler::Sampler;
use self::source::Kind;

/// The adapter of this kind of instrumentation.
pub(crate) static ADAPTER: Adapter =
    Adapter { name: "sampling", prepare, define, awaited, begun, ended, ..Adapter::NONE };

/// On while threads are sampled.
static SWITCH: Switch = Switch::new();
/// The interrupt generator of the measurement.
static GENERATOR: AtomicU32 = AtomicU32::new(0);
static IS_BROKEN: AtomicBool = AtomicBool::new(false);
/// The process whose threads are sampled.
static PROCESS: AtomicU32 = AtomicU32::new(0);
/// What interrupts threads, as the system allows it.
static KIND: OnceLock<Option<Kind>> = OnceLock::new();

fn prepare(settings: &Settings) -> bool {
    settings.sampling.is_some_and(|frequency| {
        if is_go(Path::new("/proc/self/exe")) {
            report(format_args!(
                "no samples are taken of {}: it is written in Go, whose stacks have no room for them",
                crate::program::executable().display()
            ));
            return false;
        }
        let kind = KIND.get_or_init(|| Kind::possible(frequency));
        if kind.is_none() {
            report(format_args!(
                "no samples are taken: the system refuses both perf events and timers of CPU time"
            ));
        }
        kind.is_some()
    })
}

fn define() {
    let (Some(kind), Some(host)) = (kind(), crate::host::host()) else { return };
    let generator = host.definitions.interrupt_generator(kind.name(), -9, kind.period());
    GENERATOR.store(generator, Relaxed);
}

fn kind() -> Option<Kind> {
    *KIND.get()?
}

/// Samples the main thread of a program whose measurement waits for its first event: the first
/// sample begins it.
fn awaited() {
    start();
    keeping_errno(|| thread_begins(None));
}

fn begun() {
    start();
    keeping_errno(|| thread_begins(thread::location()));
}

/// Prepares the process for samples.
fn start() {
    PROCESS.store(std::process::id(), Relaxed);
    modules::update();
    if handler::install() {
        SWITCH.turn_on();
    }
}

/// Returns whether this process is sampled, and not only borrows the memory of one that is.
pub(crate) fn is_awaiting() -> bool {
    SWITCH.is_on() && PROCESS.load(Relaxed) == std::process::id()
}

/// Ends the sampling of a process that executes another program: the signal of a sample would end
/// that program before it has a handler.
pub(crate) fn before_exec() {
    if is_awaiting() {
        ended();
    }
}

/// Stops all sources. The handler stays, since a signal may still be on its way.
fn ended() {
    SWITCH.turn_off();
    Sampler::all().for_each(|sampler| sampler.source.close());
    handler::discard_pending();
}

/// Begins to sample the calling thread, which is inside the runtime, or has no location yet.
pub(crate) fn thread_begins(location: Option<&Location>) {
    let Some(kind) = kind().filter(|_| SWITCH.is_on()) else { return };
    let sampler = thread::sampler().or_else(|| {
        let sampler = Sampler::claim()?;
        thread::set_sampler(Some(sampler));
        sampler.source.open(kind);
        Some(sampler)
    });
    if let (Some(location), Some(sampler)) = (location, sampler) {
        location.sampler.store(std::ptr::from_ref(sampler).cast_mut(), Release);
    }
}

/// Ends the sampling of the calling thread, before its last events.
pub(crate) fn thread_ends() {
    if let Some(sampler) = thread::sampler() {
        thread::set_sampler(None);
        sampler.source.close();
    }
}

/// Records the samples that wait for a location. The thread must be inside, or the measurement must
/// be ending.
#[cold]
pub(crate) fn record(host: &'static Host, location: &'static Location) {
    location.has_samples.store(false, Relaxed);
    let Some(sampler) = location.sampler() else { return };
    let generator = GENERATOR.load(Relaxed);
    modules::update_if_stale();
    sampler.take(|time, frames, path| {
        let previous = path.leaf();
        let depth = contexts::follow(host, path, frames);
        let time = time.max(location.last_time.load(Relaxed));
        location.last_time.store(time, Relaxed);
        call!(
            host.table(),
            SCOREP_EVENT_SAMPLE: SCOREP_Substrates_SampleCb,
            location.address(), time, path.leaf(), previous, depth + 1, generator, std::ptr::null_mut()
        );
    });
    host.unsampled.fetch_add(sampler.take_lost(), Relaxed);
}

/// Records the samples that still wait when a location ends: a handler of the program that
/// interrupted an allocator may have left some.
pub(crate) fn record_rest(host: &'static Host, location: &'static Location) {
    if location.sampler().is_some() {
        record(host, location);
    }
}

/// Records that a location has no calling context any more, and gives its sampler back.
pub(crate) fn close(host: &Host, location: &Location) {
    let Some(sampler) = location.sampler() else { return };
    let (now, previous) = (host.clock.now(), sampler.leaf());
    if previous != 0 {
        call!(
            host.table(),
            SCOREP_EVENT_SAMPLE: SCOREP_Substrates_SampleCb,
            location.address(), now, 0, previous, 1, 0, std::ptr::null_mut()
        );
    }
    host.unsampled.fetch_add(sampler.take_lost(), Relaxed);
    location.sampler.store(std::ptr::null_mut(), Release);
    sampler.release();
}

pub(crate) type Hold = (contexts::Hold, modules::Loaded);

/// Keeps contexts from being defined, and libraries from being unloaded, while the process forks.
pub(crate) fn hold() -> Hold {
    let loaded = modules::Loaded::keep();
    (contexts::hold(), loaded)
}

/// Forgets the threads of the parent in a forked child, and samples the one that is left if the
/// child's measurement waits for its first event.
pub(crate) fn forget(is_awaited: bool) {
    thread::set_sampler(None);
    let is_broken = modules::forget_threads();
    IS_BROKEN.fetch_or(is_broken, Relaxed);
    Sampler::all().for_each(Sampler::forget);
    if SWITCH.is_on() && is_awaited {
        PROCESS.store(std::process::id(), Relaxed);
        thread_begins(None);
    }
}

/// Returns whether this process, or an ancestor, was forked while a library was being unloaded. The
/// loader must not be used then.
pub(crate) fn is_loader_broken() -> bool {
    IS_BROKEN.load(Relaxed)
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
    pub(crate) fn sampler(&self) -> Option<&'static Sampler> {
        // SAFETY: null, or a sampler, which is never freed.
        unsafe { self.sampler.load(Acquire).as_ref() }
    }
}
