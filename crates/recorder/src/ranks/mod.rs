//! Communication between the processes of a parallel program at the start and the end of a
//! measurement.
//!
//! Everything here communicates through [`Ipc`], two operations that every host has. Invariant: all
//! ranks call the same functions in the same order. Each rank communicates with a number of others
//! that grows with the logarithm of the number of ranks, and sends none of them more than the data
//! it has.

mod combine;
mod tree;

pub use combine::{all_join, combine};
pub use tree::{Tree, broadcast};

use std::fmt;

/// Messages between the ranks of a program. Messages between two ranks arrive in the order in which
/// they were sent.
pub trait Ipc {
    /// Returns the number of ranks, at least 1.
    fn size(&self) -> u32;

    /// Returns the rank of this process, which is below [`size`](Self::size).
    fn rank(&self) -> u32;

    /// Sends a message. May wait until the other rank receives it.
    fn send(&self, to: u32, message: &[u8]) -> Result<(), IpcFailed>;

    /// Receives a message of exactly the length of `message`.
    fn receive(&self, from: u32, message: &mut [u8]) -> Result<(), IpcFailed>;
}

/// The error of a failed communication between ranks. No operation that needs all ranks can
/// continue. The connection is broken for both ranks: a call by the other one fails as well,
/// instead of waiting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IpcFailed;

impl fmt::Display for IpcFailed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the processes could not communicate")
    }
}

impl std::error::Error for IpcFailed {}

/// The maximum size of a message in bytes, so that a rank without memory for all of the data can
/// still receive and discard it.
const PIECE: usize = 16 * 1024;

/// Sends bytes of any length, preceded by that length.
pub fn send_bytes(ipc: &(impl Ipc + ?Sized), to: u32, bytes: &[u8]) -> Result<(), IpcFailed> {
    ipc.send(to, &(bytes.len() as u64).to_le_bytes())?;
    bytes.chunks(PIECE).try_for_each(|piece| ipc.send(to, piece))
}

/// Receives the bytes that [`send_bytes`] sent. Also fails if there is no memory for it; it has
/// been received then, and the two ranks can continue to communicate.
pub fn receive_bytes(ipc: &(impl Ipc + ?Sized), from: u32) -> Result<Vec<u8>, IpcFailed> {
    let mut length = [0; 8];
    ipc.receive(from, &mut length)?;
    let length = usize::try_from(u64::from_le_bytes(length)).map_err(|_| IpcFailed)?;
    let mut bytes = Vec::new();
    if bytes.try_reserve_exact(length).is_err() {
        skip_message(ipc, from, length)?;
        return Err(IpcFailed);
    }
    bytes.resize(length, 0);
    bytes.chunks_mut(PIECE).try_for_each(|piece| ipc.receive(from, piece))?;
    Ok(bytes)
}

fn skip_message(ipc: &(impl Ipc + ?Sized), from: u32, length: usize) -> Result<(), IpcFailed> {
    let (mut room, mut left) = ([0; PIECE], length);
    while left > 0 {
        let piece = left.min(PIECE);
        ipc.receive(from, &mut room[..piece])?;
        left -= piece;
    }
    Ok(())
}

/// A program with only one process.
#[derive(Debug, Clone, Copy, Default)]
pub struct SingleProcess;

impl Ipc for SingleProcess {
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
