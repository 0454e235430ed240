//! The signal handler: walks the stack of the code that it interrupted and records a sample.
//!
//! Invariants: `errno` is preserved; the handler runs on a stack of its own; it waits only for
//! locks whose holders wait for nothing but a processor, and takes no memory from the program's
//! allocator. A sample is recorded when the handler returns, unless it interrupted the runtime:
//! then it waits for the thread's next event or sample, or is counted as lost.

use std::mem;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed, Ordering::SeqCst, compiler_fence};

use libc::{c_int, c_void, siginfo_t, ucontext_t};

use super::OF_THREAD;
use super::code_file::CodePosition;
use super::contexts::{ContextPlace, Walked};
use super::events::BaseSearch;
use super::generators::UNITS;
use super::last_walk::LastWalk;
use super::modules::{self, Walking};
use super::sampler::Sampler;
use super::unwinding::AllRegisters;
use super::walked_frames::{POSITIONS, Positions, StackContent, StackEnd};
use super::{claim, kind, least, now, record};
use crate::adapter;
use crate::cancellation;
use crate::current;
use crate::host::{Phase, host, is};
use crate::life::metrics;
use crate::locations::Location;
use crate::measurement;
use crate::next::keeping_errno;
use crate::own_signal;
use crate::thread::{self, MemoryUse};

/// The largest number of frames of a stack.
pub(super) const DEEPEST: usize = 256;
/// The free part of the stack that is required to begin a measurement, in bytes.
const ROOM: u64 = 512 << 10;

/// Returns the signal: a real-time signal, since programs have their own uses of `SIGPROF`.
pub(super) fn signal() -> c_int {
    libc::SIGRTMIN() + 5
}

/// Installs the handler; returns whether it is installed.
pub(super) fn install() -> bool {
    static IS_INSTALLED: AtomicBool = AtomicBool::new(false);
    if IS_INSTALLED.swap(true, Relaxed) {
        return !claim::is_claimed();
    }
    // SAFETY: all zeros is a value of this plain structure.
    let mut action: libc::sigaction = unsafe { mem::zeroed() };
    action.sa_sigaction = handle as extern "C-unwind" fn(c_int, *mut siginfo_t, *mut c_void) as usize;
    // Some programs have other things than a stack where the stack pointer points to, and an
    // alternate stack for all handlers.
    action.sa_flags = libc::SA_SIGINFO | libc::SA_RESTART | libc::SA_ONSTACK;
    // `sigfillset` leaves out the signal with which the C library cancels a thread at any
    // instruction. The cancellation would unwind through the handler.
    // SAFETY: the set is writable, and any bits are a value of it.
    unsafe { ptr::write_bytes(&raw mut action.sa_mask, 0xFF, 1) };
    let is_installed = claim::install(signal(), &action);
    if is_installed {
        own_signal::announce(signal(), is_own);
    }
    find_return();
    is_installed
}

/// Returns whether a signal comes from the thread's source.
fn is_own(info: &siginfo_t) -> bool {
    info.si_signo == signal() && OF_THREAD.of_thread().is_some_and(|sampler| sampler.source.sent(info))
}

/// The address at which handlers return, whose code asks the system to continue the interrupted
/// code; 0 if it is not known.
static RETURN: AtomicU64 = AtomicU64::new(0);

/// Asks the system for the address, which the C library has given it.
fn find_return() {
    #[cfg(target_arch = "x86_64")]
    {
        const SIZE: usize = 8;
        // The action as the system has it: handler, flags, return address, mask.
        let mut action = [0_u64; 4];
        // SAFETY: the place is as large as the action.
        let result = unsafe {
            libc::syscall(libc::SYS_rt_sigaction, signal(), ptr::null::<c_void>(), action.as_mut_ptr(), SIZE)
        };
        RETURN.store(if result == 0 { action[2] } else { 0 }, Relaxed);
    }
}

/// Returns whether an address of a stack is where a handler returns. The caller of that frame was
/// interrupted.
pub(super) fn is_return(address: u64) -> bool {
    let place = RETURN.load(Relaxed);
    // Addresses of callers are those of their last byte.
    place != 0 && (place == address || place == address.wrapping_add(1))
}

/// Takes a signal that is still pending for the calling thread, which would end a program that it
/// executes now.
pub(super) fn discard_pending() {
    // SAFETY: the sets are initialised before they are read.
    unsafe {
        let (mut set, mut before) = (mem::zeroed(), mem::zeroed());
        libc::sigemptyset(&raw mut set);
        libc::sigaddset(&raw mut set, signal());
        if libc::pthread_sigmask(libc::SIG_BLOCK, &raw const set, &raw mut before) == 0 {
            let now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
            while libc::sigtimedwait(&raw const set, ptr::null_mut(), &raw const now) > 0 {}
            libc::pthread_sigmask(libc::SIG_SETMASK, &raw const before, ptr::null_mut());
        }
    }
}

/// The handler. The thread ends here if it was cancelled meanwhile.
extern "C-unwind" fn handle(signal: c_int, info: *mut siginfo_t, context: *mut c_void) {
    // SAFETY: the system passes both, which nothing else refers to.
    let (info, interrupted) = unsafe { (&*info, &mut *context.cast::<ucontext_t>()) };
    if own_signal::pass_on(signal, info, interrupted) {
        return;
    }
    let is_postponed = cancellation::postpone();
    handle_own(info, context);
    if is_postponed {
        // SAFETY: the context, to which nothing refers any more; the first word of the set of
        // signals has 64 of them.
        let blocked = unsafe { (&raw const (*context.cast::<ucontext_t>()).uc_sigmask).cast::<u64>().read() };
        cancellation::cancel_postponed(blocked, signal);
    }
}

/// Takes a sample on the thread's stack for handlers. The measurement begins on the other stack,
/// since that needs more room.
fn handle_own(info: &siginfo_t, context: *mut c_void) {
    let Some(sampler) = OF_THREAD.of_thread() else { return };
    if !keeping_errno(|| kind().is_some_and(|kind| sampler.source.is_due(kind, info))) {
        return;
    }
    if sampler.handler_stack.run(|| handle_context(sampler, info, context)) {
        begin(sampler);
    }
}

/// Takes a sample. Returns whether the measurement should begin.
fn handle_context(sampler: &'static Sampler, info: &siginfo_t, context: *mut c_void) -> bool {
    let mut begins = false;
    keeping_errno(|| {
        // SAFETY: the system passes the context of the interrupted code.
        let context = unsafe { &*context.cast::<ucontext_t>() };
        // It may hold locks of its own, or those of a plugin.
        let is_runtime = !matches!(thread::memory_use(), MemoryUse::Program | MemoryUse::Call(_));
        let sample = || begins = sample(sampler, info, context, is_runtime);
        measurement::catching_panics(|| thread::with_separate_memory(sample));
        sampler.source.handled(info);
    });
    begins
}

/// Begins the measurement, if the thread's stack has room for that.
#[cold]
fn begin(sampler: &Sampler) {
    if sampler.room_below(thread::stack_pointer() as u64) >= ROOM {
        keeping_errno(|| measurement::catching_panics(|| drop(measurement::here_or_orphan())));
        keeping_errno(|| sampler.source.skip());
    }
}

/// Takes a sample of the program, or of the runtime at work. Returns whether the measurement should
/// begin.
fn sample(sampler: &'static Sampler, info: &siginfo_t, context: &ucontext_t, is_runtime: bool) -> bool {
    let Some(location) = current::location() else {
        return sample_first(sampler, info, context, is_runtime);
    };
    let Some(host) = host().filter(|_| location.enter_runtime()) else {
        sampler.lose();
        return false;
    };
    // As in `measurement::here`: the end of the measurement waits for this thread, or it sees that
    // the measurement ends.
    compiler_fence(SeqCst);
    if is(Phase::On) && host.is_recording() && location.sampler().is_some() {
        let mut time = host.clock.now();
        // Events that a handler of the program left are earlier.
        let must_wait = is_runtime || !location.interrupted.is_empty();
        thread::impatiently(|| {
            for adapter in adapter::of(host) {
                time = time.min(adapter.sampling(host, location, time, must_wait));
            }
        });
        let mut room = [CodePosition::NONE; POSITIONS];
        match InterruptedStack::walk(sampler, context, &mut room, Some(location), is_runtime) {
            None => sampler.lose(),
            Some(stack) => {
                let values = metrics::read_in_handler(host, location, stack.is_only_the_program);
                let count = location.metrics.len().min(metrics::MOST);
                sampler.put(time, units(sampler, info), stack.walked, &values[..count]);
                match must_wait {
                    true => location.has_pending.store(true, Relaxed),
                    false => thread::impatiently(|| record(host, location)),
                }
            }
        }
    } else {
        sampler.source.skip();
    }
    location.leave_runtime();
    false
}

/// Keeps a sample of a process whose measurement has not begun. Returns whether it should begin:
/// when there are enough samples, if the interrupted code allows it.
#[cold]
fn sample_first(sampler: &'static Sampler, info: &siginfo_t, context: &ucontext_t, is_runtime: bool) -> bool {
    if !measurement::is_pending() || thread::is_busy() || thread::is_gone() {
        return false;
    }
    let Some(time) = now() else { return false };
    let mut room = [CodePosition::NONE; POSITIONS];
    let Some(stack) = InterruptedStack::walk(sampler, context, &mut room, None, is_runtime) else {
        sampler.lose();
        return false;
    };
    sampler.put(time, units(sampler, info), stack.walked, &[]);
    let are_enough = sampler.has_many() || sampler.waiting_units() >= least();
    are_enough && !is_runtime && !thread::is_asynchronous() && stack.is_only_the_program
}

/// Returns for how many units of time a sample stands.
fn units(sampler: &Sampler, info: &siginfo_t) -> u32 {
    kind().map_or(UNITS, |kind| sampler.source.units(kind, info))
}

/// The stack of the interrupted code.
struct InterruptedStack<'a> {
    walked: Walked<'a>,
    /// It leads through no code that may hold a lock that an allocator needs.
    is_only_the_program: bool,
}

impl<'a> InterruptedStack<'a> {
    /// Returns `None` while a library is being unloaded.
    fn walk(
        sampler: &Sampler,
        context: &ucontext_t,
        room: &'a mut [CodePosition; POSITIONS],
        location: Option<&Location>,
        is_runtime: bool,
    ) -> Option<Self> {
        let start = AllRegisters::interrupted(context);
        let mut last = sampler.last_walk.try_lock().ok()?;
        let mut is_known = walk(sampler, &mut last, &start).is_some();
        if !is_runtime && modules::update_if_stale() {
            is_known = walk(sampler, &mut last, &start).is_some();
        }
        if !is_known {
            return None;
        }
        let mut search = BaseSearch::of(location);
        let all = last.frames();
        let found = search.position(all);
        let base = found.map_or(ContextPlace::default(), |_| search.base());
        let frames = all.get(..found.map_or(all.len(), |found| found + 1))?;
        let mut python = sampler.python.try_lock().ok()?;
        python.read();
        let native = frames.iter().map(|it| it.native());
        let end = StackEnd::of(found.is_some(), last.has_unknown_caller());
        let (positions, has_base) = Positions::of(native, end, &python, room);
        let mut content = StackContent::default();
        all.iter().for_each(|it| content.add(it.is_delicate));
        let walked = Walked { base, frames: positions.all(), has_base };
        Some(Self { walked, is_only_the_program: content.is_only_the_program() })
    }
}

fn walk(sampler: &Sampler, last: &mut LastWalk, start: &AllRegisters) -> Option<bool> {
    let walking = Walking::begin()?;
    let mut cache = sampler.cache.try_lock().ok()?;
    let stack = sampler.stack_above(start.of_frame().stack);
    Some(last.walk(&walking, start, &mut cache, stack.as_ref(), |_| false))
}
