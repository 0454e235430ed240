//! What happens between an event and a file.
//!
//! A [`Recorder`] keeps the [`Location`]s of a process. Each encodes its events into pieces of a [`scratch`] file and hands full ones
//! to the [`drain`], which writes them; [`Definitions`] keeps what the events refer to, as an append-only log, and the [`journal`]
//! what recovery needs of it; at the end [`unification`] joins the definitions of all [`ranks`], [`clock`] says how their times go
//! together, and [`archive`] writes what is not events. [`recovery`] makes an archive of what processes left that did not get that far.
//! Nothing here knows who delivers the events.
//!
//! Invariant: between the creation of a location and its close nothing touches the allocator. Memory comes from
//! [`memory`] and can be refused; what then gets lost is counted.

pub mod archive;
pub mod clock;
mod completeness;
mod definitions;
pub mod drain;
pub mod journal;
mod location;
pub mod memory;
mod output;
pub mod process;
pub mod ranks;
mod recorder;
pub mod recovery;
pub mod scratch;
pub mod seal;
pub mod tables;
pub mod unification;
mod unnoticed;

pub use completeness::{Completeness, EventClass};
pub use definitions::Definitions;
pub use location::{Closed, FewAttributes, Location, LocationFile, LocationWriter, RegionEntry};
pub use output::Output;
pub use recorder::{MemorySettings, Recorder, Shared, WhenFull};

/// Bytes of a chunk of an event file, as Score-P's own tracing has them.
pub const EVENT_CHUNK_SIZE: u64 = 1024 * 1024;
