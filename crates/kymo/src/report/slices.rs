//! Exclusive time and calls by slice, group of rows and calling context.

use kymo_analysis::ContextId;
use kymo_analysis::overview::Overview;

use super::add;
use super::arrangement::Arrangement;

/// The largest number of entries of a page.
const MOST: usize = 300_000;

/// The largest number of sums that are kept at the same time: 16 MB.
const MOST_CELLS: usize = 1 << 20;

/// Time and calls in slices.
#[derive(Debug)]
pub(super) struct Slices {
    /// The number of slices.
    pub(super) count: usize,
    /// The number of slices of the overview in each.
    pub(super) joined: usize,
    /// The sets of locations of each group.
    pub(super) groups: Vec<Vec<usize>>,
    /// The entries by slice, group and context.
    pub(super) entries: Vec<Entry>,
}

/// A context of a group in a slice.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    pub(super) slice: u32,
    pub(super) group: u32,
    pub(super) context: ContextId,
    pub(super) exclusive: u64,
    pub(super) visits: u64,
}

impl Slices {
    /// Joins slices and groups until the entries fit.
    pub(super) fn of(overview: &Overview, arrangement: &Arrangement, count: usize) -> Self {
        let groups: Vec<_> = (0..arrangement.sets.len()).map(|set| vec![set]).collect();
        let mut slices = Self { count, joined: 1, groups, entries: Vec::new() };
        let cells = count * slices.groups.len() * (overview.contexts.len());
        if cells <= MOST_CELLS {
            slices.entries = added_up(overview, arrangement, count);
        } else {
            slices.collect(overview, arrangement);
        }
        while slices.entries.len() > MOST && slices.join() {}
        slices
    }

    /// Adds up all entries by sorting them.
    fn collect(&mut self, overview: &Overview, arrangement: &Arrangement) {
        for (group, lanes) in (0..).zip(&arrangement.sets) {
            for entry in lanes.iter().flat_map(|lane| &overview.lanes[*lane].1.entries) {
                let kymo_analysis::overview::Entry { slice, context, exclusive, visits } = *entry;
                self.entries.push(Entry { slice, group, context, exclusive, visits });
            }
        }
        self.add_up();
    }

    /// Joins four slices or four groups, whatever is less coarse. Returns whether there were any.
    fn join(&mut self) -> bool {
        let of_groups = self.groups.len() > 16 && self.count <= 16;
        if self.count > 1 && !of_groups {
            self.count /= 4;
            self.joined *= 4;
            for it in &mut self.entries {
                it.slice /= 4;
            }
        } else if self.groups.len() > 1 {
            self.groups = self.groups.chunks(4).map(<[Vec<usize>]>::concat).collect();
            for it in &mut self.entries {
                it.group /= 4;
            }
        } else {
            return false;
        }
        self.add_up();
        true
    }

    /// Adds up the entries of equal slice, group and context.
    fn add_up(&mut self) {
        let key = |it: &Entry| (it.slice, it.group, it.context);
        self.entries.sort_unstable_by_key(key);
        self.entries.dedup_by(|next, first| {
            let is_same = key(next) == key(first);
            if is_same {
                add(&mut first.exclusive, next.exclusive);
                first.visits += next.visits;
            }
            is_same
        });
    }
}

/// Adds up all entries in a table of all slices, groups and contexts, which is faster than sorting
/// them.
fn added_up(overview: &Overview, arrangement: &Arrangement, count: usize) -> Vec<Entry> {
    let contexts = overview.contexts.len();
    let groups = arrangement.sets.len();
    let mut sums = vec![(0_u64, 0_u64); count * groups * contexts];
    for (group, lanes) in arrangement.sets.iter().enumerate() {
        for entry in lanes.iter().flat_map(|lane| &overview.lanes[*lane].1.entries) {
            let place = (entry.slice as usize * groups + group) * contexts + entry.context.index();
            let sum = &mut sums[place];
            add(&mut sum.0, entry.exclusive);
            sum.1 += entry.visits;
        }
    }
    let entry = |(place, (exclusive, visits)): (usize, (u64, u64))| Entry {
        slice: (place / contexts / groups) as u32,
        group: (place / contexts % groups) as u32,
        context: ContextId((place % contexts) as u32),
        exclusive,
        visits,
    };
    sums.into_iter().enumerate().filter(|it| it.1 != (0, 0)).map(entry).collect()
}
