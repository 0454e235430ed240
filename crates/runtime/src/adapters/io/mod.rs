//! Input and output: the functions of POSIX and of ISO C, with the events and definitions of
//! Score-P 8.4.
//!
//! Functions defined here interpose those of the C library, under every name that programs call.
//! Each calls the interposed function of its own name once, with the arguments that it received.
//! Invariants: no value with a destructor is alive around that call, since cancellation unwinds
//! through it; `errno` is preserved; a read or a write of the program takes no lock, allocates
//! nothing and makes no other system call; reads and writes of the runtime, its plugins and a
//! library of MPI are not recorded; a child made by `vfork` only passes calls on.

mod aio;
mod buffers;
mod creations;
mod definitions;
mod descriptors;
mod events;
mod files;
mod flags;
mod formatted;
mod functions;
mod handles;
mod lifetimes;
mod names;
mod raw;
mod streams;
mod transfers;

use std::ffi::{c_int, c_void};
use std::sync::MutexGuard;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use crate::adapter::Adapter;
use crate::adapters::{threads, waiting};
use crate::filtering;
use crate::measurement::{self, Here};
use crate::next::keeping_errno;
use crate::processes::ForkHold;
use crate::settings::Settings;
use crate::switch::Switch;
use crate::thread;

pub(super) use self::definitions::{IoHandle, IoParadigm};
use self::functions::Function;
pub(crate) use self::names::real_path;

/// The adapter of input and output, which must be chosen explicitly.
#[derive(Debug)]
pub(crate) struct Io;

/// The name by which settings choose it.
const NAME: &str = "io";

impl Adapter for Io {
    fn name(&self) -> &'static str {
        NAME
    }

    fn prepare(&self, settings: &Settings) -> bool {
        prepare(settings)
    }

    fn define(&self) {
        define();
    }

    fn awaited(&self) {
        SWITCH.turn_on();
    }

    fn begun(&self) {
        SWITCH.turn_on();
    }

    fn ended(&self) {
        SWITCH.turn_off();
    }

    fn hold(&self) {
        HELD.with(|held| held.keep(hold()));
    }

    fn release(&self) {
        drop(HELD.with(ForkHold::take));
    }

    fn forget(&self) {
        forget();
    }
}

thread_local! {
    static HELD: ForkHold<IoHold> = const { ForkHold::new() };
}

static SWITCH: Switch = Switch::new();
/// Threads are recorded, so that each thread of the program has a location.
static HAS_THREADS: AtomicBool = AtomicBool::new(false);

fn prepare(settings: &Settings) -> bool {
    let is_chosen = settings.names(NAME);
    if is_chosen {
        filtering::read(settings);
        raw::look_up();
        let have_locations =
            threads::are_chosen(settings) || waiting::are_chosen(settings) || settings.sampling.is_some();
        HAS_THREADS.store(have_locations, Relaxed);
        handles::prepare();
    }
    is_chosen
}

fn define() {
    handles::define();
    functions::define();
}

/// The guards that keep the tables from changing.
type IoHold = (handles::IoHandlesHold, MutexGuard<'static, usize>);

/// Keeps the tables from changing while the process forks.
fn hold() -> IoHold {
    (handles::hold(), aio::hold())
}

/// Keeps the handles of open descriptors for the measurement of a forked child.
fn forget() {
    handles::inherit();
    aio::forget();
}

/// Returns whether the calling thread's input and output is recorded.
#[inline(always)]
fn is_on() -> bool {
    SWITCH.is_on() && !thread::is_in_library() && !thread::is_stranger() && !thread::is_busy()
}

/// Executes an action before or after a call of the C library; a panic does not reach the program.
fn quietly(action: impl FnOnce()) {
    keeping_errno(|| measurement::catching_panics(action));
}

/// Returns the calling thread's location, if the function is recorded now.
fn here(function: Function) -> Option<Here> {
    // A forked child often only closes and duplicates before it becomes another program.
    if measurement::is_pending() && !function.begins() {
        return None;
    }
    match HAS_THREADS.load(Relaxed) {
        true => measurement::here(),
        false => measurement::here_or_orphan(),
    }
}

/// Returns the location of the calling thread, unless the measurement waits for its first event: a
/// handle that was taken from a table before it begins is that of the process which forked this
/// one.
fn here_if_begun() -> Option<Here> {
    if measurement::is_pending() { None } else { measurement::here() }
}

/// Returns the handle of a descriptor that the function is called with. A measurement that waits
/// for its first event begins before, since that replaces all handles.
#[inline]
fn handle_of(function: Function, descriptor: c_int) -> u32 {
    if function.begins() {
        measurement::awake();
    }
    descriptors::get(descriptor)
}

/// Calls a function within its region. `before` and `after` record the events in the region.
///
/// The thread is not inside the runtime during the call: it can wait there, and signal handlers are
/// recorded.
fn around<R: Copy>(
    function: Function,
    before: impl FnOnce(&Here),
    call: impl FnOnce() -> R,
    after: impl FnOnce(&Here, R),
) -> R {
    let mut entered = None;
    quietly(|| {
        if let Some(here) = here(function) {
            entered = Some(here.begin_call());
            here.enter(function.region());
            before(&here);
        }
    });
    let result = call();
    if let Some(number) = entered {
        quietly(|| {
            if let Some(here) = measurement::here() {
                after(&here, result);
                here.leave(function.region());
                here.end_call(number);
            }
        });
    }
    result
}

/// Like [`around`], but records no events in the region.
fn plain<R: Copy>(function: Function, call: impl FnOnce() -> R) -> R {
    around(function, |_| {}, call, |_, _| {})
}

/// Calls a function that may wait while input and output is not recorded.
#[inline(always)]
fn waits<R: Copy>(function: Function, next: impl FnOnce() -> R) -> R {
    waiting::around(function.lazy_region(), next)
}

/// Defines functions that interpose those of the C library with these names. Each looks up the next
/// function of its name. If input and output is recorded, it evaluates the body, where `next` calls
/// it; otherwise it calls it, or evaluates the expression after `else`.
///
/// ```text
/// interpose!([read __read](descriptor: c_int, bytes: *mut c_void, count: size_t) -> ssize_t,
///     |next| transfers::one(Function::Read, descriptor, count, next), else waits(Function::Read, next));
/// ```
macro_rules! interpose {
    ([$($name:ident)*] $arguments:tt -> $result:ty, |$next:ident| $body:expr) => {
        $($crate::adapters::io::interpose!(@ $name $arguments -> $result, |$next| $body, $next());)*
    };
    ([$($name:ident)*] $arguments:tt -> $result:ty, |$next:ident| $body:expr, else $other:expr) => {
        $($crate::adapters::io::interpose!(@ $name $arguments -> $result, |$next| $body, $other);)*
    };
    (@ $name:ident($($argument:ident: $type:ty),*) -> $result:ty, |$next:ident| $body:expr, $other:expr) => {
        /// # Safety
        ///
        /// The arguments must be valid for the C library's function of this name.
        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $name($($argument: $type),*) -> $result {
            type Next = unsafe extern "C-unwind" fn($($type),*) -> $result;
            const NAME: &::std::ffi::CStr = $crate::next::c_name(concat!(stringify!($name), "\0"));
            // SAFETY: the type is that in the header of the C library.
            static NEXT: $crate::next::Next<Next> = unsafe { $crate::next::Next::new(NAME) };
            let Some(next) = NEXT.get() else { return $crate::next::missing() };
            // SAFETY: the arguments are valid for the C library's function of this name.
            let $next = move || unsafe { next($($argument),*) };
            if $crate::adapters::io::is_on() { $body } else { $other }
        }
    };
}
use interpose;

/// Returns a number for an operation of this kind that no other operation in progress has: a thread
/// has at most one of each kind on a handle.
fn id(here: &Here, kind: u64) -> u64 {
    u64::from(here.location()) << 32 | kind
}

/// The bytes of an operation that has no known number of them.
const UNKNOWN: u64 = u64::MAX;
const _: () = assert!(size_of::<*const c_void>() == 8, "numbers of bytes have 64 bits");
