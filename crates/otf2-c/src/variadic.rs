//! The four functions of the reference that are not public, but that its tools call.
//!
//! Two of them are variadic, which Rust cannot define: a few instructions store the arguments as a
//! caller of a variadic function expects, and pass a `va_list` on.

use crate::error::{ABORT, ErrorCode, Place, of_errno, report};
use std::ffi::{CStr, c_char, c_int, c_void};

/// Returns the code of a number of the system.
#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn OTF2_UTILS_Error_FromPosix(number: c_int) -> ErrorCode {
    of_errno(number)
}

/// Returns the part of a path after its last slash.
///
/// # Safety
///
/// Null or a C string.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_UTILS_IO_GetWithoutPath(path: *const c_char) -> *const c_char {
    if path.is_null() {
        return path;
    }
    // SAFETY: `path` is a C string, and the slash is within it.
    unsafe {
        let bytes = CStr::from_ptr(path).to_bytes();
        path.add(bytes.iter().rposition(|&byte| byte == b'/').map_or(0, |slash| slash + 1))
    }
}

/// Formats a message like `vsnprintf`.
///
/// # Safety
///
/// Null, or a format with the arguments that it needs.
unsafe fn formatted(format: *const c_char, arguments: *mut c_void) -> String {
    unsafe extern "C" {
        fn vsnprintf(text: *mut c_char, size: usize, format: *const c_char, arguments: *mut c_void) -> c_int;
    }
    if format.is_null() {
        return String::new();
    }
    let mut text = [0_u8; 4096];
    // SAFETY: `format` is a C string and `arguments` are its arguments; the text has this size and
    // ends with a zero.
    unsafe { vsnprintf(text.as_mut_ptr().cast(), text.len(), format, arguments) };
    CStr::from_bytes_until_nul(&text).unwrap_or_default().to_string_lossy().into_owned()
}

/// Returns the string, or an empty one.
///
/// # Safety
///
/// Null or a C string that lives long enough.
unsafe fn string<'a>(text: *const c_char) -> &'a CStr {
    match text.is_null() {
        true => c"",
        // SAFETY: `text` is not null, so it is a C string.
        false => unsafe { CStr::from_ptr(text) },
    }
}

/// `OTF2_UTILS_Error_Handler` with its arguments as a list.
///
/// # Safety
///
/// Null or C strings; a format with the arguments that it needs.
unsafe extern "C-unwind" fn handler_with_list(
    file: *const c_char,
    line: u64,
    function: *const c_char,
    code: ErrorCode,
    format: *const c_char,
    arguments: *mut c_void,
) -> ErrorCode {
    if code == 0 {
        return code;
    }
    // SAFETY: the strings are null or C strings, and `arguments` are those of `format`.
    unsafe {
        let message = formatted(format, arguments);
        let place = Place { file: string(file), line, function: string(function) };
        report(&place, code, format_args!("{message}"))
    }
}

/// `OTF2_UTILS_Error_Abort` with its arguments as a list.
///
/// # Safety
///
/// As for [`handler_with_list`].
unsafe extern "C-unwind" fn abort_with_list(
    file: *const c_char,
    line: u64,
    function: *const c_char,
    format: *const c_char,
    arguments: *mut c_void,
) -> ! {
    // SAFETY: the strings are null or C strings, and `arguments` are those of `format`.
    unsafe { handler_with_list(file, line, function, ABORT, format, arguments) };
    std::process::abort()
}

// On entry: rdi folder of the sources, rsi file, rdx line, rcx function, r8 code, r9 format; all
// others are on the stack, if they are no floating numbers. Registers are stored in the order of
// the register area of a `va_list`.
#[cfg(target_arch = "x86_64")]
macro_rules! variadic {
    ($(#[$doc:meta])* $name:ident, $named:literal named, $list:ident, [$($moves:literal),*]) => {
        $(#[$doc])*
        #[unsafe(no_mangle)]
        #[unsafe(naked)]
        pub(crate) unsafe extern "C-unwind" fn $name() {
            std::arch::naked_asm!(
                ".cfi_startproc",
                "sub rsp, 216",
                ".cfi_adjust_cfa_offset 216",
                "mov [rsp + 32], rdi",
                "mov [rsp + 40], rsi",
                "mov [rsp + 48], rdx",
                "mov [rsp + 56], rcx",
                "mov [rsp + 64], r8",
                "mov [rsp + 72], r9",
                "movaps [rsp + 80], xmm0",
                "movaps [rsp + 96], xmm1",
                "movaps [rsp + 112], xmm2",
                "movaps [rsp + 128], xmm3",
                "movaps [rsp + 144], xmm4",
                "movaps [rsp + 160], xmm5",
                "movaps [rsp + 176], xmm6",
                "movaps [rsp + 192], xmm7",
                concat!("mov dword ptr [rsp], 8 * ", $named),
                "mov dword ptr [rsp + 4], 48",
                "lea rax, [rsp + 224]",
                "mov [rsp + 8], rax",
                "lea rax, [rsp + 32]",
                "mov [rsp + 16], rax",
                "mov rdi, rsi",
                "mov rsi, rdx",
                "mov rdx, rcx",
                "mov rcx, r8",
                $($moves,)*
                "call {list}",
                "add rsp, 216",
                ".cfi_adjust_cfa_offset -216",
                "ret",
                ".cfi_endproc",
                list = sym $list,
            )
        }
    };
}

// On entry: x0 folder of the sources, x1 file, x2 line, x3 function, x4 code, x5 format; without a
// code, x4 is the format.
#[cfg(target_arch = "aarch64")]
macro_rules! variadic {
    ($(#[$doc:meta])* $name:ident, $named:literal named, $list:ident, [$($moves:literal),*]) => {
        $(#[$doc])*
        #[unsafe(no_mangle)]
        #[unsafe(naked)]
        pub(crate) unsafe extern "C-unwind" fn $name() {
            std::arch::naked_asm!(
                ".cfi_startproc",
                "stp x29, x30, [sp, #-240]!",
                ".cfi_def_cfa_offset 240",
                ".cfi_offset x29, -240",
                ".cfi_offset x30, -232",
                "mov x29, sp",
                "stp x0, x1, [sp, #48]",
                "stp x2, x3, [sp, #64]",
                "stp x4, x5, [sp, #80]",
                "stp x6, x7, [sp, #96]",
                "stp q0, q1, [sp, #112]",
                "stp q2, q3, [sp, #144]",
                "stp q4, q5, [sp, #176]",
                "stp q6, q7, [sp, #208]",
                "add x9, sp, #240",
                "str x9, [sp, #16]",
                "add x9, sp, #112",
                "str x9, [sp, #24]",
                "add x9, sp, #240",
                "str x9, [sp, #32]",
                concat!("mov w9, #(8 * ", $named, " - 64)"),
                "str w9, [sp, #40]",
                "mov w9, #-128",
                "str w9, [sp, #44]",
                "mov x0, x1",
                "mov x1, x2",
                "mov x2, x3",
                "mov x3, x4",
                $($moves,)*
                "bl {list}",
                "ldp x29, x30, [sp], #240",
                "ret",
                ".cfi_endproc",
                list = sym $list,
            )
        }
    };
}

#[cfg(target_arch = "x86_64")]
variadic! {
    /// Passes a message to the handler: `(folder, file, line, function, code, format, ...)`.
    ///
    /// # Safety
    ///
    /// Null or C strings; a format with the arguments that it needs.
    OTF2_UTILS_Error_Handler, "6" named, handler_with_list, ["mov r8, r9", "mov r9, rsp"]
}

#[cfg(target_arch = "x86_64")]
variadic! {
    /// Passes a message to the handler and aborts: `(folder, file, line, function, format, ...)`.
    ///
    /// # Safety
    ///
    /// Null or C strings; a format with the arguments that it needs.
    OTF2_UTILS_Error_Abort, "5" named, abort_with_list, ["mov r8, rsp"]
}

#[cfg(target_arch = "aarch64")]
variadic! {
    /// Passes a message to the handler: `(folder, file, line, function, code, format, ...)`.
    ///
    /// # Safety
    ///
    /// Null or C strings; a format with the arguments that it needs.
    OTF2_UTILS_Error_Handler, "6" named, handler_with_list, ["mov x4, x5", "add x5, sp, #16"]
}

#[cfg(target_arch = "aarch64")]
variadic! {
    /// Passes a message to the handler and aborts: `(folder, file, line, function, format, ...)`.
    ///
    /// # Safety
    ///
    /// Null or C strings; a format with the arguments that it needs.
    OTF2_UTILS_Error_Abort, "5" named, abort_with_list, ["add x4, sp, #16"]
}
