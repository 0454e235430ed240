//! Where rows go: for each dataset, a writer of its own.

use crate::dataset::{ALL, Batch, Cells, Column, Dataset, Value};
use crate::error::Error;
use std::{fmt, ptr};

/// Writes the rows of a dataset to a file.
pub trait Sink {
    /// Writes rows. May take the values of the batch.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    fn write(&mut self, batch: &mut Batch) -> Result<(), Error>;

    /// Completes the file.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    fn finish(self: Box<Self>) -> Result<(), Error>;
}

/// A file format.
pub trait Format: fmt::Debug + Sync {
    /// Starts the file for a part of a dataset.
    ///
    /// # Errors
    ///
    /// If the file cannot be created.
    fn open<'f>(&'f self, dataset: &'static Dataset, part: usize) -> Result<Box<dyn Sink + 'f>, Error>;

    /// Returns whether a column is written.
    fn wants(&self, _column: &Column) -> bool {
        true
    }

    /// Returns the number of rows that are collected before they are written.
    fn batch_rows(&self) -> usize {
        1 << 13
    }

    /// Is told that a group of locations is complete.
    fn end_group(&self, _number: usize) {}

    /// Completes a dataset, of which this many parts were written.
    ///
    /// # Errors
    ///
    /// If a file cannot be written.
    fn finish(&self, dataset: &'static Dataset, parts: usize) -> Result<(), Error>;
}

/// The rows of one part of all datasets.
pub(crate) struct Rows<'f> {
    format: &'f dyn Format,
    wanted: &'f [&'static Dataset],
    part: usize,
    batch_rows: usize,
    /// By the place in [`ALL`].
    writers: Vec<Option<Writer<'f>>>,
}

struct Writer<'f> {
    batch: Batch,
    sink: Box<dyn Sink + 'f>,
}

impl<'f> Rows<'f> {
    pub(crate) fn new(format: &'f dyn Format, wanted: &'f [&'static Dataset], part: usize) -> Self {
        Self {
            format,
            wanted,
            part,
            batch_rows: format.batch_rows(),
            writers: ALL.iter().map(|_| None).collect(),
        }
    }

    /// Returns whether a dataset is written.
    pub(crate) fn wants(&self, dataset: &'static Dataset) -> bool {
        self.wanted.iter().any(|it| ptr::eq(*it, dataset))
    }

    /// Returns whether a column of a dataset is written.
    pub(crate) fn wants_column(&self, dataset: &'static Dataset, name: &str) -> bool {
        let mut columns = dataset.columns.iter();
        self.wants(dataset) && columns.any(|column| column.name == name && self.format.wants(column))
    }

    /// Adds a row, unless the dataset is not wanted.
    #[inline]
    pub(crate) fn push<const N: usize>(
        &mut self,
        dataset: &'static Dataset,
        row: [Value; N],
    ) -> Result<(), Error> {
        let Some(place) = ALL.iter().position(|it| ptr::eq(*it, dataset)) else { return Ok(()) };
        if self.writers[place].is_none() && !self.open(dataset, place)? {
            return Ok(());
        }
        let Some(writer) = &mut self.writers[place] else { return Ok(()) };
        writer.batch.push(row);
        if writer.batch.rows >= self.batch_rows { writer.flush() } else { Ok(()) }
    }

    /// Adds this many rows, whose cells `fill` adds, unless the dataset is not wanted.
    pub(crate) fn extend(
        &mut self,
        dataset: &'static Dataset,
        rows: usize,
        fill: impl FnOnce(&mut [Cells]),
    ) -> Result<(), Error> {
        self.start(dataset)?;
        let place = ALL.iter().position(|it| ptr::eq(*it, dataset));
        let Some(Some(writer)) = place.map(|place| &mut self.writers[place]) else { return Ok(()) };
        fill(&mut writer.batch.cells);
        writer.batch.rows += rows;
        if writer.batch.rows >= self.batch_rows { writer.flush() } else { Ok(()) }
    }

    /// Starts a file, even if it will have no rows, unless the dataset is not wanted.
    pub(crate) fn start(&mut self, dataset: &'static Dataset) -> Result<(), Error> {
        let Some(place) = ALL.iter().position(|it| ptr::eq(*it, dataset)) else { return Ok(()) };
        if self.writers[place].is_none() {
            self.open(dataset, place)?;
        }
        Ok(())
    }

    #[cold]
    fn open(&mut self, dataset: &'static Dataset, place: usize) -> Result<bool, Error> {
        if !self.wants(dataset) {
            return Ok(false);
        }
        let sink = self.format.open(dataset, self.part)?;
        let batch = Batch::new(dataset, |column| self.format.wants(column));
        self.writers[place] = Some(Writer { batch, sink });
        Ok(true)
    }

    /// Completes all files.
    pub(crate) fn finish(self) -> Result<(), Error> {
        for mut writer in self.writers.into_iter().flatten() {
            writer.flush()?;
            writer.sink.finish()?;
        }
        Ok(())
    }
}

impl Writer<'_> {
    fn flush(&mut self) -> Result<(), Error> {
        self.sink.write(&mut self.batch)?;
        self.batch.clear();
        Ok(())
    }
}
