//! The messages that probes found, kept for all threads of a process.
//!
//! A receive of such a message states only its number, which is unique in the process: sender,
//! communicator and tag are those of the probe, which may be on another thread.

use crate::channel::Channel;
use crate::communicators::Process;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The probes of all processes that needed them.
#[derive(Debug, Default)]
pub(crate) struct Probes(Mutex<HashMap<Process, Arc<OnceLock<ProcessProbes>>>>);

impl Probes {
    /// Returns those of a process. Several threads may need them; the first one reads them.
    pub(crate) fn of(&self, process: Process) -> Arc<OnceLock<ProcessProbes>> {
        Arc::clone(self.0.lock().unwrap_or_else(PoisonError::into_inner).entry(process).or_default())
    }
}

/// The probes of a process, and the requests of its receives, each by number and time.
#[derive(Debug, Default)]
pub(crate) struct ProcessProbes {
    probes: Vec<(u64, u64, Option<Channel>)>,
    requests: Vec<(u64, u64, u64)>,
}

impl ProcessProbes {
    /// Adds a probe that found this message, on this channel if it is known.
    pub(crate) fn add_probe(&mut self, message: u64, time: u64, channel: Option<Channel>) {
        self.probes.push((message, time, channel));
    }

    /// Adds the begin of a receive of a message that a probe found.
    pub(crate) fn add_request(&mut self, request: u64, time: u64, message: u64) {
        self.requests.push((request, time, message));
    }

    /// Prepares for look-ups, once everything is added.
    pub(crate) fn sort(&mut self) {
        self.probes.sort_by_key(|&(message, time, _)| (message, time));
        self.requests.sort_by_key(|&(request, time, _)| (request, time));
    }

    /// Returns the channel of a message that was probed up to a time, in nanoseconds.
    pub(crate) fn channel(&self, message: u64, time: u64) -> Option<Channel> {
        latest(&self.probes, message, time)?.2
    }

    /// Returns when a receive with this request began that is not complete at a time, and its
    /// message.
    pub(crate) fn request(&self, request: u64, time: u64) -> Option<(u64, u64)> {
        latest(&self.requests, request, time).map(|&(_, posted, message)| (posted, message))
    }
}

/// Returns the last entry with this number that is not after a time.
fn latest<T>(entries: &[(u64, u64, T)], number: u64, time: u64) -> Option<&(u64, u64, T)> {
    let end = entries.partition_point(|entry| (entry.0, entry.1) <= (number, time));
    entries.get(end.checked_sub(1)?).filter(|entry| entry.0 == number)
}
