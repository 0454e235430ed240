//! One-line messages on standard error.
//!
//! A message is formatted in a buffer on the stack and written in one `write`, so that it can be
//! sent from anywhere, including a signal handler, and lines of several processes do not mix.

use core::fmt::{self, Write as _};
use std::fs::File;
use std::io::Write as _;
use std::mem::ManuallyDrop;
use std::os::fd::FromRawFd;

use crate::cancellation::uncancelled;

/// The maximum length of a message in bytes, without the line end. Longer text is truncated.
pub const MESSAGE_MAX: usize = 511;

const STANDARD_ERROR: i32 = 2;

/// A line of text of at most [`MESSAGE_MAX`] bytes. Control characters become spaces.
pub struct Message {
    bytes: [u8; MESSAGE_MAX + 1],
    len: usize,
}

impl Message {
    /// The line `prefix: what`.
    pub fn new(prefix: &str, what: fmt::Arguments<'_>) -> Self {
        let mut message = Self { bytes: [0; MESSAGE_MAX + 1], len: 0 };
        // Writing into the buffer never fails. An argument's own `Display` may; the text it wrote
        // until then is kept.
        let _ = write!(message, "{prefix}: {what}");
        message
    }

    /// The text, without a line end.
    pub fn text(&self) -> &str {
        str::from_utf8(&self.bytes[..self.len]).unwrap_or_default()
    }

    /// Writes the line with one system call. A failure is ignored, because there is nowhere to
    /// report it.
    pub fn send(mut self) {
        self.bytes[self.len] = b'\n';
        // `std::io::stderr()` cannot be used: it takes a lock that an interrupted thread may hold.
        // SAFETY: the descriptor is not closed, because the `File` is never dropped.
        let mut stderr = ManuallyDrop::new(unsafe { File::from_raw_fd(STANDARD_ERROR) });
        let _ = uncancelled(|| stderr.write(&self.bytes[..=self.len]));
    }
}

impl fmt::Write for Message {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for character in text.chars() {
            let character = if character.is_control() { ' ' } else { character };
            let end = self.len + character.len_utf8();
            if end > MESSAGE_MAX {
                // Write nothing after the truncation, not even a shorter character.
                return Err(fmt::Error);
            }
            character.encode_utf8(&mut self.bytes[self.len..end]);
            self.len = end;
        }
        Ok(())
    }
}

impl fmt::Debug for Message {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text().fmt(formatter)
    }
}

/// Writes the line `prefix: what` to standard error. The prefix is the plugin's name.
///
/// ```
/// kymo_substrate::report("kymo", format_args!("{} events dropped", 3));
/// ```
pub fn report(prefix: &str, what: fmt::Arguments<'_>) {
    Message::new(prefix, what).send();
}
