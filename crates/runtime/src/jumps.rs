//! Jumps out of functions: `longjmp`, `siglongjmp` and their aliases.
//!
//! A jump leaves the regions of the functions that it skips, and those of the calls that this
//! library makes for the program ([`crate::calls`]). A handler of a signal that interrupted the
//! runtime may jump, too: the runtime would never come to its end on this thread, and an event or a
//! definition that it had begun, with its lock, would never be complete. Such a jump is therefore
//! postponed: the interrupted code is continued first, as at the handler's return, and the jump
//! follows as soon as the thread is outside of the runtime ([`crate::postponed_jump`]).
//!
//! Invariants: the jump is made once, with the program's arguments and the signals blocked that
//! were blocked when it was called; nothing here allocates; a jump within a handler is not touched.

use std::ffi::{c_int, c_void};
use std::ptr;
use std::sync::atomic::Ordering::Relaxed;

use crate::calls::InterposedCalls;
use crate::current;
use crate::host::{Phase, is};
use crate::measurement::{self, Here};
use crate::next::Next;
use crate::postponed_jump::{Leap, announce, mask};
use crate::thread::{self, Jump};
use crate::unwinder::{
    _Unwind_Backtrace, _Unwind_FindEnclosingFunction, _Unwind_GetCFA, _Unwind_GetIPInfo, CONTINUE, STOP,
};

/// Defines a function that jumps.
macro_rules! leaps {
    ($($name:ident)*) => {$(
        /// # Safety
        ///
        /// The buffer must be one that `setjmp` filled, in a function that has not returned.
        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $name(buffer: *const usize, value: c_int) -> ! {
            const NAME: &::std::ffi::CStr = $crate::next::c_name(concat!(stringify!($name), "\0"));
            // SAFETY: the type is that in <setjmp.h>.
            static NEXT: Next<Leap> = unsafe { Next::new(NAME) };
            let Some(next) = NEXT.get() else { std::process::abort() };
            leaves(Jump { next: next as *const c_void, buffer, value, mask: 0 });
            // SAFETY: `setjmp` filled the buffer, in a function that has not returned.
            unsafe { next(buffer, value) }
        }
    )*};
}

leaps! { longjmp _longjmp siglongjmp __longjmp_chk }

/// Called before a jump. Does not return if the jump is postponed.
fn leaves(jump: Jump) {
    let place = current::place_inside();
    if let Some(location) = current::location() {
        location.jumps.fetch_add(1, Relaxed);
    }
    // Looking at the frames takes longer than the jump. Most programs have no region open.
    let has_open = || current::location().is_some_and(|it| it.regions.depth() > 0 || !it.calls.is_empty());
    if place == 0 && !(is(Phase::On) && has_open()) {
        return;
    }
    // SAFETY: the program's buffer.
    let Some(target) = (unsafe { target(jump.buffer) }) else { return };
    let walk = Walk::to(target, place);
    match (place, walk.frame) {
        (0, _) if walk.is_found => leave_skipped(&walk),
        // Code without unwind information is in between.
        (0, _) => {}
        // Within the handler.
        (_, 0) if walk.is_found => {}
        (_, 0) => give_up(),
        _ if thread::has_jump() => give_up(),
        (_, frame) => postpone(jump, frame),
    }
}

/// Lets the thread record again, although it never left the runtime: an event or a definition that
/// it had begun stays incomplete.
#[cold]
fn give_up() {
    thread::take_jump();
    measurement::miss();
    if let Some(location) = current::location() {
        location.leave_runtime();
    }
}

/// Leaves the regions of the functions and calls that a jump skips.
fn leave_skipped(walk: &Walk) {
    crate::next::keeping_errno(|| {
        let Some(here) = measurement::here() else { return };
        let (_, location) = here.parts();
        let regions = &location.regions;
        let depth =
            location.calls.depth_of(walk.call).map_or(0, |depth| regions.depth().saturating_sub(depth));
        let mut distance = 0;
        for &function in walk.functions.iter().take(walk.count) {
            let Some(region) = measurement::region_of(function, false) else { continue };
            distance = regions.next_distance(distance, region.0).unwrap_or(distance);
        }
        here.leave_innermost(distance.max(depth));
        location.calls.end(walk.call);
    });
}

/// Continues the code that a handler interrupted, at the frame of its signal. The thread jumps
/// after that.
fn postpone(mut jump: Jump, frame: usize) -> ! {
    jump.mask = mask(None);
    thread::set_jump(jump);
    if let Some(location) = current::location() {
        announce(location);
    }
    // SAFETY: the frame that the system made for the handler, which is left for good.
    unsafe { return_from_signal(frame) }
}

/// Returns the stack pointer in a buffer of `setjmp`, which the C library disguises.
///
/// # Safety
///
/// The buffer must be one that `setjmp` filled.
#[cfg(target_arch = "x86_64")]
unsafe fn target(buffer: *const usize) -> Option<usize> {
    const POINTER: usize = 6;
    let guard: usize;
    // SAFETY: the word of the thread's own block in which the C library keeps the value.
    unsafe {
        core::arch::asm!("mov {}, fs:0x30", out(reg) guard, options(nostack, readonly, preserves_flags))
    };
    // SAFETY: the buffer is one that `setjmp` filled, so it has this word.
    Some(unsafe { buffer.add(POINTER).read() }.rotate_right(17) ^ guard)
}

/// As above. The loader has the value.
///
/// # Safety
///
/// As above.
#[cfg(target_arch = "aarch64")]
unsafe fn target(buffer: *const usize) -> Option<usize> {
    const POINTER: usize = 13;
    let guard = crate::linker::global(c"__pointer_chk_guard").cast::<usize>();
    if guard.is_null() {
        return None;
    }
    // SAFETY: the buffer is one that `setjmp` filled, and `guard` is the loader's variable.
    Some(unsafe { buffer.add(POINTER).read() ^ guard.read() })
}

/// Returns from a signal.
///
/// # Safety
///
/// `frame` must be the value of the stack pointer after the handler's return.
unsafe fn return_from_signal(frame: usize) -> ! {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: `frame` is the value of the stack pointer after the handler's return.
    unsafe {
        core::arch::asm!(
            "mov rsp, {frame}",
            "syscall",
            "ud2",
            frame = in(reg) frame,
            in("rax") libc::SYS_rt_sigreturn,
            options(noreturn)
        )
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: as above.
    unsafe {
        core::arch::asm!(
            "mov sp, {frame}",
            "svc #0",
            "brk #1",
            frame = in(reg) frame,
            in("x8") libc::SYS_rt_sigreturn,
            options(noreturn)
        )
    }
}

/// The most functions whose regions a jump leaves at once. It leaves more if others enclose them.
const FUNCTIONS: usize = 256;

/// The most bytes by which a frame that is inside the runtime is above the place where it entered,
/// in a function that has returned. A frame of a signal is larger.
const FRAMES: usize = 1024;

/// The frames from here to the target of a jump.
struct Walk {
    target: usize,
    /// The place on the stack where the thread entered the runtime; 0 outside.
    place: usize,
    /// The frame that was seen last: its stack pointer and an address in its function.
    last: Option<(usize, usize)>,
    /// The frame of the signal that interrupted the runtime, if the jump skips it; else 0.
    frame: usize,
    /// The frame of the target was found; without unwind information it is not.
    is_found: bool,
    /// The functions that are skipped, the innermost first.
    functions: [usize; FUNCTIONS],
    count: usize,
    calls: Option<&'static InterposedCalls>,
    /// The first call that is skipped.
    call: usize,
}

impl Walk {
    fn to(target: usize, place: usize) -> Self {
        let mut walk = Self {
            target,
            place,
            last: None,
            frame: 0,
            is_found: false,
            functions: [0; FUNCTIONS],
            count: 0,
            calls: current::location().map(|location| &location.calls),
            call: usize::MAX,
        };
        // SAFETY: `look` has the type of the callback and receives the address that it expects.
        unsafe { _Unwind_Backtrace(look, (&raw mut walk).cast()) };
        walk
    }

    /// Looks at a frame with this stack pointer. Returns whether the one before has the target.
    fn look(&mut self, pointer: usize, address: usize, is_interrupted: bool) -> bool {
        if let Some((last, inner)) = self.last.replace((pointer, address)) {
            let is_adjacent = !is_interrupted && last < pointer;
            if is_adjacent && (last..pointer).contains(&self.target) {
                self.is_found = true;
                return true;
            }
            self.skip(inner, if is_adjacent { last..pointer } else { 0..0 });
            if is_interrupted && pointer <= self.place + FRAMES {
                self.frame = last;
            }
        }
        false
    }

    fn skip(&mut self, address: usize, frame: std::ops::Range<usize>) {
        // SAFETY: the address is only looked up.
        let function = unsafe { _Unwind_FindEnclosingFunction(ptr::without_provenance(address)) }.addr();
        if let Some(place) = self.functions.get_mut(self.count).filter(|_| function != 0) {
            *place = function;
            self.count += 1;
        }
        if let Some(call) = self.calls.and_then(|calls| calls.first_in(&frame)) {
            self.call = self.call.min(call);
        }
    }
}

extern "C" fn look(frame: *mut c_void, walk: *mut c_void) -> c_int {
    let mut is_interrupted = 0;
    // SAFETY: the unwinder passes a valid frame, and the pointer that `Walk::to` passes.
    let (walk, address, pointer) = unsafe {
        let address = _Unwind_GetIPInfo(frame, ptr::from_mut(&mut is_interrupted));
        (&mut *walk.cast::<Walk>(), address, _Unwind_GetCFA(frame))
    };
    // Where a call returns to may be after the end of the function.
    let inside = if is_interrupted != 0 { address } else { address.wrapping_sub(1) };
    if walk.look(pointer, inside, is_interrupted != 0) { STOP } else { CONTINUE }
}

impl Here {
    /// Notes that the thread is about to be in a call in a region of its own.
    #[inline]
    pub(crate) fn begin_call(&self) -> usize {
        let (_, location) = self.parts();
        location.calls.begin(location.regions.depth())
    }

    /// Notes the end of the call.
    #[inline]
    pub(crate) fn end_call(&self, number: usize) {
        self.parts().1.calls.end(number);
    }
}
