//! The blocks of a process, which are taken from the system in extents and handed out in runs.
//!
//! Taking and giving back is an exchange on a bit map. Nothing here allocates, and the wait for the
//! only lock is bounded, because the waiting thread may itself hold it. Invariant: an extent is in
//! the table before its blocks are free, and never leaves the table.

use core::{
    sync::atomic::{
        AtomicPtr, AtomicU32, AtomicU64, AtomicUsize,
        Ordering::{Acquire, Relaxed, Release},
    },
    time::Duration,
};
use std::time::Instant;

use super::{
    extent::{Extent, FIRST_BLOCKS},
    file::ScratchFile,
    free::FreeBlocks,
    layout::{BLOCK, Descriptor, MOST_BLOCKS, kind},
    mapping,
    queue::Queue,
    run::{Content, Run, RunPosition},
    sync,
};
use crate::{
    memory::{Budget, Bump},
    unnoticed,
};

/// The maximum number of extents of a process: 64 GiB with the largest extents.
const MOST_EXTENTS: usize = if cfg!(miri) { 64 } else { 1 << 14 };
/// The number of positions in an extent.
const PLACES: usize = MOST_BLOCKS + 1;

/// The memory of a process for events and the journal.
#[derive(Debug)]
pub struct Pool {
    file: Option<ScratchFile>,
    page: usize,
    extents: &'static [AtomicPtr<Extent>],
    free: &'static [FreeBlocks],
    /// The writer's data about each run that is not in its descriptor, by position.
    handed: &'static [Handed],
    /// The number of extents.
    count: AtomicUsize,
    /// A lower bound, as last seen, for the index of the first extent with free blocks.
    first_free: AtomicUsize,
    /// The offset in the file at which the next extent begins.
    end: AtomicU64,
    /// The thread that is adding an extent; 0 while none is.
    growing: AtomicUsize,
    limit: usize,
    taken: AtomicUsize,
    bump: Bump,
    pub(crate) queue: Queue,
    /// The number of blocks in runs.
    used: AtomicUsize,
}

/// The data that accompanies a run that is handed over: its link in the queue, whether it is in the
/// writer's lists, and a patch for an earlier place in the file.
#[derive(Debug, Default)]
pub(crate) struct Handed {
    link: sync::AtomicU32,
    waits: AtomicU32,
    has_patch: AtomicU32,
    patch_at: AtomicU64,
    patch: AtomicU64,
}

/// Eight bytes for an earlier place in the file, with their offset.
pub(crate) type Patch = (u64, [u8; 8]);

impl Handed {
    pub(crate) fn set_waits(&self, waits: bool) {
        self.waits.store(waits.into(), Relaxed);
    }

    pub(crate) fn waits(&self) -> bool {
        self.waits.load(Relaxed) != 0
    }

    pub(crate) fn set_patch(&self, patch: Option<Patch>) {
        if let Some((at, bytes)) = patch {
            self.patch_at.store(at, Relaxed);
            self.patch.store(u64::from_ne_bytes(bytes), Relaxed);
        }
        self.has_patch.store(patch.is_some().into(), Relaxed);
    }

    pub(crate) fn patch(&self) -> Option<Patch> {
        (self.has_patch.load(Relaxed) != 0)
            .then(|| (self.patch_at.load(Relaxed), self.patch.load(Relaxed).to_ne_bytes()))
    }
}

/// The urgency of a request for blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Need {
    /// Within the limit.
    Usual,
    /// Even beyond the limit: a caller without any memory would otherwise wait forever.
    First,
}

impl Pool {
    /// Creates a pool of at most `limit` bytes, in `file` if one is given. Returns `None` if there
    /// is no memory for its tables or its first extent.
    pub fn new(budget: &'static Budget, file: Option<ScratchFile>, limit: usize) -> Option<Self> {
        let table = budget.take(MOST_EXTENTS * size_of::<AtomicPtr<Extent>>())?.leak();
        let free = budget.take(MOST_EXTENTS * size_of::<FreeBlocks>())?.leak();
        let handed = budget.take(MOST_EXTENTS * PLACES * size_of::<Handed>())?.leak();
        // SAFETY: the blocks are page-aligned, long enough, never freed and zero: null pointers and
        // atomic zeros.
        let (extents, free, handed) = unsafe {
            (
                core::slice::from_raw_parts(table.as_mut_ptr().cast(), MOST_EXTENTS),
                core::slice::from_raw_parts(free.as_mut_ptr().cast(), MOST_EXTENTS),
                core::slice::from_raw_parts(handed.as_mut_ptr().cast(), MOST_EXTENTS * PLACES),
            )
        };
        let page = mapping::page();
        let this = Self {
            file,
            page,
            extents,
            free,
            handed,
            count: AtomicUsize::new(0),
            first_free: AtomicUsize::new(0),
            end: AtomicU64::new(page as u64),
            growing: AtomicUsize::new(0),
            limit,
            taken: AtomicUsize::new(0),
            bump: Bump::new(budget),
            queue: Queue::default(),
            used: AtomicUsize::new(0),
        };
        this.grow(FIRST_BLOCKS, Need::Usual).or_else(|| this.grow(1, Need::First))?;
        Some(this)
    }

    /// Returns the scratch file, if the memory is in one.
    pub fn file(&self) -> Option<&ScratchFile> {
        self.file.as_ref()
    }

    /// Returns whether all of its memory survives the process.
    pub fn survives(&self) -> bool {
        self.file.as_ref().is_some_and(ScratchFile::has_all)
    }

    /// Takes a run of at least `len` bytes. Returns `None` if there is no memory for it.
    pub(crate) fn take(&self, len: usize, need: Need) -> Option<Run> {
        let count = len.div_ceil(BLOCK).max(1);
        if count > MOST_BLOCKS {
            return None;
        }
        loop {
            if let Some(run) = self.take_free(count) {
                return Some(run);
            }
            // Other threads may take the added blocks first.
            if !self.grow_ahead(count.max(FEW_BLOCKS)) {
                self.grow(count, need)?;
            }
        }
    }

    fn take_free(&self, count: usize) -> Option<Run> {
        let extents = self.count.load(Acquire);
        let first = self.first_free.load(Relaxed).min(extents);
        // Blocks given back just before `first_free` was raised are below it.
        let mut all = (first..extents).chain(0..first);
        let (extent, block) = all.find_map(|at| Some((at, self.free[at].take(count)?)))?;
        // Larger runs may have skipped extents that have a free block.
        if count == 1 && extent > first {
            let _ = self.first_free.compare_exchange(first, extent, Relaxed, Relaxed);
        }
        self.used.fetch_add(count, Relaxed);
        Some(self.run(position(extent, block), count))
    }

    /// Returns the run of blocks at `position`, which must belong to the caller.
    fn run(&self, position: RunPosition, count: usize) -> Run {
        let (extent, block) = (self.extent(position), block_of(position));
        let descriptor = extent.descriptor(block);
        descriptor.blocks.store(count as u32, Relaxed);
        // SAFETY: the caller owns the blocks, which are adjacent in the extent and are never
        // unmapped.
        unsafe { Run::new(extent.block(block), count * BLOCK, descriptor, position) }
    }

    /// Returns the run that was handed over under this number.
    pub(crate) fn handed_over(&self, number: u32) -> Run {
        let position = RunPosition(number);
        let count = self.extent(position).descriptor(block_of(position)).blocks.load(Relaxed);
        self.run(position, count as usize)
    }

    /// Returns the queue link of the run with this number.
    pub(crate) fn link(&self, number: u32) -> &'static sync::AtomicU32 {
        &self.handed[number as usize].link
    }

    /// Returns the descriptor of the run with this number.
    pub(crate) fn descriptor(&self, number: u32) -> &'static Descriptor {
        self.extent(RunPosition(number)).descriptor(block_of(RunPosition(number)))
    }

    /// Calls `show` for every block, with its number, its descriptor, and the memory from its start
    /// to the end of its extent, whatever the block's use.
    pub(crate) fn each_run(&self, mut show: impl FnMut(u32, &'static Descriptor, Content)) {
        for at in 0..self.count.load(Acquire) {
            let extent = self.extent(position(at, 0));
            for block in 1..=extent.blocks {
                let content = Content::new(extent.block(block), (extent.blocks + 1 - block) * BLOCK);
                show(position(at, block).0, extent.descriptor(block), content);
            }
        }
    }

    /// Returns the data that accompanies the run with this number.
    pub(crate) fn handed_at(&self, number: u32) -> &'static Handed {
        self.handed(RunPosition(number))
    }

    pub(crate) fn handed(&self, position: RunPosition) -> &'static Handed {
        &self.handed[position.0 as usize]
    }

    fn extent(&self, position: RunPosition) -> &'static Extent {
        // SAFETY: positions are created for extents in the table, and extents never leave it.
        unsafe { &*self.extents[position.0 as usize / PLACES].load(Acquire) }
    }

    /// Gives a run back for reuse.
    pub(crate) fn give_back(&self, run: Run) {
        let Some(descriptor) = run.descriptor() else { return };
        descriptor.kind.store(kind::FREE, Release);
        let (count, position) = (run.len() / BLOCK, run.position());
        self.handed(position).set_waits(false);
        let extent = position.0 as usize / PLACES;
        self.used.fetch_sub(count, Relaxed);
        self.free[extent].give_back(block_of(position), count);
        self.first_free.fetch_min(extent, Relaxed);
    }

    /// Returns the number of blocks that can be taken without asking the system.
    pub(crate) fn free_blocks(&self) -> usize {
        (self.taken.load(Relaxed) / BLOCK).saturating_sub(self.used.load(Relaxed))
    }

    /// Takes an extent of `blocks` blocks from the system, within the limit. Returns whether that
    /// succeeded.
    pub(crate) fn grow_ahead(&self, blocks: usize) -> bool {
        self.grow(blocks, Need::Usual).is_some()
    }

    fn grow(&self, blocks: usize, need: Need) -> Option<()> {
        let bytes = blocks * BLOCK;
        let fits = || self.taken.load(Relaxed).checked_add(bytes).is_some_and(|sum| sum <= self.limit);
        let may = || need == Need::First || fits();
        if !may() {
            return None;
        }
        self.lock()?;
        // Other threads may have taken the rest in the meantime.
        let grown = may().then(|| self.add_extent(blocks)).flatten();
        self.taken.fetch_add(grown.map_or(0, |_| bytes), Relaxed);
        self.growing.store(0, Release);
        let (at, extent) = grown?;
        extent.prefault();
        self.free[at].give_back(1, blocks);
        self.first_free.fetch_min(at, Relaxed);
        Some(())
    }

    /// Waits until no thread is adding an extent. Returns `None` if it is this thread, interrupted
    /// by a signal handler, and after [`LONGEST_GROWTH`]: that thread may be in a handler that
    /// waits for this one. It yields from the start, unlike the `Backoff` of crossbeam-utils: the
    /// thread that adds an extent is in a system call, so spinning is in vain.
    fn lock(&self) -> Option<()> {
        let this = unnoticed::thread_mark();
        let mut deadline = None;
        for tries in 0_usize.. {
            match self.growing.compare_exchange(0, this, Acquire, Relaxed) {
                Ok(_) => return Some(()),
                Err(owner) if owner == this => return None,
                Err(_) if tries < YIELDS => std::thread::yield_now(),
                // That thread may be waiting for a processor.
                Err(_) => {
                    let now = Instant::now();
                    if now > *deadline.get_or_insert(now + LONGEST_GROWTH) {
                        return None;
                    }
                    unnoticed::sleep(RETRY_INTERVAL);
                }
            }
        }
        None
    }

    /// Creates an extent whose blocks are not free yet.
    fn add_extent(&self, blocks: usize) -> Option<(usize, &'static Extent)> {
        let at = self.count.load(Relaxed);
        let slot = self.extents.get(at)?;
        let (size, end) = (Extent::size(self.page, blocks), self.end.load(Relaxed));
        let in_file = self.file.as_ref().and_then(|file| file.grow(end, size));
        let start = in_file.or_else(|| mapping::private(size))?;
        // SAFETY: the memory is fresh, of this size, and stays mapped.
        let extent = self.bump.place(unsafe { Extent::new(start, self.page, blocks) })?;
        match (&self.file, in_file) {
            (Some(_), Some(_)) => self.end.store(end + size as u64, Relaxed),
            (Some(file), None) => file.count_elsewhere(),
            (None, _) => {}
        }
        slot.store(extent, Release);
        self.count.store(at + 1, Release);
        Some((at, extent))
    }

    /// Returns the number of bytes taken from the system.
    pub fn taken(&self) -> usize {
        self.taken.load(Relaxed)
    }
}

/// How often to yield to a thread that is adding an extent, which takes a few microseconds, before
/// sleeping.
const YIELDS: usize = 1000;
/// How long to sleep before looking again.
const RETRY_INTERVAL: Duration = Duration::from_micros(50);
/// How long to wait for a thread that is adding an extent.
const LONGEST_GROWTH: Duration = Duration::from_secs(10);

/// The number of blocks that a location takes from the system if none is free: few, because it
/// waits for them.
const FEW_BLOCKS: usize = 2;

fn position(extent: usize, block: usize) -> RunPosition {
    RunPosition((extent * PLACES + block) as u32)
}

fn block_of(position: RunPosition) -> usize {
    position.0 as usize % PLACES
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The thread that adds an extent lost its processor for longer than others waited, and their
    /// events were dropped although nothing was full.
    #[test]
    fn growth_waits_for_a_thread_that_lost_its_processor() {
        static BUDGET: Budget = Budget::new(usize::MAX);
        let pool = Pool::new(&BUDGET, None, usize::MAX).unwrap();
        pool.lock().unwrap();
        std::thread::scope(|scope| {
            let grows = scope.spawn(|| pool.grow_ahead(1));
            std::thread::sleep(Duration::from_millis(300));
            pool.growing.store(0, Release);
            assert!(grows.join().unwrap());
        });
    }

    #[test]
    fn a_handler_that_interrupted_growth_does_not_wait_for_it() {
        static BUDGET: Budget = Budget::new(usize::MAX);
        let pool = Pool::new(&BUDGET, None, usize::MAX).unwrap();
        pool.lock().unwrap();
        assert!(!pool.grow_ahead(1));
    }

    /// Several threads saw the same remaining room, and each of them took it.
    #[test]
    #[cfg_attr(miri, ignore = "too many pools for Miri")]
    fn concurrent_growth_stays_within_the_limit() {
        static BUDGET: Budget = Budget::new(usize::MAX);
        let limit = (FIRST_BLOCKS + 40) * BLOCK;
        for _ in 0..20 {
            let pool = Pool::new(&BUDGET, None, limit).unwrap();
            let begin = std::sync::Barrier::new(8);
            std::thread::scope(|scope| {
                for _ in 0..8 {
                    scope.spawn(|| {
                        begin.wait();
                        while pool.grow_ahead(1) {}
                    });
                }
            });
            assert_eq!(pool.taken(), limit);
        }
    }
}
