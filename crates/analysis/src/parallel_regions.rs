//! Calls in parallel regions of OpenMP.

use crate::contexts::Contexts;
use crate::trace::Trace;
use kymo_otf2::enums::{Paradigm, RegionRole};
use kymo_otf2::references::RegionRef;

/// Returns for each context, by its id, whether its call is a parallel region or in one.
pub(crate) fn parallel_contexts(trace: &Trace, contexts: &Contexts) -> Vec<bool> {
    contexts_inside(trace, contexts, |role| role == RegionRole::PARALLEL)
}

/// Returns the same for parallel regions and explicit tasks, whose calls are in no others.
pub(crate) fn parallel_or_task_contexts(trace: &Trace, contexts: &Contexts) -> Vec<bool> {
    let roles = [RegionRole::PARALLEL, RegionRole::TASK, RegionRole::TASK_UNTIED];
    contexts_inside(trace, contexts, |role| roles.contains(&role))
}

fn contexts_inside(trace: &Trace, contexts: &Contexts, is_one: impl Fn(RegionRole) -> bool) -> Vec<bool> {
    let begins = |region: RegionRef| {
        trace.region(region).is_some_and(|it| it.paradigm == Paradigm::OPENMP && is_one(it.role))
    };
    let mut is_inside = vec![false; contexts.len()];
    for context in contexts.iter() {
        is_inside[context.index()] =
            is_inside[contexts.parent(context).index()] || begins(contexts.region(context));
    }
    is_inside
}
