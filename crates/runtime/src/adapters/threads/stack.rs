//! Larger stacks for threads whose stack size the program chose: the runtime and its plugins also
//! need stack space.
//!
//! The size in the program's attributes is increased while the thread is created, and restored
//! afterwards. A stack that the program allocated itself is left as it is.

use std::ffi::c_int;
use std::ptr;
use std::sync::{Mutex, MutexGuard, PoisonError};

use libc::pthread_attr_t;

/// The number of bytes added.
const RESERVE: usize = 256 << 10;
/// The size from which nothing is added.
const ENOUGH: usize = 1 << 20;

/// Locked while attributes are changed.
static CHANGED: Mutex<()> = Mutex::new(());

pub(super) type ThreadStacksHold = MutexGuard<'static, ()>;

/// Keeps attributes from being changed while the process forks.
pub(super) fn hold() -> ThreadStacksHold {
    CHANGED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Creates a thread whose stack has room for the runtime.
///
/// # Safety
///
/// The attributes must be null or valid.
pub(super) unsafe fn with_room(attributes: *const pthread_attr_t, create: impl FnOnce() -> c_int) -> c_int {
    // SAFETY: the attributes are not null, so they are valid.
    let small = (!attributes.is_null()).then(|| unsafe { size(attributes) }).flatten();
    let Some(size) = small.filter(|&size| size < ENOUGH) else { return create() };
    let _changed = hold();
    // SAFETY: valid attributes, which no other thread changes here at the same time. The program
    // only reads them.
    unsafe { libc::pthread_attr_setstacksize(attributes.cast_mut(), size + RESERVE) };
    let result = create();
    // SAFETY: as above.
    unsafe { libc::pthread_attr_setstacksize(attributes.cast_mut(), size) };
    result
}

/// Returns the size of a stack that the C library allocates; `None` if the program provides the
/// stack.
///
/// # Safety
///
/// The attributes must be valid.
unsafe fn size(attributes: *const pthread_attr_t) -> Option<usize> {
    let (mut begin, mut size) = (ptr::null_mut(), 0);
    // SAFETY: both variables are writable.
    let result = unsafe { libc::pthread_attr_getstack(attributes, &raw mut begin, &raw mut size) };
    // If the address is not set, the end of the stack is null.
    if result != 0 || begin.addr().wrapping_add(size) != 0 {
        return None;
    }
    // SAFETY: the variable is writable.
    (unsafe { libc::pthread_attr_getstacksize(attributes, &raw mut size) } == 0).then_some(size)
}
