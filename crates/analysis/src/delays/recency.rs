//! Calling contexts in the order of their last changes.

use crate::contexts::ContextId;

/// The end of the list on both sides.
const NONE: u32 = u32::MAX;

/// A list of contexts, the one that changed last first.
#[derive(Debug)]
pub(super) struct Recency {
    /// The context that changed before, and the one that changed after, by context.
    links: Vec<Link>,
    newest: u32,
}

#[derive(Debug, Clone, Copy)]
struct Link {
    older: u32,
    newer: u32,
    is_listed: bool,
}

impl Default for Recency {
    fn default() -> Self {
        Self { links: Vec::new(), newest: NONE }
    }
}

impl Recency {
    /// Moves a context to the front.
    pub(super) fn touch(&mut self, ContextId(context): ContextId) {
        if self.newest == context {
            return;
        }
        let place = context as usize;
        if place >= self.links.len() {
            self.links.resize(place + 1, Link { older: NONE, newer: NONE, is_listed: false });
        }
        let Link { older, newer, is_listed } = self.links[place];
        if is_listed {
            self.link(older, newer);
        }
        self.links[place] = Link { older: self.newest, newer: NONE, is_listed: true };
        if let Some(newest) = self.links.get_mut(self.newest as usize) {
            newest.newer = context;
        }
        self.newest = context;
    }

    /// Makes two contexts neighbours.
    fn link(&mut self, older: u32, newer: u32) {
        if let Some(link) = self.links.get_mut(older as usize) {
            link.newer = newer;
        }
        if let Some(link) = self.links.get_mut(newer as usize) {
            link.older = older;
        }
    }

    /// Returns the contexts, the one that changed last first.
    pub(super) fn iter(&self) -> impl Iterator<Item = ContextId> {
        let mut next = self.newest;
        std::iter::from_fn(move || {
            let found = self.links.get(next as usize).map(|link| (next, link.older));
            found.map(|(context, older)| {
                next = older;
                ContextId(context)
            })
        })
    }

    /// Gives all contexts new ids.
    pub(super) fn rename(&mut self, ids: &[ContextId]) {
        let all: Vec<_> = self.iter().filter_map(|it| ids.get(it.index()).copied()).collect();
        *self = Self::default();
        all.into_iter().rev().for_each(|context| self.touch(context));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(recency: &Recency) -> Vec<u32> {
        recency.iter().map(|it| it.0).collect()
    }

    #[test]
    fn a_context_that_changes_comes_first() {
        let mut recency = Recency::default();
        assert_eq!(listed(&recency), [0; 0]);
        [4, 0, 2, 0, 4, 4, 1].into_iter().for_each(|it| recency.touch(ContextId(it)));
        assert_eq!(listed(&recency), [1, 4, 0, 2]);
        recency.rename(&[5, 6, 7, 8, 0].map(ContextId));
        assert_eq!(listed(&recency), [6, 0, 5, 7]);
        recency.touch(ContextId(7));
        assert_eq!(listed(&recency), [7, 6, 0, 5]);
    }
}
