//! Rows on their way from the threads that read a trace to a reader of Arrow's.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use kymo_tables::dataset::{Batch, Column};
use kymo_tables::parquet::Arrays;
use kymo_tables::{Dataset, Error, Format, GroupQueues, Names, Sink};

use crate::failure::TraceFailure;

/// The number of rows of a batch: few enough for caches, many enough that the cost of a batch is
/// negligible.
const ROWS: usize = 1 << 16;

/// The rows of a table that nobody has taken yet.
pub(crate) type RowQueues = GroupQueues<RecordBatch, TraceFailure>;

/// The format of rows that wait in queues.
#[derive(Debug)]
pub(crate) struct QueueFormat<'q> {
    pub(crate) queues: &'q RowQueues,
    /// The regions of rows, if not all.
    regions: Option<&'q HashSet<u32>>,
    pub(crate) arrays: Arrays,
    /// The columns that are wanted.
    pub(crate) schema: SchemaRef,
    /// Whether the rows need all groups.
    is_rest: AtomicBool,
}

impl<'q> QueueFormat<'q> {
    pub(crate) fn new(
        queues: &'q RowQueues,
        names: &Names,
        schema: SchemaRef,
        regions: Option<&'q HashSet<u32>>,
    ) -> Self {
        Self { queues, regions, arrays: Arrays::new(names), schema, is_rest: AtomicBool::new(false) }
    }

    /// Is told that the rows that follow need all groups.
    pub(crate) fn begin_rest(&self) {
        self.is_rest.store(true, Relaxed);
    }
}

impl Format for QueueFormat<'_> {
    fn open<'f>(&'f self, _: &'static Dataset, part: usize) -> Result<Box<dyn Sink + 'f>, Error> {
        let group = if self.is_rest.load(Relaxed) { RowQueues::REST } else { part };
        Ok(Box::new(QueueSink { format: self, group }))
    }

    fn wants(&self, column: &Column) -> bool {
        // Rows are selected by their regions, which need not be wanted.
        let selects_rows = column.is_region() && self.regions.is_some();
        selects_rows || self.schema.fields().iter().any(|field| field.name() == column.name)
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
