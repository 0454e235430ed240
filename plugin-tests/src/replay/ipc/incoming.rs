//! The messages that another rank sends over the connection that it made.
//!
//! The connection starts with the sender's number (4 bytes). Messages follow: the call (20 bytes),
//! the length (8 bytes), the bytes. A message longer than [`EAGER`] bytes is sent in two parts: its
//! bytes follow after this side has answered with one byte, and nothing else is sent in between.

use super::call::{CALL_BYTES, Call};
use std::io::{ErrorKind, Read, Write};
use std::os::unix::net::UnixStream;

/// Messages up to this length are sent immediately, as with Open MPI; longer ones wait for their
/// receiver.
pub(super) const EAGER: usize = 4096;
/// The number of bytes before the content of a message.
pub(super) const HEADER: usize = CALL_BYTES + 8;
/// The limit on the length of a message; a longer one means a broken stream.
const MOST: u64 = 1 << 40;

/// A message, as far as it has arrived.
#[derive(Debug)]
pub(super) struct Message {
    pub(super) call: Call,
    pub(super) length: usize,
    /// `None` while the sender waits for its receiver.
    pub(super) bytes: Option<Vec<u8>>,
}

/// A connection that another rank made.
#[derive(Debug)]
pub(super) struct Incoming {
    pub(super) stream: UnixStream,
    /// The rank of the sender; unknown until its first bytes have arrived.
    pub(super) from: Option<u32>,
    bytes: Vec<u8>,
    /// The length of the message whose sender waits, or whose bytes are being sent.
    announced: Option<usize>,
    /// Whether the connection has ended.
    pub(super) ended: bool,
}

impl Incoming {
    pub(super) fn new(stream: UnixStream) -> std::io::Result<Self> {
        stream.set_nonblocking(true)?;
        Ok(Self { stream, from: None, bytes: Vec::new(), announced: None, ended: false })
    }

    /// Reads the available bytes without blocking; returns the messages that they complete or
    /// announce.
    pub(super) fn read(&mut self) -> Vec<Message> {
        let mut buffer = [0; 1 << 16];
        loop {
            match self.stream.read(&mut buffer) {
                Ok(0) => self.ended = true,
                Ok(length) => {
                    self.bytes.extend_from_slice(&buffer[..length]);
                    continue;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(_) => self.ended = true,
            }
            break;
        }
        self.messages()
    }

    fn messages(&mut self) -> Vec<Message> {
        if self.from.is_none() {
            self.from = self.take(4).and_then(|bytes| Some(u32::from_le_bytes(bytes.try_into().ok()?)));
        }
        let mut messages = Vec::new();
        while self.from.is_some() && self.announced.is_none() {
            let Some(message) = self.message() else { break };
            messages.push(message);
        }
        messages
    }

    fn message(&mut self) -> Option<Message> {
        let header = self.bytes.get(..HEADER)?;
        let length = u64::from_le_bytes(header[CALL_BYTES..].try_into().ok()?);
        let (Some(call), 0..MOST) = (Call::from_bytes(header), length) else {
            // Not sent by a rank of this program.
            self.ended = true;
            return None;
        };
        let length = length as usize;
        if length > EAGER {
            self.take(HEADER)?;
            self.announced = Some(length);
            return Some(Message { call, length, bytes: None });
        }
        if self.bytes.len() < HEADER + length {
            return None;
        }
        self.take(HEADER)?;
        Some(Message { call, length, bytes: self.take(length) })
    }

    fn take(&mut self, length: usize) -> Option<Vec<u8>> {
        (self.bytes.len() >= length).then(|| self.bytes.drain(..length).collect())
    }

    /// Answers the sender of the announced message, which then sends its bytes.
    pub(super) fn answer(&mut self) -> std::io::Result<()> {
        self.stream.write_all(&[1])
    }

    /// Returns the bytes of the announced message once all have arrived.
    pub(super) fn announced(&mut self) -> Option<Vec<u8>> {
        let bytes = self.take(self.announced?)?;
        self.announced = None;
        Some(bytes)
    }
}
