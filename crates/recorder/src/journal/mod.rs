//! The journal of a process: for recovery, it records everything except the events as soon as it
//! becomes known.
//!
//! Invariant: the runs of a journal are never given back, and their committed bytes never change.

pub mod entry;

use core::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

pub use entry::{ClockEntry, CommunicatorEntry, Entry, LocationEntry, Payload};

use self::entry::{ALIGN, HEADER, MOST};
use crate::{
    memory::{Budget, PageVec},
    scratch::{Content, Need, Pool, Run, layout::kind},
    unnoticed::Errno,
};

/// The journal of this process.
#[derive(Debug)]
pub struct Journal {
    pool: &'static Pool,
    /// False in a child made by `fork`, where the memory of the journal may be missing.
    is_ours: &'static AtomicBool,
    state: Mutex<JournalState>,
}

#[derive(Debug)]
struct JournalState {
    runs: PageVec<Filled>,
    /// The run that is being filled.
    run: Run,
    used: usize,
    lost: u64,
}

/// A run of the journal, and the number of its bytes that are content.
#[derive(Debug, Clone, Copy)]
struct Filled {
    content: Content,
    used: usize,
}

impl Journal {
    /// Creates an empty journal in blocks of `pool`. While `is_ours` is false, it accepts no
    /// entries.
    pub fn new(pool: &'static Pool, budget: &'static Budget, is_ours: &'static AtomicBool) -> Self {
        let state = JournalState { runs: PageVec::new(budget), run: Run::none(), used: 0, lost: 0 };
        Self { pool, is_ours, state: Mutex::new(state) }
    }

    fn state(&self) -> MutexGuard<'_, JournalState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Appends an entry. Counts it as lost if there is no room.
    pub fn append(&self, entry: &Entry<'_>) {
        if !self.is_ours.load(Relaxed) {
            return;
        }
        // Waiting for the lock may change `errno`.
        let _kept = Errno::keep();
        let mut state = self.state();
        if entry.parts(|fixed, rest| state.append(self.pool, fixed, rest)).is_none() {
            state.lost += 1;
        }
    }

    /// Returns the number of entries that found no room.
    pub fn lost(&self) -> u64 {
        self.state().lost
    }

    /// Passes everything from offset `from` on to `take`, in parts with their offsets. Returns the
    /// offset of the end.
    pub fn read<E>(&self, from: u64, mut take: impl FnMut(u64, &[u8]) -> Result<(), E>) -> Result<u64, E> {
        let mut at = 0;
        let mut number = 0;
        loop {
            let Some(&Filled { content, used }) = self.state().runs.get(number) else { return Ok(at) };
            let bytes = content.committed(used);
            let end = at + used as u64;
            if end > from {
                let skip = from.saturating_sub(at);
                take(at + skip, &bytes[skip as usize..])?;
            }
            (at, number) = (end, number + 1);
        }
    }
}

impl JournalState {
    fn append(&mut self, pool: &Pool, fixed: &[u8], rest: &[u8]) -> Option<()> {
        let length = fixed.len().checked_add(rest.len()).filter(|&length| length <= MOST)?;
        let size = (HEADER + length).next_multiple_of(ALIGN);
        if self.run.len() - self.used < size {
            self.begin_run(pool, size)?;
        }
        let room = self.run.room(self.used..self.used + size);
        let mut checksum = crc32fast::Hasher::new();
        checksum.update(fixed);
        checksum.update(rest);
        room[..4].copy_from_slice(&(length as u32).to_ne_bytes());
        room[4..HEADER].copy_from_slice(&checksum.finalize().to_ne_bytes());
        room[HEADER..][..fixed.len()].copy_from_slice(fixed);
        room[HEADER + fixed.len()..][..rest.len()].copy_from_slice(rest);
        room[HEADER + length..].fill(0);
        self.used += size;
        self.run.commit(self.used);
        self.runs.last_mut()?.used = self.used;
        Some(())
    }

    fn begin_run(&mut self, pool: &Pool, size: usize) -> Option<()> {
        self.runs.reserve(self.runs.len() + 1)?;
        let run = pool.take(size, Need::First)?;
        let sequence = self.runs.len() as u64 + 1;
        run.publish(kind::JOURNAL, |descriptor| descriptor.sequence.store(sequence, Relaxed));
        self.runs.push(Filled { content: run.content(), used: 0 })?;
        // The previous run stays where it is.
        (self.run, self.used) = (run, 0);
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_read_in_order_from_any_offset() {
        static BUDGET: Budget = Budget::new(usize::MAX);
        let pool = Box::leak(Box::new(Pool::new(&BUDGET, None, usize::MAX).unwrap()));
        static IS_OURS: AtomicBool = AtomicBool::new(true);
        let journal = Journal::new(pool, &BUDGET, &IS_OURS);
        let records = [7; 1000];
        for number in 0..100 {
            journal.append(&Entry::Definitions(&records));
            journal.append(&Entry::Broken(number));
        }
        let read = |from| {
            let mut bytes = Vec::new();
            let end = journal.read(from, |at, part: &[u8]| {
                assert_eq!(at, from + bytes.len() as u64);
                bytes.extend_from_slice(part);
                Ok::<_, ()>(())
            });
            (bytes, end.unwrap())
        };
        let (all, end) = read(0);
        assert_eq!((end, journal.lost()), (all.len() as u64, 0));
        assert_eq!(read(end / 2).0, all[all.len() / 2..]);
        assert_eq!(read(end).0, []);
        let mut rest = &all[..];
        let mut broken = 0;
        while let Some((header, after)) = rest.split_first_chunk::<HEADER>() {
            let length = u32::from_ne_bytes(header[..4].try_into().unwrap()) as usize;
            assert_eq!(crc32fast::hash(&after[..length]).to_ne_bytes(), header[4..]);
            match Entry::decode(&after[..length]).unwrap() {
                Entry::Broken(number) => {
                    assert_eq!(number, broken);
                    broken += 1;
                }
                entry => assert_eq!(entry, Entry::Definitions(&records)),
            }
            rest = &rest[(HEADER + length).next_multiple_of(ALIGN)..];
        }
        assert_eq!(broken, 100);
    }
}
