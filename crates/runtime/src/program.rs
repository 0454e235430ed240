//! Properties of the measured program and its machine.

use kymo_launch::Launch;
use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};

/// Returns the absolute path of the program's file.
pub(crate) fn executable() -> OsString {
    fs::read_link("/proc/self/exe").map(Into::into).unwrap_or_else(|_| "unknown".into())
}

/// Returns the file name of the program, without directories.
pub(crate) fn short_name(executable: &OsString) -> &[u8] {
    let whole = executable.as_bytes();
    whole.rsplit(|&byte| byte == b'/').next().filter(|name| !name.is_empty()).unwrap_or(whole)
}

/// Returns the arguments after the program's name.
pub(crate) fn arguments() -> Vec<Vec<u8>> {
    let line = fs::read("/proc/self/cmdline").unwrap_or_default();
    let line = line.strip_suffix(&[0]).unwrap_or(&line);
    line.split(|&byte| byte == 0).skip(1).map(<[u8]>::to_vec).collect()
}

/// Returns the machine's network name.
pub(crate) fn host_name() -> OsString {
    let mut name = [0_u8; 256];
    // SAFETY: the buffer has room for that many bytes, followed by a zero byte.
    unsafe { libc::gethostname(name.as_mut_ptr().cast(), name.len() - 1) };
    OsString::from_vec(name.split(|&byte| byte == 0).next().unwrap_or_default().to_vec())
}

/// The maximum number of ancestors, more than any process has.
const GENERATIONS: usize = 64;

/// Returns the ids of a process and its ancestors, up to but excluding `kymo record`.
pub(crate) fn ancestors(process: u32) -> String {
    let last = std::env::var("KYMO_RECORD_PARENT").ok().and_then(|number| number.parse().ok()).unwrap_or(1);
    let above = std::iter::successors(Some(process), |&process| parent(process));
    let all = above.take_while(|&process| process > 1 && process != last).take(GENERATIONS);
    all.map(|process| process.to_string()).collect::<Vec<_>>().join(" ")
}

fn parent(process: u32) -> Option<u32> {
    let stat = fs::read(format!("/proc/{process}/stat")).ok()?;
    let stat = String::from_utf8_lossy(&stat);
    // The program's name, in parentheses, may contain any characters.
    stat.rsplit_once(')')?.1.split_ascii_whitespace().nth(1)?.parse().ok()
}

/// Returns the name of the process in its archive. In a world of MPI it is that of Score-P;
/// else it consists of the rank, if the process belongs to one, the program's name, and the process
/// id.
pub(crate) fn title() -> String {
    let executable = executable();
    let rank = rank().map(|rank| format!("rank {rank} ")).unwrap_or_default();
    format!("{rank}{} ({})", String::from_utf8_lossy(short_name(&executable)), std::process::id())
}

/// Returns the rank that the launcher of this process or of an ancestor assigned, if the job has
/// other ranks.
pub(crate) fn rank() -> Option<u32> {
    Launch::here().filter(Launch::has_others).map(|launch| launch.rank)
}

/// Like [`rank`], also in a job of one process.
pub(crate) fn launch_rank() -> Option<u32> {
    Launch::here().map(|launch| launch.rank)
}

/// Returns the system's id of the calling thread. The C library 2.17 has no function for it.
pub(crate) fn thread_id() -> u64 {
    // SAFETY: takes no arguments.
    u64::try_from(unsafe { libc::syscall(libc::SYS_gettid) }).unwrap_or(0)
}

/// Returns whether the calling thread is the first one of the process.
pub(crate) fn is_first_thread() -> bool {
    thread_id() == u64::from(std::process::id())
}

/// Returns the rank among those on this machine, if the launcher numbers them.
pub(crate) fn local_rank() -> Option<u32> {
    const VARIABLES: [&str; 3] = ["OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID"];
    VARIABLES.iter().find_map(|name| std::env::var(name).ok()?.parse().ok())
}

/// The loader's information for debuggers, `struct r_debug` in <link.h>.
#[repr(C)]
struct Debug {
    version: i32,
    map: *const core::ffi::c_void,
    breakpoint: usize,
    state: i32,
}

unsafe extern "C" {
    static _r_debug: Debug;
}

/// Returns whether the loader's lists are consistent. In a child they stay as they were when its
/// parent forked it, and the loader ends a process that loads a library then.
pub(crate) fn is_loader_idle() -> bool {
    const CONSISTENT: i32 = 0;
    // SAFETY: the loader defines the variable and never removes it.
    unsafe { (&raw const _r_debug.state).read_volatile() == CONSISTENT }
}
