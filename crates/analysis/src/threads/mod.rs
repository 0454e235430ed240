//! Waiting of the threads of a process for each other: for locks, signals, tasks, the ends of
//! threads, and in barriers; and the time of threads between teams.
//!
//! [`ThreadOperation`]s of all locations, in the order of time, are joined to wait states and
//! creations of threads (`waits.rs`). Each kind has a file; none knows another one.

mod busy_time;
mod creation;
mod idle;
mod locks;
mod operation;
mod process;
mod pthread_barriers;
mod signals;
mod states;
mod tasks;
mod teams;
mod waits;

pub use creation::Creation;
pub use idle::IdleTime;
pub use operation::{LockId, TaskId, ThreadOperation};
pub(crate) use waits::{ThreadFinding, ThreadWaits};
