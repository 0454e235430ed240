//! The regions of OpenMP's constructs at their places in the program.

use std::sync::MutexGuard;

use kymo_substrate::bindings::*;

use super::communicators::define_paradigm;
use super::target::define_target_paradigm;
use crate::adapters::call_sites::{CallSite, CallSites, SiteConstruct, SourcePlace};
use crate::host::host;
use crate::measurement::{self, Region};

/// The source files of regions without one, as in Score-P.
pub(super) const FILE: &[u8] = b"OMP";
const TARGET_FILE: &[u8] = b"OMP_TARGET";

// The constructs: the variant, the name of the region, and its kind.
//
// Input:
//     Parallel "!$omp parallel" SCOREP_REGION_PARALLEL;
// Expansion:
//     enum Construct { Parallel }
//     impl Construct { fn name(self) -> &'static str; fn kind(self) -> u32 }
macro_rules! constructs {
    ($($construct:ident $name:literal $kind:ident;)*) => {
        /// The constructs that have a region.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(super) enum Construct {
            $($construct,)*
        }

        impl Construct {
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
    Target "!$omp target" SCOREP_REGION_TASK_WAIT;
    TargetSubmit "!$omp target submit" SCOREP_REGION_KERNEL_LAUNCH;
    TargetAllocation "!$omp target alloc" SCOREP_REGION_ALLOCATE;
    TargetRelease "!$omp target free" SCOREP_REGION_DEALLOCATE;
    TargetTransfer "!$omp target data op" SCOREP_REGION_DATA_TRANSFER;
}

/// A place of constructs.
pub(super) type Site = CallSite<Construct>;

static SITES: CallSites<Construct> = CallSites::new();

/// Returns the place of the instruction before a return address. Null is an unknown place.
#[inline]
pub(super) fn site_at(address: usize) -> &'static Site {
    SITES.at(address)
}

/// How the names of LLVM's and Intel's runtimes begin.
const RUNTIMES: [&str; 4] = ["libomp.so", "libomp5", "libomp-", "libiomp5"];

/// Returns whether a construct is one of the runtime itself: LLVM's has a team of its own for tasks
/// of target constructs.
pub(super) fn is_of_runtime(site: &Site) -> bool {
    let module = &site.place().module;
    RUNTIMES.iter().any(|begin| module.starts_with(begin))
}

impl Construct {
    fn is_of_target(self) -> bool {
        matches!(
            self,
            Self::Target
                | Self::TargetSubmit
                | Self::TargetAllocation
                | Self::TargetRelease
                | Self::TargetTransfer
        )
    }
}

impl SiteConstruct for Construct {
    fn number(self) -> usize {
        self as usize
    }

    fn define(self, place: &SourcePlace) -> Option<Region> {
        let name = format!("{}{}", self.name(), place.suffix);
        let file = place.file.as_ref().map(|file| file.as_bytes());
        let region = match self.is_of_target() {
            true => define_target_region(name.as_bytes(), file, place.line, self.kind()),
            false => define_region(name.as_bytes(), file.unwrap_or(FILE), place.line, self.kind()),
        };
        Some(region)
    }
}

/// Defines a region, and the paradigm, which a program without any team needs as well.
pub(super) fn define_region(name: &[u8], file: &[u8], line: u32, kind: u32) -> Region {
    if let Some(host) = host() {
        define_paradigm(host);
    }
    measurement::define_region(name, name, Some(file), line, 0, SCOREP_PARADIGM_OPENMP, kind)
}

/// Defines a region of a device's use, and its paradigm.
fn define_target_region(name: &[u8], file: Option<&[u8]>, line: u32, kind: u32) -> Region {
    if let Some(host) = host() {
        define_target_paradigm(host);
    }
    let file = file.or(Some(TARGET_FILE));
    measurement::define_region(name, name, file, line, 0, SCOREP_PARADIGM_OPENMP_TARGET, kind)
}

pub(super) fn hold() -> MutexGuard<'static, usize> {
    SITES.hold()
}

/// Forgets all addresses: other code may be there.
pub(super) fn forget() {
    SITES.forget();
}
