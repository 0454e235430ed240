//! The signal of the runtime, in programs that block all signals.
//!
//! A program can block all signals and wait for them: the runtime's own, which is blocked, too,
//! would be returned there. It is taken in silence instead. Threads that begin with all signals
//! blocked, as those of many libraries, have this one unblocked. Invariant: if the program, which
//! has no handler for it, sends it to such a thread or to its process, it is as if it were blocked
//! there.

use std::ffi::c_int;
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed, Ordering::SeqCst, compiler_fence};
use std::time::{Duration, Instant};

use libc::{siginfo_t, sigset_t, timespec, ucontext_t};

use crate::next::{Next, keeping_errno};
use crate::program::thread_id;
use crate::readable;
use crate::slots::CountKey;

/// Whether the thread has begun with the signal blocked, and has it unblocked since.
const IS_UNBLOCKED: CountKey<2> = CountKey;

/// The signal, and the function that recognises one that the runtime asked for.
static OWN: OnceLock<(c_int, IsOwn)> = OnceLock::new();

/// The program uses the signal itself.
static IS_GIVEN_UP: AtomicBool = AtomicBool::new(false);

type IsOwn = fn(&siginfo_t) -> bool;
type Wait = unsafe extern "C-unwind" fn(*const sigset_t, *mut siginfo_t, *const timespec) -> c_int;

/// Makes the signal known.
pub(crate) fn announce(signal: c_int, is_own: IsOwn) {
    OWN.get_or_init(|| (signal, is_own));
}

/// Leaves the signal to the program.
pub(crate) fn give_up() {
    IS_GIVEN_UP.store(true, Relaxed);
}

/// Unblocks the signal of the calling thread, which begins.
pub(crate) fn unblock() {
    let Some(&(signal, _)) = OWN.get().filter(|_| !IS_GIVEN_UP.load(Relaxed)) else { return };
    let (mut set, mut before) = (MaybeUninit::uninit(), MaybeUninit::uninit());
    // SAFETY: each place is filled before it is read: the calls do not fail with these arguments.
    unsafe {
        libc::pthread_sigmask(libc::SIG_BLOCK, ptr::null(), before.as_mut_ptr());
        // A signal that is pending arrives as soon as it is unblocked.
        IS_UNBLOCKED.set_of_thread((libc::sigismember(before.as_ptr(), signal) == 1).into());
        compiler_fence(SeqCst);
        libc::sigemptyset(set.as_mut_ptr());
        libc::sigaddset(set.as_mut_ptr(), signal);
        libc::pthread_sigmask(libc::SIG_UNBLOCK, set.as_ptr(), ptr::null_mut());
    }
}

/// Adds the signal to a mask that a new thread inherits from the calling one, if the program takes
/// it for blocked here.
pub(crate) fn block_in(mask: &mut sigset_t) {
    if let Some(&(signal, _)) = OWN.get()
        && IS_UNBLOCKED.of_thread() != 0
    {
        // SAFETY: the set is initialised.
        unsafe { libc::sigaddset(ptr::from_mut(mask), signal) };
    }
}

/// Passes a signal on that the program has sent, if the thread would have it blocked without the
/// runtime; then it is blocked from the end of the handler on. Returns whether it is passed on.
///
/// To be called by the handler of the signal.
pub(crate) fn pass_on(signal: c_int, info: &siginfo_t, context: &mut ucontext_t) -> bool {
    // Those of the runtime's timers look like those of the program's.
    let codes = [libc::SI_USER, libc::SI_QUEUE, libc::SI_TKILL, libc::SI_MESGQ, libc::SI_ASYNCIO];
    let is_of_program = codes.contains(&info.si_code);
    if !is_of_program || IS_UNBLOCKED.of_thread() == 0 {
        return false;
    }
    IS_UNBLOCKED.set_of_thread(0);
    keeping_errno(|| {
        // SAFETY: the set is the system's, which it makes the mask of the thread.
        unsafe { libc::sigaddset(&raw mut context.uc_sigmask, signal) };
        send_again(signal, info);
    });
    true
}

/// Sends a signal that a handler has taken again, to the thread if it was sent by `tgkill`, else to
/// the process.
fn send_again(signal: c_int, info: &siginfo_t) {
    // SAFETY: the process and the thread are the own ones; the information is that of a signal.
    // Only the first thread may state that it was sent by `kill`, so that of another process is
    // stated to be from `sigqueue`, with its sender.
    unsafe {
        let process = libc::getpid();
        match info.si_code {
            libc::SI_TKILL => libc::syscall(libc::SYS_tgkill, process, thread_id() as c_int, signal),
            libc::SI_USER if info.si_pid() == process => libc::syscall(libc::SYS_kill, process, signal),
            _ => {
                let mut queued = *info;
                queued.si_code = libc::SI_QUEUE;
                libc::syscall(libc::SYS_rt_sigqueueinfo, process, signal, &raw const queued)
            }
        }
    };
}

/// Returns whether a set of the program has the signal. The system has 64 signals.
pub(crate) fn is_in(set: *const sigset_t) -> bool {
    let has =
        |signal: c_int| readable::word(set.addr() as u64).is_some_and(|set| set >> (signal - 1) & 1 == 1);
    OWN.get().is_some_and(|(signal, _)| has(*signal))
}

/// Waits like `sigtimedwait` for a signal that is not the runtime's.
///
/// # Safety
///
/// The arguments must be valid for `sigtimedwait`.
pub(crate) unsafe fn wait(set: *const sigset_t, info: *mut siginfo_t, time: *const timespec) -> c_int {
    // SAFETY: the type is that in <signal.h>.
    static NEXT: Next<Wait> = unsafe { Next::new(c"sigtimedwait") };
    let Some(next) = NEXT.get() else { return crate::next::missing() };
    let Some(limit) = limit_at(time) else {
        // SAFETY: the system checks the arguments.
        return unsafe { next(set, info, time) };
    };
    let begun = Instant::now();
    let mut left = limit;
    loop {
        let mut found = MaybeUninit::<siginfo_t>::uninit();
        let time = left.as_ref().map_or(ptr::null(), ptr::from_ref);
        // SAFETY: the set is the program's, the other places are valid.
        let signal = unsafe { next(set, found.as_mut_ptr(), time) };
        if signal < 0 {
            return signal;
        }
        // SAFETY: written, since there was a signal.
        let found = unsafe { found.assume_init() };
        if !OWN.get().is_some_and(|(own, is_own)| signal == *own && is_own(&found)) {
            // SAFETY: null or writable, as `sigtimedwait` requires.
            if let Some(place) = unsafe { info.as_mut() } {
                *place = found;
            }
            return signal;
        }
        left = limit.map(|limit| rest(limit, begun.elapsed()));
    }
}

/// Returns the time at a place, if there is one; `None` if the place is not mapped.
fn limit_at(place: *const timespec) -> Option<Option<timespec>> {
    let word = |number: u64| readable::word(place.addr() as u64 + 8 * number).map(u64::cast_signed);
    match place.is_null() {
        true => Some(None),
        false => Some(Some(timespec { tv_sec: word(0)?, tv_nsec: word(1)? })),
    }
}

/// Returns the rest of a time limit.
fn rest(limit: timespec, elapsed: Duration) -> timespec {
    let seconds = u64::try_from(limit.tv_sec).unwrap_or(0);
    let limit = Duration::new(seconds, u32::try_from(limit.tv_nsec).unwrap_or(0));
    let left = limit.saturating_sub(elapsed);
    timespec { tv_sec: left.as_secs().cast_signed(), tv_nsec: left.subsec_nanos().into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_passed_is_not_waited_for_again() {
        let time = |tv_sec, tv_nsec| timespec { tv_sec, tv_nsec };
        let left = rest(time(2, 500), Duration::from_millis(1500));
        assert_eq!((left.tv_sec, left.tv_nsec), (0, 500_000_500));
        let left = rest(time(1, 0), Duration::from_secs(3));
        assert_eq!((left.tv_sec, left.tv_nsec), (0, 0));
    }
}
