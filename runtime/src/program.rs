//! What is known of the measured program and its machine.

use kymo_launch::Launch;
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

/// More processes above each other than anybody starts.
const GENERATIONS: usize = 64;

/// Numbers of the processes from this one on upwards, up to the one that `kymo record` is.
pub(crate) fn ancestors(process: u32) -> String {
    let last = std::env::var("KYMO_RECORD_PARENT").ok().and_then(|number| number.parse().ok()).unwrap_or(1);
    let above = std::iter::successors(Some(process), |&process| parent(process));
    let all = above.take_while(|&process| process > 1 && process != last).take(GENERATIONS);
    all.map(|process| process.to_string()).collect::<Vec<_>>().join(" ")
}

fn parent(process: u32) -> Option<u32> {
    let stat = fs::read(format!("/proc/{process}/stat")).ok()?;
    let stat = String::from_utf8_lossy(&stat);
    // The name of the program, in parentheses, may hold anything.
    stat.rsplit_once(')')?.1.split_ascii_whitespace().nth(1)?.parse().ok()
}

/// What the process is called in its archive: of a tree, each by its program and number, and by the rank that it belongs to.
pub(crate) fn title() -> String {
    let executable = executable();
    let rank = rank().map(|rank| format!("rank {rank} ")).unwrap_or_default();
    format!("{rank}{} ({})", String::from_utf8_lossy(short_name(&executable)), std::process::id())
}

/// The rank that a launcher told this process or one above it, if there are others.
pub(crate) fn rank() -> Option<u32> {
    Launch::here().filter(Launch::has_others).map(|launch| launch.rank)
}

/// The system's number of the calling thread.
pub(crate) fn thread_id() -> u64 {
    // SAFETY: takes nothing.
    u64::try_from(unsafe { libc::syscall(libc::SYS_gettid) }).unwrap_or(0)
}
