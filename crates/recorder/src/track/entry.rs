//! How enters and leaves name their regions, and the enter that may still receive attributes.

use kymo_otf2::{
    attributes::Attribute,
    references::{AttributeRef, CallingContextRef, RegionRef},
    value::Value,
    write::Mark,
};

/// The identification of a region in enters and leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RegionEntry {
    /// The region itself.
    Region(RegionRef),
    /// The calling context, with the unwind distance of the enter.
    Context(CallingContextRef, u32),
}

/// An enter that may still receive attributes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Amendable {
    pub(super) entry: RegionEntry,
    pub(super) time: u64,
    /// The range that it occupies; `None` once it has its attributes, or if it was not recorded as
    /// a single event.
    pub(super) range: Option<(Mark, Mark)>,
    /// The caller's tag for the region.
    pub(super) tag: u32,
    /// Whether other records may follow the enter before it receives its attributes.
    pub(super) is_long: bool,
    pub(super) leave: Option<FewAttributes>,
}

impl RegionEntry {
    /// Compares two entries. Two contexts are equal, because a region is often left in another
    /// calling context than it was entered in, with another line number.
    pub(super) fn is_same(self, other: Self) -> bool {
        matches!((self, other), (Self::Context(..), Self::Context(..))) || self == other
    }
}

/// Up to two attributes.
#[derive(Debug, Clone, Copy)]
pub struct FewAttributes {
    attributes: [Attribute; 2],
    len: usize,
}

impl FewAttributes {
    /// No attributes.
    pub const NONE: Self =
        Self::new([Attribute { attribute: AttributeRef::UNDEFINED, value: Value::NONE }; 2], 0);

    const fn new(attributes: [Attribute; 2], len: usize) -> Self {
        Self { attributes, len }
    }

    /// One attribute.
    pub const fn one(attribute: Attribute) -> Self {
        Self::new([attribute; 2], 1)
    }

    /// Two attributes, in this order.
    pub const fn two(first: Attribute, second: Attribute) -> Self {
        Self::new([first, second], 2)
    }

    pub(super) fn as_slice(&self) -> &[Attribute] {
        &self.attributes[..self.len]
    }
}
