//! Error codes, and the handler to which every failure is reported.
//!
//! A function that fails returns the result of the program's handler, so a program can change
//! the code.

use kymo_otf2::error::{Error, Usage};
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::fmt;
use std::io::Write;
use std::panic::Location;
use std::sync::{Mutex, PoisonError};

/// `OTF2_ErrorCode`.
pub(crate) type ErrorCode = c_int;

pub(crate) const DEPRECATED: ErrorCode = -3;
pub(crate) const ABORT: ErrorCode = -2;
pub(crate) const WARNING: ErrorCode = -1;
pub(crate) const SUCCESS: ErrorCode = 0;
/// `OTF2_ERROR_INVALID`, which is no error of any function.
pub(crate) const INVALID: ErrorCode = 1;

// Input: the names of the errors of the system, and those of the library with a description, in the
// order of their numbers. Expansion: the numbers as constants, and a table of each kind.
macro_rules! codes {
    (system { $($system:ident)* } own { $($own:ident $text:literal,)* }) => {
        #[allow(dead_code, clippy::upper_case_acronyms, non_camel_case_types)]
        enum Number {
            Invalid = INVALID as isize,
            $($system,)*
            $($own,)*
        }

        $(
            #[allow(dead_code)]
            pub(crate) const $own: ErrorCode = Number::$own as ErrorCode;
        )*

        /// Errors of the system: code, number of the system, name.
        const OF_SYSTEM: &[(ErrorCode, c_int, &CStr)] =
            &[$((Number::$system as ErrorCode, libc::$system, name(concat!(stringify!($system), "\0")))),*];

        /// Errors of the library: code, name, description.
        const OF_LIBRARY: &[(ErrorCode, &CStr, &CStr)] = &[$((
            Number::$own as ErrorCode,
            name(concat!(stringify!($own), "\0")),
            name(concat!($text, "\0")),
        )),*];
    };
}

const fn name(text: &str) -> &CStr {
    match CStr::from_bytes_with_nul(text.as_bytes()) {
        Ok(name) => name,
        Err(_) => panic!("a zero ends each name"),
    }
}

codes! {
    system {
        E2BIG EACCES EADDRNOTAVAIL EAFNOSUPPORT EAGAIN EALREADY EBADF EBADMSG EBUSY ECANCELED ECHILD
        ECONNREFUSED ECONNRESET EDEADLK EDESTADDRREQ EDOM EDQUOT EEXIST EFAULT EFBIG EINPROGRESS EINTR
        EINVAL EIO EISCONN EISDIR ELOOP EMFILE EMLINK EMSGSIZE EMULTIHOP ENAMETOOLONG ENETDOWN ENETRESET
        ENETUNREACH ENFILE ENOBUFS ENODATA ENODEV ENOENT ENOEXEC ENOLCK ENOLINK ENOMEM ENOMSG ENOPROTOOPT
        ENOSPC ENOSR ENOSTR ENOSYS ENOTCONN ENOTDIR ENOTEMPTY ENOTSOCK ENOTSUP ENOTTY ENXIO EOPNOTSUPP
        EOVERFLOW EPERM EPIPE EPROTO EPROTONOSUPPORT EPROTOTYPE ERANGE EROFS ESPIPE ESRCH ESTALE ETIME
        ETIMEDOUT ETXTBSY EWOULDBLOCK EXDEV
    }
    own {
        END_OF_FUNCTION "A function reached an end that it should not reach",
        INVALID_CALL "The function must not be called in this state",
        INVALID_ARGUMENT "An argument is missing or out of range",
        INVALID_RECORD "The record is not valid",
        INVALID_DATA "The data is not valid",
        INVALID_SIZE_GIVEN "The size is not valid",
        UNKNOWN_TYPE "The type is unknown",
        INTEGRITY_FAULT "The state or the data contradicts itself",
        MEM_FAULT "The memory does not suffice",
        MEM_ALLOC_FAILED "Memory cannot be allocated",
        PROCESSED_WITH_FAULTS "The data was processed with errors",
        INDEX_OUT_OF_BOUNDS "The index is out of bounds",
        INVALID_LINENO "The line number is not valid",
        END_OF_BUFFER "The end of the file or buffer is reached",
        FILE_INTERACTION "The operation is not valid for the file",
        FILE_CAN_NOT_OPEN "The file cannot be opened",
        INTERRUPTED_BY_CALLBACK "A callback interrupted the reading",
        PROPERTY_NAME_INVALID "The name of the property is not of the form A::B",
        PROPERTY_EXISTS "The property exists",
        PROPERTY_NOT_FOUND "The archive has no such property",
        PROPERTY_VALUE_INVALID "The value of the property is not of the expected kind",
        FILE_COMPRESSION_NOT_SUPPORTED "The compression is not supported",
        DUPLICATE_MAPPING_TABLE "The location has a mapping table of this kind",
        INVALID_FILE_MODE_TRANSITION "The file mode cannot be changed to this one",
        COLLECTIVE_CALLBACK "A collective callback failed",
        FILE_SUBSTRATE_NOT_SUPPORTED "The file substrate is not supported",
        INVALID_ATTRIBUTE_TYPE "The attribute is of another type",
        LOCKING_CALLBACK "A locking callback failed",
        HINT_INVALID "The hint is not valid in this file mode",
        HINT_LOCKED "The hint was set or used before",
        HINT_INVALID_VALUE "The value of the hint is not valid",
    }
}

/// Returns the name of a code without its prefix.
fn name_of(code: ErrorCode) -> &'static CStr {
    let of_system = OF_SYSTEM.iter().find(|entry| entry.0 == code).map(|entry| entry.2);
    let of_library = OF_LIBRARY.iter().find(|entry| entry.0 == code).map(|entry| entry.1);
    of_system.or(of_library).unwrap_or(match code {
        DEPRECATED => c"DEPRECATED",
        ABORT => c"ABORT",
        WARNING => c"WARNING",
        SUCCESS => c"SUCCESS",
        _ => c"INVALID",
    })
}

/// Returns the description of a code.
fn description_of(code: ErrorCode) -> &'static CStr {
    if let Some(entry) = OF_SYSTEM.iter().find(|entry| entry.0 == code) {
        // SAFETY: returns a string that stays, because the number is known.
        return unsafe { CStr::from_ptr(libc::strerror(entry.1)) };
    }
    OF_LIBRARY.iter().find(|entry| entry.0 == code).map_or(
        match code {
            DEPRECATED => c"The function is deprecated",
            ABORT => c"The program is aborted",
            WARNING => c"A warning",
            SUCCESS => c"The call succeeded",
            _ => c"Unknown error code",
        },
        |entry| entry.2,
    )
}

/// Returns the name of an error code without its prefix; `INVALID` if there is no such code.
#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn OTF2_Error_GetName(code: ErrorCode) -> *const c_char {
    name_of(code).as_ptr()
}

/// Returns a description of an error code.
#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn OTF2_Error_GetDescription(code: ErrorCode) -> *const c_char {
    description_of(code).as_ptr()
}

/// `OTF2_ErrorCallback`. The last argument is a `va_list`.
type Handler = unsafe extern "C-unwind" fn(
    *mut c_void,
    *const c_char,
    u64,
    *const c_char,
    ErrorCode,
    *const c_char,
    *mut c_void,
) -> ErrorCode;

#[derive(Clone, Copy)]
struct Registered {
    handler: Option<Handler>,
    user_data: *mut c_void,
}

// SAFETY: a handler and its data are for all threads of the program that call this library.
unsafe impl Send for Registered {}

static REGISTERED: Mutex<Registered> =
    Mutex::new(Registered { handler: None, user_data: std::ptr::null_mut() });

/// Replaces the handler for the whole process, and returns the former one. Null restores the
/// default.
#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn OTF2_Error_RegisterCallback(
    handler: Option<Handler>,
    user_data: *mut c_void,
) -> Option<Handler> {
    let mut registered = REGISTERED.lock().unwrap_or_else(PoisonError::into_inner);
    std::mem::replace(&mut *registered, Registered { handler, user_data }).handler
}

/// Where a failure was noticed.
pub(crate) struct Place<'a> {
    pub(crate) file: &'a CStr,
    pub(crate) line: u64,
    pub(crate) function: &'a CStr,
}

/// A `va_list` from which nothing can be taken: its registers are used up, and the memory after
/// them is zero.
#[cfg(target_arch = "x86_64")]
#[repr(C)]
struct NoArguments {
    general: u32,
    floating: u32,
    overflow: *const [u64; 8],
    registers: *const [u64; 8],
}

#[cfg(target_arch = "x86_64")]
const USED_UP: (u32, u32) = (48, 304);

/// A `va_list` from which nothing can be taken: its registers are used up, and the memory after
/// them is zero.
#[cfg(target_arch = "aarch64")]
#[repr(C)]
struct NoArguments {
    stack: *const [u64; 8],
    general: *const [u64; 8],
    floating: *const [u64; 8],
    general_offset: i32,
    floating_offset: i32,
}

static ZEROS: [u64; 8] = [0; 8];

impl NoArguments {
    #[cfg(target_arch = "x86_64")]
    fn new() -> Self {
        let (general, floating) = USED_UP;
        NoArguments { general, floating, overflow: &ZEROS, registers: &ZEROS }
    }

    #[cfg(target_arch = "aarch64")]
    fn new() -> Self {
        NoArguments {
            stack: &ZEROS,
            general: &ZEROS,
            floating: &ZEROS,
            general_offset: 0,
            floating_offset: 0,
        }
    }
}

/// Passes a failure to the handler and returns its result.
pub(crate) fn report(place: &Place<'_>, code: ErrorCode, message: fmt::Arguments<'_>) -> ErrorCode {
    let registered = *REGISTERED.lock().unwrap_or_else(PoisonError::into_inner);
    let message = message.to_string();
    let Some(handler) = registered.handler else {
        print(place, code, &message);
        return code;
    };
    // The message is a format: without arguments nothing in it may be a conversion.
    let format = CString::new(message.replace('%', "%%").replace('\0', " ")).unwrap_or_default();
    let mut arguments = NoArguments::new();
    // SAFETY: all pointers are valid for the call. Both architectures pass a `va_list` as a pointer
    // to this struct.
    unsafe {
        handler(
            registered.user_data,
            place.file.as_ptr(),
            place.line,
            place.function.as_ptr(),
            code,
            format.as_ptr(),
            (&raw mut arguments).cast(),
        )
    }
}

/// Writes the line of the default handler.
fn print(place: &Place<'_>, code: ErrorCode, message: &str) {
    let kind = match code {
        DEPRECATED => "deprecated".into(),
        ABORT => "abort".into(),
        WARNING => "warning".into(),
        _ => format!("error: {}", description_of(code).to_string_lossy()),
    };
    let line = format!("[OTF2] {}:{}: {kind}: {message}\n", place.file.to_string_lossy(), place.line);
    // A program without standard error gets the code only.
    let _ = std::io::stderr().write_all(line.as_bytes());
}

/// Reports a failure of the caller's function and returns the result of the handler.
#[cold]
#[track_caller]
pub(crate) fn fail(code: ErrorCode, message: fmt::Arguments<'_>) -> ErrorCode {
    let caller = Location::caller();
    let file = CString::new(caller.file()).unwrap_or_default();
    report(&Place { file: &file, line: caller.line().into(), function: c"libotf2" }, code, message)
}

/// Reports an error of the format library under the code that fits.
#[cold]
#[track_caller]
pub(crate) fn fail_with(error: &Error) -> ErrorCode {
    fail(code_of(error), format_args!("{error}"))
}

/// Returns the code of an outcome whose failure was reported.
pub(crate) fn code(result: Result<(), ErrorCode>) -> ErrorCode {
    result.err().unwrap_or(SUCCESS)
}

/// Why a writer could not be closed. It is reported when the writer is gone, because the handler
/// of the program may throw.
pub(crate) struct Failure {
    pub(crate) code: ErrorCode,
    pub(crate) message: String,
}

impl Failure {
    /// Passes the failure to the handler and returns its result.
    #[track_caller]
    pub(crate) fn report(self) -> ErrorCode {
        fail(self.code, format_args!("{}", self.message))
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure { code: code_of(&error), message: error.to_string() }
    }
}

/// Returns the code of an error of the format library.
pub(crate) fn code_of(error: &Error) -> ErrorCode {
    match error {
        Error::Io { source, .. } => code_of_io(source),
        Error::Format(_) => INVALID_DATA,
        Error::Usage(Usage::RecordTooLarge { .. } | Usage::ChunkSize(_)) => INVALID_SIZE_GIVEN,
        Error::Usage(Usage::PieceTooSmall { .. }) => MEM_FAULT,
        Error::Usage(Usage::Finished | Usage::WithoutZlib) => INVALID_CALL,
        Error::Usage(_) => INVALID_ARGUMENT,
        Error::Limit(_) => MEM_ALLOC_FAILED,
        _ => PROCESSED_WITH_FAULTS,
    }
}

/// Returns the code of an error of the system.
pub(crate) fn code_of_io(error: &std::io::Error) -> ErrorCode {
    match (error.raw_os_error(), error.kind()) {
        (Some(number), _) => of_errno(number),
        (None, std::io::ErrorKind::OutOfMemory) => MEM_FAULT,
        (None, _) => PROCESSED_WITH_FAULTS,
    }
}

/// Returns the code of a number of the system: `SUCCESS` for 0, `INVALID` if there is none.
pub(crate) fn of_errno(number: c_int) -> ErrorCode {
    match number {
        0 => SUCCESS,
        _ => OF_SYSTEM.iter().find(|entry| entry.1 == number).map_or(INVALID, |entry| entry.0),
    }
}
