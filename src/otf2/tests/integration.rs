//! The integration tests of the format, one module per subject.
//!
//! All modules share this process and run in its threads: none of them changes the working
//! directory, the environment or a limit of the process. Tests that need a process of their own
//! are listed in `Cargo.toml`.

mod common;

mod archive;
mod copy;
mod damage;
mod estimate;
mod fast_path;
mod fuzz;
mod hostile;
mod libotf2;
mod otf2_print;
mod python;
mod records;
mod samples;
mod snapshots;
mod storage;
mod table;
mod writers;
