//! The tree of calling contexts: regions, called by regions.

use kymo_otf2::references::RegionRef;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::HashMap;
use std::fmt;

/// A calling context. The ids of a [`Contexts`] are dense; the root is 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ContextId(pub u32);

impl ContextId {
    /// The context outside all calls.
    pub const ROOT: ContextId = ContextId(0);

    /// Returns the id as an index.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// All calling contexts that have occurred. A context has a larger id than its parent.
///
/// Serialised as the parents and regions of all but the root, in the order of their ids.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(into = "Vec<(ContextId, RegionRef)>", try_from = "Vec<(ContextId, RegionRef)>")]
pub struct Contexts {
    nodes: Vec<Node>,
    /// The contexts by parent and region.
    children: HashMap<(ContextId, RegionRef), ContextId>,
}

/// The calls of a trace have more calling contexts than a [`Contexts`] takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooManyContexts;

impl fmt::Display for TooManyContexts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "more than {} calling contexts", Contexts::MOST)
    }
}

impl std::error::Error for TooManyContexts {}

/// Programs repeat themselves, so each node remembers the child that followed last time.
#[derive(Debug, Clone, Copy)]
struct Node {
    parent: ContextId,
    region: RegionRef,
    /// The child that was entered last, or the root.
    last: ContextId,
    /// The sibling that was entered after this node, or the root.
    next: ContextId,
}

impl Contexts {
    /// The largest number of contexts.
    pub const MOST: usize = 1 << 24;

    /// Creates a tree of the root alone.
    pub fn new() -> Self {
        let root = Node {
            parent: ContextId::ROOT,
            region: RegionRef::UNDEFINED,
            last: ContextId::ROOT,
            next: ContextId::ROOT,
        };
        Self { nodes: vec![root], children: HashMap::new() }
    }

    /// Returns the number of contexts, with the root.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns whether there are no contexts but the root.
    pub fn is_empty(&self) -> bool {
        self.nodes.len() == 1
    }

    /// Returns all contexts but the root; parents come first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = ContextId> + use<> {
        (1..self.nodes.len() as u32).map(ContextId)
    }

    #[inline]
    fn node(&self, context: ContextId) -> Node {
        self.nodes[context.index()]
    }

    /// Returns the caller of a context; the root is its own.
    pub fn parent(&self, context: ContextId) -> ContextId {
        self.node(context).parent
    }

    /// Returns the region of a context; undefined for the root.
    #[inline]
    pub fn region(&self, context: ContextId) -> RegionRef {
        self.node(context).region
    }

    /// Returns the context of a call of `region` in `parent`.
    ///
    /// # Errors
    ///
    /// If there are too many contexts.
    #[inline]
    pub fn child(&mut self, parent: ContextId, region: RegionRef) -> Result<ContextId, TooManyContexts> {
        let last = self.node(parent).last;
        let next = self.node(last).next;
        for guess in [next, last] {
            if guess != ContextId::ROOT && self.node(guess).region == region {
                self.nodes[parent.index()].last = guess;
                return Ok(guess);
            }
        }
        self.find(parent, region, last)
    }

    /// Returns the ids in this tree of the contexts of another one, by their ids there. Those that
    /// are not in this tree have the id of their nearest caller that is.
    pub fn nearest(&self, other: &Contexts, rename: impl Fn(RegionRef) -> RegionRef) -> Vec<ContextId> {
        let mut ids = vec![ContextId::ROOT; other.len()];
        for context in other.iter() {
            let parent = ids[other.parent(context).index()];
            let known = self.children.get(&(parent, rename(other.region(context))));
            ids[context.index()] = known.copied().unwrap_or(parent);
        }
        ids
    }

    #[cold]
    fn find(
        &mut self,
        parent: ContextId,
        region: RegionRef,
        last: ContextId,
    ) -> Result<ContextId, TooManyContexts> {
        let child = match self.children.get(&(parent, region)) {
            Some(child) => *child,
            None if self.nodes.len() < Self::MOST => self.push(parent, region),
            None => return Err(TooManyContexts),
        };
        // The root has no siblings.
        if last != ContextId::ROOT {
            self.nodes[last.index()].next = child;
        }
        self.nodes[parent.index()].last = child;
        Ok(child)
    }

    /// Returns the contexts from the outermost one to `context`.
    pub fn path(&self, context: ContextId) -> Vec<ContextId> {
        let mut path: Vec<_> = self.ancestors(context).collect();
        path.reverse();
        path
    }

    /// Returns `context` and its callers, without the root.
    pub fn ancestors(&self, mut context: ContextId) -> impl Iterator<Item = ContextId> {
        std::iter::from_fn(move || {
            let found = (context != ContextId::ROOT).then_some(context);
            context = self.parent(context);
            found
        })
    }

    /// Returns the same tree with ids in depth-first order, which depend on its content alone, and
    /// these ids by the present ones.
    pub fn sorted(&self) -> (Contexts, Vec<ContextId>) {
        let mut below = vec![Vec::new(); self.len()];
        for it in self.iter() {
            below[self.parent(it).index()].push(it);
        }
        let (mut sorted, mut ids) = (Contexts::new(), vec![ContextId::ROOT; self.len()]);
        // A stack, because call paths can be longer than that of this thread.
        let mut next = vec![ContextId::ROOT];
        while let Some(context) = next.pop() {
            if context != ContextId::ROOT {
                let parent = ids[self.parent(context).index()];
                ids[context.index()] = sorted.push(parent, self.region(context));
            }
            let children = &mut below[context.index()];
            children.sort_unstable_by_key(|it| Reverse(self.region(*it)));
            next.append(children);
        }
        (sorted, ids)
    }

    /// Returns by context whether none of its callers has the same region. Contexts are in
    /// depth-first order.
    pub fn outermost(&self) -> Vec<bool> {
        let mut is_outermost = vec![false; self.len()];
        // The callers of each context are on a stack.
        let (mut callers, mut open) = (Vec::new(), HashMap::<RegionRef, u64>::new());
        for context in self.iter() {
            let (parent, region) = (self.parent(context), self.region(context));
            while let Some(left) = callers.pop_if(|last| *last != parent) {
                *open.entry(self.region(left)).or_default() -= 1;
            }
            callers.push(context);
            let open = open.entry(region).or_default();
            is_outermost[context.index()] = *open == 0;
            *open += 1;
        }
        is_outermost
    }

    /// Adds a context that is new.
    fn push(&mut self, parent: ContextId, region: RegionRef) -> ContextId {
        let new = ContextId(self.nodes.len() as u32);
        self.children.insert((parent, region), new);
        self.nodes.push(Node { parent, region, last: ContextId::ROOT, next: ContextId::ROOT });
        new
    }

    /// Adds the contexts of another tree below `top`, with the regions that `rename` returns for
    /// theirs. Returns their ids in this tree, by their ids in the other one.
    ///
    /// # Errors
    ///
    /// If there are too many contexts.
    pub fn add(
        &mut self,
        top: ContextId,
        other: &Contexts,
        rename: impl Fn(RegionRef) -> RegionRef,
    ) -> Result<Vec<ContextId>, TooManyContexts> {
        let mut ids = vec![top; other.len()];
        for context in other.iter() {
            let parent = ids[other.parent(context).index()];
            ids[context.index()] = self.child(parent, rename(other.region(context)))?;
        }
        Ok(ids)
    }
}

impl Default for Contexts {
    fn default() -> Self {
        Self::new()
    }
}

impl From<Contexts> for Vec<(ContextId, RegionRef)> {
    fn from(contexts: Contexts) -> Self {
        contexts.nodes.iter().skip(1).map(|node| (node.parent, node.region)).collect()
    }
}

impl TryFrom<Vec<(ContextId, RegionRef)>> for Contexts {
    type Error = &'static str;

    fn try_from(nodes: Vec<(ContextId, RegionRef)>) -> Result<Self, Self::Error> {
        if nodes.len() >= Self::MOST {
            return Err("too many calling contexts");
        }
        let mut contexts = Self::new();
        for (parent, region) in nodes {
            let is_new = !contexts.children.contains_key(&(parent, region));
            if parent.index() >= contexts.len() || !is_new {
                return Err("calling contexts that are no tree");
            }
            contexts.push(parent, region);
        }
        Ok(contexts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_paths_are_equal_contexts() {
        let mut contexts = Contexts::new();
        let mut ids = Vec::new();
        // Repetitions, alternations and surprises, in two parents.
        for round in [[1, 2, 3, 3], [1, 2, 3, 3], [3, 1, 2, 9], [1, 2, 3, 3]] {
            for parent in [7, 8] {
                let parent = contexts.child(ContextId::ROOT, RegionRef(parent)).unwrap();
                for region in round {
                    let child = contexts.child(parent, RegionRef(region)).unwrap();
                    assert_eq!(contexts.region(child), RegionRef(region));
                    assert_eq!(contexts.parent(child), parent);
                    ids.push((parent, region, child));
                }
            }
        }
        assert_eq!(contexts.len(), 1 + 2 + 2 * 4);
        for (parent, region, child) in &ids {
            assert!(ids.iter().all(|it| ((it.0, it.1) == (*parent, *region)) == (it.2 == *child)));
        }
    }

    #[test]
    fn sorted_ids_do_not_depend_on_the_order_of_calls() {
        let tree = |order: &[u32]| {
            let mut contexts = Contexts::new();
            for outer in order {
                let outer = contexts.child(ContextId::ROOT, RegionRef(*outer)).unwrap();
                for inner in order {
                    contexts.child(outer, RegionRef(*inner)).unwrap();
                }
            }
            let (sorted, ids) = contexts.sorted();
            let regions =
                |tree: &Contexts, it| tree.path(it).iter().map(|it| tree.region(*it)).collect::<Vec<_>>();
            contexts
                .iter()
                .for_each(|it| assert_eq!(regions(&contexts, it), regions(&sorted, ids[it.index()])));
            sorted.iter().map(|it| regions(&sorted, it)).collect::<Vec<_>>()
        };
        assert_eq!(tree(&[1, 2, 3]), tree(&[3, 1, 2]));
    }

    #[test]
    fn trees_are_added_below_a_context() {
        let mut contexts = Contexts::new();
        let top = contexts.child(ContextId::ROOT, RegionRef(5)).unwrap();
        let mut other = Contexts::new();
        let outer = other.child(ContextId::ROOT, RegionRef(1)).unwrap();
        let inner = other.child(outer, RegionRef(2)).unwrap();
        let ids = contexts.add(top, &other, |region| region).unwrap();
        let path = contexts.path(ids[inner.index()]);
        assert_eq!(path.iter().map(|it| contexts.region(*it).0).collect::<Vec<_>>(), [5, 1, 2]);
    }
}
