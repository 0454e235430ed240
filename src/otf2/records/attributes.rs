//! Attribute lists, docs/spec/otf2-format.md, "Event files": values that belong to the next event.
//!
//! The type of an entry is the one in the list, not the one of the attribute's definition.

use super::field::{Field, Get};
use super::mappings::Mappings;
use super::references::AttributeRef;
use super::value::Value;
use crate::byte_order::ByteOrder;
use crate::error::Problem;
use crate::wire;

/// An entry of an attribute list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Attribute {
    /// The attribute.
    pub attribute: AttributeRef,
    /// Its value.
    pub value: Value,
}

impl Attribute {
    /// Creates an entry.
    #[inline]
    pub fn new(attribute: AttributeRef, value: impl Into<Value>) -> Attribute {
        Attribute { attribute, value: value.into() }
    }

    fn mapped(mut self, mappings: &Mappings) -> Attribute {
        Get::map(&mut self.attribute, mappings);
        Attribute { value: self.value.mapped(mappings), ..self }
    }
}

/// Returns the upper bound of the data of a list with `count` entries, in bytes.
#[inline]
pub(crate) fn bound(count: u64) -> u64 {
    15 * count + 5
}

/// Appends the data of a list.
#[inline]
pub(crate) fn put<E: ByteOrder>(attributes: &[Attribute], cursor: &mut wire::Encoder<'_, E>) {
    cursor.u32c(attributes.len() as u32);
    for entry in attributes {
        entry.attribute.put(cursor);
        entry.value.put(cursor);
    }
}

/// The attributes of an event as read: the lists before it, in file order.
#[derive(Debug, Clone, Copy)]
pub struct Attributes<'a> {
    lists: &'a [u8],
    big: bool,
    mappings: Option<&'a Mappings>,
}

impl<'a> Attributes<'a> {
    /// `lists` contains the bytes of a file from the first list to the last, including time stamps
    /// in between. All of it must have been validated.
    pub(crate) fn new(lists: &'a [u8], big: bool) -> Self {
        Attributes { lists, big, mappings: None }
    }

    /// Returns the attributes with global ids.
    pub fn mapped(self, mappings: &'a Mappings) -> Self {
        Attributes { mappings: Some(mappings), ..self }
    }

    /// Returns the entries in file order.
    pub fn iter(&self) -> Iter<'a> {
        let cursor = wire::Cursor::new(self.lists, 0, self.big);
        Iter { cursor, left: 0, end: 0, mappings: self.mappings }
    }

    /// Returns whether there are no entries.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.lists.is_empty() || self.iter().next().is_none()
    }
}

impl<'a> IntoIterator for Attributes<'a> {
    type Item = Attribute;
    type IntoIter = Iter<'a>;
    fn into_iter(self) -> Iter<'a> {
        self.iter()
    }
}

/// An iterator over the entries of the attribute lists of an event.
#[derive(Debug, Clone)]
pub struct Iter<'a> {
    cursor: wire::Cursor<'a>,
    left: u32,
    end: usize,
    mappings: Option<&'a Mappings>,
}

impl Iterator for Iter<'_> {
    type Item = Attribute;

    fn next(&mut self) -> Option<Attribute> {
        while self.left == 0 {
            // Bytes after the last entry are skipped, as in every record.
            self.cursor.bytes(self.end.saturating_sub(self.cursor.position())).ok()?;
            if self.cursor.u8().ok()? == crate::control::TIMESTAMP {
                self.cursor.u64().ok()?;
                continue;
            }
            let length = self.cursor.record_length().ok()?;
            self.end = self.cursor.position().checked_add(usize::try_from(length).ok()?)?;
            self.left = self.cursor.u32c().ok()?;
        }
        self.left -= 1;
        let entry = get(&mut self.cursor).ok()?;
        Some(self.mappings.map_or(entry, |mappings| entry.mapped(mappings)))
    }
}

pub(crate) fn get(cursor: &mut wire::Cursor<'_>) -> Result<Attribute, Problem> {
    Ok(Attribute { attribute: AttributeRef::get(cursor)?, value: Value::get(cursor)? })
}
