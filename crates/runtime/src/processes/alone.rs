//! Calls that need a process with a single thread. The threads of plugins do not count: they end
//! for the time of the call.
//!
//! The system refuses `unshare` and `setns` to a process with several threads. The C library
//! changes users and groups in every thread, and aborts if a thread is refused the change that
//! another one could make. Yet capabilities belong to a thread (`PR_SET_KEEPCAPS`, `capset`), and a
//! program with one thread prepares only that.
//!
//! Invariant: while plugins have no thread, the program's threads do their work.

use std::ffi::{CStr, c_char, c_int};
use std::mem;
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering::Relaxed};

use libc::{gid_t, uid_t};

use super::measured::is_measured;
use crate::cancellation::uncancelled;
use crate::next::{Next, c_name, keeping_errno};

/// Ends the threads of a plugin, or starts them again.
type Pause = extern "C" fn(pauses: c_int);

/// As many plugins as anyone uses at once.
const MOST: usize = 8;

/// The functions of the plugins of this process.
static PAUSES: [AtomicPtr<()>; MOST] = [const { AtomicPtr::new(ptr::null_mut()) }; MOST];

/// Receives the function by which a plugin ends its threads and starts them again. Called by
/// plugins, which look for this name.
#[unsafe(no_mangle)]
extern "C" fn kymo_runtime_pauses(pause: Pause) {
    let free = |place: &&AtomicPtr<()>| {
        place.compare_exchange(ptr::null_mut(), pause as *mut (), Relaxed, Relaxed).is_ok()
    };
    // The threads of more plugins only remain.
    let _ = PAUSES.iter().find(free);
}

/// Forgets the plugins of the parent in a forked child.
pub(super) fn forget() {
    PAUSES.iter().for_each(|place| place.store(ptr::null_mut(), Relaxed));
}

fn pause(pauses: bool) {
    let known = PAUSES.iter().map(|place| place.load(Relaxed)).filter(|place| !place.is_null());
    // SAFETY: the function of a plugin, which stays loaded.
    let known = known.map(|known| unsafe { mem::transmute::<*mut (), Pause>(known) });
    keeping_errno(|| uncancelled(|| known.for_each(|each| each(c_int::from(pauses)))));
}

/// Executes a call without threads of plugins.
fn alone<T>(call: impl FnOnce() -> T) -> T {
    if !is_measured() {
        return call();
    }
    pause(true);
    let result = call();
    pause(false);
    result
}

/// Ends the threads of plugins for good: the first thread of the process ends, and the last one of
/// the program is to be the last one of the process, which exits then.
pub(crate) fn main_thread_ends() {
    if is_measured() {
        pause(true);
    }
}

/// Returns whether `unshare` with these flags needs a process with a single thread.
fn is_refused_to_several(flags: c_int) -> bool {
    flags & (libc::CLONE_NEWUSER | libc::CLONE_THREAD | libc::CLONE_SIGHAND | libc::CLONE_VM) != 0
}

/// # Safety
///
/// The arguments must be valid for the C library's function of this name.
#[unsafe(no_mangle)]
unsafe extern "C" fn unshare(flags: c_int) -> c_int {
    // SAFETY: the type is that in <sched.h>.
    static NEXT: Next<unsafe extern "C" fn(c_int) -> c_int> = unsafe { Next::new(c"unshare") };
    let Some(next) = NEXT.get() else { return -1 };
    // SAFETY: the system checks the flags.
    let call = || unsafe { next(flags) };
    if is_refused_to_several(flags) { alone(call) } else { call() }
}

/// Defines functions that are executed without threads of plugins.
macro_rules! alone {
    ($($name:ident($($argument:ident: $of:ty),*);)*) => {$(
        /// # Safety
        ///
        /// The arguments must be valid for the C library's function of this name.
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name($($argument: $of),*) -> c_int {
            const NAME: &CStr = c_name(concat!(stringify!($name), "\0"));
            // SAFETY: the type is that in <sched.h>, <unistd.h> or <grp.h>.
            static NEXT: Next<unsafe extern "C" fn($($of),*) -> c_int> = unsafe { Next::new(NAME) };
            let Some(next) = NEXT.get() else { return -1 };
            // SAFETY: the arguments are valid for the C library's function of this name.
            alone(|| unsafe { next($($argument),*) })
        }
    )*};
}

alone! {
    // The kind of the namespace may only be known to the descriptor.
    setns(descriptor: c_int, kind: c_int);
    setuid(user: uid_t);
    seteuid(user: uid_t);
    setreuid(real: uid_t, effective: uid_t);
    setresuid(real: uid_t, effective: uid_t, saved: uid_t);
    setgid(group: gid_t);
    setegid(group: gid_t);
    setregid(real: gid_t, effective: gid_t);
    setresgid(real: gid_t, effective: gid_t, saved: gid_t);
    setgroups(count: usize, groups: *const gid_t);
    initgroups(user: *const c_char, group: gid_t);
}
