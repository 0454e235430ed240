//! Rows as Arrow arrays, and these as Parquet files: a folder per dataset.
//!
//! Everything is signed, because Spark has no unsigned numbers of 64 bits, and pandas no unsigned
//! keys of dictionaries with pyarrow 18. Names are dictionaries;
//! the schema of Arrow is in the files, so that data frames get them back as categories.

use crate::dataset::{Batch, Cells, Column, ColumnKind, Dataset};
use crate::error::Error;
use crate::names::Names;
use crate::sink::{Format, Sink};
use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, DictionaryArray, Float64Array, Int32Array, Int64Array, RecordBatch, StringArray,
};
use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::ColumnPath;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{io, mem};

/// The number of rows of a row group, by which engines parallelise and prune.
const ROW_GROUP: usize = 1 << 18;

/// Converts rows to Arrow arrays.
#[derive(Debug)]
pub struct Arrays {
    /// The dictionaries, which all batches share.
    dictionaries: std::collections::HashMap<crate::dataset::List, ArrayRef>,
}

impl Arrays {
    /// Prepares the dictionaries.
    pub fn new(names: &Names) -> Self {
        use crate::dataset::List;
        let lists = [
            List::Regions,
            List::Communicators,
            List::Metrics,
            List::Files,
            List::Parameters,
            List::Collectives,
            List::Waits,
            List::Kinds,
            List::Events,
        ];
        let array = |list| {
            let array: ArrayRef = Arc::new(StringArray::from_iter_values(names.list(list)));
            (list, array)
        };
        Self { dictionaries: lists.into_iter().map(array).collect() }
    }

    /// Returns the schema of a dataset.
    pub fn schema(dataset: &Dataset) -> Schema {
        Schema::new(dataset.columns.iter().map(field).collect::<Vec<_>>())
    }

    /// Returns the columns of a schema as arrays, which take the values of the batch.
    pub fn record_batch(&self, schema: &Arc<Schema>, batch: &mut Batch) -> Option<RecordBatch> {
        let columns = batch.dataset.columns;
        let array = |field: &Arc<Field>| {
            let place = columns.iter().position(|column| column.name == field.name())?;
            self.array(&mut batch.cells[place], columns[place].kind)
        };
        let arrays = schema.fields().iter().map(array).collect::<Option<Vec<_>>>()?;
        RecordBatch::try_new(schema.clone(), arrays).ok()
    }

    fn array(&self, cells: &mut Cells, kind: ColumnKind) -> Option<ArrayRef> {
        Some(match cells {
            Cells::Integers(cells) => Arc::new(Int64Array::from(mem::take(cells))),
            Cells::Optional(cells) => Arc::new(Int64Array::from(mem::take(cells))),
            Cells::Doubles(cells) => Arc::new(Float64Array::from(mem::take(cells))),
            Cells::Texts(cells) => Arc::new(StringArray::from_iter(cells.iter().map(Option::as_deref))),
            Cells::Unwanted => return None,
            Cells::Names(cells) => {
                let ColumnKind::Name(list) = kind else { return None };
                // Keys that are too large are negative, which no dictionary has.
                let keys: Int32Array = cells.drain(..).map(|it| it.map(|place| place as i32)).collect();
                let values = self.dictionaries.get(&list)?.clone();
                Arc::new(DictionaryArray::<Int32Type>::try_new(keys, values).ok()?)
            }
        })
    }
}

fn field(column: &Column) -> Field {
    let data_type = match column.kind {
        ColumnKind::Growing | ColumnKind::Integer | ColumnKind::Optional => DataType::Int64,
        ColumnKind::Double => DataType::Float64,
        ColumnKind::Text => DataType::Utf8,
        ColumnKind::Name(_) => DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8)),
    };
    let is_optional = !matches!(column.kind, ColumnKind::Growing | ColumnKind::Integer);
    Field::new(column.name, data_type, is_optional)
}

/// Writes Parquet files to a folder.
#[derive(Debug)]
pub struct ParquetFolder {
    folder: PathBuf,
    arrays: Arrays,
    metadata: Vec<(String, String)>,
}

impl ParquetFolder {
    /// Writes to a folder that exists. Each file contains the metadata.
    pub fn new(folder: &Path, names: &Names, metadata: Vec<(String, String)>) -> Self {
        Self { folder: folder.to_owned(), arrays: Arrays::new(names), metadata }
    }

    fn properties(&self, dataset: &Dataset) -> WriterProperties {
        let pair = |(key, value): &(String, String)| KeyValue::new(key.clone(), value.clone());
        let mut builder = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_max_row_group_row_count(Some(ROW_GROUP))
            .set_statistics_enabled(EnabledStatistics::Chunk)
            .set_write_batch_size(WRITE_BATCH)
            .set_created_by(format!("kymo version {}", env!("CARGO_PKG_VERSION")))
            .set_key_value_metadata(Some(self.metadata.iter().map(pair).collect()));
        for column in dataset.columns {
            let path = ColumnPath::from(column.name);
            if PRUNED.contains(&column.name) {
                builder = builder.set_column_statistics_enabled(path.clone(), EnabledStatistics::Page);
            }
            if let Some(encoding) = encoding(column) {
                builder = builder
                    .set_column_dictionary_enabled(path.clone(), false)
                    .set_column_encoding(path, encoding);
            }
        }
        builder.build()
    }
}

/// The number of rows that a column writer takes at a time.
const WRITE_BATCH: usize = 1 << 13;
/// The columns by which queries select: each page states its smallest and largest value.
const PRUNED: &[&str] = &["location", "time"];

/// The columns of numbers that hardly repeat, besides times: the bytes of each place are stored
/// together, so that zstd finds the small numbers. For durations this takes a third of the room of
/// differences, and for rows of callers a quarter.
const SPLIT: &[&str] =
    &["duration", "exclusive", "parent", "receive_time", "send_call", "receive_call", "offset", "instance"];

/// Returns the encoding of a column that is not one of the most frequent values.
fn encoding(column: &Column) -> Option<Encoding> {
    match column.kind {
        ColumnKind::Growing => Some(Encoding::DELTA_BINARY_PACKED),
        _ if SPLIT.contains(&column.name) => Some(Encoding::BYTE_STREAM_SPLIT),
        _ => None,
    }
}

impl Format for ParquetFolder {
    fn open<'f>(&'f self, dataset: &'static Dataset, part: usize) -> Result<Box<dyn Sink + 'f>, Error> {
        let folder = self.folder.join(dataset.name);
        create(&folder)?;
        let path = folder.join(format!("part-{part:05}.parquet"));
        let file = File::create(&path).map_err(|error| Error::write(&path, error))?;
        let schema = Arc::new(Arrays::schema(dataset));
        let writer = ArrowWriter::try_new(file, schema.clone(), Some(self.properties(dataset)));
        let writer = writer.map_err(|error| failed(&path, error))?;
        Ok(Box::new(ParquetFile { path, writer, schema, arrays: &self.arrays }))
    }

    fn finish(&self, _dataset: &'static Dataset, _parts: usize) -> Result<(), Error> {
        Ok(())
    }
}

struct ParquetFile<'f> {
    path: PathBuf,
    writer: ArrowWriter<File>,
    schema: Arc<Schema>,
    arrays: &'f Arrays,
}

impl Sink for ParquetFile<'_> {
    fn write(&mut self, batch: &mut Batch) -> Result<(), Error> {
        let rows = self.arrays.record_batch(&self.schema, batch);
        let rows = rows.ok_or_else(|| Error::write(&self.path, io::ErrorKind::InvalidData))?;
        self.writer.write(&rows).map_err(|error| failed(&self.path, error))
    }

    fn finish(self: Box<Self>) -> Result<(), Error> {
        let Self { path, writer, .. } = *self;
        writer.close().map(drop).map_err(|error| failed(&path, error))
    }
}

/// Creates the folder of a dataset, but not the one around it, which may have been removed.
fn create(folder: &Path) -> Result<(), Error> {
    match fs::create_dir(folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(Error::write(folder, error)),
        _ => Ok(()),
    }
}

fn failed(path: &Path, error: ParquetError) -> Error {
    match error {
        ParquetError::External(error) => match error.downcast::<io::Error>() {
            Ok(error) => Error::write(path, *error),
            Err(error) => Error::write(path, io::Error::other(error)),
        },
        error => Error::write(path, io::Error::other(error)),
    }
}
