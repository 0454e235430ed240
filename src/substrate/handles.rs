//! Handles of definitions, and opaque objects of the host.
//!
//! A definition handle is a 32-bit number that is unique over all kinds in the process; 0 is no
//! definition. Handles, locations and tasks can be made only from values that a host passed
//! (`from_raw` is unsafe). This allows [`Host`](crate::Host) to pass them back to the host from
//! safe code.

use core::fmt;
use core::ptr::NonNull;

use crate::bindings;
use crate::kinds::HandleType;

/// A timestamp in ticks of the host's timer.
pub type Timestamp = u64;

/// The exit status of PROGRAM_END if the host does not know it.
pub const INVALID_EXIT_STATUS: i64 = bindings::SCOREP_INVALID_EXIT_STATUS;

/// The offset of an I/O operation if the host does not know it.
pub const UNKNOWN_OFFSET: u64 = bindings::SCOREP_IO_UNKNOWN_OFFSET;

/// Declares one newtype per kind of definition, and [`Definition`] for the kinds that a host
/// announces.
macro_rules! handles {
    (
        $(#[$any_doc:meta])* any $any:ident: $any_raw:ident;
        $($(#[$doc:meta])* $handle:ident: $raw:ident = $kind:ident $variant:ident;)*
    ) => {
        handle! { $(#[$any_doc])* $any: $any_raw }
        $(handle! { $(#[$doc])* $handle: $raw })*

        /// A definition that the host announces, by kind.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Definition {
            $(
                $(#[$doc])*
                $variant($handle),
            )*
            /// A definition of a kind that this crate does not know.
            Other(HandleType, $any),
        }

        impl Definition {
            /// The definition that `new_definition_handle` announces.
            ///
            /// # Safety
            ///
            /// The host announced `handle` as `kind`.
            pub unsafe fn from_raw(handle: bindings::SCOREP_AnyHandle, kind: HandleType) -> Self {
                // SAFETY: the host announced the handle as this kind.
                unsafe {
                    match kind {
                        $(HandleType::$kind => Self::$variant($handle::from_raw(handle)),)*
                        _ => Self::Other(kind, $any::from_raw(handle)),
                    }
                }
            }

            /// The handle, without its kind.
            pub const fn handle(self) -> $any {
                match self {
                    $(Self::$variant(handle) => $any(handle.0),)*
                    Self::Other(_, handle) => handle,
                }
            }

            /// The kind, as the host passed it.
            pub const fn kind(self) -> HandleType {
                match self {
                    $(Self::$variant(_) => HandleType::$kind,)*
                    Self::Other(kind, _) => kind,
                }
            }
        }
    };
}

/// Declares the newtype of one handle.
macro_rules! handle {
    ($(#[$doc:meta])* $handle:ident: $raw:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(transparent)]
        pub struct $handle(bindings::$raw);

        impl $handle {
            /// The handle of no definition.
            pub const NONE: Self = Self(bindings::SCOREP_MOVABLE_NULL);

            /// Creates a handle from a number that the host passed.
            ///
            /// # Safety
            ///
            /// `raw` is 0 or the handle of a definition of this kind in the host of this process.
            /// Hosts use handles without checking them.
            pub const unsafe fn from_raw(raw: bindings::$raw) -> Self {
                Self(raw)
            }

            /// The number, which is unique over all kinds in this process and meaningless in
            /// another.
            pub const fn raw(self) -> bindings::$raw {
                self.0
            }

            /// Whether this is the handle of no definition.
            pub const fn is_none(self) -> bool {
                self.0 == bindings::SCOREP_MOVABLE_NULL
            }
        }

        impl fmt::Debug for $handle {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(formatter, concat!(stringify!($handle), "({})"), self.0)
            }
        }
    };
}

handles! {
    /// A definition of any kind.
    any AnyHandle: SCOREP_AnyHandle;
    /// A region together with the calls that led to it.
    CallingContextHandle: SCOREP_CallingContextHandle = CALLING_CONTEXT CallingContext;
    /// A group of processes, threads or locations.
    GroupHandle: SCOREP_GroupHandle = GROUP Group;
    /// A communicator or thread team of this process, before unification.
    InterimCommunicatorHandle: SCOREP_InterimCommunicatorHandle = INTERIM_COMMUNICATOR InterimCommunicator;
    /// The cause of a sample.
    InterruptGeneratorHandle: SCOREP_InterruptGeneratorHandle = INTERRUPT_GENERATOR InterruptGenerator;
    /// The definition of a location; events carry a [`Location`] instead.
    LocationHandle: SCOREP_LocationHandle = LOCATION Location;
    /// A group of locations, usually a process.
    LocationGroupHandle: SCOREP_LocationGroupHandle = LOCATION_GROUP LocationGroup;
    /// A property of a location.
    LocationPropertyHandle: SCOREP_LocationPropertyHandle = LOCATION_PROPERTY LocationProperty;
    /// A metric.
    MetricHandle: SCOREP_MetricHandle = METRIC Metric;
    /// A paradigm.
    ParadigmHandle: SCOREP_ParadigmHandle = PARADIGM Paradigm;
    /// A parameter.
    ParameterHandle: SCOREP_ParameterHandle = PARAMETER Parameter;
    /// A region.
    RegionHandle: SCOREP_RegionHandle = REGION Region;
    /// An RMA window.
    RmaWindowHandle: SCOREP_RmaWindowHandle = RMA_WINDOW RmaWindow;
    /// A set of metrics that are written together.
    SamplingSetHandle: SCOREP_SamplingSetHandle = SAMPLING_SET SamplingSet;
    /// A location that records a sampling set.
    SamplingSetRecorderHandle: SCOREP_SamplingSetRecorderHandle = SAMPLING_SET_RECORDER SamplingSetRecorder;
    /// A line of a source file.
    SourceCodeLocationHandle: SCOREP_SourceCodeLocationHandle = SOURCE_CODE_LOCATION SourceCodeLocation;
    /// A source file.
    SourceFileHandle: SCOREP_SourceFileHandle = SOURCE_FILE SourceFile;
    /// A string.
    StringHandle: SCOREP_StringHandle = STRING String;
    /// A node of the system tree.
    SystemTreeNodeHandle: SCOREP_SystemTreeNodeHandle = SYSTEM_TREE_NODE SystemTreeNode;
    /// A property of a node of the system tree.
    SystemTreeNodePropertyHandle: SCOREP_SystemTreeNodePropertyHandle
        = SYSTEM_TREE_NODE_PROPERTY SystemTreeNodeProperty;
    /// A Cartesian topology.
    CartesianTopologyHandle: SCOREP_CartesianTopologyHandle = CARTESIAN_TOPOLOGY CartesianTopology;
    /// The coordinates of a location in a Cartesian topology.
    CartesianCoordsHandle: SCOREP_CartesianCoordsHandle = CARTESIAN_COORDS CartesianCoords;
    /// A file.
    IoFileHandle: SCOREP_IoFileHandle = IO_FILE IoFile;
    /// A property of a file.
    IoFilePropertyHandle: SCOREP_IoFilePropertyHandle = IO_FILE_PROPERTY IoFileProperty;
    /// A handle through which a program uses a file.
    IoHandleHandle: SCOREP_IoHandleHandle = IO_HANDLE IoHandle;
    /// An I/O paradigm. The bindings have no separate handle type for it.
    IoParadigmHandle: SCOREP_AnyHandle = IO_PARADIGM IoParadigm;
}

handle! {
    /// A communicator after unification. It is never announced, but found in the
    /// [`arena`](crate::arena).
    CommunicatorHandle: SCOREP_AnyHandle
}

/// A location: a thread, a stream of an accelerator, or a container of metrics.
///
/// It is opaque and stable from `create_location` to `delete_location`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Location(NonNull<bindings::SCOREP_Location>);

// SAFETY: only the address is used here. The host's functions for locations may be called on any
// thread.
unsafe impl Send for Location {}
// SAFETY: as above.
unsafe impl Sync for Location {}

impl Location {
    /// The location at `pointer`, or `None` if it is null.
    ///
    /// # Safety
    ///
    /// `pointer` is null, or was passed by the host of this process and the location has not been
    /// deleted.
    #[inline]
    pub const unsafe fn from_raw(pointer: *const bindings::SCOREP_Location) -> Option<Self> {
        match NonNull::new(pointer.cast_mut()) {
            Some(pointer) => Some(Self(pointer)),
            None => None,
        }
    }

    /// The host's pointer.
    pub const fn as_ptr(self) -> *mut bindings::SCOREP_Location {
        self.0.as_ptr()
    }

    /// The address, for use as a key in tables.
    #[inline]
    pub fn address(self) -> usize {
        self.0.addr().get()
    }
}

impl fmt::Debug for Location {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Location({:#x})", self.address())
    }
}

/// An implicit or explicit task. The host reuses the object after `core_task_complete`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Task(bindings::SCOREP_TaskHandle);

// SAFETY: only the address is used.
unsafe impl Send for Task {}
// SAFETY: as above.
unsafe impl Sync for Task {}

impl Task {
    /// Creates a task from the host's pointer.
    pub const fn from_raw(pointer: bindings::SCOREP_TaskHandle) -> Self {
        Self(pointer)
    }

    /// The address, for use as a key in tables, or 0 if the host passed none.
    pub fn address(self) -> usize {
        self.0.addr()
    }
}

impl fmt::Debug for Task {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Task({:#x})", self.address())
    }
}

/// The metric buffer of a location, as the host passes it with an event.
///
/// Its layout is private to the host. It shows only whether the location records metrics. The
/// values are delivered by
/// [`Host::write_strictly_synchronous_metrics`](crate::Host::write_strictly_synchronous_metrics)
/// and the functions that follow it.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(transparent)]
pub struct Metrics(*mut u64);

impl Metrics {
    /// Creates the value from the host's pointer.
    pub const fn from_raw(pointer: *mut u64) -> Self {
        Self(pointer)
    }

    /// Whether the location records no metrics.
    #[inline]
    pub const fn is_none(self) -> bool {
        self.0.is_null()
    }

    /// The host's pointer.
    pub const fn as_ptr(self) -> *mut u64 {
        self.0
    }
}

impl fmt::Debug for Metrics {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Metrics({:#x})", self.0.addr())
    }
}

/// A rank in the communicator of the event, or one of the negative constants.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(transparent)]
pub struct MpiRank(pub bindings::SCOREP_MpiRank);

impl MpiRank {
    /// The root of a collective operation without a root.
    pub const NO_ROOT: Self = Self(bindings::SCOREP_INVALID_ROOT_RANK);
    /// `MPI_ROOT`: this process is the root of an operation on an inter-communicator.
    pub const ROOT: Self = Self(bindings::SCOREP_MPI_ROOT);
    /// `MPI_PROC_NULL`: this process does not take part in an operation on an inter-communicator.
    pub const PROC_NULL: Self = Self(bindings::SCOREP_MPI_PROC_NULL);
}
