//! The anchor file, docs/spec/otf2-format.md, "Anchor file": the files of an archive and the
//! program that wrote it.
//!
//! It is the only file without chunks, and the only one with plain 32-bit numbers.

use crate::byte_order::ByteOrder;
use crate::error::Problem;
use crate::records::enums::{Compression, FileSubstrate};
use crate::records::field::{Field, Get};
use crate::records::text::Text;
use crate::{TRACE_FORMAT, wire};

/// The anchor format that this crate writes.
pub const ANCHOR_FORMAT: u8 = 3;

/// The content of an anchor file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Anchor<'a> {
    /// The version of the anchor's layout, from 1.
    pub anchor_format: u8,
    /// The version of the record layout.
    pub trace_format: u8,
    /// The version of the writing library: major, minor, bugfix. Informative.
    pub version: [u8; 3],
    /// The chunk size of event and snapshot files, in bytes.
    pub event_chunk_size: u64,
    /// The chunk size of definition and marker files, in bytes.
    pub definition_chunk_size: u64,
    /// How the files are stored.
    pub substrate: FileSubstrate,
    /// The compression of the definition, event and snapshot files.
    pub compression: Compression,
    /// The number of global location definitions.
    pub number_of_locations: u64,
    /// The number of records in the global definition file.
    pub number_of_global_definitions: u64,
    /// The machine, or empty.
    pub machine: Text<'a>,
    /// The program that wrote the archive, or empty.
    pub creator: Text<'a>,
    /// A description, or empty.
    pub description: Text<'a>,
    /// The properties.
    pub properties: Properties<'a>,
    /// An arbitrary number that distinguishes traces; 0 if absent.
    pub trace_id: u64,
    /// The number of snapshots per location.
    pub number_of_snapshots: u32,
    /// The number of thumbnails.
    pub number_of_thumbnails: u32,
}

impl Default for Anchor<'_> {
    /// Returns the anchor of an archive without locations, in the newest format and with the
    /// default chunk sizes of the C interface.
    fn default() -> Self {
        Anchor {
            anchor_format: ANCHOR_FORMAT,
            trace_format: TRACE_FORMAT,
            version: [3, 0, 3],
            event_chunk_size: 1024 * 1024,
            definition_chunk_size: 4 * 1024 * 1024,
            substrate: FileSubstrate::POSIX,
            compression: Compression::NONE,
            number_of_locations: 0,
            number_of_global_definitions: 0,
            machine: Text::default(),
            creator: Text::default(),
            description: Text::default(),
            properties: Properties::default(),
            trace_id: 0,
            number_of_snapshots: 0,
            number_of_thumbnails: 0,
        }
    }
}

/// A property of an archive. A name consists of at least two components of letters, digits, `_` and
/// `-`, joined by `::`, in upper case. Libraries before OTF2 3.2 refuse archives with a `-` there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Property<'a> {
    /// The name, e.g. `KYMO::VERSION`.
    pub name: Text<'a>,
    /// The value, not empty.
    pub value: Text<'a>,
}

impl<'a> Property<'a> {
    /// Creates a property.
    pub fn new(name: &'a str, value: &'a str) -> Self {
        Property { name: name.into(), value: value.into() }
    }

    /// Returns whether the name is of the form `A::B`.
    pub fn has_valid_name(&self) -> bool {
        let mut parts = self.name.as_bytes().split(|&byte| byte == b':');
        let is_part = |part: &[u8]| {
            !part.is_empty()
                && part.iter().all(|&byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
        };
        let mut count = 0;
        // `A::B` splits into `A`, nothing, `B`.
        loop {
            match parts.next() {
                Some(part) if is_part(part) => count += 1,
                _ => return false,
            }
            match parts.next() {
                None => return count > 1,
                Some([]) => {}
                Some(_) => return false,
            }
        }
    }
}

/// The properties of an archive: a slice when written, validated bytes when read.
#[derive(Clone, Copy)]
pub struct Properties<'a>(Source<'a>);

#[derive(Clone, Copy)]
enum Source<'a> {
    Slice(&'a [Property<'a>]),
    Encoded { cursor: wire::Cursor<'a>, count: u32 },
}

impl<'a> Properties<'a> {
    /// Creates a list of properties to write.
    pub fn new(properties: &'a [Property<'a>]) -> Self {
        Properties(Source::Slice(properties))
    }

    /// Returns the number of properties.
    pub fn len(&self) -> usize {
        match self.0 {
            Source::Slice(slice) => slice.len(),
            Source::Encoded { count, .. } => count as usize,
        }
    }

    /// Returns whether there are no properties.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the properties in file order.
    pub fn iter(&self) -> impl Iterator<Item = Property<'a>> + use<'a> {
        let (slice, mut cursor, count): (&'a [Property<'a>], _, _) = match self.0 {
            Source::Slice(slice) => (slice, wire::Cursor::new(&[], 0, false), 0),
            Source::Encoded { cursor, count } => (&[], cursor, count),
        };
        let encoded = (0..count).map_while(move |_| Self::take(&mut cursor).ok());
        slice.iter().copied().chain(encoded)
    }

    fn take(cursor: &mut wire::Cursor<'a>) -> Result<Property<'a>, Problem> {
        Ok(Property { name: Text::get(cursor)?, value: Text::get(cursor)? })
    }

    /// Returns whether every name is valid and occurs once, and no value is empty. Allocates
    /// nothing.
    pub(crate) fn are_valid(&self) -> bool {
        if let Source::Encoded { .. } = self.0 {
            // The names were checked by `get`.
            return self.iter().all(|property| property.value != Text::default());
        }
        self.iter().enumerate().all(|(index, property)| {
            let again = self
                .iter()
                .take(index)
                .any(|earlier| earlier.name.as_bytes().eq_ignore_ascii_case(property.name.as_bytes()));
            property.has_valid_name() && property.value != Text::default() && !again
        })
    }

    /// Reads the number of properties and the properties.
    pub(crate) fn get(cursor: &mut wire::Cursor<'a>) -> Result<Self, Problem> {
        let count = cursor.u32()?;
        let first = *cursor;
        for _ in 0..count {
            let begin = *cursor;
            if !Self::take(cursor)?.has_valid_name() {
                *cursor = begin;
                return Err(Problem::PropertyName);
            }
        }
        let properties = Properties(Source::Encoded { cursor: first, count });
        if properties.has_name_twice() {
            *cursor = first;
            return Err(Problem::PropertyName);
        }
        Ok(properties)
    }

    /// Returns whether a name occurs twice, without regard to case.
    fn has_name_twice(&self) -> bool {
        let mut names: Vec<&[u8]> = Vec::with_capacity(self.len());
        names.extend(self.iter().map(|property| property.name.as_bytes()));
        let order = |a: &&[u8], b: &&[u8]| {
            let [a, b] = [a, b].map(|name| name.iter().map(u8::to_ascii_uppercase));
            a.cmp(b)
        };
        names.sort_unstable_by(order);
        !names.is_sorted_by(|a, b| order(a, b).is_lt())
    }

    pub(crate) fn put<E: ByteOrder>(&self, cursor: &mut wire::Encoder<'_, E>) {
        cursor.u32(self.len() as u32);
        for property in self.iter() {
            property.name.put(cursor);
            property.value.put(cursor);
        }
    }

    pub(crate) fn size(&self) -> usize {
        4 + self.iter().map(|property| property.name.size() + property.value.size()).sum::<usize>()
    }
}

impl Default for Properties<'_> {
    fn default() -> Self {
        Properties(Source::Slice(&[]))
    }
}

impl PartialEq for Properties<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl std::fmt::Debug for Properties<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::{Error, Usage};
    use crate::{read, write};

    /// OTF2 3.2 allows `-`; an archive with it in a name could not be read at all.
    #[test]
    fn property_names_consist_of_letters_digits_underscores_and_hyphens() {
        for name in ["A::B", "SAMPLE::FIRST::NAME_1", "a1::_", "MY-TOOL::A-B", "-::-"] {
            assert!(Property::new(name, "1").has_valid_name(), "{name}");
        }
        for name in ["", "A", "A-B", "A:B", "A::", "::B", "A:::B", "A::B::", "A B::C", "A::é", "A::B+"] {
            assert!(!Property::new(name, "1").has_valid_name(), "{name}");
        }
    }

    #[test]
    fn bad_properties_are_not_written() {
        let write = |properties: &[Property<'_>]| {
            let anchor = Anchor { properties: Properties::new(properties), ..Anchor::default() };
            write::anchor::anchor_bytes(&anchor)
        };
        let good = Property::new("A::B", "1");
        assert!(write(&[good]).is_ok());
        for bad in [Property::new("A", "1"), Property::new("A::C", ""), Property::new("a::b", "2")] {
            assert!(matches!(write(&[good, bad]), Err(Error::Usage(Usage::Property))));
        }
    }

    #[test]
    fn an_anchor_is_read_back() {
        let properties = [Property::new("A::B", "1"), Property::new("C-D::E-F", "true")];
        let anchor = Anchor {
            machine: "machine".into(),
            properties: Properties::new(&properties),
            trace_id: 42,
            number_of_snapshots: 3,
            ..Anchor::default()
        };
        let (little, big) = (
            write::anchor::anchor_bytes_in::<crate::LittleEndian>(&anchor).unwrap(),
            write::anchor::anchor_bytes_in::<crate::BigEndian>(&anchor).unwrap(),
        );
        assert_eq!(read::anchor(&little).unwrap(), anchor);
        assert_eq!(read::anchor(&big).unwrap(), anchor);
        let huge = "x".repeat(300_000);
        let anchor = Anchor { description: huge.as_str().into(), ..anchor };
        assert!(matches!(write::anchor::anchor_bytes(&anchor), Err(Error::Usage(Usage::AnchorTooLarge(_)))));
    }
}
