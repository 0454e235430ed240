//! The properties of an archive: names of the form `A::B` with values.

use super::fields::{Archive, FileMode, archive};
use crate::error::{
    ErrorCode, INVALID_ARGUMENT, INVALID_CALL, MEM_ALLOC_FAILED, PROPERTY_EXISTS, PROPERTY_NAME_INVALID,
    PROPERTY_NOT_FOUND, PROPERTY_VALUE_INVALID, code, fail,
};
use crate::results::{duplicate, place};
use kymo_otf2::anchor::Property;
use kymo_otf2::text::Text;
use std::ffi::{CStr, CString, c_char};

impl Archive {
    fn property(&self, name: &CStr) -> Option<&CStr> {
        let properties = &self.anchor.properties;
        properties.iter().find(|property| property.0.as_c_str() == name).map(|property| property.1.as_c_str())
    }

    fn set_property(&mut self, name: &CStr, value: &CStr, overwrite: bool) -> Result<(), ErrorCode> {
        if self.mode == FileMode::Read {
            return Err(fail(INVALID_CALL, format_args!("the archive is open for reading")));
        }
        let property = Property { name: Text::from(name), value: Text::from(value) };
        if !property.has_valid_name() {
            let name = name.to_string_lossy();
            return Err(fail(PROPERTY_NAME_INVALID, format_args!("{name} is not of the form A::B")));
        }
        let name = CString::new(name.to_bytes().to_ascii_uppercase()).unwrap_or_default();
        let properties = &mut self.anchor.properties;
        let found = properties.iter().position(|property| property.0 == name);
        match found {
            None if value.is_empty() && properties.is_empty() => {}
            // Answers rather than failures: the handler is not called.
            None if value.is_empty() => return Err(PROPERTY_NOT_FOUND),
            None => properties.push((name, value.to_owned())),
            Some(at) if value.is_empty() => drop(properties.remove(at)),
            Some(_) if !overwrite => return Err(PROPERTY_EXISTS),
            Some(at) => properties[at].1 = value.to_owned(),
        }
        Ok(())
    }

    /// Returns the truth value of a property.
    pub(crate) fn bool_property(&self, name: &CStr) -> Result<bool, ErrorCode> {
        let value = self.property(name).ok_or(PROPERTY_NOT_FOUND)?;
        match value.to_bytes() {
            value if value.eq_ignore_ascii_case(b"true") => Ok(true),
            value if value.eq_ignore_ascii_case(b"false") => Ok(false),
            _ => {
                let (name, value) = (name.to_string_lossy(), value.to_string_lossy());
                Err(fail(PROPERTY_VALUE_INVALID, format_args!("{name} is {value}; expected true or false")))
            }
        }
    }

    /// Returns the names in one block of memory: an array of pointers, and the strings after it.
    fn property_names(&self) -> Result<*mut *mut c_char, ErrorCode> {
        let properties = &self.anchor.properties;
        if properties.is_empty() {
            return Ok(std::ptr::null_mut());
        }
        let pointers = properties.len() * size_of::<*mut c_char>();
        let strings: usize = properties.iter().map(|property| property.0.as_bytes_with_nul().len()).sum();
        // SAFETY: `malloc` takes any size; all writes are within the block.
        unsafe {
            let block = libc::malloc(pointers + strings).cast::<u8>();
            if block.is_null() {
                return Err(fail(MEM_ALLOC_FAILED, format_args!("no memory for the names of properties")));
            }
            let (names, mut string) = (block.cast::<*mut c_char>(), block.add(pointers));
            for (at, (name, _)) in properties.iter().enumerate() {
                let bytes = name.as_bytes_with_nul();
                string.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
                names.add(at).write(string.cast());
                string = string.add(bytes.len());
            }
            Ok(names)
        }
    }
}

#[track_caller]
fn missing() -> ErrorCode {
    fail(INVALID_ARGUMENT, format_args!("no name or value of a property"))
}

/// Sets a property. An empty value removes it.
///
/// # Safety
///
/// Null or an archive; null or C strings.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_Archive_SetProperty(
    this: *mut Archive,
    name: *const c_char,
    value: *const c_char,
    overwrite: bool,
) -> ErrorCode {
    // SAFETY: `this` is null or an open archive that nothing else uses during this call.
    code(unsafe { archive(this) }.and_then(|archive| {
        if name.is_null() || value.is_null() {
            return Err(missing());
        }
        let _guard = archive.lock()?;
        // SAFETY: `name` and `value` are not null, so they are C strings, which stay as they are
        // during this call.
        let (name, value) = unsafe { (CStr::from_ptr(name), CStr::from_ptr(value)) };
        archive.set_property(name, value, overwrite)
    }))
}

/// Sets a property to `true` or `false`.
///
/// # Safety
///
/// Null or an archive; null or a C string.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_Archive_SetBoolProperty(
    this: *mut Archive,
    name: *const c_char,
    value: bool,
    overwrite: bool,
) -> ErrorCode {
    let value = if value { c"true" } else { c"false" };
    // SAFETY: `this` is null or an open archive that nothing else uses during this call, and
    // `OTF2_Archive_SetProperty` requires no more of the other arguments than this function.
    unsafe { OTF2_Archive_SetProperty(this, name, value.as_ptr(), overwrite) }
}

/// Returns the names of all properties in one block of memory, which the caller frees.
///
/// # Safety
///
/// Null or an archive; null or places for the results.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_Archive_GetPropertyNames(
    this: *mut Archive,
    number: *mut u32,
    names: *mut *mut *mut c_char,
) -> ErrorCode {
    // SAFETY: `this` is null or an open archive that nothing else uses during this call.
    code(unsafe { archive(this) }.and_then(|archive| {
        // SAFETY: `number` and `names` are null or places for results that nothing else refers to.
        let (number, names) = unsafe { (place(number)?, place(names)?) };
        let _guard = archive.lock()?;
        *names = archive.property_names()?;
        *number = archive.anchor.properties.len() as u32;
        Ok(())
    }))
}

/// Returns the value of a property, which the caller frees; null if there is none.
///
/// # Safety
///
/// Null or an archive; null or a C string; null or a place for the result.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_Archive_GetProperty(
    this: *mut Archive,
    name: *const c_char,
    value: *mut *mut c_char,
) -> ErrorCode {
    // SAFETY: `this` is null or an open archive that nothing else uses during this call.
    code(unsafe { archive(this) }.and_then(|archive| {
        // SAFETY: `value` is null or a place for the result that nothing else refers to.
        let value = unsafe { place(value) }?;
        if name.is_null() {
            return Err(missing());
        }
        let _guard = archive.lock()?;
        *value = std::ptr::null_mut();
        // SAFETY: `name` is not null, so it is a C string, which stays as it is during this call.
        let found = archive.property(unsafe { CStr::from_ptr(name) }).ok_or(PROPERTY_NOT_FOUND)?;
        *value = duplicate(found)?;
        Ok(())
    }))
}
