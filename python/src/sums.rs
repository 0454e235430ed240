//! Sums of the whole run as tables: messages by pair of locations, exclusive times by location.

use std::cmp::Reverse;

use arrow_array::RecordBatch;
use kymo_analysis::statistics::Statistics;
use kymo_analysis::{Error, Trace};

use crate::columns::{doubles, integers, optional_integers, region_names, table};

/// Returns the messages with both sides, by sender and receiver.
pub(crate) fn communication_matrix(statistics: &Statistics) -> Result<RecordBatch, Error> {
    let pairs = &statistics.messages.pairs;
    table(vec![
        ("source", integers(pairs.keys().map(|(source, _)| source.0))),
        ("destination", integers(pairs.keys().map(|(_, destination)| destination.0))),
        ("messages", integers(pairs.values().map(|amount| amount.count))),
        ("bytes", integers(pairs.values().map(|amount| amount.bytes))),
    ])
}

/// Returns the regions that several locations call, by the time that all of these would wait for
/// the slowest one, longest first.
pub(crate) fn load_imbalance(trace: &Trace, statistics: &Statistics) -> Result<RecordBatch, Error> {
    let mut regions: Vec<_> = statistics.regions.iter().collect();
    regions.retain(|(_, it)| it.spread.locations > 1);
    regions.sort_by_key(|(region, it)| (Reverse(it.spread.idle()), **region));
    let spreads = || regions.iter().map(|(_, it)| &it.spread);
    let slowest = spreads().map(|it| it.longest.first().map(|(_, id)| id.0));
    table(vec![
        ("region", region_names(trace, regions.iter().map(|(region, _)| **region))),
        ("locations", integers(spreads().map(|it| it.locations))),
        ("mean_ns", doubles(spreads().map(|it| Some(it.mean())))),
        ("longest_ns", integers(spreads().map(|it| it.most()))),
        ("slowest", optional_integers(slowest)),
        ("idle_ns", integers(spreads().map(|it| it.idle()))),
        ("region_id", integers(regions.iter().map(|(region, _)| region.0))),
    ])
}
