//! Deliberate faults: a buffer overflow in the recorder's memory and a data race, which sanitizers
//! must report, and a panic, which the program must not notice.
//!
//! They exist only in builds with the feature `deliberate-faults`, and run only if the variable
//! `KYMO_DELIBERATE_FAULT` is `overflow`, `race`, `panic`, or `panic` followed by a rank.
//! `cargo xtask sanitize` uses them to prove that it would detect such a fault in the plugin.

use core::cell::UnsafeCell;
use std::env;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use crate::BUDGET;

/// The requested fault. It is read only once because each access to the environment takes a lock,
/// and that lock would order the threads of [`race`].
static FAULT: OnceLock<String> = OnceLock::new();

fn fault() -> &'static str {
    FAULT.get_or_init(|| env::var("KYMO_DELIBERATE_FAULT").unwrap_or_default())
}

/// Panics if the variable asks for a panic on this rank. Called once the ranks are known.
pub(crate) fn commit_on(rank: u32) {
    if fault() == format!("panic {rank}") {
        panic!("on purpose");
    }
}

/// Commits the fault that the variable asks for. Called whenever a thread starts to use its
/// location.
pub(crate) fn commit() {
    match fault() {
        "overflow" => overflow(),
        "race" => race(),
        "panic" => panic!("on purpose"),
        _ => {}
    }
}

/// Writes one byte past the end of a block.
#[inline(never)]
fn overflow() {
    let Some(mut block) = BUDGET.take(1) else { return };
    let end = block.len();
    // SAFETY: none, this is the fault. The byte belongs to the allocator or is not allocated.
    unsafe { block.start().add(end).write_volatile(1) };
}

struct Shared(UnsafeCell<u64>);

// SAFETY: none, this is the fault.
unsafe impl Sync for Shared {}

static SHARED: Shared = Shared(UnsafeCell::new(0));

/// Increments a counter without synchronisation, for long enough that all threads run it at the
/// same time.
#[inline(never)]
fn race() {
    let end = Instant::now() + Duration::from_millis(50);
    while Instant::now() < end {
        // SAFETY: none, this is the fault.
        unsafe { *SHARED.0.get() += 1 };
    }
}
