//! Calling contexts of events: where regions are entered, and which samples are inside of them.
//!
//! Invariant: the context of an event is that of the stack at the event. The region hangs below the
//! function that entered it, and what is called in the region below the region. A region whose stack
//! is not known is entered without a context.

use framehop::UnwindRegsNative;

use super::contexts::{self, Place, Walked};
use super::handler::{self, DEEPEST};
use super::modules::{self, Frame, Walking};
use super::sampler::Sampler;
use crate::cancellation::uncancelled;
use crate::events::call;
use crate::host::Host;
use crate::locations::Location;
use crate::measurement::Caller;
use crate::processes::may_allocate;
use crate::stack::OpenContext;
use crate::thread;

/// Enters a region with the calling context of the stack. It is the innermost open region of the
/// location already. Returns `false`, and records nothing, if the stack is not known.
#[cold]
#[inline(never)]
pub(crate) fn enter(
    host: &'static Host,
    location: &'static Location,
    region: u32,
    time: u64,
    caller: Caller,
) -> bool {
    let Some(sampler) = location.sampler().filter(|_| caller != Caller::Unknown) else { return false };
    let entry = uncancelled(|| entry(host, location, sampler, region, caller));
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
struct Entry {
    open: OpenContext,
    /// The context of the innermost open region around it.
    base: Place,
}

fn entry(host: &Host, location: &Location, sampler: &Sampler, region: u32, caller: Caller) -> Option<Entry> {
    let mut room = [0; DEEPEST];
    let is_openmp = caller == Caller::OpenMp;
    let mut stack = walk(location, sampler, &mut room, is_openmp)?;
    if modules::is_stale() && stack.may_define && modules::update_if_stale() {
        stack = walk(location, sampler, &mut room, is_openmp)?;
    }
    let Callers { base, found, skipped, all, frame, may_define } = stack;
    let addresses = room.get(skipped..found.unwrap_or(all).max(skipped))?;
    let call = *room.get(skipped)?;
    let callers = if caller == Caller::Region { addresses.get(1..).unwrap_or_default() } else { addresses };
    let mut path = sampler.event_path.try_lock().ok()?;
    let stack = Walked { base, addresses: callers, is_base: false };
    let outer = contexts::follow(host, &mut path, stack, || may_define)?;
    let Place { context, depth } = contexts::entered(host, outer, region, call, || may_define)?;
    Some(Entry { open: OpenContext { context, depth, frame, may_define }, base })
}

/// The stack of an event, in a list of addresses.
struct Callers {
    /// The context of the innermost open region.
    base: Place,
    /// The number of the frame that entered that region.
    found: Option<usize>,
    /// The number of frames between the program and the event.
    skipped: usize,
    /// The number of all frames.
    all: usize,
    /// The canonical frame address of the first frame of the program.
    frame: u64,
    /// Memory may be allocated, and something defined: the event is in no signal handler, or in one
    /// that did not interrupt a library with an allocator.
    may_define: bool,
}

#[inline(always)]
fn walk(
    location: &Location,
    sampler: &Sampler,
    room: &mut [u64; DEEPEST],
    is_openmp: bool,
) -> Option<Callers> {
    let (address, registers) = registers();
    let mut search = BaseSearch::of(Some(location));
    let (mut skipped, mut frame, mut found, mut count) = (0, None, None, 0);
    let (mut is_handler, mut interrupted_allocator) = (false, None);
    let walking = Walking::begin()?;
    let mut cache = sampler.cache.try_lock().ok()?;
    let stack = sampler.stack_above(registers.sp());
    let all = walking.walk(address, registers, &mut cache, stack, room, |it| {
        if std::mem::replace(&mut is_handler, handler::is_return(it.address)) {
            interrupted_allocator.get_or_insert(walking.is_delicate(it.address));
        }
        if frame.is_none() && walking.is_runtime(it.address, is_openmp) {
            skipped += 1;
        } else {
            frame.get_or_insert(it.canonical);
            if search.ends_at(it) {
                found = Some(count);
            }
        }
        count += 1;
        found.is_some()
    });
    let (base, around) = found.map_or((Place::default(), true), |_| search.base());
    let may_define = interrupted_allocator.map_or(around, |it| !it)
        && (found.is_some() || all < DEEPEST)
        && !thread::is_asynchronous()
        && !thread::is_borrowed()
        && (handler::knows_return() || may_allocate());
    Some(Callers { base, found, skipped, all, frame: frame?, may_define })
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
    pub(super) fn ends_at(&mut self, frame: Frame) -> bool {
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

    /// Returns the context of the region, and whether something could be defined in it.
    fn base(&self) -> (Place, bool) {
        let OpenContext { context, depth, may_define, .. } = self.candidate.unwrap_or_default();
        (Place { context, depth }, may_define)
    }

    /// Returns what a sample found: the frame number `found` has entered the region.
    pub(super) fn walked<'a>(&self, addresses: &'a [u64], found: Option<usize>) -> Walked<'a> {
        match found {
            None => Walked { base: Place::default(), addresses, is_base: false },
            Some(found) => {
                let count = found.max(1).min(addresses.len());
                let addresses = addresses.get(..count).unwrap_or_default();
                Walked { base: self.base().0, addresses, is_base: found == 0 }
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn registers() -> (u64, UnwindRegsNative) {
    let (address, stack, frame): (u64, u64, u64);
    // SAFETY: only reads registers.
    unsafe {
        core::arch::asm!(
            "lea {address}, [rip]",
            "mov {stack}, rsp",
            "mov {frame}, rbp",
            address = out(reg) address,
            stack = out(reg) stack,
            frame = out(reg) frame,
            options(nomem, nostack, preserves_flags)
        );
    }
    (address, UnwindRegsNative::new(address, stack, frame))
}

#[cfg(target_arch = "aarch64")]
#[inline(always)]
fn registers() -> (u64, UnwindRegsNative) {
    let (address, link, stack, frame): (u64, u64, u64, u64);
    // SAFETY: only reads registers.
    unsafe {
        core::arch::asm!(
            "adr {address}, .",
            "mov {link}, x30",
            "mov {stack}, sp",
            "mov {frame}, x29",
            address = out(reg) address,
            link = out(reg) link,
            stack = out(reg) stack,
            frame = out(reg) frame,
            options(nomem, nostack, preserves_flags)
        );
    }
    (address, UnwindRegsNative::new(link, stack, frame))
}
