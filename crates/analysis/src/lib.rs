//! Answers from OTF2 traces.
//!
//! A [`Trace`] is an archive with its definitions. [`calls`] turns the events of a location into
//! calls; every analysis is a [`calls::Visitor`] over them, so that all have the same calls.
//! [`pass`] runs an analysis over all locations in parallel. [`profile`] sums calls by calling
//! context, [`communication`] joins the messages and collective operations of locations.
//!
//! Invariants: events are read once and not kept; memory grows with definitions, calling contexts
//! and the calls that are open at the same time. Times are nanoseconds, converted by [`Clock`]
//! alone. [`Remarks`] counts missing, contradictory and hidden events.
//!
//! ```
//! # fn main() -> Result<(), kymo_analysis::Error> {
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../src/otf2/tests/data/every-record/traces.otf2");
//! use kymo_analysis::{Selection, Trace, profile};
//!
//! let trace = Trace::open(path)?;
//! let profile = profile::of(&trace, &Selection::default())?;
//! for (region, row) in profile.regions(&profile.total()) {
//!     println!("{}: {} calls, {} ns", trace.region_name(region), row.calls.visits, row.inclusive());
//! }
//! # Ok(())
//! # }
//! ```

#![forbid(unsafe_code)]

mod alike;
mod anchor_path;
pub mod calls;
pub mod causes;
mod channel;
mod class;
mod clock;
pub mod communication;
mod communication_times;
mod communicators;
mod contexts;
pub mod delays;
mod error;
pub mod file_waits;
pub mod findings;
mod focus;
mod functions;
pub mod index;
pub mod iterations;
pub mod lateness;
mod location_nodes;
pub mod message_times;
pub mod one_sided;
mod overlap;
pub mod overview;
mod parallel_regions;
pub mod pass;
mod probes;
pub mod profile;
mod remarks;
pub mod replay;
pub mod robust;
mod sorted_rows;
pub mod spill;
pub mod statistics;
pub mod threads;
mod trace;
pub mod waits;

pub use anchor_path::{NoAnchor, anchor_path};
pub use class::Class;
pub use clock::Clock;
pub use contexts::{ContextId, Contexts, TooManyContexts};
pub use error::Error;
pub use focus::focus;
pub use functions::{CommunicationFunction, CommunicationFunctions, Hypothesis, ThreadFunction};
pub use pass::{Selection, SelectionPart, Watcher};
pub use remarks::Remarks;
pub use trace::{
    CallingContext, IoHandle, Location, LocationGroup, MetricMember, Region, SystemTreeNode, Trace,
};
