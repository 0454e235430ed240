//! Functions whose calls are too short to be worth their events (`KYMO_RECORD_MIN_DURATION`).
//!
//! Each function has a gauge. After every [`WINDOW`] calls the mean of their durations decides whether the function is left out from then
//! on, for good and in all threads. Invariants: a call that was entered is left, since each location counts the calls that it left out and
//! that have not returned, and those are the inner ones; calls are counted exactly; events cost no lock, no allocation and no system call.

use core::ptr;
use core::slice;
use core::sync::atomic::{
    AtomicBool, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize,
    Ordering::{Acquire, Relaxed, Release},
};

use kymo_substrate::bindings::SCOREP_PARAMETER_UINT64;

use crate::host::Host;
use crate::locations::Location;
use crate::measurement::{self, Parameter, Region};
use crate::memory::{Zeroed, zeroed};

/// Calls that decide.
const WINDOW: u64 = 1000;
/// Most functions that have a gauge. Those that come later are recorded.
const ROOM: usize = 1 << 18;
/// What stands before the name of a function in the parameter that says how many calls were left out. As in `kymo record`.
const LEFT_OUT: &str = "KYMO::LEFT_OUT ";

/// The calls of a function.
#[derive(Debug)]
pub(crate) struct Gauge {
    region: AtomicU32,
    is_left_out: AtomicBool,
    /// Calls that were recorded.
    calls: AtomicU64,
    /// Durations of those since the last decision.
    ticks: AtomicU64,
    /// Calls that were left out in threads that have ended.
    left_out: AtomicU64,
}

// SAFETY: atomics are integers.
unsafe impl Zeroed for Gauge {}

/// Shortest mean, in ticks; 0 if functions of any duration are recorded.
static LIMIT: AtomicU64 = AtomicU64::new(0);
/// [`ROOM`] of them, or null.
static GAUGES: AtomicPtr<Gauge> = AtomicPtr::new(ptr::null_mut());
/// Functions that have one.
static COUNT: AtomicUsize = AtomicUsize::new(0);

/// Before the first event of a process.
pub(crate) fn begin(host: &Host) {
    let Some(nanoseconds) = host.settings.min_duration else { return };
    let ticks = u128::from(nanoseconds) * u128::from(host.clock.resolution()) / 1_000_000_000;
    if GAUGES.load(Relaxed).is_null() {
        let Some(gauges) = zeroed::<Gauge>(ROOM) else { return };
        GAUGES.store(gauges.as_mut_ptr(), Release);
    }
    // In a forked child: what was counted is the parent's.
    gauges().iter().for_each(|gauge| gauge.left_out.store(0, Relaxed));
    LIMIT.store(u64::try_from(ticks).unwrap_or(u64::MAX).max(1), Relaxed);
}

/// Those of functions that were seen.
fn gauges() -> &'static [Gauge] {
    let gauges = GAUGES.load(Acquire);
    if gauges.is_null() {
        return &[];
    }
    // SAFETY: the memory has room for that number, is never given back, and is changed atomically alone.
    unsafe { slice::from_raw_parts(gauges, COUNT.load(Acquire).min(ROOM)) }
}

/// The number of the gauge of a function that is defined now, from 1; 0 if it has none.
pub(crate) fn define(region: Region) -> u64 {
    if LIMIT.load(Relaxed) == 0 || COUNT.load(Relaxed) >= ROOM {
        return 0;
    }
    // One thread at a time defines functions.
    let number = COUNT.fetch_add(1, Release);
    if let Some(gauge) = gauges().get(number) {
        gauge.region.store(region.0, Relaxed);
    }
    number as u64 + 1
}

/// The gauge of this number.
#[inline]
pub(crate) fn gauge(number: u64) -> Option<&'static Gauge> {
    gauges().get(usize::try_from(number).ok()?.checked_sub(1)?)
}

impl Gauge {
    /// Takes a call in that was recorded.
    #[inline]
    pub(crate) fn add(&self, ticks: u64) {
        self.ticks.fetch_add(ticks, Relaxed);
        let calls = self.calls.fetch_add(1, Relaxed) + 1;
        if calls.is_multiple_of(WINDOW) {
            let ticks = self.ticks.swap(0, Relaxed);
            if ticks < LIMIT.load(Relaxed).saturating_mul(WINDOW) {
                self.is_left_out.store(true, Relaxed);
            }
        }
    }

    #[inline]
    pub(crate) fn is_left_out(&self) -> bool {
        self.is_left_out.load(Relaxed)
    }
}

/// Calls that were left out above, those of them that have not returned below.
const CALL: u64 = 1 << 24;
const OPEN: u64 = 1;

/// The calls that a location leaves out, by the numbers of the gauges.
#[derive(Debug)]
pub(crate) struct LeftOut(AtomicPtr<AtomicU64>);

const SIZE: usize = ROOM * size_of::<AtomicU64>();

impl LeftOut {
    /// Without room where everything is recorded.
    pub(crate) fn new(has_room: bool) -> Self {
        let calls = if has_room { map() } else { ptr::null_mut() };
        Self(AtomicPtr::new(calls))
    }

    fn of(&self, number: u64) -> Option<&AtomicU64> {
        let (calls, number) = (self.0.load(Relaxed), usize::try_from(number).ok()?.checked_sub(1)?);
        if calls.is_null() || number >= ROOM {
            return None;
        }
        // SAFETY: inside the mapping, which stays until the location's thread has ended.
        Some(unsafe { &*calls.add(number) })
    }

    /// Counts a call that is left out; false if there is no room for that.
    #[inline]
    pub(crate) fn enter(&self, number: u64, is_counted: bool) -> bool {
        let Some(calls) = self.of(number) else { return false };
        // A signal handler may call the same function in between.
        calls.fetch_add(if is_counted { CALL + OPEN } else { OPEN }, Relaxed);
        true
    }

    /// Whether the call that returns was left out: the innermost ones were.
    #[inline]
    pub(crate) fn leave(&self, number: u64) -> bool {
        let Some(calls) = self.of(number).filter(|calls| calls.load(Relaxed) % CALL != 0) else {
            return false;
        };
        calls.fetch_sub(OPEN, Relaxed);
        true
    }

    /// Adds what was counted to the gauges. Once, when the location has no more events.
    pub(crate) fn settle(&self) {
        for (number, gauge) in (1..).zip(gauges()) {
            let calls = self.of(number).map_or(0, |calls| calls.load(Relaxed) / CALL);
            if calls > 0 {
                gauge.left_out.fetch_add(calls, Relaxed);
            }
        }
    }

    /// Gives its memory back, once and for all. Only for the location's thread.
    pub(crate) fn release(&self) {
        let calls = self.0.swap(ptr::null_mut(), Relaxed);
        if !calls.is_null() {
            // SAFETY: the mapping of `new`, which nobody looks at any more.
            unsafe { libc::munmap(calls.cast(), SIZE) };
        }
    }
}

/// Zeros; null if there is no memory.
fn map() -> *mut AtomicU64 {
    let (access, kind) =
        (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE);
    // SAFETY: a fresh mapping wherever the system likes, zeroed, aligned for words.
    let start = unsafe { libc::mmap(ptr::null_mut(), SIZE, access, kind, -1, 0) };
    if start == libc::MAP_FAILED { ptr::null_mut() } else { start.cast() }
}

/// Records at the end how many calls of which functions were left out, on the main location; the time after that.
pub(crate) fn tell(host: &'static Host, main: &'static Location, now: u64) -> u64 {
    for gauge in gauges() {
        let calls = gauge.left_out.load(Relaxed);
        if calls > 0 {
            let name = host.definitions.region_name(gauge.region.load(Relaxed));
            let name = [LEFT_OUT.as_bytes(), &name].concat();
            let parameter = host.definitions.parameter(&name, SCOREP_PARAMETER_UINT64);
            measurement::record_parameter(host, main, Parameter(parameter), calls);
        }
    }
    if gauges().is_empty() { now } else { host.clock.now() }
}
