//! Sums of the whole run as tables: messages by pair of locations, exclusive times by location.

use std::cmp::Reverse;
use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, Int64Array, RecordBatch, StringArray};
use kymo_analysis::statistics::Statistics;
use kymo_analysis::{Error, Trace};

/// Returns the messages with both sides, by sender and receiver.
pub(crate) fn communication_matrix(statistics: &Statistics) -> Result<RecordBatch, Error> {
    let pairs = &statistics.messages.pairs;
    let integers = |numbers: Vec<u64>| -> ArrayRef {
        Arc::new(numbers.into_iter().map(|number| i64::try_from(number).ok()).collect::<Int64Array>())
    };
    table([
        ("source", integers(pairs.keys().map(|(source, _)| source.0).collect())),
        ("destination", integers(pairs.keys().map(|(_, destination)| destination.0).collect())),
        ("messages", integers(pairs.values().map(|amount| amount.count).collect())),
        ("bytes", integers(pairs.values().map(|amount| amount.bytes).collect())),
    ])
}

/// Returns the regions that several locations call, by the time that all of these would wait for
/// the slowest one, longest first.
pub(crate) fn load_imbalance(trace: &Trace, statistics: &Statistics) -> Result<RecordBatch, Error> {
    let mut regions: Vec<_> = statistics.regions.iter().collect();
    regions.retain(|(_, it)| it.spread.locations > 1);
    regions.sort_by_key(|(region, it)| (Reverse(it.spread.idle()), **region));
    let integers = |values: Vec<u128>| -> ArrayRef {
        let number = |number: u128| i64::try_from(number).unwrap_or(i64::MAX);
        Arc::new(values.into_iter().map(number).collect::<Int64Array>())
    };
    let spreads = || regions.iter().map(|(_, it)| &it.spread);
    let slowest = spreads().map(|it| it.longest.first().and_then(|(_, id)| i64::try_from(id.0).ok()));
    let names = regions.iter().map(|(region, _)| trace.region_name(**region));
    table([
        ("region", Arc::new(StringArray::from_iter_values(names))),
        ("locations", integers(spreads().map(|it| it.locations.into()).collect())),
        ("mean_ns", Arc::new(spreads().map(|it| Some(it.mean())).collect::<Float64Array>())),
        ("longest_ns", integers(spreads().map(|it| it.most().into()).collect())),
        ("slowest", Arc::new(slowest.collect::<Int64Array>())),
        ("idle_ns", integers(spreads().map(|it| it.idle()).collect())),
        ("region_id", integers(regions.iter().map(|(region, _)| region.0.into()).collect())),
    ])
}

fn table<const N: usize>(columns: [(&str, ArrayRef); N]) -> Result<RecordBatch, Error> {
    let columns = columns.into_iter().map(|(name, array)| (name, array, true));
    RecordBatch::try_from_iter_with_nullable(columns)
        .map_err(|_| Error::BadPart("columns of different lengths"))
}
