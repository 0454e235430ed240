//! Open files by handle. Handles are numbers that are never reused.

use std::collections::HashMap;
use std::ffi::c_void;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use crate::reading::Reading;
use crate::writing::Writing;

/// `Ttf_FileHandleT`.
pub(crate) type Handle = *mut c_void;

/// An open file.
#[derive(Clone)]
pub(crate) enum Open {
    Reading(Arc<Reading>),
    Writing(Arc<Writing>),
}

static FILES: LazyLock<Mutex<HashMap<usize, Open>>> = LazyLock::new(Mutex::default);
static NEXT: AtomicUsize = AtomicUsize::new(1);

/// Handles are multiples of this number, so that they look like aligned addresses.
const STEP: usize = 16;

fn files() -> MutexGuard<'static, HashMap<usize, Open>> {
    // A panic does not leave the table half changed.
    FILES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Creates a handle for a file.
pub(crate) fn add(file: Open) -> Handle {
    let number = STEP * NEXT.fetch_add(1, Ordering::Relaxed);
    files().insert(number, file);
    std::ptr::without_provenance_mut(number)
}

/// Returns the file of a handle.
pub(crate) fn get(handle: Handle) -> Option<Open> {
    files().get(&handle.addr()).cloned()
}

/// Removes the file of a handle. A read in progress continues to its end.
pub(crate) fn remove(handle: Handle) -> Option<Open> {
    files().remove(&handle.addr())
}
