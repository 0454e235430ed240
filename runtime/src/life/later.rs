//! Measurements that begin with the first event of their process.
//!
//! A child made by `fork` that becomes another program, and a program that a wrapper starts by the hundred, record nothing: what is made
//! for a measurement (memory, folders, a thread) is made only for those that do. The first process of `kymo record` does not wait.

use crate::ADAPTERS;
use crate::clock::Clock;
use crate::life::begin::{Inherited, begin};
use crate::processes;
use crate::settings::Settings;
use std::os::unix::process::parent_id;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What a measurement begins with.
#[derive(Debug)]
pub(crate) enum Beginning {
    /// At once.
    Now,
    /// That of a child made by `fork`.
    Child(Inherited),
    /// That of a program which was started a while ago.
    Program(Started),
}

/// A program as it was when it was loaded.
#[derive(Debug)]
pub(crate) struct Started {
    /// A child of it begins now, and no earlier.
    pub(crate) process: u32,
    /// Whose child it was then: it may have ended since.
    pub(crate) parent: u32,
    pub(crate) settings: Settings,
    pub(crate) problems: Vec<String>,
    pub(crate) clock: Clock,
    /// By that clock.
    pub(crate) time: u64,
}

impl Started {
    /// The program as it is now.
    pub(crate) fn now() -> Self {
        let mut problems = Vec::new();
        let settings = Settings::read(&mut problems);
        let clock = Clock::of(&settings);
        let time = clock.now();
        Self { process: std::process::id(), parent: parent_id(), settings, problems, clock, time }
    }
}

static LATER: Mutex<Option<Beginning>> = Mutex::new(None);
static IS_PENDING: AtomicBool = AtomicBool::new(false);

/// Has the measurement begin with the first event.
pub(crate) fn put(beginning: Beginning) {
    *later() = Some(beginning);
    IS_PENDING.store(true, Relaxed);
}

/// Has the measurement of this program, which was just loaded, begin with the first event.
pub(crate) fn put_program() {
    let started = Started::now();
    let chosen: Vec<_> = ADAPTERS.iter().filter(|adapter| (adapter.prepare)(&started.settings)).collect();
    put(Beginning::Program(started));
    chosen.iter().for_each(|adapter| (adapter.awaited)());
}

fn later() -> MutexGuard<'static, Option<Beginning>> {
    LATER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether the measurement of this process has not begun yet.
#[inline]
pub(crate) fn is_pending() -> bool {
    IS_PENDING.load(Relaxed)
}

/// Begins such a measurement; whether it was this call that did. Not in a handler of a signal that interrupted an allocator.
#[cold]
pub(crate) fn begin_pending() -> bool {
    if !is_pending() || !processes::may_allocate() || !IS_PENDING.swap(false, Relaxed) {
        return false;
    }
    let beginning = later().take();
    let is_there = beginning.is_some();
    beginning.into_iter().for_each(begin);
    is_there
}
