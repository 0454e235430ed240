//! The open calls of a task.

use crate::contexts::ContextId;
use std::iter;

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

/// The open calls of a task.
#[derive(Debug)]
pub(super) struct Stack<M> {
    /// The innermost call; the root if none is open.
    pub(super) top: OpenFrame<M>,
    /// The calls around it, with the root first.
    pub(super) outer: Vec<OpenFrame<M>>,
    /// The periods in the inner time of entered calls, by the number of calls around them and the
    /// root, ascending.
    claims: Vec<(usize, u64)>,
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
        Self { top: root, outer: Vec::new(), claims: Vec::new(), suspended: 0, since: time, seen: time }
    }

    /// Adds a period to the inner time of the innermost call that was entered, or of the root.
    pub(super) fn claim(&mut self, period: u64) {
        let mut depth = self.outer.len();
        for frame in self.with_root() {
            if !frame.is_sampled {
                frame.inner += period;
                break;
            }
            depth -= 1;
        }
        match self.claims.last_mut() {
            Some((last, claimed)) if *last == depth => *claimed += period,
            _ => self.claims.push((depth, period)),
        }
    }

    /// Returns the periods in the inner time of a call, which is the innermost one.
    pub(super) fn take_claim(&mut self, depth: usize) -> u64 {
        let last = self.claims.pop_if(|(last, _)| *last >= depth);
        last.map_or(0, |(_, claimed)| claimed)
    }

    /// Puts periods into the inner time of the innermost call, the only open one.
    pub(super) fn put_claim(&mut self, claimed: u64) {
        self.claims.push((1, claimed));
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
