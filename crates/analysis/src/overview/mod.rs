//! The activity of each location, in buckets of time: the data of pictures.
//!
//! Every location is read once. Its time is dealt to buckets on several levels of detail
//! (`levels.rs`), to calling contexts in slices of time (`slices.rs`), and its metrics to curves
//! (`curves.rs`). Memory grows with locations, buckets and calling contexts, not with events.

mod checkpoints;
mod curves;
mod lane;
mod levels;
mod shape;
mod slices;

use crate::calls::{Checkpoint, Visitor};
use crate::contexts::{ContextId, Contexts};
use crate::error::Error;
use crate::pass::{self, Selection};
use crate::spill::Spill;
use crate::statistics::{self, Communicated, Joining, Statistics};
use crate::trace::{Location, Trace};
use kymo_otf2::references::LocationRef;
use std::collections::HashMap;
use std::num::NonZero;

use checkpoints::Checkpointer;

pub use curves::{Curve, Curves};
pub use lane::{Lane, Program};
pub use levels::Cell;
pub use shape::Shape;
pub use slices::Entry;

/// The lanes of a trace.
#[derive(Debug, Default)]
pub struct Overview {
    /// The contexts of all calls, in depth-first order.
    pub contexts: Contexts,
    /// The activity of the locations, in the order of their definitions.
    pub lanes: Vec<(LocationRef, Lane)>,
    /// The ids of the contexts, by those that lanes had when they were passed.
    pub sorted: Vec<ContextId>,
    /// Whether there are samples, without which nothing is known about the time in no call.
    pub has_samples: bool,
}

/// Collects the lanes and the statistics of a trace in one pass, and passes all messages,
/// collective operations and wait states.
///
/// # Errors
///
/// If there are too many calling contexts, or a temporary file cannot be used. Locations that
/// cannot be read are in [`Statistics::failures`], and their lanes end there.
pub fn of(
    trace: &Trace,
    selection: &Selection,
    shape: &Shape,
    communicated: impl FnMut(Communicated<'_>),
) -> Result<(Statistics, Overview), Error> {
    let visitor = |_: &Location| lane::Painter::new(trace, *shape);
    collect(
        trace,
        selection,
        shape,
        visitor,
        |painter| (painter.finish(), ()),
        |_, _, ()| Ok(()),
        communicated,
    )
}

/// Does the same, and passes each lane, in any order, with the checkpoints of its location, which
/// are `every` events apart. `each` may remove levels from the lane; the contexts in them have ids
/// that [`Overview::sorted`] replaces.
///
/// # Errors
///
/// Like [`of`], and the errors of `each`.
pub fn with_checkpoints(
    trace: &Trace,
    selection: &Selection,
    shape: &Shape,
    every: NonZero<u64>,
    each: impl FnMut(&Location, &mut Lane, Vec<Checkpoint>) -> Result<(), Error> + Send,
    communicated: impl FnMut(Communicated<'_>),
) -> Result<(Statistics, Overview), Error> {
    let visitor = |_: &Location| (lane::Painter::new(trace, *shape), Checkpointer::new(every));
    let finish = |(painter, checkpointer): (lane::Painter<'_>, Checkpointer)| {
        (painter.finish(), checkpointer.finish())
    };
    collect(trace, selection, shape, visitor, finish, each, communicated)
}

/// Returns the cells of the finest level for a part of a location, whose checkpoints are these, and
/// the contexts that are in them.
///
/// # Errors
///
/// If the location cannot be read.
pub fn part(
    trace: &Trace,
    selection: &Selection,
    shape: &Shape,
    location: LocationRef,
    checkpoints: &[Checkpoint],
) -> Result<(Vec<Cell>, Contexts), Error> {
    // Calls that are open at the first event began there: their enters are missing.
    let start = checkpoints.iter().rfind(|it| it.time < shape.from).or_else(|| checkpoints.first());
    let start = start.cloned().unwrap_or_default();
    let to = shape.from.saturating_add(shape.width.saturating_mul(shape.buckets as u64));
    // A sample stands for a time before it.
    let to = to.saturating_add(trace.longest_period());
    let selection = Selection { from: shape.from, to, watcher: None, ..selection.clone() };
    // Events at the end of the part are in the bucket after it.
    let painter = lane::Painter::new(trace, Shape { buckets: shape.buckets + 1, ..*shape });
    let read = pass::location_from(trace, &selection, location, &start, painter);
    match read.failure {
        Some(failure) => Err(failure),
        None => {
            let mut cells = read.visitor.finish().levels.swap_remove(0);
            cells.truncate(shape.buckets);
            Ok((cells, read.contexts))
        }
    }
}

fn collect<V: Visitor + Send, Rest>(
    trace: &Trace,
    selection: &Selection,
    shape: &Shape,
    visitor: impl Fn(&Location) -> V + Sync,
    finish: impl Fn(V) -> (Lane, Rest) + Sync,
    mut each: impl FnMut(&Location, &mut Lane, Rest) -> Result<(), Error> + Send,
    communicated: impl FnMut(Communicated<'_>),
) -> Result<(Statistics, Overview), Error> {
    let spill = Spill::default();
    let mut joining = Joining::new(trace);
    let mut overview = Overview::default();
    statistics::contributions_with(
        trace,
        selection,
        &spill,
        visitor,
        |location, contribution, rows, (visitor, contexts)| {
            let span = contribution.span();
            joining.add(location, contribution, rows);
            let (mut lane, rest) = finish(visitor);
            lane.settle(shape, span, span.map_or(0, |span| selection.length_of(span)));
            lane.rename(&overview.ids(trace, &contexts)?);
            each(location, &mut lane, rest)?;
            overview.lanes.push((location.id, lane));
            Ok(())
        },
    )?;
    overview.sort(trace);
    let statistics = joining.finish_with(&spill, communicated)?;
    overview.has_samples = statistics.has_samples();
    Ok((statistics, overview))
}

impl Overview {
    /// Returns the ids of the contexts of a location, by their own ones.
    fn ids(&mut self, trace: &Trace, contexts: &Contexts) -> Result<Vec<ContextId>, Error> {
        Ok(self.contexts.add(ContextId::ROOT, contexts, |region| trace.same_region(region))?)
    }

    /// Makes the result independent of the order in which locations were read.
    fn sort(&mut self, trace: &Trace) {
        let (contexts, ids) = self.contexts.sorted();
        self.contexts = contexts;
        for (_, lane) in &mut self.lanes {
            lane.rename(&ids);
        }
        self.sorted = ids;
        let places: HashMap<_, _> = trace.locations().iter().map(|it| it.id).zip(0..).collect();
        self.lanes.sort_by_cached_key(|(id, _)| places.get(id).copied().unwrap_or(usize::MAX));
    }
}
