//! Calling contexts of events: where regions are entered, and which samples are inside of them.
//!
//! Invariant: the context of an event is that of the stack at the event. The region hangs below the
//! function that entered it, and what is called in the region below the region. A region whose
//! stack is not known is entered without a context.

use framehop::UnwindRegsNative;

use super::code_file::CodePosition;
use super::contexts::{self, Path, Place, Walked};
use super::handler::{self, DEEPEST};
use super::last_walk::{LastWalk, WalkedFrame};
use super::modules::{self, Owner, StackFrame, Walking};
use super::python::PythonStack;
use super::sampler::Sampler;
use super::walked_frames::Positions;
use crate::events::call;
use crate::host::Host;
use crate::locations::Location;
use crate::measurement::{Caller, Region};
use crate::stack::OpenContext;
use crate::thread;
use crate::walk_start::{self, Registers};

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
    let entry = thread::apart(|| entry(host, location, sampler, region.0, caller));
    let Some(Entry { open, base }) = entry.filter(|entry| location.regions.set_context(entry.open)) else {
        return false;
    };
    let previous = sampler.set_leaf(open.context);
    let distance = Place { context: open.context, depth: open.depth }.distance(base);
    call!(
        host.table(),
        SCOREP_EVENT_CALLING_CONTEXT_ENTER: SCOREP_Substrates_CallingContextEnterCb,
        location.address(), time, open.context, previous, distance, location.values()
    );
    true
}

/// A region that is entered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Entry {
    open: OpenContext,
    /// The context of the innermost open region around it.
    base: Place,
}

/// What an entry depends on, besides the frames of the stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct EntryCause {
    caller: Caller,
    region: u32,
    /// The innermost region that is open.
    innermost: OpenContext,
    /// The hash of the Python functions.
    python: u64,
}

/// What a thread keeps of its last event for the next one.
#[derive(Debug)]
pub(super) struct LastEvent {
    walk: LastWalk,
    python: PythonStack,
    /// Path of the caller.
    path: Path,
    /// Its entry, with what that depends on.
    entry: Option<(EntryCause, Entry)>,
    room: Box<[CodePosition; DEEPEST]>,
}

impl LastEvent {
    pub(super) fn new() -> Self {
        Self {
            walk: LastWalk::new(),
            python: PythonStack::new(),
            path: Path::new(),
            entry: None,
            room: Box::new([CodePosition::NONE; DEEPEST]),
        }
    }

    /// Forgets the event.
    pub(super) fn forget(&mut self) {
        self.walk.forget();
        self.path.forget();
        self.entry = None;
    }
}

fn entry(host: &Host, location: &Location, sampler: &Sampler, region: u32, caller: Caller) -> Option<Entry> {
    // In a handler that interrupted a definition, nothing can be defined.
    if thread::is_defining() {
        return None;
    }
    let mut last = sampler.last_event.try_lock().ok()?;
    let last = &mut *last;
    let innermost = location.regions.contexts().next().unwrap_or_default();
    let is_same = walk(sampler, &mut last.walk)?;
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
        walk(sampler, &mut last.walk)?;
    }
    let Callers { base, has_base, frames, frame } =
        Callers::of(last.walk.frames(), location, caller == Caller::Library)?;
    let native = frames.iter().map(|it| it.native());
    let (positions, has_base) = Positions::of(native, has_base, &last.python, &mut last.room);
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
    let Place { context, depth } = contexts::entered(host, outer, region, code)?;
    let entry = Entry { open: OpenContext { context, depth, frame: frame.frame.canonical }, base };
    last.entry = Some((cause, entry));
    Some(entry)
}

/// Walks the stack of the calling thread. Returns whether it is that of the last event.
#[inline(always)]
fn walk(sampler: &Sampler, last: &mut LastWalk) -> Option<bool> {
    let (address, registers) = registers();
    let walking = Walking::begin()?;
    let mut cache = sampler.cache.try_lock().ok()?;
    let stack = sampler.stack_above(registers.sp());
    Some(last.walk(&walking, address, registers, &mut cache, stack.as_ref()))
}

/// The functions that have called each other up to an event.
#[derive(Debug)]
struct Callers<'a> {
    /// The context of the innermost open region.
    base: Place,
    /// That region was entered by the last frame.
    has_base: bool,
    /// The frames up to the one that has entered it, or all of them.
    frames: &'a [WalkedFrame],
    /// The innermost frame of the program.
    frame: WalkedFrame,
}

impl<'a> Callers<'a> {
    fn of(frames: &'a [WalkedFrame], location: &Location, is_openmp: bool) -> Option<Self> {
        let is_runtime =
            |it: &WalkedFrame| it.owner == Owner::Runtime || is_openmp && it.owner == Owner::OpenMp;
        // Unknown code may keep frame pointers. What it leads to counts if it is known again.
        let known = frames.iter().rposition(|it| it.owner != Owner::Unknown)? + 1;
        let frames = frames.get(..known)?;
        let own = frames.iter().take_while(|it| is_runtime(it)).count();
        let called = frames.get(own..)?;
        let mut search = BaseSearch::of(Some(location));
        let found = called.iter().position(|it| search.ends_at(it.frame));
        let base = found.map_or(Place::default(), |_| search.base());
        let frames = called.get(..found.map_or(called.len(), |found| found + 1))?;
        Some(Self { base, has_base: found.is_some(), frames, frame: *called.first()? })
    }
}

impl Place {
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
    /// Continues with a frame. Returns whether the function with this frame has entered a region
    /// that is open.
    pub(super) fn ends_at(&mut self, frame: StackFrame) -> bool {
        while let Some(open) = self.candidate {
            if open.frame >= frame.canonical {
                break;
            }
            self.candidate = self.outer.next();
        }
        let is_found = self.candidate.is_some_and(|open| open.frame == frame.canonical);
        if !is_found && handler::is_return(frame.address) {
            // What was interrupted may have another stack.
            self.outer = self.all.clone();
            self.candidate = self.outer.next();
        }
        is_found
    }

    /// Returns the context of the region.
    pub(super) fn base(&self) -> Place {
        let OpenContext { context, depth, .. } = self.candidate.unwrap_or_default();
        Place { context, depth }
    }
}

/// Returns the address and the registers with which a walk begins.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn registers() -> (u64, UnwindRegsNative) {
    let Registers { address, stack, frame, .. } = walk_start::start();
    (address, UnwindRegsNative::new(address, stack, frame))
}

/// Returns the address and the registers with which a walk begins.
#[cfg(target_arch = "aarch64")]
#[inline(always)]
fn registers() -> (u64, UnwindRegsNative) {
    let Registers { address, stack, frame, link } = walk_start::start();
    (address, UnwindRegsNative::new(link, stack, frame))
}
