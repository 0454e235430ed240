//! The measurement runtime that is loaded into a measured process (`libkymo_runtime.so`).
//!
//! It plays the role of Score-P for substrate plugins. [`measurement`] is the interface for
//! instrumentation. Each kind of instrumentation is an `Adapter` ([`adapter`]), one folder in
//! `adapters`, which lists them; everything else knows only the trait. `life` calls the plugins in
//! Score-P's order, `definitions` and `arena` keep definitions in Score-P's layout, and `callbacks`
//! implements the functions that plugins call.
//!
//! Invariants: nothing here ends, stops or changes the measured program, and each problem is
//! reported in one line on standard error. `unsafe` appears only where the system or a plugin is
//! called, and in the modules of plain memory (`arena::memory`, `mapped`, `durations`, `slots`,
//! `stack`, `thread`, `current`).

pub mod adapter;
mod adapters;
pub mod measurement;
pub mod settings;

mod address_space;
mod address_table;
mod arena;
mod callbacks;
mod caller_scope;
mod calls;
mod cancellation;
mod clock;
mod constructor;
mod current;
mod definitions;
mod demangler;
mod durations;
mod entry;
mod events;
mod experiment;
mod filtering;
mod host;
mod interrupted;
mod ipc;
mod job;
mod jumps;
mod libraries;
mod life;
mod linker;
mod loaded;
mod loader_list;
mod loader_lock;
mod locations;
mod mapped;
mod message;
mod names;
mod next;
mod own_memory;
mod own_signal;
mod own_stack;
mod panics;
mod perf;
mod plugins;
mod postponed_jump;
mod processes;
mod program;
mod readable;
mod sanitizers;
mod served;
mod slots;
mod stack;
mod switch;
mod thread;
mod unwinder;
mod walk_start;

pub use callbacks::SCOREP_Timer_GetClockResolution;

#[global_allocator]
static ALLOCATOR: own_memory::Allocator = own_memory::Allocator;
