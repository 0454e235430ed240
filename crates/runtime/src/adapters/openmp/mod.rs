//! OpenMP: parallel regions, work-sharing constructs, barriers, critical sections, locks and tasks,
//! with the events and regions of Score-P 8.4.
//!
//! Two modules receive the events: [`ompt`], the tool interface of LLVM's and Intel's runtimes, and
//! [`gomp`], which interposes the functions of gcc's runtime. Both call the same event layer: teams
//! ([`team`], [`tree`]), tasks ([`tasks`]), locks ([`locks`]), devices ([`target`]) and regions
//! ([`sites`]).
//!
//! | subject | details |
//! | --- | --- |
//! | interception | the callbacks of OMPT; `GOMP_*` and the lock functions of libgomp |
//! | definitions | the paradigm, a location for each place in a team, teams, regions by address |
//! | forked children | they start without teams; objects of the parent are recognised by their generation and ignored |
//!
//! Invariants: a member of a team records on the location of its place in the team, whichever
//! thread runs it; the thread that forks a team closes it, since the runtime tells workers about
//! the end of a region only when they are needed again; no callback waits for anything but another
//! callback that is about to return.

mod communicators;
mod definitions;
mod events;
mod gomp;
mod locks;
mod ompt;
mod sites;
mod state;
mod target;
mod tasks;
mod team;
mod tree;
mod work;

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, OnceLock};

use self::communicators::Formed;
use self::state::LocationState;
use self::team::close_all;
use crate::adapter::Adapter;
use crate::host::{Host, host};
use crate::locations::Location;
use crate::measurement;
use crate::processes::ForkHold;
use crate::settings::Settings;
use crate::slots::Key;
use crate::switch::{Switch, is_chosen};
use crate::thread;

/// The adapter of OpenMP.
#[derive(Debug)]
pub(crate) struct OpenMp;

/// The name by which settings choose it.
const NAME: &str = "openmp";

impl Adapter for OpenMp {
    fn name(&self) -> &'static str {
        NAME
    }

    fn prepare(&self, settings: &Settings) -> bool {
        prepare(settings)
    }

    fn define(&self) {
        if let Some(host) = host() {
            host.slots.set(&OF_MEASUREMENT, Some(Box::leak(Box::new(OpenMpProcess::new()))));
        }
    }

    fn awaited(&self) {
        turn_on();
    }

    fn begun(&self) {
        turn_on();
    }

    fn close(&self, host: &'static Host, location: &'static Location, now: u64) {
        close_all(host, location, now);
    }

    fn properties(&self, host: &Host) -> Vec<(&'static str, String)> {
        property(host).into_iter().collect()
    }

    fn unify(&self, host: &Host) {
        communicators::unify(host);
    }

    fn ended(&self) {
        ended();
    }

    fn hold(&self) {
        HELD.with(|held| held.keep(hold()));
    }

    fn release(&self) {
        drop(HELD.with(ForkHold::take));
    }

    fn forget(&self) {
        forget();
    }

    fn unloaded(&self, is_gone: bool) {
        if is_gone && SWITCH.is_on() {
            // The thread counts as inside the runtime: nothing that is called here may be recorded.
            let _here = measurement::here();
            forget_addresses();
        }
    }
}

thread_local! {
    static HELD: ForkHold<OpenMpHold> = const { ForkHold::new() };
}

static SWITCH: Switch = Switch::new();
static IS_CHOSEN: AtomicBool = AtomicBool::new(false);

fn prepare(settings: &Settings) -> bool {
    let is_chosen = is_chosen(settings, NAME);
    IS_CHOSEN.store(is_chosen, Relaxed);
    is_chosen
}

fn turn_on() {
    SWITCH.turn_on();
    gomp::turn_on();
}

fn ended() {
    SWITCH.turn_off();
    gomp::turn_off();
}

/// Returns whether OpenMP is recorded.
#[inline(always)]
pub(crate) fn is_on() -> bool {
    SWITCH.is_on()
}

/// The team, tasks and locks of a location.
static OF_LOCATION: Key<LocationState> = Key::new();
/// The object of a measurement.
static OF_MEASUREMENT: Key<OpenMpProcess> = Key::new();

/// The state of a measurement for OpenMP.
#[derive(Debug)]
struct OpenMpProcess {
    paradigm: OnceLock<()>,
    /// The paradigm of target regions.
    target_paradigm: OnceLock<()>,
    /// Locked while places are made.
    tree: Mutex<()>,
    /// The number of parallel regions that were forked.
    forks: AtomicU32,
    /// The communicators of the members of teams.
    formed: Mutex<Vec<Formed>>,
}

impl OpenMpProcess {
    const fn new() -> Self {
        Self {
            paradigm: OnceLock::new(),
            target_paradigm: OnceLock::new(),
            tree: Mutex::new(()),
            forks: AtomicU32::new(0),
            formed: Mutex::new(Vec::new()),
        }
    }

    /// Returns the object of a measurement, which `define` has made.
    fn of(host: &Host) -> &'static Self {
        static NONE: OpenMpProcess = OpenMpProcess::new();
        host.slots.get(&OF_MEASUREMENT).unwrap_or(&NONE)
    }
}

/// Returns how many parallel regions were forked, as name and value of a property.
fn property(host: &Host) -> Option<(&'static str, String)> {
    let forks = OpenMpProcess::of(host).forks.load(Relaxed);
    (forks > 0).then(|| ("OpenMP parallel regions", forks.to_string()))
}

type OpenMpHold = (MutexGuard<'static, usize>, MutexGuard<'static, usize>, locks::OpenMpLocksHold);

/// Keeps regions and locks from being defined while the process forks.
fn hold() -> OpenMpHold {
    (gomp::hold(), sites::hold(), locks::hold())
}

/// Forgets the thread's place in the runtime, in a forked child.
fn forget() {
    thread::set_in_pool(false);
    thread::forget_id();
    ompt::forget();
}

/// Forgets the addresses of a library that was unloaded.
fn forget_addresses() {
    sites::forget();
    gomp::forget();
}
