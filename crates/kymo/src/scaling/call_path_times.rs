//! The time of call paths of several runs. Paths are paired by the names of their regions, because
//! ids differ from trace to trace.

use std::collections::HashMap;

use kymo_analysis::profile::Profile;
use kymo_analysis::{Class, ContextId, Trace};

/// The largest number of calls in a path.
const MOST_CALLS: usize = 64;

/// The exclusive times of call paths in columns of runs.
#[derive(Debug)]
pub(super) struct CallPathTimes {
    ids: HashMap<(Option<usize>, String), usize>,
    pub(super) paths: Vec<PathTimes>,
    columns: usize,
}

/// A call path.
#[derive(Debug)]
pub(super) struct PathTimes {
    parent: Option<usize>,
    name: String,
    /// The kind of work, in the first run that has the path.
    pub(super) class: Class,
    /// The sum of the exclusive times of all locations by column, in nanoseconds.
    pub(super) times: Vec<u128>,
}

/// The call paths of a run: the parent, the name, the class and the time of each.
#[derive(Debug)]
pub(super) struct RunPaths(Vec<(Option<usize>, String, Class, u128)>);

impl RunPaths {
    /// Returns the paths of a profile, callers first.
    pub(super) fn of(trace: &Trace, profile: &Profile) -> Self {
        let classes = Class::of_contexts(trace, &profile.contexts);
        let total = profile.total();
        let row = |context: ContextId| {
            let parent = profile.contexts.parent(context);
            let time = total.contexts.get(&context).map_or(0, |sums| sums.exclusive());
            (
                parent.index().checked_sub(1),
                trace.region_name(profile.contexts.region(context)).into_owned(),
                classes[context.index()],
                time,
            )
        };
        Self(profile.contexts.iter().map(row).collect())
    }
}

impl CallPathTimes {
    /// Starts without paths.
    pub(super) fn new(columns: usize) -> Self {
        Self { ids: HashMap::new(), paths: Vec::new(), columns }
    }

    /// Adds the times of a run to a column.
    pub(super) fn add(&mut self, column: usize, run: &RunPaths) {
        let mut numbers: Vec<usize> = Vec::with_capacity(run.0.len());
        for (parent, name, class, time) in &run.0 {
            let parent = parent.and_then(|parent| numbers.get(parent).copied());
            let new = self.paths.len();
            let number = *self.ids.entry((parent, name.clone())).or_insert(new);
            if number == new {
                let times = vec![0; self.columns];
                self.paths.push(PathTimes { parent, name: name.clone(), class: *class, times });
            }
            self.paths[number].times[column] += time;
            numbers.push(number);
        }
    }

    /// Returns the names of the regions of a path, the outermost first. Of a deep recursion, these
    /// are the innermost ones, after the number of the others.
    pub(super) fn names(&self, path: usize) -> Vec<String> {
        let mut calls = std::iter::successors(self.paths.get(path), |it| self.paths.get(it.parent?));
        let mut names: Vec<_> = calls.by_ref().take(MOST_CALLS).map(|it| it.name.clone()).collect();
        let others = calls.count();
        names.extend((others > 0).then(|| format!("[{others} calls]")));
        names.reverse();
        names
    }
}
