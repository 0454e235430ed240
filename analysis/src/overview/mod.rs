//! What each location does, in buckets of time: the data of pictures.
//!
//! Every location is read once. Its time is dealt to buckets on several levels of detail
//! (`levels.rs`), to calling contexts in slices of time (`slices.rs`), and its metrics to curves
//! (`curves.rs`). Memory grows with locations, buckets and calling contexts, not with events.

mod curves;
mod lane;
mod levels;
mod shape;
mod slices;

use crate::communication::Matched;
use crate::contexts::{ContextId, Contexts};
use crate::error::Error;
use crate::pass::Selection;
use crate::spill::Spill;
use crate::statistics::{self, In, Joining, Statistics};
use crate::trace::{Location, Trace};
use kymo_otf2::references::LocationRef;

pub use curves::{Curve, Curves};
pub use lane::Lane;
pub use levels::Cell;
pub use shape::Shape;
pub use slices::Entry;

/// The lanes of a trace.
#[derive(Debug, Default)]
pub struct Overview {
    /// The contexts of all calls, in depth-first order.
    pub contexts: Contexts,
    /// What the locations do, in the order of their definitions.
    pub lanes: Vec<(LocationRef, Lane)>,
}

/// Collects the lanes and the statistics of a trace in one pass, and passes all messages and
/// collective operations.
///
/// # Errors
///
/// If there are too many calling contexts, or a temporary file cannot be used. Locations that
/// cannot be read are in [`Statistics::failures`], and their lanes end there.
pub fn of(
    trace: &Trace,
    selection: &Selection,
    shape: &Shape,
    matched: impl FnMut(&Matched<In>),
) -> Result<(Statistics, Overview), Error> {
    let spill = Spill::default();
    let mut joining = Joining::new(trace);
    let mut overview = Overview::default();
    let visitor = |_: &Location| lane::Painter::new(trace, *shape);
    statistics::contributions_with(
        trace,
        selection,
        &spill,
        visitor,
        |location, contribution, rows, (painter, contexts)| {
            joining.add(location, contribution, rows);
            overview.add(trace, location.id, painter.finish(), &contexts)
        },
    )?;
    overview.sort(trace);
    Ok((joining.finish_with(&spill, matched)?, overview))
}

impl Overview {
    fn add(
        &mut self,
        trace: &Trace,
        location: LocationRef,
        mut lane: Lane,
        contexts: &Contexts,
    ) -> Result<(), Error> {
        let ids = self.contexts.add(ContextId::ROOT, contexts, |region| trace.same_region(region))?;
        lane.rename(&ids);
        self.lanes.push((location, lane));
        Ok(())
    }

    /// Makes the result independent of the order in which locations were read.
    fn sort(&mut self, trace: &Trace) {
        let (contexts, ids) = self.contexts.sorted();
        self.contexts = contexts;
        self.lanes.iter_mut().for_each(|(_, lane)| lane.rename(&ids));
        let place = |id: LocationRef| trace.locations().iter().position(|it| it.id == id);
        self.lanes.sort_by_cached_key(|(id, _)| place(*id));
    }
}
