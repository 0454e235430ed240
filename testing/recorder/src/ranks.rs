//! Ranks within one process that share nothing except messages.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex};

use kymo_recorder::ranks::{Ipc, IpcFailed};

/// The messages waiting for a rank, with their senders, and the number of bytes it has sent.
#[derive(Debug, Default)]
struct Mailbox {
    messages: Mutex<VecDeque<(u32, Vec<u8>)>>,
    arrived: Condvar,
    sent: AtomicU64,
}

/// The connection between the ranks.
#[derive(Debug)]
pub struct Network(Vec<Mailbox>);

impl Network {
    /// Connects this number of ranks.
    pub fn of(size: u32) -> Self {
        Self((0..size).map(|_| Mailbox::default()).collect())
    }

    /// Returns the end of a rank.
    pub fn rank(&self, rank: u32) -> Rank<'_> {
        Rank { network: self, rank }
    }
}

/// One of the ranks. Its receives block.
#[derive(Debug)]
pub struct Rank<'a> {
    network: &'a Network,
    rank: u32,
}

impl Rank<'_> {
    /// Returns the number of bytes in all messages that it has sent.
    pub fn sent(&self) -> u64 {
        self.mailbox().sent.load(Ordering::Relaxed)
    }

    fn mailbox(&self) -> &Mailbox {
        &self.network.0[self.rank as usize]
    }
}

impl Ipc for Rank<'_> {
    fn size(&self) -> u32 {
        self.network.0.len() as u32
    }

    fn rank(&self) -> u32 {
        self.rank
    }

    fn send(&self, to: u32, message: &[u8]) -> Result<(), IpcFailed> {
        self.mailbox().sent.fetch_add(message.len() as u64, Ordering::Relaxed);
        let mailbox = self.network.0.get(to as usize).ok_or(IpcFailed)?;
        mailbox.messages.lock().unwrap().push_back((self.rank, message.to_vec()));
        mailbox.arrived.notify_all();
        Ok(())
    }

    fn receive(&self, from: u32, message: &mut [u8]) -> Result<(), IpcFailed> {
        let mailbox = self.mailbox();
        let mut messages = mailbox.messages.lock().unwrap();
        loop {
            if let Some(at) = messages.iter().position(|(sender, _)| *sender == from) {
                let (_, bytes) = messages.remove(at).unwrap();
                assert_eq!(bytes.len(), message.len(), "a message has the length that its receiver expects");
                message.copy_from_slice(&bytes);
                return Ok(());
            }
            messages = mailbox.arrived.wait(messages).unwrap();
        }
    }
}
