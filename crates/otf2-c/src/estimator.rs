//! `OTF2_EventSizeEstimator`: how many bytes events take at most.

use crate::attribute_list::AttributeList;
use crate::error::{ErrorCode, INVALID_ARGUMENT, SUCCESS, fail};
use kymo_otf2::estimate::Estimator;
use kymo_otf2::references::Space;

#[track_caller]
fn missing() -> ErrorCode {
    fail(INVALID_ARGUMENT, format_args!("no event size estimator"))
}

/// Returns a size; 0 if the handle is null.
///
/// # Safety
///
/// Null or an estimator.
#[track_caller]
unsafe fn size_of(this: *const Estimator, size: impl FnOnce(&Estimator) -> u64) -> usize {
    // SAFETY: `this` is null or an estimator that nothing else uses during this call.
    match unsafe { this.as_ref() } {
        Some(estimator) => usize::try_from(size(estimator)).unwrap_or(usize::MAX),
        None => {
            missing();
            0
        }
    }
}

/// Makes an estimator for any number of definitions.
#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn OTF2_EventSizeEstimator_New() -> *mut Estimator {
    Box::into_raw(Box::new(Estimator::new()))
}

/// Frees an estimator. Null is allowed.
///
/// # Safety
///
/// Null or an estimator that is not used any more.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_EventSizeEstimator_Delete(this: *mut Estimator) -> ErrorCode {
    if !this.is_null() {
        // SAFETY: made by `OTF2_EventSizeEstimator_New`.
        drop(unsafe { Box::from_raw(this) });
    }
    SUCCESS
}

macro_rules! numbers {
    ($($space:ident: $type:ty)*) => {$(
        const _: () = {
            /// Sets the number of definitions of this kind.
            ///
            /// # Safety
            ///
            /// Null or an estimator.
            #[unsafe(export_name =
                concat!("OTF2_EventSizeEstimator_SetNumberOf", stringify!($space), "Definitions"))]
            unsafe extern "C-unwind" fn set(this: *mut Estimator, number: $type) -> ErrorCode {
                // SAFETY: `this` is null or an estimator that nothing else uses during this call.
                let Some(estimator) = (unsafe { this.as_mut() }) else { return missing() };
                estimator.set_definitions(Space::$space, number.into());
                SUCCESS
            }
        };
    )*};
}

numbers! {
    String: u32
    Attribute: u32
    Location: u64
    Region: u32
    Group: u32
    Metric: u32
    Comm: u32
    Parameter: u32
    RmaWin: u32
    SourceCodeLocation: u32
    CallingContext: u32
    InterruptGenerator: u32
    IoFile: u32
    IoHandle: u32
    LocationGroup: u32
}

/// Returns the size of the chunks in which the largest group fits; 0 if there is none.
///
/// # Safety
///
/// Null or an estimator.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_EventSizeEstimator_GetDefChunkSize(
    this: *mut Estimator,
) -> usize {
    // SAFETY: `this` is null or an estimator that nothing else uses during this call.
    unsafe { size_of(this, Estimator::definition_chunk_size) }
}

/// Returns the size of the time stamp before an event.
///
/// # Safety
///
/// Null or an estimator.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_EventSizeEstimator_GetSizeOfTimestamp(
    this: *mut Estimator,
) -> usize {
    // SAFETY: `this` is null or an estimator that nothing else uses during this call.
    unsafe { size_of(this, |_| Estimator::TIMESTAMP) }
}

/// Returns the size of an attribute list; 0 if it is null or empty.
///
/// # Safety
///
/// Null or an estimator; null or a list.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_EventSizeEstimator_GetSizeOfAttributeList(
    this: *const Estimator,
    list: *const AttributeList,
) -> usize {
    // SAFETY: `this` is null or an estimator, and `list` is null or a list; nothing changes them
    // during this call.
    unsafe {
        size_of(this, |estimator| {
            let entries = list.as_ref().map_or(&[][..], AttributeList::entries);
            let types: Vec<_> = entries.iter().map(|entry| entry.value.type_()).collect();
            estimator.attribute_list(&types)
        })
    }
}

macro_rules! size {
    (Metric $id:literal) => {
        size! { @function Metric $id [elements: u8] elements.into() }
    };
    (ProgramBegin $id:literal) => {
        size! { @function ProgramBegin $id [elements: u32] elements.into() }
    };
    ($name:ident $id:literal) => {
        size! { @function $name $id [] 0 }
    };
    (@function $name:ident $id:literal [$($elements:ident: $type:ty)?] $count:expr) => {
        const _: () = {
            /// Returns the size of an event of this kind, without its time stamp and attributes.
            ///
            /// # Safety
            ///
            /// Null or an estimator.
            #[unsafe(export_name =
                concat!("OTF2_EventSizeEstimator_GetSizeOf", stringify!($name), "Event"))]
            unsafe extern "C-unwind" fn size(this: *mut Estimator, $($elements: $type)?) -> usize {
                // SAFETY: `this` is null or an estimator that nothing else uses during this call.
                unsafe { size_of(this, |estimator| estimator.event($id, $count).unwrap_or(0)) }
            }
        };
    };
}

macro_rules! sizes {
    (
        $(#[$about:meta])* $family:ident: $trait:ident, $bound:ident;
        frequent: $($frequent:ident)*;
        $($(#[$doc:meta])* $id:literal $name:ident $(<$life:lifetime>)? since $since:literal
            $([$($option:tt)*])? { $($body:tt)* })*
    ) => {
        $(size! { $name $id })*
    };
}

kymo_otf2::for_each_event!(sizes);
