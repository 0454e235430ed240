//! The calls of a location that repeat: where its iterations are.

use crate::contexts::{ContextId, Contexts};
use kymo_otf2::references::RegionRef;
use serde::{Deserialize, Serialize};

/// The least number of iterations.
const LEAST: u64 = 3;
/// The largest number of iterations.
const MOST: u64 = 1 << 17;
/// A call that has nine tenths of the time of another one stands for it.
const MOST_OF_IT: [u128; 2] = [9, 10];
/// The largest number of calls down to the one with iterations.
const MOST_CALLS: usize = 64;

/// Contexts that are called equally often in one call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RepeatedCalls {
    /// The contexts, in the order of their first calls.
    pub(super) contexts: Vec<ContextId>,
    /// How often each of them is called.
    pub count: u64,
}

impl RepeatedCalls {
    /// Finds the calls that have most time of those that are called equally often in the outermost
    /// call, or in the only call that has nine tenths of its time, and so on. `calls` returns the
    /// number of calls of a context, 0 if only samples have seen it, and their time; `length` is
    /// that of the location. Tasks, which `is_task` knows, are called by nobody and can be open at
    /// the same time.
    pub(crate) fn find(
        contexts: &Contexts,
        length: u128,
        calls: impl Fn(ContextId) -> (u64, u128),
        is_task: impl Fn(RegionRef) -> bool,
    ) -> Option<Self> {
        let (mut parent, mut time) = (ContextId::ROOT, length);
        for _ in 0..MOST_CALLS {
            let is_most = |it: &ContextId| {
                // What only samples have seen is not counted, but it is most of the time.
                let (visits, duration) = calls(*it);
                visits <= 1 && duration * MOST_OF_IT[1] >= time * MOST_OF_IT[0]
            };
            let Some(child) = children(contexts, parent).find(is_most) else { break };
            (parent, time) = (child, calls(child).1);
        }
        let mut groups: Vec<(u64, u128, Vec<ContextId>)> = Vec::new();
        for child in children(contexts, parent) {
            let (visits, duration) = calls(child);
            if !(LEAST..=MOST).contains(&visits) || is_task(contexts.region(child)) {
                continue;
            }
            match groups.iter_mut().find(|group| group.0 == visits) {
                Some((_, time, contexts)) => {
                    *time += duration;
                    contexts.push(child);
                }
                None => groups.push((visits, duration, vec![child])),
            }
        }
        let (count, _, contexts) = groups.into_iter().max_by_key(|it| (it.1, std::cmp::Reverse(it.0)))?;
        Some(Self { contexts, count })
    }
}

/// Returns the contexts that a context calls itself.
fn children(contexts: &Contexts, parent: ContextId) -> impl Iterator<Item = ContextId> {
    contexts.iter().filter(move |context| contexts.parent(*context) == parent)
}
