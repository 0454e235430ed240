//! Readers. The modules have the same names as in [`write`](crate::write).
//!
//! [`Archive`] opens an archive and returns readers of its files. They deliver records with global
//! ids and corrected times, of one location or of all locations in the order of time, through
//! windows that move along the files. The functions of this module read the bytes of a whole file
//! and return its records unchanged, without id mapping and clock correction. Both find records in
//! the same way, copy nothing, and are `Send`. Invalid input causes an [`Error`](crate::Error) with
//! the offset, and ends the reader.

pub mod anchor;
pub mod archive;
mod batch;
mod budget;
mod chunks;
mod clock;
pub mod definitions;
pub mod events;
mod family;
mod globals;
#[cfg(feature = "zlib")]
mod inflate;
pub mod location;
pub mod markers;
mod order;
mod place;
mod scan;
mod seek;
mod selection;
mod snapshots;
mod sort;
mod stream;
pub mod thumbnails;
mod unwind_distance;
mod visit;
pub mod whole;
mod window;

pub use anchor::anchor;
pub use archive::{Archive, Options};
pub use chunks::check_chunks;
pub use clock::Clock;
pub use definitions::{DefinitionReader, ReceiveDefinition, global_definitions, local_definitions, log};
pub use events::{TimedRecord, events, snapshots};
pub use family::{Events, Family, Snapshots};
pub use location::LocationReader;
pub use markers::markers;
pub use order::InOrder;
pub use selection::{Kinds, Selection};
pub use stream::Chunk;
pub use thumbnails::thumbnail;
pub use unwind_distance::unwind_distance_at;
pub use visit::Receive;
