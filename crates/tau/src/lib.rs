//! TAU traces: a reader, a writer, and a converter to OTF2.
//!
//! A trace is a pair of files: records of fixed size (`.trc`), and a text file that defines their
//! event ids (`.edf`). The crate supports all four record layouts, merged and unmerged traces, and
//! traces that are still growing. Bad input causes an [`Error`] or a [`Complaint`], never a panic.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let (trace, event_file) = (folder.path().join("tau.trc"), folder.path().join("tau.edf"));
//! use kymo_tau::{Callbacks, Reader, Thread, Writer};
//!
//! let mut writer = Writer::create(&trace, &event_file)?;
//! let main = Thread { node: 0, thread: 0 };
//! writer.define_group(1, "COMPUTE");
//! writer.define_state(1, "main", 1);
//! writer.enter(100, main, 1)?;
//! writer.leave(250, main, 1)?;
//! writer.finish()?;
//!
//! #[derive(Default)]
//! struct Depth(Vec<u32>);
//!
//! impl Callbacks for Depth {
//!     fn enter(&mut self, _time: u64, _: Thread, state: u32) {
//!         self.0.push(state);
//!     }
//!     fn leave(&mut self, time: u64, _: Thread, state: u32) {
//!         assert_eq!((self.0.pop(), time), (Some(state), 250));
//!     }
//! }
//!
//! let mut reader = Reader::open(&trace, &event_file)?;
//! while reader.read(1000, &mut Depth::default())? > 0 {}
//! # Ok(())
//! # }
//! ```
//!
//! [`Reader::items`] returns the same data as an iterator.

#![forbid(unsafe_code)]

mod by_id;
mod callbacks;
pub mod convert;
mod definitions;
mod deliver;
mod detection;
mod error;
mod event_file;
mod items;
mod kind;
mod message;
mod reader;
mod record;
mod regular;
mod run;
mod threads;
mod trace_file;
mod writer;

pub use callbacks::{CLOCK_PERIOD, Callbacks, StateDefinition, UserEvent};
pub use error::{Complaint, Error, LineProblem, Result};
pub use items::{Item, Items};
pub use message::Message;
pub use reader::Reader;
pub use record::{Layout, Record, Thread};
pub use writer::Writer;
