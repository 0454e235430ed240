//! The integration tests of the runtime, which measure programs, one module per subject.
//!
//! All modules share this process and run in its threads: none of them changes the working
//! directory, the environment or a limit of the process.

mod common;
mod recorded;

mod archives;
mod calls;
mod counters;
mod functions;
mod io;
mod memory;
mod metrics;
mod mpi;
mod papi;
mod preload;
mod processes;
mod recordings;
mod threads;
mod user;
