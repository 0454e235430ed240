//! Waiting of the threads of a process for each other: for locks, signals, the ends of threads, and
//! in barriers of teams.
//!
//! [`ThreadOperation`]s of all locations, in the order of time, are joined to wait states and
//! creations of threads (`waits.rs`). Each kind has a file; none knows another one.

mod creation;
mod locks;
mod operation;
mod signals;
mod teams;
mod waits;

pub use creation::Creation;
pub use operation::{LockId, ThreadOperation};
pub(crate) use waits::{ThreadFinding, ThreadWaits};
