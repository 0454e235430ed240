//! The loaded program and libraries, by whose unwind information stacks are walked.
//!
//! Handlers read the list through a pointer, while [`Walking`] exists. A newer list replaces it;
//! old ones are freed when no handler can use them. Invariants: while a library is being unloaded
//! no handler walks a stack; a list is made from `/proc/self/maps` and the headers in memory,
//! without a lock of the loader.

use std::ops::Range;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, Ordering::*};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use framehop::{
    CacheNative, FrameAddress, MustNotAllocateDuringUnwind, UnwindRegsNative, Unwinder, UnwinderNative,
};

use super::code_file::{CodeFile, CodePosition};
use super::handler;
use super::layout::{File, Layout};
use super::python::is_in_interpreter;
use super::walked_frames::{NativeFrame, StackContent, WalkedFrames};
use crate::cancellation::uncancelled;
use crate::loader_list::wait_while;
use crate::plugins::own_file;
use crate::processes::has_allocator;
use crate::readable;
use crate::thread;

/// The rules that a thread's walks found.
pub(super) type Cache = CacheNative<MustNotAllocateDuringUnwind>;

/// The time after an attempt in vain to find code that is not known.
const SEARCH_INTERVAL: Duration = Duration::from_millis(100);
/// The begins of the names of OpenMP libraries.
const OPENMP: [&[u8]; 4] = [b"libgomp", b"libomp.", b"libomp5", b"libiomp5"];

/// A call that is under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct StackFrame {
    /// An address in the instruction that is executed: the call that led to the next inner frame.
    pub(super) address: u64,
    /// The canonical frame address, which is that of no other call under way. Those of callers are
    /// larger.
    pub(super) canonical: u64,
}

impl StackFrame {
    /// The canonical frame address of a frame whose caller is unknown.
    pub(super) const OUTERMOST: u64 = u64::MAX;
}

struct Modules {
    unwinder: UnwinderNative<&'static [u8], MustNotAllocateDuringUnwind>,
    files: Vec<File>,
    /// The code that no file contains.
    generated: Vec<Range<u64>>,
    /// In ascending order.
    code: Vec<Code>,
    generation: u64,
}

/// The code of a file, or code that no file contains.
#[derive(Debug, Clone)]
struct Code {
    range: Range<u64>,
    /// The file, with what is added to the addresses in it.
    file: Option<(&'static CodeFile, u64)>,
    /// The file contains an allocator, or may hold a lock that an allocator needs.
    is_delicate: bool,
    owner: Owner,
}

/// Whose code a file contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    Program,
    OpenMp,
    /// An interpreter of Python.
    Interpreter,
    Runtime,
    /// No file, or one that is not known yet.
    Unknown,
}

/// The number of lists.
static GENERATIONS: AtomicU64 = AtomicU64::new(1);
static CURRENT: AtomicPtr<Modules> = AtomicPtr::new(ptr::null_mut());
/// A walk met code that is not known.
static IS_STALE: AtomicBool = AtomicBool::new(false);
/// The number of libraries that are being unloaded.
static UNLOADING: AtomicU32 = AtomicU32::new(0);
/// The number of threads that read which files are loaded.
static UPDATING: AtomicU32 = AtomicU32::new(0);
/// The number of walks under way.
static WALKING: AtomicU32 = AtomicU32::new(0);

/// A thread is about to fork.
static IS_FORKING: AtomicBool = AtomicBool::new(false);
/// Lists that were replaced.
#[expect(clippy::vec_box, reason = "handlers may still read them, so they must not move")]
static REPLACED: Mutex<Vec<Box<Modules>>> = Mutex::new(Vec::new());

/// The list, for a handler.
pub(super) struct Walking(&'static Modules);

impl Walking {
    /// Returns `None` while a library is being unloaded.
    pub(super) fn begin() -> Option<Self> {
        WALKING.fetch_add(1, SeqCst);
        let is_allowed = UNLOADING.load(SeqCst) == 0;
        // SAFETY: null, or a list, which is not freed before this walk ends.
        let modules = unsafe { CURRENT.load(Acquire).as_ref() }.filter(|_| is_allowed);
        if modules.is_none() {
            WALKING.fetch_sub(1, SeqCst);
        }
        modules.map(Self)
    }
}

impl Drop for Walking {
    fn drop(&mut self) {
        WALKING.fetch_sub(1, SeqCst);
    }
}

/// Reads which files are loaded. Returns whether something has changed.
pub(super) fn update() -> bool {
    thread::apart(|| uncancelled(|| replace(&Layout::read())))
}

fn replace(layout: &Layout) -> bool {
    let mut replaced = REPLACED.lock().unwrap_or_else(PoisonError::into_inner);
    let before = CURRENT.load(Acquire);
    // SAFETY: null, or a list, which only this function replaces and its lock keeps.
    if unsafe { before.as_ref() }.is_some_and(|before| before.is_of(layout)) {
        return false;
    }
    CURRENT.store(Box::into_raw(Box::new(Modules::of(layout))), Release);
    if !before.is_null() {
        // SAFETY: from a box, and no longer current. Handlers may still read it.
        replaced.push(unsafe { Box::from_raw(before) });
    }
    true
}

/// Reads which files are loaded, if a walk met code that is not known. An address that was found on
/// a stack by mistake is never known, so this is not repeated at once. Returns whether something
/// has changed.
pub(super) fn update_if_stale() -> bool {
    // The thread could be cancelled while it reads a file.
    if thread::is_asynchronous() || !IS_STALE.swap(false, Relaxed) {
        return false;
    }
    UPDATING.fetch_add(1, SeqCst);
    // A forked child would keep the lock of the list.
    let has_changed = !IS_FORKING.load(SeqCst) && update_if_due();
    UPDATING.fetch_sub(1, SeqCst);
    has_changed
}

fn update_if_due() -> bool {
    static LAST_IN_VAIN: Mutex<Option<Instant>> = Mutex::new(None);
    // Another thread may be at it.
    let Ok(mut last) = LAST_IN_VAIN.try_lock() else { return false };
    if last.is_some_and(|last| last.elapsed() < SEARCH_INTERVAL) {
        return false;
    }
    let has_changed = update();
    *last = (!has_changed).then(Instant::now);
    has_changed
}

/// Returns whether a walk met code that is not known.
pub(super) fn is_stale() -> bool {
    IS_STALE.load(Relaxed)
}

/// Waits until no stack is walked, and lets none be walked until a library is
/// [`unloaded`].
pub(super) fn unloading() {
    UNLOADING.fetch_add(1, SeqCst);
    if IS_FORKING.load(SeqCst) {
        UNLOADING.fetch_sub(1, SeqCst);
        wait_while(|| IS_FORKING.load(SeqCst));
        UNLOADING.fetch_add(1, SeqCst);
    }
    while WALKING.load(SeqCst) > 0 {
        std::hint::spin_loop();
    }
}

/// Forgets the library that was unloaded. Other code may be at its addresses now.
pub(super) fn unloaded() {
    if !CURRENT.load(Acquire).is_null() {
        thread::apart(drop_unmapped);
    }
    UNLOADING.fetch_sub(1, SeqCst);
}

/// Removes the files that are no longer loaded, while no walk is under way.
fn drop_unmapped() {
    let layout = {
        let _replacing = REPLACED.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: null, or a list, which only `replace` replaces and its lock keeps.
        let Some(current) = (unsafe { CURRENT.load(Acquire).as_ref() }) else { return };
        let files = current.files.iter().filter(|file| file.is_mapped()).cloned().collect();
        Layout { files, generated: current.generated.clone() }
    };
    replace(&layout);
    REPLACED.lock().unwrap_or_else(PoisonError::into_inner).clear();
}

/// While it exists, no library is being unloaded, and no thread reads which ones are loaded, as far
/// as waiting for a second can ensure it: both hold a lock that stays locked in a forked child.
pub(crate) struct Loaded(());

impl Loaded {
    pub(super) fn keep() -> Self {
        IS_FORKING.store(true, SeqCst);
        wait_while(|| UNLOADING.load(SeqCst) > 0 || UPDATING.load(SeqCst) > 0);
        Self(())
    }
}

impl Drop for Loaded {
    fn drop(&mut self) {
        IS_FORKING.store(false, SeqCst);
    }
}

/// Forgets what threads were doing, in a forked child, which has none of them. Returns whether one
/// had a lock that stays locked.
pub(super) fn forget_threads() -> bool {
    WALKING.store(0, SeqCst);
    let are_locked = [&UNLOADING, &UPDATING].map(|count| count.swap(0, SeqCst) > 0);
    are_locked.contains(&true)
}

impl Walking {
    /// Walks a stack from an address with these registers. Stores the frame of the address and
    /// those of the calls that led there, the innermost first, each with a position inside of its
    /// instruction. Passes each frame to `is_last`, which may end the walk. Memory outside of
    /// `stack` is read by the system, which refuses where nothing is mapped.
    ///
    /// Code of no known file may be generated code that keeps frame pointers, so the walk goes on;
    /// what it finds only counts if it arrives at a known file again.
    pub(super) fn walk(
        &self,
        address: u64,
        mut registers: UnwindRegsNative,
        cache: &mut Cache,
        stack: Option<Range<u64>>,
        frames: &mut [NativeFrame],
        mut is_last: impl FnMut(StackFrame) -> bool,
    ) -> WalkedFrames {
        let mut read = |address: u64| read_stack(stack.as_ref(), address);
        let mut at = FrameAddress::from_instruction_pointer(address);
        let (mut count, mut known) = (0, 1);
        let mut content = StackContent::default();
        while let Some(place) = frames.get_mut(count) {
            let address = at.address_for_lookup();
            let caller = self.caller(at, &mut registers, cache, &mut read);
            // The stack pointer of the caller, once it continues.
            let canonical = caller.map_or(StackFrame::OUTERMOST, |_| registers.sp());
            let code = self.0.code_at(address);
            let position = code.map_or(CodePosition::in_memory(address), |code| code.position(address));
            let owner = code.map_or(Owner::Unknown, |code| code.owner);
            *place = NativeFrame { code: position, canonical, owner };
            count += 1;
            match code {
                Some(Code { file: Some(_), .. }) => known = count,
                Some(_) => {}
                None => IS_STALE.store(true, Relaxed),
            }
            content.add(code.is_some_and(|code| code.is_delicate));
            if is_last(StackFrame { address, canonical }) {
                break;
            }
            match caller {
                Some(caller) => at = caller,
                None => break,
            }
        }
        WalkedFrames { count: known.min(count), is_only_the_program: content.is_only_the_program() }
    }

    /// Returns where the caller of a frame continues, and makes its registers current.
    pub(super) fn caller(
        &self,
        at: FrameAddress,
        registers: &mut UnwindRegsNative,
        cache: &mut Cache,
        read: &mut impl FnMut(u64) -> Result<u64, ()>,
    ) -> Option<FrameAddress> {
        if handler::is_return(at.address_for_lookup()) {
            let (address, of_address) = interrupted(registers.sp(), read)?;
            *registers = of_address;
            return Some(FrameAddress::from_instruction_pointer(address));
        }
        let caller = self.0.unwinder.unwind_frame(at, registers, cache, read);
        caller.ok().flatten().and_then(FrameAddress::from_return_address)
    }

    /// Returns a number that no earlier list had.
    pub(super) fn generation(&self) -> u64 {
        self.0.generation
    }

    /// Returns the position of the code at an address, and whose it is.
    pub(super) fn code(&self, address: u64) -> (CodePosition, Owner) {
        let code = self.0.code_at(address);
        if code.is_none() {
            IS_STALE.store(true, Relaxed);
        }
        let owner = code.map_or(Owner::Unknown, |code| code.owner);
        (code.map_or(CodePosition::in_memory(address), |code| code.position(address)), owner)
    }
}

impl Code {
    fn position(&self, address: u64) -> CodePosition {
        match self.file {
            Some((file, bias)) => file.position(address.wrapping_sub(bias)),
            None => CodePosition::in_memory(address),
        }
    }
}

/// Reads a word at an address, directly if it is in `stack`, which is the used part of the thread's
/// stack.
#[inline]
pub(super) fn read_stack(stack: Option<&Range<u64>>, address: u64) -> Result<u64, ()> {
    match stack {
        Some(stack) if stack.start <= address && stack.end.saturating_sub(8) >= address => {
            // SAFETY: in the used part of the thread's stack.
            Ok(unsafe { ptr::with_exposed_provenance::<u64>(address as usize).read_unaligned() })
        }
        _ => readable::word(address).ok_or(()),
    }
}

/// Returns where a signal handler has interrupted the program, with the registers there. The stack
/// pointer is that of the code at which handlers return. The unwinder does not know that code.
#[cfg(target_arch = "x86_64")]
fn interrupted(
    context: u64,
    mut read: impl FnMut(u64) -> Result<u64, ()>,
) -> Option<(u64, UnwindRegsNative)> {
    let registers =
        std::mem::offset_of!(libc::ucontext_t, uc_mcontext) + std::mem::offset_of!(libc::mcontext_t, gregs);
    let mut register = |number: libc::c_int| {
        let place = registers + number as usize * size_of::<libc::greg_t>();
        read(context.checked_add(place as u64)?).ok()
    };
    let (address, stack) = (register(libc::REG_RIP)?, register(libc::REG_RSP)?);
    let frame = register(libc::REG_RBP)?;
    Some((address, UnwindRegsNative::new(address, stack, frame)))
}

#[cfg(target_arch = "aarch64")]
fn interrupted(_: u64, _: impl FnMut(u64) -> Result<u64, ()>) -> Option<(u64, UnwindRegsNative)> {
    // Such code is in the vDSO, which the unwinder knows.
    None
}

impl Modules {
    fn of(layout: &Layout) -> Self {
        let mut unwinder = UnwinderNative::new();
        layout.files.iter().for_each(|file| unwinder.add_module(file.module()));
        let of_files = layout.files.iter().flat_map(|file| {
            let is_delicate = has_allocator(&file.path);
            let owner = Owner::of(file);
            let numbered = CodeFile::numbered(&file.path, &file.build_id, file.entry);
            let numbered = numbered.map(|numbered| (numbered, file.bias));
            let range = |range: &Range<u64>| file.moved(range);
            file.code.iter().map(move |code| Code { range: range(code), file: numbered, is_delicate, owner })
        });
        let generated = layout.generated.iter().cloned();
        let generated =
            generated.map(|range| Code { range, file: None, is_delicate: false, owner: Owner::Unknown });
        let mut code: Vec<_> = of_files.chain(generated).collect();
        code.sort_by_key(|code| code.range.start);
        let (files, generated) = (layout.files.clone(), layout.generated.clone());
        Self { unwinder, files, generated, code, generation: GENERATIONS.fetch_add(1, Relaxed) }
    }

    fn is_of(&self, layout: &Layout) -> bool {
        (&self.files, &self.generated) == (&layout.files, &layout.generated)
    }

    fn code_at(&self, address: u64) -> Option<&Code> {
        let after = self.code.partition_point(|code| code.range.start <= address);
        let code = self.code.get(after.checked_sub(1)?)?;
        code.range.contains(&address).then_some(code)
    }
}

impl Owner {
    fn of(file: &File) -> Self {
        let path = &*file.path;
        let name = path.file_name().unwrap_or_default().as_encoded_bytes();
        match own_file() {
            Some(own) if own == path => Self::Runtime,
            _ if file.code.iter().any(|range| is_in_interpreter(&file.moved(range))) => Self::Interpreter,
            _ if OPENMP.iter().any(|begin| name.starts_with(begin)) => Self::OpenMp,
            _ => Self::Program,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn modules(delicate: &[bool]) -> Vec<Code> {
        let code = delicate.iter().zip(0_u64..);
        code.map(|(&is_delicate, at)| Code {
            range: at * 100..at * 100 + 50,
            file: None,
            is_delicate,
            owner: Owner::Program,
        })
        .collect()
    }

    #[test]
    fn code_is_found_by_address() {
        let (unwinder, code) = (UnwinderNative::new(), modules(&[false, true]));
        let modules = Modules { unwinder, files: Vec::new(), generated: Vec::new(), code, generation: 0 };
        let found = |address| modules.code_at(address).map(|code| code.is_delicate);
        let expected = [Some(false), Some(false), None, Some(true), Some(true), None];
        assert_eq!([0, 49, 50, 100, 149, 150].map(found), expected);
    }

    #[test]
    fn this_program_has_unwind_information() {
        let here = (this_program_has_unwind_information as fn()).addr_of() as u64;
        let modules = Modules::of(&Layout::read());
        assert!(modules.code_at(here).is_some_and(|code| !code.is_delicate));
        assert!(
            modules.code_at((libc::malloc as unsafe extern "C" fn(usize) -> _).addr_of() as u64).is_some()
        );
    }

    trait AddrOf {
        fn addr_of(self) -> usize;
    }

    impl AddrOf for fn() {
        fn addr_of(self) -> usize {
            self as usize
        }
    }

    impl AddrOf for unsafe extern "C" fn(usize) -> *mut libc::c_void {
        fn addr_of(self) -> usize {
            self as usize
        }
    }
}
