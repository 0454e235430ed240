//! The integration tests of the TAU reader, one module per subject.
//!
//! All modules share this process and run in its threads: none of them changes the working
//! directory, the environment or a limit of the process.

mod convert;
mod hostile;
mod reader;
mod writer;
