//! The integration tests of the plugin interface, one module per subject.
//!
//! All modules share this process and run in its threads: none of them changes the working
//! directory, the environment or a limit of the process. Tests that need a process of their own
//! are listed in `Cargo.toml`.

mod c_layout;
mod events;
mod host;
mod message;
