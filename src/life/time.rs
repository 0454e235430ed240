//! The time range of the program, the resolution of the host's clock, and its offset from the
//! clocks of the other ranks.

use core::sync::atomic::{
    AtomicU64,
    Ordering::{Acquire, Release},
};
use std::sync::OnceLock;

use kymo_otf2::definitions::ClockProperties;
use kymo_recorder::{
    clock::{Clock, Fit, Line, Machine, Reading, Synchronisation, Synchronised, ThisMachine, Unsynchronised},
    ranks::Ipc,
};
use kymo_substrate::{Host, report};

use crate::NAME;

/// The resolution that is written if no clock of the machine fits and the host does not report one.
/// Readers divide by it, so it must not be 0.
const UNKNOWN_RESOLUTION: u64 = 1_000_000_000;

/// The plugin's view of time. All times are in ticks of the host's clock.
#[derive(Debug)]
pub(crate) struct Time {
    start: Reading,
    /// The id of the machine, or 0 if unknown.
    node: u64,
    begin: AtomicU64,
    end: AtomicU64,
    /// How well the first timestamp fits the clocks of this machine.
    fit: OnceLock<Fit>,
    /// The first comparison of the ranks' clocks. It stays empty if there is only one rank.
    first_comparison: OnceLock<Synchronisation>,
    /// The result of the second comparison.
    synchronised: OnceLock<Synchronised>,
}

impl Time {
    pub(crate) fn new() -> Self {
        Self {
            start: Reading::now(),
            node: ThisMachine.node().map_or(0, |node| node.0.get()),
            begin: AtomicU64::new(u64::MAX),
            end: AtomicU64::new(0),
            fit: OnceLock::new(),
            first_comparison: OnceLock::new(),
            synchronised: OnceLock::new(),
        }
    }

    /// Records the start of the program.
    pub(crate) fn begin(&self, time: u64) {
        self.begin.store(time, Release);
        let _ = self.fit.set(Fit::new(time, &Reading::now()));
    }

    /// Records the end of the program.
    pub(crate) fn end(&self, time: u64) {
        self.end.fetch_max(time, Release);
    }

    /// The id of the machine, or 0 if unknown.
    pub(crate) fn node(&self) -> u64 {
        self.node
    }

    /// How far the clock of rank 0 was ahead at the first comparison, or 0 if unknown.
    pub(crate) fn ahead(&self) -> i64 {
        let ahead = |clock| self.first_comparison.get()?.ahead(clock);
        self.clock().and_then(ahead).unwrap_or(0)
    }

    /// When the program began and ended, with all bits set for a time that is not known yet.
    pub(crate) fn program(&self) -> (u64, u64) {
        let end = self.end.load(Acquire);
        (self.begin.load(Acquire), if end == 0 { u64::MAX } else { end })
    }

    /// Compares the clocks of all ranks for the first time, once the ranks are known.
    pub(crate) fn compare_clocks(&self, ranks: &impl Ipc) {
        if ranks.size() > 1 {
            self.first_comparison.get_or_init(|| Synchronisation::start(ranks, &ThisMachine));
        }
    }

    /// Compares the clocks for the second time, after the last event. The result, if there is one,
    /// is available from [`clock_offsets`](Self::clock_offsets).
    pub(crate) fn compare_clocks_again(&self, ranks: &impl Ipc, verbose: bool) {
        let outcome = match self.first_comparison.get() {
            Some(comparison) => comparison.finish(ranks, &ThisMachine, self.fit()).map(Some),
            None => self.fit().clock().map(|_| None).ok_or(Unsynchronised::NoClock),
        };
        let what = match outcome {
            Ok(Some(synchronised)) => {
                let _ = self.synchronised.set(synchronised);
                return;
            }
            Err(Unsynchronised::NoClock) if verbose && ranks.rank() == 0 => {
                "the timestamps fit no clock of the machine"
            }
            Err(Unsynchronised::Failed) => "the clocks of the processes could not be compared",
            Ok(None) | Err(Unsynchronised::NoClock) => return,
        };
        report(NAME, format_args!("{what}: clock offsets are 0"));
    }

    /// The begin and end of the program. If the host did not report them, they are 0 and the time
    /// of the last event.
    pub(crate) fn range(&self, last_event: u64) -> (u64, u64) {
        let begin = match self.begin.load(Acquire) {
            u64::MAX => 0,
            begin => begin,
        };
        let end = match self.end.load(Acquire) {
            0 => last_event,
            end => end,
        };
        (begin, end.max(begin))
    }

    /// Returns times, each with the offset that converts it to the clock of rank 0. The times are
    /// the begin and the end of the program, with offset 0, if there is only one rank or the clocks
    /// could not be compared.
    pub(crate) fn clock_offsets(&self, (begin, end): (u64, u64)) -> Vec<(u64, i64)> {
        match self.line() {
            Some(line) => line.offsets().to_vec(),
            // Readers require offsets at different times.
            None if begin < end => vec![(begin, 0), (end, 0)],
            None => vec![(begin, 0)],
        }
    }

    /// Converts a time to the clock of rank 0.
    pub(crate) fn correct(&self, time: u64) -> u64 {
        self.line().map_or(time, |line| line.correct(time))
    }

    fn line(&self) -> Option<&Line> {
        self.synchronised.get().map(|synchronised| &synchronised.line)
    }

    /// Returns the clock definition of a trace whose events are between `begin` and `end`.
    pub(crate) fn properties(&self, host: &Host, (begin, end): (u64, u64)) -> ClockProperties {
        ClockProperties {
            timer_resolution: self.resolution(host),
            global_offset: begin,
            trace_length: end.saturating_sub(begin),
            realtime_timestamp: self.clock().map_or(u64::MAX, |clock| self.realtime(host, clock, begin)),
        }
    }

    /// The wall clock at a past time, in nanoseconds since 1970.
    fn realtime(&self, host: &Host, clock: Clock, time: u64) -> u64 {
        let now = Reading::now();
        let ticks = now.of(clock).saturating_sub(time);
        let passed = u128::from(ticks) * 1_000_000_000 / u128::from(self.resolution(host).max(1));
        now.realtime.saturating_sub(u64::try_from(passed).unwrap_or(u64::MAX))
    }

    /// The ticks per second as the host reports them, or else as known or measured for the clock.
    fn resolution(&self, host: &Host) -> u64 {
        let measured = || Reading::now().ticks_per_second(&self.start, self.clock()?);
        host.clock_resolution().or_else(measured).unwrap_or_else(|| {
            report(NAME, format_args!("the timestamps fit no clock of this machine: assuming {UNKNOWN_RESOLUTION} ticks per second"));
            UNKNOWN_RESOLUTION
        })
    }

    /// The clock that the timestamps come from: the one that all ranks agreed on, or else the one
    /// that this rank found.
    pub(crate) fn clock(&self) -> Option<Clock> {
        self.synchronised.get().map(|synchronised| synchronised.clock).or_else(|| self.fit().clock())
    }

    fn fit(&self) -> Fit {
        self.fit.get().copied().unwrap_or(Fit::NONE)
    }
}
