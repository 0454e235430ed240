//! The signal of the runtime, in calls of the program that wait for signals.
//!
//! A program can block all signals and wait for them: the runtime's own, which is blocked, too,
//! would be returned there. It is taken in silence instead.

use std::ffi::c_int;
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use libc::{siginfo_t, sigset_t, timespec};

use crate::next::Next;
use crate::readable;

/// The signal, and the function that recognises one that the runtime asked for.
static OWN: OnceLock<(c_int, IsOwn)> = OnceLock::new();

type IsOwn = fn(&siginfo_t) -> bool;
type Wait = unsafe extern "C-unwind" fn(*const sigset_t, *mut siginfo_t, *const timespec) -> c_int;

/// Makes the signal known.
pub(crate) fn announce(signal: c_int, is_own: IsOwn) {
    OWN.get_or_init(|| (signal, is_own));
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
/// As for `sigtimedwait`.
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
            // SAFETY: null or writable, as the caller guarantees.
            unsafe { info.as_mut() }.into_iter().for_each(|place| *place = found);
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

/// Returns what is left of a time.
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
