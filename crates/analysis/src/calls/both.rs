//! Two visitors of the same calls, and one that ignores them.

use super::{Call, Inside, Sampled, Task, Visitor};
use crate::contexts::ContextId;
use kymo_otf2::events::Event;
use kymo_otf2::references::RegionRef;

/// Ignores the calls.
impl Visitor for () {
    type Mark = ();
}

/// The first visitor comes first.
impl<A: Visitor, B: Visitor> Visitor for (A, B) {
    type Mark = (A::Mark, B::Mark);

    #[inline]
    fn enter(&mut self, context: ContextId, region: RegionRef, time: u64, is_sampled: bool) -> Self::Mark {
        (self.0.enter(context, region, time, is_sampled), self.1.enter(context, region, time, is_sampled))
    }

    #[inline]
    fn leave(&mut self, call: &Call, mark: Self::Mark, outer: &mut Self::Mark) {
        self.0.leave(call, mark.0, &mut outer.0);
        self.1.leave(call, mark.1, &mut outer.1);
    }

    fn forget(&mut self, mark: Self::Mark, outer: &mut Self::Mark) {
        self.0.forget(mark.0, &mut outer.0);
        self.1.forget(mark.1, &mut outer.1);
    }

    fn start(&mut self) {
        self.0.start();
        self.1.start();
    }

    fn switch(&mut self, time: u64, from: Option<Task>, to: Option<Task>, implicit: &mut Self::Mark) {
        self.0.switch(time, from, to, &mut implicit.0);
        self.1.switch(time, from, to, &mut implicit.1);
    }

    fn seen(
        &mut self,
        context: ContextId,
        region: RegionRef,
        since: Option<u64>,
        time: u64,
        mark: &mut Self::Mark,
    ) {
        self.0.seen(context, region, since, time, &mut mark.0);
        self.1.seen(context, region, since, time, &mut mark.1);
    }

    fn sampled(&mut self, sampled: &Sampled) {
        self.0.sampled(sampled);
        self.1.sampled(sampled);
    }

    #[inline]
    fn event(&mut self, time: u64, event: &Event<'_>, inside: Inside<'_, Self::Mark>) {
        let Inside { context, region, depth, start, mark } = inside;
        self.0.event(time, event, Inside { context, region, depth, start, mark: &mut mark.0 });
        self.1.event(time, event, Inside { context, region, depth, start, mark: &mut mark.1 });
    }

    #[inline]
    fn record(&mut self, time: u64, event: &Event<'_>) {
        self.0.record(time, event);
        self.1.record(time, event);
    }

    fn enclose(&mut self, ids: &[ContextId]) {
        self.0.enclose(ids);
        self.1.enclose(ids);
    }
}
