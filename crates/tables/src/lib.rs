//! OTF2 traces as tables.
//!
//! A [`Dataset`] describes a table once. [`export()`] turns the events of a trace into rows and
//! passes them in batches to a [`Format`]: [`csv`], or [`parquet`] with the feature of that name,
//! which also converts batches to Arrow arrays.

#![forbid(unsafe_code)]

mod calls;
mod collect;
pub mod csv;
pub mod dataset;
mod definitions;
mod error;
mod export;
mod fields;
mod group_queues;
mod messages;
mod names;
#[cfg(feature = "parquet")]
pub mod parquet;
mod run;
mod sink;

pub use calls::Places;
pub use dataset::Dataset;
pub use error::Error;

pub use export::{Report, Waiting, Work, export, group_numbers};
pub use group_queues::{GroupQueues, NextBatch};
pub use names::Names;
pub use sink::{Format, Sink};
