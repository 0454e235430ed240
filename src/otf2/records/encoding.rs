//! The encoding of enumerations, flag sets, references, id maps and values.
//!
//! It is separate from these types because [`field`](super::field) names them: types are below
//! fields, and their encoding is above.

use super::enums::Type;
use super::field::{Field, FieldKind, FieldValue, Get};
use super::id_map::IdMap;
use super::mappings::Mappings;
use super::value::{Timestamp, Value, is_short_reference};
use super::{enums, flags, references};
use crate::byte_order::ByteOrder;
use crate::error::Problem;
use crate::wire;

// An enumeration is a plain byte. Those with more bits are not on the wire.
macro_rules! encode_enums {
    ($($(#[$doc:meta])* $name:ident: $int:tt { $($value:ident = $number:literal,)* })*) => {
        $(encode_enums!(@ $int $name);)*
    };
    (@ u32 $name:ident) => {};
    (@ u8 $name:ident) => {
        impl Field for enums::$name {
            const KIND: FieldKind = FieldKind::Enum(stringify!($name));
            #[inline(always)]
            fn width(&self) -> usize {
                1
            }
            #[inline]
            fn size(&self) -> usize {
                1
            }
            #[inline(always)]
            fn put<E: ByteOrder>(&self, cursor: &mut wire::Encoder<'_, E>) {
                cursor.u8(self.0)
            }
            fn show(&self) -> FieldValue<'_> {
                FieldValue::Enum(self.0.into(), self.name())
            }
        }

        impl<'a> Get<'a> for enums::$name {
            #[inline(always)]
            fn get<F: wire::Fields<'a>>(fields: &mut F) -> Result<Self, Problem> {
                fields.u8().map(enums::$name)
            }
        }
    };
}

crate::for_each_enum!(encode_enums);

// A flag set is a compressed 32-bit number.
macro_rules! encode_flag_sets {
    ($($(#[$doc:meta])* $name:ident { $($flag:ident = $bit:literal,)* })*) => {$(
        impl Field for flags::$name {
            const KIND: FieldKind = FieldKind::Flags(stringify!($name));
            #[inline(always)]
            fn width(&self) -> usize {
                5
            }
            #[inline]
            fn size(&self) -> usize {
                self.bits().size()
            }
            #[inline(always)]
            fn put<E: ByteOrder>(&self, cursor: &mut wire::Encoder<'_, E>) {
                cursor.u32c(self.bits())
            }
            fn show(&self) -> FieldValue<'_> {
                FieldValue::Flags(self.bits(), Self::NAMES)
            }
        }

        impl<'a> Get<'a> for flags::$name {
            #[inline(always)]
            fn get<F: wire::Fields<'a>>(fields: &mut F) -> Result<Self, Problem> {
                fields.u32c().map(flags::$name::from_bits_retain)
            }
        }
    )*};
}

crate::for_each_flag_set!(encode_flag_sets);

// A reference is encoded as its integer.
macro_rules! encode_references {
    ($($(#[$doc:meta])* $name:ident: $int:ty, $space:ident, $mapping:expr;)*) => {$(
        impl Field for references::$name {
            const KIND: FieldKind = FieldKind::Reference {
                space: Self::SPACE,
                mapping: Self::MAPPING,
                bytes: size_of::<$int>() as u8,
            };
            #[inline(always)]
            fn width(&self) -> usize {
                self.0.width()
            }
            #[inline]
            fn size(&self) -> usize {
                self.0.size()
            }
            #[inline(always)]
            fn put<E: ByteOrder>(&self, cursor: &mut wire::Encoder<'_, E>) {
                self.0.put(cursor)
            }
            fn show(&self) -> FieldValue<'_> {
                FieldValue::Unsigned(self.0.into())
            }
        }

        impl<'a> Get<'a> for references::$name {
            #[inline(always)]
            fn get<F: wire::Fields<'a>>(fields: &mut F) -> Result<Self, Problem> {
                <$int>::get(fields).map(references::$name)
            }
            #[inline(always)]
            fn map(&mut self, mappings: &'a Mappings) {
                self.0 = mappings.global(Self::SPACE, self.0.into()) as $int;
            }
        }
    )*};
}

crate::for_each_reference!(encode_references);

impl Field for IdMap<'_> {
    const KIND: FieldKind = FieldKind::IdMap;
    fn width(&self) -> usize {
        10 + self.len() * if self.is_sparse() { 18 } else { 9 }
    }
    fn size(&self) -> usize {
        let entry =
            |(local, global): (u64, u64)| global.size() + if self.is_sparse() { local.size() } else { 0 };
        (self.len() as u64).size() + 1 + self.iter().map(entry).sum::<usize>()
    }
    fn put<E: ByteOrder>(&self, cursor: &mut wire::Encoder<'_, E>) {
        cursor.u64c(self.len() as u64);
        cursor.u8(self.is_sparse() as u8);
        for (local, global) in self.iter() {
            if self.is_sparse() {
                cursor.u64c(local);
            }
            cursor.u64c(global);
        }
    }
    fn show(&self) -> FieldValue<'_> {
        FieldValue::IdMap(self)
    }
}

impl<'a> Get<'a> for IdMap<'a> {
    fn get<F: wire::Fields<'a>>(fields: &mut F) -> Result<Self, Problem> {
        let entries = fields.u64c()?;
        let sparse = match fields.u8()? {
            0 => false,
            1 => true,
            mode => return Err(Problem::IdMapMode(mode)),
        };
        if entries == 0 {
            return Err(Problem::EmptyIdMap);
        }
        if entries > fields.left() as u64 {
            return Err(Problem::UnexpectedEnd);
        }
        let cursor = fields.cursor();
        for _ in 0..entries * (1 + sparse as u64) {
            fields.u64c()?;
        }
        Ok(IdMap::encoded(sparse, entries as usize, cursor))
    }
}

impl Field for Timestamp {
    const KIND: FieldKind = FieldKind::Timestamp;
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
        cursor.u64(self.0)
    }
    fn show(&self) -> FieldValue<'_> {
        FieldValue::Unsigned(self.0)
    }
}

impl<'a> Get<'a> for Timestamp {
    #[inline(always)]
    fn get<F: wire::Fields<'a>>(fields: &mut F) -> Result<Self, Problem> {
        fields.u64().map(Timestamp)
    }
}

impl Field for Value {
    const KIND: FieldKind = FieldKind::Value;
    #[inline(always)]
    fn width(&self) -> usize {
        10
    }
    #[inline]
    fn size(&self) -> usize {
        10
    }
    #[inline]
    fn put<E: ByteOrder>(&self, cursor: &mut wire::Encoder<'_, E>) {
        cursor.u8(self.type_().0);
        match self.type_() {
            Type::UINT8 | Type::INT8 => cursor.u8(self.bits() as u8),
            Type::UINT16 | Type::INT16 => cursor.u16(self.bits() as u16),
            Type::UINT32 => cursor.u32c(self.bits() as u32),
            Type::INT32 => cursor.i32c(self.bits() as i32),
            Type::INT64 => cursor.i64c(self.bits() as i64),
            Type::FLOAT => cursor.u32(self.bits() as u32),
            Type::DOUBLE => cursor.u64(self.bits()),
            type_ if is_short_reference(type_) => cursor.u32c(self.bits() as u32),
            _ => cursor.u64c(self.bits()),
        }
    }
    fn show(&self) -> FieldValue<'_> {
        FieldValue::Value(*self)
    }
}

impl<'a> Get<'a> for Value {
    fn map(&mut self, mappings: &'a Mappings) {
        *self = self.mapped(mappings);
    }
    fn get<F: wire::Fields<'a>>(fields: &mut F) -> Result<Self, Problem> {
        let type_ = Type(fields.u8()?);
        let bits = match type_ {
            Type::UINT8 | Type::INT8 => fields.u8()? as u64,
            Type::UINT16 | Type::INT16 => fields.u16()? as u64,
            Type::UINT32 | Type::INT32 => fields.u32c()? as u64,
            Type::FLOAT => fields.u32()? as u64,
            Type::DOUBLE => fields.u64()?,
            type_ if is_short_reference(type_) => fields.u32c()? as u64,
            _ => fields.u64c()?,
        };
        Ok(Value::new(type_, bits))
    }
}
