//! The functions that have a region, in the order of Score-P, which defines all regions at the
//! beginning. Several names can have the region of one.

use std::sync::OnceLock;

use kymo_substrate::bindings::{
    SCOREP_PARADIGM_MEMORY, SCOREP_REGION_ALLOCATE, SCOREP_REGION_DEALLOCATE, SCOREP_REGION_REALLOCATE,
};

use crate::filtering;
use crate::measurement::{self, Region};

/// The source file that Score-P reports for these functions.
const FILE: &[u8] = b"MEMORY";

static REGIONS: OnceLock<[Region; Function::ALL.len()]> = OnceLock::new();

// The functions: the variant, its name, and the kind of region.
//
// Input:
//     Malloc "malloc" SCOREP_REGION_ALLOCATE;
// Expansion:
//     enum Function { Malloc }
//     impl Function { const ALL: [Self; 1]; fn properties(self) -> (&'static str, u32) }
macro_rules! functions {
    ($($function:ident $name:literal $kind:ident;)*) => {
        /// The functions that have a region.
        #[derive(Debug, Clone, Copy)]
        pub(super) enum Function {
            $($function,)*
        }

        impl Function {
            const ALL: [Self; [$($name),*].len()] = [$(Self::$function),*];

            fn properties(self) -> (&'static str, u32) {
                match self {
                    $(Self::$function => ($name, $kind),)*
                }
            }
        }
    };
}

functions! {
    Malloc "malloc" SCOREP_REGION_ALLOCATE;
    Realloc "realloc" SCOREP_REGION_REALLOCATE;
    Calloc "calloc" SCOREP_REGION_ALLOCATE;
    Free "free" SCOREP_REGION_DEALLOCATE;
    Memalign "memalign" SCOREP_REGION_ALLOCATE;
    PosixMemalign "posix_memalign" SCOREP_REGION_ALLOCATE;
    Valloc "valloc" SCOREP_REGION_ALLOCATE;
    AlignedAlloc "aligned_alloc" SCOREP_REGION_ALLOCATE;
    New "operator new(size_t)" SCOREP_REGION_ALLOCATE;
    Delete "operator delete(void*)" SCOREP_REGION_DEALLOCATE;
    DeleteSized "operator delete(void*,size_t)" SCOREP_REGION_DEALLOCATE;
    NewArray "operator new[](size_t)" SCOREP_REGION_ALLOCATE;
    DeleteArray "operator delete[](void*)" SCOREP_REGION_DEALLOCATE;
    DeleteArraySized "operator delete[](void*,size_t)" SCOREP_REGION_DEALLOCATE;
}

/// The descriptions and names of the attributes of Score-P. A plugin receives no definitions of
/// attributes; it knows that they are there by their names.
const ATTRIBUTES: [(&str, &str); 4] = [
    ("Size of memory to allocate", "ALLOCATION_SIZE"),
    ("Size of memory to deallocate", "DEALLOCATION_SIZE"),
    ("Address argument", "ARGUMENT_ADDRESS"),
    ("Result of allocation", "RESULT_ADDRESS"),
];

/// Defines the regions, of which those that a filter leaves out have none, and the attributes.
pub(super) fn define() {
    REGIONS.get_or_init(|| Function::ALL.map(Function::define));
    for (description, name) in ATTRIBUTES {
        measurement::define_string(description.as_bytes());
        measurement::define_string(name.as_bytes());
    }
}

impl Function {
    fn define(self) -> Region {
        let (name, kind) = self.properties();
        let name = name.as_bytes();
        if filtering::excludes(name, None, Some(FILE)) {
            return Region::default();
        }
        measurement::define_region(name, name, Some(FILE), 0, 0, SCOREP_PARADIGM_MEMORY, kind)
    }

    #[inline]
    pub(super) fn region(self) -> Region {
        REGIONS.get().and_then(|regions| regions.get(self as usize)).copied().unwrap_or_default()
    }
}
