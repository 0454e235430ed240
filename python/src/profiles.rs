//! Profiles as tables, with the columns of `kymo profile --format csv`.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::sync::Arc;

use arrow_array::builder::{StringBuilder, UInt32Builder};
use arrow_array::{ArrayRef, Float64Array, Int64Array, RecordBatch, StringArray};
use kymo_analysis::profile::{self, Sums};
use kymo_analysis::{ContextId, Contexts, Error, Selection, Trace};
use kymo_otf2::references::RegionRef;

/// A row of a profile.
struct ProfileRow {
    location: Option<u64>,
    context: ContextId,
    parent: ContextId,
    depth: u32,
    region: RegionRef,
    sums: Sums,
}

/// Returns the sums of the calls by region or by calling context, for all locations or for each;
/// the rows of some regions, if not all.
pub(crate) fn of(
    trace: &Trace,
    selection: &Selection,
    by_context: bool,
    by_location: bool,
    regions: Option<&HashSet<String>>,
) -> Result<RecordBatch, Error> {
    let mut profile =
        profile::of_groups(trace, selection, &[], |location| if by_location { location.id.0 } else { 0 })?;
    if !profile.failures.is_empty() {
        return Err(profile.failures.swap_remove(0).1);
    }
    let depths = depths(&profile.contexts);
    let mut rows = Vec::new();
    for (key, group) in &profile.groups {
        let location = by_location.then_some(*key);
        if by_context {
            let contexts = group.contexts.iter();
            rows.extend(contexts.map(|(context, sums)| ProfileRow {
                location,
                context: *context,
                parent: profile.contexts.parent(*context),
                depth: depths[context.index()],
                region: profile.contexts.region(*context),
                sums: *sums,
            }));
        } else {
            let mut regions: Vec<_> = profile.regions(group).into_iter().collect();
            regions.sort_by_key(|(region, sums)| (Reverse(sums.exclusive()), trace.region_name(*region)));
            let root = ContextId::ROOT;
            rows.extend(regions.into_iter().map(|(region, sums)| ProfileRow {
                location,
                context: root,
                parent: root,
                depth: 0,
                region,
                sums,
            }));
        }
    }
    if let Some(regions) = regions {
        rows.retain(|row| regions.contains(&*trace.region_name(row.region)));
    }
    batch(trace, &rows, by_context, by_location)
}

/// Returns the number of callers of each context; the root has none, nor do its callees.
fn depths(contexts: &Contexts) -> Vec<u32> {
    let mut depths = vec![0; contexts.len()];
    // Callers come before their callees.
    for context in contexts.iter() {
        let parent = contexts.parent(context);
        if parent != ContextId::ROOT {
            depths[context.index()] = depths[parent.index()] + 1;
        }
    }
    depths
}

fn batch(
    trace: &Trace,
    rows: &[ProfileRow],
    by_context: bool,
    by_location: bool,
) -> Result<RecordBatch, Error> {
    let mut columns: Vec<(&str, ArrayRef)> = Vec::new();
    let integers = |value: &dyn Fn(&ProfileRow) -> Option<i64>| -> ArrayRef {
        Arc::new(rows.iter().map(value).collect::<Int64Array>())
    };
    let doubles = |value: &dyn Fn(&ProfileRow) -> Option<f64>| -> ArrayRef {
        Arc::new(rows.iter().map(value).collect::<Float64Array>())
    };
    if by_location {
        columns.push(("location", integers(&|row| row.location.map(|id| id as i64))));
    }
    columns.push(("region", names(trace, rows)));
    let has_calls = |row: &ProfileRow| row.sums.calls.visits > 0;
    let number = |number: u128| Some(i64::try_from(number).unwrap_or(i64::MAX));
    columns.push(("visits", integers(&|row| number(row.sums.calls.visits.into()))));
    columns.push(("inclusive_ns", integers(&|row| number(row.sums.inclusive()))));
    columns.push(("exclusive_ns", integers(&|row| number(row.sums.exclusive()))));
    let shortest = |row: &ProfileRow| number(row.sums.calls.shortest.into()).filter(|_| has_calls(row));
    let longest = |row: &ProfileRow| number(row.sums.calls.longest.into()).filter(|_| has_calls(row));
    columns.push(("min_ns", integers(&shortest)));
    columns.push(("max_ns", integers(&longest)));
    columns.push(("mean_ns", doubles(&|row| row.sums.calls.mean())));
    columns.push(("deviation_ns", doubles(&|row| row.sums.calls.deviation())));
    columns.push(("samples", integers(&|row| number(row.sums.samples.into()))));
    let region_id = |row: &ProfileRow| row.region.is_defined().then_some(i64::from(row.region.0));
    columns.push(("region_id", integers(&region_id)));
    let file = |row: &ProfileRow| trace.string(trace.region(row.region)?.source_file);
    columns.push(("file", Arc::new(rows.iter().map(file).collect::<StringArray>())));
    let line = |row: &ProfileRow| trace.region(row.region).map(|it| it.line.into()).filter(|line| *line > 0);
    columns.push(("line", integers(&line)));
    if by_context {
        // The root of all calls is no row.
        let parent = |row: &ProfileRow| (row.parent != ContextId::ROOT).then_some(i64::from(row.parent.0));
        columns.push(("context", integers(&|row| Some(row.context.0.into()))));
        columns.push(("parent", integers(&parent)));
        columns.push(("depth", integers(&|row| Some(row.depth.into()))));
    }
    // All columns have as many values as there are rows.
    RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(name, array)| (name, array, true)))
        .map_err(|_| Error::BadPart("columns of different lengths"))
}

/// Returns the names of the regions as a dictionary: names are long, and repeat.
fn names(trace: &Trace, rows: &[ProfileRow]) -> ArrayRef {
    use arrow_array::DictionaryArray;
    use arrow_array::types::UInt32Type;
    use std::collections::HashMap;
    let (mut places, mut keys, mut values) = (HashMap::new(), UInt32Builder::new(), StringBuilder::new());
    for row in rows {
        let next = places.len() as u32;
        let place = *places.entry(trace.region_name(row.region)).or_insert_with_key(|name| {
            values.append_value(name);
            next
        });
        keys.append_value(place);
    }
    match DictionaryArray::<UInt32Type>::try_new(keys.finish(), Arc::new(values.finish())) {
        Ok(array) => Arc::new(array),
        // Each key is the place of a value.
        Err(_) => Arc::new(DictionaryArray::<UInt32Type>::from_iter(rows.iter().map(|_| None::<&str>))),
    }
}
