//! The writer's thread: one of ours, which no signal reaches.

use core::sync::atomic::{
    AtomicBool,
    Ordering::{Acquire, Relaxed, Release},
};
use std::{
    io,
    sync::{Mutex, OnceLock, PoisonError},
    thread::{self, JoinHandle, Thread},
    time::Instant,
};

use super::{Drain, nap::Nap, signals};

/// Its name, as debuggers show it.
const NAME: &str = "kymo-writer";

/// The thread, once it runs.
#[derive(Debug, Default)]
pub(super) struct WriterThread {
    thread: OnceLock<Thread>,
    handle: Mutex<Option<JoinHandle<()>>>,
    running: AtomicBool,
    stopping: AtomicBool,
    nap: Nap,
}

impl WriterThread {
    pub(super) fn is_running(&self) -> bool {
        self.running.load(Relaxed)
    }

    /// Starts it; a second call changes nothing.
    pub(super) fn start(&'static self, drain: &'static Drain) -> io::Result<()> {
        let mut handle = self.handle.lock().unwrap_or_else(PoisonError::into_inner);
        if handle.is_some() {
            return Ok(());
        }
        self.running.store(true, Release);
        let blocked = signals::Blocked::all();
        let spawned = thread::Builder::new().name(NAME.into()).spawn(move || self.run(drain));
        drop(blocked);
        let spawned = spawned.inspect_err(|_| self.running.store(false, Release))?;
        let _ = self.thread.set(spawned.thread().clone());
        *handle = Some(spawned);
        Ok(())
    }

    /// Has it look at the queue. To be called after the queue was changed.
    pub(super) fn wake(&self) {
        self.nap.wake(|| {
            self.thread.get().inspect(|thread| thread.unpark());
        });
    }

    /// Has it do what there is to do, and end.
    pub(super) fn stop(&self) {
        let handle = self.handle.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(handle) = handle else { return };
        self.stopping.store(true, Release);
        handle.thread().unpark();
        // It never panics on purpose; if it did, what it left undone is done by whoever stops it.
        let _ = handle.join();
    }

    fn run(&self, drain: &'static Drain) {
        let _running = Running(&self.running);
        let settings = drain.settings;
        let (mut next_tick, mut next_sync) =
            (Instant::now() + settings.interval, settings.sync.map(|every| Instant::now() + every));
        while !self.stopping.load(Acquire) {
            let now = Instant::now();
            if now >= next_tick {
                next_tick = now + settings.interval;
                let sync = next_sync.is_some_and(|next| now >= next);
                if sync {
                    next_sync = settings.sync.map(|every| now + every);
                }
                drain.tick(sync);
            } else {
                drain.turn();
            }
            let has_nothing_to_do = || drain.pool.queue.is_empty() && !self.stopping.load(Acquire);
            self.nap.sleep(has_nothing_to_do, || {
                thread::park_timeout(next_tick.saturating_duration_since(Instant::now()));
            });
        }
    }
}

/// Whoever waits for a thread that has ended, however that came, waits no longer.
struct Running<'a>(&'a AtomicBool);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.store(false, Release);
    }
}
