//! Memory that survives the process: events and the journal are kept in a file that is mapped by
//! everything that accesses it.
//!
//! [`layout`] describes the file, and [`side`] the files next to the archive. A [`Pool`] hands out
//! runs of blocks. A location fills them and queues the full ones for the writer
//! ([`drain`](crate::drain)), which gives them back. If no scratch file can be created, the same
//! memory is private; then only the drained data survive.

mod descriptor;
mod extent;
mod file;
mod free;
pub mod layout;
mod mapping;
#[cfg(all(test, kymo_loom))]
mod model;
mod pool;
mod queue;
mod run;
pub mod side;
mod slots;
pub(crate) mod sync;

pub use file::{ScratchFile, ScratchPlace};
pub use kymo_launch::Launch;
pub use pool::Pool;
pub(crate) use pool::{Need, Patch};
pub(crate) use run::{Content, Run};
pub use slots::Slots;
