//! The layer that a loader of OpenCL finds through `OPENCL_LAYERS`.
//!
//! The loader passes the table of its functions, and receives one of ours: the program's calls go
//! through it. Invariant: both tables are valid forever, and a function that the loader lacks has
//! no wrapper.

use std::ffi::c_void;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering::Relaxed, Ordering::SeqCst};

use super::IS_CHOSEN;
use super::functions::{COUNT, ClFunction, WORDS, WRAPPERS, WordFunction};
use crate::message::report;
use crate::next::keeping_errno;

/// `CL_SUCCESS` and other results.
pub(super) const SUCCESS: i32 = 0;
const INVALID_VALUE: i32 = -30;

/// The question for the version of the interface, and the answer.
const API_VERSION: u32 = 0x4240;
const VERSION: u32 = 100;

/// The functions of the loader; null for those that it lacks.
pub(super) static NEXT: [AtomicPtr<c_void>; COUNT] = [const { AtomicPtr::new(ptr::null_mut()) }; COUNT];
/// The functions of the layer.
static OWN: [AtomicPtr<c_void>; COUNT] = [const { AtomicPtr::new(ptr::null_mut()) }; COUNT];
/// In place of them where nothing is recorded: the loader fills in its own.
static NONE: [AtomicPtr<c_void>; COUNT] = [const { AtomicPtr::new(ptr::null_mut()) }; COUNT];
/// Whether a loader has passed its table.
static HAS_LOADER: AtomicBool = AtomicBool::new(false);

/// Tells which version of the interface for layers this is.
///
/// # Safety
///
/// As the interface requires: the places are null or writable, the first for `size` bytes.
#[unsafe(no_mangle)]
unsafe extern "C" fn clGetLayerInfo(name: u32, size: usize, value: *mut u32, size_place: *mut usize) -> i32 {
    if name != API_VERSION || !value.is_null() && size < size_of::<u32>() {
        return INVALID_VALUE;
    }
    // SAFETY: null, or writable for these bytes.
    unsafe {
        if let Some(value) = value.as_mut() {
            *value = VERSION;
        }
        if let Some(size) = size_place.as_mut() {
            *size = size_of::<u32>();
        }
    }
    SUCCESS
}

/// Receives the functions of a loader, and returns those of the layer.
///
/// # Safety
///
/// As the interface requires: a table of `count` functions, and writable places.
#[unsafe(no_mangle)]
unsafe extern "C" fn clInitLayer(
    count: u32,
    next: *const *mut c_void,
    count_place: *mut u32,
    table_place: *mut *const AtomicPtr<c_void>,
) -> i32 {
    if next.is_null() || count_place.is_null() || table_place.is_null() {
        return INVALID_VALUE;
    }
    let mut own = &NONE;
    if IS_CHOSEN.load(Relaxed) {
        if !HAS_LOADER.swap(true, SeqCst) {
            for (number, wrapper) in WRAPPERS.iter().enumerate().take(count as usize) {
                // SAFETY: an entry of the table.
                let function = unsafe { *next.add(number) };
                NEXT[number].store(function, Relaxed);
                let wrapper = if function.is_null() { ptr::null_mut() } else { *wrapper as *mut c_void };
                OWN[number].store(wrapper, Relaxed);
            }
            own = &OWN;
        } else {
            keeping_errno(|| report(format_args!("opencl: calls of a second loader are not recorded")));
        }
    }
    // SAFETY: both places are writable.
    unsafe {
        *count_place = COUNT as u32;
        *table_place = own.as_ptr();
    }
    SUCCESS
}

/// Returns an address in this library.
pub(super) fn own_address() -> *const c_void {
    clInitLayer as *const c_void
}

/// Calls a function of the loader with words, of which it may need less.
///
/// # Safety
///
/// The words must be valid arguments of the function.
pub(super) unsafe fn call(function: ClFunction, words: [usize; WORDS]) -> usize {
    let next = NEXT[function as usize].load(Relaxed);
    // SAFETY: a function of the loader, with its arguments.
    unsafe { call_at(next, function, words) }
}

/// Calls the function at an address; without one the call fails.
///
/// # Safety
///
/// Null, or a function whose arguments are words, and valid arguments of it.
pub(super) unsafe fn call_at(next: *mut c_void, function: ClFunction, words: [usize; WORDS]) -> usize {
    if next.is_null() {
        return function.missing();
    }
    // SAFETY: a function of the loader, whose arguments are words.
    let next = unsafe { std::mem::transmute::<*mut c_void, WordFunction>(next) };
    let [a, b, c, d, e, f, g, h, i, j, k, l, m, n] = words;
    // SAFETY: the words are valid arguments; more of them do no harm.
    unsafe { next(a, b, c, d, e, f, g, h, i, j, k, l, m, n) }
}

/// Calls a function of the loader; returns its result code.
///
/// # Safety
///
/// The words must be the arguments of the function, and its result a code.
pub(super) unsafe fn ask<const N: usize>(function: ClFunction, words: [usize; N]) -> i32 {
    let mut all = [0; WORDS];
    all.iter_mut().zip(words).for_each(|(to, word)| *to = word);
    // SAFETY: the words are the arguments of the function, which uses no others.
    unsafe { call(function, all) as i32 }
}
