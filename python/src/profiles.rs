//! Profiles as tables, with the columns of `kymo profile --format csv`.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, StringArray};
use kymo_analysis::profile::{self, Sums};
use kymo_analysis::{ContextId, Contexts, Error, Selection, Trace};
use kymo_otf2::references::RegionRef;

use crate::columns::{doubles, integers, optional_integers, region_names, table};

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
    let all = || rows.iter();
    if by_location {
        columns.push(("location", optional_integers(all().map(|row| row.location))));
    }
    let calls = |row: &ProfileRow| Some(row.sums.calls).filter(|calls| calls.visits > 0);
    let region_id = |row: &ProfileRow| row.region.is_defined().then_some(row.region.0);
    let file = |row: &ProfileRow| trace.string(trace.region(row.region)?.source_file);
    let line = |row: &ProfileRow| trace.region(row.region).map(|it| it.line).filter(|line| *line > 0);
    columns.extend([
        ("region", region_names(trace, all().map(|row| row.region))),
        ("visits", integers(all().map(|row| row.sums.calls.visits))),
        ("inclusive_ns", integers(all().map(|row| row.sums.inclusive()))),
        ("exclusive_ns", integers(all().map(|row| row.sums.exclusive()))),
        ("min_ns", optional_integers(all().map(|row| calls(row).map(|it| it.shortest)))),
        ("max_ns", optional_integers(all().map(|row| calls(row).map(|it| it.longest)))),
        ("mean_ns", doubles(all().map(|row| row.sums.calls.mean()))),
        ("deviation_ns", doubles(all().map(|row| row.sums.calls.deviation()))),
        ("samples", integers(all().map(|row| row.sums.samples))),
        ("region_id", optional_integers(all().map(region_id))),
        ("file", Arc::new(all().map(file).collect::<StringArray>())),
        ("line", optional_integers(all().map(line))),
    ]);
    if by_context {
        // The root of all calls is no row.
        let parent = |row: &ProfileRow| (row.parent != ContextId::ROOT).then_some(row.parent.0);
        columns.extend([
            ("context", integers(all().map(|row| row.context.0))),
            ("parent", optional_integers(all().map(parent))),
            ("depth", integers(all().map(|row| row.depth))),
        ]);
    }
    table(columns)
}
