//! Memory events (59 to 61) and the enters and leaves of allocation functions.
//!
//! Score-P's own tracing receives sizes and addresses as attributes of enter and leave, but a
//! plugin only as TRACK events between them. Their values are written as these attributes, and
//! attributes without a value are left out (docs/spec/scorep-to-otf2.md, §4.3).

use kymo_otf2::attributes::Attribute;
use kymo_recorder::{FewAttributes, RegionEntry};
use kymo_substrate::{Location, Timestamp};

use crate::{
    definitions::{
        MemoryRegion,
        attribute::{ALLOCATION_SIZE, ARGUMENT_ADDRESS, DEALLOCATION_SIZE, RESULT_ADDRESS},
    },
    events::Sink,
};

impl Sink {
    pub(super) fn track_alloc(
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

    pub(super) fn track_realloc(
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

    /// Adds the address to the enter of a function that frees memory, and the size to its leave. A
    /// reallocation to nothing also has its new size of 0, and a sized operator also has the size
    /// at its enter.
    pub(super) fn track_free(
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

    /// Enters an allocation function, whose attributes are added later.
    pub(super) fn enter_memory(
        &self,
        at: Location,
        time: Timestamp,
        entry: RegionEntry,
        region: MemoryRegion,
    ) {
        // In a function of MPI, records of windows are written before its attributes are known.
        let is_long = region.is_mpi();
        self.at(at, time, |location| location.enter_amendable(time, entry, region.0, is_long));
    }

    /// Leaves an allocation function. Without a TRACK event its result is known to be zero: no
    /// bytes were freed, or no address was returned.
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
