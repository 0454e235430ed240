//! Stacks of threads whose program measured out how much they need: the runtime and its plugins need some, too.
//!
//! The size in the program's attributes is larger while the thread is created, and then as it was. A stack that the program made itself
//! stays as it is.

use std::ffi::c_int;
use std::ptr;
use std::sync::{Mutex, MutexGuard, PoisonError};

use libc::pthread_attr_t;

/// What is added.
const RESERVE: usize = 256 << 10;
/// With this much nothing is.
const ENOUGH: usize = 1 << 20;

/// Whoever holds it may have changed attributes.
static CHANGED: Mutex<()> = Mutex::new(());

pub(super) type Hold = MutexGuard<'static, ()>;

/// Keeps attributes from being changed, while the process forks.
pub(super) fn hold() -> Hold {
    CHANGED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Creates a thread whose stack has room for the runtime.
///
/// # Safety
///
/// The attributes are null or valid.
pub(super) unsafe fn with_room(attributes: *const pthread_attr_t, create: impl FnOnce() -> c_int) -> c_int {
    // SAFETY: what the caller promises.
    let small = (!attributes.is_null()).then(|| unsafe { size(attributes) }).flatten();
    let Some(size) = small.filter(|&size| size < ENOUGH) else { return create() };
    let _changed = hold();
    // SAFETY: valid attributes, which are not used by others here at the same time. The program's own use is reading.
    unsafe { libc::pthread_attr_setstacksize(attributes.cast_mut(), size + RESERVE) };
    let result = create();
    // SAFETY: as above.
    unsafe { libc::pthread_attr_setstacksize(attributes.cast_mut(), size) };
    result
}

/// The size of a stack that the C library makes.
///
/// # Safety
///
/// The attributes are valid.
unsafe fn size(attributes: *const pthread_attr_t) -> Option<usize> {
    let (mut begin, mut size) = (ptr::null_mut(), 0);
    // SAFETY: both are written.
    let result = unsafe { libc::pthread_attr_getstack(attributes, &raw mut begin, &raw mut size) };
    // Without an address its end is null.
    if result != 0 || begin.addr().wrapping_add(size) != 0 {
        return None;
    }
    // SAFETY: it is written.
    (unsafe { libc::pthread_attr_getstacksize(attributes, &raw mut size) } == 0).then_some(size)
}
