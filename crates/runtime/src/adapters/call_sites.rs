//! The places from which a program calls the library of a language extension, by return address,
//! and the regions of the constructs there.
//!
//! The name, file and line of an address are looked up when it is first seen. A region is defined
//! when its construct is first executed there. Invariant: both are found without a lock from then
//! on.

use std::marker::PhantomData;
use std::panic;
use std::path::Path;
use std::ptr;
use std::sync::MutexGuard;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use kymo_symbols::{FunctionFrame, Symbols};

use crate::address_table::{AddressTable, UNKNOWN};
use crate::cancellation::uncancelled;
use crate::libraries;
use crate::measurement::Region;
use crate::processes::may_allocate;

/// More than the constructs of any language extension.
const MOST_CONSTRUCTS: usize = 32;
/// The handle of a region that is left out.
const LEFT_OUT: u32 = u32::MAX;

/// A construct that has a region at each place.
pub(super) trait SiteConstruct: Copy + 'static {
    /// Returns the number, below [`MOST_CONSTRUCTS`].
    fn number(self) -> usize;

    /// Defines the region at a place; `None` if it is left out.
    fn define(self, place: &SourcePlace) -> Option<Region>;
}

/// A place in the program.
#[derive(Debug)]
pub(super) struct SourcePlace {
    /// The suffix of the names of regions.
    pub(super) suffix: String,
    pub(super) file: Option<String>,
    pub(super) line: u32,
    /// The name of the file that contains the code; empty if it is unknown.
    pub(super) module: String,
}

/// A place from which the program calls, with the regions of the constructs there.
#[derive(Debug)]
pub(super) struct CallSite<C> {
    place: SourcePlace,
    /// The handles by construct; 0 for those that are not defined.
    regions: [AtomicU32; MOST_CONSTRUCTS],
    construct: PhantomData<fn(C)>,
}

/// The places from which the program calls a library.
pub(super) struct CallSites<C: 'static> {
    table: AddressTable,
    /// The place of calls without an address.
    nowhere: CallSite<C>,
}

impl SourcePlace {
    const fn unknown(suffix: String) -> Self {
        Self { suffix, file: None, line: 0, module: String::new() }
    }

    fn of(address: usize) -> Self {
        let mut symbols = libraries::symbols();
        let symbols = symbols.get_or_insert_default();
        // The call is the instruction that ends where it returns to.
        let Some(found) = symbols.instruction(address as u64 - 1) else {
            return Self::unknown(format!(" @{address:#x}"));
        };
        let module = found.module.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let frame = found.frames.into_iter().find(has_line);
        let frame = frame.map(|frame| before_head(symbols, address as u64, frame));
        match frame.and_then(|frame| Some((frame.file?, frame.line))) {
            Some((file, line)) => {
                let short = Path::new(&file).file_name().unwrap_or_default().display();
                Self { suffix: format!(" @{short}:{line}"), file: Some(file), line, module }
            }
            None => {
                let suffix = format!(" @{module}+{:#x}", found.offset + 1);
                Self { module, ..Self::unknown(suffix) }
            }
        }
    }
}

/// How far the instructions that prepare a call are before its return address, in bytes.
const PREPARATION: u64 = 64;

fn has_line(frame: &FunctionFrame) -> bool {
    frame.line > 0 && frame.file.is_some()
}

/// Returns the frame of a call. Compilers give it the line of the head of its function if they have
/// moved code from there in front of it; then the construct is at the line of the instructions
/// before.
fn before_head(symbols: &mut Symbols, address: u64, call: FunctionFrame) -> FunctionFrame {
    if call.line != call.function.line {
        return call;
    }
    let frames = (2..PREPARATION).filter_map(|back| {
        symbols.instruction(address.checked_sub(back)?)?.frames.into_iter().find(has_line)
    });
    let mut others = frames.take_while(|frame| frame.function == call.function);
    others.find(|frame| frame.line != call.line).unwrap_or(call)
}

impl<C: SiteConstruct> CallSite<C> {
    const fn new(place: SourcePlace) -> Self {
        Self { place, regions: [const { AtomicU32::new(0) }; MOST_CONSTRUCTS], construct: PhantomData }
    }

    /// Returns the place.
    pub(super) fn place(&self) -> &SourcePlace {
        &self.place
    }

    /// Returns the region of a construct here; none if it is left out.
    #[inline]
    pub(super) fn region(&self, construct: C) -> Region {
        match self.regions.get(construct.number()).map_or(0, |region| region.load(Relaxed)) {
            0 => self.define(construct),
            LEFT_OUT => Region::default(),
            known => Region(known),
        }
    }

    #[cold]
    fn define(&self, construct: C) -> Region {
        let region = construct.define(&self.place);
        let handle = region.map_or(LEFT_OUT, |region| region.0);
        // Two threads that come here at once define the same region.
        if let Some(known) = self.regions.get(construct.number()) {
            known.store(handle, Relaxed);
        }
        region.unwrap_or_default()
    }
}

impl<C: SiteConstruct> CallSites<C> {
    pub(super) const fn new() -> Self {
        let nowhere = CallSite::new(SourcePlace::unknown(String::new()));
        Self { table: AddressTable::new(), nowhere }
    }

    /// Returns the place of the instruction before a return address, which is looked up if it is
    /// new. Null is an unknown place. The thread must be inside the runtime.
    #[inline]
    pub(super) fn at(&'static self, address: usize) -> &'static CallSite<C> {
        self.known(address).unwrap_or_else(|| self.find(address))
    }

    /// Returns the place of the instruction before a return address, if it was looked up before.
    #[inline]
    pub(super) fn known(&self, address: usize) -> Option<&'static CallSite<C>> {
        match self.table.get(address) {
            UNKNOWN => None,
            // SAFETY: a result of `find`, which is never freed.
            known => Some(unsafe { &*(known as *const CallSite<C>) }),
        }
    }

    #[cold]
    fn find(&'static self, address: usize) -> &'static CallSite<C> {
        // In a handler of a signal that interrupted the allocator nothing can be looked up.
        if address == 0 || !may_allocate() {
            return &self.nowhere;
        }
        let look_up = || {
            // Symbols come from files of any origin, so a panic must be caught.
            let place = panic::catch_unwind(|| SourcePlace::of(address)).ok();
            let site = |place| ptr::from_ref(Box::leak(Box::new(CallSite::<C>::new(place))));
            place.map_or(UNKNOWN, |place| site(place).addr() as u64)
        };
        match uncancelled(|| self.table.get_or_insert(address, look_up)) {
            UNKNOWN => &self.nowhere,
            // SAFETY: made above, and never freed.
            known => unsafe { &*(known as *const CallSite<C>) },
        }
    }

    /// Keeps places from being added, as while the process forks.
    pub(super) fn hold(&self) -> MutexGuard<'_, usize> {
        self.table.hold()
    }

    /// Forgets all addresses: other code may be there.
    pub(super) fn forget(&self) {
        self.table.forget(|| {});
    }
}
