//! Fields of records: the Rust type of a field determines its encoding, its upper bound and its
//! meaning.
//!
//! There are two bounds because libotf2 has two, docs/spec/otf2-format.md, "When a writer opens a
//! new chunk". For events, snapshots, markers and thumbnails it is the `width` of the type, for
//! definitions the exact `size`.

use super::enums::MappingType;
use super::flags::FlagNames;
use super::id_map::IdMap;
use super::mappings::Mappings;
use super::references::Space;
use super::value::Value;
use crate::byte_order::ByteOrder;
use crate::error::Problem;
use crate::wire;

/// The type of a field of a record.
pub trait Field {
    /// The meaning of the field.
    const KIND: FieldKind;

    /// Returns the largest encoded size of any value with the same number of elements and the same
    /// texts, in bytes.
    fn width(&self) -> usize;

    /// Returns the encoded size in bytes, with the value of a tagged value counted as nine bytes.
    fn size(&self) -> usize;

    /// Appends the field.
    fn put<E: ByteOrder>(&self, cursor: &mut wire::Encoder<'_, E>);

    /// Returns the value, for printing.
    fn show(&self) -> FieldValue<'_>;
}

/// A field that can be read from bytes that live for `'a`.
pub trait Get<'a>: Field + Sized {
    /// Reads the field.
    fn get<F: wire::Fields<'a>>(fields: &mut F) -> Result<Self, Problem>;

    /// Replaces the ids in the field for which there are mapping tables.
    #[inline(always)]
    fn map(&mut self, _: &'a Mappings) {}
}

/// The meaning of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FieldKind {
    /// A plain byte.
    U8,
    /// A compressed unsigned 32-bit number.
    U32,
    /// A compressed unsigned 64-bit number.
    U64,
    /// A compressed signed 64-bit number.
    I64,
    /// A double precision number.
    F64,
    /// A time in ticks, 64 bits.
    Timestamp,
    /// The id of a definition.
    Reference {
        /// The id space.
        space: Space,
        /// The mapping table that applies to ids of this space in events.
        mapping: Option<MappingType>,
        /// The width of the id in bytes. One-byte ids are plain, the others compressed.
        bytes: u8,
    },
    /// An enumeration of this name.
    Enum(&'static str),
    /// A flag set of this name.
    Flags(&'static str),
    /// A string.
    Text,
    /// A type byte and a value.
    Value,
    /// A type byte and the value of a metric.
    MetricValue,
    /// An id map.
    IdMap,
    /// A count and that many elements.
    List {
        /// The encoding of the count: [`FieldKind::U8`] or [`FieldKind::U32`].
        count: &'static FieldKind,
        /// The parts of an element.
        element: &'static [FieldKind],
    },
}

/// Returns the maximum number of bytes of the compressed integer that is the only field of a
/// record, or 0 for all other records.
pub(crate) const fn integer_bytes(fields: &[FieldInfo]) -> u8 {
    match fields {
        [FieldInfo { kind: FieldKind::U32, .. }] => 4,
        [FieldInfo { kind: FieldKind::U64, .. }] => 8,
        [FieldInfo { kind: FieldKind::Reference { bytes, .. }, .. }] => *bytes,
        _ => 0,
    }
}

/// The name and meaning of a field of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FieldInfo {
    /// The names of the attributes that the field covers, separated by blanks. A list covers its
    /// count and its arrays, a tagged value its type.
    pub names: &'static str,
    /// The meaning.
    pub kind: FieldKind,
    /// The OTF2 version that added the field.
    pub since: &'static str,
    /// Whether the clock correction applies to the field in events.
    pub clock: bool,
    /// Whether the field is on the wire only, derived from other fields.
    pub obsolete: bool,
}

/// The value of a field.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum FieldValue<'v> {
    /// An unsigned number, a time or an id.
    Unsigned(u64),
    /// A signed number.
    Signed(i64),
    /// A double precision number.
    Double(f64),
    /// The value of an enumeration, with its name if it is known.
    Enum(u64, Option<&'static str>),
    /// A flag set.
    Flags(u32, FlagNames),
    /// A string.
    Text(&'v [u8]),
    /// A tagged value.
    Value(Value),
    /// An id map.
    IdMap(&'v IdMap<'v>),
    /// A list.
    List(&'v dyn Elements),
}

impl std::fmt::Debug for FieldValue<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            FieldValue::Unsigned(value) => value.fmt(f),
            FieldValue::Signed(value) => value.fmt(f),
            FieldValue::Double(value) => value.fmt(f),
            FieldValue::Enum(value, name) => write!(f, "{value} {name:?}"),
            FieldValue::Flags(bits, names) => {
                write!(f, "{bits:#x} {:?}", names.iter(*bits).collect::<Vec<_>>())
            }
            FieldValue::Text(text) => write!(f, "\"{}\"", text.escape_ascii()),
            FieldValue::Value(value) => value.fmt(f),
            FieldValue::IdMap(map) => map.fmt(f),
            FieldValue::List(list) => {
                let mut debug = f.debug_list();
                list.each(&mut |parts| {
                    debug.entry(&parts);
                });
                debug.finish()
            }
        }
    }
}

/// The elements of a list.
pub trait Elements {
    /// Returns the number of elements.
    fn count(&self) -> usize;

    /// Calls `visit` with the parts of every element.
    fn each(&self, visit: &mut dyn FnMut(&[FieldValue<'_>]));
}

macro_rules! number {
    ($type:ty, $kind:ident, $width:literal, $size:expr, $method:ident, $show:ident) => {
        impl Field for $type {
            const KIND: FieldKind = FieldKind::$kind;
            #[inline(always)]
            fn width(&self) -> usize {
                $width
            }
            #[inline]
            fn size(&self) -> usize {
                $size(*self)
            }
            #[inline(always)]
            fn put<E: ByteOrder>(&self, cursor: &mut wire::Encoder<'_, E>) {
                cursor.$method(*self)
            }
            fn show(&self) -> FieldValue<'_> {
                FieldValue::$show((*self).into())
            }
        }
        impl<'a> Get<'a> for $type {
            #[inline(always)]
            fn get<F: wire::Fields<'a>>(fields: &mut F) -> Result<Self, Problem> {
                fields.$method().map(|value| value as $type)
            }
        }
    };
}

number!(u8, U8, 1, |_| 1, u8, Unsigned);
number!(u32, U32, 5, wire::size_u32c, u32c, Unsigned);
number!(u64, U64, 9, wire::size_u64c, u64c, Unsigned);

impl Field for i64 {
    const KIND: FieldKind = FieldKind::I64;
    #[inline(always)]
    fn width(&self) -> usize {
        9
    }
    #[inline]
    fn size(&self) -> usize {
        wire::size_i64c(*self)
    }
    #[inline(always)]
    fn put<E: ByteOrder>(&self, cursor: &mut wire::Encoder<'_, E>) {
        cursor.i64c(*self)
    }
    fn show(&self) -> FieldValue<'_> {
        FieldValue::Signed(*self)
    }
}

impl<'a> Get<'a> for i64 {
    #[inline(always)]
    fn get<F: wire::Fields<'a>>(fields: &mut F) -> Result<Self, Problem> {
        fields.u64c().map(|value| value as i64)
    }
}

impl Field for f64 {
    const KIND: FieldKind = FieldKind::F64;
    #[inline(always)]
    fn width(&self) -> usize {
        8
    }
    #[inline]
    fn size(&self) -> usize {
        8
    }
    #[inline(always)]
    fn put<E: ByteOrder>(&self, cursor: &mut wire::Encoder<'_, E>) {
        cursor.u64(self.to_bits())
    }
    fn show(&self) -> FieldValue<'_> {
        FieldValue::Double(*self)
    }
}

impl<'a> Get<'a> for f64 {
    #[inline(always)]
    fn get<F: wire::Fields<'a>>(fields: &mut F) -> Result<Self, Problem> {
        fields.u64().map(f64::from_bits)
    }
}
