//! The fields of definitions: their types and offsets, and arrays of them.

use core::fmt;
use core::marker::PhantomData;

use super::Generation;
use super::kinds::*;
use super::memory::{DefinitionBytes, Memory};
use crate::handles::*;
use crate::kinds::*;

/// The size of the header of every definition except paradigms and I/O paradigms
/// (docs/spec/scorep-substrate-abi.md, §14.2).
pub(super) const HEADER: usize = 20;
pub(super) const UNIFIED: usize = 4;
pub(super) const SEQUENCE_NUMBER: usize = 16;

/// A handle of one kind.
pub trait Handle: Copy + PartialEq + fmt::Debug {
    /// Creates a handle from its number.
    ///
    /// # Safety
    ///
    /// `raw` is 0 or the handle of a definition of this kind in the host of this process.
    #[doc(hidden)]
    unsafe fn from_raw(raw: u32) -> Self;

    #[doc(hidden)]
    fn raw(self) -> u32;
}

/// A handle of a kind whose definitions have a header with their number: all except paradigms and
/// I/O paradigms.
pub trait Numbered: Handle {
    /// The kind of handle of the definition that unification makes from it.
    type Unified: Handle;
}

macro_rules! numbered {
    ($($handle:ident)*) => { $(impl Numbered for $handle { type Unified = Self; })* };
}

numbered! {
    CallingContextHandle GroupHandle InterruptGeneratorHandle LocationHandle LocationGroupHandle LocationPropertyHandle
    MetricHandle ParameterHandle RegionHandle RmaWindowHandle SamplingSetHandle SamplingSetRecorderHandle
    SourceCodeLocationHandle SourceFileHandle StringHandle SystemTreeNodeHandle SystemTreeNodePropertyHandle
    CartesianTopologyHandle CartesianCoordsHandle IoFileHandle IoFilePropertyHandle IoHandleHandle CommunicatorHandle
}

impl Numbered for InterimCommunicatorHandle {
    type Unified = CommunicatorHandle;
}

/// The offsets of a field by generation, with `None` where it does not exist.
#[derive(Clone, Copy, Debug)]
pub(super) struct FieldOffsets {
    pub(super) up_to_7: Option<usize>,
    pub(super) from_8: Option<usize>,
}

impl FieldOffsets {
    /// The offset in a generation. While the generation is unknown, only an offset that is equal in
    /// both is returned.
    pub(super) fn of(self, generation: Generation) -> Option<usize> {
        match generation {
            Generation::UpTo7 => self.up_to_7,
            Generation::From8 => self.from_8,
            Generation::Unknown => self.up_to_7.filter(|_| self.up_to_7 == self.from_8),
        }
    }

    /// The size in a generation. While the generation is unknown, the size of the shorter
    /// definition.
    pub(super) fn least(self, generation: Generation) -> Option<usize> {
        self.of(generation).or(self.up_to_7)
    }
}

/// A type that a field can have.
pub trait Field: Sized {
    /// The size in bytes.
    #[doc(hidden)]
    const SIZE: usize;

    /// The value at `offset`, or `None` if there is no such field or the bytes are not a valid
    /// value.
    #[doc(hidden)]
    #[allow(private_interfaces)]
    fn read(record: &DefinitionBytes<'_>, offset: Option<usize>) -> Option<Self>;
}

/// A field that some generations lack.
impl<T: Field> Field for Option<T> {
    const SIZE: usize = T::SIZE;

    #[allow(private_interfaces)]
    fn read(record: &DefinitionBytes<'_>, offset: Option<usize>) -> Option<Self> {
        match offset {
            None => Some(None),
            offset => T::read(record, offset).map(Some),
        }
    }
}

/// Implements [`Field`] with the size and the value at an offset.
macro_rules! fields {
    ($($field:ty: $size:literal, |$record:ident, $offset:ident| $read:expr;)*) => {$(
        impl Field for $field {
            const SIZE: usize = $size;

            #[allow(private_interfaces)]
            fn read($record: &DefinitionBytes<'_>, offset: Option<usize>) -> Option<Self> {
                let $offset = offset?;
                $read
            }
        }
    )*};
}

fields! {
    u32: 4, |record, offset| record.u32(offset);
    u64: 8, |record, offset| record.u64(offset);
    i64: 8, |record, offset| record.u64(offset).map(u64::cast_signed);
    u8: 1, |record, offset| record.u8(offset);
    bool: 1, |record, offset| match record.u8(offset)? {
        0 => Some(false),
        1 => Some(true),
        _ => None,
    };
    AnyCommunicator: 4, |record, offset| AnyCommunicator::of(record, offset);
    Dimension: 12, |record, offset| Some(Dimension {
        size: record.u32(offset)?,
        is_periodic: bool::read(record, Some(offset + 4))?,
        name: record.handle(offset + 8)?,
    });
}

macro_rules! handle_fields {
    ($($handle:ident)*) => { fields! { $($handle: 4, |record, offset| record.handle(offset);)* } };
}

handle_fields! {
    CallingContextHandle GroupHandle InterimCommunicatorHandle LocationHandle LocationGroupHandle MetricHandle
    RegionHandle RmaWindowHandle SamplingSetHandle SamplingSetRecorderHandle SourceCodeLocationHandle StringHandle
    SystemTreeNodeHandle SystemTreeNodePropertyHandle CartesianTopologyHandle IoFileHandle IoFilePropertyHandle
    IoHandleHandle CommunicatorHandle
}

macro_rules! kind_fields {
    ($($kind:ident)*) => { fields! { $($kind: 4, |record, offset| record.u32(offset).map($kind);)* } };
}

kind_fields! {
    RegionType ParadigmType ParadigmClass ParameterType LocationType MetricSourceType MetricMode MetricValueType
    MetricBase MetricProfilingType MetricOccurrence MetricScope SamplingSetClass IoParadigmType IoAccessMode IoStatusFlags
    CommunicatorFlags RmaWindowFlags GroupType IoHandleFlags SystemTreeDomains LocationGroupType InterruptGeneratorMode
    TopologyType ParadigmFlags IoParadigmClass IoParadigmFlags
}

/// The communicator of a window, an I/O handle or a topology. Unification replaces the interim
/// communicator with the final one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AnyCommunicator {
    /// No communicator.
    None,
    /// An interim communicator, before unification.
    Interim(InterimCommunicatorHandle),
    /// A final communicator, after unification: at `write_data`.
    Final(CommunicatorHandle),
}

impl AnyCommunicator {
    /// Reads the communicator. It is a final one if the definition that refers to it has been
    /// unified, because both are unified at the same time.
    fn of(record: &DefinitionBytes<'_>, offset: usize) -> Option<Self> {
        match (record.u32(offset)?, record.u32(UNIFIED)?) {
            (0, _) => Some(Self::None),
            (_, 0) => record.handle(offset).map(Self::Interim),
            _ => record.handle(offset).map(Self::Final),
        }
    }
}

/// A dimension of a Cartesian topology.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dimension {
    /// The number of positions.
    pub size: u32,
    /// Whether the last position is adjacent to the first.
    pub is_periodic: bool,
    /// The name.
    pub name: StringHandle,
}

/// An array at the end of a definition.
#[derive(Clone, Copy, Debug)]
pub struct List<'a, T> {
    record: DefinitionBytes<'a>,
    start: usize,
    length: usize,
    field: PhantomData<T>,
}

impl<'a, T: Field> List<'a, T> {
    /// Returns `length` fields from `start` on, or `None` if known memory ends before them.
    pub(super) fn of(memory: &'a Memory, handle: u32, start: usize, length: u64) -> Option<Self> {
        let length = usize::try_from(length).ok()?;
        let size = length.checked_mul(T::SIZE)?.checked_add(start)?;
        Some(Self { record: memory.record(handle, size)?, start, length, field: PhantomData })
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether the list has no elements.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The element at `index`, or `None` past the end or if the bytes are not a valid element.
    pub fn get(&self, index: usize) -> Option<T> {
        let offset = self.start + index.checked_mul(T::SIZE)?;
        (index < self.length).then(|| T::read(&self.record, Some(offset)))?
    }

    /// The elements in order, up to the first one that is not valid.
    pub fn iter(self) -> impl Iterator<Item = T> + 'a
    where
        T: 'a,
    {
        (0..self.length).map_while(move |index| self.get(index))
    }
}
