//! The slots of locations: the data kept for a location in addition to its pieces.

use core::sync::atomic::Ordering::{Relaxed, Release};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{
    layout::{LocationSlot, SLOTS_PER_BLOCK, kind},
    pool::{Need, Pool},
};
use crate::memory::{Budget, PageVec};

/// All slots, in the order of their numbers.
#[derive(Debug)]
pub struct Slots {
    blocks: Mutex<PageVec<&'static [LocationSlot; SLOTS_PER_BLOCK]>>,
    count: core::sync::atomic::AtomicU32,
}

impl Slots {
    pub(crate) fn new(budget: &'static Budget) -> Self {
        Self { blocks: Mutex::new(PageVec::new(budget)), count: Default::default() }
    }

    fn blocks(&self) -> MutexGuard<'_, PageVec<&'static [LocationSlot; SLOTS_PER_BLOCK]>> {
        self.blocks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a slot for a new location and returns it with its number. Returns `None` if there is no
    /// memory.
    pub(crate) fn add(&self, pool: &Pool) -> Option<(u32, &'static LocationSlot)> {
        let mut blocks = self.blocks();
        let number = self.count.load(Relaxed);
        if number as usize == blocks.len() * SLOTS_PER_BLOCK {
            blocks.push(new_block(pool, number)?)?;
        }
        let slot = &blocks[number as usize / SLOTS_PER_BLOCK][number as usize % SLOTS_PER_BLOCK];
        slot.file.store(u64::MAX, Relaxed);
        slot.used.store(1, Release);
        self.count.store(number + 1, Release);
        Some((number, slot))
    }

    /// Returns the slot with this number.
    pub(crate) fn get(&self, number: u32) -> Option<&'static LocationSlot> {
        let blocks = self.blocks();
        let block: &'static [LocationSlot; SLOTS_PER_BLOCK] =
            blocks.get(number as usize / SLOTS_PER_BLOCK)?;
        block.get(number as usize % SLOTS_PER_BLOCK)
    }

    /// Returns the number of slots.
    pub(crate) fn count(&self) -> u32 {
        self.count.load(core::sync::atomic::Ordering::Acquire)
    }
}

fn new_block(pool: &Pool, first: u32) -> Option<&'static [LocationSlot; SLOTS_PER_BLOCK]> {
    let mut run = pool.take(1, Need::First)?;
    run.fill(0);
    run.publish(kind::SLOTS, |descriptor| descriptor.base.store(first.into(), Relaxed));
    run.commit(run.len());
    let start = run.content().start().cast::<[LocationSlot; SLOTS_PER_BLOCK]>();
    // SAFETY: the run is as long as the slots, aligned to a page, zeroed, and never given back.
    Some(unsafe { start.as_ref() })
}
