//! The callbacks: each passes its report on to the event layer.

use std::ffi::c_void;
use std::ptr;

use super::Callback;
use super::abi::{BEGIN, DISPATCH_SECTION, Data, LEAGUE, mutex, status, sync, task, work};
use super::target::{target, target_operation, target_submit};
use crate::adapters::openmp::locks::{self, Function, LockKind};
use crate::adapters::openmp::sites::{Construct, Site, is_of_runtime, site_at};
use crate::adapters::openmp::tasks::{self, Task};
use crate::adapters::openmp::tree::TeamPlace;
use crate::adapters::openmp::work::{self as constructs, Schedule};
use crate::adapters::openmp::{is_on, team};
use crate::measurement::{self, Here};
use crate::next::keeping_errno;

/// Returns callbacks with the numbers of the interface.
macro_rules! callbacks {
    ($($number:literal $callback:ident)*) => {
        pub(super) static ALL: &[(i32, Callback)] =
            &[$(($number, Callback($callback as *const c_void)),)*];
    };
}

callbacks! {
    2 thread_end
    3 parallel_begin
    4 parallel_end
    5 task_create
    6 task_schedule
    7 implicit_task
    17 mutex_released
    20 work
    21 masked
    23 sync_region
    24 lock_init
    25 lock_destroy
    26 mutex_acquire
    27 mutex_acquired
    28 nest_lock
    29 flush
    32 dispatch
    33 target
    34 target_operation
    35 target_submit
}

/// Executes an action with the location of the calling thread.
#[inline]
fn here(action: impl FnOnce(&Here)) {
    if is_on() {
        keeping_errno(|| {
            if let Some(here) = measurement::here() {
                action(&here);
            }
        });
    }
}

fn site(address: *const c_void) -> &'static Site {
    site_at(address.addr())
}

unsafe extern "C" fn parallel_begin(
    _encountering: *mut Data,
    _frame: *const c_void,
    parallel: *mut Data,
    requested: u32,
    flags: u32,
    address: *const c_void,
) {
    let mut place = None;
    if is_on() {
        keeping_errno(|| {
            let here = measurement::here_or_orphan();
            let construct = if flags & LEAGUE != 0 { Construct::Teams } else { Construct::Parallel };
            place = here.and_then(|here| {
                let site = Some(site(address)).filter(|site| !is_of_runtime(site))?;
                team::fork(&here, site, construct, requested)
            });
        });
    }
    // SAFETY: the runtime's data.
    unsafe { Data::set(parallel, place.map_or(0, |place| ptr::from_ref(place).addr())) };
}

unsafe extern "C" fn thread_end(_thread: *mut Data) {
    keeping_errno(super::thread_ends);
}

unsafe extern "C" fn parallel_end(
    parallel: *mut Data,
    _encountering: *mut Data,
    _flags: u32,
    _address: *const c_void,
) {
    // SAFETY: the runtime's data, set in `parallel_begin`.
    let Some(place) = (unsafe { place(parallel) }) else { return };
    here(|here| team::join(here, place));
}

/// # Safety
///
/// The address must be null or that of the data of a parallel region.
unsafe fn place(parallel: *const Data) -> Option<&'static TeamPlace> {
    // SAFETY: the data is null or that of a region; only `parallel_begin` sets it, to 0 or a place.
    unsafe { TeamPlace::at(ptr::with_exposed_provenance(Data::get(parallel))) }
}

unsafe extern "C" fn implicit_task(
    end: u32,
    parallel: *mut Data,
    task_data: *mut Data,
    size: u32,
    number: u32,
    _flags: u32,
) {
    if end == BEGIN {
        // SAFETY: the runtime's data, set in `parallel_begin`. A thread outside of any team has
        // none.
        let place = unsafe { place(parallel) };
        let has_begun =
            is_on() && place.is_some_and(|place| keeping_errno(|| team::begin(place, number, size)));
        // SAFETY: the runtime's data.
        unsafe { Data::set(task_data, if has_begun { INCLUDED } else { 0 }) };
        return;
    }
    // SAFETY: the runtime's data.
    if unsafe { Data::get(task_data) } == INCLUDED {
        here(team::end);
    }
}

unsafe extern "C" fn sync_region(
    kind: u32,
    end: u32,
    _parallel: *mut Data,
    _task: *mut Data,
    address: *const c_void,
) {
    let construct = match kind {
        sync::BARRIER | sync::EXPLICIT | sync::IMPLEMENTATION => Construct::Barrier,
        sync::IMPLICIT | sync::IMPLICIT_WORKSHARE | sync::IMPLICIT_PARALLEL => Construct::ImplicitBarrier,
        sync::TASKWAIT => Construct::Taskwait,
        sync::TASKGROUP => Construct::Taskgroup,
        _ => return,
    };
    here(|here| match (construct, end == BEGIN) {
        (Construct::Taskwait, true) => constructs::begin_wait(here, construct, site(address)),
        (Construct::Taskwait, false) => constructs::end_wait(here, construct),
        (Construct::Taskgroup, true) => here.enter_construct(site(address).region(construct)),
        (Construct::Taskgroup, false) => here.leave_construct(construct),
        (_, true) => {
            constructs::settle(here);
            let own = (!address.is_null()).then(|| site(address));
            if own.is_none_or(|own| !is_of_runtime(own)) {
                constructs::begin_barrier(here, construct, own);
            }
        }
        (_, false) => constructs::end_barrier(here),
    });
}

unsafe extern "C" fn work(
    kind: u32,
    end: u32,
    _parallel: *mut Data,
    _task: *mut Data,
    _count: u64,
    address: *const c_void,
) {
    let is_begin = end == BEGIN;
    here(|here| {
        let site = site(address);
        let schedule = match kind {
            work::LOOP => Schedule::Unknown,
            work::LOOP_STATIC => Schedule::Static,
            work::LOOP_DYNAMIC => Schedule::Dynamic,
            work::LOOP_GUIDED => Schedule::Guided,
            _ => Schedule::Other,
        };
        if is_begin {
            constructs::settle(here);
        }
        match kind {
            work::LOOP | work::LOOP_STATIC | work::LOOP_DYNAMIC | work::LOOP_GUIDED | work::LOOP_OTHER => {
                match is_begin {
                    true => constructs::begin_loop(here, site, schedule),
                    false => here.leave_construct(Construct::Loop),
                }
            }
            work::SECTIONS if is_begin => constructs::begin_sections(here, site),
            work::SECTIONS => constructs::end_sections(here),
            work::WORKSHARE if is_begin => here.enter_construct(site.region(Construct::Workshare)),
            work::WORKSHARE => here.leave_construct(Construct::Workshare),
            work::SINGLE_EXECUTOR | work::SINGLE_OTHER if is_begin => {
                constructs::begin_single(here, site, kind == work::SINGLE_EXECUTOR, here.now());
            }
            work::SINGLE_EXECUTOR | work::SINGLE_OTHER => constructs::end_single(here),
            _ => {}
        }
    });
}

unsafe extern "C" fn dispatch(_parallel: *mut Data, _task: *mut Data, kind: u32, instance: usize) {
    if kind == DISPATCH_SECTION {
        let site = (instance != 0).then(|| site_at(instance));
        here(|here| constructs::begin_section(here, site));
    }
}

unsafe extern "C" fn masked(end: u32, _parallel: *mut Data, _task: *mut Data, address: *const c_void) {
    here(|here| match (end == BEGIN, site(address)) {
        (_, site) if is_of_runtime(site) => {}
        (true, site) => here.enter_construct(site.region(Construct::Masked)),
        (false, _) => here.leave_construct(Construct::Masked),
    });
}

unsafe extern "C" fn flush(_thread: *mut Data, address: *const c_void) {
    here(|here| constructs::pass(here, Construct::Flush, site(address)));
}

/// The bit that marks the word of a task that is executed at once as a part of the enclosing one;
/// the other bits are the address of that one. The implicit task of a member has this bit alone.
const INCLUDED: usize = 1;

unsafe extern "C" fn task_create(
    encountering: *mut Data,
    _frame: *const c_void,
    new: *mut Data,
    flags: u32,
    _has_dependences: i32,
    address: *const c_void,
) {
    let mut kept = 0;
    if flags & (task::UNDEFERRED | task::MERGED) != 0 {
        // SAFETY: the runtime's data.
        kept = unsafe { Data::get(encountering) } | INCLUDED;
    } else if flags & task::EXPLICIT != 0 {
        here(|here| {
            let task = tasks::create(here, site(address), flags & task::UNTIED != 0);
            kept = task.map_or(0, |task| ptr::from_ref(task).addr());
        });
    }
    // SAFETY: the runtime's data.
    unsafe { Data::set(new, kept) };
}

unsafe extern "C" fn task_schedule(prior: *mut Data, what: u32, next: *mut Data) {
    if matches!(what, status::EARLY_FULFILL | status::LATE_FULFILL) || next.is_null() {
        return;
    }
    here(|here| {
        // SAFETY: the runtime's data.
        let (prior, next) = unsafe { (Data::get(prior), Data::get(next)) };
        // A task that is detached has no more to execute.
        let has_ended = matches!(what, status::COMPLETE | status::CANCEL | status::DETACH);
        let is_own = prior & INCLUDED == 0 && prior != 0;
        // SAFETY: the address of a task, or of none.
        let next = unsafe { Task::at(ptr::with_exposed_provenance(next & !INCLUDED)) };
        tasks::schedule(here, has_ended && is_own, next);
    });
}

unsafe extern "C" fn mutex_acquire(kind: u32, _hint: u32, _impl: u32, _lock: usize, address: *const c_void) {
    here(|here| locks::wait(here, kind, site(address)));
}

unsafe extern "C" fn mutex_acquired(kind: u32, lock: usize, address: *const c_void) {
    here(|here| {
        let (since, how) = locks::waited(here);
        // Some runtimes do not say that a lock was only tested.
        let is_test = matches!(how, mutex::TEST_LOCK | mutex::TEST_NEST_LOCK);
        match kind {
            mutex::CRITICAL => locks::enter_block(here, LockKind::Critical, lock, site(address), since),
            mutex::ORDERED => locks::enter_block(here, LockKind::Ordered, lock, site(address), since),
            mutex::LOCK | mutex::TEST_LOCK => {
                let function = if is_test { Function::Test } else { Function::Set };
                locks::acquired(here, LockKind::Simple, lock, function, since);
            }
            mutex::NEST_LOCK | mutex::TEST_NEST_LOCK => {
                let function = if is_test { Function::TestNest } else { Function::SetNest };
                locks::acquired(here, LockKind::Nest, lock, function, since);
            }
            _ => {}
        }
    });
}

unsafe extern "C" fn mutex_released(kind: u32, lock: usize, _address: *const c_void) {
    here(|here| match kind {
        mutex::CRITICAL => locks::leave_block(here, LockKind::Critical, lock),
        mutex::ORDERED => locks::leave_block(here, LockKind::Ordered, lock),
        mutex::LOCK | mutex::TEST_LOCK => {
            locks::released(here, LockKind::Simple, lock, Function::Unset, true)
        }
        mutex::NEST_LOCK | mutex::TEST_NEST_LOCK => {
            locks::released(here, LockKind::Nest, lock, Function::UnsetNest, true);
        }
        _ => {}
    });
}

unsafe extern "C" fn nest_lock(end: u32, lock: usize, _address: *const c_void) {
    here(|here| {
        if end != BEGIN {
            return locks::released(here, LockKind::Nest, lock, Function::UnsetNest, false);
        }
        let (since, how) = locks::waited(here);
        let function = if how == mutex::TEST_NEST_LOCK { Function::TestNest } else { Function::SetNest };
        locks::acquired_again(here, lock, function, since);
    });
}

unsafe extern "C" fn lock_init(kind: u32, hint: u32, _impl: u32, _lock: usize, _address: *const c_void) {
    let is_nest = matches!(kind, mutex::NEST_LOCK | mutex::TEST_NEST_LOCK);
    let function = match (is_nest, hint) {
        (false, 0) => Function::Init,
        (false, _) => Function::InitHint,
        (true, 0) => Function::InitNest,
        (true, _) => Function::InitNestHint,
    };
    here(|here| locks::called(here, function));
}

unsafe extern "C" fn lock_destroy(kind: u32, _lock: usize, _address: *const c_void) {
    let is_nest = matches!(kind, mutex::NEST_LOCK | mutex::TEST_NEST_LOCK);
    here(|here| locks::called(here, if is_nest { Function::DestroyNest } else { Function::Destroy }));
}
