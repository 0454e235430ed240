//! How much the values of a profile vary by chance: from run to run, or within a run from iteration
//! to iteration.

use std::collections::HashMap;

use kymo_analysis::iterations::{IterationBlocks, add_by_block};
use kymo_analysis::{ContextId, Trace};
use serde::Serialize;

use super::paths::PathIds;
use super::table::Rows;
use super::{Recursive, Value};
use crate::noise;

/// The noise of a row is known if iterations have this part of its time.
const MOST_OF_TIME: f64 = 0.5;

/// Standard errors of values; `None` where they are not known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub(super) struct Noise {
    visits: Option<f64>,
    samples: Option<f64>,
    inclusive_ns: Option<f64>,
    exclusive_ns: Option<f64>,
}

impl Noise {
    /// Returns the noise that `of` returns for each value.
    pub(super) fn of_each(of: impl Fn(Value) -> Option<f64>) -> Self {
        Self {
            visits: of(Value::Visits),
            samples: of(Value::Samples),
            inclusive_ns: of(Value::Inclusive),
            exclusive_ns: of(Value::Exclusive),
        }
    }

    pub(super) fn of(&self, value: Value) -> Option<f64> {
        match value {
            Value::Exclusive => self.exclusive_ns,
            Value::Inclusive => self.inclusive_ns,
            Value::Visits => self.visits,
            Value::Samples => self.samples,
        }
    }

    /// Returns the noise of the difference of two values.
    pub(super) fn joined(&self, other: &Self) -> Self {
        Self::of_each(|value| Some(self.of(value)?.hypot(other.of(value)?)))
    }

    /// Returns whether a change of a value is larger than the noise, if that is known.
    pub(super) fn is_certain(&self, value: Value, change: f64) -> Option<bool> {
        self.of(value).map(|noise| noise::is_certain(change, noise))
    }
}

/// The noise of the times of a run, by row, from its iterations.
#[derive(Debug, Default)]
pub(super) struct IterationNoise {
    rows: HashMap<usize, RowNoise>,
    total: Option<f64>,
}

#[derive(Debug, Clone, Copy, Default)]
struct RowNoise {
    exclusive: BlockNoise,
    inclusive: BlockNoise,
}

/// The sum of the times of blocks of iterations, and its standard error.
#[derive(Debug, Clone, Copy, Default)]
struct BlockNoise {
    time: f64,
    error: Option<f64>,
}

impl IterationNoise {
    /// Joins the contexts of blocks to rows with numbers of `paths`.
    pub(super) fn of(trace: &Trace, blocks: &IterationBlocks, rows: Rows, paths: &PathIds) -> Self {
        let (inclusive, is_outermost) = (blocks.inclusive(), blocks.contexts.outermost());
        let mut ids = vec![None; blocks.contexts.len()];
        let mut times: HashMap<usize, [Vec<u64>; 2]> = HashMap::new();
        for context in blocks.contexts.iter() {
            let caller = Some(blocks.contexts.parent(context)).filter(|it| *it != ContextId::ROOT);
            let outer = caller.filter(|_| rows.is_tree).map(|it| ids[it.index()]);
            // Contexts below one without a row have none.
            let name = trace.region_name(blocks.contexts.region(context));
            let known = if outer == Some(None) { None } else { paths.known(outer.flatten(), &name) };
            let Some(id) = known else { continue };
            ids[context.index()] = Some(id);
            let [row_exclusive, row_inclusive] = times.entry(id).or_default();
            add_by_block(row_exclusive, blocks.exclusive(context));
            if rows.is_tree || rows.recursive == Recursive::Sum || is_outermost[context.index()] {
                add_by_block(row_inclusive, &inclusive[context.index()]);
            }
        }
        let noise = |times: &[u64]| BlockNoise {
            time: times.iter().map(|it| *it as f64).sum(),
            error: blocks.error(times),
        };
        let rows = times.into_iter().map(|(id, [exclusive, inclusive])| {
            (id, RowNoise { exclusive: noise(&exclusive), inclusive: noise(&inclusive) })
        });
        let total = blocks.error(&inclusive[ContextId::ROOT.index()]);
        Self { rows: rows.collect(), total }
    }

    /// Returns the noise of a row, whose values `value` returns, if most of its time is in
    /// iterations.
    pub(super) fn of_row(&self, id: usize, value: impl Fn(Value) -> u128) -> Noise {
        let row = self.rows.get(&id).copied().unwrap_or_default();
        Noise::of_each(|kind| {
            let BlockNoise { time, error } = match kind {
                Value::Exclusive => row.exclusive,
                Value::Inclusive => row.inclusive,
                Value::Visits | Value::Samples => return None,
            };
            match value(kind) {
                // A function that is never called does not vary at all.
                0 => self.total.map(|_| 0.0),
                value => error.filter(|_| time >= MOST_OF_TIME * value as f64),
            }
        })
    }

    /// Returns the noise of the time of all rows.
    pub(super) fn of_total(&self) -> Noise {
        Noise { inclusive_ns: self.total, exclusive_ns: self.total, ..Noise::default() }
    }
}
