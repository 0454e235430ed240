//! The places of constructs in the program, by return address, and the regions of the constructs
//! there.
//!
//! The name, file and line of an address are looked up when it is first seen. A region is defined
//! when its construct is first executed there. Invariant: both are found without a lock from then
//! on.

use std::panic;
use std::path::Path;
use std::sync::MutexGuard;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use kymo_substrate::bindings::*;
use kymo_symbols::{FunctionFrame, Symbols};

use super::communicators::define_paradigm;
use crate::address_table::{AddressTable, UNKNOWN};
use crate::cancellation::uncancelled;
use crate::host::host;
use crate::libraries;
use crate::measurement::{self, Region};
use crate::processes::may_allocate;

/// The source file of a region without one, as in Score-P.
pub(super) const FILE: &[u8] = b"OMP";

// The constructs: the variant, the name of the region, and its kind.
//
// Input:
//     Parallel "!$omp parallel" SCOREP_REGION_PARALLEL;
// Expansion:
//     enum Construct { Parallel }
//     impl Construct { const COUNT: usize; fn name(self) -> &'static str; fn kind(self) -> u32 }
macro_rules! constructs {
    ($($construct:ident $name:literal $kind:ident;)*) => {
        /// The constructs that have a region.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(super) enum Construct {
            $($construct,)*
        }

        impl Construct {
            const COUNT: usize = [$($name),*].len();

            fn name(self) -> &'static str {
                match self {
                    $(Self::$construct => $name,)*
                }
            }

            /// Returns the type of the region.
            pub(super) fn kind(self) -> u32 {
                match self {
                    $(Self::$construct => $kind,)*
                }
            }
        }
    };
}

constructs! {
    Parallel "!$omp parallel" SCOREP_REGION_PARALLEL;
    Teams "!$omp teams" SCOREP_REGION_PARALLEL;
    ImplicitBarrier "!$omp implicit barrier" SCOREP_REGION_IMPLICIT_BARRIER;
    Barrier "!$omp barrier" SCOREP_REGION_BARRIER;
    Taskwait "!$omp taskwait" SCOREP_REGION_TASK_WAIT;
    Taskgroup "!$omp taskgroup" SCOREP_REGION_TASK_WAIT;
    Loop "!$omp for/do" SCOREP_REGION_LOOP;
    Sections "!$omp sections" SCOREP_REGION_SECTIONS;
    Section "!$omp section" SCOREP_REGION_SECTION;
    Workshare "!$omp workshare" SCOREP_REGION_WORKSHARE;
    Single "!$omp single" SCOREP_REGION_SINGLE;
    SingleBlock "!$omp single sblock" SCOREP_REGION_SINGLE_SBLOCK;
    Masked "!$omp masked" SCOREP_REGION_MASTER;
    Critical "!$omp critical" SCOREP_REGION_CRITICAL;
    CriticalBlock "!$omp critical sblock" SCOREP_REGION_CRITICAL_SBLOCK;
    Ordered "!$omp ordered" SCOREP_REGION_ORDERED;
    OrderedBlock "!$omp ordered sblock" SCOREP_REGION_ORDERED_SBLOCK;
    CreateTask "!$omp create task" SCOREP_REGION_TASK_CREATE;
    Task "!$omp task" SCOREP_REGION_TASK;
    UntiedTask "!$omp task untied" SCOREP_REGION_TASK_UNTIED;
    Flush "!$omp flush" SCOREP_REGION_FLUSH;
}

/// A place in the program.
#[derive(Debug)]
pub(super) struct Site {
    /// What the names of regions end with.
    suffix: String,
    file: Option<String>,
    line: u32,
    /// The handles by construct; 0 for those that are not defined.
    regions: [AtomicU32; Construct::COUNT],
}

static TABLE: AddressTable = AddressTable::new();

impl Site {
    const fn new(suffix: String, file: Option<String>, line: u32) -> Self {
        Self { suffix, file, line, regions: [const { AtomicU32::new(0) }; Construct::COUNT] }
    }

    /// Returns the place of the instruction before a return address. Null is an unknown place.
    #[inline]
    pub(super) fn of(address: usize) -> &'static Self {
        match TABLE.get(address) {
            UNKNOWN => Self::find(address),
            // SAFETY: a result of `Self::look_up`, which is never freed.
            known => unsafe { &*(known as *const Self) },
        }
    }

    #[cold]
    fn find(address: usize) -> &'static Self {
        static NOWHERE: Site = Site::new(String::new(), None, 0);
        // In a handler of a signal that interrupted the allocator nothing can be looked up.
        if address == 0 || !may_allocate() {
            return &NOWHERE;
        }
        let look_up = || {
            // Symbols come from files of any origin, so a panic must be caught.
            let site = panic::catch_unwind(|| Self::look_up(address)).ok();
            site.map_or(UNKNOWN, |site| std::ptr::from_ref(Box::leak(Box::new(site))).addr() as u64)
        };
        match uncancelled(|| TABLE.get_or_insert(address, look_up)) {
            UNKNOWN => &NOWHERE,
            // SAFETY: made above, and never freed.
            known => unsafe { &*(known as *const Self) },
        }
    }

    fn look_up(address: usize) -> Self {
        let mut symbols = libraries::symbols();
        let symbols = symbols.get_or_insert_default();
        // The call is the instruction that ends where it returns to.
        let Some(found) = symbols.instruction(address as u64 - 1) else {
            return Self::new(format!(" @{address:#x}"), None, 0);
        };
        let frame = found.frames.into_iter().find(has_line);
        let frame = frame.map(|frame| before_head(symbols, address as u64, frame));
        match frame.and_then(|frame| Some((frame.file?, frame.line))) {
            Some((file, line)) => {
                let short = Path::new(&file).file_name().unwrap_or_default().display();
                Self::new(format!(" @{short}:{line}"), Some(file), line)
            }
            None => {
                let module = Path::new(found.module.file_name().unwrap_or_default()).display();
                Self::new(format!(" @{module}+{:#x}", found.offset + 1), None, 0)
            }
        }
    }

    /// Returns the region of a construct here.
    #[inline]
    pub(super) fn region(&self, construct: Construct) -> Region {
        match self.regions.get(construct as usize).map_or(0, |region| region.load(Relaxed)) {
            0 => self.define(construct),
            known => Region(known),
        }
    }

    #[cold]
    fn define(&self, construct: Construct) -> Region {
        let name = format!("{}{}", construct.name(), self.suffix);
        let file = self.file.as_ref().map_or(FILE, |file| file.as_bytes());
        let region = define_region(name.as_bytes(), file, self.line, construct.kind());
        // Two threads that come here at once define the same region.
        self.regions.get(construct as usize).into_iter().for_each(|it| it.store(region.0, Relaxed));
        region
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

/// Defines a region, and the paradigm, which a program without any team needs as well.
pub(super) fn define_region(name: &[u8], file: &[u8], line: u32, kind: u32) -> Region {
    host().into_iter().for_each(define_paradigm);
    measurement::define_region(name, name, Some(file), line, 0, SCOREP_PARADIGM_OPENMP, kind)
}

pub(super) fn hold() -> MutexGuard<'static, usize> {
    TABLE.hold()
}

/// Forgets all addresses: other code may be there.
pub(super) fn forget() {
    TABLE.forget(|| {});
}
