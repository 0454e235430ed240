//! Faults on purpose: an overflow of a block of the recorder's memory and a race, which sanitizers have to report, and a panic,
//! which the program must not notice.
//!
//! Only in builds with the feature `deliberate-faults`, and there only if the variable `KYMO_DELIBERATE_FAULT` says `overflow`,
//! `race` or `panic`, or `panic` and a rank. `scripts/sanitize` proves with them that it would see such a fault of the plugin itself.

use core::cell::UnsafeCell;
use std::env;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use crate::BUDGET;

/// Read once: each look at the environment takes a lock, and that alone would order the threads of [`race`].
static FAULT: OnceLock<String> = OnceLock::new();

fn fault() -> &'static str {
    FAULT.get_or_init(|| env::var("KYMO_DELIBERATE_FAULT").unwrap_or_default())
}

/// Panics if the variable asks for that on this rank; called when the processes know each other.
pub(crate) fn commit_on(rank: u32) {
    if fault() == format!("panic {rank}") {
        panic!("on purpose");
    }
}

/// Does what the variable asks for; called whenever a thread begins to use its location.
pub(crate) fn commit() {
    match fault() {
        "overflow" => overflow(),
        "race" => race(),
        "panic" => panic!("on purpose"),
        _ => {}
    }
}

/// Writes the byte behind a block.
#[inline(never)]
fn overflow() {
    let Some(mut block) = BUDGET.take(1) else { return };
    let end = block.len();
    // SAFETY: none, it is the fault. The byte belongs to the allocator or to nobody.
    unsafe { block.start().add(end).write_volatile(1) };
}

struct Shared(UnsafeCell<u64>);

// SAFETY: none, it is the fault.
unsafe impl Sync for Shared {}

static SHARED: Shared = Shared(UnsafeCell::new(0));

/// Counts without telling other threads, for so long that they all meet here.
#[inline(never)]
fn race() {
    let end = Instant::now() + Duration::from_millis(50);
    while Instant::now() < end {
        // SAFETY: none, it is the fault.
        unsafe { *SHARED.0.get() += 1 };
    }
}
