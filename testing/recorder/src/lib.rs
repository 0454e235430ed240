//! Shared test code for recording: scratch files built by hand, ranks that are threads of one
//! process, and the body of the fuzz target for recovery.

pub mod program;
pub mod ranks;
pub mod recovery;
pub mod scratch;
