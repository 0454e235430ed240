//! One-sided communication: for whom processes wait that access the memory of others, or let others
//! access theirs.
//!
//! [`OneSidedOperation`]s of all locations, in the order of time, are joined to wait states
//! (`waits.rs`): access epochs with the exposure epochs of their targets (`epochs.rs`), locks with
//! the releases before them, fences with the accesses before them. Each kind has a file.
//!
//! Invariant: the entries that wait for others have a bound for each location, or go with the end
//! of an epoch.

mod accesses;
mod early_fence;
mod early_wait;
mod epochs;
mod function;
mod late_post;
mod locks;
mod operation;
mod pairs;
mod releases;
mod waits;

pub(crate) use accesses::PendingAccesses;
pub use function::OneSidedFunction;
pub use operation::{ALL_TARGETS, Access, OneSidedOperation, WindowLock};
pub(crate) use waits::OneSidedWaits;
