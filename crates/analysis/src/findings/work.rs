//! Calling contexts as work that locations have in common.
//!
//! The threads of a team reach the same work on different paths: the first one from `main`, the
//! others from the begin of the thread, and all through functions of the runtime that samples have
//! seen. Invariant: a path begins at its outermost parallel region, if it has one, and has no such
//! functions then.

use crate::class::Class;
use crate::contexts::{ContextId, Contexts, TooManyContexts};
use crate::parallel_regions::parallel_contexts;
use crate::trace::Trace;
use kymo_otf2::enums::Paradigm;
use kymo_otf2::references::RegionRef;
use std::collections::BTreeMap;

/// The work of all locations. Ids are those of [`Self::tree`], unless stated otherwise.
pub(super) struct WorkTree {
    pub(super) tree: Contexts,
    /// The ids by those of the contexts of calls.
    of_calls: Vec<ContextId>,
    classes: Vec<Class>,
    /// Whether only samples have seen the calls.
    is_sampled: Vec<bool>,
    /// Whether the calls are in parallel regions.
    is_parallel: Vec<bool>,
    children: Vec<Vec<ContextId>>,
    /// The last id inside of each: ids are in depth-first order.
    last_inside: Vec<u32>,
}

/// How names of functions of OpenMP runtimes begin; samples in code without names have brackets.
const RUNTIME: [&str; 5] = ["[", "__kmp", "GOMP_", "gomp_", "omp_"];

/// An inner call is the place to look at if it has at least this part of the amount around it, in
/// tenths. Samples see all functions, also those that say little about the program.
const MOST_OF_ENTERED: i128 = 5;
const MOST_OF_SAMPLED: i128 = 9;

impl WorkTree {
    pub(super) fn of(trace: &Trace, contexts: &Contexts) -> Result<Self, TooManyContexts> {
        let mut tree = Contexts::new();
        let mut of_calls = vec![ContextId::ROOT; contexts.len()];
        let is_parallel = parallel_contexts(trace, contexts);
        for context in contexts.iter() {
            let (parent, region) =
                (contexts.parent(context).index(), trace.same_region(contexts.region(context)));
            let begins = !is_parallel[parent] && is_parallel[context.index()];
            let around = if begins { ContextId::ROOT } else { of_calls[parent] };
            of_calls[context.index()] = match is_parallel[parent] && is_of_runtime(trace, region) {
                true => around,
                false => tree.child(around, region)?,
            };
        }
        let (tree, sorted) = tree.sorted();
        of_calls.iter_mut().for_each(|id| *id = sorted[id.index()]);
        let mut last_inside: Vec<u32> = (0..tree.len() as u32).collect();
        for id in tree.iter().rev() {
            let around = tree.parent(id).index();
            last_inside[around] = last_inside[around].max(last_inside[id.index()]);
        }
        let (mut classes, mut children) =
            (vec![Class::Computation; tree.len()], vec![Vec::new(); tree.len()]);
        for (class, id) in Class::of_contexts(trace, contexts).into_iter().zip(&of_calls).rev() {
            classes[id.index()] = class;
        }
        for id in tree.iter() {
            children[tree.parent(id).index()].push(id);
        }
        let mut in_region = vec![false; tree.len()];
        is_parallel.iter().zip(&of_calls).for_each(|(is_parallel, id)| in_region[id.index()] |= is_parallel);
        let is_sampled = std::iter::once(ContextId::ROOT).chain(tree.iter());
        let is_sampled = is_sampled.map(|id| is_of_samples(trace, tree.region(id))).collect();
        Ok(Self { tree, of_calls, classes, is_sampled, is_parallel: in_region, children, last_inside })
    }

    /// Returns the id of a context of calls.
    pub(super) fn of_call(&self, context: ContextId) -> ContextId {
        self.of_calls.get(context.index()).copied().unwrap_or(ContextId::ROOT)
    }

    pub(super) fn class(&self, id: ContextId) -> Class {
        self.classes.get(id.index()).copied().unwrap_or(Class::Computation)
    }

    /// Returns whether a place is in a parallel region of OpenMP.
    pub(super) fn is_parallel(&self, id: ContextId) -> bool {
        self.is_parallel.get(id.index()).is_some_and(|it| *it)
    }

    /// Returns the class with most of the amounts at a place and inside it.
    pub(super) fn main_class(&self, place: ContextId, amounts: &[i128]) -> Class {
        let mut by_class: BTreeMap<Class, i128> = BTreeMap::new();
        let inside = self.tree.iter().filter(|id| place != ContextId::ROOT && self.is_inside(*id, place));
        for id in inside {
            *by_class.entry(self.class(id)).or_default() += amounts[id.index()];
        }
        let most = by_class.into_iter().rev().max_by_key(|(_, amount)| *amount);
        most.map_or(Class::Computation, |(class, _)| class)
    }

    /// Returns the number of ids.
    pub(super) fn len(&self) -> usize {
        self.tree.len()
    }

    /// Returns amounts by id with those of all inner calls.
    pub(super) fn inclusive(&self, amounts: &[i128]) -> Vec<i128> {
        let mut inclusive = amounts.to_vec();
        for id in self.tree.iter().rev() {
            inclusive[self.tree.parent(id).index()] += inclusive[id.index()];
        }
        inclusive
    }

    /// Returns the place to look at for amounts by id, and its amount: the innermost call that has
    /// most of the amount of the call around it, and so on; `None` if there is none.
    pub(super) fn main_place(&self, amounts: &[i128]) -> Option<(ContextId, i128)> {
        let inclusive = self.inclusive(amounts);
        let largest = |id: ContextId| {
            let inner = self.children[id.index()].iter().rev();
            inner.copied().max_by_key(|inner| inclusive[inner.index()])
        };
        // Outside all calls there is no place that has something in common.
        let outside = amounts.first().copied().unwrap_or(0);
        let mut place = ContextId::ROOT;
        if let Some(first) = largest(place).filter(|first| inclusive[first.index()] > outside) {
            place = first;
            let has_most = |inner: &ContextId, place: ContextId| {
                let most = if self.is_sampled[inner.index()] { MOST_OF_SAMPLED } else { MOST_OF_ENTERED };
                inclusive[inner.index()] * 10 >= inclusive[place.index()] * most
            };
            while let Some(inner) = largest(place).filter(|inner| has_most(inner, place)) {
                place = inner;
            }
        }
        let amount = if place == ContextId::ROOT { outside } else { inclusive[place.index()] };
        (amount > 0).then_some((place, amount))
    }

    /// Removes the amounts of a place.
    pub(super) fn remove(&self, place: ContextId, amounts: &mut [i128]) {
        let mut next = if place == ContextId::ROOT { Vec::new() } else { vec![place] };
        amounts[place.index()] = 0;
        while let Some(id) = next.pop() {
            amounts[id.index()] = 0;
            next.extend(&self.children[id.index()]);
        }
    }

    /// Returns for each place the outermost call around it, or the place itself, for which `is_one`
    /// is true together with all calls between them.
    pub(super) fn outermost(&self, is_one: impl Fn(ContextId) -> bool) -> Vec<ContextId> {
        let mut outermost: Vec<_> = (0..self.tree.len() as u32).map(ContextId).collect();
        for place in self.tree.iter() {
            let around = self.tree.parent(place);
            if around != ContextId::ROOT && is_one(place) && is_one(around) {
                outermost[place.index()] = outermost[around.index()];
            }
        }
        outermost
    }

    /// Returns whether a call is at a place, or inside it.
    pub(super) fn is_inside(&self, id: ContextId, place: ContextId) -> bool {
        place <= id && self.last_inside.get(place.index()).is_some_and(|last| id.0 <= *last)
    }
}

fn is_of_samples(trace: &Trace, region: RegionRef) -> bool {
    trace.region(region).is_some_and(|it| it.paradigm == Paradigm::SAMPLING)
}

fn is_of_runtime(trace: &Trace, region: RegionRef) -> bool {
    is_of_samples(trace, region) && RUNTIME.iter().any(|begin| trace.region_name(region).starts_with(begin))
}
