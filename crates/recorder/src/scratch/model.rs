//! Model tests: loom tries every order in which threads can take, hand over and give back runs
//! (`cargo xtask loom`).

use loom::{
    cell::UnsafeCell,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering},
    },
    thread,
};

use super::{free::FreeBlocks, queue::Queue};
use crate::drain::Nap;

/// Blocks whose bytes are watched by loom: two unsynchronised accesses are a race.
struct Blocks {
    free: FreeBlocks,
    queue: Queue,
    links: Vec<AtomicU32>,
    committed: Vec<AtomicU64>,
    bytes: Vec<UnsafeCell<u64>>,
}

impl Blocks {
    fn new(count: usize) -> Arc<Self> {
        let this = Self {
            free: FreeBlocks::default(),
            queue: Queue::default(),
            links: (0..=count).map(|_| AtomicU32::new(0)).collect(),
            committed: (0..=count).map(|_| AtomicU64::new(0)).collect(),
            bytes: (0..=count).map(|_| UnsafeCell::new(0)).collect(),
        };
        this.free.give_back(1, count);
        Arc::new(this)
    }

    fn put(&self, block: usize, value: u64) {
        // SAFETY: the block belongs to the caller; loom checks that.
        self.bytes[block].with_mut(|byte| unsafe { *byte = value });
    }

    fn get(&self, block: usize) -> u64 {
        // SAFETY: the block belongs to the caller; loom checks that.
        self.bytes[block].with(|byte| unsafe { *byte })
    }

    /// Acts as a location: takes a block, fills it, and hands it over. Returns `false` if
    /// none is free.
    fn produce(&self, value: u64) -> bool {
        let Some(block) = self.free.take(1) else { return false };
        self.put(block, value);
        self.committed[block].store(value, Ordering::Release);
        self.queue.push(block as u32, &self.links[block]);
        true
    }

    /// Acts as the writer: takes all runs, reads them from the oldest, and gives them back.
    fn consume(&self, take: &mut Vec<u64>) {
        let mut blocks = Vec::new();
        let mut block = self.queue.take_all() as usize;
        while block != 0 {
            blocks.push(block);
            block = self.links[block].load(Ordering::Relaxed) as usize;
        }
        for block in blocks.into_iter().rev() {
            assert_eq!(self.committed[block].load(Ordering::Relaxed), self.get(block));
            take.push(self.get(block));
            self.free.give_back(block, 1);
        }
    }
}

fn explored(model: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(3);
    builder.check(model);
}

#[test]
fn a_block_has_one_owner() {
    explored(|| {
        let blocks = Blocks::new(2);
        let work = |value: u64| {
            let blocks = Arc::clone(&blocks);
            move || {
                let block = blocks.free.take(1)?;
                blocks.put(block, value);
                assert_eq!(blocks.get(block), value);
                blocks.free.give_back(block, 1);
                Some(())
            }
        };
        let others = [thread::spawn(work(1)), thread::spawn(work(2))];
        let _ = work(3)();
        for other in others {
            other.join().unwrap();
        }
        // Nothing is lost: both are free again, and adjacent.
        assert_eq!(blocks.free.take(2), Some(1));
    });
}

#[test]
fn runs_and_single_blocks_do_not_overlap() {
    explored(|| {
        let blocks = Blocks::new(3);
        let other = {
            let blocks = Arc::clone(&blocks);
            thread::spawn(move || {
                let first = blocks.free.take(2)?;
                blocks.put(first, 1);
                blocks.put(first + 1, 1);
                blocks.free.give_back(first, 2);
                Some(())
            })
        };
        if let Some(block) = blocks.free.take(1) {
            blocks.put(block, 2);
            blocks.free.give_back(block, 1);
        }
        other.join().unwrap();
        assert_eq!(blocks.free.take(3), Some(1));
    });
}

#[test]
fn the_order_of_a_location_is_kept() {
    explored(|| {
        let blocks = Blocks::new(4);
        let others = [10, 20].map(|first| {
            let blocks = Arc::clone(&blocks);
            thread::spawn(move || (1..=2).for_each(|by| assert!(blocks.produce(first + by))))
        });
        let mut taken = Vec::new();
        blocks.consume(&mut taken);
        for other in others {
            other.join().unwrap();
        }
        blocks.consume(&mut taken);
        let of =
            |first: u64| taken.iter().copied().filter(|value| value / 10 * 10 == first).collect::<Vec<_>>();
        assert_eq!((of(10), of(20)), (vec![11, 12], vec![21, 22]));
    });
}

#[test]
fn a_block_given_back_is_taken_again() {
    explored(|| {
        let blocks = Blocks::new(1);
        let writer = {
            let blocks = Arc::clone(&blocks);
            thread::spawn(move || {
                let mut taken = Vec::new();
                blocks.consume(&mut taken);
                blocks.consume(&mut taken);
                taken
            })
        };
        // There is only one block: the second time, it has been through the writer.
        let produced = [1, 2].map(|value| blocks.produce(value));
        let mut taken = writer.join().unwrap();
        blocks.consume(&mut taken);
        let expected: Vec<u64> =
            [1, 2].into_iter().zip(produced).filter(|(_, done)| *done).map(|(it, _)| it).collect();
        assert_eq!(taken, expected);
        assert_eq!(blocks.free.take(1), Some(1));
    });
}

#[test]
fn a_writer_that_sleeps_is_woken() {
    explored(|| {
        let (blocks, nap) = (Blocks::new(2), Arc::new(Nap::default()));
        let writer = {
            let (blocks, nap) = (Arc::clone(&blocks), Arc::clone(&nap));
            thread::spawn(move || {
                let mut taken = Vec::new();
                while taken.len() < 2 {
                    blocks.consume(&mut taken);
                    let has_nothing_to_do = || blocks.queue.is_empty() && taken.len() < 2;
                    nap.sleep(has_nothing_to_do, thread::park);
                }
            })
        };
        for value in 1..=2 {
            assert!(blocks.produce(value));
            nap.wake(|| writer.thread().unpark());
        }
        writer.join().unwrap();
    });
}

/// The writer may be asked to end while it falls asleep.
#[test]
fn a_writer_that_sleeps_can_be_stopped() {
    explored(|| {
        let (stopping, nap) = (Arc::new(AtomicBool::new(false)), Arc::new(Nap::default()));
        let writer = {
            let (stopping, nap) = (Arc::clone(&stopping), Arc::clone(&nap));
            thread::spawn(move || {
                while !stopping.load(Ordering::Acquire) {
                    nap.sleep(|| !stopping.load(Ordering::Acquire), thread::park);
                }
            })
        };
        stopping.store(true, Ordering::Release);
        writer.thread().unpark();
        writer.join().unwrap();
    });
}
