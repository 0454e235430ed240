//! The integration tests of the recorder, one module per subject.
//!
//! All modules share this process and run in its threads: none of them changes the working
//! directory, the environment or a limit of the process. Tests that need a process of their own
//! are listed in `Cargo.toml`.

mod amend;
mod clocks;
mod definition_log;
mod recovery;
mod splits;
mod tracks;
mod unification;
