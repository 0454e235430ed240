//! What is known of the measured program and its machine.

use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};

/// Absolute name of the program's file.
pub(crate) fn executable() -> OsString {
    fs::read_link("/proc/self/exe").map(Into::into).unwrap_or_else(|_| "unknown".into())
}

/// Its name without folders.
pub(crate) fn short_name(executable: &OsString) -> &[u8] {
    let whole = executable.as_bytes();
    whole.rsplit(|&byte| byte == b'/').next().filter(|name| !name.is_empty()).unwrap_or(whole)
}

/// The arguments behind the name it was called by.
pub(crate) fn arguments() -> Vec<Vec<u8>> {
    let line = fs::read("/proc/self/cmdline").unwrap_or_default();
    let line = line.strip_suffix(&[0]).unwrap_or(&line);
    line.split(|&byte| byte == 0).skip(1).map(<[u8]>::to_vec).collect()
}

/// The machine's name in its network.
pub(crate) fn host_name() -> OsString {
    let mut name = [0_u8; 256];
    // SAFETY: the buffer has room for that many bytes and a zero byte behind.
    unsafe { libc::gethostname(name.as_mut_ptr().cast(), name.len() - 1) };
    OsString::from_vec(name.split(|&byte| byte == 0).next().unwrap_or_default().to_vec())
}

/// The system's number of the calling thread.
pub(crate) fn thread_id() -> u64 {
    // SAFETY: takes nothing.
    u64::try_from(unsafe { libc::syscall(libc::SYS_gettid) }).unwrap_or(0)
}
