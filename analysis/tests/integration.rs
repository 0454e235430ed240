//! The tests of the crate, in one binary.

mod calls;
mod profiles;
mod samples;
mod tasks;
