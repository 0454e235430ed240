//! The calls of a location, from its events.

use super::checkpoint::{Checkpoint, OpenCall};
use super::stack::{OpenFrame, Share, Stack};
use super::{Call, Inside, Sampled, Task, Visitor};
use crate::contexts::{ContextId, Contexts};
use crate::error::Error;
use crate::index::Index;
use crate::remarks::Remarks;
use crate::trace::Trace;
use kymo_otf2::events::Event;
use kymo_otf2::references::*;
use std::collections::HashMap;
use std::mem;

/// Turns the events of a location into calls.
#[derive(Debug)]
pub struct Caller<'t, V: Visitor> {
    trace: &'t Trace,
    contexts: Contexts,
    /// The contexts of the calling contexts of the trace.
    known: HashMap<CallingContextRef, ContextId>,
    /// The calls of the task that runs, and which one it is; `None` is the implicit task.
    stack: Stack<V::Mark>,
    running: Option<Task>,
    suspended: HashMap<Option<Task>, Stack<V::Mark>>,
    is_complete: bool,
    has_samples: bool,
    /// The regions whose calls are left out.
    left_out: Index<()>,
    /// Calls are cut at this time.
    from: u64,
    has_started: bool,
    first: u64,
    last: u64,
    /// The time of the event before the last one.
    previous: u64,
    /// The time of the last sample, and the time for which a sample stands if none is missing.
    last_sample: Option<u64>,
    period: Option<u64>,
    remarks: Remarks,
}

impl<'t, V: Visitor> Caller<'t, V> {
    /// Starts with no calls. Those before `from`, in nanoseconds, are left out, and those that are
    /// open at that time begin then.
    pub fn new(trace: &'t Trace, from: u64) -> Self {
        Self {
            trace,
            contexts: Contexts::new(),
            known: HashMap::new(),
            stack: Stack::new(0),
            running: None,
            suspended: HashMap::new(),
            is_complete: false,
            has_samples: false,
            left_out: Index::default(),
            from,
            has_started: false,
            first: u64::MAX,
            last: 0,
            previous: 0,
            last_sample: None,
            period: None,
            remarks: Remarks::default(),
        }
    }

    /// Returns the contexts of the calls so far.
    pub fn contexts(&self) -> &Contexts {
        &self.contexts
    }

    /// Returns the times of the first and the last event so far, in nanoseconds, if there are any.
    pub fn span(&self) -> Option<(u64, u64)> {
        (self.first <= self.last).then_some((self.first, self.last))
    }

    /// Returns the contexts of all calls, and the counts of irregular events.
    pub fn into_parts(self) -> (Contexts, Remarks) {
        (self.contexts, self.remarks)
    }

    /// Continues with the next event, at a time in nanoseconds.
    ///
    /// # Errors
    ///
    /// If there are too many calling contexts.
    #[inline]
    pub fn event(&mut self, time: u64, event: &Event<'_>, visitor: &mut V) -> Result<(), Error> {
        if time < self.last {
            self.remarks.backward += 1;
        }
        self.first = self.first.min(time);
        self.previous = self.last;
        self.last = self.last.max(time);
        let time = self.last;
        if !self.has_started && time >= self.from {
            self.has_started = true;
            visitor.start();
        }
        if self.has_started {
            visitor.record(time, event);
        }
        match event {
            Event::Enter(it) if !self.leaves_out(it.region) => self.enter(time, it.region, visitor),
            Event::Leave(it) if !self.leaves_out(it.region) => self.leave(time, it.region, visitor),
            Event::Enter(_) | Event::Leave(_) => Ok(()),
            other => self.other(time, other, visitor),
        }
    }

    /// Continues at a checkpoint, with the calls that are open there.
    ///
    /// # Errors
    ///
    /// If there are too many calling contexts.
    pub fn reopen(&mut self, checkpoint: &Checkpoint, visitor: &mut V) -> Result<(), Error> {
        let time = checkpoint.time;
        if !checkpoint.stacks.is_empty() {
            let previous = if checkpoint.number > 1 { checkpoint.previous } else { time };
            (self.first, self.last) = (previous, previous);
            self.last_sample = checkpoint.last_sample;
        }
        for stack in &checkpoint.stacks {
            self.switch(time, stack.task, visitor);
            for OpenCall { region, is_sampled, is_seen } in &stack.calls {
                let context = self.contexts.child(self.stack.top.context, *region)?;
                if *is_sampled {
                    self.begin_samples();
                }
                self.open(time, context, *is_sampled, visitor);
                if *is_seen {
                    self.see(None, time, visitor);
                }
            }
        }
        Ok(())
    }

    /// Leaves out the calls of these regions; the time and the calls in them belong to their
    /// callers.
    pub fn leave_out(&mut self, regions: impl IntoIterator<Item = RegionRef>) {
        for region in regions {
            self.left_out.insert(region.0.into(), ());
        }
    }

    #[inline]
    fn leaves_out(&self, region: RegionRef) -> bool {
        self.left_out.insertions() > 0 && self.left_out.get(region.0.into()).is_some()
    }

    #[inline]
    fn enter(&mut self, time: u64, region: RegionRef, visitor: &mut V) -> Result<(), Error> {
        if self.has_samples {
            // Its caller is not known, and may not be the call that the last sample has seen.
            self.close_sampled(time, visitor);
        }
        let context = self.contexts.child(self.stack.top.context, region)?;
        self.open(time, context, false, visitor);
        Ok(())
    }

    #[inline]
    fn open(&mut self, time: u64, context: ContextId, is_sampled: bool, visitor: &mut V) {
        if self.has_samples && !is_sampled {
            self.stack.enter_level(time);
        }
        let start = time.max(self.from);
        let mark = visitor.enter(context, self.contexts.region(context), start, is_sampled);
        let frame = OpenFrame { mark, context, is_sampled, start, suspended: self.stack.suspended, inner: 0 };
        self.stack.outer.push(mem::replace(&mut self.stack.top, frame));
    }

    /// A sample has seen the innermost call, from `since` on if it stands for a known time.
    fn see(&mut self, since: Option<u64>, time: u64, visitor: &mut V) {
        let OpenFrame { context, mark, .. } = &mut self.stack.top;
        let since = since.map(|since| since.max(self.from));
        visitor.seen(*context, self.contexts.region(*context), since, time.max(self.from), mark);
    }

    #[inline]
    fn leave(&mut self, time: u64, region: RegionRef, visitor: &mut V) -> Result<(), Error> {
        if self.has_samples || self.contexts.region(self.stack.top.context) != region || self.stack.is_empty()
        {
            return self.leave_outer(time, region, visitor);
        }
        self.close(time, visitor);
        Ok(())
    }

    /// Closes the innermost call.
    #[inline]
    fn close(&mut self, time: u64, visitor: &mut V) {
        let Some(outer) = self.stack.outer.pop() else { return };
        let OpenFrame { mark, context, is_sampled, start, suspended, inner } =
            mem::replace(&mut self.stack.top, outer);
        let suspended = self.stack.suspended - suspended;
        let duration = time.saturating_sub(start).saturating_sub(suspended);
        let exclusive = duration.saturating_sub(inner);
        let depth = self.stack.outer.len();
        let claim = if self.has_samples && !is_sampled { self.stack.leave_level(time) } else { 0 };
        let claimed = claim.min(duration.saturating_sub(inner - claim));
        if time >= self.from {
            let end = time.max(start);
            let call = Call { context, depth, start, end, duration, exclusive, claimed, is_sampled };
            visitor.leave(&call, mark, &mut self.stack.top.mark);
        } else {
            visitor.forget(mark, &mut self.stack.top.mark);
        }
        if self.has_samples {
            if !is_sampled {
                self.stack.seen = time;
            }
            return self.pass_on(duration, is_sampled, visitor);
        }
        self.stack.top.inner += duration;
    }

    /// Adds the duration of a call to the calls around it where some are known by samples. Their
    /// times are periods, which the innermost entered call has received with the samples.
    #[cold]
    fn pass_on(&mut self, duration: u64, is_sampled: bool, visitor: &mut V) {
        if is_sampled {
            if self.stack.top.is_sampled {
                self.stack.top.inner += duration;
            }
            return;
        }
        let mut is_first = true;
        for frame in self.stack.with_root() {
            if !frame.is_sampled {
                frame.inner += duration;
                return;
            }
            frame.inner += if mem::take(&mut is_first) { duration } else { 0 };
            let context = frame.context;
            let entered = ContextId::ROOT;
            visitor.sampled(&Sampled { context, entered, samples: 0, inclusive: duration, exclusive: 0 });
        }
    }

    /// Leaves a region that is not that of the innermost call, or that samples may have entered.
    #[cold]
    fn leave_outer(&mut self, time: u64, region: RegionRef, visitor: &mut V) -> Result<(), Error> {
        let contexts = &self.contexts;
        let is_it =
            |frame: &mut OpenFrame<V::Mark>| !frame.is_sampled && contexts.region(frame.context) == region;
        let Some(above) = self.stack.frames().position(is_it) else {
            self.close_sampled(time, visitor);
            if self.stack.is_empty() && self.running.is_none() {
                return self.enclose(time, region, visitor);
            }
            self.remarks.ignored_leaves += 1;
            return Ok(());
        };
        if self.has_samples && time >= self.from {
            self.stack.deal_rest(time, give_to(visitor));
        }
        for _ in 0..above {
            self.remarks.closed_early += u64::from(!self.stack.top.is_sampled);
            self.close(time, visitor);
        }
        self.close(time, visitor);
        Ok(())
    }

    /// Closes the innermost calls that only samples have seen, by `time`.
    fn close_sampled(&mut self, time: u64, visitor: &mut V) {
        let end = self.end_of_sampled(time);
        while self.stack.top.is_sampled {
            self.close(end, visitor);
        }
    }

    /// Returns when calls that only samples have seen end if they are not open any more at `time`:
    /// then, unless a sample is missing before.
    fn end_of_sampled(&self, time: u64) -> u64 {
        if self.is_gap(time) { self.stack.seen.max(self.previous).min(time) } else { time }
    }

    /// Returns whether the location did not run for more than a period before `time`.
    fn is_gap(&self, time: u64) -> bool {
        self.period.is_some_and(|period| time.saturating_sub(self.stack.seen) > period)
    }

    /// Puts all calls so far into a call of `region` that ends now.
    fn enclose(&mut self, time: u64, region: RegionRef, visitor: &mut V) -> Result<(), Error> {
        self.remarks.opened_at_start += 1;
        let mut contexts = Contexts::new();
        let outer = contexts.child(ContextId::ROOT, region)?;
        let ids = contexts.add(outer, &self.contexts, |region| region)?;
        self.contexts = contexts;
        self.known.clear();
        for stack in self.suspended.values_mut() {
            for frame in stack.frames() {
                frame.context = ids[frame.context.index()];
            }
        }
        visitor.enclose(&ids);
        let inner = mem::take(&mut self.stack.top.inner);
        self.open(self.first, outer, false, visitor);
        self.stack.top.inner = inner;
        self.stack.enclose_levels();
        self.close(time, visitor);
        Ok(())
    }

    #[inline(never)]
    fn other(&mut self, time: u64, event: &Event<'_>, visitor: &mut V) -> Result<(), Error> {
        match event {
            Event::CallingContextEnter(it) => self.enter_context(time, it.calling_context, visitor)?,
            Event::CallingContextLeave(it) => match self.trace.calling_context(it.calling_context) {
                Some(context) if self.leaves_out(context.region) => {}
                Some(context) => self.leave(time, context.region, visitor)?,
                None => self.remarks.undefined_contexts += 1,
            },
            Event::CallingContextSample(it) => {
                self.period = self.trace.regular_period(it.interrupt_generator);
                let period = self.trace.period(it.interrupt_generator);
                self.remarks.timeless_samples += u64::from(period.is_none());
                let passed = self.last_sample.replace(time).map(|last| time - last);
                // The processor time since the last sample is not more than the time since then.
                let period = period.map(|period| passed.map_or(period, |passed| passed.min(period)));
                self.sample(time, it.calling_context, period, visitor)?;
            }
            Event::ThreadTaskSwitch(it) => {
                let task = (it.thread_team.0, it.creating_thread, it.generation_number.into());
                self.switch(time, Some(task).filter(|task| task.2 != 0), visitor);
            }
            Event::ThreadTaskComplete(it) => {
                self.complete((it.thread_team.0, it.creating_thread, it.generation_number.into()), visitor);
            }
            Event::OmpTaskSwitch(it) => {
                self.switch(time, Some((0, 0, it.task_id)).filter(|task| task.2 != 0), visitor);
            }
            Event::OmpTaskComplete(it) => self.complete((0, 0, it.task_id), visitor),
            _ => {}
        }
        let depth = self.stack.outer.len();
        // Calls that only samples have seen there do not concern the event.
        let entered = self.stack.with_root().enumerate().find(|(_, frame)| !frame.is_sampled);
        if let Some((inner, OpenFrame { context, start, mark, .. })) = entered {
            let (context, depth) = (*context, (depth - inner).saturating_sub(1));
            let region = self.contexts.region(context);
            visitor.event(time, event, Inside { context, region, depth, start: *start, mark });
        }
        Ok(())
    }

    /// Returns the context of a calling context of the trace, if it is defined.
    fn context(&mut self, id: CallingContextRef) -> Result<Option<ContextId>, Error> {
        let mut path = Vec::new();
        let (mut next, mut found) = (id, ContextId::ROOT);
        while next.is_defined() {
            if let Some(&context) = self.known.get(&next) {
                found = context;
                break;
            }
            let Some(definition) = self.trace.calling_context(next) else { return Ok(None) };
            // Definitions may contain circles.
            if path.len() > MOST_CALLERS {
                return Ok(None);
            }
            path.push((next, definition.region));
            next = definition.parent;
        }
        for (id, region) in path.into_iter().rev() {
            if !self.leaves_out(region) {
                found = self.contexts.child(found, region)?;
            }
            self.known.insert(id, found);
        }
        Ok(Some(found).filter(|_| id.is_defined()))
    }

    /// Closes the calls that only samples have seen and that are not on the path to `context`.
    /// Returns the path beyond the innermost open call, unless that call is not on the path.
    fn approach(&mut self, time: u64, context: ContextId, visitor: &mut V) -> Option<Vec<ContextId>> {
        let mut path = self.contexts.path(context);
        loop {
            let depth = self.stack.outer.len();
            let is_on_path = depth == 0 || path.get(depth - 1) == Some(&self.stack.top.context);
            match (is_on_path, self.stack.top.is_sampled) {
                (true, _) => return Some(path.split_off(depth)),
                (false, true) => self.close(time, visitor),
                (false, false) => return None,
            }
        }
    }

    fn enter_context(&mut self, time: u64, id: CallingContextRef, visitor: &mut V) -> Result<(), Error> {
        let Some(context) = self.context(id)? else {
            self.remarks.undefined_contexts += 1;
            return Ok(());
        };
        if self.trace.calling_context(id).is_some_and(|it| self.leaves_out(it.region)) {
            return Ok(());
        }
        let caller = self.contexts.parent(context);
        if self.has_samples && time >= self.from {
            self.stack.deal_rest(time, give_to(visitor));
        }
        if self.is_gap(time) {
            self.close_sampled(time, visitor);
        }
        self.stack.seen = time;
        if let Some(path) = self.approach(time, caller, visitor) {
            // Sampled calls beyond the caller have ended.
            for context in path {
                self.begin_samples();
                self.open(time, context, true, visitor);
            }
            self.open(time, context, false, visitor);
            return Ok(());
        }
        self.enter(time, self.contexts.region(context), visitor)
    }

    /// Prepares for calls that only samples have seen.
    fn begin_samples(&mut self) {
        if !mem::replace(&mut self.has_samples, true) {
            let first = self.first;
            self.suspended.values_mut().chain([&mut self.stack]).for_each(|stack| stack.begin_samples(first));
        }
    }

    fn sample(
        &mut self,
        time: u64,
        id: CallingContextRef,
        period: Option<u64>,
        visitor: &mut V,
    ) -> Result<(), Error> {
        let Some(context) = self.context(id)? else {
            self.remarks.undefined_contexts += 1;
            return Ok(());
        };
        self.begin_samples();
        self.stack.spend(time);
        if time == self.first {
            // The function that ran before the first event had run for a period.
            self.stack.spend_before(period.unwrap_or(0));
        }
        let begin = self.previous.max(self.first);
        let since = period.map(|period| time.saturating_sub(period).max(begin));
        let start = since.unwrap_or(time);
        if self.is_gap(start) {
            self.close_sampled(start, visitor);
        }
        self.stack.seen = time;
        let path = self.approach(start, context, visitor);
        if context == ContextId::ROOT {
            // All its callers are left out.
            return Ok(());
        }
        let is_measured = path.as_ref().is_none_or(|path| path.is_empty() && !self.stack.top.is_sampled);
        for context in path.unwrap_or_default() {
            self.open(start, context, true, visitor);
        }
        if !is_measured {
            self.see(since, time, visitor);
        }
        let period = period.unwrap_or(0);
        if time < self.from {
            self.stack.deal(0, |_| {});
            return Ok(());
        }
        // The time of a context that was entered is known from the enter.
        let entered = ContextId::ROOT;
        visitor.sampled(&Sampled { context, entered, samples: 1, inclusive: 0, exclusive: 0 });
        self.stack.deal(period, give_to(visitor));
        Ok(())
    }

    fn switch(&mut self, time: u64, task: Option<Task>, visitor: &mut V) {
        if task == self.running {
            return;
        }
        if mem::take(&mut self.is_complete) {
            self.close_all(time, visitor);
        }
        let now = time.max(self.from);
        let mut stack = self.suspended.remove(&task).unwrap_or_else(|| Stack::new(now));
        // The implicit task counts the time of explicit ones as inner time.
        if task.is_some() {
            stack.suspended += now.saturating_sub(stack.since);
        }
        stack.since = now;
        stack.resume_level(now);
        self.stack.spend(now);
        let mut last = mem::replace(&mut self.stack, stack);
        let part = now.saturating_sub(last.since);
        last.since = now;
        let ran = mem::replace(&mut self.running, task);
        if ran.is_none() || !last.is_empty() {
            self.suspended.insert(ran, last);
        }
        // The time of an explicit task is inner time of the innermost call of the implicit task.
        let implicit = if task.is_none() { Some(&mut self.stack) } else { self.suspended.get_mut(&None) };
        if let Some(stack) = implicit {
            stack.top.inner += if ran.is_some() { part } else { 0 };
            visitor.switch(now, ran, task, &mut stack.top.mark);
        }
    }

    fn complete(&mut self, task: Task, visitor: &mut V) {
        if self.running == Some(task) {
            self.is_complete = true;
        } else if let Some(stack) = self.suspended.remove(&Some(task)) {
            self.close_other(task, stack, visitor);
        }
    }

    /// Closes the calls of a task that does not run, as of the time when it was suspended.
    fn close_other(&mut self, task: Task, stack: Stack<V::Mark>, visitor: &mut V) {
        let since = stack.since;
        let mut running = mem::replace(&mut self.stack, stack);
        for (from, to) in [(self.running, Some(task)), (Some(task), self.running)] {
            let implicit = match self.running {
                None => Some(&mut running),
                Some(_) => self.suspended.get_mut(&None),
            };
            if let Some(implicit) = implicit {
                visitor.switch(since, from, to, &mut implicit.top.mark);
            }
            self.close_all(since, visitor);
        }
        self.stack = running;
    }

    /// Closes the calls of the task that has ended.
    fn close_all(&mut self, time: u64, visitor: &mut V) {
        while !self.stack.is_empty() {
            self.remarks.closed_early += u64::from(!self.stack.top.is_sampled);
            self.close(time, visitor);
        }
    }

    /// Closes the calls that are open at the end of the location: at `end`, in nanoseconds, or at
    /// the last event if that is later. `is_cut` states that events may follow.
    pub fn finish(&mut self, end: u64, is_cut: bool, visitor: &mut V) {
        let end = end.max(self.last).max(self.from);
        // There may be no event in the selected time.
        if !mem::replace(&mut self.has_started, true) {
            visitor.start();
        }
        let early = self.remarks.closed_early;
        self.switch(end, None, visitor);
        let tasks: Vec<_> = self.suspended.drain().collect();
        for (task, stack) in tasks {
            if let Some(task) = task {
                self.close_other(task, stack, visitor);
            }
        }
        // A call that only samples have seen lasts until the last one, or beyond the selected time.
        self.close_sampled(if is_cut { end } else { self.last }, visitor);
        self.close_all(end, visitor);
        let closed = self.remarks.closed_early - early;
        self.remarks.closed_early = early;
        self.remarks.closed_at_end += if is_cut { 0 } else { closed };
    }
}

/// Returns the function that gives a visitor the time for which samples stand.
fn give_to<V: Visitor>(visitor: &mut V) -> impl FnMut(Share) {
    |Share { context, entered, time, is_innermost }| {
        let exclusive = if is_innermost { time } else { 0 };
        visitor.sampled(&Sampled { context, entered, samples: 0, inclusive: time, exclusive });
    }
}

/// The largest number of callers of a calling context.
const MOST_CALLERS: usize = 1 << 16;
