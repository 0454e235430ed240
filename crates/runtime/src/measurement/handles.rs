//! The handles of definitions, and how a region was called.

/// A region's definition. 0 means no region; its events are dropped.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(transparent)]
pub struct Region(pub u32);

/// A parameter's definition.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(transparent)]
pub struct Parameter(pub u32);

/// The sampling set of a counter.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(transparent)]
pub struct Counter(pub u32);

/// A string's definition.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(transparent)]
pub struct Text(pub u32);

/// The data that a new thread requires about its creation.
#[derive(Clone, Copy, Debug)]
pub struct Creation {
    /// The location of the creating thread.
    pub parent: u32,
    /// The number of the creation in the process, counted from 1.
    pub sequence: u32,
}

/// The function that calls the runtime to enter a region.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Caller {
    /// A function in which the region is.
    Function,
    /// The function that is the region.
    Region,
    /// The library of the construct, on behalf of a function in which the region is.
    Library,
    /// A function that does not call the runtime now.
    Unknown,
}
