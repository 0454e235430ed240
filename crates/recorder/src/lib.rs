//! The recording core: everything between an event and its file.
//!
//! A [`Recorder`] owns the [`Track`]s of a process, one per location. Each track encodes its events
//! into pieces of a [`scratch`] file and hands full pieces to the [`drain`], which writes them.
//! [`DefinitionLog`] records the definitions that events refer to; the [`journal`] keeps the data
//! for recovery. When the run ends, [`unification`] merges the definitions of all [`ranks`],
//! [`clock`] relates their times to one another, and [`archive`] writes everything except the
//! events. [`recovery`] builds an archive from the remains of processes that did not get that far.
//! Nothing here depends on the source of the events.
//!
//! Invariant: between the creation of a track and its close, nothing touches the allocator.
//! Memory comes from [`memory`] and can be refused; events lost as a result are counted.

pub mod archive;
pub mod clock;
mod completeness;
mod definition_log;
pub mod drain;
mod file_limit;
pub mod journal;
pub mod memory;
mod output;
pub mod process;
pub mod ranks;
mod real_path;
mod recorder;
pub mod recovery;
pub mod scratch;
pub mod seal;
pub mod tables;
mod track;
pub mod unification;
mod unnoticed;

pub use completeness::{Completeness, EventClass};
pub use definition_log::DefinitionLog;
pub use file_limit::QuietFileLimit;
pub use output::Output;
pub use real_path::real_path;
pub use recorder::{MemorySettings, Recorder};
pub use track::{Closed, FewAttributes, RegionEntry, Shared, Track, TrackFile, TrackWriter, WhenFull};

/// The chunk size of event files in bytes, the same as in Score-P's own tracing.
pub const EVENT_CHUNK_SIZE: u64 = 1024 * 1024;
