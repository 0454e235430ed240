//! The writer's thread, which receives no signals.
//!
//! A program whose threads have all ended with `pthread_exit` exits with the last of them. The
//! writer's thread would keep it running forever, so it periodically checks whether it is the last
//! one, and if so, exits the process.

use core::{
    ffi::CStr,
    mem::MaybeUninit,
    sync::atomic::{
        AtomicBool, AtomicU32,
        Ordering::{Acquire, Relaxed, Release},
    },
};
use std::{
    fs, io,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use rustix::fs::{Mode, OFlags, RawDir, open};

use super::{
    Drain,
    nap::Nap,
    own_thread::{OwnThread, Token, Work},
    signals,
};

/// The thread's name, as shown by debuggers.
const NAME: &CStr = c"kymo-writer";

/// How often it checks whether the program has a thread left.
const LOOK: Duration = Duration::from_secs(1);

/// How long it dozes after it had work. More work is likely then, and waking it costs the waking
/// thread a system call, which can take tens of microseconds. Only if nothing arrived in the
/// meantime does it sleep until it is woken.
const DOZE: Duration = Duration::from_millis(5);

/// The number of pieces that interrupts a doze, which bounds the memory held up by it.
const MANY: u32 = 16;

/// The thread, once it runs.
#[derive(Debug, Default)]
pub(super) struct WriterThread {
    /// The token that it sleeps on.
    token: Token,
    /// The number of pieces handed over since it last looked.
    handed: AtomicU32,
    handle: Mutex<Option<OwnThread>>,
    running: AtomicBool,
    stopping: AtomicBool,
    nap: Nap,
}

impl WriterThread {
    pub(super) fn is_running(&self) -> bool {
        self.running.load(Relaxed)
    }

    /// Starts the thread. A second call has no effect.
    pub(super) fn start(&'static self, drain: &'static Drain) -> io::Result<()> {
        let mut handle = self.handle.lock().unwrap_or_else(PoisonError::into_inner);
        if handle.is_some() {
            return Ok(());
        }
        self.running.store(true, Release);
        let blocked = signals::Blocked::all();
        let started = OwnThread::start(NAME, drain);
        drop(blocked);
        *handle = Some(started.inspect_err(|_| self.running.store(false, Release))?);
        Ok(())
    }

    /// Makes the thread look at the queue soon. Must be called after a piece was queued.
    pub(super) fn handed(&self) {
        match self.handed.fetch_add(1, Relaxed) + 1 {
            MANY => self.wake(),
            _ => self.nap.wake(|| self.wake()),
        }
    }

    /// Makes the thread look at the queue now.
    pub(super) fn wake(&self) {
        self.token.give();
    }

    /// Makes the thread finish its work and end. Returns whether it was started before.
    pub(super) fn stop(&self) -> bool {
        let handle = self.handle.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(handle) = handle else { return false };
        self.stopping.store(true, Release);
        if handle.is_current() {
            // The writer's thread is exiting in place of the program's last thread, and will not
            // return from that.
            self.running.store(false, Release);
            return true;
        }
        self.token.give();
        // It is not supposed to panic. If it does, the caller of `stop` does the remaining work.
        handle.join();
        self.stopping.store(false, Release);
        true
    }

    fn run(&self, drain: &'static Drain) {
        let _running = Running(&self.running);
        let settings = drain.settings;
        let (mut next_tick, mut next_sync) =
            (Instant::now() + settings.interval, settings.sync.map(|every| Instant::now() + every));
        let mut last_look = Instant::now();
        while !self.stopping.load(Acquire) {
            let now = Instant::now();
            let has_work = self.handed.swap(0, Relaxed) > 0;
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
            let pause = next_tick.saturating_duration_since(Instant::now()).min(LOOK);
            let has_nothing_to_do = || drain.pool.queue.is_empty() && !self.stopping.load(Acquire);
            match has_work {
                true => self.token.take(pause.min(DOZE)),
                false => self.nap.sleep(has_nothing_to_do, || self.token.take(pause)),
            }
            if last_look.elapsed() >= LOOK {
                last_look = Instant::now();
                exit_if_last();
            }
        }
    }
}

/// Exits the process if only this thread is left, with the status that the C library uses when the
/// last thread of a program ends.
fn exit_if_last() {
    if is_last().unwrap_or(false) {
        // SAFETY: the exit handlers run in this thread, as they would have in the program's last
        // one.
        unsafe { libc::exit(0) };
    }
}

/// Returns whether the process has no threads except this one and its first, which has ended.
fn is_last() -> io::Result<bool> {
    // The entries `.` and `..` precede the threads.
    const FEW: usize = 2 + 2;
    let folder = open("/proc/self/task", OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
    let mut room = [MaybeUninit::uninit(); 1024];
    let mut threads = RawDir::new(folder, &mut room);
    for _ in 0..=FEW {
        match threads.next() {
            Some(entry) => _ = entry?,
            None => return Ok(is_first_over(&fs::read("/proc/self/stat")?)),
        }
    }
    Ok(false)
}

/// Returns whether the first thread, described by the contents of its `stat` file, has ended.
fn is_first_over(stat: &[u8]) -> bool {
    // The program's name, in parentheses, may contain anything. The state follows it.
    let state = stat.iter().rposition(|&byte| byte == b')').and_then(|at| stat.get(at + 2));
    state == Some(&b'Z')
}

impl Work for Drain {
    fn work(&'static self) {
        self.thread.run(self);
    }
}

/// Marks the thread as ended on drop, however it ended, so that no location waits for it any
/// longer.
struct Running<'a>(&'a AtomicBool);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.store(false, Release);
    }
}
