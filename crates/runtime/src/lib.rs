//! The measurement runtime that is loaded into a measured process (`libkymo_runtime.so`).
//!
//! It plays the role of Score-P for substrate plugins. [`measurement`] is the interface for
//! instrumentation; each kind of instrumentation is a module of its own with an
//! [`adapter::Adapter`] listed in `ADAPTERS`. `life` calls the plugins in Score-P's order,
//! `definitions` and `arena` keep definitions in Score-P's layout, and `callbacks` implements the
//! functions that plugins call.
//!
//! Invariants: nothing here ends, stops or changes the measured program, and each problem is
//! reported in one line on standard error. `unsafe` appears only where the system or a plugin is
//! called, and in the modules of plain memory (`arena::memory`, `mapped`, `durations`, `stack`,
//! `thread`).

pub mod adapter;
pub mod measurement;
pub mod settings;

mod address_space;
mod address_table;
mod arena;
mod callbacks;
mod cancellation;
mod clock;
mod constructor;
mod counters;
mod definitions;
mod demangler;
mod durations;
mod entry;
mod events;
mod experiment;
mod filtering;
mod functions;
mod host;
mod interrupted;
mod io;
mod ipc;
mod job;
mod jumps;
mod libraries;
mod life;
mod linker;
mod loaded;
mod locations;
mod mapped;
mod memory;
mod message;
mod mpi;
mod names;
mod next;
mod openmp;
mod own_memory;
mod perf;
mod plugins;
mod processes;
mod program;
mod rusage;
mod sampling;
mod sanitizers;
mod slots;
mod stack;
mod switch;
mod thread;
mod threads;
mod unwinder;
mod user;

pub use callbacks::SCOREP_Timer_GetClockResolution;

#[global_allocator]
static ALLOCATOR: own_memory::Allocator = own_memory::Allocator;

/// The kinds of instrumentation, in the order in which they create their definitions.
pub(crate) static ADAPTERS: &[&dyn adapter::Adapter] = &[
    &processes::Processes,
    &functions::Functions,
    &user::User,
    &threads::Threads,
    // Before `Io`: it reads files when it begins.
    &sampling::Sampling,
    &io::Io,
    &memory::Memory,
    &rusage::Rusage,
    &counters::CounterMetrics,
    &mpi::Mpi,
    &openmp::OpenMp,
];
