//! The library of PAPI, opened when it is asked for.
//!
//! Invariant: the types of the functions, and the offsets in `PAPI_event_info_t`, are those of PAPI
//! 5.7 to 7.

use std::ffi::{CStr, c_char, c_int, c_longlong, c_ulong};
use std::mem::MaybeUninit;

use crate::plugins::Library;

/// The names of the library, the one for linking first.
const NAMES: [&str; 8] = [
    "libpapi.so",
    "libpapi.so.7.2",
    "libpapi.so.7.1",
    "libpapi.so.7.0",
    "libpapi.so.7",
    "libpapi.so.6.0",
    "libpapi.so.6",
    "libpapi.so.5.7",
];

/// The releases that are tried: `PAPI_library_init` accepts only its own one.
const RELEASES: [(c_int, c_int); 5] = [(7, 0), (7, 1), (7, 2), (6, 0), (5, 7)];

/// The functions of PAPI, each of which returns a negative number if it fails.
#[derive(Debug, Clone, Copy)]
pub(super) struct Functions {
    pub(super) register_thread: unsafe extern "C" fn() -> c_int,
    pub(super) unregister_thread: unsafe extern "C" fn() -> c_int,
    pub(super) create_set: unsafe extern "C" fn(*mut c_int) -> c_int,
    pub(super) add: unsafe extern "C" fn(c_int, *const c_char) -> c_int,
    pub(super) start: unsafe extern "C" fn(c_int) -> c_int,
    pub(super) read: unsafe extern "C" fn(c_int, *mut c_longlong) -> c_int,
    pub(super) stop: unsafe extern "C" fn(c_int, *mut c_longlong) -> c_int,
    pub(super) clean_up: unsafe extern "C" fn(c_int) -> c_int,
    pub(super) destroy: unsafe extern "C" fn(*mut c_int) -> c_int,
    code: unsafe extern "C" fn(*const c_char, *mut c_int) -> c_int,
    info: unsafe extern "C" fn(c_int, *mut Info) -> c_int,
    component: unsafe extern "C" fn(c_int) -> *const c_char,
    error: unsafe extern "C" fn(c_int) -> *const c_char,
}

/// `PAPI_event_info_t` up to the part that is used, with room for the rest, which differs between
/// releases (4.4 KiB in 7.0).
#[repr(C)]
pub(super) struct Info {
    code: u32,
    symbol: [u8; 1024],
    pub(super) short_description: [u8; 64],
    long_description: [u8; 1024],
    pub(super) component: c_int,
    pub(super) unit: [u8; 64],
    location: c_int,
    pub(super) data_type: c_int,
    pub(super) value_type: c_int,
    rest: [u8; 65536],
}

const _: () = assert!(std::mem::offset_of!(Info, component) == 2116);
const _: () = assert!(std::mem::offset_of!(Info, value_type) == 2192);

/// The types of data: signed, unsigned, and floating point.
pub(super) const UNSIGNED: c_int = 1;
pub(super) const FLOATING: c_int = 2;
/// The type of values that are not sums.
pub(super) const ABSOLUTE: c_int = 1;

impl Functions {
    /// Opens and initialises the library. A copy has no state of a parent process.
    pub(super) fn load(is_copy: bool) -> Result<Self, String> {
        let open = |name: &&str| Library::open(name, is_copy).ok();
        let library =
            NAMES.iter().find_map(open).ok_or("there is no libpapi.so; Debian has it in libpapi-dev")?;
        // SAFETY: the types are those of <papi.h>.
        let functions = unsafe {
            Self {
                register_thread: library.function("PAPI_register_thread")?,
                unregister_thread: library.function("PAPI_unregister_thread")?,
                create_set: library.function("PAPI_create_eventset")?,
                add: library.function("PAPI_add_named_event")?,
                start: library.function("PAPI_start")?,
                read: library.function("PAPI_read")?,
                stop: library.function("PAPI_stop")?,
                clean_up: library.function("PAPI_cleanup_eventset")?,
                destroy: library.function("PAPI_destroy_eventset")?,
                code: library.function("PAPI_event_name_to_code")?,
                info: library.function("PAPI_get_event_info")?,
                component: library.function("PAPI_get_component_info")?,
                error: library.function("PAPI_strerror")?,
            }
        };
        initialize(library)?;
        Ok(functions)
    }

    /// Returns PAPI's information about an event.
    pub(super) fn info(&self, name: &CStr) -> Result<Box<Info>, String> {
        let mut code = 0;
        // SAFETY: a C string, and a number that can be written.
        self.check(unsafe { (self.code)(name.as_ptr(), &raw mut code) })?;
        // SAFETY: integers, for which zero is a value.
        let mut info: Box<Info> = unsafe { Box::new(MaybeUninit::zeroed()).assume_init() };
        // SAFETY: memory that is larger than the structure.
        self.check(unsafe { (self.info)(code, &raw mut *info) })?;
        Ok(info)
    }

    /// Returns the name of a component.
    pub(super) fn component(&self, number: c_int) -> String {
        // SAFETY: takes any number.
        let info = unsafe { (self.component)(number) };
        // SAFETY: null, or a structure that begins with the name.
        let name = (!info.is_null()).then(|| unsafe { CStr::from_ptr(info) });
        name.map_or(String::new(), |name| name.to_string_lossy().into_owned())
    }

    /// Returns PAPI's error message, if the result is an error.
    pub(super) fn check(&self, result: c_int) -> Result<(), String> {
        if result >= 0 {
            return Ok(());
        }
        // SAFETY: takes any number.
        let text = unsafe { (self.error)(result) };
        // SAFETY: null, or a C string.
        let text = (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned());
        Err(text.unwrap_or_else(|| format!("error {result}")))
    }
}

fn initialize(library: Library) -> Result<(), String> {
    // SAFETY: the types are those of <papi.h>.
    let (initialize, use_threads) = unsafe {
        (
            library.function::<unsafe extern "C" fn(c_int) -> c_int>("PAPI_library_init")?,
            library.function::<unsafe extern "C" fn(unsafe extern "C" fn() -> c_ulong) -> c_int>(
                "PAPI_thread_init",
            )?,
        )
    };
    let own = library.path().and_then(|path| release(path.canonicalize().ok()?.to_str()?));
    let accepts = |(major, minor): (c_int, c_int)| {
        // SAFETY: takes any number.
        (unsafe { initialize(major << 24 | minor << 16) }) > 0
    };
    if !own.into_iter().chain(RELEASES).any(accepts) {
        return Err("PAPI refuses to start: it is none of the releases 5.7 to 7.2".to_owned());
    }
    // SAFETY: the function returns a number of the calling thread.
    match unsafe { use_threads(libc::pthread_self) } {
        0 => Ok(()),
        error => Err(format!("PAPI cannot count threads: error {error}")),
    }
}

/// Returns the release in the name of the library's file, such as `libpapi.so.7.0.0.0`.
fn release(path: &str) -> Option<(c_int, c_int)> {
    let mut numbers = path.rsplit_once("libpapi.so.")?.1.split('.').map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

#[cfg(test)]
mod tests {
    use super::release;

    #[test]
    fn the_name_of_a_file_has_the_release() {
        assert_eq!(release("/usr/lib/libpapi.so.7.0.0.0"), Some((7, 0)));
        assert_eq!(release("/usr/lib/libpapi.so.5.7"), Some((5, 7)));
        assert_eq!([release("/usr/lib/libpapi.so"), release("libpapi.so.7")], [None, None]);
    }
}
