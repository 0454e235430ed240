//! The calls that begin MPI, at whose ends all processes synchronise.

use crate::calls::{Call, Visitor};
use crate::contexts::ContextId;
use crate::waits::EventCall;
use kymo_otf2::references::{LocationRef, RegionRef};

/// Finds the first call of a location that begins MPI.
#[derive(Debug)]
pub(crate) struct StartCall<'r> {
    /// The regions of such calls.
    regions: &'r [RegionRef],
    calls: u64,
    /// The number of the call, its begin and its end.
    found: Option<(u64, u64, u64)>,
}

impl<'r> StartCall<'r> {
    /// Starts before the first call.
    pub(crate) fn new(regions: &'r [RegionRef]) -> Self {
        Self { regions, calls: 0, found: None }
    }

    /// Returns the end of the call as an event.
    pub(crate) fn event(&self, location: LocationRef) -> Option<EventCall> {
        self.found.map(|(call, start, end)| EventCall { location, time: end, place: 0, call, start, end })
    }
}

impl Visitor for StartCall<'_> {
    /// The number of the call, if it begins MPI.
    type Mark = u64;

    #[inline]
    fn enter(&mut self, _context: ContextId, region: RegionRef, _time: u64, is_sampled: bool) -> u64 {
        self.calls += 1;
        let begins = !is_sampled && self.found.is_none() && self.regions.contains(&region);
        if begins { self.calls } else { 0 }
    }

    #[inline]
    fn leave(&mut self, call: &Call, mark: u64, _outer: &mut u64) {
        if mark > 0 && self.found.is_none() {
            self.found = Some((mark, call.start, call.end));
        }
    }
}
