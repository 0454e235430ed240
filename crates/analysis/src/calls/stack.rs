//! The open calls of a task.

use crate::contexts::ContextId;
use std::iter;
use std::mem;

/// An open call.
#[derive(Debug, Clone, Copy)]
pub(super) struct OpenFrame<M> {
    pub(super) mark: M,
    pub(super) context: ContextId,
    pub(super) is_sampled: bool,
    pub(super) start: u64,
    /// For how long the task had been suspended when the call began.
    pub(super) suspended: u64,
    /// The time in inner calls.
    pub(super) inner: u64,
}

/// A part of the time for which a sample stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Share {
    /// The call that only samples have seen.
    pub(super) context: ContextId,
    /// The innermost call around it that was entered, or the root.
    pub(super) entered: ContextId,
    pub(super) time: u64,
    /// The call is the innermost one in that.
    pub(super) is_innermost: bool,
}

/// The times that samples add to a call that was entered, or to the root.
#[derive(Debug, Clone, Copy, Default)]
struct Level {
    /// The time since the last sample in the call itself, without entered calls in it.
    since_sample: u64,
    /// The part of the time of samples in the call that nothing could receive, since it had not
    /// passed there: that before the first sample of a call. The time after the last one makes up
    /// for it.
    missing: u64,
    /// The time of samples in its inner time.
    sampled: u64,
}

/// The open calls of a task.
#[derive(Debug)]
pub(super) struct Stack<M> {
    /// The innermost call; the root if none is open.
    pub(super) top: OpenFrame<M>,
    /// The calls around it, with the root first.
    pub(super) outer: Vec<OpenFrame<M>>,
    /// The root and the calls that were entered, the innermost last; only the root before the first
    /// sample.
    levels: Vec<Level>,
    /// When the innermost of them last became the innermost.
    level_since: u64,
    /// For how long the task has been suspended.
    pub(super) suspended: u64,
    /// When the task was suspended or resumed.
    pub(super) since: u64,
    /// When the innermost calls that only samples have seen were certainly open, for the last time.
    pub(super) seen: u64,
}

impl<M: Default> Stack<M> {
    pub(super) fn new(time: u64) -> Self {
        let (context, mark) = (ContextId::ROOT, M::default());
        let root = OpenFrame { mark, context, is_sampled: false, start: 0, suspended: 0, inner: 0 };
        let (levels, outer) = (vec![Level::default()], Vec::new());
        Self { top: root, outer, levels, level_since: time, suspended: 0, since: time, seen: time }
    }

    /// Prepares for samples: only entered calls are open.
    pub(super) fn begin_samples(&mut self, first: u64) {
        self.levels = vec![Level::default(); self.outer.len() + 1];
        self.level_since = if self.is_empty() { first } else { self.top.start };
    }

    /// Begins an entered call.
    pub(super) fn enter_level(&mut self, time: u64) {
        self.spend(time);
        self.levels.push(Level::default());
    }

    /// Ends the innermost entered call. Returns the time of samples in its inner time.
    pub(super) fn leave_level(&mut self, time: u64) -> u64 {
        let level = if self.levels.len() > 1 { self.levels.pop() } else { None };
        self.level_since = time;
        level.map_or(0, |level| level.sampled)
    }

    /// Counts the time up to now for the innermost entered call.
    pub(super) fn spend(&mut self, time: u64) {
        let passed = time.saturating_sub(self.level_since);
        self.levels.last_mut().into_iter().for_each(|level| level.since_sample += passed);
        self.level_since = time;
    }

    /// Counts time before the first event for the innermost entered call.
    pub(super) fn spend_before(&mut self, time: u64) {
        self.levels.last_mut().into_iter().for_each(|level| level.since_sample = time);
    }

    /// Resumes a task, whose calls spend no time while it is suspended.
    pub(super) fn resume_level(&mut self, time: u64) {
        self.level_since = time;
    }

    /// Deals the processor time since the last sample to the calls that only samples have seen,
    /// from the innermost ones: none receives more than was spent in the entered call around it,
    /// without the calls that were entered in that.
    pub(super) fn deal(&mut self, mut time: u64, mut receive: impl FnMut(Share)) {
        let mut innermost = self.outer.len();
        for level in (0..self.levels.len()).rev() {
            let part = time.min(mem::take(&mut self.levels[level].since_sample));
            time -= part;
            let entered = self.give(level, innermost, part, &mut receive);
            let Some(next) = entered.checked_sub(1) else { break };
            innermost = next;
        }
        self.levels.last_mut().into_iter().for_each(|level| level.missing += time);
    }

    /// Deals the time since the last sample in the innermost entered call, which ends or makes
    /// another call at this time, as far as samples in it have received too little.
    pub(super) fn deal_rest(&mut self, time: u64, receive: impl FnMut(Share)) {
        self.spend(time);
        let level = self.levels.len() - 1;
        let part = self.levels[level].since_sample.min(mem::take(&mut self.levels[level].missing));
        if part > 0 && self.top.is_sampled {
            self.levels[level].since_sample -= part;
            self.give(level, self.outer.len(), part, receive);
        }
    }

    /// Gives a time to the calls that only samples have seen from `innermost` on, up to the entered
    /// call at a level. Returns the place of that.
    fn give(&mut self, level: usize, innermost: usize, time: u64, mut receive: impl FnMut(Share)) -> usize {
        let is_entered = |place: &usize| !self.frame(*place).is_sampled;
        let entered = (0..=innermost).rev().find(is_entered).unwrap_or(0);
        for place in (entered + 1..=innermost).rev() {
            let context = self.frame(place).context;
            let (is_innermost, entered) = (place == innermost, self.frame(entered).context);
            receive(Share { context, entered, time, is_innermost });
        }
        if entered < innermost {
            self.outer[entered].inner += time;
            self.levels[level].sampled += time;
        }
        entered
    }

    /// Returns the call that has this many calls and the root around it.
    fn frame(&self, place: usize) -> &OpenFrame<M> {
        self.outer.get(place).unwrap_or(&self.top)
    }

    /// Moves the time of samples from the root to the only call, which encloses all.
    pub(super) fn enclose_levels(&mut self) {
        if let [root, .., only] = &mut self.levels[..] {
            only.sampled += mem::take(&mut root.sampled);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.outer.is_empty()
    }

    /// Returns the open calls from the innermost one, and then the root.
    pub(super) fn with_root(&mut self) -> impl Iterator<Item = &mut OpenFrame<M>> {
        iter::once(&mut self.top).chain(self.outer.iter_mut().rev())
    }

    /// Returns the open calls from the innermost one.
    pub(super) fn frames(&mut self) -> impl Iterator<Item = &mut OpenFrame<M>> {
        let depth = self.outer.len();
        self.with_root().take(depth)
    }
}
