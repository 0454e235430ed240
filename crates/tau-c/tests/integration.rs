//! The tests of the C interface, which run programs in C and C++, one module per subject.
//!
//! All modules share this process and run in its threads: none of them changes the working
//! directory, the environment or a limit of the process.

mod common;

mod calls;
mod dump;
