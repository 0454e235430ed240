//! The measurement runtime: what a measured process has in it (`libkymo_runtime.so`).
//!
//! It plays the part of Score-P for substrate plugins. [`measurement`] is its face towards instrumentation; each kind of
//! instrumentation is a module beside it and an [`adapter::Adapter`] in [`ADAPTERS`].

pub mod adapter;
mod address_table;
mod choice;
mod filtering;
mod functions;
pub mod measurement;
mod memory;
mod next;
mod processes;
mod rusage;
mod threads;
mod user;

/// The kinds of instrumentation, in the order in which they define their things.
pub(crate) static ADAPTERS: &[&adapter::Adapter] =
    &[&processes::ADAPTER, &functions::ADAPTER, &user::ADAPTER, &threads::ADAPTER, &rusage::ADAPTER];
