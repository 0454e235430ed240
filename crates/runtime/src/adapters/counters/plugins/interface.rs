//! The interface between Score-P and its metric plugins, version 1, as C sees it.
//!
//! Invariant: the sizes and offsets are those of docs/spec/runtime-modules.md, §6.4.

use std::ffi::{c_char, c_void};
use std::ops::{Range, RangeInclusive};
use std::ptr;

/// The newest version of the interface.
pub(super) const VERSION: u32 = 1;

/// For whom a plugin measures.
pub(super) const PER_THREAD: u32 = 0;
pub(super) const PER_PROCESS: u32 = 1;
pub(super) const PER_HOST: u32 = 2;
pub(super) const ONCE: u32 = 3;

/// When a plugin has values: at each event; at some events; with times of its own, collected at
/// events; and collected at the end.
pub(super) const STRICTLY_SYNCHRONOUS: u32 = 0;
pub(super) const SYNCHRONOUS: u32 = 1;
pub(super) const ASYNCHRONOUS_AT_EVENTS: u32 = 2;
pub(super) const ASYNCHRONOUS: u32 = 3;

/// When a plugin synchronises.
pub(super) const BEGIN: u32 = 0;
pub(super) const BEGIN_MPP: u32 = 1;
pub(super) const END: u32 = 2;

/// The information that a plugin gives about itself.
#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct Info {
    pub(super) version: u32,
    pub(super) run_per: u32,
    pub(super) synchronicity: u32,
    /// The shortest time between two calls for a value, in ticks of the clock.
    pub(super) delta: u64,
    pub(super) initialize: Option<unsafe extern "C" fn() -> i32>,
    pub(super) finalize: Option<unsafe extern "C" fn()>,
    /// Returns the metrics that a name in the list of the user stands for.
    pub(super) get_event_info: Option<unsafe extern "C" fn(*mut c_char) -> *mut Properties>,
    /// Begins to measure a metric, for the calling thread. Returns its number, or a negative one.
    pub(super) add_counter: Option<unsafe extern "C" fn(*mut c_char) -> i32>,
    pub(super) get_current_value: Option<GetCurrentValue>,
    pub(super) get_optional_value: Option<GetOptionalValue>,
    pub(super) set_clock_function: Option<unsafe extern "C" fn(extern "C" fn() -> u64)>,
    pub(super) get_all_values: Option<GetAllValues>,
    pub(super) synchronize: Option<unsafe extern "C" fn(bool, u32)>,
    reserved: [u64; 92],
}

pub(super) type GetInfo = unsafe extern "C" fn() -> Info;
pub(super) type GetCurrentValue = unsafe extern "C" fn(i32) -> u64;
/// Returns whether there is a value.
pub(super) type GetOptionalValue = unsafe extern "C" fn(i32, *mut u64) -> bool;
/// Returns the number of pairs, which the caller frees.
pub(super) type GetAllValues = unsafe extern "C" fn(i32, *mut *mut Pair) -> u64;

/// A metric. A list of them ends with one without a name.
#[repr(C)]
pub(super) struct Properties {
    pub(super) name: *mut c_char,
    pub(super) description: *mut c_char,
    pub(super) mode: u32,
    pub(super) value_type: u32,
    pub(super) base: u32,
    pub(super) exponent: i64,
    pub(super) unit: *mut c_char,
}

/// A value and its time.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(super) struct Pair {
    pub(super) time: u64,
    pub(super) value: u64,
}

const _: () = {
    assert!(size_of::<Info>() == 832 && size_of::<Properties>() == 48 && size_of::<Pair>() == 16);
    assert!(std::mem::offset_of!(Info, delta) == 16 && std::mem::offset_of!(Info, synchronize) == 88);
    assert!(std::mem::offset_of!(Properties, exponent) == 32);
};

/// A list of pairs that a plugin allocated, which this owns.
#[derive(Debug)]
pub(super) struct Pairs {
    start: *mut Pair,
    /// The pairs that are used.
    used: Range<usize>,
}

impl Pairs {
    pub(super) const NONE: Self = Self { start: ptr::null_mut(), used: 0..0 };

    /// Asks a plugin for the values of a metric.
    ///
    /// # Safety
    ///
    /// The number is one that the plugin gave to a metric.
    pub(super) unsafe fn of(get: GetAllValues, id: i32) -> Self {
        let mut start = ptr::null_mut();
        // SAFETY: the plugin gave this number to a metric, and the pointer can be written.
        let count = unsafe { get(id, &raw mut start) };
        let count = if start.is_null() { 0 } else { usize::try_from(count).unwrap_or(0) };
        Self { start, used: 0..count }
    }

    /// Returns the pairs.
    pub(super) fn all(&mut self) -> &mut [Pair] {
        if self.used.is_empty() {
            return &mut [];
        }
        // SAFETY: a part of the plugin's list, which the interface gives to the caller.
        unsafe { std::slice::from_raw_parts_mut(self.start.add(self.used.start), self.used.len()) }
    }

    /// Sorts the pairs by time, and leaves out those with times that are not allowed; returns their
    /// number.
    pub(super) fn restrict(&mut self, allowed: &RangeInclusive<u64>) -> usize {
        let all = self.all();
        let count = all.len();
        if !all.is_sorted_by_key(|pair| pair.time) {
            all.sort_unstable_by_key(|pair| pair.time);
        }
        let before = all.partition_point(|pair| pair.time < *allowed.start());
        let up_to = all.partition_point(|pair| pair.time <= *allowed.end());
        self.used = before..up_to.max(before);
        count - self.used.len()
    }
}

impl Drop for Pairs {
    fn drop(&mut self) {
        // SAFETY: null, or memory from `malloc` that the interface gives to the caller.
        unsafe { libc::free(self.start.cast::<c_void>()) };
    }
}

#[cfg(test)]
mod tests {
    use super::{Pair, Pairs};

    unsafe extern "C" fn four(_: i32, pairs: *mut *mut Pair) -> u64 {
        // SAFETY: the caller passes a place for a pointer; the memory is large enough.
        unsafe {
            *pairs = libc::malloc(4 * size_of::<Pair>()).cast();
            for (n, time) in [7, 5, 9, 3].into_iter().enumerate() {
                (*pairs).add(n).write(Pair { time, value: 10 * time });
            }
        }
        4
    }

    #[test]
    fn values_with_impossible_times_are_left_out() {
        for (allowed, kept) in [(0..=9, vec![3, 5, 7, 9]), (5..=8, vec![5, 7]), (10..=20, vec![])] {
            // SAFETY: the function takes any number.
            let mut pairs = unsafe { Pairs::of(four, 0) };
            assert_eq!(pairs.restrict(&allowed), 4 - kept.len(), "{allowed:?}");
            let left: Vec<u64> = pairs.all().iter().map(|pair| pair.time).collect();
            assert_eq!(left, kept, "{allowed:?}");
        }
    }
}
