//! The tool interface of OpenMP 5, which LLVM's and Intel's runtimes have.
//!
//! A runtime looks for `ompt_start_tool` when it is first used, and finds that of a preloaded
//! library first. Callbacks run inside the runtime: they never call it back. Invariants: a word
//! that the runtime keeps for this tool is an address of the event layer, or 0; a tool of the
//! program takes precedence.

mod abi;
mod callbacks;
mod target;

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use self::abi::{Data, Lookup, SetCallback, Tool};
use super::IS_CHOSEN;
use crate::cancellation::uncancelled;
use crate::message::report;
use crate::next::{Next, keeping_errno};
use crate::thread;

/// The function that registers callbacks; null before there is a runtime.
static SET: AtomicPtr<c_void> = AtomicPtr::new(ptr::null_mut());
/// The system's id of the thread that used OpenMP first; 0 after its end.
static FIRST: AtomicU64 = AtomicU64::new(0);
/// The callbacks about locks and critical sections.
const OF_LOCKS: [c_int; 4] = [17, 26, 27, 28];

static TOOL: Tool = Tool { initialize, finalize, data: Data::new() };

/// Returns the tool for a runtime that has just been initialised; null for none.
///
/// # Safety
///
/// The version must be null or a string.
#[unsafe(no_mangle)]
unsafe extern "C" fn ompt_start_tool(omp_version: c_uint, runtime_version: *const c_char) -> *const Tool {
    type Start = unsafe extern "C" fn(c_uint, *const c_char) -> *const Tool;
    // SAFETY: the type is that of OpenMP 5.
    static NEXT: Next<Start> = unsafe { Next::new(c"ompt_start_tool") };
    let own = NEXT.get().map_or(ptr::null(), |next| {
        // SAFETY: the version is null or a string. The next function is the runtime's own, or that
        // of another tool.
        unsafe { next(omp_version, runtime_version) }
    });
    if !IS_CHOSEN.load(Relaxed) {
        return own;
    }
    let named = std::env::var_os("OMP_TOOL_LIBRARIES").filter(|list| !list.is_empty());
    if own.is_null() && named.is_none() {
        return &raw const TOOL;
    }
    keeping_errno(|| {
        report(format_args!("OpenMP is not recorded: the program has a tool for OpenMP of its own"));
    });
    own
}

/// Asks the runtime for its callbacks.
unsafe extern "C" fn initialize(lookup: Lookup, _device: c_int, _data: *mut Data) -> c_int {
    let find = |name: &CStr| {
        // SAFETY: the runtime's function, with a string.
        let found = unsafe { lookup(name.as_ptr()) };
        // SAFETY: the interface specifies the type of the function of this name.
        found.map(|found| unsafe { std::mem::transmute::<unsafe extern "C" fn(), SetCallback>(found) })
    };
    let Some(set) = find(c"ompt_set_callback") else { return 0 };
    for &(number, callback) in callbacks::ALL {
        // SAFETY: the callback has the type of its number.
        unsafe { set(number, callback.address()) };
    }
    SET.store((set as *const c_void).cast_mut(), Relaxed);
    FIRST.store(thread::id(), Relaxed);
    1
}

/// Called when a thread ends that uses OpenMP. LLVM 14's runtime reports the end of a critical
/// section in the name of the thread that used OpenMP first, and does not survive that it is gone.
fn thread_ends() {
    let set = SET.load(Relaxed);
    if set.is_null() || FIRST.load(Relaxed) != thread::id() {
        return;
    }
    FIRST.store(0, Relaxed);
    // SAFETY: stored in `initialize`.
    let set = unsafe { std::mem::transmute::<*mut c_void, SetCallback>(set) };
    for number in OF_LOCKS {
        // SAFETY: null ends a callback.
        unsafe { set(number, ptr::null()) };
    }
    // Another thread may be about to make the last call.
    uncancelled(|| std::thread::sleep(Duration::from_millis(1)));
}

/// Considers the thread that is left the first one, in a forked child.
pub(super) fn forget() {
    FIRST.store(thread::id(), Relaxed);
}

/// The runtime ends; its callbacks have ended before.
unsafe extern "C" fn finalize(_data: *mut Data) {}

/// A callback, as the runtime keeps it.
#[derive(Debug, Clone, Copy)]
struct Callback(*const c_void);

// SAFETY: the address of a function.
unsafe impl Sync for Callback {}

impl Callback {
    const fn address(self) -> *const c_void {
        self.0
    }
}
