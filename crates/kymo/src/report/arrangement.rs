//! Which rows the page shows, in which order.
//!
//! Rows follow the nodes of the machine, their processes and the locations of these. If there are
//! too many, the locations of a node that are alike are merged: their row shows the activity of
//! most of them, and is followed by the slowest and the fastest of them.

use super::add;
use std::cmp::Reverse;
use std::collections::HashMap;

use kymo_analysis::overview::{Lane, Overview};
use kymo_analysis::{Class, Trace};
use kymo_otf2::references::{LocationRef, RegionRef};

/// The largest number of rows of the page.
pub(crate) const MOST_ROWS: usize = 1024;

/// A row.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) kind: RowKind,
    /// The lanes that it shows, by their places in the overview.
    pub(crate) lanes: Vec<usize>,
    /// The set of lanes to which it belongs, from 0.
    pub(crate) set: usize,
}

/// The relation of a row to its locations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RowKind {
    /// A location.
    Location,
    /// Several locations together.
    Mean,
    /// The location of those that computes longest.
    Slowest,
    /// The location of those that computes least.
    Fastest,
}

impl RowKind {
    /// Returns the name in the data of the page.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Location => "location",
            Self::Mean => "mean",
            Self::Slowest => "slowest",
            Self::Fastest => "fastest",
        }
    }
}

/// All rows.
#[derive(Debug)]
pub(crate) struct Arrangement {
    pub(crate) rows: Vec<Row>,
    /// The lanes of each set.
    pub(crate) sets: Vec<Vec<usize>>,
    /// Notes for people on merged and missing rows.
    pub(crate) notes: Vec<String>,
    /// The row of each location that is shown.
    row_of: HashMap<LocationRef, usize>,
}

/// Returns whether a lane shows anything. With samples, shares are of the time in no call, too.
fn has_content(lane: &Lane, has_samples: bool) -> bool {
    !lane.entries.is_empty()
        || has_samples && lane.outside.iter().any(|time| *time > 0)
        || !lane.curves.is_empty()
        || lane.levels.last().is_some_and(|cells| cells.iter().any(|cell| cell.region.is_defined()))
}

/// The region in which a location spends most time, and the time for which it computes.
type Character = (RegionRef, u64);

/// Returns the characters of all locations.
fn characters(trace: &Trace, overview: &Overview) -> Vec<Character> {
    let contexts = &overview.contexts;
    let classes = Class::of_contexts(trace, contexts);
    let mut times = vec![0; contexts.len()];
    let character = |(_, lane): &(LocationRef, Lane)| {
        for entry in &lane.entries {
            add(&mut times[entry.context.index()], entry.exclusive);
        }
        let (mut regions, mut computation) = (HashMap::<RegionRef, u64>::new(), 0);
        for entry in &lane.entries {
            let time = std::mem::take(&mut times[entry.context.index()]);
            if time == 0 {
                continue;
            }
            let region = contexts.region(entry.context);
            add(regions.entry(region).or_default(), time);
            if classes[entry.context.index()] == Class::Computation {
                add(&mut computation, time);
            }
        }
        let most = regions.into_iter().max_by_key(|(region, time)| (*time, Reverse(*region)));
        (most.map_or(RegionRef::UNDEFINED, |it| it.0), computation)
    };
    overview.lanes.iter().map(character).collect()
}

impl Arrangement {
    /// Returns at most `most` rows.
    pub(crate) fn of(trace: &Trace, overview: &Overview, most: usize) -> Self {
        let lanes = &overview.lanes;
        let mut shown: Vec<usize> =
            (0..lanes.len()).filter(|it| has_content(&lanes[*it].1, overview.has_samples)).collect();
        let mut notes = Vec::new();
        let hidden = lanes.len() - shown.len();
        if hidden > 0 {
            notes.push(format!("Locations without calls, which have no rows: {hidden}."));
        }
        if trace.clock().length() == 0 && !shown.is_empty() {
            notes.push(
                "The clock properties of the trace state no length that can be: the time shown is that of its \
                 events."
                    .to_owned(),
            );
        }
        let node = |lane: usize| {
            let group = trace.location(lanes[lane].0).map(|it| it.group);
            (group.map(|group| trace.node_of(group)), group)
        };
        // Nodes and processes are in the order of their first locations.
        let (mut nodes, mut groups) = (HashMap::new(), HashMap::new());
        for lane in &shown {
            let (of_node, of_group) = node(*lane);
            let next = nodes.len();
            nodes.entry(of_node).or_insert(next);
            let next = groups.len();
            groups.entry(of_group).or_insert(next);
        }
        let key = |lane: &usize| {
            let (of_node, of_group) = node(*lane);
            (nodes[&of_node], groups[&of_group])
        };
        shown.sort_by_cached_key(key);
        if shown.len() <= most {
            let sets = shown.iter().map(|lane| vec![*lane]).collect();
            return Self::of_sets(overview, &[], sets, notes);
        }
        let characters = characters(trace, overview);
        let of_node = |lane: usize| nodes[&node(lane).0];
        let sets = merged(&characters, &shown, most / 3, of_node);
        notes.push(format!(
            "{} locations were merged, node by node, into {} rows of locations that are alike: by the \
             region in which they spend most time, and by the time of computation. The slowest and the \
             fastest location of each have rows.",
            shown.len(),
            sets.len()
        ));
        Self::of_sets(overview, &characters, sets, notes)
    }

    /// Returns the rows of sets. Only sets of several lanes need characters.
    fn of_sets(
        overview: &Overview,
        characters: &[Character],
        sets: Vec<Vec<usize>>,
        notes: Vec<String>,
    ) -> Self {
        let (mut rows, mut row_of) = (Vec::new(), HashMap::new());
        for (set, lanes) in sets.iter().enumerate() {
            for lane in lanes {
                row_of.insert(overview.lanes[*lane].0, rows.len());
            }
            if let [_] = lanes[..] {
                rows.push(Row { kind: RowKind::Location, lanes: lanes.clone(), set });
                continue;
            }
            let computation = |lane: &usize| characters[*lane].1;
            let slowest = lanes.iter().max_by_key(|lane| (computation(lane), Reverse(**lane)));
            let fastest = lanes.iter().min_by_key(|lane| (computation(lane), **lane));
            rows.push(Row { kind: RowKind::Mean, lanes: lanes.clone(), set });
            for (kind, lane) in [(RowKind::Slowest, slowest), (RowKind::Fastest, fastest)] {
                rows.extend(lane.map(|lane| Row { kind, lanes: vec![*lane], set }));
            }
        }
        Self { rows, sets, notes, row_of }
    }

    /// Returns the row that shows a location.
    pub(crate) fn row(&self, location: LocationRef) -> Option<usize> {
        self.row_of.get(&location).copied()
    }
}

/// Merges locations of a node that are alike, into at most `most` sets, each of which has three
/// rows.
fn merged(
    characters: &[Character],
    shown: &[usize],
    most: usize,
    node: impl Fn(usize) -> usize,
) -> Vec<Vec<usize>> {
    let mut sets = Vec::new();
    for of_node in shown.chunk_by(|one, other| node(*one) == node(*other)) {
        let mut alike = of_node.to_vec();
        alike.sort_by_key(|lane| characters[*lane]);
        let number = (most * alike.len() / shown.len()).max(1);
        sets.extend(alike.chunks(alike.len().div_ceil(number)).map(<[usize]>::to_vec));
    }
    // With very many nodes, neighbours share a row.
    let number = sets.len().div_ceil(most);
    if number > 1 { sets.chunks(number).map(<[Vec<usize>]>::concat).collect() } else { sets }
}
