//! The time in each calling context by iteration: how it varies within a run.

use super::boundaries::{Boundaries, BoundarySearch};
use super::repeated_calls::RepeatedCalls;
use super::{LEAST_FOR_ERROR, MOST_OF_TIME};
use crate::calls::{Activity, ActivitySink};
use crate::communicators::Process;
use crate::contexts::{ContextId, Contexts};
use crate::error::Error;
use crate::pass::{self, Selection};
use crate::profile::Summing;
use crate::robust::deviation;
use crate::trace::{Location, Trace};
use std::collections::{BTreeMap, HashMap};

/// The largest number of blocks.
const MOST_BLOCKS: usize = 64;

/// The time in each calling context by block: as many iterations in sequence, of all locations.
#[derive(Debug)]
pub struct IterationBlocks {
    /// The contexts, in depth-first order.
    pub contexts: Contexts,
    /// The time in each context itself by block, in nanoseconds; empty if there is none.
    exclusive: Vec<Vec<u64>>,
    /// The number of iterations by that of a block.
    in_blocks: f64,
}

impl IterationBlocks {
    /// Reads the times of the contexts in iterations. `None` if there are fewer than five
    /// iterations, or they are not most of the time.
    ///
    /// The iterations are those of the first thread of each process, of the processes that have as
    /// many as most. Trailing iterations that fill no block are left out.
    ///
    /// # Errors
    ///
    /// If there are too many calling contexts.
    pub fn read(trace: &Trace, selection: &Selection) -> Result<Option<Self>, Error> {
        let Some((limits, in_blocks)) = limits(trace, selection)? else { return Ok(None) };
        let mut blocks = Self { contexts: Contexts::new(), exclusive: Vec::new(), in_blocks };
        let work = |location: &Location| {
            let limits = limits.get(&trace.process(location.id))?;
            let sink = BlockTimes { limits, block: 0, times: Vec::new() };
            Some(pass::location(trace, selection, location.id, Activity::new(sink, selection.from)))
        };
        pass::each(trace, selection, work, |_, read| {
            let Some(read) = read else { return Ok(()) };
            let times = read.visitor.into_sink().times;
            let rename = |region| trace.same_region(region);
            let ids = blocks.contexts.add(ContextId::ROOT, &read.contexts, rename)?;
            blocks.exclusive.resize(blocks.contexts.len(), Vec::new());
            for (times, id) in times.iter().zip(&ids).filter(|(_, id)| **id != ContextId::ROOT) {
                add_by_block(&mut blocks.exclusive[id.index()], times);
            }
            Ok(())
        })?;
        let (sorted, ids) = blocks.contexts.sorted();
        let mut exclusive = vec![Vec::new(); sorted.len()];
        for (times, id) in blocks.exclusive.into_iter().zip(ids) {
            exclusive[id.index()] = times;
        }
        Ok(Some(Self { contexts: sorted, exclusive, in_blocks }))
    }

    /// Returns the time in a context itself by block, in nanoseconds; empty if there is none.
    pub fn exclusive(&self, context: ContextId) -> &[u64] {
        self.exclusive.get(context.index()).map_or(&[], Vec::as_slice)
    }

    /// Returns the time in each context with inner calls by block, in nanoseconds.
    pub fn inclusive(&self) -> Vec<Vec<u64>> {
        let mut times = self.exclusive.clone();
        // Callers precede their callees.
        for context in self.contexts.iter().rev() {
            let inner = std::mem::take(&mut times[context.index()]);
            add_by_block(&mut times[self.contexts.parent(context).index()], &inner);
            times[context.index()] = inner;
        }
        times
    }

    /// Returns the standard error of the sum of times by block: 1.4826 times their median absolute
    /// deviation, times the root of the number of blocks.
    pub fn error(&self, times: &[u64]) -> Option<f64> {
        let times: Vec<f64> = times.iter().map(|it| *it as f64).collect();
        deviation(&times).map(|it| it * self.in_blocks.sqrt())
    }
}

/// Adds times block by block.
pub fn add_by_block(sums: &mut Vec<u64>, times: &[u64]) {
    sums.resize(times.len().max(sums.len()), 0);
    for (sum, time) in sums.iter_mut().zip(times) {
        *sum = sum.saturating_add(*time);
    }
}

/// The times at which blocks begin, and that at which the last one ends, by process.
type Limits = HashMap<Process, Vec<u64>>;

/// Returns the limits of the blocks, and the number of iterations by that of a block.
fn limits(trace: &Trace, selection: &Selection) -> Result<Option<(Limits, f64)>, Error> {
    let mut by_count: BTreeMap<usize, Vec<(Process, Boundaries)>> = BTreeMap::new();
    let mut times = BTreeMap::<usize, [u128; 2]>::new();
    let first_threads = trace.first_threads(selection.of(trace).into_iter().map(|(_, location)| location));
    let work = |location: &Location| {
        let is_first = first_threads.get(&trace.process(location.id)) == Some(&location.id);
        is_first.then(|| boundaries(trace, selection, location)).flatten()
    };
    pass::each(trace, selection, work, |location, found| {
        let Some((boundaries, length)) = found else { return Ok(()) };
        let first = boundaries.starts.first().copied().unwrap_or(boundaries.end);
        let [inside, all] = times.entry(boundaries.starts.len()).or_default();
        *inside += u128::from(boundaries.end.saturating_sub(first));
        *all += u128::from(length);
        let same = by_count.entry(boundaries.starts.len()).or_default();
        same.push((trace.process(location.id), boundaries));
        Ok(())
    })?;
    let Some((count, found)) = by_count.into_iter().max_by_key(|(count, found)| (found.len(), *count)) else {
        return Ok(None);
    };
    let [inside, all] = times.get(&count).copied().unwrap_or_default();
    if count < LEAST_FOR_ERROR || (inside as f64) < MOST_OF_TIME * all as f64 {
        return Ok(None);
    }
    let width = count.div_ceil(MOST_BLOCKS);
    let of_process = |(process, Boundaries { mut starts, end, .. }): (Process, Boundaries)| {
        starts.push(end);
        (process, starts.into_iter().step_by(width).collect())
    };
    Ok(Some((found.into_iter().map(of_process).collect(), count as f64 / width as f64)))
}

/// Returns the iterations of a location and its length, in nanoseconds.
fn boundaries(trace: &Trace, selection: &Selection, location: &Location) -> Option<(Boundaries, u64)> {
    let read = pass::location(trace, selection, location.id, Summing::default());
    let length = read.span.map_or(0, |span| selection.length_of(span));
    let repeated = RepeatedCalls::of(trace, &read.contexts, &read.visitor, length)?;
    let search = BoundarySearch::new(trace, Some(repeated), selection.from);
    let read = pass::location(trace, selection, location.id, Activity::new(search, selection.from));
    Some((read.visitor.into_sink().finish(0.0)?, length))
}

/// Sums the time in each context of a location by block.
#[derive(Debug)]
struct BlockTimes<'l> {
    limits: &'l [u64],
    /// The block of the last time.
    block: usize,
    /// By context.
    times: Vec<Vec<u64>>,
}

impl BlockTimes<'_> {
    fn of(&mut self, context: ContextId) -> &mut Vec<u64> {
        if context.index() >= self.times.len() {
            self.times.resize(context.index() + 1, Vec::new());
        }
        let times = &mut self.times[context.index()];
        times.resize(self.limits.len() - 1, 0);
        times
    }
}

impl ActivitySink for BlockTimes<'_> {
    fn spend(&mut self, context: ContextId, since: u64, until: u64) {
        while let Some(end) = self.limits.get(self.block + 1) {
            let from = since.max(self.limits[self.block]);
            if until > from && *end > from {
                let block = self.block;
                self.of(context)[block] += until.min(*end) - from;
            }
            if until < *end {
                break;
            }
            self.block += 1;
        }
    }

    fn rename(&mut self, ids: &[ContextId]) {
        for (times, id) in std::mem::take(&mut self.times).into_iter().zip(ids) {
            if !times.is_empty() {
                add_by_block(self.of(*id), &times);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(limits: &[u64], spent: &[(u32, u64, u64)]) -> Vec<Vec<u64>> {
        let mut sink = BlockTimes { limits, block: 0, times: Vec::new() };
        spent.iter().for_each(|(context, since, until)| sink.spend(ContextId(*context), *since, *until));
        sink.times
    }

    #[test]
    fn times_are_divided_at_the_limits_of_blocks() {
        let spent = [(1, 0, 5), (2, 5, 12), (1, 12, 40), (2, 40, 50)];
        assert_eq!(times(&[10, 20, 30], &spent), [vec![], vec![8, 10], vec![2, 0]]);
        assert_eq!(times(&[0, 1], &[(0, 0, 1)]), [vec![1]]);
        // An iteration without time.
        assert_eq!(times(&[10, 10, 20], &[(0, 0, 30)]), [vec![0, 10]]);
        assert!(times(&[10, 20], &[(0, 0, 10), (0, 20, 30)]).is_empty());
    }

    #[test]
    fn callers_have_the_times_of_what_they_call() {
        let mut contexts = Contexts::new();
        let region = kymo_otf2::references::RegionRef;
        let outer = contexts.child(ContextId::ROOT, region(1)).unwrap();
        let inner = contexts.child(outer, region(2)).unwrap();
        let exclusive = vec![vec![], vec![], vec![3, 4]];
        let blocks = IterationBlocks { contexts, exclusive, in_blocks: 4.0 };
        assert_eq!(blocks.inclusive(), vec![vec![3, 4]; 3]);
        assert_eq!((blocks.exclusive(outer), blocks.exclusive(inner)), (&[][..], &[3, 4][..]));
    }

    #[test]
    fn the_error_of_a_sum_is_that_of_a_block_times_the_root_of_their_number() {
        let blocks = IterationBlocks { contexts: Contexts::new(), exclusive: Vec::new(), in_blocks: 9.0 };
        let error = blocks.error(&[10, 12, 14, 16, 18]).unwrap();
        assert!((error - 1.4826 * 2.0 * 3.0).abs() < 1e-9, "{error}");
        assert_eq!(blocks.error(&[]), None);
    }
}
