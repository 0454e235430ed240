//! `kymo recover` on files that processes leave, built byte by byte.

mod communicators;
mod damage;
mod faults;
mod finding;
mod folders;
#[path = "../../../src/recorder/tests/recovery/program.rs"]
mod program;
mod run;
#[path = "../../../src/recorder/tests/recovery/scratch.rs"]
mod scratch;
mod streams;
mod trust;
