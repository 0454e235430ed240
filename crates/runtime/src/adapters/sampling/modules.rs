//! The loaded program and libraries, by whose unwind information stacks are walked.
//!
//! Handlers read the list through a pointer, while [`Walking`] exists. A newer list replaces it;
//! old ones are freed when no handler can use them. Invariants: while a library is being unloaded
//! no handler walks a stack, and nothing reads the memory of a library that is new to the list; a
//! list is made from `/proc/self/maps` and the headers in memory, without a lock of the loader.

use std::ops::Range;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, Ordering::*};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::code_file::{CodeFile, CodePosition};
use super::handler;
use super::layout::{File, Layout};
use super::python::is_in_interpreter;
use super::unwinding::{AllRegisters, Cache, CodeSource, KnownCode, UnwindInformation, Walker};
use crate::cancellation::uncancelled;
use crate::loader_list::{count_when_not, wait_while};
use crate::plugins::own_file;
use crate::processes::has_allocator;
use crate::readable;
use crate::{program, thread};

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
    files: Vec<File>,
    /// The unwind information of the files.
    information: Vec<Option<UnwindInformation>>,
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
    /// The file, with the offset that is added to the addresses in it.
    file: Option<(&'static CodeFile, u64)>,
    /// The place of the file's unwind information; that of none for other code.
    information: usize,
    /// The file contains an allocator, or may hold a lock that an allocator needs.
    is_delicate: bool,
    owner: Owner,
}

/// The properties of the code at an address.
#[derive(Debug, Clone, Copy)]
pub(super) struct CodeAt {
    pub(super) position: CodePosition,
    pub(super) owner: Owner,
    /// As in [`Code`].
    pub(super) is_delicate: bool,
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

/// The number of threads that are about to fork.
static FORKING: AtomicU32 = AtomicU32::new(0);
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

/// Reads which files are loaded, when the measurement begins. Waits as long as a library is being
/// loaded or unloaded.
pub(super) fn read_loaded() {
    wait_while(|| update().is_none());
    // Without a list, the first sample reads it.
    IS_STALE.fetch_or(CURRENT.load(Acquire).is_null(), Relaxed);
}

/// Reads which files are loaded. Returns whether something has changed; `None`, without reading, if
/// a library is being loaded or unloaded, whose memory may disappear.
fn update() -> Option<bool> {
    let _updating = Updating::begin();
    let is_idle = || UNLOADING.load(SeqCst) == 0 && program::is_loader_idle();
    let read = || is_idle().then(Layout::read).filter(|_| is_idle());
    thread::with_separate_memory(|| uncancelled(|| read().map(|layout| replace(&layout))))
}

/// While it exists, no library is unloaded, as far as the program says so: a library that is not
/// loaded after all, for a missing symbol, can disappear.
struct Updating(());

impl Updating {
    fn begin() -> Self {
        UPDATING.fetch_add(1, SeqCst);
        Self(())
    }
}

impl Drop for Updating {
    fn drop(&mut self) {
        UPDATING.fetch_sub(1, SeqCst);
    }
}

fn replace(layout: &Layout) -> bool {
    let mut replaced = REPLACED.lock().unwrap_or_else(PoisonError::into_inner);
    let before = CURRENT.load(Acquire);
    // SAFETY: null, or a list, which only this function replaces and its lock keeps.
    let known = unsafe { before.as_ref() };
    if known.is_some_and(|known| known.is_of(layout)) {
        return false;
    }
    CURRENT.store(Box::into_raw(Box::new(Modules::of(layout, known))), Release);
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
    let updating = Updating::begin();
    // A forked child would keep the lock of the list.
    let has_changed = if FORKING.load(SeqCst) > 0 { None } else { update_if_due() };
    drop(updating);
    IS_STALE.fetch_or(has_changed.is_none(), Relaxed);
    has_changed.unwrap_or(false)
}

fn update_if_due() -> Option<bool> {
    static LAST_IN_VAIN: Mutex<Option<Instant>> = Mutex::new(None);
    // Another thread may be at it.
    let Ok(mut last) = LAST_IN_VAIN.try_lock() else { return Some(false) };
    if last.is_some_and(|last| last.elapsed() < SEARCH_INTERVAL) {
        return Some(false);
    }
    let has_changed = update()?;
    *last = (!has_changed).then(Instant::now);
    Some(has_changed)
}

/// Returns whether a walk met code that is not known.
pub(super) fn is_stale() -> bool {
    IS_STALE.load(Relaxed)
}

/// Waits until no stack is walked and nothing reads which files are loaded, and lets neither begin
/// until a library is [`unloaded`].
pub(super) fn unloading() {
    count_when_not(|| FORKING.load(SeqCst) > 0, &UNLOADING);
    while WALKING.load(SeqCst) > 0 || UPDATING.load(SeqCst) > 0 {
        std::thread::yield_now();
    }
}

/// Forgets the library that was unloaded. Other code may be at its addresses now.
pub(super) fn unloaded() {
    if !CURRENT.load(Acquire).is_null() {
        thread::with_separate_memory(drop_unmapped);
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
        FORKING.fetch_add(1, SeqCst);
        wait_while(|| UNLOADING.load(SeqCst) > 0 || UPDATING.load(SeqCst) > 0);
        Self(())
    }
}

impl Drop for Loaded {
    fn drop(&mut self) {
        FORKING.fetch_sub(1, SeqCst);
    }
}

/// Forgets the activities of threads, in a forked child, which has none of them. Returns whether
/// one had a lock that stays locked.
pub(super) fn forget_threads() -> bool {
    WALKING.store(0, SeqCst);
    FORKING.store(0, SeqCst);
    let are_locked = [&UNLOADING, &UPDATING].map(|count| count.swap(0, SeqCst) > 0);
    are_locked.contains(&true)
}

impl Walking {
    /// Begins a walk along the calls of a stack.
    pub(super) fn walker<'a>(
        &'a self,
        cache: &'a mut Cache,
        start: &'a AllRegisters,
    ) -> Walker<'a, impl CodeSource> {
        Walker::new(self.0, cache, start)
    }

    /// Returns a number that no earlier list had.
    pub(super) fn generation(&self) -> u64 {
        self.0.generation
    }

    /// Returns the properties of the code at an address.
    pub(super) fn code(&self, address: u64) -> CodeAt {
        match self.0.code_at(address) {
            Some(code) => {
                let Code { owner, is_delicate, .. } = *code;
                CodeAt { position: code.position(address), owner, is_delicate }
            }
            None => CodeAt {
                position: CodePosition::in_memory(address),
                owner: Owner::Unknown,
                is_delicate: false,
            },
        }
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

impl CodeSource for Modules {
    fn code(&self, address: u64) -> Option<KnownCode<'_>> {
        let Some(code) = self.code_at(address) else {
            IS_STALE.store(true, Relaxed);
            return None;
        };
        let information = self.information.get(code.information).and_then(Option::as_ref);
        Some(KnownCode { information, is_constant: code.file.is_some() })
    }

    fn is_signal_return(&self, address: u64) -> bool {
        handler::is_return(address)
    }

    fn generation(&self) -> u64 {
        self.generation
    }
}

impl Modules {
    /// Returns the list of the code in memory. Unwind information of `known` files is not read
    /// again: its memory may be gone.
    fn of(layout: &Layout, known: Option<&Self>) -> Self {
        let of_files = layout.files.iter().enumerate().flat_map(|(information, file)| {
            let is_delicate = has_allocator(&file.path);
            let owner = Owner::of(file);
            let numbered = CodeFile::numbered(&file.path, &file.build_id, file.entry);
            let numbered = numbered.map(|numbered| (numbered, file.bias));
            let range = |range: &Range<u64>| file.moved(range);
            let code = file.code.iter().map(range);
            code.map(move |range| Code { range, file: numbered, information, is_delicate, owner })
        });
        const NONE: usize = usize::MAX;
        let generated = layout.generated.iter().cloned();
        let generated = generated.map(|range| Code {
            range,
            file: None,
            information: NONE,
            is_delicate: false,
            owner: Owner::Unknown,
        });
        let mut code: Vec<_> = of_files.chain(generated).collect();
        code.sort_by_key(|code| code.range.start);
        let (files, generated) = (layout.files.clone(), layout.generated.clone());
        let information_of = |file| known.and_then(|known| known.information_of(file));
        let information =
            files.iter().map(|file| information_of(file).unwrap_or_else(|| file.unwind_information()));
        let information = information.collect();
        Self { files, information, generated, code, generation: GENERATIONS.fetch_add(1, Relaxed) }
    }

    /// Returns the unwind information of a file, which may have none; `None` if it is not known.
    fn information_of(&self, file: &File) -> Option<Option<UnwindInformation>> {
        let place = self.files.iter().position(|known| known == file)?;
        self.information.get(place).cloned()
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
    use std::ffi::{c_int, c_void};

    use super::*;
    use crate::adapters::sampling::unwinding::WalkEnd;
    use crate::unwinder::{_Unwind_Backtrace, _Unwind_GetIPInfo, CONTINUE};
    use crate::walk_start::Registers;

    fn modules(delicate: &[bool]) -> Vec<Code> {
        let code = delicate.iter().zip(0_u64..);
        code.map(|(&is_delicate, at)| Code {
            range: at * 100..at * 100 + 50,
            file: None,
            information: 0,
            is_delicate,
            owner: Owner::Program,
        })
        .collect()
    }

    #[test]
    fn code_is_found_by_address() {
        let code = modules(&[false, true]);
        let (files, information, generated) = (Vec::new(), Vec::new(), Vec::new());
        let modules = Modules { files, information, generated, code, generation: 1 };
        let found = |address| modules.code_at(address).map(|code| code.is_delicate);
        let expected = [Some(false), Some(false), None, Some(true), Some(true), None];
        assert_eq!([0, 49, 50, 100, 149, 150].map(found), expected);
    }

    #[test]
    fn this_program_has_unwind_information() {
        let here = (this_program_has_unwind_information as fn()).addr_of() as u64;
        let modules = Modules::of(&Layout::read(), None);
        assert!(modules.code_at(here).is_some_and(|code| !code.is_delicate));
        assert!(
            modules.code_at((libc::malloc as unsafe extern "C" fn(usize) -> _).addr_of() as u64).is_some()
        );
    }

    /// The addresses of the calls up to here, from a place on, as two walks find them.
    #[derive(Debug, Default)]
    struct TwoWalks {
        own: Vec<u64>,
        of_libgcc: Vec<u64>,
    }

    extern "C" fn add_frame(frame: *mut c_void, all: *mut c_void) -> c_int {
        // SAFETY: the walk of `two_walks` passes it.
        let all = unsafe { &mut *all.cast::<Vec<u64>>() };
        let mut is_before = 0;
        // SAFETY: the frame is that of a walk.
        all.push(unsafe { _Unwind_GetIPInfo(frame, &raw mut is_before) } as u64);
        CONTINUE
    }

    #[inline(never)]
    fn two_walks(walks: &mut TwoWalks) {
        let modules = Modules::of(&Layout::read(), None);
        let start = AllRegisters::at(&Registers::here());
        let mut cache = Cache::new();
        let mut walker = Walker::new(&modules, &mut cache, &start);
        let mut read = |address| readable::word(address).ok_or(());
        walks.own = std::iter::from_fn(|| {
            let at = walker.registers()?;
            walker.leave(&mut read);
            Some(at.address)
        })
        .collect();
        assert_eq!(walker.end(), WalkEnd::Outermost);
        // SAFETY: the function expects such a list.
        unsafe { _Unwind_Backtrace(add_frame, (&raw mut walks.of_libgcc).cast()) };
    }

    extern "C" fn compare(walks: *const c_void, _: *const c_void, depth: *mut c_void) -> c_int {
        let depth = depth.addr();
        // SAFETY: the sorted array has two of them, which nothing else refers to.
        let walks = unsafe { &mut *walks.cast_mut().cast::<TwoWalks>() };
        match depth {
            0 => two_walks(walks),
            _ => sort(walks, depth - 1),
        }
        0
    }

    /// Calls itself through a function of the C library.
    #[inline(never)]
    fn sort(walks: &mut TwoWalks, depth: usize) {
        let mut two = [std::mem::take(walks), TwoWalks::default()];
        // SAFETY: the array, and a function that compares its elements.
        unsafe {
            libc::qsort_r(
                two.as_mut_ptr().cast(),
                two.len(),
                size_of::<TwoWalks>(),
                Some(compare),
                ptr::without_provenance_mut(depth),
            );
        }
        let [first, second] = two;
        *walks = if first.own.is_empty() { second } else { first };
    }

    #[test]
    fn a_walk_finds_the_callers_that_libgcc_finds() {
        let mut walks = TwoWalks::default();
        sort(&mut walks, 5);
        // The first ones are different places in the same function. libgcc shows the end, too.
        let TwoWalks { own, mut of_libgcc } = walks;
        of_libgcc.retain(|address| *address != 0);
        assert!(own.len() > 15, "{own:x?}");
        assert_eq!(own[1..], of_libgcc[of_libgcc.len() + 1 - own.len()..]);
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
