//! Reads of the host's memory, which are the only unsafe part of the arena.
//!
//! Invariant: a byte is read only while definitions exist, and only inside [low, high), the mapping
//! that contains the first string. The bounds of the mapping are read from `/proc/self/maps`, which
//! distinguishes the arena from adjacent mappings and touches no page. If the process may not read
//! that file, each page is probed with a system call that reads from it and returns an error
//! instead of a fault. Both use plain system calls: they allocate nothing, take no lock of the C
//! library and preserve `errno`. The arena of a host is one block for the whole run, so memory that
//! was mapped once stays mapped until the end of `write_data`.

use core::ops::Range;
use core::ptr;
use core::sync::atomic::{
    AtomicBool, AtomicPtr, AtomicU8, AtomicU32, AtomicU64, AtomicUsize,
    Ordering::{AcqRel, Acquire, Relaxed, Release},
};

use super::fields::Handle;
use super::maps::Finder;
use crate::handles::*;
use crate::host::{Host, HostCell};

/// The smallest page size, of which all others are multiples.
const SMALLEST_PAGE: usize = 4096;

/// The address of the arena and the range of it that can be read.
#[derive(Debug)]
pub(super) struct Memory {
    off: AtomicBool,
    /// The address of handle 0, or 0 while no string was announced.
    base: AtomicUsize,
    low: AtomicUsize,
    high: AtomicUsize,
    /// Whether the first string was announced.
    opened: AtomicBool,
    /// Reports whether definitions still exist; initially null.
    host: AtomicPtr<HostCell>,
    list: List,
}

/// A function like [`listed`], which returns the mapping around a range.
pub(super) type List = fn(&Range<usize>) -> Result<Option<Range<usize>>, Unlisted>;

/// The bytes of one definition, all of which can be read.
#[derive(Clone, Copy, Debug)]
pub(super) struct DefinitionBytes<'a> {
    memory: &'a Memory,
    address: usize,
    size: usize,
}

impl Memory {
    pub(super) const fn new(list: List) -> Self {
        Self {
            off: AtomicBool::new(false),
            base: AtomicUsize::new(0),
            low: AtomicUsize::new(0),
            high: AtomicUsize::new(0),
            opened: AtomicBool::new(false),
            host: AtomicPtr::new(ptr::null_mut()),
            list,
        }
    }

    /// Stores the host, which reports whether definitions exist.
    pub(super) fn belongs_to(&self, host: &Host) {
        self.host.store(ptr::from_ref(host.cell()).cast_mut(), Release);
    }

    /// Switches the memory off permanently. Returns whether it was on.
    pub(super) fn switch_off(&self) -> bool {
        !self.off.swap(true, AcqRel)
    }

    pub(super) fn is_on(&self) -> bool {
        !self.off.load(Acquire)
    }

    /// The address of handle 0, once it is known.
    pub(super) fn base(&self) -> Option<usize> {
        Some(self.base.load(Acquire)).filter(|&base| base != 0)
    }

    /// Sets `base` as the address of handle 0 if the `known` bytes can be read. Only for the first
    /// string.
    pub(super) fn open(&self, base: usize, known: Range<usize>) -> bool {
        if self.opened.swap(true, Relaxed) {
            return false;
        }
        let Some(extent) = (self.list)(&known).unwrap_or_else(|Unlisted| tried(&known)) else { return false };
        self.low.store(extent.start, Relaxed);
        self.high.store(extent.end, Relaxed);
        self.base.store(base, Release);
        true
    }

    /// Returns `size` bytes of the definition at `handle`, or `None` if they cannot be read or the
    /// handle is 0.
    pub(super) fn record(&self, handle: u32, size: usize) -> Option<DefinitionBytes<'_>> {
        let range = self.range(handle, size)?;
        self.is_known(&range).then_some(DefinitionBytes { memory: self, address: range.start, size })
    }

    /// Like [`record`](Self::record), for a handle that the host just announced, for which the
    /// arena may have grown.
    pub(super) fn announced(&self, handle: u32, size: usize) -> Option<DefinitionBytes<'_>> {
        let range = self.range(handle, size)?;
        if !self.is_known(&range) {
            self.grow(&range)?;
        }
        Some(DefinitionBytes { memory: self, address: range.start, size })
    }

    /// Whether the value of a field can be a handle: 0, or that of a definition in known memory.
    pub(super) fn can_be_handle(&self, handle: u32) -> bool {
        handle == 0 || self.record(handle, 1).is_some()
    }

    fn range(&self, handle: u32, size: usize) -> Option<Range<usize>> {
        if handle == 0 || !handle.is_multiple_of(4) || !self.is_on() || !self.definitions_exist() {
            return None;
        }
        let start = self.base()?.checked_add(handle as usize)?;
        Some(start..start.checked_add(size)?)
    }

    /// Looks up the bounds of the mapping again. Returns `None` if `range` is not in it.
    fn grow(&self, range: &Range<usize>) -> Option<()> {
        let known = self.low.load(Relaxed)..self.high.load(Relaxed);
        let wanted = known.start.min(range.start)..known.end.max(range.end);
        let try_new_pages = |Unlisted| {
            let below = tried(&(wanted.start..known.start))?;
            Some(below.start..tried(&(known.end..wanted.end))?.end)
        };
        let grown = (self.list)(&wanted).unwrap_or_else(try_new_pages)?;
        self.low.fetch_min(grown.start, Relaxed);
        self.high.fetch_max(grown.end, Relaxed);
        Some(())
    }

    fn is_known(&self, range: &Range<usize>) -> bool {
        self.low.load(Relaxed) <= range.start && range.end <= self.high.load(Relaxed)
    }

    fn definitions_exist(&self) -> bool {
        let host = self.host.load(Acquire);
        // SAFETY: the pointer is null or that of the cell of a `Host`, which is never dropped.
        unsafe { host.as_ref() }.is_some_and(HostCell::has_definitions)
    }
}

impl<'a> DefinitionBytes<'a> {
    /// The byte at `offset`, or `None` past the end.
    pub(super) fn u8(&self, offset: usize) -> Option<u8> {
        let pointer = self.pointer(offset, 1)?;
        // SAFETY: the byte is readable, see `pointer`, and can have any alignment. The host may
        // write it at the same time.
        Some(unsafe { AtomicU8::from_ptr(pointer) }.load(Relaxed))
    }

    /// The 32-bit word at `offset`, of any alignment.
    pub(super) fn u32(&self, offset: usize) -> Option<u32> {
        let pointer = self.pointer(offset, 4)?.cast::<u32>();
        if !pointer.is_aligned() {
            let mut bytes = [0; 4];
            for (at, byte) in bytes.iter_mut().enumerate() {
                *byte = self.u8(offset + at)?;
            }
            return Some(u32::from_ne_bytes(bytes));
        }
        // SAFETY: the four bytes are readable, see `pointer`, and aligned. The host may write them
        // at the same time.
        Some(unsafe { AtomicU32::from_ptr(pointer) }.load(Relaxed))
    }

    /// The 64-bit word at `offset`, of any alignment.
    pub(super) fn u64(&self, offset: usize) -> Option<u64> {
        let pointer = self.pointer(offset, 8)?.cast::<u64>();
        if !pointer.is_aligned() {
            let mut bytes = [0; 8];
            bytes[..4].copy_from_slice(&self.u32(offset)?.to_ne_bytes());
            bytes[4..].copy_from_slice(&self.u32(offset + 4)?.to_ne_bytes());
            return Some(u64::from_ne_bytes(bytes));
        }
        // SAFETY: the eight bytes are readable, see `pointer`, and aligned. The host may write them
        // at the same time.
        Some(unsafe { AtomicU64::from_ptr(pointer) }.load(Relaxed))
    }

    /// The `length` bytes at `offset`, which the host must never change: the text of a string.
    pub(super) fn text(&self, offset: usize, length: usize) -> Option<&'a [u8]> {
        let pointer = self.pointer(offset, length)?;
        // SAFETY: the bytes are readable, see `pointer`. Texts are written before their string is
        // announced and exist until the end of `write_data`, like those that the host's getters
        // return.
        Some(unsafe { core::slice::from_raw_parts(pointer, length) })
    }

    /// The handle at `offset`, or `None` if the value cannot be one.
    pub(super) fn handle<H: Handle>(&self, offset: usize) -> Option<H> {
        let raw = self.u32(offset).filter(|&raw| self.memory.can_be_handle(raw))?;
        // SAFETY: by the layout, which the checks at announcements have compared with the host's
        // getters, the host stores 0 or a handle of this kind here.
        Some(unsafe { H::from_raw(raw) })
    }

    /// The address of `size` bytes inside this record. A record exists only if all of its bytes
    /// were found readable.
    fn pointer(&self, offset: usize, size: usize) -> Option<*mut u8> {
        let fits = offset.checked_add(size)? <= self.size;
        fits.then(|| ptr::with_exposed_provenance_mut(self.address + offset))
    }
}

/// Allows readers to create handles of these kinds.
macro_rules! handles {
    ($($handle:ident)*) => {$(
        impl Handle for $handle {
            unsafe fn from_raw(raw: u32) -> Self {
                // SAFETY: `raw` is 0 or the handle of a definition of this kind in the host.
                unsafe { Self::from_raw(raw) }
            }

            fn raw(self) -> u32 {
                self.raw()
            }
        }
    )*};
}

handles! {
    AnyHandle CallingContextHandle GroupHandle InterimCommunicatorHandle InterruptGeneratorHandle LocationHandle
    LocationGroupHandle LocationPropertyHandle MetricHandle ParadigmHandle ParameterHandle RegionHandle RmaWindowHandle
    SamplingSetHandle SamplingSetRecorderHandle SourceCodeLocationHandle SourceFileHandle StringHandle
    SystemTreeNodeHandle SystemTreeNodePropertyHandle CartesianTopologyHandle CartesianCoordsHandle IoFileHandle
    IoFilePropertyHandle IoHandleHandle IoParadigmHandle CommunicatorHandle
}

/// The error that the system's list of mappings cannot be read.
#[derive(Debug)]
pub(super) struct Unlisted;

/// Returns the mapping that contains all of `known` according to the system's list, or `None` if
/// there is none.
pub(super) fn listed(known: &Range<usize>) -> Result<Option<Range<usize>>, Unlisted> {
    let _kept = Errno::keep();
    // SAFETY: the path is zero terminated, and there are no other pointers.
    let file = unsafe {
        let path = c"/proc/self/maps".as_ptr();
        libc::syscall(libc::SYS_openat, libc::AT_FDCWD, path, libc::O_RDONLY | libc::O_CLOEXEC)
    };
    if file < 0 {
        return Err(Unlisted);
    }
    let found = search(file, Finder::new(known.start));
    // SAFETY: the descriptor was opened above.
    unsafe { libc::syscall(libc::SYS_close, file) };
    found.map(|found| found.filter(|found| found.start <= known.start && known.end <= found.end))
}

fn search(file: libc::c_long, mut finder: Finder) -> Result<Option<Range<usize>>, Unlisted> {
    let mut buffer = [0_u8; 4096];
    loop {
        // SAFETY: the buffer has this length.
        let read = unsafe { libc::syscall(libc::SYS_read, file, buffer.as_mut_ptr(), buffer.len()) };
        match usize::try_from(read) {
            Ok(0) => return Ok(finder.finish()),
            Ok(length) => {
                if let found @ Some(_) = finder.feed(buffer.get(..length).ok_or(Unlisted)?) {
                    return Ok(found);
                }
            }
            Err(_) if Errno::get() == libc::EINTR => {}
            Err(_) => return Err(Unlisted),
        }
    }
}

/// Returns the pages of `known` if each can be read. Also returns `None` if the system reports an
/// unmapped page as readable, because its other answers are worthless then.
pub(super) fn tried(known: &Range<usize>) -> Option<Range<usize>> {
    let start = known.start - known.start % SMALLEST_PAGE;
    let end = known.end.checked_next_multiple_of(SMALLEST_PAGE)?;
    let never_mapped = size_of::<u64>();
    if is_readable(never_mapped) {
        return None;
    }
    (start..end).step_by(SMALLEST_PAGE).all(is_readable).then_some(start..end)
}

/// Whether the eight bytes at `address` can be read.
///
/// The system call reads a signal mask at the address before it rejects the operation, which does
/// not exist. Every process may make this call, even if it is not allowed to inspect its own memory
/// by other means.
fn is_readable(address: usize) -> bool {
    const NOTHING: libc::c_int = !0;
    let _kept = Errno::keep();
    // SAFETY: no memory of Rust is accessed: the call only reads at the address, or fails.
    let result = unsafe {
        let mask: *const u64 = ptr::without_provenance(address);
        libc::syscall(libc::SYS_rt_sigprocmask, NOTHING, mask, ptr::null_mut::<u64>(), size_of::<u64>())
    };
    result == -1 && Errno::get() == libc::EINVAL
}

/// Restores the thread's `errno` when it is dropped, because an announcement may be made in a
/// signal handler.
struct Errno(libc::c_int);

impl Errno {
    fn keep() -> Self {
        Self(Self::get())
    }

    fn get() -> libc::c_int {
        // SAFETY: the address of this thread's `errno` is always valid.
        unsafe { *libc::__errno_location() }
    }
}

impl Drop for Errno {
    fn drop(&mut self) {
        // SAFETY: as in `get`.
        unsafe { *libc::__errno_location() = self.0 };
    }
}
