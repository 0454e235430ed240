//! The record tables. Every definition, event, snapshot, marker and thumbnail record is listed
//! once, with its wire id, the version that added it, and its fields in byte order.
//!
//! Types, names, encoders, decoders, bounds and metadata are generated from the tables; see
//! docs/spec/otf2-format.md, "Records" and "Compatibility".

pub mod attributes;
pub mod definitions;
pub mod enums;
pub mod events;
pub mod field;
pub mod flags;
pub mod id_map;
pub mod list;
pub mod mappings;
pub mod markers;
mod obsolete;
pub mod references;
pub mod snapshots;
mod tables;
pub mod text;
pub mod thumbnails;
pub mod value;

use crate::byte_order::ByteOrder;
use crate::error::Problem;
use crate::read::{AMPLE, Ample};
use crate::{read, write};
use field::{FieldInfo, FieldValue};
use mappings::Mappings;
pub(crate) use tables::{definitions_macro, family, option, order, record, records};

/// A record, or an enum of records.
pub trait AnyRecord {
    /// Returns the wire id.
    fn id(&self) -> u8;

    /// Returns the name, without the part that names the kind of file; `Unknown` for records newer
    /// than the tables.
    fn name(&self) -> &'static str;

    /// Returns whether the record is written without a length byte.
    fn is_singleton(&self) -> bool;

    /// Returns the upper bound of the data in bytes, by the rule of libotf2 for this kind of
    /// record.
    fn bound(&self) -> usize;

    /// Returns an upper bound of the bounds of all records with the same texts and the same number
    /// of elements. Unlike [`bound`](Self::bound), it does not depend on numbers.
    fn width(&self) -> usize;

    /// Appends the data, without id and length.
    fn encode<E: ByteOrder>(&self, cursor: &mut write::Cursor<'_, E>);

    /// Calls `visit` with every field except obsolete ones, in byte order.
    fn visit(&self, visit: &mut dyn FnMut(&'static FieldInfo, FieldValue<'_>));
}

/// A record of the tables.
pub trait Record: AnyRecord {
    /// The wire id.
    const ID: u8;
    /// The name as in the C interface.
    const NAME: &'static str;
    /// Whether the record is written without a length byte.
    const SINGLETON: bool;
    /// The OTF2 version that added the record.
    const SINCE: &'static str;
    /// The fields in byte order.
    const FIELDS: &'static [FieldInfo];
    /// The names of the attributes in the order of the C interface, if that differs from the byte
    /// order.
    const API_ORDER: Option<&'static [&'static str]>;
}

/// A record, or an enum of records, that can be read from bytes that live for `'a`.
pub trait Decode<'a>: Sized {
    /// Reads the data of the record with this id, without id and length. The fields end where the
    /// record does, unless it is a singleton.
    fn decode<F: read::Fields<'a>>(id: u8, fields: &mut F) -> Result<Self, Problem>;

    /// Reads the record with this id, whose data is before `end`. Returns `None` if the data is
    /// bad, or if [`decode`](Self::decode) must read it.
    #[doc(hidden)]
    #[inline(always)]
    fn take<E: ByteOrder>(id: u8, bytes: &'a [u8; AMPLE], end: usize) -> Option<Self> {
        let mut fields = Ample::<E>::new(bytes, end);
        let record = Self::decode(id, &mut fields).ok()?;
        fields.are_within().then_some(record)
    }

    /// Calls `found` with the record that [`take`](Self::take) reads, with global ids if there are
    /// mappings, or `otherwise` if there is no record. Each kind of record has separate code up to
    /// the end, so that its fields are written to their final place instead of being moved.
    #[doc(hidden)]
    #[inline(always)]
    fn take_then<E: ByteOrder, T>(
        id: u8,
        (bytes, end): (&'a [u8; AMPLE], usize),
        mappings: Option<&'a Mappings>,
        found: impl FnOnce(Self) -> T,
        otherwise: impl FnOnce() -> T,
    ) -> T {
        match Self::take::<E>(id, bytes, end) {
            Some(mut record) => {
                if let Some(mappings) = mappings {
                    record.map(mappings);
                }
                found(record)
            }
            None => otherwise(),
        }
    }

    /// Like [`take`](Self::take), but only for the most frequent kinds of records; returns `None`
    /// for all others. `found` is inlined into the code for each of these kinds, so that fields it
    /// does not use are only skipped.
    #[doc(hidden)]
    #[inline(always)]
    fn take_frequent<E: ByteOrder, T>(
        _id: u8,
        _bytes: &'a [u8; AMPLE],
        _end: usize,
        _found: impl FnOnce(Self) -> T,
    ) -> Option<T> {
        None
    }

    /// Becomes the record with this id, whose data is before `end`. Returns false, and changes
    /// nothing, if the data is bad, or if [`decode`](Self::decode) must read it.
    #[doc(hidden)]
    #[inline(never)]
    fn refill<E: ByteOrder>(&mut self, id: u8, bytes: &'a [u8; AMPLE], end: usize) -> bool {
        let found = |record| {
            *self = record;
            true
        };
        Self::take_then::<E, bool>(id, (bytes, end), None, found, || false)
    }

    /// Replaces the ids for which there are mapping tables, including those in lists.
    fn map(&mut self, mappings: &'a Mappings);

    /// The maximum number of bytes of the compressed integer that makes up the record, by record
    /// id; 0 for records with a length.
    const SINGLETONS: &'static [u8; 256];

    /// Returns the name of the record with this id, if it is in the tables.
    fn name_of(id: u8) -> Option<&'static str>;
}

/// Implements [`Decode::take_then`] for one kind of record of a family. Not inlined, so that each
/// kind can use all registers.
#[inline(never)]
fn take_as<'a, R, F, E, T>(
    bytes: (&'a [u8; AMPLE], usize),
    mappings: Option<&'a Mappings>,
    found: impl FnOnce(F) -> T,
    otherwise: impl FnOnce() -> T,
) -> T
where
    R: Decode<'a> + Record + Into<F>,
    E: ByteOrder,
{
    R::take_then::<E, T>(R::ID, bytes, mappings, |record| found(record.into()), otherwise)
}

/// Builds the table [`Decode::SINGLETONS`] of records with their ids.
const fn singletons(records: &[(u8, bool, &'static [FieldInfo])]) -> [u8; 256] {
    let mut table = [0; 256];
    let mut at = 0;
    while at < records.len() {
        let (id, is_singleton, fields) = records[at];
        if is_singleton {
            table[id as usize] = field::integer_bytes(fields);
        }
        at += 1;
    }
    table
}

macro_rules! marker_traits {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        pub trait $name: AnyRecord {}
    )*};
}

marker_traits! {
    /// A record of a global definition file.
    GlobalDefinitionRecord;
    /// A record of a local definition file.
    LocalDefinitionRecord;
    /// A record of an event file.
    EventRecord;
    /// A record of a snapshot file.
    SnapshotRecord;
    /// A record of a marker file.
    MarkerRecord;
    /// A record of a thumbnail file.
    ThumbnailRecord;
}
