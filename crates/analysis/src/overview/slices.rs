//! The exclusive time and the calls of calling contexts in slices of time.

use crate::contexts::ContextId;

/// A calling context in a slice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// The slice.
    pub slice: u32,
    /// The calling context.
    pub context: ContextId,
    /// The time in the context itself, in nanoseconds.
    pub exclusive: u64,
    /// The number of calls that ended.
    pub visits: u64,
}

/// The slices of a location.
#[derive(Debug, Default)]
pub(super) struct Slices {
    current: u32,
    /// Exclusive times and visits in the current slice, by context.
    sums: Vec<(u64, u64)>,
    /// The contexts with sums, some of them more than once.
    used: Vec<ContextId>,
    entries: Vec<Entry>,
}

impl Slices {
    #[inline]
    pub(super) fn add(&mut self, context: ContextId, exclusive: u64, visits: u64) {
        let place = context.index();
        if place >= self.sums.len() {
            self.sums.resize(place + 1, (0, 0));
        }
        let sum = &mut self.sums[place];
        if *sum == (0, 0) {
            self.used.push(context);
        }
        *sum = (sum.0 + exclusive, sum.1 + visits);
    }

    /// Takes time from a context, the latest first, back to a slice. Returns how much there was.
    pub(super) fn take(&mut self, context: ContextId, time: u64, first: usize) -> u64 {
        let mut missing = time;
        let mut take = |from: &mut u64| {
            let taken = missing.min(*from);
            *from -= taken;
            missing -= taken;
            missing > 0
        };
        let current = self.sums.get_mut(context.index());
        if current.is_none_or(|(exclusive, _)| take(exclusive)) {
            let entries = self.entries.iter_mut().rev().take_while(|it| it.slice as usize >= first);
            entries.filter(|it| it.context == context).all(|it| take(&mut it.exclusive));
        }
        time - missing
    }

    /// Continues with the next slice.
    pub(super) fn complete(&mut self) {
        self.used.sort_unstable();
        for context in self.used.drain(..) {
            let (exclusive, visits) = std::mem::take(&mut self.sums[context.index()]);
            if (exclusive, visits) != (0, 0) {
                self.entries.push(Entry { slice: self.current, context, exclusive, visits });
            }
        }
        self.current += 1;
    }

    /// All contexts have new ids.
    pub(super) fn rename(&mut self, ids: &[ContextId]) {
        for it in &mut self.entries {
            it.context = ids[it.context.index()];
        }
        let mut sums = std::mem::take(&mut self.sums);
        for context in std::mem::take(&mut self.used) {
            let (exclusive, visits) = std::mem::take(&mut sums[context.index()]);
            self.add(ids[context.index()], exclusive, visits);
        }
    }

    /// Returns the entries in calls, and the time in no call by slice.
    pub(super) fn into_entries(mut self, slices: usize) -> (Vec<Entry>, Vec<u64>) {
        let mut outside = vec![0; slices];
        for it in self.entries.iter().filter(|it| it.context == ContextId::ROOT) {
            outside[it.slice as usize] += it.exclusive;
        }
        self.entries.retain(|it| it.context != ContextId::ROOT && (it.exclusive, it.visits) != (0, 0));
        (self.entries, outside)
    }
}
