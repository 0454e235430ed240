//! The process-wide state from which the callbacks answer plugins: they receive no context pointer.

use crate::replay::arena::Arena;
use crate::replay::experiment::Experiment;
use crate::replay::ipc::Ipc;
use crate::replay::locations::Locations;
use std::io::Write;
use std::process::abort;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// The state that callbacks read.
#[derive(Debug)]
pub(crate) struct Host {
    pub(crate) arena: Arena,
    pub(crate) locations: Locations,
    pub(crate) experiment: Experiment,
    pub(crate) rank: u32,
    pub(crate) size: AtomicU32,
    pub(crate) ipc: Ipc,
    /// Whether `init_mpp` was reached: rank and global ids are known.
    pub(crate) mpp: AtomicBool,
    /// Whether a call is under way in which plugins may communicate.
    pub(crate) management: AtomicBool,
    /// Whether `pre_unify` was reached: names are final.
    pub(crate) names_final: AtomicBool,
}

static HOST: OnceLock<Host> = OnceLock::new();

unsafe extern "C" {
    /// The result of `SCOREP_Timer_GetClockResolution`; defined in `host.c`.
    static mut kymo_replay_clock_resolution: u64;
}

impl Host {
    pub(crate) fn new(
        arena: Arena,
        locations: Locations,
        experiment: Experiment,
        rank: u32,
        ipc: Ipc,
    ) -> Self {
        Self {
            arena,
            locations,
            experiment,
            rank,
            size: AtomicU32::new(1),
            ipc,
            mpp: AtomicBool::new(false),
            management: AtomicBool::new(false),
            names_final: AtomicBool::new(false),
        }
    }

    /// Makes this the host of the process; a process plays one recording.
    pub(crate) fn install(self, clock_resolution: u64) -> &'static Self {
        // SAFETY: no plugin is loaded yet that could read it, and no other thread runs.
        unsafe { kymo_replay_clock_resolution = clock_resolution };
        assert!(HOST.set(self).is_ok(), "a process plays one recording");
        host()
    }

    pub(crate) fn mpp_initialised(&self) -> bool {
        self.mpp.load(Ordering::Acquire)
    }
}

/// Returns the host of this process.
pub(crate) fn host() -> &'static Host {
    HOST.get().unwrap_or_else(|| fail("a plugin called the host before it was ready"))
}

/// Prints a line on standard error, with the rank if there are several.
pub(crate) fn report(message: &str) {
    let line = match MEMBER.get() {
        Some(rank) => format!("kymo-replay: rank {rank}: {message}\n"),
        None => format!("kymo-replay: {message}\n"),
    };
    // A single write, so that ranks do not interleave their lines. A failure cannot be reported.
    let _ = std::io::stderr().write_all(line.as_bytes());
}

/// Marks this process as a rank of a larger program; its messages name the rank from now on.
pub(crate) fn become_member(rank: u32) {
    MEMBER.get_or_init(|| rank);
}

static MEMBER: OnceLock<u32> = OnceLock::new();

/// Aborts the program because a plugin made a call at which a real host would crash, or because the
/// host cannot continue.
pub(crate) fn fail(message: &str) -> ! {
    report(message);
    abort()
}
