//! Memory events (59 to 61) and the enters and leaves of allocation functions.
//!
//! Score-P's own tracing gets sizes and addresses as attributes, a plugin only as TRACK events between enter and leave. What
//! they tell is put where the attributes would be; what they do not tell is left out (`scorep-to-otf2`, §4.3).

use kymo_otf2::attributes::Attribute;
use kymo_recorder::{FewAttributes, RegionEntry};
use kymo_substrate::{Location, Timestamp};

use crate::{
    Kymo,
    definitions::{
        MemoryRegion,
        attribute::{ALLOCATION_SIZE, ARGUMENT_ADDRESS, DEALLOCATION_SIZE, RESULT_ADDRESS},
    },
};

impl Kymo {
    pub(crate) fn track_alloc(
        &self,
        at: Location,
        time: Timestamp,
        address: u64,
        bytes: usize,
        _metric_bytes: usize,
        _process_bytes: usize,
    ) {
        let size = Attribute::new(ALLOCATION_SIZE, bytes as u64);
        let result = Attribute::new(RESULT_ADDRESS, address);
        self.amend(at, time, |region| match region.is_mpi() {
            true => (FewAttributes::one(size), FewAttributes::NONE),
            false => (FewAttributes::one(size), FewAttributes::one(result)),
        });
    }

    pub(crate) fn track_realloc(
        &self,
        at: Location,
        time: Timestamp,
        old_address: u64,
        old_bytes: usize,
        new_address: u64,
        new_bytes: usize,
        _metric_bytes: usize,
        _process_bytes: usize,
    ) {
        let argument = Attribute::new(ARGUMENT_ADDRESS, old_address);
        let result = Attribute::new(RESULT_ADDRESS, new_address);
        self.amend(at, time, |_| {
            let enter = FewAttributes::two(Attribute::new(ALLOCATION_SIZE, new_bytes as u64), argument);
            (enter, FewAttributes::two(Attribute::new(DEALLOCATION_SIZE, old_bytes as u64), result))
        });
    }

    /// A function that frees says the address; one that reallocates to nothing also says that; sized operators say the size.
    pub(crate) fn track_free(
        &self,
        at: Location,
        time: Timestamp,
        address: u64,
        bytes: usize,
        _metric_bytes: usize,
        _process_bytes: usize,
    ) {
        let argument = Attribute::new(ARGUMENT_ADDRESS, address);
        let size = Attribute::new(DEALLOCATION_SIZE, bytes as u64);
        self.amend(at, time, |region| {
            let enter = match region.kind() {
                _ if region.is_mpi() => FewAttributes::NONE,
                MemoryRegion::REALLOCATE => {
                    FewAttributes::two(Attribute::new(ALLOCATION_SIZE, 0_u64), argument)
                }
                _ if region.is_sized() => FewAttributes::two(argument, size),
                _ => FewAttributes::one(argument),
            };
            (enter, FewAttributes::one(size))
        });
    }

    /// Adds attributes to the allocation function that the location is in.
    fn amend(
        &self,
        at: Location,
        time: Timestamp,
        attributes: impl FnOnce(MemoryRegion) -> (FewAttributes, FewAttributes),
    ) {
        self.at(at, time, |location| {
            if let Some(tag) = location.amendable() {
                let (enter, leave) = attributes(MemoryRegion(tag));
                location.amend(enter, leave);
            }
        });
    }

    /// Enters an allocation function, whose attributes follow.
    pub(super) fn enter_memory(
        &self,
        at: Location,
        time: Timestamp,
        entry: RegionEntry,
        region: MemoryRegion,
    ) {
        // Records of windows come before what it was asked for.
        let is_long = region.is_mpi();
        self.at(at, time, |location| location.enter_amendable(time, entry, region.0, is_long));
    }

    /// Leaves an allocation function. One that was tracked leaves with what the event told; of the others the result is known.
    pub(super) fn leave_memory(
        &self,
        at: Location,
        time: Timestamp,
        entry: RegionEntry,
        region: MemoryRegion,
    ) {
        let untracked = match region.kind() {
            _ if region.is_mpi() => FewAttributes::NONE,
            MemoryRegion::DEALLOCATE => FewAttributes::one(Attribute::new(DEALLOCATION_SIZE, 0_u64)),
            _ => FewAttributes::one(Attribute::new(RESULT_ADDRESS, 0_u64)),
        };
        self.at(at, time, |location| location.leave_amendable(time, entry, untracked));
    }
}
