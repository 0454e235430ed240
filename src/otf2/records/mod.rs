//! The record tables. Every definition, event, snapshot, marker and thumbnail record is listed
//! once, with its wire id, the version that added it, and its fields in byte order.
//!
//! Types, names, encoders, decoders, bounds and metadata are generated from the tables; see
//! docs/spec/otf2-format.md, "Records" and "Compatibility".

pub mod attributes;
pub mod definitions;
mod encoding;
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
use crate::wire::{self, AMPLE, Ample};
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
    fn encode<E: ByteOrder>(&self, cursor: &mut wire::Encoder<'_, E>);

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
    fn decode<F: wire::Fields<'a>>(id: u8, fields: &mut F) -> Result<Self, Problem>;

    /// Replaces the ids for which there are mapping tables, including those in lists.
    fn map(&mut self, mappings: &'a Mappings);

    /// How the data of a record begins, by record id: 0 for ids that are not in the tables,
    /// [`SIZED`] for records with a length, otherwise the maximum number of bytes of the compressed
    /// integer that makes up the record.
    const LAYOUTS: &'static [u8; 256];

    /// Returns the name of the record with this id, if it is in the tables.
    fn name_of(id: u8) -> Option<&'static str>;
}

/// The enum of the records of a kind of file, with the fast path of [`Decode::decode`].
pub trait RecordEnum<'a>: Decode<'a> {
    /// Returns an unknown record, as a placeholder.
    fn blank() -> Self;

    /// Replaces `record` with the record of this id whose data is before `end`. Returns false, and
    /// changes nothing, if the data is bad or the id is not in the tables.
    #[doc(hidden)]
    fn refill<E: ByteOrder>(bytes: &'a [u8; AMPLE], end: usize, record: &mut Self, id: u8) -> bool;

    /// Like [`refill`](Self::refill), but only for the most frequent kinds of records, which it
    /// passes to `found`; returns `None` for all others. `found` is inlined into the code for each
    /// of these kinds, so that fields it does not use are only skipped.
    #[doc(hidden)]
    fn frequent<E: ByteOrder, T: Found<Self>>(
        id: u8,
        bytes: &'a [u8; AMPLE],
        end: usize,
        found: T,
    ) -> Option<T::Output>;
}

/// The action for a record that was found. Unlike a function that is an argument, a method can be
/// inlined wherever it is used, however long it is.
#[doc(hidden)]
pub trait Found<R> {
    type Output;
    fn found(self, record: R) -> Self::Output;
}

impl<R, T, C: FnOnce(R) -> T> Found<R> for C {
    type Output = T;
    #[inline(always)]
    fn found(self, record: R) -> T {
        self(record)
    }
}

/// The layout of records with a length.
pub const SIZED: u8 = 0xFF;

/// Decodes a record of a known kind on the fast path.
#[inline(always)]
fn decode_ample<'a, R: Decode<'a> + Record, E: ByteOrder>(bytes: &'a [u8; AMPLE], end: usize) -> Option<R> {
    let mut fields = Ample::<E>::new(bytes, end);
    R::decode(R::ID, &mut fields).ok().filter(|_| fields.are_within())
}

/// Implements [`RecordEnum::refill`] for one kind of record of a family. Not inlined, so that each
/// kind can use all registers. The parameters have the order of those of the caller, which jumps
/// here.
#[inline(never)]
fn refill_with<'a, R, F, E>(bytes: &'a [u8; AMPLE], end: usize, record: &mut F) -> bool
where
    R: Decode<'a> + Record + Into<F>,
    E: ByteOrder,
{
    match decode_ample::<R, E>(bytes, end) {
        Some(decoded) => {
            *record = decoded.into();
            true
        }
        None => false,
    }
}

/// Returns the discriminant of a record in its enum: the id, except that the calling contexts
/// (events 66 to 68) follow `Enter` and `Leave`. If the discriminants that a `match` names are far
/// apart, the compiler makes a long table of it. It then would not inline visitors that name all
/// usual events into the loops of the reader, which take half as long again without that.
const fn rank(id: u8) -> u8 {
    match id {
        66..=68 => id - 52,
        14..=65 => id + 3,
        _ => id,
    }
}

/// Builds the table [`Decode::LAYOUTS`] of records with their ids.
const fn layouts(records: &[(u8, bool, &'static [FieldInfo])]) -> [u8; 256] {
    let mut table = [0; 256];
    let mut at = 0;
    while at < records.len() {
        let (id, is_singleton, fields) = records[at];
        table[id as usize] = if is_singleton { field::integer_bytes(fields) } else { SIZED };
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

#[cfg(test)]
mod tests {
    use super::definitions::{GlobalDefinition, LocalDefinition};
    use super::events::Event;
    use super::snapshots::Snapshot;
    use super::*;
    use crate::byte_order::{BigEndian, LittleEndian};
    use crate::wire::Cursor;
    use proptest::prelude::*;
    use std::fmt::Debug;

    /// Reads a record with a cursor. Not inlined: the code for all kinds of records is large, and
    /// took minutes to compile as a part of [`compare`].
    #[inline(never)]
    fn plain<'a, R: Decode<'a>>(id: u8, bytes: &'a [u8; AMPLE], end: usize, big: bool) -> Option<R> {
        let record = R::decode(id, &mut Cursor::within(bytes, 0, end, big)).ok();
        record.filter(|_| R::name_of(id).is_some())
    }

    #[inline(never)]
    fn frequent<'a, R: RecordEnum<'a>, E: ByteOrder>(
        id: u8,
        bytes: &'a [u8; AMPLE],
        end: usize,
    ) -> Option<R> {
        R::frequent::<E, _>(id, bytes, end, |record: R| record)
    }

    /// Checks that the fast path reads the same values as a cursor, up to the same end, and
    /// otherwise leaves the record unchanged.
    fn compare<'a, R: RecordEnum<'a> + Copy + Debug, E: ByteOrder>(bytes: &'a [u8; AMPLE], end: usize) {
        let blank = R::blank();
        for id in 0..=u8::MAX {
            let expected: Option<R> = plain(id, bytes, end, E::BIG);
            let mut record = blank;
            let refilled = R::refill::<E>(bytes, end, &mut record, id);
            assert_eq!(refilled, expected.is_some(), "{id} {end} {expected:?}");
            assert_eq!(format!("{record:?}"), format!("{:?}", expected.unwrap_or(blank)), "{id} {end}");

            let text = |record: R| format!("{record:?}");
            let frequent = frequent::<R, E>(id, bytes, end).map(text);
            assert!(frequent.is_none() || frequent == expected.map(text), "{id} {end}");
        }
    }

    fn compare_all<E: ByteOrder>(bytes: &[u8; AMPLE], end: usize) {
        compare::<Event<'_>, E>(bytes, end);
        compare::<Snapshot<'_>, E>(bytes, end);
        compare::<GlobalDefinition<'_>, E>(bytes, end);
        compare::<LocalDefinition<'_>, E>(bytes, end);
    }

    /// Generates mostly lengths of integers, as other values soon make a record invalid. Runs of
    /// larger numbers are texts.
    fn byte() -> impl Strategy<Value = u8> {
        prop_oneof![8 => 0..5_u8, 2 => 5..10_u8, 1 => Just(0xFF), 2 => any::<u8>()]
    }

    proptest! {
        #![proptest_config(ProptestConfig {
            cases: if cfg!(miri) { 1 } else { 256 },
            failure_persistence: None,
            ..ProptestConfig::default()
        })]
        #[test]
        #[cfg_attr(miri, ignore = "too many cases for Miri")]
        fn the_fast_path_reads_what_a_cursor_reads(
            bytes in prop::collection::vec(byte(), AMPLE),
            end in 0..255_usize,
        ) {
            let bytes = bytes.first_chunk().unwrap();
            for end in [end, end % 40] {
                compare_all::<LittleEndian>(bytes, end);
                compare_all::<BigEndian>(bytes, end);
            }
        }
    }
}
