//! The activity of a location, over time.

use super::curves::{self, Curves};
use super::levels::{self, Cell, Levels};
use super::shape::Shape;
use super::slices::{Entry, Slices};
use crate::calls::{Call, Inside, Sampled, Task, Visitor};
use crate::contexts::ContextId;
use crate::trace::Trace;
use kymo_otf2::events::Event;
use kymo_otf2::references::{RegionRef, StringRef};
use std::collections::HashMap;

/// The activity of a location, over time.
#[derive(Debug)]
pub struct Lane {
    /// The cells of each level, the finest first: see [`Shape::levels`].
    pub levels: Vec<Vec<Cell>>,
    /// Time and calls by slice and context, in the order of slices. Sums over slices are those of a
    /// profile.
    pub entries: Vec<Entry>,
    /// The time in no call by slice, for which no sample stands either.
    pub outside: Vec<u64>,
    /// The times of the first and the last event; `None` without events.
    pub span: Option<(u64, u64)>,
    /// The metrics that the location recorded.
    pub curves: Curves,
    /// The program that the location began.
    pub program: Option<Program>,
}

/// A program with its arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// The path of its file.
    pub name: StringRef,
    /// The arguments after its name.
    pub arguments: Vec<StringRef>,
}

impl Lane {
    /// All contexts have new ids.
    pub(super) fn rename(&mut self, ids: &[ContextId]) {
        for it in &mut self.entries {
            it.context = ids[it.context.index()];
        }
        levels::rename_cells(&mut self.levels, ids);
    }

    /// Makes the time in no call the rest of the length of the location: before the first selected
    /// event, nothing is dealt, and a sample may stand for time that another slice has.
    pub(super) fn settle(&mut self, shape: &Shape, span: Option<(u64, u64)>, length: u64) {
        self.span = span;
        let inside = self.entries.iter().fold(0, |sum: u64, it| sum.saturating_add(it.exclusive));
        let rest = length.saturating_sub(inside);
        let dealt: u64 = self.outside.iter().sum();
        if let Some((first, _)) = span {
            self.outside[shape.slice(first)] += rest.saturating_sub(dealt);
        }
        let mut surplus = dealt.saturating_sub(rest);
        for time in self.outside.iter_mut().rev() {
            let taken = surplus.min(*time);
            (*time, surplus) = (*time - taken, surplus - taken);
        }
    }
}

/// An open call.
#[derive(Debug, Clone, Copy)]
pub(super) struct Open {
    context: ContextId,
    /// The innermost call that was entered by an event: samples have times of their own.
    entered: ContextId,
}

impl Default for Open {
    fn default() -> Self {
        Self { context: ContextId::ROOT, entered: ContextId::ROOT }
    }
}

/// Deals the time of a location to levels and slices.
#[derive(Debug)]
pub(super) struct Painter<'t> {
    trace: &'t Trace,
    shape: Shape,
    levels: Levels,
    slices: Slices,
    curves: curves::Collecting,
    running: Open,
    /// The number of open calls of the task that runs.
    depth: usize,
    /// The calls of the other tasks, with their numbers.
    suspended: HashMap<Option<Task>, (Open, usize)>,
    /// The parts of the time of a sample whose event comes next.
    sampled: Vec<Sampled>,
    /// The time that samples took from the calls around them that were entered, by context.
    taken: HashMap<ContextId, u64>,
    /// The time up to which everything is dealt, once there was an event.
    since: Option<u64>,
    /// The end of the current bucket.
    end: u64,
    /// The number of buckets of the current slice that are not complete.
    left: usize,
    /// The regions of the contexts; undefined where they are not known yet, and for the root.
    regions: Vec<RegionRef>,
    /// The context of a call that turned out to be around all others, until it is entered.
    enclosing: Option<ContextId>,
    program: Option<Program>,
}

impl<'t> Painter<'t> {
    pub(super) fn new(trace: &'t Trace, shape: Shape) -> Self {
        Self {
            trace,
            shape,
            levels: Levels::new(&shape),
            slices: Slices::default(),
            curves: curves::Collecting::default(),
            running: Open::default(),
            depth: 0,
            suspended: HashMap::new(),
            sampled: Vec::new(),
            taken: HashMap::new(),
            since: None,
            end: shape.from.saturating_add(shape.width),
            left: shape.buckets / shape.slices,
            regions: vec![RegionRef::UNDEFINED],
            enclosing: None,
            program: None,
        }
    }

    /// Ends all buckets and slices.
    pub(super) fn finish(mut self) -> Lane {
        while self.levels.completed() < self.shape.buckets {
            self.next_bucket();
        }
        let (entries, outside) = self.slices.into_entries(self.shape.slices);
        Lane {
            levels: self.levels.into_cells(),
            entries,
            outside,
            span: None,
            curves: self.curves.into_curves(&self.shape),
            program: self.program,
        }
    }

    /// Deals the time until now to the call that was running.
    #[inline]
    fn spend(&mut self, now: u64) {
        match self.since {
            Some(since) if now < self.end => {
                if now > since {
                    self.add(now - since);
                    self.since = Some(now);
                }
            }
            _ => self.spend_over_buckets(now),
        }
    }

    #[inline]
    fn add(&mut self, time: u64) {
        self.levels.add(self.running.context, time);
        self.slices.add(self.running.entered, time, 0);
    }

    #[cold]
    fn spend_over_buckets(&mut self, now: u64) {
        // Nothing is known before the first event.
        let mut since = self.since.unwrap_or(now);
        while now >= self.end && !self.is_last() {
            if since < self.end {
                self.add(self.end - since);
                since = self.end;
            }
            self.next_bucket();
        }
        if now > since {
            self.add(now - since);
        }
        self.since = Some(now.max(since));
    }

    fn next_bucket(&mut self) {
        self.levels.complete(&self.regions);
        self.left -= 1;
        if self.left == 0 {
            self.slices.complete();
            self.left = self.shape.buckets / self.shape.slices;
        }
        self.end = if self.is_last() { u64::MAX } else { self.end.saturating_add(self.shape.width) };
    }

    /// Returns whether the current bucket is the last one, to which all later times belong.
    fn is_last(&self) -> bool {
        self.levels.completed() + 1 >= self.shape.buckets
    }

    /// Notes the region of a context.
    #[inline]
    fn know(&mut self, context: ContextId, region: RegionRef) {
        if self.regions.get(context.index()).is_none_or(|known| !known.is_defined()) {
            self.add_region(context, region);
        }
    }

    #[cold]
    fn add_region(&mut self, context: ContextId, region: RegionRef) {
        if context.index() >= self.regions.len() {
            self.regions.resize(context.index() + 1, RegionRef::UNDEFINED);
        }
        self.regions[context.index()] = self.trace.same_region(region);
    }

    #[inline]
    fn add_samples(&mut self, now: u64) {
        while let Some(sampled) = self.sampled.pop() {
            self.add_sample(sampled, now);
        }
    }

    /// Gives the time for which a sample stands to its context. It is part of the time of a call
    /// around it, which time line and samples would count twice.
    #[cold]
    fn add_sample(&mut self, Sampled { context, entered, exclusive, .. }: Sampled, now: u64) {
        let first = self.shape.slice(now.saturating_sub(exclusive));
        *self.taken.entry(entered).or_default() += self.slices.take(entered, exclusive, first);
        self.slices.add(context, exclusive, 0);
    }

    /// Takes from a call the time that samples claim, no more and no less.
    #[cold]
    fn settle(&mut self, call: &Call) {
        let taken = self.taken.remove(&call.context).unwrap_or(0);
        if taken > call.claimed {
            self.slices.add(call.context, taken - call.claimed, 0);
        } else {
            self.slices.take(call.context, call.claimed - taken, self.shape.slice(call.start));
        }
    }
}

impl Visitor for Painter<'_> {
    type Mark = Open;

    #[inline]
    fn enter(&mut self, context: ContextId, region: RegionRef, time: u64, is_sampled: bool) -> Open {
        self.spend(time);
        self.know(context, region);
        if self.enclosing == Some(context) {
            self.enclosing = None;
            self.levels.enclose(context, self.regions[context.index()]);
        } else if !is_sampled {
            self.levels.call(self.depth);
        }
        self.depth += 1;
        // A call that only samples know has no time of its own until one of them sees it running.
        self.running = if is_sampled { self.running } else { Open { context, entered: context } };
        self.running
    }

    fn seen(
        &mut self,
        context: ContextId,
        region: RegionRef,
        since: Option<u64>,
        time: u64,
        mark: &mut Open,
    ) {
        let around = self.running;
        self.spend(since.unwrap_or(time));
        self.know(context, region);
        self.running.context = context;
        if since.is_some() {
            self.spend(time);
            self.running = around;
        }
        *mark = self.running;
    }

    #[inline]
    fn leave(&mut self, call: &Call, _mark: Open, outer: &mut Open) {
        self.spend(call.end);
        self.depth = self.depth.saturating_sub(1);
        if !call.is_sampled {
            self.add_samples(call.end);
            self.slices.add(call.context, 0, 1);
            if call.claimed > 0 || !self.taken.is_empty() {
                self.settle(call);
            }
        }
        self.running = *outer;
    }

    fn forget(&mut self, _mark: Open, outer: &mut Open) {
        self.depth = self.depth.saturating_sub(1);
        self.running = *outer;
    }

    fn start(&mut self) {
        self.levels.forget_calls();
    }

    fn switch(&mut self, time: u64, from: Option<Task>, to: Option<Task>, _implicit: &mut Open) {
        self.spend(time);
        self.suspended.insert(from, (self.running, self.depth));
        (self.running, self.depth) = self.suspended.remove(&to).unwrap_or_default();
    }

    fn sampled(&mut self, sampled: &Sampled) {
        if sampled.exclusive > 0 {
            self.sampled.push(*sampled);
        }
    }

    fn event(&mut self, time: u64, event: &Event<'_>, _inside: Inside<'_, Open>) {
        if let Event::ProgramBegin(event) = event {
            let arguments = event.program_arguments.iter().collect();
            self.program = Some(Program { name: event.program_name, arguments });
        }
        if time < self.shape.from {
            return;
        }
        self.spend(time);
        self.add_samples(time);
        if let Event::Metric(event) = event {
            self.curves.add(self.trace, &self.shape, time, event);
        }
    }

    fn enclose(&mut self, ids: &[ContextId]) {
        self.slices.rename(ids);
        self.levels.rename(ids);
        let regions = std::mem::replace(&mut self.regions, vec![RegionRef::UNDEFINED]);
        for (old, region) in regions.into_iter().enumerate().filter(|it| it.1.is_defined()) {
            self.add_region(ids[old], region);
        }
        self.taken = self.taken.drain().map(|(id, time)| (ids[id.index()], time)).collect();
        let open = self.suspended.values_mut().map(|it| &mut it.0).chain([&mut self.running]);
        let contexts = open.flat_map(|it| [&mut it.context, &mut it.entered]);
        contexts.filter(|it| **it != ContextId::ROOT).for_each(|it| *it = ids[it.index()]);
        self.enclosing = ids.first().copied();
    }
}
