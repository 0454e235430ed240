//! `kymo recover` on what processes leave behind, put together byte by byte.

mod communicators;
mod finding;
mod run;
#[path = "../../../src/recorder/tests/recovery/scratch.rs"]
mod scratch;
mod streams;
