//! The writer's thread, which receives no signals.
//!
//! A process ends with the last of its threads, however they end. The writer's thread would keep it
//! running forever, so it periodically checks whether it is the last one, and if so, ends the
//! process as it would have ended without it.

use core::{
    ffi::CStr,
    mem::MaybeUninit,
    sync::atomic::{
        AtomicBool, AtomicI32, AtomicU32,
        Ordering::{Acquire, Relaxed, Release},
    },
};
use std::{
    fs, io,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use rustix::fs::{Access, Mode, OFlags, RawDir, access, open};
use rustix::process::getpid;
use rustix::thread::gettid;

use super::{
    nap::Nap,
    own_thread::{OwnThread, ThreadBody, Token},
    signals,
    writer::Writer,
};

/// The thread's name, as shown by debuggers.
const NAME: &CStr = c"kymo-writer";

/// How often it checks whether the program has a thread left, which delays an end that no exit
/// announces. A check is one small file.
const LOOK: Duration = Duration::from_millis(250);

/// How long it dozes after it had work. More work is likely then, and waking it costs the waking
/// thread a system call, which can take tens of microseconds. Only if nothing arrived in the
/// meantime does it sleep until it is woken.
const DOZE: Duration = Duration::from_millis(5);

/// The number of pieces that interrupts a doze, which bounds the memory held up by it.
const MANY: u32 = 16;

/// The writer, and the thread that operates it, once it runs.
#[derive(Debug)]
pub(super) struct WriterThread {
    writer: Writer,
    /// The token that it sleeps on.
    token: Token,
    /// The number of pieces handed over since it last looked.
    handed: AtomicU32,
    handle: Mutex<Option<OwnThread>>,
    /// The number that the system has given it; 0 under Miri, which has no such numbers.
    number: AtomicI32,
    running: AtomicBool,
    stopping: AtomicBool,
    nap: Nap,
}

impl WriterThread {
    pub(super) fn new(writer: Writer) -> Self {
        Self {
            writer,
            token: Token::default(),
            handed: AtomicU32::new(0),
            handle: Mutex::new(None),
            number: AtomicI32::new(0),
            running: AtomicBool::new(false),
            stopping: AtomicBool::new(false),
            nap: Nap::default(),
        }
    }

    #[inline(always)]
    pub(super) fn writer(&self) -> &Writer {
        &self.writer
    }

    pub(super) fn is_running(&self) -> bool {
        self.running.load(Relaxed)
    }

    /// Starts the thread. A second call has no effect.
    pub(super) fn start(&'static self) -> io::Result<()> {
        let mut handle = self.handle.lock().unwrap_or_else(PoisonError::into_inner);
        if handle.is_some() {
            return Ok(());
        }
        self.running.store(true, Release);
        let blocked = signals::Blocked::all();
        let started = OwnThread::start(NAME, self);
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
        wait_until_gone(self.number.load(Acquire));
        self.stopping.store(false, Release);
        true
    }

    fn run(&self) {
        let _running = Running(&self.running);
        if !cfg!(miri) {
            self.number.store(gettid().as_raw_nonzero().get(), Release);
        }
        let settings = self.writer.settings;
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
                self.writer.tick(sync);
            } else {
                self.writer.turn();
            }
            let pause = next_tick.saturating_duration_since(Instant::now()).min(LOOK);
            let has_nothing_to_do =
                || self.writer.buffers.pool.queue.is_empty() && !self.stopping.load(Acquire);
            match has_work {
                true => self.token.take(pause.min(DOZE)),
                false => self.nap.sleep(has_nothing_to_do, || self.token.take(pause)),
            }
            if last_look.elapsed() >= LOOK {
                last_look = Instant::now();
                end_if_last();
            }
        }
    }
}

/// Waits until a thread that has been joined is no longer one of the process: the system wakes who
/// joins it somewhat earlier. A debugger can keep it for as long as it likes.
fn wait_until_gone(number: i32) {
    const LONGEST: Duration = Duration::from_secs(1);
    let (path, begin) = (format!("/proc/self/task/{number}"), Instant::now());
    while number != 0 && access(&path, Access::EXISTS).is_ok() && begin.elapsed() < LONGEST {
        std::thread::yield_now();
    }
}

/// Ends the process if only this thread is left.
fn end_if_last() {
    let first = || fs::read(format!("/proc/self/task/{}/stat", getpid())).ok();
    let Some(status) = first().and_then(|stat| status_of_ended(&stat)) else { return };
    if has_others().unwrap_or(true) {
        return;
    }
    match status {
        // The last thread ended with `pthread_exit`, at which the C library exits.
        // SAFETY: the exit handlers run in this thread, as they would have in the program's last
        // one.
        0 => unsafe { libc::exit(0) },
        _ => end_with(status),
    }
}

/// Ends the process as its first thread has ended, which was killed alone (by a filter of system
/// calls), or ended with a status of its own.
fn end_with(status: i32) -> ! {
    let signal = status & 0x7F;
    // SAFETY: no thread of the program is left that a handler, a mask or a status could affect.
    unsafe {
        if signal != 0 {
            let mut set = MaybeUninit::uninit();
            libc::sigemptyset(set.as_mut_ptr());
            libc::sigaddset(set.as_mut_ptr(), signal);
            libc::signal(signal, libc::SIG_DFL);
            libc::pthread_sigmask(libc::SIG_UNBLOCK, set.as_ptr(), core::ptr::null_mut());
            libc::raise(signal);
        }
        libc::_exit(status >> 8)
    }
}

/// Returns whether the process has threads except this one and its first.
fn has_others() -> io::Result<bool> {
    // The entries `.` and `..` precede the threads.
    const FEW: usize = 2 + 2;
    let folder = open("/proc/self/task", OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
    let mut room = [MaybeUninit::uninit(); 1024];
    let mut threads = RawDir::new(folder, &mut room);
    for _ in 0..=FEW {
        match threads.next() {
            Some(entry) => _ = entry?,
            None => return Ok(false),
        }
    }
    Ok(true)
}

/// Returns the status with which a thread has ended, from the contents of its `stat` file; `None`
/// if it has not.
fn status_of_ended(stat: &[u8]) -> Option<i32> {
    /// The place of the status after the state.
    const STATUS: usize = 52 - 3;
    // The program's name, in parentheses, may contain anything. The state follows it.
    let after = stat.iter().rposition(|&byte| byte == b')')? + 1;
    let mut words = std::str::from_utf8(stat.get(after..)?).ok()?.split_ascii_whitespace();
    (words.next()? == "Z").then(|| words.nth(STATUS - 1)?.parse().ok()).flatten()
}

impl ThreadBody for WriterThread {
    fn run_in_thread(&'static self) {
        self.run();
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
