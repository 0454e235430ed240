//! The process: its forks, the programs that it executes, and the ways in which it ends without
//! `exit`.
//!
//! A forked child begins a measurement of its own with its first event. Before the process executes
//! another program, the measurement is ended, so that the archive is complete; if the program
//! cannot be started after all, this one continues without measurement. With `posix_spawn` and
//! `vfork` there is no such step: the new program records on its own. Invariant: a process that
//! only borrows the memory of another (`vfork`) ends nothing.

mod alone;
mod exec;
mod exit;
mod preload;
mod signal;
mod tree;
mod vfork;

use std::cell::Cell;
use std::mem::{self, ManuallyDrop};
use std::sync::atomic::{AtomicI32, Ordering};

pub(crate) use alone::main_thread_ends;
use libc::pid_t;
pub(crate) use preload::prepare as keep_preloaded;
pub(crate) use signal::{has_allocator, is_in_allocator, may_allocate};
pub(crate) use tree::{has_children, is_first, is_recorded};

use crate::adapter::Adapter;
use crate::measurement::Here;
use crate::next::keeping_errno;
use crate::settings::Settings;
use crate::thread::Busy;
use crate::{ADAPTERS, counters, functions, io, measurement, memory, mpi, openmp, sampling, threads, user};

/// The adapter of this kind of instrumentation, which always takes part.
pub(crate) static ADAPTER: Adapter = Adapter {
    name: "processes",
    prepare,
    begun,
    ended: || MEASURED.store(0, Ordering::Relaxed),
    ..Adapter::NONE
};

/// The id of the measured process, or 0.
static MEASURED: AtomicI32 = AtomicI32::new(0);

fn process() -> pid_t {
    // SAFETY: `getpid` is always safe to call.
    unsafe { libc::getpid() }
}

/// Returns whether this process is measured.
pub(crate) fn is_measured() -> bool {
    MEASURED.load(Ordering::Relaxed) == process()
}

fn prepare(_: &Settings) -> bool {
    static FORKS: std::sync::Once = std::sync::Once::new();
    FORKS.call_once(|| {
        // SAFETY: the functions do only what is allowed around a fork. Without memory children are
        // not measured.
        unsafe { libc::pthread_atfork(Some(before_fork), Some(in_parent), Some(in_child)) };
    });
    true
}

fn begun() {
    MEASURED.store(process(), Ordering::Relaxed);
}

/// The locks that the forking thread holds, so that no other thread is changing the data. The child
/// has no other threads.
type Locks =
    (functions::Hold, user::Hold, threads::Hold, io::Hold, openmp::Hold, sampling::Hold, memory::Hold);

/// What the forking thread holds. It is inside the runtime, since handlers of the program run
/// meanwhile, which may call what needs these locks.
struct Held {
    // Released before the thread leaves the runtime.
    locks: Locks,
    here: Here,
}

thread_local! {
    // A thread-local variable with a destructor needs memory; without it the C library would end
    // the program.
    static HELD: Cell<Option<ManuallyDrop<Held>>> = const { Cell::new(None) };
}

/// Keeps what this thread holds, and returns what was kept before.
fn hold(held: Option<Held>) -> Option<Held> {
    HELD.with(|kept| kept.replace(held.map(ManuallyDrop::new))).map(ManuallyDrop::into_inner)
}

extern "C" fn before_fork() {
    if !is_measured() {
        return;
    }
    // Not if a signal handler that interrupted the runtime forks: this thread may hold some of the
    // locks.
    if let Some(here) = measurement::here_or_orphan() {
        let holds = (functions::hold(), user::hold(), threads::hold(), io::hold());
        let (functions, user, threads, io) = holds;
        let locks = (functions, user, threads, io, openmp::hold(), sampling::hold(), memory::hold());
        hold(Some(Held { locks, here }));
    }
    measurement::before_fork();
}

extern "C" fn in_parent() {
    if is_measured() {
        measurement::parent_after_fork();
        drop(hold(None));
    }
}

extern "C" fn in_child() {
    if MEASURED.load(Ordering::Relaxed) != 0 {
        // What the program's allocator calls meanwhile does not begin the measurement.
        let _busy = Busy::enter();
        if let Some(Held { locks, here }) = hold(None) {
            drop(locks);
            // The location is the parent's: nothing may be recorded there.
            mem::forget(here);
        }
        threads::forget();
        mpi::forget();
        io::forget();
        openmp::forget();
        memory::forget();
        counters::forget();
        alone::forget();
        MEASURED.store(0, Ordering::Relaxed);
        measurement::child_after_fork();
        sampling::forget(measurement::is_pending());
        if !measurement::is_pending() {
            ADAPTERS.iter().for_each(|adapter| (adapter.ended)());
        }
    }
}

/// Ends the measurement of this process, if possible here. If not, `kymo recover` makes an archive
/// of what was recorded.
fn end(exit_status: Option<i32>) {
    if is_measured() && !signal::is_handling() {
        keeping_errno(|| measurement::end(exit_status));
    }
}
