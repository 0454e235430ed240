//! Waiting: calls in which a thread sleeps, or waits for another thread, another process, a device
//! or the network, if they take longer than a threshold.
//!
//! A call is recorded when it has returned, with the time at which it began: a short one costs two
//! readings of the clock. The functions that other kinds of instrumentation record, too, call
//! [`around`] where theirs is not chosen. Invariants: a sample in a call is in its region, which is
//! entered before; other events in a call, of a handler of the program or of a call inside of it,
//! are before the recorded call, which begins after them; the caller holds no value with a
//! destructor around the call, since a jump or a cancellation may end it.

mod calls;
mod functions;
mod open_call;
mod wakers;

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::adapter::Adapter;
use crate::current;
use crate::filtering;
use crate::host::{Host, host};
use crate::life::metrics;
use crate::locations::Location;
use crate::measurement::{self, Caller, Here, LazyRegion, Region, regions};
use crate::next::keeping_errno;
use crate::settings::Settings;
use crate::switch::{Switch, is_chosen};
use crate::thread;
use crate::walk_start::Registers;

pub(super) use self::functions::{ACCEPT, ACCEPT4, FUTEX, RECVMSG};
use self::open_call::OpenCall;

/// The adapter of calls that wait.
#[derive(Debug)]
pub(crate) struct Waiting;

/// The name by which settings choose it.
const NAME: &str = "waiting";

impl Adapter for Waiting {
    fn name(&self) -> &'static str {
        NAME
    }

    fn prepare(&self, settings: &Settings) -> bool {
        let is_chosen = are_chosen(settings);
        if is_chosen {
            filtering::read(settings);
        }
        is_chosen
    }

    fn begun(&self) {
        let Some(host) = host() else { return };
        let nanoseconds = host.settings.min_wait.unwrap_or(MIN_WAIT);
        let ticks = u128::from(nanoseconds) * u128::from(host.clock.resolution()) / 1_000_000_000;
        LEAST.store(u64::try_from(ticks).unwrap_or(u64::MAX), Relaxed);
        SWITCH.turn_on();
    }

    fn ended(&self) {
        SWITCH.turn_off();
    }

    fn location_created(&self, _: &'static Host, location: &'static Location) {
        OpenCall::provide(location);
    }

    fn close(&self, host: &'static Host, location: &'static Location, now: u64) {
        let Some(open) = OpenCall::of(location) else { return };
        if let Some((region, begin)) = open.waiting(location) {
            record_open(host, location, region, begin, now);
        }
        open.end();
        open.give_back_stack();
    }

    fn sampling(&self, host: &'static Host, location: &'static Location, now: u64, must_wait: bool) -> u64 {
        enter_open(host, location, now, must_wait)
    }
}

/// Returns whether the settings choose calls that wait.
pub(super) fn are_chosen(settings: &Settings) -> bool {
    is_chosen(settings, NAME)
}

/// The shortest call that is recorded if no other time is given, in nanoseconds: many times the
/// cost of recording one.
const MIN_WAIT: u64 = 50_000;

pub(super) static SWITCH: Switch = Switch::new();
/// The shortest call that is recorded, in ticks.
static LEAST: AtomicU64 = AtomicU64::new(u64::MAX);

/// Calls a function that may wait, and records the call if it took long.
#[inline(always)]
pub(super) fn around<R: Copy>(region: &'static LazyRegion, call: impl FnOnce() -> R) -> R {
    around_events(region, call, |_, _| {})
}

/// Like [`around`]; `after` records the events that follow the call in its region. If the call is
/// not recorded, it has no [`Here`].
#[inline(always)]
pub(super) fn around_events<R: Copy>(
    region: &'static LazyRegion,
    call: impl FnOnce() -> R,
    after: impl FnOnce(Option<&Here>, R),
) -> R {
    let Some(begun) = BegunCall::now(region) else {
        let result = call();
        after(None, result);
        return result;
    };
    run(begun, call, after)
}

/// Calls the function of a call that has begun.
#[inline(always)]
fn run<R: Copy>(begun: BegunCall, call: impl FnOnce() -> R, after: impl FnOnce(Option<&Here>, R)) -> R {
    if begun.location.has_metrics {
        return with_metrics(begun, call, after);
    }
    let result = call();
    match begun.ends_late() {
        Some(end) => begun.record(end, None, |here| after(here, result)),
        None => after(None, result),
    }
    result
}

/// Like [`run`], on a location whose enters have metrics: those of the begin of the call
/// are read then.
#[inline(never)]
fn with_metrics<R: Copy>(
    begun: BegunCall,
    call: impl FnOnce() -> R,
    after: impl FnOnce(Option<&Here>, R),
) -> R {
    let mut values = [0; metrics::MOST];
    keeping_errno(|| {
        if let Some(_here) = measurement::here() {
            values = metrics::read_in_handler(begun.host, begun.location, true);
        }
    });
    let result = call();
    match begun.ends_late() {
        Some(end) => {
            let values = values.get(..begun.location.metrics.len());
            begun.record(end, values, |here| after(here, result));
        }
        None => after(None, result),
    }
    result
}

/// A call in progress, which may turn out to be long.
#[derive(Debug, Clone, Copy)]
struct BegunCall {
    host: &'static Host,
    location: &'static Location,
    region: &'static LazyRegion,
    open: &'static OpenCall,
    /// The call is not inside of another one, so that it is stored there.
    is_stored: bool,
    /// The call may wake threads that have waited long: it is recorded however short it is.
    wakes: bool,
    begin: u64,
    registers: Registers,
}

impl BegunCall {
    /// Returns `None` if the thread is not recorded, or acts for the runtime or for a library of
    /// its own.
    #[inline(always)]
    fn now(region: &'static LazyRegion) -> Option<Self> {
        let acts_for_another =
            || thread::is_in_library() || thread::is_in_pool() || thread::is_stranger() || thread::is_busy();
        if !SWITCH.is_on() || acts_for_another() {
            return None;
        }
        let location = current::location().filter(|location| !location.is_inside())?;
        let (host, open) = (host()?, OpenCall::of(location)?);
        let (begin, registers) = (host.clock.now(), Registers::here());
        let is_stored = open.begin(location, region, begin, registers);
        Some(Self { host, location, region, open, is_stored, wakes: false, begin, registers })
    }

    /// Ends the call, unless it is to be recorded: then returns the time.
    #[inline(always)]
    fn ends_late(&self) -> Option<u64> {
        let end = self.host.clock.now();
        if self.wakes || is_long(self.begin, end) { Some(end) } else { self.end().map(|_| end) }
    }

    /// Ends the call. Returns its number if its region has been entered.
    #[inline(always)]
    fn end(&self) -> Option<usize> {
        if self.is_stored { self.open.end() } else { None }
    }

    /// Records the call, unless too little of it is left after the last event.
    #[cold]
    #[inline(never)]
    fn record(self, end: u64, values: Option<&[u64]>, after: impl FnOnce(Option<&Here>)) {
        keeping_errno(|| {
            thread::with_separate_memory(|| {
                // On the program's stack: handlers find the place in the runtime by that.
                let here = measurement::here();
                // From here on no sample is recorded, so that none is between the call and this.
                let entered = self.end();
                let is_left = |here: &Here| self.wakes || is_long(self.begin.max(here.last_time()), end);
                match here.as_ref().filter(|here| entered.is_some() || is_left(here)) {
                    Some(here) => self.open.stack().run_undisturbed(|| {
                        measurement::catching_panics(|| self.record_here(here, end, entered, values, after));
                    }),
                    None => after(None),
                }
            });
        });
    }

    fn record_here(
        &self,
        here: &Here,
        end: u64,
        entered: Option<usize>,
        values: Option<&[u64]>,
        after: impl FnOnce(Option<&Here>),
    ) {
        let region = self.region.define();
        if entered.is_none() {
            let begin = self.begin.max(here.last_time());
            if let Some(values) = values {
                metrics::put(self.host, self.location, values);
            }
            self.registers.as_start(|| {
                regions::enter_measured(self.host, self.location, Caller::Function, region, begin);
            });
        }
        after(Some(here));
        here.leave_at(region, end.max(here.last_time()));
        if let Some(number) = entered {
            here.end_call(number);
        }
    }
}

/// Enters the region of a call that has taken long so far, before a sample in it. Else the sample
/// would be the last event, after which the call would seem to begin: samples often arrive when a
/// thread wakes up. Returns the time of the sample: if the region cannot be entered now, the begin
/// of the call.
#[cold]
fn enter_open(host: &'static Host, location: &'static Location, now: u64, must_wait: bool) -> u64 {
    let Some(open) = OpenCall::of(location) else { return now };
    let Some((region, begin)) = open.waiting(location) else { return now };
    let begin = begin.max(location.last_time.load(Relaxed));
    if must_wait || !is_long(begin, now) {
        return begin;
    }
    let region = region.define();
    // In a handler not everything can be defined.
    if thread::take_refusal() || region == Region::default() {
        return begin;
    }
    let registers = open.registers();
    let depth = location.regions.depth();
    let is_entered = registers.as_start(|| regions::try_enter_measured(host, location, region, begin));
    if !is_entered {
        thread::take_refusal();
        return begin;
    }
    open.set_entered(location.calls.begin_at(registers.stack as usize, depth));
    now
}

fn is_long(begin: u64, end: u64) -> bool {
    end.saturating_sub(begin) >= LEAST.load(Relaxed)
}

/// Records a call from which its thread has not returned when its location ends.
#[cold]
fn record_open(
    host: &'static Host,
    location: &'static Location,
    region: &'static LazyRegion,
    begin: u64,
    now: u64,
) {
    let begin = begin.max(location.last_time.load(Relaxed));
    if is_long(begin, now) {
        let region = region.define();
        regions::enter_measured(host, location, Caller::Unknown, region, begin);
        // It is left with all that is open.
    }
}
