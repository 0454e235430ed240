//! Batches on their way from the threads that read the groups of locations to one reader.
//!
//! Invariants: batches come in the order of the groups, whichever thread is faster, so that a table
//! is the same each time. Groups that are read ahead wait while [`AHEAD`] batches are unread; the
//! first one never waits for them. Every change that lets a thread go on wakes all that wait.

use std::collections::{HashMap, VecDeque};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The number of unread batches from which on only the first group goes on.
const AHEAD: usize = 32;
/// The number of unread batches of the first group from which on it waits, too.
const FIRST: usize = 8;

/// The batches of a table that nobody has taken yet.
#[derive(Debug)]
pub struct GroupQueues<Batch, Failure> {
    state: Mutex<QueueState<Batch, Failure>>,
    changed: Condvar,
}

#[derive(Debug)]
struct QueueState<Batch, Failure> {
    /// The groups whose batches are still to be taken.
    order: VecDeque<usize>,
    batches: HashMap<usize, VecDeque<Batch>>,
    /// The number of batches.
    unread: usize,
    /// The groups that are complete.
    ended: Vec<usize>,
    /// Why the table is not complete.
    failure: Option<Failure>,
    /// Whether all is read.
    is_over: bool,
    /// Whether nobody wants more batches.
    is_abandoned: bool,
}

/// The result of reading from [`GroupQueues`].
#[derive(Debug, PartialEq, Eq)]
pub enum NextBatch<Batch, Failure> {
    /// The next batch.
    Batch(Batch),
    /// Nothing new; to ask again.
    Nothing,
    /// The end of the table, and why it is not complete.
    End(Option<Failure>),
}

impl<Batch, Failure> GroupQueues<Batch, Failure> {
    /// The number of the group that comes last: rows that are known when all others are read.
    pub const REST: usize = usize::MAX;

    /// Expects the batches of these groups, and of [`REST`](Self::REST).
    pub fn of(groups: impl IntoIterator<Item = usize>) -> Self {
        let state = QueueState {
            order: groups.into_iter().chain([Self::REST]).collect(),
            batches: HashMap::new(),
            unread: 0,
            ended: Vec::new(),
            failure: None,
            is_over: false,
            is_abandoned: false,
        };
        Self { state: Mutex::new(state), changed: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, QueueState<Batch, Failure>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a batch of a group, as soon as there is room. Returns whether somebody wants it.
    pub fn push(&self, group: usize, batch: Batch) -> bool {
        let mut state = self.lock();
        while !state.is_abandoned && state.is_full(group) {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if !state.is_abandoned {
            state.batches.entry(group).or_default().push_back(batch);
            state.unread += 1;
            self.changed.notify_all();
        }
        !state.is_abandoned
    }

    /// Marks a group as complete.
    pub fn end(&self, group: usize) {
        self.lock().ended.push(group);
        self.changed.notify_all();
    }

    /// Ends the table.
    pub fn finish(&self, failure: Option<Failure>) {
        let mut state = self.lock();
        (state.is_over, state.failure) = (true, failure);
        self.changed.notify_all();
    }

    /// Ends the work: nobody wants more batches.
    pub fn abandon(&self) {
        let mut state = self.lock();
        state.is_abandoned = true;
        state.batches.clear();
        self.changed.notify_all();
    }

    /// Returns the next batch. Waits for it no longer than `patience` after the last change.
    pub fn next(&self, patience: Duration) -> NextBatch<Batch, Failure> {
        let mut state = self.lock();
        loop {
            let groups = state.order.len();
            let found = state.next();
            // The threads of a group that has become the first go on without a batch taken.
            if found.is_some() || state.order.len() < groups {
                self.changed.notify_all();
            }
            if let Some(found) = found {
                return found;
            }
            let (next, waited) =
                self.changed.wait_timeout(state, patience).unwrap_or_else(PoisonError::into_inner);
            if waited.timed_out() {
                return NextBatch::Nothing;
            }
            state = next;
        }
    }
}

impl<Batch, Failure> QueueState<Batch, Failure> {
    fn is_full(&self, group: usize) -> bool {
        match self.order.front() == Some(&group) {
            true => self.batches.get(&group).is_some_and(|it| it.len() >= FIRST),
            false => self.unread >= AHEAD,
        }
    }

    fn next(&mut self) -> Option<NextBatch<Batch, Failure>> {
        while let Some(&group) = self.order.front() {
            if let Some(batch) = self.batches.get_mut(&group).and_then(VecDeque::pop_front) {
                self.unread -= 1;
                return Some(NextBatch::Batch(batch));
            }
            if !self.is_over && !self.ended.contains(&group) {
                return None;
            }
            self.order.pop_front();
        }
        self.is_over.then(|| NextBatch::End(self.failure.take()))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
    use std::thread;

    use super::*;

    type Queues = GroupQueues<(usize, usize), &'static str>;

    const MOMENT: Duration = Duration::from_millis(20);

    /// Returns the next batch, `Nothing` if there is none within seconds. Its threads end then.
    fn taken(queues: &Queues) -> NextBatch<(usize, usize), &'static str> {
        let found = (0..500).map(|_| queues.next(MOMENT)).find(|it| *it != NextBatch::Nothing);
        found.unwrap_or_else(|| {
            queues.abandon();
            NextBatch::Nothing
        })
    }

    #[test]
    fn batches_come_in_the_order_of_the_groups() {
        let queues = Queues::of([4, 2]);
        for batch in [(Queues::REST, 0), (2, 0), (4, 0), (2, 1), (4, 1)] {
            assert!(queues.push(batch.0, batch));
        }
        queues.end(2);
        queues.end(4);
        queues.finish(Some("damaged"));
        for expected in [(4, 0), (4, 1), (2, 0), (2, 1), (Queues::REST, 0)] {
            assert_eq!(queues.next(MOMENT), NextBatch::Batch(expected));
        }
        assert_eq!(queues.next(MOMENT), NextBatch::End(Some("damaged")));
    }

    /// The reader hung if a group became the first while its thread waited for room.
    #[test]
    fn a_group_that_becomes_the_first_goes_on() {
        let queues = Queues::of([0, 1, 2]);
        for number in 0..AHEAD {
            assert!(queues.push(2, (2, number)));
        }
        queues.end(0);
        thread::scope(|scope| {
            scope.spawn(|| queues.push(1, (1, 0)));
            // Whether the thread waits by then is chance; a reader hangs in no case.
            thread::sleep(MOMENT);
            assert_eq!(taken(&queues), NextBatch::Batch((1, 0)));
        });
    }

    #[test]
    fn a_table_that_nobody_reads_ends_its_threads() {
        let queues = Queues::of([0, 1]);
        thread::scope(|scope| {
            let pushed = scope.spawn(|| (0..).take_while(|&number| queues.push(1, (1, number))).count());
            assert_eq!(queues.next(MOMENT), NextBatch::Nothing);
            queues.abandon();
            assert!(pushed.join().expect("no panic") <= AHEAD);
        });
        assert!(!queues.push(0, (0, 0)));
    }

    /// Threads deal the groups among themselves, as the threads that read a trace do.
    #[test]
    fn all_batches_arrive_from_any_number_of_threads() {
        for (threads, groups, batches) in [(1, 1, 100), (2, 100, 1), (3, 90, 3), (8, 50, 40)] {
            let (queues, dealt) = (Queues::of(0..groups), AtomicUsize::new(0));
            let work = || {
                while let Some(group) = Some(dealt.fetch_add(1, Relaxed)).filter(|it| *it < groups) {
                    assert!((0..batches).all(|number| queues.push(group, (group, number))));
                    queues.end(group);
                }
            };
            thread::scope(|scope| {
                let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
                let expected = (0..groups).flat_map(|group| (0..batches).map(move |number| (group, number)));
                for batch in expected {
                    assert_eq!(taken(&queues), NextBatch::Batch(batch));
                }
                workers.into_iter().for_each(|it| it.join().expect("no panic"));
                queues.finish(None);
                assert_eq!(taken(&queues), NextBatch::End(None));
            });
        }
    }
}
