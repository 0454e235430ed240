//! OpenMP: parallel regions, work-sharing constructs, barriers, critical sections, locks and tasks,
//! with the events and regions of Score-P 8.4.
//!
//! Two modules receive what happens: [`ompt`], the tool interface of LLVM's and Intel's runtimes,
//! and [`gomp`], which interposes the functions of gcc's runtime. Both call the same event layer:
//! teams ([`team`], [`tree`]), tasks ([`tasks`]), locks ([`locks`]) and regions ([`sites`]).
//!
//! | question | answer |
//! | --- | --- |
//! | what is intercepted | the callbacks of OMPT; `GOMP_*` and the lock functions of libgomp |
//! | what is defined | the paradigm, a location for each place in a team, teams, regions by address |
//! | what happens in a forked child | it starts without teams; objects of the parent are recognised by their generation and ignored |
//!
//! Invariants: a member of a team records on the location of its place in the team, whichever
//! thread runs it; the thread that forks a team closes it, since the runtime tells workers about
//! the end of a region only when they are needed again; no callback waits for anything but another
//! callback that is about to return.

mod communicators;
mod events;
mod gomp;
mod locks;
mod ompt;
mod sites;
mod state;
mod tasks;
mod team;
mod tree;
mod work;

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, OnceLock};

use self::communicators::Formed;
pub(crate) use self::communicators::unify;
pub(crate) use self::state::State;
pub(crate) use self::team::close_all;
use crate::adapter::Adapter;
use crate::host::Host;
use crate::settings::Settings;
use crate::switch::{Switch, is_chosen};
use crate::thread;

/// The adapter of this kind of instrumentation.
pub(crate) static ADAPTER: Adapter =
    Adapter { name: "openmp", prepare, awaited: turn_on, begun: turn_on, ended, ..Adapter::NONE };

static SWITCH: Switch = Switch::new();
static IS_CHOSEN: AtomicBool = AtomicBool::new(false);

fn prepare(settings: &Settings) -> bool {
    let is_chosen = is_chosen(settings, ADAPTER.name);
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

/// What a measurement knows of OpenMP.
#[derive(Debug, Default)]
pub(crate) struct Process {
    paradigm: OnceLock<()>,
    /// Locked while places are made.
    tree: Mutex<()>,
    /// The number of parallel regions that were forked.
    forks: AtomicU32,
    /// The communicators of the members of teams.
    formed: Mutex<Vec<Formed>>,
}

/// Returns how many parallel regions were forked, as name and value of a property.
pub(crate) fn property(host: &Host) -> Option<(&'static str, String)> {
    let forks = host.openmp.forks.load(Relaxed);
    (forks > 0).then(|| ("OpenMP parallel regions", forks.to_string()))
}

pub(crate) type Hold = (MutexGuard<'static, usize>, MutexGuard<'static, usize>, locks::Hold);

/// Keeps regions and locks from being defined while the process forks.
pub(crate) fn hold() -> Hold {
    (gomp::hold(), sites::hold(), locks::hold())
}

/// Forgets the thread's place in the runtime, in a forked child.
pub(crate) fn forget() {
    thread::set_in_openmp(false);
    thread::forget_id();
    ompt::forget();
}

/// Forgets the addresses of a library that was unloaded.
pub(crate) fn forget_addresses() {
    sites::forget();
    gomp::forget();
}
