//! The journal of a process: everything but its events, written down when it becomes known, for recovery.

pub mod entry;

pub use entry::{ClockEntry, CommunicatorEntry, Entry, LocationEntry, Payload};
