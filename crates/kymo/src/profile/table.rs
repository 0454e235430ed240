//! The rows of a profile: named and sorted sums.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};

use kymo_analysis::profile::{Counting, Group, MetricSums, Profile, Quantity, Sums, counting};
use kymo_analysis::{ContextId, MetricMember, Trace};
use kymo_otf2::references::{LocationGroupRef, LocationRef, RegionRef, SystemTreeNodeRef};

use super::{By, Recursive, Value};

/// The sums of a trace.
#[derive(Debug)]
pub(super) struct Table<'t> {
    pub(super) trace: &'t Trace,
    pub(super) by: By,
    pub(super) is_tree: bool,
    pub(super) parts: Vec<GroupRows<'t>>,
    pub(super) profile: &'t Profile,
    /// The names that several regions of the rows have.
    shared_names: HashSet<Cow<'t, str>>,
}

/// The rows of a group.
#[derive(Debug)]
pub(super) struct GroupRows<'t> {
    /// The id and the name of the group.
    pub(super) id: u64,
    pub(super) name: Cow<'t, str>,
    pub(super) locations: u64,
    pub(super) events: u64,
    /// The sum of the lengths of the locations, and the part of it that is in no call, both in
    /// nanoseconds.
    pub(super) length: u128,
    pub(super) outside: u128,
    /// Sorted; in a tree, callers precede their callees.
    pub(super) rows: Vec<Row<'t>>,
}

/// The sums of a region or calling context.
#[derive(Debug)]
pub(super) struct Row<'t> {
    pub(super) name: Cow<'t, str>,
    pub(super) region: RegionRef,
    /// The root for rows of regions.
    pub(super) context: ContextId,
    /// The number of callers, of those in the table.
    pub(super) depth: usize,
    pub(super) sums: Sums,
    /// The sums of the metrics of the table; empty if none were recorded.
    pub(super) metrics: Vec<MetricSums>,
}

/// A metric of a table.
#[derive(Debug)]
pub(super) struct Column<'t> {
    pub(super) name: &'t str,
    pub(super) unit: &'t str,
    pub(super) metric: MetricMember,
}

impl Row<'_> {
    /// Returns a value as a number: nanoseconds, visits or samples.
    pub(super) fn value(&self, value: Value) -> u128 {
        match value {
            Value::Exclusive => self.sums.exclusive(),
            Value::Inclusive => self.sums.inclusive(),
            Value::Visits => self.sums.calls.visits.into(),
            Value::Samples => self.sums.samples.into(),
        }
    }
}

/// The choice of the rows of a table.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rows {
    /// Whether they are calling contexts, not regions.
    pub(super) is_tree: bool,
    /// The value by which they are sorted.
    pub(super) value: Value,
    pub(super) recursive: Recursive,
}

impl Column<'_> {
    /// Whether the metric is counted; otherwise, its highest value is known.
    pub(super) fn is_counted(&self) -> bool {
        counting(&self.metric) != Counting::Absolute
    }

    /// Returns a quantity as text, exact for integers.
    pub(super) fn text(&self, quantity: Quantity) -> String {
        let number = || quantity.number(&self.metric).to_string();
        quantity.integer(&self.metric).map_or_else(number, |integer| integer.to_string())
    }
}

impl<'t> Table<'t> {
    /// Returns the metrics that rows contain, in their order.
    pub(super) fn columns(&self) -> Vec<Column<'t>> {
        let column = |metric: &MetricMember| {
            let [name, unit] = [metric.name, metric.unit].map(|id| self.trace.string(id).unwrap_or_default());
            Column { name, unit, metric: *metric }
        };
        self.profile.metrics.iter().map(column).collect()
    }

    pub(super) fn of(trace: &'t Trace, profile: &'t Profile, by: By, rows: Rows) -> Self {
        let part = |(key, group): (&u64, &Group)| {
            let rows = match rows.is_tree {
                true => contexts(trace, profile, group, rows.value),
                false => regions(trace, profile, group, rows),
            };
            let (locations, events) = (group.locations, group.events);
            let (length, outside) = (group.length, group.outside);
            GroupRows { id: *key, name: name(trace, by, *key), locations, events, length, outside, rows }
        };
        let parts: Vec<_> = profile.groups.iter().map(part).collect();
        let shared_names = shared_names(parts.iter().flat_map(|part| &part.rows));
        Self { trace, by, is_tree: rows.is_tree, parts, profile, shared_names }
    }

    /// Returns the name of a row, with file and line if another region has the same name: the code
    /// of each module of Python is `<module>`, and functions of different files in C can have one
    /// name.
    pub(super) fn label<'r>(&self, row: &'r Row<'_>) -> Cow<'r, str> {
        match self.shared_names.contains(&row.name) {
            true => self.trace.region_name_with_place(row.region).into_owned().into(),
            false => Cow::Borrowed(&row.name),
        }
    }

    /// Whether any row has samples.
    pub(super) fn has_samples(&self) -> bool {
        self.parts.iter().any(GroupRows::has_samples)
    }
}

impl GroupRows<'_> {
    /// Whether any row has samples.
    pub(super) fn has_samples(&self) -> bool {
        self.rows.iter().any(|row| row.sums.samples > 0)
    }
}

/// Returns the text of a call path. Of long paths, it contains the ends: all call paths of a deep
/// recursion together would be as long as its depth squared.
pub(super) fn path_text(path: &[String]) -> String {
    match path.len().checked_sub(LONGEST_PATH) {
        None | Some(0) => path.join(";"),
        Some(more) => {
            let (first, rest) = path.split_at(LONGEST_PATH / 2);
            let last = rest.get(more..).unwrap_or_default();
            format!("{};[{more} frames];{}", first.join(";"), last.join(";"))
        }
    }
}

/// The largest number of frames of a path that is written in full.
const LONGEST_PATH: usize = 256;

/// Returns the names that several regions have.
fn shared_names<'t, 'r>(rows: impl Iterator<Item = &'r Row<'t>>) -> HashSet<Cow<'t, str>>
where
    't: 'r,
{
    let mut regions = HashMap::new();
    let is_shared = |row: &&Row<'t>| *regions.entry(row.name.clone()).or_insert(row.region) != row.region;
    rows.filter(is_shared).map(|row| row.name.clone()).collect()
}

/// Returns the name of the group with this key.
fn name(trace: &Trace, by: By, key: u64) -> Cow<'_, str> {
    match by {
        By::Total => "".into(),
        By::Location => {
            let location = trace.locations().iter().find(|it| it.id == LocationRef(key));
            location.map_or_else(String::new, |it| trace.location_name(it).into_owned()).into()
        }
        By::Process => trace.location_group_name(LocationGroupRef(key as u32)),
        By::Node => trace.system_tree_node_name(SystemTreeNodeRef(key as u32)),
    }
}

fn regions<'t>(trace: &'t Trace, profile: &Profile, group: &Group, rows: Rows) -> Vec<Row<'t>> {
    let mut metrics = profile.metrics_by_region(group);
    let row = |(region, mut sums): (RegionRef, Sums)| {
        if rows.recursive == Recursive::Sum {
            sums.nested = 0;
        }
        let metrics = metrics.remove(&region).unwrap_or_default();
        Row { name: trace.region_name(region), region, context: ContextId::ROOT, depth: 0, sums, metrics }
    };
    let mut regions: Vec<_> = profile.regions(group).into_iter().map(row).collect();
    regions.sort_by(|one, other| order(one, rows.value).cmp(&order(other, rows.value)));
    regions
}

/// Returns a key for sorting: largest first, equal ones by name and id.
fn order<'r>(row: &'r Row<'_>, value: Value) -> (Reverse<u128>, &'r str, RegionRef) {
    (Reverse(row.value(value)), &row.name, row.region)
}

/// Returns a row for each context with sums and for their callers, depth first.
fn contexts<'t>(trace: &'t Trace, profile: &Profile, group: &Group, value: Value) -> Vec<Row<'t>> {
    let tree = &profile.contexts;
    let mut wanted: BTreeMap<ContextId, Sums> = BTreeMap::new();
    for (context, sums) in &group.contexts {
        wanted.insert(*context, *sums);
        for caller in tree.ancestors(tree.parent(*context)) {
            if wanted.contains_key(&caller) {
                break;
            }
            wanted.insert(caller, group.contexts.get(&caller).copied().unwrap_or_default());
        }
    }
    let row = |context: ContextId, depth| {
        let region = tree.region(context);
        let sums = wanted.get(&context).copied().unwrap_or_default();
        let metrics = group.metrics.get(&context).cloned().unwrap_or_default();
        Row { name: trace.region_name(region), region, context, depth, sums, metrics }
    };
    let mut children: BTreeMap<ContextId, Vec<ContextId>> = BTreeMap::new();
    for context in wanted.keys() {
        children.entry(tree.parent(*context)).or_default().push(*context);
    }
    // A stack, because call paths can be longer than that of this thread.
    let (mut rows, mut next) = (Vec::new(), vec![(ContextId::ROOT, 0)]);
    while let Some((context, depth)) = next.pop() {
        let mut below: Vec<_> = children.remove(&context).unwrap_or_default();
        below.sort_by_cached_key(|it| {
            let row = row(*it, 0);
            (row.value(value), Reverse((row.name.into_owned(), row.region)))
        });
        if context != ContextId::ROOT {
            rows.push(row(context, depth - 1));
        }
        next.extend(below.into_iter().map(|it| (it, depth + 1)));
    }
    rows
}
