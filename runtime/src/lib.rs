//! The measurement runtime: what a measured process has in it (`libkymo_runtime.so`).
//!
//! It plays the part of Score-P for substrate plugins. [`measurement`] is its face towards instrumentation; each kind of
//! instrumentation is a module beside it and an [`adapter::Adapter`] in `ADAPTERS`. `life` calls the plugins in Score-P's
//! order, `definitions` and `arena` keep what is defined in Score-P's layout, and `callbacks` answers the plugins.
//!
//! Invariants: nothing here ends, stops or changes the measured program, and one line on standard error tells each problem.
//! `unsafe` is where the system or a plugin is called, and in the modules of plain memory (`arena::memory`, `durations`, `stack`, `thread`).

pub mod adapter;
pub mod measurement;
pub mod settings;

mod address_table;
mod arena;
mod callbacks;
mod clock;
mod constructor;
mod definitions;
mod demangler;
mod durations;
mod events;
mod experiment;
mod filtering;
mod functions;
mod host;
mod interrupted;
mod ipc;
mod life;
mod locations;
mod memory;
mod names;
mod next;
mod plugins;
mod processes;
mod program;
mod rusage;
mod sanitizers;
mod stack;
mod switch;
mod thread;
mod threads;
mod user;

pub use callbacks::SCOREP_Timer_GetClockResolution;

/// No refused allocation ends the program.
#[global_allocator]
static ALLOCATOR: kymo_allocator::Allocator = kymo_allocator::Allocator;

/// The kinds of instrumentation, in the order in which they define their things.
pub(crate) static ADAPTERS: &[&adapter::Adapter] =
    &[&processes::ADAPTER, &functions::ADAPTER, &user::ADAPTER, &threads::ADAPTER, &rusage::ADAPTER];
