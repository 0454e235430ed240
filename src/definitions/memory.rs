//! The regions of functions that allocate and free memory.

use kymo_substrate::{Host, ParadigmType, RegionHandle, RegionType};

/// The kind of an allocation function, with flags. It is never 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MemoryRegion(pub(crate) u32);

impl MemoryRegion {
    pub(crate) const ALLOCATE: Self = Self(1);
    pub(crate) const DEALLOCATE: Self = Self(2);
    pub(crate) const REALLOCATE: Self = Self(3);

    const KIND: u32 = 3;
    const SIZED: u32 = 4;
    const MPI: u32 = 8;

    /// The kind of the region's function, if it is an allocation function. The region must have
    /// been announced.
    pub(super) fn of(region: RegionHandle, host: &Host) -> Option<Self> {
        let kind = match host.region_type(region) {
            RegionType::ALLOCATE => Self::ALLOCATE,
            RegionType::DEALLOCATE => Self::DEALLOCATE,
            RegionType::REALLOCATE => Self::REALLOCATE,
            _ => return None,
        };
        let paradigm = match host.region_paradigm(region) {
            ParadigmType::MEMORY => 0,
            ParadigmType::MPI => Self::MPI,
            _ => return None,
        };
        // `operator delete(void*,size_t)` and its variants.
        let sized = host.region_name(region).is_some_and(|name| name.to_bytes().ends_with(b",size_t)"));
        Some(Self(kind.0 | paradigm | if sized { Self::SIZED } else { 0 }))
    }

    /// The kind without flags: one of the three constants.
    pub(crate) fn kind(self) -> Self {
        Self(self.0 & Self::KIND)
    }

    /// Whether the function frees memory and receives its size.
    pub(crate) fn is_sized(self) -> bool {
        self.0 & Self::SIZED != 0
    }

    /// Whether it is a function of MPI, whose memory recording reports only sizes.
    pub(crate) fn is_mpi(self) -> bool {
        self.0 & Self::MPI != 0
    }
}
