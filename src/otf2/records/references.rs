//! References to definitions: one newtype per id space, so that ids of different spaces cannot be
//! mixed up.
//!
//! Ids are compressed 32-bit numbers, except for locations (64 bits) and I/O paradigms (one plain
//! byte). The undefined reference has all bits of its width set.

use super::enums::MappingType;
use std::fmt;

// Input:
//     /// An id in the space of Region.
//     RegionRef: u32, Region, Some(MappingType::REGION);
// Expansion: `pub struct RegionRef(pub u32)` with `UNDEFINED`, `SPACE`, `MAPPING` and `is_defined`;
// the enum `Space` of all id spaces.
macro_rules! define {
    ($($(#[$doc:meta])* $name:ident: $int:ty, $space:ident, $mapping:expr;)*) => {
        /// The id spaces. An id is unique within its space; ids of different spaces are unrelated.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[allow(missing_docs)]
        #[repr(u8)]
        pub enum Space {
            $($space,)*
        }

        impl Space {
            /// All id spaces, in the order of their numbers.
            pub const ALL: &'static [Space] = &[$(Space::$space),*];

            /// Returns the name of the space.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Space::$space => stringify!($space),)*
                }
            }

            /// Returns the mapping table for ids of this space in events.
            pub const fn mapping(self) -> Option<MappingType> {
                match self {
                    $(Space::$space => $mapping,)*
                }
            }
        }

        impl fmt::Display for Space {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.name())
            }
        }
        $(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[repr(transparent)]
        pub struct $name(pub $int);

        impl $name {
            /// The undefined reference.
            pub const UNDEFINED: $name = $name(<$int>::MAX);
            /// The id space.
            pub const SPACE: Space = Space::$space;
            /// The mapping table for ids of this space in events.
            pub const MAPPING: Option<MappingType> = $mapping;

            /// Returns whether this refers to a definition.
            #[inline]
            pub fn is_defined(self) -> bool {
                self != Self::UNDEFINED
            }
        }

        impl Default for $name {
            fn default() -> Self {
                Self::UNDEFINED
            }
        }
        )*
    };
}

/// Passes all references to a macro.
#[macro_export]
macro_rules! for_each_reference {
    ($macro:ident) => {
        $macro! {
            /// An id in the space of IoParadigm.
            IoParadigmRef: u8, IoParadigm, None;
            /// An id in the space of String.
            StringRef: u32, String, Some(MappingType::STRING);
            /// An id in the space of Attribute.
            AttributeRef: u32, Attribute, Some(MappingType::ATTRIBUTE);
            /// An id in the space of SystemTreeNode.
            SystemTreeNodeRef: u32, SystemTreeNode, None;
            /// An id in the space of LocationGroup.
            LocationGroupRef: u32, LocationGroup, Some(MappingType::LOCATION_GROUP);
            /// An id in the space of Location.
            LocationRef: u64, Location, Some(MappingType::LOCATION);
            /// An id in the space of Region.
            RegionRef: u32, Region, Some(MappingType::REGION);
            /// An id in the space of Callsite.
            CallsiteRef: u32, Callsite, None;
            /// An id in the space of Callpath.
            CallpathRef: u32, Callpath, None;
            /// An id in the space of Group.
            GroupRef: u32, Group, Some(MappingType::GROUP);
            /// An id in the space of MetricMember.
            MetricMemberRef: u32, MetricMember, None;
            /// An id in the space of Metric.
            MetricRef: u32, Metric, Some(MappingType::METRIC);
            /// An id in the space of Comm.
            CommRef: u32, Comm, Some(MappingType::COMM);
            /// An id in the space of Parameter.
            ParameterRef: u32, Parameter, Some(MappingType::PARAMETER);
            /// An id in the space of RmaWin.
            RmaWinRef: u32, RmaWin, Some(MappingType::RMA_WIN);
            /// An id in the space of CartDimension.
            CartDimensionRef: u32, CartDimension, None;
            /// An id in the space of CartTopology.
            CartTopologyRef: u32, CartTopology, None;
            /// An id in the space of SourceCodeLocation.
            SourceCodeLocationRef: u32, SourceCodeLocation, Some(MappingType::SOURCE_CODE_LOCATION);
            /// An id in the space of CallingContext.
            CallingContextRef: u32, CallingContext, Some(MappingType::CALLING_CONTEXT);
            /// An id in the space of InterruptGenerator.
            InterruptGeneratorRef: u32, InterruptGenerator, Some(MappingType::INTERRUPT_GENERATOR);
            /// An id in the space of IoFile.
            IoFileRef: u32, IoFile, Some(MappingType::IO_FILE);
            /// An id in the space of IoHandle.
            IoHandleRef: u32, IoHandle, Some(MappingType::IO_HANDLE);
            /// An id in the space of Marker.
            MarkerRef: u32, Marker, None;
        }
    };
}
for_each_reference!(define);
