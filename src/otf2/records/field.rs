//! Fields of records: the Rust type of a field determines its encoding, its upper bound and its meaning.
//!
//! Two bounds exist because libotf2 has two, OTF2 format, section "When a writer opens a new chunk": events,
//! snapshots, markers and thumbnails count the `width` of the type, definitions the exact `size`.

use super::enums::MappingType;
use super::flags::FlagNames;
use super::id_map::IdMap;
use super::mappings::Mappings;
use super::value::Value;
use crate::byte_order::ByteOrder;
use crate::error::Problem;
use crate::{read, write};

/// Type of a field of a record.
pub trait Field {
    /// What the field means.
    const KIND: FieldKind;

    /// Largest encoded size of any value with the same number of elements and the same texts, in bytes.
    fn width(&self) -> usize;

    /// Encoded size in bytes, except that the value of a tagged value counts nine.
    fn size(&self) -> usize;

    /// Appends the field.
    fn put<E: ByteOrder>(&self, cursor: &mut write::Cursor<'_, E>);

    /// The value, for printing.
    fn show(&self) -> FieldValue<'_>;
}

/// A field that can be read from bytes that live for `'a`.
pub trait Get<'a>: Field + Sized {
    /// Takes the field.
    fn get<F: read::Fields<'a>>(fields: &mut F) -> Result<Self, Problem>;

    /// Replaces the ids in it that mapping tables are for.
    #[inline(always)]
    fn map(&mut self, _: &'a Mappings) {}
}

/// What a field means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FieldKind {
    /// Plain byte.
    U8,
    /// Compressed unsigned 32-bit number.
    U32,
    /// Compressed unsigned 64-bit number.
    U64,
    /// Compressed signed 64-bit number.
    I64,
    /// Double precision number.
    F64,
    /// Time in ticks, 64 bits.
    Timestamp,
    /// Id of a definition.
    Reference {
        /// Id space, e.g. `Region`.
        space: &'static str,
        /// Mapping table that applies to ids of this space in events.
        mapping: Option<MappingType>,
        /// Width of the id in bytes; one-byte ids are plain, the others compressed.
        bytes: u8,
    },
    /// Enumeration of this name.
    Enum(&'static str),
    /// Flag set of this name.
    Flags(&'static str),
    /// String.
    Text,
    /// Type byte and value.
    Value,
    /// Type byte and value of a metric.
    MetricValue,
    /// Id map.
    IdMap,
    /// Count and that many elements.
    List {
        /// Encoding of the count: [`FieldKind::U8`] or [`FieldKind::U32`].
        count: &'static FieldKind,
        /// Parts of an element.
        element: &'static [FieldKind],
    },
}

/// Most bytes of the only field of a record that is a compressed integer; 0 for all other records.
pub(crate) const fn integer_bytes(fields: &[FieldInfo]) -> u8 {
    match fields {
        [FieldInfo { kind: FieldKind::U32, .. }] => 4,
        [FieldInfo { kind: FieldKind::U64, .. }] => 8,
        [FieldInfo { kind: FieldKind::Reference { bytes, .. }, .. }] => *bytes,
        _ => 0,
    }
}

/// Name and meaning of a field of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FieldInfo {
    /// Names of the attributes it covers, separated by blanks: a list covers its count and its arrays, a tagged
    /// value its type.
    pub names: &'static str,
    /// Meaning.
    pub kind: FieldKind,
    /// OTF2 version that added the field.
    pub since: &'static str,
    /// Whether the clock correction applies to it in events.
    pub clock: bool,
    /// Whether it is on the wire only, derived from other fields.
    pub obsolete: bool,
}

/// Value of a field.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum FieldValue<'v> {
    /// Unsigned number, time or id.
    Unsigned(u64),
    /// Signed number.
    Signed(i64),
    /// Double precision number.
    Double(f64),
    /// Value of an enumeration with its name, if it is a known one.
    Enum(u64, Option<&'static str>),
    /// Flag set.
    Flags(u32, FlagNames),
    /// String.
    Text(&'v [u8]),
    /// Tagged value.
    Value(Value),
    /// Id map.
    IdMap(&'v IdMap<'v>),
    /// List.
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

/// Elements of a list.
pub trait Elements {
    /// Number of elements.
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
            fn put<E: ByteOrder>(&self, cursor: &mut write::Cursor<'_, E>) {
                cursor.$method(*self)
            }
            fn show(&self) -> FieldValue<'_> {
                FieldValue::$show((*self).into())
            }
        }
        impl<'a> Get<'a> for $type {
            #[inline(always)]
            fn get<F: read::Fields<'a>>(fields: &mut F) -> Result<Self, Problem> {
                fields.$method().map(|value| value as $type)
            }
        }
    };
}

number!(u8, U8, 1, |_| 1, u8, Unsigned);
number!(u32, U32, 5, write::cursor::size_u32c, u32c, Unsigned);
number!(u64, U64, 9, write::cursor::size_u64c, u64c, Unsigned);

impl Field for i64 {
    const KIND: FieldKind = FieldKind::I64;
    #[inline(always)]
    fn width(&self) -> usize {
        9
    }
    #[inline]
    fn size(&self) -> usize {
        write::cursor::size_i64c(*self)
    }
    #[inline(always)]
    fn put<E: ByteOrder>(&self, cursor: &mut write::Cursor<'_, E>) {
        cursor.i64c(*self)
    }
    fn show(&self) -> FieldValue<'_> {
        FieldValue::Signed(*self)
    }
}

impl<'a> Get<'a> for i64 {
    #[inline(always)]
    fn get<F: read::Fields<'a>>(fields: &mut F) -> Result<Self, Problem> {
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
    fn put<E: ByteOrder>(&self, cursor: &mut write::Cursor<'_, E>) {
        cursor.u64(self.to_bits())
    }
    fn show(&self) -> FieldValue<'_> {
        FieldValue::Double(*self)
    }
}

impl<'a> Get<'a> for f64 {
    #[inline(always)]
    fn get<F: read::Fields<'a>>(fields: &mut F) -> Result<Self, Problem> {
        fields.u64().map(f64::from_bits)
    }
}
