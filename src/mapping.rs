//! Converts Score-P's enumerations and flag sets to OTF2's: docs/spec/scorep-to-otf2.md, §2.1 to
//! §2.3.
//!
//! Several lists are permuted or shifted, so each of those has a table that is indexed by Score-P's
//! value. A value that no release defines becomes UNKNOWN or NONE if OTF2 has such a member, and
//! otherwise all ones, which OTF2 readers show as unknown. Undefined bits of flag sets are dropped.
//! No conversion can fail, whatever the program passes.

use kymo_otf2::{
    enums::{
        Base, CollectiveOp, InterruptGeneratorMode, IoAccessMode, IoOperationMode, IoParadigmClass,
        IoSeekOption, LocationType, LockType, MetricMode, MetricOccurrence, MetricType, Paradigm,
        ParadigmClass, ParameterType, RecorderKind, RegionRole, RmaAtomicType, RmaSyncType, Type,
    },
    flags::{
        CommFlag, IoCreationFlag, IoHandleFlag, IoOperationFlag, IoStatusFlag, RegionFlag, RmaSyncLevel,
        RmaWinFlag,
    },
};
use kymo_substrate as scorep;
use kymo_substrate::arena;

/// Returns the entry of `table` for a value of Score-P.
#[inline]
fn entry<T: Copy>(table: &[T], value: u32, unknown: T) -> T {
    table.get(value as usize).copied().unwrap_or(unknown)
}

/// Returns the value if it is below `count`, and 0xff otherwise. For lists that OTF2 numbers like
/// Score-P.
#[inline]
fn same(value: u32, count: u32) -> u8 {
    if value < count { value as u8 } else { u8::MAX }
}

pub(crate) fn region_role(region_type: scorep::RegionType) -> RegionRole {
    type R = RegionRole;
    const ROLES: [RegionRole; 48] = [
        R::UNKNOWN,
        R::FUNCTION,
        R::LOOP,
        R::FUNCTION, // USER
        R::CODE,
        R::CODE,     // PHASE
        R::CODE,     // DYNAMIC
        R::CODE,     // DYNAMIC_PHASE
        R::LOOP,     // DYNAMIC_LOOP
        R::FUNCTION, // DYNAMIC_FUNCTION
        R::LOOP,     // DYNAMIC_LOOP_PHASE
        R::COLL_ONE2ALL,
        R::COLL_ALL2ONE,
        R::COLL_ALL2ALL,
        R::COLL_OTHER,
        R::POINT2POINT,
        R::PARALLEL,
        R::SECTIONS,
        R::SECTION,
        R::WORKSHARE,
        R::SINGLE,
        R::MASTER,
        R::CRITICAL,
        R::ATOMIC,
        R::BARRIER,
        R::IMPLICIT_BARRIER,
        R::FLUSH,
        R::CRITICAL_SBLOCK,
        R::SINGLE_SBLOCK,
        R::WRAPPER,
        R::TASK,
        R::TASK_UNTIED,
        R::TASK_WAIT,
        R::TASK_CREATE,
        R::ORDERED,
        R::ORDERED_SBLOCK,
        R::ARTIFICIAL,
        R::RMA,
        R::THREAD_CREATE,
        R::THREAD_WAIT,
        R::ALLOCATE,
        R::DEALLOCATE,
        R::REALLOCATE,
        R::FILE_IO,
        R::FILE_IO_METADATA,
        R::WRAPPER,  // KERNEL_LAUNCH
        R::FUNCTION, // KERNEL
        R::DATA_TRANSFER,
    ];
    entry(&ROLES, region_type.0, R::UNKNOWN)
}

pub(crate) fn region_flags(region_type: scorep::RegionType) -> RegionFlag {
    match region_type.0 {
        5 => RegionFlag::PHASE,
        7 | 10 => RegionFlag::DYNAMIC | RegionFlag::PHASE,
        6 | 8 | 9 => RegionFlag::DYNAMIC,
        _ => RegionFlag::empty(),
    }
}

#[inline]
pub(crate) fn paradigm(paradigm: scorep::ParadigmType) -> Paradigm {
    type P = Paradigm;
    const PARADIGMS: [Paradigm; 18] = [
        P::MEASUREMENT_SYSTEM,
        P::USER,
        P::COMPILER,
        P::SAMPLING,
        P::NONE, // MEMORY
        P::NONE, // LIBWRAP
        P::MPI,
        P::SHMEM,
        P::OPENMP,
        P::PTHREAD,
        P::UNKNOWN, // ORPHAN_THREAD
        P::CUDA,
        P::OPENCL,
        P::OPENACC,
        P::NONE, // IO
        P::KOKKOS,
        P::HIP,
        Paradigm(25), // OPENMP_TARGET, defined by OTF2 3.1
    ];
    entry(&PARADIGMS, paradigm.0, P::UNKNOWN)
}

pub(crate) fn paradigm_class(class: scorep::ParadigmClass) -> ParadigmClass {
    ParadigmClass(same(class.0, 4))
}

pub(crate) fn location_type(location_type: scorep::LocationType) -> LocationType {
    const TYPES: [LocationType; 3] =
        [LocationType::CPU_THREAD, LocationType::ACCELERATOR_STREAM, LocationType::METRIC];
    entry(&TYPES, location_type.0, LocationType::UNKNOWN)
}

#[inline]
pub(crate) fn collective_op(collective: scorep::CollectiveType) -> CollectiveOp {
    match collective.0 {
        14 => CollectiveOp::REDUCE_SCATTER_BLOCK,
        15 => CollectiveOp::SCAN,
        16 => CollectiveOp::EXSCAN,
        value => CollectiveOp(same(value, 23)),
    }
}

pub(crate) fn lock_type(lock: scorep::LockType) -> LockType {
    LockType(same(lock.0, 2))
}

pub(crate) fn rma_sync_type(sync: scorep::RmaSyncType) -> RmaSyncType {
    RmaSyncType(same(sync.0, 3))
}

pub(crate) fn rma_sync_level(level: scorep::RmaSyncLevel) -> RmaSyncLevel {
    RmaSyncLevel::from_bits_truncate(level.0)
}

/// ADD (7) has no counterpart. Of OTF2's operations, ACCUMULATE is the one that adds without
/// returning a value.
pub(crate) fn rma_atomic_type(atomic: scorep::RmaAtomicType) -> RmaAtomicType {
    match atomic.0 {
        7 => RmaAtomicType::ACCUMULATE,
        8 => RmaAtomicType::FETCH_AND_ACCUMULATE,
        value => RmaAtomicType(same(value, 7)),
    }
}

/// NONE (0) has no counterpart and becomes a value that readers show as unknown.
pub(crate) fn io_access_mode(mode: scorep::IoAccessMode) -> IoAccessMode {
    IoAccessMode(same(mode.0.wrapping_sub(1), 5))
}

pub(crate) fn io_creation_flags(flags: scorep::IoCreationFlags) -> IoCreationFlag {
    IoCreationFlag::from_bits_truncate(flags.0)
}

pub(crate) fn io_status_flags(flags: scorep::IoStatusFlags) -> IoStatusFlag {
    IoStatusFlag::from_bits_truncate(flags.0)
}

pub(crate) fn io_operation_mode(mode: scorep::IoOperationMode) -> IoOperationMode {
    IoOperationMode(same(mode.0, 3))
}

pub(crate) fn io_operation_flags(flags: scorep::IoOperationFlags) -> IoOperationFlag {
    IoOperationFlag::from_bits_truncate(flags.0)
}

pub(crate) fn io_seek_option(option: scorep::IoSeekOption) -> IoSeekOption {
    IoSeekOption(same(option.0, 5))
}

pub(crate) fn io_handle_flags(flags: arena::IoHandleFlags) -> IoHandleFlag {
    IoHandleFlag::from_bits_truncate(flags.0)
}

pub(crate) fn io_paradigm_class(class: arena::IoParadigmClass) -> IoParadigmClass {
    IoParadigmClass(same(class.0, 2))
}

pub(crate) fn comm_flags(flags: scorep::CommunicatorFlags) -> CommFlag {
    CommFlag::from_bits_truncate(flags.0)
}

pub(crate) fn rma_win_flags(flags: scorep::RmaWindowFlags) -> RmaWinFlag {
    RmaWinFlag::from_bits_truncate(flags.0)
}

pub(crate) fn interrupt_generator_mode(mode: arena::InterruptGeneratorMode) -> InterruptGeneratorMode {
    InterruptGeneratorMode(same(mode.0, 2))
}

pub(crate) fn metric_mode(mode: scorep::MetricMode) -> MetricMode {
    type M = MetricMode;
    const MODES: [MetricMode; 10] = [
        M::ACCUMULATED_START,
        M::ACCUMULATED_POINT,
        M::ACCUMULATED_LAST,
        M::ACCUMULATED_NEXT,
        M::ABSOLUTE_POINT,
        M::ABSOLUTE_LAST,
        M::ABSOLUTE_NEXT,
        M::RELATIVE_POINT,
        M::RELATIVE_LAST,
        M::RELATIVE_NEXT,
    ];
    entry(&MODES, mode.0, MetricMode(u8::MAX))
}

pub(crate) fn metric_value_type(value_type: scorep::MetricValueType) -> Type {
    const TYPES: [Type; 3] = [Type::INT64, Type::UINT64, Type::DOUBLE];
    entry(&TYPES, value_type.0, Type::UINT64)
}

pub(crate) fn metric_type(source: scorep::MetricSourceType) -> MetricType {
    const TYPES: [MetricType; 3] = [MetricType::PAPI, MetricType::RUSAGE, MetricType::USER];
    entry(&TYPES, source.0, MetricType::OTHER)
}

pub(crate) fn metric_base(base: scorep::MetricBase) -> Base {
    Base(same(base.0, 2))
}

pub(crate) fn metric_occurrence(occurrence: scorep::MetricOccurrence) -> MetricOccurrence {
    MetricOccurrence(same(occurrence.0, 3))
}

pub(crate) fn recorder_kind(class: scorep::SamplingSetClass) -> RecorderKind {
    const KINDS: [RecorderKind; 3] = [RecorderKind::ABSTRACT, RecorderKind::CPU, RecorderKind::GPU];
    entry(&KINDS, class.0, RecorderKind::UNKNOWN)
}

pub(crate) fn parameter_type(parameter: scorep::ParameterType) -> ParameterType {
    const TYPES: [ParameterType; 3] = [ParameterType::INT64, ParameterType::UINT64, ParameterType::STRING];
    entry(&TYPES, parameter.0, ParameterType(u8::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permuted_collectives_are_not_transmuted() {
        let of = |value| collective_op(scorep::CollectiveType(value));
        assert_eq!(of(14), CollectiveOp::REDUCE_SCATTER_BLOCK);
        assert_eq!(of(15), CollectiveOp::SCAN);
        assert_eq!(of(16), CollectiveOp::EXSCAN);
        assert_eq!(of(17), CollectiveOp::CREATE_HANDLE);
        assert_eq!(of(99), CollectiveOp(u8::MAX));
    }

    #[test]
    fn access_modes_are_shifted_by_one_and_none_is_unknown() {
        let of = |value| io_access_mode(scorep::IoAccessMode(value));
        assert_eq!(of(1), IoAccessMode::READ_ONLY);
        assert_eq!(of(5), IoAccessMode::SEARCH_ONLY);
        assert_eq!(of(0), IoAccessMode(u8::MAX));
    }

    #[test]
    fn the_atomic_add_becomes_accumulate() {
        let of = |value| rma_atomic_type(scorep::RmaAtomicType(value));
        assert_eq!(of(6), RmaAtomicType::FETCH_AND_INCREMENT);
        assert_eq!(of(7), RmaAtomicType::ACCUMULATE);
        assert_eq!(of(8), RmaAtomicType::FETCH_AND_ACCUMULATE);
    }

    #[test]
    fn undefined_values_become_unknown() {
        assert_eq!(region_role(scorep::RegionType(48)), RegionRole::UNKNOWN);
        assert_eq!(region_flags(scorep::RegionType(u32::MAX)), RegionFlag::empty());
        assert_eq!(paradigm(scorep::ParadigmType(18)), Paradigm::UNKNOWN);
        assert_eq!(location_type(scorep::LocationType(3)), LocationType::UNKNOWN);
        assert_eq!(metric_type(scorep::MetricSourceType(9)), MetricType::OTHER);
        assert_eq!(io_creation_flags(scorep::IoCreationFlags(1 << 31 | 1)), IoCreationFlag::CREATE);
        assert_eq!(comm_flags(scorep::CommunicatorFlags(6)), CommFlag::empty());
        assert_eq!(
            interrupt_generator_mode(arena::InterruptGeneratorMode(2)),
            InterruptGeneratorMode(u8::MAX)
        );
        assert_eq!(io_paradigm_class(arena::IoParadigmClass(256)), IoParadigmClass(u8::MAX));
    }
}
