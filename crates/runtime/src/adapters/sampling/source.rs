//! The source that interrupts a thread after a period of its CPU time: a perf event, or else a
//! timer.
//!
//! Perf events need no hardware and are exact. A timer of CPU time is only looked at when the
//! scheduler's clock ticks, so its period is at least one tick. Where a timer is safe, a perf event
//! has one beside it, which interrupts a thread that leaves the kernel after a long time.
//! Invariant: a source interrupts only the thread that opened it, and no new program inherits it.

use std::ffi::CStr;
use std::mem;
use std::ptr;
use std::sync::atomic::{AtomicI32, AtomicPtr, AtomicU32, AtomicU64, Ordering::Relaxed};

use libc::{c_int, c_long, c_void, siginfo_t};

use super::generators::{UNITS, rounded};
use super::handler;
use crate::perf::{self, Attributes};
use crate::program::thread_id;

/// A kind of source, with its period.
#[derive(Debug, Clone, Copy)]
pub(super) enum SourceKind {
    /// The kernel's software event `task-clock`, outside of the kernel: a signal that arrives when
    /// a system call begins to wait would interrupt that call.
    Perf { period: u64 },
    /// A POSIX timer.
    Timer { period: u64 },
}

const SECOND: u64 = 1_000_000_000;

impl SourceKind {
    /// Returns the kind that the system allows, for a number of samples per second of CPU time.
    pub(super) fn possible(frequency: u32) -> Option<Self> {
        let period = SECOND / u64::from(frequency.max(1));
        let perf = has_room_for_signals().then_some(Self::Perf { period });
        let timer = Self::Timer { period: period.max(tick()) };
        perf.into_iter().chain([timer]).find(|kind| {
            let source = SampleSource::default();
            let is_open = source.open_stopped(*kind);
            source.close();
            is_open
        })
    }

    /// Returns whether a signal can arrive when a system call begins to wait, which then returns
    /// `EINTR`. On x86-64, timers of CPU time send their signals on the way out of the kernel since
    /// Linux 5.11.
    pub(super) fn may_interrupt_calls(self) -> bool {
        match self {
            Self::Perf { .. } => false,
            Self::Timer { .. } => !cfg!(target_arch = "x86_64") || release() < (5, 11),
        }
    }

    /// Returns the name of the interrupt generator.
    pub(super) fn name(self) -> &'static [u8] {
        match self {
            Self::Perf { .. } => b"perf_task-clock",
            Self::Timer { .. } => b"timer",
        }
    }

    /// Returns the period in nanoseconds.
    pub(super) fn period(self) -> u64 {
        match self {
            Self::Perf { period } | Self::Timer { period } => period,
        }
    }
}

/// The queued signals that the user must have left. A thread has at most one of a perf event, and
/// one of a timer.
const SIGNALS: u64 = 1024;

/// Returns whether the user may queue many more signals. When none is left, the kernel sends SIGIO
/// in place of the signal of a perf event, which ends the program; a timer has its signal reserved.
pub(super) fn has_room_for_signals() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("SigQ:"));
    let numbers = line.and_then(|line| line.trim().split_once('/'));
    let number = |text: &str| text.parse::<u64>().ok();
    let counts = numbers.and_then(|(used, most)| number(used).zip(number(most)));
    counts.is_none_or(|(used, most)| most.saturating_sub(used) >= SIGNALS)
}

/// Returns the time between two ticks of the scheduler's clock in nanoseconds, from which the
/// coarse clock has its resolution.
fn tick() -> u64 {
    let mut resolution = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the structure is writable.
    unsafe { libc::clock_getres(libc::CLOCK_MONOTONIC_COARSE, &raw mut resolution) };
    resolution.tv_nsec.unsigned_abs()
}

/// Returns the first two numbers of the kernel's release.
fn release() -> (u32, u32) {
    // SAFETY: all zeros is a value of this plain structure.
    let mut names: libc::utsname = unsafe { mem::zeroed() };
    // SAFETY: the structure is writable, and the system ends each name with a zero.
    let release = unsafe {
        libc::uname(&raw mut names);
        CStr::from_ptr(names.release.as_ptr())
    };
    let text = release.to_string_lossy();
    let mut numbers = text.split(|it: char| !it.is_ascii_digit()).map(|number| number.parse().unwrap_or(0));
    (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0))
}

/// The source of a thread.
#[derive(Debug)]
pub(super) struct SampleSource {
    /// The descriptor of a perf event; -1 without one.
    event: AtomicI32,
    /// The timer, plus one, since a timer may be the null pointer; null without one.
    timer: AtomicPtr<c_void>,
    /// The kernel's number of the perf event.
    id: AtomicU64,
    /// The processor time for which the samples of the perf event stand.
    accounted: AtomicU64,
}

/// The number of timers beside perf events. Each keeps one of the signals that the user may queue,
/// which perf events need, too.
static TIMERS: AtomicU32 = AtomicU32::new(0);
const MOST_TIMERS: u32 = 256;

impl Default for SampleSource {
    fn default() -> Self {
        Self {
            event: AtomicI32::new(-1),
            timer: AtomicPtr::new(ptr::null_mut()),
            id: AtomicU64::new(0),
            accounted: AtomicU64::new(0),
        }
    }
}

impl SampleSource {
    /// Begins to interrupt the calling thread.
    pub(super) fn open(&self, kind: SourceKind) {
        if self.open_stopped(kind) {
            match kind {
                SourceKind::Perf { .. } => {
                    self.arm();
                    let timer = SourceKind::Timer { period: tick() };
                    if !timer.may_interrupt_calls() && TIMERS.load(Relaxed) < MOST_TIMERS {
                        self.open(timer);
                    }
                }
                SourceKind::Timer { period } => self.start_timer(period),
            }
        }
    }

    /// Ends the handling of a signal. A perf event that sent it can interrupt once more: since then
    /// it did not count, so that a slow handler does not interrupt itself again and again.
    pub(super) fn handled(&self, info: &siginfo_t) {
        if info.si_code != libc::SI_TIMER {
            self.arm();
        }
    }

    fn arm(&self) {
        let event = self.event.load(Relaxed);
        if event >= 0 {
            perf::rearm(event);
        }
    }

    /// Returns whether a signal asks for a sample. That of a timer beside a perf event does only if
    /// the perf event has not interrupted the thread for longer than a period, in the kernel.
    pub(super) fn is_due(&self, kind: SourceKind, info: &siginfo_t) -> bool {
        match kind {
            SourceKind::Perf { period } if info.si_code == libc::SI_TIMER => {
                let time = self.unaccounted();
                if time.is_none() {
                    self.delete_timer();
                }
                time.is_some_and(|time| time > period + period / 2)
            }
            _ => true,
        }
    }

    /// Leaves the time up to now out of all samples.
    pub(super) fn skip(&self) {
        self.accounted.fetch_add(self.unaccounted().unwrap_or(0), Relaxed);
    }

    /// Returns the processor time for which the sample stands that is taken for a signal, in
    /// [`UNITS`] of a period: the time since the last sample.
    pub(super) fn units(&self, kind: SourceKind, info: &siginfo_t) -> u32 {
        match kind {
            SourceKind::Perf { period } => {
                self.unaccounted().map_or(UNITS, |time| self.account(time, period))
            }
            SourceKind::Timer { .. } => UNITS.saturating_mul(1 + missed(info)),
        }
    }

    /// Returns the processor time for which no sample of the perf event stands yet; `None` without
    /// the event, as after the program closed all descriptors.
    fn unaccounted(&self) -> Option<u64> {
        let (mut count, event) = ([0], self.event.load(Relaxed));
        let is_own = event >= 0 && perf::id(event) == Some(self.id.load(Relaxed));
        let is_known = is_own && perf::read(event, &mut count) == 1;
        is_known.then(|| count[0].saturating_sub(self.accounted.load(Relaxed)))
    }

    /// Counts the time of a sample in units, at least one; the rest is left for the next sample.
    fn account(&self, time: u64, period: u64) -> u32 {
        let unit = (period / u64::from(UNITS)).max(1);
        let units = rounded(((time + unit / 2) / unit).try_into().unwrap_or(u32::MAX));
        self.accounted.fetch_add(u64::from(units) * unit, Relaxed);
        units
    }

    /// Returns whether the source has sent a signal, which is one of a descriptor or of a timer.
    pub(super) fn sent(&self, info: &siginfo_t) -> bool {
        match info.si_code {
            libc::SI_TIMER => {
                let timer = self.timer.load(Relaxed);
                !timer.is_null() && timer.addr() - 1 == SignalField::Timer.of(info) as usize
            }
            // The codes of `poll`.
            1..=6 => self.event.load(Relaxed) == SignalField::Descriptor.of(info),
            _ => false,
        }
    }

    /// Ends the interrupts. A signal may still be on its way.
    pub(super) fn close(&self) {
        let event = self.event.swap(-1, Relaxed);
        if event >= 0 {
            perf::close(event);
        }
        self.delete_timer();
    }

    fn delete_timer(&self) {
        let timer = self.timer.swap(ptr::null_mut(), Relaxed);
        if !timer.is_null() {
            TIMERS.fetch_sub(1, Relaxed);
            // SAFETY: the timer exists.
            unsafe { libc::timer_delete(timer.wrapping_byte_sub(1)) };
        }
    }

    /// Forgets the source of a parent process: timers are not inherited, descriptors are.
    pub(super) fn forget(&self) {
        if !self.timer.swap(ptr::null_mut(), Relaxed).is_null() {
            TIMERS.fetch_sub(1, Relaxed);
        }
        self.close();
    }

    fn open_stopped(&self, kind: SourceKind) -> bool {
        match kind {
            SourceKind::Perf { period } => {
                let event = open_event(period);
                self.id.store(perf::id(event).unwrap_or(0), Relaxed);
                self.accounted.store(0, Relaxed);
                self.event.store(event, Relaxed);
                event >= 0
            }
            SourceKind::Timer { .. } => self.create_timer(),
        }
    }

    fn create_timer(&self) -> bool {
        // SAFETY: all zeros is a value of this plain structure.
        let mut how: libc::sigevent = unsafe { mem::zeroed() };
        how.sigev_notify = libc::SIGEV_THREAD_ID;
        how.sigev_signo = handler::signal();
        how.sigev_notify_thread_id = thread_id() as c_int;
        let mut timer = ptr::null_mut();
        // SAFETY: both structures are valid for the call.
        let result =
            unsafe { libc::timer_create(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut how, &raw mut timer) };
        if result == 0 {
            TIMERS.fetch_add(1, Relaxed);
            self.timer.store(timer.wrapping_byte_add(1), Relaxed);
        }
        result == 0
    }

    fn start_timer(&self, period: u64) {
        let span = libc::timespec {
            tv_sec: (period / SECOND).cast_signed(),
            tv_nsec: (period % SECOND).cast_signed(),
        };
        let times = libc::itimerspec { it_interval: span, it_value: span };
        let timer = self.timer.load(Relaxed).wrapping_byte_sub(1);
        // SAFETY: the timer exists, and the structure is valid for the call.
        unsafe { libc::timer_settime(timer, 0, &raw const times, ptr::null_mut()) };
    }
}

/// A number in the information of a source's signal, with its offset on 64-bit systems.
#[derive(Debug, Clone, Copy)]
enum SignalField {
    Timer = 16,
    Overrun = 20,
    Descriptor = 24,
}

impl SignalField {
    fn of(self, info: &siginfo_t) -> c_int {
        // SAFETY: the structure is larger, and any bits are a number.
        unsafe { ptr::from_ref(info).byte_add(self as usize).cast::<c_int>().read() }
    }
}

/// Returns how many times a timer expired before its signal was delivered.
fn missed(info: &siginfo_t) -> u32 {
    if info.si_code == libc::SI_TIMER { SignalField::Overrun.of(info).max(0).cast_unsigned() } else { 0 }
}

#[repr(C)]
struct Owner {
    kind: c_int,
    id: libc::pid_t,
}

const SET_SIGNAL: c_int = 10;
const SET_OWNER: c_int = 15;
const OWNER_IS_THREAD: c_int = 0;

/// Returns the descriptor of an event of the calling thread, or -1.
fn open_event(period: u64) -> c_int {
    let attributes = Attributes {
        kind: perf::SOFTWARE,
        config: perf::TASK_CLOCK,
        sample_period: period,
        flags: perf::DISABLED | perf::EXCLUDE_KERNEL | perf::EXCLUDE_HYPERVISOR,
        wakeup_events: 1,
        ..Attributes::default()
    };
    let Ok(event) = perf::open(&attributes, None) else { return -1 };
    let owner = Owner { kind: OWNER_IS_THREAD, id: thread_id() as c_int };
    // SAFETY: `fcntl` on an own descriptor, with the argument that each request has.
    let is_ready = unsafe {
        perf::control(event, libc::F_SETFL, c_long::from(libc::O_ASYNC)) == 0
            && perf::control(event, SET_SIGNAL, c_long::from(handler::signal())) == 0
            && perf::control(event, SET_OWNER, (&raw const owner).expose_provenance() as c_long) == 0
    };
    if !is_ready {
        perf::close(event);
        return -1;
    }
    event
}
