//! Waiting of locations for each other that use the same files: for locks, and in collective
//! operations of MPI on files.
//!
//! [`FileOperation`]s of all locations, in the order of time, are joined to wait states
//! (`waits.rs`). Each kind has a file.

mod collectives;
mod locks;
mod operation;
mod waits;

pub use operation::FileOperation;
pub(crate) use waits::FileWaits;
