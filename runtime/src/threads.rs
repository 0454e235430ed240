//! POSIX threads: their creation and end, mutexes and condition variables. Threads of C++ and Rust are POSIX threads, too.
//!
//! Functions of these names stand before those of the C library, and each calls the one it stands before, once, with what it was given.
//! Invariants: nothing with a destructor is alive around that call, since cancellation unwinds through it; threads that the runtime and
//! its plugins make are not recorded; `errno` stays as it is.

mod life;
mod locks;
mod stack;

use std::ffi::c_int;
use std::sync::OnceLock;

use kymo_substrate::bindings::{
    SCOREP_PARADIGM_PTHREAD, SCOREP_REGION_THREAD_CREATE, SCOREP_REGION_THREAD_WAIT, SCOREP_REGION_WRAPPER,
};

use crate::adapter::Adapter;
use crate::measurement::{self, Here, Region};
use crate::next::keeping_errno;
use crate::settings::Settings;
use crate::switch::{Switch, is_chosen};

/// This kind of instrumentation.
pub(crate) static ADAPTER: Adapter = Adapter {
    name: "threads",
    prepare,
    define,
    begun: || SWITCH.turn_on(),
    ended: || SWITCH.turn_off(),
    ..Adapter::NONE
};

static SWITCH: Switch = Switch::new();
static REGIONS: OnceLock<[Region; Function::ALL.len()]> = OnceLock::new();

fn prepare(settings: &Settings) -> bool {
    life::prepare();
    is_chosen(settings, ADAPTER.name)
}

fn define() {
    REGIONS.get_or_init(|| Function::ALL.map(Function::define));
}

/// Where Score-P says that these functions are.
const FILE: &[u8] = b"PTHREAD";

/// The functions that have a region.
#[derive(Debug, Clone, Copy)]
enum Function {
    Create,
    Join,
    MutexLock,
    MutexUnlock,
    MutexTrylock,
    CondSignal,
    CondBroadcast,
    CondWait,
    CondTimedwait,
}

impl Function {
    const ALL: [Self; 9] = [
        Self::Create,
        Self::Join,
        Self::MutexLock,
        Self::MutexUnlock,
        Self::MutexTrylock,
        Self::CondSignal,
        Self::CondBroadcast,
        Self::CondWait,
        Self::CondTimedwait,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Create => "pthread_create",
            Self::Join => "pthread_join",
            Self::MutexLock => "pthread_mutex_lock",
            Self::MutexUnlock => "pthread_mutex_unlock",
            Self::MutexTrylock => "pthread_mutex_trylock",
            Self::CondSignal => "pthread_cond_signal",
            Self::CondBroadcast => "pthread_cond_broadcast",
            Self::CondWait => "pthread_cond_wait",
            Self::CondTimedwait => "pthread_cond_timedwait",
        }
    }

    fn define(self) -> Region {
        let kind = match self {
            Self::Create => SCOREP_REGION_THREAD_CREATE,
            Self::Join => SCOREP_REGION_THREAD_WAIT,
            _ => SCOREP_REGION_WRAPPER,
        };
        let name = self.name().as_bytes();
        measurement::define_region(name, name, Some(FILE), 0, 0, SCOREP_PARADIGM_PTHREAD, kind)
    }

    fn region(self) -> Region {
        REGIONS.get().and_then(|regions| regions.get(self as usize)).copied().unwrap_or_default()
    }
}

/// What keeps threads and locks from changing.
pub(crate) type Hold = (stack::Hold, life::Hold, locks::Hold);

/// Keeps them from changing, while the process forks.
pub(crate) fn hold() -> Hold {
    (stack::hold(), life::hold(), locks::hold())
}

/// In a forked child: the threads of the parent are not here.
pub(crate) fn forget() {
    life::forget();
    locks::forget();
}

/// Whether threads are recorded.
#[inline(always)]
fn is_on() -> bool {
    SWITCH.is_on()
}

/// Calls a function with its region around it. `before` and `after` record what happens in the region.
///
/// The thread is not inside the runtime during the call: it can wait there, and signal handlers are recorded.
fn around(
    function: Function,
    before: impl FnOnce(&Here),
    call: impl FnOnce() -> c_int,
    after: impl FnOnce(&Here, c_int),
) -> c_int {
    let region = function.region();
    let is_recorded = enter(|here| {
        here.enter(region);
        before(here);
    });
    let result = call();
    if is_recorded {
        enter(|here| {
            after(here, result);
            here.leave(region);
        });
    }
    result
}

/// Does something with the location of this thread; whether it has one.
fn enter(action: impl FnOnce(&Here)) -> bool {
    keeping_errno(|| measurement::here().map(|here| action(&here)).is_some())
}

/// A function that stands before that of the C library: it finds the next one, calls it if threads are not recorded, and else does what is
/// said, with the next one as `next`.
///
/// ```text
/// interpose!(fn pthread_mutex_lock(mutex: *mut pthread_mutex_t) -> c_int, |next| locks::lock(mutex, next));
/// ```
macro_rules! interpose {
    (fn $name:ident($($argument:ident: $type:ty),*) -> c_int, |$next:ident| $body:expr) => {
        /// # Safety
        ///
        /// As that of the C library.
        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $name($($argument: $type),*) -> ::std::ffi::c_int {
            type Next = unsafe extern "C-unwind" fn($($type),*) -> ::std::ffi::c_int;
            const NAME: &::std::ffi::CStr =
                match ::std::ffi::CStr::from_bytes_with_nul(concat!(stringify!($name), "\0").as_bytes()) {
                    Ok(name) => name,
                    Err(_) => unreachable!(),
                };
            // SAFETY: the type is that of <pthread.h>.
            static NEXT: $crate::next::Next<Next> = unsafe { $crate::next::Next::new(NAME) };
            let Some(next) = NEXT.get() else { return ::libc::ENOSYS };
            // SAFETY: what the caller promises.
            let $next = move || unsafe { next($($argument),*) };
            if $crate::threads::is_on() { $body } else { $next() }
        }
    };
}
use interpose;
