//! Enters and leaves of regions.
//!
//! Invariant: a region is left as it was entered, with its calling context or without one.

use super::{Here, Region};
use crate::events::call;
use crate::host::Host;
use crate::locations::Location;
use core::sync::atomic::Ordering::Relaxed;

/// The function that calls the runtime to enter a region.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Caller {
    /// A function in which the region is.
    Function,
    /// The function that is the region.
    Region,
    /// The library of the construct, on behalf of a function in which the region is.
    Library,
    /// A function that does not call the runtime now.
    Unknown,
}

/// Leaves the innermost region of a location. Its metrics are read.
#[inline]
pub(crate) fn leave_top(host: &Host, location: &Location, time: u64) {
    if location.regions.has_contexts() && leave_top_context(host, location, time) {
        return;
    }
    let Some(region) = location.regions.pop() else { return };
    call!(
        host.table(),
        SCOREP_EVENT_EXIT_REGION: SCOREP_Substrates_ExitRegionCb,
        location.address(), time, region, location.values()
    );
}

/// Like [`leave_top`], but returns `false`, and leaves nothing, if the region was entered without a
/// calling context.
#[cold]
#[inline(never)]
fn leave_top_context(host: &Host, location: &Location, time: u64) -> bool {
    let context = location.regions.context().context;
    if context == 0 || location.regions.pop().is_none() {
        return context != 0;
    }
    call!(
        host.table(),
        SCOREP_EVENT_CALLING_CONTEXT_EXIT: SCOREP_Substrates_CallingContextExitCb,
        location.address(), time, context, context, 1, location.values()
    );
    true
}

impl Here {
    /// Enters a region.
    #[inline]
    pub fn enter(&self, region: Region) {
        self.enter_at(region, self.now());
    }

    #[inline]
    pub(crate) fn enter_at(&self, region: Region, now: u64) {
        self.enter_from(Caller::Function, region, now);
    }

    /// Enters a region that was called as `caller` says.
    #[inline]
    pub(crate) fn enter_from(&self, caller: Caller, region: Region, now: u64) {
        if region.0 == 0 {
            return;
        }
        if !self.location.regions.push(region.0, now) {
            // It is not left either.
            self.host.unstacked.fetch_add(2, Relaxed);
            return;
        }
        self.location.last_time.store(now, Relaxed);
        self.read_metrics();
        if self.location.has_contexts.load(Relaxed) && self.enter_context(caller, region, now) {
            return;
        }
        call!(
            self.host.table(),
            SCOREP_EVENT_ENTER_REGION: SCOREP_Substrates_EnterRegionCb,
            self.location.address(), now, region.0, self.location.values()
        );
    }

    /// Enters a region with its calling context; returns `false` if that is not known.
    #[cold]
    #[inline(never)]
    fn enter_context(&self, caller: Caller, region: Region, now: u64) -> bool {
        self.host.context_entry.is_some_and(|enter| enter(self.host, self.location, region, now, caller))
    }

    /// Leaves a region, after the regions that were entered in it and not left: a program can jump
    /// out of more than one. A region that was not entered is not left.
    #[inline]
    pub fn leave(&self, region: Region) {
        self.leave_at(region, self.now());
    }

    /// Like [`Self::leave`], but returns how long the region was open, if it was open and times are
    /// kept.
    pub(crate) fn leave_timed(&self, region: Region) -> Option<u64> {
        let now = self.now();
        let entered = match self.location.regions.distance(region.0) {
            0 => None,
            distance => self.location.regions.entered(distance),
        };
        self.leave_at(region, now);
        Some(now.saturating_sub(entered?))
    }

    #[inline]
    pub(crate) fn leave_at(&self, region: Region, now: u64) {
        let distance = if region.0 == 0 { 0 } else { self.location.regions.distance(region.0) };
        if distance == 0 {
            return;
        }
        self.location.last_time.store(now, Relaxed);
        self.read_metrics();
        for _ in 0..distance {
            leave_top(self.host, self.location, now);
        }
    }

    /// Leaves this many regions, the innermost first.
    pub(crate) fn leave_innermost(&self, count: usize) {
        let now = self.now();
        for _ in 0..count {
            let innermost = self.location.regions.top();
            innermost.into_iter().for_each(|region| self.leave_at(Region(region), now));
        }
    }

    /// Returns the number of open regions.
    pub fn depth(&self) -> usize {
        self.location.regions.depth()
    }
}
