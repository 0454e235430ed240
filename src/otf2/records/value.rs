//! Values that contain their type (attributes, properties, metrics), and time stamps.
//!
//! A type that this crate does not support is written and read as a compressed 64-bit number, like
//! all later reference types, so such values survive a round trip.

use super::enums::{IoParadigmProperty, Type};
use super::mappings::{Mappings, space_of_type};
use super::references::*;
use std::fmt;

/// A time in ticks of the trace's clock; eight plain bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
#[repr(transparent)]
pub struct Timestamp(pub u64);

/// A value with its type. Signed values are sign-extended to 64 bits, floating point values are
/// stored as their bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Value {
    type_: Type,
    bits: u64,
}

impl Value {
    /// A value of no type.
    pub const NONE: Value = Value { type_: Type::NONE, bits: 0 };

    /// Creates a value of this type. Bits beyond the width of the type are dropped (for signed
    /// types replaced by the sign).
    #[inline]
    pub fn new(type_: Type, bits: u64) -> Value {
        let bits = match type_ {
            Type::UINT8 => bits as u8 as u64,
            Type::UINT16 => bits as u16 as u64,
            Type::INT8 => bits as i8 as i64 as u64,
            Type::INT16 => bits as i16 as i64 as u64,
            Type::INT32 => bits as i32 as i64 as u64,
            Type::UINT32 | Type::FLOAT => bits as u32 as u64,
            _ if is_short_reference(type_) => bits as u32 as u64,
            _ => bits,
        };
        Value { type_, bits }
    }

    /// Returns the type.
    #[inline]
    pub fn type_(self) -> Type {
        self.type_
    }

    /// Returns the bits.
    #[inline]
    pub fn bits(self) -> u64 {
        self.bits
    }

    /// Returns the value with a global id, if it is a reference for which there is a mapping table.
    #[inline]
    pub fn mapped(self, mappings: &Mappings) -> Value {
        match space_of_type(self.type_) {
            Some(space) => Value::new(self.type_, mappings.global(space, self.bits)),
            None => self,
        }
    }

    /// Returns the string to which the value refers, or an undefined reference if it is not a
    /// string.
    pub fn string(self) -> StringRef {
        if self.type_ == Type::STRING { StringRef(self.bits as u32) } else { StringRef::UNDEFINED }
    }
}

/// Returns whether values of this type are references of 32 bits.
#[inline]
pub(super) fn is_short_reference(type_: Type) -> bool {
    type_ >= Type::STRING && type_ <= Type::LOCATION_GROUP && type_ != Type::LOCATION
}

macro_rules! value_from {
    ($($from:ty, $type:ident, $value:ident => $bits:expr;)*) => {$(
        impl From<$from> for Value {
            #[inline]
            fn from($value: $from) -> Value {
                Value { type_: Type::$type, bits: $bits }
            }
        }
    )*};
}

value_from! {
    u8, UINT8, value => value as u64;
    u16, UINT16, value => value as u64;
    u32, UINT32, value => value as u64;
    u64, UINT64, value => value;
    i8, INT8, value => value as i64 as u64;
    i16, INT16, value => value as i64 as u64;
    i32, INT32, value => value as i64 as u64;
    i64, INT64, value => value as u64;
    f32, FLOAT, value => value.to_bits() as u64;
    f64, DOUBLE, value => value.to_bits();
    StringRef, STRING, value => value.0 as u64;
    AttributeRef, ATTRIBUTE, value => value.0 as u64;
    LocationRef, LOCATION, value => value.0;
    RegionRef, REGION, value => value.0 as u64;
    GroupRef, GROUP, value => value.0 as u64;
    MetricRef, METRIC, value => value.0 as u64;
    CommRef, COMM, value => value.0 as u64;
    ParameterRef, PARAMETER, value => value.0 as u64;
    RmaWinRef, RMA_WIN, value => value.0 as u64;
    SourceCodeLocationRef, SOURCE_CODE_LOCATION, value => value.0 as u64;
    CallingContextRef, CALLING_CONTEXT, value => value.0 as u64;
    InterruptGeneratorRef, INTERRUPT_GENERATOR, value => value.0 as u64;
    IoFileRef, IO_FILE, value => value.0 as u64;
    IoHandleRef, IO_HANDLE, value => value.0 as u64;
    LocationGroupRef, LOCATION_GROUP, value => value.0 as u64;
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.type_)?;
        match self.type_ {
            Type::INT8 | Type::INT16 | Type::INT32 | Type::INT64 => write!(f, "{}", self.bits as i64),
            Type::FLOAT => write!(f, "{}", f32::from_bits(self.bits as u32)),
            Type::DOUBLE => write!(f, "{}", f64::from_bits(self.bits)),
            _ => write!(f, "{}", self.bits),
        }
    }
}

/// The value of a metric: the bits of an unsigned, signed or floating point number, depending on
/// the type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MetricValue {
    /// The type: [`Type::UINT64`], [`Type::INT64`] or [`Type::DOUBLE`].
    pub type_: Type,
    /// The bits.
    pub bits: u64,
}

impl From<u64> for MetricValue {
    #[inline]
    fn from(value: u64) -> Self {
        MetricValue { type_: Type::UINT64, bits: value }
    }
}

impl From<i64> for MetricValue {
    #[inline]
    fn from(value: i64) -> Self {
        MetricValue { type_: Type::INT64, bits: value as u64 }
    }
}

impl From<f64> for MetricValue {
    #[inline]
    fn from(value: f64) -> Self {
        MetricValue { type_: Type::DOUBLE, bits: value.to_bits() }
    }
}

/// A property of an I/O paradigm with its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct IoParadigmPropertyValue {
    /// The property.
    pub property: IoParadigmProperty,
    /// Its value.
    pub value: Value,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_beyond_the_type_are_dropped() {
        assert_eq!(Value::new(Type::UINT8, 0x1FF), Value::from(0xFFu8));
        assert_eq!(Value::new(Type::INT16, 0xFFFE), Value::from(-2i16));
        assert_eq!(Value::new(Type::STRING, u64::MAX), Value::from(StringRef::UNDEFINED));
        assert_eq!(Value::new(Type::LOCATION, u64::MAX), Value::from(LocationRef::UNDEFINED));
        assert_eq!(Value::new(Type(77), u64::MAX).bits(), u64::MAX);
        assert_eq!(Value::from(7u32).string(), StringRef::UNDEFINED);
    }
}
