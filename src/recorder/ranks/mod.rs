//! The processes of a parallel program at the start and the end of a measurement: what they tell each other.
//!
//! Everything here talks through [`Ipc`], two operations that every host has. Invariant: all ranks call the same functions in the
//! same order, and no rank sends more than it has to a number of others that grows with the logarithm of their number.

mod combine;
mod tree;

pub use combine::{all_join, combine};
pub use tree::{Tree, broadcast};

use std::fmt;

/// Messages between the ranks of a program. Between two ranks they arrive in the order in which they were sent.
pub trait Ipc {
    /// Number of ranks, at least 1.
    fn size(&self) -> u32;

    /// The own rank, below [`size`](Self::size).
    fn rank(&self) -> u32;

    /// Sends a message; may wait until the other rank receives it.
    fn send(&self, to: u32, message: &[u8]) -> Result<(), IpcFailed>;

    /// Receives a message of exactly this length.
    fn receive(&self, from: u32, message: &mut [u8]) -> Result<(), IpcFailed>;
}

/// Ranks could not communicate; nothing that needs them all can go on. What was between the two is broken for both: a call of
/// the other one fails, too, and does not wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IpcFailed;

impl fmt::Display for IpcFailed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the processes could not communicate")
    }
}

impl std::error::Error for IpcFailed {}

/// Sends bytes of any length, their length first.
pub fn send_bytes(ipc: &(impl Ipc + ?Sized), to: u32, bytes: &[u8]) -> Result<(), IpcFailed> {
    ipc.send(to, &(bytes.len() as u64).to_le_bytes())?;
    ipc.send(to, bytes)
}

/// Receives what [`send_bytes`] sent; fails as well if there is no memory for it.
pub fn receive_bytes(ipc: &(impl Ipc + ?Sized), from: u32) -> Result<Vec<u8>, IpcFailed> {
    let mut length = [0; 8];
    ipc.receive(from, &mut length)?;
    let length = usize::try_from(u64::from_le_bytes(length)).map_err(|_| IpcFailed)?;
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(length).map_err(|_| IpcFailed)?;
    bytes.resize(length, 0);
    ipc.receive(from, &mut bytes)?;
    Ok(bytes)
}

/// A program of one process.
#[derive(Debug, Clone, Copy, Default)]
pub struct Alone;

impl Ipc for Alone {
    fn size(&self) -> u32 {
        1
    }
    fn rank(&self) -> u32 {
        0
    }
    fn send(&self, _: u32, _: &[u8]) -> Result<(), IpcFailed> {
        Err(IpcFailed)
    }
    fn receive(&self, _: u32, _: &mut [u8]) -> Result<(), IpcFailed> {
        Err(IpcFailed)
    }
}
