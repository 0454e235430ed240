//! Measurements that begin with the first event of their process.
//!
//! A child made by `fork` that becomes another program, and a program that a wrapper starts by the
//! hundred, record nothing. The resources of a measurement (memory, directories, a thread) are
//! created only for processes that record events. The first process of `kymo record` does not wait.

use crate::adapter;
use crate::cancellation::uncancelled;
use crate::life::begin::{begin, register_end};
use crate::life::beginning::{Beginning, Started};
use crate::processes::signal::may_allocate;
use crate::thread;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

static LATER: Mutex<Option<Beginning>> = Mutex::new(None);
static IS_PENDING: AtomicBool = AtomicBool::new(false);

/// Lets the measurement begin with the first event.
pub(crate) fn put(beginning: Beginning) {
    *later() = Some(beginning);
    IS_PENDING.store(true, Relaxed);
}

/// Lets the measurement of this program, which was just loaded, begin with the first event.
pub(crate) fn put_program() {
    let started = Started::now();
    let chosen: Vec<_> = adapter::all().iter().filter(|adapter| adapter.prepare(&started.settings)).collect();
    put(Beginning::Program(Box::new(started)));
    register_end();
    chosen.iter().for_each(|adapter| adapter.awaited());
}

fn later() -> MutexGuard<'static, Option<Beginning>> {
    LATER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns whether the measurement of this process waits for its first event.
#[inline]
pub(crate) fn is_pending() -> bool {
    IS_PENDING.load(Relaxed)
}

/// Begins a waiting measurement and returns whether this call did so. Does nothing in a handler of
/// a signal that interrupted an allocator, and in calls that the runtime itself makes.
#[cold]
pub(crate) fn begin_pending() -> bool {
    if !is_pending() || thread::is_busy() || !may_allocate() || !IS_PENDING.swap(false, Relaxed) {
        return false;
    }
    let beginning = later().take();
    let is_there = beginning.is_some();
    uncancelled(|| {
        if let Some(beginning) = beginning {
            begin(beginning);
        }
    });
    is_there
}
