//! Columns of tables in memory.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::builder::{Int32Builder, StringBuilder};
use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, DictionaryArray, Float64Array, Int64Array, RecordBatch};
use kymo_analysis::{Error, Trace};
use kymo_otf2::references::RegionRef;

/// Returns a column of integers or nothing. Larger ones than a column can have are its largest.
pub(crate) fn optional_integers<N: TryInto<i64>>(values: impl Iterator<Item = Option<N>>) -> ArrayRef {
    let number = |number: N| number.try_into().unwrap_or(i64::MAX);
    Arc::new(values.map(|value| value.map(number)).collect::<Int64Array>())
}

/// Returns a column of integers. Larger ones than a column can have are its largest.
pub(crate) fn integers<N: TryInto<i64>>(values: impl Iterator<Item = N>) -> ArrayRef {
    optional_integers(values.map(Some))
}

/// Returns a column of floating-point numbers or nothing.
pub(crate) fn doubles(values: impl Iterator<Item = Option<f64>>) -> ArrayRef {
    Arc::new(values.collect::<Float64Array>())
}

/// Returns a column of the names of regions, as a dictionary: names are long, and repeat.
pub(crate) fn region_names(trace: &Trace, regions: impl Iterator<Item = RegionRef> + Clone) -> ArrayRef {
    let (mut places, mut keys, mut values) = (HashMap::new(), Int32Builder::new(), StringBuilder::new());
    for region in regions.clone() {
        let next = places.len() as i32;
        let place = *places.entry(trace.region_name(region)).or_insert_with_key(|name| {
            values.append_value(name);
            next
        });
        keys.append_value(place);
    }
    match DictionaryArray::<Int32Type>::try_new(keys.finish(), Arc::new(values.finish())) {
        Ok(array) => Arc::new(array),
        // Each key is the place of a value.
        Err(_) => Arc::new(regions.map(|_| None::<&str>).collect::<DictionaryArray<Int32Type>>()),
    }
}

/// Returns a table of columns of one length.
pub(crate) fn table(columns: Vec<(&str, ArrayRef)>) -> Result<RecordBatch, Error> {
    let columns = columns.into_iter().map(|(name, array)| (name, array, true));
    RecordBatch::try_from_iter_with_nullable(columns)
        .map_err(|_| Error::BadPart("columns of different lengths"))
}
