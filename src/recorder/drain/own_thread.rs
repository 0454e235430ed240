//! A thread that the standard library knows nothing of.
//!
//! A thread of the standard library takes memory that cannot be refused, and thread-local memory in the thread that starts it, for which
//! the loader ends the program if it has none.

use core::{
    ffi::{CStr, c_void},
    mem::MaybeUninit,
    ptr,
    sync::atomic::{
        AtomicU32,
        Ordering::{Acquire, Release},
    },
    time::Duration,
};
use std::{io, panic::catch_unwind};

use rustix::thread::futex;

/// Bytes of its stack, unless the system wants more.
const STACK: usize = 1 << 20;

/// A thread that can be waited for.
#[derive(Debug)]
pub(super) struct OwnThread(libc::pthread_t);

/// What a thread does.
pub(super) trait Work: Sync + 'static {
    /// Does it, in the thread.
    fn work(&'static self);
}

impl OwnThread {
    /// Starts a thread of this name, which has at most 15 bytes.
    pub(super) fn start<W: Work>(name: &CStr, work: &'static W) -> io::Result<Self> {
        let work = ptr::from_ref(work).cast_mut().cast();
        // Miri knows no attributes.
        let stack = (!cfg!(miri)).then_some(STACK);
        let id = create::<W>(stack, work).or_else(|_| create::<W>(None, work))?;
        // SAFETY: the thread has not been waited for. Without its name it works as well.
        let _ = unsafe { libc::pthread_setname_np(id, name.as_ptr()) };
        Ok(Self(id))
    }

    /// Whether this is the calling thread.
    pub(super) fn is_current(&self) -> bool {
        // SAFETY: takes nothing.
        !cfg!(miri) && self.0 == unsafe { libc::pthread_self() }
    }

    /// Waits until it has ended.
    pub(super) fn join(self) {
        // SAFETY: a thread that nobody else waits for.
        unsafe { libc::pthread_join(self.0, ptr::null_mut()) };
    }
}

fn create<W: Work>(stack: Option<usize>, work: *mut c_void) -> io::Result<libc::pthread_t> {
    let attributes = stack.map(Attributes::new).transpose()?;
    let attributes = attributes.as_ref().map_or(ptr::null(), |attributes| attributes.0.as_ptr());
    let mut id = MaybeUninit::uninit();
    // SAFETY: the attributes are none or were made, and the thread gets what `run` expects.
    match unsafe { libc::pthread_create(id.as_mut_ptr(), attributes, run::<W>, work) } {
        // SAFETY: filled by the call that went well.
        0 => Ok(unsafe { id.assume_init() }),
        error => Err(io::Error::from_raw_os_error(error)),
    }
}

/// How a thread is to be made.
struct Attributes(MaybeUninit<libc::pthread_attr_t>);

impl Attributes {
    fn new(stack: usize) -> io::Result<Self> {
        let mut this = Self(MaybeUninit::uninit());
        // SAFETY: the call makes the attributes.
        match unsafe { libc::pthread_attr_init(this.0.as_mut_ptr()) } {
            0 => {}
            error => {
                core::mem::forget(this);
                return Err(io::Error::from_raw_os_error(error));
            }
        }
        // SAFETY: made above. A size that is refused leaves the usual one.
        unsafe { libc::pthread_attr_setstacksize(this.0.as_mut_ptr(), stack) };
        Ok(this)
    }
}

impl Drop for Attributes {
    fn drop(&mut self) {
        // SAFETY: made by `new`.
        unsafe { libc::pthread_attr_destroy(self.0.as_mut_ptr()) };
    }
}

extern "C" fn run<W: Work>(work: *mut c_void) -> *mut c_void {
    // SAFETY: what `start` was given, which lives for ever.
    let work = unsafe { &*work.cast::<W>() };
    // Nothing unwinds into C; who made the panic known has told of it.
    let _ = catch_unwind(core::panic::AssertUnwindSafe(|| work.work()));
    ptr::null_mut()
}

/// Something that a thread waits for and others give it. It can be given before it is waited for.
#[derive(Debug, Default)]
pub(super) struct Token(AtomicU32);

impl Token {
    /// Gives it.
    pub(super) fn give(&self) {
        if self.0.swap(1, Release) == 0 {
            let _ = futex::wake(&self.0, futex::Flags::PRIVATE, 1);
        }
    }

    /// Takes it if it is given within this time, sometimes earlier without it.
    pub(super) fn take(&self, within: Duration) {
        if self.0.swap(0, Acquire) == 0 {
            let time =
                futex::Timespec { tv_sec: within.as_secs() as _, tv_nsec: within.subsec_nanos().into() };
            let _ = futex::wait(&self.0, futex::Flags::PRIVATE, 0, Some(&time));
            self.0.swap(0, Acquire);
        }
    }
}
