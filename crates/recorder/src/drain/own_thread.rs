//! A thread created without the standard library.
//!
//! Starting a thread with the standard library takes memory that cannot be refused. It also takes
//! thread-local memory in the starting thread, and the loader ends the program if there is none.

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

/// The size of its stack in bytes, unless the system requires more.
const STACK: usize = 1 << 20;

/// A thread that can be joined.
#[derive(Debug)]
pub(super) struct OwnThread(libc::pthread_t);

/// The work of a thread.
pub(super) trait ThreadBody: Sync + 'static {
    /// Does the work, in the thread.
    fn run_in_thread(&'static self);
}

impl OwnThread {
    /// Starts a thread with the given name, which is at most 15 bytes long.
    pub(super) fn start<B: ThreadBody>(name: &CStr, body: &'static B) -> io::Result<Self> {
        let body = ptr::from_ref(body).cast_mut().cast();
        // Miri does not support attributes.
        let stack = (!cfg!(miri)).then_some(STACK);
        let id = create::<B>(stack, body).or_else(|_| create::<B>(None, body))?;
        // SAFETY: the thread has not been joined. If naming it fails, it works without a name.
        let _ = unsafe { libc::pthread_setname_np(id, name.as_ptr()) };
        Ok(Self(id))
    }

    /// Returns whether this is the calling thread.
    pub(super) fn is_current(&self) -> bool {
        // SAFETY: the function has no preconditions.
        !cfg!(miri) && self.0 == unsafe { libc::pthread_self() }
    }

    /// Waits until the thread has ended.
    pub(super) fn join(self) {
        // SAFETY: `self` is consumed, so the thread is joined only once.
        unsafe { libc::pthread_join(self.0, ptr::null_mut()) };
    }
}

fn create<B: ThreadBody>(stack: Option<usize>, body: *mut c_void) -> io::Result<libc::pthread_t> {
    let attributes = stack.map(Attributes::new).transpose()?;
    let attributes = attributes.as_ref().map_or(ptr::null(), |attributes| attributes.0.as_ptr());
    let mut id = MaybeUninit::uninit();
    // SAFETY: the attributes are null or initialised, and `body` is a `&'static B`, as `run`
    // expects.
    match unsafe { libc::pthread_create(id.as_mut_ptr(), attributes, run::<B>, body) } {
        // SAFETY: the successful call initialised it.
        0 => Ok(unsafe { id.assume_init() }),
        error => Err(io::Error::from_raw_os_error(error)),
    }
}

/// The attributes of a new thread.
struct Attributes(MaybeUninit<libc::pthread_attr_t>);

impl Attributes {
    fn new(stack: usize) -> io::Result<Self> {
        let mut this = Self(MaybeUninit::uninit());
        // SAFETY: the call initialises the attributes.
        match unsafe { libc::pthread_attr_init(this.0.as_mut_ptr()) } {
            0 => {}
            error => {
                core::mem::forget(this);
                return Err(io::Error::from_raw_os_error(error));
            }
        }
        // SAFETY: initialised above. If the size is refused, the default remains.
        unsafe { libc::pthread_attr_setstacksize(this.0.as_mut_ptr(), stack) };
        Ok(this)
    }
}

impl Drop for Attributes {
    fn drop(&mut self) {
        // SAFETY: initialised by `new`.
        unsafe { libc::pthread_attr_destroy(self.0.as_mut_ptr()) };
    }
}

extern "C" fn run<B: ThreadBody>(body: *mut c_void) -> *mut c_void {
    // SAFETY: this is the reference passed to `start`, which is `'static`.
    let body = unsafe { &*body.cast::<B>() };
    // Nothing may unwind into C. The panic hook has already reported the panic.
    let _ = catch_unwind(core::panic::AssertUnwindSafe(|| body.run_in_thread()));
    ptr::null_mut()
}

/// A wake-up token that one thread waits for and others give. It can be given before it is waited
/// for.
#[derive(Debug, Default)]
pub(super) struct Token(AtomicU32);

impl Token {
    /// Gives the token.
    pub(super) fn give(&self) {
        if self.0.swap(1, Release) == 0 {
            let _ = futex::wake(&self.0, futex::Flags::PRIVATE, 1);
        }
    }

    /// Waits until the token is given, for at most `within`, and takes it. May return earlier
    /// without it.
    pub(super) fn take(&self, within: Duration) {
        if self.0.swap(0, Acquire) == 0 {
            let time =
                futex::Timespec { tv_sec: within.as_secs() as _, tv_nsec: within.subsec_nanos().into() };
            let _ = futex::wait(&self.0, futex::Flags::PRIVATE, 0, Some(&time));
            self.0.swap(0, Acquire);
        }
    }
}
