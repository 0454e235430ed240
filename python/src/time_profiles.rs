//! Profiles over time as tables: the exclusive time and the calls of regions in slices of time.

use std::collections::{BTreeMap, HashSet};

use arrow_array::RecordBatch;
use kymo_analysis::overview::{self, Shape};
use kymo_analysis::pass::selected_time;
use kymo_analysis::{Error, Selection, Trace};
use kymo_otf2::references::{LocationRef, RegionRef};

use crate::columns::{integers, optional_integers, region_names, table};

/// The largest number of slices.
const MOST: usize = 1 << 16;

/// The time and the calls of a region in a slice.
#[derive(Debug, Clone, Copy, Default)]
struct SliceSums {
    exclusive: u64,
    visits: u64,
}

/// Returns whether time can be divided into so many slices.
pub(crate) fn is_number_of_slices(slices: usize) -> bool {
    slices <= MOST && slices.is_power_of_two() && slices.trailing_zeros().is_multiple_of(2)
}

/// Returns the sums of regions by slice, for all locations or for each, in the order of locations,
/// slices and the definitions of regions; the rows of some regions, if not all.
pub(crate) fn of(
    trace: &Trace,
    selection: &Selection,
    slices: usize,
    by_location: bool,
    regions: Option<&HashSet<String>>,
) -> Result<RecordBatch, Error> {
    let (from, length) = selected_time(trace, selection);
    let shape = Shape::new(from, length, slices, slices);
    let (mut statistics, overview) = overview::of(trace, selection, &shape, |_| {})?;
    if !statistics.failures.is_empty() {
        return Err(statistics.failures.swap_remove(0).1);
    }
    let mut rows: BTreeMap<(Option<LocationRef>, u32, RegionRef), SliceSums> = BTreeMap::new();
    for (location, lane) in &overview.lanes {
        for entry in &lane.entries {
            let region = overview.contexts.region(entry.context);
            let sums = rows.entry((by_location.then_some(*location), entry.slice, region)).or_default();
            sums.exclusive = sums.exclusive.saturating_add(entry.exclusive);
            sums.visits += entry.visits;
        }
    }
    if let Some(regions) = regions {
        rows.retain(|(_, _, region), _| regions.contains(&*trace.region_name(*region)));
    }
    let start = |slice: u32| from.saturating_add(shape.slice_width().saturating_mul(slice.into()));
    let mut columns = Vec::new();
    if by_location {
        let locations = rows.keys().map(|(location, ..)| location.map(|it| it.0));
        columns.push(("location", optional_integers(locations)));
    }
    columns.extend([
        ("slice", integers(rows.keys().map(|(_, slice, _)| *slice))),
        ("time", integers(rows.keys().map(|(_, slice, _)| start(*slice)))),
        ("duration", integers(rows.keys().map(|_| shape.slice_width()))),
        ("region", region_names(trace, rows.keys().map(|(_, _, region)| *region))),
        ("exclusive_ns", integers(rows.values().map(|sums| sums.exclusive))),
        ("visits", integers(rows.values().map(|sums| sums.visits))),
    ]);
    table(columns)
}
