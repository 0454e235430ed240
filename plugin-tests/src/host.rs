//! The state behind the functions that plugins call, one per process: they come without a context pointer.

use crate::arena::Arena;
use crate::experiment::Experiment;
use crate::ipc::Ipc;
use crate::locations::Locations;
use std::io::Write;
use std::process::abort;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// What the callbacks answer from.
#[derive(Debug)]
pub(crate) struct Host {
    pub(crate) arena: Arena,
    pub(crate) locations: Locations,
    pub(crate) experiment: Experiment,
    pub(crate) rank: u32,
    pub(crate) size: AtomicU32,
    pub(crate) ipc: Ipc,
    /// `init_mpp` has been reached: rank and global numbers are known.
    pub(crate) mpp: AtomicBool,
    /// A call is under way in which plugins may communicate.
    pub(crate) management: AtomicBool,
    /// `pre_unify` has been reached: names are final.
    pub(crate) names_final: AtomicBool,
}

static HOST: OnceLock<Host> = OnceLock::new();

unsafe extern "C" {
    /// What `SCOREP_Timer_GetClockResolution` answers; in `c/host.c`.
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
        // SAFETY: nobody reads it before plugins are loaded, and no other thread runs yet.
        unsafe { kymo_replay_clock_resolution = clock_resolution };
        assert!(HOST.set(self).is_ok(), "a process plays one recording");
        host()
    }

    pub(crate) fn mpp_initialised(&self) -> bool {
        self.mpp.load(Ordering::Acquire)
    }
}

/// The host of this process.
pub(crate) fn host() -> &'static Host {
    HOST.get().unwrap_or_else(|| fail("a plugin called the host before it was ready"))
}

/// A line on standard error, which names the rank if there are several.
pub(crate) fn say(message: &str) {
    let line = match MEMBER.get() {
        Some(rank) => format!("kymo-replay: rank {rank}: {message}\n"),
        None => format!("kymo-replay: {message}\n"),
    };
    // At once, so that ranks do not speak into each other's lines. Nobody is left to be told of a failure.
    let _ = std::io::stderr().write_all(line.as_bytes());
}

/// Says from now on that this process is one rank of several.
pub(crate) fn become_member(rank: u32) {
    MEMBER.get_or_init(|| rank);
}

static MEMBER: OnceLock<u32> = OnceLock::new();

/// Ends the program because a plugin asked for something a real host would crash at, or because the host cannot go on.
pub(crate) fn fail(message: &str) -> ! {
    say(message);
    abort()
}
