//! The writer's thread: one of ours, which no signal reaches.
//!
//! A program whose threads have all ended by `pthread_exit` exits with its last one. With a thread of ours it would go on for ever, so
//! ours looks now and then whether it is the last, and then exits in its place.

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

/// Its name, as debuggers show it.
const NAME: &CStr = c"kymo-writer";

/// How often it looks whether the program has a thread left.
const LOOK: Duration = Duration::from_secs(1);

/// How long it dozes when there was something to do: more is coming then, and who wakes it makes a system call, which can take tens of
/// microseconds. Only when nothing has come meanwhile it sleeps until it is woken.
const DOZE: Duration = Duration::from_millis(5);

/// So many pieces interrupt a doze: they are the memory that it costs.
const MANY: u32 = 16;

/// The thread, once it runs.
#[derive(Debug, Default)]
pub(super) struct WriterThread {
    /// What it sleeps for.
    token: Token,
    /// Pieces handed over since it looked.
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

    /// Starts it; a second call changes nothing.
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

    /// Has it look at the queue, soon. To be called after a piece was put there.
    pub(super) fn handed(&self) {
        match self.handed.fetch_add(1, Relaxed) + 1 {
            MANY => self.wake(),
            _ => self.nap.wake(|| self.wake()),
        }
    }

    /// Has it look at the queue now.
    pub(super) fn wake(&self) {
        self.token.give();
    }

    /// Has it do what there is to do, and end.
    pub(super) fn stop(&self) {
        let handle = self.handle.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(handle) = handle else { return };
        self.stopping.store(true, Release);
        if handle.is_current() {
            // It exits in the place of the program's last thread, and does not come back from that.
            self.running.store(false, Release);
            return;
        }
        self.token.give();
        // It never panics on purpose; if it did, what it left undone is done by whoever stops it.
        handle.join();
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

/// Exits with the status that the C library exits with when the last thread of a program ends, if only this one is left.
fn exit_if_last() {
    if is_last().unwrap_or(false) {
        // SAFETY: what is registered for the exit runs in this thread, as it would have in the program's last one.
        unsafe { libc::exit(0) };
    }
}

/// Whether the process has no thread but this one and its first, which has ended.
fn is_last() -> io::Result<bool> {
    // Above the threads are the entries `.` and `..`.
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

/// Whether the first thread, of which the system's text tells, has ended.
fn is_first_over(stat: &[u8]) -> bool {
    // The name of the program, in parentheses, may hold anything; the state follows it.
    let state = stat.iter().rposition(|&byte| byte == b')').and_then(|at| stat.get(at + 2));
    state == Some(&b'Z')
}

impl Work for Drain {
    fn work(&'static self) {
        self.thread.run(self);
    }
}

/// Whoever waits for a thread that has ended, however that came, waits no longer.
struct Running<'a>(&'a AtomicBool);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.store(false, Release);
    }
}
