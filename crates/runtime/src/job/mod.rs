//! The processes that run together with this one, as an adapter knows them.
//!
//! Without such an adapter, or with one process, there is no job.

pub(crate) mod interface;

use core::ffi::c_int;

pub(crate) use self::interface::{DONE, FAILED, Job};

use crate::adapter;
use crate::locations::Location;
use crate::program;

/// Returns the job, if it has more than one process.
pub(crate) fn job() -> Option<&'static dyn Job> {
    adapter::all().iter().find_map(|adapter| adapter.job())
}

/// Returns whether this process takes part in a job, even if it is the only one there.
pub(crate) fn is_there() -> bool {
    adapter::all().iter().any(|adapter| adapter.is_in_job())
}

/// Returns whether other processes of the job may be gone.
pub(crate) fn is_broken() -> bool {
    adapter::all().iter().any(|adapter| adapter.is_job_broken())
}

/// Returns the number of this process in the job; 0 without a job.
pub(crate) fn rank() -> u32 {
    job().map_or(0, |job| job.rank().unsigned_abs())
}

/// Gathers the same number of words from each process on all of them; the words themselves if there
/// is only one.
pub(crate) fn gather_words(own: &[u64]) -> Option<Vec<u64>> {
    let Some(job) = job() else { return Some(own.to_vec()) };
    let mut all = vec![0_u64; own.len() * job.processes().unsigned_abs() as usize];
    let count = c_int::try_from(own.len()).ok()?;
    let (from, to) = (own.as_ptr().cast(), all.as_mut_ptr().cast());
    // SAFETY: `own` has `count` words, and `all` as many for each process.
    let done = unsafe { job.all_gather(from, to, count, size_of::<u64>()) };
    (done == DONE).then_some(all)
}

/// Gathers a list of each process on all of them, in the order of the ranks. Returns all, and the
/// number of those of the processes before this one.
pub(crate) fn gather_lists(own: &[u64]) -> Option<(Vec<u64>, u64)> {
    let counts = gather_words(&[own.len() as u64])?;
    let most = counts.iter().copied().max().unwrap_or(0) as usize;
    let mut padded = own.to_vec();
    padded.resize(most, 0);
    let rows = gather_words(&padded)?;
    let rows = rows.chunks(most.max(1)).zip(&counts);
    let all = rows.flat_map(|(row, &count)| row.iter().take(count as usize)).copied().collect();
    let before = counts.iter().take(rank() as usize).sum();
    Some((all, before))
}

/// Broadcasts a text from the process with rank 0.
pub(crate) fn broadcast_text(text: &[u8]) -> Option<Vec<u8>> {
    let Some(job) = job() else { return Some(text.to_vec()) };
    let mut length = text.len() as u64;
    // SAFETY: the length is one word.
    let done = unsafe { job.broadcast((&raw mut length).cast(), 1, size_of::<u64>(), 0) };
    if done != DONE || length >= 1 << 20 {
        return None;
    }
    let mut buffer = text.to_vec();
    buffer.resize(length as usize, 0);
    // SAFETY: the buffer has `length` bytes.
    let done = unsafe { job.broadcast(buffer.as_mut_ptr().cast(), length as c_int, 1, 0) };
    (done == DONE).then_some(buffer)
}

/// Returns the name of this process in its archive.
pub(crate) fn process_name() -> String {
    adapter::all().iter().find_map(|adapter| adapter.process_name()).unwrap_or_else(program::title)
}

impl Location {
    /// Returns the number in the job.
    pub(crate) fn global_id(&self) -> u64 {
        (u64::from(self.id) << 32) | u64::from(rank())
    }
}
