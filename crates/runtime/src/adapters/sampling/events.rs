//! Calling contexts of events: where regions are entered, and which samples are inside of them.
//!
//! Invariant: the context of an event is that of the stack at the event. The region hangs below the
//! function that entered it, and functions that are called in the region below the region. A region
//! whose stack is not known is entered without a context.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::code_file::CodePosition;
use super::contexts::{self, ContextPlace, Path, Walked};
use super::handler;
use super::last_walk::{LastWalk, WalkedFrame};
use super::modules::{self, Owner, StackFrame, Walking};
use super::python::PythonStack;
use super::sampler::Sampler;
use super::unwinding::AllRegisters;
use super::walked_frames::{POSITIONS, Positions, StackEnd};
use crate::events::call;
use crate::host::Host;
use crate::locations::Location;
use crate::measurement::{Caller, Region};
use crate::settings::Settings;
use crate::stack::OpenContext;
use crate::thread;
use crate::walk_start;

/// Enters a region with the calling context of the stack. It is the innermost open region of the
/// location already. Returns `false`, and records nothing, if the stack is not known.
#[cold]
#[inline(never)]
pub(super) fn enter(
    host: &'static Host,
    location: &'static Location,
    region: Region,
    time: u64,
    caller: Caller,
) -> bool {
    let Some(sampler) = location.sampler().filter(|_| caller != Caller::Unknown) else { return false };
    // The program may hold locks of its allocator here.
    let entry = thread::with_separate_memory(|| entry(host, location, sampler, region.0, caller));
    let Some(EventEntry { open, base }) = entry.filter(|entry| location.regions.set_context(entry.open))
    else {
        return false;
    };
    let previous = sampler.set_leaf(open.context);
    let distance = ContextPlace { context: open.context, depth: open.depth }.distance(base);
    call!(
        host.table(),
        SCOREP_EVENT_CALLING_CONTEXT_ENTER: SCOREP_Substrates_CallingContextEnterCb,
        location.address(), time, open.context, previous, distance, location.values()
    );
    true
}

/// A region that is entered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct EventEntry {
    open: OpenContext,
    /// The context of the innermost open region around it.
    base: ContextPlace,
}

/// The values that an entry depends on, besides the frames of the stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct EntryCause {
    caller: Caller,
    region: u32,
    /// The innermost region that is open.
    innermost: OpenContext,
    /// The hash of the Python functions.
    python: u64,
}

/// The last event of a thread, which is kept for the next one.
#[derive(Debug)]
pub(super) struct LastEvent {
    walk: LastWalk,
    python: PythonStack,
    /// Path of the caller.
    path: Path,
    /// Its entry, with the values on which that depends.
    entry: Option<(EntryCause, EventEntry)>,
    room: Box<[CodePosition; POSITIONS]>,
}

impl LastEvent {
    pub(super) fn new() -> Self {
        Self {
            walk: LastWalk::new(),
            python: PythonStack::new(),
            path: Path::new(),
            entry: None,
            room: Box::new([CodePosition::NONE; POSITIONS]),
        }
    }

    /// Forgets the event.
    pub(super) fn forget(&mut self) {
        self.walk.forget();
        self.path.forget();
        self.entry = None;
    }
}

fn entry(
    host: &Host,
    location: &Location,
    sampler: &Sampler,
    region: u32,
    caller: Caller,
) -> Option<EventEntry> {
    // In a handler that interrupted a definition, nothing can be defined.
    if thread::is_defining() {
        return None;
    }
    let mut last = sampler.last_event.try_lock().ok()?;
    let last = &mut *last;
    let innermost = location.regions.contexts().next().unwrap_or_default();
    let is_same = walk(sampler, &mut last.walk, caller)?;
    last.python.read();
    let cause = EntryCause { caller, region, innermost, python: last.python.hash() };
    if is_same
        && let Some((cause_then, entry)) = last.entry
        && cause_then == cause
    {
        return Some(entry);
    }
    last.entry = None;
    if modules::is_stale() && modules::update_if_stale() {
        walk(sampler, &mut last.walk, caller)?;
    }
    let Callers { base, has_base, frames, frame } = Callers::of(last.walk.frames(), location, caller)?;
    let native = frames.iter().map(|it| it.native());
    let end = StackEnd::of(has_base, last.walk.has_unknown_caller() && !has_direct_callers());
    let (positions, has_base) = Positions::of(native, end, &last.python, &mut last.room);
    let stack = Walked { base, frames: positions.all(), has_base };
    let outer = contexts::follow(host, &mut last.path, stack, caller == Caller::Region);
    // In a handler another thread may have the lock of the definitions for too long.
    if thread::is_impatient() && thread::is_refused() {
        last.path.forget();
        return None;
    }
    // The function of Python that called the interpreter's.
    let of_python = stack.frames.first().filter(|it| it.python().is_some());
    let code = of_python.filter(|_| frame.owner == Owner::Interpreter).copied().unwrap_or(frame.code);
    let ContextPlace { context, depth } = contexts::entered(host, outer, region, code)?;
    let entry = EventEntry { open: OpenContext { context, depth, frame: frame.frame.canonical }, base };
    last.entry = Some((cause, entry));
    Some(entry)
}

/// The call paths of events have only the direct caller.
static HAS_DIRECT_CALLERS: AtomicBool = AtomicBool::new(false);

fn has_direct_callers() -> bool {
    HAS_DIRECT_CALLERS.load(Relaxed)
}

/// Lets the call paths of events have all callers, or only the direct one.
pub(super) fn prepare(settings: &Settings) {
    HAS_DIRECT_CALLERS.store(settings.has_direct_callers, Relaxed);
}

/// Walks the stack of the calling thread. Returns whether it is that of the last event.
#[inline(always)]
fn walk(sampler: &Sampler, last: &mut LastWalk, caller: Caller) -> Option<bool> {
    let start = walk_start::start();
    let walking = Walking::begin()?;
    let mut cache = sampler.cache.try_lock().ok()?;
    let stack = sampler.stack_above(start.stack);
    let has_direct = has_direct_callers();
    let is_last = |frame: &WalkedFrame| has_direct && !is_between(frame, caller);
    Some(last.walk(&walking, &AllRegisters::at(&start), &mut cache, stack.as_ref(), is_last))
}

/// Whether a frame is between an event and the program.
fn is_between(frame: &WalkedFrame, caller: Caller) -> bool {
    frame.owner == Owner::Runtime || caller == Caller::Library && frame.owner == Owner::OpenMp
}

/// The functions that have called each other up to an event.
#[derive(Debug)]
struct Callers<'a> {
    /// The context of the innermost open region.
    base: ContextPlace,
    /// That region was entered by the last frame.
    has_base: bool,
    /// The frames up to the one that has entered it, or all of them.
    frames: &'a [WalkedFrame],
    /// The innermost frame of the program.
    frame: WalkedFrame,
}

impl<'a> Callers<'a> {
    fn of(frames: &'a [WalkedFrame], location: &Location, caller: Caller) -> Option<Self> {
        let own = frames.iter().take_while(|it| is_between(it, caller)).count();
        let called = frames.get(own..)?;
        let mut search = BaseSearch::of(Some(location));
        let found = search.position(called);
        // Frames between the direct caller and the open region around it are left out.
        let base =
            if found.is_some() || has_direct_callers() { search.base() } else { ContextPlace::default() };
        let frames = called.get(..found.map_or(called.len(), |found| found + 1))?;
        Some(Self { base, has_base: found.is_some(), frames, frame: *called.first()? })
    }
}

impl ContextPlace {
    /// Returns the unwind distance of an event in this context: the number of contexts from it on
    /// to that of the innermost open region, which stays.
    pub(super) fn distance(self, base: Self) -> u32 {
        self.depth.saturating_sub(base.depth) + 1
    }
}

/// The search for the innermost open region on a stack, along its frames.
///
/// Regions that a jump has left without telling, and those of another stack, are passed over.
pub(super) struct BaseSearch<I> {
    all: I,
    candidate: Option<OpenContext>,
    outer: I,
}

impl BaseSearch<()> {
    /// Begins a search in the open regions of a location.
    pub(super) fn of(location: Option<&Location>) -> BaseSearch<impl Iterator<Item = OpenContext> + Clone> {
        let all = location.into_iter().flat_map(|location| location.regions.contexts());
        let mut outer = all.clone();
        BaseSearch { all, candidate: outer.next(), outer }
    }
}

impl<I: Iterator<Item = OpenContext> + Clone> BaseSearch<I> {
    /// Returns the place of the first frame that has entered a region that is open.
    pub(super) fn position(&mut self, frames: &[WalkedFrame]) -> Option<usize> {
        // Mostly none is open.
        self.candidate?;
        frames.iter().position(|it| self.ends_at(it.frame))
    }

    /// Continues with a frame. Returns whether the function with this frame has entered a region
    /// that is open.
    fn ends_at(&mut self, frame: StackFrame) -> bool {
        while let Some(open) = self.candidate {
            if open.frame >= frame.canonical {
                break;
            }
            self.candidate = self.outer.next();
        }
        let is_found = self.candidate.is_some_and(|open| open.frame == frame.canonical);
        if !is_found && handler::is_return(frame.address) {
            // The interrupted code may have another stack.
            self.outer = self.all.clone();
            self.candidate = self.outer.next();
        }
        is_found
    }

    /// Returns the context of the region.
    pub(super) fn base(&self) -> ContextPlace {
        let OpenContext { context, depth, .. } = self.candidate.unwrap_or_default();
        ContextPlace { context, depth }
    }
}
