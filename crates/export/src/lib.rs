//! OTF2 traces in the formats of trace viewers.
//!
//! [`export()`] reads the locations in parallel and writes them one after the other. A location is
//! a sequence of begins, ends, instants and counters ([`Track`]), which a [`Format`] encodes:
//! [`perfetto`], [`firefox`], [`chrome`] or [`speedscope`].
//!
//! Invariant: begins and ends of a track nest. Calls of a task that is suspended end, and begin
//! again when it is resumed. Memory is bounded by the number of threads, not by events.

#![forbid(unsafe_code)]

pub mod chrome;
mod drive;
pub mod firefox;
mod json;
pub mod perfetto;
pub mod speedscope;
mod timeline;
mod track;

pub use drive::{Assembly, Error, Report, export, tracks};
pub use track::{Direction, Flow, Format, Instant, Pieces, Section, Track, Value};
