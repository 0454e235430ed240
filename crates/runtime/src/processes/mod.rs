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
mod measured;
mod preload;
pub(crate) mod signal;
pub(crate) mod tree;
mod vfork;

use std::cell::Cell;
use std::mem::{self, ManuallyDrop};
use std::sync::atomic::Ordering;

pub(crate) use alone::main_thread_ends;
pub(crate) use preload::prepare as keep_preloaded;
pub(crate) use signal::{has_allocator, is_in_allocator, may_allocate};
pub(crate) use tree::{has_children, is_first, is_recorded};

use self::measured::{MEASURED, is_measured, process};
use crate::adapter::Adapter;
use crate::measurement::Here;
use crate::next::keeping_errno;
use crate::settings::Settings;
use crate::thread::Busy;
use crate::{adapter, loader_list, measurement};

/// The adapter of the process, which always takes part.
#[derive(Debug)]
pub(crate) struct Processes;

impl Adapter for Processes {
    fn name(&self) -> &'static str {
        "processes"
    }

    fn prepare(&self, _: &Settings) -> bool {
        static FORKS: std::sync::Once = std::sync::Once::new();
        FORKS.call_once(|| {
            // SAFETY: the functions do nothing that is forbidden around a fork. Without memory
            // children are not measured.
            unsafe { libc::pthread_atfork(Some(before_fork), Some(in_parent), Some(in_child)) };
        });
        true
    }

    fn begun(&self) {
        MEASURED.store(process(), Ordering::Relaxed);
    }

    fn ended(&self) {
        MEASURED.store(0, Ordering::Relaxed);
    }

    fn forget(&self) {
        alone::forget();
    }
}

/// The last level of locks ([`Adapter::lock_level`]).
const LAST_LEVEL: u8 = 2;

/// Something that the forking thread keeps until the fork is over. It is kept in a thread-local
/// variable without a destructor, which needs no memory: without memory the C library would end the
/// program.
pub(crate) struct ForkHold<T>(Cell<Option<ManuallyDrop<T>>>);

impl<T> ForkHold<T> {
    pub(crate) const fn new() -> Self {
        Self(Cell::new(None))
    }

    /// Keeps an object that the thread holds for the fork.
    pub(crate) fn keep(&self, held: T) {
        self.0.set(Some(ManuallyDrop::new(held)));
    }

    /// Returns the kept object.
    pub(crate) fn take(&self) -> Option<T> {
        self.0.take().map(ManuallyDrop::into_inner)
    }
}

thread_local! {
    /// The forking thread is inside the runtime, since handlers of the program run meanwhile, which
    /// may call functions that need the locks.
    static INSIDE: ForkHold<Here> = const { ForkHold::new() };
}

extern "C" fn before_fork() {
    if !is_measured() {
        return;
    }
    // Not if a signal handler that interrupted the runtime forks: this thread may hold some of the
    // locks.
    if let Some(here) = measurement::here_or_orphan() {
        for level in 0..=LAST_LEVEL {
            let of_level = adapter::all().iter().filter(|adapter| adapter.lock_level() == level);
            of_level.for_each(|adapter| adapter.hold());
        }
        INSIDE.with(|inside| inside.keep(here));
    }
    measurement::before_fork();
    loader_list::before_fork();
}

/// Releases the locks of the adapters, if the thread has taken them. Returns its location, in which
/// it is.
fn release() -> Option<Here> {
    let here = INSIDE.with(ForkHold::take)?;
    adapter::all().iter().for_each(|adapter| adapter.release());
    Some(here)
}

extern "C" fn in_parent() {
    loader_list::in_parent();
    if is_measured() {
        measurement::parent_after_fork();
        drop(release());
    }
}

extern "C" fn in_child() {
    loader_list::in_child();
    if MEASURED.load(Ordering::Relaxed) == 0 {
        // A measurement that waits for its first event has begun to sample.
        adapter::all().iter().for_each(|adapter| adapter.child_begun(false));
    } else {
        // Functions that the program's allocator calls meanwhile do not begin the measurement.
        let _busy = Busy::enter();
        // The location is the parent's: nothing may be recorded there.
        mem::forget(release());
        adapter::all().iter().for_each(|adapter| adapter.forget());
        MEASURED.store(0, Ordering::Relaxed);
        measurement::child_after_fork();
        let is_awaited = measurement::is_pending();
        adapter::all().iter().for_each(|adapter| adapter.child_begun(is_awaited));
        if !is_awaited {
            adapter::all().iter().for_each(|adapter| adapter.ended());
        }
    }
}

/// Ends the measurement of this process, if possible here. If not, `kymo recover` makes an archive
/// of the recorded data.
fn end(exit_status: Option<i32>) {
    if is_measured() && !signal::is_handling() {
        keeping_errno(|| measurement::end(exit_status));
    }
}
