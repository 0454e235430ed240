//! The runtime's state of the calling thread: its activity, and the objects that are kept for it.

use crate::slots::{CountKey, Key, ThreadCounts, ThreadSlots};
use bitflags::bitflags;
use core::cell::Cell;
use core::ffi::c_void;
use core::mem::offset_of;
use core::num::{NonZeroU64, NonZeroUsize};

/// The thread-local variable, declared as in `c/host.c`.
#[derive(Debug)]
#[repr(C)]
struct Thread {
    location: Cell<*const c_void>,
    state: Cell<ThreadState>,
    /// The system's id of the thread whose memory a child may be using, if `LENT` is set.
    owner: Cell<u32>,
    /// The thread is inside a function of a library that the program called, and which calls others
    /// for itself.
    is_in_library: Cell<bool>,
    /// The thread is inside a library that has threads of its own, where it waits or creates
    /// threads.
    is_in_pool: Cell<bool>,
    /// The system's id of the thread, once it is asked for.
    id: Cell<Option<NonZeroU64>>,
    /// The thread's use of memory.
    memory: MemoryUseCell,
    /// The place on the stack where the thread became busy, if it is.
    busy_place: Cell<Option<NonZeroUsize>>,
    /// A jump that waits until the thread is outside of the runtime: the function, null if none
    /// waits, its arguments, and the signals that are blocked then.
    jump: Cell<*const c_void>,
    buffer: Cell<*const usize>,
    mask: Cell<u64>,
    value: Cell<i32>,
    /// The objects of adapters.
    slots: ThreadSlots,
    counts: ThreadCounts,
}

/// The layout of the variable in `c/host.c`.
const _: () = assert!(
    size_of::<Thread>() == 304
        && offset_of!(Thread, state) == 8
        && offset_of!(Thread, is_in_library) == 16
        && offset_of!(Thread, id) == 24
        && offset_of!(Thread, busy_place) == 40
);

unsafe extern "C" {
    /// Returns the address of the calling thread's variable, which is zeroed initially.
    safe fn kymo_runtime_thread() -> *const c_void;
}

#[inline]
fn this<'a>() -> &'a Thread {
    // SAFETY: the variable of the calling thread, used only by it and no longer than the functions
    // below run.
    unsafe { &*kymo_runtime_thread().cast::<Thread>() }
}

/// Returns the address of the calling thread's location, null if it has none.
#[inline]
pub(crate) fn location_address() -> *const c_void {
    this().location.get()
}

pub(crate) fn set_location_address(location: *const c_void) {
    this().location.set(location);
}

/// Returns the place on the stack where the thread became busy, if it is.
pub(crate) fn busy_place() -> Option<NonZeroUsize> {
    this().busy_place.get()
}

/// Returns a number other than 0 that distinguishes the calling thread from all others.
#[inline]
pub(crate) fn token() -> usize {
    kymo_runtime_thread().addr()
}

/// Returns the system's id of the calling thread.
#[inline]
pub(crate) fn id() -> u64 {
    let known = this().id.get();
    known.map_or_else(find_id, NonZeroU64::get)
}

#[cold]
fn find_id() -> u64 {
    let id = crate::program::thread_id();
    this().id.set(NonZeroU64::new(id));
    id
}

/// Forgets the id of the thread, in a forked child.
pub(crate) fn forget_id() {
    this().id.set(None);
}

impl<T> Key<T> {
    /// Returns the object that the calling thread keeps.
    #[inline]
    pub(crate) fn of_thread(&self) -> Option<&'static T> {
        this().slots.get(self)
    }

    pub(crate) fn set_of_thread(&self, object: Option<&'static T>) {
        this().slots.set(self, object);
    }
}

impl<const PLACE: usize> CountKey<PLACE> {
    /// Returns the number that the calling thread keeps, 0 at first.
    #[inline]
    pub(crate) fn of_thread(&self) -> usize {
        this().counts.get(self).get()
    }

    #[inline]
    pub(crate) fn set_of_thread(&self, count: usize) {
        this().counts.get(self).set(count);
    }
}

/// A jump out of functions that the program called.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Jump {
    /// The function of the C library, and its arguments.
    pub(crate) next: *const c_void,
    pub(crate) buffer: *const usize,
    pub(crate) value: i32,
    /// The signals that are blocked, in the system's form.
    pub(crate) mask: u64,
}

pub(crate) fn set_jump(jump: Jump) {
    this().buffer.set(jump.buffer);
    this().value.set(jump.value);
    this().mask.set(jump.mask);
    this().jump.set(jump.next);
}

/// Returns whether a jump waits.
pub(crate) fn has_jump() -> bool {
    !this().jump.get().is_null()
}

/// Returns the jump that waits, once.
pub(crate) fn take_jump() -> Option<Jump> {
    let next = this().jump.replace(core::ptr::null());
    let (buffer, value, mask) = (this().buffer.get(), this().value.get(), this().mask.get());
    (!next.is_null()).then_some(Jump { next, buffer, value, mask })
}

/// Returns a place in the frame of the caller.
#[inline(always)]
pub(crate) fn stack_pointer() -> usize {
    let pointer: usize;
    #[cfg(target_arch = "x86_64")]
    // SAFETY: reads a register.
    unsafe {
        core::arch::asm!("mov {}, rsp", out(reg) pointer, options(nomem, nostack, preserves_flags));
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: as above.
    unsafe {
        core::arch::asm!("mov {}, sp", out(reg) pointer, options(nomem, nostack, preserves_flags));
    }
    pointer
}

/// A guard while the calling thread begins or ends the measurement, or has its location created.
#[derive(Debug)]
pub(crate) struct Busy(());

/// A guard while the calling thread holds, or waits for, the lock of the definitions.
#[derive(Debug)]
pub(crate) struct Defining(());

bitflags! {
    /// The state of a thread; empty for a thread of the program outside of the runtime.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    #[repr(transparent)]
    struct ThreadState: u32 {
        /// It begins or ends the measurement, or has its location created.
        const BUSY = 1;
        /// It holds, or waits for, the lock of the definitions.
        const DEFINING = 1 << 1;
        /// It has ended.
        const GONE = 1 << 2;
        /// The program did not create it.
        const FOREIGN = 1 << 3;
        /// A child may be using its memory.
        const LENT = 1 << 4;
        /// A library created it for its own use.
        const POOLED = 1 << 5;
        /// It can be cancelled at any instruction.
        const ASYNCHRONOUS = 1 << 6;
        /// The child uses its memory as long as it likes.
        const LENT_FOR_GOOD = 1 << 7;
        /// It must not wait for the lock of the definitions.
        const IMPATIENT = 1 << 8;
        /// A definition was refused.
        const REFUSED = 1 << 9;
    }
}

/// Marks the calling thread as ended.
pub(crate) fn set_gone() {
    set(ThreadState::GONE);
}

/// Returns whether the calling thread is marked as ended.
pub(crate) fn is_gone() -> bool {
    is(ThreadState::GONE)
}

/// Marks the calling thread as one that the program did not create: its input and output is not the
/// program's.
pub(crate) fn set_foreign() {
    set(ThreadState::FOREIGN);
}

/// Marks the calling thread as one that a library created for its own use. It has a location only
/// while it is a member of a team.
pub(crate) fn set_pooled() {
    set(ThreadState::POOLED);
}

/// Returns whether a library created the calling thread for its own use.
pub(crate) fn is_pooled() -> bool {
    is(ThreadState::POOLED)
}

/// Notes whether the calling thread can be cancelled at any instruction.
pub(crate) fn set_asynchronous(is_so: bool) {
    if is_so { _ = set(ThreadState::ASYNCHRONOUS) } else { clear(ThreadState::ASYNCHRONOUS) }
}

/// Returns whether the program may cancel the calling thread at any instruction. The threads of
/// some libraries can be, but no program knows them.
pub(crate) fn is_asynchronous() -> bool {
    is(ThreadState::ASYNCHRONOUS) && !is(ThreadState::POOLED)
}

/// Returns whether the calling thread is not one of the program, or does not act for it now.
pub(crate) fn is_foreign() -> bool {
    is(ThreadState::BUSY | ThreadState::DEFINING | ThreadState::FOREIGN)
}

/// Notes that this thread is about to create a child that uses its memory, this variable included:
/// until the thread continues (`vfork`), or next to it, for good.
pub(crate) fn lend(is_for_good: bool) {
    if !is(ThreadState::LENT) {
        this().owner.set(system_id());
        set(ThreadState::LENT);
    }
    if is_for_good && this().owner.get() == system_id() {
        set(ThreadState::LENT_FOR_GOOD);
    }
}

/// Returns whether a child may be using the memory of the calling thread.
#[inline(always)]
pub(crate) fn is_lent() -> bool {
    is(ThreadState::LENT)
}

/// Returns whether the caller is a child that borrows the memory of a thread.
#[inline(always)]
pub(crate) fn is_borrowed() -> bool {
    is_lent() && check_loan()
}

/// The parent of `vfork` continues only after the child no longer uses its memory, so the first
/// call with its id ends the loan.
#[cold]
fn check_loan() -> bool {
    if this().owner.get() != system_id() {
        return true;
    }
    if !is(ThreadState::LENT_FOR_GOOD) {
        clear(ThreadState::LENT);
    }
    false
}

/// Returns whether the calling thread is not one of the program, or belongs to a child that borrows
/// the memory of this process.
#[inline(always)]
pub(crate) fn is_stranger() -> bool {
    is(ThreadState::FOREIGN | ThreadState::LENT) && (is(ThreadState::FOREIGN) || is_borrowed())
}

fn system_id() -> u32 {
    crate::program::thread_id() as u32
}

/// Marks the thread as being inside a library whose own calls are not recorded; returns false if it
/// is.
#[inline]
pub(crate) fn enter_library() -> bool {
    !this().is_in_library.replace(true)
}

/// Marks the thread as being outside of such a library.
#[inline]
pub(crate) fn leave_library() {
    this().is_in_library.set(false);
}

/// Returns whether the thread is inside a library whose own calls are not recorded.
pub(crate) fn is_in_library() -> bool {
    this().is_in_library.get()
}

/// Marks the thread as being inside a library that has threads of its own, or not. Returns whether
/// it was.
#[inline]
pub(crate) fn set_in_pool(is_inside: bool) -> bool {
    this().is_in_pool.replace(is_inside)
}

/// Returns whether the thread is inside a library that has threads of its own, where it waits or
/// creates threads.
#[inline]
pub(crate) fn is_in_pool() -> bool {
    this().is_in_pool.get()
}

/// The use that a thread makes of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MemoryUse {
    /// Memory that it allocates is the program's.
    Program,
    /// It is in a call of the program that allocates or frees memory, at this place on the stack.
    Call(usize),
    /// Memory that it allocates and frees is the runtime's own.
    Own,
    /// It looks up an interposed function, which may free and allocate memory.
    LookUp,
    /// It is in [`with_separate_memory`].
    Separate,
}

/// A [`MemoryUse`] in a word, so that a signal handler sees one or the other. No stack is at the
/// last addresses.
#[derive(Debug)]
#[repr(transparent)]
struct MemoryUseCell(Cell<usize>);

impl MemoryUseCell {
    const OWN: usize = usize::MAX;
    const LOOK_UP: usize = usize::MAX - 1;
    const SEPARATE: usize = usize::MAX - 2;

    #[inline]
    fn get(&self) -> MemoryUse {
        match self.0.get() {
            0 => MemoryUse::Program,
            Self::OWN => MemoryUse::Own,
            Self::LOOK_UP => MemoryUse::LookUp,
            Self::SEPARATE => MemoryUse::Separate,
            place => MemoryUse::Call(place),
        }
    }

    #[inline]
    fn set(&self, use_of_memory: MemoryUse) {
        self.0.set(match use_of_memory {
            MemoryUse::Program => 0,
            MemoryUse::Call(place) => place,
            MemoryUse::Own => Self::OWN,
            MemoryUse::LookUp => Self::LOOK_UP,
            MemoryUse::Separate => Self::SEPARATE,
        });
    }
}

/// Returns the thread's use of memory.
#[inline]
pub(crate) fn memory_use() -> MemoryUse {
    this().memory.get()
}

/// Sets the thread's use of memory; returns the one before.
#[inline]
pub(crate) fn set_memory_use(use_of_memory: MemoryUse) -> MemoryUse {
    let before = this().memory.get();
    this().memory.set(use_of_memory);
    before
}

/// Marks the thread as being inside a call that allocates or frees memory; returns false if it is.
/// The program can jump out of such a call, so one that is further down the stack has ended.
#[inline]
pub(crate) fn enter_allocation() -> bool {
    let place = 0_u8;
    let place = (&raw const place).addr();
    let is_outermost = match memory_use() {
        MemoryUse::Program => true,
        MemoryUse::Call(outer) => place > outer,
        MemoryUse::Own | MemoryUse::LookUp | MemoryUse::Separate => false,
    };
    if is_outermost {
        set_memory_use(MemoryUse::Call(place));
    }
    is_outermost
}

/// Executes an action whose memory is not the program's.
pub(crate) fn owning<T>(action: impl FnOnce() -> T) -> T {
    if memory_use() == MemoryUse::Separate {
        return action();
    }
    let before = set_memory_use(MemoryUse::Own);
    let result = action();
    set_memory_use(before);
    result
}

/// Executes an action of the runtime in a function that the program's allocator may call, with a
/// lock held. The runtime's own memory comes from elsewhere then.
#[inline]
pub(crate) fn with_separate_memory<T>(action: impl FnOnce() -> T) -> T {
    let before = set_memory_use(MemoryUse::Separate);
    let result = action();
    set_memory_use(before);
    result
}

/// Returns a number that no other thread has.
#[inline]
pub(crate) fn key() -> usize {
    kymo_runtime_thread().addr()
}

/// Returns whether the thread begins or ends the measurement, or has its location created.
pub(crate) fn is_busy() -> bool {
    is(ThreadState::BUSY | ThreadState::DEFINING)
}

/// Executes an action in a handler that may have interrupted the thread anywhere: the holder of the
/// lock of the definitions may wait for a lock that the thread holds, so that it does not wait for
/// long.
pub(crate) fn impatiently(action: impl FnOnce()) {
    set(ThreadState::IMPATIENT);
    action();
    clear(ThreadState::IMPATIENT);
}

/// Returns whether a definition was refused since the last call, because another thread had the
/// lock.
pub(crate) fn take_refusal() -> bool {
    let is_refused = is(ThreadState::REFUSED);
    clear(ThreadState::REFUSED);
    is_refused
}

/// Returns whether the calling thread must not wait for the lock of the definitions.
pub(crate) fn is_impatient() -> bool {
    is(ThreadState::IMPATIENT)
}

/// Returns whether a definition was refused since the last [`take_refusal`].
pub(crate) fn is_refused() -> bool {
    is(ThreadState::REFUSED)
}

/// Notes that a definition was refused.
pub(crate) fn set_refused() {
    set(ThreadState::REFUSED);
}

/// Returns whether the thread holds, or waits for, the lock of the definitions.
pub(crate) fn is_defining() -> bool {
    is(ThreadState::DEFINING)
}

/// Returns whether one of these is part of the thread's state.
#[inline(always)]
fn is(any: ThreadState) -> bool {
    this().state.get().intersects(any)
}

/// Adds to the thread's state; returns false if it was there, as in a signal handler or if a plugin
/// calls back.
fn set(added: ThreadState) -> bool {
    let before = this().state.get();
    this().state.set(before | added);
    !before.intersects(added)
}

fn clear(removed: ThreadState) {
    this().state.set(this().state.get() - removed);
}

impl Busy {
    pub(crate) fn enter() -> Option<Self> {
        let is_new = set(ThreadState::BUSY);
        if is_new {
            this().busy_place.set(NonZeroUsize::new(stack_pointer()));
        }
        is_new.then(|| Self(()))
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        this().busy_place.set(None);
        clear(ThreadState::BUSY);
    }
}

impl Defining {
    pub(crate) fn enter() -> Option<Self> {
        set(ThreadState::DEFINING).then(|| Self(()))
    }
}

impl Drop for Defining {
    fn drop(&mut self) {
        clear(ThreadState::DEFINING);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A guard that was refused ended the first one.
    #[test]
    fn a_refused_guard_does_not_end_the_first_one() {
        let busy = Busy::enter();
        assert!(busy.is_some() && Busy::enter().is_none() && is_busy());
        drop(busy);
        assert!(!is_busy());
        let defining = Defining::enter();
        assert!(defining.is_some() && Defining::enter().is_none() && Defining::enter().is_none());
        drop(defining);
        assert!(Defining::enter().is_some());
    }

    #[test]
    fn the_parent_of_vfork_ends_the_loan() {
        lend(false);
        assert!(!is_stranger() && !is_lent());
        lend(false);
        this().owner.set(u32::MAX);
        assert!(is_stranger() && is_borrowed() && is_lent());
        this().owner.set(system_id());
        assert!(!is_stranger() && !is_lent());
    }

    #[test]
    fn a_child_that_runs_beside_its_parent_stays_a_stranger() {
        lend(true);
        assert!(!is_stranger() && is_lent());
        this().owner.set(u32::MAX);
        assert!(is_stranger());
        // It creates a child of its own.
        lend(false);
        assert!(is_stranger());
        this().owner.set(system_id());
        assert!(!is_stranger() && is_lent());
        clear(ThreadState::LENT | ThreadState::LENT_FOR_GOOD);
    }
}
