//! Leaves out functions whose calls are too short to be worth their events
//! (`KYMO_RECORD_MIN_DURATION`).
//!
//! Each function has a gauge. After every [`WINDOW`] calls the mean of their durations decides
//! whether the function is left out from then on, permanently and in all threads. Invariants: every
//! recorded enter has its leave, since each location counts the calls that it left out and that
//! have not returned, and those are the innermost ones; calls are counted exactly; an event takes
//! no lock, allocates nothing and makes no system call.

use core::ptr;
use core::sync::atomic::{
    AtomicBool, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize,
    Ordering::{Acquire, Relaxed, Release},
};

use once_cell::race::OnceRef;

use crate::mapped::{Zeroed, zeroed};

/// The number of calls after which a decision is made.
const WINDOW: u64 = 1000;
/// The maximum number of functions with a gauge. Further functions are always recorded.
const ROOM: usize = 1 << 18;
/// The statistics of a function's calls.
#[derive(Debug)]
pub(crate) struct Gauge {
    region: AtomicU32,
    is_left_out: AtomicBool,
    /// The number of calls recorded.
    calls: AtomicU64,
    /// The sum of the durations of the calls since the last decision.
    ticks: AtomicU64,
    /// The number of calls left out in threads that have ended.
    left_out: AtomicU64,
}

/// The memory of all gauges.
#[repr(transparent)]
struct Gauges([Gauge; ROOM]);

// SAFETY: atomics are integers.
unsafe impl Zeroed for Gauges {}

/// The shortest mean duration that is recorded, in ticks; 0 if functions of any duration are
/// recorded.
static LIMIT: AtomicU64 = AtomicU64::new(0);
/// The gauges, once there is memory for them.
static GAUGES: OnceRef<'static, Gauges> = OnceRef::new();
/// The number of functions that have a gauge.
static COUNT: AtomicUsize = AtomicUsize::new(0);

/// Prepares the gauges before the first event of a process. Functions of a shorter mean duration
/// are left out.
pub(crate) fn begin(nanoseconds: u64, ticks_per_second: u64) {
    let ticks = u128::from(nanoseconds) * u128::from(ticks_per_second) / 1_000_000_000;
    if GAUGES.get().is_none() {
        let Some([gauges]) = zeroed::<Gauges>(1) else { return };
        // Only the thread that begins the measurement makes them.
        let _ = GAUGES.set(gauges);
    }
    // A forked child inherits counts that belong to its parent.
    gauges().iter().for_each(|gauge| gauge.left_out.store(0, Relaxed));
    LIMIT.store(u64::try_from(ticks).unwrap_or(u64::MAX).max(1), Relaxed);
}

/// Returns the gauges in use.
fn gauges() -> &'static [Gauge] {
    GAUGES.get().and_then(|gauges| gauges.0.get(..COUNT.load(Acquire).min(ROOM))).unwrap_or_default()
}

/// Returns the number of a new gauge for a function that is being defined, counted from 1; 0 if no
/// gauge is available.
pub(crate) fn define(region: u32) -> u64 {
    if LIMIT.load(Relaxed) == 0 || COUNT.load(Relaxed) >= ROOM {
        return 0;
    }
    // Functions are defined by one thread at a time.
    let number = COUNT.fetch_add(1, Release);
    if let Some(gauge) = gauges().get(number) {
        gauge.region.store(region, Relaxed);
    }
    number as u64 + 1
}

/// Returns the gauge with this number.
#[inline]
pub(crate) fn gauge(number: u64) -> Option<&'static Gauge> {
    gauges().get(usize::try_from(number).ok()?.checked_sub(1)?)
}

/// Returns the functions of which calls were left out, and how many, once all locations have
/// [settled](LeftOut::settle).
pub(crate) fn left_out() -> impl Iterator<Item = (u32, u64)> {
    let all = gauges().iter().map(|gauge| (gauge.region.load(Relaxed), gauge.left_out.load(Relaxed)));
    all.filter(|(_, calls)| *calls > 0)
}

impl Gauge {
    /// Counts a call that was recorded.
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

/// The unit of the upper bits of a counter: calls that were left out. The lower bits count those of
/// them that have not returned.
const CALL: u64 = 1 << 24;
const OPEN: u64 = 1;

/// The number of calls that a location left out, for each gauge.
#[derive(Debug)]
pub(crate) struct LeftOut(AtomicPtr<AtomicU64>);

const SIZE: usize = ROOM * size_of::<AtomicU64>();

impl LeftOut {
    /// Creates the counters; without memory where everything is recorded.
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

    /// Counts a call that is left out. Returns false if there is no memory for the counters.
    #[inline]
    pub(crate) fn enter(&self, number: u64, is_counted: bool) -> bool {
        let Some(calls) = self.of(number) else { return false };
        // A signal handler may call the same function in between.
        calls.fetch_add(if is_counted { CALL + OPEN } else { OPEN }, Relaxed);
        true
    }

    /// Returns whether the returning call was left out. The innermost calls are those that were.
    #[inline]
    pub(crate) fn leave(&self, number: u64) -> bool {
        let Some(calls) = self.of(number).filter(|calls| calls.load(Relaxed) % CALL != 0) else {
            return false;
        };
        calls.fetch_sub(OPEN, Relaxed);
        true
    }

    /// Adds the counts to the gauges. Called once, when the location has no more events.
    pub(crate) fn settle(&self) {
        for (number, gauge) in (1..).zip(gauges()) {
            let calls = self.of(number).map_or(0, |calls| calls.load(Relaxed) / CALL);
            if calls > 0 {
                gauge.left_out.fetch_add(calls, Relaxed);
            }
        }
    }

    /// Frees the memory permanently. Only for the location's thread.
    pub(crate) fn release(&self) {
        let calls = self.0.swap(ptr::null_mut(), Relaxed);
        if !calls.is_null() {
            // SAFETY: the mapping of `new`, which is not accessed any more.
            unsafe { libc::munmap(calls.cast(), SIZE) };
        }
    }
}

/// Maps zeroed memory; returns null if the system refuses it.
fn map() -> *mut AtomicU64 {
    let (access, kind) =
        (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE);
    // SAFETY: a new mapping at an address that the system chooses, zeroed and aligned for words.
    let start = unsafe { libc::mmap(ptr::null_mut(), SIZE, access, kind, -1, 0) };
    if start == libc::MAP_FAILED { ptr::null_mut() } else { start.cast() }
}
