//! Rows on their way from the threads that read a trace to a reader of Arrow's.
//!
//! Invariants: rows come in the order of the groups of locations, whichever thread is faster, so
//! that a table is the same each time. Groups that are read ahead wait while [`AHEAD`] batches are
//! unread; the first one never waits for them.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use kymo_tables::dataset::Batch;
use kymo_tables::parquet::Arrays;
use kymo_tables::{Dataset, Error, Format, Names, Sink};

use crate::failure::TraceFailure;
use crate::interruption::PATIENCE;

/// The number of unread batches from which on only the first group goes on.
const AHEAD: usize = 32;
/// The number of unread batches of the first group from which on it waits, too.
const FIRST: usize = 8;
/// The number of rows of a batch: few enough for caches, many enough that what a batch costs is
/// nothing.
const ROWS: usize = 1 << 16;

/// The group of what is known when all others are read.
const REST: usize = usize::MAX;

/// The rows of a table that nobody has taken yet.
#[derive(Debug)]
pub(crate) struct RowQueues {
    state: Mutex<QueueState>,
    changed: Condvar,
}

#[derive(Debug)]
struct QueueState {
    /// The groups whose rows are still to be taken.
    order: VecDeque<usize>,
    batches: HashMap<usize, VecDeque<RecordBatch>>,
    /// The number of batches.
    unread: usize,
    /// The groups that are complete.
    ended: Vec<usize>,
    /// Why the table is not complete.
    failure: Option<TraceFailure>,
    /// Whether all is read.
    is_over: bool,
    /// Whether nobody wants more rows.
    is_abandoned: bool,
}

/// What a reader of rows finds.
#[derive(Debug)]
pub(crate) enum NextRows {
    Batch(RecordBatch),
    /// Nothing new; to ask again.
    Nothing,
    End(Option<TraceFailure>),
}

impl RowQueues {
    /// Expects the rows of these groups.
    pub(crate) fn of(groups: impl IntoIterator<Item = usize>) -> Self {
        let state = QueueState {
            order: groups.into_iter().chain([REST]).collect(),
            batches: HashMap::new(),
            unread: 0,
            ended: Vec::new(),
            failure: None,
            is_over: false,
            is_abandoned: false,
        };
        Self { state: Mutex::new(state), changed: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, QueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds rows of a group, as soon as there is room. Returns whether somebody wants them.
    fn push(&self, group: usize, batch: RecordBatch) -> bool {
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

    fn end(&self, group: usize) {
        self.lock().ended.push(group);
        self.changed.notify_all();
    }

    /// Ends the table.
    pub(crate) fn finish(&self, failure: Option<TraceFailure>) {
        let mut state = self.lock();
        (state.is_over, state.failure) = (true, failure);
        self.changed.notify_all();
    }

    /// Ends the work: nobody wants more rows.
    pub(crate) fn abandon(&self) {
        let mut state = self.lock();
        state.is_abandoned = true;
        state.batches.clear();
        self.changed.notify_all();
    }

    /// Returns the next rows. Waits for them for a moment.
    pub(crate) fn next(&self) -> NextRows {
        let mut state = self.lock();
        loop {
            if let Some(found) = state.next() {
                self.changed.notify_all();
                return found;
            }
            let (next, waited) =
                self.changed.wait_timeout(state, PATIENCE).unwrap_or_else(PoisonError::into_inner);
            if waited.timed_out() {
                return NextRows::Nothing;
            }
            state = next;
        }
    }
}

impl QueueState {
    fn is_full(&self, group: usize) -> bool {
        match self.order.front() == Some(&group) {
            true => self.batches.get(&group).is_some_and(|it| it.len() >= FIRST),
            false => self.unread >= AHEAD,
        }
    }

    fn next(&mut self) -> Option<NextRows> {
        while let Some(&group) = self.order.front() {
            if let Some(batch) = self.batches.get_mut(&group).and_then(VecDeque::pop_front) {
                self.unread -= 1;
                return Some(NextRows::Batch(batch));
            }
            if !self.is_over && !self.ended.contains(&group) {
                return None;
            }
            self.order.pop_front();
        }
        self.is_over.then(|| NextRows::End(self.failure.take()))
    }
}

/// The format of rows that wait in queues.
#[derive(Debug)]
pub(crate) struct QueueFormat<'q> {
    pub(crate) queues: &'q RowQueues,
    /// The regions of rows, if not all.
    regions: Option<&'q HashSet<u32>>,
    pub(crate) arrays: Arrays,
    pub(crate) schema: SchemaRef,
    /// Whether the rows need all groups.
    is_rest: AtomicBool,
}

impl<'q> QueueFormat<'q> {
    pub(crate) fn new(
        queues: &'q RowQueues,
        names: &Names,
        dataset: &Dataset,
        regions: Option<&'q HashSet<u32>>,
    ) -> Self {
        let schema = Arc::new(Arrays::schema(dataset));
        Self { queues, regions, arrays: Arrays::new(names), schema, is_rest: AtomicBool::new(false) }
    }

    /// Is told that the rows that follow need all groups.
    pub(crate) fn begin_rest(&self) {
        self.is_rest.store(true, Relaxed);
    }
}

impl Format for QueueFormat<'_> {
    fn open<'f>(&'f self, _: &'static Dataset, part: usize) -> Result<Box<dyn Sink + 'f>, Error> {
        let group = if self.is_rest.load(Relaxed) { REST } else { part };
        Ok(Box::new(QueueSink { format: self, group }))
    }

    fn batch_rows(&self) -> usize {
        ROWS
    }

    fn end_group(&self, number: usize) {
        self.queues.end(number);
    }

    fn finish(&self, _: &'static Dataset, _: usize) -> Result<(), Error> {
        Ok(())
    }
}

/// The rows of a group.
struct QueueSink<'f> {
    format: &'f QueueFormat<'f>,
    group: usize,
}

impl Sink for QueueSink<'_> {
    fn write(&mut self, batch: &mut Batch) -> Result<(), Error> {
        if let Some(regions) = self.format.regions {
            batch.retain_regions(|place| regions.contains(&place));
        }
        if batch.rows == 0 {
            return Ok(());
        }
        let made = self.format.arrays.record_batch(&self.format.schema, batch);
        let made = made.ok_or_else(|| Error::other("rows that fit no columns"))?;
        match self.format.queues.push(self.group, made) {
            true => Ok(()),
            false => Err(Error::other("nobody reads the rows")),
        }
    }

    fn finish(self: Box<Self>) -> Result<(), Error> {
        Ok(())
    }
}
