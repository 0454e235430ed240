//! Enters that get attributes after they were recorded.
//!
//! What an allocation function was asked for is known only after its Enter. While that Enter is the location's last record it
//! is taken back and written again with its attributes; once another record follows it stays as it is. The attributes of the
//! region's Leave wait here.

use kymo_otf2::{
    attributes::Attribute,
    events::{CallingContextEnter, CallingContextLeave, Enter, Leave},
    references::{AttributeRef, CallingContextRef, RegionRef},
    value::Value,
    write::Mark,
};

use super::LocationWriter;

/// A region as enters and leaves name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RegionEntry {
    /// By the region itself.
    Region(RegionRef),
    /// By the calling context, with the unwind distance of the enter.
    Context(CallingContextRef, u32),
}

/// An enter that may still get attributes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Amendable {
    entry: RegionEntry,
    time: u64,
    place: Mark,
    /// What the caller knows of the region.
    tag: u32,
    leave: Option<FewAttributes>,
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

    fn as_slice(&self) -> &[Attribute] {
        &self.attributes[..self.len]
    }
}

impl LocationWriter {
    /// Writes an enter at `time` (ticks) that [`amend`](Self::amend) may add attributes to. `tag` is given back by
    /// [`amendable`](Self::amendable).
    pub fn enter_amendable(&mut self, time: u64, entry: RegionEntry, tag: u32) {
        let place = self.events.mark();
        self.put_enter(time, entry, FewAttributes::NONE);
        self.amendable = Some(Amendable { entry, time, place, tag, leave: None });
    }

    /// The tag of the region that [`enter_amendable`](Self::enter_amendable) entered last, if it has not been left.
    pub fn amendable(&self) -> Option<u32> {
        self.amendable.map(|amendable| amendable.tag)
    }

    /// Adds attributes to that region: to its enter, if nothing was recorded since, and to its leave.
    pub fn amend(&mut self, enter: FewAttributes, leave: FewAttributes) {
        let Some(mut amendable) = self.amendable else { return };
        if self.is_last(&amendable) && self.events.rewind(&amendable.place).is_ok() {
            self.put_enter(amendable.time, amendable.entry, enter);
        }
        amendable.leave = Some(leave);
        self.amendable = Some(amendable);
    }

    /// Whether its enter, and nothing else, was recorded behind its place: one that found no room was not, and in front of one that had to
    /// wait for room, or ends a gap, there is a record that says so.
    fn is_last(&self, amendable: &Amendable) -> bool {
        self.events.events() == amendable.place.events() + 1
    }

    /// Writes the leave of a region with the attributes that wait for it. A region that was entered last and got none leaves
    /// with those of `otherwise`; of any other nothing is known.
    pub fn leave_amendable(&mut self, time: u64, entry: RegionEntry, otherwise: FewAttributes) {
        let entered = self.amendable.take().filter(|amendable| amendable.entry.is_same(entry));
        let attributes = entered.map_or(FewAttributes::NONE, |entered| entered.leave.unwrap_or(otherwise));
        match entry {
            RegionEntry::Region(region) => self.record_with(time, attributes.as_slice(), &Leave { region }),
            RegionEntry::Context(calling_context, _) => {
                self.record_with(time, attributes.as_slice(), &CallingContextLeave { calling_context });
            }
        }
    }

    fn put_enter(&mut self, time: u64, entry: RegionEntry, attributes: FewAttributes) {
        let attributes = attributes.as_slice();
        match entry {
            RegionEntry::Region(region) => self.record_with(time, attributes, &Enter { region }),
            RegionEntry::Context(calling_context, unwind_distance) => {
                self.record_with(time, attributes, &CallingContextEnter { calling_context, unwind_distance });
            }
        }
    }
}

impl RegionEntry {
    /// A region is often left in another calling context than it was entered in: the line is another.
    fn is_same(self, other: Self) -> bool {
        matches!((self, other), (Self::Context(..), Self::Context(..))) || self == other
    }
}
