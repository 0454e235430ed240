//! Explicit tasks.
//!
//! A thread executes tasks on top of each other: each has its own part of the location's stack of
//! regions. A task that is suspended while a task below it continues takes its regions along, and
//! another thread may resume it. Invariants: tasks are recycled, but their memory is never freed; a
//! task belongs to the thread that executes it, and `location` states which one that is; it is
//! changed last.

use std::cell::Cell;
use std::ptr;
use std::sync::atomic::{
    AtomicPtr, AtomicU32,
    Ordering::{Acquire, Relaxed, Release},
};

use kymo_substrate::bindings::SCOREP_Task;

use super::communicators::Team;
use super::events::{self, leave_down_to, settled};
use super::sites::{Construct, Site};
use super::state::LocationState;
use crate::host::Host;
use crate::locations::Location;
use crate::mapped::{Zeroed, zeroed};
use crate::measurement::{self, Caller, Here};
use crate::stack::OpenContext;
use crate::thread;

/// The number of open regions that a suspended task keeps. Deeper ones are left.
const REGIONS: usize = 12;
/// The number of tasks that are allocated together.
const BLOCK: usize = 64;
/// The number of recycled tasks of a location, of which half are given to others if it is exceeded.
const MOST: usize = 128;
/// How often a thread looks whether another one has suspended a task.
const SUSPENSION_LOOKS: u32 = 100_000;

/// An explicit task.
pub(super) struct Task {
    generation_of_process: Cell<u32>,
    team: Cell<*const Team>,
    /// The number of the thread that created it, and its number among the tasks of that thread.
    creator: Cell<u32>,
    generation: Cell<u32>,
    pub(super) region: Cell<u32>,
    has_begun: Cell<bool>,
    /// The number of the location that executes it + 1; 0 if none does.
    location: AtomicU32,
    /// The task below it on the stack of the location.
    below: Cell<*const Task>,
    base: Cell<usize>,
    outer_floor: Cell<usize>,
    /// Whether the thread was inside the OpenMP runtime before it executed the task, or, of a
    /// suspended task, in it.
    was_inside: Cell<bool>,
    saved: Cell<[u32; REGIONS]>,
    saved_times: Cell<[u64; REGIONS]>,
    saved_contexts: Cell<[OpenContext; REGIONS]>,
    saved_count: Cell<usize>,
    next: Cell<*const Task>,
}

// SAFETY: pointers, integers and booleans, for all of which zero is a value.
unsafe impl Zeroed for Task {}

/// Recycled tasks that no location keeps.
static FREE: AtomicPtr<Task> = AtomicPtr::new(ptr::null_mut());

impl Task {
    /// Returns the task at an address that an OpenMP runtime kept; `None` if it is from the parent
    /// of a forked child.
    ///
    /// # Safety
    ///
    /// The address must be null or that of a task.
    pub(super) unsafe fn at(address: *const Self) -> Option<&'static Self> {
        // SAFETY: the address is null or that of a task, whose memory is never freed.
        let task = unsafe { address.as_ref() }?;
        (task.generation_of_process.get() == measurement::generation()).then_some(task)
    }

    fn below(&self) -> Option<&'static Self> {
        // SAFETY: null or a task.
        unsafe { Self::at(self.below.get()) }
    }

    /// Returns the handle by which plugins identify the task.
    pub(super) fn handle(&self) -> *mut SCOREP_Task {
        ptr::from_ref(self).cast_mut().cast()
    }

    /// Returns its communicator, the number of its creator, and its number.
    pub(super) fn identity(&self) -> (u32, u32, u32) {
        // SAFETY: null or a team, which is never freed.
        let team = unsafe { self.team.get().as_ref() };
        (team.map_or(0, |team| team.communicator.get()), self.creator.get(), self.generation.get())
    }

    fn take(state: &LocationState) -> Option<&'static Self> {
        // SAFETY: null or a task.
        let known = unsafe { state.free_tasks.get().as_ref::<'static>() };
        let task = known.or_else(|| {
            let all = FREE.swap(ptr::null_mut(), Acquire);
            // SAFETY: as above.
            unsafe { all.as_ref::<'static>() }.or_else(Self::block)
        })?;
        state.free_tasks.set(task.next.get());
        state.free_count.set(state.free_count.get().saturating_sub(1));
        Some(task)
    }

    /// Allocates tasks that are linked to each other.
    fn block() -> Option<&'static Self> {
        let block: &'static [Self] = zeroed::<Self>(BLOCK)?;
        block.windows(2).for_each(|pair| pair[0].next.set(&raw const pair[1]));
        block.first()
    }

    fn recycle(&'static self, state: &LocationState) {
        self.generation_of_process.set(u32::MAX);
        self.next.set(state.free_tasks.get());
        state.free_tasks.set(self);
        state.free_count.set(state.free_count.get() + 1);
        if state.free_count.get() > MOST {
            give_away(state);
        }
    }
}

/// Gives half of the recycled tasks of a location to all.
fn give_away(state: &LocationState) {
    let first = state.free_tasks.get();
    let mut last = first;
    for _ in 1..MOST / 2 {
        // SAFETY: null or a task of the list, of which there are more.
        let Some(task) = (unsafe { last.as_ref() }) else { return };
        last = task.next.get();
    }
    // SAFETY: as above.
    let Some(last) = (unsafe { last.as_ref() }) else { return };
    state.free_tasks.set(last.next.get());
    state.free_count.set(state.free_count.get() - MOST / 2);
    let mut all = FREE.load(Relaxed);
    loop {
        last.next.set(all);
        match FREE.compare_exchange_weak(all, first.cast_mut(), Release, Relaxed) {
            Ok(_) => return,
            Err(other) => all = other,
        }
    }
}

/// Creates a task for the member in which the calling thread is; `None` outside of any team.
pub(super) fn create(here: &Here, site: &'static Site, is_untied: bool) -> Option<&'static Task> {
    let (_, location) = here.parts();
    let state = LocationState::of(location)?;
    let place = state.place()?;
    let team = Team::of_member(place)?;
    let task = Task::take(state)?;
    let generation = team.generation.get().wrapping_add(1).max(1);
    team.generation.set(generation);
    task.generation_of_process.set(measurement::generation());
    task.team.set(team);
    task.creator.set(place.number.get());
    task.generation.set(generation);
    let construct = if is_untied { Construct::UntiedTask } else { Construct::Task };
    task.region.set(site.region(construct).0);
    task.has_begun.set(false);
    task.below.set(ptr::null());
    task.saved_count.set(0);
    task.location.store(0, Relaxed);
    let (region, now) = (site.region(Construct::CreateTask), settled(location, here.now()));
    here.enter_from(Caller::Library, region, now);
    here.create_task(team, task.creator.get(), generation, now);
    here.leave_at(region, now);
    Some(task)
}

/// Changes the task that the calling thread executes: the present one has ended or not, and `next`
/// is the next one, `None` for the implicit task.
pub(super) fn schedule(here: &Here, has_ended: bool, next: Option<&'static Task>) {
    let (host, location) = here.parts();
    let Some(state) = LocationState::known(location) else { return };
    let now = settled(location, here.now());
    if has_ended {
        here.read_metrics();
        end_innermost(host, location, state, now);
    } else if same(state.task(), next) {
        return;
    }
    let me = location.id.wrapping_add(1);
    match next {
        None => {
            while let Some(task) = state.task() {
                suspend(host, location, state, task, now);
            }
            if let Some((place, team)) =
                state.place().and_then(|place| Some((place, Team::of_member(place)?)))
            {
                here.switch_to_member(team, place.number.get(), now);
            }
        }
        Some(task) if !task.has_begun.get() => begin(here, state, task, now),
        Some(task) if task.location.load(Acquire) == me => {
            while let Some(above) = state.task().filter(|above| !ptr::eq(*above, task)) {
                suspend(host, location, state, above, now);
            }
            here.switch_to_task(task, now);
        }
        Some(task) => {
            resume(location, state, task);
            here.switch_to_task(task, now);
        }
    }
}

fn same(one: Option<&Task>, other: Option<&Task>) -> bool {
    match (one, other) {
        (None, None) => true,
        (Some(one), Some(other)) => ptr::eq(one, other),
        _ => false,
    }
}

/// Ends a task that the calling thread executes, and continues with the one below it.
pub(super) fn finish(here: &Here, task: &'static Task) {
    let (_, location) = here.parts();
    let Some(state) = LocationState::known(location) else { return };
    if same(state.task(), Some(task)) {
        schedule(here, true, task.below());
    }
}

fn begin(here: &Here, state: &LocationState, task: &'static Task, now: u64) {
    let (_, location) = here.parts();
    put_on_top(location, state, task);
    task.has_begun.set(true);
    task.was_inside.set(thread::set_in_pool(false));
    here.begin_task(task, now);
}

fn put_on_top(location: &Location, state: &LocationState, task: &'static Task) {
    task.below.set(state.task.replace(task));
    task.base.set(location.regions.depth());
    task.outer_floor.set(location.regions.floor());
    location.regions.set_floor(location.regions.depth());
    task.location.store(location.id.wrapping_add(1), Relaxed);
}

/// Takes a task off the stack, with its regions.
fn suspend(host: &Host, location: &Location, state: &LocationState, task: &'static Task, now: u64) {
    let (base, stack) = (task.base.get(), &location.regions);
    leave_down_to(host, location, base + REGIONS, now);
    let (mut regions, mut times) = ([0; REGIONS], [0; REGIONS]);
    let mut contexts = [OpenContext::default(); REGIONS];
    let count = stack.depth().saturating_sub(base);
    for place in (0..count.min(REGIONS)).rev() {
        times[place] = stack.entered(1).unwrap_or(0);
        contexts[place] = stack.context();
        regions[place] = stack.pop().unwrap_or(0);
    }
    task.saved.set(regions);
    task.saved_times.set(times);
    task.saved_contexts.set(contexts);
    task.saved_count.set(count.min(REGIONS));
    let inside = thread::set_in_pool(task.was_inside.get());
    task.was_inside.set(inside);
    state.task.set(task.below.get());
    stack.set_floor(task.outer_floor.get());
    task.location.store(0, Release);
}

/// Puts a suspended task on the stack. The thread that suspended it may be about to say so.
fn resume(location: &Location, state: &LocationState, task: &'static Task) {
    for count in 0..SUSPENSION_LOOKS {
        if task.location.load(Acquire) == 0 {
            break;
        }
        if count % 100 == 99 { std::thread::yield_now() } else { std::hint::spin_loop() }
    }
    put_on_top(location, state, task);
    let (regions, times) = (task.saved.get(), task.saved_times.get());
    let saved = regions.iter().zip(times).zip(task.saved_contexts.get());
    for ((region, time), open) in saved.take(task.saved_count.replace(0)) {
        // The frames of the task are on the stack of another thread, perhaps.
        if location.regions.push(*region, time) && open.context != 0 {
            location.regions.set_context(OpenContext { frame: 0, ..open });
        }
    }
    task.was_inside.set(thread::set_in_pool(task.was_inside.get()));
}

/// Ends the task on top of the stack. Returns false if there is none.
fn end_innermost(host: &Host, location: &Location, state: &LocationState, now: u64) -> bool {
    let Some(task) = state.task() else { return false };
    leave_down_to(host, location, task.base.get() + 1, now);
    if location.regions.depth() > task.base.get() {
        location.regions.pop();
    }
    events::end_task(host, location, task, settled(location, now));
    location.regions.set_floor(task.outer_floor.get());
    state.task.set(task.below.get());
    thread::set_in_pool(task.was_inside.get());
    task.recycle(state);
    true
}

/// Ends all tasks of a member that ends, or of a program that ends in them.
pub(super) fn end_all(host: &'static Host, location: &'static Location, state: &LocationState, now: u64) {
    while end_innermost(host, location, state, now) {
        let here = Here::of(host, location);
        let now = settled(location, now);
        match (state.task(), state.place()) {
            (Some(task), _) => here.switch_to_task(task, now),
            (None, Some(place)) => {
                if let Some(team) = Team::of_member(place) {
                    here.switch_to_member(team, place.number.get(), now);
                }
            }
            _ => {}
        }
    }
}
