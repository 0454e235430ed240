//! The signal handler: walks the stack of the code that it interrupted and stores it.
//!
//! Invariants: `errno` is preserved; the handler takes no lock that another thread may hold and
//! allocates nothing, unless all of the interrupted code is the program's own.

use std::mem;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed, Ordering::SeqCst, compiler_fence};

use framehop::UnwindRegsNative;
use libc::{c_int, c_void, siginfo_t, ucontext_t};

use super::OF_THREAD;
use super::contexts::Walked;
use super::events::BaseSearch;
use super::modules::Walking;
use super::sampler::Sampler;
use super::{claim, least, now, record};
use crate::cancellation::uncancelled;
use crate::current;
use crate::host::{Phase, host, is};
use crate::life::metrics;
use crate::locations::Location;
use crate::measurement;
use crate::next::keeping_errno;
use crate::thread;

/// The largest number of frames of a stack.
pub(super) const DEEPEST: usize = 256;
/// The free part of the stack that is required to look up names, in bytes.
const ROOM: u64 = 256 << 10;

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
    action.sa_sigaction = handle as extern "C" fn(c_int, *mut siginfo_t, *mut c_void) as usize;
    action.sa_flags = libc::SA_SIGINFO | libc::SA_RESTART;
    // `sigfillset` leaves out the signal with which the C library cancels a thread at any
    // instruction. The cancellation would unwind through the handler.
    // SAFETY: the set is writable, and any bits are a value of it.
    unsafe { ptr::write_bytes(&raw mut action.sa_mask, 0xFF, 1) };
    let is_installed = claim::install(signal(), &action);
    find_return();
    is_installed
}

/// The address at which handlers return, whose code asks the system to continue what was
/// interrupted; 0 if it is not known.
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

pub(super) fn knows_return() -> bool {
    RETURN.load(Relaxed) != 0
}

/// Returns whether an address of a stack is where a handler returns. The caller of that frame was
/// interrupted.
pub(super) fn is_return(address: u64) -> bool {
    let place = RETURN.load(Relaxed);
    // Addresses of callers are those of their last byte.
    place != 0 && (place == address || place == address + 1)
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

extern "C" fn handle(_: c_int, _: *mut siginfo_t, context: *mut c_void) {
    keeping_errno(|| {
        let Some(sampler) = OF_THREAD.of_thread() else { return };
        // SAFETY: the system passes the context of the interrupted code.
        let context = unsafe { &*context.cast::<ucontext_t>() };
        measurement::catching_panics(|| sample(sampler, context));
        sampler.source.arm();
    });
}

fn sample(sampler: &'static Sampler, context: &ucontext_t) {
    let Some(location) = current::location() else { return sample_first(sampler, context) };
    let Some(host) = host().filter(|_| location.enter_runtime()) else { return sampler.lose() };
    // As in `measurement::here`: the end of the measurement waits for this thread, or it sees that
    // the measurement ends.
    compiler_fence(SeqCst);
    if is(Phase::On) && host.is_recording() && location.sampler().is_some() {
        let time = host.clock.now();
        let mut room = [0; DEEPEST];
        match Stack::walk(sampler, context, &mut room, Some(location)) {
            None => sampler.lose(),
            Some(stack) => {
                let values = metrics::read_in_handler(host, location, stack.may_work);
                let count = location.metrics.len().min(metrics::MOST);
                let many_wait = sampler.put(time, stack.walked, &values[..count]);
                location.has_pending.store(true, Relaxed);
                if many_wait && stack.may_work {
                    uncancelled(|| record(host, location));
                }
            }
        }
    }
    location.leave_runtime();
}

/// Keeps a sample of a process whose measurement has not begun. When there are enough of them, the
/// measurement begins, if the interrupted code allows it.
#[cold]
fn sample_first(sampler: &'static Sampler, context: &ucontext_t) {
    if !measurement::is_pending() || thread::is_busy() || thread::is_gone() {
        return;
    }
    let Some(time) = now() else { return };
    let mut room = [0; DEEPEST];
    let Some(stack) = Stack::walk(sampler, context, &mut room, None) else { return sampler.lose() };
    let many_wait = sampler.put(time, stack.walked, &[]);
    if stack.may_work && (many_wait || sampler.waiting() >= least()) {
        drop(measurement::here_or_orphan());
    }
}

/// The stack of the interrupted code.
struct Stack<'a> {
    walked: Walked<'a>,
    /// Memory may be allocated and names may be looked up.
    may_work: bool,
}

impl<'a> Stack<'a> {
    /// Returns `None` while a library is being unloaded.
    fn walk(
        sampler: &Sampler,
        context: &ucontext_t,
        room: &'a mut [u64; DEEPEST],
        location: Option<&Location>,
    ) -> Option<Self> {
        let walking = Walking::begin()?;
        let mut cache = sampler.cache.try_lock().ok()?;
        let (address, registers) = registers(context);
        let pointer = stack_pointer(context);
        let stack = sampler.stack_above(pointer);
        let (mut search, mut count) = (BaseSearch::of(location), 0);
        let mut found = None;
        let all = walking.walk(address, registers, &mut cache, stack, room, |frame| {
            if found.is_none() && search.ends_at(frame) {
                found = Some(count);
            }
            count += 1;
            false
        });
        let frames = room.get(..all)?;
        let may_work = sampler.room_below(pointer) >= ROOM
            && !thread::is_asynchronous()
            && walking.is_only_the_program(frames);
        let walked = search.walked(frames, found);
        Some(Self { walked, may_work })
    }
}

#[cfg(target_arch = "x86_64")]
fn stack_pointer(context: &ucontext_t) -> u64 {
    context.uc_mcontext.gregs[libc::REG_RSP as usize].cast_unsigned()
}

#[cfg(target_arch = "x86_64")]
fn registers(context: &ucontext_t) -> (u64, UnwindRegsNative) {
    let register = |number: c_int| context.uc_mcontext.gregs[number as usize].cast_unsigned();
    let (address, stack, frame) = (register(libc::REG_RIP), register(libc::REG_RSP), register(libc::REG_RBP));
    (address, UnwindRegsNative::new(address, stack, frame))
}

#[cfg(target_arch = "aarch64")]
fn stack_pointer(context: &ucontext_t) -> u64 {
    context.uc_mcontext.sp
}

#[cfg(target_arch = "aarch64")]
fn registers(context: &ucontext_t) -> (u64, UnwindRegsNative) {
    let machine = &context.uc_mcontext;
    let (link, frame) = (machine.regs[30], machine.regs[29]);
    (machine.pc, UnwindRegsNative::new(link, machine.sp, frame))
}
