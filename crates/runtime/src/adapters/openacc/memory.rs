//! The memory that is allocated on devices.
//!
//! A release does not tell its size, so the blocks are kept. Invariant: the total is that of the
//! blocks whose allocation was seen.

use std::sync::MutexGuard;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::OPENACC;
use crate::adapter::MetricDefinition;
use crate::adapters::lazy_handle::LazyHandle;
use crate::address_table::AddressTable;
use crate::measurement::{self, Counter};

/// The sizes of blocks by their addresses on devices.
static BLOCKS: AddressTable = AddressTable::new();
static TOTAL: AtomicU64 = AtomicU64::new(0);

pub(super) fn hold() -> MutexGuard<'static, usize> {
    BLOCKS.hold()
}

/// Forgets the parent's blocks, in a forked child.
pub(super) fn forget() {
    BLOCKS.forget(|| TOTAL.store(0, Relaxed));
}

/// Records that a block has this many bytes now; 0 after its release.
pub(super) fn change(address: usize, bytes: usize) {
    static METRIC: LazyHandle = LazyHandle::new();
    if address == 0 {
        return;
    }
    OPENACC.record(|here| {
        let before = BLOCKS.set(address, bytes as u64);
        let by = (bytes as u64).wrapping_sub(before);
        let total = TOTAL.fetch_add(by, Relaxed).wrapping_add(by);
        let counter = Counter(METRIC.get_if_allowed(|| measurement::define_counter(&definition()).0));
        here.counter_u64(counter, total);
    });
}

fn definition() -> MetricDefinition {
    let description = "Memory that OpenACC has allocated on devices".to_owned();
    MetricDefinition::held_memory("OpenACC Memory".to_owned(), description)
}
