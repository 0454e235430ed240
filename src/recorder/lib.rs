//! What happens between an event and a file.
//!
//! A [`Recorder`] keeps the [`Location`]s of a process. Each encodes its events into memory of its own and hands full pieces to
//! the archive's storage; [`Definitions`] keeps what the events refer to, as an append-only log; at the end [`archive`] makes
//! files of both. Nothing here knows who delivers the events.
//!
//! Invariant: between the creation of a location and its close nothing touches the allocator. Memory comes from
//! [`memory`] and can be refused; what then gets lost is counted.

pub mod archive;
pub mod clock;
mod completeness;
mod definitions;
pub mod journal;
mod location;
pub mod memory;
mod output;
pub mod ranks;
mod recorder;
pub mod scratch;
pub mod tables;
pub mod unification;

pub use completeness::{Completeness, EventClass};
pub use definitions::Definitions;
pub use location::{Closed, FewAttributes, Location, LocationFile, LocationWriter, RegionEntry};
pub use output::Output;
pub use recorder::{Recorder, Shared};

/// Bytes of a chunk of an event file, as Score-P's own tracing has them.
pub const EVENT_CHUNK_SIZE: u64 = 1024 * 1024;
