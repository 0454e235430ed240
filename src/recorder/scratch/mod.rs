//! Memory that survives the process: events and journal lie in a file that is mapped by all who touch it.
//!
//! [`layout`] says what the file looks like, [`side`] what lies beside the archive. A [`Pool`] hands out runs of blocks; a location
//! fills them and puts full ones into the queue to the writer ([`drain`](crate::drain)), which gives them back. Where no file can be
//! had, the same memory is private: then only what was drained survives.

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
use pool::FIRST_ROOM;
pub use pool::Pool;
pub(crate) use pool::{Need, Patch};
pub(crate) use run::{Content, Run};
pub use slots::Slots;
