//! The ranks of the program, which communicate through the host.

use core::fmt;
use std::{
    error::Error,
    panic::{AssertUnwindSafe, catch_unwind},
};

use kymo_recorder::ranks::{Ipc, IpcFailed};
use kymo_substrate::Host;

/// The error of a step that panicked in this process.
#[derive(Debug)]
pub(crate) struct Panicked;

impl fmt::Display for Panicked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the plugin panicked")
    }
}

impl Error for Panicked {}

/// Runs local work between two collective steps and catches its panic, because the other processes
/// must not wait for this one. The panic has been reported by then and has switched the plugin off.
pub(crate) fn attempt<T>(work: impl FnOnce() -> T) -> Result<T, Panicked> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        // Dropping a payload of an unknown type runs foreign code, which may panic again.
        core::mem::forget(payload);
        Panicked
    })
}

/// The maximum length of one message in bytes: hosts count with 31 bits.
const MESSAGE: usize = 1 << 30;

/// The host's communication between processes. A host without it has one process.
#[derive(Debug)]
pub(crate) struct HostIpc(Host);

impl HostIpc {
    pub(crate) fn new(host: Host) -> Self {
        Self(host)
    }
}

impl Ipc for HostIpc {
    fn size(&self) -> u32 {
        self.0.ipc_size().ok().and_then(|size| u32::try_from(size).ok()).unwrap_or(1).max(1)
    }

    fn rank(&self) -> u32 {
        self.0.ipc_rank().ok().and_then(|rank| u32::try_from(rank).ok()).unwrap_or(0)
    }

    fn send(&self, to: u32, message: &[u8]) -> Result<(), IpcFailed> {
        let to = i32::try_from(to).map_err(|_| IpcFailed)?;
        message.chunks(MESSAGE).try_for_each(|part| self.0.ipc_send(part, to)).map_err(|_| IpcFailed)
    }

    fn receive(&self, from: u32, message: &mut [u8]) -> Result<(), IpcFailed> {
        let from = i32::try_from(from).map_err(|_| IpcFailed)?;
        message.chunks_mut(MESSAGE).try_for_each(|part| self.0.ipc_recv(part, from)).map_err(|_| IpcFailed)
    }
}
