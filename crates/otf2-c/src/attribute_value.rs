//! `OTF2_AttributeValue`: enumerations and flags as values of attributes.

use crate::error::{ErrorCode, INVALID_ARGUMENT, INVALID_ATTRIBUTE_TYPE, SUCCESS, fail};
use kymo_otf2::enums::Type;

macro_rules! enumerations {
    ($number:ty, $type:ident: $($name:ident)*) => {$(
        const _: () = {
            /// Sets type and value.
            ///
            /// # Safety
            ///
            /// Null or places for the results.
            #[unsafe(export_name = concat!("OTF2_AttributeValue_Set", stringify!($name)))]
            unsafe extern "C-unwind" fn set(number: $number, type_: *mut u8, value: *mut u64) -> ErrorCode {
                // SAFETY: `type_` and `value` are null or places for results that nothing else
                // refers to.
                match unsafe { (type_.as_mut(), value.as_mut()) } {
                    (Some(type_), Some(value)) => {
                        (*type_, *value) = (Type::$type.0, number.into());
                        SUCCESS
                    }
                    _ => fail(INVALID_ARGUMENT, format_args!("no place for a type or value")),
                }
            }

            /// Returns the value, if it is of the type.
            ///
            /// # Safety
            ///
            /// Null or a place for the result.
            #[unsafe(export_name = concat!("OTF2_AttributeValue_Get", stringify!($name)))]
            unsafe extern "C-unwind" fn get(type_: u8, value: u64, number: *mut $number) -> ErrorCode {
                // SAFETY: `number` is null or a place for the result that nothing else refers to.
                let Some(number) = (unsafe { number.as_mut() }) else {
                    return fail(INVALID_ARGUMENT, format_args!("no place for a value"));
                };
                if Type(type_) != Type::$type {
                    let (found, expected) = (Type(type_), Type::$type);
                    return fail(INVALID_ATTRIBUTE_TYPE, format_args!("{found} instead of {expected}"));
                }
                *number = value as $number;
                SUCCESS
            }
        };
    )*};
}

enumerations! { u8, UINT8:
    Boolean FileType FileSubstrate MappingType Type Paradigm ParadigmClass ParadigmProperty ThumbnailType
    SystemTreeDomain LocationGroupType LocationType RegionRole GroupType Base MetricOccurrence MetricType
    MetricValueProperty MetricTiming MetricMode MetricScope RecorderKind ParameterType CartPeriodicity
    InterruptGeneratorMode MeasurementMode CollectiveOp RmaSyncType LockType RmaAtomicType IoParadigmClass
    IoParadigmProperty IoAccessMode IoSeekOption IoOperationMode
}

enumerations! { u32, UINT32:
    RegionFlag GroupFlag RmaSyncLevel IoParadigmFlag IoHandleFlag IoCreationFlag IoStatusFlag
    IoOperationFlag CommFlag RmaWinFlag CollectiveRoot
    TaskGenerationNumber
}
