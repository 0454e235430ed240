//! `OTF2_AttributeList`: values that belong to an event. An id occurs once; the order is that of
//! adding.

use crate::error::{ErrorCode, INDEX_OUT_OF_BOUNDS, INVALID_ARGUMENT, INVALID_DATA, SUCCESS, fail};
use kymo_otf2::attributes::Attribute;
use kymo_otf2::enums::Type;
use kymo_otf2::references::AttributeRef;
use kymo_otf2::value::Value;

/// `OTF2_AttributeList`.
#[derive(Debug, Default)]
pub(crate) struct AttributeList {
    entries: Vec<Attribute>,
}

impl AttributeList {
    pub(crate) fn entries(&self) -> &[Attribute] {
        &self.entries
    }

    pub(crate) fn clear(&mut self) {
        self.entries.clear();
    }

    /// Replaces the content.
    pub(crate) fn fill(&mut self, entries: impl Iterator<Item = Attribute>) {
        self.entries.clear();
        self.entries.extend(entries);
    }

    fn find(&self, attribute: u32) -> Option<usize> {
        self.entries.iter().position(|entry| entry.attribute.0 == attribute)
    }

    fn add(&mut self, attribute: u32, value: Value) -> ErrorCode {
        if self.find(attribute).is_some() {
            return fail(INVALID_ARGUMENT, format_args!("attribute {attribute} is in the list"));
        }
        self.entries.push(Attribute { attribute: AttributeRef(attribute), value });
        SUCCESS
    }
}

#[track_caller]
fn missing() -> ErrorCode {
    fail(INVALID_ARGUMENT, format_args!("no attribute list, or no place for a result"))
}

#[track_caller]
fn unknown(attribute: u32) -> ErrorCode {
    fail(INVALID_ARGUMENT, format_args!("attribute {attribute} is not in the list"))
}

/// Makes an empty list.
#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn OTF2_AttributeList_New() -> *mut AttributeList {
    Box::into_raw(Box::default())
}

/// Frees a list.
///
/// # Safety
///
/// Null or a list that is not used any more.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_AttributeList_Delete(this: *mut AttributeList) -> ErrorCode {
    if !this.is_null() {
        // SAFETY: made by `OTF2_AttributeList_New`.
        drop(unsafe { Box::from_raw(this) });
    }
    SUCCESS
}

/// Adds a value.
///
/// # Safety
///
/// Null or a list.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_AttributeList_AddAttribute(
    this: *mut AttributeList,
    attribute: u32,
    type_: u8,
    value: u64,
) -> ErrorCode {
    // SAFETY: `this` is null or a list that nothing else uses during this call.
    match unsafe { this.as_mut() } {
        Some(list) => list.add(attribute, Value::new(Type(type_), value)),
        None => missing(),
    }
}

/// A C type of values.
trait Number {
    fn to_bits(self) -> u64;
    fn from_bits(bits: u64) -> Self;
}

macro_rules! integers {
    ($($type:ty),*) => {$(
        impl Number for $type {
            fn to_bits(self) -> u64 {
                self as u64
            }
            fn from_bits(bits: u64) -> Self {
                bits as $type
            }
        }
    )*};
}

integers!(u8, u16, u32, u64, i8, i16, i32, i64);

impl Number for f32 {
    fn to_bits(self) -> u64 {
        f32::to_bits(self).into()
    }
    fn from_bits(bits: u64) -> Self {
        f32::from_bits(bits as u32)
    }
}

impl Number for f64 {
    fn to_bits(self) -> u64 {
        f64::to_bits(self)
    }
    fn from_bits(bits: u64) -> Self {
        f64::from_bits(bits)
    }
}

macro_rules! typed {
    ($($add:ident $get:ident: $number:ty, $type:ident;)*) => {$(
        /// Adds a value of this type.
        ///
        /// # Safety
        ///
        /// Null or a list.
        #[unsafe(no_mangle)]
        pub(crate) unsafe extern "C-unwind" fn $add(
            this: *mut AttributeList,
            attribute: u32,
            value: $number,
        ) -> ErrorCode {
            // SAFETY: `this` is null or a list that nothing else uses during this call.
            match unsafe { this.as_mut() } {
                Some(list) => list.add(attribute, Value::new(Type::$type, Number::to_bits(value))),
                None => missing(),
            }
        }

        /// Returns a value of this type.
        ///
        /// # Safety
        ///
        /// Null or a list; null or a place for the result.
        #[unsafe(no_mangle)]
        pub(crate) unsafe extern "C-unwind" fn $get(
            this: *const AttributeList,
            attribute: u32,
            value: *mut $number,
        ) -> ErrorCode {
            // SAFETY: `this` is null or a list that nothing else uses during this call.
            let (Some(list), false) = (unsafe { (this.as_ref(), value.is_null()) }) else {
                return missing();
            };
            let Some(at) = list.find(attribute) else { return unknown(attribute) };
            let found = list.entries[at].value;
            if found.type_() != Type::$type {
                return fail(INVALID_DATA, format_args!("attribute {attribute} is of type {}", found.type_()));
            }
            // SAFETY: `value` is not null, so it is a place for the result.
            unsafe { value.write(Number::from_bits(found.bits())) };
            SUCCESS
        }
    )*};
}

typed! {
    OTF2_AttributeList_AddUint8 OTF2_AttributeList_GetUint8: u8, UINT8;
    OTF2_AttributeList_AddUint16 OTF2_AttributeList_GetUint16: u16, UINT16;
    OTF2_AttributeList_AddUint32 OTF2_AttributeList_GetUint32: u32, UINT32;
    OTF2_AttributeList_AddUint64 OTF2_AttributeList_GetUint64: u64, UINT64;
    OTF2_AttributeList_AddInt8 OTF2_AttributeList_GetInt8: i8, INT8;
    OTF2_AttributeList_AddInt16 OTF2_AttributeList_GetInt16: i16, INT16;
    OTF2_AttributeList_AddInt32 OTF2_AttributeList_GetInt32: i32, INT32;
    OTF2_AttributeList_AddInt64 OTF2_AttributeList_GetInt64: i64, INT64;
    OTF2_AttributeList_AddFloat OTF2_AttributeList_GetFloat: f32, FLOAT;
    OTF2_AttributeList_AddDouble OTF2_AttributeList_GetDouble: f64, DOUBLE;
    OTF2_AttributeList_AddStringRef OTF2_AttributeList_GetStringRef: u32, STRING;
    OTF2_AttributeList_AddAttributeRef OTF2_AttributeList_GetAttributeRef: u32, ATTRIBUTE;
    OTF2_AttributeList_AddLocationRef OTF2_AttributeList_GetLocationRef: u64, LOCATION;
    OTF2_AttributeList_AddRegionRef OTF2_AttributeList_GetRegionRef: u32, REGION;
    OTF2_AttributeList_AddGroupRef OTF2_AttributeList_GetGroupRef: u32, GROUP;
    OTF2_AttributeList_AddMetricRef OTF2_AttributeList_GetMetricRef: u32, METRIC;
    OTF2_AttributeList_AddCommRef OTF2_AttributeList_GetCommRef: u32, COMM;
    OTF2_AttributeList_AddParameterRef OTF2_AttributeList_GetParameterRef: u32, PARAMETER;
    OTF2_AttributeList_AddRmaWinRef OTF2_AttributeList_GetRmaWinRef: u32, RMA_WIN;
    OTF2_AttributeList_AddSourceCodeLocationRef OTF2_AttributeList_GetSourceCodeLocationRef:
        u32, SOURCE_CODE_LOCATION;
    OTF2_AttributeList_AddCallingContextRef OTF2_AttributeList_GetCallingContextRef: u32, CALLING_CONTEXT;
    OTF2_AttributeList_AddInterruptGeneratorRef OTF2_AttributeList_GetInterruptGeneratorRef:
        u32, INTERRUPT_GENERATOR;
    OTF2_AttributeList_AddIoFileRef OTF2_AttributeList_GetIoFileRef: u32, IO_FILE;
    OTF2_AttributeList_AddIoHandleRef OTF2_AttributeList_GetIoHandleRef: u32, IO_HANDLE;
    OTF2_AttributeList_AddLocationGroupRef OTF2_AttributeList_GetLocationGroupRef: u32, LOCATION_GROUP;
}

/// Removes a value.
///
/// # Safety
///
/// Null or a list.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_AttributeList_RemoveAttribute(
    this: *mut AttributeList,
    attribute: u32,
) -> ErrorCode {
    // SAFETY: `this` is null or a list that nothing else uses during this call.
    let Some(list) = (unsafe { this.as_mut() }) else { return missing() };
    match list.find(attribute) {
        Some(at) => {
            list.entries.remove(at);
            SUCCESS
        }
        None => unknown(attribute),
    }
}

/// Removes all values.
///
/// # Safety
///
/// Null or a list.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_AttributeList_RemoveAllAttributes(
    this: *mut AttributeList,
) -> ErrorCode {
    // SAFETY: `this` is null or a list that nothing else uses during this call.
    match unsafe { this.as_mut() } {
        Some(list) => {
            list.clear();
            SUCCESS
        }
        None => missing(),
    }
}

/// Returns whether there is a value for an attribute.
///
/// # Safety
///
/// Null or a list.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_AttributeList_TestAttributeByID(
    this: *const AttributeList,
    attribute: u32,
) -> bool {
    // SAFETY: `this` is null or a list that nothing else uses during this call.
    match unsafe { this.as_ref() } {
        Some(list) => list.find(attribute).is_some(),
        None => {
            missing();
            false
        }
    }
}

/// Returns the number of values.
///
/// # Safety
///
/// Null or a list.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_AttributeList_GetNumberOfElements(
    this: *const AttributeList,
) -> u32 {
    // SAFETY: `this` is null or a list that nothing else uses during this call.
    match unsafe { this.as_ref() } {
        Some(list) => list.entries.len() as u32,
        None => {
            missing();
            0
        }
    }
}

/// Returns the type and value of an attribute.
///
/// # Safety
///
/// Null or a list; null or places for the results.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_AttributeList_GetAttributeByID(
    this: *const AttributeList,
    attribute: u32,
    type_: *mut u8,
    value: *mut u64,
) -> ErrorCode {
    // SAFETY: `this` is null or a list that nothing else uses during this call; `type_` and `value`
    // are null or places for results that nothing else refers to.
    let (Some(list), Some(type_), Some(value)) = (unsafe { (this.as_ref(), type_.as_mut(), value.as_mut()) })
    else {
        return missing();
    };
    let Some(at) = list.find(attribute) else { return unknown(attribute) };
    (*type_, *value) = (list.entries[at].value.type_().0, list.entries[at].value.bits());
    SUCCESS
}

/// Returns the attribute at an index, its type and value.
///
/// # Safety
///
/// Null or a list; null or places for the results.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_AttributeList_GetAttributeByIndex(
    this: *const AttributeList,
    index: u32,
    attribute: *mut u32,
    type_: *mut u8,
    value: *mut u64,
) -> ErrorCode {
    // SAFETY: `this` is null or a list that nothing else uses during this call; `attribute`,
    // `type_` and `value` are null or places for results that nothing else refers to.
    let (Some(list), Some(attribute), Some(type_), Some(value)) =
        (unsafe { (this.as_ref(), attribute.as_mut(), type_.as_mut(), value.as_mut()) })
    else {
        return missing();
    };
    let Some(entry) = list.entries.get(index as usize) else {
        let length = list.entries.len();
        return fail(INDEX_OUT_OF_BOUNDS, format_args!("index {index} of a list of {length} attributes"));
    };
    (*attribute, *type_, *value) = (entry.attribute.0, entry.value.type_().0, entry.value.bits());
    SUCCESS
}

/// Removes the first attribute and returns it with its type and value.
///
/// # Safety
///
/// Null or a list; null or places for the results.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_AttributeList_PopAttribute(
    this: *mut AttributeList,
    attribute: *mut u32,
    type_: *mut u8,
    value: *mut u64,
) -> ErrorCode {
    // SAFETY: `this` is null or a list that nothing else uses during this call; `attribute`,
    // `type_` and `value` are null or places for results that nothing else refers to.
    let (Some(list), Some(attribute), Some(type_), Some(value)) =
        (unsafe { (this.as_mut(), attribute.as_mut(), type_.as_mut(), value.as_mut()) })
    else {
        return missing();
    };
    if list.entries.is_empty() {
        return fail(INVALID_ARGUMENT, format_args!("the attribute list is empty"));
    }
    let entry = list.entries.remove(0);
    (*attribute, *type_, *value) = (entry.attribute.0, entry.value.type_().0, entry.value.bits());
    SUCCESS
}
