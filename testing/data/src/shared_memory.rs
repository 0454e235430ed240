//! Memory of the machine that processes share as files.

use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;

use crate::missing::unavailable;

/// The bytes that tests use at the same time, at least.
const NEEDED: usize = 16 << 20;

/// Ends the calling test unless files of some MiB can be in `/dev/shm`: without, a plugin reports
/// that unwritten events do not survive a kill, which tests of its output do not expect.
///
/// # Panics
///
/// If there is too little of it.
#[track_caller]
pub fn require_shared_memory() {
    static IS_THERE: OnceLock<bool> = OnceLock::new();
    if !IS_THERE.get_or_init(is_there) {
        unavailable("/dev/shm with 16 MiB");
    }
}

fn is_there() -> bool {
    let path = PathBuf::from(format!("/dev/shm/kymo-tests-{}", std::process::id()));
    let is_written = fs::write(&path, vec![0; NEEDED]).is_ok();
    let _ = fs::remove_file(&path);
    is_written
}
