//! Estimates of the sizes of events, docs/spec/otf2-format.md, "Limits, undefined values, size
//! estimator".
//!
//! All sizes are upper bounds of encoded bytes, by the rules of libotf2, derived from the table of
//! events. Invariant: a reference takes its full width until the number of its definitions is set.

use crate::CHUNK_SIZES;
use crate::control;
use crate::records::attributes;
use crate::records::enums::{MappingType, Type};
use crate::records::events::Event;
use crate::records::field::{FieldInfo, FieldKind};
use crate::records::mappings::space_of_type;
use crate::records::references::Space;
use crate::records::{Decode, SIZED};
use crate::wire;

/// The lengths from which on a record has a length of nine bytes instead of one.
const LONG: u64 = 255;

/// Estimates how many bytes events take, to choose the size of a buffer before anything is
/// recorded.
///
/// ```
/// use kymo_otf2::enums::Type;
/// use kymo_otf2::estimate::Estimator;
/// use kymo_otf2::references::Space;
///
/// let mut estimator = Estimator::new();
/// estimator.set_definitions(Space::Region, 4);
/// estimator.set_definitions(Space::Metric, 1);
///
/// assert_eq!(estimator.event_named("Enter", 0), Some(3));
/// assert_eq!(estimator.event_named("Metric", 4), Some(44));
/// // Without the time stamp and the attributes:
/// assert_eq!(Estimator::TIMESTAMP, 9);
/// assert_eq!(estimator.attribute_list(&[Type::UINT8, Type::REGION]), 19);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Estimator {
    /// The numbers of definitions, by the numbers of [`MappingType`].
    definitions: [Option<u64>; MappingType::VALUES.len()],
}

impl Estimator {
    /// The size of the time stamp before an event.
    pub const TIMESTAMP: u64 = control::TIMESTAMP_LEN as u64;

    /// Creates an estimator for any number of definitions.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the number of definitions in an id space. Spaces to which no event refers have no
    /// effect.
    pub fn set_definitions(&mut self, space: Space, number: u64) {
        if let Some(definitions) = index(space).and_then(|index| self.definitions.get_mut(index)) {
            *definitions = Some(number);
        }
    }

    fn definitions(&self, space: Space) -> Option<u64> {
        *self.definitions.get(index(space)?)?
    }

    /// Returns the size of an event with this record id, for example
    /// [`Enter::ID`](crate::records::Record::ID), without its time stamp and attributes. `elements`
    /// is the length of its list and without effect on events that have none. Returns `None` if
    /// there is no such event.
    pub fn event(&self, id: u8, elements: u64) -> Option<u64> {
        let (_, _, fields) = Event::RECORDS.iter().find(|(other, ..)| *other == id)?;
        Some(self.record(id, fields, elements))
    }

    /// Like [`event`](Self::event), for the event with this name.
    pub fn event_named(&self, name: &str, elements: u64) -> Option<u64> {
        let (id, _, fields) = Event::RECORDS.iter().find(|(_, other, _)| *other == name)?;
        Some(self.record(*id, fields, elements))
    }

    fn record(&self, id: u8, fields: &[FieldInfo], elements: u64) -> u64 {
        let widest = sum(fields.iter().map(|field| width(&field.kind, elements)));
        let is_sized = Event::LAYOUTS.get(usize::from(id)) == Some(&SIZED);
        let length = if is_sized { length_bytes(widest) } else { 0 };
        let saved = sum(fields.iter().map(|field| self.saved(&field.kind)));
        (1 + length).saturating_add(widest - saved)
    }

    /// Returns the number of bytes by which a reference is shorter than its width.
    fn saved(&self, kind: &FieldKind) -> u64 {
        match kind {
            FieldKind::Reference { mapping: Some(mapping), .. } => {
                let space = Space::ALL.iter().find(|space| space.mapping() == Some(*mapping));
                space.map_or(0, |space| full(*space) - self.reference(*space))
            }
            _ => 0,
        }
    }

    /// Returns the size of a reference in this id space. References to locations keep their width,
    /// as in libotf2, unless there are no locations.
    fn reference(&self, space: Space) -> u64 {
        match (self.definitions(space), space) {
            (None, _) => full(space),
            (Some(0), _) => 1,
            (Some(_), Space::Location) => full(space),
            (Some(number), _) => {
                let largest = u32::try_from(number - 1).unwrap_or(u32::MAX - 1);
                wire::size_u32c(largest) as u64
            }
        }
    }

    /// Returns the size of the attribute list before an event: 0 without attributes. `types` are
    /// the types of the values.
    pub fn attribute_list(&self, types: &[Type]) -> u64 {
        if types.is_empty() {
            return 0;
        }
        let count = wire::size_u32c(u32::try_from(types.len()).unwrap_or(u32::MAX - 1)) as u64;
        let attribute = self.reference(Space::Attribute) + 1;
        let data = count + sum(types.iter().map(|type_| attribute + self.value(*type_)));
        // The writer chooses the length by the bound of the list, whatever its values.
        1 + length_bytes(attributes::bound(types.len() as u64)) + data
    }

    fn value(&self, type_: Type) -> u64 {
        match space_of_type(type_) {
            Some(space) => self.reference(space),
            None => value_width(type_),
        }
    }

    /// Returns the chunk size for definitions with which the largest group of all locations,
    /// regions or metrics fits into a chunk; 0 if no chunk can contain that group.
    pub fn definition_chunk_size(&self) -> u64 {
        let group = |space| self.definitions(space).unwrap_or(0).saturating_mul(self.reference(space));
        let largest = [Space::Location, Space::Region, Space::Metric].map(group).into_iter().max();
        let data = largest.unwrap_or(0).saturating_add(23);
        let record = data.saturating_add(4 + length_bytes(data));
        let step = CHUNK_SIZES.start();
        let size = (record / step).saturating_add(1).saturating_mul(*step);
        if CHUNK_SIZES.contains(&size) { size } else { 0 }
    }
}

/// Returns the place of an id space in the numbers of definitions.
fn index(space: Space) -> Option<usize> {
    space.mapping().map(|mapping| usize::from(mapping.0))
}

/// Returns the size of a length field.
fn length_bytes(data: u64) -> u64 {
    if data < LONG { 1 } else { 9 }
}

/// Returns the width of a reference in this id space.
fn full(space: Space) -> u64 {
    if space == Space::Location { 9 } else { 5 }
}

/// Returns the largest size of a field of an event whose list has this number of elements.
fn width(kind: &FieldKind, elements: u64) -> u64 {
    match kind {
        FieldKind::U8 | FieldKind::Enum(_) | FieldKind::Reference { bytes: 1, .. } => 1,
        FieldKind::Reference { bytes, .. } => 1 + u64::from(*bytes),
        FieldKind::U32 | FieldKind::Flags(_) => 5,
        FieldKind::F64 | FieldKind::Timestamp => 8,
        FieldKind::U64 | FieldKind::I64 | FieldKind::MetricValue => 9,
        FieldKind::List { count, element } => {
            let element = sum(element.iter().map(|part| width(part, 0)));
            width(count, 0).saturating_add(element.saturating_mul(elements))
        }
        // No event has such a field.
        FieldKind::Text | FieldKind::Value | FieldKind::IdMap => 0,
    }
}

/// Returns the largest size of a value that is not a reference, without its type.
fn value_width(type_: Type) -> u64 {
    match type_ {
        Type::UINT8 | Type::INT8 => 1,
        Type::UINT16 | Type::INT16 => 2,
        Type::FLOAT => 4,
        Type::UINT32 | Type::INT32 => 5,
        Type::DOUBLE => 8,
        _ => 9,
    }
}

fn sum(sizes: impl Iterator<Item = u64>) -> u64 {
    sizes.fold(0, u64::saturating_add)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::AnyRecord;

    /// The widths by the kinds of fields are those of the writer, which counts them by the types.
    #[test]
    fn the_widths_are_those_of_the_records() {
        for (id, name, fields) in Event::RECORDS {
            let bytes = [0; 256];
            let record = Event::decode(*id, &mut wire::Cursor::new(&bytes, 0, false)).unwrap();
            let width = sum(fields.iter().map(|field| width(&field.kind, 0)));
            assert_eq!(width, record.width() as u64, "{name}");
        }
    }

    #[test]
    fn sizes_by_hand() {
        let mut estimator = Estimator::new();
        let size = |estimator: &Estimator, name| estimator.event_named(name, 0).unwrap();
        assert_eq!(["Enter", "BufferFlush", "OmpJoin"].map(|name| size(&estimator, name)), [6, 10, 2]);
        estimator.set_definitions(Space::Region, 257);
        assert_eq!(size(&estimator, "Enter"), 4);
        estimator.set_definitions(Space::Region, 0);
        assert_eq!(size(&estimator, "Enter"), 2);
        assert_eq!(estimator.event(12, 9), Some(2));
        assert_eq!([estimator.event(9, 0), estimator.event_named("enter", 0)], [None, None]);
        // The length takes nine bytes from 25 values on, even if the data is shorter.
        estimator.set_definitions(Space::Metric, 1);
        assert_eq!([24, 25].map(|values| estimator.event_named("Metric", values).unwrap()), [244, 262]);
        assert_eq!(estimator.event_named("Metric", u64::MAX), Some(u64::MAX));
    }

    /// The length was chosen by the estimated size.
    #[test]
    fn a_long_attribute_list_has_a_length_of_nine_bytes() {
        let estimator = Estimator::new();
        let size = |count| estimator.attribute_list(&vec![Type::UINT8; count]);
        assert_eq!([size(16), size(17)], [2 + 2 + 16 * 7, 10 + 2 + 17 * 7]);
    }

    #[test]
    fn groups_that_no_chunk_can_contain_have_no_chunk_size() {
        let mut estimator = Estimator::new();
        assert_eq!(estimator.definition_chunk_size(), 262_144);
        for (locations, size) in [(29_123, 262_144), (29_124, 524_288), (1 << 22, 0), (u64::MAX, 0)] {
            estimator.set_definitions(Space::Location, locations);
            assert_eq!(estimator.definition_chunk_size(), size, "{locations}");
        }
    }
}
