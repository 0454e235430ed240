//! The loaded program and libraries, by whose unwind information stacks are walked.
//!
//! Handlers read the list through a pointer, while [`Walking`] exists. A newer list replaces it;
//! old ones are freed when no handler can use them. Invariants: while a library is being unloaded
//! no handler walks a stack; a list is made from `/proc/self/maps` and the headers in memory,
//! without a lock of the loader.

use std::ops::Range;
use std::path::Path;
use std::ptr;
use std::slice;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, Ordering::*};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use framehop::{
    CacheNative, ExplicitModuleSectionInfo, FrameAddress, Module, MustNotAllocateDuringUnwind,
    UnwindRegsNative, Unwinder, UnwinderNative,
};
use kymo_symbols::mappings;
use libc::{Elf64_Ehdr, Elf64_Phdr, PF_X, PT_LOAD};

use super::{contexts, handler};
use crate::plugins::own_file;
use crate::processes::has_allocator;

/// The rules that a thread's walks found.
pub(super) type Cache = CacheNative<MustNotAllocateDuringUnwind>;

/// `PT_GNU_EH_FRAME`.
const UNWIND_HEADER: u32 = 0x6474_e550;
/// The encoding of the address of the unwind information that all linkers use: four bytes relative
/// to their place.
const RELATIVE: u8 = 0x1b;
/// The time between two attempts to find code that no known file contains.
const SEARCH_INTERVAL: Duration = Duration::from_millis(100);
/// The begins of the names of OpenMP libraries.
const OPENMP: [&[u8]; 4] = [b"libgomp", b"libomp.", b"libomp5", b"libiomp5"];
const SHORT: Duration = Duration::from_secs(1);

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
    /// In ascending order.
    code: Vec<Code>,
    generation: u64,
}

/// A loaded file.
#[derive(Debug, Clone, PartialEq, Eq)]
struct File {
    path: Arc<Path>,
    /// What is added to the addresses in the file.
    bias: u64,
    /// The addresses in the file: of all of it, of its unwind information and of the index of that.
    range: Range<u64>,
    frames: Option<Range<u64>>,
    index: Option<Range<u64>>,
    code: Vec<Range<u64>>,
}

/// The code of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Code {
    range: Range<u64>,
    /// The file contains an allocator, or may hold a lock that an allocator needs.
    is_delicate: bool,
    owner: Owner,
}

/// Whose code a file contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    Program,
    OpenMp,
    Runtime,
    /// No file, or one that is not known yet.
    Unknown,
}

/// The number of lists.
static GENERATIONS: AtomicU64 = AtomicU64::new(1);
static CURRENT: AtomicPtr<Modules> = AtomicPtr::new(ptr::null_mut());
/// A walk met code of an unknown file.
static IS_STALE: AtomicBool = AtomicBool::new(false);
/// The number of libraries that are being unloaded.
static UNLOADING: AtomicU32 = AtomicU32::new(0);
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

/// Reads which files are loaded.
pub(super) fn update() {
    replace(Modules::of(files()));
}

fn replace(modules: Modules) {
    let mut replaced = REPLACED.lock().unwrap_or_else(PoisonError::into_inner);
    let before = CURRENT.load(Acquire);
    // SAFETY: null, or a list, which only this function replaces and its lock keeps.
    if unsafe { before.as_ref() }.is_some_and(|before| before.files == modules.files) {
        return;
    }
    CURRENT.store(Box::into_raw(Box::new(modules)), Release);
    if !before.is_null() {
        // SAFETY: from a box, and no longer current. Handlers may still read it.
        replaced.push(unsafe { Box::from_raw(before) });
    }
}

/// Reads which files are loaded, if a walk met code of an unknown one. Code that was generated at
/// run time is never known, so this is not repeated at once.
/// Returns whether it did.
pub(super) fn update_if_stale() -> bool {
    static LAST: Mutex<Option<Instant>> = Mutex::new(None);
    if !IS_STALE.swap(false, Relaxed) {
        return false;
    }
    // Another thread may be at it, in a forked child one that does not exist.
    let Ok(mut last) = LAST.try_lock() else { return false };
    let is_due = last.is_none_or(|last| last.elapsed() >= SEARCH_INTERVAL);
    if is_due {
        update();
        *last = Some(Instant::now());
    }
    is_due
}

/// Returns whether a walk met code of an unknown file.
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
    let unloaded = if CURRENT.load(Acquire).is_null() { Vec::new() } else { drop_unmapped() };
    UNLOADING.fetch_sub(1, SeqCst);
    contexts::forget_addresses(&unloaded);
}

/// Removes the files that are no longer loaded, while no walk is under way. Returns their
/// addresses.
fn drop_unmapped() -> Vec<Range<u64>> {
    let (files, unloaded): (Vec<_>, Vec<_>) = {
        let _replacing = REPLACED.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: null, or a list, which only `replace` replaces and its lock keeps.
        let Some(current) = (unsafe { CURRENT.load(Acquire).as_ref() }) else { return Vec::new() };
        current.files.iter().cloned().partition(File::is_mapped)
    };
    replace(Modules::of(files));
    REPLACED.lock().unwrap_or_else(PoisonError::into_inner).clear();
    unloaded.iter().map(|file| file.moved(&file.range)).collect()
}

/// While it exists, no library is being unloaded, as far as waiting for a second can ensure it: the
/// C library holds a lock meanwhile that stays locked in a forked child.
pub(crate) struct Loaded(());

impl Loaded {
    pub(super) fn keep() -> Self {
        IS_FORKING.store(true, SeqCst);
        wait_while(|| UNLOADING.load(SeqCst) > 0);
        Self(())
    }
}

impl Drop for Loaded {
    fn drop(&mut self) {
        IS_FORKING.store(false, SeqCst);
    }
}

/// Waits as long as a condition holds, but no longer than a second: what the other thread does may
/// depend on this one.
fn wait_while(condition: impl Fn() -> bool) {
    let until = Instant::now() + SHORT;
    while condition() && Instant::now() < until {
        std::thread::yield_now();
    }
}

/// Forgets what threads were doing, in a forked child, which has none of them. Returns whether one
/// was unloading a library.
pub(super) fn forget_threads() -> bool {
    WALKING.store(0, SeqCst);
    UNLOADING.swap(0, SeqCst) > 0
}

impl Walking {
    /// Returns whether all of a stack, up to the functions that start a program or a thread, is in
    /// files without an allocator and outside of the loader.
    pub(super) fn is_only_the_program(&self, stack: &[u64]) -> bool {
        let is_delicate = |address: &u64| self.0.code_at(*address).is_some_and(|code| code.is_delicate);
        let inner = stack.split_last().map_or(stack, |(_, inner)| inner);
        let own = inner.iter().rposition(|address| !is_delicate(address)).map_or(0, |last| last + 1);
        own > 0 && !inner.iter().take(own).any(is_delicate)
    }

    /// Walks a stack from an address with these registers. Stores the address and those of the
    /// calls that led there, the innermost first, each inside of its instruction, and returns their
    /// number. Passes each frame to `is_last`, which may end the walk. Memory outside of `stack` is
    /// read by the system, which refuses where nothing is mapped.
    ///
    /// Code of no known file may be generated code that keeps frame pointers, so the walk goes on;
    /// what it finds only counts if it arrives at a known file again.
    pub(super) fn walk(
        &self,
        address: u64,
        mut registers: UnwindRegsNative,
        cache: &mut Cache,
        stack: Option<Range<u64>>,
        frames: &mut [u64],
        mut is_last: impl FnMut(StackFrame) -> bool,
    ) -> usize {
        let mut read = |address: u64| read_stack(stack.as_ref(), address);
        let mut at = FrameAddress::from_instruction_pointer(address);
        let (mut count, mut known) = (0, 1);
        while let Some(place) = frames.get_mut(count) {
            let address = at.address_for_lookup();
            let caller = self.caller(at, &mut registers, cache, &mut read);
            // The stack pointer of the caller, once it continues.
            let canonical = caller.map_or(StackFrame::OUTERMOST, |_| registers.sp());
            *place = address;
            count += 1;
            match self.0.code_at(address) {
                Some(_) => known = count,
                None => IS_STALE.store(true, Relaxed),
            }
            if is_last(StackFrame { address, canonical }) {
                break;
            }
            match caller {
                Some(caller) => at = caller,
                None => break,
            }
        }
        known.min(count)
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

    /// Returns whose code is at an address, and whether it is that of a file with an allocator, or
    /// of one that may hold a lock that an allocator needs.
    pub(super) fn owner(&self, address: u64) -> (Owner, bool) {
        let Some(code) = self.0.code_at(address) else {
            IS_STALE.store(true, Relaxed);
            return (Owner::Unknown, false);
        };
        (code.owner, code.is_delicate)
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
        _ => read_carefully(address),
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

/// Returns the program, the libraries, and the code that the system adds to every program.
fn files() -> Vec<File> {
    let mappings = mappings();
    let starts = mappings.iter().enumerate().filter(|&(at, mapping)| {
        let before = at.checked_sub(1).and_then(|before| mappings.get(before));
        mapping.offset == 0 && before.is_none_or(|before| before.path != mapping.path)
    });
    let mut files: Vec<_> =
        starts.filter_map(|(_, mapping)| File::at(mapping.begin, &mapping.path)).collect();
    // SAFETY: takes only a number.
    let of_system = unsafe { libc::getauxval(libc::AT_SYSINFO_EHDR) };
    files.extend(File::at(of_system, &Arc::from(Path::new(""))).filter(|_| of_system != 0));
    files
}

impl File {
    /// Returns the file whose header is at `base`, if it is a program or library.
    fn at(base: u64, path: &Arc<Path>) -> Option<Self> {
        let segments = segments(base)?;
        let loaded = || segments.iter().filter(|segment| segment.p_type == PT_LOAD);
        let range = |segment: &Elf64_Phdr| segment.p_vaddr..segment.p_vaddr.saturating_add(segment.p_memsz);
        // The first segment begins at the start of the file.
        let start = loaded().next()?.p_vaddr;
        let end = loaded().map(|segment| range(segment).end).max()?;
        let bias = base.wrapping_sub(start);
        let index = segments.iter().find(|segment| segment.p_type == UNWIND_HEADER).map(range);
        let frames = index.as_ref().and_then(|index| {
            let start = information(index.start.wrapping_add(bias))?.wrapping_sub(bias);
            let holder = loaded().map(range).find(|range| range.contains(&start))?;
            Some(start..holder.end)
        });
        let code = loaded().filter(|segment| segment.p_flags & PF_X != 0).map(range).collect();
        Some(Self { path: Arc::clone(path), bias, range: start..end, frames, index, code })
    }

    fn moved(&self, range: &Range<u64>) -> Range<u64> {
        range.start.wrapping_add(self.bias)..range.end.wrapping_add(self.bias)
    }

    fn is_mapped(&self) -> bool {
        let ends = self.frames.iter().chain(&self.index).map(|range| self.moved(range));
        let mut ends = ends.flat_map(|range| [range.start, range.end.saturating_sub(8)]);
        ends.all(|address| read_carefully(address).is_ok())
    }

    fn module(&self) -> Module<&'static [u8]> {
        let memory = |range: &Range<u64>| memory(&self.moved(range));
        let sections = ExplicitModuleSectionInfo {
            base_svma: 0,
            eh_frame_hdr: self.index.as_ref().map(memory),
            eh_frame_hdr_svma: self.index.clone(),
            eh_frame: self.frames.as_ref().map(memory),
            eh_frame_svma: self.frames.clone(),
            ..Default::default()
        };
        Module::new(self.path.to_string_lossy().into_owned(), self.moved(&self.range), self.bias, sections)
    }
}

impl Modules {
    fn of(files: Vec<File>) -> Self {
        let mut unwinder = UnwinderNative::new();
        files.iter().for_each(|file| unwinder.add_module(file.module()));
        let code = files.iter().flat_map(|file| {
            let is_delicate = has_allocator(&file.path);
            let owner = Owner::of(&file.path);
            file.code.iter().map(move |range| Code { range: file.moved(range), is_delicate, owner })
        });
        let mut code: Vec<_> = code.collect();
        code.sort_by_key(|code| code.range.start);
        Self { unwinder, files, code, generation: GENERATIONS.fetch_add(1, Relaxed) }
    }

    fn code_at(&self, address: u64) -> Option<&Code> {
        let after = self.code.partition_point(|code| code.range.start <= address);
        let code = self.code.get(after.checked_sub(1)?)?;
        code.range.contains(&address).then_some(code)
    }
}

impl Owner {
    fn of(path: &Path) -> Self {
        let name = path.file_name().unwrap_or_default().as_encoded_bytes();
        match own_file() {
            Some(own) if own == path => Self::Runtime,
            _ if OPENMP.iter().any(|begin| name.starts_with(begin)) => Self::OpenMp,
            _ => Self::Program,
        }
    }
}

/// Returns the address of the unwind information, which its index contains.
fn information(index: u64) -> Option<u64> {
    let mut start = [0_u8; 8];
    read_memory(index, &mut start).then_some(())?;
    let [_, encoding, _, _, place @ ..] = start;
    let distance = i64::from(i32::from_ne_bytes(place));
    (encoding == RELATIVE).then(|| (index + 4).wrapping_add_signed(distance))
}

/// Returns the segments of the program or library whose header is at `base`.
fn segments(base: u64) -> Option<Vec<Elf64_Phdr>> {
    let mut header = [0_u8; size_of::<Elf64_Ehdr>()];
    read_memory(base, &mut header).then_some(())?;
    // SAFETY: the structure has this size, and any bytes are a value of it.
    let header = unsafe { header.as_ptr().cast::<Elf64_Ehdr>().read_unaligned() };
    let is_file =
        header.e_ident.starts_with(b"\x7fELF") && usize::from(header.e_phentsize) == size_of::<Elf64_Phdr>();
    let mut bytes = vec![0; is_file.then(|| usize::from(header.e_phnum) * size_of::<Elf64_Phdr>())?];
    read_memory(base.checked_add(header.e_phoff)?, &mut bytes).then_some(())?;
    let segments = bytes.chunks_exact(size_of::<Elf64_Phdr>());
    // SAFETY: as above.
    Some(segments.map(|bytes| unsafe { bytes.as_ptr().cast::<Elf64_Phdr>().read_unaligned() }).collect())
}

/// Returns memory of a loaded file.
fn memory(range: &Range<u64>) -> &'static [u8] {
    let (start, size) = (range.start as usize, (range.end - range.start) as usize);
    // SAFETY: the loader mapped the segment that contains the range. It stays mapped while a walk
    // reads it, since no walk runs while a library is being unloaded.
    unsafe { slice::from_raw_parts(ptr::with_exposed_provenance(start), size) }
}

fn read_carefully(address: u64) -> Result<u64, ()> {
    let mut bytes = [0; 8];
    if read_memory(address, &mut bytes) { Ok(u64::from_ne_bytes(bytes)) } else { Err(()) }
}

/// Reads memory of this process; returns false if not all of it is mapped.
fn read_memory(address: u64, into: &mut [u8]) -> bool {
    let own = libc::iovec { iov_base: into.as_mut_ptr().cast(), iov_len: into.len() };
    let other =
        libc::iovec { iov_base: ptr::with_exposed_provenance_mut(address as usize), iov_len: into.len() };
    // SAFETY: the first memory is writable; the system checks the second.
    let count = unsafe { libc::process_vm_readv(libc::getpid(), &raw const own, 1, &raw const other, 1, 0) };
    usize::try_from(count) == Ok(into.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn modules(delicate: &[bool]) -> Vec<Code> {
        let code = delicate.iter().zip(0_u64..);
        code.map(|(&is_delicate, at)| Code {
            range: at * 100..at * 100 + 50,
            is_delicate,
            owner: Owner::Program,
        })
        .collect()
    }

    #[test]
    fn code_is_found_by_address() {
        let (unwinder, code) = (UnwinderNative::new(), modules(&[false, true]));
        let modules = Modules { unwinder, files: Vec::new(), code, generation: 0 };
        let found = |address| modules.code_at(address).map(|code| code.is_delicate);
        let expected = [Some(false), Some(false), None, Some(true), Some(true), None];
        assert_eq!([0, 49, 50, 100, 149, 150].map(found), expected);
    }

    #[test]
    fn memory_that_is_not_mapped_is_refused() {
        let value = 42_u64;
        assert_eq!(read_carefully((&raw const value).addr() as u64), Ok(42));
        assert_eq!(read_carefully(8), Err(()));
    }

    #[test]
    fn this_program_has_unwind_information() {
        let here = (this_program_has_unwind_information as fn()).addr_of() as u64;
        let modules = Modules::of(files());
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
